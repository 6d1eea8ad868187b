//===- PtxMatrixTest.cpp - mma, ldmatrix, wgmma against plain products ----===//
//
// Where elements lie is written here once more, element by element as in the
// figures of the PTX ISA, and not taken from the code under test.
//
//===----------------------------------------------------------------------===//

#include "PtxFixture.h"

#include "tessera/Support/HalfPrecision.h"

#include <gtest/gtest.h>

#include <bit>
#include <functional>

using namespace tessera;
using namespace tessera::emulated;

namespace {

enum class Element { F16, BF16, TF32 };

unsigned bytesOf(Element element) { return element == Element::TF32 ? 4 : 2; }

const char *nameOf(Element element) {
  return element == Element::F16    ? "f16"
         : element == Element::BF16 ? "bf16"
                                    : "tf32";
}

uint32_t bitsOf(float value, Element element) {
  if (element == Element::F16)
    return Float16::fromFloat(value).bits;
  if (element == Element::BF16)
    return BFloat16::fromFloat(value).bits;
  // The part of an f32 that TF32 lacks must not matter.
  return std::bit_cast<uint32_t>(value) | (value != 0 ? 0x1555 : 0);
}

/// A matrix of small integers.
struct Numbers {
  unsigned rows, columns;
  std::vector<float> values;

