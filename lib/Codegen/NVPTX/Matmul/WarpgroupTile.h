//===- WarpgroupTile.h - How wgmma products are cut into blocks -*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_MATMUL_WARPGROUPTILE_H
#define TESSERA_CODEGEN_NVPTX_MATMUL_WARPGROUPTILE_H

#include "Core/TuningRecords.h"
#include "Matmul/Matmul.h"
#include "Warpgroup/WarpgroupPipeline.h"
#include <numeric>

namespace tessera::nvptx {

/// An operand that a tensor map describes: dimension 0 of the map is contiguous
/// and goes along the depth or the free index, dimension 1 is the other, and
/// those of the batch follow.
struct TensorOperand {
  mlir::Value leaf;
  bool isDepthMajor;
  /// In elements, and (but for dimension 0) bytes.
  llvm::SmallVector<int64_t> sizes, strides;
  /// The batch's dimensions as the operand has them, 1 included.
  llvm::SmallVector<int64_t> batchShape;

  /// The operand of a product, if it is one: a view of whole memory with one
  /// stride per group, all of which bulk copies allow.
  static std::optional<TensorOperand> get(const MatmulOperand &operand);
  /// Its address.
  mlir::Value memory(const codegen::NestLowering &lowering) const;
};

/// A block of threads computes m x n elements, one warp group 64 rows of them,
/// in steps of 128 bytes of depth of which `buffers` are in shared memory.
/// `splits` blocks share the depth.
struct WarpgroupTile {
  int64_t m, n, buffers, splits = 1;

  /// Written `128x256/4`.
  static std::optional<WarpgroupTile> parse(llvm::StringRef text);

  int64_t consumers() const { return m / kWarpgroupRows; }
  /// Warps that multiply.
  int64_t warps() const { return consumers() * kWarpgroup / kWarp; }
  /// With the warp group that copies.
  int64_t threads() const { return (consumers() + 1) * kWarpgroup; }
  /// With two multiplying warp groups a block has a multiprocessor to itself.
  bool isPersistent() const { return consumers() > 1; }
  int64_t bufferBytes() const { return (m + n) * kSwizzleRow; }
  /// Columns of results that a warp has in shared memory at a time.
  int64_t resultColumns() const { return std::gcd<int64_t>(n, 32); }
  /// Elements between the starts of two rows of these: eight more, so that the
  /// rows of one fragment lie in different banks.
  int64_t resultStride() const { return resultColumns() + 8; }
  /// Bytes of the results of one warp.
  int64_t resultBytes() const { return 16 * resultStride() * 4; }
  int64_t sharedBytes() const;
  bool isValid(const TensorOperand &right, const GpuTarget &target) const;

  /// Elements of depth in a step, steps in all, and of one split.
  int64_t depth(const Matmul &p) const {
    return kSwizzleRow / p.elementBytes();
  }
  int64_t steps(const Matmul &p) const {
    return llvm::divideCeil(p.k, depth(p));
  }
  int64_t splitSteps(const Matmul &p) const {
    return llvm::divideCeil(steps(p), splits);
  }
  int64_t tilesM(const Matmul &p) const { return llvm::divideCeil(p.m, m); }
  int64_t tilesN(const Matmul &p) const { return llvm::divideCeil(p.n, n); }
  int64_t tiles(const Matmul &p) const {
    return p.batches * splits * tilesM(p) * tilesN(p);
  }
  /// With the next lower number of splits for which none is empty.
  WarpgroupTile filled(const Matmul &p) const;
};

/// The tile for `matmul`, or nothing where the kernels of MatmulTile.h are
/// expected to be faster; a tuning record decides first.
std::optional<WarpgroupTile> chooseWarpgroupTile(const Matmul &matmul,
                                                 const TensorOperand &right,
                                                 const GpuTarget &target,
                                                 const TuningRecords &records);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_MATMUL_WARPGROUPTILE_H
