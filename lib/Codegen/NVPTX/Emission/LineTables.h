//===- LineTables.h - Where in the model code comes from ------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_EMISSION_LINETABLES_H
#define TESSERA_CODEGEN_NVPTX_EMISSION_LINETABLES_H

#include "mlir/IR/BuiltinOps.h"

namespace tessera::nvptx {

/// Gives every function of `module` (LLVM dialect) a subprogram and every
/// operation in it the first place in a file that its location mentions, so
/// that PTX gets `.loc` directives and nothing else.
void addLineTables(mlir::ModuleOp module);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_EMISSION_LINETABLES_H
