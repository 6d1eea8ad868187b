//===- SplitBatches.cpp - parts of a batch, one beside the other ----------===//
//
// Zhu et al., "NanoFlow" (2024); of exchanges of experts: Hwang et al., "Tutel"
// (2023), Pan et al., "FSMoE" (2025).
//
// Per block: when everything happens is estimated (BlockTimeline). For each
// kind of collective that readers wait for, each dimension of its result, and
// each number of parts it is tried, on a copy of the function, to cut all
// collectives of that kind along that dimension with what makes and reads them
// (SplitRegion). What lets the block end earliest is done if products of a part
// take no less than a call in the mean. Collectives that are not cut count
// nothing in that: the order that comes later serves first what is waited for.
// At most so many operations are copied; larger functions stay as they are.
//
//===----------------------------------------------------------------------===//

#include "BlockTimeline.h"
#include "Parts/SplitRegion.h"
#include "ProgramSeconds.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Support/StableSort.h"
#include "tessera/Transforms/Communicate/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "tessera-split-batches"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

namespace tessera::communicate {
#define GEN_PASS_DEF_SPLITBATCHES
#include "tessera/Transforms/Communicate/Passes.h.inc"
} // namespace tessera::communicate

/// So many operations are copied at most to try what they would take.
static constexpr int64_t kMostCopied = 60000;

/// So many kinds of collectives of a block are tried.
static constexpr size_t kMostKinds = 4;

/// In how many parts, by price.
static constexpr int64_t kPartCounts[] = {2, 4};

namespace {

/// Collectives of a block that readers wait for, alike in what they do and
/// give, and how long.
struct StalledKind {
  SmallVector<spmd::CollectiveOpInterface> collectives;
  double stall = 0;
};

/// How collectives of a kind are cut.
struct SplitForm {
  int64_t dim = 0, parts = 0;
};

/// What operations and links take.
struct SplitCosts {
  spmd::DeviceSeconds links;
  Machine machine;
};

struct SplitBatches : communicate::impl::SplitBatchesBase<SplitBatches> {
  using SplitBatchesBase::SplitBatchesBase;

  void runOnOperation() override;

private:
  /// What a form would save of a block.
  struct TriedForm {
    SplitForm form;
    double saved = -std::numeric_limits<double>::infinity();
  };

  void splitAll(Block &block);
  void splitByPrice(Block &block, SplitCosts &costs);
  SmallVector<StalledKind> findStalled(Block &block, SplitCosts &costs);
  TriedForm tryForms(const StalledKind &kind, SplitCosts &costs);
  double endOf(Block &block, ArrayRef<Operation *> collectives,
               SplitCosts &costs);
  double trySaving(const StalledKind &kind, SplitForm form, SplitCosts &costs);

  /// So many operations may still be copied.
  int64_t copiesLeft = 0;
};

} // namespace

/// The regions around `collectives`, which do not overlap.
static SmallVector<std::unique_ptr<SplitRegion>>
growRegions(ArrayRef<spmd::CollectiveOpInterface> collectives, SplitForm form) {
  SmallVector<std::unique_ptr<SplitRegion>> regions;
  auto isFree = [&](Operation *op) {
    return llvm::none_of(
        regions, [&](const auto &region) { return region->contains(op); });
  };
  for (spmd::CollectiveOpInterface collective : collectives) {
    if (!isFree(collective))
      continue;
    auto region =
        std::make_unique<SplitRegion>(collective, form.dim, form.parts, isFree);
    // Alone it would only become several smaller calls.
    if (region->size() > 1)
      regions.push_back(std::move(region));
  }
  return regions;
}

/// Whether kernels of parts of `regions` would be over before a call beside
/// them has begun.
static bool isTooFine(ArrayRef<std::unique_ptr<SplitRegion>> regions,
                      ProgramSeconds &seconds, double callSeconds) {
  double sum = 0;
  int64_t count = 0;
  for (const auto &region : regions)
    region->walk([&](Operation *op) {
      if (!getOperationCost(op).isHeavy || isa<spmd::CollectiveOpInterface>(op))
        return;
      sum += seconds.of(op);
      count += region->getParts();
    });
  return count == 0 || sum < double(count) * callSeconds;
}

