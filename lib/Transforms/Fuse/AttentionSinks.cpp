//===- AttentionSinks.cpp - contractions that read a softmax --------------===//

#include "AttentionFinder.h"

using namespace mlir;
using namespace tessera;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

//===----------------------------------------------------------------------===//
// Contractions that read them
//===----------------------------------------------------------------------===//

/// The factor c of c E/L.
std::optional<double> AttentionFinder::asProbability(const Term &term) const {
  double factor =
      term.polynomial.coefficient({{atom::Exponential, 1}, {atom::Sum, -1}});
  if (term.polynomial.size() != 1 || factor == 0)
    return std::nullopt;
  return factor;
}

/// The factor c of c (E dP/L - E D/L^2), times all masks, and the number of dP.
std::optional<std::pair<double, int>>
AttentionFinder::asScoreGradient(const Term &term) const {
  if (term.polynomial.size() != 2)
    return std::nullopt;
  for (int number = 0; number < int(products.size()); ++number) {
    ScorePolynomial::Monomial first{
        {atom::Exponential, 1}, {atom::Sum, -1}, {atom::product(number), 1}},
        second{
            {atom::Exponential, 1}, {atom::Sum, -2}, {atom::rowSum(number), 1}};
    if (!masksAreImplied)
      for (size_t mask = 0; mask < match.scores.conditions.size(); ++mask)
        first[atom::mask(mask)] = second[atom::mask(mask)] = 1;
    double factor = term.polynomial.coefficient(first);
    ScorePolynomial expected = ScorePolynomial::of(first, factor) +
                               ScorePolynomial::of(second, -factor);
    if (factor != 0 && (term.polynomial - expected).isZero())
      return std::pair(factor, number);
  }
  return std::nullopt;
}

/// The operand of `dot` on the other side than a term of layout `layout`, with
/// what is known of its dimensions.
AxisTensor AttentionFinder::otherOperand(DotGeneralOp dot, unsigned side,
                                         const AxisLayout &layout) {
  DotOperand own = getSide(dot, side), other = getSide(dot, 1 - side);
  AxisLayout otherLayout(shapeOf(other.value).size());
  for (auto [from, to] : llvm::zip_equal(own.batching, other.batching))
    otherLayout[to] = layout[from];
  for (auto [from, to] : llvm::zip_equal(own.contracting, other.contracting))
    otherLayout[to] = layout[from];
  for (int64_t dim : other.free)
    otherLayout[dim] = match.axes.addUnknownDim(shapeOf(other.value)[dim]);
  return {other.value, otherLayout};
}

/// The layout of `dot`, whose operands have the layouts `layout` (on the side
/// `side`) and `otherLayout`.
AxisLayout AttentionFinder::resultLayout(DotGeneralOp dot, unsigned side,
                                         const AxisLayout &layout,
                                         const AxisLayout &otherLayout) const {
  AxisLayout result;
  DotOperand own = getSide(dot, side);
  for (int64_t dim : own.batching)
    result.push_back(layout[dim]);
  for (unsigned current : {0, 1})
    for (int64_t dim : getSide(dot, current).free)
      result.push_back((current == side ? layout : otherLayout)[dim]);
  return match.axes.resolve(result);
}

/// Records what the value is, or checks that it is the same.
bool AttentionFinder::setValue(const AxisTensor &value) {
  if (match.value.value)
    return match.axes.isSame(value, match.value);
  // What is not known of it yet are its features.
  match.value = match.axes.nameUnknowns(value);
  for (int axis : axesOf(match.value.layout))
    if (!llvm::is_contained(match.batchAxes, axis) &&
        !llvm::is_contained(match.keyAxes, axis))
      match.valueAxes.push_back(axis);
  return true;
}

/// Finds out which side of product number `number` is the value; the other is
/// the gradient of the output.
bool AttentionFinder::resolveProduct(int number) {
  if (productGradients[number])
    return true;
  DotGeneralOp dot = products[number];
  const Term *term = evaluate(dot.getResult());
  AxisLayout layout = match.axes.resolve(term->layout);
  AxisLayout sides[2];
  size_t next = 0;
  for (unsigned side : {0, 1})
    sides[side].resize(shapeOf(getSide(dot, side).value).size());
  for (auto [left, right] :
       llvm::zip_equal(dot.getLhsBatching(), dot.getRhsBatching()))
    sides[0][left] = sides[1][right] = layout[next++];
  std::optional<unsigned> valueSide;
  for (unsigned side : {0, 1}) {
    SmallVector<int> axes;
    for (int64_t dim : getSide(dot, side).free) {
      sides[side][dim] = layout[next++];
      llvm::append_range(axes, axesOf(sides[side][dim]));
    }
    if (areSameAxes(axes, match.keyAxes))
      valueSide = side;
  }
  if (!valueSide)
    return false;
  for (auto [left, right] :
       llvm::zip_equal(dot.getLhsContracting(), dot.getRhsContracting()))
    sides[0][left] = sides[1][right] =
        match.axes.addUnknownDim(shapeOf(dot.getLhs())[left]);
  AxisTensor value = match.axes.trace(
      {getSide(dot, *valueSide).value, sides[*valueSide]}, splitHeads);
  if (!setValue(value))
    return false;
  productGradients[number] = match.axes.trace(
      {getSide(dot, 1 - *valueSide).value, sides[1 - *valueSide]},
      /*throughRepeats=*/false);
  return true;
}

