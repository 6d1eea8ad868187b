//===- SplitMicrobatches.cpp - a step computed in parts of its batch ------===//
//
// Elsewhere: gradient accumulation.
//
// The batch of a step is split as a mesh axis of as many parts would split it,
// only that the parts are computed one after another. What that makes of every
// value is found by MicrobatchAnalysis, from the sharding rules; which sums are
// carried is chosen by chooseAccumulation; MicrobatchLoop rewrites. See
// docs/rationale/microbatches.md.
//
//===----------------------------------------------------------------------===//

#include "Microbatches/BatchArguments.h"
#include "Microbatches/MicrobatchLoop.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

#include "llvm/Support/DebugLog.h"

#include <numeric>

namespace tessera::shard {
#define GEN_PASS_DEF_SPLITMICROBATCHES
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-split-microbatches"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {
struct SplitMicrobatches
    : tessera::shard::impl::SplitMicrobatchesBase<SplitMicrobatches> {
  using SplitMicrobatchesBase::SplitMicrobatchesBase;

  void runOnOperation() override {
    if (count < 1) {
      getOperation().emitError("expected at least one microbatch, got ")
          << int64_t(count);
      return signalPassFailure();
    }
    if (count == 1 && !always)
      return;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration() && failed(split(function)))
        return signalPassFailure();
  }

private:
  LogicalResult split(func::FuncOp function);
  LogicalResult markLoop(scf::ForOp loop);
  SmallVector<Batch> batchesIn(func::FuncOp function, int64_t dim,
                               bool ofOneArgument = false) const;
  LogicalResult checkCount(const Batch &batch);
  LogicalResult refuse(func::FuncOp function, const Batch &batch,
                       RuleCache &rules);
  LogicalResult keepWhole(func::FuncOp function, RuleCache &rules,
                          const std::pair<std::string, Location> &why);
};
} // namespace

/// A model that adds up over microbatches itself keeps its loop.
LogicalResult SplitMicrobatches::markLoop(scf::ForOp loop) {
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!trips)
    return loop.emitError("expected the model's own loop over microbatches to "
                          "have a constant number of trips");
  if (count != 1 && trips->getSExtValue() != count)
    return loop.emitError("expected ")
           << trips->getSExtValue()
           << " microbatches, as many as the model's own loop over them has, "
              "got "
           << int64_t(count);
  loop->setAttr(pipe::PipeDialect::kMicrobatchesAttr,
                UnitAttr::get(loop.getContext()));
  return success();
}

/// Refuses marks that do not name the same rows.
static LogicalResult checkRows(const Batch &batch) {
  for (const Batch::Member &member : batch.members) {
    auto type = cast<RankedTensorType>(member.argument.getType());
    if (type.getDimSize(member.dim) != batch.size)
      return emitError(member.argument.getLoc())
             << "expected a batch of " << batch.size << " rows, got dimension "
             << member.dim << " of " << type;
  }
  return success();
}

/// Whether there are equal parts of what each device has.
static bool divides(const Batch &batch) {
  return batch.size % (batch.blocks * batch.count) == 0;
}

/// Refuses microbatches that are no equal parts of what a device has.
LogicalResult SplitMicrobatches::checkCount(const Batch &batch) {
  int64_t rows = batch.size / batch.blocks;
  if (rows % count == 0)
    return success();
  int64_t below = std::min<int64_t>(count, rows), above = count;
  while (rows % below != 0)
    --below;
  while (above < rows && rows % above != 0)
    ++above;
  InFlightDiagnostic diagnostic =
      emitError(batch.members.front().argument.getLoc());
  diagnostic << "expected a number of microbatches that divides the batch of "
             << batch.size << " rows";
  if (batch.blocks > 1)
    diagnostic << " on " << batch.blocks << " devices, " << rows << " on each";
  diagnostic << ", got " << int64_t(count) << "; the nearest is " << below;
  if (above <= rows)
    diagnostic << " or " << above;
  noteMembers(diagnostic, batch);
  return diagnostic;
}

/// The blocks of rows that the user's constraints on values inside ask for, in
/// addition to those of the arguments.
static int64_t constrainedBlocks(func::FuncOp function,
                                 const MicrobatchAnalysis &analysis) {
  const Batch &batch = analysis.getBatch();
  int64_t blocks = batch.blocks;
  function.walk([&](ConstrainOp op) {
    BatchState state = analysis.lookup(op.getOperand());
    if (!state.is(BatchState::Split) || state.split.before != batch.blocks)
      return;
    MeshOp mesh = lookupMesh(function, op.getSharding().getMesh());
    int64_t shards = op.getSharding().getValue().numShards(
        state.split.dim, mesh.getMesh().getMesh());
    int64_t both = std::lcm(blocks, shards);
    if (batch.size % (both * batch.count) == 0)
      blocks = both;
  });
  return blocks;
}

/// The analysis of `function` for `batch` with the blocks that all annotations
/// agree on; null if the function cannot be split so.
static std::unique_ptr<MicrobatchAnalysis>
analyse(func::FuncOp function, Batch batch, RuleCache &rules) {
  if (!divides(batch))
    return nullptr;
  auto analysis = std::make_unique<MicrobatchAnalysis>(function, batch, rules);
  if (!analysis->run())
    return nullptr;
  batch.blocks = constrainedBlocks(function, *analysis);
  if (batch.blocks == analysis->getBatch().blocks)
    return analysis;
  auto finer = std::make_unique<MicrobatchAnalysis>(function, batch, rules);
  return finer->run() ? std::move(finer) : std::move(analysis);
}

