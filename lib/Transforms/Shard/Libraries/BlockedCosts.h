//===- BlockedCosts.h - what an algorithm on dealt rows sends -------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_LIBRARIES_BLOCKEDCOSTS_H
#define TESSERA_TRANSFORMS_SHARD_LIBRARIES_BLOCKEDCOSTS_H

#include "Libraries/DealtRows.h"
#include "Libraries/SplitRoutines.h"

namespace tessera::shard {

/// The seconds that it takes to move a matrix, or parts of it.
class BlockedCosts {
public:
  /// `matrix` has a sharding, and rows that `deal` says how to deal out.
  BlockedCosts(mlir::Value matrix, const Deal &deal, RoutineCosts &costs);

  /// Whether half of the described memory holds so many `copies` of the whole
  /// matrix on each device.
  bool isHeld(int copies);
  /// All devices gather the matrix.
  double gather() { return costs.reshards.seconds(type, sharding, whole); }
  /// Its rows are dealt out, or what was dealt is collected.
  double deal();
  /// All devices gather so many dealt rows and columns.
  double part(int64_t rows, int64_t columns);

private:
  RoutineCosts &costs;
  mlir::RankedTensorType type;
  TensorSharding sharding, whole;
  /// Before rows are dealt out, by columns, and dealt.
  TensorSharding square, columns, dealt;
};

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_LIBRARIES_BLOCKEDCOSTS_H
