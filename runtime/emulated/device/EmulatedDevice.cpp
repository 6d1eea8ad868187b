//===- EmulatedDevice.cpp -------------------------------------------------===//

#include "device/EmulatedDevice.h"

#include "execution/PtxLaunch.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace tessera;
using namespace tessera::emulated;

/// Bytes around an allocation, and the alignment of all.
static constexpr size_t guardBytes = 256;

EmulatedDevice::EmulatedDevice(int ordinal, int capability)
    : ordinal(ordinal), capability(capability) {}

EmulatedDevice::~EmulatedDevice() {
  for (auto &[address, block] : allocations)
    std::free(block);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

uint64_t EmulatedDevice::allocate(size_t bytes) {
  size_t rounded = (bytes + guardBytes - 1) / guardBytes * guardBytes;
  void *block = std::aligned_alloc(guardBytes, rounded + 2 * guardBytes);
  if (!block)
    return 0;
  auto *begin = static_cast<std::byte *>(block) + guardBytes;
  std::memset(begin, 0xFF, bytes);
  auto address = reinterpret_cast<uint64_t>(begin);
  allocations[address] = block;
  memory.add(address, bytes);
  return address;
}

bool EmulatedDevice::free(uint64_t address) {
  auto found = allocations.find(address);
  if (found == allocations.end())
    return false;
  memory.remove(address);
  std::free(found->second);
  allocations.erase(found);
  return true;
}

std::optional<std::string> EmulatedDevice::checkRange(uint64_t address,
                                                      uint64_t bytes) const {
  if (bytes == 0)
    return std::nullopt;
  DeviceMemory::Snapshot snapshot = memory.snapshot();
  const Allocation *allocation = findAllocation(*snapshot, address);
  if (allocation && allocation->contains(address, bytes))
    return std::nullopt;
  return std::to_string(bytes) + " bytes are no memory of device " +
         std::to_string(ordinal) + ": they begin " +
         describeNearest(*snapshot, address);
}

MemoryRange emulated::rangeOf(const void *memory, size_t bytes, bool isWrite) {
  auto begin = reinterpret_cast<uint64_t>(memory);
  return {begin, begin + bytes, isWrite};
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

Fallible<std::unique_ptr<EmulatedModule>>
EmulatedDevice::load(const void *image) const {
  auto *text = static_cast<const char *>(image);
  if (std::memcmp(text, "\177ELF", 4) == 0)
    return Failure{"only PTX can be emulated, got a cubin"};
  Fallible<std::unique_ptr<Module>> parsed = Module::parse(text);
  if (!parsed)
    return parsed.failure();
  const std::string &target = (*parsed)->target();
  int needed = std::atoi(target.c_str() + std::strlen("sm_"));
  bool isExact = target.ends_with('a');
  if (isExact ? needed != capability : needed > capability)
    return Failure{"the PTX is for " + target + ", the device has capability " +
                   std::to_string(capability)};
  auto module = std::make_unique<EmulatedModule>();
  module->code = *std::move(parsed);
  return module;
}

/// The parameter block of a launch.
static std::vector<std::byte> packParameters(const Kernel &kernel,
                                             void **parameters) {
  std::vector<std::byte> block(kernel.parameterBytes());
  size_t number = 0;
  for (const KernelParameter &parameter : kernel.parameters())
    std::memcpy(block.data() + parameter.offset, parameters[number++],
                parameter.bytes);
  return block;
}

Fallible<void> EmulatedDevice::launch(const EmulatedFunction &function,
                                      const LaunchShape &shape, Stream &stream,
                                      void **parameters) {
  const Kernel &kernel = *function.kernel;
  uint64_t threads = uint64_t(shape.block[0]) * shape.block[1] * shape.block[2];
  uint32_t most =
      kernel.maxThreads()[0] * kernel.maxThreads()[1] * kernel.maxThreads()[2];
  if (threads == 0 || threads > (most ? most : 1024) || shape.grid[0] == 0 ||
      shape.grid[1] == 0 || shape.grid[2] == 0)
    return Failure{"a block of " + kernel.name() + " has 1 to " +
                   std::to_string(most ? most : 1024) + " threads, got " +
                   std::to_string(threads)};
  if (shape.sharedBytes > uint32_t(function.dynamicSharedLimit) ||
      shape.sharedBytes + kernel.dynamicSharedOffset() >
          uint32_t(sharedLimit()))
    return Failure{kernel.name() + " may have " +
                   std::to_string(function.dynamicSharedLimit) +
                   " bytes of dynamic shared memory, got " +
                   std::to_string(shape.sharedBytes)};
  auto work = std::make_shared<Work>();
  work->operation = gpu::currentOperation;
  work->execute = [this, &kernel, shape,
                   block = packParameters(kernel, parameters)]() -> WorkResult {
    LaunchTraffic traffic;
    traffic.hazards = streams.hazards();
    std::optional<std::string> fault = emulated::launch(
        kernel, shape, block, memory, Machine::get().threadsPerLaunch(), {},
        nullptr, &traffic);
    if (!fault)
      fault = streams.access(std::move(traffic.accesses));
    return {fault, false};
  };
  streams.add(stream, std::move(work));
  return {};
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

Machine &Machine::get() {
  static Machine machine;
  return machine;
}

Fallible<int> emulated::emulatedCapability() {
  const char *asked = std::getenv("TESSERA_EMULATED_ARCH");
  std::string text = asked ? asked : "90";
  for (const char *known : {"80", "86", "89", "90", "100", "120"})
    if (text == known)
      return std::atoi(known);
  return Failure{"TESSERA_EMULATED_ARCH: expected 80, 86, 89, 90, 100 or 120, "
                 "got '" +
                 text + "'"};
}

int Machine::addDevices(int added) {
  std::lock_guard lock(mutex);
  int first = devices;
  devices += added;
  return first;
}

int Machine::count() const {
  std::lock_guard lock(mutex);
  return devices;
}

EmulatedDevice *Machine::device(int ordinal) {
  std::lock_guard lock(mutex);
  if (ordinal < 0 || ordinal >= devices)
    return nullptr;
  std::unique_ptr<EmulatedDevice> &device = opened[ordinal];
  Fallible<int> capability = emulatedCapability();
  if (!device)
    device = std::make_unique<EmulatedDevice>(ordinal,
                                              capability ? *capability : 90);
  return device.get();
}

void Machine::release(int ordinal) {
  std::lock_guard lock(mutex);
  opened.erase(ordinal);
}

unsigned Machine::threadsPerLaunch() const {
  std::lock_guard lock(mutex);
  size_t active = std::max<size_t>(opened.size(), 1);
  return std::max<unsigned>(1, std::thread::hardware_concurrency() / active);
}
