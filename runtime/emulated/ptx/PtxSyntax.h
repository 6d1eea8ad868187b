//===- PtxSyntax.h - PTX text as a tree -----------------------------------===//
//
// The grammar of PTX without the meaning of its instructions: directives,
// declarations, labels and instructions, whose opcodes and operand types
// PtxDecoder.h knows. Views point into the text.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_PTX_PTXSYNTAX_H
#define TESSERA_RUNTIME_EMULATED_PTX_PTXSYNTAX_H

#include "ptx/PtxDecoder.h"
#include "tessera/Support/Fallible.h"

#include <variant>

namespace tessera::emulated {

/// An operand as written.
struct SyntaxOperand {
  enum class Kind { Name, Integer, Float, Address, Vector, List };
  Kind kind = Kind::Name;
  std::string_view text;
  /// Integers as two's complement; floats as the bits of a float or a double.
  uint64_t bits = 0;
  /// Of floats: 4 or 8.
  unsigned floatBytes = 0;
  /// `name + displacement` and `[name + displacement]`.
  int64_t displacement = 0;
  bool negated = false;
  /// `a|b`: this is `a`, the next operand is `b`.
  bool paired = false;
  /// The base of an address; the elements of a vector or a list.
  std::vector<SyntaxOperand> elements;
};

struct SyntaxInstruction {
  uint32_t line = 0, location = 0;
  std::string_view guard;
  bool guardNegated = false;
  std::string_view opcode;
  std::vector<std::string_view> modifiers;
  std::vector<SyntaxOperand> operands;
  /// Whole, for messages.
  std::string_view text;
};

/// A declaration of registers or of a variable.
struct SyntaxVariable {
  enum class Storage { Register, Local, Shared, Global, Constant, Param };
  Storage storage = Storage::Register;
  Type type = Type::B32;
  std::string_view name;
  uint32_t line = 0;
  /// In bytes; at least that of the type.
  uint32_t alignment = 0;
  /// Of a register range `%r<n>`: n registers `name0` to `name(n-1)`.
  std::optional<uint32_t> range;
  /// Bytes of a variable; 0 for `.extern ... name[]`.
  uint64_t bytes = 0;
  bool external = false;
  /// What it begins with; shorter than `bytes`: zeros follow.
  std::vector<std::byte> initial;
};

struct SyntaxLabel {
  std::string_view name;
  uint32_t line;
};

/// `{` or `}`.
struct SyntaxScope {
  bool begin;
};

/// `name: .branchtargets a, b;`
struct SyntaxTargets {
  std::string_view name;
  std::vector<std::string_view> labels;
};

using SyntaxStatement = std::variant<SyntaxInstruction, SyntaxVariable,
                                     SyntaxLabel, SyntaxScope, SyntaxTargets>;

/// An `.entry` or a `.func`.
struct SyntaxFunction {
  std::string_view name;
  uint32_t line = 0;
  bool entry = false;
  std::vector<SyntaxVariable> results, parameters;
  std::array<uint32_t, 3> maxThreads = {}, requiredThreads = {};
  uint32_t leastBlocks = 0, threadRegisters = 0;
  std::vector<SyntaxStatement> statements;
};

struct SyntaxModule {
  std::string_view target;
  std::vector<SyntaxVariable> variables;
  std::vector<SyntaxFunction> functions;
  /// What `SyntaxInstruction::location` names: `file:line`.
  std::vector<std::string> locations;
};

/// Parses PTX text, which must outlive the result.
Fallible<SyntaxModule> parseSyntax(std::string_view text);

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_PTX_PTXSYNTAX_H
