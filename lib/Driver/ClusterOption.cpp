//===- ClusterOption.cpp - the machine given on the command line ----------===//

#include "ClusterOption.h"

#include "tessera/Dialect/Pipe/NetworkLevels.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Transforms/Stage/Costs/RankLinks.h"

using namespace mlir;
using namespace tessera;

FailureOr<Cluster> tessera::readCluster(StringRef path, MLIRContext &context) {
  ClusterError error;
  if (std::optional<Cluster> cluster = findCluster(path.str(), error))
    return *cluster;
  return emitError(
             FileLineColLoc::get(&context, path, error.line, error.column))
         << error.message;
}

LogicalResult tessera::applyCluster(ModuleOp module, const Cluster &cluster,
                                    int64_t stages) {
  for (MeshOp mesh : module.getOps<MeshOp>()) {
    int64_t devices =
        mesh.getMesh().getMesh().numDevices() * std::max<int64_t>(stages, 1);
    if (cluster.devices != 0 && devices > cluster.devices)
      return mesh.emitError()
             << "expected at most " << cluster.devices
             << " devices, which is what the described machine has, got "
             << devices;
    mesh.setOnAttr(MachineAttr::get(
        module.getContext(), cluster.machineFor(mesh.getMesh().getMesh())));
  }
  stage::writeLevels(module, cluster);
  pipe::writeMachine(module, cluster);
  return success();
}
