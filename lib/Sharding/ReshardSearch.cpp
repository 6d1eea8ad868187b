//===- ReshardSearch.cpp - Shortest paths between shardings ---------------===//
#include "ReshardSearch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace tessera;

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

ReshardSearch::ReshardSearch(const ReshardProblem &problem, const Mesh &mesh,
                             const CollectiveCosts &costs,
                             const ReshardOptions &options, int64_t memoryLimit,
                             const ReshardSearchLimits &limits)
    : problem(problem), mesh(mesh), costs(costs), memoryLimit(memoryLimit),
      limits(limits) {
  chooseDims();
  collectAtoms(options.useIdleAxes);
  refineAtoms();
  if (tooLarge())
    return;
  wholeBytes = problem.elementBytes;
  for (auto [dim, size] : llvm::enumerate(problem.shape))
    wholeBytes *=
        llvm::is_contained(dims, dim)
            ? size
            : llvm::divideCeil(size, problem.source.numShards(dim, mesh));
  best = {std::numeric_limits<double>::infinity(), 0};
  for (const Atom &atom : atoms) {
    best.latency = std::min(best.latency, atom.links.latency);
    best.bandwidth = std::max(best.bandwidth, atom.links.bandwidth);
  }
  products.assign(size_t(1) << atoms.size(), 1);
  for (uint32_t set = 1; set < products.size(); ++set)
    products[set] =
        products[set & (set - 1)] * atoms[llvm::countr_zero(set)].size;
  target = stateOf(problem.target);
  kindsDiffer = !problem.source.unreduced.empty() &&
                !problem.target.unreduced.empty() &&
                problem.source.unreducedKind != problem.target.unreducedKind;
  target.hasTargetKind = kindsDiffer;
  targetBytes = localBytes(target);
}

/// Dimensions that differ, and others that divide and may serve on the way.
void ReshardSearch::chooseDims() {
  constexpr size_t kWanted = 3;
  auto isEven = [&](unsigned dim) {
    return problem.shape[dim] % problem.source.numShards(dim, mesh) == 0 &&
           problem.shape[dim] % problem.target.numShards(dim, mesh) == 0;
  };
  auto isSplit = [&](unsigned dim) {
    return !problem.source.dims[dim].axes.empty() ||
           !problem.target.dims[dim].axes.empty();
  };
  auto add = [&](auto &&condition, size_t count) {
    for (unsigned dim = 0; dim < problem.shape.size(); ++dim)
      if (dims.size() < count && !llvm::is_contained(dims, dim) &&
          isEven(dim) && condition(dim))
        dims.push_back(dim);
  };
  add(
      [&](unsigned dim) {
        return problem.source.dims[dim] != problem.target.dims[dim];
      },
      kMaxDims);
  add(isSplit, kWanted);
  add([&](unsigned dim) { return problem.shape[dim] > 1; }, kWanted);
  llvm::sort(dims);
}

/// Cuts every axis that takes part at the boundaries that source and target
/// name. Axes of dimensions that stay are left out.
void ReshardSearch::collectAtoms(bool useIdleAxes) {
  AxisList named, fixed;
  for (unsigned dim = 0; dim < problem.shape.size(); ++dim) {
    bool isFixed = !llvm::is_contained(dims, dim);
    for (const TensorSharding *side : {&problem.source, &problem.target})
      llvm::append_range(isFixed ? fixed : named, side->dims[dim].axes);
  }
  for (const TensorSharding *side : {&problem.source, &problem.target})
    llvm::append_range(named, side->unreduced);
  for (auto [number, axis] : llvm::enumerate(mesh.axes)) {
    if (axis.size == 1)
      continue;
    llvm::SmallVector<int64_t> bounds = {1, axis.size};
    bool isNamed = useIdleAxes;
    auto addBounds = [&](const AxisList &list, bool names) {
      for (const AxisRef &ref : list)
        if (ref.name == axis.name) {
          bounds.append({ref.preSize(), ref.endSize(mesh)});
          isNamed |= names;
        }
    };
    addBounds(named, true);
    addBounds(fixed, false);
    if (!isNamed)
      continue;
    llvm::sort(bounds);
    bounds.erase(llvm::unique(bounds), bounds.end());
    for (size_t i = 1; i < bounds.size(); ++i) {
      int64_t size = bounds[i] / bounds[i - 1];
      AxisRef part = AxisRef::get(axis.name, bounds[i - 1], size, mesh);
      bool isIdle = !overlapsAny(part, named, mesh);
      if (overlapsAny(part, fixed, mesh) || (isIdle && !useIdleAxes))
        continue;
      atoms.push_back({part, size, costs.linksOfAxis(number)});
    }
  }
}

