//===- ScatterUpdates.cpp - updates in shards behind a reduction ----------===//
//
// Elsewhere: weight update sharding, FSDP, distributed optimizer.
//
// Where gradients are reduced over the axes of a batch, every device along
// these axes goes on to compute the same update. It may as well compute a part
// of it: the all-reduce becomes a reduce-scatter, the update runs on shards,
// and what it gives is gathered. That sends the same bytes (an all-reduce is a
// reduce-scatter and an all-gather) for a fraction of the work, and a state
// that only the update knows, as moments, can stay in shards between steps
// where the user leaves that open. (ZeRO: S. Rajbhandari et al., "ZeRO: Memory
// Optimizations Toward Training Trillion Parameter Models", 2020; XLA's
// "Automatic Cross-Replica Sharding of Weight Update in Data-Parallel
// Training", Y. Xu et al., 2020.)
//
// What may be scattered so, see `UpdateShards`, has a variable each: 1 for
// scattered. What is 1 and used whole pays a gather and one more collective,
// what is 0 the work it could save, a seed whose sum is used whole the
// difference between all-reduce and reduce-scatter; taking a shard of what is
// whole costs nothing. All terms have the form "pay c if a is 1 and b is 0", so
// the cheapest assignment is a minimum cut, one for the whole function. Where
// two cost the same, fewer values are scattered.
//
//===----------------------------------------------------------------------===//

#include "PlaceReductions.h"
#include "Reductions/UpdateShards.h"

#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Support/MinimumCut.h"
#include "tessera/Transforms/Shard/Passes.h"
#include "tessera/Transforms/Shard/SharedReshardCosts.h"

#include "mlir/IR/Builders.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::shard {
#define GEN_PASS_DEF_SCATTERUPDATES
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-scatter-updates"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {

/// Scatters the updates of one function.
class UpdateScattering {
public:
  UpdateScattering(func::FuncOp function, ReshardCosts &costs, RuleCache &rules,
                   double collectiveSeconds)
      : function(function), costs(costs),
        updates(function, costs.getMesh(), rules, collectiveSeconds),
        collectiveSeconds(collectiveSeconds) {}

  void run();
  /// The sets of axes over which sums of shards are pending now that were whole
  /// before.
  SmallVector<PendingAxes> pendingSums() const;

private:
  using Party = UpdateShards::Party;

  double seconds(Value value, ShardingAttr from, ShardingAttr to) {
    return costs.seconds(cast<RankedTensorType>(value.getType()), from, to);
  }
  MinimumCut::Node nodeOf(const Party *party) const {
    return nodes[party - updates.getParties().begin()];
  }
  void addOwnCosts(const Party &party);
  void addUses(Value value, ShardingAttr scattered);
  void solve();
  /// Whether `party`, null for none, and no seed, is scattered.
  bool isScattered(const Party *party) const {
    return party && !party->isSeed && cut.isOnSourceSide(nodeOf(party));
  }
  void scatterSeed(const Party &party);
  void takeShards(const Party &party);
  void gather(Value value);
  void apply();
  void writeBoundary();

  func::FuncOp function;
  ReshardCosts &costs;
  UpdateShards updates;
  double collectiveSeconds;
  /// One per party.
  SmallVector<MinimumCut::Node, 0> nodes;
  MinimumCut cut;
  /// The shards of whole values that have been taken.
  DenseMap<std::pair<Value, Attribute>, Value> shards;
};

} // namespace

//===----------------------------------------------------------------------===//
// The cut
//===----------------------------------------------------------------------===//

/// What an operation saves in shards, and what it then has to move.
void UpdateScattering::addOwnCosts(const Party &party) {
  if (party.isSeed || !party.op)
    return;
  // At least something, so that what costs nothing is where its users are.
  cut.addEdge(MinimumCut::kSource, nodeOf(&party),
              MinimumCut::capacity(party.seconds) + 1);
  // Shards of what is whole are there already; anything else would move.
  double moves = 0;
  for (auto [operand, sharding] :
       llvm::zip(party.op->getOperands(), party.tensors))
    if (getSharding(operand) != sharding &&
        updates.alternativeOf(operand) != sharding)
      moves += seconds(operand, getSharding(operand), sharding);
  cut.addEdge(nodeOf(&party), MinimumCut::kSink, MinimumCut::capacity(moves));
}

/// What `value` pays if it is made in shards and some use needs it whole.
void UpdateScattering::addUses(Value value, ShardingAttr scattered) {
  const Party *maker = updates.makerOf(value);
  if (!maker)
    return;
  ShardingAttr whole = getSharding(value);
  double price = seconds(value, scattered, whole);
  if (maker->isSeed) {
    ShardingAttr pending = getSharding(maker->op->getOperand(0));
    price = seconds(value, pending, whole) - seconds(value, pending, scattered);
  } else if (scattered.getValue().unreduced.empty()) {
    // Sums that are pending will be reduced together.
    price += collectiveSeconds;
  }
  MinimumCut::Node allUses = cut.addNode();
  cut.addEdge(nodeOf(maker), allUses, MinimumCut::capacity(price));
  for (OpOperand &use : value.getUses()) {
    const Party *follower = updates.followerOf(use);
    cut.addEdge(allUses, follower ? nodeOf(follower) : MinimumCut::kSink,
                MinimumCut::kUncuttable);
  }
}

