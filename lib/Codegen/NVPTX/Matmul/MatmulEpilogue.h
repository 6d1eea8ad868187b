//===- MatmulEpilogue.h - What follows a product ----------------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_MATMUL_MATMULEPILOGUE_H
#define TESSERA_CODEGEN_NVPTX_MATMUL_MATMULEPILOGUE_H

#include "Core/GridFunction.h"
#include "Matmul/Matmul.h"

namespace tessera::nvptx {

/// Computes and stores what depends on elements of a product, whatever the
/// device's way to compute it: bias, activation, residual, conversion, update
/// of a weight.
class MatmulEpilogue {
public:
  MatmulEpilogue(const GpuNest &nest, const Matmul &matmul);

  /// Neighbouring elements of a row that one thread handles: 16 bytes of the
  /// widest result, if rows consist of such; a power of 2, at most `limit`.
  int64_t lanes(int64_t limit) const;
  /// Whether results are contiguous in memory along the rows of the product
  /// (transposed), so that neighbouring threads should take neighbouring rows.
  bool isTransposed() const { return transposed; }

  /// Emits the results of element (batch, row, column), or of `lanes` elements
  /// from there on. `sum` is the element in the type of the accumulator.
  llvm::LogicalResult emit(GridFunction &grid, int64_t lanes, mlir::Value batch,
                           mlir::Value row, mlir::Value column,
                           mlir::Value sum) const;

private:
  /// The product's own indices.
  codegen::LaneIndices indicesOf(codegen::LaneArithmetic &arithmetic,
                                 const codegen::LaneIndex &batch,
                                 const codegen::LaneIndex &row,
                                 const codegen::LaneIndex &column) const;

  const codegen::LoopNest &nest;
  const Matmul &matmul;
  bool transposed;
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_MATMUL_MATMULEPILOGUE_H
