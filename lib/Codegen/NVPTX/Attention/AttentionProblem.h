//===- AttentionProblem.h - What attention computes -------------*- C++ -*-===//
#ifndef TESSERA_LIB_CODEGEN_NVPTX_ATTENTION_ATTENTIONPROBLEM_H
#define TESSERA_LIB_CODEGEN_NVPTX_ATTENTION_ATTENTIONPROBLEM_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace tessera::nvptx {

/// Attention or its gradient: what both have.
struct AttentionProblem {
  mlir::Value query, key, value, bias, mask;
  double scale, fill;
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
  bool mayBeginEmpty() const { return bias || mask || (causal && *causal < 0); }

  /// Whether scores stay products in registers, `scale` being part of the one
  /// multiplication in front of e^x. Not where they have other parts, nor where
  /// a row of nothing but `fill` has to be recognised.
  bool hasPlainScores() const { return scale > 0 && !bias && !mayHideRows(); }
  /// What scores are multiples of in registers.
  double unit() const { return hasPlainScores() ? scale : 1; }
};

} // namespace tessera::nvptx

#endif // TESSERA_LIB_CODEGEN_NVPTX_ATTENTION_ATTENTIONPROBLEM_H
