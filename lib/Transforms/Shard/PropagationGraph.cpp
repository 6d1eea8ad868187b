//===- PropagationGraph.cpp - what shardings travel along -----------------===//

#include "PropagationGraph.h"

#include "tessera/Interfaces/DataFlow.h"

#include "llvm/ADT/EquivalenceClasses.h"

#include <set>

using namespace mlir;
using namespace tessera;

/// The slot of all scalars.
static constexpr unsigned kScalarSlot = 0;

/// The stages of the operation priority, see `optionsFor`.
static constexpr unsigned kNumLevels = 5;

PropagationGraph::PropagationGraph(func::FuncOp function, const Mesh &mesh)
    : steps(mesh) {
  addSlots(function);
  addNodes(function);
}

//===----------------------------------------------------------------------===//
// Building the graph
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

PropagationGraph::Slot PropagationGraph::newSlot(Type type) {
  shardings.push_back(TensorSharding::getOpen(shapeOf(type).size()));
  nodesOfSlot.emplace_back();
  numUses.push_back(0);
  return shardings.size() - 1;
}

void PropagationGraph::addSlots(func::FuncOp function) {
  newSlot(
      RankedTensorType::get({}, IntegerType::get(function.getContext(), 1)));
  auto addValue = [&](Value value) {
    if (!shapeOf(value.getType()).empty())
      valueSlots.try_emplace(value, newSlot(value.getType()));
  };
  // What one operand of control flow fills shares a slot.
  auto addTargets = [&](Operation *op) {
    llvm::EquivalenceClasses<void *> targets;
    DenseMap<OpOperand *, Value> targetOf;
    SmallVector<Value> all;
    forEachDataFlowEdge(op, [&](OpOperand &source, Value target) {
      if (!targets.contains(target.getAsOpaquePointer()))
        all.push_back(target);
      targets.insert(target.getAsOpaquePointer());
      auto [entry, isNew] = targetOf.try_emplace(&source, target);
      if (!isNew)
        targets.unionSets(entry->second.getAsOpaquePointer(),
                          target.getAsOpaquePointer());
    });
    for (Value target : all) {
      Value leader = Value::getFromOpaquePointer(
          targets.getLeaderValue(target.getAsOpaquePointer()));
      addValue(leader);
      if (target != leader && valueSlots.contains(leader))
        valueSlots.try_emplace(target, valueSlots.lookup(leader));
    }
  };
  for (BlockArgument argument : function.getArguments())
    addValue(argument);
  walkProgram(function, [&](Operation *op) {
    if (hasDataFlow(op))
      addTargets(op);
    for (Value result : op->getResults())
      addValue(result);
  });
  for (Type type : function.getResultTypes())
    resultSlots.push_back(shapeOf(type).empty() ? kScalarSlot : newSlot(type));
}

void PropagationGraph::addNode(Operation *op, const ShardingRule *rule,
                               ArrayRef<Slot> slots,
                               ArrayRef<ArrayRef<int64_t>> shapes) {
  if (llvm::all_of(slots, [](Slot slot) { return slot == kScalarSlot; }))
    return;
  provenance.addNode(op->getName().getStringRef(), op->getLoc());
  Node &node = nodes.emplace_back();
  node.rule = rule;
  node.slots.assign(slots.begin(), slots.end());
  node.shapes.assign(shapes.begin(), shapes.end());
  size_t numOperands = rule->operands.size();
  // Only pass-through factors can be in results alone and still be split.
  BitVector inOperands(rule->factors.size());
  for (auto [index, factor] : llvm::enumerate(rule->factors))
    if (factor.kind != FactorKind::PassThrough)
      inOperands.set(index);
  node.isPointwise = true;
  for (size_t i = 0; i < slots.size(); ++i) {
    size_t count = 0;
    for (const auto &dim : rule->tensor(i).dims)
      for (FactorId factor : dim) {
        ++count;
        if (i < numOperands)
          inOperands.set(factor);
      }
    node.isPointwise &=
        slots[i] == kScalarSlot || count == rule->factors.size();
  }
  node.isBroadcast = !inOperands.all();
  for (auto [i, slot] : llvm::enumerate(slots)) {
    if (slot == kScalarSlot)
      continue;
    nodesOfSlot[slot].push_back(nodes.size() - 1);
    numUses[slot] += i < numOperands;
  }
}

