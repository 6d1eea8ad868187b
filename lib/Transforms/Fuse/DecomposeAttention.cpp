//===- DecomposeAttention.cpp - attention in single operations ------------===//

#include "Attention/AttentionKernels.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Fuse/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/Support/DebugLog.h"

#include <limits>

#define DEBUG_TYPE "tessera-decompose-attention"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

namespace tessera::fuse {
#define GEN_PASS_DEF_DECOMPOSEATTENTION
#include "tessera/Transforms/Fuse/Passes.h.inc"
} // namespace tessera::fuse

namespace {

/// Writes out an operation on attention. Scores are [batch, heads, queries,
/// keys]; for matmuls, heads are split into [key heads, group].
template <typename Op> class Decomposition {
public:
  explicit Decomposition(Op op)
      : op(op), b(op.getLoc(), op), row(getElementTypeOrSelf(op.getMaximum())),
        keyHeads(typeOf(op.getKey()).getDimSize(1)) {}

  void run();

private:
  Value convert(Value value, Type element) {
    auto type = typeOf(value).clone(element);
    if (type == value.getType())
      return value;
    if (element.getIntOrFloatBitWidth() >
        typeOf(value).getElementTypeBitWidth())
      return arith::ExtFOp::create(b, type, value);
    if (element.getIntOrFloatBitWidth() ==
        typeOf(value).getElementTypeBitWidth())
      return convert(convert(value, row), element);
    return arith::TruncFOp::create(b, type, value);
  }

  Value splat(RankedTensorType type, double number) {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(
               type, b.getFloatAttr(type.getElementType(), number)));
  }

  /// Repeats one value per row along a last dimension of `size`.
  Value alongRow(Value rows, int64_t size) {
    SmallVector<int64_t> shape(typeOf(rows).getShape());
    shape.push_back(size);
    return BroadcastOp::create(b, typeOf(rows).clone(shape), rows,
                               ArrayRef<int64_t>{0, 1, 2});
  }

  Value reduceRows(ReductionKind kind, Value value) {
    return ReduceOp::create(
        b, typeOf(value).clone(typeOf(value).getShape().drop_back()),
        ReductionAttr::get(b.getContext(), kind), value, ArrayRef<int64_t>{3});
  }

  /// Four dimensions with one per query head become five, and back.
  Value splitHeads(Value value) {
    ArrayRef<int64_t> shape = typeOf(value).getShape();
    return ReshapeOp::create(
        b,
        typeOf(value).clone(
            {shape[0], keyHeads, shape[1] / keyHeads, shape[2], shape[3]}),
        value);
  }
  Value joinHeads(Value value) {
    ArrayRef<int64_t> shape = typeOf(value).getShape();
    return ReshapeOp::create(b,
                             typeOf(value).clone({shape[0], shape[1] * shape[2],
                                                  shape[3], shape[4]}),
                             value);
  }

  /// [heads, queries, a] with [key heads, keys, a] (`last`) or with [key heads,
  /// a, keys]: one row of results per query.
  Value perQuery(Value rows, Value perKey, bool last, Type element) {
    Value left = splitHeads(rows);
    ArrayRef<int64_t> shape = typeOf(left).getShape(),
                      keys = typeOf(perKey).getShape();
    auto type = RankedTensorType::get(
        {shape[0], shape[1], shape[2], shape[3], keys[last ? 2 : 3]}, element);
    return joinHeads(DotGeneralOp::create(
        b, type, left, convert(perKey, typeOf(rows).getElementType()),
        ArrayRef<int64_t>{0, 1}, ArrayRef<int64_t>{0, 1}, ArrayRef<int64_t>{4},
        ArrayRef<int64_t>{last ? 3 : 2}));
  }

  /// Sums over the queries, and over the heads of a group.
  Value perKey(Value scores, Value rows, Type element) {
    Value left = splitHeads(scores),
          right = splitHeads(convert(rows, typeOf(scores).getElementType()));
    ArrayRef<int64_t> shape = typeOf(left).getShape();
    auto type = RankedTensorType::get(
        {shape[0], shape[1], shape[4], typeOf(right).getShape().back()},
        element);
    SmallVector<int64_t> batching = {0, 1}, contracting = {2, 3};
    return DotGeneralOp::create(b, type, left, right, batching, batching,
                                contracting, contracting);
  }

