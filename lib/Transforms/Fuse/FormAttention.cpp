//===- FormAttention.cpp - attention as one operation ---------------------===//
//
// Where a program computes attention (AttentionMatch.h), `tessera.attention`
// and `tessera.attention_gradient` take its place. They stand as early as what
// they read allows; what made the scores is then unused and erased.
//
//===----------------------------------------------------------------------===//

#include "Attention/AttentionLoops.h"
#include "Attention/AttentionRewriter.h"
#include "Attention/RowFactors.h"
#include "Attention/ScoreColumns.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Fuse/Passes.h"

#include "mlir/IR/Iterators.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-form-attention"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

namespace tessera::fuse {
#define GEN_PASS_DEF_FORMATTENTION
#include "tessera/Transforms/Fuse/Passes.h.inc"
} // namespace tessera::fuse

/// Erases what nothing reads, in every block of `function`.
static void eraseUnused(func::FuncOp function) {
  function.walk<WalkOrder::PostOrder, mlir::ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

/// Says why the softmax of `exponential` is not made attention.
static void remarkMissed(math::ExpOp exponential, const Twine &reason) {
  auto remark = remark::missed(
      exponential.getLoc(),
      remark::RemarkOpts::name("attention").category("tessera-fuse"));
  if (remark)
    remark << reason.str();
}

/// The same, where it was not found to be attention: for all that has scores.
static void explain(math::ExpOp exponential, const AttentionSearch &search) {
  if (search.obstacle) {
    LDBG() << describeOperation(exponential) << ": no attention, "
           << search.reason << ": " << describeOperation(search.obstacle);
    remarkMissed(exponential, Twine(search.reason) + ": '" +
                                  search.obstacle->getName().getStringRef() +
                                  "'");
  } else if (findScoreProduct(exponential)) {
    remarkMissed(exponential, "no product of its probabilities with a value");
  }
}

namespace {

struct FormAttention
    : public tessera::fuse::impl::FormAttentionBase<FormAttention> {
  void runOnOperation() override {
    splitScoreColumns(getOperation());
    moveRowFactors(getOperation());
    AttentionLoops loops;
    loops.recomputeScores(getOperation());
    AttentionLoops::Formed formed;
    SmallVector<math::ExpOp> exponentials;
    getOperation().walk([&](math::ExpOp exponential) {
      if (isa<RankedTensorType>(exponential.getType()))
        exponentials.push_back(exponential);
    });
    llvm::DenseSet<Operation *> replaced;
    ProgramOrder order;
    for (math::ExpOp exponential : exponentials) {
      if (replaced.contains(exponential))
        continue;
      AttentionSearch search = findAttention(exponential);
      if (!search.match) {
        explain(exponential, search);
        continue;
      }
      AttentionRewriter rewriter(*search.match, order);
      if (!rewriter.isSupported()) {
        LDBG() << describeOperation(exponential)
               << ": attention for which there is no kernel";
        remarkMissed(exponential, "attention for which there is no kernel");
        continue;
      }
      LDBG() << describeOperation(exponential) << ": attention with "
             << search.match->gradients.size() << " gradients";
      formed[exponential] = rewriter.run();
      replaced.insert_range(search.match->exponentials);
    }
    loops.shareResults(formed);
    eraseUnused(getOperation());
    if (formed.empty())
      return;
    dropUnreadCarried(getOperation());
    eraseUnused(getOperation());
  }
};

} // namespace
