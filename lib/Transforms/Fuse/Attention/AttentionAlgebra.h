//===- AttentionAlgebra.h - elements of scores as polynomials -------------===//
#ifndef TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONALGEBRA_H
#define TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONALGEBRA_H

#include <map>
#include <optional>
#include <vector>

namespace tessera::fuse {

/// What polynomials are made of, as numbers: the elements of tensors that are
/// computed, not made of others. Of the form f[i,j] (of query i, key j) or
/// r[i].
namespace atom {
enum Kind : int {
  Exponential, ///< E[i,j] = exp(score - maximum)
  Maximum,     ///< the maximum of row i
  Sum,         ///< L[i] = sum over j of E, and the sink if there is one
  Score,       ///< S[i,j] itself
  LogSum,      ///< log L[i]
  Tangent,     ///< T[i,j], the hyperbolic tangent that caps a score
  Output,      ///< U[i,e] = sum over j of E times the value
  SinkScore,   ///< s[i], a score of no key (a sink)
  Sink,        ///< exp(s - maximum)
  FirstOther,
};
/// The mask number `i`: 1 where something is kept, else 0.
constexpr int mask(int i) { return FirstOther + 4 * i; }
/// The product number `i` of two tensors from elsewhere, dP[i,j].
constexpr int product(int i) { return FirstOther + 4 * i + 1; }
/// The sum number `i` over the keys of a row: D[i] = sum over j of E * dP, or
/// of that times masks.
constexpr int rowSum(int i) { return FirstOther + 4 * i + 2; }
/// The tensor number `i` from elsewhere with the dimensions of U, X[i,e].
constexpr int tensor(int i) { return FirstOther + 4 * i + 3; }
constexpr bool isMask(int number) {
  return number >= FirstOther && (number - FirstOther) % 4 == 0;
}
constexpr bool isProduct(int number) {
  return number >= FirstOther && (number - FirstOther) % 4 == 1;
}
constexpr bool isRowSum(int number) {
  return number >= FirstOther && (number - FirstOther) % 4 == 2;
}
/// Whether it has the dimensions of the output.
constexpr bool isOfOutput(int number) {
  return number == Output ||
         (number >= FirstOther && (number - FirstOther) % 4 == 3);
}
/// Whether it has one element per row of scores.
constexpr bool isOfRow(int number) {
  return number != Exponential && number != Score && number != Tangent &&
         !isMask(number) && !isProduct(number) && !isOfOutput(number);
}
/// The `i` that `mask`, `product` and the like were given.
constexpr int indexOf(int number) { return (number - FirstOther) / 4; }
} // namespace atom

/// A sum of products of integer powers of atoms: an element of a tensor of
/// scores, or of one with one element per row of them. Equal expressions are
/// equal polynomials however a program has computed them.
class ScorePolynomial {
public:
  /// Atoms with their exponents, which are not 0.
  using Monomial = std::map<int, int>;

  static ScorePolynomial constant(double value);
  static ScorePolynomial of(Monomial monomial, double coefficient = 1);

  bool isZero() const { return terms.empty(); }
  /// The number that it is, if it is one.
  std::optional<double> asConstant() const;
  /// Its coefficient of `monomial`; 0 if there is none.
  double coefficient(const Monomial &monomial) const;
  size_t size() const { return terms.size(); }
  const std::map<Monomial, double> &getTerms() const { return terms; }

  ScorePolynomial operator+(const ScorePolynomial &other) const;
  ScorePolynomial operator-(const ScorePolynomial &other) const;
  ScorePolynomial operator*(const ScorePolynomial &other) const;
  /// 1 / it, if it is a single product without masks.
  std::optional<ScorePolynomial> inverse() const;
  /// The sum over all keys; nothing if that is no polynomial. That of E is
  /// `exponentials`; `rowSums` are the products that the sums of that number
  /// are of; further ones are added.
  std::optional<ScorePolynomial>
  sumOverKeys(const ScorePolynomial &exponentials,
              std::vector<Monomial> &rowSums) const;
  /// Without the first `count` masks where E is a factor.
  ScorePolynomial withoutMasks(int count) const;

private:
  void add(Monomial monomial, double coefficient);

  std::map<Monomial, double> terms;
};

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONALGEBRA_H
