//===- Annotate.h - Random annotations for a model ------------------------===//

#ifndef TESSERA_TOOLS_TESSERA_FUZZ_ANNOTATE_H
#define TESSERA_TOOLS_TESSERA_FUZZ_ANNOTATE_H

#include "Random.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera::fuzz {

/// Replaces the meshes of `module`, an imported model, and the shardings of its
/// arguments, results and values by random ones; a donated argument and the
/// result that takes its memory have the same. Sometimes marks the rows of
/// arguments, so that they are split into microbatches. Meshes that regions are
/// written for remain, and what is in these regions. Fails after a diagnostic
/// if there is no function `main`.
mlir::LogicalResult annotate(mlir::ModuleOp module, Random &random);

} // namespace tessera::fuzz

#endif // TESSERA_TOOLS_TESSERA_FUZZ_ANNOTATE_H
