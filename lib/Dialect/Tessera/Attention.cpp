//===- Attention.cpp - verifiers and indexing maps of attention -----------===//

#include "IndexingModels.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;

static constexpr int64_t kNone = IndexingMaps::kNone;

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

namespace {

/// Checks the tensors of an operation on attention against the sizes that
/// query, key and value give.
template <typename Op> class AttentionCheck {
public:
  explicit AttentionCheck(Op op)
      : op(op), query(shapeOf(op.getQuery())), key(shapeOf(op.getKey())),
        value(shapeOf(op.getValue())) {}

  /// Query, key, value, bias, masks and the rows' maxima and sums.
  LogicalResult run(Value maximum, Value sum) {
    if (failed(checkShape("key", op.getKey(),
                          {query[0], key[1], key[2], query[3]})) ||
        failed(checkShape("value", op.getValue(),
                          {query[0], key[1], key[2], value[3]})))
      return failure();
    if (key[1] == 0 || query[1] % key[1] != 0)
      return op.emitOpError() << "expected a multiple of the " << key[1]
                              << " key heads as query heads, got " << query[1];
    if (query[3] == 0 || key[2] == 0)
      return op.emitOpError("expected at least one feature and one key");
    for (Value bias : op.getBiases())
      if (failed(checkBroadcast("bias", bias)))
        return failure();
    if (failed(checkBroadcast("mask", op.getMask())) ||
        failed(checkBroadcast("keep", op.getKeep())))
      return failure();
    if (bool(op.getKeep()) != op.getKeepScale().has_value())
      return op.emitOpError("expected both of keep and keep_scale, or neither");
    if (op.getSoftcap() && !(op.getSoftcap()->convertToDouble() > 0))
      return op.emitOpError() << "expected a positive softcap, got "
                              << op.getSoftcap()->convertToDouble();
    Type row = getElementTypeOrSelf(op.getQuery()).isF64()
                   ? Float64Type::get(op.getContext())
                   : Type(Float32Type::get(op.getContext()));
    auto rows = RankedTensorType::get({query[0], query[1], query[2]}, row);
    for (auto [what, type] : {std::pair("maximum", maximum.getType()),
                              std::pair("sum", sum.getType())})
      if (type != rows)
        return op.emitOpError() << "expected " << what << " of type " << rows
                                << ", got " << type;
    return success();
  }

  LogicalResult checkShape(StringRef what, Value tensor,
                           ArrayRef<int64_t> expected) {
    if (shapeOf(tensor) == expected)
      return success();
    InFlightDiagnostic error = op.emitOpError()
                               << "expected " << what << " of shape ";
    llvm::interleave(expected, error, "x");
    return error << ", got " << tensor.getType();
  }

  /// The shape of the output.
  SmallVector<int64_t> outputShape() const {
    return {query[0], query[1], query[2], value[3]};
  }

  /// That `tensor`, if there is one, has the sizes of the scores or 1.
  LogicalResult checkBroadcast(StringRef what, Value tensor) {
    if (!tensor)
      return success();
    int64_t scores[] = {query[0], query[1], query[2], key[2]};
    for (auto [dim, size] : llvm::enumerate(shapeOf(tensor)))
      if (size != 1 && size != scores[dim])
        return op.emitOpError()
               << "expected " << what << " dimension " << dim
               << " of size 1 or " << scores[dim] << ", got " << size;
    return success();
  }

private:
  Op op;
  ArrayRef<int64_t> query, key, value;
};

} // namespace

LogicalResult AttentionOp::verify() {
  AttentionCheck check(*this);
  if (failed(check.run(getMaximum(), getSum())))
    return failure();
  return check.checkShape("output", getOutput(), check.outputShape());
}

