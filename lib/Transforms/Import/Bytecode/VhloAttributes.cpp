//===- VhloAttributes.cpp - the attributes of VHLO
//--------------------------===//
//
// The numbers, and what follows each, are those that StableHLO promises to keep
// (VhloBytecode.cpp), of versions 0.9 to 1.20. Attributes that have a builtin
// counterpart are that at once, and the others are StableHLO's opaque ones.
//
//===----------------------------------------------------------------------===//

#include "Bytecode/Entries.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

enum VhloAttributeCode : uint64_t {
  kVhloArray = 1,
  kVhloBoolean = 2,
  kApiVersion = 5,
  kVhloDictionary = 6,
  kVhloFloat = 8,
  kVhloInteger = 9,
  kOutputOperandAlias = 10,
  kVhloString = 14,
  kVhloTensor = 15,
  kVhloType = 17,
  kTypeExtensions = 18,
  kAccuracyMode = 19,
  kResultAccuracy = 20,
  kVhloSubAxis = 21,
  kVhloAxisRef = 22,
  kReplicaGroupMeshAxes = 23,
  kVhloMeshAxis = 24,
  kVhloMesh = 25,
};

/// An enumeration of StableHLO's: its number, its name, its values from `first`
/// on, with commas between them.
struct VhloEnumeration {
  uint64_t code;
  StringLiteral name;
  StringLiteral values;
  uint64_t first = 0;
};

} // namespace

static constexpr VhloEnumeration kVhloEnumerations[] = {
    {3, "comparison_direction", "EQ,NE,GE,GT,LE,LT"},
    {4, "comparison_type", "NOTYPE,FLOAT,TOTALORDER,SIGNED,UNSIGNED"},
    {7, "fft_type", "FFT,IFFT,RFFT,IRFFT"},
    {11, "precision", "DEFAULT,HIGH,HIGHEST"},
    {12, "rng_algorithm", "DEFAULT,THREE_FRY,PHILOX"},
    {13, "rng_distribution", "UNIFORM,NORMAL", 1},
    {16, "transpose", "TRANSPOSE_INVALID,NO_TRANSPOSE,TRANSPOSE,ADJOINT"},
};

static Attribute makeStablehlo(EntryReader &entries, const Twine &text) {
  return entries.opaque("stablehlo", text);
}

static Attribute readEnumeration(ByteCursor &cursor, EntryReader &entries,
                                 const VhloEnumeration &enumeration) {
  SmallVector<StringRef> values;
  enumeration.values.split(values, ',');
  uint64_t value = cursor.number() - enumeration.first;
  if (value < values.size())
    return makeStablehlo(entries, enumeration.name + " " + values[value]);
  cursor.status().fail("expected a value of " + enumeration.name +
                       ", got number " + Twine(value + enumeration.first));
  return {};
}

/// `[1, 2]`
static std::string printed(ArrayRef<int64_t> numbers) {
  std::string text = "[";
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(numbers, out);
  return text + "]";
}

