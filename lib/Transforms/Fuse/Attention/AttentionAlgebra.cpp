//===- AttentionAlgebra.cpp - elements of scores as polynomials -----------===//

#include "Attention/AttentionAlgebra.h"

#include <algorithm>
#include <cmath>

using namespace tessera;
using namespace tessera::fuse;

/// Coefficients that differ by less than this, relatively, are equal: models
/// round their constants.
static constexpr double kRounding = 1e-6;

using atom::isMask;
using atom::isOfRow;
using atom::isProduct;

/// Whether this is E * dP, perhaps with masks.
static bool isRowSum(const ScorePolynomial::Monomial &monomial) {
  int products = 0, exponentials = 0;
  for (auto [number, exponent] : monomial) {
    products += isProduct(number) ? exponent : 0;
    exponentials += number == atom::Exponential ? exponent : 0;
    if (number != atom::Exponential && !isProduct(number) && !isMask(number))
      return false;
  }
  return products == 1 && exponentials == 1;
}

ScorePolynomial ScorePolynomial::constant(double value) {
  return of({}, value);
}

ScorePolynomial ScorePolynomial::of(Monomial monomial, double coefficient) {
  ScorePolynomial result;
  result.add(std::move(monomial), coefficient);
  return result;
}

void ScorePolynomial::add(Monomial monomial, double coefficient) {
  if (coefficient == 0)
    return;
  auto [it, isNew] = terms.try_emplace(std::move(monomial), coefficient);
  if (isNew)
    return;
  double scale = std::max(std::abs(it->second), std::abs(coefficient));
  it->second += coefficient;
  if (std::abs(it->second) <= kRounding * scale)
    terms.erase(it);
}

std::optional<double> ScorePolynomial::asConstant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

double ScorePolynomial::coefficient(const Monomial &monomial) const {
  auto it = terms.find(monomial);
  return it == terms.end() ? 0 : it->second;
}

ScorePolynomial ScorePolynomial::operator+(const ScorePolynomial &other) const {
  ScorePolynomial result = *this;
  for (const auto &[monomial, coefficient] : other.terms)
    result.add(monomial, coefficient);
  return result;
}

ScorePolynomial ScorePolynomial::operator-(const ScorePolynomial &other) const {
  return *this + other * constant(-1);
}

ScorePolynomial ScorePolynomial::operator*(const ScorePolynomial &other) const {
  ScorePolynomial result;
  for (const auto &[left, leftCoefficient] : terms)
    for (const auto &[right, rightCoefficient] : other.terms) {
      Monomial product = left;
      for (auto [number, exponent] : right) {
        int &sum = product[number];
        // A mask is its own square.
        sum = isMask(number) ? 1 : sum + exponent;
        if (sum == 0)
          product.erase(number);
      }
      result.add(std::move(product), leftCoefficient * rightCoefficient);
    }
  return result;
}

std::optional<ScorePolynomial> ScorePolynomial::inverse() const {
  if (terms.size() != 1)
    return std::nullopt;
  Monomial inverted;
  for (auto [number, exponent] : terms.begin()->first) {
    if (isMask(number))
      return std::nullopt;
    inverted[number] = -exponent;
  }
  return of(std::move(inverted), 1 / terms.begin()->second);
}

std::optional<ScorePolynomial>
ScorePolynomial::sumOverKeys(const ScorePolynomial &exponentials,
                             std::vector<Monomial> &rowSums) const {
  ScorePolynomial result;
  for (const auto &[monomial, coefficient] : terms) {
    Monomial rows, summed;
    for (auto [number, exponent] : monomial)
      (isOfRow(number) ? rows : summed)[number] = exponent;
    ScorePolynomial sum;
    if (summed == Monomial{{atom::Exponential, 1}}) {
      sum = exponentials;
    } else if (isRowSum(summed)) {
      auto found = std::find(rowSums.begin(), rowSums.end(), summed);
      int number = found - rowSums.begin();
      if (found == rowSums.end())
        rowSums.push_back(summed);
      sum = of({{atom::rowSum(number), 1}});
    } else {
      return std::nullopt;
    }
    result = result + sum * of(rows, coefficient);
  }
  return result;
}

ScorePolynomial ScorePolynomial::withoutMasks(int count) const {
  ScorePolynomial result;
  for (const auto &[monomial, coefficient] : terms) {
    Monomial kept;
    for (auto [number, exponent] : monomial)
      if (!isMask(number) || !monomial.contains(atom::Exponential) ||
          number >= atom::mask(count))
        kept[number] = exponent;
    result.add(std::move(kept), coefficient);
  }
  return result;
}
