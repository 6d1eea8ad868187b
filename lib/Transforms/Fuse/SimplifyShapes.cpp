//===- SimplifyShapes.cpp - relabelling memory in one way -----------------===//

#include "tessera/Dialect/Spmd/KernelStructure.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Fuse/Passes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-simplify-shapes"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

namespace tessera::fuse {
#define GEN_PASS_DEF_SIMPLIFYSHAPES
#include "tessera/Transforms/Fuse/Passes.h.inc"
} // namespace tessera::fuse

/// Whether `op` gives its operand's elements in the same order under another
/// shape.
static bool isRelabelling(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return elementsOf(reduce.getOperand()) == elementsOf(reduce.getResult());
  std::optional<ElementAccess> view = getViewAccess(op);
  return view && view->kind == ElementAccess::Identity;
}

static void replaceByReshape(Operation *op) {
  Value source = op->getOperand(0);
  if (auto inner = source.getDefiningOp<ReshapeOp>())
    source = inner.getOperand();
  Value result = op->getResult(0);
  if (source.getType() != result.getType()) {
    if (isa<ReshapeOp>(op)) {
      op->setOperand(0, source);
      return;
    }
    LDBG() << describeOperation(op) << ": a reshape";
    OpBuilder builder(op);
    source = ReshapeOp::create(builder, op->getLoc(), result.getType(), source);
  }
  result.replaceAllUsesWith(source);
  op->erase();
}

/// A broadcast of a tensor whose dimensions of size 1 were added by a reshape
/// takes the tensor itself.
static void skipReshape(BroadcastOp op) {
  auto reshape = op.getOperand().getDefiningOp<ReshapeOp>();
  if (!reshape)
    return;
  ArrayRef<int64_t> source =
      cast<RankedTensorType>(reshape.getOperand().getType()).getShape();
  SmallVector<int64_t> sizes, dims;
  for (auto [size, dim] : llvm::zip_equal(
           cast<RankedTensorType>(op.getOperand().getType()).getShape(),
           op.getDims()))
    if (size != 1) {
      sizes.push_back(size);
      dims.push_back(dim);
    }
  if (ArrayRef(sizes) != source)
    return;
  LDBG() << describeOperation(op) << ": skips the reshape before it";
  op.getOperandMutable().assign(reshape.getOperand());
  op.setDims(dims);
}

namespace {

struct SimplifyShapes
    : public tessera::fuse::impl::SimplifyShapesBase<SimplifyShapes> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto broadcast = dyn_cast<BroadcastOp>(op))
        skipReshape(broadcast);
      if (isRelabelling(op))
        replaceByReshape(op);
    });
  }
};

} // namespace