LogicalResult AttentionGradientOp::verify() {
  AttentionCheck check(*this);
  if (failed(check.run(getMaximum(), getSum())) ||
      failed(check.checkShape("output", getOutput(), check.outputShape())) ||
      failed(check.checkShape("output gradient", getOutputGradient(),
                              check.outputShape())) ||
      failed(check.checkShape("query gradient", getQueryGradient(),
                              shapeOf(getQuery()))) ||
      failed(check.checkShape("key gradient", getKeyGradient(),
                              shapeOf(getKey()))))
    return failure();
  if (failed(check.checkShape("value gradient", getValueGradient(),
                              shapeOf(getValue()))))
    return failure();
  return check.checkBroadcast("bias gradient", getBiasGradient());
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

namespace {

/// Adds the dimensions of an operation on attention: those of the scores, of
/// which bias, mask and the like have some, and the features.
template <typename Op> class AttentionMaps {
public:
  explicit AttentionMaps(Op op) : op(op), maps(op) {}

  /// A part of dimension `scoreDim` (`kNone`: of none) of the scores, which
  /// has `scoreSize` there.
  void add(int64_t size, ArrayRef<int64_t> operands, int64_t scoreDim,
           int64_t scoreSize, ArrayRef<int64_t> results, FactorKind kind) {
    SmallVector<int64_t> operandDims(operands), resultDims(results);
    SmallVector<Value> tensors(op.getBiases());
    for (Value tensor : {op.getMask(), op.getKeep()})
      if (tensor)
        tensors.push_back(tensor);
    for (Value tensor : tensors)
      operandDims.push_back(dimOf(tensor, scoreDim, scoreSize));
    if constexpr (std::is_same_v<Op, AttentionGradientOp>)
      if (Value gradient = op.getBiasGradient()) {
        resultDims.push_back(dimOf(gradient, scoreDim, scoreSize));
        // What the other results have, this one has summed up.
        if (scoreDim != kNone && resultDims.back() == kNone)
          kind = FactorKind::NeedReplication;
      }
    maps.addDim(size, operandDims, resultDims, kind);
  }
  IndexingMaps take() { return std::move(maps); }

private:
  /// `dim` where `tensor` has this dimension in full, else none.
  static int64_t dimOf(Value tensor, int64_t dim, int64_t size) {
    return dim != kNone && shapeOf(tensor)[dim] == size ? dim : kNone;
  }

  Op op;
  IndexingMaps maps;
};

} // namespace

/// Batch and heads split freely. A row of scores needs all keys and features,
/// and where rows see different keys by their index, the indices as well. Query
/// heads that share a key head are the minor factor of theirs.
IndexingMaps tessera::mapsOf(AttentionOp op) {
  AttentionMaps<AttentionOp> maps(op);
  ArrayRef<int64_t> query = shapeOf(op.getQuery()),
                    value = shapeOf(op.getValue());
  int64_t keyHeads = value[1], group = query[1] / keyHeads;
  FactorKind free = FactorKind::PassThrough,
             whole = FactorKind::NeedReplication;
  maps.add(query[0], {0, 0, 0}, 0, query[0], {0, 0, 0}, free);
  maps.add(keyHeads, {1, 1, 1}, 1, query[1], {1, 1, 1}, free);
  maps.add(group, {1, kNone, kNone}, 1, query[1], {1, 1, 1}, free);
  maps.add(query[2], {2, kNone, kNone}, 2, query[2], {2, 2, 2},
           op.getCausal() ? whole : free);
  maps.add(value[2], {kNone, 2, 2}, 3, value[2], {kNone, kNone, kNone}, whole);
  maps.add(query[3], {3, 3, kNone}, kNone, 0, {kNone, kNone, kNone}, whole);
  maps.add(value[3], {kNone, kNone, 3}, kNone, 0, {3, kNone, kNone}, free);
  return maps.take();
}

/// Batch and key heads split freely; whatever else is summed over in one of the
/// results is a dimension of another.
IndexingMaps tessera::mapsOf(AttentionGradientOp op) {
  AttentionMaps<AttentionGradientOp> maps(op);
  ArrayRef<int64_t> query = shapeOf(op.getQuery()),
                    value = shapeOf(op.getValue());
  int64_t keyHeads = value[1], group = query[1] / keyHeads;
  FactorKind free = FactorKind::PassThrough,
             whole = FactorKind::NeedReplication;
  maps.add(query[0], {0, 0, 0, 0, 0, 0, 0}, 0, query[0], {0, 0, 0}, free);
  maps.add(keyHeads, {1, 1, 1, 1, 1, 1, 1}, 1, query[1], {1, 1, 1}, free);
  maps.add(group, {1, kNone, kNone, 1, 1, 1, 1}, 1, query[1], {1, kNone, kNone},
           whole);
  maps.add(query[2], {2, kNone, kNone, 2, 2, 2, 2}, 2, query[2],
           {2, kNone, kNone}, whole);
  maps.add(value[2], {kNone, 2, 2, kNone, kNone, kNone, kNone}, 3, value[2],
           {kNone, 2, 2}, whole);
  maps.add(query[3], {3, 3, kNone, kNone, kNone, kNone, kNone}, kNone, 0,
           {3, 3, kNone}, whole);
  maps.add(value[3], {kNone, kNone, 3, 3, kNone, kNone, 3}, kNone, 0,
           {kNone, kNone, 3}, whole);
  return maps.take();
}
