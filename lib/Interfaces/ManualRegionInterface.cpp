//===- ManualRegionInterface.cpp - regions of parts -----------------------===//

#include "tessera/Interfaces/ManualRegionInterface.h"

using namespace mlir;
using namespace tessera;

#include "tessera/Interfaces/ManualRegionInterface.cpp.inc"

AxisList tessera::manualAxesAround(Operation *op) {
  AxisList axes;
  while (auto region = op->getParentOfType<ManualRegionInterface>()) {
    ArrayRef<AxisRef> own = region.getManualAxes();
    axes.insert(axes.begin(), own.begin(), own.end());
    op = region;
  }
  return axes;
}
