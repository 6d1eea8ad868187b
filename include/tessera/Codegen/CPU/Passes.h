//===- Passes.h - the phase codegen for x86 -------------------------------===//
#ifndef TESSERA_CODEGEN_CPU_PASSES_H
#define TESSERA_CODEGEN_CPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tessera::cpu {

#define GEN_PASS_DECL
#include "tessera/Codegen/CPU/Passes.h.inc"

} // namespace tessera::cpu

#endif // TESSERA_CODEGEN_CPU_PASSES_H
