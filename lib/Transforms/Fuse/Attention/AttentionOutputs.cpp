//===- AttentionOutputs.cpp - outputs divided after their product ---------===//
//
// Where a program multiplies E itself with the value and divides the product U
// by the sums L afterwards, its gradient is that of a quotient. With dO the
// gradient of the output U/L, it has
//
//   (dO/L) value^T    instead of      dP/L
//   sum over features of dO U         D, the sum over keys of E dP
//   E times dO/L, over queries        the value's gradient
//
// So what has the dimensions of the output is followed as well: U, and tensors
// X from elsewhere that U or a row's number is multiplied with, of which dO is
// one. A product of X and the value is a product dP; what scales the rows of X
// is a factor of it.
//
//===----------------------------------------------------------------------===//

#include "Attention/AttentionFinder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

/// Whether `dot` is a product of E, not divided yet, and the value: a term U.
bool AttentionFinder::followOutput(DotGeneralOp dot, unsigned side) {
  const Term *term = evaluate(dot->getOperand(side));
  double factor =
      term ? term->polynomial.coefficient({{atom::Exponential, 1}}) : 0;
  if (undivided || factor == 0 || term->polynomial.size() != 1)
    return false;
  AxisLayout layout = match.axes.resolve(term->layout);
  SmallVector<int> contracted;
  for (int64_t dim : getSide(dot, side).contracting)
    llvm::append_range(contracted, axesOf(layout[dim]));
  if (!areSameAxes(contracted, match.keyAxes))
    return false;
  undividedDot = dot;
  undivided = match.axes.nameUnknowns(otherOperand(dot, side, layout));
  for (int64_t dim : getSide(dot, 1 - side).free)
    llvm::append_range(outputAxes, axesOf(undivided->layout[dim]));
  setTerm(dot.getResult(),
          Term{ScorePolynomial::of({{atom::Output, 1}}, factor),
               resultLayout(dot, side, layout, undivided->layout)});
  return true;
}

/// Looks for U before anything else follows from E: what does may read it.
void AttentionFinder::findUndivided() {
  SmallVector<Value> values = {exponential.getResult()};
  while (!values.empty())
    for (OpOperand &use : values.pop_back_val().getUses()) {
      if (auto dot = dyn_cast<DotGeneralOp>(use.getOwner()))
        (void)followOutput(dot, use.getOperandNumber());
      else if (isa<arith::ExtFOp, arith::TruncFOp, ReshapeOp, TransposeOp>(
                   use.getOwner()))
        values.push_back(use.getOwner()->getResult(0));
    }
}

double AttentionFinder::asOutput(const Term *term) {
  return term && term->polynomial.size() == 1
             ? term->polynomial.coefficient(
                   {{atom::Output, 1}, {atom::Sum, -1}})
             : 0;
}

/// `value`, of which nothing is known, as an X, where it is combined with what
/// has one element per row of scores, or with U.
std::optional<Term> AttentionFinder::tensorNextTo(const Term &neighbour,
                                                  Value value) {
  auto isNeighbour = [](const auto &term) {
    return llvm::all_of(term.first, [](auto factor) {
      return atom::isOfRow(factor.first) || atom::isOfOutput(factor.first);
    });
  };
  auto type = cast<RankedTensorType>(value.getType());
  if (!undivided || neighbour.polynomial.asConstant() ||
      !llvm::all_of(neighbour.polynomial.getTerms(), isNeighbour))
    return std::nullopt;
  std::optional<AxisLayout> layout =
      match.axes.unify(unknownLayout(value), neighbour.layout);
  int64_t features = 1;
  for (int axis : outputAxes)
    features *= match.axes.sizeOf(axis);
  int64_t keys = 1;
  for (int axis : match.keyAxes)
    keys *= match.axes.sizeOf(axis);
  int64_t scores =
      cast<RankedTensorType>(exponential.getType()).getNumElements();
  if (!layout || type.getNumElements() != scores / keys * features)
    return std::nullopt;
  return Term{
      ScorePolynomial::of({{atom::tensor(tensorOf({value, *layout})), 1}}),
      *layout};
}

