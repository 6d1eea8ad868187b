//===- ProgramSeconds.h - what a device computes takes --------------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_PROGRAMSECONDS_H
#define TESSERA_TRANSFORMS_COMMUNICATE_PROGRAMSECONDS_H

#include "tessera/Dialect/Pipe/NetworkLevels.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Interfaces/CostInterface.h"

namespace tessera::communicate {

/// The only mesh of `module`, under which a machine is described or, with
/// `always`, none has to be; null where there is nothing to do, and a failure,
/// which has been said, where there are several meshes.
mlir::FailureOr<MeshOp> findPricedMesh(mlir::ModuleOp module, bool always);

/// Whether fusion may make `op` disappear in the kernels of those that read it:
/// nobody else does, and it is not heavy.
bool isFusedIntoReaders(mlir::Operation *op);

/// What operations on one device's tensors take, before kernels are formed. The
/// program stays as it is as long as this lives.
class ProgramSeconds {
public:
  ProgramSeconds(mlir::ModuleOp module, const Machine &machine)
      : module(module), machine(machine),
        kernels(pipe::readKernelCosts(module)) {}

  /// The seconds of `op` by itself: the longer of the times for its arithmetic
  /// and for what it reads and writes of memory; of control flow and calls that
  /// of what runs.
  double of(mlir::Operation *op);

private:
  double ofRegions(mlir::Operation *op);
  double ofFunction(mlir::Operation *function);
  double traffic(mlir::Operation *op, const OperationCost &cost);

  mlir::ModuleOp module;
  Machine machine;
  KernelCosts kernels;
  llvm::DenseMap<mlir::Operation *, double> functions;
  /// Whether operations are fused into their readers, of which there may be
  /// many: found once.
  llvm::DenseMap<mlir::Operation *, bool> fused;
};

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_PROGRAMSECONDS_H
