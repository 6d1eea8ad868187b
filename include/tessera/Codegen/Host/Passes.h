//===- Passes.h - the host program, whatever the device -------------------===//
#ifndef TESSERA_CODEGEN_HOST_PASSES_H
#define TESSERA_CODEGEN_HOST_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tessera::codegen {

#define GEN_PASS_DECL
#include "tessera/Codegen/Host/Passes.h.inc"

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_HOST_PASSES_H
