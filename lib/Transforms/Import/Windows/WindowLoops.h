//===- WindowLoops.h - loops over the positions of large windows ----------===//
//
// The steps of a large window take their operand at positions that begin at
// equal distances. A loop that slices the operand where its iteration says
// needs it whole along the window's dimension. So every iteration moves the
// operand on instead, by as much as it has steps, and takes what it needs at
// constant positions: a split operand sends in every iteration just what the
// next one needs of its neighbours, all together as much as the halo of the
// whole window.
//
// Moving leaves zeros behind, and what leaves the operand is lost. Therefore
// two loops go outwards from the step that begins with the operand's first
// element: one to those that begin behind it, with the operand moved to the
// left, one to those that begin before it, with the operand moved to the right.
//
// In a loop within such a loop the operand would be moved again in every
// iteration of the outer one. There it is sliced: one that is split along this
// dimension is made whole, once.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_WINDOWS_WINDOWLOOPS_H
#define TESSERA_TRANSFORMS_IMPORT_WINDOWS_WINDOWLOOPS_H

#include "Windows/Windows.h"

#include <optional>

namespace tessera::importer {

/// How the operand comes to where an iteration begins.
enum class Advance { Moved, Sliced };

/// Steps that a loop does, some in an iteration: from those near the operand's
/// begin to those far from it, if it is moved.
struct StepLoop {
  /// The loop does steps `first` to `first + count`, a multiple of what an
  /// iteration does.
  int64_t first, count;
  /// The loop's operand is moved on by `begin` elements before its first
  /// iteration, and by `move` in each; to the right where they are negative.
  int64_t begin, move;
  /// Where the steps of an iteration begin in the operand moved that far.
  llvm::SmallVector<int64_t> starts;

  int64_t block() const { return starts.size(); }
  int64_t trips() const { return count / block(); }
};

/// Steps that begin at equal distances along a dimension of their operand, in
/// the order of their begins: some written one by one, those before and behind
/// them done by loops.
struct StepPlan {
  /// Of steps that begin at `starts`, ascending, with `block` of them in an
  /// iteration.
  StepPlan(llvm::ArrayRef<int64_t> starts, int64_t block, Advance advance);

  /// Steps `first` to `first + count` are written one by one.
  int64_t first, count;
  std::optional<StepLoop> before, behind;

  /// How many steps the program has, those of an iteration once.
  int64_t written() const;
};

/// What the last of the loop's iterations returns. In each, `body` gets the
/// index of its first step among those of the loop, a scalar; the operand,
/// advanced; and what it returned in the one before, `init` in the first.
/// `input` advances along `dim`, of which a step reaches over `extent`; `fill`
/// stands where there is no element.
mlir::Value
loopOver(Conversion &c, const StepLoop &loop, Advance advance,
         mlir::Value input, int64_t dim, int64_t extent, mlir::Value fill,
         mlir::Value init,
         llvm::function_ref<mlir::Value(mlir::Value, mlir::Value, mlir::Value)>
             body);

/// Elements `start` to `start + size` of `value` along `dim`, which exist;
/// `start` is a scalar.
mlir::Value blockAt(Conversion &c, mlir::Value value, int64_t dim,
                    mlir::Value start, int64_t size);

/// `value` with `block` in place of its elements from `start` on along `dim`.
mlir::Value withBlockAt(Conversion &c, mlir::Value value, mlir::Value block,
                        int64_t dim, mlir::Value start);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_WINDOWS_WINDOWLOOPS_H
