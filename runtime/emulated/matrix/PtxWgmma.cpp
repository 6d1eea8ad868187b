//===- PtxWgmma.cpp - wgmma -----------------------------------------------===//

#include "matrix/WarpgroupMma.h"
#include "ptx/PtxDecoder.h"

#include <charconv>

using namespace tessera;
using namespace tessera::emulated;

static Outcome mmaAsync(Warp &warp, const Instruction &instruction,
                        LaneMask lanes) {
  const Operand &scale = instruction[instruction.operandCount - 1];
  return warp.block().state<WarpgroupMma>().start(
      warp, instruction, (warp.predicate(scale) & lanes) != 0);
}

static Outcome fence(Warp &warp, const Instruction &, LaneMask) {
  warp.block().state<WarpgroupMma>().fence(warp);
  return Outcome::Continue;
}

static Outcome commit(Warp &warp, const Instruction &, LaneMask) {
  warp.block().state<WarpgroupMma>().commit(warp);
  return Outcome::Continue;
}

static Outcome waitGroup(Warp &warp, const Instruction &instruction, LaneMask) {
  warp.block().state<WarpgroupMma>().wait(warp, instruction.data[2]);
  return Outcome::Continue;
}

/// The n of a shape `m64n...k...` whose k fits `element`; 0 if it is none.
static unsigned parseShape(std::string_view text, MatrixElement element) {
  std::string_view suffix = element == MatrixElement::TF32 ? "k8" : "k16";
  if (!text.starts_with("m64n") || !text.ends_with(suffix))
    return 0;
  unsigned n = 0;
  const char *end = text.data() + text.size() - suffix.size();
  auto [rest, error] = std::from_chars(text.data() + 4, end, n);
  bool valid =
      error == std::errc() && rest == end && n % 8 == 0 && n >= 8 && n <= 256;
  return valid ? n : 0;
}

/// An immediate that is 1 or -1: whether it negates.
static bool decodeScale(Decoding &d) {
  int64_t scale = d.immediate();
  if (scale != 1 && scale != -1)
    d.fail("expected a scale of 1 or -1, got " + std::to_string(scale));
  return scale == -1;
}

/// An immediate 0 or 1: which index of an operand moves fastest.
static Major decodeMajor(Decoding &d) {
  int64_t transposed = d.immediate();
  if (transposed != 0 && transposed != 1)
    d.fail("expected 0 or 1, got " + std::to_string(transposed));
  return transposed ? Major::MN : Major::K;
}

/// Decodes `wgmma.mma_async` for f16, bf16 and tf32: the left matrix is in
/// registers or described as the right one is. Both can be transposed where
/// elements have 16 bits.
static void decodeMmaAsync(Decoding &d) {
  std::string_view shapeText = d.takeAny();
  WgmmaShape shape;
  Type accumulator = d.expectType(), a = d.expectType(), b = d.expectType();
  if (a != b || (a != Type::F16 && a != Type::BF16 && a != Type::TF32))
    return d.fail("this wgmma.mma_async is not emulated");
  shape.element = a == Type::F16    ? MatrixElement::F16
                  : a == Type::BF16 ? MatrixElement::BF16
                                    : MatrixElement::TF32;
  if (accumulator != Type::F32 && (accumulator != Type::F16 || a != Type::F16))
    return d.fail("expected accumulators of f32");
  shape.accumulator = accumulator == Type::F32 ? AccumulatorElement::F32
                                               : AccumulatorElement::F16;
  shape.n = parseShape(shapeText, shape.element);
  if (!shape.n)
    return d.fail("expected a shape of m64n8 to m64n256 and the k of the type");
  d.outputs(shape.registersD(), 4);
  shape.registersA = d.vectorLength() != 0;
  if (shape.registersA)
    d.inputs(4, Type::B32);
  else
    d.input(Type::B64);
  d.input(Type::B64);
  d.input(Type::Pred);
  shape.negateA = decodeScale(d);
  shape.negateB = decodeScale(d);
  if (bytesOf(shape.element) == 2) {
    if (!shape.registersA)
      shape.majorA = decodeMajor(d);
    shape.majorB = decodeMajor(d);
  }
  d.instruction.data[0] = shape.pack()[0];
  d.instruction.data[1] = shape.pack()[1];
  d.instruction.copies = true; // Of tokens.
  d.handle(mmaAsync);
}

static void decodeWgmma(Decoding &d) {
  bool isProduct = d.take("mma_async"), isFence = d.take("fence");
  bool isCommit = d.take("commit_group"), isWait = d.take("wait_group");
  d.expect("sync");
  d.expect("aligned");
  d.converge(Convergence::Warp);
  if (isProduct)
    return decodeMmaAsync(d);
  if (isWait)
    d.instruction.data[2] = static_cast<uint32_t>(d.immediate());
  if (!isFence && !isCommit && !isWait)
    return d.fail("expected a known form of wgmma");
  d.handle(isFence ? fence : isCommit ? commit : waitGroup);
}

std::span<const Opcode> emulated::warpgroupOpcodes() {
  static constexpr Opcode opcodes[] = {{"wgmma", decodeWgmma}};
  return opcodes;
}
