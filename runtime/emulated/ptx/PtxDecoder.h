//===- PtxDecoder.h - From PTX syntax to decoded instructions -------------===//
//
// The extension point of the interpreter. A family of opcodes is a list of
// `Opcode`s: the word before the first dot, and a function that decodes every
// instruction that begins with it:
//
//   void decodeLdmatrix(Decoding &d) {
//     d.expect("sync"); d.expect("aligned"); d.expect("m8n8");
//     unsigned count = d.take("x4") ? 4 : d.take("x2") ? 2 : (d.expect("x1"),
//     1);
//     ...
//     d.outputs(count, 4);      // operands[0 .. count)
//     d.address(Space::Shared); // operands[count]
//     d.converge(Convergence::Warp);
//     d.handle(ldmatrix);
//   }
//
// Modifiers and operands that no call consumed are errors, so that nothing is
// ever ignored.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_PTX_PTXDECODER_H
#define TESSERA_RUNTIME_EMULATED_PTX_PTXDECODER_H

#include "ptx/PtxInstruction.h"

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

namespace tessera::emulated {

struct SyntaxOperand;
struct SyntaxInstruction;
class KernelBuilder;

/// The fundamental types of PTX instructions.
enum class Type : uint8_t {
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  U16x2,
  S16x2,
  F16,
  F16x2,
  BF16,
  BF16x2,
  TF32,
  F32,
  F64,
  E4M3x2,
  E5M2x2,
  F32x2,
};
/// Bytes of a value of `type`; 0 for predicates.
unsigned typeBytes(Type type);
/// The type called `name` (`f32`), and the reverse.
std::optional<Type> typeNamed(std::string_view name);
std::string_view typeName(Type type);

/// One instruction while it is decoded. The first error sticks, is reported
/// with line and text, and makes the rest of the calls harmless.
class Decoding {
public:
  Decoding(KernelBuilder &builder, const SyntaxInstruction &syntax,
           Instruction &instruction);

  //===--- Modifiers (without their dots), in any order -------------------===//

  /// Consumes the modifier if it is there.
  bool take(std::string_view modifier);
  /// Consumes the modifier, which must be there.
  void expect(std::string_view modifier);
  /// Consumes one of `choices` if one is there; its index, or -1.
  int takeOneOf(std::initializer_list<std::string_view> choices);
  /// Consumes the first modifier left that is a type, if there is one.
  std::optional<Type> takeType();
  /// The same where there must be one.
  Type expectType();
  /// Consumes the first modifier left, whatever it is; empty if none is left.
  std::string_view takeAny();
  /// Consumes a state space (`global`, `shared`, `shared::cta`, ...), `Generic`
  /// if none is there.
  Space takeSpace();

  //===--- Operands, in the order of the text -----------------------------===//

  /// How many operands are left.
  unsigned left() const;
  /// Whether the next operand is a vector `{...}`; its length, or 0.
  unsigned vectorLength() const;
  /// Whether the next operand is an immediate.
  bool atImmediate() const;
  /// Whether the next operand is a predicate register.
  bool atPredicate() const;
  /// A destination of `bytes` bytes (0: a predicate) becomes the next of
  /// `Instruction::operands`. The register must have just that size; with
  /// `widen` it may be larger (the handler extends). `_` is a scratch register.
  void output(unsigned bytes, bool widen = false);
  /// A source of `bytes` bytes; immediates are converted to `type`. With
  /// `narrow` the register may be larger (the handler uses its low part).
  void input(Type type, bool narrow = false);
  /// A destination and `sources` sources of `type`.
  void destinationAndSources(Type type, unsigned sources);
  /// A vector of `count` destinations or sources of `bytes` bytes each (raw
  /// bits); for 1 the braces are optional. Flattened in `operands`.
  void outputs(unsigned count, unsigned bytes, bool widen = false);
  void inputs(unsigned count, Type type, bool narrow = false);
  /// An address `[register + immediate]` or `[variable + immediate]` in `space`
  /// (`Param` of a kernel resolves to it). A bracket with a vector behind the
  /// address, `[tensor, {x, y}]`, counts as two operands: address and vector.
  void address(Space space);
  /// An integer immediate, known at decoding time.
  int64_t immediate();
  /// The next operand as written, to peek at; empty if none is left.
  std::string_view nextText() const;
  /// The same for the operand behind the next one.
  std::string_view nextSourceText() const;
  /// Consumes an operand that the handler needs not.
  void skip() { next("an operand"); }
  /// Whether the next operand and the one behind it stand as `a|b`.
  bool paired() const;
  /// Consumes a label: `Instruction::target` will be where it stands.
  void label();
  /// Consumes the name of a list of branch targets: `data[0]` will be its first
  /// entry in `Program::branchTargets`, `data[1]` their number.
  void targets();

  /// The operand number `i` of those taken so far.
  const Operand &taken(unsigned i) const { return operands[i]; }

  //===--- The result -----------------------------------------------------===//

  /// Sets the function that executes the instruction.
  void handle(Handler handler) { instruction.handler = handler; }
  void converge(Convergence convergence, unsigned membersOperand = 0);
  /// Reports what is wrong, as `expected a register of 4 bytes, got %rd1`.
  void fail(const std::string &message);
  bool failed() const { return !error.empty(); }
  /// Completes the instruction; what was wrong or left over, or nothing.
  std::string finish();

  Instruction &instruction;

private:
  const SyntaxOperand *next(const char *what);
  void append(Operand operand);
  void outputOf(const SyntaxOperand &operand, unsigned bytes, bool widen);
  void inputOf(const SyntaxOperand &operand, Type type, bool narrow);

  KernelBuilder &builder;
  const SyntaxInstruction &syntax;
  std::vector<std::string_view> modifiers;
  unsigned position = 0;
  std::vector<Operand> operands;
  std::string error;
};

/// How instructions that begin with a word are decoded.
struct Opcode {
  std::string_view name;
  void (*decode)(Decoding &decoding);
};

/// The families. A new one is a function here and a line in `findOpcode`.
std::span<const Opcode> integerOpcodes();
std::span<const Opcode> bitOpcodes();
std::span<const Opcode> floatOpcodes();
std::span<const Opcode> moveOpcodes();
std::span<const Opcode> convertOpcodes();
std::span<const Opcode> compareOpcodes();
std::span<const Opcode> memoryOpcodes();
std::span<const Opcode> atomicOpcodes();
std::span<const Opcode> warpOpcodes();
std::span<const Opcode> controlOpcodes();
std::span<const Opcode> matrixOpcodes();
std::span<const Opcode> copyOpcodes();
std::span<const Opcode> mbarrierOpcodes();
std::span<const Opcode> fenceOpcodes();
std::span<const Opcode> registerOpcodes();
std::span<const Opcode> warpgroupOpcodes();

/// The decoder of instructions that begin with `name`; null if it is unknown.
const Opcode *findOpcode(std::string_view name);

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_PTX_PTXDECODER_H
