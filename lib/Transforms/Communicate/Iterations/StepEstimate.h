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
  StepEstimate(mlir::ModuleOp module, MeshOp mesh, double callSeconds)
      : mesh(mesh), machine(mesh.getMachine()), callSeconds(callSeconds),
        costs(module, machine) {}

  /// The seconds of `block`.
  double secondsOf(mlir::Block &block);

private:
  double secondsOf(mlir::Operation *op);

  MeshOp mesh;
  Machine machine;
  double callSeconds;
  ProgramSeconds costs;
};

/// The most bytes that values of `block` and of regions in it take at once if
/// operations run in the order of the text. A part that is written into what is
/// not read any more takes nothing, and neither does what disappears in the
/// kernels of its readers, nor do the block's arguments.
int64_t mostBytes(mlir::Block &block);

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_ITERATIONS_STEPESTIMATE_H
