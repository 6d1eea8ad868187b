//===- ClusterMerging.cpp - which kernels become one ----------------------===//
//
// Two clusters merge where the rows of one space are those of the other,
// nothing between them has to wait for both, and one kernel reads no more than
// it is worth. The order of clusters follows each merge (Pearce and Kelly
// 2006).
//
//===----------------------------------------------------------------------===//

#include "Kernels/ClusterGraph.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

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
      consumer.kind == K::Structured || consumer.kind == K::Matmul)
    return std::nullopt;
  if (producer.kind == K::Matmul) {
    if (consumer.kind != K::Elementwise || consumer.points != producer.points ||
        consumer.indexed)
      return std::nullopt;
    return Space{K::Matmul, producer.points, 0};
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

/// What one computes at other indices than the other reads cannot be in one
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

bool ClusterGraph::moveToMatmul(unsigned number, unsigned target) {
  Cluster &source = *clusterStates[clusters[number]],
          &matmul = *clusterStates[target];
  const Node &node = nodes[number];
  if (node.kind != NodeKind::Elementwise ||
      elementsOf(node.op->getResult(0)) != matmul.points)
    return false;
  for (const Edge &edge : node.producers) {
    if (clusters[edge.node] == target
            ? edge.access.kind != ElementAccess::Identity
            : !addDependence(clusters[edge.node], target))
      return false;
  }
  llvm::erase(source.members, number);
  matmul.members.insert(llvm::upper_bound(matmul.members, number), number);
  clusters[number] = target;
  return true;
}
