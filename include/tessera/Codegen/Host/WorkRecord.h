//===- WorkRecord.h - What the functions of a program do ------------------===//
#ifndef TESSERA_CODEGEN_HOST_WORKRECORD_H
#define TESSERA_CODEGEN_HOST_WORKRECORD_H

#include "tessera/Dialect/Spmd/Spmd.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tessera::codegen {

/// The record of the work of all functions of `module`, which is as the phase
/// `schedule` leaves it: the manifest's `work`, as JSON text in the form that
/// tessera/Simulator/ProgramWork.h explains. `nameOf` gives a kernel the name
/// that traces show.
std::string
recordWork(mlir::ModuleOp module,
           llvm::function_ref<llvm::StringRef(spmd::KernelOp)> nameOf);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_WORKRECORD_H
