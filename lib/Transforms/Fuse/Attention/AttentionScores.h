//===- AttentionScores.h - what the scores of attention are made of -------===//
#ifndef TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONSCORES_H
#define TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONSCORES_H

#include "Attention/AttentionAxes.h"

namespace tessera::fuse {

/// Which scores a condition keeps: those of keys that are not after the query
/// in any of `orders`, and those where all of `others` hold.
struct ScoreMask {
  struct Other {
    AxisTensor tensor;
    bool negated;
  };
  /// Keeps keys whose index is at most the query's and `offset`.
  struct Order {
    int queryAxis, keyAxis;
    int64_t offset;
    /// What says so.
    Other condition;
  };
  /// At most one for each pair of axes.
  llvm::SmallVector<Order, 1> orders;
  llvm::SmallVector<Other, 1> others;

  /// Adds what `other` asks as well.
  void join(ScoreMask other);
};

/// Takes a condition (a tensor of `i1`) apart; `negated` if scores are kept
/// where it does not hold.
ScoreMask parseScoreMask(const AxisTable &axes, AxisTensor condition,
                         bool negated);

/// The scores that a softmax is taken of: `cap(scale * dot)` and biases, or
/// `fill` where one of the conditions does not hold. `cap(x)` is `softcap *
/// tanh(x / softcap)` if there is a `tangent`, else `x`.
struct ScoreExpression {
  /// A `select` between scores and `fill`.
  struct Condition {
    AxisTensor condition;
    /// Whether it selects the scores where it is false.
    bool negated;
  };

  /// A summand: `scale * tensor`.
  struct Bias {
    AxisTensor tensor;
    double scale;
  };

  DotGeneralOp dot;
  double scale = 1;
  /// The hyperbolic tangent.
  std::optional<AxisTensor> tangent;
  double softcap = 1;
  llvm::SmallVector<Bias, 1> biases;
  llvm::SmallVector<Condition, 1> conditions;
  std::optional<double> fill;
  /// Of the tensor of scores.
  AxisLayout layout;
};

/// Finds what `scores` is made of. `layoutOfDot` is asked for the layout of the
/// matmul that it ends in.
std::optional<ScoreExpression> parseScores(
    AxisTable &axes, mlir::Value scores,
    llvm::function_ref<std::optional<AxisLayout>(DotGeneralOp)> layoutOfDot);

/// The number that all elements of `value` are, where that follows from
/// constants by a few operations.
std::optional<double> getSplatNumber(mlir::Value value);

/// `value` before conversions between float types.
mlir::Value skipConversions(mlir::Value value);

/// Whether the result of `op` has the elements of its operand, each once.
bool movesOnly(mlir::Operation *op);

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONSCORES_H
