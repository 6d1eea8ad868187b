//===- ReshardAtoms.cpp - The parts of axes that a reshard moves ----------===//
#include "Reshard/ReshardAtoms.h"

#include "tessera/Sharding/Algebra/AxisFit.h"
#include "tessera/Sharding/Algebra/MeshTranslation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/bit.h"

#include <array>
#include <numeric>

using namespace tessera;

/// Dimensions that do not differ may serve on the way up to this many in all.
static constexpr size_t kWantedDims = 3;
/// Of more axes of one mesh that source and target cut differently, the last
/// ones are cut one way or the other together.
static constexpr unsigned kMaxClashes = 3;

namespace {

/// Some of the divisors of an axis's size, each a multiple of the one before:
/// an atom lies between two of them.
using AxisCuts = llvm::SmallVector<int64_t>;

/// Cuts axes into atoms: those that source and target name, side by side where
/// they fit, otherwise on different grids; then smaller ones of these.
class AtomCutter {
public:
  AtomCutter(const ReshardProblem &problem, const ReshardMeshes &meshes)
      : problem(problem), meshes(meshes) {}

  ReshardAtoms cut(bool useIdleAxes, unsigned maxCutAtoms) && {
    chooseDims();
    for (unsigned mesh = 0; mesh < (meshes.differ ? 2 : 1); ++mesh)
      cutMesh(mesh, useIdleAxes);
    if (maxCutAtoms)
      refine(maxCutAtoms * (grids.size() > 1 ? 2 : 1));
    if (grids.size() > 1)
      joinEqualAtoms();
    if (!result.tooLarge())
      fillGrids();
    return std::move(result);
  }

private:
  /// How one axis is cut by source and by target, each as far as it fits what
  /// the other wants; the same where both fit each other.
  using Cuts = std::array<AxisCuts, 2>;
  /// The axes that stay where they are, and those of source and target that may
  /// move, on one mesh.
  struct UsedAxes {
    AxisList fixed;
    std::array<AxisList, 2> sides;
  };

  void chooseDims();
  UsedAxes collectUsedAxes(unsigned mesh) const;
  Cuts cutsOf(const MeshAxis &axis, const UsedAxes &used,
              const Mesh &mesh) const;
  void cutMesh(unsigned mesh, bool useIdleAxes);
  bool linksDiffer() const;
  void markTraders();
  void refine(unsigned maxAtoms);
  void split(size_t index, int64_t majorSize);
  void joinEqualAtoms();
  void fillGrids();

  unsigned meshNumberOf(const ReshardAtom &atom) const {
    return grids[llvm::countr_zero(atom.grids)].mesh;
  }

  const ReshardProblem &problem;
  const ReshardMeshes &meshes;
  ReshardAtoms result;
  llvm::SmallVector<unsigned> &dims = result.dims;
  llvm::SmallVector<ReshardAtom> &atoms = result.atoms;
  llvm::SmallVector<ReshardGrid, 2> &grids = result.grids;
};

} // namespace

//===----------------------------------------------------------------------===//
// What source and target name
//===----------------------------------------------------------------------===//

/// Dimensions that differ, and others that divide and may serve on the way.
void AtomCutter::chooseDims() {
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
      problem.shape.size());
  add(isSplit, kWantedDims);
  add([&](unsigned dim) { return problem.shape[dim] > 1; }, kWantedDims);
  llvm::sort(dims);
}

/// The axes in use, as far as mesh number `number` has them.
AtomCutter::UsedAxes AtomCutter::collectUsedAxes(unsigned number) const {
  UsedAxes used;
  for (unsigned side : {0, 1}) {
    const TensorSharding &sharding = side ? problem.target : problem.source;
    auto add = [&](AxisList &to, const AxisList &axes, auto &&translate) {
      if (side == number || !meshes.differ)
        llvm::append_range(to, axes);
      else if (auto here =
                   translate(axes, meshes.mesh(side), meshes.mesh(number)))
        llvm::append_range(to, *here);
    };
    for (unsigned dim = 0; dim < problem.shape.size(); ++dim)
      add(llvm::is_contained(dims, dim) ? used.sides[side] : used.fixed,
          sharding.dims[dim].axes, translateAxes);
    add(used.sides[side], sharding.unreduced, translateSet);
  }
  return used;
}

