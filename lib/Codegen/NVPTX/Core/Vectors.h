//===- Vectors.h - How many elements a thread moves at a time -------------===//
#ifndef TESSERA_CODEGEN_NVPTX_CORE_VECTORS_H
#define TESSERA_CODEGEN_NVPTX_CORE_VECTORS_H

#include "Core/GridFunction.h"

namespace tessera::nvptx {

/// Elements of one access of a thread: 16 bytes of elements of `bytes`, at most
/// 8, and a power of 2 that divides `contiguous`, the size of the dimension
/// that vectors lie along.
int64_t vectorLanes(int64_t bytes, int64_t contiguous);

/// What a loop nest of kind Row or Column reads and writes at every point of
/// its space; the basis of all decisions on how it is spread over threads.
struct NestTraffic {
  /// Bytes of the narrowest element.
  int64_t narrowest = 8;
  /// Tensors with as many elements as the space that are read and written.
  int64_t reads = 0, writes = 0;

  explicit NestTraffic(const GpuNest &nest);

  /// `vectorLanes` of the narrowest element.
  int64_t lanes(int64_t contiguous) const {
    return vectorLanes(narrowest, contiguous);
  }
};

/// The last of `dims` whose size in `shape` is not 1, or -1.
int64_t lastWideDim(llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<int64_t> dims);

/// The sizes of `dims`.
llvm::SmallVector<int64_t> sizesOf(llvm::ArrayRef<int64_t> shape,
                                   llvm::ArrayRef<int64_t> dims);

/// Bytes of one sum of a reduction (codegen::Accumulator).
int64_t accumulatorBytes(ReduceOp reduce);

/// A vector of `lanes` consecutive elements from `base`, a multiple of `lanes`.
codegen::LaneIndex vectorAt(mlir::Value base, int64_t lanes);

/// `x < y` on `i64`.
mlir::Value isLess(codegen::CodeBuilder &b, mlir::Value x, mlir::Value y);

/// Both conditions; null stands for one that always holds.
mlir::Value bothHold(codegen::CodeBuilder &b, mlir::Value x, mlir::Value y);

/// Runs `body` where `condition` holds (always, for null).
void guardIf(codegen::CodeBuilder &b, mlir::Value condition,
             llvm::function_ref<void()> body);

/// Computes the elements of `outputs` at `at` before it stores the first,
/// because results may overwrite operands. False after a diagnostic.
bool emitAll(codegen::ElementEmitter &e,
             llvm::ArrayRef<codegen::NestOutput> outputs,
             const codegen::LaneIndices &at,
             llvm::SmallVectorImpl<mlir::Value> &elements);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_CORE_VECTORS_H
