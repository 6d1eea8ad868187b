//===- Rt.h - the dialect of execution ------------------------------------===//
#ifndef TESSERA_DIALECT_RT_RT_H
#define TESSERA_DIALECT_RT_RT_H

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "tessera/Dialect/Rt/RtDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/Rt/RtAttrs.h.inc"

#define GET_OP_CLASSES
#include "tessera/Dialect/Rt/RtOps.h.inc"

#endif // TESSERA_DIALECT_RT_RT_H