namespace {
/// How a function is split.
struct Choice {
  /// Null if it cannot be.
  std::unique_ptr<MicrobatchAnalysis> analysis;
  /// The multiplications that microbatches do, and all of them.
  double work = 0, all = 0;

  void consider(func::FuncOp function, ArrayRef<Batch> batches,
                const Batch *likely, RuleCache &rules);
};
} // namespace

/// Takes that of `batches`, if any, with which microbatches do more work than
/// so far. A batch other than `likely` must leave them more than half of it.
void Choice::consider(func::FuncOp function, ArrayRef<Batch> batches,
                      const Batch *likely, RuleCache &rules) {
  for (const Batch &batch : batches) {
    auto found = analyse(function, batch, rules);
    if (!found)
      continue;
    auto [foundWork, foundAll] = found->countWork();
    if ((analysis && foundWork <= work) ||
        (&batch != likely && foundWork <= foundAll / 2))
      continue;
    analysis = std::move(found);
    work = foundWork;
    all = foundAll;
  }
}

/// Says why `batch` cannot be split.
LogicalResult SplitMicrobatches::refuse(func::FuncOp function,
                                        const Batch &batch, RuleCache &rules) {
  if (failed(checkCount(batch)))
    return failure();
  MicrobatchAnalysis analysis(function, batch, rules);
  analysis.run();
  analysis.report();
  return failure();
}

/// Gives each user of a scalar its own, taken from the tensor: the loop carries
/// tensors.
static void takeScalarsApart(func::FuncOp function) {
  for (auto extract : llvm::make_early_inc_range(
           function.getBody().front().getOps<tensor::ExtractOp>()))
    for (OpOperand &use : llvm::make_early_inc_range(extract->getUses())) {
      OpBuilder builder(extract);
      use.set(builder.clone(*extract)->getResult(0));
    }
}

/// Makes one microbatch of all that the step works on, for the reason `why`.
LogicalResult
SplitMicrobatches::keepWhole(func::FuncOp function, RuleCache &rules,
                             const std::pair<std::string, Location> &why) {
  LDBG() << "@" << function.getSymName() << ": one microbatch, for it "
         << why.first;
  auto remark = remark::missed(
      why.second,
      remark::RemarkOpts::name("microbatches").category("tessera-shard"));
  remark << "one microbatch has the whole batch: it " + why.first;
  takeScalarsApart(function);
  Batch all;
  all.data = findData(function);
  MicrobatchAnalysis analysis(function, all, rules);
  if (!analysis.runWhole())
    return emitError(why.second)
           << "expected a matrix product of something that the step does not "
              "replace to make stages of, got none: it "
           << why.first;
  Accumulation accumulation =
      chooseAccumulation(function, analysis, /*keepApart=*/false);
  MicrobatchLoop(function, analysis, accumulation).build();
  return success();
}

/// The batches that may be, for the number of microbatches asked for.
SmallVector<Batch> SplitMicrobatches::batchesIn(func::FuncOp function,
                                                int64_t dim,
                                                bool ofOneArgument) const {
  SmallVector<Batch> batches = findBatches(function, dim, ofOneArgument);
  for (Batch &batch : batches)
    batch.count = count;
  return batches;
}

LogicalResult SplitMicrobatches::split(func::FuncOp function) {
  if (Operation *loop = findAccumulationLoop(function, findData(function))) {
    LDBG() << describeOperation(loop) << ": the model's own loop stays";
    return markLoop(cast<scf::ForOp>(loop));
  }
  SmallVector<Batch> batches = batchesIn(function, /*dim=*/0);
  RuleCache rules;
  if (batches.empty() && count == 1)
    return keepWhole(function, rules,
                     {"has no argument with rows", function.getLoc()});
  if (batches.empty())
    return function.emitError(
        "expected an argument with rows to split into microbatches, got none "
        "that the step does not replace; mark its dimension with "
        "tessera.batch, or keep it whole with --microbatches=1");
  const Batch &likely = batches.front();
  if (failed(checkRows(likely)))
    return failure();
  Choice choice;
  choice.consider(function, batches, &likely, rules);
  // What is of the batch's size may be something else, what comes first time.
  if (!choice.analysis)
    choice.consider(function,
                    batchesIn(function, /*dim=*/0, /*ofOneArgument=*/true),
                    nullptr, rules);
  if (!choice.analysis || choice.work < choice.all)
    choice.consider(function, batchesIn(function, /*dim=*/1), nullptr, rules);
  // The most likely batch is the one to speak of.
  if (!choice.analysis && count > 1)
    return refuse(function, likely, rules);
  if (!choice.analysis) {
    MicrobatchAnalysis analysis(function, likely, rules);
    analysis.run();
    return keepWhole(function, rules, analysis.whyNot());
  }
  if (count == 1 && 2 * choice.work < choice.all)
    return keepWhole(function, rules,
                     {"has more work than its rows do", function.getLoc()});
  Accumulation accumulation =
      chooseAccumulation(function, *choice.analysis, /*keepApart=*/always);
  LDBG() << "@" << function.getSymName() << ": " << int64_t(count)
         << " microbatches of a batch of " << choice.analysis->getBatch().size
         << " rows, " << accumulation.values.size() << " sums are carried, "
         << accumulation.deferred.size() << " operations wait for them";
  MicrobatchLoop(function, *choice.analysis, accumulation).build();
  return success();
}
