//===- Accumulation.cpp - which sums a loop over microbatches forms -------===//

#include "Microbatches/MicrobatchLoop.h"

#include "tessera/Support/MinimumCut.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {

/// A variable per pending value: 1 if the loop computes it, 0 if it is computed
/// behind the loop. A value that is 1 is carried if some use of it is 0.
class AccumulationChoice {
public:
  AccumulationChoice(func::FuncOp function, const MicrobatchAnalysis &analysis,
                     bool keepApart)
      : block(function.getBody().front()), analysis(analysis),
        keepApart(keepApart) {}

  Accumulation solve();

private:
  bool isPending(Value value) const {
    return analysis.lookup(value).is(BatchState::Pending);
  }
  bool mayDefer(Operation *op) const;
  void addValue(Value value);
  void addUses(Value value);
  /// The operations of the function's block that use `value`, in themselves or
  /// in what is nested in them.
  SmallVector<Operation *> usersOf(Value value) const;

  Block &block;
  const MicrobatchAnalysis &analysis;
  bool keepApart;
  llvm::MapVector<Value, MinimumCut::Node> nodes;
  MinimumCut cut;
};

} // namespace

/// What costs more than all memory, but may be.
static constexpr int64_t kAvoided = int64_t(1) << 52;

/// Whether `op`, of the function's block, may run behind the loop.
bool AccumulationChoice::mayDefer(Operation *op) const {
  return op && op->getBlock() == &block && analysis.isInside(op) &&
         analysis.mayDefer(op);
}

/// Twice the bytes of a sum, without end for what is no tensor; one more where
/// it could be formed more precisely.
static int64_t carryingCost(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return MinimumCut::kUncuttable;
  int64_t width = type.getElementTypeBitWidth();
  bool isNarrow = isa<FloatType>(type.getElementType()) && width < 32;
  int64_t bytes =
      type.getNumElements() * (isNarrow ? 4 : llvm::divideCeil(width, 8));
  return 2 * bytes + (isNarrow ? 1 : 0);
}

void AccumulationChoice::addValue(Value value) {
  Operation *op = value.getDefiningOp();
  if (!mayDefer(op)) {
    nodes[value] = MinimumCut::kSource;
    return;
  }
  MinimumCut::Node node = nodes[value] = cut.addNode();
  SetVector<Value> reads(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), reads);
  DenseSet<Value> summands;
  for (Value read : reads)
    if (isPending(read) && summands.insert(read).second)
      cut.addEdge(node, nodes.lookup(read), MinimumCut::kUncuttable);
  // An operation runs as a whole.
  if (auto first = nodes.find(op->getResult(0));
      first != nodes.end() && first->first != value) {
    cut.addEdge(node, first->second, MinimumCut::kUncuttable);
    cut.addEdge(first->second, node, MinimumCut::kUncuttable);
  }
  if (keepApart && summands.size() > 1)
    cut.addEdge(node, MinimumCut::kSink, kAvoided);
}

SmallVector<Operation *> AccumulationChoice::usersOf(Value value) const {
  llvm::SetVector<Operation *> users;
  for (Operation *user : value.getUsers())
    users.insert(block.findAncestorOpInBlock(*user));
  return users.takeVector();
}

void AccumulationChoice::addUses(Value value) {
  MinimumCut::Node node = nodes.lookup(value), allUses = cut.addNode();
  cut.addEdge(node, allUses, carryingCost(value));
  for (Operation *user : usersOf(value)) {
    if (!analysis.isInside(user)) {
      cut.addEdge(allUses, MinimumCut::kSink, MinimumCut::kUncuttable);
    } else if (mayDefer(user)) {
      for (Value result : user->getResults())
        cut.addEdge(allUses, nodes.lookup(result), MinimumCut::kUncuttable);
    } else if (node != MinimumCut::kSource) {
      cut.addEdge(MinimumCut::kSource, node, MinimumCut::kUncuttable);
    }
  }
}

Accumulation AccumulationChoice::solve() {
  for (Operation &op : block)
    for (Value result : op.getResults())
      if (isPending(result))
        addValue(result);
  for (auto &[value, node] : nodes)
    addUses(value);
  cut.solve();
  auto isInside = [&](Value value) {
    return cut.isOnSourceSide(nodes.lookup(value));
  };
  Accumulation accumulation;
  for (auto &[value, node] : nodes) {
    if (!isInside(value)) {
      accumulation.deferred.insert(value.getDefiningOp());
      continue;
    }
    bool isNeeded = llvm::any_of(usersOf(value), [&](Operation *user) {
      return !analysis.isInside(user) ||
             (mayDefer(user) && user->getNumResults() != 0 &&
              !isInside(user->getResult(0)));
    });
    if (isNeeded)
      accumulation.values.insert(value);
  }
  return accumulation;
}

Accumulation tessera::shard::chooseAccumulation(
    func::FuncOp function, const MicrobatchAnalysis &analysis, bool keepApart) {
  return AccumulationChoice(function, analysis, keepApart).solve();
}
