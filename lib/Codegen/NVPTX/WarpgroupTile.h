//===- WarpgroupTile.h - How wgmma products are cut into blocks -*- C++ -*-===//
#ifndef TESSERA_LIB_CODEGEN_NVPTX_WARPGROUPTILE_H
#define TESSERA_LIB_CODEGEN_NVPTX_WARPGROUPTILE_H

#include "Matmul.h"
#include "TuningRecords.h"

namespace tessera::nvptx {

/// Threads of a warp group, and rows of a product that it computes.
constexpr int64_t kWarpgroup = 4 * kWarp, kWarpgroupRows = 64;

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
  mlir::Value memory(const codegen::StageLowering &lowering) const;
};

/// A block of threads computes m x n elements, one warp group 64 rows of them,
/// in steps of 128 bytes of depth of which `stages` are in shared memory.
struct WarpgroupTile {
  /// For the mbarriers, behind the buffers.
  static constexpr int64_t barrierBytes = 1024;

  int64_t m, n, stages;

  /// Written `128x256/4`.
  static std::optional<WarpgroupTile> parse(llvm::StringRef text);

  int64_t consumers() const { return m / kWarpgroupRows; }
  /// With the warp group that copies.
  int64_t threads() const { return (consumers() + 1) * kWarpgroup; }
  int64_t stageBytes() const { return (m + n) * 128; }
  /// Elements between the starts of two rows of results in shared memory:
  /// eight more than there are, so that the rows of one fragment lie in
  /// different banks.
  int64_t resultStride() const { return n + 8; }
  int64_t sharedBytes() const;
  bool isValid(const TensorOperand &right, const GpuTarget &target) const;
};

/// The tile for `matmul`, or nothing where the kernels of MatmulTile.h are
/// expected to be faster; a tuning record decides first.
std::optional<WarpgroupTile> chooseWarpgroupTile(const Matmul &matmul,
                                                 const TensorOperand &right,
                                                 const GpuTarget &target,
                                                 const TuningRecords &records);

} // namespace tessera::nvptx

#endif // TESSERA_LIB_CODEGEN_NVPTX_WARPGROUPTILE_H
