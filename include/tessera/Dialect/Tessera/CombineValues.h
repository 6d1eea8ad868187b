//===- CombineValues.h - one value out of two, by a monoid ----------------===//
#ifndef TESSERA_DIALECT_TESSERA_COMBINEVALUES_H
#define TESSERA_DIALECT_TESSERA_COMBINEVALUES_H

#include "tessera/Sharding/Algebra/ReductionKind.h"

#include "mlir/IR/Builders.h"

namespace tessera {

/// Builds the operation that combines `a` and `b`, scalars or tensors of one
/// type, element by element by `kind`; integers are signed.
mlir::Value combineValues(mlir::OpBuilder &builder, mlir::Location loc,
                          ReductionKind kind, mlir::Value a, mlir::Value b);

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_COMBINEVALUES_H
