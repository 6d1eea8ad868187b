//===- ScoreLayout.h - Tiles of scores in registers -------------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_ATTENTION_SCORELAYOUT_H
#define TESSERA_CODEGEN_NVPTX_ATTENTION_SCORELAYOUT_H

#include "Core/GridFunction.h"

namespace tessera::nvptx {

/// Where the elements of a tile of results are, of which every warp has 16
/// rows: every thread has some rows and of each of them some columns, in this
/// order. The lanes that share a row are neighbours.
class ScoreLayout {
public:
  using Values = codegen::CodeBuilder::Values;
  static constexpr int64_t kWarpRows = 16;

  /// That of mma.sync and wgmma: of 16 by 8 results, lane l has columns
  /// 2 (l % 4) and the next of rows l / 4 and l / 4 + 8. `warp` (`i64`) is the
  /// number of the warp among those that have rows.
  static ScoreLayout quads(GridFunction &grid, mlir::Value warp);
  /// Lane l has rows 4 (l / 8) to 4 (l / 8) + 3 and every eighth column from
  /// l % 8 on.
  static ScoreLayout eighths(GridFunction &grid, mlir::Value warp);

  /// The rows of a thread, and its columns of a tile of `columns`.
  int64_t rowCount() const { return rows; }
  int64_t columnCount(int64_t columns) const { return columns / lanes; }
  /// How many lanes share a row.
  int64_t lanesPerRow() const { return lanes; }
  /// How many columns of a thread are neighbours.
  int64_t run() const { return neighbours; }
  /// How far apart those are.
  int64_t blockColumns() const { return lanes * neighbours; }
  /// The numbers (`i64`) in the tile of the thread's row `row` and column
  /// `column`.
  mlir::Value rowOf(int64_t row) const;
  mlir::Value columnOf(int64_t column) const;
  /// The first row of the warp.
  mlir::Value warpRow() const { return firstOfWarp; }

  /// `combine` over the lanes that share a row.
  mlir::Value acrossRow(codegen::Accumulator &accumulator,
                        mlir::Value value) const {
    return grid->acrossLanes(accumulator, value, lanes);
  }
  /// A tile of zeros.
  Values zeros(int64_t columns) const;
  /// The left operand, for 16 columns from `first` on, of the next product by
  /// tensor cores: four registers of two elements of type `element`, of `tile`
  /// with `columns` columns. For `quads`.
  Values leftOperand(mlir::ValueRange tile, int64_t columns, int64_t first,
                     mlir::Type element) const;

private:
  explicit ScoreLayout(GridFunction &grid) : grid(&grid) {}

  GridFunction *grid;
  int64_t rows, rowStep, lanes, neighbours;
  mlir::Value firstOfWarp, firstRow, firstColumn;
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_ATTENTION_SCORELAYOUT_H
