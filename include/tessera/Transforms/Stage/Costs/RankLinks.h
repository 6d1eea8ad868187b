//===- RankLinks.h - the links between pipeline ranks ---------------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_COSTS_RANKLINKS_H
#define TESSERA_TRANSFORMS_STAGE_COSTS_RANKLINKS_H

#include "tessera/Cluster/Cluster.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera::stage {

/// The links between pipeline ranks, each a copy of a mesh.
///
/// A mesh only knows the links along its own axes, and how many copies of it
/// there will be is not known when the machine is described. So the module
/// keeps the levels of the network, from the innermost out, each with the
/// devices of a group (0 for all), its latency and its bandwidth:
///
/// ```mlir
/// module attributes {pipe.levels = [[8, 2.0e-06, 2.5e+11],
/// [0, 1.0e-05, 2.5e+10]]}
/// ```
class RankLinks {
public:
  /// Of copies of `mesh`, as its module says. Without levels there, all links
  /// are as slow as the slowest along any axis of the mesh.
  explicit RankLinks(MeshOp mesh);

  /// Between the pipeline ranks `a` and `b`.
  LinkCosts between(int64_t a, int64_t b) const {
    return linksBetweenRanks(levels, mesh, a, b);
  }
  /// The slowest between any two of the first `ranks` pipeline ranks.
  LinkCosts among(int64_t ranks) const;

private:
  Mesh mesh;
  std::vector<ClusterLevel> levels;
};

/// Writes the levels of `cluster` between pipeline ranks onto `module`.
void writeLevels(mlir::ModuleOp module, const Cluster &cluster);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_COSTS_RANKLINKS_H
