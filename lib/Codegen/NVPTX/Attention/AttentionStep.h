//===- AttentionStep.h - Attention by synchronous products ------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONSTEP_H
#define TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONSTEP_H

#include "Attention/AttentionTile.h"
#include "Attention/ScoreEngine.h"

namespace tessera::nvptx {

/// How the blocks of a step work: `rows()` rows each, which stay, and `columns`
/// of the other side at a time, in `buffers` buffers.
struct AttentionShape {
  int64_t warps, columns, buffers;

  /// Bytes of static memory, behind which dynamic memory begins at a multiple
  /// of them.
  static constexpr int64_t reserve = 1024;

  int64_t rows() const { return warps * ScoreLayout::kWarpRows; }
  int64_t threads() const { return warps * kWarp; }

  /// The shape for rows of `rowBytes` and columns of `columnBytes` bytes each
  /// that fits into the memory of `target`, with at most `columns` columns.
  static AttentionShape choose(int64_t rowBytes, int64_t columnBytes,
                               int64_t columns, const GpuTarget &target);
  bool fits(int64_t rowBytes, int64_t columnBytes,
            const GpuTarget &target) const {
    return rows() * rowBytes + buffers * columns * columnBytes + reserve <=
           target.sharedBytes;
  }
};

/// A step all of whose threads copy (`cp.async`) and multiply (ScoreEngine).
class AttentionStep : public AttentionTile {
public:
  AttentionStep(const GpuNest &nest, const AttentionProblem &problem,
                const AttentionShape &shape, int64_t rowCount, int64_t heads);

  AttentionShape shape;
  std::unique_ptr<ScoreEngine> engine;
  const ScoreLayout &layout() const override { return engine->layout; }

  /// Starts the copy of the block's rows of `operand`.
  SharedRows loadRows(const AttentionOperand &operand);
  /// Memory for `count` rows of `operand`, by default the shape's columns, in
  /// all buffers.
  void addColumns(const AttentionOperand &operand,
                  std::optional<int64_t> count = std::nullopt);

  /// The block of rows of an operand that a trip meets: their head, the first
  /// of them, and the batch (null: the tile's).
  struct RowBlock {
    mlir::Value head, first, batch = {};
  };
  /// For trips `begin` to `end` (`i64`): copies the rows of all operands
  /// added, the `number`-th of which are at `locate(trip, number)`, a trip
  /// ahead, and calls `body` when they are there.
  Values
  stream(mlir::Value begin, mlir::Value end, mlir::ValueRange carried,
         llvm::function_ref<RowBlock(mlir::Value trip, unsigned number)> locate,
         llvm::function_ref<Values(mlir::Value trip,
                                   llvm::ArrayRef<SharedRows> columns,
                                   mlir::ValueRange carried)>
             body);

  /// Ends the step.
  void finish();

private:
  struct Columns {
    const AttentionOperand *operand;
    SharedRows buffers;
    int64_t count, bufferBytes;
  };
  llvm::SmallVector<Columns, 2> columns;
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONSTEP_H
