//===- Phase.cpp - the order of the passes of the phase codegen -----------===//

#include "tessera/Codegen/Passes.h"

#include "tessera/Codegen/CPU/Passes.h"
#include "tessera/Codegen/Host/Passes.h"
#include "tessera/Codegen/NVPTX/Passes.h"
#include "tessera/Transforms/Schedule/Passes.h"

#include "mlir/Pass/PassRegistry.h"

namespace tessera::cpu {
#define GEN_PASS_REGISTRATION
#include "tessera/Codegen/CPU/Passes.h.inc"
} // namespace tessera::cpu
namespace tessera::codegen {
#define GEN_PASS_REGISTRATION
#include "tessera/Codegen/Host/Passes.h.inc"
} // namespace tessera::codegen

using namespace mlir;
using namespace tessera;

void codegen::buildCodegenPhase(OpPassManager &manager,
                                const CodegenOptions &options) {
  // Code is generated for the locations of the plan without a further look.
  if (options.verifyMemoryPlan) {
    manager.addPass(schedule::createVerifyMemoryPlan());
    manager.addPass(schedule::createVerifyCollectiveOrder());
  }
  // Kernels and the program in one pass: equal kernels share their code, and a
  // launch has to know what its kernel's code became. Tensors end here.
  if (options.architectures.empty()) {
    cpu::LowerToRtOptions target;
    target.cpu = options.cpu.str();
    manager.addPass(cpu::createLowerToRt(target));
  } else {
    nvptx::LowerToGpuOptions target;
    target.architectures.assign(options.architectures.begin(),
                                options.architectures.end());
    target.cpu = options.cpu.str();
    target.tf32 = options.tf32;
    target.tuning = options.tuning.str();
    nvptx::addGpuCodegenPasses(manager, target);
  }
  // Early returns after every call make one block of each call, so this is the
  // last chance to cut in a block.
  manager.addPass(createSplitProgram());
  // Last, for it leaves nothing that passes before could recognise. What stands
  // in modules of GPU code has become LLVM's before.
  manager.addPass(createConvertRtToLLVM());
  manager.addPass(createVerifyCode());
}

namespace {

struct PhaseOptions : PassPipelineOptions<PhaseOptions> {
  ListOption<int> architectures{
      *this, "arch",
      llvm::cl::desc("the GPUs to generate code for, 80 and 90; none: a "
                     "program for CPUs")};
  Option<std::string> cpu{*this, "cpu",
                          llvm::cl::desc("the processor of the host program"),
                          llvm::cl::init("native")};
  Option<bool> tf32{*this, "tf32",
                    llvm::cl::desc("with arch: whether matmuls of f32 may be "
                                   "computed in tf32"),
                    llvm::cl::init(false)};
  Option<std::string> tuning{
      *this, "tuning", llvm::cl::desc("with arch: a file of tuning records")};
  Option<bool> verifyMemoryPlan{
      *this, "verify-memory-plan",
      llvm::cl::desc("check the memory plan before code is generated for it"),
      llvm::cl::init(false)};
};

} // namespace

void codegen::registerCodegenPhase() {
  registerHostCodegenPasses();
  cpu::registerCpuCodegenPasses();
  nvptx::registerGpuCodegenPasses();
  PassPipelineRegistration<PhaseOptions>(
      "tessera-codegen-phase", "loops, tiles and vectors; the host program",
      [](OpPassManager &manager, const PhaseOptions &asked) {
        SmallVector<int> architectures(asked.architectures.begin(),
                                       asked.architectures.end());
        CodegenOptions options;
        options.architectures = architectures;
        options.cpu = asked.cpu;
        options.tf32 = asked.tf32;
        options.tuning = asked.tuning;
        options.verifyMemoryPlan = asked.verifyMemoryPlan;
        buildCodegenPhase(manager, options);
      });
}
