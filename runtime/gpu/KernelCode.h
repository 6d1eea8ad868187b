//===- KernelCode.h - A program's kernels on one device -------------------===//

#ifndef TESSERA_RUNTIME_GPU_KERNELCODE_H
#define TESSERA_RUNTIME_GPU_KERNELCODE_H

#include "Device.h"
#include "tessera/runtime.h"

#include <map>
#include <span>

namespace tessera::gpu {

/// The modules of a program that fit the device, and its kernels' functions.
///
/// Devices of compute capability 9.0 run variants for 90 (sm_90a code, which
/// nothing else runs) where there are some, all devices from 8.0 on those for
/// 80. A cubin is for its own capability exactly; else the driver compiles the
/// PTX.
class KernelCode {
public:
  /// `images` must outlive the object.
  KernelCode(Device &device, std::span<const TesseraGpuImage> images)
      : device(device), images(images) {}
  ~KernelCode();

  /// Loads the best image of each module; a kernel that has no code there loads
  /// another one when it first runs. Fails if nothing of the program fits the
  /// device, or the driver refuses it.
  Fallible<void> load();

  /// One step of a launch, ready for cuLaunchKernel; without a function if it
  /// is a library's.
  struct Step {
    const TesseraGridStep *description;
    CudaFunction function;
  };

  /// The steps of the kernel's variant for this device.
  Fallible<std::span<const Step>> find(const TesseraGpuKernel &kernel);

  /// The tensor maps of a step for these buffers of the launch, which live as
  /// long as the object. Encoded the first time that these buffers are seen.
  Fallible<std::span<CudaTensorMap>> maps(const TesseraGridStep &step,
                                          void *const *buffers);

private:
  /// The module of a number and architecture; loads it if need be.
  Fallible<CudaModule> module(int32_t number, int32_t arch);
  Fallible<std::vector<Step>> resolve(const TesseraGpuKernel &kernel);
  bool runs(int32_t arch) const {
    return arch == 90 ? device.capability() == 90 : arch <= device.capability();
  }

  Device &device;
  std::span<const TesseraGpuImage> images;
  std::map<std::pair<int32_t, int32_t>, CudaModule> modules;
  std::map<const TesseraGpuKernel *, std::vector<Step>> kernels;
  /// By step and the addresses of its maps' buffers.
  std::map<std::pair<const TesseraGridStep *, std::vector<void *>>,
           std::vector<CudaTensorMap>>
      encoded;
};

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_KERNELCODE_H
