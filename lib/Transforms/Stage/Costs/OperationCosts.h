//===- OperationCosts.h - what operations take on one device --------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_COSTS_OPERATIONCOSTS_H
#define TESSERA_TRANSFORMS_STAGE_COSTS_OPERATIONCOSTS_H

#include "tessera/Dialect/Pipe/NetworkLevels.h"
#include "tessera/Dialect/Tessera/ReshardCosts.h"
#include "tessera/Dialect/Tessera/Tessera.h"

namespace tessera::stage {

/// Estimates, from sharding rules, shardings and the machine, what one device
/// of the mesh spends on operations whose shardings are decided. Values without
/// a sharding count as whole on every device.
///
/// An operation takes the longer of two times: for its arithmetic, and for the
/// bytes it reads and writes. Kernels are fused later, so a value only goes
/// through memory if an operation that needs it as a whole makes or uses it;
/// what passes from one element-wise operation to the next is free. A reshard
/// takes what its collectives take on the mesh's links, control flow what its
/// regions take as often as they run, the costlier branch counting.
///
/// Nothing here is measured: the estimates say which part of a model is larger
/// than which, and whether arithmetic or memory decides.
class OperationCosts {
public:
  explicit OperationCosts(MeshOp mesh)
      : mesh(mesh.getMesh().getMesh()), machine(mesh.getMachine()),
        kernels(pipe::readKernelCosts(mesh->getParentOfType<mlir::ModuleOp>())),
        reshards(mesh) {}

  const Mesh &getMesh() const { return mesh; }
  const Machine &getMachine() const { return machine; }

  /// The elements that one device holds of `value`; 0 for what is no tensor.
  int64_t elements(mlir::Value value) const;
  /// The bytes that one device holds of `value`; 0 for what is no tensor.
  int64_t bytes(mlir::Value value) const;
  /// The seconds it takes to write `bytes` to memory and to read them again.
  double secondsThroughMemory(double bytes) const {
    return 2 * bytes / machine.memoryBandwidth;
  }
  /// The floating-point operations of one device for `op` with all in its
  /// regions: 2 per point of a matmul's iteration space, 1 per point of
  /// any other's, more for quotients and transcendental functions.
  double operations(mlir::Operation *op) const;
  /// The bytes of tensors that one device reads and writes for `op` with all in
  /// its regions.
  double traffic(mlir::Operation *op) const;
  /// The seconds of one device for `op` with all in its regions, by itself.
  double seconds(mlir::Operation *op);
  /// The seconds it takes to do `op` once more, near what uses it, when its
  /// operands are at hand: of an element-wise operation the arithmetic only.
  double secondsToRepeat(mlir::Operation *op);

private:
  const Mesh &mesh;
  Machine machine;
  KernelCosts kernels;
  ReshardCosts reshards;
};

/// Seconds as a capacity of a minimum cut: picoseconds, at most a day.
int64_t toCapacity(double seconds);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_COSTS_OPERATIONCOSTS_H
