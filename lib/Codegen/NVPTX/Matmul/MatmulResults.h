//===- MatmulResults.h - What becomes of sums of products -------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_MATMUL_MATMULRESULTS_H
#define TESSERA_CODEGEN_NVPTX_MATMUL_MATMULRESULTS_H

#include "Matmul/PartialSums.h"

namespace tessera::nvptx {

/// Takes the sums of a product out of shared memory, where neighbouring threads
/// find neighbouring elements: to the epilogue or, if several blocks share the
/// depth, to the partial sums.
class MatmulResults {
public:
  /// Sums in shared memory, in the type of the accumulator; `stride` elements
  /// lie between the starts of two rows.
  struct Sums {
    mlir::Value memory;
    int64_t rows, columns, stride;
  };
  /// The indices of the first of them in the result, and of its part of the
  /// dimension that is summed over.
  struct Origin {
    mlir::Value split, batch, row, column;
  };
  /// Who shares the work: `count` threads, of which this is number `number`.
  struct Threads {
    mlir::Value number;
    int64_t count;
  };

  /// Blocks of sums lie in tiles of `tileRows` by `tileColumns`.
  MatmulResults(const GpuNest &nest, const Matmul &matmul, int64_t splits,
                int64_t tileRows, int64_t tileColumns)
      : matmul(matmul), tileRows(tileRows), tileColumns(tileColumns),
        epilogue(nest, matmul), partials(nest, matmul, splits) {}

  /// Emits the results of those of `sums` that are part of the product.
  mlir::LogicalResult emit(GridFunction &grid, const Sums &sums,
                           const Origin &origin, const Threads &threads) const;
  /// Appends the grid that adds partial sums, if there are any.
  mlir::LogicalResult emitSum() const {
    return partials.areUsed() ? partials.emitSum(epilogue) : mlir::success();
  }

private:
  mlir::Value isInside(codegen::CodeBuilder &b, mlir::Value row,
                       mlir::Value column) const;

  const Matmul &matmul;
  int64_t tileRows, tileColumns;
  MatmulEpilogue epilogue;
  PartialSums partials;
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_MATMUL_MATMULRESULTS_H
