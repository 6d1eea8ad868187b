//===- Operations.cpp - the operations of a bytecode file -----------------===//

#include "Bytecode/Operations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// Of regions in one another: those of programs are a few.
static constexpr unsigned kDeepestRegion = 200;

namespace {

/// What an operation is encoded with.
enum OperationMask : uint8_t {
  kHasAttributes = 1,
  kHasResults = 2,
  kHasOperands = 4,
  kHasSuccessors = 8,
  kHasRegions = 16,
  kHasUseListOrders = 32,
  kHasProperties = 64,
};

/// Reads operations in the order of the file, and makes each in its final form.
class OperationReader {
public:
  OperationReader(const BytecodeFile &file, EntryReader &entries,
                  Location place)
      : file(file), entries(entries), status(entries.getStatus()),
        place(place) {}

  OwningOpRef<ModuleOp> read();

private:
  /// Values by number: those of a region stand behind those around it, unless
  /// it is isolated from them.
  struct Scope {
    std::vector<Value> values;
  };

  void readOperation(ByteCursor &cursor, Block &block, size_t &nextValue);
  void readRegion(ByteCursor &cursor, Region &region);
  void readRegions(ByteCursor &cursor, Operation *op, bool isIsolated);
  /// The number of operations of a block, whose arguments are defined.
  uint64_t readBlockHeader(ByteCursor &cursor, Block &block, size_t &nextValue);
  void readArguments(ByteCursor &cursor, Block &block, size_t &nextValue);
  NamedAttrList readProperties(ByteCursor &cursor,
                               const BytecodeFile::OperationName &name,
                               NamedAttrList &attributes);
  void skipUseListOrders(ByteCursor &cursor, uint64_t values);
  void define(ValueRange values, size_t &nextValue);
  Value readOperand(ByteCursor &cursor);
  /// The state of the operation `name`, without operands; its name is empty for
  /// a cast.
  OperationState makeState(const BytecodeFile::OperationName &name,
                           NamedAttrList properties, NamedAttrList attributes,
                           Block &block, LocationAttr location);

  const BytecodeFile &file;
  EntryReader &entries;
  ReadStatus &status;
  Location place;
  std::vector<Scope> scopes;
  unsigned depth = 0;
};

} // namespace

void OperationReader::define(ValueRange values, size_t &nextValue) {
  std::vector<Value> &known = scopes.back().values;
  if (values.size() > known.size() - std::min(nextValue, known.size()))
    return status.fail("expected " + Twine(known.size()) +
                       " values at most in a region");
  for (Value value : values)
    known[nextValue++] = value;
}

Value OperationReader::readOperand(ByteCursor &cursor) {
  uint64_t index = cursor.number();
  const std::vector<Value> &known = scopes.back().values;
  if (cursor.ok() && (index >= known.size() || !known[index]))
    status.fail("expected operands that are defined before, got number " +
                Twine(index));
  return cursor.ok() ? known[index] : Value();
}

/// In which order a value's uses are kept says nothing.
void OperationReader::skipUseListOrders(ByteCursor &cursor, uint64_t values) {
  uint64_t given = values > 1 ? cursor.count() : 1;
  for (uint64_t i = 0; i < given && cursor.ok(); ++i) {
    if (values > 1)
      cursor.number();
    bool isPairs;
    for (uint64_t k = 0, e = cursor.flaggedCount(isPairs); k < e && cursor.ok();
         ++k)
      cursor.number();
  }
}

/// The properties of an operation; before they were kept apart, they are among
/// its `attributes`.
NamedAttrList
OperationReader::readProperties(ByteCursor &cursor,
                                const BytecodeFile::OperationName &name,
                                NamedAttrList &attributes) {
  NamedAttrList properties;
  std::optional<SmallVector<StringRef>> names = findPropertyNames(name);
  if (file.version < BytecodeFile::kProperties) {
    if (names)
      for (StringRef each : *names)
        if (Attribute value = attributes.erase(each.rtrim('?')))
          properties.set(each.rtrim('?'), value);
    return properties;
  }
  uint64_t index = cursor.number();
  if (!name.wasRegistered) {
    auto all = entries.expect<DictionaryAttr>(entries.attribute(index),
                                              "the properties of an operation");
    return all ? NamedAttrList(all) : properties;
  }
  ByteCursor list(
      readMember(cursor, file.properties, index, "lists of properties"),
      status);
  if (cursor.ok() && !names)
    status.fail("expected an operation of StableHLO up to version 1.20, or of "
                "Shardy, got '" +
                name.dialect + "." + name.name + "'");
  if (!cursor.ok())
    return properties;
  for (StringRef each : *names) {
    Attribute value = each.ends_with("?") ? entries.optionalAttribute(list)
                                          : entries.attribute(list);
    if (value)
      properties.set(each.rtrim('?'), value);
  }
  if (list.ok() && !list.atEnd())
    status.fail("expected " + Twine(names->size()) + " properties of '" +
                name.dialect + "." + name.name + "', got more");
  return properties;
}

OperationState
OperationReader::makeState(const BytecodeFile::OperationName &name,
                           NamedAttrList properties, NamedAttrList attributes,
                           Block &block, LocationAttr location) {
  std::string full = (name.dialect + "." + name.name).str();
  if (name.dialect == "vhlo") {
    StablehloParts parts = convertFromVhlo(
        name.name, properties,
        isa_and_present<func::FuncOp>(block.getParentOp()), entries);
    full = std::move(parts.name);
    properties = std::move(parts.properties);
  } else if (name.dialect != "sdy" && full != "builtin.module") {
    status.fail("expected operations of VHLO and Shardy, got '" + Twine(full) +
                "'");
  }
  OperationState state(location, full);
  state.attributes = std::move(attributes);
  if (state.name.isRegistered())
    for (NamedAttribute property : properties)
      state.attributes.set(property.getName(), property.getValue());
  else if (!properties.empty())
    state.propertiesAttr = properties.getDictionary(entries.getContext());
  return state;
}

