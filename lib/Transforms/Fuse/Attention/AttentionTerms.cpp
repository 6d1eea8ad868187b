//===- AttentionTerms.cpp - values that follow from a softmax -------------===//

#include "Attention/AttentionFinder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

#include "tessera/Dialect/Tessera/TensorTypes.h"
/// Products in a polynomial.
static constexpr size_t kTerms = 16;

//===----------------------------------------------------------------------===//
// Downwards: polynomials
//===----------------------------------------------------------------------===//

/// `polynomial`, if it is a number times a mask, with the number in the type of
/// `value`.
static std::optional<ScorePolynomial>
roundMask(const ScorePolynomial &polynomial, Value value) {
  if (polynomial.size() != 1)
    return std::nullopt;
  const auto &[monomial, factor] = *polynomial.getTerms().begin();
  if (monomial.empty() || !llvm::all_of(monomial, [](auto item) {
        return atom::isMask(item.first);
      }))
    return std::nullopt;
  APFloat rounded(factor);
  bool loses;
  rounded.convert(
      cast<FloatType>(getElementTypeOrSelf(value)).getFloatSemantics(),
      APFloat::rmNearestTiesToEven, &loses);
  return ScorePolynomial::of(monomial, rounded.convertToDouble());
}

/// What an element-wise operation makes of terms of the scores, as a
/// polynomial: sums, products, quotients, negation and conversions between
/// float types. A factor that is no term enters as a tensor, and a tiny
/// constant beside a sum of exponentials is left out. None where that is
/// impossible; operands are followed `depth` operations deep.
std::optional<Term> AttentionFinder::computeElementwise(Operation *op,
                                                        unsigned depth) {
  const Term *left = evaluate(op->getOperand(0), depth),
             *right = op->getNumOperands() > 1
                          ? evaluate(op->getOperand(1), depth)
                          : nullptr;
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return left ? std::optional<Term>(*left) : std::nullopt;
  if (isa<arith::NegFOp>(op) && left)
    return Term{left->polynomial * ScorePolynomial::constant(-1), left->layout};
  // Nothing times anything is nothing.
  bool multiplies = isa<arith::MulFOp>(op), divides = isa<arith::DivFOp>(op);
  if ((multiplies || divides) && left && left->polynomial.isZero())
    return *left;
  if (multiplies && right && right->polynomial.isZero())
    return *right;
  std::optional<Term> tensor;
  if ((multiplies || (divides && right)) && !left != !right) {
    tensor = tensorNextTo(left ? *left : *right, op->getOperand(left ? 1 : 0));
    (left ? right : left) = tensor ? &*tensor : nullptr;
  } else if (isa<arith::SubFOp>(op) && !left && right) {
    tensor = sinkNextTo(*right, op->getOperand(0));
    left = tensor ? &*tensor : nullptr;
  }
  if (!left || !right)
    return std::nullopt;
  std::optional<AxisLayout> layout =
      match.axes.unify(left->layout, right->layout);
  if (!layout)
    return std::nullopt;
  const ScorePolynomial &a = left->polynomial, &b = right->polynomial;
  if (multiplies)
    return Term{a * b, *layout};
  if (isa<arith::AddFOp>(op)) {
    // A sum of exponentials, the largest of which is 1, and next to nothing.
    constexpr double little = 1e-6;
    auto isSum = [](const ScorePolynomial &p) {
      return (p - ScorePolynomial::of({{atom::Sum, 1}})).isZero();
    };
    for (auto [sum, number] : {std::pair(&a, &b), std::pair(&b, &a)})
      if (std::optional<double> constant = number->asConstant();
          constant && std::abs(*constant) <= little && isSum(*sum) &&
          exponent.coefficient({{atom::Maximum, 1}}) != 0)
        return Term{*sum, *layout};
    return Term{a + b, *layout};
  }
  if (isa<arith::SubFOp>(op))
    return Term{a - b, *layout};
  std::optional<ScorePolynomial> inverse;
  if (divides)
    inverse = b.inverse();
  if (!inverse)
    return std::nullopt;
  // Of ones and zeros a quotient is a constant, which the program rounds.
  if (auto quotient = roundMask(a * *inverse, op->getResult(0)))
    return Term{*quotient, *layout};
  return Term{a * *inverse, *layout};
}

