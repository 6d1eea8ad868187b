//===- ReshardPlan.cpp - Collectives from one sharding to another ---------===//
#include "tessera/Sharding/ReshardPlan.h"

#include "tessera/Sharding/MeshTranslation.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

using Kind = ReshardStep::Kind;

llvm::StringRef tessera::stringify(Kind kind) {
  switch (kind) {
  case Kind::Slice:
    return "slice";
  case Kind::AllGather:
    return "all_gather";
  case Kind::AllToAll:
    return "all_to_all";
  case Kind::Exchange:
    return "exchange";
  case Kind::ReduceScatter:
    return "reduce_scatter";
  case Kind::AllReduce:
    return "all_reduce";
  case Kind::Permute:
    return "permute";
  case Kind::Reassemble:
    return "reassemble";
  case Kind::ReplicatedToUnreduced:
    return "replicated_to_unreduced";
  case Kind::ShardedToUnreduced:
    return "sharded_to_unreduced";
  case Kind::ChangeMesh:
    return "change_mesh";
  }
  llvm_unreachable("unknown step");
}

std::optional<CollectiveKind> ReshardStep::collective() const {
  switch (kind) {
  case Kind::AllGather:
    return CollectiveKind::AllGather;
  case Kind::AllToAll:
  case Kind::Exchange:
    return CollectiveKind::AllToAll;
  case Kind::ReduceScatter:
    return CollectiveKind::ReduceScatter;
  case Kind::AllReduce:
    return CollectiveKind::AllReduce;
  case Kind::Permute:
  case Kind::Reassemble:
    return CollectiveKind::Permute;
  case Kind::ChangeMesh:
    if (targets.empty())
      return std::nullopt;
    return CollectiveKind::Permute;
  case Kind::Slice:
  case Kind::ReplicatedToUnreduced:
  case Kind::ShardedToUnreduced:
    return std::nullopt;
  }
  llvm_unreachable("unknown step");
}

int64_t ReshardStep::bytesSentOf(int64_t operandBytes, const Mesh &mesh) const {
  std::optional<CollectiveKind> kind = collective();
  if (!kind)
    return 0;
  if (pieces)
    return pieces->rounds.size() * (operandBytes / pieces->numHad());
  return bytesSent(*kind, totalSize(axes, mesh), operandBytes);
}

void ReshardStep::print(llvm::raw_ostream &os) const {
  os << stringify(kind);
  if (kind == Kind::Permute) {
    os << ' ';
    printAxes(os, from);
    os << " -> ";
    printAxes(os, to);
    return;
  }
  if (kind == Kind::ChangeMesh) {
    os << " to " << result;
    if (!targets.empty())
      llvm::interleaveComma(targets, os << " by ");
    return;
  }
  if (kind == Kind::Exchange) {
    os << ' ';
    llvm::interleaveComma(moves, os, [&](const Move &move) {
      os << "dim " << move.dim << " -> " << move.targetDim << " over ";
      printAxes(os, move.axes);
    });
    return;
  }
  if (pieces) {
    os << " to " << result << " in " << pieces->rounds.size() << " rounds of 1/"
       << pieces->numHad();
    return;
  }
  if (dim >= 0)
    os << " dim " << dim;
  if (targetDim >= 0)
    os << " -> " << targetDim;
  os << " over ";
  printAxes(os, axes);
}

void ReshardPlan::print(llvm::raw_ostream &os) const {
  llvm::interleave(steps, os, "; ");
}

llvm::raw_ostream &tessera::operator<<(llvm::raw_ostream &os,
                                       const ReshardStep &step) {
  step.print(os);
  return os;
}

llvm::raw_ostream &tessera::operator<<(llvm::raw_ostream &os,
                                       const ReshardPlan &plan) {
  plan.print(os);
  return os;
}

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

