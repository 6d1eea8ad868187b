//===- MemoryMap.h - Where the tensors of a function lie ------------------===//
#ifndef TESSERA_DIALECT_SPMD_MEMORYMAP_H
#define TESSERA_DIALECT_SPMD_MEMORYMAP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tessera/Dialect/Spmd/Spmd.h"

namespace tessera::spmd {

/// On `scf.while`, after `schedule`: one `#spmd.buffer` for each initial value,
/// where what the first region gets lies.
constexpr llvm::StringLiteral kCarriedAttr = "spmd.carried";

/// Where in memory a tensor begins.
struct MemoryLocation {
  Space space;
  int64_t position;
  bool operator==(const MemoryLocation &other) const {
    return space == other.space && position == other.position;
  }
};

/// Where the tensors of a scheduled function lie. A donated argument and its
/// result are at one location.
///
/// Arguments of regions lie where the results of their operation lie, with one
/// exception: what `scf.while` carries into its first region may have other
/// types than the results, so the loop says where it lies (`spmd.carried`).
class MemoryMap {
public:
  explicit MemoryMap(mlir::func::FuncOp function);

  /// The location of `value`: an argument of the function or of a region, or a
  /// result with `spmd.buffers`. Empty after a diagnostic where the plan is
  /// missing, or names an argument or result that the function does not have.
  std::optional<MemoryLocation> lookup(mlir::Value value) const;
  /// The location of result `number` of the function.
  MemoryLocation result(int64_t number) const;
  /// The operand of `kernel` that each result overwrites, or -1.
  llvm::SmallVector<int64_t> aliases(KernelOp kernel) const;

private:
  MemoryLocation canonical(MemoryLocation location) const;
  /// What `op` says for its entry `number` in the attribute `name`.
  std::optional<MemoryLocation> read(mlir::Operation *op, llvm::StringRef name,
                                     unsigned number) const;

  mlir::func::FuncOp function;
  /// The argument donated to each result, or -1.
  llvm::SmallVector<int64_t> donors;
};

/// The bytes that a tensor takes in memory.
int64_t bytesOf(mlir::Type type);
inline int64_t bytesOf(mlir::Value value) { return bytesOf(value.getType()); }

} // namespace tessera::spmd

#endif // TESSERA_DIALECT_SPMD_MEMORYMAP_H