/// A choice by the condition that hides scores multiplies with its mask. (Where
/// a maximum is replaced by a number, that is for rows of infinities.)
std::optional<Term> AttentionFinder::computeSelect(arith::SelectOp op,
                                                   unsigned depth) {
  const Term *yes = evaluate(op.getTrueValue(), depth),
             *no = evaluate(op.getFalseValue(), depth);
  if (!yes || !no)
    return std::nullopt;
  std::optional<double> constant = no->polynomial.asConstant();
  bool keepsYes = constant && (*constant == 0 || !yes->polynomial.isZero());
  const Term &kept = keepsYes ? *yes : *no, &other = keepsYes ? *no : *yes;
  if (kept.polynomial.coefficient({{atom::Maximum, 1}}) == 1 &&
      kept.polynomial.size() == 1 && other.polynomial.asConstant())
    return kept;
  if (!other.polynomial.isZero() ||
      !isa<RankedTensorType>(op.getCondition().getType()))
    return std::nullopt;
  if (kept.polynomial.isZero())
    return kept;
  // Of a number it is not known what its dimensions are.
  AxisLayout layout =
      kept.polynomial.asConstant() ? unknownLayout(op) : kept.layout;
  ScorePolynomial mask = maskOf({op.getCondition(), layout}, &kept == no);
  return Term{kept.polynomial * mask, match.axes.resolve(layout)};
}

AxisLayout AttentionFinder::unknownLayout(Value value) {
  AxisLayout layout;
  for (int64_t size : shapeOf(value))
    layout.push_back(match.axes.addUnknownDim(size));
  return layout;
}

/// 1 where the condition holds (`negated`: does not), else 0. A condition that
/// is not known yet becomes a further mask.
ScorePolynomial AttentionFinder::maskOf(AxisTensor condition, bool negated) {
  condition = match.axes.trace(condition, /*throughRepeats=*/true);
  while (auto flip = condition.value.getDefiningOp<arith::XOrIOp>()) {
    std::optional<double> by = getSplatNumber(flip.getRhs());
    if (!by)
      break;
    negated ^= *by != 0;
    condition.value = flip.getLhs();
    condition = match.axes.trace(condition, /*throughRepeats=*/true);
  }
  for (auto [number, known] : llvm::enumerate(masks))
    if (match.axes.isSame(condition, known.condition)) {
      auto mask = ScorePolynomial::of({{atom::mask(number), 1}});
      return known.negated == negated ? mask
                                      : ScorePolynomial::constant(1) - mask;
    }
  masks.push_back({condition, negated});
  return ScorePolynomial::of({{atom::mask(masks.size() - 1), 1}});
}

/// A logarithm of L, another exponential, or a condition as a number.
std::optional<Term> AttentionFinder::computeFunction(Operation *op,
                                                     unsigned depth) {
  if (auto number = dyn_cast<arith::UIToFPOp>(op)) {
    if (!getElementTypeOrSelf(number.getIn()).isInteger(1))
      return std::nullopt;
    AxisLayout layout = unknownLayout(number);
    return Term{maskOf({number.getIn(), layout}, /*negated=*/false), layout};
  }
  const Term *operand = evaluate(op->getOperand(0), depth);
  if (!operand)
    return std::nullopt;
  if (isa<math::LogOp>(op)) {
    auto sum = ScorePolynomial::of({{atom::Sum, 1}});
    if (!(operand->polynomial - sum).isZero())
      return std::nullopt;
    return Term{ScorePolynomial::of({{atom::LogSum, 1}}), operand->layout};
  }
  if (takeSink(operand->polynomial))
    return Term{ScorePolynomial::of({{atom::Sink, 1}}), operand->layout};
  // e^(x - c log L) is e^x / L^c.
  ScorePolynomial more = operand->polynomial - exponent;
  double logarithms = more.coefficient({{atom::LogSum, 1}});
  if (more.size() > 1 || (more.size() == 1 && logarithms != -1))
    return std::nullopt;
  match.exponentials.push_back(cast<math::ExpOp>(op));
  ScorePolynomial::Monomial power{{atom::Exponential, 1}};
  if (more.size() == 1)
    power[atom::Sum] = -1;
  return Term{ScorePolynomial::of(power), operand->layout};
}

