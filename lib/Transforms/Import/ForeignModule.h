//===- ForeignModule.h - which models are of another compiler -------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_FOREIGNMODULE_H
#define TESSERA_TRANSFORMS_IMPORT_FOREIGNMODULE_H

#include "mlir/IR/BuiltinOps.h"

namespace tessera::importer {

/// Whether the module is not Tessera: it contains an operation of another
/// compiler, or attributes of one.
bool isForeign(mlir::ModuleOp module);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_FOREIGNMODULE_H
