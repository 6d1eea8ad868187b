//===- BuiltinEntries.cpp - MLIR's own attributes and types ---------------===//
//
// The numbers and what follows each are those of BuiltinDialectBytecode.td.
// Resources, sparse and string tensors, memory references and vectors do not
// occur in models, and are refused.
//
//===----------------------------------------------------------------------===//

#include "Bytecode/Entries.h"

#include "mlir/IR/Location.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

enum AttributeCode : uint64_t {
  kArray,
  kDictionary,
  kString,
  kTypedString,
  kFlatSymbol,
  kSymbol,
  kType,
  kUnit,
  kInteger,
  kFloat,
  kCallSite,
  kFileLineColumn,
  kFused,
  kFusedWithMetadata,
  kName,
  kUnknown,
  kDenseArray = 17,
  kDenseElements = 18,
  kFileRange = 22,
};

enum TypeCode : uint64_t {
  kIntegerType,
  kIndexType,
  kFunctionType,
  kBFloat16,
  kFloat16,
  kFloat32,
  kFloat64,
  kFloat80,
  kFloat128,
  kComplex,
  kNone = 12,
  kRankedTensor,
  kEncodedTensor,
  kTuple,
  kUnrankedTensor = 18,
};

} // namespace

static Attribute readSymbol(ByteCursor &cursor, EntryReader &entries) {
  auto root = entries.attributeOf<StringAttr>(cursor, "a symbol");
  SmallVector<FlatSymbolRefAttr> nested;
  for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i)
    nested.push_back(
        entries.attributeOf<FlatSymbolRefAttr>(cursor, "a symbol"));
  return cursor.ok() ? SymbolRefAttr::get(root, nested) : SymbolRefAttr();
}

static Attribute readDenseArray(ByteCursor &cursor, EntryReader &entries) {
  Type element = entries.type(cursor);
  int64_t size = cursor.number();
  StringRef bytes = cursor.take(cursor.number());
  if (!cursor.ok())
    return {};
  return DenseArrayAttr::getChecked(entries.quietly(), element, size,
                                    ArrayRef(bytes.data(), bytes.size()));
}

static LocationAttr readPlace(ByteCursor &cursor, EntryReader &entries) {
  return entries.attributeOf<LocationAttr>(cursor, "a location");
}

/// A line with its column, or from the one to another.
static Attribute readRange(ByteCursor &cursor, EntryReader &entries) {
  auto file = entries.attributeOf<StringAttr>(cursor, "the name of a file");
  uint64_t fields = cursor.count();
  uint64_t line = fields > 0 ? cursor.number() : 0;
  uint64_t column = fields > 1 ? cursor.number() : 0;
  // Where it ends is of no use to messages, which are at one place.
  for (uint64_t i = 2; i < fields && cursor.ok(); ++i)
    cursor.number();
  return cursor.ok() ? LocationAttr(FileLineColLoc::get(file, line, column))
                     : LocationAttr();
}

/// The location that follows its number, `code`, with those inside of it.
static Attribute readLocation(ByteCursor &cursor, EntryReader &entries,
                              uint64_t code) {
  MLIRContext *context = entries.getContext();
  if (code == kUnknown)
    return UnknownLoc::get(context);
  if (code == kFileRange)
    return readRange(cursor, entries);
  if (code == kCallSite) {
    LocationAttr callee = readPlace(cursor, entries);
    LocationAttr caller = readPlace(cursor, entries);
    return cursor.ok() ? LocationAttr(CallSiteLoc::get(callee, caller))
                       : LocationAttr();
  }
  if (code == kFused || code == kFusedWithMetadata) {
    SmallVector<Location> places;
    for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i)
      if (LocationAttr place = readPlace(cursor, entries))
        places.push_back(place);
    if (code == kFusedWithMetadata)
      entries.attribute(cursor);
    return cursor.ok() ? LocationAttr(FusedLoc::get(context, places))
                       : LocationAttr();
  }
  auto text = entries.attributeOf<StringAttr>(cursor, "a name in a location");
  if (code == kName) {
    LocationAttr child = readPlace(cursor, entries);
    return cursor.ok() ? LocationAttr(NameLoc::get(text, child))
                       : LocationAttr();
  }
  uint64_t line = cursor.number(), column = cursor.number();
  return cursor.ok() ? LocationAttr(FileLineColLoc::get(text, line, column))
                     : LocationAttr();
}

