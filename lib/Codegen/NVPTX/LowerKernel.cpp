//===- LowerKernel.cpp - A kernel's code for all architectures ------------===//

#include "LowerKernel.h"
#include "Loops/LoopRules.h"
#include "LowerLoopNest.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

/// The nested module of `module` for the code of one architecture.
static ModuleOp moduleFor(const GpuTarget &target, ModuleOp module) {
  if (auto known = module.lookupSymbol<ModuleOp>(target.chip))
    return known;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  return ModuleOp::create(builder, module.getLoc(), target.chip);
}

static LogicalResult lowerNests(KernelVariant &variant) {
  SmallVector<GpuNest> nests;
  for (auto [number, nest] : llvm::enumerate(variant.plan.nests))
    nests.push_back({variant, nest, unsigned(number)});
  for (unsigned number = 0; number < nests.size();) {
    unsigned count = std::max(1u, countSideBySide(variant, number));
    ArrayRef<GpuNest> next = ArrayRef(nests).slice(number, count);
    if (failed(count > 1 ? lowerSideBySide(next) : lowerNest(next.front())))
      return failure();
    number += count;
  }
  for (auto [temporary, result] : variant.plan.copies)
    lowerCopy(variant, temporary, result);
  return success();
}

std::unique_ptr<GpuKernel> nvptx::lowerKernel(spmd::KernelOp kernel,
                                              ArrayRef<int64_t> aliases,
                                              ModuleOp module, StringRef name,
                                              const GpuOptions &options) {
  auto lowered = std::make_unique<GpuKernel>();
  lowered->operations = simplifyKernel(kernel);
  FailureOr<KernelPlan> plan = planKernel(kernel, aliases);
  if (failed(plan))
    return nullptr;
  MLIRContext *context = kernel.getContext();
  SmallVector<Attribute> variants;
  for (int arch : options.architectures) {
    const GpuTarget &target = GpuTarget::get(arch);
    KernelVariant variant{
        target,  options, moduleFor(target, module), name.str(), kernel,
        aliases, *plan,   plan->temporaries,         {}};
    if (failed(lowerNests(variant)))
      return nullptr;
    // The memory is one for all architectures: what the neediest asks for.
    lowered->temporaries.resize(
        std::max(lowered->temporaries.size(), variant.temporaries.size()), 0);
    for (auto [bytes, needed] :
         llvm::zip(lowered->temporaries, variant.temporaries))
      bytes = std::max(bytes, needed);
    lowered->isEmpty &= variant.steps.empty();
    variants.push_back(rt::VariantAttr::get(context, arch, variant.steps));
  }
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  rt::GridKernelOp::create(builder, kernel.getLoc(), name,
                           builder.getArrayAttr(variants));
  return lowered;
}
