//===- RaggedDot.cpp - CHLO's products with groups of several sizes -------===//
//
// The left operand's ragged dimension holds groups one behind the other, as
// long as a third operand says; what is behind the last one belongs to none.
// Masked to each group, it gets a dimension of groups, and the product is a
// matmul as any other: one that splits over devices by groups too.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

/// The dimension of groups, and how the left operand is masked to them.
class Groups {
public:
  Groups(Conversion &c, Value sizes)
      : c(c), b(c.builder), sizes(sizes), count(shapeOf(sizes)[0]) {}

  /// `x` once per group, with zeros where dimension `dim` holds others; groups
  /// are the first dimension.
  Value mask(Value x, int64_t dim);

private:
  /// For every group, how many elements stand in those before it.
  Value starts();

  Conversion &c;
  ImplicitLocOpBuilder &b;
  Value sizes;
  int64_t count;
};

} // namespace

/// A sum of the sizes of the lower groups.
Value Groups::starts() {
  RankedTensorType type = typeOf(sizes);
  auto square = type.clone({count, count});
  Value row = IotaOp::create(b, square, 0),
        column = IotaOp::create(b, square, 1);
  Value isBefore =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, column, row);
  Value each = BroadcastOp::create(b, square, sizes, ArrayRef<int64_t>{1});
  Value before = arith::SelectOp::create(b, isBefore, each, c.zeros(square));
  return ReduceOp::create(
      b, type, ReductionAttr::get(b.getContext(), ReductionKind::Sum), before,
      ArrayRef<int64_t>{1});
}

Value Groups::mask(Value x, int64_t dim) {
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> shape = {count};
  llvm::append_range(shape, type.getShape());
  auto wide = type.clone(shape);
  auto indexType = wide.clone(typeOf(sizes).getElementType());
  auto perGroup = [&](Value value) -> Value {
    return BroadcastOp::create(b, indexType, value, ArrayRef<int64_t>{0});
  };
  Value start = starts(), end = arith::AddIOp::create(b, start, sizes);
  Value index = IotaOp::create(b, indexType, dim + 1);
  Value isIn =
      arith::AndIOp::create(b,
                            arith::CmpIOp::create(b, arith::CmpIPredicate::sle,
                                                  perGroup(start), index),
                            arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                                  index, perGroup(end)));
  Value each = BroadcastOp::create(
      b, wide, x, llvm::to_vector(llvm::seq<int64_t>(1, type.getRank() + 1)));
  return arith::SelectOp::create(b, isIn, each, c.zeros(wide));
}

/// The dimensions of the same product when the left operand has a first one of
/// groups: contracted with that of the right operand where a row belongs to a
/// group, first of the result where groups are summed over.
static void addGroups(RaggedDotDims &dims, bool isContracting, int64_t group) {
  for (auto *list : {&dims.dot.lhsBatching, &dims.dot.lhsContracting})
    for (int64_t &dim : *list)
      ++dim;
  if (isContracting)
    return;
  dims.dot.lhsContracting.push_back(0);
  dims.dot.rhsContracting.push_back(group);
}

/// Masks the left operand unless its ragged dimension is a batch, where groups
/// are only what is paired anyway; then contracts, and puts groups in front.
static LogicalResult convertRaggedDot(Operation *op, ValueRange operands,
                                      Conversion &c,
                                      SmallVectorImpl<Value> &results) {
  FailureOr<RaggedDotDims> dims =
      c.parsed(op, "ragged_dot_dimension_numbers", parseRaggedDotDims);
  RankedTensorType type =
      c.convertType(op->getResult(0).getType(), op->getLoc());
  if (failed(dims) || !type)
    return failure();
  Value lhs = operands[0], rhs = operands[1];
  int64_t ragged = dims->lhsRagged.size() == 1 ? dims->lhsRagged[0] : -1;
  bool isBatch = llvm::is_contained(dims->dot.lhsBatching, ragged);
  bool isContracting = llvm::is_contained(dims->dot.lhsContracting, ragged);
  bool isGrouped = !isBatch && !isContracting;
  if (ragged < 0 || ragged >= typeOf(lhs).getRank() ||
      typeOf(operands[2]).getRank() != 1 ||
      dims->rhsGroup.size() != size_t(isGrouped))
    return emitError(op->getLoc())
           << "unsupported '" << op->getName()
           << "': expected one ragged dimension, groups of one size for all "
              "batches, and a dimension of groups where it is neither batched "
              "nor contracted";
  size_t batches = dims->dot.lhsBatching.size();
  if (isContracting && size_t(type.getRank()) <= batches)
    return emitError(op->getLoc())
           << "expected a result of '" << op->getName()
           << "' with a dimension of groups before its batches, got " << type;
  if (!isBatch)
    lhs = Groups(c, operands[2]).mask(lhs, ragged);
  if (!isBatch)
    addGroups(*dims, isContracting, isGrouped ? dims->rhsGroup[0] : 0);
  Type element = type.getElementType();
  lhs = widenInteger(lhs, op->getOperand(0).getType(), element, c);
  rhs = widenInteger(rhs, op->getOperand(1).getType(), element, c);
  // Behind the batches comes what is left of the left operand, groups first.
  SmallVector<int64_t> shape(type.getShape()), order;
  if (isContracting && batches) {
    int64_t groups = shape.front();
    shape.erase(shape.begin());
    shape.insert(shape.begin() + batches, groups);
    order = llvm::to_vector(llvm::seq<int64_t>(shape.size()));
    order.erase(order.begin() + batches);
    order.insert(order.begin(), batches);
  }
  Value product =
      DotGeneralOp::create(c.builder, type.clone(shape), lhs, rhs,
                           dims->dot.lhsBatching, dims->dot.rhsBatching,
                           dims->dot.lhsContracting, dims->dot.rhsContracting);
  if (!order.empty())
    product = TransposeOp::create(c.builder, type, product, order);
  results.push_back(product);
  return success();
}

void tessera::importer::addRaggedDot(ConversionTable &table) {
  // `precision_config` asks for at least what is done anyway.
  static constexpr StringLiteral kRaggedDot[] = {"ragged_dot_dimension_numbers",
                                                 "precision_config"};
  static const OpConversion rows[] = {
      {"chlo.ragged_dot", convertRaggedDot, 3, 1, 0, kRaggedDot},
  };
  addRows(table, rows);
}
