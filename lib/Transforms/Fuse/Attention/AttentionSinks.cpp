//===- AttentionSinks.cpp - matmuls that read a softmax -------------------===//

#include "Attention/AttentionFinder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

#include "tessera/Dialect/Tessera/TensorTypes.h"
//===----------------------------------------------------------------------===//
// Matmuls that read them
//===----------------------------------------------------------------------===//

std::optional<AttentionFinder::Probability>
AttentionFinder::asProbability(const Term &term) const {
  if (term.polynomial.size() != 1)
    return std::nullopt;
  auto [monomial, factor] = *term.polynomial.getTerms().begin();
  Probability probability{factor, {}};
  ScorePolynomial::Monomial rest;
  for (auto [number, exponent] : monomial)
    (atom::isMask(number) ? probability.masks : rest)[number] = exponent;
  if (rest !=
      ScorePolynomial::Monomial{{atom::Exponential, 1}, {atom::Sum, -1}})
    return std::nullopt;
  return probability;
}

/// Records which probabilities are kept, or checks that these are the same.
bool AttentionFinder::setKeep(const Probability &probability) {
  if (keep)
    return *keep == probability.masks;
  keep = probability.masks;
  for (auto [number, exponent] : *keep) {
    const ScoreExpression::Condition &mask = masks[atom::indexOf(number)];
    match.keep.others.push_back({mask.condition, mask.negated});
  }
  if (!keep->empty())
    match.keepScale = probability.factor;
  return true;
}

/// The factor c of c (K E dP/L - E D/L^2), K being the masks of probabilities
/// and D the sum of K E dP over keys, times all masks of scores, and the number
/// of dP. With a cap T, that is times 1 - T^2 `beforeCap`.
std::optional<std::pair<double, int>>
AttentionFinder::asScoreGradient(const Term &term, bool beforeCap) const {
  ScorePolynomial slope = ScorePolynomial::constant(1);
  if (match.scores.tangent && beforeCap)
    slope = slope - ScorePolynomial::of({{atom::Tangent, 2}});
  ScorePolynomial::Monomial masked;
  if (!masksAreImplied)
    for (int mask = 0; mask < scoreMasks; ++mask)
      masked[atom::mask(mask)] = 1;
  for (auto [row, summed] : llvm::enumerate(rowSums)) {
    ScorePolynomial::Monomial kept = keep.value_or(ScorePolynomial::Monomial()),
                              first = summed, second = masked;
    int product = -1;
    for (auto [number, exponent] : summed)
      if (number != atom::Exponential && !atom::isMask(number))
        product = atom::indexOf(number);
    kept[atom::Exponential] = kept[atom::product(product)] = 1;
    if (kept != summed)
      continue;
    first[atom::Sum] = -1;
    first.insert(masked.begin(), masked.end());
    second[atom::Exponential] = second[atom::rowSum(row)] = 1;
    second[atom::Sum] = -2;
    double factor = term.polynomial.coefficient(first);
    ScorePolynomial expected = (ScorePolynomial::of(first, factor) +
                                ScorePolynomial::of(second, -factor)) *
                               slope;
    if (factor != 0 && (term.polynomial - expected).isZero())
      return std::pair(factor / match.keepScale, product);
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
  const Product product = products[number];
  DotGeneralOp dot = product.dot;
  if (!dot)
    return false;
  if (product.tensor >= 0) {
    unsigned side = 1 - product.tensorSide;
    AxisTensor value = match.axes.trace(
        {getSide(dot, side).value, product.layouts[side]}, splitHeads);
    if (!setValue(value))
      return false;
    productGradients[number] = tensors[product.tensor];
    return true;
  }
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
      AttentionMatch::Gradient{outputGradient, {}, {}, {}, {}});
}

