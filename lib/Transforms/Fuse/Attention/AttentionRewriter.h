//===- AttentionRewriter.h - operations in place of a match ---------------===//
#ifndef TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONREWRITER_H
#define TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONREWRITER_H

#include "Attention/AttentionMatch.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::fuse {

/// The axes that make each of the four dimensions of an operand.
using AxisLists = llvm::SmallVector<llvm::SmallVector<int>, 4>;

/// Which of two operations of a block comes first, while operations are
/// inserted. Operation::isBeforeInBlock would number a deep model's block again
/// after every match that is rewritten. Here what a block holds when it is
/// first asked about is numbered once; what is inserted later is found by going
/// back to the nearest of these.
///
/// Nothing may be erased or moved in the meantime.
class ProgramOrder {
public:
  /// Whether `a` stands before `b`, in the same block.
  bool isBefore(mlir::Operation *a, mlir::Operation *b) {
    return positionOf(a) < positionOf(b);
  }

private:
  /// The number of the nearest numbered operation, from 1, and how far behind
  /// it.
  using Position = std::pair<unsigned, unsigned>;
  Position positionOf(mlir::Operation *op);

  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  llvm::SmallPtrSet<mlir::Block *, 4> blocks;
};

/// Replaces one match by operations on attention, which stand as early as what
/// they read allows.
class AttentionRewriter {
public:
  AttentionRewriter(AttentionMatch &match, ProgramOrder &order)
      : match(match), order(order),
        b(match.scores.dot.getLoc(), match.scores.dot) {
    batch = match.batchAxes;
    if (!batch.empty())
      keyHeads.push_back(batch.pop_back_val());
    heads = keyHeads;
    llvm::append_range(heads, match.groupAxes);
    element = mlir::getElementTypeOrSelf(match.query.value);
    for (mlir::Value tensor : operands())
      if (mlir::getElementTypeOrSelf(tensor) != element)
        element = b.getF32Type();
  }

  /// Whether there are kernels for it.
  bool isSupported() const;
  /// Returns the forward one.
  AttentionOp run();

private:
  /// Query, key and value, with those of further parts.
  llvm::SmallVector<mlir::Value> operands() const;
  /// The features of part number `part` (see AttentionMatch::Result).
  llvm::ArrayRef<int> featuresOf(unsigned part) const {
    return part == 0 ? match.featureAxes : match.parts[part - 1].featureAxes;
  }
  AxisLists queryLists(unsigned part = 0) const {
    return {batch, heads, match.queryAxes,
            llvm::SmallVector<int>(featuresOf(part))};
  }
  AxisLists keyLists(unsigned part = 0) const {
    return {batch, keyHeads, match.keyAxes,
            llvm::SmallVector<int>(featuresOf(part))};
  }
  int64_t countFeatures() const;
  AxisLists valueLists() const {
    return {batch, keyHeads, match.keyAxes, match.valueAxes};
  }
  AxisLists outputLists() const {
    return {batch, heads, match.queryAxes, match.valueAxes};
  }

  llvm::SmallVector<int64_t> sizesOf(llvm::ArrayRef<int> axes) const;
  llvm::SmallVector<int64_t> shapeOf(const AxisLists &lists) const;
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value permute(mlir::Value value, llvm::ArrayRef<int> from,
                      llvm::ArrayRef<int> to);
  mlir::Value toDims(const AxisTensor &tensor, const AxisLists &lists);
  mlir::Value toOperand(const AxisTensor &tensor, const AxisLists &lists);
  mlir::Value multiply(mlir::Value value, double factor);
  mlir::Value joinParts(bool isKey);
  void replaceParts(llvm::ArrayRef<AttentionMatch::Result> results,
                    mlir::Value by, bool isKey);
  AxisLists scoreLists(llvm::ArrayRef<int> axes) const;
  mlir::Value toBroadcast(const AxisTensor &tensor);
  mlir::Value makeCondition(const ScoreMask &mask);
  mlir::Value makeBias(const ScoreExpression::Bias &bias);
  void replaceOne(const AttentionMatch::Result &result, mlir::Value value,
                  llvm::ArrayRef<int> from);
  void replace(llvm::ArrayRef<AttentionMatch::Result> results, mlir::Value by,
               const AxisLists &lists);
  void insertBehind(llvm::ArrayRef<mlir::Value> values);
  mlir::RankedTensorType typeOf(llvm::ArrayRef<AttentionMatch::Result> results,
                                const AxisLists &lists, mlir::Value like) const;

  // Numbers per row (AttentionRowResults.cpp).
  AxisLists rowLists() const { return {batch, heads, match.queryAxes}; }
  mlir::Value toRowType(mlir::Value value);
  mlir::Value alongOutput(mlir::Value rows, mlir::RankedTensorType output);
  void addSink(AttentionOp forward);
  mlir::Value emitGradient(const AttentionMatch::Gradient &gradient,
                           AttentionOp forward);
  mlir::Value sumGradient(mlir::Value outputGradient);
  void emitRow(const AttentionMatch::RowResult &row, AttentionOp forward,
               llvm::ArrayRef<mlir::Value> rowSums);

  AttentionMatch &match;
  ProgramOrder &order;
  mlir::ImplicitLocOpBuilder b;
  llvm::SmallVector<int> batch, keyHeads, heads;
  /// The type of query, key and value: f32 where the program multiplies numbers
  /// of different types.
  mlir::Type element;
  /// The output, the sums of exponentials and the share that a sink has of
  /// them, null if there is none.
  mlir::Value output, sum, sinkShare;
};

/// The axes of all of `lists`.
llvm::SmallVector<int> concat(const AxisLists &lists);

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONREWRITER_H
