//===- RankPrograms.h - the programs of the pipeline ranks ----------------===//
#ifndef TESSERA_DIALECT_PIPE_RANKPROGRAMS_H
#define TESSERA_DIALECT_PIPE_RANKPROGRAMS_H

#include "tessera/Stages/StageSchedule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tessera {

namespace pipe {
class ScheduleAttr;
} // namespace pipe

/// On the function that a fragment has become: its stage (i64) and its kind
/// (`#pipe<kind ...>`).
inline constexpr llvm::StringLiteral kFragmentStageAttr = "pipe.stage";
inline constexpr llvm::StringLiteral kFragmentKindAttr = "pipe.kind";

/// What the devices of one pipeline rank run, after `partition`: the function
/// with the attribute `pipe.rank`.
struct RankProgram {
  mlir::func::FuncOp function;
  /// Which argument (result) of `@main` each of the function's is, ascending.
  llvm::SmallVector<int64_t> arguments, results;
};

/// The programs of a module by pipeline rank; none where all devices run
/// `@main`. A diagnostic where the ranks are not 0, 1, ..., where `@main` is
/// not declared, where an argument or result is not one of `@main`'s with the
/// same type and sharding, or one of `@main`'s is on no rank.
mlir::FailureOr<llvm::SmallVector<RankProgram>>
getRankPrograms(mlir::ModuleOp module);

/// What `attribute` spells; a diagnostic from `emitError` where a word is not a
/// task, or a stage or microbatch out of range.
mlir::FailureOr<StageSchedule>
readSchedule(pipe::ScheduleAttr attribute,
             llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The attribute that spells `schedule`.
pipe::ScheduleAttr writeSchedule(mlir::MLIRContext *context,
                                 const StageSchedule &schedule);

} // namespace tessera

#endif // TESSERA_DIALECT_PIPE_RANKPROGRAMS_H
