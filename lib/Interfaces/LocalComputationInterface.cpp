//===- LocalComputationInterface.cpp - one device's part ------------------===//

#include "tessera/Interfaces/LocalComputationInterface.h"

#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tessera;

#include "tessera/Interfaces/LocalComputationInterface.cpp.inc"

Operation *tessera::createLocalOperation(OpBuilder &builder, Operation *op,
                                         ValueRange localOperands,
                                         TypeRange localResults) {
  auto rule = dyn_cast<ShardingRuleInterface>(op);
  DictionaryAttr attributes =
      rule ? rule.getLocalAttributes(localOperands.getTypes(), localResults)
           : op->getAttrDictionary();
  OperationState state(op->getLoc(), op->getName(), localOperands, localResults,
                       attributes.getValue());
  state.attributes.erase("tessera.sharding");
  IRMapping mapping;
  for (Region &region : op->getRegions())
    region.cloneInto(state.addRegion(), mapping);
  return builder.create(state);
}
