//===- Accumulation.cpp - which sums a loop over microbatches forms -------===//

#include "MicrobatchLoop.h"

#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Support/MinimumCut.h"

using namespace mlir;
using namespace tessera;

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
  /// Whether `op`, of the function's block or nested in it, runs in the loop.
  bool runsInside(Operation *op) const;

  Block &block;
  const MicrobatchAnalysis &analysis;
  bool keepApart;
  llvm::MapVector<Value, MinimumCut::Node> nodes;
  MinimumCut cut;
};

} // namespace

/// What costs more than all memory, but may be.
static constexpr int64_t kAvoided = int64_t(1) << 52;

/// Whether `op`, of the function's block, may run behind the loop: it uses no
/// rows.
bool AccumulationChoice::mayDefer(Operation *op) const {
  return op && op->getBlock() == &block && analysis.isInside(op) &&
         !hasDataFlow(op) &&
         llvm::none_of(op->getOperands(), [&](Value operand) {
           return analysis.lookup(operand).is(BatchState::Split);
         });
}

/// Twice the bytes of a sum, one more where it could be formed more precisely.
static int64_t carryingCost(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
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
  DenseSet<Value> summands;
  for (Value operand : op->getOperands())
    if (isPending(operand) && summands.insert(operand).second)
      cut.addEdge(node, nodes.lookup(operand), MinimumCut::kUncuttable);
  if (keepApart && summands.size() > 1)
    cut.addEdge(node, MinimumCut::kSink, kAvoided);
}

bool AccumulationChoice::runsInside(Operation *op) const {
  return analysis.isInside(block.findAncestorOpInBlock(*op));
}

void AccumulationChoice::addUses(Value value) {
  MinimumCut::Node node = nodes.lookup(value), allUses = cut.addNode();
  cut.addEdge(node, allUses, carryingCost(value));
  for (Operation *user : value.getUsers()) {
    if (!runsInside(user)) {
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
    bool isNeeded = llvm::any_of(value.getUsers(), [&](Operation *user) {
      return !runsInside(user) ||
             (mayDefer(user) && user->getNumResults() != 0 &&
              !isInside(user->getResult(0)));
    });
    if (isNeeded)
      accumulation.values.insert(value);
  }
  return accumulation;
}

Accumulation tessera::chooseAccumulation(func::FuncOp function,
                                         const MicrobatchAnalysis &analysis,
                                         bool keepApart) {
  return AccumulationChoice(function, analysis, keepApart).solve();
}