std::string ReshardProblem::check(const Mesh &mesh,
                                  const Mesh &targetMesh) const {
  if (std::string error = source.verify(shape, mesh); !error.empty())
    return error;
  if (std::string error = target.verify(shape, targetMesh); !error.empty())
    return error;
  std::string error;
  llvm::raw_string_ostream os(error);
  if (mesh.numDevices() != targetMesh.numDevices()) {
    os << "expected two meshes over the same devices, got " << mesh.numDevices()
       << " and " << targetMesh.numDevices() << " devices";
    return error;
  }
  TensorSharding from = source.placement(mesh);
  TensorSharding to = target.placement(targetMesh);
  for (auto [dim, size] : llvm::enumerate(shape)) {
    bool isEven = size % from.numShards(dim, mesh) == 0 &&
                  size % to.numShards(dim, targetMesh) == 0;
    if (isEven || (mesh == targetMesh && from.dims[dim] == to.dims[dim]))
      continue;
    os << "expected dimension " << dim << " of size " << size
       << " to divide into equal parts, got " << from.numShards(dim, mesh)
       << " parts to become " << to.numShards(dim, targetMesh);
    return error;
  }
  return error;
}

int64_t ReshardProblem::localBytes(const TensorSharding &sharding,
                                   const Mesh &mesh) const {
  int64_t bytes = elementBytes;
  for (int64_t size : sharding.localShape(shape, mesh))
    bytes *= size;
  return bytes;
}

//===----------------------------------------------------------------------===//
// Replaying steps
//===----------------------------------------------------------------------===//

/// Removes the minor-most `suffix` from `axes`; false where it is not that.
static bool dropSuffix(AxisList &axes, llvm::ArrayRef<AxisRef> suffix,
                       const Mesh &mesh) {
  int64_t total = totalSize(axes, mesh), size = totalSize(suffix, mesh);
  if (total % size != 0)
    return false;
  AxisList prefix = takeMajor(axes, total / size, mesh);
  AxisList whole = prefix;
  llvm::append_range(whole, suffix);
  if (totalSize(prefix, mesh) != total / size ||
      mergeAdjacent(whole, mesh) != mergeAdjacent(axes, mesh))
    return false;
  axes = std::move(prefix);
  return true;
}

/// Removes all of `axes` from the set `from`; false where one is not in it.
static bool removeFromSet(AxisList &from, llvm::ArrayRef<AxisRef> axes,
                          const Mesh &mesh) {
  for (const AxisRef &axis : axes) {
    AxisRef *whole = llvm::find_if(from, [&](const AxisRef &candidate) {
      return candidate.contains(axis, mesh);
    });
    if (whole == from.end())
      return false;
    AxisRef old = *whole;
    from.erase(whole);
    if (int64_t before = axis.preSize() / old.preSize(); before > 1)
      from.push_back(old.takeMajor(before, mesh));
    if (int64_t after = old.endSize(mesh) / axis.endSize(mesh); after > 1)
      from.push_back(AxisRef::get(axis.name, axis.endSize(mesh), after, mesh));
  }
  from = canonicalSet(from, mesh);
  return true;
}

