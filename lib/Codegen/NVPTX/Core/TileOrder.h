//===- TileOrder.h - Which block has which tile of a result -----*- C++ -*-===//
//
// Elsewhere: thread block swizzle, rasterization.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_CORE_TILEORDER_H
#define TESSERA_CODEGEN_NVPTX_CORE_TILEORDER_H

#include "Core/GridFunction.h"

namespace tessera::nvptx {

/// A tile's row and column among `rows` x `columns` tiles (`i64`).
struct TileCoordinates {
  mlir::Value row, column;
};

/// The row and column of tile `number`, of `rows * columns` tiles. Groups of
/// `group` rows come one after the other; within a group, column after column:
/// tiles that blocks have at the same time share few rows and columns, which
/// stay in the second-level cache.
TileCoordinates rasterise(codegen::CodeBuilder &b, mlir::Value number,
                          int64_t rows, int64_t columns, int64_t group);

/// The group of rows for matrix products.
constexpr int64_t kMatmulRows = 8;

/// How the blocks of a grid share tiles: each has one, or, `isPersistent`, one
/// after the other, which it can begin to load while it stores the one before.
struct TileSchedule {
  int64_t tiles, blocks;
  /// Whether early tiles take longer than late ones. Every second round then
  /// goes backwards, so that no block always has the longest of its round.
  bool isDescending = false;

  static TileSchedule get(int64_t tiles, bool isPersistent,
                          const GpuTarget &target) {
    return {tiles,
            isPersistent ? std::min(tiles, target.multiprocessors) : tiles};
  }

  /// Emits `body` for the tiles of the running block: their number, how many
  /// the block had before (`i64`), and carried values.
  codegen::CodeBuilder::Values
  forEach(GridFunction &grid, mlir::ValueRange carried,
          llvm::function_ref<codegen::CodeBuilder::Values(
              mlir::Value number, mlir::Value round, mlir::ValueRange carried)>
              body) const;
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_CORE_TILEORDER_H
