//===- AttentionRowValues.cpp - sinks, and other numbers per row ----------===//
//
// A model may add to the sum of a row's exponentials that of one more score,
// which belongs to no key: a sink, s[i], mostly a parameter per head. With L
// the whole sum everything else is as without it, but that the sum of E over
// keys is L - exp(s - maximum). The gradient of s is then a number per row that
// the program makes of sums.
//
// Such numbers are results too, if they do not depend on what scores are
// reduced by before the exponential, or if that is their maximum: exponentials,
// L and D change by a common factor when it does, the logarithm of L by a
// summand.
//
//===----------------------------------------------------------------------===//

#include "Attention/AttentionFinder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

bool AttentionFinder::isMaximum(const ScorePolynomial &polynomial) {
  return polynomial.size() == 1 &&
         polynomial.coefficient({{atom::Maximum, 1}}) == 1;
}

ScorePolynomial AttentionFinder::sumOfExponentials() const {
  ScorePolynomial sum = ScorePolynomial::of({{atom::Sum, 1}});
  return hasSink ? sum - ScorePolynomial::of({{atom::Sink, 1}}) : sum;
}

/// Whether `op` only moves, repeats or converts elements.
static bool handsOn(Operation *op) {
  return isa<arith::ExtFOp, arith::TruncFOp, ReshapeOp, TransposeOp,
             BroadcastOp>(op);
}

/// Looks, before sums are evaluated, for what is added to that of E.
void AttentionFinder::findSink() {
  SmallVector<std::pair<Value, bool>> values = {
      {exponential.getResult(), false}};
  while (!values.empty()) {
    auto [value, isSummed] = values.pop_back_val();
    for (Operation *user : value.getUsers()) {
      auto reduce = dyn_cast<ReduceOp>(user);
      if (handsOn(user)) {
        values.push_back({user->getResult(0), isSummed});
      } else if (reduce && !isSummed &&
                 reduce.getKind().getKind() == ReductionKind::Sum) {
        values.push_back({reduce.getResult(), true});
      } else if (isSummed && isa<arith::AddFOp>(user)) {
        Value other = user->getOperand(user->getOperand(0) == value);
        const Term *term = evaluate(other);
        hasSink |= term && term->polynomial.size() == 1 &&
                   term->polynomial.coefficient({{atom::Sink, 1}}) == 1;
      }
    }
  }
}

/// `value`, of which nothing is known, as the score of a sink, where `maximum`
/// is subtracted from it.
std::optional<Term> AttentionFinder::sinkNextTo(const Term &maximum,
                                                Value value) {
  if (!isMaximum(maximum.polynomial))
    return std::nullopt;
  std::optional<AxisLayout> layout =
      match.axes.unify(unknownLayout(value), maximum.layout);
  if (!layout)
    return std::nullopt;
  AxisTensor tensor =
      match.axes.trace({value, *layout}, /*throughRepeats=*/true);
  if (match.sink && !(match.sink->tensor.value &&
                      match.axes.isSame(match.sink->tensor, tensor)))
    return std::nullopt;
  match.sink = AttentionMatch::Sink{tensor, 0};
  return Term{ScorePolynomial::of({{atom::SinkScore, 1}}), *layout};
}

/// Whether e to the power of `exponent` is that of a sink.
bool AttentionFinder::takeSink(const ScorePolynomial &exponent) {
  ScorePolynomial score = exponent + ScorePolynomial::of({{atom::Maximum, 1}});
  if (exponent.coefficient({{atom::Maximum, 1}}) != -1)
    return false;
  if (score.size() == 1 && score.coefficient({{atom::SinkScore, 1}}) == 1)
    return true;
  std::optional<double> number = score.asConstant();
  if (!number || (match.sink &&
                  (match.sink->tensor.value || match.sink->number != *number)))
    return false;
  match.sink = AttentionMatch::Sink{{}, *number};
  return true;
}

/// Whether `layout` has the axes of rows of scores, each once.
bool AttentionFinder::isOfRows(const AxisLayout &layout) const {
  SmallVector<int> rows = axesOf(match.axes.resolve(match.scores.layout));
  llvm::erase_if(
      rows, [&](int axis) { return llvm::is_contained(match.keyAxes, axis); });
  size_t pieces = 0;
  for (const AxisDim &dim : layout)
    pieces += dim.size();
  return pieces == rows.size() && areSameAxes(axesOf(layout), rows);
}

/// A product of numbers per row, where it is known what they are.
std::optional<AttentionMatch::RowResult::Summand>
AttentionFinder::asSummand(const ScorePolynomial::Monomial &monomial,
                           double factor) {
  AttentionMatch::RowResult::Summand summand;
  summand.factor = factor;
  for (auto [number, exponent] : monomial) {
    if (number == atom::Sum) {
      summand.sums = exponent;
    } else if (number == atom::Sink && hasSink) {
      summand.sinks = exponent;
    } else if (number == atom::Maximum && exponent > 0) {
      summand.maxima = exponent;
    } else if (number == atom::LogSum && exponent > 0) {
      summand.logarithms = exponent;
    } else if (atom::isRowSum(number) && exponent == 1) {
      const ScorePolynomial::Monomial &summed = rowSums[atom::indexOf(number)];
      auto product = llvm::find_if(
          summed, [](auto item) { return atom::isProduct(item.first); });
      // Of E and dP alone.
      if (summed.size() != 2 || !resolveProduct(atom::indexOf(product->first)))
        return std::nullopt;
      AxisTensor gradient = *productGradients[atom::indexOf(product->first)];
      summand.gradients.push_back(&gradientOf(gradient) -
                                  match.gradients.begin());
    } else {
      return std::nullopt;
    }
  }
  return summand;
}

/// A value with one element per row, made of what the operations give.
bool AttentionFinder::takeRow(Value value) {
  const Term *term = evaluate(value);
  Operation *op = value.getDefiningOp();
  if (!term || term->polynomial.asConstant() || replaced.contains(op) ||
      !match.value.value || (keep && !keep->empty()))
    return false;
  AttentionMatch::RowResult row{value, match.axes.resolve(term->layout), {}};
  if (!isOfRows(row.layout))
    return false;
  ScorePolynomial logSumExp = ScorePolynomial::of({{atom::LogSum, 1}}) +
                              ScorePolynomial::of({{atom::Maximum, 1}});
  bool isFixed = maximumIsExact || (term->polynomial - logSumExp).isZero();
  for (const auto &[monomial, factor] : term->polynomial.getTerms()) {
    auto summand = asSummand(monomial, factor);
    if (!summand)
      return false;
    int degree =
        summand->sums + summand->sinks + int(summand->gradients.size());
    if (!isFixed &&
        (degree != 0 || summand->maxima != 0 || summand->logarithms != 0))
      return false;
    row.summands.push_back(std::move(*summand));
  }
  replaced.insert(op);
  match.rows.push_back(std::move(row));
  return true;
}
