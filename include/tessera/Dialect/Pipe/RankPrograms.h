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

/// What an argument (result) of a pipeline rank's program is of `@main`'s: all
/// of it, or some rows, one after the other: a part of one dimension.
struct BoundaryRows {
  /// Which argument (result) of `@main` it is of.
  int64_t number;
  /// The first row; 0 where it is all.
  int64_t first = 0;
  /// How many rows; nothing where it is all.
  std::optional<int64_t> count = std::nullopt;
  /// The dimension that rows are counted along; 0 where it is all.
  int64_t dim = 0;

  friend bool operator==(const BoundaryRows &a, const BoundaryRows &b) {
    return a.number == b.number && a.first == b.first && a.count == b.count &&
           a.dim == b.dim;
  }
};

/// What the devices of one pipeline rank run, after `partition`: the function
/// with the attribute `pipe.rank`.
struct RankProgram {
  mlir::func::FuncOp function;
  /// What each argument (result) of the function is, ascending by number and
  /// first row.
  llvm::SmallVector<BoundaryRows> arguments, results;
};

/// The programs of a module by pipeline rank; none where all devices run
/// `@main`. A diagnostic where the ranks are not 0, 1, ..., where `@main` is
/// not declared, where an argument or result is not one of `@main`'s with the
/// same type and sharding, or rows of it that devices do not share out, and
/// where one of `@main`'s, or a row of a result, is on no rank.
mlir::FailureOr<llvm::SmallVector<RankProgram>>
getRankPrograms(mlir::ModuleOp module);

/// A diagnostic where one of `programs` is only declared, as all are after the
/// phase `codegen`.
llvm::LogicalResult verifyHaveBodies(llvm::ArrayRef<RankProgram> programs);

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
