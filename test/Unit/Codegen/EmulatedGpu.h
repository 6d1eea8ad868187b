//===- EmulatedGpu.h - Runs GPU kernels of programs in tests --------------===//
#ifndef TESSERA_TEST_UNIT_CODEGEN_EMULATEDGPU_H
#define TESSERA_TEST_UNIT_CODEGEN_EMULATEDGPU_H

#include "checks/PtxDeviceMemory.h"
#include "ptx/PtxModule.h"
#include "tessera/runtime.h"
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tessera::test {

/// A GPU without streams: every launch is executed by the interpreter of PTX
/// before it returns. Says on stderr what goes wrong.
class EmulatedGpu {
public:
  /// Reads the PTX of a program; false if some of it is no PTX.
  bool load(std::span<const TesseraGpuImage> images);

  /// Zeroed memory, aligned as the runtime aligns it; freed with this object.
  void *allocate(size_t bytes, const std::string &name);

  /// Executes the steps of the variant that `arch` prefers; a TesseraStatus.
  int32_t launch(const TesseraGpuKernel &kernel, void *const *buffers,
                 int32_t arch);

private:
  int32_t run(const TesseraGridStep &step, int32_t module, int32_t arch,
              void *const *buffers);

  struct Free {
    void operator()(void *memory) const;
  };
  std::map<std::pair<int32_t, int32_t>, std::unique_ptr<emulated::Module>>
      modules;
  std::vector<std::unique_ptr<void, Free>> allocations;
  emulated::DeviceMemory memory;
};

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_CODEGEN_EMULATEDGPU_H
