//===- RankLinks.cpp - the links between pipeline ranks -------------------===//

#include "tessera/Transforms/Stage/Costs/RankLinks.h"

#include "tessera/Dialect/Pipe/Pipe.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;
using pipe::PipeDialect;

LinkCosts tessera::stage::slower(const LinkCosts &a, const LinkCosts &b) {
  return {std::max(a.latency, b.latency), std::min(a.bandwidth, b.bandwidth)};
}

/// The levels on `module`, which its verifier has checked; none where there is
/// no such attribute.
static std::vector<ClusterLevel> readLevels(ModuleOp module) {
  std::vector<ClusterLevel> levels;
  auto list = module
                  ? module->getAttrOfType<ArrayAttr>(PipeDialect::kLevelsAttr)
                  : ArrayAttr();
  for (Attribute attribute : list ? list.getValue() : ArrayRef<Attribute>()) {
    auto level = cast<ArrayAttr>(attribute);
    auto number = [&](unsigned i) {
      return cast<FloatAttr>(level[i]).getValueAsDouble();
    };
    levels.push_back(
        {"", cast<IntegerAttr>(level[0]).getInt(), {number(1), number(2)}});
  }
  return levels;
}

static LinkCosts slowestWithin(const Machine &machine) {
  if (machine.links.empty())
    return LinkCosts();
  LinkCosts slowest = machine.links.front();
  for (const LinkCosts &links : machine.links)
    slowest = slower(slowest, links);
  return slowest;
}

RankLinks::RankLinks(MeshOp mesh)
    : mesh(mesh.getMesh().getMesh()),
      levels(readLevels(mesh->getParentOfType<ModuleOp>())) {
  if (levels.empty())
    levels = {ClusterLevel{"", 0, slowestWithin(mesh.getMachine())}};
}

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
  Builder builder(module.getContext());
  SmallVector<Attribute> levels;
  for (const ClusterLevel &level : cluster.levelsBetweenRanks(mesh))
    levels.push_back(
        builder.getArrayAttr({builder.getI64IntegerAttr(level.devices),
                              builder.getF64FloatAttr(level.links.latency),
                              builder.getF64FloatAttr(level.links.bandwidth)}));
  module->setAttr(PipeDialect::kLevelsAttr, builder.getArrayAttr(levels));
}
