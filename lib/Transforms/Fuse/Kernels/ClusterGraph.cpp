//===- ClusterGraph.cpp - the operations of a block and their kernels -----===//

#include "Kernels/ClusterGraph.h"

#include "tessera/Interfaces/CostInterface.h"

#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

/// Largest expression over constants that is copied into every kernel that
/// needs it.
static constexpr unsigned kFreeExpression = 16;
/// Edges that a search for a cycle may visit.
static constexpr unsigned kSearchBudget = 4096;
/// Largest kernel.
static constexpr unsigned kMembers = 256;
/// A value of fewer elements than this is not worth a kernel that reads more
/// tensors than this: it would only save a launch, and run out of registers.
/// These are a sum so far and 16 summands: as layers often have 8 or 16
/// parameters, the norm of all gradients then takes equal kernels for equal
/// layers.
static constexpr int64_t kFewElements = 1024;
static constexpr unsigned kInputs = 17;
/// A kernel with fewer rows than this and more points than that is left to
/// several kernels: rows are what threads share.
static constexpr int64_t kFewRows = 8, kManyPoints = 1 << 16;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

ClusterGraph::ClusterGraph(Block &block) : block(block) {
  // A view that an operation outside kernels needs has to be made by a kernel,
  // so these are known first.
  for (Operation &op : block)
    if (isKernelOperation(&op))
      isFree(&op);
  for (Operation &op : block)
    if (!isKernelOperation(&op))
      promoteViews(&op);
  nodes.reserve(block.getOperations().size());
  for (Operation &op : block.without_terminator())
    if (nodeNumbers.contains(&op) || !isCopied(&op))
      addNode(&op);
  for (unsigned number = 0; number < nodes.size(); ++number)
    addEdges(number);
  keepEffectsInOrder();
  // What the terminator reads leaves the block.
  for (Value operand : block.getTerminator()->getOperands())
    if (std::optional<unsigned> number = nodeOf(resolveForOpaque(operand).base))
      nodes[*number].escaping.push_back(operand);
  for (unsigned number = 0; number < nodes.size(); ++number)
    initializeCluster(number);
  seen.assign(nodes.size(), 0);
}

static bool isConstant(Operation *op) {
  return getOperationCost(op).kind == WorkKind::Constant;
}

bool ClusterGraph::isFree(Operation *op) {
  unsigned size = 1;
  OperationCost cost = getOperationCost(op);
  bool isCheap = cost.kind == WorkKind::Constant || getViewAccess(op) ||
                 (cost.kind == WorkKind::Elementwise && !cost.isExpensive());
  if (!isCheap)
    return false;
  for (Value operand : op->getOperands()) {
    auto known = freeOperations.find(operand.getDefiningOp());
    if (known == freeOperations.end())
      return false;
    size += known->second;
  }
  if (size > kFreeExpression)
    return false;
  freeOperations[op] = size;
  return true;
}

bool ClusterGraph::isCopied(Operation *op) const {
  if (op->getBlock() == &block && nodeNumbers.contains(op))
    return false;
  return isKernelOperation(op) &&
         (freeOperations.contains(op) || getViewAccess(op) || isConstant(op));
}

/// Values that `op`, or an operation in its regions, reads.
static void forEachOperand(Operation *op, function_ref<void(Value)> visit) {
  if (op->getNumRegions() == 0) {
    llvm::for_each(op->getOperands(), visit);
    return;
  }
  op->walk(
      [&](Operation *inner) { llvm::for_each(inner->getOperands(), visit); });
}

/// Views that `op`, which stands outside kernels, reads become nodes, unless
/// they are reshapes of what a kernel computes.
void ClusterGraph::promoteViews(Operation *op) {
  forEachOperand(op, [&](Value operand) {
    Operation *producer = operand.getDefiningOp();
    if (!producer || producer->getBlock() != &block || !isCopied(producer))
      return;
    ViewSource source = resolve(operand);
    Operation *base = source.base ? source.base.getDefiningOp() : nullptr;
    bool relabelled = base && base->getBlock() == &block &&
                      isKernelOperation(base) && !isCopied(base) &&
                      source.access.kind == ElementAccess::Identity;
    if (!relabelled)
      nodeNumbers[producer] = ~0u;
  });
}

ClusterGraph::NodeKind ClusterGraph::classify(Operation *op) const {
  if (!isKernelOperation(op))
    return NodeKind::Opaque;
  switch (getOperationCost(op).kind) {
  case WorkKind::Reduction:
    return getReductionKind(cast<ReduceOp>(op)) == KernelKind::Column
               ? NodeKind::ColumnReduction
               : NodeKind::RowReduction;
  case WorkKind::Product:
    return NodeKind::Contraction;
  case WorkKind::Structured:
    return NodeKind::Structured;
  case WorkKind::Elementwise:
  case WorkKind::Constant:
    return NodeKind::Elementwise;
  default:
    return getViewAccess(op) ? NodeKind::Elementwise : NodeKind::Indexed;
  }
}

