//===- Device.h - One GPU, as the driver shows it -------------------------===//

#ifndef TESSERA_RUNTIME_GPU_DEVICE_H
#define TESSERA_RUNTIME_GPU_DEVICE_H

#include "CudaDriver.h"
#include "tessera/Support/Fallible.h"

#include <memory>
#include <vector>

namespace tessera::gpu {

/// `CUDA_ERROR_LAUNCH_FAILED (unspecified launch failure)`.
std::string describe(const CudaDriver &driver, CudaResult result);

/// The primary context of a GPU with the memory that one rank uses. All of it
/// is freed with the object.
class Device {
public:
  /// Fails, in words for the user, if there is no such device or its compute
  /// capability is below 8.0.
  static Fallible<std::unique_ptr<Device>> open(const CudaDriver &driver,
                                                int ordinal);
  ~Device();
  Device(const Device &) = delete;

  const CudaDriver &driver() const { return table; }
  /// 10 x major + minor of the compute capability: 80, 90.
  int capability() const { return computeCapability; }
  /// `device 0, NVIDIA H100 (compute capability 9.0)`.
  const std::string &description() const { return text; }
  /// Dynamic shared memory that a block can have.
  int maxSharedBytes() const { return sharedLimit; }

  /// Makes this the device that driver calls of the thread are about.
  CudaResult makeCurrent() const { return table.contextSetCurrent(context); }

  /// Device memory, at least 256-byte aligned, with undefined content; 0 if
  /// there is none left.
  CudaAddress allocate(size_t bytes);

private:
  explicit Device(const CudaDriver &driver) : table(driver) {}

  const CudaDriver &table;
  CudaDevice device = 0;
  CudaContext context = nullptr;
  int computeCapability = 0, sharedLimit = 0;
  std::string text;
  std::vector<CudaAddress> allocations;
};

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_DEVICE_H