/// A matmul over keys: the output, or the gradient of the query.
bool AttentionFinder::takeOutput(DotGeneralOp dot, unsigned side,
                                 const Sink &sink) {
  const auto &[term, whole, otherLayout] = sink;
  AxisLayout layout = match.axes.resolve(term.layout);
  AxisTensor other = match.axes.trace(whole, splitHeads);
  if (std::optional<Probability> probability = asProbability(term)) {
    if (!setValue(other))
      return fail(dot, "probabilities are multiplied with two values");
    if (!setKeep(*probability))
      return fail(dot, "probabilities are masked in two ways");
    match.outputs.push_back({dot.getResult(),
                             resultLayout(dot, side, layout, otherLayout),
                             probability->factor / match.keepScale});
    return true;
  }
  auto gradient = asScoreGradient(term);
  std::optional<unsigned> part = findPart(other, /*isKey=*/true);
  if (!gradient || !part || !resolveProduct(gradient->second))
    return false;
  gradientOf(*productGradients[gradient->second])
      .queries.push_back({dot.getResult(),
                          resultLayout(dot, side, layout, otherLayout),
                          gradient->first / match.scores.scale, *part});
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

/// A matmul over queries: the gradient of the value, or of the key.
bool AttentionFinder::takeOverQueries(DotGeneralOp dot, unsigned side,
                                      const Sink &sink) {
  const auto &[term, whole, otherLayout] = sink;
  AxisLayout layout = match.axes.resolve(term.layout);
  AxisTensor other = match.axes.trace(whole, /*throughRepeats=*/false);
  std::optional<Probability> probability = asProbability(term);
  if (probability && !setKeep(*probability))
    return fail(dot, "probabilities are masked in two ways");
  auto scoreGradient = asScoreGradient(term);
  std::optional<unsigned> part =
      probability ? 0 : findPart(other, /*isKey=*/false);
  AttentionMatch::Gradient *gradient = nullptr;
  if (probability) {
    gradient = &gradientOf(other);
  } else if (scoreGradient && part && resolveProduct(scoreGradient->second)) {
    gradient = &gradientOf(*productGradients[scoreGradient->second]);
  } else {
    return false;
  }
  std::optional<AttentionMatch::Result> sum = sumOverGroups(
      dot.getResult(), resultLayout(dot, side, layout, otherLayout));
  if (!sum)
    return fail(dot, "gradients of repeated heads are not added up");
  double scale = *part == 0 ? match.scores.scale : match.parts[*part - 1].scale;
  sum->factor = probability ? probability->factor / match.keepScale
                            : scoreGradient->first / scale;
  sum->part = *part;
  (probability ? gradient->values : gradient->keys).push_back(*sum);
  return true;
}

/// What the user of `use`, and what follows, adds up of a value of layout
/// `layout`: the value itself if it is no sum.
AttentionMatch::Result AttentionFinder::sumInto(OpOperand &use,
                                                AxisLayout layout) {
  Value value = use.get();
  auto reduce = dyn_cast<ReduceOp>(use.getOwner());
  while (reduce && reduce.getKind().getKind() == ReductionKind::Sum) {
    AxisLayout kept;
    for (auto [dim, pieces] : llvm::enumerate(layout))
      if (!llvm::is_contained(reduce.getDims(), int64_t(dim)))
        kept.push_back(pieces);
    layout = kept;
    value = reduce.getResult();
    reduce = value.hasOneUse() ? dyn_cast<ReduceOp>(*value.user_begin())
                               : ReduceOp();
  }
  return AttentionMatch::Result{value, layout, 1};
}

/// What reads the gradient of the scores, behind a cap: the gradient of a bias,
/// or what it is summed up to.
bool AttentionFinder::takeBias(OpOperand &use) {
  if (isa<DotGeneralOp>(use.getOwner()) || match.scores.biases.empty())
    return false;
  const Term *term = evaluate(use.get());
  auto gradient =
      term ? asScoreGradient(*term, /*beforeCap=*/false) : std::nullopt;
  if (!gradient || !resolveProduct(gradient->second))
    return false;
  AttentionMatch::Result sum = sumInto(use, match.axes.resolve(term->layout));
  if (!replaced.insert(sum.value.getDefiningOp()).second)
    return true;
  sum.factor = gradient->first;
  gradientOf(*productGradients[gradient->second]).biases.push_back(sum);
  return true;
}

/// The output, where `value` is that, divided by the sums after the product.
bool AttentionFinder::takeDivided(Value value) {
  const Term *term = evaluate(value);
  double factor = asOutput(term);
  Operation *op = value.getDefiningOp();
  if (factor == 0 || replaced.contains(op) ||
      !setValue(match.axes.trace(*undivided, splitHeads)) ||
      !setKeep({factor, {}}))
    return false;
  replaced.insert(op);
  match.outputs.push_back({value, match.axes.resolve(term->layout), factor});
  return true;
}

/// What `dot` reads on `side`; nothing if that is no term.
std::optional<AttentionFinder::Sink> AttentionFinder::readBy(DotGeneralOp dot,
                                                             unsigned side) {
  const Term *term = evaluate(getSide(dot, side).value);
  if (!term)
    return std::nullopt;
  AxisLayout layout = match.axes.resolve(term->layout);
  AxisTensor other = otherOperand(dot, side, layout);
  Sink sink{{term->polynomial, layout}, other, other.layout};
  std::optional<ScaledTensor> scaled = findScaled(other.value, kSteps);
  if (scaled && match.axes.unify(scaled->layout, other.layout)) {
    sink.term.polynomial = term->polynomial * scaled->factor;
    sink.other = tensors[scaled->tensor];
  }
  return sink;
}

/// Tells by what it contracts which output a product with a term of the scores
/// is: over keys the attention's result or the query's gradient, over queries
/// the gradient of key or value. False where it is none of them.
bool AttentionFinder::classifyOne(DotGeneralOp dot, unsigned side,
                                  const Sink &sink) {
  DotOperand own = getSide(dot, side);
  AxisLayout layout = match.axes.resolve(sink.term.layout);
  SmallVector<int> contracted;
  for (int64_t dim : own.contracting)
    llvm::append_range(contracted, axesOf(layout[dim]));
  // The gradient of a query that is repeated adds up what it gets.
  SmallVector<int> keys = match.keyAxes;
  if (asScoreGradient(sink.term))
    for (int axis : match.repeatedAxes)
      if (llvm::is_contained(contracted, axis))
        keys.push_back(axis);
  if (areSameAxes(contracted, keys))
    return takeOutput(dot, side, sink);
  // Axes that repeat heads are batching dimensions, or contracted as well.
  SmallVector<int> batching;
  for (int64_t dim : own.batching)
    llvm::append_range(batching, axesOf(layout[dim]));
  SmallVector<int> expected = match.queryAxes;
  for (int axis : match.groupAxes)
    if (!llvm::is_contained(batching, axis))
      expected.push_back(axis);
  // So are batch axes that the key of a part does not have.
  if (!match.parts.empty() && asScoreGradient(sink.term))
    for (int axis : match.batchAxes)
      if (llvm::is_contained(contracted, axis))
        expected.push_back(axis);
  if (expected.empty() || !areSameAxes(contracted, expected))
    return false;
  return takeOverQueries(dot, side, sink);
}

void AttentionFinder::classify() {
  // Reading them may find further products.
  SmallVector<std::pair<DotGeneralOp, std::pair<unsigned, Sink>>, 0> read;
  for (auto [op, side] : sinks)
    if (auto dot = cast<DotGeneralOp>(op); dot != undividedDot)
      if (std::optional<Sink> sink = readBy(dot, side))
        read.push_back({dot, {side, std::move(*sink)}});
  productGradients.resize(products.size());
  // Outputs first: they say what the value is.
  for (auto &[dot, operand] : read)
    if (asProbability(operand.second.term) &&
        classifyOne(dot, operand.first, operand.second))
      replaced.insert(dot);
  if (output)
    (void)takeDivided(output->value);
  for (auto &[dot, operand] : read)
    if (asScoreGradient(operand.second.term) &&
        classifyOne(dot, operand.first, operand.second))
      replaced.insert(dot);
  for (OpOperand *use : strangers)
    if (!takeDivided(use->get()) && !takeBias(*use))
      (void)takeRow(use->get());
}
