//===- HostCopies.h - copies to the host and back -------------------------===//
#ifndef TESSERA_DIALECT_RT_HOSTCOPIES_H
#define TESSERA_DIALECT_RT_HOSTCOPIES_H

#include "tessera/Dialect/Rt/Rt.h"

#define GET_OP_CLASSES
#include "tessera/Dialect/Rt/HostOps.h.inc"

#endif // TESSERA_DIALECT_RT_HOSTCOPIES_H
