//===- Provenance.h - why things are as they are --------------------------===//
#ifndef TESSERA_DIALECT_TESSERA_PROVENANCE_H
#define TESSERA_DIALECT_TESSERA_PROVENANCE_H

#include "tessera/Dialect/Tessera/Tessera.h"

namespace tessera {

/// Why what stands at `loc` is there; null where nothing is recorded.
ProvenanceAttr findProvenance(mlir::Location loc);

/// `loc` with `provenance` in place of what it had.
mlir::Location withProvenance(mlir::Location loc, ProvenanceAttr provenance);

/// `loc` without the provenance that `withProvenance` gave it.
mlir::Location withoutProvenance(mlir::Location loc);

/// What provenance calls an argument or result of a function (`kind`):
/// `argument 'w1'`, or `argument 3` where `attributes` give it no name.
std::string boundaryName(llvm::StringRef kind, unsigned number,
                         mlir::DictionaryAttr attributes);

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_PROVENANCE_H
