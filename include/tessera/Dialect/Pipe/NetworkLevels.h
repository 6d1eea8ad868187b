//===- NetworkLevels.h - the machine that a module describes --------------===//
//
// A mesh knows the links along its axes and what a device has. What else is
// known of the machine stands on the module: `pipe.levels`, `pipe.kernels` and
// `pipe.machine` (Pipe's dialect describes them).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_PIPE_NETWORKLEVELS_H
#define TESSERA_DIALECT_PIPE_NETWORKLEVELS_H

#include "tessera/Cluster/Cluster.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera::pipe {

/// What kernels do beside a roofline, on the module: a dictionary with numbers
/// called as in docs/cluster.md, with `_` for `-`.
inline constexpr llvm::StringLiteral kKernelsAttr = "pipe.kernels";
/// What the user called the machine, on the module.
inline constexpr llvm::StringLiteral kMachineAttr = "pipe.machine";

/// The levels of the network on `module`, which its verifier has checked, from
/// the innermost out; none where `module` is null or says nothing.
std::vector<ClusterLevel> readLevels(mlir::ModuleOp module);
/// Writes `levels` onto `module`.
void writeLevels(mlir::ModuleOp module, llvm::ArrayRef<ClusterLevel> levels);

/// What kernels do beside a roofline, as the module says; nothing where it is
/// null or does not say.
KernelCosts readKernelCosts(mlir::ModuleOp module);
/// Writes what kernels do, and what the machine is called, onto `module`, as
/// far as there is something to say.
void writeMachine(mlir::ModuleOp module, const Cluster &cluster);

/// What the user called the machine; empty where nobody did.
llvm::StringRef readMachineName(mlir::ModuleOp module);

/// Why `attribute` does not say what a level does beside latency and bandwidth,
/// or what kernels do beside a roofline, or an empty string.
std::string checkLinkDetails(mlir::Attribute attribute);
std::string checkKernelCosts(mlir::Attribute attribute);

} // namespace tessera::pipe

#endif // TESSERA_DIALECT_PIPE_NETWORKLEVELS_H
