//===- PtxEmitter.h - PTX from the LLVM dialect ---------------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_PTXEMITTER_H
#define TESSERA_CODEGEN_NVPTX_PTXEMITTER_H

#include "mlir/IR/BuiltinOps.h"
#include "tessera/Codegen/NVPTX/PtxAssembler.h"
#include <map>

namespace tessera::nvptx {

/// The code of one nested module of kernels for one architecture.
struct GpuImage {
  /// The number in the name of the module of kernels.
  int64_t module;
  int arch;
  std::string ptx;
  /// An ELF file for this architecture; empty without ptxas.
  std::string cubin;
  /// What the functions need, by name; empty without ptxas.
  std::map<std::string, FunctionResources> functions;
};

/// Whether to call ptxas on what is emitted.
enum class Assemble { Never, IfPresent };

/// Translates the architectures' modules in the modules of kernels of
/// `program`, which is as the phase `codegen` leaves it, every module in a
/// thread of the context's pool. In the order of the modules. Fails with a
/// diagnostic if LLVM or ptxas refuses something; remarks on spills.
llvm::FailureOr<std::vector<GpuImage>> emitGpuImages(mlir::ModuleOp program,
                                                     Assemble assemble);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_PTXEMITTER_H
