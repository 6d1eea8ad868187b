//===- WarpgroupInstructions.h - mbarrier, TMA and wgmma --------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_WARPGROUP_WARPGROUPINSTRUCTIONS_H
#define TESSERA_CODEGEN_NVPTX_WARPGROUP_WARPGROUPINSTRUCTIONS_H

#include "tessera/Codegen/Kernels/CodeBuilder.h"

namespace tessera::nvptx {

/// Emits the asynchronous instructions of Hopper as inline PTX. Addresses of
/// shared memory are `i32`, all sizes are in bytes.
class WarpgroupInstructions {
public:
  explicit WarpgroupInstructions(codegen::CodeBuilder &b) : b(b) {}

  /// The address of shared memory (`!llvm.ptr<3>`) as a number.
  mlir::Value sharedNumber(mlir::Value pointer);

  void initBarrier(mlir::Value barrier, int64_t arrivals);
  /// Makes initialised mbarriers visible to asynchronous copies.
  void fenceBarriers();
  /// Arrives and expects `bytes` to be copied in this phase.
  void arriveExpecting(mlir::Value barrier, int64_t bytes);
  /// Arrives, in lane 0 of the warp.
  void arriveOncePerWarp(mlir::Value barrier, mlir::Value lane);
  /// Waits for the phase with parity `parity` (`i32`) to be complete.
  void wait(mlir::Value barrier, mlir::Value parity);
  /// Starts a copy of the box at `corner` (`i32`, innermost first) of the
  /// tensor map to `target`, of which `barrier` counts the bytes.
  void loadBox(mlir::Value target, mlir::Value map, mlir::ValueRange corner,
               mlir::Value barrier);
  /// The same for `bytes` from `source` on, a multiple of 16 at a multiple of
  /// 16.
  void loadBytes(mlir::Value target, mlir::Value source, int64_t bytes,
                 mlir::Value barrier);

  /// Waits for the `threads` threads that come to barrier `number` (`i32`, 1 to
  /// 15), and comes without waiting.
  void namedBarrier(mlir::Value number, int64_t threads);
  void arriveAtNamedBarrier(mlir::Value number, int64_t threads);
  /// Gives registers of the warp group back, or takes more.
  void setRegisters(int64_t count, bool more);

  /// What a sequence of wgmma.mma_async multiplies.
  struct Product {
    int64_t n;
    /// `f16`, `bf16` or `tf32`.
    llvm::StringRef element;
    /// Whether M (N) moves fastest in shared memory, instead of K.
    bool mMajor, nMajor;
  };
  /// A matrix in shared memory, as many instructions take it one after the
  /// other: the descriptor (`i64`) for the first, and how far from it, in units
  /// of 16 bytes, that of each begins. Descriptors are computed where they are
  /// used: all of them would need many registers.
  struct Matrix {
    mlir::Value descriptor;
    llvm::SmallVector<int64_t> offsets;
  };
  /// Starts, as one group, accumulators += left * right; without accumulators,
  /// from zero. Then waits for all groups but the `pending` newest, if that is
  /// given. Returns the new accumulators, n / 2 f32, which only may be given to
  /// the next call or to `wait` while their group is pending.
  codegen::CodeBuilder::Values
  multiply(const Product &product, mlir::ValueRange accumulators,
           const Matrix &left, const Matrix &right,
           std::optional<int64_t> pending = std::nullopt);
  /// The same with the left matrix in registers, four of two elements for each
  /// instruction.
  codegen::CodeBuilder::Values
  multiply(const Product &product, mlir::ValueRange accumulators,
           mlir::ValueRange left, const Matrix &right,
           std::optional<int64_t> pending = std::nullopt);
  /// Waits for all groups but the `pending` newest, after which `accumulators`
  /// of the others are valid. `inUse` are left operands of these groups, kept
  /// until then.
  codegen::CodeBuilder::Values wait(int64_t pending,
                                    mlir::ValueRange accumulators,
                                    mlir::ValueRange inUse = {});

  /// The descriptor of a matrix whose rows are 128 bytes, in the 128-byte
  /// swizzle: where it begins, and the strides that the PTX ISA calls leading
  /// and stride dimension byte offset.
  mlir::Value descriptor(mlir::Value address, int64_t leading, int64_t stride);

private:
  codegen::CodeBuilder::Values
  emitMatmul(const Product &product, mlir::ValueRange accumulators,
             const Matrix *left, mlir::ValueRange registers,
             const Matrix &right, std::optional<int64_t> pending);
  void emit(llvm::StringRef text, llvm::StringRef constraints,
            mlir::ValueRange operands);
  /// The same with `count` accumulators in front, which it changes if there are
  /// some, or else writes.
  codegen::CodeBuilder::Values
  emitOn(size_t count, mlir::ValueRange accumulators, llvm::StringRef text,
         llvm::StringRef constraints, mlir::ValueRange operands);

  codegen::CodeBuilder &b;
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_WARPGROUP_WARPGROUPINSTRUCTIONS_H