void PropagationGraph::addIdentity(Operation *op, Slot from, Slot to,
                                   Type type) {
  if (from == to)
    return;
  ArrayRef<int64_t> shape = shapeOf(type);
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
    Node &node = nodes.back();
    node.insideSlot = enters;
    node.manual =
        std::make_shared<ManualSharding>(region.getManualSharding(target));
  });
}

void PropagationGraph::addNodes(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto donated = function.getArgAttrOfType<IntegerAttr>(
            i, TesseraDialect::kDonatedAttr)) {
      Type type = function.getArgument(i).getType();
      unsigned result = donated.getInt();
      if (type == function.getResultTypes()[result])
        addIdentity(function, slotOf(function.getArgument(i)),
                    resultSlots[result], type);
    }
  walkProgram(function, [&](Operation *op) {
    if (hasDataFlow(op))
      return addDataFlow(op);
    if (auto returnOp = dyn_cast<func::ReturnOp>(op)) {
      for (auto [value, slot] :
           llvm::zip_equal(returnOp.getOperands(), resultSlots))
        addIdentity(op, slotOf(value), slot, value.getType());
      return;
    }
    const ShardingRule *rule = rules.lookup(op);
    if (!rule)
      return;
    SmallVector<Slot> slots;
    SmallVector<ArrayRef<int64_t>> shapes;
    auto add = [&](Value value) {
      slots.push_back(slotOf(value));
      shapes.push_back(shapeOf(value.getType()));
    };
    llvm::for_each(op->getOperands(), add);
    llvm::for_each(op->getResults(), add);
    addNode(op, rule, slots, shapes);
  });
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
  if (visit.level < 2 && !node.isPointwise)
    return std::nullopt;
  if (visit.level == 0)
    for (size_t i = 0; i < node.rule->operands.size(); ++i)
      if (numUses[node.slots[i]] > 1)
        return std::nullopt;
  if (node.isBroadcast && visit.level < 4)
    options.direction = PropagationDirection::Backward;
  options.passThroughOnly = visit.level == 2 && !node.isPointwise;
  return options;
}

/// The shardings of the slots of `node`; of a slot inside of a manual region
/// that `node` sees from outside, how it is there.
SmallVector<PropagationSteps::Number, 4>
PropagationGraph::shardingsSeenBy(const Node &node) {
  SmallVector<PropagationSteps::Number, 4> tensors;
  for (Slot slot : node.slots)
    tensors.push_back(numbers[slot]);
  if (node.manual) {
    PropagationSteps::Number &inside = tensors[node.insideSlot];
    TensorSharding outside = node.manual->toOutside(steps.sharding(inside));
    llvm::append_range(outside.replicated, node.manual->unusedAxes());
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
  const Node &node = nodes[index];
  PropagationSteps::Number known = numbers[node.slots[tensor]];
  if (after == known)
    return;
  const TensorSharding &grown = steps.sharding(after);
  const TensorSharding &before = steps.sharding(known);
  for (auto [number, dim] : llvm::enumerate(grown.dims)) {
    if (dim.axes == before.dims[number].axes)
      continue;
    const auto &factors = node.rule->tensor(tensor).dims[number];
    for (const AxisRef &axis : dim.axes)
      for (auto [other, slot] : llvm::enumerate(node.slots)) {
        if (slot == node.slots[tensor] || !provenance.has(slot, axis.name))
          continue;
        const auto &otherDims = node.rule->tensor(other).dims;
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
        provenance.addArrival(node.slots[tensor], axis.name, slot, index);
        break;
      }
  }
}

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

  SmallVector<PropagationSteps::Number, 4> after(
      steps.step(*node.rule, node.shapes, shardingsSeenBy(node), *options));
  if (after.empty())
    return;
  if (node.manual) {
    PropagationSteps::Number &inside = after[node.insideSlot];
    inside = steps.number(*node.manual->toInside(steps.sharding(inside)));
  }
  for (auto [tensor, number] : llvm::enumerate(after))
    recordArrivals(index, tensor, number);
  SmallVector<Slot, 4> grown;
  for (auto [slot, tensor] : llvm::zip_equal(node.slots, after)) {
    // An operand that occurs twice may have grown in two ways; the first
    // counts.
    if (slot == kScalarSlot || llvm::is_contained(grown, slot) ||
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
  for (const TensorSharding &sharding : shardings)
    numbers.push_back(steps.number(sharding));
  std::set<int64_t> priorities = {0};
  for (const TensorSharding &sharding : shardings)
    for (const DimSharding &dim : sharding.dims)
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
  for (auto [sharding, number] : llvm::zip_equal(shardings, numbers))
    sharding = steps.sharding(number);
}