/// Cuts atoms into primes, or, where that makes too many, only so that atoms
/// whose sizes have a common divisor can trade places.
void ReshardSearch::refineAtoms() {
  auto split = [&](size_t index, int64_t majorSize) {
    Atom minor = atoms[index];
    minor.axis = minor.axis.dropMajor(majorSize, mesh);
    minor.size /= majorSize;
    atoms[index].axis = atoms[index].axis.takeMajor(majorSize, mesh);
    atoms[index].size = majorSize;
    atoms.insert(atoms.begin() + index + 1, std::move(minor));
  };
  auto smallestPrime = [](int64_t size) {
    for (int64_t prime = 2; prime * prime <= size; ++prime)
      if (size % prime == 0)
        return prime;
    return size;
  };
  unsigned primes = 0;
  for (const Atom &atom : atoms)
    for (int64_t rest = atom.size; rest > 1; rest /= smallestPrime(rest))
      ++primes;
  if (primes <= limits.maxCutAtoms) {
    for (size_t i = 0; i < atoms.size(); ++i)
      if (int64_t prime = smallestPrime(atoms[i].size); prime < atoms[i].size)
        split(i, prime);
    return;
  }
  for (size_t i = 0; i < atoms.size(); ++i)
    for (size_t j = 0; j < atoms.size() && atoms.size() < limits.maxCutAtoms;
         ++j)
      if (int64_t common = std::gcd(atoms[i].size, atoms[j].size);
          common > 1 && common < atoms[i].size)
        split(i, common);
}