std::string tessera::applyStep(const ReshardStep &step, const Mesh &mesh,
                               TensorSharding &sharding) {
  auto isFree = [&] {
    AxisList used = sharding.usedAxes();
    return llvm::none_of(step.axes, [&](const AxisRef &axis) {
      return overlapsAny(axis, used, mesh);
    });
  };
  auto append = [&](int64_t dim) {
    AxisList &axes = sharding.dims[dim].axes;
    llvm::append_range(axes, step.axes);
    axes = mergeAdjacent(axes, mesh);
  };
  auto addUnreduced = [&] {
    llvm::append_range(sharding.unreduced, step.axes);
    sharding.unreduced = canonicalSet(sharding.unreduced, mesh);
    sharding.unreducedKind = step.result.unreducedKind;
  };
  auto reduce = [&] {
    bool ok = removeFromSet(sharding.unreduced, step.axes, mesh);
    if (sharding.unreduced.empty())
      sharding.unreducedKind = ReductionKind::Sum;
    return ok;
  };
  switch (step.kind) {
  case Kind::Slice:
    if (!isFree())
      return "expected axes that are not in use";
    append(step.dim);
    return "";
  case Kind::AllGather:
    if (!dropSuffix(sharding.dims[step.dim].axes, step.axes, mesh))
      return "expected the minor-most axes of the dimension";
    return "";
  case Kind::AllToAll:
    if (step.dim == step.targetDim)
      return "expected two dimensions";
    if (!dropSuffix(sharding.dims[step.dim].axes, step.axes, mesh))
      return "expected the minor-most axes of the source dimension";
    append(step.targetDim);
    return "";
  case Kind::Exchange:
    for (const ReshardStep::Move &move : step.moves) {
      if (llvm::any_of(step.moves, [&](const ReshardStep::Move &other) {
            return move.dim == other.targetDim;
          }))
        return "expected dimensions that either give or take";
      if (!dropSuffix(sharding.dims[move.dim].axes, move.axes, mesh))
        return "expected the minor-most axes of every source dimension";
      AxisList &axes = sharding.dims[move.targetDim].axes;
      llvm::append_range(axes, move.axes);
      axes = mergeAdjacent(axes, mesh);
    }
    return "";
  case Kind::ReduceScatter:
    if (!reduce())
      return "expected unreduced axes";
    append(step.dim);
    return "";
  case Kind::AllReduce:
    if (!reduce())
      return "expected unreduced axes";
    return "";
  case Kind::ReplicatedToUnreduced:
    if (!isFree())
      return "expected axes that are not in use";
    addUnreduced();
    return "";
  case Kind::ShardedToUnreduced:
    if (!dropSuffix(sharding.dims[step.dim].axes, step.axes, mesh))
      return "expected the minor-most axes of the dimension";
    addUnreduced();
    return "";
  case Kind::Permute:
  case Kind::Reassemble:
  case Kind::ChangeMesh:
    sharding = step.result;
    return "";
  }
  llvm_unreachable("unknown step");
}

llvm::SmallVector<int32_t>
ReshardStep::permutationTargets(const Mesh &mesh) const {
  int64_t devices = totalSize(axes, mesh);
  // The index along `from` of each device that has a given index along `to`
  // and the other way round, over the coordinates that `axes` select.
  llvm::SmallVector<int32_t> indexOfTo(devices), targets(devices);
  auto forEachDevice = [&](auto &&visit) {
    llvm::SmallVector<int64_t, 4> coordinates(mesh.axes.size(), 0);
    for (int64_t index = 0; index < devices; ++index) {
      std::fill(coordinates.begin(), coordinates.end(), 0);
      int64_t rest = index;
      for (const AxisRef &axis : llvm::reverse(axes)) {
        unsigned number = *mesh.findAxis(axis.name);
        coordinates[number] += rest % axis.size(mesh) *
                               (mesh.axes[number].size / axis.endSize(mesh));
        rest /= axis.size(mesh);
      }
      visit(index, coordinates);
    }
  };
  forEachDevice([&](int64_t index, llvm::ArrayRef<int64_t> coordinates) {
    indexOfTo[valueAt(to, coordinates, mesh)] = index;
  });
  forEachDevice([&](int64_t index, llvm::ArrayRef<int64_t> coordinates) {
    targets[index] = indexOfTo[valueAt(from, coordinates, mesh)];
  });
  return targets;
}

