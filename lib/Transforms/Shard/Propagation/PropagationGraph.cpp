//===- PropagationGraph.cpp - what shardings travel along -----------------===//

#include "Propagation/PropagationGraph.h"

#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Interfaces/DataFlow.h"

#include "llvm/ADT/IntEqClasses.h"

#include <set>

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// The slot of all scalars.
static constexpr unsigned kScalarSlot = 0;

/// The stages of the operation priority, see `optionsFor`.
static constexpr unsigned kNumLevels = 5;

PropagationGraph::PropagationGraph(func::FuncOp function, const Mesh &mesh,
                                   const GroupMembers &apart)
    : steps(mesh) {
  // Read once: going through a large program costs more than what is done.
  SmallVector<Operation *, 0> program;
  walkProgram(function, [&](Operation *op) { program.push_back(op); });
  valueSlots.reserve(program.size());
  addSlots(function, program);
  mergeGroups(program, apart);
  addNodes(function, program);
}

//===----------------------------------------------------------------------===//
// Building the graph
//===----------------------------------------------------------------------===//

/// None for what is no tensor.
static ArrayRef<int64_t> dimensionsOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

PropagationGraph::Slot PropagationGraph::newSlot(Type type) {
  numbers.push_back(steps.open(dimensionsOf(type).size()));
  nodesOfSlot.emplace_back();
  numUses.push_back(0);
  return numbers.size() - 1;
}