/// The number of the tensor that `tensor` is.
int AttentionFinder::tensorOf(AxisTensor tensor) {
  tensor = match.axes.trace(tensor, /*throughRepeats=*/false);
  for (auto [number, known] : llvm::enumerate(tensors))
    if (match.axes.isSame(known, tensor))
      return number;
  tensors.push_back(tensor);
  return tensors.size() - 1;
}

/// The number of the tensor that atom `number` is: an X, a product that has not
/// turned out to be one of X, or, for U, the output; -1 if it is none.
int AttentionFinder::tensorOf(int number) {
  if (number == atom::Output)
    return output ? tensorOf(*output) : -1;
  if (atom::isOfOutput(number))
    return atom::indexOf(number);
  if (!atom::isProduct(number))
    return -1;
  Product product = products[atom::indexOf(number)];
  if (!product.dot || product.tensor >= 0)
    return -1;
  Value value = product.dot.getResult();
  return tensorOf({value, match.axes.resolve(evaluate(value)->layout)});
}

/// The number of the product of tensor number `tensor` with the value.
int AttentionFinder::productOf(int tensor) {
  for (auto [number, product] : llvm::enumerate(products))
    if (product.tensor == tensor)
      return number;
  products.push_back({{}, tensor, 0, {}});
  return products.size() - 1;
}

/// `polynomial`, a single product, as a factor per row times a tensor; U is the
/// output, which is one, times L.
std::optional<AttentionFinder::ScaledTensor>
AttentionFinder::asScaled(const ScorePolynomial &polynomial) {
  if (polynomial.size() != 1)
    return std::nullopt;
  const auto &[monomial, coefficient] = *polynomial.getTerms().begin();
  ScorePolynomial::Monomial rows;
  ScaledTensor scaled{ScorePolynomial::constant(coefficient), -1, {}};
  for (auto [number, exponent] : monomial) {
    if (atom::isOfRow(number)) {
      rows[number] = exponent;
      continue;
    }
    int tensor = exponent == 1 ? tensorOf(number) : -1;
    if (tensor < 0 || scaled.tensor >= 0)
      return std::nullopt;
    scaled.tensor = tensor;
    if (number == atom::Output)
      scaled.factor = scaled.factor *
                      ScorePolynomial::of({{atom::Sum, 1}}, 1 / outputFactor);
  }
  if (scaled.tensor < 0)
    return std::nullopt;
  scaled.factor = scaled.factor * ScorePolynomial::of(rows);
  return scaled;
}

/// `value` as a factor per row times a tensor, if it is a product or quotient
/// with something that differs from row to row.
std::optional<AttentionFinder::ScaledTensor>
AttentionFinder::findScaled(Value value, unsigned depth) {
  Value origin = value;
  while (
      isa_and_nonnull<arith::ExtFOp, arith::TruncFOp, ReshapeOp, TransposeOp>(
          origin.getDefiningOp()))
    origin = origin.getDefiningOp()->getOperand(0);
  if (!undivided ||
      !isa_and_nonnull<arith::MulFOp, arith::DivFOp>(origin.getDefiningOp()))
    return std::nullopt;
  const Term *term = evaluate(value, depth);
  std::optional<ScaledTensor> scaled =
      term ? asScaled(term->polynomial) : std::nullopt;
  if (!scaled || scaled->factor.asConstant())
    return std::nullopt;
  scaled->layout = match.axes.resolve(term->layout);
  return scaled;
}

/// The sum of U X over features is that of E dP over keys, if dP is the product
/// of X and the value.
std::optional<ScorePolynomial>
AttentionFinder::sumOverFeatures(const ScorePolynomial &summand) {
  ScorePolynomial total;
  for (const auto &[monomial, coefficient] : summand.getTerms()) {
    ScorePolynomial::Monomial rest = monomial;
    int &power = rest[atom::Output];
    if (power < 1)
      return std::nullopt;
    if (--power == 0)
      rest.erase(atom::Output);
    std::optional<ScaledTensor> scaled =
        asScaled(ScorePolynomial::of(rest, coefficient));
    if (!scaled)
      return std::nullopt;
    std::optional<ScorePolynomial> sum =
        ScorePolynomial::of({{atom::Exponential, 1},
                             {atom::product(productOf(scaled->tensor)), 1}})
            .sumOverKeys(sumOfExponentials(), rowSums);
    total = total + *sum * scaled->factor;
  }
  return total;
}
