//===- PtxDecoder.cpp -----------------------------------------------------===//

#include "ptx/PtxDecoder.h"
#include "ptx/PtxKernelBuilder.h"

#include <algorithm>
#include <bit>

using namespace tessera;
using namespace tessera::emulated;

unsigned emulated::typeBytes(Type type) {
  switch (type) {
  case Type::Pred:
    return 0;
  case Type::B8:
  case Type::U8:
  case Type::S8:
    return 1;
  case Type::B16:
  case Type::U16:
  case Type::S16:
  case Type::F16:
  case Type::BF16:
  case Type::E4M3x2:
  case Type::E5M2x2:
    return 2;
  case Type::B64:
  case Type::U64:
  case Type::S64:
  case Type::F64:
  case Type::F32x2:
    return 8;
  case Type::B128:
    return 16;
  default:
    return 4;
  }
}

Decoding::Decoding(KernelBuilder &builder, const SyntaxInstruction &syntax,
                   Instruction &instruction)
    : instruction(instruction), builder(builder), syntax(syntax),
      modifiers(syntax.modifiers) {}

void Decoding::fail(const std::string &message) {
  if (error.empty())
    error = message;
}

std::string Decoding::finish() {
  if (error.empty() && !modifiers.empty())
    fail("unexpected modifier '." + std::string(modifiers.front()) + "'");
  if (error.empty() && left())
    fail("expected " + std::to_string(position) + " operands, got " +
         std::to_string(syntax.operands.size()));
  if (error.empty() && !instruction.handler)
    fail("unsupported instruction");
  auto storage = std::make_unique<Operand[]>(operands.size());
  std::copy(operands.begin(), operands.end(), storage.get());
  instruction.operands = storage.get();
  instruction.operandCount = operands.size();
  builder.program().operands.push_back(std::move(storage));
  return error;
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

bool Decoding::take(std::string_view modifier) {
  auto found = std::find(modifiers.begin(), modifiers.end(), modifier);
  if (found == modifiers.end())
    return false;
  modifiers.erase(found);
  return true;
}

void Decoding::expect(std::string_view modifier) {
  if (!take(modifier))
    fail("expected '." + std::string(modifier) + "'");
}

int Decoding::takeOneOf(std::initializer_list<std::string_view> choices) {
  int index = 0;
  for (std::string_view choice : choices) {
    if (take(choice))
      return index;
    ++index;
  }
  return -1;
}

std::optional<Type> Decoding::takeType() {
  for (auto at = modifiers.begin(); at != modifiers.end(); ++at)
    if (std::optional<Type> type = typeNamed(*at)) {
      modifiers.erase(at);
      return type;
    }
  return std::nullopt;
}

Type Decoding::expectType() {
  std::optional<Type> type = takeType();
  if (!type)
    fail("expected a type");
  return type.value_or(Type::B32);
}

std::string_view Decoding::takeAny() {
  if (modifiers.empty())
    return {};
  std::string_view first = modifiers.front();
  modifiers.erase(modifiers.begin());
  return first;
}

Space Decoding::takeSpace() {
  if (take("global") || take("const"))
    return Space::Global;
  if (take("shared") || take("shared::cta"))
    return Space::Shared;
  if (take("local"))
    return Space::Local;
  if (take("param") || take("param::entry") || take("param::func"))
    return Space::Param;
  return Space::Generic;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

unsigned Decoding::left() const { return syntax.operands.size() - position; }

unsigned Decoding::vectorLength() const {
  if (!left() || syntax.operands[position].kind != SyntaxOperand::Kind::Vector)
    return 0;
  return syntax.operands[position].elements.size();
}

bool Decoding::atImmediate() const {
  return left() &&
         (syntax.operands[position].kind == SyntaxOperand::Kind::Integer ||
          syntax.operands[position].kind == SyntaxOperand::Kind::Float);
}

bool Decoding::atPredicate() const {
  const Symbol *symbol = left() ? builder.lookup(nextText()) : nullptr;
  return symbol && symbol->kind == Symbol::Kind::Predicate;
}

std::string_view Decoding::nextText() const {
  return left() ? syntax.operands[position].text : std::string_view();
}

std::string_view Decoding::nextSourceText() const {
  return left() > 1 ? syntax.operands[position + 1].text : std::string_view();
}

bool Decoding::paired() const {
  return left() && syntax.operands[position].paired;
}

const SyntaxOperand *Decoding::next(const char *what) {
  if (!left()) {
    fail(std::string("expected ") + what);
    return nullptr;
  }
  return &syntax.operands[position++];
}

void Decoding::append(Operand operand) { operands.push_back(operand); }

static std::string describe(const Symbol *symbol, std::string_view name) {
  std::string text = "got '" + std::string(name) + "'";
  if (!symbol)
    return text + ", which is not declared";
  if (symbol->kind == Symbol::Kind::Register)
    return text + " of " + std::to_string(symbol->bytes) + " bytes";
  return text;
}

void Decoding::outputOf(const SyntaxOperand &operand, unsigned bytes,
                        bool widen) {
  Operand result;
  result.kind = bytes ? Operand::Kind::Lanes : Operand::Kind::Predicate;
  result.bytes = bytes ? std::max(bytes, 2u) : 0;
  if (operand.text == "_") {
    result.offset = builder.scratch();
    return append(result);
  }
  const Symbol *symbol = operand.kind == SyntaxOperand::Kind::Name
                             ? builder.lookup(operand.text)
                             : nullptr;
  if (!bytes) {
    if (!symbol || symbol->kind != Symbol::Kind::Predicate)
      return fail("expected a predicate, " + describe(symbol, operand.text));
  } else if (!symbol || symbol->kind != Symbol::Kind::Register ||
             (widen ? symbol->bytes < bytes : symbol->bytes != bytes)) {
    return fail("expected a register of " + std::to_string(bytes) + " bytes, " +
                describe(symbol, operand.text));
  } else {
    result.bytes = symbol->bytes;
  }
  result.offset = symbol->address;
  append(result);
}

/// The bits of an immediate as a value of `type`.
static std::optional<uint64_t> convertImmediate(const SyntaxOperand &operand,
                                                Type type) {
  unsigned bytes = typeBytes(type);
  if (operand.kind == SyntaxOperand::Kind::Integer) {
    if (type == Type::F32 || type == Type::F64)
      return std::nullopt;
    return bytes >= 8 ? operand.bits
                      : operand.bits & ((uint64_t(1) << (8 * bytes)) - 1);
  }
  if (operand.kind != SyntaxOperand::Kind::Float)
    return std::nullopt;
  if (bytes == operand.floatBytes)
    return operand.bits;
  if (bytes == 8)
    return std::bit_cast<uint64_t>(static_cast<double>(
        std::bit_cast<float>(static_cast<uint32_t>(operand.bits))));
  if (bytes == 4)
    return std::bit_cast<uint32_t>(
        static_cast<float>(std::bit_cast<double>(operand.bits)));
  return std::nullopt;
}

/// Appends `operand` as an input of `type`: a register of its width, or with
/// `narrow` a wider one, a constant, or the address of a variable. Fails where
/// the name is unknown or the register has another width.
void Decoding::inputOf(const SyntaxOperand &operand, Type type, bool narrow) {
  unsigned bytes = typeBytes(type);
  Operand result;
  result.kind = bytes ? Operand::Kind::Lanes : Operand::Kind::Predicate;
  result.bytes = bytes;
  result.negated = operand.negated;
  if (operand.negated && bytes)
    return fail("expected '!' before a predicate only");
  if (operand.kind == SyntaxOperand::Kind::Integer && !bytes) {
    result.file = 1;
    result.offset = builder.constant(operand.bits ? allLanes : 0, 4);
    return append(result);
  }
  if (operand.kind != SyntaxOperand::Kind::Name) {
    std::optional<uint64_t> value = convertImmediate(operand, type);
    if (!value)
      return fail("expected a value of type " + std::string(typeName(type)) +
                  ", got '" + std::string(operand.text) + "'");
    result.bytes = std::max(bytes, 2u);
    result.file = 1;
    result.offset = builder.constant(*value, result.bytes);
    return append(result);
  }
  const Symbol *symbol = builder.lookup(operand.text);
  if (symbol && symbol->kind == Symbol::Kind::Variable && bytes >= 4) {
    result.file = 1;
    result.offset = builder.constant(symbol->address + operand.displacement,
                                     bytes, symbol->dynamic);
    return append(result);
  }
  if (!symbol || symbol->kind == Symbol::Kind::Variable ||
      (symbol->kind == Symbol::Kind::Predicate) != (bytes == 0) ||
      (bytes && (narrow ? symbol->bytes < bytes : symbol->bytes != bytes)))
    return fail(
        (bytes ? "expected a register of " + std::to_string(bytes) + " bytes, "
               : std::string("expected a predicate, ")) +
        describe(symbol, operand.text));
  result.bytes = symbol->bytes;
  result.offset = symbol->address;
  append(result);
}

void Decoding::output(unsigned bytes, bool widen) {
  if (const SyntaxOperand *operand = next("a destination"))
    outputOf(*operand, bytes, widen);
}

void Decoding::input(Type type, bool narrow) {
  if (const SyntaxOperand *operand = next("a source"))
    inputOf(*operand, type, narrow);
}

void Decoding::outputs(unsigned count, unsigned bytes, bool widen) {
  if (count == 1 && !vectorLength())
    return output(bytes, widen);
  if (vectorLength() != count)
    return fail("expected a vector of " + std::to_string(count) +
                " destinations, got '" + std::string(nextText()) + "'");
  for (const SyntaxOperand &element : next("a vector")->elements)
    outputOf(element, bytes, widen);
}

void Decoding::inputs(unsigned count, Type type, bool narrow) {
  if (count == 1 && !vectorLength())
    return input(type, narrow);
  if (vectorLength() != count)
    return fail("expected a vector of " + std::to_string(count) +
                " sources, got '" + std::string(nextText()) + "'");
  for (const SyntaxOperand &element : next("a vector")->elements)
    inputOf(element, type, narrow);
}

void Decoding::address(Space space) {
  const SyntaxOperand *operand = next("an address");
  if (!operand)
    return;
  if (operand->kind != SyntaxOperand::Kind::Address)
    return fail("expected an address, got '" + std::string(operand->text) +
                "'");
  const SyntaxOperand &base = operand->elements[0];
  Operand result;
  result.kind = Operand::Kind::Address;
  result.bytes = 8;
  result.displacement = operand->displacement;
  instruction.space = space;
  if (base.kind == SyntaxOperand::Kind::Integer) {
    result.file = 1;
    result.offset = builder.constant(base.bits, 8);
    return append(result);
  }
  const Symbol *symbol = builder.lookup(base.text);
  if (symbol && symbol->kind == Symbol::Kind::Variable) {
    // A generic access by name, and `.param` space, are where the variable is.
    if (space == Space::Generic || space == Space::Param)
      instruction.space = symbol->space;
    else if (symbol->space != space)
      return fail("expected an address in the instruction's state space, " +
                  describe(symbol, base.text));
    result.file = 1;
    result.offset = builder.constant(symbol->address, 8, symbol->dynamic);
    return append(result);
  }
  if (!symbol || symbol->kind != Symbol::Kind::Register || symbol->bytes < 4)
    return fail("expected an address, " + describe(symbol, base.text));
  result.bytes = symbol->bytes;
  result.offset = symbol->address;
  append(result);
}

int64_t Decoding::immediate() {
  const SyntaxOperand *operand = next("an integer");
  if (!operand || operand->kind != SyntaxOperand::Kind::Integer) {
    fail("expected an integer");
    return 0;
  }
  return operand->bits;
}

void Decoding::label() {
  if (const SyntaxOperand *operand = next("a label"))
    builder.branchTo(operand->text, syntax.line);
}

void Decoding::targets() {
  const SyntaxOperand *operand = next("a list of branch targets");
  if (!operand)
    return;
  auto list = builder.targetList(operand->text, syntax.line);
  if (!list)
    return fail("expected a list of branch targets, got '" +
                std::string(operand->text) + "'");
  instruction.data[0] = list->first;
  instruction.data[1] = list->second;
}

void Decoding::destinationAndSources(Type type, unsigned sources) {
  output(typeBytes(type));
  for (unsigned i = 0; i < sources; ++i)
    input(type);
}

void Decoding::converge(Convergence convergence, unsigned membersOperand) {
  instruction.convergence = convergence;
  instruction.members = membersOperand;
}

const Opcode *emulated::findOpcode(std::string_view name) {
  using Family = std::span<const Opcode> (*)();
  static constexpr Family families[] = {
      integerOpcodes,  bitOpcodes,     floatOpcodes,     moveOpcodes,
      convertOpcodes,  compareOpcodes, memoryOpcodes,    atomicOpcodes,
      warpOpcodes,     controlOpcodes, matrixOpcodes,    copyOpcodes,
      mbarrierOpcodes, fenceOpcodes,   warpgroupOpcodes, registerOpcodes};
  for (Family family : families)
    for (const Opcode &opcode : family())
      if (opcode.name == name)
        return &opcode;
  return nullptr;
}
