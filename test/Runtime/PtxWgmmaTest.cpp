//===- PtxWgmmaTest.cpp - wgmma against plain products --------------------===//
//
// The images of operands in shared memory are built here from the pictures of
// the PTX ISA: without a swizzle from core matrices of 8 rows of 16 bytes, with
// one from rows of 32, 64 or 128 bytes whose 16-byte chunks are permuted.
//
//===----------------------------------------------------------------------===//

#include "PtxFixture.h"

#include "tessera/Support/HalfPrecision.h"

#include <gtest/gtest.h>

#include <bit>

using namespace tessera;
using namespace tessera::emulated;

namespace {

enum class Element { F16, BF16, TF32 };

struct WgmmaCase {
  Element element;
  unsigned n;
  unsigned swizzle; ///< Bytes; 0 for none.
  bool majorMNofA, majorMNofB;
  bool registersA;
  bool halfAccumulators;
  const char *scales; ///< Of A and B.

  unsigned bytes() const { return element == Element::TF32 ? 4 : 2; }
  unsigned k() const { return 32 / bytes(); }
  const char *name() const {
    return element == Element::F16    ? "f16"
           : element == Element::BF16 ? "bf16"
                                      : "tf32";
  }
};

uint32_t bitsOf(float value, Element element) {
  if (element == Element::F16)
    return Float16::fromFloat(value).bits;
  if (element == Element::BF16)
    return BFloat16::fromFloat(value).bits;
  return std::bit_cast<uint32_t>(value);
}

/// An operand of `count` x k elements in shared memory.
struct Image {
  std::vector<std::byte> bytes;
  unsigned leading = 0, stride = 0; ///< Byte offsets for the descriptor.
};

/// The image of `value(mn, k)` for a product that uses all of it.
template <typename Value>
Image imageOf(const WgmmaCase &c, unsigned count, bool majorMN, Value value) {
  unsigned inChunk = 16 / c.bytes();
  Image image;
  image.bytes.resize(std::max(64u, count) * 128 * 2);
  auto put = [&](unsigned at, unsigned mn, unsigned k) {
    uint32_t bits = bitsOf(value(mn, k), c.element);
    std::memcpy(&image.bytes[at], &bits, c.bytes());
  };
  // Core matrices or patterns one behind another.
  if (c.swizzle == 0) {
    // Of K-major operands the second chunk of K lies behind all rows.
    image.stride = 128;
    image.leading = (majorMN ? count / inChunk : count / 8) * 128;
    for (unsigned mn = 0; mn < count; ++mn)
      for (unsigned k = 0; k < c.k(); ++k)
        put(majorMN ? (mn / inChunk) * image.stride + (k / 8) * image.leading +
                          (k % 8) * 16 + mn % inChunk * c.bytes()
                    : (mn / 8) * image.stride + (k / inChunk) * image.leading +
                          (mn % 8) * 16 + k % inChunk * c.bytes(),
            mn, k);
    return image;
  }
  // The row of a pattern goes along K or along M or N, the eight rows along the
  // other. A row that is longer than the operand's K is partly unused.
  unsigned inRow = c.swizzle / c.bytes();
  unsigned pattern = 8 * c.swizzle;
  image.stride = pattern;
  image.leading = majorMN ? (c.k() / 8) * pattern : 16;
  unsigned chunks = c.swizzle / 16, rowsInLine = 128 / c.swizzle;
  for (unsigned mn = 0; mn < count; ++mn)
    for (unsigned k = 0; k < c.k(); ++k) {
      unsigned row = majorMN ? k % 8 : mn % 8;
      unsigned inside = majorMN ? mn % inRow : k;
      unsigned base = majorMN ? (k / 8) * pattern + mn / inRow * image.leading
                              : (mn / 8) * pattern;
      unsigned chunk = inside / inChunk ^ (row / rowsInLine) % chunks;
      put(base + row * c.swizzle + chunk * 16 + inside % inChunk * c.bytes(),
          mn, k);
    }
  return image;
}

uint64_t descriptorOf(const WgmmaCase &c, const Image &image, unsigned start) {
  uint64_t mode = c.swizzle == 0     ? 0
                  : c.swizzle == 128 ? 1
                  : c.swizzle == 64  ? 2
                                     : 3;
  return uint64_t(start >> 4) | uint64_t(image.leading >> 4) << 16 |
         uint64_t(image.stride >> 4) << 32 | mode << 62;
}

/// Copies `@bytes@` bytes of %b0 to shared memory at 1024, by a bulk copy that
/// all threads wait for.
const char *const loadImages = R"(
mov.u32 %r390, smem;
setp.eq.u32 %p0, %me, 0;
@%p0 mbarrier.init.shared.b64 [%r390], 1;
@%p0 fence.mbarrier_init.release.cluster;
bar.sync 0;
@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r390], @bytes@;
@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r390+1024], [%b0], @bytes@, [%r390];
wait:
mbarrier.try_wait.parity.shared.b64 %p1, [%r390], 0;
@!%p1 bra wait;
)";

