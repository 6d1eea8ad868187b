//===- AlignReductions.cpp - reductions over leading or trailing dimensions
//===//

#include "Kernels/MatmulSum.h"

#include "tessera/Dialect/Spmd/KernelStructure.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Fuse/Passes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-align-reductions"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

namespace tessera::fuse {
#define GEN_PASS_DEF_ALIGNREDUCTIONS
#include "tessera/Transforms/Fuse/Passes.h.inc"
} // namespace tessera::fuse

/// A reduction of more elements than this to a single one is done in two steps.
static constexpr int64_t kElementsPerThread = 1 << 14;

/// Transposes the operand so that the reduced dimensions come last.
static void moveReducedDimsToTheEnd(ReduceOp reduce) {
  OpBuilder builder(reduce);
  auto type = cast<RankedTensorType>(reduce.getOperand().getType());
  SmallVector<int64_t> permutation, shape, dims;
  for (bool reduced : {false, true})
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (llvm::is_contained(reduce.getDims(), i) == reduced) {
        if (reduced)
          dims.push_back(permutation.size());
        permutation.push_back(i);
        shape.push_back(type.getDimSize(i));
      }
  auto moved = TransposeOp::create(builder, reduce.getLoc(), type.clone(shape),
                                   reduce.getOperand(), permutation);
  reduce.getOperandMutable().assign(moved);
  reduce.setDims(dims);
  LDBG() << describeOperation(reduce)
         << ": dimensions moved behind those that are kept";
}

/// Reduces all of its dimensions but as many leading ones as leave a row for
/// each thread to work on; then these. Dimensions that are kept have size 1.
static void reduceRowsFirst(ReduceOp reduce) {
  OpBuilder builder(reduce);
  auto type = cast<RankedTensorType>(reduce.getOperand().getType());
  SmallVector<int64_t> dims(reduce.getDims());
  llvm::sort(dims);
  size_t outer = 0;
  int64_t rows = 1;
  while (outer + 1 < dims.size() && rows < 64)
    rows *= type.getDimSize(dims[outer++]);
  if (rows < 8)
    return;
  ArrayRef<int64_t> inner = ArrayRef(dims).drop_front(outer);
  SmallVector<int64_t> shape, outerDims;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (llvm::is_contained(inner, i))
      continue;
    if (llvm::is_contained(dims, i))
      outerDims.push_back(shape.size());
    shape.push_back(type.getDimSize(i));
  }
  auto partial =
      ReduceOp::create(builder, reduce.getLoc(), type.clone(shape),
                       reduce.getKindAttr(), reduce.getOperand(), inner);
  reduce.getOperandMutable().assign(partial);
  reduce.setDims(outerDims);
  LDBG() << describeOperation(reduce) << ": " << rows
         << " rows are reduced first";
}

namespace {

struct AlignReductions
    : public tessera::fuse::impl::AlignReductionsBase<AlignReductions> {
  void runOnOperation() override {
    getOperation().walk([](DotGeneralOp dot) { replaceBySum(dot); });
    getOperation().walk([](ReduceOp reduce) {
      if (!getReductionKind(reduce))
        moveReducedDimsToTheEnd(reduce);
      else if (elementsOf(reduce.getResult()) == 1 &&
               elementsOf(reduce.getOperand()) > kElementsPerThread)
        reduceRowsFirst(reduce);
    });
  }
};

} // namespace
