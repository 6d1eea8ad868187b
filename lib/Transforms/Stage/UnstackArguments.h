//===- UnstackArguments.h - arguments of layers, each by itself -----------===//
#ifndef TESSERA_TRANSFORMS_STAGE_UNSTACKARGUMENTS_H
#define TESSERA_TRANSFORMS_STAGE_UNSTACKARGUMENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseSet.h"

namespace tessera {

/// Takes apart the arguments of `main` that have one row for every layer, as a
/// `scan` over layers needs its parameters stacked (or a loop that the model
/// has unrolled, `w[i]`), so that every stage can hold the rows of its own
/// layers only. Layers must have been unrolled.
///
/// An argument is taken apart if the program takes each of its rows by itself
/// in or before `microbatches`, or if what follows the loop combines it row by
/// row with one that is (its momenta). Then
///
/// - each row is a `tessera.slice` at the beginning of `main`;
/// - what follows the loop and computes row by row (the optimizer) does so for
///   each row; what it reduces over rows (a norm) is combined from theirs;
/// - a result that is made of rows is one `tessera.concatenate` at the end.
///
/// What cannot be done row by row, like an argument whose rows devices share
/// out, stays whole. Returns these slices and concatenations, which stand for
/// the boundary of the program: they belong to no stage.
llvm::DenseSet<mlir::Operation *>
unstackArguments(mlir::func::FuncOp main, mlir::scf::ForOp microbatches);

} // namespace tessera

#endif // TESSERA_TRANSFORMS_STAGE_UNSTACKARGUMENTS_H
