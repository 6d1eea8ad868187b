//===- BlockProblem.h - recomputation in one block ------------------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_BLOCKPROBLEM_H
#define TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_BLOCKPROBLEM_H

#include "RecomputationProblem.h"

#include "Calls.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::schedule {

/// What a block computes as a problem of recomputation. Kernels, collectives
/// and whatever else has neither regions nor effects may run again; random
/// numbers are computed from a state like all else, and so repeat. Values hold
/// whole cache lines of the arena; those that the function returns nothing, nor
/// those that a loop or branch hands on, which are held outside of it. An
/// argument that something is written in the place of (donated, or carried by a
/// loop) may not be read after that, nor an operand after a call or a loop that
/// is the last to read it.
class BlockProblem {
public:
  /// `ownBytes` is what an operation needs beside the values of `block`.
  BlockProblem(mlir::Block &block, const CalledFunctions &functions,
               llvm::function_ref<int64_t(mlir::Operation *)> ownBytes);

  /// Lets values be copied to the host and back, as many at a time as hold
  /// `bytes`, where the described machine has a link to the host.
  void allowCopies(int64_t bytes);

  const RecomputationProblem &problem() const { return described; }
  /// The operation with number `number` of the problem.
  mlir::Operation *operation(unsigned number) const { return ops[number]; }

  /// Makes the block what `plan` says. Operations that run again are copies
  /// with the attribute `spmd.rematerialized`; to the host and back copy
  /// `spmd.offload` and `spmd.reload`. The problem is of the old block
  /// then.
  void apply(const RecomputationPlan &plan);

private:
  unsigned numberOf(mlir::Value value);
  bool isHeldOutside(mlir::Value value) const;
  void addOperation(mlir::Operation *op, int64_t ownBytes, double seconds);
  void addOverwrites(mlir::Operation *op,
                     RecomputationProblem::Operation &operation);
  void addTaken(mlir::Operation *op,
                RecomputationProblem::Operation &operation);
  void limitReads(mlir::Value value);
  unsigned writerInPlaceOf(mlir::BlockArgument argument);
  void setSources(mlir::Operation *op, const RecomputationPlan::Step &step);
  mlir::Value resultOf(unsigned step, unsigned value) const;
  mlir::Operation *runAgain(unsigned operation);
  mlir::Operation *runCopy(const RecomputationPlan::Step &step);

  mlir::Block &block;
  const CalledFunctions &functions;
  RecomputationProblem described;
  /// The memory of the host.
  HostMemory host;
  std::vector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  /// Values, with their copies once a plan is applied.
  llvm::MapVector<mlir::Value, unsigned> numbers;
  /// Which result of its operation a value is.
  std::vector<unsigned> resultNumbers;
  /// While a plan is applied, what has run for each of its steps.
  std::vector<mlir::Operation *> runs;
};

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_BLOCKPROBLEM_H
