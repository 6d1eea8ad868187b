//===- NetworkLevels.h - the network that a module describes --------------===//
#ifndef TESSERA_DIALECT_PIPE_NETWORKLEVELS_H
#define TESSERA_DIALECT_PIPE_NETWORKLEVELS_H

#include "tessera/Cluster/Cluster.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera::pipe {

/// The levels of the network on `module`, which its verifier has checked, from
/// the innermost out; none where `module` is null or says nothing.
std::vector<ClusterLevel> readLevels(mlir::ModuleOp module);

} // namespace tessera::pipe

#endif // TESSERA_DIALECT_PIPE_NETWORKLEVELS_H
