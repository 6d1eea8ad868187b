//===- Passes.h - the host program, whatever the device -------------------===//
#ifndef TESSERA_CODEGEN_HOST_PASSES_H
#define TESSERA_CODEGEN_HOST_PASSES_H

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "tessera/Dialect/Rt/Rt.h"

namespace tessera {

#define GEN_PASS_DECL
#include "tessera/Codegen/Host/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tessera/Codegen/Host/Passes.h.inc"

} // namespace tessera

#endif // TESSERA_CODEGEN_HOST_PASSES_H
