//===- ReshardReplay.cpp - What the steps of a plan do --------------------===//
//
// Steps are applied to shardings, by the rules for their axes alone, so that a
// plan can be checked without what has found it.
//
//===----------------------------------------------------------------------===//
#include "tessera/Sharding/Algebra/AxisFit.h"
#include "tessera/Sharding/Algebra/MeshTranslation.h"
#include "tessera/Sharding/Reshard/ReshardPlan.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

using Kind = ReshardStep::Kind;

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
    return llvm::all_of(step.axes, [&](const AxisRef &axis) {
      return fitsBeside(axis, used, mesh);
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