/// Gives every value a slot; those that control flow carries as one share
/// theirs. Slot 0 is that of tensors without dimensions. Results of the
/// function follow, in order.
void PropagationGraph::addSlots(func::FuncOp function,
                                ArrayRef<Operation *> program) {
  newSlot(
      RankedTensorType::get({}, IntegerType::get(function.getContext(), 1)));
  auto addValue = [&](Value value) {
    if (!dimensionsOf(value.getType()).empty())
      valueSlots.try_emplace(value, newSlot(value.getType()));
  };
  // What control flow carries as one shares a slot, and so do its scalars.
  auto addTargets = [&](Operation *op) {
    for (const CarriedValue &carried : carriedValues(op)) {
      Type type = carried.targets.front().getType();
      if (!isa<RankedTensorType>(type))
        continue;
      Slot slot = newSlot(type);
      for (Value target : carried.targets)
        valueSlots.try_emplace(target, slot);
    }
  };
  for (BlockArgument argument : function.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      valueSlots.try_emplace(argument, newSlot(argument.getType()));
  for (Operation *op : program) {
    if (hasDataFlow(op))
      addTargets(op);
    for (Value result : op->getResults())
      addValue(result);
  }
  for (Type type : function.getResultTypes())
    resultSlots.push_back(newSlot(type));
}

/// Gives the values of each sharding group one slot, but for those `apart`.
void PropagationGraph::mergeGroups(ArrayRef<Operation *> program,
                                   const GroupMembers &apart) {
  llvm::IntEqClasses classes(numbers.size());
  DenseMap<uint64_t, Slot> slotOfGroup;
  for (Operation *op : program) {
    auto member = dyn_cast<ShardingGroupOp>(op);
    if (!member || member.getOperand().getType().getRank() == 0 ||
        apart.contains(member))
      continue;
    Slot slot = slotOf(member.getOperand());
    auto [entry, isNew] = slotOfGroup.try_emplace(member.getGroup(), slot);
    classes.join(entry->second, slot);
  }
  if (slotOfGroup.empty())
    return;
  // NOLINTNEXTLINE(custom-iteration-order): each by itself.
  for (auto &[value, slot] : valueSlots)
    slot = classes.findLeader(slot);
}

PropagationGraph::Slot PropagationGraph::ownSlotOf(Value value) {
  Slot slot = slotOf(value);
  if (slot == kScalarSlot)
    slot = valueSlots[value] = newSlot(value.getType());
  return slot;
}

/// The kind of nodes with `rule`, whose tensors have `shapes`.
const PropagationGraph::NodeKind *
PropagationGraph::kindOf(const ShardingRule *rule,
                         ArrayRef<ArrayRef<int64_t>> shapes) {
  std::unique_ptr<NodeKind> &kind = kinds[rule];
  if (kind)
    return kind.get();
  kind = std::make_unique<NodeKind>();
  kind->rule = rule;
  kind->shapes.assign(shapes.begin(), shapes.end());
  size_t numOperands = rule->operands.size();
  // Only pass-through factors can be in results alone and still be split.
  BitVector inOperands(rule->factors.size());
  for (auto [index, factor] : llvm::enumerate(rule->factors))
    if (factor.kind != FactorKind::PassThrough)
      inOperands.set(index);
  for (size_t i = 0; i < shapes.size(); ++i) {
    size_t count = 0;
    for (const auto &dim : rule->tensor(i).dims)
      for (FactorId factor : dim) {
        ++count;
        if (i < numOperands)
          inOperands.set(factor);
      }
    kind->isPointwise &= shapes[i].empty() || count == rule->factors.size();
  }
  kind->isBroadcast = !inOperands.all();
  return kind.get();
}

void PropagationGraph::addNode(Operation *op, const ShardingRule *rule,
                               ArrayRef<Slot> slots,
                               ArrayRef<ArrayRef<int64_t>> shapes,
                               PropagationDirection allowed) {
  if (llvm::all_of(shapes, [](auto shape) { return shape.empty(); }))
    return;
  provenance.addNode(op->getName().getStringRef(), op->getLoc());
  nodes.push_back(
      {kindOf(rule, shapes), unsigned(slotsOfNodes.size()), allowed});
  llvm::append_range(slotsOfNodes, slots);
  for (auto [i, slot] : llvm::enumerate(slots)) {
    if (shapes[i].empty())
      continue;
    nodesOfSlot[slot].push_back(nodes.size() - 1);
    numUses[slot] += i < rule->operands.size();
  }
}

void PropagationGraph::addIdentity(Operation *op, Slot from, Slot to,
                                   Type type) {
  if (from == to)
    return;
  ArrayRef<int64_t> shape = dimensionsOf(type);
  addNode(op, rules.identity(shape), {from, to}, {shape, shape});
}

void PropagationGraph::addDataFlow(Operation *op) {
  auto region = dyn_cast<ManualRegionInterface>(op);
  std::set<std::pair<Slot, Slot>> seen;
  forEachDataFlowEdge(op, [&](OpOperand &source, Value target) {
    Slot from = slotOf(source.get()), to = slotOf(target);
    if (!region) {
      if (seen.insert({from, to}).second)
        addIdentity(op, from, to, target.getType());
      return;
    }
    bool enters = isa<BlockArgument>(target);
    size_t numNodes = nodes.size();
    addIdentity(op, from, to,
                enters ? source.get().getType() : target.getType());
    if (nodes.size() == numNodes)
      return;
    nodes.back().isManual = true;
    manualEdges.insert(
        {unsigned(numNodes), {enters, region.getManualSharding(target)}});
  });
}

static PropagationDirection directionOf(PropagationBarrierOp barrier) {
  switch (barrier.getDirection()) {
  case BarrierDirection::None:
    return PropagationDirection::None;
  case BarrierDirection::Forward:
    return PropagationDirection::Forward;
  case BarrierDirection::Backward:
    return PropagationDirection::Backward;
  }
  llvm_unreachable("unknown direction");
}

/// Makes a node of everything along which shardings spread, in program order:
/// donated arguments with their results, control flow, results, and operations
/// with a rule. Expects the slots of addSlots.
void PropagationGraph::addNodes(func::FuncOp function,
                                ArrayRef<Operation *> program) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (std::optional<unsigned> result = getDonatedResult(function, i)) {
      Type type = function.getArgument(i).getType();
      if (type == function.getResultTypes()[*result])
        addIdentity(function, slotOf(function.getArgument(i)),
                    resultSlots[*result], type);
    }
  for (Operation *op : program) {
    if (hasDataFlow(op)) {
      addDataFlow(op);
      continue;
    }
    if (auto returnOp = dyn_cast<func::ReturnOp>(op)) {
      for (auto [value, slot] :
           llvm::zip_equal(returnOp.getOperands(), resultSlots))
        addIdentity(op, slotOf(value), slot, value.getType());
      continue;
    }
    const ShardingRule *rule = rules.lookup(op);
    if (!rule)
      continue;
    SmallVector<Slot> slots;
    SmallVector<ArrayRef<int64_t>> shapes;
    auto add = [&](Value value) {
      slots.push_back(slotOf(value));
      shapes.push_back(dimensionsOf(value.getType()));
    };
    llvm::for_each(op->getOperands(), add);
    llvm::for_each(op->getResults(), add);
    auto barrier = dyn_cast<PropagationBarrierOp>(op);
    addNode(op, rule, slots, shapes,
            barrier ? directionOf(barrier) : PropagationDirection::Both);
  }
}

