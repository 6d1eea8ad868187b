//===- AlignReductions.cpp - reductions over leading or trailing dimensions ===//

#include "tessera/Dialect/Spmd/KernelStructure.h"
#include "tessera/Transforms/Fuse/Passes.h"

using namespace mlir;
using namespace tessera;

namespace tessera {
#define GEN_PASS_DEF_ALIGNREDUCTIONS
#include "tessera/Transforms/Fuse/Passes.h.inc"
} // namespace tessera

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
}

/// Reduces all dimensions but as many leading ones as leave a row for each
/// thread to work on; then these.
static void reduceRowsFirst(ReduceOp reduce) {
  OpBuilder builder(reduce);
  auto type = cast<RankedTensorType>(reduce.getOperand().getType());
  int64_t kept = 0, rows = 1;
  while (kept + 1 < type.getRank() && rows < 64)
    rows *= type.getDimSize(kept++);
  if (rows < 8)
    return;
  SmallVector<int64_t> inner =
      llvm::to_vector(llvm::seq<int64_t>(kept, type.getRank()));
  auto partial = ReduceOp::create(
      builder, reduce.getLoc(), type.clone(type.getShape().take_front(kept)),
      reduce.getKindAttr(), reduce.getOperand(), inner);
  reduce.getOperandMutable().assign(partial);
  reduce.setDims(llvm::to_vector(llvm::seq<int64_t>(0, kept)));
}

namespace {

struct AlignReductions
    : public tessera::impl::AlignReductionsBase<AlignReductions> {
  void runOnOperation() override {
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
