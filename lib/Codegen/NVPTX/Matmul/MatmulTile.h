//===- MatmulTile.h - How a product is cut into blocks ----------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_MATMUL_MATMULTILE_H
#define TESSERA_CODEGEN_NVPTX_MATMUL_MATMULTILE_H

#include "Matmul/Matmul.h"
#include <string>

namespace tessera::nvptx {

/// A block of threads computes m x n elements of the result in steps of k, its
/// warps stand in `warpsM` rows and `warpsN` columns, and `buffers` steps of
/// the operands are in shared memory at a time. All are powers of 2, but
/// `buffers`.
struct MatmulTile {
  int64_t m, n, k, warpsM, warpsN, buffers;

  /// Written `128x256x32/2x4/3`.
  static std::optional<MatmulTile> parse(llvm::StringRef text);
  std::string text() const;

  int64_t threads() const { return warpsM * warpsN * kWarp; }
  int64_t warpM() const { return m / warpsM; }
  int64_t warpN() const { return n / warpsN; }

  /// Bytes of one step of both operands.
  int64_t bufferBytes(const Matmul &matmul) const {
    return (m + n) * k * matmul.elementBytes();
  }
  /// Elements between the starts of two rows of the block of results while it
  /// is in shared memory: eight more than there are, so that the rows of one
  /// fragment lie in different banks.
  int64_t resultStride() const { return n + 8; }
  /// In how many parts (rows of warps) the block of results is stored.
  int64_t resultParts(const Matmul &matmul) const;
  /// Bytes of shared memory of a block.
  int64_t sharedBytes(const Matmul &matmul) const;
  /// 32-bit registers of a thread, roughly.
  int64_t registers(const Matmul &matmul) const;

  /// Whether a kernel of this tile can be emitted for `matmul` and runs on
  /// `target`.
  bool isValid(const Matmul &matmul, const GpuTarget &target) const;
};

/// A tile and the number of blocks that share the depth of one block of
/// results, each computing a partial sum.
struct MatmulSchedule {
  MatmulTile tile;
  int64_t splits;

  int64_t tilesM(const Matmul &p) const { return (p.m + tile.m - 1) / tile.m; }
  int64_t tilesN(const Matmul &p) const { return (p.n + tile.n - 1) / tile.n; }
  /// Steps of the whole depth, and of one split.
  int64_t steps(const Matmul &p) const { return (p.k + tile.k - 1) / tile.k; }
  int64_t splitSteps(const Matmul &p) const {
    return (steps(p) + splits - 1) / splits;
  }
};

/// Seconds that `schedule` is expected to take on `target`'s machine. See
/// docs/rationale/gpu-matmul.md for the formula.
double estimateSeconds(const MatmulSchedule &schedule, const Matmul &matmul,
                       const GpuTarget &target);

/// The schedule with the least estimate; of those with `tile`, a valid one, and
/// with `splits` (lowered until no split is empty), if these are given.
MatmulSchedule chooseSchedule(const Matmul &matmul, const GpuTarget &target,
                              std::optional<MatmulTile> tile = std::nullopt,
                              int64_t splits = 0);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_MATMUL_MATMULTILE_H
