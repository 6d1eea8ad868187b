//===- ReshardPlan.cpp - Collectives from one sharding to another ---------===//
#include "tessera/Sharding/Reshard/ReshardPlan.h"

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
// Whole plans
//===----------------------------------------------------------------------===//

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
