//===- Rt.cpp - the dialect of execution ----------------------------------===//

#include "tessera/Dialect/Rt/Rt.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::rt;

#include "tessera/Dialect/Rt/RtDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/Rt/RtAttrs.cpp.inc"

void RtDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tessera/Dialect/Rt/RtAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/Rt/RtOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "tessera/Dialect/Rt/RtOps.cpp.inc"