/// Numbers as in AttributeCode; each is followed by what the attribute is made
/// of.
Attribute tessera::importer::readBuiltinAttribute(ByteCursor &cursor,
                                                  EntryReader &entries) {
  MLIRContext *context = entries.getContext();
  uint64_t code = cursor.number();
  switch (code) {
  case kArray:
    if (auto list = entries.attributeList(cursor); cursor.ok())
      return ArrayAttr::get(context, list);
    return {};
  case kDictionary:
    return entries.dictionary(cursor);
  case kString:
    return StringAttr::get(context, entries.string(cursor));
  case kTypedString: {
    StringRef text = entries.string(cursor);
    Type type = entries.type(cursor);
    return type ? StringAttr::get(text, type) : StringAttr();
  }
  case kFlatSymbol:
    if (auto root = entries.attributeOf<StringAttr>(cursor, "a symbol"))
      return FlatSymbolRefAttr::get(root);
    return {};
  case kSymbol:
    return readSymbol(cursor, entries);
  case kType:
    if (Type type = entries.type(cursor))
      return TypeAttr::get(type);
    return {};
  case kUnit:
    return UnitAttr::get(context);
  case kInteger:
  case kFloat:
    return entries.number(cursor);
  case kCallSite:
  case kFileLineColumn:
  case kFused:
  case kFusedWithMetadata:
  case kName:
  case kUnknown:
  case kFileRange:
    return readLocation(cursor, entries, code);
  case kDenseArray:
    return readDenseArray(cursor, entries);
  case kDenseElements: {
    Type type = entries.type(cursor);
    return entries.elements(type, cursor.take(cursor.number()));
  }
  default:
    cursor.status().fail(
        "expected an attribute of a model, got MLIR's number " + Twine(code));
    return {};
  }
}

static Type readInteger(ByteCursor &cursor, EntryReader &entries) {
  uint64_t code = cursor.number(), width = code >> 2;
  if (width > IntegerType::kMaxWidth || (code & 3) == 3) {
    cursor.status().fail("expected an integer type, got one of " +
                         Twine(width) + " bits");
    return {};
  }
  return IntegerType::get(entries.getContext(), width,
                          IntegerType::SignednessSemantics(code & 3));
}

/// Numbers as in TypeCode; each is followed by what the type is made of.
Type tessera::importer::readBuiltinType(ByteCursor &cursor,
                                        EntryReader &entries) {
  MLIRContext *context = entries.getContext();
  uint64_t code = cursor.number();
  switch (code) {
  case kIntegerType:
    return readInteger(cursor, entries);
  case kIndexType:
    return IndexType::get(context);
  case kFunctionType: {
    SmallVector<Type> inputs = entries.typeList(cursor);
    SmallVector<Type> results = entries.typeList(cursor);
    return cursor.ok() ? FunctionType::get(context, inputs, results)
                       : FunctionType();
  }
  case kBFloat16:
    return BFloat16Type::get(context);
  case kFloat16:
    return Float16Type::get(context);
  case kFloat32:
    return Float32Type::get(context);
  case kFloat64:
    return Float64Type::get(context);
  case kFloat80:
    return Float80Type::get(context);
  case kFloat128:
    return Float128Type::get(context);
  case kComplex:
    if (Type element = entries.type(cursor))
      return ComplexType::getChecked(entries.quietly(), element);
    return {};
  case kNone:
    return NoneType::get(context);
  case kRankedTensor:
  case kEncodedTensor: {
    Attribute encoding =
        code == kEncodedTensor ? entries.attribute(cursor) : Attribute();
    SmallVector<int64_t> shape = cursor.signedNumbers();
    return entries.tensor(shape, entries.type(cursor), encoding);
  }
  case kTuple:
    if (auto list = entries.typeList(cursor); cursor.ok())
      return TupleType::get(context, list);
    return {};
  case kUnrankedTensor:
    if (Type element = entries.type(cursor))
      return UnrankedTensorType::getChecked(entries.quietly(), element);
    return {};
  default:
    cursor.status().fail("expected a type of a model, got MLIR's number " +
                         Twine(code));
    return {};
  }
}
