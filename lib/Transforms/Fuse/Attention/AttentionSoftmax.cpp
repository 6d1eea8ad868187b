//===- AttentionSoftmax.cpp - from an exponential up to its scores --------===//

#include "Attention/AttentionFinder.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

/// The heads that `reshape` of a broadcast makes dimension `dim` of, if the
/// broadcast repeats each of them as the next dimension; else 0.
static int64_t countRepeatedHeads(ReshapeOp reshape, size_t dim) {
  auto repeat = reshape.getOperand().getDefiningOp<BroadcastOp>();
  if (!repeat)
    return 0;
  ArrayRef<int64_t> from = shapeOf(repeat), to = shapeOf(reshape);
  int64_t before = 1, product = 1;
  for (int64_t size : to.take_front(dim))
    before *= size;
  for (size_t i = 0; i + 1 < from.size(); product *= from[i++])
    if (product == before && from[i] > 1 && from[i] < to[dim] &&
        from[i] * from[i + 1] == to[dim] &&
        !llvm::is_contained(repeat.getDims(), int64_t(i + 1)))
      return from[i];
  return 0;
}

/// Where an operand repeats each of its heads, that dimension is two axes: a
/// key head, and the query heads that share it.
AxisDim AttentionFinder::addHeads(DotGeneralOp dot, unsigned number) {
  int64_t size = shapeOf(dot.getLhs())[dot.getLhsBatching()[number]];
  AxisDim whole = match.axes.addDim(size);
  if (!splitHeads || size == 1)
    return whole;
  for (unsigned side : {0, 1}) {
    DotOperand operand = getSide(dot, side);
    AxisLayout layout(shapeOf(operand.value).size());
    for (auto [dim, extent] : llvm::enumerate(shapeOf(operand.value)))
      layout[dim] = int64_t(dim) == operand.batching[number]
                        ? whole
                        : match.axes.addUnknownDim(extent);
    // The reshape that joins the dimension with the repeated one cuts the axis,
    // so that this ends there.
    AxisTensor traced =
        match.axes.trace({operand.value, layout}, /*throughRepeats=*/false);
    auto reshape = traced.value.getDefiningOp<ReshapeOp>();
    size_t dim = llvm::find(traced.layout, whole) - traced.layout.begin();
    int64_t heads = reshape && dim < traced.layout.size()
                        ? countRepeatedHeads(reshape, dim)
                        : 0;
    if (heads != 0)
      return {{heads, match.axes.add(heads)},
              {size / heads, match.axes.add(size / heads)}};
  }
  return whole;
}

/// Gives the dimensions of query and key their axes; returns the layout of the
/// scores.
std::optional<AxisLayout> AttentionFinder::startAt(DotGeneralOp dot) {
  AxisLayout sides[2], layout;
  for (unsigned side : {0, 1})
    sides[side].resize(shapeOf(getSide(dot, side).value).size());
  for (unsigned i = 0; i < dot.getLhsBatching().size(); ++i) {
    layout.push_back(addHeads(dot, i));
    sides[0][dot.getLhsBatching()[i]] = layout.back();
    sides[1][dot.getRhsBatching()[i]] = layout.back();
  }
  for (unsigned side : {0, 1})
    for (int64_t dim : getSide(dot, side).free) {
      int64_t size = shapeOf(getSide(dot, side).value)[dim];
      layout.push_back(match.axes.addDim(size));
      sides[side][dim] = layout.back();
    }
  for (auto [left, right] :
       llvm::zip_equal(dot.getLhsContracting(), dot.getRhsContracting())) {
    AxisDim dim = match.axes.addDim(shapeOf(dot.getLhs())[left]);
    llvm::append_range(match.featureAxes, axesOf(dim));
    sides[0][left] = sides[1][right] = dim;
  }
  match.query = {dot.getLhs(), sides[0]};
  match.key = {dot.getRhs(), sides[1]};
  return layout;
}

