//===- ForeignCall.h - what a foreign call says of its routine ------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_CALLS_FOREIGNCALL_H
#define TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_CALLS_FOREIGNCALL_H

#include "mlir/IR/Operation.h"

namespace tessera::importer {

/// The row of calls of routines.
inline constexpr llvm::StringLiteral kRoutineCall = "stablehlo.custom_call";

/// On what takes or gives pairs of complex numbers: its type before.
inline constexpr llvm::StringLiteral kForeignSignature = "complex_signature";

/// Whether `op`, a custom call, calls a routine that the project's library
/// supplies, or one that the module names.
bool isRoutineCall(mlir::Operation *op);

/// By what a call may be split.
struct CallFactors {
  /// Of every operand and result, by dimension: the factor's number, or -1.
  llvm::SmallVector<llvm::SmallVector<int64_t>> ofArrays;
  /// Those of operands only, over which results add up.
  llvm::SmallVector<int64_t> summed;
};

/// What the attribute `sdy.sharding_rule` of `op` says of its arrays, which are
/// of `types` and of which the first `inputs` are operands; without it, the
/// dimensions in front that `num_batch_dims` counts. A dimension of several
/// factors, or of one that must be replicated, is whole. Fails after a
/// diagnostic.
mlir::FailureOr<CallFactors> readFactors(mlir::Operation *op,
                                         llvm::ArrayRef<mlir::Type> types,
                                         size_t inputs);

/// The results that start from operands, and these.
llvm::SmallVector<std::pair<unsigned, unsigned>>
readAliases(mlir::Operation *op);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_CONVERSIONS_CALLS_FOREIGNCALL_H
