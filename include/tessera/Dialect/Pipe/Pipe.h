//===- Pipe.h - the dialect of stages -------------------------------------===//
#ifndef TESSERA_DIALECT_PIPE_PIPE_H
#define TESSERA_DIALECT_PIPE_PIPE_H

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Interfaces/DataFlow.h"

#include "tessera/Dialect/Pipe/PipeDialect.h.inc"
#include "tessera/Dialect/Pipe/PipeEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera/Dialect/Pipe/PipeAttrs.h.inc"

#define GET_OP_CLASSES
#include "tessera/Dialect/Pipe/PipeOps.h.inc"

#endif // TESSERA_DIALECT_PIPE_PIPE_H
