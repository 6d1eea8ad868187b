//===- EmulatedDriver.cpp - The driver's functions ------------------------===//
//
// Each does what the CUDA Driver API says of it, for one context per device. A
// call that fails leaves an explanation for cuGetErrorString on its thread.
//
//===----------------------------------------------------------------------===//

#include "asynchronous/TensorMap.h"
#include "device/EmulatedDevice.h"
#include "execution/PtxLaunch.h"

#include <cstdlib>
#include <cstring>

using namespace tessera;
using namespace tessera::emulated;
using namespace tessera::gpu;

static thread_local EmulatedDevice *current = nullptr;
static thread_local std::string explanation;

EmulatedDevice *emulated::currentDevice() { return current; }

static CudaResult fail(CudaResult result, std::string why) {
  explanation = std::move(why);
  return result;
}

static Stream *unwrap(CudaStream stream) {
  return reinterpret_cast<Stream *>(stream);
}
static EmulatedEvent *unwrap(CudaEvent event) {
  return reinterpret_cast<EmulatedEvent *>(event);
}

/// Executes what the marker needs.
static CudaResult reach(const MarkerPtr &marker) {
  if (current->fault.empty()) {
    WorkResult outcome = current->streams.reach(marker);
    if (outcome.isPending)
      return cudaNotReady;
    if (!outcome.fault)
      return cudaOk;
    current->fault = *outcome.fault;
  }
  return fail(cudaLaunchFailed, current->fault);
}

//===----------------------------------------------------------------------===//
// Devices and contexts
//===----------------------------------------------------------------------===//

static CudaResult errorName(CudaResult result, const char **text) {
  *text = result == cudaOk             ? "CUDA_SUCCESS"
          : result == cudaInvalidValue ? "CUDA_ERROR_INVALID_VALUE"
          : result == cudaOutOfMemory  ? "CUDA_ERROR_OUT_OF_MEMORY"
          : result == cudaInvalidImage ? "CUDA_ERROR_INVALID_IMAGE"
          : result == cudaInvalidPtx   ? "CUDA_ERROR_INVALID_PTX"
          : result == cudaNotFound     ? "CUDA_ERROR_NOT_FOUND"
          : result == cudaNotReady     ? "CUDA_ERROR_NOT_READY"
          : result == cudaLaunchFailed ? "CUDA_ERROR_LAUNCH_FAILED"
                                       : "CUDA_ERROR_INVALID_HANDLE";
  return cudaOk;
}

static CudaResult errorString(CudaResult, const char **text) {
  *text = explanation.c_str();
  return cudaOk;
}

static CudaResult deviceAttribute(int *value, int attribute,
                                  CudaDevice device) {
  EmulatedDevice *found = Machine::get().device(device);
  if (!found)
    return fail(cudaInvalidValue, "no such device");
  switch (attribute) {
  case attributeMajor:
    *value = found->capability / 10;
    return cudaOk;
  case attributeMinor:
    *value = found->capability % 10;
    return cudaOk;
  case attributeSharedOptIn:
    *value = found->sharedLimit();
    return cudaOk;
  }
  return fail(cudaInvalidValue, "the emulator does not know this attribute");
}

static CudaResult contextRetain(CudaContext *context, CudaDevice device) {
  *context = reinterpret_cast<CudaContext>(Machine::get().device(device));
  return *context ? cudaOk : fail(cudaInvalidValue, "no such device");
}

