//===- RankLinks.cpp - the links between pipeline ranks -------------------===//

#include "tessera/Transforms/Stage/RankLinks.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tessera;

static constexpr llvm::StringLiteral kLevelsAttr = "pipe.levels";

LinkCosts tessera::slower(const LinkCosts &a, const LinkCosts &b) {
  return {std::max(a.latency, b.latency), std::min(a.bandwidth, b.bandwidth)};
}

/// The level that `attribute` describes; nothing where it describes none.
static std::optional<ClusterLevel> readLevel(Attribute attribute) {
  auto entry = dyn_cast<ArrayAttr>(attribute);
  if (!entry || entry.size() != 3)
    return std::nullopt;
  auto devices = dyn_cast<IntegerAttr>(entry[0]);
  auto latency = dyn_cast<FloatAttr>(entry[1]);
  auto bandwidth = dyn_cast<FloatAttr>(entry[2]);
  if (!devices || !latency || !bandwidth)
    return std::nullopt;
  return ClusterLevel{
      "",
      devices.getInt(),
      {latency.getValueAsDouble(), bandwidth.getValueAsDouble()}};
}

/// The levels on `module`; nothing where there are none.
static std::optional<std::vector<ClusterLevel>> readLevels(ModuleOp module) {
  auto list = module ? module->getAttrOfType<ArrayAttr>(kLevelsAttr) : nullptr;
  if (!list)
    return std::nullopt;
  Cluster cluster;
  for (Attribute attribute : list) {
    std::optional<ClusterLevel> level = readLevel(attribute);
    if (!level)
      return std::nullopt;
    cluster.levels.push_back(std::move(*level));
  }
  if (!cluster.verify().empty())
    return std::nullopt;
  return std::move(cluster.levels);
}

static LinkCosts slowestWithin(const Machine &machine) {
  if (machine.links.empty())
    return LinkCosts();
  LinkCosts slowest = machine.links.front();
  for (const LinkCosts &links : machine.links)
    slowest = slower(slowest, links);
  return slowest;
}

RankLinks::RankLinks(MeshOp mesh) : mesh(mesh.getMesh().getMesh()) {
  if (auto known = readLevels(mesh->getParentOfType<ModuleOp>()))
    levels = std::move(*known);
  else
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

void tessera::writeLevels(ModuleOp module, const Cluster &cluster) {
  auto meshes = module.getOps<MeshOp>();
  Mesh mesh = meshes.empty() ? Mesh() : (*meshes.begin()).getMesh().getMesh();
  Builder builder(module.getContext());
  SmallVector<Attribute> levels;
  for (const ClusterLevel &level : cluster.levelsBetweenRanks(mesh))
    levels.push_back(
        builder.getArrayAttr({builder.getI64IntegerAttr(level.devices),
                              builder.getF64FloatAttr(level.links.latency),
                              builder.getF64FloatAttr(level.links.bandwidth)}));
  module->setAttr(kLevelsAttr, builder.getArrayAttr(levels));
}
