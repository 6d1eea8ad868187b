//===- LoopNestBuilder.h - the loop nests of a kernel ---------------------===//
#ifndef TESSERA_CODEGEN_KERNELS_LOOPNESTBUILDER_H
#define TESSERA_CODEGEN_KERNELS_LOOPNESTBUILDER_H

#include "tessera/Codegen/Kernels/KernelPlan.h"

namespace tessera::codegen {

/// Puts the body of a kernel into loop nests: anchors in the order of the text,
/// a reduction with an earlier one of the same rows or columns where it can,
/// then the results, each behind the loop nest that has just computed what it
/// needs.
class LoopNestBuilder {
public:
  /// Fills the loop nests of `plan`, `nestOf`, and the slots of results.
  LoopNestBuilder(spmd::KernelOp kernel, KernelPlan &plan)
      : kernel(kernel), context(kernel.getContext()), plan(plan),
        nestOf(plan.nestOf) {}

  /// Fails with a diagnostic at an operation it does not know.
  llvm::LogicalResult run();

private:
  bool isLeaf(mlir::Value value) const;
  llvm::SmallVector<Access> accessesOf(mlir::Value value);
  int lastNest(llvm::ArrayRef<Access> accesses) const;
  bool isAligned(llvm::ArrayRef<Access> accesses, int number,
                 mlir::AffineMap row) const;
  mlir::AffineMap rowMap(const LoopNest &nest) const;

  llvm::LogicalResult add(mlir::Operation *op);
  void addReduce(ReduceOp reduce);
  void addMatmul(DotGeneralOp dot);
  bool isCheapToRepeat(mlir::Value value);
  void addStructured(mlir::Operation *op);

  void addResult(mlir::Value value, unsigned number);
  void materialize(mlir::Value value);
  unsigned addElementwise(mlir::Value value);
  bool joinNest(mlir::Value value, llvm::ArrayRef<Access> accesses, int number,
                bool needed);
  bool sharesReads(llvm::ArrayRef<Access> accesses, const LoopNest &nest);
  bool joinKept(mlir::Value value, llvm::ArrayRef<Access> accesses, int number);
  bool joinMatmul(mlir::Value value, llvm::ArrayRef<Access> accesses,
                  int number);

  spmd::KernelOp kernel;
  mlir::MLIRContext *context;
  KernelPlan &plan;
  llvm::DenseMap<mlir::Value, unsigned> &nestOf;
};

/// Whether `value` is computed once: the result of a reduction, a product or an
/// operation with a loop of its own.
bool isAnchor(mlir::Value value);
/// Has `nest`, which computes the anchor `value`, store it.
void addOutput(LoopNest &nest, mlir::Value value);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_KERNELS_LOOPNESTBUILDER_H