/// When `block` ends if only `collectives` take time on the links.
double SplitBatches::endOf(Block &block, ArrayRef<Operation *> collectives,
                           SplitCosts &costs) {
  llvm::SmallPtrSet<Operation *, 16> counted(collectives.begin(),
                                             collectives.end());
  ProgramSeconds seconds(getOperation(), costs.machine);
  return BlockTimeline(
             block, costs.links, collectiveSeconds,
             [&](Operation *op) { return seconds.of(op); },
             [&](Operation *op) { return counted.contains(op); })
      .end();
}

/// What is saved where the block of `kind` is split in `form`; less than
/// nothing where it cannot be.
double SplitBatches::trySaving(const StalledKind &kind, SplitForm form,
                               SplitCosts &costs) {
  auto function = kind.collectives.front()->getParentOfType<func::FuncOp>();
  IRMapping mapping;
  OpBuilder builder(function);
  auto copy = cast<func::FuncOp>(builder.clone(*function, mapping));
  SmallVector<spmd::CollectiveOpInterface> collectives;
  for (spmd::CollectiveOpInterface collective : kind.collectives)
    collectives.push_back(cast<spmd::CollectiveOpInterface>(
        mapping.lookup(collective.getOperation())));
  Block &block = *collectives.front()->getBlock();
  auto regions = growRegions(collectives, form);
  double saved = -std::numeric_limits<double>::infinity();
  if (ProgramSeconds seconds(getOperation(), costs.machine);
      !isTooFine(regions, seconds, collectiveSeconds)) {
    SmallVector<Operation *> whole, parts;
    for (const auto &region : regions)
      region->walk([&](Operation *op) {
        if (isa<spmd::CollectiveOpInterface>(op))
          whole.push_back(op);
      });
    double before = endOf(block, whole, costs);
    for (const auto &region : regions)
      llvm::append_range(parts, region->apply());
    saved = before - endOf(block, parts, costs);
  }
  copy.erase();
  return saved;
}

/// What readers of `block` wait for, what they wait longest for first.
SmallVector<StalledKind> SplitBatches::findStalled(Block &block,
                                                   SplitCosts &costs) {
  ProgramSeconds seconds(getOperation(), costs.machine);
  BlockTimeline timeline(block, costs.links, collectiveSeconds,
                         [&](Operation *op) { return seconds.of(op); });
  llvm::MapVector<std::pair<StringRef, Type>, StalledKind> kinds;
  for (const Transfer &transfer : timeline.transfers()) {
    auto op = dyn_cast<spmd::CollectiveOpInterface>(transfer.op);
    if (!op || transfer.stall <= collectiveSeconds)
      continue;
    StalledKind &kind =
        kinds[{op->getName().getStringRef(), op->getResult(0).getType()}];
    kind.collectives.push_back(op);
    kind.stall += transfer.stall;
  }
  SmallVector<StalledKind> sorted;
  for (auto &[name, kind] : kinds)
    sorted.push_back(std::move(kind));
  stableSort(sorted, [](const StalledKind &a, const StalledKind &b) {
    return a.stall > b.stall;
  });
  sorted.resize(std::min(sorted.size(), kMostKinds));
  return sorted;
}

/// Tells those who listen (`--remarks`) what became of the collectives of
/// `kind`, of which the best form saves `saved` seconds.
static void emitRemarkOn(const StalledKind &kind, SplitForm form, double saved,
                         bool isTaken) {
  auto options = remark::RemarkOpts::name("batch-splitting")
                     .category("tessera-communicate");
  spmd::CollectiveOpInterface first = kind.collectives.front();
  std::string text =
      llvm::formatv("{0}, {1} of them, for which readers wait {2:f1} us",
                    first->getName().stripDialect(), kind.collectives.size(),
                    kind.stall * 1e6)
          .str();
  if (form.parts == 0)
    text +=
        ": no dimension passes through what makes or reads them, or kernels "
        "of a part would be shorter than a call";
  else
    text +=
        llvm::formatv(" with what is around them in {0} parts along "
                      "dimension {1}: {2} {3:f1} us",
                      form.parts, form.dim, isTaken ? "saves" : "would save",
                      std::max(saved, 0.0) * 1e6)
            .str();
  if (auto remark = isTaken ? remark::passed(first->getLoc(), options)
                            : remark::missed(first->getLoc(), options))
    remark << text;
}