/// `value` before operations that convert or only move its elements.
static Value skipMoves(Value value) {
  while (
      isa_and_nonnull<arith::ExtFOp, arith::TruncFOp, ReshapeOp, TransposeOp>(
          value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// The layout of `value`, where what `skipMoves` gives has `layout`.
static std::optional<AxisLayout> layoutOfMoved(Value value,
                                               const AxisLayout &layout) {
  if (value == skipMoves(value))
    return layout;
  Operation *op = value.getDefiningOp();
  std::optional<AxisLayout> own = layoutOfMoved(op->getOperand(0), layout);
  if (!own || isa<arith::ExtFOp, arith::TruncFOp>(op))
    return own;
  return AxisTable::forward(op, *own);
}

/// Finds the maximum of `scores`, however it is brought into their shape, that
/// `row` is.
ReduceOp AttentionFinder::findMaximum(Value scores, Value row) {
  for (unsigned i = 0; i < kSteps; ++i) {
    Operation *op = row ? row.getDefiningOp() : nullptr;
    if (!op)
      return {};
    auto reduce = dyn_cast<ReduceOp>(op);
    if (reduce && reduce.getKind().getKind() == ReductionKind::Max)
      return skipMoves(reduce.getOperand()) == skipMoves(scores) ? reduce
                                                                 : ReduceOp();
    if (reduce && reduce.getType().getNumElements() !=
                      cast<RankedTensorType>(reduce.getOperand().getType())
                          .getNumElements())
      return {};
    unsigned operand = 0;
    if (isa<arith::SelectOp>(op))
      operand = getSplatNumber(op->getOperand(1)) ? 2 : 1;
    else if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op)) {
      if (ReduceOp found = findMaximum(scores, op->getOperand(0)))
        return found;
      operand = 1;
    }
    row = op->getNumOperands() > operand ? op->getOperand(operand) : Value();
  }
  return {};
}

/// Finds `scores - maximum` in front of the exponential, or scores alone.
bool AttentionFinder::parseSoftmax() {
  Value exponent = skipConversions(exponential.getOperand());
  auto shifted = exponent.getDefiningOp<arith::SubFOp>();
  if (ReduceOp maximum = shifted
                             ? findMaximum(shifted.getLhs(), shifted.getRhs())
                             : ReduceOp())
    return parseShifted(shifted, maximum);
  return parseUnshifted(exponent);
}

/// Without a maximum E is another one, as is L: what they are divided by each
/// other stays. The axes are those that the exponentials are summed up over.
bool AttentionFinder::parseUnshifted(Value exponent) {
  ReduceOp sum;
  for (Operation *user : exponential->getUsers()) {
    auto reduce = dyn_cast<ReduceOp>(user);
    if (reduce && reduce.getKind().getKind() == ReductionKind::Sum)
      sum = sum ? sum : reduce;
  }
  if (!sum)
    return false;
  std::optional<ScoreExpression> scores = parseScores(
      match.axes, exponent, [&](DotGeneralOp dot) { return startAt(dot); });
  if (!scores)
    return false;
  setScores(std::move(*scores));
  for (int64_t dim : sum.getDims())
    llvm::append_range(softmaxAxes, axesOf(match.scores.layout[dim]));
  startTerms(exponent, match.scores.layout,
             ScorePolynomial::of({{atom::Score, 1}}));
  return true;
}

/// Reads `scores - maximum`: the scores themselves, the axes of the softmax as
/// those that the maximum reduces, and rows as the others. False where the
/// difference is not one of scores and their own maximum.
bool AttentionFinder::parseShifted(arith::SubFOp shifted, ReduceOp maximum) {
  Value scoresValue = skipMoves(shifted.getLhs());
  std::optional<ScoreExpression> scores = parseScores(
      match.axes, scoresValue, [&](DotGeneralOp dot) { return startAt(dot); });
  if (!scores)
    return false;
  std::optional<AxisLayout> reduced = layoutOfMoved(maximum.getOperand(),
                                                    scores->layout),
                            exponents =
                                layoutOfMoved(shifted.getLhs(), scores->layout);
  if (!reduced || !exponents)
    return false;
  AxisLayout layout = scores->layout;
  setScores(std::move(*scores));
  match.scores.layout = std::move(*exponents);
  AxisLayout rows;
  for (auto [dim, pieces] : llvm::enumerate(*reduced))
    if (llvm::is_contained(maximum.getDims(), int64_t(dim)))
      llvm::append_range(softmaxAxes, axesOf(pieces));
    else
      rows.push_back(pieces);
  setTerm(maximum.getResult(),
          Term{ScorePolynomial::of({{atom::Maximum, 1}}), rows});
  const Term *subtracted = evaluate(shifted.getRhs());
  if (!subtracted || !isMaximum(subtracted->polynomial) ||
      !match.axes.unify(subtracted->layout, match.scores.layout))
    return false;
  ScorePolynomial score = ScorePolynomial::of({{atom::Score, 1}});
  setTerm(shifted.getLhs(), Term{score, match.scores.layout});
  startTerms(scoresValue, layout,
             score - ScorePolynomial::of({{atom::Maximum, 1}}));
  return true;
}

/// Says what `scores`, of layout `layout`, the exponential, of what is
/// `exponent`, and a cap are.
void AttentionFinder::startTerms(Value scores, const AxisLayout &layout,
                                 ScorePolynomial exponent) {
  this->exponent = std::move(exponent);
  setTerm(scores, Term{ScorePolynomial::of({{atom::Score, 1}}), layout});
  setTerm(
      exponential.getResult(),
      Term{ScorePolynomial::of({{atom::Exponential, 1}}), match.scores.layout});
  match.exponentials.push_back(exponential);
  if (match.scores.tangent)
    setTerm(match.scores.tangent->value,
            Term{ScorePolynomial::of({{atom::Tangent, 1}}),
                 match.scores.tangent->layout});
}

void AttentionFinder::setScores(ScoreExpression scores) {
  match.scores = std::move(scores);
  for (const ScoreExpression::Condition &condition : match.scores.conditions)
    (void)maskOf(condition.condition, condition.negated);
  scoreMasks = masks.size();
}