  Value repeat(Value value, RankedTensorType like) {
    auto type = like.clone(typeOf(value).getElementType());
    if (type == value.getType())
      return value;
    return BroadcastOp::create(b, type, value, ArrayRef<int64_t>{0, 1, 2, 3});
  }

  /// Where scores of this type are kept; null if everywhere.
  Value makeMask(RankedTensorType type) {
    Value mask = op.getMask() ? repeat(op.getMask(), type) : Value();
    if (!op.getCausal())
      return mask;
    auto index = type.clone(b.getI64Type());
    Value query = IotaOp::create(b, index, 2),
          key = IotaOp::create(b, index, 3);
    Value offset = arith::ConstantOp::create(
        b, DenseElementsAttr::get(index, b.getI64IntegerAttr(*op.getCausal())));
    Value last = arith::AddIOp::create(b, query, offset);
    Value causal =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sle, key, last);
    return mask ? arith::AndIOp::create(b, mask, causal).getResult() : causal;
  }

  Value makeScores() {
    Value scores = perQuery(op.getQuery(), op.getKey(), /*last=*/true, row);
    RankedTensorType type = typeOf(scores);
    scores = arith::MulFOp::create(
        b, scores, splat(type, op.getScale().convertToDouble()));
    if (op.getSoftcap()) {
      double cap = op.getSoftcap()->convertToDouble();
      capped = math::TanhOp::create(
          b, arith::DivFOp::create(b, scores, splat(type, cap)));
      scores = arith::MulFOp::create(b, capped, splat(type, cap));
    }
    for (Value bias : op.getBiases())
      scores =
          arith::AddFOp::create(b, scores, repeat(convert(bias, row), type));
    mask = makeMask(type);
    if (!mask)
      return scores;
    double fill = op.getFill() ? op.getFill()->convertToDouble()
                               : -std::numeric_limits<double>::infinity();
    return arith::SelectOp::create(b, mask, scores, splat(type, fill));
  }

  /// The sum of the gradients of scores that read the same element of the bias.
  Value sumToBias(Value gradient);

  /// Whether all scores of a row may be minus infinity.
  bool mayBeEmpty() {
    bool hides =
        op.getMask() || (op.getCausal() && int64_t(*op.getCausal()) < 0);
    return !op.getBiases().empty() || (hides && !op.getFill());
  }

  /// `rows`, but `other` where it is `number`.
  Value replaceNumber(Value rows, double number, double other) {
    if (!mayBeEmpty())
      return rows;
    RankedTensorType type = typeOf(rows);
    Value is = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, rows,
                                     splat(type, number));
    return arith::SelectOp::create(b, is, splat(type, other), rows);
  }

  /// exp(scores - maximum)
  Value exponential(Value scores, Value maximum) {
    maximum =
        replaceNumber(maximum, -std::numeric_limits<double>::infinity(), 0);
    Value shifted = arith::SubFOp::create(
        b, scores, alongRow(maximum, typeOf(scores).getShape().back()));
    return math::ExpOp::create(b, shifted);
  }
  /// What dropout leaves of `value`, probabilities or their gradient.
  Value drop(Value value) {
    if (!op.getKeep())
      return value;
    RankedTensorType type = typeOf(value);
    Value scaled = arith::MulFOp::create(
        b, value, splat(type, op.getKeepScale()->convertToDouble()));
    return arith::SelectOp::create(b, repeat(op.getKeep(), type), scaled,
                                   splat(type, 0));
  }
  Value divideRows(Value value, Value sums) {
    sums = replaceNumber(sums, 0, 1);
    return arith::DivFOp::create(
        b, value, alongRow(sums, typeOf(value).getShape().back()));
  }

  Op op;
  ImplicitLocOpBuilder b;
  /// The type of scores and of what there is one of per row.
  Type row;
  int64_t keyHeads;
  /// Where scores are kept, and the hyperbolic tangent that caps them; null if
  /// there is none.
  Value mask, capped;
};

} // namespace

