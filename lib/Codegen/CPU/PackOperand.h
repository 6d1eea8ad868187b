//===- PackOperand.h - Copies operands of products into panels ------------===//
#ifndef TESSERA_LIB_CODEGEN_CPU_PACKOPERAND_H
#define TESSERA_LIB_CODEGEN_CPU_PACKOPERAND_H

#include "MicroKernel.h"
#include "tessera/Codegen/Kernels/DotShape.h"
#include "tessera/Codegen/Kernels/ElementEmitter.h"

namespace tessera::cpu {
using namespace tessera::codegen;

/// A part of an operand: `freeCount` rows (columns) from `freeStart`, and
/// `depth` steps of the contraction from `depthStart`; all `i64`.
struct PackRegion {
  mlir::Value batch, freeStart, freeCount, depthStart, depth;
};

/// Emits code that computes an operand's elements as f32 into panels of
/// consecutive memory, zero where a panel is larger than the operand.
class OperandPacker {
public:
  /// `side` is the operand; `freeBlock` and `depthBlock` divide all starts.
  OperandPacker(CodeBuilder &b, const DotSide &side, int64_t freeBlock,
                int64_t depthBlock,
                llvm::function_ref<void(ElementEmitter &)> bindMemory);

  /// Left operand, layout Rows: row i at `i * rowStride`, up to a multiple of
  /// the register block's rows.
  llvm::LogicalResult packRows(const PackRegion &region, mlir::Value to,
                               int64_t rowStride);
  /// Left operand, layout Panel: one panel of `tileRows` rows every
  /// `tileRows * depthBlock` elements.
  llvm::LogicalResult packPanels(const PackRegion &region, mlir::Value to);
  /// Right operand: one panel of `tileColumns` columns every
  /// `tileColumns * depthBlock` elements.
  llvm::LogicalResult packColumns(const PackRegion &region, mlir::Value to);

private:
  llvm::LogicalResult packPanels(const PackRegion &region, mlir::Value to,
                                 int64_t width);
  llvm::LogicalResult packPanel(ElementEmitter &e, const PackRegion &region,
                                mlir::Value panel, mlir::Value first,
                                int64_t width, int64_t active);
  void packTransposed(const PackRegion &region, mlir::Value panel,
                      mlir::Value first, int64_t width);
  /// An element as f32.
  mlir::Value element(ElementEmitter &e, const PackRegion &region,
                      const LaneIndex &freeIndex, const LaneIndex &depthIndex);

  CodeBuilder &b;
  const DotSide &side;
  int64_t freeBlock, depthBlock;
  llvm::function_ref<void(ElementEmitter &)> bindMemory;
};

} // namespace tessera::cpu

#endif // TESSERA_LIB_CODEGEN_CPU_PACKOPERAND_H
