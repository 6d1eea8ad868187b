//===- ReshardCosts.h - what it costs to move tensors of the program ------===//
#ifndef TESSERA_DIALECT_TESSERA_RESHARDCOSTS_H
#define TESSERA_DIALECT_TESSERA_RESHARDCOSTS_H

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Sharding/Reshard/ReshardPlanner.h"

namespace tessera {

/// The reshard planner, asked about tensors of the program.
class ReshardCosts {
public:
  /// Tensors move on the links that `mesh` describes.
  explicit ReshardCosts(MeshOp mesh)
      : planner(mesh.getMesh().getMesh(),
                {mesh.getMachine().links, /*memoryLimit=*/std::nullopt,
                 /*useIdleAxes=*/false}) {}

  const Mesh &getMesh() const { return planner.getMesh(); }
  /// The seconds of the cheapest way from `source` to `target`; infinity where
  /// there is none.
  double seconds(mlir::RankedTensorType type, const TensorSharding &source,
                 const TensorSharding &target);
  /// The same, remembered per pair of attributes.
  double seconds(mlir::RankedTensorType type, ShardingAttr source,
                 ShardingAttr target);

private:
  ReshardPlanner planner;
  llvm::DenseMap<std::tuple<mlir::Type, mlir::Attribute, mlir::Attribute>,
                 double>
      known;
};

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_RESHARDCOSTS_H
