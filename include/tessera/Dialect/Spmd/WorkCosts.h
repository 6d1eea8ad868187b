//===- WorkCosts.h - what kernels and collectives take on a device --------===//
#ifndef TESSERA_DIALECT_SPMD_WORKCOSTS_H
#define TESSERA_DIALECT_SPMD_WORKCOSTS_H

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
};

/// The work of `kernel`. Linear in the operations of its body.
KernelWork workOf(KernelOp kernel);

/// The seconds of `op` by itself on the machine under the meshes of its module,
/// as `tessera-sim` predicts them: of a kernel the longer of the times for its
/// arithmetic and its bytes, of a collective its time on the links; 0 for what
/// is neither.
double secondsOf(mlir::Operation *op);

} // namespace tessera::spmd

#endif // TESSERA_DIALECT_SPMD_WORKCOSTS_H
