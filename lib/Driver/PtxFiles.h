//===- PtxFiles.h - the code of GPU kernels as text -----------------------===//
#ifndef TESSERA_DRIVER_PTXFILES_H
#define TESSERA_DRIVER_PTXFILES_H

#include "mlir/IR/BuiltinOps.h"

namespace tessera {

/// Writes the PTX of all kernels of `module`, which is as the phase `codegen`
/// leaves it, a file for each module of PTX, as assemblers read no more. One is
/// written to `path`; several, or what goes into a folder (`path` is one, or
/// ends with `/`), to `kernels_0.sm_80.ptx` and so on in that folder, or, of a
/// `path` STEM.ptx, to STEM.kernels_0.sm_80.ptx and so on; their names are
/// printed on stdout. Reports what cannot be written.
llvm::LogicalResult writePtxFiles(mlir::ModuleOp module,
                                  const std::string &path);

} // namespace tessera

#endif // TESSERA_DRIVER_PTXFILES_H