void OperationReader::readOperation(ByteCursor &cursor, Block &block,
                                    size_t &nextValue) {
  BytecodeFile::OperationName name =
      readMember(cursor, file.operations, cursor.number(), "operations");
  uint8_t mask = cursor.byte();
  auto location = entries.attributeOf<LocationAttr>(cursor, "a location");
  NamedAttrList attributes, properties;
  if (mask & kHasAttributes)
    if (auto named = entries.attributeOf<DictionaryAttr>(cursor, "attributes"))
      attributes = NamedAttrList(named);
  if ((mask & kHasProperties) || file.version < BytecodeFile::kProperties)
    properties = readProperties(cursor, name, attributes);
  SmallVector<Type> types;
  if (mask & kHasResults)
    types = entries.typeList(cursor);
  SmallVector<Value> operands;
  if (mask & kHasOperands)
    for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i)
      operands.push_back(readOperand(cursor));
  if (mask & kHasSuccessors)
    status.fail("expected operations without successors, got '" + name.dialect +
                "." + name.name + "'");
  if (mask & kHasUseListOrders)
    skipUseListOrders(cursor, types.size());
  bool isIsolated = false;
  uint64_t regions = mask & kHasRegions ? cursor.flaggedCount(isIsolated) : 0;
  if (!cursor.ok())
    return;
  // Around operations of other dialects: types are theirs already.
  if (name.dialect == "builtin" && name.name == "unrealized_conversion_cast" &&
      TypeRange(ValueRange(operands)) == TypeRange(types))
    return define(operands, nextValue);
  OperationState state = makeState(name, std::move(properties),
                                   std::move(attributes), block, location);
  if (!cursor.ok())
    return;
  state.addTypes(types);
  state.addOperands(operands);
  for (uint64_t i = 0; i < regions; ++i)
    state.addRegion();
  Operation *op = Operation::create(state);
  block.push_back(op);
  define(op->getResults(), nextValue);
  if (regions > 0)
    readRegions(cursor, op, isIsolated);
}

void OperationReader::readRegions(ByteCursor &cursor, Operation *op,
                                  bool isIsolated) {
  if (++depth > kDeepestRegion)
    status.fail("expected at most " + Twine(kDeepestRegion) +
                " regions in one another");
  std::optional<ByteCursor> own;
  if (isIsolated && file.version >= BytecodeFile::kIsolatedSections) {
    uint8_t id;
    StringRef section = readSection(cursor, id, file.ir.data());
    own.emplace(section, status);
  }
  if (isIsolated)
    scopes.emplace_back();
  for (Region &region : op->getRegions())
    if (cursor.ok())
      readRegion(own ? *own : cursor, region);
  if (isIsolated)
    scopes.pop_back();
  --depth;
}

void OperationReader::readRegion(ByteCursor &cursor, Region &region) {
  uint64_t blocks = cursor.count();
  if (blocks == 0)
    return;
  if (blocks > 1)
    return status.fail("expected regions of one block, got " + Twine(blocks));
  // Each value has a type, which takes a byte.
  uint64_t values = cursor.count();
  size_t outside = scopes.back().values.size(), nextValue = outside;
  scopes.back().values.resize(outside + values);
  Block &block = region.emplaceBlock();
  for (uint64_t i = 0, e = readBlockHeader(cursor, block, nextValue);
       i < e && cursor.ok(); ++i)
    readOperation(cursor, block, nextValue);
  scopes.back().values.resize(outside);
}

uint64_t OperationReader::readBlockHeader(ByteCursor &cursor, Block &block,
                                          size_t &nextValue) {
  bool hasArguments;
  uint64_t operations = cursor.flaggedCount(hasArguments);
  if (hasArguments)
    readArguments(cursor, block, nextValue);
  if (hasArguments && file.version >= BytecodeFile::kUseListOrders &&
      cursor.byte() != 0)
    skipUseListOrders(cursor, block.getNumArguments());
  return operations;
}

void OperationReader::readArguments(ByteCursor &cursor, Block &block,
                                    size_t &nextValue) {
  for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i) {
    bool hasLocation = true;
    uint64_t type = file.version >= BytecodeFile::kOptionalArgumentLocations
                        ? cursor.flagged(hasLocation)
                        : cursor.number();
    Type argument = entries.type(type);
    LocationAttr location = UnknownLoc::get(entries.getContext());
    if (hasLocation)
      location = entries.attributeOf<LocationAttr>(cursor, "a location");
    if (cursor.ok())
      block.addArgument(argument, location);
  }
  define(block.getArguments(), nextValue);
}

OwningOpRef<ModuleOp> OperationReader::read() {
  OwningOpRef<ModuleOp> outer(ModuleOp::create(place));
  ByteCursor cursor(file.ir, status);
  scopes.emplace_back();
  size_t nextValue = 0;
  for (uint64_t i = 0,
                e = readBlockHeader(cursor, *outer->getBody(), nextValue);
       i < e && cursor.ok(); ++i)
    readOperation(cursor, *outer->getBody(), nextValue);
  Block &body = *outer->getBody();
  if (cursor.ok() &&
      (!llvm::hasSingleElement(body) || !isa<ModuleOp>(body.front())))
    status.fail("expected one module");
  if (!cursor.ok())
    return {};
  auto module = cast<ModuleOp>(body.front());
  module->remove();
  return module;
}

OwningOpRef<ModuleOp>
tessera::importer::readOperations(const BytecodeFile &file,
                                  EntryReader &entries, Location place) {
  return OperationReader(file, entries, place).read();
}
