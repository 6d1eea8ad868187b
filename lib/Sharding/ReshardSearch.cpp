//===- ReshardSearch.cpp - Shortest paths between shardings ---------------===//
#include "ReshardSearch.h"

#include "tessera/Sharding/MeshTranslation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace tessera;

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

ReshardSearch::ReshardSearch(const ReshardProblem &problem,
                             const ReshardMeshes &meshes,
                             const ReshardOptions &options, int64_t memoryLimit,
                             unsigned maxCutAtoms)
    : problem(problem), meshes(meshes), memoryLimit(memoryLimit),
      maxCutAtoms(maxCutAtoms) {
  chooseDims();
  collectAtoms(options.useIdleAxes);
  refineAtoms();
  if (tooLarge())
    return;
  std::optional<AxisList> unreduced[2] = {
      meshes.differ
          ? translateSet(problem.target.unreduced, meshes.target, meshes.source)
          : problem.target.unreduced,
      problem.target.unreduced};
  for (auto [number, grid] : llvm::enumerate(grids))
    for (auto [index, atom] : llvm::enumerate(atoms)) {
      if (!(atom.grids >> number & 1))
        continue;
      grid.atoms |= 1u << index;
      auto containsAtom = [&, &part = atom.axis,
                           &mesh = grid.mesh](const AxisRef &axis) {
        return axis.contains(part, meshes.mesh(mesh));
      };
      if (unreduced[grid.mesh] &&
          llvm::any_of(*unreduced[grid.mesh], containsAtom))
        grid.wantedUnreduced |= 1u << index;
    }
  wholeBytes = problem.elementBytes;
  for (auto [dim, size] : llvm::enumerate(problem.shape))
    wholeBytes *= llvm::is_contained(dims, dim)
                      ? size
                      : llvm::divideCeil(
                            size, problem.source.numShards(dim, meshes.source));
  best = {std::numeric_limits<double>::infinity(), 0};
  for (const Atom &atom : atoms) {
    best.latency = std::min(best.latency, atom.links.latency);
    best.bandwidth = std::max(best.bandwidth, atom.links.bandwidth);
  }
  slowLinks = {std::numeric_limits<double>::infinity(), 0};
  for (auto [index, atom] : llvm::enumerate(atoms)) {
    if (atom.links.latency <= best.latency &&
        atom.links.bandwidth >= best.bandwidth)
      continue;
    slowAtoms |= 1u << index;
    slowLinks.latency = std::min(slowLinks.latency, atom.links.latency);
    slowLinks.bandwidth = std::max(slowLinks.bandwidth, atom.links.bandwidth);
  }
  products.assign(size_t(1) << atoms.size(), 1);
  for (uint32_t set = 1; set < products.size(); ++set)
    products[set] =
        products[set & (set - 1)] * atoms[llvm::countr_zero(set)].size;
  target = firstStateOf(problem.target, meshes.differ);
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
    return problem.shape[dim] % problem.source.numShards(dim, meshes.source) ==
               0 &&
           problem.shape[dim] % problem.target.numShards(dim, meshes.target) ==
               0;
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
        return meshes.differ
                   ? isSplit(dim)
                   : problem.source.dims[dim] != problem.target.dims[dim];
      },
      kMaxDims);
  add(isSplit, kWanted);
  add([&](unsigned dim) { return problem.shape[dim] > 1; }, kWanted);
  llvm::sort(dims);
}

/// Adds those of the divisors `cuts` that form a chain with what is in `chain`.
static void extendChain(llvm::SmallVectorImpl<int64_t> &chain,
                        llvm::ArrayRef<int64_t> cuts) {
  for (int64_t cut : cuts)
    if (llvm::all_of(chain, [&](int64_t other) {
          return cut % other == 0 || other % cut == 0;
        }))
      chain.push_back(cut);
}

