//===- RankBuilder.h - the program of one pipeline rank -------------------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_RANKS_RANKBUILDER_H
#define TESSERA_TRANSFORMS_PARTITION_RANKS_RANKBUILDER_H

#include "Ranks/FragmentFunctions.h"

#include "tessera/Dialect/Spmd/Spmd.h"

namespace tessera::partition {

/// A tensor that one pipeline rank needs from another. The receiver's operation
/// exists from the start; the sender's is made when all programs stand.
struct RankMessage {
  StepValue value;
  int64_t source, target;
  spmd::RecvOp receive;
};

/// Builds the function of one pipeline rank, task by task. What the rank does
/// not compute itself it receives right before the first task that needs it,
/// and keeps.
class RankBuilder {
public:
  using FragmentFunctions = llvm::DenseMap<mlir::Operation *, FragmentFunction>;

  /// Starts a public function `@rank_N` behind `@main`, with all arguments of
  /// the step. Messages that the rank needs are added to `messages`.
  RankBuilder(const ScheduledStep &step, const FragmentFunctions &functions,
              int64_t rank, std::vector<RankMessage> &messages,
              mlir::SymbolTable &symbols);

  /// Runs everything up to, but for, what `@main` returns. A diagnostic where a
  /// task stands before another of the same rank that it needs.
  mlir::LogicalResult runAll();
  /// Whether some task uses argument `number` of the step.
  bool uses(unsigned number) {
    return !function.getArgument(number).use_empty();
  }
  /// Ends the function: it takes the arguments and gives the results of the
  /// step with these numbers, both ascending.
  mlir::LogicalResult finish(llvm::ArrayRef<int64_t> arguments,
                             llvm::ArrayRef<int64_t> results);

  /// The value that this rank has computed; `value` is as
  /// `ScheduledStep::trace` gives it.
  mlir::Value lookup(StepValue value) const {
    return known.lookup(value.key());
  }
  mlir::func::FuncOp getFunction() const { return function; }

private:
  mlir::LogicalResult run(pipe::FragmentOp fragment, int64_t microbatch,
                          llvm::StringRef task);
  mlir::LogicalResult runOnce(llvm::ArrayRef<pipe::FragmentOp> fragments);
  mlir::LogicalResult combineAccumulators();
  mlir::FailureOr<mlir::Value> get(StepValue value, mlir::Operation *user);
  mlir::FailureOr<mlir::Value> getPart(ScheduledStep::AccumulatorPart part,
                                       mlir::Operation *user);
  mlir::Value receive(StepValue value, int64_t source, mlir::Location loc);
  mlir::Value computeFree(StepValue value);

  const ScheduledStep &step;
  const FragmentFunctions &functions;
  int64_t rank;
  std::vector<RankMessage> &messages;
  mlir::func::FuncOp function;
  mlir::OpBuilder builder;
  /// What this rank has, by value and microbatch. A part of an accumulator
  /// stands under `ScheduledStep::inputOf` it and no microbatch, the whole
  /// under the loop's result.
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> known;
};

} // namespace tessera::partition

#endif // TESSERA_TRANSFORMS_PARTITION_RANKS_RANKBUILDER_H
