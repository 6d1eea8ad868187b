//===- AttentionTerms.cpp - values that follow from a softmax -------------===//

#include "AttentionFinder.h"

using namespace mlir;
using namespace tessera;

/// Products in a polynomial.
static constexpr size_t kTerms = 16;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

//===----------------------------------------------------------------------===//
// Downwards: polynomials
//===----------------------------------------------------------------------===//

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
  if (!left || !right)
    return std::nullopt;
  std::optional<AxisLayout> layout =
      match.axes.unify(left->layout, right->layout);
  if (!layout)
    return std::nullopt;
  const ScorePolynomial &a = left->polynomial, &b = right->polynomial;
  if (multiplies)
    return Term{a * b, *layout};
  if (isa<arith::AddFOp>(op))
    return Term{a + b, *layout};
  if (isa<arith::SubFOp>(op))
    return Term{a - b, *layout};
  std::optional<ScorePolynomial> inverse;
  if (divides)
    inverse = b.inverse();
  return inverse ? std::optional<Term>(Term{a * *inverse, *layout})
                 : std::nullopt;
}

/// A choice by the condition that hides scores multiplies with its mask. (Where
/// a maximum is replaced by a number, that is for rows of infinities.)
std::optional<Term> AttentionFinder::computeSelect(arith::SelectOp op,
                                                   unsigned depth) {
  const Term *yes = evaluate(op.getTrueValue(), depth),
             *no = evaluate(op.getFalseValue(), depth);
  if (!yes || !no)
    return std::nullopt;
  const Term &kept = no->polynomial.asConstant() ? *yes : *no;
  const Term &other = no->polynomial.asConstant() ? *no : *yes;
  if (kept.polynomial.coefficient({{atom::Maximum, 1}}) == 1 &&
      kept.polynomial.size() == 1 && other.polynomial.asConstant())
    return kept;
  if (!other.polynomial.isZero() ||
      !isa<RankedTensorType>(op.getCondition().getType()))
    return std::nullopt;
  if (kept.polynomial.isZero())
    return kept;
  // The condition may still have to be found out what its dimensions are.
  for (auto [number, condition] : llvm::enumerate(match.scores.conditions)) {
    if (condition.negated != (&kept == no))
      continue;
    AxisTensor own = match.axes.trace({op.getCondition(), kept.layout},
                                      /*throughRepeats=*/true);
    if (match.axes.isSame(own, condition.condition))
      return Term{kept.polynomial *
                      ScorePolynomial::of({{atom::mask(number), 1}}),
                  match.axes.resolve(kept.layout)};
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
  if (!areSameAxes(axes, match.keyAxes))
    return std::nullopt;
  std::optional<ScorePolynomial> total = sum.sumOverKeys();
  return total ? std::optional<Term>(Term{*total, rows}) : std::nullopt;
}

/// A contraction of tensors from elsewhere: what its dimensions are, the values
/// say that it is combined with.
std::optional<Term> AttentionFinder::computeProduct(DotGeneralOp dot) {
  if (!isa<FloatType>(getElementTypeOrSelf(dot.getType())))
    return std::nullopt;
  AxisLayout layout;
  for (int64_t size : shapeOf(dot))
    layout.push_back(match.axes.addUnknownDim(size));
  products.push_back(dot);
  return Term{ScorePolynomial::of({{atom::product(products.size() - 1), 1}}),
              layout};
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
    // A maximum is not below the least number.
    for (unsigned side : {0, 1})
      if (std::optional<double> bound = getSplatNumber(op->getOperand(side));
          bound && *bound == -std::numeric_limits<double>::infinity())
        if (const Term *term = evaluate(op->getOperand(1 - side), depth))
          return *term;
    return std::nullopt;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return computeSelect(select, depth);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return computeSum(reduce, depth);
  if (auto dot = dyn_cast<DotGeneralOp>(op))
    return computeProduct(dot);
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
      term->polynomial =
          term->polynomial.withoutMasks([](int) { return true; });
    setTerm(value, std::move(term));
    known = terms.find(value);
  }
  return known->second.get();
}

/// Evaluates whatever follows from E.
void AttentionFinder::follow() {
  SmallVector<Value> worklist = {exponential.getResult()};
  llvm::DenseSet<Value> seen(worklist.begin(), worklist.end());
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isa<DotGeneralOp>(user)) {
        sinks.insert({user, use.getOperandNumber()});
        strangers.push_back(user);
      } else if (user->getNumResults() != 1 || !evaluate(user->getResult(0))) {
        strangers.push_back(user);
      } else if (seen.insert(user->getResult(0)).second) {
        worklist.push_back(user->getResult(0));
      }
    }
  }
}