/// Cuts every axis of a mesh that takes part at the boundaries that source and
/// target name. Axes of dimensions that stay are left out. Where source and
/// target name boundaries of one axis that do not divide each other (2*3 and
/// 3*2), there is a grid with those of the source and one with those of the
/// target.
void ReshardSearch::collectAtomsOfMesh(unsigned number, bool useIdleAxes) {
  const Mesh &mesh = meshes.mesh(number);
  AxisList fixed, sides[2];
  auto addSide = [&](const TensorSharding &sharding, unsigned side) {
    auto add = [&](AxisList &to, const AxisList &axes, auto &&translate) {
      if (side == number || !meshes.differ)
        llvm::append_range(to, axes);
      else if (auto here = translate(axes, meshes.mesh(side), mesh))
        llvm::append_range(to, *here);
    };
    for (unsigned dim = 0; dim < problem.shape.size(); ++dim)
      add(llvm::is_contained(dims, dim) ? sides[side] : fixed,
          sharding.dims[dim].axes, translateAxes);
    add(sides[side], sharding.unreduced, translateSet);
  };
  addSide(problem.source, 0);
  addSide(problem.target, 1);

  constexpr unsigned kMaxClashes = 3;
  llvm::SmallVector<std::array<AxisCuts, 2>> chains;
  unsigned clashes = 0;
  for (const MeshAxis &axis : mesh.axes) {
    auto cutsOf = [&](const AxisList &list) {
      AxisCuts cuts;
      for (const AxisRef &ref : list)
        if (ref.name == axis.name)
          cuts.append({ref.preSize(), ref.endSize(mesh)});
      return cuts;
    };
    auto &both = chains.emplace_back();
    for (unsigned side : {0, 1}) {
      AxisCuts &chain = both[side];
      chain = {1, axis.size};
      extendChain(chain, cutsOf(fixed));
      extendChain(chain, cutsOf(sides[side]));
      extendChain(chain, cutsOf(sides[1 - side]));
      llvm::sort(chain);
      chain.erase(llvm::unique(chain), chain.end());
    }
    clashes += both[0] != both[1];
  }

  unsigned firstGrid = grids.size();
  unsigned bits = std::min(clashes, kMaxClashes);
  grids.append(size_t(1) << bits, Grid{number});
  // The grids in which bit `bit` of the number is `value`.
  auto gridsWith = [&](unsigned bit, unsigned value) {
    uint32_t set = 0;
    for (unsigned grid = 0; grid < 1u << bits; ++grid)
      if ((grid >> bit & 1) == value)
        set |= 1u << (firstGrid + grid);
    return set;
  };
  uint32_t allGrids = ((1u << (1u << bits)) - 1) << firstGrid;
  unsigned clash = 0;
  for (auto [index, axis] : llvm::enumerate(mesh.axes)) {
    bool isClash = chains[index][0] != chains[index][1];
    bool keepsIdle = useIdleAxes || meshes.differ || isClash;
    for (unsigned side : {0, 1}) {
      if (side == 1 && !isClash)
        break;
      llvm::ArrayRef<int64_t> cuts = chains[index][side];
      for (size_t i = 1; i < cuts.size(); ++i) {
        int64_t size = cuts[i] / cuts[i - 1];
        AxisRef part = AxisRef::get(axis.name, cuts[i - 1], size, mesh);
        bool isIdle = !overlapsAny(part, sides[0], mesh) &&
                      !overlapsAny(part, sides[1], mesh);
        if (overlapsAny(part, fixed, mesh) || (isIdle && !keepsIdle))
          continue;
        unsigned bit = std::min(clash, kMaxClashes - 1);
        atoms.push_back({part, size, meshes.costs(number).linksOfAxis(index),
                         isClash ? gridsWith(bit, side) : allGrids});
      }
    }
    clash += isClash;
  }
}

void ReshardSearch::collectAtoms(bool useIdleAxes) {
  collectAtomsOfMesh(0, useIdleAxes);
  if (meshes.differ)
    collectAtomsOfMesh(1, useIdleAxes);
}

