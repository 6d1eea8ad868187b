//===- DynamicShapes.cpp - shapes as operands that are known --------------===//
//
// StableHLO's `dynamic_*` operations take shapes, paddings and strides as
// tensors. Where these are computed from constants and from static sizes alone,
// the operation is the static one.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Transforms/Import/Conversions/Unsupported.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// The integers of operand `number` of `op`, `count` of them; fails after a
/// diagnostic.
static FailureOr<SmallVector<int64_t>>
knownOperand(Operation *op, unsigned number, size_t count) {
  std::optional<SmallVector<int64_t>> values =
      constantIntegers(op->getOperand(number));
  if (values && values->size() == count)
    return *values;
  InFlightDiagnostic error = emitError(op->getLoc());
  error << "expected " << count << " constant integers as operand " << number
        << " of '" << op->getName() << "'";
  noteAlternative(error, &unsupportedKind(op));
  return failure();
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static LogicalResult convertGetSize(Operation *op, ValueRange operands,
                                    Conversion &c,
                                    SmallVectorImpl<Value> &results) {
  RankedTensorType type = typeOf(operands[0]);
  RankedTensorType result =
      c.convertType(op->getResult(0).getType(), op->getLoc());
  FailureOr<int64_t> dim = c.integer(op, "dimension");
  if (failed(dim) || !result)
    return failure();
  if (*dim < 0 || *dim >= type.getRank() ||
      !result.getElementType().isInteger())
    return emitError(op->getLoc())
           << "expected 'dimension' of '" << op->getName() << "' below "
           << type.getRank() << ", got " << *dim;
  results.push_back(c.splat(
      result, APInt(result.getElementTypeBitWidth(), type.getDimSize(*dim))));
  return success();
}

/// A size that is what the dimension has.
static LogicalResult convertSetSize(Operation *op, ValueRange operands,
                                    Conversion &c,
                                    SmallVectorImpl<Value> &results) {
  FailureOr<SmallVector<int64_t>> size = knownOperand(op, 1, 1);
  FailureOr<int64_t> dim = c.integer(op, "dimension");
  if (failed(size) || failed(dim))
    return failure();
  RankedTensorType type = typeOf(operands[0]);
  if (*dim < 0 || *dim >= type.getRank() ||
      size->front() != type.getDimSize(*dim)) {
    InFlightDiagnostic error = emitError(op->getLoc());
    error << "expected the size of a dimension of " << type << " in '"
          << op->getName() << "', got " << size->front() << " for dimension "
          << *dim;
    noteAlternative(error, &unsupportedKind(op));
    return failure();
  }
  results.push_back(operands[0]);
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Converts `op` as `name` of its first `count` operands, with `added` beside
/// the attributes that both have.
static LogicalResult convertAs(Operation *op, StringRef name, unsigned count,
                               ArrayRef<NamedAttribute> added, Conversion &c,
                               SmallVectorImpl<Value> &results) {
  Value result = c.expand(op, name, op->getOperands().take_front(count),
                          op->getResult(0).getType(), added);
  if (!result)
    return failure();
  results.push_back(c.lookup(result));
  return success();
}

/// `dynamic_reshape`, `dynamic_broadcast_in_dim` and `dynamic_iota` have a
/// static type, which says what their last operand does.
static LogicalResult convertByType(Operation *op, ValueRange operands,
                                   Conversion &c,
                                   SmallVectorImpl<Value> &results) {
  StringRef name = op->getName().getStringRef();
  name.consume_front("stablehlo.dynamic_");
  return convertAs(op, ("stablehlo." + name).str(), op->getNumOperands() - 1,
                   {}, c, results);
}

static LogicalResult convertDynamicPad(Operation *op, ValueRange operands,
                                       Conversion &c,
                                       SmallVectorImpl<Value> &results) {
  static constexpr StringLiteral kNames[] = {
      "edge_padding_low", "edge_padding_high", "interior_padding"};
  SmallVector<NamedAttribute> attributes;
  for (auto [i, name] : llvm::enumerate(kNames)) {
    FailureOr<SmallVector<int64_t>> values =
        knownOperand(op, i + 2, typeOf(operands[0]).getRank());
    if (failed(values))
      return failure();
    attributes.push_back(
        c.builder.getNamedAttr(name, c.builder.getDenseI64ArrayAttr(*values)));
  }
  return convertAs(op, "stablehlo.pad", 2, attributes, c, results);
}

static LogicalResult convertDynamicGather(Operation *op, ValueRange operands,
                                          Conversion &c,
                                          SmallVectorImpl<Value> &results) {
  FailureOr<SmallVector<int64_t>> sizes =
      knownOperand(op, 2, typeOf(operands[0]).getRank());
  if (failed(sizes))
    return failure();
  return convertAs(op, "stablehlo.gather", 2,
                   c.builder.getNamedAttr(
                       "slice_sizes", c.builder.getDenseI64ArrayAttr(*sizes)),
                   c, results);
}

static LogicalResult convertDynamicConv(Operation *op, ValueRange operands,
                                        Conversion &c,
                                        SmallVectorImpl<Value> &results) {
  int64_t spatial = typeOf(operands[0]).getRank() - 2;
  FailureOr<SmallVector<int64_t>> padding = knownOperand(op, 2, 2 * spatial);
  if (failed(padding))
    return failure();
  auto type = RankedTensorType::get({spatial, 2}, c.builder.getI64Type());
  return convertAs(
      op, "stablehlo.convolution", 2,
      c.builder.getNamedAttr(
          "padding", DenseElementsAttr::get(type, ArrayRef<int64_t>(*padding))),
      c, results);
}

/// A slice whose start moves has a size and steps of one: that is a
/// `dynamic_slice`, but that StableHLO leaves open what is beyond the end.
static LogicalResult convertRealDynamicSlice(Operation *op, ValueRange operands,
                                             Conversion &c,
                                             SmallVectorImpl<Value> &results) {
  RankedTensorType type = typeOf(operands[0]);
  RankedTensorType result =
      c.convertType(op->getResult(0).getType(), op->getLoc());
  FailureOr<SmallVector<int64_t>> strides = knownOperand(op, 3, type.getRank());
  if (!result || failed(strides))
    return failure();
  if (result.getRank() != type.getRank())
    return emitError(op->getLoc())
           << "expected a result of '" << op->getName() << "' of rank "
           << type.getRank() << ", got " << result;
  std::optional<SmallVector<int64_t>> starts =
      constantIntegers(op->getOperand(1));
  if (starts && starts->size() == size_t(type.getRank())) {
    SmallVector<int64_t> limits;
    for (auto [start, size, stride] :
         llvm::zip_equal(*starts, result.getShape(), *strides))
      limits.push_back(size ? start + (size - 1) * stride + 1 : start);
    results.push_back(SliceOp::create(c.builder, result, operands[0], *starts,
                                      limits, *strides));
    return success();
  }
  RankedTensorType indices = typeOf(operands[1]);
  if (indices.getShape() != ArrayRef{type.getRank()} ||
      llvm::any_of(*strides, [](int64_t stride) { return stride != 1; }))
    return knownOperand(op, 1, type.getRank());
  SmallVector<Value> startValues;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value startValue = SliceOp::create(c.builder, indices.clone({1}),
                                       operands[1], dim, dim + 1, 1);
    startValues.push_back(ReshapeOp::create(
        c.builder, indices.clone(ArrayRef<int64_t>()), startValue));
  }
  results.push_back(
      DynamicSliceOp::create(c.builder, result, operands[0], startValues));
  return success();
}

/// What a program asserts of its shapes is known to hold, or is an error.
static LogicalResult convertAssertion(Operation *op, ValueRange operands,
                                      Conversion &c, SmallVectorImpl<Value> &) {
  auto holds = dyn_cast_or_null<IntegerAttr>(
      operands.empty() ? Attribute() : constantElement(operands[0]));
  if (holds && !holds.getValue().isZero())
    return success();
  InFlightDiagnostic error = emitError(op->getLoc());
  error << "expected shapes of which an assertion of the model holds";
  if (auto message = op->getAttrOfType<StringAttr>("error_message"))
    error << ": " << message.getValue();
  noteAlternative(error, &unsupportedKind(op));
  return failure();
}

/// Attributes are those of the static operations, and what is known of an
/// expansion.
void tessera::importer::addDynamicShapes(ConversionTable &table) {
  static constexpr StringLiteral kSize[] = {"dimension"},
                                 kBroadcast[] = {"broadcast_dimensions",
                                                 "known_expanding_dimensions",
                                                 "known_nonexpanding_"
                                                 "dimensions"},
                                 kIota[] = {"iota_dimension"},
                                 kGather[] = {"dimension_numbers",
                                              "indices_are_sorted"},
                                 kConvolution[] = {"window_strides",
                                                   "lhs_dilation",
                                                   "rhs_dilation",
                                                   "window_reversal",
                                                   "dimension_numbers",
                                                   "precision_config",
                                                   "feature_group_count",
                                                   "batch_group_"
                                                   "count"},
                                 kAssertion[] = {
                                     "call_target_name", "has_side_effect",
                                     "backend_config", "api_version",
                                     "error_message"};
  static const OpConversion rows[] = {
      {"stablehlo.get_dimension_size", convertGetSize, 1, 1, 0, kSize},
      {"stablehlo.set_dimension_size", convertSetSize, 2, 1, 0, kSize},
      {"stablehlo.dynamic_reshape", convertByType, 2},
      {"stablehlo.dynamic_broadcast_in_dim", convertByType, 2, 1, 0,
       kBroadcast},
      {"stablehlo.dynamic_iota", convertByType, 1, 1, 0, kIota},
      {"stablehlo.dynamic_pad", convertDynamicPad, 5},
      {"stablehlo.dynamic_gather", convertDynamicGather, 3, 1, 0, kGather},
      {"stablehlo.dynamic_conv", convertDynamicConv, 3, 1, 0, kConvolution},
      {"stablehlo.real_dynamic_slice", convertRealDynamicSlice, 4},
      {"stablehlo.custom_call@shape_assertion", convertAssertion,
       OpConversion::kAny, 0, 0, kAssertion},
  };
  addRows(table, rows);
}
