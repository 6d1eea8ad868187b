//===- ReshardSteps.cpp - The plan that a path stands for -----------------===//
#include "Reshard/ReshardSteps.h"

#include "tessera/Sharding/Algebra/MeshTranslation.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

using Kind = ReshardStep::Kind;

namespace {

/// Says in axes what happens between two states.
class StepBuilder {
public:
  StepBuilder(const ReshardSpace &space, const ReshardMeshes &meshes,
              const ReshardState &before, const ReshardState &after,
              const ReshardEdge &edge)
      : space(space), meshes(meshes), before(before), after(after), edge(edge),
        mesh(space.meshOf(before)) {}

  ReshardStep build() &&;

private:
  const AxisRef &axisOf(unsigned atom) const { return space.atom(atom).axis; }
  void addTail(const AtomList &longer, const AtomList &shorter);
  void addSet(AxisList &list, AtomSet set) const;
  void fillExchange();
  void fillPermutation();
  void fillReassembly();
  void fillMeshChange();
  void fillCosts();

  const ReshardSpace &space;
  const ReshardMeshes &meshes;
  const ReshardState &before, &after;
  const ReshardEdge &edge;
  const Mesh &mesh;
  ReshardStep step;
};

} // namespace

/// The axes of what `longer` has behind `shorter`.
void StepBuilder::addTail(const AtomList &longer, const AtomList &shorter) {
  for (unsigned i = shorter.size(); i < longer.size(); ++i)
    step.axes.push_back(axisOf(longer[i]));
}

void StepBuilder::addSet(AxisList &list, AtomSet set) const {
  for (unsigned atom : AtomNumbers(set))
    list.push_back(axisOf(atom));
}

/// One move per dimension that gives, in the order in which they arrive.
void StepBuilder::fillExchange() {
  for (unsigned to = 0; to < space.numDims(); ++to) {
    const AtomList &arrived = after.dims[to];
    for (unsigned i = before.dims[to].size(); i < arrived.size(); ++i) {
      unsigned from = 0;
      while (!before.dims[from].contains(arrived[i]))
        ++from;
      if (step.moves.empty() || step.moves.back().dim != space.tensorDim(from))
        step.moves.push_back({space.tensorDim(from), space.tensorDim(to), {}});
      step.moves.back().axes.push_back(axisOf(arrived[i]));
      step.axes.push_back(axisOf(arrived[i]));
    }
  }
  for (ReshardStep::Move &move : step.moves)
    move.axes = mergeAdjacent(move.axes, mesh);
}

/// Lines both states up, role by role, and drops what stays in its place.
void StepBuilder::fillPermutation() {
  AxisList from, to;
  for (unsigned dim = 0; dim < space.numDims(); ++dim)
    space.forEachMovedBlock(before.dims[dim], after.dims[dim],
                            [&](unsigned left, unsigned leftEnd,
                                unsigned entered, unsigned enteredEnd) {
                              for (unsigned i = left; i < leftEnd; ++i)
                                from.push_back(axisOf(before.dims[dim][i]));
                              for (unsigned i = entered; i < enteredEnd; ++i)
                                to.push_back(axisOf(after.dims[dim][i]));
                            });
  AtomSet oldFree = space.atomsOf(before) & ~before.used();
  AtomSet newFree = space.atomsOf(after) & ~after.used();
  addSet(from, before.unreduced & ~after.unreduced);
  addSet(to, after.unreduced & ~before.unreduced);
  addSet(from, oldFree & ~newFree);
  addSet(to, newFree & ~oldFree);
  step.axes = canonicalSet(from, mesh);
  step.from = mergeAdjacent(from, mesh);
  step.to = mergeAdjacent(to, mesh);
}

void StepBuilder::fillReassembly() {
  PieceRouting routing(space.shardingOf(before), step.result, mesh);
  int64_t pieceBytes = space.localBytes(before) / routing.numHad();
  step.pieces =
      routing.exchange(*routing.choose(space.costsOf(before), pieceBytes));
  step.axes = step.pieces->axes;
}

