//===- ReductionKind.h - The monoids of pending reductions ----------------===//
#ifndef TESSERA_SHARDING_ALGEBRA_REDUCTIONKIND_H
#define TESSERA_SHARDING_ALGEBRA_REDUCTIONKIND_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tessera {

/// The commutative monoid that combines partial results.
enum class ReductionKind { Sum, Product, Min, Max, And, Or, Xor };

/// `sum`, `product`, `min`, `max`, `and`, `or`, `xor`.
llvm::StringRef stringify(ReductionKind kind);
/// The kind called `name`, if there is one.
std::optional<ReductionKind> parseReductionKind(llvm::StringRef name);

} // namespace tessera

#endif // TESSERA_SHARDING_ALGEBRA_REDUCTIONKIND_H
