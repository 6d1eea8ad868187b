//===- AttentionMatch.cpp - attention in single operations ----------------===//
//
// A search starts at the exponential E = exp(scores - maximum). Upwards, scores
// are taken apart until the matmul of query and key (AttentionSoftmax,
// AttentionScores). Downwards (AttentionTerms), every value that follows from E
// is written as a polynomial (AttentionAlgebra) over E, the sums L of its rows,
// other matmuls dP and the sums D of the rows of E * dP. With it goes what
// its dimensions are (AttentionAxes). How a program has written a softmax or
// its gradient so makes no difference: what counts are the polynomials that
// enter matmuls (AttentionSinks),
//
//   E/L               times the value, over keys        the output
//   E/L               times dO, over queries            the value's gradient
//   c (E dP/L - E D/L^2)  times the key, over keys      the query's gradient
//   c (E dP/L - E D/L^2)  times the query, over queries the key's gradient
//
// where dP = dO value^T; where scores were masked, the gradients have the mask
// as a factor. In the end nothing else may need the scores, and every tensor
// must have just the axes of its place (AttentionChecks). The search is linear
// in the number of operations that read E.
//
//===----------------------------------------------------------------------===//

#include "Attention/AttentionFinder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

DotOperand tessera::fuse::getSide(DotGeneralOp dot, unsigned side) {
  if (side == 0)
    return {dot.getLhs(), dot.getLhsBatching(), dot.getLhsContracting(),
            dot.getLhsFree()};
  return {dot.getRhs(), dot.getRhsBatching(), dot.getRhsContracting(),
          dot.getRhsFree()};
}

bool tessera::fuse::areSameAxes(SmallVector<int> a, SmallVector<int> b) {
  llvm::sort(a);
  llvm::sort(b);
  return a == b;
}

bool AttentionFinder::fail(Operation *op, const Twine &why) {
  if (!result.obstacle) {
    result.obstacle = op;
    result.reason = why.str();
  }
  return false;
}

/// The axes that the softmax goes over are those of keys.
bool AttentionFinder::assignAxes() {
  auto freeAxes = [&](const AxisTensor &tensor, unsigned side) {
    SmallVector<int> axes;
    for (int64_t dim : getSide(match.scores.dot, side).free)
      llvm::append_range(axes, axesOf(tensor.layout[dim]));
    return axes;
  };
  SmallVector<int> left = freeAxes(match.query, 0),
                   right = freeAxes(match.key, 1);
  auto isOfSoftmax = [&](int axis) {
    return llvm::is_contained(softmaxAxes, axis);
  };
  auto hasSoftmax = [&](ArrayRef<int> axes) {
    return llvm::count_if(axes, isOfSoftmax) == int64_t(softmaxAxes.size());
  };
  if (softmaxAxes.empty())
    return false;
  if (hasSoftmax(left)) {
    std::swap(match.query, match.key);
    std::swap(left, right);
  } else if (!hasSoftmax(right)) {
    return false;
  }
  // Others that only the key has are of a batch that shares its queries.
  llvm::copy_if(right, std::back_inserter(match.keyAxes), isOfSoftmax);
  match.queryAxes = left;
  match.key = match.axes.trace(match.key, /*throughRepeats=*/splitHeads);
  match.query = match.axes.trace(match.query, /*throughRepeats=*/false);
  // What the key does not have is the query's alone.
  SmallVector<int> keyAxes = axesOf(match.key.layout);
  SmallVector<int> queryAxes = axesOf(match.query.layout);
  for (int axis : axesOf(match.scores.layout))
    if (!llvm::is_contained(match.keyAxes, axis) &&
        !llvm::is_contained(match.queryAxes, axis)) {
      if (llvm::is_contained(keyAxes, axis)) {
        match.batchAxes.push_back(axis);
        if (!llvm::is_contained(queryAxes, axis))
          match.repeatedAxes.push_back(axis);
      } else {
        match.groupAxes.push_back(axis);
      }
    }
  llvm::append_range(match.groupAxes, match.queryAxes);
  match.queryAxes.clear();
  takeParts();
  return takeMask();
}

/// Takes the conditions apart and chooses the axis of queries: that of a causal
/// mask, or the longest.
bool AttentionFinder::takeMask() {
  for (const ScoreExpression::Condition &condition : match.scores.conditions)
    match.mask.join(
        parseScoreMask(match.axes, condition.condition, condition.negated));
  // Other orders, as that of a sliding window, are masks.
  SmallVector<ScoreMask::Order, 1> orders = std::move(match.mask.orders);
  match.mask.orders.clear();
  for (ScoreMask::Order &order : orders)
    if (match.mask.orders.empty() &&
        match.keyAxes == SmallVector<int>{order.keyAxis} &&
        llvm::is_contained(match.groupAxes, order.queryAxis))
      match.mask.orders.push_back(std::move(order));
    else
      match.mask.others.push_back(std::move(order.condition));
  const ScoreMask::Order *causal =
      match.mask.orders.empty() ? nullptr : &match.mask.orders.front();
  // What is hidden has no probability, next to others or at all.
  masksAreImplied =
      !match.scores.conditions.empty() &&
      (*match.scores.fill == -std::numeric_limits<double>::infinity() ||
       (causal && causal->offset >= 0 && match.mask.others.empty() &&
        match.scores.biases.empty() && *match.scores.fill <= kHiddenScore));
  if (match.groupAxes.empty())
    return true;
  int chosen = causal ? causal->queryAxis : match.groupAxes.front();
  if (!causal)
    for (int axis : match.groupAxes)
      if (match.axes.sizeOf(axis) > match.axes.sizeOf(chosen))
        chosen = axis;
  llvm::erase(match.groupAxes, chosen);
  match.queryAxes = {chosen};
  return true;
}

AttentionSearch AttentionFinder::run() {
  if (!parseSoftmax() || !assignAxes())
    return std::move(result);
  follow();
  classify();
  if (!match.value.value || (match.outputs.empty() && match.gradients.empty()))
    return {};
  if (!checkUses())
    return std::move(result);
  if (!checkLayouts()) {
    (void)fail(match.scores.dot, "its tensors do not share their dimensions");
    return std::move(result);
  }
  if (!hasSink)
    match.sink.reset();
  result = {};
  result.match = std::move(match);
  return std::move(result);
}

DotGeneralOp AttentionFinder::findProduct() {
  return parseSoftmax() ? match.scores.dot : DotGeneralOp();
}

DotGeneralOp tessera::fuse::findScoreProduct(math::ExpOp exponential) {
  return AttentionFinder(exponential, /*splitHeads=*/false).findProduct();
}

AttentionSearch tessera::fuse::findAttention(math::ExpOp exponential) {
  AttentionSearch grouped =
      AttentionFinder(exponential, /*splitHeads=*/true).run();
  return grouped.match
             ? std::move(grouped)
             : AttentionFinder(exponential, /*splitHeads=*/false).run();
}
