//===- ConvertFromVhlo.cpp - from VHLO's operations to StableHLO's --------===//
//
// VHLO has a number at the end of each name, each attribute by itself, and each
// attribute always. StableHLO has records of attributes
// (`dot_dimension_numbers`) and leaves out what is usual. All names of
// attributes mean the same thing in all operations, so that a rule is mostly
// about a name.
//
//===----------------------------------------------------------------------===//

#include "Bytecode/Operations.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// Attributes that StableHLO has as arrays, not as tensors.
static constexpr StringLiteral kArrays[] = {"base_dilations",
                                            "broadcast_dimensions",
                                            "broadcast_sizes",
                                            "dimensions",
                                            "edge_padding_high",
                                            "edge_padding_low",
                                            "fft_length",
                                            "interior_padding",
                                            "known_expanding_dimensions",
                                            "known_nonexpanding_dimensions",
                                            "lhs_dilation",
                                            "limit_indices",
                                            "permutation",
                                            "rhs_dilation",
                                            "slice_sizes",
                                            "start_indices",
                                            "strides",
                                            "window_dilations",
                                            "window_dimensions",
                                            "window_reversal",
                                            "window_strides"};

/// In lists of dimensions and the like. A splat of any size takes no bytes.
static constexpr int64_t kMostNumbers = 1 << 16;

/// Attributes that are there or not.
static constexpr StringLiteral kUnits[] = {"use_global_device_ids",
                                           "has_dynamic_root"};

/// Attributes that are left out where they are false, or empty.
static constexpr StringLiteral kUsuallyNothing[] = {
    "arg_attrs",
    "backend_config",
    "called_computations",
    "composite_attributes",
    "has_dynamic_root",
    "has_side_effect",
    "indices_are_sorted",
    "is_host_transfer",
    "is_stable",
    "known_expanding_dimensions",
    "known_nonexpanding_dimensions",
    "layout",
    "output_operand_aliases",
    "res_attrs",
    "result_tilings",
    "sym_visibility",
    "unique_indices",
    "use_global_device_ids"};

/// Attributes that are left out where all of their numbers are 1, or 0.
static constexpr StringLiteral kUsuallyOnes[] = {
    "base_dilations", "lhs_dilation", "rhs_dilation", "window_dilations",
    "window_strides"};
static constexpr StringLiteral kUsuallyZeros[] = {"padding", "window_reversal"};

/// The functions of one operation that StableHLO has in one record.
namespace {
class VhloOperation {
public:
  VhloOperation(StringRef name, const NamedAttrList &properties,
                EntryReader &entries)
      : name(name), left(properties), entries(entries) {}

  StablehloParts convert(bool isInFunction);

private:
  void fail(const Twine &why) {
    entries.getStatus().fail("'vhlo." + name + "': " + why);
  }
  void record(StringRef field, StringRef record, ArrayRef<StringRef> lists,
              StringRef integer = {});
  void convertConvolution();
  void convertAlgorithm();
  void convertChannel();
  void convertProperty(NamedAttribute property);
  Attribute convertArray(NamedAttribute property);
  Attribute convertSymbols(Attribute value);
  bool isUsual(NamedAttribute property) const;
  int64_t takeInteger(StringRef property);
  SmallVector<int64_t> takeIntegers(StringRef property);
  std::string dimNames(StringRef side, StringRef first, StringRef firstName,
                       StringRef second, StringRef secondName);
  void addOpaque(StringRef property, const Twine &text) {
    parts.properties.set(property, entries.opaque("stablehlo", text));
  }

  StringRef name;
  NamedAttrList left;
  EntryReader &entries;
  StablehloParts parts;
};
} // namespace

int64_t VhloOperation::takeInteger(StringRef property) {
  auto value = dyn_cast_if_present<IntegerAttr>(left.erase(property));
  if (value && value.getValue().getSignificantBits() <= 64)
    return value.getValue().getSExtValue();
  fail("expected a number as '" + property + "'");
  return 0;
}

SmallVector<int64_t> VhloOperation::takeIntegers(StringRef property) {
  auto value = dyn_cast_if_present<DenseIntElementsAttr>(left.erase(property));
  if (value && value.getElementType().isInteger(64) &&
      value.getNumElements() <= kMostNumbers)
    return llvm::to_vector(value.getValues<int64_t>());
  fail("expected numbers as '" + property + "'");
  return {};
}

static std::string listOf(ArrayRef<int64_t> numbers) {
  std::string text = "[";
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(numbers, out);
  return text + "]";
}

