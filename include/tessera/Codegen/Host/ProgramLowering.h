//===- ProgramLowering.h - From the scheduled program to launches ---------===//
#ifndef TESSERA_CODEGEN_HOST_PROGRAMLOWERING_H
#define TESSERA_CODEGEN_HOST_PROGRAMLOWERING_H

#include "tessera/Codegen/Host/KernelTarget.h"

namespace tessera::codegen {

struct ProgramLoweringOptions {
  /// Nested modules to spread the kernels over; 0 for one per thread.
  unsigned modules = 0;
};

/// Kernels in the program, and those that differ.
struct KernelCounts {
  unsigned kernels = 0, distinct = 0;
};

/// Turns the scheduled program of `module` into code for `target`: nested
/// modules `@kernels_0`, ... with the kernels, and `@program` with the host
/// program. Of `@main` and the programs of pipeline ranks there remain the
/// declarations, for the manifest. Fails with a diagnostic.
llvm::FailureOr<KernelCounts>
lowerProgram(mlir::ModuleOp module, KernelTarget &target,
             const ProgramLoweringOptions &options);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_PROGRAMLOWERING_H
