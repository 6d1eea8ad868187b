//===- PackOperand.h - Copies operands of products into panels ------------===//
//
// Elsewhere: packing, as in GotoBLAS and BLIS.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_CODEGEN_CPU_PACKOPERAND_H
#define TESSERA_CODEGEN_CPU_PACKOPERAND_H

#include "MicroKernel.h"
#include "tessera/Codegen/Kernels/ElementEmitter.h"
#include "tessera/Codegen/Kernels/MatmulShape.h"

namespace tessera::cpu {
using namespace tessera::codegen;

/// A part of an operand: `freeCount` rows (columns) from `freeStart`, and
/// `depth` steps of the matmul from `depthStart`; all `i64`.
struct PackRegion {
  mlir::Value batch, freeStart, freeCount, depthStart, depth;
};

/// What transposes squares of an operand: the function of Transposition.h, and
/// memory for one square.
struct Transposition {
  mlir::func::FuncOp function;
  mlir::Value square;
};

/// Emits code that computes an operand's elements as f32 into panels of
/// consecutive memory, zero where a panel is larger than the operand.
class OperandPacker {
public:
  /// `side` is the operand; `depthBlock` divides all starts of steps.
  OperandPacker(CodeBuilder &b, const MatmulSide &side, int64_t depthBlock,
                llvm::function_ref<void(ElementEmitter &)> bindMemory);

  /// Left operand, layout Rows: row i at `i * rowStride`, up to a multiple of
  /// the register block's rows.
  llvm::LogicalResult packRows(const PackRegion &region, mlir::Value to,
                               int64_t rowStride);
  /// Left operand, layout Panel: one panel of `tileRows` rows every
  /// `tileRows * depthBlock` elements.
  llvm::LogicalResult packPanels(const PackRegion &region, mlir::Value to);
  /// Right operand: one panel of `tileColumns` columns every
  /// `tileColumns * depthBlock` elements. An operand that `isTransposed` needs
  /// `transposition` to be read by vectors.
  llvm::LogicalResult packColumns(const PackRegion &region, mlir::Value to,
                                  std::optional<Transposition> transposition);
  /// Whether the operand is f32 in memory and contiguous along the matmul
  /// only.
  bool isTransposed() const;

private:
  llvm::LogicalResult
  packPanels(const PackRegion &region, mlir::Value to, int64_t width,
             std::optional<Transposition> transposition = std::nullopt);
  llvm::LogicalResult packPanel(ElementEmitter &e, const PackRegion &region,
                                mlir::Value panel, mlir::Value first,
                                int64_t width, int64_t active);
  void packTransposed(const PackRegion &region, mlir::Value panel,
                      mlir::Value first, int64_t width,
                      const Transposition &transposition);
  /// An element as f32.
  mlir::Value element(ElementEmitter &e, const PackRegion &region,
                      const LaneIndex &freeIndex, const LaneIndex &depthIndex);

  CodeBuilder &b;
  const MatmulSide &side;
  int64_t depthBlock;
  llvm::function_ref<void(ElementEmitter &)> bindMemory;
};

} // namespace tessera::cpu

#endif // TESSERA_CODEGEN_CPU_PACKOPERAND_H
