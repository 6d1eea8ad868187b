//===- EmitReshard.h - reshards as collectives ----------------------------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_EMITRESHARD_H
#define TESSERA_TRANSFORMS_PARTITION_EMITRESHARD_H

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Sharding/ReshardPlanner.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera {

/// Turns reshards into the collectives that the planner chooses.
class ReshardEmitter {
public:
  ReshardEmitter(mlir::FlatSymbolRefAttr meshName, const Mesh &mesh)
      : meshName(meshName), planner(mesh) {}

  /// Builds what turns `local`, a device's part under the operand's sharding
  /// `source`, into its part under the sharding that `reshard` asks for. A
  /// diagnostic where the planner has no plan.
  mlir::FailureOr<mlir::Value> emit(mlir::OpBuilder &builder, ReshardOp reshard,
                                    const TensorSharding &source,
                                    mlir::Value local);

private:
  mlir::Value emitStep(mlir::ImplicitLocOpBuilder &builder,
                       const ReshardStep &step, const ReshardProblem &problem,
                       const TensorSharding &before, mlir::Value value);

  mlir::FlatSymbolRefAttr meshName;
  ReshardPlanner planner;
};

/// The index of this device along `axes`, times `factor`: a scalar i32.
mlir::Value scaledAxisIndex(mlir::ImplicitLocOpBuilder &builder,
                            mlir::FlatSymbolRefAttr meshName,
                            llvm::ArrayRef<AxisRef> axes, int64_t factor);

/// A constant scalar i32.
mlir::Value constantIndex(mlir::ImplicitLocOpBuilder &builder, int64_t value);

} // namespace tessera

#endif // TESSERA_TRANSFORMS_PARTITION_EMITRESHARD_H
