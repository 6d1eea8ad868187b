//===- ProvidedSymbols.h - What compiled programs may call ----------------===//
#ifndef TESSERA_CODEGEN_HOST_PROVIDEDSYMBOLS_H
#define TESSERA_CODEGEN_HOST_PROVIDEDSYMBOLS_H

#include "tessera/Codegen/Host/ObjectEmitter.h"

namespace tessera::codegen {

/// Whether every machine that can load a compiled program has the symbol
/// `name`: functions of the runtime (tessera/runtime.h), and those of the C and
/// mathematical libraries that code generation uses.
bool isProvided(llvm::StringRef name);

/// Checks that each symbol that an object needs is defined in one of `objects`
/// or provided; the first that is not is a diagnostic at the function that
/// needs it. `modules` are what the objects were made from, in their order.
llvm::LogicalResult checkSymbols(llvm::ArrayRef<Object> objects,
                                 llvm::ArrayRef<mlir::ModuleOp> modules);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_PROVIDEDSYMBOLS_H