/// A maximum is not below the least number. What else it is at least does not
/// matter, since only quotients of exponentials do.
std::optional<Term> AttentionFinder::computeMaximum(Operation *op,
                                                    unsigned depth) {
  for (unsigned side : {0, 1}) {
    const Term *term = evaluate(op->getOperand(side), depth);
    if (!term)
      continue;
    std::optional<double> bound = getSplatNumber(op->getOperand(1 - side));
    if (bound && *bound == -std::numeric_limits<double>::infinity())
      return *term;
    const Term *other = evaluate(op->getOperand(1 - side), depth);
    if (isMaximum(term->polynomial) &&
        (!other || other->polynomial.asConstant())) {
      maximumIsExact = false;
      return *term;
    }
  }
  return std::nullopt;
}

std::optional<Term> AttentionFinder::computeSum(ReduceOp op, unsigned depth) {
  const Term *operand = evaluate(op.getOperand(), depth);
  if (!operand || op.getKind().getKind() != ReductionKind::Sum)
    return std::nullopt;
  AxisLayout layout = match.axes.resolve(operand->layout), rows, summed;
  for (auto [dim, pieces] : llvm::enumerate(layout))
    (llvm::is_contained(op.getDims(), int64_t(dim)) ? summed : rows)
        .push_back(pieces);
  double repeats = 1;
  SmallVector<int> axes;
  for (const AxisDim &dim : summed)
    for (const AxisPiece &piece : dim) {
      if (piece.isUnknown())
        return std::nullopt;
      if (piece.isRepeated())
        repeats *= piece.size;
      else
        axes.push_back(piece.axis);
    }
  ScorePolynomial sum =
      operand->polynomial * ScorePolynomial::constant(repeats);
  if (axes.empty())
    return Term{sum, rows};
  std::optional<ScorePolynomial> total;
  if (areSameAxes(axes, match.keyAxes))
    total = sum.sumOverKeys(sumOfExponentials(), rowSums);
  else if (undivided && areSameAxes(axes, outputAxes))
    total = sumOverFeatures(sum);
  return total ? std::optional<Term>(Term{*total, rows}) : std::nullopt;
}

/// A matmul of tensors from elsewhere: what its dimensions are, the values
/// say that it is combined with. What scales the rows of one of them scales
/// those of the product.
std::optional<Term> AttentionFinder::computeProduct(DotGeneralOp dot,
                                                    unsigned depth) {
  if (!isa<FloatType>(getElementTypeOrSelf(dot.getType())))
    return std::nullopt;
  for (unsigned side : {0, 1})
    if (std::optional<ScaledTensor> scaled =
            findScaled(getSide(dot, side).value, depth)) {
      AxisTensor other = otherOperand(dot, side, scaled->layout);
      int number = productOf(scaled->tensor);
      if (products[number].dot)
        return std::nullopt;
      products[number].dot = dot;
      products[number].layouts[side] = scaled->layout;
      products[number].layouts[1 - side] = other.layout;
      products[number].tensorSide = side;
      return Term{scaled->factor *
                      ScorePolynomial::of({{atom::product(number), 1}}),
                  resultLayout(dot, side, scaled->layout, other.layout)};
    }
  products.push_back({dot, -1, 0, {}});
  return Term{ScorePolynomial::of({{atom::product(products.size() - 1), 1}}),
              unknownLayout(dot)};
}

