//===- PlaceTable.h - Where the tensors of a function lie -----------------===//
#ifndef TESSERA_CODEGEN_HOST_PLACETABLE_H
#define TESSERA_CODEGEN_HOST_PLACETABLE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tessera/Dialect/Spmd/Spmd.h"

namespace tessera::codegen {

/// A place in memory that a tensor occupies.
struct Place {
  spmd::Space space;
  int64_t position;
  bool operator==(const Place &other) const {
    return space == other.space && position == other.position;
  }
};

/// Where the tensors of a scheduled function lie. A donated argument and its
/// result are one place.
class PlaceTable {
public:
  explicit PlaceTable(mlir::func::FuncOp function);

  /// The place of `value`: an argument of the function or of a region, or a
  /// result with `spmd.buffers`. Empty after a diagnostic.
  std::optional<Place> lookup(mlir::Value value) const;
  /// The place of result `number` of the function.
  Place result(int64_t number) const;
  /// The operand of `kernel` that each result overwrites, or -1.
  llvm::SmallVector<int64_t> aliases(spmd::KernelOp kernel) const;

private:
  Place canonical(Place place) const;

  mlir::func::FuncOp function;
  /// The argument donated to each result, or -1.
  llvm::SmallVector<int64_t> donors;
};

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_PLACETABLE_H