//===----------------------------------------------------------------------===//
// Propagation
//===----------------------------------------------------------------------===//

/// The operation priority, from what surely costs nothing to what may cost:
///   0  between operands that have no other use and results of pointwise
///      operations, reshapes, transposes and control flow,
///   1  the same, whatever other uses the operands have,
///   2  along the pass-through factors of every operation, but not from the
///   operand
///      of a broadcast to its result,
///   3  along all factors, with the same exception,
///   4  everything.
std::optional<PropagationOptions>
PropagationGraph::optionsFor(const Node &node, const Visit &visit) const {
  PropagationOptions options;
  options.aggressive = visit.aggressive;
  options.maxPriority = visit.maxPriority;
  const NodeKind &kind = *node.kind;
  if (visit.level < 2 && !kind.isPointwise)
    return std::nullopt;
  if (visit.level == 0 &&
      llvm::any_of(slotsOf(node).take_front(kind.rule->operands.size()),
                   [&](Slot slot) { return numUses[slot] > 1; }))
    return std::nullopt;
  options.direction = kind.isBroadcast && visit.level < 4
                          ? PropagationDirection::Backward
                          : node.allowed;
  options.passThroughOnly = visit.level == 2 && !kind.isPointwise;
  return options;
}

/// The shardings of the slots of node `index`; of a slot inside of a manual
/// region that it sees from outside, how it is there.
SmallVector<PropagationSteps::Number, 4>
PropagationGraph::shardingsSeenBy(unsigned index) {
  SmallVector<PropagationSteps::Number, 4> tensors;
  for (Slot slot : slotsOf(nodes[index]))
    tensors.push_back(numbers[slot]);
  if (nodes[index].isManual) {
    const ManualEdge &edge = manualEdges.at(index);
    PropagationSteps::Number &inside = tensors[edge.insideSlot];
    TensorSharding outside = edge.manual.toOutside(steps.sharding(inside));
    llvm::append_range(outside.replicated, edge.manual.unusedAxes());
    inside = steps.number(outside);
  }
  return tensors;
}

/// Whether two dimensions of an operation are split together.
static bool shareFactor(ArrayRef<FactorId> a, ArrayRef<FactorId> b) {
  return llvm::any_of(
      a, [&](FactorId factor) { return llvm::is_contained(b, factor); });
}

/// Remembers from which tensor of node `index` each axis came that its tensor
/// number `tensor` has in addition, now that its sharding is `after`.
void PropagationGraph::recordArrivals(unsigned index, size_t tensor,
                                      PropagationSteps::Number after) {
  const ShardingRule &rule = *nodes[index].kind->rule;
  ArrayRef<Slot> slots = slotsOf(nodes[index]);
  PropagationSteps::Number known = numbers[slots[tensor]];
  if (after == known)
    return;
  const TensorSharding &grown = steps.sharding(after);
  const TensorSharding &before = steps.sharding(known);
  for (auto [number, dim] : llvm::enumerate(grown.dims)) {
    if (dim.axes == before.dims[number].axes)
      continue;
    const auto &factors = rule.tensor(tensor).dims[number];
    for (const AxisRef &axis : dim.axes)
      for (auto [other, slot] : llvm::enumerate(slots)) {
        if (slot == slots[tensor] || !provenance.has(slot, axis.name))
          continue;
        const auto &otherDims = rule.tensor(other).dims;
        bool together = llvm::any_of(
            llvm::zip(otherDims, steps.sharding(numbers[slot]).dims),
            [&](auto pair) {
              auto &[otherFactors, sharding] = pair;
              return shareFactor(factors, otherFactors) &&
                     llvm::any_of(sharding.axes, [&](const AxisRef &found) {
                       return found.name == axis.name;
                     });
            });
        if (!together)
          continue;
        provenance.addArrival(slots[tensor], axis.name, number, slot, index);
        break;
      }
  }
}

