//===- ScoreEngine.h - Products of rows in shared memory --------*- C++ -*-===//
#ifndef TESSERA_LIB_CODEGEN_NVPTX_SCOREENGINE_H
#define TESSERA_LIB_CODEGEN_NVPTX_SCOREENGINE_H

#include "AttentionOperand.h"

namespace tessera::nvptx {

/// The products that attention is made of, on tiles of which every warp has 16
/// rows. A tile of results lies in registers: every thread has some rows and of
/// each of them some columns, in this order. The lanes that share a row are
/// neighbours.
class ScoreEngine {
public:
  using Values = codegen::CodeBuilder::Values;
  static constexpr int64_t kWarpRows = 16;

  explicit ScoreEngine(GridFunction &grid) : grid(grid), b(grid.b) {}
  virtual ~ScoreEngine() = default;

  /// The rows of a thread, and its columns of a tile of `columns`.
  virtual int64_t rowCount() const = 0;
  int64_t columnCount(int64_t columns) const { return columns / lanesPerRow(); }
  /// How many lanes share a row.
  virtual int64_t lanesPerRow() const = 0;
  /// The numbers (`i64`) in the tile of the thread's row `row` and column
  /// `column`.
  virtual mlir::Value rowOf(int64_t row) = 0;
  virtual mlir::Value columnOf(int64_t column) = 0;
  /// How many columns of a thread are neighbours.
  virtual int64_t run() const = 0;

  /// The products of the rows of `left` with `columns` rows of `right`.
  virtual Values product(const SharedRows &left, const SharedRows &right,
                         int64_t columns) = 0;
  /// `sums`, a tile of `right.features` columns, with `tile` (of `depth`
  /// columns) times `depth` rows of `right` added.
  virtual Values accumulate(mlir::ValueRange sums, mlir::ValueRange tile,
                            const SharedRows &right, int64_t depth) = 0;

  /// `combine` over the lanes that share a row.
  mlir::Value acrossRow(codegen::Accumulator &accumulator, mlir::Value value) {
    return grid.acrossLanes(accumulator, value, lanesPerRow());
  }
  /// A tile of zeros.
  Values zeros(int64_t columns);

protected:
  GridFunction &grid;
  codegen::CodeBuilder &b;
};

/// By `mma.sync`, for elements of 2 bytes; sums are f32.
std::unique_ptr<ScoreEngine> makeTensorCoreEngine(GridFunction &grid,
                                                  mlir::Type element);
/// By multiply-adds of f32.
std::unique_ptr<ScoreEngine> makeScalarEngine(GridFunction &grid);

} // namespace tessera::nvptx

#endif // TESSERA_LIB_CODEGEN_NVPTX_SCOREENGINE_H
