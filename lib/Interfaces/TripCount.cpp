//===- TripCount.cpp - how often an operation runs ------------------------===//

#include "tessera/Interfaces/TripCount.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

/// What a loop counts whose trips are not known.
static constexpr int64_t kUnknownTrips = 16;

int64_t tessera::tripCount(Operation *op) {
  int64_t product = 1;
  for (; op && !isa<FunctionOpInterface>(op); op = op->getParentOp())
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      int64_t count = trips ? trips->getSExtValue() : kUnknownTrips;
      product *= std::max<int64_t>(count, 1);
    }
  return product;
}
