//===- WindowLoops.h - loops over the places of large windows -------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_WINDOWS_WINDOWLOOPS_H
#define TESSERA_TRANSFORMS_IMPORT_WINDOWS_WINDOWLOOPS_H

#include "Conversions/Conversion.h"

namespace tessera::importer {

/// What `body` returns in the last of `trips` iterations of a loop of the
/// program. It gets the iteration, a scalar from 0 on, and what it returned in
/// the one before; in the first, `init`.
mlir::Value
loopOver(Conversion &c, int64_t trips, mlir::Value init,
         llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> body);

/// Elements `trip * step` to `trip * step + size` of `value` along `dim`, which
/// exist; `trip` is a scalar.
mlir::Value blockAt(Conversion &c, mlir::Value value, int64_t dim,
                    mlir::Value trip, int64_t step, int64_t size);

/// `value` with `block` in place of its elements from `trip * step` on along
/// `dim`.
mlir::Value withBlockAt(Conversion &c, mlir::Value value, mlir::Value block,
                        int64_t dim, mlir::Value trip, int64_t step);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_WINDOWS_WINDOWLOOPS_H
