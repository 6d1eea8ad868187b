//===- WarpgroupPipeline.h - Warp groups that copy and multiply -*- C++ -*-===//
//
// Elsewhere: software pipelining, multistage, warp specialization.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_WARPGROUP_WARPGROUPPIPELINE_H
#define TESSERA_CODEGEN_NVPTX_WARPGROUP_WARPGROUPPIPELINE_H

#include "Core/GridFunction.h"
#include "Warpgroup/WarpgroupInstructions.h"

namespace tessera::nvptx {

/// Threads of a warp group, and rows of a product that it computes.
constexpr int64_t kWarpgroup = 4 * kWarp, kWarpgroupRows = 64;
/// Bytes of a row of the 128-byte swizzle's pattern, and of the pattern.
constexpr int64_t kSwizzleRow = 128, kSwizzlePattern = 1024;
/// Bytes of depth that one wgmma takes.
constexpr int64_t kMatmulDepth = 32;

/// A ring of buffers in shared memory that bulk copies fill for warp groups
/// that multiply.
///
/// Step s uses buffer s mod slots, in its (s / slots)-th phase. Two mbarriers
/// per buffer say that it is full (the bytes of its copies have arrived) and
/// that it is empty (all reading warps have released it); "empty" begins as
/// complete. Steps are `i64`, addresses of shared memory `i32`.
class BufferRing {
public:
  /// `slots` buffers of `bytes` each (a multiple of the swizzle's pattern, if
  /// boxes go there, and of 16), each read by `readers` warps.
  BufferRing(GridFunction &grid, int64_t slots, int64_t bytes, int64_t readers);

  int64_t bufferBytes() const { return bytes; }
  /// Bytes of the mbarriers of a buffer.
  static constexpr int64_t barrierBytes = 16;
  /// Makes the mbarriers of `rings`, which have to be all of the block's. All
  /// threads must come here.
  static void begin(GridFunction &grid, llvm::ArrayRef<BufferRing *> rings);

  /// Where the copies of a step go, and which mbarrier counts their bytes.
  struct Target {
    mlir::Value buffer, barrier;
  };
  /// Waits for the buffer of `step` to be empty, and announces its copies,
  /// which have to be `bytes` in all. For one thread.
  Target fill(mlir::Value step);
  /// Waits for the buffer of `step` to be full: its address.
  mlir::Value waitFull(mlir::Value step);
  /// Says that this warp has read the buffer of `step`.
  void release(mlir::Value step);

private:
  mlir::Value slotOf(mlir::Value step);
  mlir::Value parityOf(mlir::Value step);
  mlir::Value buffer(mlir::Value step);
  mlir::Value full(mlir::Value step);
  mlir::Value empty(mlir::Value step);

  GridFunction &grid;
  codegen::CodeBuilder &b;
  WarpgroupInstructions ptx;
  int64_t slots, bytes, readers;
  mlir::Value buffers, barriers;
};

/// A matrix in shared memory as copied boxes have it: rows of 128 bytes in the
/// 128-byte swizzle, box after box of `boxRows` rows. Neither kind is
/// transposed in memory.
struct SharedMatrix {
  mlir::Value address;
  /// A multiple of 8.
  int64_t boxRows;
  int64_t elementBytes;
  /// Whether rows go along the depth of a product, a box having 128 bytes of
  /// it; or along its free index, a box having 128 bytes of that.
  bool isDepthMajor;

  /// The matrix from free index `index` (`i64`) on, a multiple of 64.
  SharedMatrix from(codegen::CodeBuilder &b, mlir::Value index) const;
  /// What `count` instructions take, in order of depth.
  WarpgroupInstructions::Matrix operand(codegen::CodeBuilder &b,
                                        int64_t count) const;
};

/// A number of shared memory plus an `i64`.
mlir::Value sharedPlus(codegen::CodeBuilder &b, mlir::Value number,
                       mlir::Value offset);

/// The number of the thread's warp group (`i64`), which ptxas knows to be the
/// same in all lanes.
mlir::Value warpgroupOf(GridFunction &grid);

/// Specialises the warp groups of a block: one thread of the first one runs
/// `copy`, the `consumers` others run `multiply`, with the registers that the
/// first does not need.
void specialise(GridFunction &grid, int64_t consumers,
                llvm::function_ref<void()> copy,
                llvm::function_ref<void()> multiply);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_WARPGROUP_WARPGROUPPIPELINE_H
