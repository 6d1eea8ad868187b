//===- VhloTypes.cpp - the types of VHLO ----------------------------------===//
//
// The numbers, and what follows each, are those that StableHLO promises to keep
// (VhloBytecode.cpp), of versions 0.9 to 1.20. Types are builtin ones at once,
// or the opaque ones of MLIR's text where their dialect is unknown here.
//
//===----------------------------------------------------------------------===//

#include "Bytecode/Entries.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

enum VhloTypeCode : uint64_t {
  kVhloComplex = 1,
  kVhloFunction = 8,
  kVhloRankedTensor = 20,
  kVhloEncodedTensor = 21,
  kVhloToken = 22,
  kVhloTuple = 23,
  kQuantized = 24,
  kVhloUnrankedTensor = 25,
  kVhloWitness = 26,
  kQuantizedPerAxis = 30,
  kVhloBuffer = 41,
  kVhloFuture = 42,
};

} // namespace

static std::string printedType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// A type that is only its number; null for all others.
static Type makeScalar(MLIRContext *context, uint64_t code) {
  auto integer = [&](unsigned width, bool isUnsigned = false) {
    return IntegerType::get(context, width,
                            isUnsigned ? IntegerType::Unsigned
                                       : IntegerType::Signless);
  };
  // clang-format off
  switch (code) {
  case 0: return integer(1);
  case 2: return BFloat16Type::get(context);
  case 3: return Float16Type::get(context);
  case 4: return Float32Type::get(context);
  case 5: return Float64Type::get(context);
  case 6: return Float8E4M3FNType::get(context);
  case 7: return Float8E5M2Type::get(context);
  case 9: return IndexType::get(context);
  case 10: return integer(4);
  case 11: return integer(8);
  case 12: return integer(16);
  case 13: return integer(32);
  case 14: return integer(64);
  case 15: return integer(4, true);
  case 16: return integer(8, true);
  case 17: return integer(16, true);
  case 18: return integer(32, true);
  case 19: return integer(64, true);
  case 27: return Float8E4M3FNUZType::get(context);
  case 28: return Float8E5M2FNUZType::get(context);
  case 29: return Float8E4M3B11FNUZType::get(context);
  case 31: return integer(2);
  case 32: return integer(2, true);
  case 33: return NoneType::get(context);
  case 34: return FloatTF32Type::get(context);
  case 35: return Float8E4M3Type::get(context);
  case 36: return Float8E3M4Type::get(context);
  case 37: return Float4E2M1FNType::get(context);
  case 38: return Float6E2M3FNType::get(context);
  case 39: return Float6E3M2FNType::get(context);
  case 40: return Float8E8M0FNUType::get(context);
  default: return {};
  }
  // clang-format on
}

/// `0.5:-3`, or without the point where zero is.
static std::string readScale(StringRef scale, int64_t zero) {
  return scale.str() + (zero ? ":" + std::to_string(zero) : "");
}

/// The storage type `integer` with its range, if that is not all of it:
/// `i8<-127:127>`.
static std::string printStorage(IntegerType integer, bool isSigned, int64_t low,
                                int64_t high) {
  unsigned width = std::min(integer.getWidth(), 62u);
  int64_t least = isSigned ? -(int64_t(1) << (width - 1)) : 0;
  int64_t most = (int64_t(1) << (isSigned ? width - 1 : width)) - 1;
  std::string text = (isSigned ? "i" : "u") + std::to_string(width);
  if (low != least || high != most)
    text += "<" + std::to_string(low) + ":" + std::to_string(high) + ">";
  return text;
}

/// `uniform<i8<-127:127>:f32:1, {0.5:-3, 0.25}>`
static Type readQuantized(ByteCursor &cursor, EntryReader &entries,
                          bool isPerAxis) {
  bool isSigned = cursor.number() & 1;
  auto storage =
      entries.expect<IntegerType>(entries.type(cursor), "a storage type");
  Type expressed = entries.type(cursor);
  if (!cursor.ok() || storage.getWidth() == 0)
    return {};
  SmallVector<std::string> scales;
  std::string dim, list;
  int64_t low = 0, high = 0;
  if (!isPerAxis) {
    scales.push_back(entries.printedReal(cursor));
    list = readScale(scales[0], cursor.signedNumber());
    low = cursor.signedNumber(), high = cursor.signedNumber();
  } else {
    dim = ":" + std::to_string(cursor.number());
    low = cursor.signedNumber(), high = cursor.signedNumber();
    for (uint64_t i = 0, e = cursor.count(); i < e && cursor.ok(); ++i)
      scales.push_back(entries.printedReal(cursor));
    if (cursor.count() != scales.size())
      cursor.status().fail("expected a zero point for each scale");
    for (StringRef scale : scales)
      list +=
          (list.empty() ? "{" : ",") + readScale(scale, cursor.signedNumber());
    list += "}";
  }
  return entries.opaqueType(
      "quant", "uniform<" + printStorage(storage, isSigned, low, high) + ":" +
                   printedType(expressed) + dim + ", " + list + ">");
}

static Type readVhloShaped(ByteCursor &cursor, EntryReader &entries,
                           uint64_t code) {
  Attribute encoding =
      code == kVhloEncodedTensor ? entries.attribute(cursor) : Attribute();
  SmallVector<int64_t> shape = cursor.signedNumbers();
  Type tensor = entries.tensor(shape, entries.type(cursor), encoding);
  if (!tensor || code != kVhloBuffer)
    return tensor;
  return MemRefType::getChecked(entries.quietly(), shape,
                                cast<ShapedType>(tensor).getElementType());
}

/// Numbers as in makeScalar and VhloTypeCode.
Type tessera::importer::readVhloType(ByteCursor &cursor, EntryReader &entries) {
  MLIRContext *context = entries.getContext();
  uint64_t code = cursor.number();
  if (Type scalar = makeScalar(context, code))
    return scalar;
  switch (code) {
  case kVhloComplex:
    if (Type element = entries.type(cursor))
      return ComplexType::getChecked(entries.quietly(), element);
    return {};
  case kVhloFunction: {
    SmallVector<Type> inputs = entries.typeList(cursor);
    SmallVector<Type> results = entries.typeList(cursor);
    return cursor.ok() ? FunctionType::get(context, inputs, results)
                       : FunctionType();
  }
  case kVhloRankedTensor:
  case kVhloEncodedTensor:
  case kVhloBuffer:
    return readVhloShaped(cursor, entries, code);
  case kVhloToken:
    return entries.opaqueType("stablehlo", "token");
  case kVhloTuple:
    if (auto list = entries.typeList(cursor); cursor.ok())
      return TupleType::get(context, list);
    return {};
  case kVhloFuture: {
    std::string text;
    for (Type type : entries.typeList(cursor))
      if (type)
        text += (text.empty() ? "" : ", ") + printedType(type);
    return entries.opaqueType("stablehlo", "future<" + text + ">");
  }
  case kQuantized:
  case kQuantizedPerAxis:
    return readQuantized(cursor, entries, code == kQuantizedPerAxis);
  case kVhloUnrankedTensor:
    if (Type element = entries.type(cursor))
      return UnrankedTensorType::getChecked(entries.quietly(), element);
    return {};
  case kVhloWitness:
    return entries.opaqueType("shape", "witness");
  default:
    cursor.status().fail("expected a type of VHLO, got number " + Twine(code));
    return {};
  }
}
