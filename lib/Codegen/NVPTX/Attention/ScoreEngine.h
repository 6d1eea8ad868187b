//===- ScoreEngine.h - Products of rows in shared memory --------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_ATTENTION_SCOREENGINE_H
#define TESSERA_CODEGEN_NVPTX_ATTENTION_SCOREENGINE_H

#include "Attention/AttentionOperand.h"
#include "Attention/ScoreLayout.h"

namespace tessera::nvptx {

/// The products that attention is made of, on tiles in registers.
class ScoreEngine {
public:
  using Values = codegen::CodeBuilder::Values;

  ScoreEngine(GridFunction &grid, const ScoreLayout &layout)
      : layout(layout), grid(grid), b(grid.b) {}
  virtual ~ScoreEngine() = default;

  const ScoreLayout layout;

  /// The products of the rows of `left` with `columns` rows of `right`.
  virtual Values product(const SharedRows &left, const SharedRows &right,
                         int64_t columns) = 0;
  /// `sums`, a tile of `right.features` columns, with `tile` (of `depth`
  /// columns) times `depth` rows of `right` added.
  virtual Values accumulate(mlir::ValueRange sums, mlir::ValueRange tile,
                            const SharedRows &right, int64_t depth) = 0;

protected:
  GridFunction &grid;
  codegen::CodeBuilder &b;
};

/// By `mma.sync`, for elements of 2 bytes; sums are f32.
std::unique_ptr<ScoreEngine> makeTensorCoreEngine(GridFunction &grid,
                                                  mlir::Type element);
/// By multiply-adds of f32.
std::unique_ptr<ScoreEngine> makeScalarEngine(GridFunction &grid);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_ATTENTION_SCOREENGINE_H
