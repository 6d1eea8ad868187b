//===- PtxMatrix.cpp - mma, ldmatrix, stmatrix, movmatrix -----------------===//

#include "execution/PtxWarp.h"
#include "matrix/MatrixFragments.h"
#include "ptx/PtxDecoder.h"

#include <cstring>
#include <optional>

using namespace tessera;
using namespace tessera::emulated;

/// The register of a 32-bit operand, all lanes.
static LaneWords &wordsOf(Warp &warp, const Operand &operand) {
  return *reinterpret_cast<LaneWords *>(warp.lanes<uint32_t>(operand));
}

/// Copies of `count` registers from operand `first` on.
static std::vector<LaneWords> readWords(Warp &warp,
                                        const Instruction &instruction,
                                        unsigned first, unsigned count) {
  std::vector<LaneWords> words(count);
  for (unsigned i = 0; i < count; ++i)
    words[i] = wordsOf(warp, instruction[first + i]);
  return words;
}

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

namespace {
/// What the decoder of mma keeps in `Instruction::data`: the numbers of
/// registers of A, B and the accumulators, and the types.
enum MmaData { RegistersA, RegistersB, RegistersC, Types };

/// The types of an mma in one word: element, then accumulators of D and C.
uint32_t packTypes(MatrixElement element, AccumulatorElement d,
                   AccumulatorElement c) {
  return static_cast<uint32_t>(element) | static_cast<uint32_t>(d) << 8 |
         static_cast<uint32_t>(c) << 16;
}
} // namespace

static Outcome mma(Warp &warp, const Instruction &instruction, LaneMask) {
  uint32_t types = instruction.data[Types];
  auto element = static_cast<MatrixElement>(types & 255);
  auto typeD = static_cast<AccumulatorElement>(types >> 8 & 255);
  auto typeC = static_cast<AccumulatorElement>(types >> 16);
  unsigned countA = instruction.data[RegistersA];
  unsigned countB = instruction.data[RegistersB];
  unsigned countC = instruction.data[RegistersC];
  unsigned countD = typeD == AccumulatorElement::F16 ? 2 : 4, at = countD;
  Matrix a = unpackA(readWords(warp, instruction, at, countA), element);
  Matrix b =
      unpackB(readWords(warp, instruction, at += countA, countB), element);
  Matrix sums = unpackAccumulators(
      readWords(warp, instruction, at + countB, countC), 8, typeC);
  multiplyAdd(a, b, sums);
  std::vector<LaneWords> d = packAccumulators(sums, typeD);
  for (unsigned i = 0; i < countD; ++i)
    wordsOf(warp, instruction[i]) = d[i];
  return Outcome::Continue;
}

static Outcome mmaF64(Warp &warp, const Instruction &instruction, LaneMask) {
  auto read = [&](unsigned i) {
    LaneDoubles values;
    std::memcpy(values.data(), warp.lanes<double>(instruction[i]),
                sizeof(values));
    return values;
  };
  std::array<LaneDoubles, 2> d =
      multiplyAddF64(read(2), read(3), {read(4), read(5)});
  for (unsigned i = 0; i < 2; ++i)
    std::memcpy(warp.lanes<double>(instruction[i]), d[i].data(), sizeof(d[i]));
  return Outcome::Continue;
}

static void decodeMmaF64(Decoding &d) {
  for (int i = 0; i < 4; ++i)
    d.expect("f64");
  d.outputs(2, 8);
  d.inputs(1, Type::F64);
  d.inputs(1, Type::F64);
  d.inputs(2, Type::F64);
  d.handle(mmaF64);
}

static std::optional<AccumulatorElement> accumulatorOf(Type type) {
  if (type == Type::F16)
    return AccumulatorElement::F16;
  if (type == Type::F32)
    return AccumulatorElement::F32;
  return std::nullopt;
}

static std::optional<MatrixElement> elementOf(Type type) {
  switch (type) {
  case Type::F16:
    return MatrixElement::F16;
  case Type::BF16:
    return MatrixElement::BF16;
  case Type::TF32:
    return MatrixElement::TF32;
  default:
    return std::nullopt;
  }
}

