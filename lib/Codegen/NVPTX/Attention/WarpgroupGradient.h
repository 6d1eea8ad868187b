//===- WarpgroupGradient.h - Steps of attention's gradient by wgmma -------===//
#ifndef TESSERA_CODEGEN_NVPTX_ATTENTION_WARPGROUPGRADIENT_H
#define TESSERA_CODEGEN_NVPTX_ATTENTION_WARPGROUPGRADIENT_H

#include "Attention/AttentionRows.h"
#include "Attention/WarpgroupAttention.h"

namespace tessera::nvptx {

/// What the steps have in common: two operands whose rows stay, and two of the
/// other side. The first of each make the scores, the second the products.
class WarpgroupGradientStep {
public:
  WarpgroupGradientStep(WarpgroupAttentionStep &step,
                        const AttentionOperand &scoreRows,
                        const AttentionOperand &productRows,
                        const AttentionOperand &scoreColumns,
                        const AttentionOperand &productColumns)
      : step(step), b(step.b), problem(step.problem),
        scoreRows(step, scoreRows, step.shape.rows(), 1),
        productRows(step, productRows, step.shape.rows(), 1),
        scoreColumns(step, scoreColumns, step.shape.columns,
                     step.shape.buffers),
        productColumns(step, productColumns, step.shape.columns,
                       step.shape.buffers) {}

protected:
  /// To be done by the copying warp group, once.
  void beginCopies() {
    for (OperandRing *ring :
         {&scoreRows, &productRows, &scoreColumns, &productColumns})
      ring->begin();
  }
  WarpgroupInstructions::Matrix waitRows(OperandRing &operand,
                                         mlir::Value round) {
    mlir::Value buffer = operand.ring.waitFull(round);
    return operand.alongFeatures(buffer)
        .from(b, b.mul(step.consumer(), kWarpgroupRows))
        .operand(b, operand.featureSteps());
  }
  /// Starts the products of rows with the tile of columns at `buffer`.
  AttentionTile::Values start(const WarpgroupInstructions::Matrix &rows,
                              OperandRing &columns, mlir::Value buffer) {
    return step.ptx.multiply(
        step.product(step.shape.columns, /*nMajor=*/false), {}, rows,
        columns.alongFeatures(buffer).operand(b, columns.featureSteps()));
  }
  /// Starts the addition of `left`, in registers, times the tile at `buffer`.
  AttentionTile::Values add(mlir::ValueRange sums, mlir::ValueRange left,
                            OperandRing &columns, mlir::Value buffer,
                            int64_t features) {
    return step.ptx.multiply(
        step.product(features, /*nMajor=*/true), sums, left,
        columns.alongRows(buffer).operand(b, step.shape.columns / 16));
  }
  AttentionTile::Values scaled(mlir::ValueRange sums, double factor) {
    AttentionTile::Values tile = WarpgroupAttentionStep::asRows(sums);
    for (mlir::Value &element : tile)
      element = step.multiply(element, step.constant(factor));
    return tile;
  }
  AttentionTile::Values zeros(int64_t features) {
    return step.layout().zeros(features);
  }

  WarpgroupAttentionStep &step;
  codegen::CodeBuilder &b;
  const AttentionProblem &problem;
  OperandRing scoreRows, productRows, scoreColumns, productColumns;
};

/// Emits the step that computes the gradient of the query: its rows are
/// queries, its columns keys.
void emitQueryGradient(WarpgroupAttentionStep &step, AttentionGradientOp op,
                       const AttentionRows &rows,
                       const GradientOperands &operands);

/// Which gradients a step computes whose rows are keys.
struct KeyGradients {
  bool keys = true, values = true;
};
/// Emits that step; its columns are the queries of all heads that share a key
/// head.
void emitKeyGradient(WarpgroupAttentionStep &step, AttentionGradientOp op,
                     const AttentionRows &rows,
                     const GradientOperands &operands,
                     const KeyGradients &wanted);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_ATTENTION_WARPGROUPGRADIENT_H
