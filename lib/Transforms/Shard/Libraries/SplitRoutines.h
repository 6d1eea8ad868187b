//===- SplitRoutines.h - routines on parts of what they need whole --------===//
#ifndef TESSERA_TRANSFORMS_SHARD_LIBRARIES_SPLITROUTINES_H
#define TESSERA_TRANSFORMS_SHARD_LIBRARIES_SPLITROUTINES_H

#include "tessera/Dialect/Tessera/ReshardCosts.h"
#include "tessera/Sharding/Costs/Machine.h"

namespace tessera::shard {

/// The mesh of a program, and what its machine is described to do.
struct RoutineCosts {
  explicit RoutineCosts(MeshOp mesh)
      : machine(mesh.getMachine()), reshards(mesh) {}

  const Mesh &getMesh() const { return reshards.getMesh(); }

  Machine machine;
  ReshardCosts reshards;
};

/// Transforms along several dimensions of which some are split, as transforms
/// of one dimension each: while one runs, its axes split another dimension, so
/// that parts are exchanged and nothing is gathered. Returns the results, or
/// nothing where the call may stay as it is.
llvm::SmallVector<mlir::Value> splitTransform(LibraryCallOp call,
                                              RoutineCosts &costs);

/// The factor of a real positive definite matrix with split rows or columns, by
/// blocks; nothing where it is less work to gather the matrix, which memory
/// holds.
llvm::SmallVector<mlir::Value> splitFactor(LibraryCallOp call,
                                           RoutineCosts &costs);

/// The factors L and U of a real square matrix, its pivots and the status; the
/// same otherwise.
llvm::SmallVector<mlir::Value> splitElimination(LibraryCallOp call,
                                                RoutineCosts &costs);

/// The same of a system of equations with a real triangular matrix.
llvm::SmallVector<mlir::Value> splitSolution(LibraryCallOp call,
                                             RoutineCosts &costs);

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_LIBRARIES_SPLITROUTINES_H
