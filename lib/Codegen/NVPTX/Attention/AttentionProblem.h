//===- AttentionProblem.h - What attention computes -------------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONPROBLEM_H
#define TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONPROBLEM_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace tessera::nvptx {

/// Attention or its gradient: what both have.
struct AttentionProblem {
  mlir::Value query, key, value;
  llvm::SmallVector<mlir::Value, 1> biases;
  /// Null if there is none.
  mlir::Value mask, keep;
  double scale, fill, keepScale = 1;
  /// 0: none.
  double softcap = 0;
  std::optional<int64_t> causal;
  int64_t batch, heads, keyHeads, queries, keys;
  /// Of query and key, and of value.
  int64_t features, valueFeatures;
  /// The type of query, key and value.
  mlir::Type element;

  template <typename Op> static AttentionProblem of(Op op);

  int64_t group() const { return heads / keyHeads; }
  bool usesTensorCores() const { return !element.isF32(); }
  /// Whether a hidden score leaves no probability next to any other.
  bool hidesAll() const;
  /// Whether a row may have hidden scores only, all of which then count.
  bool mayHideRows() const;
  /// Whether hidden scores have the probability zero, and no row is nothing
  /// else.
  bool hidesCleanly() const { return !mayBeginEmpty() && hidesAll(); }
  /// Whether all scores of a row among the first keys may be minus infinity.
  bool mayBeginEmpty() const {
    return !biases.empty() || mask || (causal && *causal < 0);
  }

  /// Whether scores stay products (or hyperbolic tangents) in registers, their
  /// factor being part of the one multiplication in front of e^x. Not where
  /// they have other parts, nor where a row of nothing but `fill` has to be
  /// recognised.
  bool hasPlainScores() const {
    return factor() > 0 && biases.empty() && !mayHideRows();
  }
  /// What scores are multiples of in registers.
  double unit() const { return hasPlainScores() ? factor() : 1; }
  /// What a score is before the bias: this times a product, or the hyperbolic
  /// tangent of a product.
  double factor() const { return softcap != 0 ? softcap : scale; }
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONPROBLEM_H
