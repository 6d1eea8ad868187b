//===- UnstackArguments.h - arguments of several stages, in pieces --------===//
#ifndef TESSERA_TRANSFORMS_STAGE_ARGUMENTS_UNSTACKARGUMENTS_H
#define TESSERA_TRANSFORMS_STAGE_ARGUMENTS_UNSTACKARGUMENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseSet.h"

namespace tessera::stage {

/// Takes apart the arguments of `main` of which several stages have a piece
/// each, so that every stage can hold its own only: those that have one row for
/// every layer, as a `scan` over layers needs its parameters stacked (or a loop
/// that the model has unrolled, `w[i]`), and the parameter of an output layer
/// that is spread over the ranks. Layers must have been unrolled, and the
/// output layer must have been split.
///
/// An argument is taken apart if the program takes each of its rows by itself
/// in or before `microbatches`, if the tasks of the output layer take parts
/// that make it up, or if what follows the loop combines it piece by piece with
/// one that is (its momenta). Then
///
/// - each piece is a `tessera.slice` at the beginning of `main`;
/// - what follows the loop and computes piece by piece (the optimizer) does so
///   for each piece; what it reduces over pieces (a norm) is combined from
///   theirs;
/// - a result that is made of pieces is one `tessera.concatenate` at the end.
///
/// What cannot be done piece by piece, like an argument that devices share out
/// along the dimension in question, stays whole. Returns these slices and
/// concatenations, which stand for the boundary of the program: they belong to
/// no stage.
llvm::DenseSet<mlir::Operation *>
unstackArguments(mlir::func::FuncOp main, mlir::scf::ForOp microbatches);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_ARGUMENTS_UNSTACKARGUMENTS_H