  Numbers(unsigned rows, unsigned columns, SmallNumbers &next)
      : rows(rows), columns(columns), values(rows * columns) {
    for (float &value : values)
      value = next();
  }
  float at(unsigned row, unsigned column) const {
    return values[row * columns + column];
  }
};

float productAt(const Numbers &a, const Numbers &b, unsigned row,
                unsigned column) {
  float sum = 0;
  for (unsigned k = 0; k < a.columns; ++k)
    sum += a.at(row, k) * b.at(k, column);
  return sum;
}

/// `ld.global` or `st.global` of `count` registers from %r`first` on: register
/// i of thread t at word i * threads + t of the buffer.
std::string moveRegisters(const std::string &opcode, unsigned buffer,
                          unsigned first, unsigned count, unsigned threads) {
  std::string text = "mul.wide.u32 %rd60, %me, 4;\nadd.s64 %rd60, %rd60, %b" +
                     std::to_string(buffer) + ";\n";
  for (unsigned i = 0; i < count; ++i) {
    std::string name = "%r" + std::to_string(first + i);
    std::string address = "[%rd60+" + std::to_string(i * threads * 4) + "]";
    text += opcode == "ld" ? "ld.global.b32 " + name + ", " + address + ";\n"
                           : "st.global.b32 " + address + ", " + name + ";\n";
  }
  return text;
}

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

struct MmaCase {
  const char *shape;
  unsigned k;
  Element element;
  bool halfAccumulators;
};

/// Row and column of element `i` of A in a lane.
std::pair<unsigned, unsigned> placeInA(const MmaCase &c, unsigned lane,
                                       unsigned i) {
  unsigned group = lane >> 2, inGroup = lane % 4;
  if (c.element == Element::TF32) // a0 (g, t), a1 (g+8, t), a2 (g, t+4), ...
    return {i % 2 == 0 ? group : group + 8, i < 2 ? inGroup : inGroup + 4};
  bool upper = i < 2 || (4 <= i && i < 6);
  return {upper ? group : group + 8, inGroup * 2 + (i & 1) + (i < 4 ? 0 : 8)};
}

std::pair<unsigned, unsigned> placeInB(const MmaCase &c, unsigned lane,
                                       unsigned i) {
  unsigned group = lane >> 2, inGroup = lane % 4;
  if (c.element == Element::TF32)
    return {inGroup + 4 * i, group};
  return {inGroup * 2 + (i & 1) + (i < 2 ? 0 : 8), group};
}

std::pair<unsigned, unsigned> placeInC(unsigned lane, unsigned i) {
  return {(lane >> 2) + (i < 2 ? 0 : 8), (lane % 4) * 2 + (i & 1)};
}

class Mma : public testing::TestWithParam<MmaCase> {};

TEST_P(Mma, IsAProduct) {
  const MmaCase &c = GetParam();
  SmallNumbers next;
  Numbers a(16, c.k, next), b(c.k, 8, next), start(16, 8, next);
  unsigned perWord = 4 / bytesOf(c.element);
  unsigned countA = 16 * c.k / 32 / perWord, countB = c.k * 8 / 32 / perWord;
  unsigned countC = c.halfAccumulators ? 2 : 4;
  Buffer in((countA + countB + countC) * 128), out(countC * 128);
  uint32_t *words = in.as<uint32_t>();
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < countA * perWord; ++i) {
      auto [row, column] = placeInA(c, lane, i);
      words[i / perWord * 32 + lane] |= bitsOf(a.at(row, column), c.element)
                                        << (16 * (i % perWord));
    }
    for (unsigned i = 0; i < countB * perWord; ++i) {
      auto [row, column] = placeInB(c, lane, i);
      words[(countA + i / perWord) * 32 + lane] |=
          bitsOf(b.at(row, column), c.element) << (16 * (i % perWord));
    }
    for (unsigned i = 0; i < 4; ++i) {
      auto [row, column] = placeInC(lane, i);
      float value = start.at(row, column);
      if (c.halfAccumulators)
        words[(countA + countB + i / 2) * 32 + lane] |=
            bitsOf(value, Element::F16) << (16 * (i % 2));
      else
        words[(countA + countB + i) * 32 + lane] =
            std::bit_cast<uint32_t>(value);
    }
  }
  std::string accumulator = c.halfAccumulators ? "f16" : "f32";
  std::string body = moveRegisters("ld", 0, 0, countA + countB + countC, 32) +
                     "mma.sync.aligned." + c.shape + ".row.col." + accumulator +
                     "." + nameOf(c.element) + "." + nameOf(c.element) + "." +
                     accumulator + " " + registerList(100, countC) + ", " +
                     registerList(0, countA) + ", " +
                     registerList(countA, countB) + ", " +
                     registerList(countA + countB, countC) + ";\n" +
                     moveRegisters("st", 1, 100, countC, 32);
  EXPECT_EQ(runPtx(body, 32, {&in, &out}).value_or(""), "");
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      auto [row, column] = placeInC(lane, i);
      uint32_t word =
          out.as<uint32_t>()[(c.halfAccumulators ? i / 2 : i) * 32 + lane];
      float value =
          c.halfAccumulators
              ? Float16{static_cast<uint16_t>(word >> (16 * (i % 2)))}.toFloat()
              : std::bit_cast<float>(word);
      EXPECT_EQ(value, productAt(a, b, row, column) + start.at(row, column));
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, Mma,
    testing::Values(MmaCase{"m16n8k16", 16, Element::F16, false},
                    MmaCase{"m16n8k16", 16, Element::F16, true},
                    MmaCase{"m16n8k16", 16, Element::BF16, false},
                    MmaCase{"m16n8k8", 8, Element::F16, false},
                    MmaCase{"m16n8k8", 8, Element::F16, true},
                    MmaCase{"m16n8k8", 8, Element::BF16, false},
                    MmaCase{"m16n8k8", 8, Element::TF32, false},
                    MmaCase{"m16n8k4", 4, Element::TF32, false}));

TEST(MmaF64, IsAProduct) {
  SmallNumbers next;
  Numbers a(8, 4, next), b(4, 8, next);
  Buffer in(512), out(512);
  for (unsigned lane = 0; lane < 32; ++lane) {
    in.as<double>()[lane] = a.at(lane >> 2, lane % 4);
    in.as<double>()[32 + lane] = b.at(lane % 4, lane >> 2);
  }
  std::string body = R"(
mul.wide.u32 %rd0, %me, 8;
add.s64 %rd1, %rd0, %b0;
add.s64 %rd2, %rd0, %b1;
ld.global.f64 %fd0, [%rd1];
ld.global.f64 %fd1, [%rd1+256];
mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd2, %fd3}, {%fd0}, {%fd1}, {0d3FF0000000000000, 0d3FF0000000000000};
st.global.f64 [%rd2], %fd2;
st.global.f64 [%rd2+256], %fd3;
)";
  EXPECT_EQ(runPtx(body, 32, {&in, &out}).value_or(""), "");
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 2; ++i)
      EXPECT_EQ(out.as<double>()[32 * i + lane],
                productAt(a, b, lane >> 2, (lane % 4) * 2 + i) + 1);
}

