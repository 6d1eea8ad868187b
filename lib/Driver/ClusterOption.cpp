//===- ClusterOption.cpp - the machine given on the command line ----------===//

#include "ClusterOption.h"

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Transforms/Stage/Costs/RankLinks.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace tessera;

FailureOr<Cluster> tessera::readCluster(StringRef path, MLIRContext &context) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return emitError(FileLineColLoc::get(&context, path, 1, 1))
           << "cannot open the description of the cluster: "
           << file.getError().message();
  ClusterError error;
  if (std::optional<Cluster> cluster =
          parseCluster((*file)->getBuffer(), error))
    return *cluster;
  return emitError(
             FileLineColLoc::get(&context, path, error.line, error.column))
         << error.message;
}

void tessera::applyCluster(ModuleOp module, const Cluster &cluster) {
  for (MeshOp mesh : module.getOps<MeshOp>())
    mesh.setOnAttr(MachineAttr::get(
        module.getContext(), cluster.machineFor(mesh.getMesh().getMesh())));
  stage::writeLevels(module, cluster);
}
