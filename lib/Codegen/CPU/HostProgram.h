//===- HostProgram.h - What the device does in order ----------------------===//
#ifndef TESSERA_LIB_CODEGEN_CPU_HOSTPROGRAM_H
#define TESSERA_LIB_CODEGEN_CPU_HOSTPROGRAM_H

#include "LowerKernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::cpu {

/// A kernel of the program: the code that serves for it.
struct KernelUse {
  const LoweredKernel *code;
  /// The nested module of the code.
  std::string module;
  /// What traces show: "dot_general.3".
  std::string name;
  /// For each result the operand that it overwrites, or -1.
  llvm::SmallVector<int64_t> aliases;
};

/// A place in memory that a tensor occupies.
struct Place {
  spmd::Space space;
  int64_t position;
  bool operator==(const Place &other) const {
    return space == other.space && position == other.position;
  }
};

/// Where the tensors of a scheduled program lie. A donated argument and its
/// result are one place.
class PlaceTable {
public:
  explicit PlaceTable(mlir::func::FuncOp main);

  /// The place of `value`: an argument of the program or of a region, or a
  /// result with `spmd.buffers`. Empty after a diagnostic.
  std::optional<Place> lookup(mlir::Value value) const;
  /// The place of result `number` of the program.
  Place result(int64_t number) const;
  /// The operand of `kernel` that each result overwrites, or -1.
  llvm::SmallVector<int64_t> aliases(spmd::KernelOp kernel) const;

private:
  Place canonical(Place place) const;

  mlir::func::FuncOp main;
  /// The argument donated to each result, or -1.
  llvm::SmallVector<int64_t> donors;
};

/// Builds `@tessera_main` from `main` in a new nested module `@program` of
/// `module`, and the module's attributes about communication. Returns the bytes
/// that the arena must have.
llvm::FailureOr<int64_t>
buildHostProgram(mlir::ModuleOp module, mlir::func::FuncOp main,
                 const PlaceTable &places,
                 const llvm::DenseMap<mlir::Operation *, KernelUse> &kernels);

} // namespace tessera::cpu

#endif // TESSERA_LIB_CODEGEN_CPU_HOSTPROGRAM_H