void ClusterGraph::addNode(Operation *op) {
  nodeNumbers[op] = nodes.size();
  nodes.push_back({op, classify(op), {}, {}, {}, {}});
}

std::optional<unsigned> ClusterGraph::nodeOf(Value value) const {
  if (!value)
    return std::nullopt;
  auto it = nodeNumbers.find(value.getDefiningOp());
  return it == nodeNumbers.end() ? std::nullopt
                                 : std::optional<unsigned>(it->second);
}

ViewSource ClusterGraph::resolve(Value value) const {
  ElementAccess access;
  while (Operation *op = value.getDefiningOp()) {
    if (freeOperations.contains(op) || isConstant(op))
      return {};
    std::optional<ElementAccess> view = getViewAccess(op);
    if (!view || !isCopied(op))
      break;
    access = access.through(*view);
    value = op->getOperand(0);
  }
  return {value, access};
}

/// The same for a value that an operation outside kernels reads: it takes what
/// kernels copy from the kernel that makes it.
ViewSource ClusterGraph::resolveForOpaque(Value value) const {
  return nodeOf(value) ? ViewSource{value, {}} : resolve(value);
}

void ClusterGraph::addEdge(unsigned user, Value operand) {
  ViewSource source = nodes[user].kind == NodeKind::Opaque
                          ? resolveForOpaque(operand)
                          : resolve(operand);
  if (!source.base)
    return;
  std::optional<unsigned> producer = nodeOf(source.base);
  if (!producer) {
    nodes[user].externals.push_back(source.base);
    return;
  }
  Node &node = nodes[user];
  if (node.kind == NodeKind::Opaque &&
      nodes[*producer].kind != NodeKind::Opaque)
    nodes[*producer].escaping.push_back(operand);
  // A view that is a node moves the elements of its operand by itself.
  if (std::optional<ElementAccess> view = getViewAccess(node.op))
    source.access = view->through(source.access);
  else if (node.kind == NodeKind::Indexed)
    source.access.kind = ElementAccess::Mapped;
  node.producers.push_back({*producer, source.access});
  nodes[*producer].users.push_back({user, source.access});
}

void ClusterGraph::addEdges(unsigned number) {
  forEachOperand(nodes[number].op,
                 [&](Value operand) { addEdge(number, operand); });
}

void ClusterGraph::keepEffectsInOrder() {
  std::optional<unsigned> last;
  for (unsigned number = 0; number < nodes.size(); ++number) {
    if (isMemoryEffectFree(nodes[number].op))
      continue;
    if (last) {
      nodes[*last].users.push_back({number, {}});
      nodes[number].producers.push_back({*last, {}});
    }
    last = number;
  }
}

void ClusterGraph::initializeCluster(unsigned number) {
  auto cluster = std::make_unique<Cluster>();
  const Node &node = nodes[number];
  cluster->members = {number};
  cluster->position = number;
  cluster->opaque = node.kind == NodeKind::Opaque;
  cluster->indexed = node.kind == NodeKind::Indexed;
  if (!cluster->opaque)
    cluster->points = elementsOf(node.op->getResult(0));
  switch (node.kind) {
  case NodeKind::RowReduction:
  case NodeKind::ColumnReduction:
    cluster->kind = node.kind == NodeKind::RowReduction ? KernelKind::Row
                                                        : KernelKind::Column;
    cluster->parts = cluster->points;
    cluster->points = elementsOf(node.op->getOperand(0));
    break;
  case NodeKind::Contraction:
    cluster->kind = KernelKind::Contraction;
    break;
  case NodeKind::Structured:
    cluster->kind = KernelKind::Structured;
    break;
  default:
    break;
  }
  clusters.push_back(number);
  clusterStates.push_back(std::move(cluster));
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

SmallVector<unsigned> ClusterGraph::clustersInOrder() const {
  SmallVector<unsigned> order;
  for (unsigned number = 0; number < clusterStates.size(); ++number)
    if (clusterStates[number])
      order.push_back(number);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return cluster(a).position < cluster(b).position;
  });
  return order;
}

