//===- BodyAncestors.h - what values of a block depend on -----------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_STEP_BODYANCESTORS_H
#define TESSERA_TRANSFORMS_STAGE_STEP_BODYANCESTORS_H

#include "mlir/IR/Operation.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace tessera::stage {

/// Which of some operations of a block values depend on: the maker of a value,
/// and those of what it reads, and so on, as far as they are among these
/// operations. Answers are sets of their numbers.
///
/// Questions about many values at once are answered for 64 of them at a time,
/// in one walk over all operations from the last to the first, so that n values
/// of m operations take O(n m / 64) steps and O(m) memory.
class BodyAncestors {
public:
  /// Of `operations`, in the order of the text, each of which reads what
  /// `readsOf` says.
  BodyAncestors(
      llvm::ArrayRef<mlir::Operation *> operations,
      llvm::function_ref<llvm::ArrayRef<mlir::Value>(mlir::Operation *)>
          readsOf);

  /// Whether `value` depends on two operations or more.
  bool areSeveral(mlir::Value value) const;
  /// What any of `values` depends on.
  llvm::BitVector ofAny(llvm::ArrayRef<mlir::Value> values) const;
  /// What all of `values` depend on; everything if there are none.
  llvm::BitVector ofAll(llvm::ArrayRef<mlir::Value> values) const;

private:
  std::vector<uint64_t> reach(llvm::ArrayRef<mlir::Value> values) const;
  size_t size() const { return firstInput.size() - 1; }

  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  /// The operations that number i reads from are the entries firstInput[i] ..
  /// firstInput[i + 1] - 1 of `inputs`.
  std::vector<unsigned> inputs, firstInput;
};

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_STEP_BODYANCESTORS_H
