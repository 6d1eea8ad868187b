//===- FragmentFunctions.h - fragments as functions -----------------------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_RANKS_FRAGMENTFUNCTIONS_H
#define TESSERA_TRANSFORMS_PARTITION_RANKS_FRAGMENTFUNCTIONS_H

#include "Ranks/ScheduledStep.h"

namespace tessera::partition {

/// What a fragment has become.
struct FragmentFunction {
  mlir::func::FuncOp function;
  /// The values from around the fragment that its arguments are, in order.
  llvm::SmallVector<mlir::Value> operands;
};

/// Makes a private function of `fragment` at the end of the module, named after
/// its kind and stage (`@forward_0`, a second one `@forward_0_1`), which are
/// also attributes of it, beside those of the fragment. What is free
/// and the same for all microbatches is computed within; what depends on the
/// number of the microbatch is an argument. A diagnostic where an argument
/// would not be a tensor.
mlir::FailureOr<FragmentFunction> outlineFragment(const ScheduledStep &step,
                                                  pipe::FragmentOp fragment,
                                                  mlir::SymbolTable &symbols);

} // namespace tessera::partition

#endif // TESSERA_TRANSFORMS_PARTITION_RANKS_FRAGMENTFUNCTIONS_H
