//===- ReshardSpace.cpp - The shardings that a search goes through --------===//
#include "Reshard/ReshardSpace.h"

#include "tessera/Sharding/Algebra/MeshTranslation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;

ReshardSpace::ReshardSpace(const ReshardProblem &problem,
                           const ReshardMeshes &meshes, ReshardAtoms atoms)
    : problem(problem), meshes(meshes), cut(std::move(atoms)),
      differentKinds(!problem.source.unreduced.empty() &&
                     !problem.target.unreduced.empty() &&
                     problem.source.unreducedKind !=
                         problem.target.unreducedKind) {
  fillSets();
  bytesOfWhole = computeWholeBytes();
  sourceState = firstStateOf(problem.source, 0);
  targetState = firstStateOf(problem.target, meshes.differ);
  targetState.hasTargetKind = differentKinds;
}

void ReshardSpace::fillSets() {
  sets.resize(size_t(1) << cut.atoms.size());
  sets[0].links = {0, std::numeric_limits<double>::infinity()};
  for (AtomSet set = 1; set < sets.size(); ++set) {
    const SetFacts &rest = sets[set & (set - 1)];
    const ReshardAtom &first = cut.atoms[llvm::countr_zero(set)];
    sets[set] = {rest.product * first.size,
                 {std::max(rest.links.latency, first.links.latency),
                  std::min(rest.links.bandwidth, first.links.bandwidth)}};
  }
}

int64_t ReshardSpace::computeWholeBytes() const {
  int64_t bytes = problem.elementBytes;
  for (auto [dim, size] : llvm::enumerate(problem.shape))
    bytes *= llvm::is_contained(cut.dims, dim)
                 ? size
                 : llvm::divideCeil(
                       size, problem.source.numShards(dim, meshes.source));
  return bytes;
}

/// `sharding`, on the mesh of `grid`, in atoms of that grid; none where it cuts
/// axes elsewhere.
std::optional<ReshardState>
ReshardSpace::stateOf(const TensorSharding &sharding, unsigned grid) const {
  const Mesh &mesh = meshes.mesh(cut.grids[grid].mesh);
  ReshardState state;
  state.grid = grid;
  bool fits = true;
  auto listOf = [&](llvm::ArrayRef<AxisRef> axes) {
    AtomList list;
    for (const AxisRef &axis : axes) {
      int64_t size = 1;
      for (unsigned atom : AtomNumbers(cut.grids[grid].atoms))
        if (axis.contains(cut.atoms[atom].axis, mesh)) {
          list.push(atom);
          size *= cut.atoms[atom].size;
        }
      fits &= size == axis.size(mesh);
    }
    return list;
  };
  for (auto [index, dim] : llvm::enumerate(cut.dims))
    state.dims[index] = listOf(sharding.dims[dim].axes);
  state.unreduced = listOf(sharding.unreduced).set();
  if (!fits)
    return std::nullopt;
  return state;
}

/// `sharding` on the first grid of mesh number `mesh` that has its atoms.
ReshardState ReshardSpace::firstStateOf(const TensorSharding &sharding,
                                        unsigned mesh) const {
  for (unsigned grid = 0; grid < cut.grids.size(); ++grid)
    if (cut.grids[grid].mesh == mesh)
      if (std::optional<ReshardState> state = stateOf(sharding, grid))
        return *state;
  llvm_unreachable("a grid has the cuts of the source, one of the target");
}

bool ReshardSpace::isGoal(const ReshardState &state) const {
  if (state.grid != targetState.grid ||
      state.unreduced != targetState.unreduced ||
      (targetState.unreduced &&
       state.hasTargetKind != targetState.hasTargetKind))
    return false;
  for (unsigned dim = 0; dim < numDims(); ++dim)
    if (state.dims[dim] != targetState.dims[dim])
      return false;
  return true;
}

TensorSharding ReshardSpace::shardingOf(const ReshardState &state) const {
  TensorSharding sharding = problem.source;
  for (auto [index, dim] : llvm::enumerate(cut.dims)) {
    AxisList &axes = sharding.dims[dim].axes;
    axes.clear();
    for (unsigned i = 0; i < state.dims[index].size(); ++i)
      axes.push_back(cut.atoms[state.dims[index][i]].axis);
  }
  sharding.unreduced.clear();
  for (unsigned atom : AtomNumbers(state.unreduced))
    sharding.unreduced.push_back(cut.atoms[atom].axis);
  if (problem.source.unreduced.empty() || state.hasTargetKind)
    sharding.unreducedKind = problem.target.unreducedKind;
  return sharding.placement(meshOf(state));
}

const std::optional<AxisList> &ReshardSpace::translated(const AxisList &axes,
                                                        bool isSet) {
  auto [entry, isNew] = translations.try_emplace({axes, isSet});
  if (isNew)
    entry->second = (isSet ? translateSet : translateAxes)(axes, meshes.source,
                                                           meshes.target);
  return entry->second;
}

std::optional<ReshardState> ReshardSpace::onGrid(const ReshardState &state,
                                                 unsigned grid) {
  TensorSharding sharding = shardingOf(state);
  if (cut.grids[grid].mesh != cut.grids[state.grid].mesh) {
    auto translate = [&](AxisList &axes, bool isSet) {
      const std::optional<AxisList> &there = translated(axes, isSet);
      if (there)
        axes = *there;
      return there.has_value();
    };
    for (DimSharding &dim : sharding.dims)
      if (!translate(dim.axes, false))
        return std::nullopt;
    if (!translate(sharding.unreduced, true))
      return std::nullopt;
  }
  std::optional<ReshardState> next = stateOf(sharding, grid);
  if (next)
    next->hasTargetKind = state.hasTargetKind;
  return next;
}
