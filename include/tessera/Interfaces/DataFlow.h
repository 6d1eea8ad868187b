//===- DataFlow.h - values handed over by control flow --------------------===//
#ifndef TESSERA_INTERFACES_DATAFLOW_H
#define TESSERA_INTERFACES_DATAFLOW_H

#include "tessera/Sharding/Algebra/TensorSharding.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace tessera {

/// The trait of operations whose result i is operand i.
template <typename ConcreteType>
class HandsOperandsOver
    : public mlir::OpTrait::TraitBase<ConcreteType, HandsOperandsOver> {};

/// Whether `op` hands values over: control flow, or an operation whose results
/// are its operands.
bool hasDataFlow(mlir::Operation *op);

/// Calls `visit` for every operand that `op`, which has data flow, hands over,
/// once for each region argument or result of `op` that receives it. Operands
/// of `op` itself come first, then those of its regions' terminators.
void forEachDataFlowEdge(
    mlir::Operation *op,
    llvm::function_ref<void(mlir::OpOperand &source, mlir::Value target)>
        visit);

/// The sharding that a tensor has as `target`, a region argument or a result of
/// control flow, if it is handed over in `source`; the same, but for what
/// enters or leaves a manual region. Nothing where it cannot be handed over
/// so.
std::optional<TensorSharding> shardingBehindEdge(mlir::Value target,
                                                 const TensorSharding &source);
/// The sharding that a tensor must be handed over in to have `sharding` as
/// `target`; the inverse of the above.
std::optional<TensorSharding>
shardingBeforeEdge(mlir::Value target, const TensorSharding &sharding);

/// What control flow carries as one value, which therefore has one sharding.
struct CarriedValue {
  /// Region arguments and results that some operand fills together.
  llvm::SmallVector<mlir::Value, 1> targets;
  /// All operands that fill them, each once.
  llvm::SmallVector<mlir::OpOperand *, 2> sources;
};

/// What `op`, which has data flow, carries: a loop's initial value, region
/// argument, yielded value and result, or the values that branches yield and
/// the result. In the order in which `forEachDataFlowEdge` meets the targets.
llvm::SmallVector<CarriedValue, 0> carriedValues(mlir::Operation *op);

/// Visits the operations of `function` that work on its tensors, in the order
/// of the text. Regions that are not control flow, like the body of a
/// reduction, belong to their operation and are not entered. `visit` returns
/// nothing or a WalkResult.
template <typename Visit>
mlir::WalkResult walkProgram(mlir::Operation *function, Visit &&visit) {
  return function->walk<mlir::WalkOrder::PreOrder>(
      [&](mlir::Operation *op) -> mlir::WalkResult {
        if (op == function)
          return mlir::WalkResult::advance();
        if constexpr (std::is_void_v<
                          std::invoke_result_t<Visit, mlir::Operation *>>)
          visit(op);
        else if (mlir::WalkResult(visit(op)).wasInterrupted())
          return mlir::WalkResult::interrupt();
        return mlir::isa<mlir::RegionBranchOpInterface>(op)
                   ? mlir::WalkResult::advance()
                   : mlir::WalkResult::skip();
      });
}

} // namespace tessera

#endif // TESSERA_INTERFACES_DATAFLOW_H
