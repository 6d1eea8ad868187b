//===- AttentionMatch.h - attention in single operations ------------------===//
#ifndef TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONMATCH_H
#define TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONMATCH_H

#include "Attention/AttentionScores.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace tessera::fuse {

/// Attention as a program computes it: what it reads, and which of its values
/// are `tessera.attention`'s or `tessera.attention_gradient`'s results.
struct AttentionMatch {
  /// A value of the program: `factor` times a result of one of the operations.
  struct Result {
    mlir::Value value;
    AxisLayout layout;
    double factor;
    /// Of a gradient of query or key: 0, or one more than the number of the
    /// part of the features that it is of.
    unsigned part = 0;
  };
  /// Further features: the matmul of these is added to that of query and
  /// key. The key may lack batch axes that the query has.
  struct Part {
    AxisTensor query, key;
    llvm::SmallVector<int> featureAxes;
    /// What the matmul is multiplied with, as `scores.scale`.
    double scale;
  };
  /// A backward pass.
  struct Gradient {
    AxisTensor outputGradient;
    llvm::SmallVector<Result, 1> queries, keys, values, biases;
  };

  /// A score of no key, of which the sum of a row of exponentials has one more:
  /// `tensor`, or, if that is null, `number`.
  struct Sink {
    AxisTensor tensor;
    double number = 0;
  };
  /// A value of the program with one element per row of scores.
  struct RowResult {
    /// `factor` times powers of the sum and of the sink's exponential, times
    /// some of maximum, logarithm of the sum, and, for each of `gradients`, the
    /// sum over keys of the exponentials times the gradients of probabilities.
    struct Summand {
      double factor = 1;
      int sums = 0, sinks = 0, maxima = 0, logarithms = 0;
      llvm::SmallVector<unsigned, 2> gradients;
    };
    mlir::Value value;
    AxisLayout layout;
    llvm::SmallVector<Summand, 2> summands;
  };

  AxisTable axes;
  ScoreExpression scores;
  std::optional<Sink> sink;
  ScoreMask mask;
  /// Which probabilities are multiplied with values, and what with before; none
  /// if all are, as they are.
  ScoreMask keep;
  double keepScale = 1;
  AxisTensor query, key, value;
  llvm::SmallVector<Part, 0> parts;
  /// In the order of the tensors that `tessera.attention` takes. Queries and
  /// groups are the axes that only the query has; the first is where a causal
  /// mask counts, the others number query heads that share a key head.
  llvm::SmallVector<int> batchAxes, groupAxes, queryAxes, keyAxes, featureAxes,
      valueAxes;
  /// Batch axes that the query does not have: it is the same along them.
  llvm::SmallVector<int> repeatedAxes;
  llvm::SmallVector<Result, 1> outputs;
  llvm::SmallVector<Gradient, 1> gradients;
  llvm::SmallVector<RowResult, 0> rows;
  /// All exponentials of its scores.
  llvm::SmallVector<mlir::math::ExpOp, 1> exponentials;
};

/// What came of the search.
struct AttentionSearch {
  std::optional<AttentionMatch> match;
  /// Where this is attention but for one thing: the operation, and what is
  /// wrong with it.
  mlir::Operation *obstacle = nullptr;
  std::string reason;
};

/// Finds the attention that `exponential` belongs to.
AttentionSearch findAttention(mlir::math::ExpOp exponential);

/// The matmul of query and key, if `exponential` is of scores less their
/// rows' maxima; else null.
DotGeneralOp findScoreProduct(mlir::math::ExpOp exponential);

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONMATCH_H
