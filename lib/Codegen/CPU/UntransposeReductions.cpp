//===- UntransposeReductions.cpp - Reductions of a middle dimension -------===//

#include "LowerKernel.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

/// Whether the last dimension larger than 1 is among `dims`.
static bool reducesLast(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  int64_t last = shape.size() - 1;
  while (last > 0 && shape[last] == 1)
    --last;
  return llvm::is_contained(dims, last);
}

/// Lets `reduce` take what its operand is a transposition of.
static void untranspose(ReduceOp reduce) {
  auto transpose = reduce.getOperand().getDefiningOp<TransposeOp>();
  if (!transpose || !transpose->hasOneUse())
    return;
  SmallVector<int64_t> reduced, kept;
  for (auto [dim, source] : llvm::enumerate(transpose.getPermutation()))
    (llvm::is_contained(reduce.getDims(), int64_t(dim)) ? reduced : kept)
        .push_back(source);
  if (!llvm::is_sorted(kept) ||
      reducesLast(shapeOf(transpose.getOperand()), reduced))
    return;
  llvm::sort(reduced);
  reduce.getOperandMutable().assign(transpose.getOperand());
  reduce.setDims(reduced);
  transpose.erase();
}

void cpu::untransposeReductions(spmd::KernelOp kernel) {
  for (Operation &op : llvm::make_early_inc_range(
           kernel.getBody().front().without_terminator()))
    if (auto reduce = dyn_cast<ReduceOp>(op))
      untranspose(reduce);
}
