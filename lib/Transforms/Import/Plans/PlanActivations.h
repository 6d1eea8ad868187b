//===- PlanActivations.h - wishes for what scopes hand on -------*- C++ -*-===//
#ifndef TESSERA_TRANSFORMS_IMPORT_PLANS_PLANACTIVATIONS_H
#define TESSERA_TRANSFORMS_IMPORT_PLANS_PLANACTIVATIONS_H

#include "PlanResolver.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::importer {

/// The components of the name that JAX gives an operation, without those of
/// transformations: `jit(step)/jvp(layers.0)/mlp/add` is step, layers, 0, mlp,
/// add. Empty for an operation without one, and for one of a backward pass.
Path scopeOf(mlir::Location location);

/// Whether JAX says by its name that an operation is one of a backward pass.
bool isOfBackwardPass(mlir::Location location);

/// Constrains what leaves the scopes that activations of `plan` name: the value
/// of the scope that is used behind it. A scope that the program enters several
/// times, as a layer without a number, is several. A rule without a scope is
/// warned of.
mlir::LogicalResult constrainActivations(mlir::func::FuncOp function,
                                         const ShardingPlan &plan,
                                         const PlanResolver &resolver,
                                         mlir::FlatSymbolRefAttr mesh);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_PLANS_PLANACTIVATIONS_H
