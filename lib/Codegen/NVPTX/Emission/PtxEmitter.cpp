//===- PtxEmitter.cpp - PTX from the LLVM dialect -------------------------===//
//
// As for x86, what is invariant is outside of loops already, so few passes are
// needed before the back end. Indices are 64-bit numbers whose ranges LLVM
// knows from the sizes of grid and block: `correlated-propagation` narrows
// divisions of them to 32 bits, which cost a fifth, and `infer-alignment` tells
// which vectors lie at multiples of 16 bytes.
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/NVPTX/PtxEmitter.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "tessera/Codegen/Host/ObjectEmitter.h"
#include "tessera/Codegen/NVPTX/GpuTarget.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

using namespace mlir;
using namespace tessera;
using namespace tessera::nvptx;

static constexpr const char *kPasses =
    "function(early-cse,instcombine<max-iterations=1;no-verify-fixpoint>,"
    "correlated-propagation,simplifycfg,loop-mssa(loop-rotate,licm),early-cse<"
    "memssa>,infer-alignment)";

static const llvm::Triple kTriple("nvptx64-nvidia-cuda");

static const llvm::Target *lookupNvptx() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  std::string error;
  return llvm::TargetRegistry::lookupTarget(kTriple, error);
}

static std::unique_ptr<llvm::TargetMachine>
createMachine(const GpuTarget &target) {
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  return std::unique_ptr<llvm::TargetMachine>(
      lookupNvptx()->createTargetMachine(kTriple, target.chip, target.features,
                                         options, std::nullopt, std::nullopt,
                                         llvm::CodeGenOptLevel::Aggressive));
}

/// Barriers, wgmma and setmaxnreg are inline assembly that all lanes of a warp
/// execute together: no pass may have some come to it on another way.
static void makeAssemblyConvergent(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (call->isInlineAsm())
          call->setConvergent();
}

static FailureOr<std::string> emitPtx(ModuleOp module,
                                      const GpuTarget &target) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, "tessera");
  if (!translated)
    return failure();
  translated->setTargetTriple(kTriple);
  translated->setDataLayout(machine->createDataLayout());
  // Denormal numbers are zero, as on the CPU.
  for (llvm::Function &function : *translated)
    if (!function.isDeclaration())
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  makeAssemblyConvergent(*translated);
  codegen::runPasses(*translated, *machine, kPasses);
  SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager manager;
  [[maybe_unused]] bool cannot = machine->addPassesToEmitFile(
      manager, stream, nullptr, llvm::CodeGenFileType::AssemblyFile);
  assert(!cannot && "LLVM writes text for every GPU");
  manager.run(*translated);
  return std::string(text);
}

/// Fills in what ptxas knows about `image`.
static LogicalResult assemble(ModuleOp module, StringRef ptxas,
                              GpuImage &image) {
  llvm::Expected<AssembledPtx> assembled =
      assemblePtx(ptxas, image.ptx, GpuTarget::get(image.arch).chip);
  if (!assembled)
    return module.emitError(llvm::toString(assembled.takeError()));
  image.cubin = std::move(assembled->cubin);
  image.functions = std::move(assembled->functions);
  if (!assembled->warnings.empty())
    module.emitWarning(StringRef(assembled->warnings).rtrim());
  return success();
}

FailureOr<std::vector<GpuImage>> nvptx::emitGpuImages(ModuleOp program,
                                                      Assemble whether) {
  MLIRContext *context = program.getContext();
  registerBuiltinDialectTranslation(*context);
  registerLLVMDialectTranslation(*context);
  registerNVVMDialectTranslation(*context);
  std::optional<std::string> ptxas;
  if (whether == Assemble::IfPresent)
    ptxas = findPtxas();
  std::vector<GpuImage> images;
  SmallVector<ModuleOp> modules;
  for (auto kernels : program.getOps<ModuleOp>())
    for (auto module : kernels.getOps<ModuleOp>()) {
      int64_t number = 0;
      kernels.getSymName().value_or("").rsplit('_').second.getAsInteger(10,
                                                                        number);
      StringRef name = module.getSymName().value_or("");
      std::optional<int> arch = GpuTarget::parse(name);
      if (!arch)
        return module.emitError("unknown architecture '") << name << "'";
      images.push_back({number, *arch, {}, {}, {}});
      modules.push_back(module);
    }
  auto emit = [&](size_t i) -> LogicalResult {
    FailureOr<std::string> ptx =
        emitPtx(modules[i], GpuTarget::get(images[i].arch));
    if (failed(ptx))
      return failure();
    images[i].ptx = std::move(*ptx);
    return ptxas ? assemble(modules[i], *ptxas, images[i]) : success();
  };
  if (failed(failableParallelForEachN(context, 0, images.size(), emit)))
    return failure();
  for (auto [module, image] : llvm::zip(modules, images))
    for (const auto &[name, resources] : image.functions)
      if (resources.spilled)
        remark::missed(module.getLoc(),
                       remark::RemarkOpts::name("Spill").category("gpu"))
            << llvm::formatv("function {0} for {1} spills {2} bytes", name,
                             GpuTarget::get(image.arch).chip, resources.spilled)
                   .str();
  return images;
}
