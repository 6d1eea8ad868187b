//===- Absent.cpp - what stands for code generation for GPUs without it ---===//
//
// With TESSERA_GPU=OFF the compiler is built without what is slowest to build
// and makes programs for CPUs only, which tesserac says before anything else.
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/NVPTX/Passes.h"
#include "tessera/Codegen/NVPTX/PtxEmitter.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::nvptx;

void nvptx::addGpuCodegenPasses(OpPassManager &, const LowerToGpuOptions &) {}

void nvptx::registerGpuCodegenPasses() {}

bool nvptx::hasGpuCodegen() { return false; }

FailureOr<std::vector<nvptx::GpuImage>> nvptx::emitGpuImages(ModuleOp program,
                                                             Assemble) {
  return program.emitError("this build generates no code for GPUs");
}
