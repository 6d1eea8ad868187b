//===- RankLinks.cpp - the links between pipeline ranks -------------------===//

#include "tessera/Transforms/Stage/Costs/RankLinks.h"

#include "tessera/Dialect/Pipe/NetworkLevels.h"
#include "tessera/Dialect/Pipe/Pipe.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;
using pipe::PipeDialect;

RankLinks::RankLinks(MeshOp mesh)
    : mesh(mesh.getMesh().getMesh()),
      levels(
          Cluster::around(mesh.getMachine(),
                          pipe::readLevels(mesh->getParentOfType<ModuleOp>()),
                          this->mesh)
              .levels) {}

LinkCosts RankLinks::among(int64_t ranks) const {
  // Levels are nested: two ranks are no further apart than the further of them
  // is from rank 0.
  LinkCosts slowest = between(0, std::min<int64_t>(1, ranks - 1));
  for (int64_t rank = 2; rank < ranks; ++rank)
    slowest = slower(slowest, between(0, rank));
  return slowest;
}

void tessera::stage::writeLevels(ModuleOp module, const Cluster &cluster) {
  auto meshes = module.getOps<MeshOp>();
  Mesh mesh = meshes.empty() ? Mesh() : (*meshes.begin()).getMesh().getMesh();
  pipe::writeLevels(module, cluster.levelsBetweenRanks(mesh));
}
