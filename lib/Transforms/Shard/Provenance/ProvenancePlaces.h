//===- ProvenancePlaces.h - where things stand in the program -------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_PROVENANCE_PROVENANCEPLACES_H
#define TESSERA_TRANSFORMS_SHARD_PROVENANCE_PROVENANCEPLACES_H

#include "tessera/Dialect/Tessera/Provenance.h"

namespace tessera::shard {

/// The place called `what` at `loc`, whatever provenance is recorded there.
PlaceAttr placeAt(llvm::StringRef what, mlir::Location loc);

/// Where `op` stands, called by its name.
PlaceAttr placeOf(mlir::Operation *op);

/// Where `value` is made: its operation, or the one whose region it enters; an
/// argument of the function is called by its name.
PlaceAttr placeOf(mlir::Value value);

/// Where `use` takes its value: its operation; a result of the function is
/// called by its name.
PlaceAttr placeOf(mlir::OpOperand &use);

/// The use of `value` that comes first in the text; null if it has none.
mlir::OpOperand *firstUse(mlir::Value value);

/// What `value` was before all reshards; `value` itself if no reshard made it.
mlir::Value rootOf(mlir::Value value);

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_PROVENANCE_PROVENANCEPLACES_H
