//===- MicrobatchLoop.h - a step as a loop over microbatches --------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_MICROBATCHES_MICROBATCHLOOP_H
#define TESSERA_TRANSFORMS_SHARD_MICROBATCHES_MICROBATCHLOOP_H

#include "Microbatches/MicrobatchAnalysis.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/ADT/SetVector.h"

namespace tessera::shard {

/// What of a step's sums is formed in the loop over microbatches.
struct Accumulation {
  /// The values that are carried, in the order of the text.
  llvm::SetVector<mlir::Value> values;
  /// Linear operations that are left for after the loop.
  llvm::DenseSet<mlir::Operation *> deferred;
};

/// Chooses where pending values become sums: what is carried takes the least
/// memory, and of such choices the one that leaves the most for after the loop.
/// That is a minimum cut between what reduces rows and what waits, through the
/// operations that are linear. Sums of narrow floats are formed after they
/// are widened, if they are. If `keepApart`, no sum of two pending values is
/// formed in the loop, for they may belong to different stages.
Accumulation chooseAccumulation(mlir::func::FuncOp function,
                                const MicrobatchAnalysis &analysis,
                                bool keepApart);

/// Rewrites a function that `analysis` has found to be splittable: what is the
/// same for all microbatches, a loop over them, what waits for them.
///
/// The body is the function's operations on parts. An invariant tensor of which
/// a part is needed is sliced, or made in the part's size if it is computed
/// element by element. Locations stay.
class MicrobatchLoop {
public:
  MicrobatchLoop(mlir::func::FuncOp function,
                 const MicrobatchAnalysis &analysis,
                 const Accumulation &accumulation);

  /// Rewrites the function; the loop.
  mlir::scf::ForOp build();

private:
  using PartKey = std::pair<mlir::Value, std::pair<int64_t, int64_t>>;

  // The loop and what stands around it.
  void detachHandovers();
  void collectRows();
  void createLoop();
  void yieldResults();
  void takeResults();
  void moveRest();
  bool runsAfter(mlir::Operation *op) const;
  mlir::Operation *topLevel(mlir::Operation *op);
  bool isUsedAfter(mlir::Value value);

  // The body.
  void emitBlock(mlir::Block &block);
  void emit(mlir::Operation *op);
  void emitControlFlow(mlir::Operation *op);
  int64_t groupOfParts(ShardingGroupOp group);
  mlir::Value inLoop(mlir::Value value) {
    return mapping.lookupOrDefault(value);
  }
  mlir::Value handOver(mlir::Value value, const BatchState &state);
  mlir::Value contribution(mlir::Value value, ReductionKind kind);
  void takeWhole();
  mlir::Value part(mlir::Value value, const BatchSplit &split);
  mlir::Value makePart(mlir::Value value, const BatchSplit &split);
  mlir::Value rebuildPart(mlir::Value value, const BatchSplit &split);
  mlir::Value slicePart(mlir::Value value, const BatchSplit &split);

  // Types.
  mlir::Type partType(mlir::Type type, const BatchSplit &split) const;
  mlir::Type typeInside(mlir::Value value) const;
  /// The shape of `value` with dimension `split.dim` as [before, count, rest],
  /// and the dimension of the microbatches therein.
  std::pair<llvm::SmallVector<int64_t>, int64_t>
  viewShape(mlir::Value value, const BatchSplit &split) const;
  llvm::SmallVector<mlir::Value> indicesAt(size_t rank, int64_t dim);

  mlir::func::FuncOp function;
  const MicrobatchAnalysis &analysis;
  const Accumulation &accumulation;
  const Batch &batch;
  mlir::ImplicitLocOpBuilder builder;
  /// Split values that are needed whole behind the loop.
  llvm::SetVector<mlir::Value> collected;
  mlir::scf::ForOp loop;
  /// The number of the microbatch, and 0.
  mlir::Value number, zero;
  mlir::IRMapping mapping;
  /// The sharding groups of parts, by the group and type of their members, and
  /// the first number that is free.
  llvm::DenseMap<std::pair<int64_t, mlir::Type>, int64_t> groups;
  int64_t unusedGroup = 0;
  /// Parts of values that are whole, per region that is being emitted.
  llvm::SmallVector<llvm::DenseMap<PartKey, mlir::Value>> parts;
};

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_MICROBATCHES_MICROBATCHLOOP_H
