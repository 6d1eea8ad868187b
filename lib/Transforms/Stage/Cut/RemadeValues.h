//===- RemadeValues.h - what a stage makes again instead of receiving it --===//
//
// A stage needs values of others: a product of gradients and a clip factor, the
// square root of a bias correction that all parameters share, a mask. What is
// sent of them need not be they themselves, but anything from which they can be
// made again without communication and without products: their sources, which
// may be a few scalars. What costs least is chosen for all values that a
// fragment needs at once, by bytes, through what is computed element by element
// (see `Rematerialization`).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_CUT_REMADEVALUES_H
#define TESSERA_TRANSFORMS_STAGE_CUT_REMADEVALUES_H

#include "tessera/Sharding/Algebra/Mesh.h"
#include "tessera/Support/Rematerialization.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::stage {

/// Whether `op` makes each element of its only result from few elements of its
/// operands, wherever these are.
bool isCheapToRemake(mlir::Operation *op);

/// Chooses what a stage makes again.
class RemadeValues {
public:
  /// `isForeign` says whether a value must come from another stage; what is not
  /// is there. `mayRead` says whether what is not foreign can be read where
  /// values are made again. `originOf` gives, for what a stage has of another's
  /// value, that value.
  RemadeValues(const Mesh &mesh,
               llvm::function_ref<bool(mlir::Value)> isForeign,
               llvm::function_ref<bool(mlir::Value)> mayRead,
               llvm::function_ref<mlir::Value(mlir::Value)> originOf)
      : mesh(mesh), isForeign(isForeign), mayRead(mayRead), originOf(originOf) {
  }

  /// Of the values that `needed`, all of them foreign, are made of, those that
  /// are best made again from others; what else is foreign is sent. `needed`
  /// themselves may be among them.
  llvm::DenseSet<mlir::Value> choose(llvm::ArrayRef<mlir::Value> needed);

private:
  Rematerialization::Item add(mlir::Value value);
  bool canRemake(mlir::Operation *op) const;
  int64_t bitsSent(mlir::Value value) const;

  const Mesh &mesh;
  llvm::function_ref<bool(mlir::Value)> isForeign, mayRead;
  llvm::function_ref<mlir::Value(mlir::Value)> originOf;
  Rematerialization choice;
  llvm::DenseMap<mlir::Value, Rematerialization::Item> items;
  llvm::SmallVector<mlir::Value> pending;
};

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_CUT_REMADEVALUES_H