/// Why the devices do not hold what `step`, a permutation, claims, or an empty
/// string. Visits every device of the mesh.
static std::string verifyPermutation(const TensorSharding &before,
                                     const ReshardStep &step,
                                     const Mesh &mesh) {
  if (canonicalSet(step.from, mesh) != canonicalSet(step.to, mesh) ||
      canonicalSet(step.from, mesh) != canonicalSet(step.axes, mesh))
    return "expected a permutation of the same axes";
  if (before.unreducedKind != step.result.unreducedKind)
    return "expected the kind of the reduction to stay";
  llvm::SmallVector<int32_t> targets = step.permutationTargets(mesh);
  // Unreduced contributions may be renumbered, but per part one to one.
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> renumbering, inverse;
  for (int64_t position = 0; position < mesh.numDevices(); ++position) {
    llvm::SmallVector<int64_t, 4> sender = mesh.coordinatesOfPosition(position);
    llvm::SmallVector<int64_t, 4> receiver = sender;
    int64_t rest = targets[valueAt(step.axes, sender, mesh)];
    for (const AxisRef &axis : llvm::reverse(step.axes)) {
      unsigned number = *mesh.findAxis(axis.name);
      int64_t stride = mesh.axes[number].size / axis.endSize(mesh);
      receiver[number] +=
          (rest % axis.size(mesh) - axis.valueAt(sender, mesh)) * stride;
      rest /= axis.size(mesh);
    }
    int64_t part = 0;
    for (auto [old, now] : llvm::zip_equal(before.dims, step.result.dims)) {
      int64_t index = valueAt(old.axes, sender, mesh);
      if (index != valueAt(now.axes, receiver, mesh) ||
          totalSize(old.axes, mesh) != totalSize(now.axes, mesh))
        return "expected every device to receive the part it needs";
      part = part * totalSize(old.axes, mesh) + index;
    }
    int64_t from = valueAt(before.unreduced, sender, mesh);
    int64_t to = valueAt(step.result.unreduced, receiver, mesh);
    if (renumbering.try_emplace({part, from}, to).first->second != to ||
        inverse.try_emplace({part, to}, from).first->second != from)
      return "expected every contribution to stay one of its own";
  }
  return "";
}

/// Why the devices do not hold on the mesh `to` what `step`, a change of the
/// mesh, claims, or an empty string.
static std::string verifyMeshChange(const TensorSharding &before,
                                    const Mesh &from, const ReshardStep &step,
                                    const Mesh &to) {
  for (auto [old, now] : llvm::zip_equal(before.dims, step.result.dims))
    if (totalSize(old.axes, from) != totalSize(now.axes, to))
      return "expected every dimension to keep its number of parts";
  if (totalSize(before.unreduced, from) !=
          totalSize(step.result.unreduced, to) ||
      before.unreducedKind != step.result.unreducedKind)
    return "expected the pending reduction to stay";
  if (step.targets != exchangeTargets(before, from, step.result, to))
    return "expected every device to receive the part it needs";
  return "";
}

int64_t tessera::peakBytesOf(llvm::ArrayRef<ReshardStep> steps,
                             const ReshardProblem &problem, const Mesh &mesh,
                             const Mesh &targetMesh) {
  const Mesh *current = &mesh;
  int64_t operand = problem.localBytes(problem.source, mesh);
  int64_t peak = 0;
  for (const ReshardStep &step : steps) {
    if (step.kind == Kind::ChangeMesh)
      current = &targetMesh;
    int64_t result = problem.localBytes(step.result, *current);
    bool isView = step.kind == Kind::Slice ||
                  (step.kind == Kind::ChangeMesh && step.targets.empty());
    int64_t arriving =
        step.pieces ? step.bytesSentOf(operand, *current) : int64_t(0);
    if (!isView)
      peak = std::max(peak, operand + arriving + result);
    operand = result;
  }
  return peak;
}

