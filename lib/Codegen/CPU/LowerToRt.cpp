//===- LowerToRt.cpp - The scheduled program as x86 code ------------------===//

#include "LowerKernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tessera/Codegen/CPU/Passes.h"
#include "tessera/Codegen/Host/ObjectEmitter.h"
#include "tessera/Codegen/Host/ProgramLowering.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "llvm/Support/DebugLog.h"

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERTORT
#include "tessera/Codegen/CPU/Passes.h.inc"
} // namespace tessera::cpu

#define DEBUG_TYPE "tessera-lower-to-rt"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::cpu;

namespace {

/// Kernels are functions that the runtime runs on a rank's threads.
class CpuKernelTarget : public KernelTarget {
public:
  explicit CpuKernelTarget(const Target &processor) : processor(processor) {}

  std::unique_ptr<LoweredKernel> lower(spmd::KernelOp kernel,
                                       ArrayRef<int64_t> aliases,
                                       ModuleOp module,
                                       StringRef symbol) override {
    LibraryCallOp routine = findRoutineCall(kernel);
    if (!routine)
      return lowerKernel(kernel, aliases, module, symbol, processor);
    auto lowered = std::make_unique<CpuKernel>();
    lowered->routine = routine;
    lowered->operations = 1;
    return lowered;
  }

  void finish(ModuleOp module,
              ArrayRef<const LoweredKernel *> kernels) override {
    int64_t scratch = 0;
    for (const LoweredKernel *kernel : kernels)
      scratch = std::max(scratch,
                         static_cast<const CpuKernel *>(kernel)->scratchBytes);
    defineScratch(module, scratch);
  }

  void launch(OpBuilder &b, Location loc, const KernelUse &use, Value context,
              ValueRange buffers) override {
    const auto *code = static_cast<const CpuKernel *>(use.code);
    if (code->routine)
      return emitRoutineCall(b, loc, code->routine, use, context, buffers);
    for (const Launch &launch : code->launches) {
      auto symbol = SymbolRefAttr::get(
          b.getContext(), kEntriesName,
          {FlatSymbolRefAttr::get(b.getContext(), launch.symbol)});
      rt::LaunchOp::create(b, loc, context, symbol, buffers, launch.extent,
                           launch.grain, use.name);
    }
  }

private:
  const Target &processor;
};

/// Kernels call the same functions in their innermost loops, each of its own
/// module (MicroKernel.h, Transposition.h). One of each goes to a module of
/// their own, and the others become declarations.
static void shareInnerLoops(ModuleOp program) {
  ModuleOp shared;
  for (auto module : llvm::to_vector(program.getOps<ModuleOp>())) {
    if (module.getSymName() == rt::RtDialect::kProgramName)
      continue;
    for (auto function : llvm::to_vector(module.getOps<func::FuncOp>())) {
      if (!function.getName().starts_with("tessera_"))
        continue;
      if (!shared) {
        OpBuilder builder(module);
        shared = ModuleOp::create(builder, program.getLoc(), kInnerLoopsName);
      }
      if (!shared.lookupSymbol(function.getName())) {
        func::FuncOp definition = function.clone();
        definition.setPublic();
        shared.push_back(definition);
      }
      function.eraseBody();
    }
  }
}

/// Moves the functions that the runtime calls to a module of their own, where
/// the kernels behind them become declarations.
static void gatherEntries(ModuleOp program) {
  auto host = program.lookupSymbol<ModuleOp>(rt::RtDialect::kProgramName);
  OpBuilder builder(host);
  auto entries = ModuleOp::create(builder, program.getLoc(), kEntriesName);
  for (auto module : program.getOps<ModuleOp>()) {
    if (module == entries || module == host)
      continue;
    for (auto entry : llvm::to_vector(module.getOps<func::FuncOp>())) {
      if (entry.isPrivate())
        continue;
      entry->moveBefore(entries.getBody(), entries.getBody()->end());
      entry.walk([&](func::CallOp call) {
        auto body = module.lookupSymbol<func::FuncOp>(call.getCallee());
        body.setPublic();
        func::FuncOp declared = body.cloneWithoutRegions();
        declared.setPrivate();
        entries.push_back(declared);
      });
    }
  }
  if (entries.getBody()->empty())
    entries.erase();
}

class LowerToRt : public tessera::cpu::impl::LowerToRtBase<LowerToRt> {
public:
  using LowerToRtBase::LowerToRtBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::Expected<Target> processor = Target::get(cpu);
    if (!processor) {
      module.emitError(llvm::toString(processor.takeError()));
      return signalPassFailure();
    }
    CpuKernelTarget target(*processor);
    FailureOr<KernelCounts> counts = lowerProgram(module, target, {modules});
    if (failed(counts))
      return signalPassFailure();
    gatherEntries(module);
    shareInnerLoops(module);
    LDBG() << "of " << counts->kernels << " kernels, " << counts->distinct
           << " are distinct and compiled";
    module->setAttr(rt::RtDialect::kCpuAttr,
                    StringAttr::get(module.getContext(), cpu));
  }
};

} // namespace
