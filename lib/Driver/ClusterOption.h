//===- ClusterOption.h - the machine given on the command line ------------===//
#ifndef TESSERA_DRIVER_CLUSTEROPTION_H
#define TESSERA_DRIVER_CLUSTEROPTION_H

#include "tessera/Cluster/Cluster.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera {

/// Reads the description of a machine. A file that cannot be read, or is no
/// description, is reported with its place.
mlir::FailureOr<Cluster> readCluster(llvm::StringRef path,
                                     mlir::MLIRContext &context);

/// Writes the machine onto every mesh of `module`, and what lies between
/// pipeline ranks onto `module`.
void applyCluster(mlir::ModuleOp module, const Cluster &cluster);

} // namespace tessera

#endif // TESSERA_DRIVER_CLUSTEROPTION_H
