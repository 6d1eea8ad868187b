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
    return NodeKind::Matmul;
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
  case NodeKind::Matmul:
    cluster->kind = KernelKind::Matmul;
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
