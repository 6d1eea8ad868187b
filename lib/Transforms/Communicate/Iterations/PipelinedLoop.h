//===- PipelinedLoop.h - a loop whose collectives run elsewhere -----------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_ITERATIONS_PIPELINEDLOOP_H
#define TESSERA_TRANSFORMS_COMMUNICATE_ITERATIONS_PIPELINEDLOOP_H

#include "Iterations/LoopCollectives.h"

namespace tessera::communicate {

/// Which collectives of a loop run elsewhere.
struct LoopPlan {
  /// Of what the loop gathers: in the iteration before, the first before the
  /// loop. What they give is carried.
  llvm::SmallVector<spmd::CollectiveOpInterface> ahead;
  /// Of what is reduced behind the loop: in the iteration that makes a part.
  llvm::SmallVector<StackReduction> inside;
  /// In the iteration behind that one, the last behind the loop. The parts are
  /// carried.
  llvm::SmallVector<StackReduction> behind;

  bool empty() const {
    return ahead.empty() && inside.empty() && behind.empty();
  }
};

/// Replaces `loop`, which runs `trips` times, by one whose collectives run
/// where `plan` says, and erases the reductions behind it. The last iteration
/// stands behind the loop if something is gathered ahead, as there is nothing
/// to gather in it; the first before the loop if something is reduced behind.
/// What is sent is the same, and so are results bit for bit, where sums are
/// made in the order of devices.
void pipelineLoop(mlir::scf::ForOp loop, int64_t trips, const LoopPlan &plan);

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_ITERATIONS_PIPELINEDLOOP_H
