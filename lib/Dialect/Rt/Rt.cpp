//===- Rt.cpp - the dialect of execution ----------------------------------===//

#include "tessera/Dialect/Rt/Rt.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::rt;

#include "tessera/Dialect/Rt/RtDialect.cpp.inc"

void RtDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/Rt/RtOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "tessera/Dialect/Rt/RtOps.cpp.inc"
