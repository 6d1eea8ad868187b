//===- HostProgram.h - What the device does in order ----------------------===//
#ifndef TESSERA_CODEGEN_HOST_HOSTPROGRAM_H
#define TESSERA_CODEGEN_HOST_HOSTPROGRAM_H

#include "tessera/Codegen/Host/KernelTarget.h"

namespace tessera::codegen {

/// Builds the functions of `program` in a new nested module `@program` of
/// `module`. `spmd.arena_size` of the entries becomes what their arenas must
/// have, kernels' temporaries included.
llvm::LogicalResult buildHostProgram(mlir::ModuleOp module,
                                     const ProgramFunctions &program,
                                     const CommunicationTable &communication,
                                     const KernelUses &kernels,
                                     KernelTarget &target);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_HOSTPROGRAM_H
