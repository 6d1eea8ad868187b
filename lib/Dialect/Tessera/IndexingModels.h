//===- IndexingModels.h - what structured operations do to indices --------===//
#ifndef TESSERA_DIALECT_TESSERA_INDEXINGMODELS_H
#define TESSERA_DIALECT_TESSERA_INDEXINGMODELS_H

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Interfaces/IndexingMaps.h"

namespace tessera {

/// Gives the operations of the dialect `IndexingMapInterface`. They are
/// registered already.
void attachIndexingMaps(mlir::MLIRContext &context);

/// What the operations on attention do to indices.
IndexingMaps mapsOf(AttentionOp op);
IndexingMaps mapsOf(AttentionGradientOp op);

/// What a call of a library does to indices: its factors, all else whole.
IndexingMaps mapsOf(LibraryCallOp op);

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_INDEXINGMODELS_H