/// Puts the properties `lists` and `integer` into the record called `record`,
/// property `field`. Older versions have fewer.
void VhloOperation::record(StringRef field, StringRef record,
                           ArrayRef<StringRef> lists, StringRef integer) {
  std::string text;
  for (StringRef list : lists)
    if (left.get(list))
      if (SmallVector<int64_t> numbers = takeIntegers(list); !numbers.empty())
        text +=
            (text.empty() ? "" : ", ") + list.str() + " = " + listOf(numbers);
  int64_t number = integer.empty() ? 0 : takeInteger(integer);
  if (number != 0)
    text += (text.empty() ? "" : ", ") + integer.str() + " = " +
            std::to_string(number);
  addOpaque(field, record + "<" + text + ">");
}

/// `[b, 0, 1, f]`: what each dimension of input, kernel or output is.
std::string VhloOperation::dimNames(StringRef side, StringRef first,
                                    StringRef firstName, StringRef second,
                                    StringRef secondName) {
  SmallVector<int64_t> spatial =
      takeIntegers((side + "_spatial_dimensions").str());
  SmallVector<std::string> names(spatial.size() + 2);
  auto place = [&](int64_t dim, const Twine &dimName) {
    if (dim < 0 || dim >= int64_t(names.size()) || !names[dim].empty())
      return fail("expected different dimensions, got " + Twine(dim));
    names[dim] = dimName.str();
  };
  place(takeInteger((side + "_" + first + "_dimension").str()), firstName);
  place(takeInteger((side + "_" + second + "_dimension").str()), secondName);
  for (auto [i, dim] : llvm::enumerate(spatial))
    place(dim, Twine(i));
  std::string text = "[";
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(names, out);
  return text + "]";
}

void VhloOperation::convertConvolution() {
  std::string input = dimNames("input", "batch", "b", "feature", "f");
  std::string kernel =
      dimNames("kernel", "input_feature", "i", "output_feature", "o");
  std::string output = dimNames("output", "batch", "b", "feature", "f");
  addOpaque("dimension_numbers",
            "conv<" + input + "x" + kernel + "->" + output + ">");
}

/// The algorithm of a product, which is none where its first number is a type.
void VhloOperation::convertAlgorithm() {
  constexpr StringRef kFields[] = {
      "lhs_precision_type",          "rhs_precision_type",
      "accumulation_type",           "lhs_component_count",
      "rhs_component_count",         "num_primitive_operations",
      "allow_imprecise_accumulation"};
  bool isGiven = isa_and_present<IntegerAttr>(left.get("lhs_component_count"));
  std::string text;
  llvm::raw_string_ostream out(text);
  for (StringRef field : kFields) {
    Attribute value = left.erase(field);
    out << (text.empty() ? "" : ", ") << field << " = ";
    if (auto number = dyn_cast_if_present<IntegerAttr>(value);
        number && !number.getType().isInteger(1))
      out << number.getValue();
    else
      out << value;
  }
  if (isGiven)
    addOpaque("algorithm", "dot_algorithm<" + text + ">");
}

/// Channel 0 is none.
void VhloOperation::convertChannel() {
  bool hasType = bool(left.get("channel_type"));
  int64_t handle = takeInteger("channel_id");
  int64_t type = hasType ? takeInteger("channel_type") : 0;
  if (hasType || handle != 0)
    addOpaque("channel_handle", "channel_handle<handle = " + Twine(handle) +
                                    ", type = " + Twine(type) + ">");
}

Attribute VhloOperation::convertArray(NamedAttribute property) {
  StringRef name = property.getName();
  if (auto dense = dyn_cast<DenseElementsAttr>(property.getValue());
      dense && dense.getNumElements() <= kMostNumbers) {
    if (name == "window_reversal" && dense.getElementType().isInteger(1))
      return DenseBoolArrayAttr::get(entries.getContext(),
                                     llvm::to_vector(dense.getValues<bool>()));
    if (dense.getElementType().isSignlessInteger(64))
      return DenseI64ArrayAttr::get(
          entries.getContext(), llvm::to_vector(dense.getValues<int64_t>()));
  }
  fail("expected numbers as '" + name + "'");
  return {};
}

/// Names of functions.
Attribute VhloOperation::convertSymbols(Attribute value) {
  if (auto symbol = dyn_cast<StringAttr>(value))
    return FlatSymbolRefAttr::get(symbol);
  SmallVector<Attribute> list;
  if (auto names = dyn_cast<ArrayAttr>(value))
    for (Attribute symbol : names)
      if (auto text = dyn_cast<StringAttr>(symbol))
        list.push_back(FlatSymbolRefAttr::get(text));
  return ArrayAttr::get(entries.getContext(), list);
}

