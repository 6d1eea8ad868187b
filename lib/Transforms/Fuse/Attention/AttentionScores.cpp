//===- AttentionScores.cpp - what the scores of attention are made of -----===//

#include "Attention/AttentionScores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

/// How many operations a chain of scores or of a condition may have.
static constexpr unsigned kChain = 24;
/// What a sum counts as, which has two ways on.
static constexpr unsigned kSum = 6;

Value tessera::fuse::skipConversions(Value value) {
  while (isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

bool tessera::fuse::movesOnly(Operation *op) {
  if (isa<ReshapeOp, TransposeOp>(op))
    return true;
  auto broadcast = dyn_cast<BroadcastOp>(op);
  return broadcast &&
         broadcast.getType().getNumElements() ==
             cast<RankedTensorType>(broadcast.getOperand().getType())
                 .getNumElements();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static std::optional<double> getConstant(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return std::nullopt;
  Type type = elements.getElementType();
  if (isa<FloatType>(type))
    return elements.getSplatValue<APFloat>().convertToDouble();
  if (type.isInteger(1))
    return elements.getSplatValue<APInt>().getZExtValue();
  if (isa<IntegerType>(type))
    return elements.getSplatValue<APInt>().getSExtValue();
  return std::nullopt;
}

static std::optional<double> getSplatNumber(Value value, unsigned depth) {
  if (std::optional<double> number = getConstant(value))
    return number;
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0 || op->getNumOperands() > 2)
    return std::nullopt;
  SmallVector<double, 2> numbers;
  for (Value operand : op->getOperands()) {
    std::optional<double> number = getSplatNumber(operand, depth - 1);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  if (isa<BroadcastOp, ReshapeOp, TransposeOp, arith::ExtFOp, arith::TruncFOp,
          arith::SIToFPOp>(op))
    return numbers[0];
  if (isa<math::SqrtOp>(op))
    return std::sqrt(numbers[0]);
  if (isa<math::RsqrtOp>(op))
    return 1 / std::sqrt(numbers[0]);
  if (isa<arith::NegFOp>(op))
    return -numbers[0];
  if (isa<arith::MulFOp>(op))
    return numbers[0] * numbers[1];
  if (isa<arith::DivFOp>(op))
    return numbers[0] / numbers[1];
  return std::nullopt;
}

std::optional<double> tessera::fuse::getSplatNumber(Value value) {
  return ::getSplatNumber(value, 6);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

void ScoreMask::join(ScoreMask other) {
  for (Order &order : other.orders) {
    auto same = llvm::find_if(orders, [&](const Order &own) {
      return own.queryAxis == order.queryAxis && own.keyAxis == order.keyAxis;
    });
    if (same == orders.end())
      orders.push_back(std::move(order));
    else if (order.offset < same->offset)
      *same = std::move(order);
  }
  llvm::append_range(others, other.others);
}

namespace {

/// An integer that is a sum of multiples of the indices along axes.
struct AffineIndex {
  std::map<int, int64_t> factors;
  int64_t constant = 0;

  void add(const AffineIndex &other, int64_t factor) {
    for (auto [axis, own] : other.factors)
      if ((factors[axis] += factor * own) == 0)
        factors.erase(axis);
    constant += factor * other.constant;
  }
};

/// Takes conditions apart.
class MaskParser {
public:
  explicit MaskParser(const AxisTable &axes) : axes(axes) {}

  ScoreMask parse(AxisTensor condition, bool negated, unsigned depth = kChain);

private:
  std::optional<ScoreMask> parseOperation(Operation *op,
                                          const AxisLayout &layout,
                                          bool negated, unsigned depth);
  std::optional<ScoreMask> parseSelect(arith::SelectOp op,
                                       const AxisLayout &layout, bool negated,
                                       unsigned depth);
  std::optional<AffineIndex> parseIndex(AxisTensor value, unsigned depth);
  std::optional<ScoreMask> parseComparison(arith::CmpIOp op,
                                           const AxisLayout &layout,
                                           bool negated, unsigned depth);
  std::optional<ScoreMask> parseConstant(DenseElementsAttr elements,
                                         const AxisLayout &layout,
                                         bool negated);

  const AxisTable &axes;
};

} // namespace

/// An integer tensor as an affine function of the axes that it varies along,
/// from iotas, constants, sums and differences; none where it is another one,
/// or more than `depth` operations deep.
std::optional<AffineIndex> MaskParser::parseIndex(AxisTensor value,
                                                  unsigned depth) {
  value = axes.trace(value, /*throughRepeats=*/true);
  if (std::optional<double> number = getConstant(value.value))
    return AffineIndex{{}, int64_t(*number)};
  Operation *op = value.value.getDefiningOp();
  if (!op || depth == 0)
    return std::nullopt;
  if (auto iota = dyn_cast<IotaOp>(op)) {
    AffineIndex index;
    int64_t stride = 1;
    for (const AxisPiece &piece : llvm::reverse(value.layout[iota.getDim()])) {
      if (piece.axis < 0)
        return std::nullopt;
      index.factors[piece.axis] = stride;
      stride *= piece.size;
    }
    return index;
  }
  if (isa<arith::ExtSIOp, arith::TruncIOp, arith::ExtUIOp>(op))
    return parseIndex({op->getOperand(0), value.layout}, depth - 1);
  if (!isa<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  std::optional<AffineIndex> left = parseIndex(
                                 {op->getOperand(0), value.layout}, depth - 1),
                             right = parseIndex(
                                 {op->getOperand(1), value.layout}, depth - 1);
  if (!left || !right)
    return std::nullopt;
  left->add(*right, isa<arith::AddIOp>(op) ? 1 : -1);
  return left;
}

/// A comparison of `query + offset` with `key`, either way around; or of a
/// condition that was made a number with a constant.
std::optional<ScoreMask> MaskParser::parseComparison(arith::CmpIOp op,
                                                     const AxisLayout &layout,
                                                     bool negated,
                                                     unsigned depth) {
  using P = arith::CmpIPredicate;
  P predicate = op.getPredicate();
  if (auto extended = op.getLhs().getDefiningOp<arith::ExtUIOp>();
      extended && getElementTypeOrSelf(extended.getIn()).isInteger(1) &&
      (predicate == P::ne || predicate == P::eq))
    if (std::optional<double> number = getSplatNumber(op.getRhs());
        number && (*number == 0 || *number == 1))
      return parse({extended.getIn(), layout},
                   negated != ((predicate == P::eq) == (*number == 0)),
                   depth - 1);
  std::optional<AffineIndex> index = parseIndex({op.getLhs(), layout}, depth),
                             right = parseIndex({op.getRhs(), layout}, depth);
  if (!index || !right)
    return std::nullopt;
  index->add(*right, -1);
  if (negated)
    predicate = arith::invertPredicate(predicate);
  // As `index >= 0`.
  if (predicate == P::sle || predicate == P::slt) {
    AffineIndex flipped;
    flipped.add(*index, -1);
    index = flipped;
    predicate = predicate == P::sle ? P::sge : P::sgt;
  }
  if (predicate == P::sgt)
    index->constant -= 1;
  else if (predicate != P::sge)
    return std::nullopt;
  ScoreMask::Order order{-1, -1, index->constant, {}};
  for (auto [axis, factor] : index->factors) {
    if (factor != 1 && factor != -1)
      return std::nullopt;
    int &orderedAxis = factor == 1 ? order.queryAxis : order.keyAxis;
    if (orderedAxis >= 0)
      return std::nullopt;
    orderedAxis = axis;
  }
  if (order.queryAxis < 0 || order.keyAxis < 0)
    return std::nullopt;
  return ScoreMask{{order}, {}};
}

/// A matrix that is written out: causal, if its elements say so.
std::optional<ScoreMask> MaskParser::parseConstant(DenseElementsAttr elements,
                                                   const AxisLayout &layout,
                                                   bool negated) {
  SmallVector<int> dims = axesOf(layout);
  int64_t pieces = 0;
  for (const AxisDim &dim : layout)
    pieces += dim.size();
  if (elements.isSplat())
    return elements.getSplatValue<bool>() != negated
               ? std::optional<ScoreMask>(ScoreMask())
               : std::nullopt;
  if (pieces != 2 || dims.size() != 2)
    return std::nullopt;
  int64_t columns = axes.sizeOf(dims[1]), number = 0;
  std::optional<int64_t> offset;
  bool causal = true;
  for (bool element : elements.getValues<bool>()) {
    int64_t row = number / columns, column = number % columns;
    bool kept = element != negated;
    // The first row says how far the diagonal is away.
    if (row == 0 && !kept && !offset)
      offset = column - 1;
    if (offset)
      causal &= kept == (column <= row + *offset);
    else if (row > 0)
      return std::nullopt;
    ++number;
  }
  if (!causal || !offset)
    return std::nullopt;
  return ScoreMask{{{dims[0], dims[1], *offset, {}}}, {}};
}

/// A choice between conditions, one of which is constant.
std::optional<ScoreMask> MaskParser::parseSelect(arith::SelectOp op,
                                                 const AxisLayout &layout,
                                                 bool negated, unsigned depth) {
  if (!isa<RankedTensorType>(op.getCondition().getType()))
    return std::nullopt;
  std::optional<double> yes = getSplatNumber(op.getTrueValue()),
                        no = getSplatNumber(op.getFalseValue());
  if (yes && no && *yes != *no)
    return parse({op.getCondition(), layout}, negated == (*yes != 0),
                 depth - 1);
  // As a conjunction: c && x, or !c && x; negated, of what is negated.
  if (no && (*no != 0) == negated) {
    ScoreMask mask = parse({op.getCondition(), layout}, false, depth - 1);
    mask.join(parse({op.getTrueValue(), layout}, negated, depth - 1));
    return mask;
  }
  if (yes && (*yes != 0) == negated) {
    ScoreMask mask = parse({op.getCondition(), layout}, true, depth - 1);
    mask.join(parse({op.getFalseValue(), layout}, negated, depth - 1));
    return mask;
  }
  return std::nullopt;
}

std::optional<ScoreMask> MaskParser::parseOperation(Operation *op,
                                                    const AxisLayout &layout,
                                                    bool negated,
                                                    unsigned depth) {
  DenseElementsAttr elements;
  if (matchPattern(op, m_Constant(&elements)))
    return parseConstant(elements, layout, negated);
  if (isa<arith::AndIOp, arith::OrIOp>(op) &&
      isa<arith::OrIOp>(op) == negated) {
    ScoreMask mask = parse({op->getOperand(0), layout}, negated, depth - 1);
    mask.join(parse({op->getOperand(1), layout}, negated, depth - 1));
    return mask;
  }
  if (isa<arith::XOrIOp>(op))
    if (std::optional<double> flip = getSplatNumber(op->getOperand(1)))
      return parse({op->getOperand(0), layout}, negated != (*flip != 0),
                   depth - 1);
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    return parseComparison(comparison, layout, negated, depth - 1);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return parseSelect(select, layout, negated, depth - 1);
  return std::nullopt;
}

ScoreMask MaskParser::parse(AxisTensor condition, bool negated,
                            unsigned depth) {
  condition = axes.trace(condition, /*throughRepeats=*/true);
  if (Operation *op = condition.value.getDefiningOp(); op && depth > 0)
    if (std::optional<ScoreMask> mask =
            parseOperation(op, condition.layout, negated, depth)) {
      for (ScoreMask::Order &order : mask->orders)
        if (!order.condition.tensor.value)
          order.condition = {condition, negated};
      return *mask;
    }
  ScoreMask mask;
  mask.others.push_back({condition, negated});
  return mask;
}

ScoreMask tessera::fuse::parseScoreMask(const AxisTable &axes,
                                        AxisTensor condition, bool negated) {
  return MaskParser(axes).parse(std::move(condition), negated);
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

namespace {

/// Goes from scores up to the matmul.
class ScoreParser {
public:
  ScoreParser(AxisTable &axes,
              function_ref<std::optional<AxisLayout>(DotGeneralOp)> layoutOfDot)
      : axes(axes), layoutOfDot(layoutOfDot) {}

  std::optional<ScoreExpression> parse(Value scores, unsigned depth);

private:
  std::optional<ScoreExpression> parseSum(Operation *op, unsigned depth);
  void addBias(AxisTensor bias, double scale,
               SmallVectorImpl<ScoreExpression::Bias> &biases);
  std::optional<ScoreExpression> parseSelect(arith::SelectOp op,
                                             unsigned depth);
  /// Multiplies by a constant, if one of the operands is one.
  std::optional<ScoreExpression> parseProduct(Operation *op, unsigned depth);
  std::optional<ScoreExpression> parseTangent(math::TanhOp op, unsigned depth);

  AxisTable &axes;
  function_ref<std::optional<AxisLayout>(DotGeneralOp)> layoutOfDot;
};

} // namespace

std::optional<ScoreExpression> ScoreParser::parseProduct(Operation *op,
                                                         unsigned depth) {
  std::optional<double> left = getSplatNumber(op->getOperand(0)),
                        right = getSplatNumber(op->getOperand(1));
  bool divides = isa<arith::DivFOp>(op);
  if (left.has_value() == right.has_value() || (left && divides))
    return std::nullopt;
  auto scores = parse(op->getOperand(left ? 1 : 0), depth);
  if (!scores)
    return std::nullopt;
  double factor = left ? *left : divides ? 1 / *right : *right;
  // A negative factor would turn what is hidden into what is seen.
  if (!(factor > 0))
    return std::nullopt;
  scores->scale *= factor;
  if (scores->tangent)
    scores->softcap *= factor;
  for (ScoreExpression::Bias &bias : scores->biases)
    bias.scale *= factor;
  if (scores->fill)
    *scores->fill *= factor;
  return scores;
}

std::optional<ScoreExpression> ScoreParser::parseTangent(math::TanhOp op,
                                                         unsigned depth) {
  auto scores = parse(op.getOperand(), depth);
  if (!scores || scores->tangent || !scores->biases.empty() ||
      !scores->conditions.empty())
    return std::nullopt;
  scores->tangent = AxisTensor{op.getResult(), scores->layout};
  return scores;
}

/// Sums of tensors of fewer dimensions are several biases, none of which is as
/// large as the sum.
void ScoreParser::addBias(AxisTensor bias, double scale,
                          SmallVectorImpl<ScoreExpression::Bias> &biases) {
  bias = axes.trace(bias, /*throughRepeats=*/true);
  Operation *op = skipConversions(bias.value).getDefiningOp();
  if (isa_and_nonnull<arith::AddFOp, arith::SubFOp>(op)) {
    AxisTensor sides[] = {{op->getOperand(0), bias.layout},
                          {op->getOperand(1), bias.layout}};
    size_t whole = axesOf(bias.layout).size();
    if (llvm::all_of(sides, [&](const AxisTensor &side) {
          return axesOf(axes.trace(side, /*throughRepeats=*/true).layout)
                     .size() < whole;
        })) {
      addBias(sides[0], scale, biases);
      addBias(sides[1], isa<arith::SubFOp>(op) ? -scale : scale, biases);
      return;
    }
  }
  biases.push_back({std::move(bias), scale});
}

std::optional<ScoreExpression> ScoreParser::parseSum(Operation *op,
                                                     unsigned depth) {
  bool subtracts = isa<arith::SubFOp>(op);
  for (unsigned side : {0, 1}) {
    if (side == 1 && subtracts)
      break;
    auto scores = parse(op->getOperand(side), depth);
    // What is added behind a mask is added to the fill as well.
    if (!scores || !scores->conditions.empty())
      continue;
    AxisTensor bias{op->getOperand(1 - side), scores->layout};
    addBias(bias, subtracts ? -1 : 1, scores->biases);
    return scores;
  }
  return std::nullopt;
}

std::optional<ScoreExpression> ScoreParser::parseSelect(arith::SelectOp op,
                                                        unsigned depth) {
  if (!isa<RankedTensorType>(op.getCondition().getType()))
    return std::nullopt;
  std::optional<double> yes = getSplatNumber(op.getTrueValue()),
                        no = getSplatNumber(op.getFalseValue());
  if (yes.has_value() == no.has_value())
    return std::nullopt;
  auto scores = parse(yes ? op.getFalseValue() : op.getTrueValue(), depth);
  double fill = yes ? *yes : *no;
  if (!scores || (scores->fill && *scores->fill != fill))
    return std::nullopt;
  scores->fill = fill;
  AxisTensor condition{op.getCondition(), scores->layout};
  scores->conditions.push_back(
      {axes.trace(condition, /*throughRepeats=*/true), yes.has_value()});
  return scores;
}

std::optional<ScoreExpression> ScoreParser::parse(Value value, unsigned depth) {
  Operation *op = skipConversions(value).getDefiningOp();
  if (!op || depth == 0)
    return std::nullopt;
  if (auto dot = dyn_cast<DotGeneralOp>(op)) {
    std::optional<AxisLayout> layout = layoutOfDot(dot);
    if (!layout)
      return std::nullopt;
    ScoreExpression scores;
    scores.dot = dot;
    scores.layout = std::move(*layout);
    return scores;
  }
  if (isa<arith::MulFOp, arith::DivFOp>(op))
    return parseProduct(op, depth - 1);
  if (isa<arith::AddFOp, arith::SubFOp>(op))
    return parseSum(op, depth - std::min(depth, kSum));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return parseSelect(select, depth - 1);
  if (auto tangent = dyn_cast<math::TanhOp>(op))
    return parseTangent(tangent, depth - 1);
  if (!movesOnly(op))
    return std::nullopt;
  auto scores = parse(op->getOperand(0), depth - 1);
  if (!scores)
    return std::nullopt;
  std::optional<AxisLayout> layout = AxisTable::forward(op, scores->layout);
  if (!layout)
    return std::nullopt;
  scores->layout = std::move(*layout);
  return scores;
}

std::optional<ScoreExpression> tessera::fuse::parseScores(
    AxisTable &axes, Value scores,
    function_ref<std::optional<AxisLayout>(DotGeneralOp)> layoutOfDot) {
  return ScoreParser(axes, layoutOfDot).parse(scores, kChain);
}
