//===- PlanTerms.h - the words of a rule ------------------------*- C++ -*-===//
//
// `colwise(model)`, `Shard(0)`, `fsdp(data, 4MB)`: what stands as one text in a
// plan file. Each function says what it expected of a text that is none.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_PLANS_PLANTERMS_H
#define TESSERA_TRANSFORMS_IMPORT_PLANS_PLANTERMS_H

#include "ShardingPlan.h"

#include "llvm/ADT/StringRef.h"

namespace tessera::importer {

/// `colwise(model)`, `packed(3) colwise(model)`, `replicate`.
Fallible<PlanStyle> parseStyle(llvm::StringRef text, PlanPlace place);

/// `data` or `data, 4MB`, with or without `fsdp(` and `)` around.
Fallible<PlanFsdp> parseFsdp(llvm::StringRef text, PlanPlace place);

/// `Shard(0)`, `Replicate`, `_StridedShard(dim=0, split_factor=2)`.
Fallible<PlanPlacement> parsePlacement(llvm::StringRef text, PlanPlace place);

/// `model`, `model?`, `model p1`, `-`, `?`, `...`.
Fallible<PlanDim> parseDim(llvm::StringRef text, PlanPlace place);

/// `weight`, `state`, `batch`, `result`.
Fallible<TensorRole> parseRole(llvm::StringRef text);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_PLANS_PLANTERMS_H