/// Adds the boundaries of those parts of `axis` that `list` names, as far as
/// they form a chain with what is in `chain`.
static void extendChain(AxisCuts &chain, const AxisList &list,
                        const MeshAxis &axis, const Mesh &mesh) {
  for (const AxisRef &ref : list)
    if (ref.name == axis.name)
      for (int64_t cut : {ref.preSize(), ref.endSize(mesh)})
        if (llvm::all_of(chain, [&](int64_t other) {
              return cut % other == 0 || other % cut == 0;
            }))
          chain.push_back(cut);
}

AtomCutter::Cuts AtomCutter::cutsOf(const MeshAxis &axis, const UsedAxes &used,
                                    const Mesh &mesh) const {
  Cuts cuts;
  for (unsigned side : {0, 1}) {
    AxisCuts &chain = cuts[side];
    chain = {1, axis.size};
    for (const AxisList *list :
         {&used.fixed, &used.sides[side], &used.sides[1 - side]})
      extendChain(chain, *list, axis, mesh);
    llvm::sort(chain);
    chain.erase(llvm::unique(chain), chain.end());
  }
  return cuts;
}

/// Cuts every axis of a mesh that takes part at the boundaries that source and
/// target name. Axes of dimensions that stay are left out. Where source and
/// target name boundaries of one axis that do not divide each other (2*3 and
/// 3*2), there is a grid with those of the source and one with those of the
/// target, for each combination of such axes.
void AtomCutter::cutMesh(unsigned number, bool useIdleAxes) {
  const Mesh &mesh = meshes.mesh(number);
  UsedAxes used = collectUsedAxes(number);
  auto isClash = [](const Cuts &cuts) { return cuts[0] != cuts[1]; };
  auto cutsOfAxes = llvm::map_to_vector(mesh.axes, [&](const MeshAxis &axis) {
    return cutsOf(axis, used, mesh);
  });
  unsigned clashes =
      std::min<unsigned>(llvm::count_if(cutsOfAxes, isClash), kMaxClashes);
  unsigned firstGrid = grids.size(), numGrids = 1u << clashes;
  grids.append(numGrids, ReshardGrid{number});
  // Bit i of a grid's number is the side that cuts the i-th axis of these.
  auto gridsWith = [&](unsigned bit, unsigned side) {
    uint32_t set = 0;
    for (unsigned grid = 0; grid < numGrids; ++grid)
      if ((grid >> bit & 1) == side)
        set |= 1u << (firstGrid + grid);
    return set;
  };
  uint32_t allGrids = ((1u << numGrids) - 1) << firstGrid;
  unsigned clash = 0;
  for (auto [index, axis] : llvm::enumerate(mesh.axes)) {
    const Cuts &cuts = cutsOfAxes[index];
    bool keepsIdle = useIdleAxes || meshes.differ || isClash(cuts);
    auto takesPart = [&](const AxisRef &part) {
      return fitsBeside(part, used.fixed, mesh) &&
             (keepsIdle || !fitsBeside(part, used.sides[0], mesh) ||
              !fitsBeside(part, used.sides[1], mesh));
    };
    for (unsigned side = 0; side < (isClash(cuts) ? 2 : 1); ++side)
      for (size_t i = 1; i < cuts[side].size(); ++i) {
        int64_t size = cuts[side][i] / cuts[side][i - 1];
        AxisRef part = AxisRef::get(axis.name, cuts[side][i - 1], size, mesh);
        if (takesPart(part))
          atoms.push_back(
              {part, size, meshes.costs(number).linksOfAxis(index),
               isClash(cuts) ? gridsWith(std::min(clash, kMaxClashes - 1), side)
                             : allGrids});
      }
    clash += isClash(cuts);
  }
}

//===----------------------------------------------------------------------===//
// Smaller atoms
//===----------------------------------------------------------------------===//

bool AtomCutter::linksDiffer() const {
  return llvm::any_of(atoms, [&](const ReshardAtom &atom) {
    const LinkCosts &first = atoms.front().links;
    return atom.links.latency != first.latency ||
           atom.links.bandwidth != first.bandwidth;
  });
}