/// Decodes `mma.sync`; how many registers a lane holds of each operand follows
/// from the shape, which must exist for the types.
static void decodeMma(Decoding &d) {
  d.expect("sync");
  d.expect("aligned");
  d.converge(Convergence::Warp);
  int shape = d.takeOneOf({"m16n8k4", "m16n8k8", "m16n8k16", "m8n8k4"});
  d.expect("row");
  d.expect("col");
  if (shape == 3)
    return decodeMmaF64(d);
  std::optional<AccumulatorElement> typeD = accumulatorOf(d.expectType());
  std::optional<MatrixElement> a = elementOf(d.expectType());
  std::optional<MatrixElement> b = elementOf(d.expectType());
  std::optional<AccumulatorElement> typeC = accumulatorOf(d.expectType());
  if (shape < 0 || !typeD || !typeC || !a || a != b)
    return d.fail("this shape and types of mma are not emulated");
  // A lane has 16 * k / 32 elements of A and half as many of B.
  unsigned k = 4u << shape;
  unsigned perWord = 4 / bytesOf(*a);
  unsigned countA = k / 2 / perWord, countB = k / 4 / perWord;
  bool isTf32 = a == MatrixElement::TF32;
  bool hasHalf =
      typeD == AccumulatorElement::F16 || typeC == AccumulatorElement::F16;
  if (isTf32 ? k > 8 : k < 8)
    return d.fail("expected another shape for the types of this mma");
  if (hasHalf && a != MatrixElement::F16)
    return d.fail("expected f32 accumulators");
  unsigned countC = typeC == AccumulatorElement::F16 ? 2 : 4;
  d.instruction.data = {countA, countB, countC, packTypes(*a, *typeD, *typeC)};
  d.outputs(typeD == AccumulatorElement::F16 ? 2 : 4, 4);
  d.inputs(countA, Type::B32);
  d.inputs(countB, Type::B32);
  d.inputs(countC, Type::B32);
  d.handle(mma);
}

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix, movmatrix
//===----------------------------------------------------------------------===//

/// The rows of an instruction's matrices: row r of matrix i is where lane
/// 8 * i + r says. False after a fault.
static bool locateRows(Warp &warp, const Instruction &instruction,
                       const Operand &address, Access access,
                       std::byte *(&rows)[warpLanes]) {
  LaneMask lanes = allLanes >> (warpLanes - 8 * instruction.elements);
  return warp.locate(instruction, address, lanes, 16, access, rows);
}

static Outcome ldmatrix(Warp &warp, const Instruction &instruction, LaneMask) {
  unsigned count = instruction.elements;
  std::byte *rows[warpLanes];
  if (!locateRows(warp, instruction, instruction[count], Access::Read, rows))
    return Outcome::Fault;
  for (unsigned i = 0; i < count; ++i) {
    Matrix8x8 matrix;
    for (unsigned row = 0; row < 8; ++row)
      std::memcpy(matrix[row].data(), rows[8 * i + row], 16);
    wordsOf(warp, instruction[i]) =
        packMatrix8x8(matrix, /*transpose=*/instruction.data[0]);
  }
  return Outcome::Continue;
}

static Outcome stmatrix(Warp &warp, const Instruction &instruction, LaneMask) {
  std::byte *rows[warpLanes];
  if (!locateRows(warp, instruction, instruction[0], Access::Write, rows))
    return Outcome::Fault;
  for (unsigned i = 0; i < instruction.elements; ++i) {
    Matrix8x8 matrix = unpackMatrix8x8(wordsOf(warp, instruction[1 + i]),
                                       /*transpose=*/instruction.data[0]);
    for (unsigned row = 0; row < 8; ++row)
      std::memcpy(rows[8 * i + row], matrix[row].data(), 16);
  }
  return Outcome::Continue;
}

static Outcome movmatrix(Warp &warp, const Instruction &instruction, LaneMask) {
  wordsOf(warp, instruction[0]) = packMatrix8x8(
      unpackMatrix8x8(wordsOf(warp, instruction[1]), false), true);
  return Outcome::Continue;
}

/// The modifiers that ldmatrix and stmatrix share.
static unsigned decodeMatrices(Decoding &d) {
  d.expect("sync");
  d.expect("aligned");
  d.expect("m8n8");
  d.converge(Convergence::Warp);
  int choice = d.takeOneOf({"x1", "x2", "x4"});
  if (choice < 0)
    d.fail("expected x1, x2 or x4 matrices");
  unsigned count = choice < 0 ? 1 : 1u << choice;
  d.instruction.elements = count;
  d.instruction.data[0] = d.take("trans");
  d.instruction.space = d.takeSpace();
  d.expect("b16");
  return count;
}

static void decodeLdmatrix(Decoding &d) {
  unsigned count = decodeMatrices(d);
  d.outputs(count, 4);
  d.address(d.instruction.space);
  d.handle(ldmatrix);
}

static void decodeStmatrix(Decoding &d) {
  unsigned count = decodeMatrices(d);
  d.address(d.instruction.space);
  d.inputs(count, Type::B32);
  d.handle(stmatrix);
}

static void decodeMovmatrix(Decoding &d) {
  d.expect("sync");
  d.expect("aligned");
  d.expect("m8n8");
  d.expect("trans");
  d.expect("b16");
  d.converge(Convergence::Warp);
  d.output(4);
  d.input(Type::B32);
  d.handle(movmatrix);
}

std::span<const Opcode> emulated::matrixOpcodes() {
  static constexpr Opcode opcodes[] = {
      {"mma", decodeMma},
      {"ldmatrix", decodeLdmatrix},
      {"stmatrix", decodeStmatrix},
      {"movmatrix", decodeMovmatrix},
  };
  return opcodes;
}
