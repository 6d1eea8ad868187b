//===- Why.h - provenance in words ----------------------------------------===//
#ifndef TESSERA_DIALECT_TESSERA_WHY_H
#define TESSERA_DIALECT_TESSERA_WHY_H

#include "tessera/Dialect/Tessera/Provenance.h"

namespace tessera {

/// The first place in a file that `loc` mentions, `gpt.py:12:4`; empty where no
/// file is known.
std::string describeFile(mlir::Location loc);

/// `tessera.dot_general at gpt.py:12:4`, with the name that JAX gave it, if
/// any: `tessera.dot_general (attention/qkv) at gpt.py:12:4`.
std::string describePlace(PlaceAttr place);

/// The same of an operation, and of what makes a value, which may be an
/// argument of a block (`argument 2 at gpt.py:3:1`): for messages to
/// developers.
std::string describeOperation(mlir::Operation *op);
std::string describeMaker(mlir::Value value);

/// `[{"data"}, {}]`.
std::string describeSharding(ShardingAttr sharding);

/// Behind the side of an `OriginAttr`: its annotation, and what else is called
/// like it but for the number of the layer, would have brought the axis as well
/// as the one that the story of that axis and side tells of.
inline constexpr llvm::StringLiteral kAsWell = " as well";

/// How the axes concerned got there. An operation that communicates itself may
/// do so over some axes and is explained for all: of these, those of the
/// collective at hand, `axes`, unless they are null.
llvm::SmallVector<OriginAttr> originsOf(ProvenanceAttr provenance,
                                        AxesAttr axes);

/// One line per fact, the reason first, then what keeps the two sides apart if
/// it is known, then `originsOf`. A single line that says so where nothing is
/// recorded (`provenance` is null).
llvm::SmallVector<std::string> describeWhy(ProvenanceAttr provenance,
                                           AxesAttr axes = {});

/// `text` with `*` for every number that stands between `[`, `_`, `.`, `/` or
/// `-` and the end of a part of a name: what equal parameters of several layers
/// are called (`p['layers'][*]['w1']`, `p['h_*']['kernel']`).
std::string withoutLayerNumbers(llvm::StringRef text);

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_WHY_H
