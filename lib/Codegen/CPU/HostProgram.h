//===- HostProgram.h - What the device does in order ----------------------===//
#ifndef TESSERA_LIB_CODEGEN_CPU_HOSTPROGRAM_H
#define TESSERA_LIB_CODEGEN_CPU_HOSTPROGRAM_H

#include "LowerKernel.h"
#include "ProgramFunctions.h"

namespace tessera::cpu {

/// A kernel of the program: the code that serves for it.
struct KernelUse {
  const LoweredKernel *code;
  /// The nested module of the code.
  std::string module;
  /// What traces show: "dot_general.3".
  std::string name;
  /// For each result the operand that it overwrites, or -1.
  llvm::SmallVector<int64_t> aliases;
};

using KernelUses = llvm::DenseMap<mlir::Operation *, KernelUse>;

/// Builds the functions of `program` in a new nested module `@program` of
/// `module`. `spmd.arena_size` of the entries becomes what their arenas must
/// have, kernels' temporaries included.
llvm::LogicalResult buildHostProgram(mlir::ModuleOp module,
                                     const ProgramFunctions &program,
                                     const CommunicationTable &communication,
                                     const KernelUses &kernels);

} // namespace tessera::cpu

#endif // TESSERA_LIB_CODEGEN_CPU_HOSTPROGRAM_H
