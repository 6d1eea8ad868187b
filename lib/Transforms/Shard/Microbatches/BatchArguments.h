//===- BatchArguments.h - which arguments are a step's rows ---------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_MICROBATCHES_BATCHARGUMENTS_H
#define TESSERA_TRANSFORMS_SHARD_MICROBATCHES_BATCHARGUMENTS_H

#include "Microbatches/MicrobatchAnalysis.h"

namespace tessera::shard {

/// What the batch of `function` may be, the most likely first; all have the
/// same `data`.
///
/// Arguments marked `tessera.batch` are the only choice. Otherwise, arguments
/// that a result replaces are state, as is all else that the same argument of
/// the model holds (`p['w']`); what remains is data. A batch is made of data
/// that have one size in dimension `dim`; or, if that is the first, also of
/// data that have one size in the first dimension that is sharded, and are
/// sharded alike there. What most of the model's arguments belong to comes
/// first, among equals what is sharded. A program without state must return
/// something of that size.
///
/// Arguments that belong to the same rows and are not found are invariant, and
/// sliced where rows need them. So with `ofOneArgument` a batch may also be
/// what one argument of the model has of a size, although others have it by
/// chance: averages of as many channels as there are rows.
///
/// `blocks` is what the arguments' shardings say.
llvm::SmallVector<Batch> findBatches(mlir::func::FuncOp function, int64_t dim,
                                     bool ofOneArgument = false);

/// The loop of `function` that adds up over microbatches on its own: it takes
/// slices of data by its count, and all that it carries is added to, filled up
/// by its count, or handed on. Null if there is none.
mlir::Operation *findAccumulationLoop(mlir::func::FuncOp function,
                                      const llvm::DenseSet<mlir::Value> &data);

/// The arguments of `function` that are no state.
llvm::DenseSet<mlir::Value> findData(mlir::func::FuncOp function);

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_MICROBATCHES_BATCHARGUMENTS_H
