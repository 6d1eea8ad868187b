//===- PropagationGraph.h - what shardings travel along -------------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_PROPAGATION_PROPAGATIONGRAPH_H
#define TESSERA_TRANSFORMS_SHARD_PROPAGATION_PROPAGATIONGRAPH_H

#include "Propagation/PropagationSteps.h"
#include "Propagation/ShardingGroups.h"
#include "Provenance/ShardingProvenance.h"
#include "Support/RuleCache.h"

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Sharding/Algebra/ManualSharding.h"
#include "tessera/Sharding/Rules/PropagateFactors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/BitVector.h"

#include <memory>

namespace tessera::shard {

/// One function as a graph for propagation: *slots*, which have shardings, and
/// *nodes*, along which shardings travel by a rule.
///
/// Every tensor value of rank 1 or more has a slot, and every argument and
/// result of the function has one; other scalars share a slot, for nothing can
/// be said of them. The region arguments and results that control flow fills
/// from one operand share their slot, and so do the values of a sharding group.
/// Nodes are the operations that have a rule, and one identity for each way in
/// which data goes from one slot to another: through control flow, into the
/// function's results, and from a donated argument to the result that takes
/// over its memory. At the boundary of a manual region the identity is between
/// whole tensors: it sees the slot inside as it is outside, behind the manual
/// axes.
///
/// Propagation only ever adds axes to slots, so it ends. Nodes are visited
/// upwards and downwards in the order of the text, and only when a slot of
/// theirs has changed, or a level begins that allows them more.
///
/// (Sweeps over the program are those of GSPMD; Y. Xu et al., "GSPMD: General
/// and Scalable Parallelization for ML Computation Graphs", 2021. Factors,
/// priorities of users and operations, and the two strategies are Shardy's;
/// OpenXLA, 2024.)
class PropagationGraph {
public:
  using Slot = unsigned;

  /// `apart` are members of sharding groups that keep slots of their own.
  PropagationGraph(mlir::func::FuncOp function, const Mesh &mesh,
                   const GroupMembers &apart);

  /// The sharding of a slot, at first open and not split.
  const TensorSharding &sharding(Slot slot) const {
    return steps.sharding(numbers[slot]);
  }
  void setSharding(Slot slot, const TensorSharding &sharding) {
    numbers[slot] = steps.number(sharding);
  }
  /// A number for the sharding of a slot; equal shardings have equal ones.
  PropagationSteps::Number numberOf(Slot slot) const { return numbers[slot]; }
  /// The slot of a tensor value, which a scalar may share with others.
  Slot slotOf(mlir::Value value) const { return valueSlots.lookup(value); }
  /// The same, but a scalar gets a slot that it shares with no other.
  Slot ownSlotOf(mlir::Value value);
  Slot slotOfResult(unsigned result) const { return resultSlots[result]; }

  /// Remembers who set the sharding of `slot`.
  void addAnnotation(Slot slot, PlaceAttr place, ShardingAttr sharding) {
    provenance.addAnnotation(slot, place, sharding);
  }
  /// Remembers that the user wants `value` as the annotation of `slot` says.
  void addConstraint(mlir::Value value, Slot slot) {
    provenance.addConstraint(value, slot);
  }

  /// Propagates to a fixed point, given the shardings that have been set.
  void propagate();

  /// How all axes came where they are; values of `function` bear numbers in
  /// their locations from now on. Ends the life of the graph.
  FunctionProvenance takeProvenance(mlir::func::FuncOp function) && {
    recordMeetings();
    provenance.setValues(function, std::move(valueSlots), resultSlots);
    return std::move(provenance);
  }

private:
  /// What nodes with one rule have in common.
  struct NodeKind {
    const ShardingRule *rule;
    llvm::SmallVector<llvm::ArrayRef<int64_t>, 4> shapes;
    /// Every tensor of rank 1 or more has every factor.
    bool isPointwise = true;
    /// Some factor occurs in results only.
    bool isBroadcast = false;
  };
  struct Node {
    const NodeKind *kind;
    /// Where its slots begin among those of all nodes.
    unsigned firstSlot;
    /// The ways in which shardings may pass at all.
    PropagationDirection allowed;
    /// Whether it is at the boundary of a manual region.
    bool isManual = false;
    /// The ways of visiting, as `Visit::key`, that changed nothing since a slot
    /// last changed; one for each strategy.
    uint8_t settled[2] = {0, 0};
  };
  /// At the boundary of a manual region: which slot of a node is inside, and
  /// how it is seen from outside.
  struct ManualEdge {
    unsigned insideSlot;
    ManualSharding manual;
  };
  /// How nodes are visited at one time.
  struct Visit {
    unsigned level = 0;
    bool aggressive = false;
    int64_t maxPriority = 0;
  };

  void addSlots(mlir::func::FuncOp function,
                llvm::ArrayRef<mlir::Operation *> program);
  void mergeGroups(llvm::ArrayRef<mlir::Operation *> program,
                   const GroupMembers &apart);
  void addNodes(mlir::func::FuncOp function,
                llvm::ArrayRef<mlir::Operation *> program);
  void addNode(mlir::Operation *op, const ShardingRule *rule,
               llvm::ArrayRef<Slot> slots,
               llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes,
               PropagationDirection allowed = PropagationDirection::Both);
  void addIdentity(mlir::Operation *op, Slot from, Slot to, mlir::Type type);
  void addDataFlow(mlir::Operation *op);
  const NodeKind *kindOf(const ShardingRule *rule,
                         llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);
  Slot newSlot(mlir::Type type);
  llvm::ArrayRef<Slot> slotsOf(const Node &node) const {
    return {&slotsOfNodes[node.firstSlot], node.kind->shapes.size()};
  }

  /// How `node` may be visited; nothing where its turn has not come.
  std::optional<PropagationOptions> optionsFor(const Node &node,
                                               const Visit &visit) const;
  void runToFixedPoint(const Visit &visit);
  llvm::SmallVector<PropagationSteps::Number, 4>
  shardingsSeenBy(unsigned index);
  void visitNode(unsigned index, const Visit &visit, llvm::BitVector &pending);
  void recordArrivals(unsigned index, size_t tensor,
                      PropagationSteps::Number after);
  void recordMeetings();

  RuleCache rules;
  PropagationSteps steps;
  /// The shardings of the slots, as `steps` numbers them.
  llvm::SmallVector<PropagationSteps::Number, 0> numbers;
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>, 0> nodesOfSlot;
  /// How many nodes take each slot as an operand.
  llvm::SmallVector<unsigned, 0> numUses;
  llvm::DenseMap<const ShardingRule *, std::unique_ptr<NodeKind>> kinds;
  llvm::SmallVector<Node, 0> nodes;
  llvm::SmallVector<Slot, 0> slotsOfNodes;
  /// By number of the node.
  llvm::DenseMap<unsigned, ManualEdge> manualEdges;
  llvm::DenseMap<mlir::Value, Slot> valueSlots;
  llvm::SmallVector<Slot> resultSlots;
  FunctionProvenance provenance;
};

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_PROPAGATION_PROPAGATIONGRAPH_H
