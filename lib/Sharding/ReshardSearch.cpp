//===- ReshardSearch.cpp - Shortest paths between shardings ---------------===//
#include "ReshardSearch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace tessera;

/// Costs are counted in whole picoseconds.
static constexpr double kPicosecondsPerSecond = 1e12;

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
  target = stateOf(problem.target);
  kindsDiffer = !problem.source.unreduced.empty() &&
                !problem.target.unreduced.empty() &&
                problem.source.unreducedKind != problem.target.unreducedKind;
  target.hasTargetKind = kindsDiffer;
  targetUsed = usedAtoms(target);
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
  if (primes <= limits.maxPrimeAtoms) {
    for (size_t i = 0; i < atoms.size(); ++i)
      if (int64_t prime = smallestPrime(atoms[i].size); prime < atoms[i].size)
        split(i, prime);
    return;
  }
  for (size_t i = 0; i < atoms.size(); ++i)
    for (size_t j = 0; j < atoms.size() && atoms.size() < limits.maxPrimeAtoms;
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
    Atoms list;
    for (const AxisRef &axis : axes)
      for (auto [index, atom] : llvm::enumerate(atoms))
        if (axis.contains(atom.axis, mesh))
          list.push_back(index);
    return list;
  };
  for (unsigned dim : dims)
    state.dims.push_back(atomsOf(sharding.dims[dim].axes));
  for (uint8_t atom : atomsOf(sharding.unreduced))
    state.unreduced |= 1u << atom;
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
  uint32_t used = usedAtoms(state);
  for (unsigned atom = 0; atom < atoms.size(); ++atom)
    if (!(used >> atom & 1))
      place(atom, kReplicated, 0);
    else if (state.unreduced >> atom & 1)
      place(atom, kUnreduced, 0);
  for (auto [dim, list] : llvm::enumerate(state.dims))
    for (auto [position, atom] : llvm::enumerate(list))
      place(atom, dim, position);
  place(kMaxAtoms, 0, state.hasTargetKind);
  return {words[0], words[1]};
}

ReshardSearch::State ReshardSearch::decode(const Key &key) const {
  State state;
  state.dims.resize(dims.size());
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
    Atoms &list = state.dims[role];
    if (list.size() <= position)
      list.resize(position + 1);
    list[position] = atom;
  }
  state.hasTargetKind = byte(kMaxAtoms) & 1;
  return state;
}

uint32_t ReshardSearch::usedAtoms(const State &state) const {
  uint32_t used = state.unreduced;
  for (const Atoms &list : state.dims)
    for (uint8_t atom : list)
      used |= 1u << atom;
  return used;
}

int64_t ReshardSearch::product(llvm::ArrayRef<uint8_t> list) const {
  int64_t product = 1;
  for (uint8_t atom : list)
    product *= atoms[atom].size;
  return product;
}

int64_t ReshardSearch::productOfSet(uint32_t set) const {
  int64_t product = 1;
  for (; set; set &= set - 1)
    product *= atoms[llvm::countr_zero(set)].size;
  return product;
}

int64_t ReshardSearch::localBytes(const State &state) const {
  int64_t parts = 1;
  for (const Atoms &list : state.dims)
    parts *= product(list);
  return wholeBytes / parts;
}

bool ReshardSearch::divides(unsigned dim, int64_t parts) const {
  return problem.shape[dims[dim]] % parts == 0;
}

bool ReshardSearch::isGoal(const State &state) const {
  return state.unreduced == target.unreduced && state.dims == target.dims &&
         (state.hasTargetKind == target.hasTargetKind || target.unreduced == 0);
}

