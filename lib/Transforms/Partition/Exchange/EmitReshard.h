//===- EmitReshard.h - reshards as collectives ----------------------------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_EXCHANGE_EMITRESHARD_H
#define TESSERA_TRANSFORMS_PARTITION_EXCHANGE_EMITRESHARD_H

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Sharding/Reshard/ReshardPlanner.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <map>

namespace tessera::partition {

/// Turns reshards into the collectives that the planner chooses. In a manual
/// region, devices along its axes hold different tensors, so a plan there must
/// do without these axes.
class ReshardEmitter {
public:
  /// Tensors move on the links that `mesh` describes.
  explicit ReshardEmitter(MeshOp mesh)
      : meshName(mlir::FlatSymbolRefAttr::get(mesh)),
        mesh(mesh.getMesh().getMesh()), links(mesh.getMachine().links) {}

  /// Builds what turns `local`, a device's part under the operand's sharding
  /// `source`, into its part under the sharding that `reshard` asks for. A
  /// diagnostic where the planner has no plan.
  mlir::FailureOr<mlir::Value> emit(mlir::OpBuilder &builder, ReshardOp reshard,
                                    const TensorSharding &source,
                                    mlir::Value local);

private:
  /// The planner for the inside of manual regions over `manualAxes`.
  ReshardPlanner &plannerWithout(const AxisList &manualAxes);
  mlir::Value emitStep(mlir::ImplicitLocOpBuilder &builder,
                       const ReshardStep &step, const ReshardProblem &problem,
                       const TensorSharding &before, mlir::Value value);

  mlir::FlatSymbolRefAttr meshName;
  const Mesh &mesh;
  llvm::SmallVector<LinkCosts, 4> links;
  std::map<AxisList, ReshardPlanner> planners;
};

/// The index of this device along `axes`, times `factor`: a scalar i32.
mlir::Value scaledAxisIndex(mlir::ImplicitLocOpBuilder &builder,
                            mlir::FlatSymbolRefAttr meshName,
                            llvm::ArrayRef<AxisRef> axes, int64_t factor);

/// A constant scalar i32.
mlir::Value constantIndex(mlir::ImplicitLocOpBuilder &builder, int64_t value);

} // namespace tessera::partition

#endif // TESSERA_TRANSFORMS_PARTITION_EXCHANGE_EMITRESHARD_H