template <> void Decomposition<AttentionOp>::run() {
  Value scores = makeScores();
  Value maximum = reduceRows(ReductionKind::Max, scores);
  Value exponentials = exponential(scores, maximum);
  Value sum = reduceRows(ReductionKind::Sum, exponentials);
  Value probabilities = convert(drop(divideRows(exponentials, sum)),
                                typeOf(op.getValue()).getElementType());
  Value output = perQuery(probabilities, op.getValue(), /*last=*/false,
                          typeOf(op.getOutput()).getElementType());
  op->replaceAllUsesWith(ValueRange{output, maximum, sum});
  op->erase();
}

template <>
Value Decomposition<AttentionGradientOp>::sumToBias(Value gradient) {
  RankedTensorType type = typeOf(op.getBiasGradient());
  SmallVector<int64_t> repeated, kept;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.getDimSize(dim) != typeOf(gradient).getDimSize(dim))
      repeated.push_back(dim);
    else
      kept.push_back(type.getDimSize(dim));
  if (!repeated.empty()) {
    auto sum = ReductionAttr::get(b.getContext(), ReductionKind::Sum);
    gradient = ReduceOp::create(b, typeOf(gradient).clone(kept), sum, gradient,
                                repeated);
    gradient =
        ReshapeOp::create(b, typeOf(gradient).clone(type.getShape()), gradient);
  }
  return convert(gradient, type.getElementType());
}

template <> void Decomposition<AttentionGradientOp>::run() {
  Type element = typeOf(op.getValue()).getElementType();
  Value outputGradient = convert(op.getOutputGradient(), element);
  Value probabilities =
      divideRows(exponential(makeScores(), op.getMaximum()), op.getSum());
  Value products = arith::MulFOp::create(b, convert(op.getOutput(), row),
                                         convert(outputGradient, row));
  Value delta = reduceRows(ReductionKind::Sum, products);
  Value gradient = perQuery(outputGradient, op.getValue(), /*last=*/true, row);
  RankedTensorType type = typeOf(gradient);
  gradient = arith::SubFOp::create(b, drop(gradient),
                                   alongRow(delta, type.getShape().back()));
  gradient = arith::MulFOp::create(b, probabilities, gradient);
  if (mask)
    gradient = arith::SelectOp::create(b, mask, gradient, splat(type, 0));
  SmallVector<Value> bias;
  if (op.getBiasGradient())
    bias.push_back(sumToBias(gradient));
  if (capped) {
    Value square = arith::MulFOp::create(b, capped, capped);
    gradient = arith::MulFOp::create(
        b, gradient, arith::SubFOp::create(b, splat(type, 1), square));
  }
  gradient = arith::MulFOp::create(
      b, gradient, splat(type, op.getScale().convertToDouble()));
  gradient = convert(gradient, element);
  Value query = perQuery(gradient, op.getKey(), /*last=*/false,
                         typeOf(op.getQueryGradient()).getElementType());
  Value key = perKey(gradient, op.getQuery(),
                     typeOf(op.getKeyGradient()).getElementType());
  Value value = perKey(convert(drop(probabilities), element), outputGradient,
                       typeOf(op.getValueGradient()).getElementType());
  SmallVector<Value> results = {query, key, value};
  llvm::append_range(results, bias);
  op->replaceAllUsesWith(results);
  op->erase();
}

namespace {

struct DecomposeAttention
    : public tessera::fuse::impl::DecomposeAttentionBase<DecomposeAttention> {
  using DecomposeAttentionBase::DecomposeAttentionBase;

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (!isa<AttentionOp, AttentionGradientOp>(op))
        return;
      if (keepSupported && hasAttentionKernel(op)) {
        LDBG() << describeOperation(op) << ": stays, for it has a kernel";
        return;
      }
      LDBG() << describeOperation(op) << ": written out";
      if (auto attention = dyn_cast<AttentionOp>(op))
        Decomposition<AttentionOp>(attention).run();
      else
        Decomposition<AttentionGradientOp>(cast<AttentionGradientOp>(op)).run();
    });
  }
};

} // namespace