std::string ReshardPlan::verify(const ReshardProblem &problem,
                                const Mesh &sourceMesh,
                                const Mesh &targetMesh) const {
  std::string error;
  llvm::raw_string_ostream os(error);
  const Mesh *mesh = &sourceMesh;
  TensorSharding current = problem.source.placement(*mesh);
  int64_t sumOfBytes = 0;
  for (auto [number, step] : llvm::enumerate(steps)) {
    auto fail = [&](llvm::StringRef reason) {
      os << "step " << number << " (" << step << "): " << reason;
      return error;
    };
    std::string reason;
    int64_t operandBytes = problem.localBytes(current, *mesh);
    int64_t bytes = step.bytesSentOf(operandBytes, *mesh);
    if (step.pieces)
      reason = step.pieces->verify(current, step.result, *mesh);
    if (step.kind == Kind::Permute)
      reason = verifyPermutation(current, step, *mesh);
    if (step.kind == Kind::ChangeMesh) {
      reason = verifyMeshChange(current, *mesh, step, targetMesh);
      mesh = &targetMesh;
    }
    if (!reason.empty())
      return fail(reason);
    reason = applyStep(step, *mesh, current);
    if (!reason.empty())
      return fail(reason);
    if (!current.samePlacement(step.result, *mesh)) {
      os << "step " << number << " (" << step << "): expected " << current
         << ", got " << step.result;
      return error;
    }
    if (bytes != step.bytes)
      return fail("wrong number of bytes");
    sumOfBytes += bytes;
  }
  bool isOnTarget = mesh == &targetMesh || *mesh == targetMesh;
  if (!isOnTarget || !current.samePlacement(problem.target, *mesh))
    os << "expected to end in " << problem.target << ", got " << current;
  else if (sumOfBytes != this->bytes)
    os << "expected " << sumOfBytes << " bytes in all, got " << this->bytes;
  else if (int64_t peak = peakBytesOf(steps, problem, sourceMesh, targetMesh);
           peak != peakBytes)
    os << "expected a peak of " << peak << " bytes, got " << peakBytes;
  return error;
}

ReshardPlan tessera::gatherThenSlice(const ReshardProblem &problem,
                                     const Mesh &mesh,
                                     const CollectiveCosts &costs) {
  return gatherThenSlice(problem, mesh, costs, mesh);
}

ReshardPlan tessera::gatherThenSlice(const ReshardProblem &problem,
                                     const Mesh &sourceMesh,
                                     const CollectiveCosts &costs,
                                     const Mesh &targetMesh) {
  ReshardPlan plan;
  const Mesh *mesh = &sourceMesh;
  TensorSharding current = problem.source.placement(sourceMesh);
  TensorSharding target = problem.target.placement(targetMesh);
  bool changesMesh = sourceMesh != targetMesh;
  auto add = [&](Kind kind, AxisList axes, int64_t dim) {
    if (axes.empty() && kind != Kind::ChangeMesh)
      return;
    ReshardStep step;
    step.kind = kind;
    step.axes = std::move(axes);
    step.dim = dim;
    step.result = TensorSharding::getReplicated(current.rank());
    if (kind == Kind::ReplicatedToUnreduced)
      step.result.unreducedKind = target.unreducedKind;
    int64_t operandBytes = problem.localBytes(current, *mesh);
    std::string error = applyStep(step, *mesh, current);
    assert(error.empty() && "a step of the simplest plan applies");
    step.result = current;
    if (std::optional<CollectiveKind> collective = step.collective()) {
      step.bytes = step.bytesSentOf(operandBytes, *mesh);
      step.seconds = costs.seconds(*collective, step.axes, operandBytes);
    }
    plan.bytes += step.bytes;
    plan.seconds += step.seconds;
    plan.steps.push_back(std::move(step));
  };
  if (!changesMesh && current == target)
    return plan;
  auto changes = [&](size_t dim) {
    return changesMesh || current.dims[dim] != target.dims[dim];
  };
  add(Kind::AllReduce, current.unreduced, -1);
  for (size_t dim = 0; dim < current.dims.size(); ++dim)
    if (changes(dim))
      add(Kind::AllGather, current.dims[dim].axes, dim);
  if (changesMesh) {
    add(Kind::ChangeMesh, {}, -1);
    mesh = &targetMesh;
  }
  for (size_t dim = 0; dim < current.dims.size(); ++dim)
    if (changes(dim))
      add(Kind::Slice, target.dims[dim].axes, dim);
  add(Kind::ReplicatedToUnreduced, target.unreduced, -1);
  plan.peakBytes = peakBytesOf(plan.steps, problem, sourceMesh, targetMesh);
  return plan;
}
