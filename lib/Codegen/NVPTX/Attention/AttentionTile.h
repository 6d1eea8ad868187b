//===- AttentionTile.h - What steps of attention have in common -*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONTILE_H
#define TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONTILE_H

#include "Attention/AttentionProblem.h"
#include "Attention/ScoreLayout.h"

namespace tessera::nvptx {

/// One step under construction: a grid whose blocks have tiles of rows of one
/// head, and meet the columns of the other side some at a time. Rows are
/// queries and columns keys, or the other way round.
class AttentionTile {
public:
  using Values = codegen::CodeBuilder::Values;

  /// The rows of a tile, and the columns that are met at a time.
  struct Extent {
    int64_t rows, columns;
  };
  /// `rowCount` rows of `heads` heads, by blocks of `threads`.
  AttentionTile(const GpuNest &nest, const AttentionProblem &problem,
                int64_t threads, Extent extent, int64_t rowCount,
                int64_t heads);
  virtual ~AttentionTile() = default;

  GridFunction grid;
  codegen::CodeBuilder &b;
  codegen::ElementEmitter e;
  const AttentionProblem &problem;
  const Extent extent;
  const int64_t rowCount, heads;
  /// The batch and head of the tile, and its first row.
  mlir::Value batch, head, firstRow;

  /// Where a thread's elements of a tile are.
  virtual const ScoreLayout &layout() const = 0;
  /// Tiles of rows of a head.
  int64_t tilesPerHead() const {
    return llvm::divideCeil(rowCount, extent.rows);
  }
  /// Tiles in all.
  int64_t tileCount() const { return tilesPerHead() * heads * problem.batch; }

  /// A score in multiples of the problem's unit, whether the key can be seen
  /// (null: always), and by how much less than the product it grows where there
  /// is a cap (else null).
  struct Score {
    mlir::Value value, visible, slope;
  };
  /// The score of query `i` and key `j` of head `scoreHead`, whose product is
  /// `product`; minus infinity where there is no such key. `isWhole`: there is
  /// such a key, and it can be seen.
  Score score(mlir::Value product, mlir::Value scoreHead, mlir::Value i,
              mlir::Value j, bool isWhole = false);
  /// `value`, a probability or its gradient, if dropout keeps the one of query
  /// `i` and key `j` of head `scoreHead`; else 0.
  mlir::Value dropped(mlir::Value value, mlir::Value scoreHead, mlir::Value i,
                      mlir::Value j);
  /// e^(score - maximum), where `shift` is what `shiftOf` gives for the
  /// maximum.
  mlir::Value probability(mlir::Value score, mlir::Value shift);
  /// Of a maximum in multiples of `unit`, 1 or the problem's.
  mlir::Value shiftOf(mlir::Value maximum, double unit);

  /// What a thread has of the softmax of its rows: of each the maximum, in the
  /// problem's unit, and its part of the sum.
  struct Softmax {
    Values maxima, sums;

    /// As values that a loop carries, and back.
    Values values() const;
    static Softmax of(mlir::ValueRange values);
  };
  Softmax emptySoftmax();
  /// Meets the keys from `first` on, whose products with the tile's queries are
  /// `tile`: turns them into probabilities, not yet divided by the sum. Returns
  /// of each row by how much what was summed up before has to shrink.
  Values meet(Softmax &softmax, llvm::MutableArrayRef<mlir::Value> tile,
              mlir::Value first, bool isWhole = false);
  /// Each row of `tile` times the factor of the row.
  void scaleRows(llvm::MutableArrayRef<mlir::Value> tile,
                 mlir::ValueRange factors);
  /// Stores the results of attention; `outputs`, of `columns` columns, are not
  /// yet divided.
  void store(AttentionOp op, const Softmax &softmax, mlir::ValueRange outputs,
             int64_t columns);

  mlir::Value constant(double value);
  /// Of a product: exact for f32, by the special function unit (11 bits) for
  /// products of smaller types.
  mlir::Value tanh(mlir::Value x);
  mlir::Value multiply(mlir::Value x, mlir::Value y);
  mlir::Value subtract(mlir::Value x, mlir::Value y);
  /// Not zero, or no number.
  mlir::Value isNonzero(mlir::Value x);
  mlir::Value isLess(mlir::Value x, mlir::Value y);
  mlir::Value isLess(mlir::Value x, int64_t y) { return isLess(x, b.index(y)); }
  /// `x`, or the last number below `limit`; as it is if all rows of a tile
  /// are below it.
  mlir::Value clamp(mlir::Value x, int64_t limit);
  /// The number of the first of tiles of `tile` that begins at or after
  /// `position`, at most that of the last below `limit` and one.
  mlir::Value tilesUpTo(mlir::Value position, int64_t limit, int64_t tile);
  /// The element of `tensor`, [batch, heads, rows], as f32.
  mlir::Value rowElement(mlir::Value tensor, mlir::Value ofHead,
                         mlir::Value row);

  /// Stores a tile of rows to `result`, [batch, heads, rows, features],
  /// `columns` columns of which are in the tile, from `firstColumn` (`i64`;
  /// null: 0) on.
  void store(mlir::Value result, mlir::ValueRange tile, int64_t columns,
             mlir::Value firstColumn = {});
  /// Stores `value` to `result`, as above, at the tile's first row and column
  /// `column` (`i64`).
  void storeElement(mlir::Value result, mlir::Value value, mlir::Value column);
  /// Stores one number per row of a thread to `result`, [batch, heads, rows].
  void storeRows(mlir::Value result, mlir::ValueRange rows);

protected:
  /// Makes tile `tile` of head `headOfAll` (of all batches) the one that code
  /// is for.
  void locate(mlir::Value tile, mlir::Value headOfAll);

private:
  mlir::Value scoreElement(mlir::Value tensor, mlir::Value scoreHead,
                           mlir::Value i, mlir::Value j);
  llvm::SmallVector<mlir::Value> pointersTo(mlir::Value result);
  mlir::Value rowPosition(mlir::Value result, mlir::Value row);
  void ifRowExists(mlir::Value row, llvm::function_ref<void()> body);
  /// Neighbouring columns of a row of a tile, as they are stored, and the first
  /// of them.
  struct Piece {
    mlir::Value elements, column;
    int64_t bytes;
  };
  mlir::Value toStorage(mlir::ValueRange values, mlir::Type element);
  Values exchange(mlir::ValueRange items);
  Piece takePiece(mlir::ValueRange values, int64_t block, int64_t lanes,
                  mlir::Type element);
  llvm::SmallVector<Piece> takePieces(mlir::ValueRange values, int64_t features,
                                      mlir::Type element);
  void storePiece(const Piece &piece, mlir::Value pointer, mlir::Value position,
                  mlir::Type element);
  void storeOne(mlir::Value value, mlir::Value pointer, mlir::Value position,
                mlir::Type element);
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONTILE_H
