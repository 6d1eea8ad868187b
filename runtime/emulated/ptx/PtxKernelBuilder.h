//===- PtxKernelBuilder.h - From a syntax tree to a program ---------------===//

#ifndef TESSERA_RUNTIME_EMULATED_PTX_PTXKERNELBUILDER_H
#define TESSERA_RUNTIME_EMULATED_PTX_PTXKERNELBUILDER_H

#include "ptx/PtxProgram.h"
#include "ptx/PtxSyntax.h"

#include <map>

namespace tessera::emulated {

/// What a name stands for.
struct Symbol {
  enum class Kind { Register, Predicate, Variable };
  Kind kind;
  /// Registers: bytes of a lane's value.
  uint8_t bytes;
  /// Variables.
  Space space;
  /// Registers: offset in the warp's file. Variables: address in `space`.
  uint64_t address;
  /// Dynamic shared memory, whose address is known at the end.
  bool dynamic = false;
};

/// Builds the program of one kernel. Names are scoped by braces, labels
/// included (inline assembly repeats them); called functions are expanded in
/// place, since PTX compilers inline and recursion needs a stack.
class KernelBuilder {
public:
  /// `variables` are those of the module by name.
  KernelBuilder(const SyntaxModule &module,
                const std::map<std::string_view, Symbol> &variables);

  Fallible<std::unique_ptr<Program>> build(const SyntaxFunction &function);

  //===--- For Decoding ---------------------------------------------------===//

  /// The register or variable called `name`, special registers included; null
  /// if there is none.
  const Symbol *lookup(std::string_view name);
  /// A register of the constant file with `value` in all lanes.
  uint32_t constant(uint64_t value, unsigned bytes, bool dynamic = false);
  /// The register that `_` stands for.
  uint32_t scratch();
  void branchTo(std::string_view label, uint32_t line);
  /// Begin and number of the entries of a list of branch targets; nothing if
  /// there is no such list.
  std::optional<std::pair<uint32_t, uint32_t>> targetList(std::string_view name,
                                                          uint32_t line);
  Program &program() { return *result; }

private:
  /// A branch whose label has not been seen in an enclosing scope yet.
  struct Fixup {
    std::string_view label;
    uint32_t line;
    /// Index of an instruction, or of an entry of `Program::branchTargets`.
    bool entry;
    uint32_t index;
  };
  struct Range {
    Type type;
    uint32_t count;
  };
  struct Scope {
    std::map<std::string_view, Symbol> symbols;
    std::map<std::string_view, Range> ranges;
    std::map<std::string_view, uint32_t> labels;
    std::map<std::string_view, const SyntaxTargets *> targets;
    std::vector<Fixup> fixups;
  };

  void fail(uint32_t line, const std::string &message);
  void declareParameters(const SyntaxFunction &function);
  void declare(const SyntaxVariable &variable);
  Symbol newRegister(Type type);
  const Symbol *lookupSpecial(std::string_view name);
  void expand(const SyntaxFunction &function);
  void openScope() { scopes.emplace_back(); }
  void closeScope();
  void emit(const SyntaxInstruction &syntax);
  void emitCall(const SyntaxInstruction &syntax);
  void finish();

  const SyntaxModule &module;
  const std::map<std::string_view, Symbol> &variables;
  std::unique_ptr<Program> result;
  std::string error;
  std::vector<Scope> scopes;
  /// Functions that are being expanded, the kernel first.
  std::vector<const SyntaxFunction *> expanding;
  std::map<std::pair<unsigned, uint64_t>, uint32_t> constants;
  /// Constants that the beginning of dynamic shared memory is added to.
  std::vector<std::pair<uint32_t, unsigned>> dynamicConstants;
  std::map<std::string_view, Symbol> specials;
  /// Static shared variables of the module that the kernel uses.
  std::map<std::string_view, Symbol> moduleShared;
  uint32_t dynamicAlignment = 16;
  std::optional<uint32_t> scratchRegister;
  /// Where the next predicate goes in a line of 16.
  uint32_t predicateCursor = 0;
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_PTX_PTXKERNELBUILDER_H
