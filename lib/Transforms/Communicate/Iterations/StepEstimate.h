//===- StepEstimate.h - what a program takes ------------------------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_ITERATIONS_STEPESTIMATE_H
#define TESSERA_TRANSFORMS_COMMUNICATE_ITERATIONS_STEPESTIMATE_H

#include "BlockTimeline.h"
#include "ProgramSeconds.h"

namespace tessera::communicate {

/// What functions on one device's tensors take, by the described machine, with
/// their collectives, those in loops as well.
class StepEstimate {
public:
  StepEstimate(mlir::ModuleOp module, const Machine &machine,
               double callSeconds)
      : module(module), machine(machine), callSeconds(callSeconds),
        links(module) {}

  /// The seconds of `block`.
  double secondsOf(mlir::Block &block);
  /// What `op` costs before its bytes move.
  double callSecondsOf(spmd::CollectiveOpInterface op);

private:
  double ofBlock(mlir::Block &block);
  double of(mlir::Operation *op);

  mlir::ModuleOp module;
  Machine machine;
  double callSeconds;
  spmd::DeviceSeconds links;
  /// Of the block that is estimated: others change between two estimates.
  std::optional<ProgramSeconds> costs;
};

/// The most bytes that values of `block` and of regions in it take at once if
/// operations run in the order of the text. A part that is written into what is
/// not read any more takes nothing, and neither does what disappears in the
/// kernels of its readers. Of the block's arguments those take bytes that
/// `argumentBytes` says so of, until they are read last. If `before` is given,
/// it gets the bytes that there are before each operation of the block.
int64_t mostBytes(mlir::Block &block,
                  llvm::ArrayRef<int64_t> argumentBytes = {},
                  llvm::DenseMap<mlir::Operation *, int64_t> *before = nullptr);

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_ITERATIONS_STEPESTIMATE_H
