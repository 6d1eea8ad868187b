//===- ComputeParts.cpp - products of several matrices put side by side ---===//
//
// One matrix may stand for several: queries, keys and values in one product,
// whose result is taken apart, or a gate and what it lets through. If its
// columns are split, the parts' borders lie anywhere in what the devices have,
// and neither a part of the result nor, in the backward pass, the gradient that
// is put together from those of the parts can stay split. Both are activations.
// So the parts are computed each by itself: a slice of a result is the result
// of slices, a product with what is put together is put together from products,
// or, if that dimension is summed over, their sum. Slices move up and
// concatenations down, along dimensions that an operation computes part by part
// (its rule says so), until what has to be moved is smallest: the matrix and
// its gradient, as a rule, but where few tokens meet large matrices the
// activations as before.
//
// Slices are weighed exactly, over the tree of operations above them, of which
// nobody else uses anything; concatenations go down one operation after the
// other as long as that makes nothing larger. What moves is counted in elements
// of a device's share along the other dimensions. The slices of a value must
// not overlap, so no work is done twice.
//
//===----------------------------------------------------------------------===//

#include "Parts/PartwiseComputation.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::shard {
#define GEN_PASS_DEF_COMPUTEPARTS
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-compute-parts"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

void PartwiseComputation::run() {
  SmallVector<Value> sliced;
  SmallVector<arith::AddFOp> sums;
  walkProgram(function, [&](Operation *op) {
    if (auto concatenation = dyn_cast<ConcatenateOp>(op))
      concatenations.push_back(concatenation);
    if (auto sum = dyn_cast<arith::AddFOp>(op))
      if (sum.getLhs().getDefiningOp<PadOp>() ||
          sum.getRhs().getDefiningOp<PadOp>())
        sums.push_back(sum);
    for (Value result : op->getResults())
      if (!result.use_empty() && isa<SliceOp>(*result.user_begin()))
        sliced.push_back(result);
  });
  LDBG() << "func.func @" << function.getName() << ": " << sliced.size()
         << " values are sliced, " << concatenations.size() << " put together, "
         << sums.size() << " sums of padded ones";
  llvm::SetVector<Operation *> pads;
  for (arith::AddFOp sum : llvm::reverse(sums)) {
    concatenateTerms(sum);
    if (!sum->use_empty())
      continue;
    for (Value operand : sum->getOperands())
      if (auto pad = operand.getDefiningOp<PadOp>())
        pads.insert(pad);
    sum->erase();
  }
  for (Operation *pad : pads)
    if (pad->use_empty())
      pad->erase();
  for (Value value : llvm::reverse(sliced))
    moveSlicesUp(value);
  // Grows while it is read.
  for (size_t i = 0; i < concatenations.size(); ++i)
    moveDown(concatenations[i]);
}

namespace {
struct ComputeParts : tessera::shard::impl::ComputePartsBase<ComputeParts> {
  void runOnOperation() override {
    FailureOr<MeshOp> found = getOnlyMesh(getOperation());
    if (failed(found))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        PartwiseComputation(function, found->getMesh().getMesh()).run();
  }
};
} // namespace