/// Finds the atoms that leave a role which an atom of another size enters, or
/// the other way round: a dimension, the pending reduction, or being
/// replicated. An atom whose position in its dimension changes does both. Where
/// several grids cut the devices, or links differ so that what is slow for one
/// atom may be done by another, all may.
void AtomCutter::markTraders() {
  if (grids.size() > 1 || linksDiffer()) {
    for (ReshardAtom &atom : atoms)
      atom.trades = true;
    return;
  }
  // The role, and what stands before the atom there.
  using Position = std::pair<unsigned, AxisList>;
  const Mesh &mesh = meshes.source;
  auto positionOf = [&](const TensorSharding &sharding,
                        const ReshardAtom &atom) {
    auto holds = [&](const AxisRef &axis) {
      return axis.contains(atom.axis, mesh);
    };
    for (auto [number, dim] : llvm::enumerate(dims)) {
      const AxisList &axes = sharding.dims[dim].axes;
      auto *found = llvm::find_if(axes, holds);
      if (found != axes.end())
        return Position(number, AxisList(axes.begin(), found));
    }
    bool isPending = llvm::any_of(sharding.unreduced, holds);
    return Position(dims.size() + !isPending, AxisList());
  };
  llvm::SmallVector<std::pair<unsigned, ReshardAtom *>> leaving, entering;
  for (ReshardAtom &atom : atoms) {
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

/// Cuts an atom into its `majorSize` major-most values and the rest.
void AtomCutter::split(size_t index, int64_t majorSize) {
  const Mesh &mesh = meshes.mesh(meshNumberOf(atoms[index]));
  ReshardAtom minor = atoms[index];
  minor.axis = minor.axis.dropMajor(majorSize, mesh);
  minor.size /= majorSize;
  atoms[index].axis = atoms[index].axis.takeMajor(majorSize, mesh);
  atoms[index].size = majorSize;
  atoms.insert(atoms.begin() + index + 1, minor);
}

static int64_t smallestPrime(int64_t size) {
  for (int64_t prime = 2; prime * prime <= size; ++prime)
    if (size % prime == 0)
      return prime;
  return size;
}

/// Cuts atoms into primes, or, where that makes more than `maxAtoms`, only so
/// that atoms whose sizes have a common divisor can trade positions.
void AtomCutter::refine(unsigned maxAtoms) {
  markTraders();
  unsigned primes = 0;
  for (const ReshardAtom &atom : atoms)
    for (int64_t rest = atom.size; rest > 1; rest /= smallestPrime(rest))
      ++primes;
  if (primes <= maxAtoms) {
    for (size_t i = 0; i < atoms.size(); ++i)
      if (int64_t prime = smallestPrime(atoms[i].size);
          atoms[i].trades && prime < atoms[i].size)
        split(i, prime);
    return;
  }
  for (size_t i = 0; i < atoms.size(); ++i)
    for (size_t j = 0; j < atoms.size() && atoms.size() < maxAtoms; ++j)
      if (int64_t common = std::gcd(atoms[i].size, atoms[j].size);
          atoms[i].trades && atoms[j].trades && common > 1 &&
          common < atoms[i].size)
        split(i, common);
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

/// Joins equal atoms of several grids and sorts those of an axis from major to
/// minor.
void AtomCutter::joinEqualAtoms() {
  auto orderOf = [&](const ReshardAtom &atom) {
    unsigned number = meshNumberOf(atom);
    return std::tuple(number, meshes.mesh(number).findAxis(atom.axis.name),
                      atom.axis.preSize(), atom.size);
  };
  llvm::sort(atoms, [&](const ReshardAtom &a, const ReshardAtom &b) {
    return orderOf(a) < orderOf(b);
  });
  for (size_t i = 1; i < atoms.size();)
    if (orderOf(atoms[i - 1]) == orderOf(atoms[i])) {
      atoms[i - 1].grids |= atoms[i].grids;
      atoms.erase(atoms.begin() + i);
    } else {
      ++i;
    }
}

void AtomCutter::fillGrids() {
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
}

ReshardAtoms tessera::cutIntoAtoms(const ReshardProblem &problem,
                                   const ReshardMeshes &meshes,
                                   bool useIdleAxes, unsigned maxCutAtoms) {
  return AtomCutter(problem, meshes).cut(useIdleAxes, maxCutAtoms);
}