static CudaResult contextRelease(CudaDevice device) {
  if (current && current->ordinal == device)
    current = nullptr;
  Machine::get().release(device);
  return cudaOk;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static CudaResult allocate(CudaAddress *address, size_t bytes) {
  *address = current->allocate(bytes);
  return *address ? cudaOk : fail(cudaOutOfMemory, "out of memory");
}

static CudaResult hostAllocate(void **memory, size_t bytes, unsigned) {
  *memory = std::malloc(bytes);
  return *memory ? cudaOk : fail(cudaOutOfMemory, "out of memory");
}

/// Asks for something that the host can do at once when its turn comes.
static CudaResult addWork(CudaStream stream, std::vector<MemoryRange> accesses,
                          std::function<void()> body) {
  for (const MemoryRange &range : accesses)
    if (auto why = current->checkRange(range.begin, range.end - range.begin))
      return fail(cudaInvalidValue, *why);
  auto work = std::make_shared<Work>();
  work->operation = currentOperation;
  work->accesses = std::move(accesses);
  work->execute = [body = std::move(body)]() -> WorkResult {
    body();
    return {};
  };
  current->streams.add(*unwrap(stream), std::move(work));
  return cudaOk;
}

/// The host's memory is read at once, as that of a copy from pageable memory
/// is, unless a graph records the copy.
static CudaResult copyToDevice(CudaAddress target, const void *source,
                               size_t bytes, CudaStream stream) {
  auto *to = reinterpret_cast<std::byte *>(target);
  std::vector<MemoryRange> accesses = {rangeOf(to, bytes, true)};
  if (unwrap(stream)->recording)
    return addWork(stream, accesses, [=] { std::memcpy(to, source, bytes); });
  auto *from = static_cast<const std::byte *>(source);
  return addWork(stream, accesses,
                 [to, copy = std::vector<std::byte>(from, from + bytes)] {
                   std::memcpy(to, copy.data(), copy.size());
                 });
}

static bool isWord(const MemoryRange &range) {
  return range.end - range.begin == 4 && range.begin % 4 == 0;
}

static CudaResult copyToHost(void *target, CudaAddress source, size_t bytes,
                             CudaStream stream) {
  auto *from = reinterpret_cast<const std::byte *>(source);
  MemoryRange range = rangeOf(from, bytes, false);
  range.isWord = isWord(range);
  return addWork(stream, {range}, [=] { std::memcpy(target, from, bytes); });
}

static CudaResult copyOnDevice(CudaAddress target, CudaAddress source,
                               size_t bytes, CudaStream stream) {
  auto *to = reinterpret_cast<std::byte *>(target);
  auto *from = reinterpret_cast<const std::byte *>(source);
  return addWork(stream,
                 {rangeOf(from, bytes, false), rangeOf(to, bytes, true)},
                 [=] { std::memmove(to, from, bytes); });
}

template <typename T>
static CudaResult fill(CudaAddress target, T value, size_t count,
                       CudaStream stream) {
  auto *to = reinterpret_cast<T *>(target);
  MemoryRange range = rangeOf(to, count * sizeof value, true);
  range.isWord = isWord(range);
  return addWork(stream, {range}, [=] { std::fill_n(to, count, value); });
}

//===----------------------------------------------------------------------===//
// Modules and kernels
//===----------------------------------------------------------------------===//

static CudaResult moduleLoad(CudaModule *module, const void *image,
                             unsigned options, int *names, void **values) {
  auto loaded = current->load(image);
  if (loaded) {
    *module = reinterpret_cast<CudaModule>(loaded->release());
    return cudaOk;
  }
  for (unsigned i = 0; i < options; ++i)
    if (names[i] == jitErrorLogBuffer)
      std::strncpy(static_cast<char *>(values[i]), loaded.message().c_str(),
                   1024);
  return fail(cudaInvalidPtx, "a PTX JIT compilation failed");
}

static CudaResult moduleFunction(CudaFunction *function, CudaModule module,
                                 const char *name) {
  auto *loaded = reinterpret_cast<EmulatedModule *>(module);
  const Kernel *kernel = loaded->code->kernel(name);
  if (!kernel)
    return fail(cudaNotFound, "named symbol not found");
  int least = (48 << 10) - static_cast<int>(kernel->dynamicSharedOffset());
  loaded->functions.push_back(
      std::make_unique<EmulatedFunction>(EmulatedFunction{kernel, least}));
  *function = reinterpret_cast<CudaFunction>(loaded->functions.back().get());
  return cudaOk;
}

static CudaResult functionSetAttribute(CudaFunction function, int attribute,
                                       int value) {
  auto &asked = *reinterpret_cast<EmulatedFunction *>(function);
  int64_t whole = int64_t(value) + asked.kernel->dynamicSharedOffset();
  if (attribute != functionMaxDynamicShared || whole > current->sharedLimit())
    return fail(cudaInvalidValue, "invalid argument");
  asked.dynamicSharedLimit = value;
  return cudaOk;
}

static CudaResult launchKernel(CudaFunction function, unsigned gridX,
                               unsigned gridY, unsigned gridZ, unsigned blockX,
                               unsigned blockY, unsigned blockZ,
                               unsigned sharedBytes, CudaStream stream,
                               void **parameters, void **) {
  LaunchShape shape;
  shape.grid = {gridX, gridY, gridZ};
  shape.block = {blockX, blockY, blockZ};
  shape.sharedBytes = sharedBytes;
  auto asked = current->launch(*reinterpret_cast<EmulatedFunction *>(function),
                               shape, *unwrap(stream), parameters);
  return asked ? cudaOk : fail(cudaInvalidValue, asked.message());
}

static CudaResult encodeTiled(CudaTensorMap *map, int type, uint32_t rank,
                              void *address, const uint64_t *sizes,
                              const uint64_t *strides, const uint32_t *box,
                              const uint32_t *elementStrides, int interleave,
                              int swizzle, int, int fill) {
  Fallible<TensorMap> made =
      makeTensorMap(type, rank, reinterpret_cast<uint64_t>(address), sizes,
                    strides, box, elementStrides, interleave, swizzle, fill);
  if (!made)
    return fail(cudaInvalidValue, made.message());
  std::span<std::byte, TensorMap::byteSize> bytes(
      reinterpret_cast<std::byte *>(map), TensorMap::byteSize);
  Fallible<void> encoded = made->encode(bytes);
  return encoded ? cudaOk : fail(cudaInvalidValue, encoded.message());
}

//===----------------------------------------------------------------------===//
// Streams, events, graphs
//===----------------------------------------------------------------------===//

void emulated::enqueue(CudaStream stream, Work work) {
  work.operation = currentOperation;
  current->streams.add(*unwrap(stream),
                       std::make_shared<Work>(std::move(work)));
}

static CudaResult streamCreate(CudaStream *stream, unsigned, int) {
  *stream = reinterpret_cast<CudaStream>(current->streams.create());
  return cudaOk;
}

static CudaResult streamDestroy(CudaStream stream) {
  current->streams.destroy(unwrap(stream));
  return cudaOk;
}

static CudaResult streamWaitEvent(CudaStream stream, CudaEvent event,
                                  unsigned) {
  const MarkerPtr &marker = unwrap(event)->marker;
  if (!marker || current->streams.wait(*unwrap(stream), marker))
    return cudaOk;
  return fail(cudaInvalidValue,
              "a stream that is captured cannot wait for one that is not");
}

static CudaResult beginCapture(CudaStream stream, int) {
  if (current->streams.beginRecording(*unwrap(stream)))
    return cudaOk;
  return fail(cudaInvalidValue, "a stream of the device is captured already");
}

static CudaResult endCapture(CudaStream stream, CudaGraph *graph) {
  auto made = current->streams.endRecording(*unwrap(stream));
  *graph = reinterpret_cast<CudaGraph>(made.release());
  if (*graph)
    return cudaOk;
  return fail(cudaInvalidValue,
              "the captured stream does not wait for all that were drawn in");
}

static CudaResult graphInstantiate(CudaGraphExec *exec, CudaGraph graph,
                                   unsigned long long) {
  auto made = std::make_unique<EmulatedGraphExec>();
  made->graph =
      std::make_unique<Graph>(*reinterpret_cast<const Graph *>(graph));
  *exec = reinterpret_cast<CudaGraphExec>(made.release());
  return cudaOk;
}

static CudaResult graphLaunch(CudaGraphExec exec, CudaStream stream) {
  auto &made = *reinterpret_cast<EmulatedGraphExec *>(exec);
  current->streams.replay(*unwrap(stream), *made.graph, made.streams);
  return cudaOk;
}

static CudaResult eventCreate(CudaEvent *event, unsigned flags) {
  *event = reinterpret_cast<CudaEvent>(
      new EmulatedEvent{(flags & eventDisableTiming) == 0, nullptr});
  return cudaOk;
}

static CudaResult eventRecord(CudaEvent event, CudaStream stream) {
  unwrap(event)->marker = current->streams.mark(*unwrap(stream));
  return cudaOk;
}

static CudaResult eventQuery(CudaEvent event) {
  const MarkerPtr &marker = unwrap(event)->marker;
  if (!marker)
    return cudaOk;
  if (marker->graph)
    return fail(cudaInvalidValue, "the event was recorded in a capture");
  return reach(marker);
}

static CudaResult eventElapsed(float *milliseconds, CudaEvent begin,
                               CudaEvent end) {
  const EmulatedEvent &from = *unwrap(begin), &to = *unwrap(end);
  if (!from.hasTime || !to.hasTime || !from.marker || !to.marker)
    return fail(cudaInvalidHandle, "the events have no times");
  if (!from.marker->isDone || !to.marker->isDone)
    return cudaNotReady;
  *milliseconds =
      1e-6f * static_cast<float>(to.marker->time - from.marker->time);
  return cudaOk;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const CudaDriver &emulated::emulatedDriver() {
  static const CudaDriver table = {
      .init = [](unsigned) { return cudaOk; },
      .driverVersion = [](int *version) { return *version = 13000, cudaOk; },
      .errorName = errorName,
      .errorString = errorString,
      .deviceCount =
          [](int *count) { return *count = Machine::get().count(), cudaOk; },
      .deviceGet = [](CudaDevice *device,
                      int ordinal) { return *device = ordinal, cudaOk; },
      .deviceName =
          [](char *name, int size, CudaDevice) {
            return std::strncpy(name, "emulated GPU", size), cudaOk;
          },
      .deviceAttribute = deviceAttribute,
      .contextRetain = contextRetain,
      .contextRelease = contextRelease,
      .contextSetCurrent =
          [](CudaContext context) {
            current = reinterpret_cast<EmulatedDevice *>(context);
            return cudaOk;
          },
      .memoryAllocate = allocate,
      .memoryFree =
          [](CudaAddress address) {
            return current->free(address) ? cudaOk : cudaInvalidValue;
          },
      .hostAllocate = hostAllocate,
      .hostFree = [](void *memory) { return std::free(memory), cudaOk; },
      .copyToDevice = copyToDevice,
      .copyToHost = copyToHost,
      .copyOnDevice = copyOnDevice,
      .fill8 = fill<unsigned char>,
      .fill16 = fill<unsigned short>,
      .fill32 = fill<unsigned>,
      .moduleLoad = moduleLoad,
      .moduleUnload =
          [](CudaModule module) {
            return delete reinterpret_cast<EmulatedModule *>(module), cudaOk;
          },
      .moduleFunction = moduleFunction,
      .functionSetAttribute = functionSetAttribute,
      .launchKernel = launchKernel,
      .streamCreate = streamCreate,
      .streamDestroy = streamDestroy,
      .streamWaitEvent = streamWaitEvent,
      .streamBeginCapture = beginCapture,
      .streamEndCapture = endCapture,
      .graphInstantiate = graphInstantiate,
      .graphLaunch = graphLaunch,
      .graphExecDestroy =
          [](CudaGraphExec exec) {
            return delete reinterpret_cast<EmulatedGraphExec *>(exec), cudaOk;
          },
      .graphDestroy =
          [](CudaGraph graph) {
            return delete reinterpret_cast<Graph *>(graph), cudaOk;
          },
      .eventCreate = eventCreate,
      .eventDestroy =
          [](CudaEvent event) { return delete unwrap(event), cudaOk; },
      .eventRecord = eventRecord,
      .eventQuery = eventQuery,
      .eventElapsed = eventElapsed,
      .encodeTiled = encodeTiled,
  };
  return table;
}
