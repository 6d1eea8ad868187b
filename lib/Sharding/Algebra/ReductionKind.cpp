//===- ReductionKind.cpp - The monoids of pending reductions --------------===//
#include "tessera/Sharding/Algebra/ReductionKind.h"

using namespace tessera;

namespace {
constexpr llvm::StringLiteral kNames[] = {"sum", "product", "min", "max",
                                          "and", "or",      "xor"};
} // namespace

llvm::StringRef tessera::stringify(ReductionKind kind) {
  return kNames[static_cast<int>(kind)];
}

std::optional<ReductionKind> tessera::parseReductionKind(llvm::StringRef name) {
  for (int i = 0; i < static_cast<int>(std::size(kNames)); ++i)
    if (kNames[i] == name)
      return static_cast<ReductionKind>(i);
  return std::nullopt;
}