ReshardSearch::State
ReshardSearch::stateOf(const TensorSharding &sharding) const {
  // Atoms stand in the order of their axes, so that those of one reference are
  // found from major to minor.
  State state;
  auto atomsOf = [&](llvm::ArrayRef<AxisRef> axes) {
    List list;
    for (const AxisRef &axis : axes)
      for (auto [index, atom] : llvm::enumerate(atoms))
        if (axis.contains(atom.axis, mesh))
          list.push(index);
    return list;
  };
  for (auto [index, dim] : llvm::enumerate(dims))
    state.dims[index] = atomsOf(sharding.dims[dim].axes);
  state.unreduced = atomsOf(sharding.unreduced).set;
  return state;
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

ReshardSearch::Key ReshardSearch::encode(const State &state) const {
  std::array<uint64_t, 2> words = {0, 0};
  auto place = [&](unsigned atom, uint8_t role, uint8_t position) {
    words[atom / 8] |= uint64_t(role << 4 | position) << (atom % 8 * 8);
  };
  uint32_t all = products.size() - 1;
  for (uint32_t rest = all & ~state.used(); rest; rest &= rest - 1)
    place(llvm::countr_zero(rest), kReplicated, 0);
  for (uint32_t rest = state.unreduced; rest; rest &= rest - 1)
    place(llvm::countr_zero(rest), kUnreduced, 0);
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    for (auto [position, atom] : llvm::enumerate(state.dims[dim].ref()))
      place(atom, dim, position);
  place(kMaxAtoms, 0, state.hasTargetKind);
  return {words[0], words[1]};
}

ReshardSearch::State ReshardSearch::decode(const Key &key) const {
  State state;
  auto byte = [&](unsigned atom) -> uint8_t {
    return (atom < 8 ? key.first : key.second) >> (atom % 8 * 8);
  };
  for (unsigned atom = 0; atom < atoms.size(); ++atom) {
    uint8_t role = byte(atom) >> 4, position = byte(atom) & 15;
    if (role == kReplicated)
      continue;
    if (role == kUnreduced) {
      state.unreduced |= 1u << atom;
      continue;
    }
    List &list = state.dims[role];
    list.items[position] = atom;
    list.set |= 1u << atom;
    ++list.size;
  }
  state.hasTargetKind = byte(kMaxAtoms) & 1;
  return state;
}

int64_t ReshardSearch::localBytes(const State &state) const {
  return wholeBytes / product(state.split());
}

bool ReshardSearch::divides(unsigned dim, int64_t parts) const {
  return problem.shape[dims[dim]] % parts == 0;
}

bool ReshardSearch::isGoal(const State &state) const {
  if (state.unreduced != target.unreduced ||
      (target.unreduced && state.hasTargetKind != target.hasTargetKind))
    return false;
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    if (state.dims[dim].ref() != target.dims[dim].ref())
      return false;
  return true;
}

/// What a device already has of its part of the target, on average over devices
/// and at most, in bytes: the digits of both parts must be its own (one in the
/// product of all atoms used), and where an atom splits one dimension now and
/// another one in the target, the element's digits in both must be equal (one
/// in its size).
int64_t ReshardSearch::averageOverlap(const State &state) const {
  uint32_t split = state.split(), targetSplit = target.split();
  int64_t crossing = 1;
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    for (uint32_t rest =
             state.dims[dim].set & targetSplit & ~target.dims[dim].set;
         rest; rest &= rest - 1)
      crossing = std::max(crossing, atoms[llvm::countr_zero(rest)].size);
  uint32_t both = (split | targetSplit) & ~(state.unreduced | target.unreduced);
  return wholeBytes / (product(both) * crossing);
}

/// Whether some dimension is split in a way that its target does not begin
/// with, so that a collective has to undo it.
bool ReshardSearch::needsShrink(const State &state) const {
  for (unsigned dim = 0; dim < dims.size(); ++dim) {
    llvm::ArrayRef<uint8_t> now = state.dims[dim].ref();
    if (target.dims[dim].ref().take_front(now.size()) != now)
      return true;
  }
  return false;
}

/// A lower bound on the cost from `state` to the target, in picoseconds.
///
/// *Bytes.* A device receives at least what it needs and does not have. If a
/// sum over u devices is pending it has nothing yet: it must reduce what is
/// left of its part after slicing by all replicated atoms, and gather the rest.
/// If the target is unreduced over u, one of u devices may hold everything.
///
/// *Messages.* Growing parts takes gathers with as many participants as parts
/// are joined, a pending sum takes reductions with as many participants as
/// there are contributions, and undoing a split takes one collective.
int64_t ReshardSearch::lowerBound(const State &state) const {
  if (kindsDiffer)
    return 0;
  int64_t bytes = localBytes(state), missing = 0, rounds = 0;
  if (target.unreduced) {
    missing = targetBytes / product(target.unreduced) - averageOverlap(state);
    rounds = missing > 0 ? 2 : 0;
  } else {
    if (state.unreduced) {
      int64_t u = product(state.unreduced);
      uint32_t free = (products.size() - 1) & ~state.used();
      int64_t part = bytes / product(free);
      missing = part - part / u + std::max<int64_t>(0, targetBytes - part / u);
      rounds = messageRounds(CollectiveKind::ReduceScatter, u);
    } else {
      missing = targetBytes - averageOverlap(state);
    }
    if (targetBytes > bytes)
      rounds += messageRounds(CollectiveKind::AllGather,
                              llvm::divideCeil(targetBytes, bytes));
    else if (needsShrink(state))
      rounds += 2;
  }
  return (std::max<int64_t>(missing, 0) / best.bandwidth +
          rounds * best.latency) *
         kPicosecondsPerSecond;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

void ReshardSearch::reach(const State &next, Kind kind, unsigned dim,
                          unsigned targetDim, int64_t cost) {
  // A slice is a view of what is there.
  if (kind != Kind::Slice && currentBytes + localBytes(next) > memoryLimit)
    return;
  // One more per step: of equal costs, fewer steps win.
  int64_t total = nodes[current].cost + cost + 1;
  int64_t bound = total + limits.boundFactor * lowerBound(next);
  if (bound >= limits.upperBound)
    return;
  Key key = encode(next);
  auto [found, isNew] = indexOf.try_emplace(key, nodes.size());
  Node node{key,
            total,
            current,
            kind,
            static_cast<uint8_t>(dim),
            static_cast<uint8_t>(targetDim)};
  if (isNew)
    nodes.push_back(node);
  else if (total < nodes[found->second].cost)
    nodes[found->second] = node;
  else
    return;
  queue.emplace_back(total + limits.boundFactor * lowerBound(next), generated++,
                     found->second);
  std::push_heap(queue.begin(), queue.end(), std::greater<>());
}

std::optional<ReshardPlan> ReshardSearch::run() {
  State source = stateOf(problem.source);
  nodes.push_back({encode(source), 0, -1, Kind::Slice, 0, 0});
  indexOf[nodes[0].key] = 0;
  queue.emplace_back(0, generated++, 0);
  while (!queue.empty() && !gaveUp()) {
    std::pop_heap(queue.begin(), queue.end(), std::greater<>());
    int index = std::get<2>(queue.back());
    queue.pop_back();
    if (nodes[index].isClosed)
      continue;
    if (isGoal(decode(nodes[index].key))) {
      planCost = nodes[index].cost;
      return planTo(index);
    }
    expand(index);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

TensorSharding ReshardSearch::shardingOf(const State &state) const {
  TensorSharding sharding = problem.source;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    AxisList &axes = sharding.dims[dim].axes;
    axes.clear();
    for (uint8_t atom : state.dims[index].ref())
      axes.push_back(atoms[atom].axis);
  }
  sharding.unreduced.clear();
  for (uint32_t rest = state.unreduced; rest; rest &= rest - 1)
    sharding.unreduced.push_back(atoms[llvm::countr_zero(rest)].axis);
  if (problem.source.unreduced.empty() || state.hasTargetKind)
    sharding.unreducedKind = problem.target.unreducedKind;
  return sharding.placement(mesh);
}

/// Lines both states up, role by role, and drops what stays in its place.
void ReshardSearch::fillPermutation(const State &before, const State &after,
                                    ReshardStep &step) const {
  auto add = [&](AxisList &list, uint8_t atom) {
    list.push_back(atoms[atom].axis);
  };
  auto addSet = [&](AxisList &list, uint32_t set) {
    for (; set; set &= set - 1)
      add(list, llvm::countr_zero(set));
  };
  AxisList from, to;
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    forEachMovedBlock(
        before.dims[dim].ref(), after.dims[dim].ref(),
        [&](llvm::ArrayRef<uint8_t> left, llvm::ArrayRef<uint8_t> entered) {
          for (uint8_t atom : left)
            add(from, atom);
          for (uint8_t atom : entered)
            add(to, atom);
        });
  uint32_t all = products.size() - 1;
  uint32_t oldFree = all & ~before.used(), newFree = all & ~after.used();
  addSet(from, before.unreduced & ~after.unreduced);
  addSet(to, after.unreduced & ~before.unreduced);
  addSet(from, oldFree & ~newFree);
  addSet(to, newFree & ~oldFree);
  step.axes = canonicalSet(from, mesh);
  step.from = mergeAdjacent(from, mesh);
  step.to = mergeAdjacent(to, mesh);
}

ReshardStep ReshardSearch::stepBetween(const State &before, const State &after,
                                       const Node &node) const {
  ReshardStep step;
  step.kind = node.kind;
  step.result = shardingOf(after);
  auto addTail = [&](const List &longer, const List &shorter) {
    for (uint8_t atom : longer.ref().drop_front(shorter.size))
      step.axes.push_back(atoms[atom].axis);
  };
  auto addSet = [&](uint32_t set) {
    for (; set; set &= set - 1)
      step.axes.push_back(atoms[llvm::countr_zero(set)].axis);
  };
  switch (node.kind) {
  case Kind::Slice:
  case Kind::ReduceScatter:
    addTail(after.dims[node.dim], before.dims[node.dim]);
    step.dim = dims[node.dim];
    break;
  case Kind::AllGather:
  case Kind::ShardedToUnreduced:
    addTail(before.dims[node.dim], after.dims[node.dim]);
    step.dim = dims[node.dim];
    break;
  case Kind::AllToAll:
    addTail(before.dims[node.dim], after.dims[node.dim]);
    step.dim = dims[node.dim];
    step.targetDim = dims[node.targetDim];
    break;
  case Kind::AllReduce:
    addSet(before.unreduced & ~after.unreduced);
    break;
  case Kind::ReplicatedToUnreduced:
    addSet(after.unreduced & ~before.unreduced);
    break;
  case Kind::Permute:
    fillPermutation(before, after, step);
    break;
  }
  step.axes = mergeAdjacent(step.axes, mesh);
  if (std::optional<CollectiveKind> collective = step.collective()) {
    int64_t bytes = localBytes(before);
    step.bytes = bytesSent(*collective, totalSize(step.axes, mesh), bytes);
    step.seconds = costs.seconds(*collective, step.axes, bytes);
  }
  return step;
}

ReshardPlan ReshardSearch::planTo(int goal) const {
  llvm::SmallVector<int> path;
  for (int index = goal; index >= 0; index = nodes[index].parent)
    path.push_back(index);
  std::reverse(path.begin(), path.end());
  ReshardPlan plan;
  auto add = [&](const State &before, const State &after, const Node &node) {
    plan.steps.push_back(stepBetween(before, after, node));
    plan.bytes += plan.steps.back().bytes;
    plan.seconds += plan.steps.back().seconds;
  };
  for (size_t i = 1; i < path.size();) {
    State before = decode(nodes[path[i - 1]].key);
    // Slices that follow each other become one, dimension by dimension.
    size_t end = i + 1;
    if (nodes[path[i]].kind == Kind::Slice)
      while (end < path.size() && nodes[path[end]].kind == Kind::Slice)
        ++end;
    State after = decode(nodes[path[end - 1]].key);
    if (nodes[path[i]].kind != Kind::Slice)
      add(before, after, nodes[path[i]]);
    else
      for (unsigned dim = 0; dim < dims.size(); ++dim) {
        if (before.dims[dim].size == after.dims[dim].size)
          continue;
        State next = before;
        next.dims[dim] = after.dims[dim];
        Node slice = nodes[path[i]];
        slice.dim = dim;
        add(before, next, slice);
        before = next;
      }
    i = end;
  }
  plan.peakBytes = peakBytesOf(plan.steps, problem, mesh);
  return plan;
}
