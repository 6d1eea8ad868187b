//===- FactorShardings.h - Shardings seen through a rule ------------------===//
#ifndef TESSERA_SHARDING_RULES_FACTORSHARDINGS_H
#define TESSERA_SHARDING_RULES_FACTORSHARDINGS_H

#include "tessera/Sharding/Algebra/TensorSharding.h"
#include "tessera/Sharding/Rules/ShardingRule.h"

namespace tessera {

/// The sharding of one tensor, expressed by the factors of a rule.
struct TensorFactorSharding {
  /// Per factor of the rule its axes, major to minor; empty where the tensor
  /// does not have the factor. They divide the factor's size, unless it may be
  /// split unevenly.
  llvm::SmallVector<AxisList, 0> axes;
  /// Per dimension, axes that fit no factor: they follow those of the
  /// dimension's factors.
  llvm::SmallVector<AxisList, 0> overflow;
  /// Axes that no factor of this tensor may use: replicated, unreduced, and
  /// those of dimensions whose turn has not come.
  AxisList reserved;
};

/// How finely the factors of one operation may be split.
///
/// A factor that is alone in its dimension in every tensor that has it, and is
/// not declared even, may be split unevenly: all tensors then have the same
/// blocks of ceil(size / shards), the last ones shorter or empty. That is so
/// for all numbers of shards if the factor has one size in all tensors, and for
/// some if it is a permutation factor of different sizes. Where a factor shares
/// a dimension with others, such blocks would not be blocks of the dimension,
/// and it is split into equal parts only; so is a permutation factor of
/// different sizes where blocks are not of one size.
class FactorLimits {
public:
  /// `shapes` lists operands, then results.
  FactorLimits(const ShardingRule &rule, Shapes shapes);

  /// Whether `shards` blocks of the factor, equal or not, are blocks of the
  /// same size in all tensors that have it.
  bool hasSameBlocks(FactorId factor, int64_t shards) const;
  /// Whether devices may exchange a dimension of `size` elements in pieces of
  /// `grain`: every device sends its part at most once, but a few pieces at a
  /// time.
  static bool areFewPieces(int64_t size, int64_t grain) {
    return size <= 16 * grain;
  }
  /// Whether an operation can run with the factor split over `axes`. Where it
  /// moves elements, with the same blocks on both sides it moves them by the
  /// same distance on all devices; otherwise all tensors must be split evenly,
  /// and consist of few pieces.
  bool maySplit(FactorId factor, llvm::ArrayRef<AxisRef> axes,
                const Mesh &mesh) const;
  /// The longest prefix of `axes` that all tensors can be split over along the
  /// factor.
  AxisList take(llvm::ArrayRef<AxisRef> axes, FactorId factor,
                const Mesh &mesh) const;

private:
  struct Limit {
    FactorKind kind;
    /// Of the sizes in all tensors; 1 for a factor without elements.
    int64_t divisor = 0;
    int64_t smallest = std::numeric_limits<int64_t>::max(), largest = 0;
    /// Alone in all its dimensions, and not declared even.
    bool mayBeUneven = true;
  };
  llvm::SmallVector<Limit> limits;
};

/// The shardings of all operands and results of one operation, projected onto
/// the factors of its rule. Tensors are numbered operands first.
///
/// A dimension's axes are dealt out to its factors from major to minor; an axis
/// that covers more than one factor is cut into sub-axes. A factor is split
/// only when all more major factors of its dimension are split completely, and
/// only as its `FactorLimits` allow; what does not fit is `overflow`.
class FactorShardings {
public:
  /// `shapes` and `shardings` list operands, then results. Dimensions whose
  /// priority is above `maxPriority` count as not split, their axes as
  /// reserved.
  FactorShardings(const ShardingRule &rule, Shapes shapes, const Mesh &mesh,
                  llvm::ArrayRef<TensorSharding> shardings,
                  int64_t maxPriority = std::numeric_limits<int64_t>::max());

  size_t numTensors() const { return tensors.size(); }
  const TensorFactorSharding &tensor(size_t index) const {
    return tensors[index];
  }
  llvm::ArrayRef<AxisRef> axes(size_t tensor, FactorId factor) const {
    return tensors[tensor].axes[factor];
  }
  /// The axes that `tensor` uses for anything but `factor`.
  AxisList axesUsedByOthers(size_t tensor, FactorId factor) const;
  /// The longest prefix of `wanted` that `factor` may have in `tensor`, as far
  /// as other uses of axes, divisibility, and (in compound dimensions) the
  /// neighbouring factors allow. Always at least the common prefix with what it
  /// has.
  AxisList longestPrefix(size_t tensor, FactorId factor,
                         llvm::ArrayRef<AxisRef> wanted) const;
  /// Replaces the axes of `factor` in `tensor`.
  void set(size_t tensor, FactorId factor, AxisList axes) {
    tensors[tensor].axes[factor] = std::move(axes);
  }

  /// The axes of dimension `dim` of `tensor` that its factors make up.
  AxisList dimAxes(size_t tensor, size_t dim) const;

private:
  void project(size_t tensor, size_t dim, llvm::ArrayRef<AxisRef> axes);

  const ShardingRule &rule;
  Shapes shapes;
  const Mesh &mesh;
  llvm::SmallVector<TensorFactorSharding> tensors;
  FactorLimits limits;
};

/// A disagreement that keeps an operation from running on its operands and
/// results as they are sharded.
struct FactorConflict {
  enum Kind {
    /// Two tensors have different axes for one factor.
    WithinFactor,
    /// Two factors use a common axis.
    AcrossFactors,
    /// A factor that must be replicated is split.
    NotReplicated,
    /// A dimension has axes that fit none of its factors.
    Overflow,
  };
  Kind kind;
  /// The factors concerned; equal but for `AcrossFactors`; not used for
  /// `Overflow`.
  FactorId factorA = 0, factorB = 0;
  /// The tensors concerned (operands first).
  size_t tensorA = 0, tensorB = 0;
};

/// All conflicts, in the order of tensors and factors. Without conflicts,
/// `commonFactorAxes` is the operation's own sharding.
llvm::SmallVector<FactorConflict>
findConflicts(const ShardingRule &rule, const FactorShardings &shardings,
              const Mesh &mesh);

/// Per factor the axes that the first tensor that has it gives it.
llvm::SmallVector<AxisList> commonFactorAxes(const ShardingRule &rule,
                                             const FactorShardings &shardings);

/// The part of `wanted`, axes per factor, that an operation can run with: no
/// axis used twice (lower factors win), parts as `FactorLimits` allow, nothing
/// on factors that must be replicated, and in compound dimensions nothing after
/// a factor that is not split completely.
llvm::SmallVector<AxisList> feasibleFactorAxes(const ShardingRule &rule,
                                               Shapes shapes,
                                               llvm::ArrayRef<AxisList> wanted,
                                               const Mesh &mesh);

/// The sharding (closed) that an operand has when every factor of its operation
/// is split over `factorAxes`, one list per factor, which must be feasible.
TensorSharding operandSharding(const ShardingRule &rule, size_t operand,
                               llvm::ArrayRef<AxisList> factorAxes,
                               const Mesh &mesh);
/// The same for a result, which is unreduced over the axes of the rule's
/// reduction factors. All split reduction factors must have one monoid.
TensorSharding resultSharding(const ShardingRule &rule, size_t result,
                              llvm::ArrayRef<AxisList> factorAxes,
                              const Mesh &mesh);

} // namespace tessera

#endif // TESSERA_SHARDING_RULES_FACTORSHARDINGS_H
