//===- StepState.h - state that a step has beside the model's -------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_STEPSTATE_H
#define TESSERA_TRANSFORMS_COMMUNICATE_STEPSTATE_H

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::communicate {

/// Appends to `main`, one device's step, an argument `name` (with a number
/// behind it, where another one has that name) and a result of the same name
/// that it is donated to, and which is the argument itself until
/// `setNextState`. It is zero before the first step. `type` is what a device
/// has of it, `global` and `sharding` what the outside world sees.
mlir::BlockArgument addState(mlir::func::FuncOp main, llvm::StringRef name,
                             mlir::RankedTensorType type,
                             mlir::RankedTensorType global,
                             ShardingAttr sharding);

/// The same for `elements` numbers of f32 that every device of `mesh` has of
/// its own: from outside a matrix with a row for each device. Local are
/// [1, elements].
mlir::BlockArgument addDeviceState(mlir::func::FuncOp main,
                                   llvm::StringRef name, MeshOp mesh,
                                   int64_t elements);

/// Makes `next` what `state` is in the next step.
void setNextState(mlir::BlockArgument state, mlir::Value next);

/// Adds `sentence` to what the program computes otherwise than the model.
void addChangedMathematics(mlir::ModuleOp module, llvm::StringRef sentence);

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_STEPSTATE_H
