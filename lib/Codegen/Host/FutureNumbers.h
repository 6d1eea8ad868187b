//===- FutureNumbers.h - The numbers of collectives under way -------------===//
#ifndef TESSERA_CODEGEN_HOST_FUTURENUMBERS_H
#define TESSERA_CODEGEN_HOST_FUTURENUMBERS_H

#include "tessera/Codegen/Host/ProgramFunctions.h"
#include "llvm/ADT/BitVector.h"

namespace tessera::codegen {

/// What the runtime calls each `spmd.start`: a number that no other collective
/// has that may be under way at the same time. A number is free again after the
/// wait. A pair with nothing in between has none, as it is complete at once; of
/// several that are one call, the first has the call's.
/// Functions have numbers of their own, because a caller may have
/// collectives under way; as no function calls itself, these are enough. Loops
/// need nothing special: what an iteration starts, it waits for.
class FutureNumbers {
public:
  explicit FutureNumbers(const ProgramFunctions &program);

  std::optional<int32_t> of(spmd::StartOp start) const {
    auto found = numbers.find(start);
    return found == numbers.end() ? std::nullopt
                                  : std::optional<int32_t>(found->second);
  }

private:
  /// Numbers what starts in `block`, from `first` on, but for those that are
  /// `taken` around it. Returns the end of the numbers in use.
  int32_t number(mlir::Block &block, int32_t first, llvm::BitVector &taken);

  llvm::DenseMap<mlir::Operation *, int32_t> numbers;
};

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_FUTURENUMBERS_H
