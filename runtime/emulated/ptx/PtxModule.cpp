//===- PtxModule.cpp ------------------------------------------------------===//

#include "ptx/PtxModule.h"
#include "ptx/PtxKernelBuilder.h"

#include <cstring>

using namespace tessera;
using namespace tessera::emulated;

Kernel::Kernel(std::unique_ptr<Program> program)
    : decoded(std::move(program)) {}
Kernel::~Kernel() = default;

const std::string &Kernel::name() const { return decoded->name; }
const std::vector<KernelParameter> &Kernel::parameters() const {
  return decoded->parameters;
}
uint32_t Kernel::parameterBytes() const { return decoded->parameterBytes; }
uint32_t Kernel::staticSharedBytes() const { return decoded->sharedBytes; }
uint32_t Kernel::dynamicSharedOffset() const {
  return decoded->dynamicSharedOffset;
}
std::array<uint32_t, 3> Kernel::maxThreads() const {
  return decoded->requiredThreads[0] ? decoded->requiredThreads
                                     : decoded->maxThreads;
}

/// The memory of the variables of a module.
struct Module::Variables {
  struct Variable {
    std::string name;
    uint64_t bytes;
    /// 256-byte aligned, as the driver's are.
    std::unique_ptr<std::byte[]> storage;
    std::byte *begin;
  };
  std::vector<Variable> list;
};

Module::Module() : variables(std::make_unique<Variables>()) {}
Module::~Module() = default;

const Kernel *Module::kernel(std::string_view name) const {
  for (const std::unique_ptr<Kernel> &entry : entries)
    if (entry->name() == name)
      return entry.get();
  return nullptr;
}

std::span<std::byte> Module::variable(std::string_view name) const {
  for (const Variables::Variable &variable : variables->list)
    if (variable.name == name)
      return {variable.begin, static_cast<size_t>(variable.bytes)};
  return {};
}

namespace tessera::emulated {

/// Makes a module of a syntax tree: memory for its variables, programs for its
/// kernels.
class ModuleParser {
public:
  static Fallible<std::unique_ptr<Module>> parse(std::string_view text) {
    Fallible<SyntaxModule> syntax = parseSyntax(text);
    if (!syntax)
      return syntax.failure();
    std::unique_ptr<Module> module(new Module());
    module->architecture = syntax->target;
    std::map<std::string_view, Symbol> symbols;
    for (const SyntaxVariable &variable : syntax->variables)
      if (Fallible<void> added = addVariable(*module, variable, symbols);
          !added)
        return added.failure();
    for (const SyntaxFunction &function : syntax->functions) {
      if (!function.entry)
        continue;
      KernelBuilder builder(*syntax, symbols);
      auto program = builder.build(function);
      if (!program)
        return program.failure();
      for (const Module::Variables::Variable &variable :
           module->variables->list)
        (*program)->globalVariables.push_back(
            {variable.name, reinterpret_cast<uint64_t>(variable.begin),
             variable.bytes});
      module->entries.push_back(std::make_unique<Kernel>(std::move(*program)));
    }
    return std::move(module);
  }

private:
  static Fallible<void>
  addVariable(Module &module, const SyntaxVariable &variable,
              std::map<std::string_view, Symbol> &symbols) {
    using Storage = SyntaxVariable::Storage;
    if (variable.storage == Storage::Shared)
      return {};
    std::string where = "line " + std::to_string(variable.line) + ": ";
    if (variable.storage != Storage::Global &&
        variable.storage != Storage::Constant)
      return Failure{where + "expected a .global, .const or .shared variable"};
    if (variable.external)
      return Failure{where + "expected a definition of '" +
                     std::string(variable.name) +
                     "', got a declaration: modules are not linked"};
    uint64_t bytes = variable.bytes ? variable.bytes : variable.initial.size();
    if (variable.initial.size() > bytes)
      return Failure{where + "expected at most " + std::to_string(bytes) +
                     " bytes of initial values, got " +
                     std::to_string(variable.initial.size())};
    constexpr uint64_t alignment = 256;
    auto storage = std::make_unique<std::byte[]>(bytes + alignment);
    uint64_t address = reinterpret_cast<uint64_t>(storage.get());
    std::byte *begin = storage.get() + (-address & (alignment - 1));
    if (!variable.initial.empty())
      std::memcpy(begin, variable.initial.data(), variable.initial.size());
    symbols[variable.name] = {Symbol::Kind::Variable, 0, Space::Global,
                              reinterpret_cast<uint64_t>(begin)};
    module.variables->list.push_back(
        {std::string(variable.name), bytes, std::move(storage), begin});
    return {};
  }
};

} // namespace tessera::emulated

Fallible<std::unique_ptr<Module>> Module::parse(std::string_view text) {
  return ModuleParser::parse(text);
}