/// Remembers which tensors of a node have an axis in dimensions that are split
/// together: whoever said so of one has said it of the others.
void PropagationGraph::recordMeetings() {
  for (const Node &node : nodes) {
    const ShardingRule &rule = *node.kind->rule;
    // The first slot that has an axis, by factor.
    SmallVector<std::tuple<FactorId, AxisName, Slot>, 8> seen;
    for (auto [tensor, slot] : llvm::enumerate(slotsOf(node)))
      for (auto [dim, sharding] : llvm::zip(rule.tensor(tensor).dims,
                                            steps.sharding(numbers[slot]).dims))
        for (const AxisRef &axis : sharding.axes)
          for (FactorId factor : dim) {
            auto first = llvm::find_if(seen, [&](auto &entry) {
              return std::get<0>(entry) == factor &&
                     std::get<1>(entry) == axis.name;
            });
            if (first == seen.end())
              seen.push_back({factor, axis.name, slot});
            else
              provenance.addMeeting(std::get<2>(*first), slot, axis.name);
          }
  }
}

/// Propagates along one node, and marks in `pending` the nodes of every slot
/// that grew. A node that was visited with the same options and has not seen a
/// slot grow since is left out.
void PropagationGraph::visitNode(unsigned index, const Visit &visit,
                                 BitVector &pending) {
  Node &node = nodes[index];
  std::optional<PropagationOptions> options = optionsFor(node, visit);
  if (!options)
    return;
  unsigned key = 1 + static_cast<unsigned>(options->direction) +
                 4 * options->passThroughOnly;
  if (std::exchange(node.settled[visit.aggressive], key) == key)
    return;

  SmallVector<PropagationSteps::Number, 4> after(steps.step(
      *node.kind->rule, node.kind->shapes, shardingsSeenBy(index), *options));
  if (after.empty())
    return;
  if (node.isManual) {
    const ManualEdge &edge = manualEdges.at(index);
    PropagationSteps::Number &inside = after[edge.insideSlot];
    inside = steps.number(*edge.manual.toInside(steps.sharding(inside)));
  }
  for (auto [tensor, number] : llvm::enumerate(after))
    recordArrivals(index, tensor, number);
  SmallVector<Slot, 4> grown;
  for (auto [slot, tensor] : llvm::zip_equal(slotsOf(node), after)) {
    // An operand that occurs twice may have grown in two ways; the first
    // counts.
    if (steps.sharding(tensor).rank() == 0 || llvm::is_contained(grown, slot) ||
        tensor == numbers[slot])
      continue;
    numbers[slot] = tensor;
    grown.push_back(slot);
    for (unsigned user : nodesOfSlot[slot]) {
      nodes[user].settled[0] = nodes[user].settled[1] = 0;
      pending.set(user);
    }
  }
}

void PropagationGraph::runToFixedPoint(const Visit &visit) {
  BitVector pending(nodes.size(), true);
  bool downwards = true;
  while (pending.any()) {
    // What a sweep sets ahead of itself it still meets.
    for (int index = downwards ? pending.find_first() : pending.find_last();
         index >= 0; index = downwards ? pending.find_next(index)
                                       : pending.find_prev(index)) {
      pending.reset(index);
      visitNode(index, visit, pending);
    }
    downwards = !downwards;
  }
}

void PropagationGraph::propagate() {
  std::set<int64_t> priorities = {0};
  // NOLINTNEXTLINE(custom-iteration-order): into a sorted set.
  for (PropagationSteps::Number number :
       llvm::SmallDenseSet<unsigned>(numbers.begin(), numbers.end()))
    for (const DimSharding &dim : steps.sharding(number).dims)
      if (!dim.axes.empty())
        priorities.insert(dim.priority.value_or(0));
  for (int64_t priority : priorities) {
    // A priority changes what visits do, so nothing is settled.
    for (Node &node : nodes)
      node.settled[0] = node.settled[1] = 0;
    for (unsigned level = 0; level < kNumLevels; ++level)
      for (bool aggressive : {false, true})
        runToFixedPoint({level, aggressive, priority});
  }
}
