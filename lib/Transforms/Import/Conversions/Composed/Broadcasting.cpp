//===- Broadcasting.cpp - CHLO's operations on tensors of several shapes --===//
//
// `chlo.broadcast_add` is `stablehlo.add` of operands repeated as NumPy does:
// dimensions are aligned at the last one, those of size 1 are repeated.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// Foreign `operand` repeated to `shape`, along `dims` or else along the last
/// dimensions. Null after a diagnostic.
static Value repeat(Operation *op, Value operand, ArrayRef<int64_t> shape,
                    std::optional<ArrayRef<int64_t>> dims, Conversion &c) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  if (type && type.getShape() == shape)
    return operand;
  int64_t rank = shape.size();
  if (!type || type.getRank() > rank)
    return emitError(op->getLoc())
               << "expected operands of '" << op->getName()
               << "' of at most rank " << rank << ", got " << operand.getType(),
           nullptr;
  auto last = llvm::to_vector(llvm::seq(rank - type.getRank(), rank));
  bool isAligned = !dims || dims->size() != size_t(type.getRank());
  NamedAttribute attribute = c.builder.getNamedAttr(
      "broadcast_dimensions",
      c.builder.getDenseI64ArrayAttr(isAligned ? last : *dims));
  return c.expand(op, "stablehlo.broadcast_in_dim", operand, type.clone(shape),
                  attribute);
}

/// The operation without `broadcast_`: CHLO's own, or else StableHLO's.
static std::string plainName(Operation *op) {
  StringRef name = op->getName().getStringRef();
  name.consume_front("chlo.broadcast_");
  bool isOwn = llvm::is_contained({"next_after", "polygamma", "zeta"}, name);
  return ((isOwn ? "chlo." : "stablehlo.") + name).str();
}

static LogicalResult convertBroadcasting(Operation *op, ValueRange operands,
                                         Conversion &c,
                                         SmallVectorImpl<Value> &results) {
  RankedTensorType type =
      c.convertType(op->getResult(0).getType(), op->getLoc());
  if (!type)
    return failure();
  std::optional<SmallVector<int64_t>> dims;
  if (op->getAttr("broadcast_dimensions")) {
    FailureOr<SmallVector<int64_t>> given =
        c.integers(op, "broadcast_dimensions");
    if (failed(given))
      return failure();
    dims = *given;
  }
  SmallVector<Value> repeated;
  for (Value operand : op->getOperands()) {
    repeated.push_back(repeat(op, operand, type.getShape(), dims, c));
    if (!repeated.back())
      return failure();
  }
  Value result =
      c.expand(op, plainName(op), repeated, op->getResult(0).getType());
  if (!result)
    return failure();
  results.push_back(c.lookup(result));
  return success();
}

/// One number in every element of a tensor of the operand's type.
static LogicalResult convertConstantLike(Operation *op, ValueRange operands,
                                         Conversion &c,
                                         SmallVectorImpl<Value> &results) {
  RankedTensorType type = typeOf(operands[0]);
  Attribute value = op->getAttr("value");
  if (auto number = dyn_cast_or_null<FloatAttr>(value);
      number && number.getType() == type.getElementType()) {
    results.push_back(c.splat(type, number.getValue()));
    return success();
  }
  auto number = dyn_cast_or_null<IntegerAttr>(value);
  if (!number || !type.getElementType().isInteger() ||
      number.getValue().getBitWidth() != type.getElementTypeBitWidth())
    return emitError(op->getLoc())
           << "expected a number of type " << type.getElementType()
           << " as attribute 'value' of '" << op->getName() << "'";
  results.push_back(c.splat(type, number.getValue()));
  return success();
}

/// A row for each operation that has one without `broadcast_`.
void tessera::importer::addBroadcasting(ConversionTable &table) {
  static constexpr StringLiteral kDims[] = {"broadcast_dimensions"},
                                 kCompare[] = {"broadcast_dimensions",
                                               "comparison_direction",
                                               "compare_type"},
                                 kConstantLike[] = {"value"};
  static const OpConversion rows[] = {
      {"chlo.broadcast_add", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_and", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_atan2", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_compare", convertBroadcasting, 2, 1, 0, kCompare},
      {"chlo.broadcast_divide", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_maximum", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_minimum", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_multiply", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_next_after", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_or", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_polygamma", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_power", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_remainder", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_select", convertBroadcasting, 3, 1, 0},
      {"chlo.broadcast_shift_left", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_shift_right_arithmetic", convertBroadcasting, 2, 1, 0,
       kDims},
      {"chlo.broadcast_shift_right_logical", convertBroadcasting, 2, 1, 0,
       kDims},
      {"chlo.broadcast_subtract", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_xor", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.broadcast_zeta", convertBroadcasting, 2, 1, 0, kDims},
      {"chlo.constant_like", convertConstantLike, 1, 1, 0, kConstantLike},
  };
  addRows(table, rows);
}
