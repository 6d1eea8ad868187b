//===- Target.h - The x86 processor that code is generated for ------------===//
#ifndef TESSERA_CODEGEN_HOST_TARGET_H
#define TESSERA_CODEGEN_HOST_TARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tessera::codegen {

/// What the code generator knows about a processor.
struct Target {
  /// LLVM's name of the processor ("sapphirerapids", "x86-64-v3").
  std::string name;
  /// LLVM's feature string ("+avx512f,-sgx"); empty for a named processor.
  std::string features;
  /// Vector registers that the processor has among AVX-512, AVX and SSE.
  unsigned vectorBits = 128;
  /// Instruction sets a machine must have to run the code ("avx512f"), among
  /// those that the loader can test.
  std::vector<std::string> required;

  /// Lanes of one vector of 32-bit elements; every vector that the code
  /// generator makes has this many lanes, whatever its element type.
  unsigned lanes() const { return vectorBits / 32; }

  /// `native` or a name that LLVM knows; an error names the unknown processor.
  /// The environment variable TESSERA_CPU says what `native` stands for, if not
  /// for this machine.
  static llvm::Expected<Target> get(llvm::StringRef cpu);

  /// A machine for this processor whose code is made for run-time speed or, for
  /// code that runs once per step, in the least time.
  std::unique_ptr<llvm::TargetMachine> createMachine(
      llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Default) const;
};

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_TARGET_H
