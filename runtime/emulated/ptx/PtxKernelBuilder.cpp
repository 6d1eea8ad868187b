//===- PtxKernelBuilder.cpp -----------------------------------------------===//

#include "ptx/PtxKernelBuilder.h"

#include <algorithm>
#include <cctype>
#include <cstring>

using namespace tessera;
using namespace tessera::emulated;

static constexpr uint32_t laneAlignment = 64;

static uint64_t alignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// Special registers and their bytes.
static constexpr std::pair<std::string_view, uint8_t> specialRegisters[] = {
    {"tid.x", 4},
    {"tid.y", 4},
    {"tid.z", 4},
    {"ntid.x", 4},
    {"ntid.y", 4},
    {"ntid.z", 4},
    {"ctaid.x", 4},
    {"ctaid.y", 4},
    {"ctaid.z", 4},
    {"nctaid.x", 4},
    {"nctaid.y", 4},
    {"nctaid.z", 4},
    {"laneid", 4},
    {"warpid", 4},
    {"nwarpid", 4},
    {"smid", 4},
    {"nsmid", 4},
    {"gridid", 8},
    {"lanemask_eq", 4},
    {"lanemask_lt", 4},
    {"lanemask_le", 4},
    {"lanemask_gt", 4},
    {"lanemask_ge", 4},
    {"dynamic_smem_size", 4},
    {"total_smem_size", 4},
    {"clusterid.x", 4},
    {"clusterid.y", 4},
    {"clusterid.z", 4},
    {"nclusterid.x", 4},
    {"nclusterid.y", 4},
    {"nclusterid.z", 4},
    {"cluster_ctaid.x", 4},
    {"cluster_ctaid.y", 4},
    {"cluster_ctaid.z", 4},
    {"cluster_nctaid.x", 4},
    {"cluster_nctaid.y", 4},
    {"cluster_nctaid.z", 4},
    {"cluster_ctarank", 4},
    {"cluster_nctarank", 4},
};

KernelBuilder::KernelBuilder(
    const SyntaxModule &module,
    const std::map<std::string_view, Symbol> &variables)
    : module(module), variables(variables) {}

void KernelBuilder::fail(uint32_t line, const std::string &message) {
  if (error.empty())
    error = "line " + std::to_string(line) + ": " + message;
}

Fallible<std::unique_ptr<Program>>
KernelBuilder::build(const SyntaxFunction &function) {
  result = std::make_unique<Program>();
  result->name = function.name;
  result->locations = module.locations;
  result->maxThreads = function.maxThreads;
  result->requiredThreads = function.requiredThreads;
  result->leastBlocks = function.leastBlocks;
  result->threadRegisters = function.threadRegisters;
  openScope();
  declareParameters(function);
  expand(function);
  closeScope();
  if (error.empty())
    finish();
  if (!error.empty())
    return Failure{error};
  return std::move(result);
}

void KernelBuilder::declareParameters(const SyntaxFunction &function) {
  uint32_t end = 0;
  for (const SyntaxVariable &parameter : function.parameters) {
    if (parameter.storage != SyntaxVariable::Storage::Param)
      return fail(parameter.line, "expected a parameter in .param space");
    uint32_t offset = alignUp(end, parameter.alignment);
    end = offset + parameter.bytes;
    result->parameters.push_back({std::string(parameter.name), offset,
                                  static_cast<uint32_t>(parameter.bytes),
                                  parameter.alignment});
    scopes.back().symbols[parameter.name] = {Symbol::Kind::Variable, 0,
                                             Space::Param, offset};
  }
  result->parameterBytes = end;
  // Of PTX before version 8.1, and of GPUs before compute capability 7.0.
  constexpr uint32_t most = 4352;
  if (end > most)
    fail(function.parameters.front().line,
         "expected parameters of at most " + std::to_string(most) +
             " bytes, got " + std::to_string(end));
}

