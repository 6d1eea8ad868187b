//===- PtxAssembler.h - Calls of ptxas ------------------------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_PTXASSEMBLER_H
#define TESSERA_CODEGEN_NVPTX_PTXASSEMBLER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>

namespace tessera::nvptx {

/// What a thread or block of a function needs, as ptxas tells it.
struct FunctionResources {
  int64_t registers = 0;
  /// Bytes of static shared memory of a block.
  int64_t shared = 0;
  /// Bytes that a thread stores to and loads from memory for want of registers.
  int64_t spilled = 0;
};

/// What ptxas makes of a module.
struct AssembledPtx {
  std::string cubin;
  std::map<std::string, FunctionResources> functions;
  /// What it warns of, one line each.
  std::string warnings;
};

/// The path of ptxas: on PATH, in `$CUDA_HOME/bin` or /usr/local/cuda/bin.
std::optional<std::string> findPtxas();

/// Assembles `ptx` for `chip` (`sm_90a`). The error is what ptxas says.
llvm::Expected<AssembledPtx>
assemblePtx(llvm::StringRef ptxas, llvm::StringRef ptx, llvm::StringRef chip);

/// The resources and warnings in the text that `ptxas -v` prints.
void parsePtxasLog(llvm::StringRef log, AssembledPtx &result);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_PTXASSEMBLER_H
