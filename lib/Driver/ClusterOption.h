//===- ClusterOption.h - the machine given on the command line ------------===//
#ifndef TESSERA_DRIVER_CLUSTEROPTION_H
#define TESSERA_DRIVER_CLUSTEROPTION_H

#include "tessera/Cluster/Cluster.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera {

/// Reads the description of a machine: of one that ships, or in a file. A name
/// or a file that is none, and one that is no description, are reported.
mlir::FailureOr<Cluster> readCluster(llvm::StringRef path,
                                     mlir::MLIRContext &context);

/// Writes the machine onto every mesh of `module`, and what lies between
/// pipeline ranks, of which there are `stages`, onto `module`. Fails, at the
/// mesh, where the machine has fewer devices.
mlir::LogicalResult applyCluster(mlir::ModuleOp module, const Cluster &cluster,
                                 int64_t stages);

} // namespace tessera

#endif // TESSERA_DRIVER_CLUSTEROPTION_H
