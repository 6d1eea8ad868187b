//===- PieceBounds.h - Where elements begin to come from elsewhere --------===//
#ifndef TESSERA_CODEGEN_KERNELS_PIECEBOUNDS_H
#define TESSERA_CODEGEN_KERNELS_PIECEBOUNDS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tessera::codegen {

/// Indices from `first` up to `last`, which is not included.
struct IndexRun {
  int64_t first, last;
};

/// Cuts [0, size) into the runs that a loop over vectors of `lanes` indices
/// goes through one after another: every run begins at a multiple of `lanes`,
/// and an index of `bounds` is the first of a run, or inside of one that is no
/// longer than the vectors that such indices lie in. One run if there would be
/// too many.
llvm::SmallVector<IndexRun> cutAtBounds(int64_t size, int64_t lanes,
                                        llvm::ArrayRef<int64_t> bounds);

/// The indices along dimension `dim` of the `values`, which all have one shape,
/// at which an element begins to come from another operand of a concatenation,
/// or from inside or outside of a padding, ascending. Looks through what only
/// moves elements and what is element-wise, down to values for which `isLeaf`
/// holds. Places that depend on several dimensions are left out.
llvm::SmallVector<int64_t>
findPieceBounds(llvm::ArrayRef<mlir::Value> values, int64_t dim,
                llvm::function_ref<bool(mlir::Value)> isLeaf);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_KERNELS_PIECEBOUNDS_H