AttentionMatch::Gradient &
AttentionFinder::gradientOf(const AxisTensor &outputGradient) {
  for (AttentionMatch::Gradient &gradient : match.gradients)
    if (match.axes.isSame(gradient.outputGradient, outputGradient))
      return gradient;
  return match.gradients.emplace_back(
      AttentionMatch::Gradient{outputGradient, {}, {}, {}});
}

/// A contraction over keys: the output, or the gradient of the query.
bool AttentionFinder::takeOutput(DotGeneralOp dot, unsigned side,
                                 const Term &term) {
  AxisLayout layout = match.axes.resolve(term.layout);
  AxisTensor whole = otherOperand(dot, side, layout);
  AxisTensor other = match.axes.trace(whole, splitHeads);
  if (std::optional<double> factor = asProbability(term)) {
    if (!setValue(other))
      return fail(dot, "probabilities are multiplied with two values");
    match.outputs.push_back({dot.getResult(),
                             resultLayout(dot, side, layout, whole.layout),
                             *factor});
    return true;
  }
  auto gradient = asScoreGradient(term);
  if (!gradient || !resolveProduct(gradient->second) ||
      !match.axes.isSame(other, match.key))
    return false;
  gradientOf(*productGradients[gradient->second])
      .queries.push_back({dot.getResult(),
                          resultLayout(dot, side, layout, whole.layout),
                          gradient->first / match.scores.scale});
  return true;
}

/// Where heads of a group have each a gradient of the key (or value), what adds
/// these up.
std::optional<AttentionMatch::Result>
AttentionFinder::sumOverGroups(Value value, AxisLayout layout) {
  auto isGroup = [&](int axis) {
    return llvm::is_contained(match.groupAxes, axis);
  };
  while (llvm::any_of(axesOf(layout), isGroup)) {
    if (!value.hasOneUse())
      return std::nullopt;
    Operation *user = *value.user_begin();
    if (auto reduce = dyn_cast<ReduceOp>(user)) {
      AxisLayout kept, summed;
      for (auto [dim, pieces] : llvm::enumerate(layout))
        (llvm::is_contained(reduce.getDims(), int64_t(dim)) ? summed : kept)
            .push_back(pieces);
      if (reduce.getKind().getKind() != ReductionKind::Sum ||
          !llvm::all_of(axesOf(summed), isGroup))
        return std::nullopt;
      layout = kept;
    } else if (!isa<arith::ExtFOp, arith::TruncFOp>(user)) {
      std::optional<AxisLayout> moved = AxisTable::forward(user, layout);
      if (!moved || isa<BroadcastOp>(user))
        return std::nullopt;
      layout = *moved;
    }
    value = user->getResult(0);
  }
  return AttentionMatch::Result{value, layout, 1};
}

/// A contraction over queries: the gradient of the value, or of the key.
bool AttentionFinder::takeOverQueries(DotGeneralOp dot, unsigned side,
                                      const Term &term) {
  AxisLayout layout = match.axes.resolve(term.layout);
  AxisTensor whole = otherOperand(dot, side, layout);
  AxisTensor other = match.axes.trace(whole, /*throughRepeats=*/false);
  std::optional<double> probability = asProbability(term);
  auto scoreGradient = asScoreGradient(term);
  AttentionMatch::Gradient *gradient = nullptr;
  if (probability) {
    gradient = &gradientOf(other);
  } else if (scoreGradient && resolveProduct(scoreGradient->second) &&
             match.axes.isSame(other, match.query)) {
    gradient = &gradientOf(*productGradients[scoreGradient->second]);
  } else {
    return false;
  }
  std::optional<AttentionMatch::Result> sum = sumOverGroups(
      dot.getResult(), resultLayout(dot, side, layout, whole.layout));
  if (!sum)
    return fail(dot, "gradients of repeated heads are not added up");
  sum->factor =
      probability ? *probability : scoreGradient->first / match.scores.scale;
  (probability ? gradient->values : gradient->keys).push_back(*sum);
  return true;
}

bool AttentionFinder::classifyOne(DotGeneralOp dot, unsigned side) {
  DotOperand own = getSide(dot, side);
  const Term *term = evaluate(own.value);
  AxisLayout layout = match.axes.resolve(term->layout);
  SmallVector<int> contracted;
  for (int64_t dim : own.contracting)
    llvm::append_range(contracted, axesOf(layout[dim]));
  if (areSameAxes(contracted, match.keyAxes))
    return takeOutput(dot, side, *term);
  // Axes that repeat heads are batching dimensions, or contracted as well.
  SmallVector<int> batching;
  for (int64_t dim : own.batching)
    llvm::append_range(batching, axesOf(layout[dim]));
  SmallVector<int> expected = match.queryAxes;
  for (int axis : match.groupAxes)
    if (!llvm::is_contained(batching, axis))
      expected.push_back(axis);
  if (expected.empty() || !areSameAxes(contracted, expected))
    return false;
  return takeOverQueries(dot, side, *term);
}

void AttentionFinder::classify() {
  productGradients.resize(products.size());
  // Outputs first: they say what the value is.
  for (auto [op, side] : sinks)
    if (const Term *term = evaluate(op->getOperand(side));
        term && asProbability(*term) &&
        classifyOne(cast<DotGeneralOp>(op), side))
      replaced.insert(op);
  for (auto [op, side] : sinks)
    if (const Term *term = evaluate(op->getOperand(side));
        term && asScoreGradient(*term) &&
        classifyOne(cast<DotGeneralOp>(op), side))
      replaced.insert(op);
}