/// A lower bound on the cost from `state` to the target, in picoseconds.
///
/// A device receives at least what it needs and does not have. On average over
/// devices it has, of every element, the chance that the element is in both its
/// old and its new part: the digits of both must be its own (one in the product
/// of all atoms used), and where an atom splits one dimension now and another
/// one later, the element's digits in both must be equal (at most one in its
/// size). A pending reduction leaves nothing that it already has. If the target
/// is unreduced, its parts may be empty: no bound.
int64_t ReshardSearch::lowerBound(const State &state) const {
  if (target.unreduced)
    return 0;
  int64_t missing = targetBytes;
  if (!state.unreduced) {
    int64_t crossing = 1;
    for (size_t dim = 0; dim < state.dims.size(); ++dim)
      for (uint8_t atom : state.dims[dim])
        if ((targetUsed >> atom & 1) &&
            !llvm::is_contained(target.dims[dim], atom))
          crossing = std::max(crossing, atoms[atom].size);
    uint32_t split = usedAtoms(state) | targetUsed;
    missing -= wholeBytes / productOfSet(split) / crossing;
  }
  if (missing <= 0)
    return 0;
  return (missing / best.bandwidth + 2 * best.latency) * kPicosecondsPerSecond;
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

int64_t ReshardSearch::costOf(CollectiveKind kind, uint32_t group,
                              int64_t bytes) const {
  LinkCosts links{0, std::numeric_limits<double>::infinity()};
  for (uint32_t rest = group; rest; rest &= rest - 1) {
    const LinkCosts &link = atoms[llvm::countr_zero(rest)].links;
    links.latency = std::max(links.latency, link.latency);
    links.bandwidth = std::min(links.bandwidth, link.bandwidth);
  }
  return collectiveSeconds(kind, productOfSet(group), bytes, links) *
         kPicosecondsPerSecond;
}

void ReshardSearch::reach(const State &next, Kind kind, unsigned dim,
                          unsigned targetDim, int64_t cost) {
  if (currentBytes + localBytes(next) > memoryLimit)
    return;
  Key key = encode(next);
  // One more per step: of equal costs, fewer steps win.
  int64_t total = nodes[current].cost + cost + 1;
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

void ReshardSearch::expandSlices(const State &state) {
  uint32_t used = usedAtoms(state);
  for (unsigned atom = 0; atom < atoms.size(); ++atom) {
    if (used >> atom & 1)
      continue;
    for (unsigned dim = 0; dim < dims.size(); ++dim) {
      if (!divides(dim, product(state.dims[dim]) * atoms[atom].size))
        continue;
      State next = state;
      next.dims[dim].push_back(atom);
      reach(next, Kind::Slice, dim, 0, 0);
    }
  }
}

void ReshardSearch::expandGathers(const State &state) {
  for (unsigned dim = 0; dim < dims.size(); ++dim) {
    State gathered = state;
    Atoms moved;
    uint32_t group = 0;
    while (!gathered.dims[dim].empty()) {
      moved.insert(moved.begin(), gathered.dims[dim].pop_back_val());
      group |= 1u << moved.front();
      reach(gathered, Kind::AllGather, dim, 0,
            costOf(CollectiveKind::AllGather, group, currentBytes));
      for (unsigned to = 0; to < dims.size(); ++to) {
        if (to == dim ||
            !divides(to, product(gathered.dims[to]) * productOfSet(group)))
          continue;
        State next = gathered;
        llvm::append_range(next.dims[to], moved);
        reach(next, Kind::AllToAll, dim, to,
              costOf(CollectiveKind::AllToAll, group, currentBytes));
      }
    }
  }
}

void ReshardSearch::expandReductions(const State &state) {
  if (state.hasTargetKind)
    return;
  // All subsets are reduced at once.
  for (uint32_t group = state.unreduced; group;
       group = (group - 1) & state.unreduced) {
    State next = state;
    next.unreduced &= ~group;
    reach(next, Kind::AllReduce, 0, 0,
          costOf(CollectiveKind::AllReduce, group, currentBytes));
    Atoms order;
    for (uint32_t rest = group; rest; rest &= rest - 1)
      order.push_back(llvm::countr_zero(rest));
    int64_t cost = costOf(CollectiveKind::ReduceScatter, group, currentBytes);
    do {
      for (unsigned dim = 0; dim < dims.size(); ++dim) {
        if (!divides(dim, product(state.dims[dim]) * product(order)))
          continue;
        State scattered = next;
        llvm::append_range(scattered.dims[dim], order);
        reach(scattered, Kind::ReduceScatter, dim, 0, cost);
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

void ReshardSearch::expandToUnreduced(const State &state) {
  uint32_t wanted = target.unreduced & ~state.unreduced;
  if (!wanted || (kindsDiffer && !state.hasTargetKind && state.unreduced != 0))
    return;
  State next = state;
  next.hasTargetKind = kindsDiffer;
  if (uint32_t group = wanted & ~usedAtoms(state)) {
    next.unreduced |= group;
    reach(next, Kind::ReplicatedToUnreduced, 0, 0, 0);
    next.unreduced = state.unreduced;
  }
  for (unsigned dim = 0; dim < dims.size(); ++dim) {
    State padded = next;
    while (!padded.dims[dim].empty()) {
      uint8_t atom = padded.dims[dim].pop_back_val();
      if (!(wanted >> atom & 1))
        break;
      padded.unreduced |= 1u << atom;
      reach(padded, Kind::ShardedToUnreduced, dim, 0, 0);
    }
  }
}

/// Whether `order` may begin dimension `dim` after a permutation of `state`.
/// With few atoms every order is tried; otherwise those that keep the dimension
/// or begin it with as much of its target as fits, and go on in one order.
bool ReshardSearch::isUsefulOrder(const State &state, unsigned dim,
                                  llvm::ArrayRef<uint8_t> order) const {
  constexpr size_t kFew = 5;
  llvm::ArrayRef<uint8_t> old = state.dims[dim], wanted = target.dims[dim];
  if (atoms.size() <= kFew || old.take_front(order.size()) == order)
    return true;
  int64_t parts = product(old), common = 1;
  size_t fits = 0;
  while (fits < wanted.size() &&
         parts % (common * atoms[wanted[fits]].size) == 0)
    common *= atoms[wanted[fits++]].size;
  size_t shared = std::min(fits, order.size());
  return order.take_front(shared) == wanted.take_front(shared) &&
         llvm::is_sorted(order.drop_front(shared));
}

/// Lines up two lists of equally many parts and visits what differs, in blocks
/// of equal size.
void ReshardSearch::forEachMovedBlock(
    llvm::ArrayRef<uint8_t> before, llvm::ArrayRef<uint8_t> after,
    llvm::function_ref<void(llvm::ArrayRef<uint8_t>, llvm::ArrayRef<uint8_t>)>
        visit) const {
  while (!before.empty()) {
    size_t left = 1, entered = 1;
    int64_t leftSize = atoms[before[0]].size;
    int64_t enteredSize = atoms[after[0]].size;
    while (leftSize != enteredSize)
      if (leftSize < enteredSize)
        leftSize *= atoms[before[left++]].size;
      else
        enteredSize *= atoms[after[entered++]].size;
    if (before.take_front(left) != after.take_front(entered))
      visit(before.take_front(left), after.take_front(entered));
    before = before.drop_front(left);
    after = after.drop_front(entered);
  }
}

/// Fills dimension `dim` and those after it with `available` atoms such that
/// every dimension, and the pending reduction, keeps its number of parts.
void ReshardSearch::permuteDim(const State &state, State &next, unsigned dim,
                               uint32_t available) {
  if (dim < dims.size()) {
    int64_t parts = product(state.dims[dim]), have = product(next.dims[dim]);
    if (have == parts)
      return permuteDim(state, next, dim + 1, available);
    for (uint32_t rest = available; rest; rest &= rest - 1) {
      unsigned atom = llvm::countr_zero(rest);
      if (parts % (have * atoms[atom].size) != 0)
        continue;
      next.dims[dim].push_back(atom);
      if (isUsefulOrder(state, dim, next.dims[dim]))
        permuteDim(state, next, dim, available & ~(1u << atom));
      next.dims[dim].pop_back();
    }
    return;
  }
  int64_t contributions = productOfSet(state.unreduced);
  // Without a pending reduction, only the empty set is left.
  uint32_t subset = contributions == 1 ? 0 : available;
  while (true) {
    if (productOfSet(subset) == contributions) {
      next.unreduced = subset;
      uint32_t moved = state.unreduced ^ subset;
      for (auto [before, after] : llvm::zip_equal(state.dims, next.dims))
        forEachMovedBlock(
            before, after,
            [&](llvm::ArrayRef<uint8_t> old, llvm::ArrayRef<uint8_t>) {
              for (uint8_t atom : old)
                moved |= 1u << atom;
            });
      moved |= usedAtoms(state) ^ usedAtoms(next);
      if (moved)
        reach(next, Kind::Permute, 0, 0,
              costOf(CollectiveKind::Permute, moved, currentBytes));
    }
    if (!subset)
      return;
    subset = (subset - 1) & available;
  }
}

void ReshardSearch::expandPermutations(const State &state) {
  // Two permutations in a row are one.
  if (nodes[current].parent >= 0 && nodes[current].kind == Kind::Permute)
    return;
  State next = state;
  for (Atoms &list : next.dims)
    list.clear();
  permuteDim(state, next, 0, (1u << atoms.size()) - 1);
}

void ReshardSearch::expand(unsigned index) {
  current = index;
  nodes[index].isClosed = true;
  State state = decode(nodes[index].key);
  currentBytes = localBytes(state);
  expandSlices(state);
  expandGathers(state);
  expandReductions(state);
  expandToUnreduced(state);
  expandPermutations(state);
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
    if (isGoal(decode(nodes[index].key)))
      return planTo(index);
    expand(index);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

TensorSharding ReshardSearch::shardingOf(const State &state) const {
  TensorSharding sharding = problem.source;
  for (auto [dim, list] : llvm::zip_equal(dims, state.dims)) {
    AxisList &axes = sharding.dims[dim].axes;
    axes.clear();
    for (uint8_t atom : list)
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
  for (auto [old, now] : llvm::zip_equal(before.dims, after.dims))
    forEachMovedBlock(
        old, now,
        [&](llvm::ArrayRef<uint8_t> left, llvm::ArrayRef<uint8_t> entered) {
          for (uint8_t atom : left)
            add(from, atom);
          for (uint8_t atom : entered)
            add(to, atom);
        });
  uint32_t all = (1u << atoms.size()) - 1;
  uint32_t oldFree = all & ~usedAtoms(before),
           newFree = all & ~usedAtoms(after);
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
  auto addTail = [&](const Atoms &longer, const Atoms &shorter) {
    for (uint8_t atom : llvm::ArrayRef(longer).drop_front(shorter.size()))
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
  for (size_t i = 1; i < path.size(); ++i) {
    State before = decode(nodes[path[i - 1]].key);
    State after = decode(nodes[path[i]].key);
    ReshardStep step = stepBetween(before, after, nodes[path[i]]);
    plan.bytes += step.bytes;
    plan.seconds += step.seconds;
    plan.peakBytes =
        std::max(plan.peakBytes, localBytes(before) + localBytes(after));
    // Slices of one dimension that follow each other are one slice.
    if (ReshardStep *last = plan.steps.empty() ? nullptr : &plan.steps.back();
        last && step.kind == Kind::Slice && last->kind == Kind::Slice &&
        last->dim == step.dim) {
      llvm::append_range(last->axes, step.axes);
      last->axes = mergeAdjacent(last->axes, mesh);
      last->result = std::move(step.result);
      continue;
    }
    plan.steps.push_back(std::move(step));
  }
  return plan;
}
