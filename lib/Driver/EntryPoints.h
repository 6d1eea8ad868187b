//===- EntryPoints.h - one program of several models ------------*- C++ -*-===//
#ifndef TESSERA_DRIVER_ENTRYPOINTS_H
#define TESSERA_DRIVER_ENTRYPOINTS_H

#include "tessera/Driver/Compiler.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera {

/// The functions of `module`, as it was read, that are entry points of a
/// program with several: without a function @main, its public ones that no
/// other calls. None if there are fewer than two.
std::vector<std::string> findEntryFunctions(mlir::ModuleOp module);

/// Makes the entry point `function` the function @main, and takes the others
/// out of `module`.
void selectEntryFunction(mlir::ModuleOp module, llvm::StringRef function);

/// Compiles the models that `options` name, or the entry points of one, to one
/// program in which they share tensors by name (SharedTensors.h). With
/// `options.entryPoint`, to a program of that one alone, with the shardings
/// that it has among the others.
ExitStatus compileEntryPoints(const CompileOptions &options);

} // namespace tessera

#endif // TESSERA_DRIVER_ENTRYPOINTS_H