static std::string printed(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

static Attribute readAlias(ByteCursor &cursor, EntryReader &entries) {
  std::string outputs = printed(cursor.signedNumbers());
  std::string operand = std::to_string(cursor.signedNumber());
  return makeStablehlo(entries, "output_operand_alias<output_tuple_indices = " +
                                    outputs + ", operand_index = " + operand +
                                    ", operand_tuple_indices = " +
                                    printed(cursor.signedNumbers()) + ">");
}

/// `bounds<?, 4>`, the encoding of a type.
static Attribute readExtensions(ByteCursor &cursor, EntryReader &entries) {
  std::string text = "bounds<";
  for (auto [i, size] : llvm::enumerate(cursor.signedNumbers()))
    text += (i ? ", " : "") +
            (ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  return makeStablehlo(entries, text + ">");
}

/// How precise a result must be: as precise as usual, as possible, or within
/// these limits.
static Attribute readAccuracy(ByteCursor &cursor, EntryReader &entries) {
  std::string limits;
  for (StringRef field : {"atol", "rtol"})
    if (std::string limit = entries.printedReal(cursor);
        limit != "0.000000e+00")
      limits += field.str() + " = " + limit + ", ";
  if (int64_t ulps = cursor.signedNumber())
    limits += "ulps = " + std::to_string(ulps) + ", ";
  Attribute mode = entries.attribute(cursor);
  return mode ? makeStablehlo(entries, "result_accuracy<" + limits +
                                           "mode = " + printed(mode) + ">")
              : Attribute();
}

static Attribute readAccuracyMode(ByteCursor &cursor, EntryReader &entries) {
  constexpr StringRef kModes[] = {"DEFAULT", "HIGHEST", "TOLERANCE"};
  uint64_t mode = cursor.number();
  if (mode < std::size(kModes))
    return makeStablehlo(entries, "result_accuracy_mode<" + kModes[mode] + ">");
  cursor.status().fail("expected a mode of accuracy, got number " +
                       Twine(mode));
  return {};
}

/// Meshes inside of groups of devices, in place of a table of numbers.
static Attribute readMeshPart(ByteCursor &cursor, EntryReader &entries,
                              uint64_t code) {
  if (code == kVhloSubAxis) {
    std::string before = std::to_string(cursor.signedNumber());
    return makeStablehlo(entries,
                         "(" + before + ")" + Twine(cursor.signedNumber()));
  }
  Attribute first = entries.attribute(cursor);
  if (!first)
    return {};
  if (code == kVhloMeshAxis)
    return makeStablehlo(entries,
                         "mesh_axis<name = " + printed(first) +
                             ", size = " + Twine(cursor.signedNumber()) + ">");
  if (code == kVhloAxisRef) {
    Attribute sub = cursor.number() ? entries.attribute(cursor) : Attribute();
    std::string part;
    if (auto opaque = dyn_cast_if_present<OpaqueAttr>(sub))
      part = ", sub_axis_info = " + opaque.getAttrData().str();
    return makeStablehlo(entries,
                         "axis_ref<name = " + printed(first) + part + ">");
  }
  if (code == kVhloMesh) {
    Attribute devices = entries.optionalAttribute(cursor);
    return makeStablehlo(
        entries, "mesh<axes=" + printed(first) +
                     (devices ? ", device_ids=" + printed(devices) : "") + ">");
  }
  Attribute axes = entries.attribute(cursor);
  if (auto name = dyn_cast<StringAttr>(first))
    first = FlatSymbolRefAttr::get(name);
  return axes ? makeStablehlo(entries, "replica_group_mesh_axes<mesh = " +
                                           printed(first) +
                                           ", axes = " + printed(axes) + ">")
              : Attribute();
}

/// Numbers as in VhloAttributeCode and kVhloEnumerations.
Attribute tessera::importer::readVhloAttribute(ByteCursor &cursor,
                                               EntryReader &entries) {
  MLIRContext *context = entries.getContext();
  uint64_t code = cursor.number();
  for (const VhloEnumeration &enumeration : kVhloEnumerations)
    if (enumeration.code == code)
      return readEnumeration(cursor, entries, enumeration);
  switch (code) {
  case kVhloArray:
    if (auto list = entries.attributeList(cursor); cursor.ok())
      return ArrayAttr::get(context, list);
    return {};
  case kVhloBoolean:
    return BoolAttr::get(context, cursor.number() != 0);
  case kApiVersion:
    return IntegerAttr::get(IntegerType::get(context, 32),
                            int64_t(cursor.number() & 0x7f));
  case kVhloDictionary:
    return entries.dictionary(cursor);
  case kVhloFloat:
  case kVhloInteger:
    return entries.number(cursor);
  case kOutputOperandAlias:
    return readAlias(cursor, entries);
  case kVhloString:
    return StringAttr::get(context, entries.string(cursor));
  case kVhloTensor: {
    Type type = entries.type(cursor);
    return entries.elements(type, cursor.take(cursor.number()));
  }
  case kVhloType:
    if (Type type = entries.type(cursor))
      return TypeAttr::get(type);
    return {};
  case kTypeExtensions:
    return readExtensions(cursor, entries);
  case kAccuracyMode:
    return readAccuracyMode(cursor, entries);
  case kResultAccuracy:
    return readAccuracy(cursor, entries);
  case kVhloSubAxis:
  case kVhloAxisRef:
  case kReplicaGroupMeshAxes:
  case kVhloMeshAxis:
  case kVhloMesh:
    return readMeshPart(cursor, entries, code);
  default:
    cursor.status().fail("expected an attribute of VHLO, got number " +
                         Twine(code));
    return {};
  }
}
