//===- CombineCollectives.cpp - several collectives as one call -----------===//
//
// Elsewhere: all-reduce combiner, bucketing, coalescing.
//
// Per block: when things happen is estimated (BlockTimeline), collectives are
// put into buckets (CallBuckets), and the block is built again in the order of
// the text, where each bucket stands for all its parts: an operation moves as
// soon as all that it reads has moved, the first one of the text first. So the
// readers of a part come behind the call, and nothing else changes its place.
// All of it is decided on the one program of all devices, so that they all call
// the same in the same order.
//
//===----------------------------------------------------------------------===//

#include "CallBuckets.h"
#include "ProgramSeconds.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Communicate/Passes.h"

#include "llvm/Support/DebugLog.h"

#include <queue>

#define DEBUG_TYPE "tessera-combine-collectives"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

namespace tessera::communicate {
#define GEN_PASS_DEF_COMBINECOLLECTIVES
#include "tessera/Transforms/Communicate/Passes.h.inc"
} // namespace tessera::communicate

namespace {

/// A block with some of its collectives as one call each, to be put in order.
class BlockOrder {
public:
  BlockOrder(Block &block, ArrayRef<CallParts> calls);

  /// Builds the block again, behind what is left of the old one.
  void apply();

private:
  /// An operation, or the parts of a call.
  struct Item {
    CallParts ops;
    SmallVector<unsigned, 4> users;
    unsigned waitsFor = 0;
  };
  void addEdge(unsigned first, unsigned second) {
    items[first].users.push_back(second);
    ++items[second].waitsFor;
  }
  void addEdges(unsigned number);
  void emit(const CallParts &ops);

  Operation *terminator;
  /// By the place of the last operation in the text; parts of a call before
  /// that leave empty ones.
  std::vector<Item> items;
  llvm::DenseMap<Operation *, unsigned> numbers;
};

} // namespace

BlockOrder::BlockOrder(Block &block, ArrayRef<CallParts> calls)
    : terminator(block.getTerminator()) {
  llvm::DenseMap<Operation *, Operation *> lastParts;
  for (const CallParts &parts : calls)
    for (Operation *part : parts)
      lastParts[part] = parts.back();
  for (Operation &op : block.without_terminator()) {
    numbers[&op] = items.size();
    items.push_back({{&op}, {}});
  }
  for (const CallParts &parts : calls) {
    unsigned last = numbers[parts.back()];
    for (Operation *part : parts) {
      items[numbers[part]].ops.clear();
      numbers[part] = last;
    }
    items[last].ops = parts;
  }
  for (unsigned number = 0; number < items.size(); ++number)
    addEdges(number);
  // Operations with effects keep their order.
  std::optional<unsigned> before;
  for (Operation &op : block.without_terminator()) {
    if (isMemoryEffectFree(&op))
      continue;
    if (before)
      addEdge(*before, numbers[&op]);
    before = numbers[&op];
  }
}

void BlockOrder::addEdges(unsigned number) {
  for (Operation *op : CallParts(items[number].ops))
    forEachOperand(op, [&](Value operand) {
      auto producer = numbers.find(operand.getDefiningOp());
      if (producer != numbers.end() && producer->second != number)
        addEdge(producer->second, number);
    });
}

void BlockOrder::emit(const CallParts &ops) {
  for (Operation *op : ops)
    op->moveBefore(terminator);
  OpBuilder builder(terminator);
  joinCall(builder, ops);
}

void BlockOrder::apply() {
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (unsigned number = 0; number < items.size(); ++number)
    if (items[number].waitsFor == 0 && !items[number].ops.empty())
      ready.push(number);
  while (!ready.empty()) {
    unsigned number = ready.top();
    ready.pop();
    emit(items[number].ops);
    for (unsigned user : items[number].users)
      if (--items[user].waitsFor == 0)
        ready.push(user);
  }
}

namespace {

struct CombineCollectives
    : communicate::impl::CombineCollectivesBase<CombineCollectives> {
  using CombineCollectivesBase::CombineCollectivesBase;

  void runOnOperation() override {
    FailureOr<MeshOp> mesh = findPricedMesh(getOperation(), /*always=*/true);
    if (failed(mesh))
      return signalPassFailure();
    if (!*mesh)
      return;
    spmd::DeviceSeconds links(getOperation());
    SmallVector<Block *> blocks = findBlocks();
    for (Block *block : blocks)
      combine(*block, mesh->getMachine(), links);
  }

private:
  /// The blocks with several collectives; those of regions come behind the one
  /// around, which counts what they take as it is.
  SmallVector<Block *> findBlocks() {
    SmallVector<Block *> blocks;
    getOperation()->walk<WalkOrder::PreOrder>([&](Block *block) {
      auto collectives = block->getOps<spmd::CollectiveOpInterface>();
      if (!isa<spmd::CombinedOp>(block->getParentOp()) &&
          llvm::hasNItemsOrMore(collectives, 2))
        blocks.push_back(block);
    });
    return blocks;
  }

  void combine(Block &block, const Machine &machine,
               spmd::DeviceSeconds &links) {
    ProgramSeconds costs(getOperation(), machine);
    BlockTimeline timeline(block, links, collectiveSeconds,
                           [&](Operation *op) { return costs.of(op); });
    SmallVector<CallParts, 0> calls = CallBuckets(block, timeline).take();
    if (calls.empty())
      return;
    for (const CallParts &parts : calls)
      LDBG() << describeOperation(parts.front()) << " and " << parts.size() - 1
             << " more are one call";
    BlockOrder(block, calls).apply();
  }
};

} // namespace
