//===- PartialSums.h - Products whose depth is split ------------*- C++ -*-===//
//
// Elsewhere: split-k.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_MATMUL_PARTIALSUMS_H
#define TESSERA_CODEGEN_NVPTX_MATMUL_PARTIALSUMS_H

#include "Matmul/MatmulEpilogue.h"

namespace tessera::nvptx {

/// The sums of a product whose depth several blocks share, each a part of it,
/// in a temporary: [splits, batches, m, n]. A second grid adds them in the
/// order of the parts, always the same, and computes what follows the product.
class PartialSums {
public:
  /// Has a temporary if there is more than one split.
  PartialSums(const GpuNest &nest, const Matmul &matmul, int64_t splits);

  bool areUsed() const { return splits > 1; }
  /// Neighbouring elements of a row that are stored at a time.
  int64_t lanes() const;
  /// Stores `lanes()` elements, from (batch, row, column) on, of part `split`.
  void store(GridFunction &grid, mlir::Value split, mlir::Value batch,
             mlir::Value row, mlir::Value column, mlir::Value sum) const;
  /// Appends the second grid.
  mlir::LogicalResult emitSum(const MatmulEpilogue &epilogue) const;

private:
  mlir::Value address(GridFunction &grid, mlir::Value split,
                      mlir::Value element) const;
  mlir::Value add(GridFunction &grid, mlir::Value element, int64_t count) const;
  int64_t alignment(int64_t count) const;

  const GpuNest &nest;
  const Matmul &matmul;
  int64_t splits;
  unsigned temporary = 0;
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_MATMUL_PARTIALSUMS_H