/// Registers `first` on from or to a buffer: register i of thread t at word
/// i * 128 + t.
std::string moveRegisters(bool load, unsigned buffer, unsigned first,
                          unsigned count) {
  std::string text = "mul.wide.u32 %rd60, %me, 4;\nadd.s64 %rd60, %rd60, %b" +
                     std::to_string(buffer) + ";\n";
  for (unsigned i = 0; i < count; ++i) {
    std::string name = "%r" + std::to_string(first + i);
    std::string address = "[%rd60+" + std::to_string(i * 512) + "]";
    text += load ? "ld.global.b32 " + name + ", " + address + ";\n"
                 : "st.global.b32 " + address + ", " + name + ";\n";
  }
  return text;
}

/// A product of random matrices, its operands in memory, and its code.
class Product {
public:
  explicit Product(const WgmmaCase &c)
      : c(c), a(64 * c.k()), b(c.k() * c.n), start(64 * c.n) {
    SmallNumbers next;
    for (std::vector<float> *values : {&a, &b, &start})
      for (float &value : *values)
        value = next();
    Image imageA = imageOf(c, 64, c.majorMNofA, [&](unsigned i, unsigned k) {
      return a[i * c.k() + k];
    });
    Image imageB = imageOf(c, c.n, c.majorMNofB, [&](unsigned j, unsigned k) {
      return b[k * c.n + j];
    });
    descriptorA = descriptorOf(c, imageA, 1024);
    descriptorB = descriptorOf(c, imageB, 1024 + imageA.bytes.size());
    imageA.bytes.insert(imageA.bytes.end(), imageB.bytes.begin(),
                        imageB.bytes.end());
    images = std::make_unique<Buffer>(imageA.bytes.size());
    std::memcpy(images->as<std::byte>(), imageA.bytes.data(),
                imageA.bytes.size());
    fillRegisters();
  }

  unsigned countD() const { return c.halfAccumulators ? c.n / 4 : c.n / 2; }

  /// D = A * B + D once, D in registers 0 on, A perhaps in 380 on.
  std::string instruction(const char *scaleD = "1") const {
    return substitute(
        "setp.ne.b32 %p2, @scaleD@, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n@n@k@k@.@acc@.@type@.@type@ @d@, "
        "@a@, @b@, %p2, @scales@@majors@;\n",
        {{"scaleD", scaleD},
         {"n", std::to_string(c.n)},
         {"k", std::to_string(c.k())},
         {"acc", c.halfAccumulators ? "f16" : "f32"},
         {"type", c.name()},
         {"d", registerList(0, countD())},
         {"a",
          c.registersA ? registerList(380, 4) : std::to_string(descriptorA)},
         {"b", std::to_string(descriptorB)},
         {"scales", c.scales},
         {"majors", c.bytes() == 4 ? std::string()
                                   : std::string(c.registersA   ? ""
                                                 : c.majorMNofA ? ", 1"
                                                                : ", 0") +
                                         (c.majorMNofB ? ", 1" : ", 0")}});
  }

  std::string run(const std::string &products) {
    std::string body =
        substitute(loadImages, {{"bytes", std::to_string(images->bytes())}}) +
        moveRegisters(true, 1, 0, countD()) + moveRegisters(true, 2, 380, 4) +
        products + moveRegisters(false, 1, 0, countD());
    return runPtx(body, 128, {images.get(), registers.get(), fragments.get()},
                  1024 + images->bytes())
        .value_or("");
  }

