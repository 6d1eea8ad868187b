//===- MatmulShape.h - A matmul as m x k times k x n ------------*- C++ -*-===//
//
// Elsewhere: batched GEMM.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_CODEGEN_KERNELS_MATMULSHAPE_H
#define TESSERA_CODEGEN_KERNELS_MATMULSHAPE_H

#include "tessera/Codegen/Kernels/LaneIndex.h"
#include "tessera/Dialect/Tessera/Tessera.h"

namespace tessera::codegen {

/// An operand that lies in memory: element i of its shape at
/// `offset + sum over d of i[d] * strides[d]` from where `leaf` lies.
struct StridedView {
  mlir::Value leaf;
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
};

/// The view through which `value` reads a value that `isLeaf`, if it is one.
std::optional<StridedView>
getStridedView(mlir::Value value, llvm::function_ref<bool(mlir::Value)> isLeaf);

/// One side of a matmul: its dimensions by their role.
struct MatmulSide {
  mlir::Value operand;
  llvm::SmallVector<int64_t> batch, free, contracting;
  std::optional<StridedView> view;

  int64_t size(llvm::ArrayRef<int64_t> dims) const;
  /// The one stride by which a linear index over `dims` moves through memory,
  /// if there is a view and there is one; 0 for a single element.
  std::optional<int64_t> stride(llvm::ArrayRef<int64_t> dims) const;
  /// The operand's indices for linear indices over its three groups.
  LaneIndices indices(LaneArithmetic &arithmetic, const LaneIndex &batchIndex,
                      const LaneIndex &freeIndex,
                      const LaneIndex &contractingIndex) const;
  /// For such indices, the element's place in the memory of the view's leaf.
  LaneIndex position(LaneArithmetic &arithmetic, const LaneIndex &batchIndex,
                     const LaneIndex &freeIndex,
                     const LaneIndex &contractingIndex) const;
};

/// The two sides of `dot`, with the views through which they read values for
/// which `isLeaf` holds.
MatmulSide getLeftSide(DotGeneralOp dot,
                       llvm::function_ref<bool(mlir::Value)> isLeaf);
MatmulSide getRightSide(DotGeneralOp dot,
                        llvm::function_ref<bool(mlir::Value)> isLeaf);

/// Whether neighbours along `dims` of `side` are neighbours in memory: in that
/// of its view, or in some memory that its elements are computed from.
bool isContiguous(const MatmulSide &side, llvm::ArrayRef<int64_t> dims,
                  llvm::function_ref<bool(mlir::Value)> isLeaf);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_KERNELS_MATMULSHAPE_H
