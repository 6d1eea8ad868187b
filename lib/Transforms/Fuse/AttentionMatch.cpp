//===- AttentionMatch.cpp - attention in single operations ----------------===//
//
// A search starts at the exponential E = exp(scores - maximum). Upwards, scores
// are taken apart until the contraction of query and key (AttentionScores).
// Downwards, every value that follows from E is written as a polynomial
// (AttentionAlgebra) over E, the sums L of its rows, other contractions dP and
// the sums D of the rows of E * dP. With it goes what its dimensions are
// (AttentionAxes). How a program has written a softmax or its gradient so makes
// no difference: what counts are the polynomials that enter contractions,
//
//   E/L               times the value, over keys        the output
//   E/L               times dO, over queries            the value's gradient
//   c (E dP/L - E D/L^2)  times the key, over keys      the query's gradient
//   c (E dP/L - E D/L^2)  times the query, over queries the key's gradient
//
// where dP = dO value^T; where scores were masked, the gradients have the mask
// as a factor. The search is linear in the number of operations that read E.
//
//===----------------------------------------------------------------------===//

#include "AttentionFinder.h"

using namespace mlir;
using namespace tessera;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

DotOperand tessera::getSide(DotGeneralOp dot, unsigned side) {
  if (side == 0)
    return {dot.getLhs(), dot.getLhsBatching(), dot.getLhsContracting(),
            dot.getLhsFree()};
  return {dot.getRhs(), dot.getRhsBatching(), dot.getRhsContracting(),
          dot.getRhsFree()};
}