  /// Checks that the registers hold factor * A * B + (keeps ? D : 0).
  void check(float factor, bool keeps) {
    for (unsigned thread = 0; thread < 128; ++thread)
      for (unsigned i = 0; i < c.n / 2; ++i) {
        auto [row, column] = placeInD(thread, i);
        float sum = keeps ? start[row * c.n + column] : 0;
        for (unsigned k = 0; k < c.k(); ++k)
          sum += factor * a[row * c.k() + k] * b[k * c.n + column];
        EXPECT_EQ(readD(thread, i), sum) << row << ", " << column;
      }
  }

private:
  static std::pair<unsigned, unsigned> placeInD(unsigned thread, unsigned i) {
    unsigned warp = thread / 32, lane = thread % 32;
    return {16 * warp + lane / 4 + (i % 4 < 2 ? 0 : 8),
            i / 4 * 8 + lane % 4 * 2 + i % 2};
  }

  void fillRegisters() {
    registers = std::make_unique<Buffer>(countD() * 512);
    fragments = std::make_unique<Buffer>(4 * 512);
    for (unsigned thread = 0; thread < 128; ++thread) {
      for (unsigned i = 0; i < c.n / 2; ++i) {
        auto [row, column] = placeInD(thread, i);
        float value = start[row * c.n + column];
        if (c.halfAccumulators)
          registers->as<uint32_t>()[i / 2 * 128 + thread] |=
              bitsOf(value, Element::F16) << (16 * (i % 2));
        else
          registers->as<float>()[i * 128 + thread] = value;
      }
      unsigned warp = thread / 32, lane = thread % 32;
      unsigned perWord = 4 / c.bytes();
      for (unsigned r = 0; r < 4; ++r)
        for (unsigned e = 0; e < perWord; ++e) {
          // Upper and lower half of the rows by turns, then the next columns.
          unsigned row = 16 * warp + lane / 4 + (r % 2) * 8;
          unsigned column = lane % 4 * perWord + e + (r < 2 ? 0 : 4 * perWord);
          fragments->as<uint32_t>()[r * 128 + thread] |=
              bitsOf(a[row * c.k() + column], c.element) << (16 * e);
        }
    }
  }

  float readD(unsigned thread, unsigned i) const {
    if (!c.halfAccumulators)
      return registers->as<float>()[i * 128 + thread];
    uint32_t word = registers->as<uint32_t>()[i / 2 * 128 + thread];
    return Float16{static_cast<uint16_t>(word >> (16 * (i % 2)))}.toFloat();
  }

  WgmmaCase c;
  std::vector<float> a, b, start;
  uint64_t descriptorA, descriptorB;
  std::unique_ptr<Buffer> images, registers, fragments;
};

const std::string fence = "wgmma.fence.sync.aligned;\n";
const std::string commit = "wgmma.commit_group.sync.aligned;\n";
const std::string waitAll = "wgmma.wait_group.sync.aligned 0;\n";

class Wgmma : public testing::TestWithParam<WgmmaCase> {};

TEST_P(Wgmma, IsAProduct) {
  Product product(GetParam());
  EXPECT_EQ(product.run(fence + product.instruction() + commit + waitAll), "");
  product.check(GetParam().scales[0] == '-' ? -1 : 1, true);
}

std::vector<WgmmaCase> allCases() {
  std::vector<WgmmaCase> cases;
  for (unsigned swizzle : {0, 32, 64, 128}) {
    for (Element element : {Element::F16, Element::BF16})
      for (unsigned majors = 0; majors < 4; ++majors)
        cases.push_back({element, 64, swizzle, (majors & 1) != 0,
                         (majors & 2) != 0, false, false, "1, 1"});
    cases.push_back(
        {Element::TF32, 64, swizzle, false, false, false, false, "1, 1"});
    cases.push_back(
        {Element::BF16, 128, swizzle, false, true, true, false, "1, 1"});
  }
  cases.push_back({Element::TF32, 8, 32, false, false, true, false, "1, 1"});
  cases.push_back(
      {Element::F16, 256, 128, false, false, false, false, "-1, 1"});
  cases.push_back({Element::F16, 24, 64, false, false, false, true, "1, -1"});
  cases.back().scales = "-1, 1";
  cases.push_back({Element::F16, 128, 128, true, true, false, true, "1, 1"});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, Wgmma, testing::ValuesIn(allCases()));

const WgmmaCase plain = {Element::BF16, 64,    128,   false,
                         false,         false, false, "1, 1"};

