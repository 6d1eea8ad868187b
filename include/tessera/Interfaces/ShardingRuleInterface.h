//===- ShardingRuleInterface.h - how an operation may be split ------------===//
#ifndef TESSERA_INTERFACES_SHARDINGRULEINTERFACE_H
#define TESSERA_INTERFACES_SHARDINGRULEINTERFACE_H

#include "mlir/IR/OpDefinition.h"
#include "tessera/Sharding/Rules/ShardingRule.h"

#include "tessera/Interfaces/ShardingRuleInterface.h.inc"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tessera {

/// The shapes of tensor types; a type that is no tensor counts as a scalar.
llvm::SmallVector<llvm::ArrayRef<int64_t>> getShapes(mlir::TypeRange types);

/// A builder for the rule of `op`, with the shapes of its operands and results.
ShardingRuleBuilder makeRuleBuilder(mlir::Operation *op);

/// Gives the operations of `arith` and `math` their rules where the pointwise
/// rule does not say all.
void registerElementwiseShardingRules(mlir::DialectRegistry &registry);

/// The sharding rule of `op`: what its interface says, the pointwise rule for
/// element-wise operations, and nothing for an operation that has no rule
/// (control flow, terminators).
std::optional<ShardingRule> getShardingRule(mlir::Operation *op);

} // namespace tessera

#endif // TESSERA_INTERFACES_SHARDINGRULEINTERFACE_H