void StepBuilder::fillMeshChange() {
  step.kind = Kind::ChangeMesh;
  step.targets = exchangeTargets(space.shardingOf(before), meshes.source,
                                 step.result, meshes.target);
  for (const MeshAxis &axis : meshes.source.axes)
    if (axis.size > 1)
      step.axes.push_back(axis.name);
}

void StepBuilder::fillCosts() {
  std::optional<CollectiveKind> collective = step.collective();
  if (!collective)
    return;
  int64_t bytes = space.localBytes(before);
  step.bytes = step.bytesSentOf(bytes, mesh);
  step.seconds =
      step.pieces
          ? step.pieces->seconds(bytes / step.pieces->numHad())
          : space.costsOf(before).seconds(*collective, step.axes, bytes);
}

ReshardStep StepBuilder::build() && {
  step.kind = edge.kind;
  step.result = space.shardingOf(after);
  switch (edge.kind) {
  case Kind::Slice:
  case Kind::ReduceScatter:
    addTail(after.dims[edge.dim], before.dims[edge.dim]);
    step.dim = space.tensorDim(edge.dim);
    break;
  case Kind::AllGather:
  case Kind::ShardedToUnreduced:
    addTail(before.dims[edge.dim], after.dims[edge.dim]);
    step.dim = space.tensorDim(edge.dim);
    break;
  case Kind::AllToAll:
    addTail(before.dims[edge.dim], after.dims[edge.dim]);
    step.dim = space.tensorDim(edge.dim);
    step.targetDim = space.tensorDim(edge.targetDim);
    break;
  case Kind::Exchange:
    fillExchange();
    break;
  case Kind::AllReduce:
    addSet(step.axes, before.unreduced & ~after.unreduced);
    break;
  case Kind::ReplicatedToUnreduced:
    addSet(step.axes, after.unreduced & ~before.unreduced);
    break;
  case Kind::Reassemble:
    fillReassembly();
    break;
  case Kind::Permute:
  case Kind::ChangeMesh:
    if (&mesh != &space.meshOf(after))
      fillMeshChange();
    else
      fillPermutation();
    break;
  }
  step.axes = mergeAdjacent(step.axes, mesh);
  fillCosts();
  return std::move(step);
}

ReshardPlan tessera::planOf(const ReshardSearch::Path &path,
                            const ReshardSpace &space,
                            const ReshardProblem &problem,
                            const ReshardMeshes &meshes) {
  ReshardPlan plan;
  auto add = [&](const ReshardState &before, const ReshardState &after,
                 const ReshardEdge &edge) {
    plan.steps.push_back(
        StepBuilder(space, meshes, before, after, edge).build());
    plan.bytes += plan.steps.back().bytes;
    plan.seconds += plan.steps.back().seconds;
  };
  for (size_t i = 0; i < path.edges.size();) {
    const ReshardState &before = path.states[i];
    if (path.edges[i].kind != Kind::Slice) {
      const ReshardState &after = path.states[++i];
      bool isSamePlacement = path.edges[i - 1].kind == Kind::ChangeMesh &&
                             &space.meshOf(before) == &space.meshOf(after);
      if (!isSamePlacement)
        add(before, after, path.edges[i - 1]);
      continue;
    }
    while (i < path.edges.size() && path.edges[i].kind == Kind::Slice)
      ++i;
    ReshardState sliced = before;
    for (unsigned dim = 0; dim < space.numDims(); ++dim) {
      ReshardState next = sliced;
      next.dims[dim] = path.states[i].dims[dim];
      if (next.dims[dim].size() != sliced.dims[dim].size())
        add(sliced, next, {Kind::Slice, uint8_t(dim)});
      sliced = next;
    }
  }
  plan.peakBytes =
      peakBytesOf(plan.steps, problem, meshes.source, meshes.target);
  return plan;
}
