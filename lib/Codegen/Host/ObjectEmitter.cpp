//===- ObjectEmitter.cpp - Object code from the LLVM dialect --------------===//
//
// The kernels arrive as vector code in its final loop structure, with what is
// invariant already outside of loops. So the usual -O2 has little to do and
// most of its time would be wasted: the pass list below removes redundant
// address arithmetic and loads and leaves the rest to the back end. There, loop
// strength reduction would take a quarter of the time; only the register blocks
// of matrix products, which stand in a module of their own, run faster with it.
//
// The host program is another matter: calls that run once per step, as many as
// the model is deep. No instruction of it is worth a pass, and the fastest
// instruction selection is good enough. So it is with the functions that the
// runtime calls, which hand its table of buffers to kernels one by one.
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/Host/ObjectEmitter.h"
#include "BFloat16Bits.h"
#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "tessera/Codegen/Host/ProvidedSymbols.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace tessera::codegen;

static constexpr const char *passes =
    "function(early-cse,instcombine<max-iterations=1;no-verify-fixpoint>,"
    "simplifycfg,loop-mssa(licm),early-cse<memssa>)";

/// Attributes that let the back end use the widest vectors.
static void setTargetAttributes(llvm::Module &module, const Target &target) {
  std::string width = std::to_string(target.vectorBits);
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      function.addFnAttr("target-cpu", target.name);
      if (!target.features.empty())
        function.addFnAttr("target-features", target.features);
      function.addFnAttr("prefer-vector-width", width);
      function.addFnAttr("min-legal-vector-width", width);
      function.addFnAttr(llvm::Attribute::NoUnwind);
    }
}

void tessera::codegen::runPasses(llvm::Module &module,
                                 llvm::TargetMachine &machine,
                                 llvm::StringRef passes) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  llvm::ModulePassManager manager;
  llvm::cantFail(builder.parsePassPipeline(manager, passes));
  manager.run(module, modules);
}

/// Whether `module` only calls what takes time.
static bool isCallsOnly(ModuleOp module) {
  return module.getSymName() == tessera::rt::RtDialect::kProgramName ||
         module.getSymName() == kEntriesName;
}

static std::unique_ptr<llvm::TargetMachine> machineFor(ModuleOp module,
                                                       const Target &target) {
  return target.createMachine(isCallsOnly(module)
                                  ? llvm::CodeGenOptLevel::None
                                  : llvm::CodeGenOptLevel::Default);
}

static std::unique_ptr<llvm::Module> translate(ModuleOp module,
                                               llvm::LLVMContext &context,
                                               const Target &target,
                                               llvm::TargetMachine &machine) {
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context, "tessera");
  if (!result)
    return nullptr;
  result->setTargetTriple(machine.getTargetTriple());
  result->setDataLayout(machine.createDataLayout());
  setTargetAttributes(*result, target);
  if (!isCallsOnly(module))
    runPasses(*result, machine, passes);
  carryBFloat16AsBits(*result);
  return result;
}

namespace {
/// A pass manager that may leave loop strength reduction, and what is there for
/// it only, out of what the target adds.
class EmissionPasses : public llvm::legacy::PassManagerBase {
public:
  explicit EmissionPasses(bool reduceStrength)
      : reduceStrength(reduceStrength) {}

  void add(llvm::Pass *pass) override {
    const llvm::PassInfo *info =
        llvm::PassRegistry::getPassRegistry()->getPassInfo(pass->getPassID());
    llvm::StringRef name = info ? info->getPassArgument() : "";
    if (!reduceStrength && (name == "loop-reduce" || name == "canon-freeze"))
      delete pass;
    else
      passes.add(pass);
  }

  void run(llvm::Module &module) { passes.run(module); }

private:
  bool reduceStrength;
  llvm::legacy::PassManager passes;
};
} // namespace

/// Puts `prefix` before the names of what others may use or define.
static void renameSymbols(llvm::Module &module, StringRef prefix) {
  for (llvm::GlobalValue &value : module.global_values())
    if (!value.hasLocalLinkage() && !value.getName().starts_with("llvm.") &&
        !isProvided(value.getName()))
      value.setName(prefix + value.getName());
}

static LogicalResult emitObject(ModuleOp module, const Target &target,
                                StringRef prefix, Object &object) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine = machineFor(module, target);
  std::unique_ptr<llvm::Module> translated =
      translate(module, context, target, *machine);
  if (!translated)
    return failure();
  if (!prefix.empty())
    renameSymbols(*translated, prefix);
  llvm::raw_svector_ostream stream(object);
  EmissionPasses manager(module.getSymName() == kInnerLoopsName);
  [[maybe_unused]] bool cannot = machine->addPassesToEmitFile(
      manager, stream, nullptr, llvm::CodeGenFileType::ObjectFile);
  assert(!cannot && "LLVM writes object files for x86");
  manager.run(*translated);
  return success();
}

static void registerTranslations(MLIRContext *context) {
  registerBuiltinDialectTranslation(*context);
  registerLLVMDialectTranslation(*context);
}

FailureOr<std::vector<Object>>
tessera::codegen::emitObjects(ArrayRef<ModuleOp> modules, const Target &target,
                              StringRef prefix) {
  std::vector<Object> objects(modules.size());
  if (modules.empty())
    return objects;
  MLIRContext *context = ModuleOp(modules.front()).getContext();
  registerTranslations(context);
  if (failed(
          failableParallelForEachN(context, 0, modules.size(), [&](size_t i) {
            return emitObject(modules[i], target, prefix, objects[i]);
          })))
    return failure();
  return objects;
}

LogicalResult tessera::codegen::printLLVM(ModuleOp module, const Target &target,
                                          llvm::raw_ostream &stream) {
  registerTranslations(module.getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine = machineFor(module, target);
  std::unique_ptr<llvm::Module> translated =
      translate(module, context, target, *machine);
  if (!translated)
    return failure();
  translated->print(stream, nullptr);
  return success();
}
