//===- Device.cpp ---------------------------------------------------------===//

#include "Device.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::gpu;

std::string gpu::describe(const CudaDriver &driver, CudaResult result) {
  const char *name = nullptr, *text = nullptr;
  driver.errorName(result, &name);
  driver.errorString(result, &text);
  std::string description =
      name ? name : "CUDA error " + std::to_string(result);
  return text ? description + " (" + text + ")" : description;
}

static std::string dotted(int capability) {
  return std::to_string(capability / 10) + "." +
         std::to_string(capability % 10);
}

Fallible<std::unique_ptr<Device>> Device::open(const CudaDriver &driver,
                                               int ordinal) {
  std::unique_ptr<Device> device(new Device(driver));
  std::string which = "device " + std::to_string(ordinal);
  auto fail = [&](const std::string &what, CudaResult result) {
    return Failure{which + ": " + what + ": " + describe(driver, result)};
  };
  int count = 0;
  if (CudaResult result = driver.deviceCount(&count))
    return fail("cannot count the GPUs", result);
  if (ordinal >= count)
    return Failure{"expected at least " + std::to_string(ordinal + 1) +
                   (ordinal ? " GPUs" : " GPU") + " on this machine, got " +
                   std::to_string(count)};
  if (CudaResult result = driver.deviceGet(&device->device, ordinal))
    return fail("cannot be used", result);
  char name[128] = "";
  driver.deviceName(name, sizeof name, device->device);
  int major = 0, minor = 0;
  driver.deviceAttribute(&major, attributeMajor, device->device);
  driver.deviceAttribute(&minor, attributeMinor, device->device);
  driver.deviceAttribute(&device->sharedLimit, attributeSharedOptIn,
                         device->device);
  device->computeCapability = 10 * major + minor;
  device->text = which + ", " + name + " (compute capability " +
                 dotted(device->computeCapability) + ")";
  if (device->computeCapability < 80)
    return Failure{device->text + ": expected compute capability 8.0 or more"};
  if (CudaResult result =
          driver.contextRetain(&device->context, device->device))
    return fail("cannot make a context", result);
  if (CudaResult result = device->makeCurrent())
    return fail("cannot use the context", result);
  return device;
}

Device::~Device() {
  if (!context)
    return;
  makeCurrent();
  for (CudaAddress address : allocations)
    table.memoryFree(address);
  table.contextRelease(device);
}

CudaAddress Device::allocate(size_t bytes) {
  CudaAddress address = 0;
  if (makeCurrent() ||
      table.memoryAllocate(&address, std::max<size_t>(bytes, 1)))
    return 0;
  allocations.push_back(address);
  return address;
}
