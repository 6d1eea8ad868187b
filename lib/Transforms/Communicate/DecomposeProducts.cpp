//===- DecomposeProducts.cpp - products by pieces, beside collectives -----===//
//
// Elsewhere: collective matmul, windowed einsum, asynchronous tensor
// parallelism.
//
// Per block: when everything happens is estimated (BlockTimeline), and each
// collective that a reader waits for is offered every way of taking it apart
// with its products (CollectiveMatmul). The one that saves most by the
// described machine is taken, if it saves anything and no kernel becomes
// shorter than a call. One estimate serves all collectives of a block: what one
// decomposition leaves of the link, another may take.
//
//===----------------------------------------------------------------------===//

#include "CollectiveMatmul/Decomposition.h"
#include "ProgramSeconds.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Communicate/Passes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "tessera-decompose-products"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

namespace tessera::communicate {
#define GEN_PASS_DEF_DECOMPOSEPRODUCTS
#include "tessera/Transforms/Communicate/Passes.h.inc"
} // namespace tessera::communicate

namespace {

struct DecomposeProducts
    : communicate::impl::DecomposeProductsBase<DecomposeProducts> {
  using DecomposeProductsBase::DecomposeProductsBase;

  void runOnOperation() override;

private:
  using Candidates = SmallVector<std::unique_ptr<Decomposition>, 4>;

  void decompose(Block &block, const Machine &machine,
                 spmd::DeviceSeconds &links);
  Candidates findCandidates(spmd::CollectiveOpInterface op,
                            std::string &reason) const;
  std::unique_ptr<Decomposition>
  choose(Candidates candidates, const PriceInputs &inputs, Price &price) const;
};

} // namespace

/// In how many pieces an all-reduce may go, by price.
static constexpr int64_t kPieces[] = {2, 3, 4, 6, 8, 12, 16};

DecomposeProducts::Candidates
DecomposeProducts::findCandidates(spmd::CollectiveOpInterface op,
                                  std::string &reason) const {
  Candidates found;
  auto add = [&](std::unique_ptr<Decomposition> candidate) {
    if (candidate)
      found.push_back(std::move(candidate));
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<spmd::AllGatherOp>(
          [&](auto gather) { add(decomposeGather(gather, reason)); })
      .Case<spmd::ReduceScatterOp>(
          [&](auto scatter) { add(decomposeScatter(scatter, reason)); })
      .Case<spmd::AllReduceOp>([&](auto reduction) {
        for (int64_t count : kPieces)
          add(decomposeReduction(reduction, count, reason));
      });
  return found;
}

/// The best of `candidates`; null, and what the best would save, if none pays.
std::unique_ptr<Decomposition>
DecomposeProducts::choose(Candidates candidates, const PriceInputs &inputs,
                          Price &price) const {
  price.saved = -std::numeric_limits<double>::infinity();
  std::unique_ptr<Decomposition> best;
  for (std::unique_ptr<Decomposition> &candidate : candidates) {
    Price other = candidate->price(inputs);
    // A shorter kernel is over before the call beside it has begun.
    if (other.piece < inputs.callSeconds + inputs.links.latency)
      other.saved = std::min(other.saved, 0.0);
    if (other.saved <= price.saved)
      continue;
    price = other;
    best = std::move(candidate);
  }
  return price.saved > 0 ? std::move(best) : nullptr;
}

/// Tells those who listen (`--remarks`) what became of `op`, which takes
/// `seconds`, or why nothing.
static void emitRemarkOn(spmd::CollectiveOpInterface op, double stall,
                         const Price &price, const std::string &taken,
                         const std::string &reason) {
  auto options = remark::RemarkOpts::name("collective-matmul")
                     .category("tessera-communicate");
  std::string name = op->getName().stripDialect().str();
  if (!taken.empty()) {
    if (auto remark = remark::passed(op->getLoc(), options))
      remark << llvm::formatv("{0}, for which its reader waits {1:f1} us, in "
                              "{2}: saves {3:f1} us",
                              name, stall * 1e6, taken, price.saved * 1e6)
                    .str();
    return;
  }
  auto remark = remark::missed(op->getLoc(), options);
  if (!remark)
    return;
  std::string text = !reason.empty()
                         ? reason
                         : llvm::formatv("its reader waits {0:f1} us for it, "
                                         "and pieces, of {1:f1} us at the "
                                         "shortest, would save {2:f1} us",
                                         stall * 1e6, price.piece * 1e6,
                                         std::max(price.saved, 0.0) * 1e6)
                               .str();
  remark << name + " in one call: " + text;
}

/// Takes apart what pays of the collectives of `block`, in the order of the
/// text.
void DecomposeProducts::decompose(Block &block, const Machine &machine,
                                  spmd::DeviceSeconds &links) {
  ProgramSeconds costs(getOperation(), machine);
  BlockTimeline timeline(block, links, collectiveSeconds,
                         [&](Operation *op) { return costs.of(op); });
  double transferred = 0;
  for (const Transfer &transfer : timeline.transfers())
    transferred += transfer.latency + transfer.seconds;
  double busy = timeline.end() > 0 ? transferred / timeline.end() : 0;
  for (const Transfer &transfer : timeline.transfers()) {
    auto op = dyn_cast<spmd::CollectiveOpInterface>(transfer.op);
    if (!op || groupSize(op, op.getAxes()) < 2)
      continue;
    std::string reason, taken;
    Candidates candidates = findCandidates(op, reason);
    if (!candidates.empty())
      reason.clear();
    Price price;
    std::unique_ptr<Decomposition> chosen;
    if (always && !candidates.empty())
      chosen = std::move(candidates.front());
    else if (!candidates.empty())
      chosen = choose(std::move(candidates),
                      {machine, timeline.linksOf(op.getAxes()),
                       collectiveSeconds, busy, &transfer},
                      price);
    if (chosen)
      taken = chosen->describe();
    emitRemarkOn(op, transfer.stall, price, taken, reason);
    if (!chosen)
      continue;
    LDBG() << describeOperation(op) << ": " << taken;
    chosen->apply();
  }
}

void DecomposeProducts::runOnOperation() {
  FailureOr<MeshOp> mesh = findPricedMesh(getOperation(), always);
  if (failed(mesh))
    return signalPassFailure();
  if (!*mesh)
    return;
  Machine machine = mesh->getMachine();
  spmd::DeviceSeconds links(getOperation());
  SmallVector<Block *> blocks;
  getOperation()->walk([&](Block *block) {
    if (!block->getOps<spmd::CollectiveOpInterface>().empty())
      blocks.push_back(block);
  });
  for (Block *block : blocks)
    decompose(*block, machine, links);
}