SmallVector<unsigned> ClusterGraph::consumersOf(unsigned number) const {
  llvm::SmallSet<unsigned, 8> seen;
  SmallVector<unsigned> consumers;
  for (const Edge &edge : nodes[number].users)
    if (unsigned consumer = clusters[edge.node];
        consumer != clusters[number] && seen.insert(consumer).second)
      consumers.push_back(consumer);
  llvm::sort(consumers, [&](unsigned a, unsigned b) {
    return cluster(a).position < cluster(b).position;
  });
  return consumers;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

/// The space of a kernel with the points of both, if the smaller space is one
/// of rows of the larger; parts are 0 where none are needed yet.
static std::optional<std::pair<int64_t, int64_t>>
unifyRows(int64_t pointsA, int64_t partsA, int64_t pointsB, int64_t partsB) {
  if (pointsA < pointsB) {
    std::swap(pointsA, pointsB);
    std::swap(partsA, partsB);
  }
  if (pointsA == pointsB) {
    if (partsA && partsB && partsA != partsB)
      return std::nullopt;
    return std::pair(pointsA, partsA ? partsA : partsB);
  }
  // The larger must have rows already: else a scalar would tie together all
  // that it is broadcast to.
  if (partsB || partsA != pointsB)
    return std::nullopt;
  return std::pair(pointsA, pointsB);
}

std::optional<ClusterGraph::Space>
ClusterGraph::unify(const Cluster &producer, const Cluster &consumer) const {
  using K = KernelKind;
  if (producer.opaque || consumer.opaque || producer.kind == K::Structured ||
      consumer.kind == K::Structured || consumer.kind == K::Contraction)
    return std::nullopt;
  if (producer.kind == K::Contraction) {
    if (consumer.kind != K::Elementwise || consumer.points != producer.points ||
        consumer.indexed)
      return std::nullopt;
    return Space{K::Contraction, producer.points, 0};
  }
  if (producer.kind == K::Column && consumer.kind == K::Column) {
    if (producer.points != consumer.points || producer.parts != consumer.parts)
      return std::nullopt;
    return Space{K::Column, producer.points, producer.parts};
  }
  if (producer.kind == K::Column) {
    if (consumer.kind != K::Elementwise || consumer.points != producer.parts)
      return std::nullopt;
    return Space{K::Column, producer.points, producer.parts};
  }
  if (consumer.kind == K::Column) {
    if (producer.kind != K::Elementwise || consumer.points != producer.points)
      return std::nullopt;
    return Space{K::Column, consumer.points, consumer.parts};
  }
  auto rows = unifyRows(producer.points, producer.parts, consumer.points,
                        consumer.parts);
  if (!rows ||
      (rows->second && rows->second < kFewRows && rows->first > kManyPoints))
    return std::nullopt;
  return Space{rows->second ? K::Row : K::Elementwise, rows->first,
               rows->second};
}

/// What one computes at other places than the other reads cannot be in one
/// kernel.
bool ClusterGraph::edgesAllowMerge(const Cluster &producer,
                                   unsigned consumer) const {
  for (unsigned member : producer.members)
    for (const Edge &edge : nodes[member].users)
      if (clusters[edge.node] == consumer &&
          edge.access.kind == ElementAccess::Mapped)
        return false;
  return true;
}

bool ClusterGraph::isReadOnlyBy(const Cluster &producer,
                                unsigned producerNumber,
                                unsigned consumer) const {
  return llvm::all_of(producer.members, [&](unsigned member) {
    return nodes[member].escaping.empty() &&
           llvm::all_of(nodes[member].users, [&](const Edge &edge) {
             return clusters[edge.node] == consumer ||
                    clusters[edge.node] == producerNumber;
           });
  });
}

/// Collects the clusters that `from` reaches on this side of the position of
/// `target`. Fails if it reaches `target` by another way than by an edge
/// between the two (if `direct` allows these).
bool ClusterGraph::search(unsigned from, unsigned target, bool direct,
                          bool forward, SmallVectorImpl<unsigned> &visited) {
  unsigned limit = cluster(target).position, budget = kSearchBudget;
  ++searches;
  SmallVector<unsigned> stack = {from};
  while (!stack.empty()) {
    unsigned current = stack.pop_back_val();
    for (unsigned member : cluster(current).members)
      for (const Edge &edge :
           forward ? nodes[member].users : nodes[member].producers) {
        if (budget-- == 0)
          return false;
        unsigned next = clusters[edge.node];
        if (next == current || (next == target && current == from && direct))
          continue;
        if (next == target)
          return false;
        unsigned position = cluster(next).position;
        if ((forward ? position < limit : position > limit) &&
            std::exchange(seen[next], searches) != searches) {
          visited.push_back(next);
          stack.push_back(next);
        }
      }
  }
  return true;
}

/// Distributes the positions of the clusters in `order` (and of `extra`, which
/// gets the last) ascending over `order`.
void ClusterGraph::assignPositions(ArrayRef<unsigned> order,
                                   std::optional<unsigned> extra) {
  SmallVector<unsigned> positions;
  for (unsigned number : order)
    positions.push_back(cluster(number).position);
  if (extra)
    positions.push_back(cluster(*extra).position);
  llvm::sort(positions);
  for (auto [number, position] : llvm::zip(order, positions))
    clusterStates[number]->position = position;
  if (extra)
    clusterStates[*extra]->position = positions.back();
}

/// Gives `consumer`, the future merged cluster, a position after all that the
/// two need and before all that needs them.
bool ClusterGraph::reorder(unsigned producer, unsigned consumer) {
  SmallVector<unsigned> after, before;
  if (!search(producer, consumer, /*direct=*/true, /*forward=*/true, after))
    return false;
  // Nothing between the two waits for the producer, so it may come as late as
  // the consumer, however much lies between.
  if (after.empty())
    return true;
  if (!search(consumer, producer, /*direct=*/true, /*forward=*/false, before))
    return false;
  auto byPosition = [&](unsigned a, unsigned b) {
    return cluster(a).position < cluster(b).position;
  };
  llvm::sort(before, byPosition);
  llvm::sort(after, byPosition);
  before.push_back(consumer);
  llvm::append_range(before, after);
  assignPositions(before, producer);
  return true;
}

/// Orders `first` before `second`; fails if it depends on it.
bool ClusterGraph::addDependence(unsigned first, unsigned second) {
  if (cluster(first).position < cluster(second).position)
    return true;
  SmallVector<unsigned> after, before;
  if (!search(second, first, /*direct=*/false, /*forward=*/true, after) ||
      !search(first, second, /*direct=*/false, /*forward=*/false, before))
    return false;
  before.push_back(first);
  after.push_back(second);
  auto byPosition = [&](unsigned a, unsigned b) {
    return cluster(a).position < cluster(b).position;
  };
  llvm::sort(before, byPosition);
  llvm::sort(after, byPosition);
  llvm::append_range(before, after);
  assignPositions(before, std::nullopt);
  return true;
}

/// Whether what `producer` computes for others is small, and `consumer` would
/// read too many tensors with what it reads: as a sum of many scalars, which
/// grows from any number of kernels.
bool ClusterGraph::readsTooMuch(unsigned producer, unsigned consumer) const {
  const Cluster &first = cluster(producer), &second = cluster(consumer);
  // Most operations have two operands.
  if (2 * (first.members.size() + second.members.size()) <= kInputs)
    return false;
  llvm::SmallDenseSet<Value, 32> inputs;
  auto addInput = [&](Value value) {
    // Conditions have registers of their own.
    if (!getElementTypeOrSelf(value).isInteger(1))
      inputs.insert(value);
  };
  for (const Cluster *part : {&first, &second})
    for (unsigned member : part->members) {
      llvm::for_each(nodes[member].externals, addInput);
      for (const Edge &edge : nodes[member].producers) {
        unsigned from = clusters[edge.node];
        Value value = nodes[edge.node].op->getResult(0);
        if (from == producer && part == &second &&
            elementsOf(value) >= kFewElements)
          return false;
        if (from != producer && from != consumer)
          addInput(value);
      }
    }
  return inputs.size() > kInputs;
}

bool ClusterGraph::merge(unsigned producer, unsigned consumer) {
  const Cluster &first = cluster(producer), &second = cluster(consumer);
  if (first.members.size() + second.members.size() > kMembers)
    return false;
  std::optional<Space> space = unify(first, second);
  if (!space || !edgesAllowMerge(first, consumer))
    return false;
  if (second.kind == KernelKind::Column && first.kind != KernelKind::Column &&
      !isReadOnlyBy(first, producer, consumer))
    return false;
  if (readsTooMuch(producer, consumer) || !reorder(producer, consumer))
    return false;
  Cluster &merged = *clusterStates[consumer];
  merged.kind = space->kind;
  merged.points = space->points;
  merged.parts = space->parts;
  merged.indexed |= first.indexed;
  for (unsigned member : first.members)
    clusters[member] = consumer;
  llvm::append_range(merged.members, first.members);
  llvm::sort(merged.members);
  clusterStates[producer].reset();
  return true;
}

bool ClusterGraph::moveToContraction(unsigned number, unsigned target) {
  Cluster &source = *clusterStates[clusters[number]],
          &contraction = *clusterStates[target];
  const Node &node = nodes[number];
  if (node.kind != NodeKind::Elementwise ||
      elementsOf(node.op->getResult(0)) != contraction.points)
    return false;
  for (const Edge &edge : node.producers) {
    if (clusters[edge.node] == target
            ? edge.access.kind != ElementAccess::Identity
            : !addDependence(clusters[edge.node], target))
      return false;
  }
  llvm::erase(source.members, number);
  contraction.members.insert(llvm::upper_bound(contraction.members, number),
                             number);
  clusters[number] = target;
  return true;
}
