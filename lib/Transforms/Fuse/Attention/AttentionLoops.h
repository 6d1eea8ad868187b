//===- AttentionLoops.h - attention across a loop and its gradient's ------===//
#ifndef TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONLOOPS_H
#define TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONLOOPS_H

#include "Attention/AttentionMatch.h"
#include "Attention/LoopStacks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::fuse {

/// Attention in a loop over layers whose backward pass is another loop (see
/// AttentionLoops.cpp).
class AttentionLoops {
public:
  /// Where scores, or what follows from them, are kept for another loop that
  /// computes gradients of attention: makes that loop compute them again.
  void recomputeScores(mlir::func::FuncOp function);

  /// What became of the attention around an exponential.
  using Formed = llvm::DenseMap<mlir::Operation *, AttentionOp>;
  /// Makes the backward loops read what the attention of the forward loops gave
  /// instead of computing it again.
  void shareResults(const Formed &formed);

private:
  /// An exponential, the one of the backward loop that is the same, and a
  /// scalar tensor there: the number of the trip that it is the same in.
  struct Pair {
    mlir::math::ExpOp forward, backward;
    mlir::Value trip;
  };
  bool recompute(mlir::math::ExpOp exponential, const LoopStacks &stacks);
  void share(AttentionOp forward, AttentionOp backward, mlir::Value trip);

  llvm::SmallVector<Pair> pairs;
};

/// Stops carrying what only the loop itself reads, in every loop of `function`.
void dropUnreadCarried(mlir::func::FuncOp function);

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONLOOPS_H