static bool isNothing(Attribute value) {
  if (auto boolean = dyn_cast<BoolAttr>(value))
    return !boolean.getValue();
  if (auto list = dyn_cast<ArrayAttr>(value))
    return list.empty();
  if (auto text = dyn_cast<StringAttr>(value))
    return text.empty();
  if (auto named = dyn_cast<DictionaryAttr>(value))
    return named.empty();
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense.empty();
  return false;
}

/// Whether `property` is as it is for an operation that does not say it.
bool VhloOperation::isUsual(NamedAttribute property) const {
  StringRef field = property.getName();
  Attribute value = property.getValue();
  if (llvm::is_contained(kUsuallyNothing, field))
    return isNothing(value);
  if (field == "source_target_pairs" && !name.starts_with("collective"))
    return isNothing(value);
  if (field == "operand_layouts" || field == "result_layouts") {
    Attribute operands = left.get("operand_layouts");
    return isNothing(value) && (!operands || isNothing(operands));
  }
  if (auto opaque = dyn_cast<OpaqueAttr>(value)) {
    StringRef text = opaque.getAttrData();
    return text == "comparison_type NOTYPE" ||
           (field == "result_accuracy" && text.contains("<DEFAULT>"));
  }
  if (auto dense = dyn_cast<DenseIntElementsAttr>(value))
    return dense.isSplat() && ((llvm::is_contained(kUsuallyOnes, field) &&
                                dense.getSplatValue<APInt>().isOne()) ||
                               (llvm::is_contained(kUsuallyZeros, field) &&
                                dense.getSplatValue<APInt>().isZero()));
  if (auto list = dyn_cast<ArrayAttr>(value);
      list && field == "precision_config")
    return llvm::all_of(list, [](Attribute each) {
      auto precision = dyn_cast<OpaqueAttr>(each);
      return precision && precision.getAttrData() == "precision DEFAULT";
    });
  auto number = dyn_cast<IntegerAttr>(value);
  if (!number)
    return false;
  return (name.starts_with("cholesky") && field == "lower" &&
          number.getValue().isZero()) ||
         (name.starts_with("sort") && field == "dimension" &&
          number.getValue().isAllOnes()) ||
         (name.starts_with("composite") && field == "version" &&
          number.getValue().isZero()) ||
         (name.starts_with("custom_call") && field == "api_version" &&
          number.getValue().isOne());
}

void VhloOperation::convertProperty(NamedAttribute property) {
  StringRef field = property.getName();
  Attribute value = property.getValue();
  if (isUsual(property))
    return;
  if (llvm::is_contained(kUnits, field))
    value = UnitAttr::get(entries.getContext());
  else if (llvm::is_contained(kArrays, field))
    value = convertArray(property);
  else if (field == "callee" || field == "decomposition" ||
           field == "called_computations")
    value = convertSymbols(value);
  if (value)
    parts.properties.set(property.getName(), value);
}

StablehloParts VhloOperation::convert(bool isInFunction) {
  auto [base, version] = name.rsplit("_v");
  if (version != "1" && version != "2")
    fail("expected version 1 or 2 of it, as StableHLO has up to 1.20");
  bool isFunction =
      base == "func" || base == "call" || (base == "return" && isInFunction);
  parts.name = ((isFunction ? "func." : "stablehlo.") + base).str();
  if (base == "convolution" || base == "dynamic_conv")
    convertConvolution();
  if (base == "dot_general")
    record("dot_dimension_numbers", "dot",
           {"lhs_batching_dimensions", "rhs_batching_dimensions",
            "lhs_contracting_dimensions", "rhs_contracting_dimensions"});
  if (name == "dot_general_v2")
    convertAlgorithm();
  if (base == "gather" || base == "dynamic_gather")
    record("dimension_numbers", "gather",
           {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
            "start_indices_batching_dims", "start_index_map"},
           "index_vector_dim");
  if (base == "scatter")
    record("scatter_dimension_numbers", "scatter",
           {"update_window_dims", "inserted_window_dims", "input_batching_dims",
            "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"},
           "index_vector_dim");
  if (left.get("channel_id"))
    convertChannel();
  for (NamedAttribute property : left)
    convertProperty(property);
  return std::move(parts);
}

StablehloParts
tessera::importer::convertFromVhlo(StringRef name,
                                   const NamedAttrList &properties,
                                   bool isInFunction, EntryReader &entries) {
  return VhloOperation(name, properties, entries).convert(isInFunction);
}
