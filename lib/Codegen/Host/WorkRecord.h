//===- WorkRecord.h - What the functions of a program do ------------------===//
#ifndef TESSERA_CODEGEN_HOST_WORKRECORD_H
#define TESSERA_CODEGEN_HOST_WORKRECORD_H

#include "tessera/Dialect/Spmd/Spmd.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tessera::codegen {

/// How a kernel appears in traces: its name, and how often for one execution.
struct KernelInTraces {
  llvm::StringRef name;
  unsigned launches;
};

/// The record of the work of all functions of `module`, which is as the phase
/// `schedule` leaves it: the manifest's `work`, as JSON text in the form that
/// tessera/Simulator/ProgramWork.h explains.
std::string
recordWork(mlir::ModuleOp module,
           llvm::function_ref<KernelInTraces(spmd::KernelOp)> describe);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_WORKRECORD_H