/// Finds the atoms that leave a place which an atom of another size enters, or
/// the other way round: a dimension, the pending reduction, or being
/// replicated. An atom whose position in its dimension changes does both. Where
/// several grids cut the devices, or links differ so that what is slow for one
/// atom may be done by another, all may.
void ReshardSearch::markTraders() {
  bool linksDiffer = llvm::any_of(atoms, [&](const Atom &atom) {
    const LinkCosts &first = atoms.front().links;
    return atom.links.latency != first.latency ||
           atom.links.bandwidth != first.bandwidth;
  });
  if (grids.size() > 1 || linksDiffer) {
    for (Atom &atom : atoms)
      atom.trades = true;
    return;
  }
  // The place, and what stands before the atom there.
  using Position = std::pair<unsigned, AxisList>;
  const Mesh &mesh = meshes.source;
  auto positionOf = [&](const TensorSharding &sharding, const Atom &atom) {
    auto holds = [&](const AxisRef &axis) {
      return axis.contains(atom.axis, mesh);
    };
    for (auto [place, dim] : llvm::enumerate(dims)) {
      const AxisList &axes = sharding.dims[dim].axes;
      auto *found = llvm::find_if(axes, holds);
      if (found != axes.end())
        return Position(place, AxisList(axes.begin(), found));
    }
    bool isPending = llvm::any_of(sharding.unreduced, holds);
    return Position(dims.size() + !isPending, AxisList());
  };
  llvm::SmallVector<std::pair<unsigned, Atom *>> leaving, entering;
  for (Atom &atom : atoms) {
    Position from = positionOf(problem.source, atom),
             to = positionOf(problem.target, atom);
    if (from == to)
      continue;
    leaving.push_back({from.first, &atom});
    entering.push_back({to.first, &atom});
  }
  for (auto [left, leaver] : leaving)
    for (auto [entered, arrival] : entering)
      if (left == entered && leaver->size != arrival->size)
        leaver->trades = arrival->trades = true;
}