Symbol KernelBuilder::newRegister(Type type) {
  if (type == Type::Pred) {
    if (predicateCursor % laneAlignment == 0) {
      predicateCursor = result->registerBytes;
      result->registerBytes += laneAlignment;
    }
    Symbol symbol{Symbol::Kind::Predicate, 0, Space::Generic, predicateCursor};
    predicateCursor += sizeof(LaneMask);
    return symbol;
  }
  uint8_t bytes = std::max(typeBytes(type), 2u);
  Symbol symbol{Symbol::Kind::Register, bytes, Space::Generic,
                result->registerBytes};
  result->registerBytes += bytes * warpLanes;
  return symbol;
}

void KernelBuilder::declare(const SyntaxVariable &variable) {
  using Storage = SyntaxVariable::Storage;
  Scope &scope = scopes.back();
  auto define = [&](Symbol symbol) { scope.symbols[variable.name] = symbol; };
  switch (variable.storage) {
  case Storage::Register:
    if (variable.range)
      scope.ranges[variable.name] = {variable.type, *variable.range};
    else
      define(newRegister(variable.type));
    return;
  case Storage::Local:
  case Storage::Param: {
    uint32_t offset = alignUp(result->localBytes, variable.alignment);
    result->localBytes = offset + variable.bytes;
    return define({Symbol::Kind::Variable, 0, Space::Local, offset});
  }
  case Storage::Shared: {
    uint32_t offset = alignUp(result->sharedBytes, variable.alignment);
    result->sharedBytes = offset + variable.bytes;
    result->sharedVariables.push_back({std::string(variable.name), offset,
                                       static_cast<uint32_t>(variable.bytes)});
    return define({Symbol::Kind::Variable, 0, Space::Shared, offset});
  }
  case Storage::Global:
  case Storage::Constant:
    return fail(variable.line, "expected '" + std::string(variable.name) +
                                   "' outside of functions");
  }
}

const Symbol *KernelBuilder::lookupSpecial(std::string_view name) {
  auto [entry, added] = specials.try_emplace(name);
  if (!added)
    return &entry->second;
  for (auto &[special, bytes] : specialRegisters) {
    if (special != name.substr(1))
      continue;
    entry->second = newRegister(bytes == 8 ? Type::B64 : Type::B32);
    result->specialRegisters.push_back(
        {std::string(special), static_cast<uint32_t>(entry->second.address),
         bytes});
    return &entry->second;
  }
  specials.erase(entry);
  return nullptr;
}

const Symbol *KernelBuilder::lookup(std::string_view name) {
  size_t digits = name.find_last_not_of("0123456789") + 1;
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    auto symbol = scope->symbols.find(name);
    if (symbol != scope->symbols.end())
      return &symbol->second;
    auto range = scope->ranges.find(name.substr(0, digits));
    if (digits == name.size() || range == scope->ranges.end() ||
        std::stoull("0" + std::string(name.substr(digits))) >=
            range->second.count)
      continue;
    // Registers of a range get their place when they are first used.
    return &(scope->symbols[name] = newRegister(range->second.type));
  }
  if (name.substr(0, 1) == "%")
    return lookupSpecial(name);
  auto used = moduleShared.find(name);
  if (used != moduleShared.end())
    return &used->second;
  auto variable = variables.find(name);
  if (variable != variables.end())
    return &variable->second;
  for (const SyntaxVariable &shared : module.variables) {
    if (shared.storage != SyntaxVariable::Storage::Shared ||
        shared.name != name)
      continue;
    Symbol symbol{Symbol::Kind::Variable, 0, Space::Shared, 0};
    if (shared.external && shared.bytes == 0) {
      symbol.dynamic = true;
      dynamicAlignment = std::max(dynamicAlignment, shared.alignment);
    } else {
      symbol.address = alignUp(result->sharedBytes, shared.alignment);
      result->sharedBytes = symbol.address + shared.bytes;
      result->sharedVariables.push_back({std::string(name),
                                         static_cast<uint32_t>(symbol.address),
                                         static_cast<uint32_t>(shared.bytes)});
    }
    return &(moduleShared[name] = symbol);
  }
  return nullptr;
}

