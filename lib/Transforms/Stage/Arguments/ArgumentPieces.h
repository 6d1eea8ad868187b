//===- ArgumentPieces.h - which values stages may take in pieces ----------===//
//
// Arguments that stages take piece by piece, and what is computed around the
// loop over microbatches from such pieces and of them.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TRANSFORMS_STAGE_ARGUMENTS_ARGUMENTPIECES_H
#define TESSERA_TRANSFORMS_STAGE_ARGUMENTS_ARGUMENTPIECES_H

#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace tessera::stage {

/// Where a value is cut: along one dimension, into two pieces or more.
struct Cut {
  int64_t dim = 0;
  /// Of each piece, ascending; the last is the size of the dimension.
  mlir::SmallVector<int64_t> ends;

  size_t pieces() const { return ends.size(); }
  int64_t begin(size_t piece) const { return piece ? ends[piece - 1] : 0; }
  int64_t size(size_t piece) const { return ends[piece] - begin(piece); }
  bool operator==(const Cut &other) const {
    return dim == other.dim && ends == other.ends;
  }
  /// Whether each piece is one row.
  bool isRows() const { return dim == 0 && size_t(ends.back()) == pieces(); }
  /// The same pieces along another dimension.
  Cut along(int64_t other) const { return {other, ends}; }
  /// Whether `value` can be cut so.
  bool fits(mlir::Value value) const;
  /// The type of a piece of `value`.
  mlir::RankedTensorType typeOf(mlir::Value value, size_t piece) const;
};

/// How an operation can be done piece by piece.
struct PieceRule {
  /// Which operands have pieces, and along which dimension.
  mlir::SmallVector<std::pair<unsigned, Cut>> operands;
  /// The same of all results, unless pieces are reduced.
  mlir::SmallVector<Cut> results;
  std::optional<ReductionKind> reduction;
};

/// The piece of its first operand, cut so, of which `op` takes a part or all,
/// if it takes from one only.
std::optional<size_t> pieceTakenBy(mlir::Operation *op, const Cut &cut);

/// Which values around a loop over microbatches are taken apart, found without
/// changing anything.
class ArgumentPieces {
public:
  ArgumentPieces(mlir::func::FuncOp main, mlir::scf::ForOp loop);

  /// What is taken apart, and how; in the order of its discovery.
  const llvm::MapVector<mlir::Value, Cut> &values() const { return apart; }
  bool contains(mlir::Value value) const { return apart.contains(value); }
  /// How `value`, which is taken apart, is cut.
  const Cut &cutOf(mlir::Value value) const {
    return apart.find(value)->second;
  }
  /// How `op` is done piece by piece; null where it is done as a whole.
  const PieceRule *ruleOf(mlir::Operation *op) const {
    auto found = byPieces.find(op);
    return found == byPieces.end() ? nullptr : &found->second;
  }
  /// Whether nothing but pieces of a value that is taken apart is needed for
  /// `use` of it.
  bool usesPieces(mlir::OpOperand &use) const;
  /// What is written into the pieces of `value`, or it is put together of, each
  /// of them at once; nothing where that is not all.
  mlir::SmallVector<mlir::Value> piecesWritten(mlir::Value value,
                                               const Cut &cut) const;
  /// How `op` can be done piece by piece if `tensor`, one of its operands or,
  /// behind them, results, is cut so; nothing where that cannot be.
  std::optional<PieceRule> pieceRule(mlir::Operation *op, size_t tensor,
                                     const Cut &cut) const;

private:
  bool isAround(mlir::Operation *op) const {
    return op->getBlock() == loop->getBlock() && op != loop;
  }
  void add(mlir::Value value, const Cut &cut);
  void addOperation(mlir::Operation *op, PieceRule rule);
  void addUsers(mlir::Value value);
  bool grow();
  mlir::BlockArgument findContradiction() const;

  mlir::func::FuncOp main;
  mlir::scf::ForOp loop;
  /// Arguments that stay whole.
  mlir::DenseSet<mlir::Value> whole;
  llvm::MapVector<mlir::Value, Cut> apart;
  /// Operations around the loop that are done piece by piece.
  llvm::MapVector<mlir::Operation *, PieceRule> byPieces;
};

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_ARGUMENTS_ARGUMENTPIECES_H