/// Cuts atoms into primes, or, where that makes too many, only so that atoms
/// whose sizes have a common divisor can trade places. Then joins equal atoms
/// of several grids and sorts those of an axis from major to minor.
void ReshardSearch::refineAtoms() {
  auto numberOf = [&](const Atom &atom) {
    return grids[llvm::countr_zero(atom.grids)].mesh;
  };
  auto split = [&](size_t index, int64_t majorSize) {
    const Mesh &mesh = meshes.mesh(numberOf(atoms[index]));
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
  unsigned maxAtoms = maxCutAtoms * (grids.size() > 1 ? 2 : 1);
  if (maxCutAtoms)
    markTraders();
  if (primes <= maxAtoms) {
    for (size_t i = 0; i < atoms.size(); ++i)
      if (int64_t prime = smallestPrime(atoms[i].size);
          atoms[i].trades && prime < atoms[i].size)
        split(i, prime);
  } else {
    for (size_t i = 0; i < atoms.size(); ++i)
      for (size_t j = 0; j < atoms.size() && atoms.size() < maxAtoms; ++j)
        if (int64_t common = std::gcd(atoms[i].size, atoms[j].size);
            atoms[i].trades && atoms[j].trades && common > 1 &&
            common < atoms[i].size)
          split(i, common);
  }
  if (grids.size() == 1)
    return;
  auto place = [&](const Atom &atom) {
    unsigned number = numberOf(atom);
    return std::tuple(number, meshes.mesh(number).findAxis(atom.axis.name),
                      atom.axis.preSize(), atom.size);
  };
  llvm::sort(atoms,
             [&](const Atom &a, const Atom &b) { return place(a) < place(b); });
  for (size_t i = 1; i < atoms.size();)
    if (place(atoms[i - 1]) == place(atoms[i])) {
      atoms[i - 1].grids |= atoms[i].grids;
      atoms.erase(atoms.begin() + i);
    } else {
      ++i;
    }
}

/// `sharding`, on the mesh of `grid`, in atoms of that grid; none where it cuts
/// axes elsewhere.
std::optional<ReshardSearch::State>
ReshardSearch::stateOf(const TensorSharding &sharding, unsigned grid) const {
  const Mesh &mesh = meshes.mesh(grids[grid].mesh);
  State state;
  state.grid = grid;
  bool fits = true;
  auto listOf = [&](llvm::ArrayRef<AxisRef> axes) {
    List list;
    for (const AxisRef &axis : axes) {
      int64_t size = 1;
      for (uint32_t rest = grids[grid].atoms; rest; rest &= rest - 1) {
        unsigned atom = llvm::countr_zero(rest);
        if (!axis.contains(atoms[atom].axis, mesh))
          continue;
        list.push(atom);
        size *= atoms[atom].size;
      }
      fits &= size == axis.size(mesh);
    }
    return list;
  };
  for (auto [index, dim] : llvm::enumerate(dims))
    state.dims[index] = listOf(sharding.dims[dim].axes);
  state.unreduced = listOf(sharding.unreduced).set;
  if (!fits)
    return std::nullopt;
  return state;
}

/// `sharding` on the first grid of mesh number `mesh` that has its atoms.
ReshardSearch::State ReshardSearch::firstStateOf(const TensorSharding &sharding,
                                                 unsigned mesh) const {
  for (unsigned grid = 0; grid < grids.size(); ++grid)
    if (grids[grid].mesh == mesh)
      if (std::optional<State> state = stateOf(sharding, grid))
        return *state;
  llvm_unreachable("a grid has the cuts of the source, one of the target");
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
  place(kMaxAtoms, state.grid, state.hasTargetKind);
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
  state.grid = byte(kMaxAtoms) >> 4;
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
  if (state.grid != target.grid || state.unreduced != target.unreduced ||
      (target.unreduced && state.hasTargetKind != target.hasTargetKind))
    return false;
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    if (!(state.dims[dim] == target.dims[dim]))
      return false;
  return true;
}

/// What a unit already has of its part of the target, on average over units and
/// at most, in bytes: the digits of both parts must be its own (one in the
/// product of all atoms used), and where an atom splits one dimension now and
/// another one in the target, the element's digits in both must be equal (one
/// in its size). On different grids nothing is known but the sizes.
int64_t ReshardSearch::averageOverlap(const State &state,
                                      uint32_t units) const {
  uint32_t split = state.split(), targetSplit = target.split();
  if (state.grid != target.grid)
    return wholeBytes / std::max(product(split), product(targetSplit));
  int64_t crossing = 1;
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    for (uint32_t rest =
             state.dims[dim].set & targetSplit & ~target.dims[dim].set & units;
         rest; rest &= rest - 1)
      crossing = std::max(crossing, atoms[llvm::countr_zero(rest)].size);
  uint32_t both = (split | targetSplit) & ~(state.unreduced | target.unreduced);
  return wholeBytes / (product(both & units) * crossing);
}

/// What a unit has to receive at least to get from `state` to the target, in
/// bytes and on average over its devices. Units are the devices that agree in
/// all atoms of the set `units`: with all atoms, each device by itself.
///
/// A unit receives what it needs and does not have. If a sum over u units is
/// pending it has nothing yet: it must reduce what is left of its part after
/// slicing by all replicated atoms, and gather the rest. If the target is
/// unreduced over u units, one of them may hold everything, but what none of
/// them has any contribution to, one of them must receive.
int64_t ReshardSearch::missingBytes(const State &state, uint32_t units) const {
  int64_t wanted = wholeBytes / product(target.split() & units), missing = 0;
  if (target.unreduced) {
    int64_t u = product(target.unreduced & units);
    int64_t overlap = averageOverlap(state, units);
    missing = state.grid == target.grid ? (wanted - overlap) / u
                                        : wanted / u - overlap;
  } else if (state.unreduced & units) {
    int64_t u = product(state.unreduced & units);
    uint32_t used = state.used() | ~atomsOf(state);
    int64_t part =
        wholeBytes / product(state.split() & units) / product(~used & units);
    missing = part - part / u + std::max<int64_t>(0, wanted - part / u);
  } else {
    missing = wanted - averageOverlap(state, units);
  }
  return std::max<int64_t>(0, missing) / product(atomsOf(state) & ~units);
}

/// Whether some dimension is split in a way that its target does not begin
/// with, so that a collective has to undo it.
bool ReshardSearch::needsShrink(const State &state) const {
  if (state.grid != target.grid)
    return false;
  for (unsigned dim = 0; dim < dims.size(); ++dim) {
    const List &now = state.dims[dim], &wanted = target.dims[dim];
    if (now.size > wanted.size || !wanted.sharesPrefix(now, now.size))
      return true;
  }
  return false;
}

/// The rounds of messages from `state` to the target, at least: growing parts
/// takes gathers with as many participants as parts are joined, a pending sum
/// takes reductions with as many participants as there are contributions, and
/// undoing a split takes one collective.
int64_t ReshardSearch::leastRounds(const State &state, int64_t missing) const {
  if (target.unreduced)
    return missing > 0 ? 2 : 0;
  int64_t bytes = localBytes(state), rounds = 0;
  if (state.unreduced)
    rounds =
        messageRounds(CollectiveKind::ReduceScatter, product(state.unreduced));
  if (targetBytes > bytes)
    rounds += messageRounds(CollectiveKind::AllGather,
                            llvm::divideCeil(targetBytes, bytes));
  else if (needsShrink(state))
    rounds += 2;
  return rounds;
}

/// A lower bound on the cost from `state` to the target, in picoseconds. What
/// devices miss arrives on the fastest links, but for what all the devices
/// miss that fast links join: that arrives on slow ones first.
int64_t ReshardSearch::lowerBound(const State &state) const {
  if (kindsDiffer)
    return 0;
  int64_t missing = missingBytes(state, products.size() - 1);
  int64_t rounds = leastRounds(state, missing);
  double seconds = 0;
  if (slowAtoms && state.grid == target.grid) {
    int64_t slow = missingBytes(state, slowAtoms);
    int64_t slowRounds = slow > 0 ? 2 : 0;
    seconds = slow / slowLinks.bandwidth + slowRounds * slowLinks.latency;
    missing = std::max<int64_t>(0, missing - slow);
    rounds = std::max<int64_t>(0, rounds - slowRounds);
  }
  return (seconds + missing / best.bandwidth + rounds * best.latency) *
         kPicosecondsPerSecond;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// Whether all paths that go on with a step of cost `cost` to states of `bytes`
/// local bytes, without a pending reduction, cost too much. Spares listing
/// them.
bool ReshardSearch::isTooDear(int64_t cost, int64_t bytes) const {
  int64_t missing = 0;
  if (!target.unreduced)
    missing = std::max<int64_t>(0, targetBytes - bytes) / best.bandwidth *
              kPicosecondsPerSecond;
  return nodes[current].cost + cost + missing >= limits.upperBound;
}

void ReshardSearch::reach(const State &next, Kind kind, unsigned dim,
                          unsigned targetDim, int64_t cost) {
  // One more per step: of equal costs, fewer steps win.
  int64_t total = nodes[current].cost + cost + (kind != Kind::ChangeMesh);
  if (total >= limits.upperBound)
    return;
  // A slice is a view of what is there, another grid of the same as well.
  bool isView = kind == Kind::Slice || kind == Kind::ChangeMesh;
  if (!isView && currentBytes + localBytes(next) > memoryLimit)
    return;
  int64_t rest = lowerBound(next);
  if (rest >= limits.upperBound - total)
    return;
  Key key = encode(next);
  auto [found, isNew] = indexOf.try_emplace(key, nodes.size());
  Node node{key,
            total,
            current,
            kind,
            static_cast<uint8_t>(dim),
            static_cast<uint8_t>(targetDim),
            nodes[current].isOnlyReduced &&
                (kind == Kind::Slice || kind == Kind::ReduceScatter ||
                 kind == Kind::AllReduce)};
  if (isNew)
    nodes.push_back(node);
  else if (total < nodes[found->second].cost)
    nodes[found->second] = node;
  else
    return;
  queue.emplace_back(total + limits.boundFactor * rest, generated++,
                     found->second);
  std::push_heap(queue.begin(), queue.end(), std::greater<>());
  // From now on only what is shorter matters.
  if (isGoal(next))
    limits.upperBound = total;
}

std::optional<ReshardPlan>
ReshardSearch::run(const ReshardSearchLimits &searchLimits) {
  limits = searchLimits;
  nodes.clear();
  indexOf.clear();
  queue.clear();
  State source = firstStateOf(problem.source, 0);
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
  const Mesh &mesh = meshOf(state);
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
  uint32_t oldFree = atomsOf(before) & ~before.used();
  uint32_t newFree = atomsOf(after) & ~after.used();
  addSet(from, before.unreduced & ~after.unreduced);
  addSet(to, after.unreduced & ~before.unreduced);
  addSet(from, oldFree & ~newFree);
  addSet(to, newFree & ~oldFree);
  const Mesh &mesh = meshOf(before);
  step.axes = canonicalSet(from, mesh);
  step.from = mergeAdjacent(from, mesh);
  step.to = mergeAdjacent(to, mesh);
}

/// One move per dimension that gives, in the order in which they arrive.
void ReshardSearch::fillExchange(const State &before, const State &after,
                                 ReshardStep &step) const {
  const Mesh &mesh = meshOf(before);
  for (unsigned to = 0; to < dims.size(); ++to) {
    llvm::ArrayRef<uint8_t> arrived = after.dims[to].ref();
    if (arrived.size() <= before.dims[to].size)
      continue;
    for (uint8_t atom : arrived.drop_front(before.dims[to].size)) {
      unsigned from = 0;
      while (!(before.dims[from].set >> atom & 1))
        ++from;
      if (step.moves.empty() || step.moves.back().dim != dims[from])
        step.moves.push_back({dims[from], dims[to], {}});
      step.moves.back().axes.push_back(atoms[atom].axis);
      step.axes.push_back(atoms[atom].axis);
    }
  }
  for (ReshardStep::Move &move : step.moves)
    move.axes = mergeAdjacent(move.axes, mesh);
}

void ReshardSearch::fillReassembly(const State &before,
                                   ReshardStep &step) const {
  const Mesh &mesh = meshOf(before);
  PieceRouting routing(shardingOf(before), step.result, mesh);
  step.pieces = routing.solve(meshes.costs(grids[before.grid].mesh),
                              localBytes(before) / routing.numHad());
  step.axes = step.pieces->axes;
}

void ReshardSearch::fillMeshChange(const State &before,
                                   ReshardStep &step) const {
  step.kind = Kind::ChangeMesh;
  step.targets = exchangeTargets(shardingOf(before), meshes.source, step.result,
                                 meshes.target);
  for (const MeshAxis &axis : meshes.source.axes)
    if (axis.size > 1)
      step.axes.push_back(axis.name);
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
  case Kind::Exchange:
    fillExchange(before, after, step);
    break;
  case Kind::AllReduce:
    addSet(before.unreduced & ~after.unreduced);
    break;
  case Kind::ReplicatedToUnreduced:
    addSet(after.unreduced & ~before.unreduced);
    break;
  case Kind::Reassemble:
    fillReassembly(before, step);
    break;
  case Kind::Permute:
  case Kind::ChangeMesh:
    if (&meshOf(before) != &meshOf(after))
      fillMeshChange(before, step);
    else
      fillPermutation(before, after, step);
    break;
  }
  const Mesh &mesh = meshOf(before);
  step.axes = mergeAdjacent(step.axes, mesh);
  if (std::optional<CollectiveKind> collective = step.collective()) {
    int64_t bytes = localBytes(before);
    step.bytes = step.bytesSentOf(bytes, mesh);
    step.seconds = step.pieces
                       ? step.pieces->seconds(bytes / step.pieces->numHad())
                       : meshes.costs(grids[before.grid].mesh)
                             .seconds(*collective, step.axes, bytes);
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
    bool isSamePlacement = nodes[path[i]].kind == Kind::ChangeMesh &&
                           &meshOf(before) == &meshOf(after);
    if (nodes[path[i]].kind != Kind::Slice) {
      if (!isSamePlacement)
        add(before, after, nodes[path[i]]);
    } else {
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
    }
    i = end;
  }
  plan.peakBytes =
      peakBytesOf(plan.steps, problem, meshes.source, meshes.target);
  return plan;
}
