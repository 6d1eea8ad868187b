//===- DotShape.h - A contraction seen as batched matrix product -*- C++ --===//
//-*-===//
#ifndef TESSERA_LIB_CODEGEN_CPU_DOTSHAPE_H
#define TESSERA_LIB_CODEGEN_CPU_DOTSHAPE_H

#include "LaneIndex.h"
#include "tessera/Dialect/Tessera/Tessera.h"

namespace tessera::cpu {

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

/// One side of a contraction: its dimensions by their role.
struct DotSide {
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
};

/// The blocks in which a product of M x K and K x N is computed; all sizes in
/// elements.
struct DotBlocks {
  int64_t batches, m, n, k;
  int64_t blockM, blockN, blockK;
  /// Whether the right operand's whole K x blockN panel is packed once and kept
  /// for all blocks of rows.
  bool keepRight;

  int64_t blocksM() const { return (m + blockM - 1) / blockM; }
  int64_t blocksN() const { return (n + blockN - 1) / blockN; }
  int64_t blocksK() const { return (k + blockK - 1) / blockK; }
};

/// Chooses blocks so that a packed block of the left operand, one panel of the
/// right one and the block of results stay in the second-level cache.
DotBlocks chooseBlocks(int64_t batches, int64_t m, int64_t n, int64_t k,
                       const Target &target);

} // namespace tessera::cpu

#endif // TESSERA_LIB_CODEGEN_CPU_DOTSHAPE_H