bool tessera::areSameAxes(SmallVector<int> a, SmallVector<int> b) {
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

//===----------------------------------------------------------------------===//
// Upwards: scores
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// What is left
//===----------------------------------------------------------------------===//

/// Whether `use` only hands on what a loop carries for itself: neither its
/// result nor another operation of its body is needed.
bool AttentionFinder::isDeadYield(OpOperand &use, unsigned depth) {
  auto loop = dyn_cast<scf::ForOp>(use.getOwner()->getParentOp());
  if (!loop || !isa<scf::YieldOp>(use.getOwner()))
    return false;
  unsigned number = use.getOperandNumber();
  Operation *update = use.get().getDefiningOp();
  return llvm::all_of(loop.getRegionIterArg(number).getUsers(),
                      [&](Operation *user) { return user == update; }) &&
         llvm::all_of(loop.getResult(number).getUsers(),
                      [&](Operation *user) { return isDead(user, depth); });
}

/// Whether nothing needs `op` once the contractions are replaced.
bool AttentionFinder::isDead(Operation *op, unsigned depth) {
  if (replaced.contains(op))
    return true;
  if (auto it = dead.find(op); it != dead.end())
    return it->second;
  bool unused = depth > 0 && isMemoryEffectFree(op) &&
                op->getNumRegions() == 0 &&
                !op->hasTrait<OpTrait::IsTerminator>();
  for (OpOperand &use : op->getUses())
    unused = unused &&
             (isDeadYield(use, depth - 1) || isDead(use.getOwner(), depth - 1));
  return dead[op] = unused;
}

/// Whether scores are needed by nothing but what is replaced.
bool AttentionFinder::checkUses() {
  if (isDead(exponential, kUses) && isDead(match.scores.dot, kUses))
    return true;
  for (OpOperand *use : strangers)
    if (!replaced.contains(use->get().getDefiningOp()) &&
        !isDead(use->getOwner(), kUses))
      return fail(use->getOwner(), "this needs its probabilities as well");
  return fail(match.scores.dot,
              "its scores are needed for more than a softmax");
}

/// Whether every tensor has just the axes that the operations give it.
bool AttentionFinder::checkLayouts() {
  using Lists = std::initializer_list<ArrayRef<int>>;
  auto check = [&](AxisLayout &layout, Lists lists) {
    layout = match.axes.resolve(layout);
    SmallVector<int> expected;
    for (ArrayRef<int> list : lists)
      llvm::append_range(expected, list);
    size_t pieces = 0;
    for (const AxisDim &dim : layout)
      pieces += dim.size();
    return pieces == expected.size() && areSameAxes(axesOf(layout), expected);
  };
  SmallVector<int> own = match.batchAxes;
  llvm::erase_if(own, [&](int axis) {
    return llvm::is_contained(match.repeatedAxes, axis);
  });
  Lists query = {own, match.groupAxes, match.queryAxes, match.featureAxes};
  Lists key = {match.batchAxes, match.keyAxes, match.featureAxes};
  Lists value = {match.batchAxes, match.keyAxes, match.valueAxes};
  Lists output = {match.batchAxes, match.groupAxes, match.queryAxes,
                  match.valueAxes};
  SmallVector<int> scoreAxes = axesOf(match.axes.resolve(match.scores.layout));
  auto featuresOf = [&](unsigned part) -> ArrayRef<int> {
    return part == 0 ? match.featureAxes : match.parts[part - 1].featureAxes;
  };
  auto isOfScores = [&](AxisLayout &layout) {
    SmallVector<int> own = axesOf(match.axes.resolve(layout));
    return check(layout, {own}) && llvm::all_of(own, [&](int axis) {
             return llvm::is_contained(scoreAxes, axis);
           });
  };
  auto checkAll = [&](MutableArrayRef<AttentionMatch::Result> results,
                      Lists lists) {
    return llvm::all_of(results, [&](AttentionMatch::Result &result) {
      return check(result.layout, lists);
    });
  };
  auto checkQueries = [&](MutableArrayRef<AttentionMatch::Result> results) {
    return llvm::all_of(results, [&](AttentionMatch::Result &result) {
      return check(result.layout, {own, match.groupAxes, match.queryAxes,
                                   featuresOf(result.part)});
    });
  };
  auto checkKeys = [&](MutableArrayRef<AttentionMatch::Result> results) {
    return llvm::all_of(results, [&](AttentionMatch::Result &result) {
      SmallVector<int> batch =
          result.part == 0 ? match.batchAxes
                           : batchAxesOf(match.parts[result.part - 1].key);
      return check(result.layout,
                   {batch, match.keyAxes, featuresOf(result.part)});
    });
  };
  bool arePartsRight = llvm::all_of(match.parts, [&](auto &part) {
    return check(part.query.layout,
                 {own, match.groupAxes, match.queryAxes, part.featureAxes}) &&
           check(part.key.layout,
                 {batchAxesOf(part.key), match.keyAxes, part.featureAxes});
  });
  return arePartsRight && check(match.query.layout, query) &&
         check(match.key.layout, key) && check(match.value.layout, value) &&
         checkAll(match.outputs, output) &&
         llvm::all_of(match.rows,
                      [&](AttentionMatch::RowResult &row) {
                        return check(row.layout,
                                     {match.batchAxes, match.groupAxes,
                                      match.queryAxes});
                      }) &&
         (!match.sink || !match.sink->tensor.value ||
          isOfScores(match.sink->tensor.layout)) &&
         llvm::all_of(
             match.keep.others,
             [&](auto &other) { return isOfScores(other.tensor.layout); }) &&
         llvm::all_of(match.gradients, [&](AttentionMatch::Gradient &gradient) {
           return check(gradient.outputGradient.layout, output) &&
                  checkQueries(gradient.queries) && checkKeys(gradient.keys) &&
                  checkAll(gradient.values, value) &&
                  llvm::all_of(gradient.biases, [&](auto &bias) {
                    return isOfScores(bias.layout);
                  });
         });
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

DotGeneralOp tessera::findScoreProduct(math::ExpOp exponential) {
  return AttentionFinder(exponential, /*splitHeads=*/false).findProduct();
}

AttentionSearch tessera::findAttention(math::ExpOp exponential) {
  AttentionSearch grouped =
      AttentionFinder(exponential, /*splitHeads=*/true).run();
  return grouped.match
             ? std::move(grouped)
             : AttentionFinder(exponential, /*splitHeads=*/false).run();
}
