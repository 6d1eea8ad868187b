//===- GpuResources.cpp - What kernels need of a GPU ----------------------===//

#include "GpuResources.h"
#include "tessera/Codegen/NVPTX/GpuTarget.h"

using namespace mlir;
using namespace tessera;
namespace json = llvm::json;

GpuResources::GpuResources(ModuleOp program, ArrayRef<nvptx::GpuImage> images)
    : images(images) {
  for (auto module : program.getOps<ModuleOp>())
    for (auto kernel : module.getOps<rt::GridKernelOp>())
      kernels[kernel.getSymName()] = kernel;
}

json::Object GpuResources::describe(rt::GridStepAttr step,
                                    const nvptx::GpuImage &image) const {
  json::Object entry{{"name", step.getSymbol().getValue()},
                     {"blocks", llvm::product_of(step.getGrid())},
                     {"threads", step.getBlock()},
                     {"shared", step.getShared()}};
  auto known = image.functions.find(step.getSymbol().getValue().str());
  if (known == image.functions.end())
    return entry;
  entry["shared"] = step.getShared() + known->second.shared;
  entry["registers"] = known->second.registers;
  entry["spilled"] = known->second.spilled;
  return entry;
}

json::Object GpuResources::describe(rt::LibraryStepAttr step) {
  return json::Object{{"library", "cublasLt"},
                      {"batches", step.getBatches()},
                      {"m", step.getM()},
                      {"n", step.getN()},
                      {"k", step.getK()}};
}

void GpuResources::describe(StringRef name, json::Object &entry) const {
  rt::GridKernelOp kernel = kernels.lookup(name);
  if (!kernel)
    return;
  StringRef parent =
      kernel->getParentOfType<ModuleOp>().getSymName().value_or("");
  int64_t module = 0;
  parent.rsplit('_').second.getAsInteger(10, module);
  json::Array variants;
  for (auto variant : kernel.getVariants().getAsRange<rt::VariantAttr>()) {
    const nvptx::GpuImage *image =
        llvm::find_if(images, [&](const nvptx::GpuImage &candidate) {
          return candidate.module == module &&
                 candidate.arch == variant.getArch();
        });
    json::Array steps;
    for (Attribute step : variant.getSteps()) {
      auto grid = dyn_cast<rt::GridStepAttr>(step);
      json::Object described = grid ? describe(grid, *image)
                                    : describe(cast<rt::LibraryStepAttr>(step));
      for (StringRef key : {"registers", "shared", "spilled"})
        if (std::optional<int64_t> value = described.getInteger(key))
          entry[key] = std::max(*value, entry.getInteger(key).value_or(0));
      steps.push_back(std::move(described));
    }
    variants.push_back(
        json::Object{{"arch", nvptx::GpuTarget::get(variant.getArch()).chip},
                     {"steps", std::move(steps)}});
  }
  entry["variants"] = std::move(variants);
}