/// The form of `kind` that saves most.
SplitBatches::TriedForm SplitBatches::tryForms(const StalledKind &kind,
                                               SplitCosts &costs) {
  TriedForm best;
  spmd::CollectiveOpInterface first = kind.collectives.front();
  int64_t size = 0;
  first->getParentOfType<func::FuncOp>().walk([&](Operation *) { ++size; });
  int64_t rank =
      cast<RankedTensorType>(first->getResult(0).getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    for (int64_t parts : kPartCounts) {
      copiesLeft -= size;
      if (copiesLeft < 0)
        return best;
      double saved = trySaving(kind, {dim, parts}, costs);
      if (saved > best.saved)
        best = {{dim, parts}, saved};
    }
  return best;
}

/// Splits what readers wait for in `block` in the form that saves most, if any
/// pays.
void SplitBatches::splitByPrice(Block &block, SplitCosts &costs) {
  SmallVector<StalledKind> kinds = findStalled(block, costs);
  SmallVector<TriedForm> tried;
  for (const StalledKind &kind : kinds)
    tried.push_back(tryForms(kind, costs));
  auto best = llvm::max_element(
      tried, [](const auto &a, const auto &b) { return a.saved < b.saved; });
  // No estimate is right to a call.
  bool pays = best != tried.end() && best->saved > collectiveSeconds;
  for (const auto &[kind, other] : llvm::zip_equal(kinds, tried))
    emitRemarkOn(kind, other.form, other.saved, pays && &other == best);
  if (!pays)
    return;
  const StalledKind &chosen = kinds[best - tried.begin()];
  LDBG() << describeOperation(chosen.collectives.front()) << " and "
         << chosen.collectives.size() - 1 << " more: " << best->form.parts
         << " parts along dimension " << best->form.dim;
  for (const auto &region : growRegions(chosen.collectives, best->form))
    region->apply();
}

/// Splits whatever can be, in two and in three parts by turns.
void SplitBatches::splitAll(Block &block) {
  SmallVector<std::unique_ptr<SplitRegion>> regions;
  auto isFree = [&](Operation *op) {
    return llvm::none_of(
        regions, [&](const auto &region) { return region->contains(op); });
  };
  for (auto op : block.getOps<spmd::CollectiveOpInterface>()) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    int64_t parts = 2 + regions.size() % 2;
    for (int64_t dim = 0; dim < type.getRank() && isFree(op); ++dim) {
      auto region = std::make_unique<SplitRegion>(op, dim, parts, isFree);
      if (!region->empty())
        regions.push_back(std::move(region));
    }
  }
  for (const auto &region : regions)
    region->apply();
}

void SplitBatches::runOnOperation() {
  FailureOr<MeshOp> mesh = findPricedMesh(getOperation(), always);
  if (failed(mesh))
    return signalPassFailure();
  if (!*mesh)
    return;
  copiesLeft = kMostCopied;
  SplitCosts costs{spmd::DeviceSeconds(getOperation()), mesh->getMachine()};
  SmallVector<Block *> blocks;
  getOperation()->walk([&](Block *block) {
    if (!isa<spmd::CombinedOp, spmd::StartOp>(block->getParentOp()) &&
        !block->getOps<spmd::CollectiveOpInterface>().empty())
      blocks.push_back(block);
  });
  for (Block *block : blocks)
    if (always)
      splitAll(*block);
    else
      splitByPrice(*block, costs);
}
