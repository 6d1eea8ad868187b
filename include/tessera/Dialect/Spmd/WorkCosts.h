//===- WorkCosts.h - what kernels and collectives take on a device --------===//
#ifndef TESSERA_DIALECT_SPMD_WORKCOSTS_H
#define TESSERA_DIALECT_SPMD_WORKCOSTS_H

#include "tessera/Cluster/ProgramLinks.h"
#include "tessera/Dialect/Spmd/Spmd.h"

namespace tessera::spmd {

/// On an operation that computes what another one has computed before, so that
/// its result need not be kept (`tessera-rematerialize-for-memory`): unit.
inline constexpr llvm::StringLiteral kRematerializedAttr =
    "spmd.rematerialized";

/// What a kernel does, counted on its local tensors.
struct KernelWork {
  /// Floating-point operations, and bytes that it reads and writes: of what it
  /// only touches a part of, that part.
  int64_t operations = 0, bytes = 0;
  /// The products among the operations.
  llvm::SmallVector<ProductShape, 1> products;
};

/// The work of `kernel`. Linear in the operations of its body.
KernelWork workOf(KernelOp kernel);

/// What operations of a module take on the machine under its meshes, as
/// `tessera-sim` predicts it. Links of groups are looked up once.
class DeviceSeconds {
public:
  /// `module` outlives this; its meshes stay what they are.
  explicit DeviceSeconds(mlir::ModuleOp module);

  /// Of `op` by itself: of a kernel the longer of the times for its arithmetic
  /// and its bytes, of a collective, or several in one call, the time on the
  /// links, of a copy to the host or back that on the link to it; 0 for all
  /// else.
  double of(mlir::Operation *op);
  /// The memory of the host beside the device.
  const HostMemory &host() const { return machine.host; }
  /// The links of the groups along `axes`, of the slowest of them on the first
  /// pipeline rank.
  const GroupLinks &linksOf(AxesAttr axes);

private:
  /// A mesh with what lies under it.
  struct Network {
    explicit Network(MeshOp mesh);

    Mesh mesh;
    Cluster cluster;
    ProgramLinks links;
  };

  mlir::ModuleOp module;
  Machine machine;
  KernelCosts kernels;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Network>> networks;
};

} // namespace tessera::spmd

#endif // TESSERA_DIALECT_SPMD_WORKCOSTS_H
