//===- ShardingRule.h - What an operation does to shardings ---------------===//
#ifndef TESSERA_SHARDING_RULES_SHARDINGRULE_H
#define TESSERA_SHARDING_RULES_SHARDINGRULE_H

#include "tessera/Sharding/Algebra/ReductionKind.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tessera {

/// What happens when a factor is split over devices.
enum class FactorKind {
  /// Every device computes its part of the results from its part of the
  /// operands.
  PassThrough,
  /// The factor occurs in operands only; the results of the devices are partial
  /// and combine by the factor's monoid.
  Reduction,
  /// No device can compute without the whole factor: it must not be split.
  NeedReplication,
  /// Every device computes its part of the results, but needs elements of other
  /// devices (halo, reverse, shift).
  Permutation,
};

/// `pass_through`, `reduction`, `need_replication`, `permutation`.
llvm::StringRef stringify(FactorKind kind);

/// One dimension of the iteration space of an operation.
struct Factor {
  /// The number of iterations, at least 0. Where a permutation factor has
  /// different sizes in different tensors (slice, pad), the largest.
  int64_t size = 1;
  FactorKind kind = FactorKind::PassThrough;
  /// The monoid of a reduction factor.
  ReductionKind reduction = ReductionKind::Sum;
  /// Whether propagation must not carry a sharding along this factor.
  bool blocked = false;
  /// Whether all parts must have equally many elements: the operation may make
  /// anything of what fills up a shorter one.
  bool even = false;

  friend bool operator==(const Factor &a, const Factor &b) {
    return a.size == b.size && a.kind == b.kind && a.reduction == b.reduction &&
           a.blocked == b.blocked && a.even == b.even;
  }
};

/// The index of a factor in its rule.
using FactorId = unsigned;

/// The factors that the dimensions of one tensor are made of.
struct TensorFactors {
  /// Per dimension its factors from major to minor. A dimension of several
  /// factors is their product, exactly; a dimension of none has size 1.
  llvm::SmallVector<llvm::SmallVector<FactorId, 1>, 4> dims;

  /// Whether some dimension is made of `factor`.
  bool contains(FactorId factor) const;
  friend bool operator==(const TensorFactors &a, const TensorFactors &b) {
    return a.dims == b.dims;
  }
};

/// The shapes of the operands or of the results of an operation.
using Shapes = llvm::ArrayRef<llvm::ArrayRef<int64_t>>;

/// The sharding rule of an operation, from which everything about its
/// parallelism is derived. A matrix product is `([i,k],[k,j])->([i,j])` with
/// the reduction factor `k`.
struct ShardingRule {
  llvm::SmallVector<Factor> factors;
  llvm::SmallVector<TensorFactors> operands;
  llvm::SmallVector<TensorFactors> results;
  /// Sets of operands in which the results are jointly linear: pending sums of
  /// all operands of one set (and of no other operand) may be carried over to
  /// the results. An addition has {0, 1}, a product {0} and {1}.
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>> linear;
  /// The same for pending maxima and minima: a transpose has {0} in both, a
  /// maximum of two {0, 1}, {0} and {1} in the first.
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>> maxima, minima;

  size_t numTensors() const { return operands.size() + results.size(); }
  /// The factors of a tensor: operands first, then results.
  const TensorFactors &tensor(size_t index) const {
    return index < operands.size() ? operands[index]
                                   : results[index - operands.size()];
  }
  /// The sets of operands whose pending reductions of `kind` may be carried
  /// over: none but for sums, maxima and minima.
  llvm::ArrayRef<llvm::SmallVector<unsigned, 2>>
  carried(ReductionKind kind) const;
  /// Whether pending reductions of `kind` of just the operands for which
  /// `isUnreduced` holds may be carried over to the results.
  bool carries(ReductionKind kind,
               llvm::function_ref<bool(unsigned)> isUnreduced) const;

  /// Why this is no rule for tensors of the given shapes, or an empty string.
  std::string verify(Shapes operandShapes, Shapes resultShapes) const;
  /// Prints `([i,k],[k,j])->([i,j]) {i=8,j=16,k=8} reduction={k}`.
  void print(llvm::raw_ostream &os) const;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const ShardingRule &rule);

/// Makes a rule factor by factor. Within one dimension, factors are added from
/// major to minor. Dimensions of size 1 need no factor.
class ShardingRuleBuilder {
public:
  /// Stands for "the tensor does not have this factor".
  static constexpr int64_t kNone = -1;

  ShardingRuleBuilder(Shapes operandShapes, Shapes resultShapes);

  /// Adds a factor that occurs in dimension `operandDims[i]` of operand i and
  /// `resultDims[i]` of result i, or nowhere for `kNone`.
  FactorId addFactor(llvm::ArrayRef<int64_t> operandDims,
                     llvm::ArrayRef<int64_t> resultDims, int64_t size,
                     FactorKind kind = FactorKind::PassThrough,
                     ReductionKind reduction = ReductionKind::Sum);
  /// Adds one factor per dimension, shared by that dimension of all tensors of
  /// the rank of the first result (or of the first operand where there is no
  /// result); tensors of other rank have none of them. `kindOf` says the kind
  /// per dimension; without it all are pass-through.
  void
  addPointwise(llvm::function_ref<FactorKind(int64_t dim)> kindOf = nullptr);
  /// Adds the factors of a reshape of operand 0 into result 0.
  void addReshape();
  /// Keeps propagation from carrying shardings along `factor`.
  void block(FactorId factor) { rule.factors[factor].blocked = true; }
  /// Lets `factor` be split into equal parts only.
  void keepEven(FactorId factor) { rule.factors[factor].even = true; }
  /// Declares the results jointly linear in `operands`.
  void addLinear(llvm::ArrayRef<unsigned> operands) {
    rule.linear.emplace_back(operands);
  }
  /// Declares that pending reductions of `kind` (sum, max or min) of all
  /// `operands` may be carried over to the results.
  void addCarried(ReductionKind kind, llvm::ArrayRef<unsigned> operands);
  /// Declares every element of the results to be one of `operands`, at a place
  /// that does not depend on their values: pending reductions of all kinds may
  /// be carried over.
  void addMovement(llvm::ArrayRef<unsigned> operands);

  /// The number of factors that have been added.
  size_t numFactors() const { return rule.factors.size(); }
  const Factor &getFactor(FactorId factor) const {
    return rule.factors[factor];
  }
  /// The rule. Dimensions that got no factor and have more than one element
  /// get one of their own that must be replicated.
  ShardingRule build();

private:
  int64_t dimSize(size_t tensor, int64_t dim) const;
  TensorFactors &tensor(size_t index);

  llvm::SmallVector<llvm::SmallVector<int64_t>> shapes;
  ShardingRule rule;
};

/// How the dimensions of two shapes of equally many elements are made of common
/// factors.
struct ReshapeFactors {
  /// Sizes, in the order of the elements from major to minor.
  llvm::SmallVector<int64_t> sizes;
  /// Per dimension the indices into `sizes`, major to minor.
  llvm::SmallVector<llvm::SmallVector<unsigned, 1>, 4> inDims, outDims;
};

/// The coarsest common refinement of `inShape` and `outShape` into factors by
/// greatest common divisors from the major side. Where the shapes have no
/// common boundary ([2,3] and [3,2]), each side gets factors of its own, up to
/// the next boundary that both share.
ReshapeFactors reshapeFactors(llvm::ArrayRef<int64_t> inShape,
                              llvm::ArrayRef<int64_t> outShape);

} // namespace tessera

#endif // TESSERA_SHARDING_RULES_SHARDINGRULE_H
