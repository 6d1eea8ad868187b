//===- AttentionStep.h - The steps that attention has in common -*- C++ -*-===//
#ifndef TESSERA_LIB_CODEGEN_NVPTX_ATTENTIONSTEP_H
#define TESSERA_LIB_CODEGEN_NVPTX_ATTENTIONSTEP_H

#include "ScoreEngine.h"

namespace tessera::nvptx {

/// Attention or its gradient: what both have.
struct AttentionProblem {
  mlir::Value query, key, value, bias, mask;
  double scale, fill;
  std::optional<int64_t> causal;
  int64_t batch, heads, keyHeads, queries, keys;
  /// Of query and key, and of value.
  int64_t features, valueFeatures;
  /// The type of query, key and value.
  mlir::Type element;

  template <typename Op> static AttentionProblem of(Op op);

  int64_t group() const { return heads / keyHeads; }
  bool usesTensorCores() const { return !element.isF32(); }
  /// Whether a hidden score leaves no probability next to any other.
  bool hidesAll() const;
  /// Whether a row may have hidden scores only, all of which then count.
  bool mayHideRows() const;
};

/// How the blocks of a step work: `rows()` rows each, which stay, and `columns`
/// of the other side at a time, in `stages` buffers.
struct AttentionShape {
  int64_t warps, columns, stages;

  int64_t rows() const { return warps * ScoreEngine::kWarpRows; }
  int64_t threads() const { return warps * kWarp; }

  /// The shape for rows of `rowBytes` and columns of `columnBytes` bytes each
  /// that fits into the memory of `target`, with at most `columns` columns.
  static AttentionShape choose(int64_t rowBytes, int64_t columnBytes,
                               int64_t columns, const GpuTarget &target);
};

/// One step under construction: a grid whose blocks have a tile of rows of one
/// head.
class AttentionStep {
public:
  using Values = codegen::CodeBuilder::Values;

  /// `rowCount` rows of `heads` heads.
  AttentionStep(const GpuStage &stage, const AttentionProblem &problem,
                const AttentionShape &shape, int64_t rowCount, int64_t heads);

  GridFunction grid;
  codegen::CodeBuilder &b;
  codegen::ElementEmitter e;
  std::unique_ptr<ScoreEngine> engine;
  const AttentionProblem &problem;
  AttentionShape shape;
  int64_t rowCount, heads;
  /// The block's batch and head, and its first row.
  mlir::Value batch, head, firstRow;

  /// Starts the copy of the block's rows of `operand`.
  SharedRows loadRows(const AttentionOperand &operand);
  /// Memory for the columns of `operand`, in all buffers.
  void addColumns(const AttentionOperand &operand);

  /// Where the columns of a trip are: their head, and the first of them.
  struct Place {
    mlir::Value head, first;
  };
  /// For trips `begin` to `end` (`i64`): copies the columns of all operands
  /// added, a trip ahead, and calls `body` when they are there.
  Values stream(mlir::Value begin, mlir::Value end, mlir::ValueRange carried,
                llvm::function_ref<Place(mlir::Value)> locate,
                llvm::function_ref<Values(mlir::Value trip,
                                          llvm::ArrayRef<SharedRows> columns,
                                          mlir::ValueRange carried)>
                    body);

  /// A score, and whether the key can be seen (null: always).
  struct Score {
    mlir::Value value, visible;
  };
  /// The score of query `i` and key `j` of head `scoreHead`, whose product is
  /// `product`; minus infinity where there is no such key.
  Score score(mlir::Value product, mlir::Value scoreHead, mlir::Value i,
              mlir::Value j);

  mlir::Value constant(double value);
  mlir::Value multiply(mlir::Value x, mlir::Value y);
  mlir::Value subtract(mlir::Value x, mlir::Value y);
  /// e^x by the special function unit.
  mlir::Value exponential(mlir::Value x);
  mlir::Value isLess(mlir::Value x, mlir::Value y);
  mlir::Value isLess(mlir::Value x, int64_t y) { return isLess(x, b.index(y)); }
  /// `x`, or the last number below `limit`; as it is if `tile` divides `limit`.
  mlir::Value clamp(mlir::Value x, int64_t limit, int64_t tile);
  /// The element of `tensor`, [batch, heads, rows], as f32.
  mlir::Value rowElement(mlir::Value tensor, mlir::Value ofHead,
                         mlir::Value row);

  /// Stores a tile of the block's rows to `result`, [batch, heads, rows,
  /// features], `columns` columns of which are in the tile.
  void store(mlir::Value result, mlir::ValueRange tile, int64_t columns);
  /// Stores one number per row of a thread to `result`, [batch, heads, rows].
  void storeRows(mlir::Value result, mlir::ValueRange rows);
  /// Ends the step.
  void finish();

private:
  llvm::SmallVector<mlir::Value> pointersTo(mlir::Value result);
  mlir::Value rowPosition(mlir::Value row);
  void ifRowExists(mlir::Value row, llvm::function_ref<void()> body);
  void storeRun(mlir::ValueRange values, mlir::Value pointer,
                mlir::Value position, mlir::Type element);

  struct Columns {
    const AttentionOperand *operand;
    SharedRows buffers;
    int64_t bufferBytes;
  };
  llvm::SmallVector<Columns, 2> columns;
};

} // namespace tessera::nvptx

#endif // TESSERA_LIB_CODEGEN_NVPTX_ATTENTIONSTEP_H
