//===- ObjectEmitter.h - Object code from the LLVM dialect ----------------===//
#ifndef TESSERA_CODEGEN_HOST_OBJECTEMITTER_H
#define TESSERA_CODEGEN_HOST_OBJECTEMITTER_H

#include "mlir/IR/BuiltinOps.h"
#include "tessera/Codegen/Host/Target.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tessera::codegen {

/// Runs the passes of LLVM that `passes` lists, in its own notation, on a
/// module for the machine.
void runPasses(llvm::Module &module, llvm::TargetMachine &machine,
               llvm::StringRef passes);

/// The nested module of what kernels call in their innermost loops, for which
/// no pass of LLVM is too slow.
constexpr llvm::StringLiteral kInnerLoopsName = "inner_loops";

/// The nested module of the functions that the runtime calls for kernels, for
/// which the fastest instruction selection is good enough.
constexpr llvm::StringLiteral kEntriesName = "entries";

/// One relocatable ELF file in memory.
using Object = llvm::SmallVector<char, 0>;

/// Translates each module (LLVM dialect only) to object code, every module in a
/// thread of the context's pool with an LLVM context of its own. `prefix` is
/// put before the names of all symbols but those of the runtime and the
/// libraries of C.
llvm::FailureOr<std::vector<Object>>
emitObjects(llvm::ArrayRef<mlir::ModuleOp> modules, const Target &target,
            llvm::StringRef prefix = "");

/// Prints the optimised LLVM IR of `module`.
llvm::LogicalResult printLLVM(mlir::ModuleOp module, const Target &target,
                              llvm::raw_ostream &stream);

/// Links objects to a shared object, whose bytes it returns, with the first of
/// `ld.lld-22`, `ld.lld`, `ld` that is installed. Diagnostics are reported at
/// `location`.
llvm::FailureOr<std::string> linkShared(llvm::ArrayRef<Object> objects,
                                        mlir::Location location);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_OBJECTEMITTER_H
