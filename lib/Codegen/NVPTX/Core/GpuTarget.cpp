//===- GpuTarget.cpp - The GPUs that code is generated for ----------------===//

#include "tessera/Codegen/NVPTX/GpuTarget.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera::nvptx;

// Shared memory and registers: CUDA C++ programming guide, "Compute
// capabilities": of 8.6, 8.9 and 12.0 a block has 99 KiB of shared memory,
// which is what code for all of them may use. Rates: data sheets of A100 80GB
// SXM and H100 SXM (without sparsity).
static constexpr GpuTarget kTargets[] = {
    {80, "sm_80", "+ptx80", 99 * 1024, 48 * 1024, 164 * 1024, 65536, 255, 2048,
     108, 2.0e12, 312e12, 19.5e12},
    {90, "sm_90a", "+ptx80", 227 * 1024, 48 * 1024, 228 * 1024, 65536, 255,
     2048, 132, 3.35e12, 989e12, 67e12},
};

llvm::ArrayRef<GpuTarget> GpuTarget::all() { return kTargets; }

const GpuTarget &GpuTarget::get(int arch) {
  return *llvm::find_if(
      kTargets, [&](const GpuTarget &target) { return target.arch == arch; });
}

std::optional<int> GpuTarget::parse(llvm::StringRef chip) {
  for (const GpuTarget &target : kTargets)
    if (target.chip == chip)
      return target.arch;
  return std::nullopt;
}