uint32_t KernelBuilder::constant(uint64_t value, unsigned bytes, bool dynamic) {
  auto add = [&] {
    uint32_t offset = result->constants.size();
    result->constants.resize(offset +
                             std::max(bytes * warpLanes, laneAlignment));
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      std::memcpy(&result->constants[offset + lane * bytes], &value, bytes);
    return offset;
  };
  if (dynamic) {
    dynamicConstants.push_back({add(), bytes});
    return dynamicConstants.back().first;
  }
  auto [entry, added] = constants.try_emplace({bytes, value});
  if (added)
    entry->second = add();
  return entry->second;
}

uint32_t KernelBuilder::scratch() {
  if (!scratchRegister)
    scratchRegister = newRegister(Type::B128).address;
  return *scratchRegister;
}

void KernelBuilder::branchTo(std::string_view label, uint32_t line) {
  scopes.back().fixups.push_back(
      {label, line, false, static_cast<uint32_t>(result->instructions.size())});
}

std::optional<std::pair<uint32_t, uint32_t>>
KernelBuilder::targetList(std::string_view name, uint32_t line) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    auto list = scope->targets.find(name);
    if (list == scope->targets.end())
      continue;
    uint32_t begin = result->branchTargets.size();
    for (std::string_view label : list->second->labels) {
      scope->fixups.push_back(
          {label, line, true,
           static_cast<uint32_t>(result->branchTargets.size())});
      result->branchTargets.push_back(0);
    }
    return std::pair(begin, static_cast<uint32_t>(list->second->labels.size()));
  }
  return std::nullopt;
}

void KernelBuilder::closeScope() {
  Scope scope = std::move(scopes.back());
  scopes.pop_back();
  for (const Fixup &fixup : scope.fixups) {
    auto label = scope.labels.find(fixup.label);
    if (label == scope.labels.end()) {
      if (scopes.empty())
        return fail(fixup.line,
                    "unknown label '" + std::string(fixup.label) + "'");
      scopes.back().fixups.push_back(fixup);
    } else if (fixup.entry) {
      result->branchTargets[fixup.index] = label->second;
    } else {
      result->instructions[fixup.index].target = label->second;
    }
  }
}

void KernelBuilder::expand(const SyntaxFunction &function) {
  expanding.push_back(&function);
  openScope();
  // Lists of branch targets may stand behind their use.
  for (const SyntaxStatement &statement : function.statements)
    if (auto *targets = std::get_if<SyntaxTargets>(&statement))
      scopes.back().targets[targets->name] = targets;
  for (const SyntaxStatement &statement : function.statements) {
    if (!error.empty())
      break;
    if (auto *instruction = std::get_if<SyntaxInstruction>(&statement))
      emit(*instruction);
    else if (auto *variable = std::get_if<SyntaxVariable>(&statement))
      declare(*variable);
    else if (auto *label = std::get_if<SyntaxLabel>(&statement))
      scopes.back().labels[label->name] = result->instructions.size();
    else if (auto *scope = std::get_if<SyntaxScope>(&statement))
      scope->begin ? openScope() : closeScope();
  }
  // Where `ret` of an expanded function goes; no label can be called so.
  scopes.back().labels["<return>"] = result->instructions.size();
  closeScope();
  expanding.pop_back();
}

