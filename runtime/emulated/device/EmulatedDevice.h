//===- EmulatedDevice.h - A GPU that is not there -------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDDEVICE_H
#define TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDDEVICE_H

#include "checks/PtxDeviceMemory.h"
#include "device/Streams.h"
#include "ptx/PtxModule.h"

#include "../gpu/CudaDriver.h"

#include <map>

namespace tessera::emulated {

class EmulatedDevice;

/// What a CUmodule, a CUfunction, a CUevent and a CUgraphExec are here.
struct EmulatedModule {
  std::unique_ptr<Module> code;
  std::vector<std::unique_ptr<struct EmulatedFunction>> functions;
};
struct EmulatedFunction {
  const Kernel *kernel;
  /// What a launch may ask for.
  int dynamicSharedLimit;
};
struct EmulatedEvent {
  bool hasTime;
  /// Null until it is recorded.
  MarkerPtr marker;
};
struct EmulatedGraphExec {
  std::unique_ptr<Graph> graph;
  std::vector<Stream *> streams;
};

/// The state of one device, which is that of its one context. One thread at a
/// time.
class EmulatedDevice {
public:
  EmulatedDevice(int ordinal, int capability);
  ~EmulatedDevice();

  const int ordinal;
  /// 80 or 90.
  const int capability;
  /// What a block of such a device can have of shared memory.
  int sharedLimit() const {
    bool isSmall = capability == 86 || capability == 89 || capability == 120;
    return isSmall ? 99 << 10 : capability == 80 ? 163 << 10 : 227 << 10;
  }

  /// Memory with some space around it that nobody may touch, and with bytes
  /// that are NaN as floats; 0 if there is none left.
  uint64_t allocate(size_t bytes);
  bool free(uint64_t address);

  /// Whether those bytes are memory of the device; if not, says what they are.
  std::optional<std::string> checkRange(uint64_t address, uint64_t bytes) const;

  /// Reads PTX that this device runs.
  Fallible<std::unique_ptr<EmulatedModule>> load(const void *image) const;

  /// Asks for a grid.
  Fallible<void> launch(const EmulatedFunction &function,
                        const struct LaunchShape &shape, Stream &stream,
                        void **parameters);

  StreamSet streams;
  /// The first fault of the device; everything fails after it.
  std::string fault;
  DeviceMemory memory;

private:
  std::map<uint64_t, void *> allocations; ///< What to free, by address.
};

/// All devices of the process.
class Machine {
public:
  static Machine &get();

  /// Adds devices; the number of the first. TESSERA_EMULATED_ARCH (80 or 90, 90
  /// by default) says which they are.
  int addDevices(int count);
  int count() const;
  /// Made when it is first asked for; null if there is no such device.
  EmulatedDevice *device(int ordinal);
  /// Resets the device.
  void release(int ordinal);
  /// Host threads that a launch may use.
  unsigned threadsPerLaunch() const;

private:
  mutable std::mutex mutex;
  int devices = 0;
  std::map<int, std::unique_ptr<EmulatedDevice>> opened;
};

/// The compute capability that TESSERA_EMULATED_ARCH asks for, 80 or 90; a
/// failure for anything else.
Fallible<int> emulatedCapability();

/// The device whose context is current on this thread; null if none is.
EmulatedDevice *currentDevice();

/// The driver's functions.
const gpu::CudaDriver &emulatedDriver();

/// Asks a stream of the current device for work of the emulated NCCL.
void enqueue(gpu::CudaStream stream, Work work);

/// The range of an operand, for `Work::accesses`; `isWrite` says which.
MemoryRange rangeOf(const void *memory, size_t bytes, bool isWrite);

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDDEVICE_H
