//===- NetworkLevels.cpp - the network that a module describes ------------===//

#include "tessera/Dialect/Pipe/NetworkLevels.h"

#include "tessera/Dialect/Pipe/Pipe.h"

using namespace mlir;
using namespace tessera;

std::vector<ClusterLevel> pipe::readLevels(ModuleOp module) {
  std::vector<ClusterLevel> levels;
  auto list = module
                  ? module->getAttrOfType<ArrayAttr>(PipeDialect::kLevelsAttr)
                  : ArrayAttr();
  for (Attribute attribute : list ? list.getValue() : ArrayRef<Attribute>()) {
    auto level = cast<ArrayAttr>(attribute);
    auto number = [&](unsigned i) {
      return cast<FloatAttr>(level[i]).getValueAsDouble();
    };
    levels.push_back(
        {"", cast<IntegerAttr>(level[0]).getInt(), {number(1), number(2)}});
  }
  return levels;
}
