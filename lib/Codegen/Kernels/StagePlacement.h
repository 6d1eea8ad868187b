//===- StagePlacement.h - the stages of a kernel --------------------------===//
#ifndef TESSERA_CODEGEN_KERNELS_STAGEPLACEMENT_H
#define TESSERA_CODEGEN_KERNELS_STAGEPLACEMENT_H

#include "tessera/Codegen/Kernels/KernelPlan.h"

namespace tessera::codegen {

/// Puts the body of a kernel into stages: anchors in the order of the text, a
/// reduction with an earlier one of the same rows or columns where it can, then
/// the results, each behind the stage that has just computed what it needs.
class StagePlacement {
public:
  /// Fills the stages of `plan`, `stageOf`, and the slots of results.
  StagePlacement(spmd::KernelOp kernel, KernelPlan &plan)
      : kernel(kernel), context(kernel.getContext()), plan(plan),
        stageOf(plan.stageOf) {}

  /// Fails with a diagnostic at an operation it does not know.
  llvm::LogicalResult run();

private:
  bool isLeaf(mlir::Value value) const;
  llvm::SmallVector<Access> accessesOf(mlir::Value value);
  int lastStage(llvm::ArrayRef<Access> accesses) const;
  bool isAligned(llvm::ArrayRef<Access> accesses, int number,
                 mlir::AffineMap row) const;
  mlir::AffineMap rowMap(const Stage &stage) const;

  llvm::LogicalResult place(mlir::Operation *op);
  void placeReduce(ReduceOp reduce);
  void placeDot(DotGeneralOp dot);
  bool isCheapToRepeat(mlir::Value value);
  void placeSingle(mlir::Operation *op);

  void placeResult(mlir::Value value, unsigned number);
  void materialize(mlir::Value value);
  unsigned placeElementwise(mlir::Value value);
  bool joinStage(mlir::Value value, llvm::ArrayRef<Access> accesses, int number,
                 bool needed);
  bool sharesReads(llvm::ArrayRef<Access> accesses, const Stage &stage);
  bool joinKept(mlir::Value value, llvm::ArrayRef<Access> accesses, int number);
  bool joinDot(mlir::Value value, llvm::ArrayRef<Access> accesses, int number);

  spmd::KernelOp kernel;
  mlir::MLIRContext *context;
  KernelPlan &plan;
  llvm::DenseMap<mlir::Value, unsigned> &stageOf;
};

/// Whether `value` is computed once: the result of a reduction, a product or an
/// operation with a loop of its own.
bool isAnchor(mlir::Value value);
/// Has `stage`, which computes the anchor `value`, store it.
void addOutput(Stage &stage, mlir::Value value);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_KERNELS_STAGEPLACEMENT_H
