//===- ConvertToNvvm.cpp - GPU kernels in the LLVM dialect ----------------===//

#include "Emission/ExpandMath.h"
#include "Emission/LineTables.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Threading.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tessera/Codegen/Host/ConvertToLLVM.h"
#include "tessera/Codegen/NVPTX/GpuTarget.h"
#include "tessera/Codegen/NVPTX/Passes.h"
#include "llvm/Support/DebugLog.h"

namespace tessera::nvptx {
#define GEN_PASS_DEF_CONVERTTONVVM
#include "tessera/Codegen/NVPTX/Passes.h.inc"
} // namespace tessera::nvptx

#define DEBUG_TYPE "tessera-convert-to-nvvm"

using namespace mlir;
using namespace tessera;
using namespace tessera::nvptx;

static LogicalResult convertModule(ModuleOp module) {
  if (failed(nvptx::expandMath(module)))
    return failure();
  MLIRContext *context = module.getContext();
  LLVMConversionTarget target(*context);
  target.addLegalDialect<NVVM::NVVMDialect>();
  target.addLegalOp<ModuleOp>();
  LLVMTypeConverter converter(context);
  RewritePatternSet patterns(context);
  codegen::populateConversionsToLLVM(converter, patterns);
  if (failed(applyFullConversion(module, target, std::move(patterns))))
    return failure();
  nvptx::addLineTables(module);
  return success();
}

namespace {

class ConvertToNvvm
    : public tessera::nvptx::impl::ConvertToNvvmBase<ConvertToNvvm> {
public:
  using ConvertToNvvmBase::ConvertToNvvmBase;

  void runOnOperation() override {
    SmallVector<ModuleOp> modules;
    for (auto kernels : getOperation().getOps<ModuleOp>())
      llvm::append_range(modules, kernels.getOps<ModuleOp>());
    LDBG() << modules.size() << " modules of kernels, one for each part and "
           << "architecture";
    if (failed(failableParallelForEach(&getContext(), modules, convertModule)))
      signalPassFailure();
  }
};

} // namespace
