//===- ManualRegions.cpp - Per-device code in a program of whole tensors --===//
//
// A manual region runs on as many devices as its axes have, each a thread with
// its parts of what enters; what leaves is put together again. Regions inside
// run on the same devices: those of the outermost one are as many as the axes
// of all regions in it have, so that collectives inside may go over all these
// axes. Devices that differ only along the axes of an inner region do the same
// until they get there; at its end they meet to exchange what it gave.
//
//===----------------------------------------------------------------------===//

#include "OperationTable.h"
#include "Rendezvous.h"
#include "Shards.h"

#include "tessera/Interfaces/ManualRegionInterface.h"

#include <thread>

using namespace mlir;
using namespace tessera;

/// The mesh of the axes of `region` alone, in their order, so that a device's
/// number is its position in its group.
static Mesh groupMesh(ManualRegionInterface region, const Mesh &mesh) {
  Mesh group;
  for (const AxisRef &axis : region.getManualAxes())
    group.axes.push_back({axis.name, axis.size(mesh)});
  return group;
}

/// How what enters or leaves `region` as `target` is split over its axes alone.
static TensorSharding manualPart(ManualRegionInterface region, Value target) {
  int64_t rank = cast<RankedTensorType>(target.getType()).getRank();
  return region.getManualSharding(target).toOutside(
      TensorSharding::getReplicated(rank));
}

/// Runs the region as one of the devices that `in.executor` runs on.
static LogicalResult runAsDevice(Invocation &in) {
  auto region = cast<ManualRegionInterface>(in.op);
  Rendezvous &rendezvous = *in.executor.getRendezvous();
  int64_t device = in.executor.getDevice();
  Mesh mesh = groupMesh(region, rendezvous.getMesh());
  int64_t position = rendezvous.positionInGroup(device, region.getManualAxes());

  Block &body = in.op->getRegion(0).front();
  SmallVector<TensorRef> parts, yielded;
  for (auto [i, argument] : llvm::enumerate(body.getArguments()))
    parts.push_back(std::make_shared<const HostTensor>(
        shardOf(in.operand(i), manualPart(region, argument), mesh, position,
                /*seed=*/i)));
  if (failed(in.executor.run(in.op->getRegion(0), parts, yielded)))
    return failure();
  for (auto [i, part] : llvm::enumerate(yielded)) {
    OpResult result = in.op->getResult(i);
    TensorSharding sharding = manualPart(region, result);
    auto join =
        [&](ArrayRef<TensorRef> group) -> Fallible<std::vector<TensorRef>> {
      std::vector<HostTensor> held;
      for (const TensorRef &tensor : group)
        held.push_back(*tensor);
      Fallible<HostTensor> whole =
          assemble(held, shapeOf(result.getType()), sharding, mesh);
      if (!whole)
        return Failure{"result " + std::to_string(i) + ": " + whole.message()};
      return std::vector<TensorRef>(
          group.size(), std::make_shared<const HostTensor>(std::move(*whole)));
    };
    FailureOr<TensorRef> whole =
        rendezvous.meet(device, in.op, region.getManualAxes(), part, join);
    if (failed(whole))
      return failure();
    in.results.push_back(*whole);
  }
  return success();
}

/// `mesh` with only the axes of `region` and of the regions in it.
static Mesh meshOfAllRegions(ManualRegionInterface region, const Mesh &mesh) {
  Mesh simulated = mesh;
  simulated.deviceIds.clear();
  for (MeshAxis &axis : simulated.axes)
    axis.size = 1;
  region->walk([&](ManualRegionInterface inner) {
    for (const AxisRef &axis : inner.getManualAxes())
      simulated.axes[*mesh.findAxis(axis.name)].size = axis.size(mesh);
  });
  return simulated;
}

/// Runs the region on devices of its own.
static LogicalResult runOnDevices(Invocation &in) {
  auto region = cast<ManualRegionInterface>(in.op);
  Mesh mesh = meshOfAllRegions(
      region,
      lookupMesh(in.op, cast<ManualComputationOp>(in.op).getAxes().getMesh())
          .getMesh()
          .getMesh());
  Rendezvous rendezvous(mesh);
  int64_t n = mesh.numDevices();
  std::vector<Executor> executors;
  for (int64_t device = 0; device < n; ++device)
    executors.emplace_back(in.executor.getLastUses(), &rendezvous, device);
  std::vector<SmallVector<TensorRef>> results(n);
  auto runOne = [&](int64_t device) {
    Invocation own{in.op, in.operands, results[device], executors[device]};
    bool done = succeeded(runAsDevice(own));
    rendezvous.leave(device, done ? in.op : nullptr);
  };
  std::vector<std::thread> threads;
  for (int64_t device = 0; device < n; ++device)
    threads.emplace_back(runOne, device);
  for (std::thread &thread : threads)
    thread.join();
  for (const Executor &executor : executors)
    if (executor.error())
      return in.executor.fail(*executor.error());
  if (rendezvous.error())
    return in.executor.fail(*rendezvous.error());
  in.results.append(results.front());
  return success();
}

static LogicalResult manualComputation(Invocation &in) {
  return in.executor.getRendezvous() ? runAsDevice(in) : runOnDevices(in);
}

void tessera::addManualRegions(OperationTable &table) {
  table.add("tessera.manual_computation", manualComputation);
}