//===----------------------------------------------------------------------===//
// ldmatrix and stmatrix
//===----------------------------------------------------------------------===//

class LoadMatrix : public testing::TestWithParam<std::tuple<unsigned, bool>> {};

/// Four matrices lie one behind another in shared memory; loading gives each
/// lane two neighbours of a row (or of a column), and storing the registers in
/// the same way restores the matrices.
TEST_P(LoadMatrix, MovesNeighbours) {
  auto [count, transposed] = GetParam();
  Buffer in(512), out(512), back(512);
  for (unsigned i = 0; i < 256; ++i)
    in.as<uint16_t>()[i] = static_cast<uint16_t>(i * 7 + 1);
  std::string body = substitute(
      R"(
mul.lo.u32 %r50, %me, 16;
mov.u32 %r51, smem;
add.u32 %r52, %r51, %r50;
cvt.u64.u32 %rd0, %r50;
add.s64 %rd1, %rd0, %b0;
add.s64 %rd2, %rd0, %b2;
ld.global.v4.b32 {%r60, %r61, %r62, %r63}, [%rd1];
st.shared.v4.b32 [%r52], {%r60, %r61, %r62, %r63};
bar.warp.sync -1;
ldmatrix.sync.aligned.m8n8.x@count@@trans@.shared.b16 @registers@, [%r52];
bar.warp.sync -1;
stmatrix.sync.aligned.m8n8.x@count@@trans@.shared.b16 [%r52+512], @registers@;
bar.warp.sync -1;
setp.lt.u32 %p0, %me, @rows@;
@%p0 ld.shared.v4.b32 {%r60, %r61, %r62, %r63}, [%r52+512];
@%p0 st.global.v4.b32 [%rd2], {%r60, %r61, %r62, %r63};
)",
      {{"count", std::to_string(count)},
       {"trans", transposed ? ".trans" : ""},
       {"rows", std::to_string(8 * count)},
       {"registers", registerList(0, count)}});
  body += moveRegisters("st", 1, 0, count, 32);
  ASSERT_EQ(runPtx(body, 32, {&in, &out, &back}, 1024).value_or(""), "");
  for (unsigned matrix = 0; matrix < count; ++matrix)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned e = 0; e < 2; ++e) {
        unsigned row = lane / 4, column = 2 * (lane % 4) + e;
        if (transposed)
          std::swap(row, column);
        uint32_t word = out.as<uint32_t>()[matrix * 32 + lane];
        EXPECT_EQ(word >> (16 * e) & 0xffff,
                  in.as<uint16_t>()[matrix * 64 + row * 8 + column]);
      }
  EXPECT_EQ(std::memcmp(back.as<std::byte>(), in.as<std::byte>(), 128 * count),
            0);
}

INSTANTIATE_TEST_SUITE_P(All, LoadMatrix,
                         testing::Combine(testing::Values(1, 2, 4),
                                          testing::Bool()));

TEST(MoveMatrix, Transposes) {
  Buffer in(128), out(128);
  for (unsigned i = 0; i < 64; ++i)
    in.as<uint16_t>()[i] = static_cast<uint16_t>(i);
  std::string body = moveRegisters("ld", 0, 0, 1, 32) +
                     "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;\n" +
                     moveRegisters("st", 1, 1, 1, 32);
  EXPECT_EQ(runPtx(body, 32, {&in, &out}).value_or(""), "");
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(out.as<uint16_t>()[i], i % 8 * 8 + i / 8);
}

} // namespace
