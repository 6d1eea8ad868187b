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

/// `[{"data"}, {}]`.
std::string describeSharding(ShardingAttr sharding);

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

/// `text` with `*` for every number in square brackets: what equal parameters
/// of several layers are called (`p['layers'][*]['w1']`).
std::string withoutLayerNumbers(llvm::StringRef text);

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_WHY_H