void KernelBuilder::emit(const SyntaxInstruction &syntax) {
  std::string_view name = syntax.opcode;
  if (name == "call")
    return emitCall(syntax);
  // The end of an expanded function is a branch behind it.
  SyntaxInstruction returning;
  const SyntaxInstruction *decoded = &syntax;
  if (name == "ret" && expanding.size() > 1) {
    returning = syntax;
    returning.opcode = name = "bra";
    returning.operands.emplace_back().text = "<return>";
    decoded = &returning;
  }
  const Opcode *opcode = findOpcode(name);
  if (!opcode)
    return fail(syntax.line, "unknown instruction '" + std::string(name) +
                                 "' in '" + std::string(syntax.text) + "'");
  Instruction instruction;
  instruction.line = syntax.line;
  instruction.location = syntax.location;
  if (!syntax.guard.empty()) {
    const Symbol *guard = lookup(syntax.guard);
    if (!guard || guard->kind != Symbol::Kind::Predicate)
      return fail(syntax.line, "expected a predicate, got '" +
                                   std::string(syntax.guard) + "'");
    instruction.guard = guard->address;
    instruction.guardNegated = syntax.guardNegated;
  }
  Decoding decoding(*this, *decoded, instruction);
  opcode->decode(decoding);
  if (std::string message = decoding.finish(); !message.empty())
    return fail(syntax.line,
                message + " in '" + std::string(syntax.text) + "'");
  auto shrink = [&](uint32_t &granule, Space space) {
    if (instruction.bytes &&
        (instruction.space == space || instruction.space == Space::Generic))
      granule = std::min<uint32_t>(granule, instruction.bytes);
  };
  shrink(result->sharedGranule, Space::Shared);
  shrink(result->globalGranule, Space::Global);
  result->instructions.push_back(instruction);
}

/// `call (result), function, (arguments)`: the callee's parameters become other
/// names of the caller's `.param` variables, then its body follows.
void KernelBuilder::emitCall(const SyntaxInstruction &syntax) {
  const SyntaxFunction *callee = nullptr;
  std::vector<SyntaxOperand> results, arguments;
  for (const SyntaxOperand &operand : syntax.operands) {
    if (operand.kind == SyntaxOperand::Kind::List)
      (callee ? arguments : results) = operand.elements;
    for (const SyntaxFunction &function : module.functions)
      if (!callee && operand.kind == SyntaxOperand::Kind::Name &&
          function.name == operand.text && !function.entry)
        callee = &function;
  }
  if (!callee)
    return fail(syntax.line, "expected a call of a function of this module, "
                             "got '" +
                                 std::string(syntax.text) + "'");
  if (!syntax.guard.empty())
    return fail(syntax.line, "expected a call without a guard");
  if (std::find(expanding.begin(), expanding.end(), callee) != expanding.end())
    return fail(syntax.line, "expected no recursion, got a call of '" +
                                 std::string(callee->name) + "'");
  std::map<std::string_view, Symbol> bound;
  auto bind = [&](const std::vector<SyntaxVariable> &formal,
                  const std::vector<SyntaxOperand> &actual) {
    if (formal.size() != actual.size())
      return fail(syntax.line, "expected " + std::to_string(formal.size()) +
                                   " parameters, got " +
                                   std::to_string(actual.size()));
    for (size_t i = 0; i < formal.size(); ++i) {
      const Symbol *symbol = lookup(actual[i].text);
      if (!symbol || symbol->kind != Symbol::Kind::Variable)
        return fail(syntax.line, "expected a parameter in .param space, got '" +
                                     std::string(actual[i].text) + "'");
      bound[formal[i].name] = *symbol;
    }
  };
  bind(callee->results, results);
  bind(callee->parameters, arguments);
  openScope();
  scopes.back().symbols = std::move(bound);
  expand(*callee);
  closeScope();
}

void KernelBuilder::finish() {
  // A kernel may end without `ret`.
  Instruction end;
  end.handler = [](Warp &, const Instruction &, LaneMask) {
    return Outcome::Exit;
  };
  result->instructions.push_back(end);
  result->dynamicSharedOffset = alignUp(result->sharedBytes, dynamicAlignment);
  for (auto [offset, bytes] : dynamicConstants)
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      uint64_t value = 0;
      std::byte *address = &result->constants[offset + lane * bytes];
      std::memcpy(&value, address, bytes);
      value += result->dynamicSharedOffset;
      std::memcpy(address, &value, bytes);
    }
  result->localBytes = alignUp(result->localBytes, 16);
}
