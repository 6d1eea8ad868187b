//===- Combined.h - several collectives in one call -----------------------===//
#ifndef TESSERA_DIALECT_RT_COMBINED_H
#define TESSERA_DIALECT_RT_COMBINED_H

#include "tessera/Dialect/Rt/Rt.h"

#define GET_OP_CLASSES
#include "tessera/Dialect/Rt/CombinedOps.h.inc"

#endif // TESSERA_DIALECT_RT_COMBINED_H
