//===- AttentionOperand.h - What kernels for attention read -----*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONOPERAND_H
#define TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONOPERAND_H

#include "Core/GridFunction.h"

namespace tessera::nvptx {

/// Rows in shared memory. Between two rows are 16 bytes more than there are
/// features, an odd multiple of 16 in all: eight threads that read 16 bytes of
/// eight neighbouring rows meet in no bank.
struct SharedRows {
  mlir::Value base;
  /// A multiple of 16.
  int64_t features;
  int64_t elementBytes;

  int64_t rowBytes() const { return features * elementBytes + 16; }
};

/// A query, key, value or gradient of an output, [batch, heads, rows,
/// features], from where 16 bytes of features can be copied at a time.
///
/// A tensor that a view of some memory shows (a slice, a transpose) is read
/// from there. Any other, and one whose features are no multiple of 16, is
/// copied into a temporary by a step of its own, and zeros behind its features.
class AttentionOperand {
public:
  /// Prepares `tensor`, an operand of the loop nest's operation, as elements of
  /// `element`; appends the step that copies it, if there must be one.
  /// `asBoxes` if a tensor map is to describe it. Fails with a diagnostic.
  static llvm::FailureOr<AttentionOperand> prepare(const GpuNest &nest,
                                                   mlir::Value tensor,
                                                   mlir::Type element,
                                                   bool asBoxes = false);

  int64_t rows() const { return rowCount; }
  /// Including zeros.
  int64_t features() const { return featureCount; }
  int64_t elementBytes() const {
    return codegen::CodeBuilder::storageBytes(element);
  }

  /// Where the rows of a head begin (global memory).
  mlir::Value headAddress(GridFunction &grid, mlir::Value batch,
                          mlir::Value head) const;
  /// Starts copies of the rows from `firstRow` (`i64`) on of the head at `head`
  /// to shared memory, `count` of them; those behind the last are zero.
  void copyRows(GridFunction &grid, mlir::Value head, mlir::Value firstRow,
                int64_t count, const SharedRows &target) const;

  /// Features in a box, 128 bytes of 2-byte elements, and boxes of a row.
  static constexpr int64_t boxFeatures = 64;
  int64_t boxCount() const {
    return llvm::divideCeil(featureCount, boxFeatures);
  }
  /// The tensor map of boxes of `count` rows.
  mlir::Value boxMap(GridFunction &grid, int64_t count) const;
  /// The corner in it (`i32`, innermost first) of box `box` of a row of a head;
  /// all `i64`.
  llvm::SmallVector<mlir::Value> boxCorner(GridFunction &grid,
                                           mlir::Value batch, mlir::Value head,
                                           mlir::Value row, int64_t box) const;

private:
  mlir::LogicalResult copyToTemporary(const GpuNest &nest, mlir::Value tensor);
  mlir::Value memory(GridFunction &grid) const;

  /// A dimension of the tensor map: the offset is part of its sizes, in such a
  /// way that what lies behind the rows and features is outside.
  struct BoxDim {
    enum Kind { Feature, Row, Head, Batch } kind;
    int64_t size, stride, start = 0;
  };
  llvm::SmallVector<BoxDim, 4> boxDims() const;

  mlir::Type element;
  int64_t batchCount, headCount, rowCount, featureCount;
  /// The memory: a value of the kernel, or a temporary.
  mlir::Value leaf;
  unsigned temporary = 0;
  /// In elements.
  int64_t offset = 0, batchStride, headStride, rowStride;
};

/// What the steps of attention's gradient read, but for bias and masks.
struct GradientOperands {
  AttentionOperand query, key, value, gradient;

  /// Prepares those of `op`, as `AttentionOperand::prepare` does.
  static llvm::FailureOr<GradientOperands> prepare(const GpuNest &nest,
                                                   AttentionGradientOp op,
                                                   mlir::Type element,
                                                   bool asBoxes = false);
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_ATTENTION_ATTENTIONOPERAND_H
