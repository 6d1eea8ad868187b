//===- Pipe.cpp - the dialect of stages -----------------------------------===//

#include "tessera/Dialect/Pipe/Pipe.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::pipe;

#include "tessera/Dialect/Pipe/PipeDialect.cpp.inc"
#include "tessera/Dialect/Pipe/PipeEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/Pipe/PipeAttrs.cpp.inc"

void PipeDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tessera/Dialect/Pipe/PipeAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/Pipe/PipeOps.cpp.inc"
      >();
}

LogicalResult FragmentOp::verify() {
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield)
    return emitOpError("expected a region that ends with 'pipe.yield'");
  if (yield.getOperandTypes() != getResultTypes())
    return emitOpError("expected to yield what it gives, ")
           << getResultTypes() << ", got " << yield.getOperandTypes();
  return success();
}

void FragmentOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&getBody());
  else
    regions.emplace_back(getOperation(), getResults());
}

#define GET_OP_CLASSES
#include "tessera/Dialect/Pipe/PipeOps.cpp.inc"
