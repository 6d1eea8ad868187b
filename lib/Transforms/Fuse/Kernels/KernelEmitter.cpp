//===- KernelEmitter.cpp - kernels from clusters --------------------------===//

#include "Kernels/KernelEmitter.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

OpBuilder KernelEmitter::builderInBody() {
  OpBuilder builder(block.getTerminator()->getContext());
  builder.setInsertionPointToEnd(body);
  return builder;
}

void KernelEmitter::cloneOperation(Operation *op) {
  for (Value operand : op->getOperands())
    if (!mapping.contains(operand))
      mapping.map(operand, materialize(operand));
  builderInBody().clone(*op, mapping);
}

/// Reads a value through an operand of the kernel.
Value KernelEmitter::readExternal(Value value) {
  Value outside = replacements.lookup(value);
  if (!outside)
    outside = value;
  Value inside = mapping.lookupOrNull(outside);
  if (!inside) {
    inside = body->addArgument(outside.getType(), outside.getLoc());
    operands.push_back(outside);
    mapping.map(outside, inside);
  }
  if (inside.getType() == value.getType())
    return inside;
  OpBuilder builder = builderInBody();
  return ReshapeOp::create(builder, value.getLoc(), value.getType(), inside);
}

Value KernelEmitter::materialize(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || !(graph.isCopied(op) || graph.isConstantExpression(op)))
    return readExternal(value);
  cloneOperation(op);
  return mapping.lookup(value);
}

SmallVector<Value> KernelEmitter::neededResults(unsigned member,
                                                unsigned cluster) const {
  const ClusterGraph::Node &node = graph.node(member);
  SmallVector<Value> needed;
  for (Value value : node.escaping)
    if (!llvm::is_contained(needed, value))
      needed.push_back(value);
  bool readElsewhere =
      llvm::any_of(node.users, [&](const ClusterGraph::Edge &edge) {
        unsigned user = graph.clusterOf(edge.node);
        return user != cluster && !graph.cluster(user).opaque;
      });
  if (readElsewhere && (needed.empty() || node.op->getNumResults() > 1))
    for (Value result : node.op->getResults())
      if (!llvm::is_contained(needed, result))
        needed.push_back(result);
  return needed;
}

/// The location of the operation that gives a kernel its name.
static Location locationOf(const ClusterGraph &graph,
                           const ClusterGraph::Cluster &cluster) {
  using Kind = ClusterGraph::NodeKind;
  for (unsigned member : cluster.members)
    if (graph.node(member).kind != Kind::Elementwise &&
        graph.node(member).kind != Kind::Indexed)
      return graph.node(member).op->getLoc();
  return graph.node(cluster.members.back()).op->getLoc();
}

void KernelEmitter::emitKernel(const ClusterGraph::Cluster &cluster) {
  body = new Block();
  mapping.clear();
  operands.clear();
  for (unsigned member : cluster.members)
    if (!mapping.contains(graph.node(member).op->getResult(0)))
      cloneOperation(graph.node(member).op);
  SmallVector<Value> needed, yielded;
  for (unsigned member : cluster.members)
    for (Value value : neededResults(member, current)) {
      needed.push_back(value);
      yielded.push_back(materialize(value));
    }
  OpBuilder builder = builderInBody();
  Location location = locationOf(graph, cluster);
  spmd::YieldOp::create(builder, location, yielded);
  builder.setInsertionPoint(block.getTerminator());
  auto kernel = spmd::KernelOp::create(
      builder, location, TypeRange(ValueRange(yielded)), operands);
  kernel.getBody().push_back(body);
  for (auto [value, result] : llvm::zip_equal(needed, kernel.getResults())) {
    escaped.push_back({value, result});
    ViewSource source =
        graph.nodeOf(value) ? ViewSource{value, {}} : graph.resolve(value);
    replacements.try_emplace(source.base, result);
  }
}

void KernelEmitter::run() {
  SmallVector<Operation *> old;
  for (Operation &op : block.without_terminator())
    if (isKernelOperation(&op))
      old.push_back(&op);
  for (unsigned number : graph.clustersInOrder()) {
    const ClusterGraph::Cluster &cluster = graph.cluster(number);
    if (cluster.opaque) {
      graph.node(cluster.members.front()).op->moveBefore(block.getTerminator());
      continue;
    }
    current = number;
    emitKernel(cluster);
  }
  for (auto [value, result] : escaped)
    value.replaceAllUsesWith(result);
  for (Operation *op : llvm::reverse(old))
    op->erase();
}
