//===- BlockedCosts.cpp - what an algorithm on dealt rows sends -----------===//

#include "Libraries/BlockedCosts.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

BlockedCosts::BlockedCosts(Value matrix, const Deal &deal, RoutineCosts &costs)
    : costs(costs), type(typeOf(matrix)),
      sharding(getSharding(matrix).getValue()), whole(sharding),
      square(sharding), columns(sharding), dealt(sharding) {
  int64_t rank = type.getRank();
  for (TensorSharding *other : {&whole, &square, &columns, &dealt})
    for (int64_t dim : {rank - 2, rank - 1})
      other->dims[dim].axes.clear();
  for (auto [dim, axes] : llvm::enumerate(deal.squareSplit()))
    square.dims[rank - 2 + dim].axes = axes;
  columns.dims[rank - 1].axes = deal.axes;
  dealt.dims[rank - 2].axes = deal.axes;
}

double BlockedCosts::deal() {
  // Neighbouring rows are dealt out in as large an exchange as columns are.
  return costs.reshards.seconds(type, sharding, square) +
         costs.reshards.seconds(type, columns, dealt);
}

bool BlockedCosts::isHeld(int copies) {
  int64_t elements = 1;
  for (int64_t size : whole.localShape(type.getShape(), costs.getMesh()))
    elements *= size;
  double bytes = double(elements) * (type.getElementTypeBitWidth() / 8);
  return copies * bytes <= double(costs.machine.memory) / 2;
}

double BlockedCosts::part(int64_t rows, int64_t columns) {
  SmallVector<int64_t> shape(type.getShape());
  shape[shape.size() - 2] = rows;
  shape[shape.size() - 1] = columns;
  return costs.reshards.seconds(type.clone(shape), dealt, whole);
}
