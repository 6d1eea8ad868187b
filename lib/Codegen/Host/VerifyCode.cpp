//===- VerifyCode.cpp - the contract of the phase codegen -----------------===//

#include "tessera/Codegen/Host/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-verify-code"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

namespace tessera::codegen {
#define GEN_PASS_DEF_VERIFYCODE
#include "tessera/Codegen/Host/Passes.h.inc"
} // namespace tessera::codegen

/// The module beside `kernel` that holds its code for `arch`: `@sm_90a` for 90.
static ModuleOp findArchitecture(rt::GridKernelOp kernel, int32_t arch) {
  std::string name = "sm_" + std::to_string(arch);
  for (auto module : kernel->getParentOfType<ModuleOp>().getOps<ModuleOp>())
    if (module.getName().value_or("").starts_with(name))
      return module;
  return {};
}

/// Every grid of `kernel` runs a function that is there.
static LogicalResult verifyGrids(rt::GridKernelOp kernel) {
  for (auto variant : kernel.getVariants().getAsRange<rt::VariantAttr>()) {
    ModuleOp code = findArchitecture(kernel, variant.getArch());
    for (Attribute step : variant.getSteps()) {
      auto grid = dyn_cast<rt::GridStepAttr>(step);
      if (!grid)
        continue;
      auto function =
          code ? code.lookupSymbol<LLVM::LLVMFuncOp>(grid.getSymbol())
               : LLVM::LLVMFuncOp();
      if (!function || function.isExternal())
        return kernel.emitError()
               << "expected a function '@" << grid.getSymbol().getValue()
               << "' for architecture " << variant.getArch() << ", got none";
    }
  }
  return success();
}

/// Whether `op` may stand in a nested module.
static LogicalResult verifyNested(Operation *op) {
  if (auto kernel = dyn_cast<rt::GridKernelOp>(op))
    return verifyGrids(kernel);
  if (isa<ModuleOp>(op) ||
      isa_and_present<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
    return success();
  return op->emitError() << "expected the LLVM dialect, got '" << op->getName()
                         << "'";
}

static LogicalResult verifyModule(ModuleOp module) {
  if (!module->hasAttrOfType<StringAttr>(rt::RtDialect::kCpuAttr))
    return module.emitError() << "expected a program with '"
                              << rt::RtDialect::kCpuAttr << "', got none";
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (function && !function.isDeclaration())
      return function.emitError()
             << "expected functions outside of nested modules to be "
                "declarations, got a body of '@"
             << function.getSymName() << "'";
    if (!isa<ModuleOp>(op))
      continue;
    WalkResult result = op.walk([](Operation *nested) {
      return failed(verifyNested(nested)) ? WalkResult::interrupt()
                                          : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

namespace {

struct VerifyCode : public tessera::codegen::impl::VerifyCodeBase<VerifyCode> {
  void runOnOperation() override {
    if (failed(verifyModule(getOperation())))
      return signalPassFailure();
    LDBG() << "declarations and nested modules of LLVM's dialect, nothing else";
    markAllAnalysesPreserved();
  }
};

} // namespace
