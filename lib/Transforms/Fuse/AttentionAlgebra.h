//===- AttentionAlgebra.h - elements of scores as polynomials -------------===//
#ifndef TESSERA_LIB_TRANSFORMS_FUSE_ATTENTIONALGEBRA_H
#define TESSERA_LIB_TRANSFORMS_FUSE_ATTENTIONALGEBRA_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <optional>
#include <vector>

namespace tessera {

/// What polynomials are made of, as numbers: the elements of tensors that are
/// computed, not made of others. Of the form f[i,j] (of query i, key j) or
/// r[i].
namespace atom {
enum Kind : int {
  Exponential, ///< E[i,j] = exp(score - maximum)
  Maximum,     ///< the maximum of row i
  Sum,         ///< L[i] = sum over j of E
  FirstOther,
};
/// The mask number `i`: 1 where the score is kept, else 0.
constexpr int mask(int i) { return FirstOther + 3 * i; }
/// The product number `i` of two tensors from elsewhere, dP[i,j].
constexpr int product(int i) { return FirstOther + 3 * i + 1; }
/// D[i] = sum over j of E * product number `i`.
constexpr int rowSum(int i) { return FirstOther + 3 * i + 2; }
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
  /// The sum over all keys; nothing if that is no polynomial.
  std::optional<ScorePolynomial> sumOverKeys() const;
  /// Without the masks that `isImplied` where E is a factor.
  ScorePolynomial withoutMasks(llvm::function_ref<bool(int)> isImplied) const;

private:
  void add(Monomial monomial, double coefficient);

  std::map<Monomial, double> terms;
};

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_FUSE_ATTENTIONALGEBRA_H
