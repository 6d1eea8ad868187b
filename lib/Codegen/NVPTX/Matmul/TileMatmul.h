//===- TileMatmul.h - Multiplies tiles in shared memory ---------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_MATMUL_TILEMATMUL_H
#define TESSERA_CODEGEN_NVPTX_MATMUL_TILEMATMUL_H

#include "Core/GridFunction.h"
#include "Core/SharedTile.h"
#include "Matmul/MatmulTile.h"

namespace tessera::nvptx {

/// A tile of an operand in shared memory, as it is to be read.
struct OperandTile {
  SharedTile shared;
  /// Whether rows of the tile are contiguous in depth (or else free).
  bool isDepthMajor;
};

/// The innermost part of a matrix product: every thread of the block adds a
/// step of `tile.k` to its share of the block of results, its sums.
class TileMatmul {
public:
  using Values = codegen::CodeBuilder::Values;

  TileMatmul(GridFunction &grid, const Matmul &matmul, const MatmulTile &tile,
             const OperandTile &left, const OperandTile &right)
      : grid(grid), b(grid.b), matmul(matmul), tile(tile), left(left),
        right(right) {}
  virtual ~TileMatmul() = default;

  /// The thread's sums in the beginning.
  virtual Values zeros();
  /// The sums with the product of the tiles at `leftBase` and `rightBase`
  /// (shared memory) added.
  virtual Values multiply(mlir::Value leftBase, mlir::Value rightBase,
                          mlir::ValueRange sums) = 0;
  /// Stores the sums into the block of results at `base` (shared memory), which
  /// begins at row `firstRow` of the block.
  virtual void store(mlir::ValueRange sums, mlir::Value base,
                     mlir::Value firstRow) = 0;

  /// The warp's row and column among the warps.
  mlir::Value warpRow() { return b.div(grid.warp(), b.index(tile.warpsN)); }
  mlir::Value warpColumn() { return b.rem(grid.warp(), b.index(tile.warpsN)); }

protected:
  /// Sums per thread.
  int64_t sumCount() const { return tile.warpM() * tile.warpN() / kWarp; }
  /// Stores neighbours of one row, aligned to all of them.
  void storeRun(mlir::ValueRange run, mlir::Value base, mlir::Value row,
                mlir::Value column);

  GridFunction &grid;
  codegen::CodeBuilder &b;
  const Matmul &matmul;
  MatmulTile tile;
  OperandTile left, right;
};

/// By `mma.sync` on fragments that `ldmatrix` loads.
std::unique_ptr<TileMatmul> makeTensorCoreMatmul(GridFunction &grid,
                                                 const Matmul &matmul,
                                                 const MatmulTile &tile,
                                                 const OperandTile &left,
                                                 const OperandTile &right);
/// By multiply-adds, each thread a small block of results.
std::unique_ptr<TileMatmul> makeScalarMatmul(GridFunction &grid,
                                             const Matmul &matmul,
                                             const MatmulTile &tile,
                                             const OperandTile &left,
                                             const OperandTile &right);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_MATMUL_TILEMATMUL_H