void UpdateScattering::solve() {
  for (const Party &party : updates.getParties())
    nodes.push_back(party.isSeed ? MinimumCut::kSource : cut.addNode());
  for (const Party &party : updates.getParties())
    addOwnCosts(party);
  for (auto [value, scattered] : updates.getAlternatives())
    addUses(value, scattered);
  cut.solve();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Reduces to shards where nobody needs the whole sum.
void UpdateScattering::scatterSeed(const Party &party) {
  auto reshard = cast<ReshardOp>(party.op);
  for (OpOperand &use : reshard->getUses())
    if (!isScattered(updates.followerOf(use)))
      return;
  ShardingAttr scattered = updates.alternativeOf(reshard);
  LDBG() << describeOperation(reshard) << ": reduced to shards, "
         << describeSharding(scattered) << " instead of "
         << describeSharding(reshard.getSharding());
  reshard.setShardingAttr(scattered);
  setSharding(reshard, scattered);
}

/// Makes the results in shards, of shards of the operands.
void UpdateScattering::takeShards(const Party &party) {
  LDBG() << describeOperation(party.op) << ": computed in shards, which saves "
         << party.seconds << " s";
  OpBuilder builder(party.op);
  for (auto [operand, sharding] :
       llvm::zip(party.op->getOpOperands(), party.tensors)) {
    Value value = operand.get();
    bool isShard = isScattered(updates.makerOf(value)) &&
                   updates.alternativeOf(value) == sharding;
    if (isShard || getSharding(value) == sharding)
      continue;
    Value &shard = shards[{value, sharding}];
    if (!shard) {
      shard = ReshardOp::create(builder, party.op->getLoc(), value, sharding);
      setSharding(shard, sharding);
    }
    operand.set(shard);
  }
}

/// Gathers `value`, which is about to be made in shards, for those who need it
/// whole.
void UpdateScattering::gather(Value value) {
  ShardingAttr whole = getSharding(value);
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    if (!isScattered(updates.followerOf(use)))
      uses.push_back(&use);
  if (uses.empty())
    return;
  LDBG() << describeMaker(value) << ": gathered for " << uses.size()
         << " uses that need " << describeSharding(whole);
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfterValue(value);
  auto gathered = ReshardOp::create(builder, value.getLoc(), value, whole);
  setSharding(gathered, whole);
  for (OpOperand *use : uses)
    use->set(gathered);
}

void UpdateScattering::apply() {
  SmallVector<std::pair<Value, ShardingAttr>> made;
  for (auto [value, scattered] : updates.getAlternatives())
    if (isScattered(updates.makerOf(value)))
      made.push_back({value, scattered});
  for (auto [value, scattered] : made)
    gather(value);
  SmallVector<const Party *> working;
  for (const Party &party : updates.getParties())
    if (party.isSeed)
      scatterSeed(party);
    else if (party.op && isScattered(&party))
      working.push_back(&party);
  // Shards are taken before their first user.
  llvm::sort(working, [](const Party *a, const Party *b) {
    return a->op->isBeforeInBlock(b->op);
  });
  for (const Party *party : working)
    takeShards(*party);
  for (auto [value, scattered] : made)
    if (isa<OpResult>(value))
      setSharding(value, scattered);
}

/// Writes what arguments and results are kept as, and forgets which of them
/// nobody annotated; all at once, for one change costs as much as all.
void UpdateScattering::writeBoundary() {
  MLIRContext *context = function.getContext();
  auto rewritten = [&](DictionaryAttr old, BlockArgument memory) {
    NamedAttrList attributes(old);
    attributes.erase(TesseraDialect::kPropagatedAttr);
    if (memory && isScattered(updates.makerOf(memory)))
      attributes.set(TesseraDialect::kShardingAttr,
                     updates.alternativeOf(memory));
    return attributes.getDictionary(context);
  };
  SmallVector<DictionaryAttr> arguments, results;
  for (BlockArgument argument : function.getArguments())
    arguments.push_back(
        rewritten(function.getArgAttrDict(argument.getArgNumber()), argument));
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    results.push_back(
        rewritten(function.getResultAttrDict(i), updates.openArgument(i)));
  function.setAllArgAttrs(arguments);
  function.setAllResultAttrs(results);
}

void UpdateScattering::run() {
  if (!updates.getParties().empty()) {
    solve();
    apply();
  }
  writeBoundary();
}

SmallVector<PendingAxes> UpdateScattering::pendingSums() const {
  SmallVector<PendingAxes> sets;
  for (const Party &party : updates.getParties()) {
    if (!isScattered(&party))
      continue;
    for (ShardingAttr sharding : party.tensors)
      if (PendingAxes pending = pendingAxes(sharding.getValue());
          !pending.axes.empty() && !llvm::is_contained(sets, pending))
        sets.push_back(std::move(pending));
  }
  return sets;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ScatterUpdates
    : tessera::shard::impl::ScatterUpdatesBase<ScatterUpdates> {
  using ScatterUpdatesBase::ScatterUpdatesBase;

  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    ReshardCosts &costs = getAnalysis<SharedReshardCosts>().on(*mesh);
    RuleCache rules;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      if (failed(requireShardings(function)))
        return signalPassFailure();
      UpdateScattering scattering(function, costs, rules, collectiveSeconds);
      scattering.run();
      // The norms of all gradients are added before they are reduced.
      if (SmallVector<PendingAxes> sums = scattering.pendingSums();
          !sums.empty()) {
        PendingProgram program(function);
        placeReductions(program, costs, rules, std::move(sums));
      }
    }
  }
};
} // namespace