TEST(WgmmaGroup, ProductsOfOneGroupAddUp) {
  Product product(plain);
  EXPECT_EQ(product.run(fence + product.instruction("0") +
                        product.instruction() + product.instruction() + commit +
                        waitAll),
            "");
  product.check(3, false);
}

/// Registers that are copied between products, as compilers do it, and waits
/// that leave the newest group pending.
TEST(WgmmaGroup, AccumulatorsMayBeCopiedWhilePending) {
  Product product(plain);
  std::string there, back;
  for (unsigned i = 0; i < product.countD(); ++i) {
    std::string from = "%r" + std::to_string(i);
    std::string to = "%r" + std::to_string(100 + i);
    there += "mov.b32 " + to + ", " + from + ";\n";
    back += "mov.b32 " + from + ", " + to + ";\n";
  }
  EXPECT_EQ(product.run(fence + product.instruction() + commit + there + back +
                        product.instruction() + commit +
                        "wgmma.wait_group.sync.aligned 1;\n" + there + back +
                        waitAll),
            "");
  product.check(2, true);
}

/// Descriptors belong to the program again as soon as the product has started.
TEST(WgmmaGroup, DescriptorsMayChangeWhilePending) {
  Product product(plain);
  std::string text = product.instruction();
  size_t end = text.find(", %p2"), begin = text.rfind(' ', end) + 1;
  std::string descriptor = text.substr(begin, end - begin);
  text.replace(begin, end - begin, "%rd50");
  EXPECT_EQ(product.run("mov.u64 %rd50, " + descriptor + ";\n" + fence + text +
                        commit + "mov.u64 %rd50, 0;\n" + waitAll),
            "");
  product.check(1, true);
}

/// What a program must not do, and what is said about it.
void expectFault(const std::string &products, const std::string &message) {
  Product product(plain);
  std::string result =
      product.run(substitute(products, {{"product", product.instruction()}}));
  EXPECT_NE(result.find(message), std::string::npos) << result;
}

TEST(WgmmaFault, MissingFence) {
  expectFault("@product@" + commit + waitAll,
              "wgmma.mma_async without a wgmma.fence");
}

/// Sums that were waited for, and may have been scaled, need a new one.
TEST(WgmmaFault, MissingFenceBehindAWait) {
  expectFault(fence + "@product@" + commit + waitAll +
                  "add.f32 %r0, %r0, %r0;\n@product@" + commit + waitAll,
              "wgmma.mma_async without a wgmma.fence");
}

TEST(WgmmaFault, AccumulatorReadBeforeTheWait) {
  expectFault(fence + "@product@" + commit + "add.f32 %r100, %r0, %r0;\n" +
                  waitAll,
              "uses an accumulator of a wgmma.mma_async before the "
              "wgmma.wait_group for it");
}

TEST(WgmmaFault, NeverWaitedFor) {
  Product product(plain);
  std::string result =
      product.run(fence + product.instruction() + commit + "exit;\n");
  EXPECT_NE(result.find("1 wgmma.mma_async were never waited for"),
            std::string::npos)
      << result;
}

/// Ordinary stores are not visible to wgmma without a fence between proxies.
TEST(WgmmaFault, MissingProxyFence) {
  std::string store = "mad.lo.u32 %r391, %me, 16, %r390;\n"
                      "ld.shared.v4.b32 {%r392, %r393, %r394, %r395}, "
                      "[%r391+1024];\nbar.sync 0;\n"
                      "st.shared.v4.b32 [%r391+1024], "
                      "{%r392, %r393, %r394, %r395};\n";
  std::string rest = "bar.sync 0;\n" + fence + "@product@" + commit + waitAll;
  expectFault(store + rest, "race");
  Product product(plain);
  EXPECT_EQ(
      product.run(substitute(store + "fence.proxy.async.shared::cta;\n" + rest,
                             {{"product", product.instruction()}})),
      "");
  product.check(1, true);
}

/// Operands must stay until the wait.
TEST(WgmmaFault, OperandOverwrittenBeforeTheWait) {
  expectFault(fence + "@product@" + commit +
                  "mad.lo.u32 %r391, %me, 16, %r390;\n"
                  "st.shared.b32 [%r391+1024], 0;\n" +
                  waitAll,
              "race");
}

} // namespace
