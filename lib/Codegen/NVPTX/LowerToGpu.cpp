//===- LowerToGpu.cpp - The scheduled program as GPU code -----------------===//

#include "LowerKernel.h"
#include "TuningFile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tessera/Codegen/Host/ProgramLowering.h"
#include "tessera/Codegen/NVPTX/GpuTarget.h"
#include "tessera/Codegen/NVPTX/Passes.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "llvm/Support/DebugLog.h"

namespace tessera::nvptx {
#define GEN_PASS_DEF_LOWERTOGPU
#include "tessera/Codegen/NVPTX/Passes.h.inc"
} // namespace tessera::nvptx

#define DEBUG_TYPE "tessera-lower-to-gpu"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

/// Kernels are grids that the runtime starts on the rank's GPU.
class GpuKernelTarget : public KernelTarget {
public:
  explicit GpuKernelTarget(const GpuOptions &options) : options(options) {}

  std::unique_ptr<LoweredKernel> lower(spmd::KernelOp kernel,
                                       ArrayRef<int64_t> aliases,
                                       ModuleOp module,
                                       StringRef symbol) override {
    if (LibraryCallOp routine = findRoutineCall(kernel)) {
      auto lowered = std::make_unique<GpuKernel>();
      lowered->routine = routine;
      lowered->operations = 1;
      return lowered;
    }
    return lowerKernel(kernel, aliases, module, symbol, options);
  }

  void launch(OpBuilder &b, Location loc, const KernelUse &use, Value context,
              ValueRange buffers) override {
    const auto *code = static_cast<const GpuKernel *>(use.code);
    if (code->routine)
      return emitRoutineCall(b, loc, code->routine, use, context, buffers);
    if (code->isEmpty)
      return;
    auto symbol = SymbolRefAttr::get(
        b.getContext(), use.module,
        {FlatSymbolRefAttr::get(b.getContext(), use.symbol)});
    rt::LaunchGridOp::create(b, loc, context, symbol, buffers, use.name);
  }

private:
  const GpuOptions &options;
};

class LowerToGpu : public tessera::nvptx::impl::LowerToGpuBase<LowerToGpu> {
public:
  using LowerToGpuBase::LowerToGpuBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    GpuOptions options;
    if (failed(readOptions(options)))
      return signalPassFailure();
    SmallVector<int> &selected = options.architectures;
    if (selected.empty())
      for (const GpuTarget &target : GpuTarget::all())
        selected.push_back(target.arch);
    SmallVector<Attribute> chips;
    Builder builder(module.getContext());
    for (int arch : selected) {
      if (llvm::none_of(GpuTarget::all(), [&](const GpuTarget &target) {
            return target.arch == arch;
          })) {
        module.emitError("unknown architecture: expected 80 or 90, got ")
            << arch;
        return signalPassFailure();
      }
      chips.push_back(builder.getStringAttr(GpuTarget::get(arch).chip));
    }
    GpuKernelTarget target(options);
    FailureOr<KernelCounts> counts = lowerProgram(module, target, {modules});
    if (failed(counts))
      return signalPassFailure();
    LDBG() << "of " << counts->kernels << " kernels, " << counts->distinct
           << " are distinct and compiled for " << chips.size()
           << " architectures";
    module->setAttr(rt::RtDialect::kCpuAttr, builder.getStringAttr(cpu));
    module->setAttr(rt::RtDialect::kGpuAttr, builder.getArrayAttr(chips));
  }

private:
  LogicalResult readOptions(GpuOptions &options) {
    options.architectures.assign(architectures.begin(), architectures.end());
    options.tf32 = tf32;
    options.tuning = &shippedTuningRecords();
    if (tuning.empty())
      return success();
    llvm::Expected<TuningRecords> loaded = loadTuningRecords(tuning);
    if (!loaded)
      return getOperation().emitError(llvm::toString(loaded.takeError()));
    records = std::move(*loaded);
    options.tuning = &*records;
    return success();
  }

  /// Those of the option `tuning`.
  std::optional<TuningRecords> records;
};

} // namespace