std::optional<Term> AttentionFinder::compute(Operation *op, Value value,
                                             unsigned depth) {
  if (isa<RankedTensorType>(value.getType()))
    if (std::optional<double> number = getSplatNumber(value)) {
      AxisLayout layout;
      for (int64_t size : shapeOf(value)) {
        layout.emplace_back();
        if (size != 1)
          layout.back().push_back({size, AxisPiece::kRepeated});
      }
      return Term{ScorePolynomial::constant(*number), layout};
    }
  if (isa<arith::MulFOp, arith::DivFOp, arith::AddFOp, arith::SubFOp,
          arith::NegFOp, arith::ExtFOp, arith::TruncFOp>(op))
    return computeElementwise(op, depth);
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op)) {
    return computeMaximum(op, depth);
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return computeSelect(select, depth);
  if (isa<math::ExpOp, math::LogOp, arith::UIToFPOp>(op))
    return computeFunction(op, depth);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return computeSum(reduce, depth);
  if (auto dot = dyn_cast<DotGeneralOp>(op))
    return computeProduct(dot, depth);
  if (!isa<ReshapeOp, TransposeOp, BroadcastOp>(op))
    return std::nullopt;
  const Term *operand = evaluate(op->getOperand(0), depth);
  if (!operand)
    return std::nullopt;
  std::optional<AxisLayout> layout =
      AxisTable::forward(op, match.axes.resolve(operand->layout));
  return layout ? std::optional<Term>(Term{operand->polynomial, *layout})
                : std::nullopt;
}

const Term *AttentionFinder::evaluate(Value value, unsigned depth) {
  auto known = terms.find(value);
  if (known == terms.end()) {
    Operation *op = value.getDefiningOp();
    if (!op || depth == 0 || op->getBlock() != exponential->getBlock() ||
        !isa<RankedTensorType>(value.getType()))
      return nullptr;
    std::optional<Term> term = compute(op, value, depth - 1);
    if (term && term->polynomial.size() > kTerms)
      term.reset();
    if (term && masksAreImplied)
      term->polynomial = term->polynomial.withoutMasks(scoreMasks);
    setTerm(value, std::move(term));
    known = terms.find(value);
    if (double factor = asOutput(known->second.get()); factor != 0 && !output) {
      output = AxisTensor{value, match.axes.resolve(known->second->layout)};
      outputFactor = factor;
    }
  }
  return known->second.get();
}

//===----------------------------------------------------------------------===//
// Downwards: all that follows
//===----------------------------------------------------------------------===//

static bool isOfScores(const ScorePolynomial &polynomial) {
  return llvm::any_of(polynomial.getTerms(), [](const auto &term) {
    return term.first.contains(atom::Exponential);
  });
}

/// Evaluates whatever follows from E.
void AttentionFinder::follow() {
  findSink();
  findUndivided();
  SmallVector<Value> worklist = {exponential.getResult()};
  llvm::DenseSet<Value> seen(worklist.begin(), worklist.end());
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (auto dot = dyn_cast<DotGeneralOp>(user)) {
        // Of two terms the one of scores, not of the output.
        if (!sinks.contains(user) || isOfScores(evaluate(value)->polynomial))
          sinks[user] = use.getOperandNumber();
        strangers.push_back(&use);
        if (dot == undividedDot && seen.insert(dot.getResult()).second)
          worklist.push_back(dot.getResult());
        continue;
      }
      const Term *term =
          user->getNumResults() == 1 ? evaluate(user->getResult(0)) : nullptr;
      // What is made of an output and a tensor may be of the gradient or not.
      if (!term || (asOutput(evaluate(value)) != 0 && !asOutput(term)))
        strangers.push_back(&use);
      if (term && seen.insert(user->getResult(0)).second)
        worklist.push_back(user->getResult(0));
    }
  }
}
