//===- Rank.cpp -----------------------------------------------------------===//

#include "Rank.h"

#include "tessera/Support/ElementType.h"
#include "tessera/Support/RoutineSignatures.h"
#include "tessera/Support/StableSort.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace tessera;
using namespace tessera::gpu;

Rank::Rank(int32_t rank, std::unique_ptr<Device> givenDevice,
           const Libraries &libraries, RankHost &host, double timeout,
           bool record)
    : rank(rank), device(std::move(givenDevice)), driver(device->driver()),
      host(host), timeout(timeout), record(record),
      products(libraries.cublasLt), transforms(*device, libraries.cufft),
      communicators(driver, libraries.nccl, host, rank),
      extremes(*device, communicators) {
  if (host.mayMismatch())
    notes.emplace(host, rank);
}

Rank::~Rank() {
  device->makeCurrent();
  if (host.hasFailed())
    abandon();
  // Before the communicators: NCCL ends none that a graph still uses.
  if (graph)
    driver.graphExecDestroy(graph);
  for (CudaEvent event : timingEvents)
    driver.eventDestroy(event);
  for (CudaEvent event : freeFutures)
    driver.eventDestroy(event);
  for (auto &[number, future] : futures)
    driver.eventDestroy(future.event);
  for (CudaEvent event : {orderEvent, doneEvent, watchEvent})
    if (event)
      driver.eventDestroy(event);
  for (Lane *lane : lanes())
    if (lane->stream)
      driver.streamDestroy(lane->stream);
  for (CudaStream stream : {compute, watching})
    if (stream)
      driver.streamDestroy(stream);
  if (progressCopy)
    driver.hostFree(progressCopy);
}

Fallible<CudaStream> Rank::makeStream() {
  CudaStream stream = nullptr;
  if (CudaResult result = driver.streamCreate(&stream, streamNonBlocking, 0))
    return Failure{"cannot make a stream: " + describe(driver, result)};
  return stream;
}

Fallible<void> Rank::makeLane(Lane &lane) {
  Fallible<CudaStream> stream = makeStream();
  if (!stream)
    return stream.failure();
  lane.stream = *stream;
  lane.progress = device->allocate(sizeof *progressCopy);
  if (!lane.progress || driver.fill32(lane.progress, 0, 1, compute))
    return Failure{"not enough memory on " + device->description()};
  return {};
}

std::vector<Rank::Lane *> Rank::lanes() {
  std::vector<Lane *> list = {&communication};
  for (auto *channels : {&outgoing, &incoming})
    for (auto &[peer, channel] : *channels)
      if (peer != rank)
        list.push_back(&channel.lane);
  return list;
}

Fallible<void> Rank::load(std::span<const TesseraGpuImage> images) {
  device->makeCurrent();
  for (CudaStream *stream : {&compute, &watching}) {
    Fallible<CudaStream> made = makeStream();
    if (!made)
      return made.failure();
    *stream = *made;
  }
  for (CudaEvent *event : {&orderEvent, &doneEvent, &watchEvent})
    if (CudaResult result = driver.eventCreate(event, eventDisableTiming))
      return Failure{"cannot make an event: " + describe(driver, result)};
  if (Fallible<void> made = makeLane(communication); !made)
    return made;
  void *copy = nullptr;
  if (driver.hostAllocate(&copy, sizeof *progressCopy, hostAllocPortable))
    return Failure{"not enough pinned memory"};
  progressCopy = static_cast<uint32_t *>(copy);
  code = std::make_unique<KernelCode>(*device, images);
  return code->load();
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

int32_t Rank::fail(const std::string &what) {
  host.fail("rank " + std::to_string(rank) + ": " + what);
  return TESSERA_FAILED;
}

int32_t Rank::fail(const Operation &operation, const std::string &what) {
  return fail(std::string(operation.kind) + " '" + operation.site->name +
              "' at " + operation.site->location + ": " + what);
}

int32_t Rank::check(CudaResult result, const char *what) {
  if (result == cudaOk)
    return 0;
  return fail(std::string(what) + ": " + describe(driver, result));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *Rank::allocate(int64_t bytes) {
  CudaAddress address = device->allocate(bytes);
  if (!address ||
      driver.fill8(address, 0, std::max<int64_t>(bytes, 1), compute))
    return nullptr;
  return reinterpret_cast<void *>(address);
}

/// Before the host waits for a copy, in a step or not.
int32_t Rank::prepareToWait() {
  if (recording)
    return fail("the program waits for the device in its second step, and did "
                "not in the first; set TESSERA_CUDA_GRAPHS=0");
  readFromDevice |= inStep;
  return check(device->makeCurrent(), "cannot use the device");
}

int32_t Rank::upload(const void *source, void *target, int64_t bytes) {
  if (int32_t status = prepareToWait(); status || !bytes)
    return status;
  auto address = reinterpret_cast<CudaAddress>(target);
  if (int32_t status =
          check(driver.copyToDevice(address, source, bytes, compute), "upload"))
    return status;
  return waitForDevice();
}

int32_t Rank::download(const void *source, void *target, int64_t bytes) {
  if (int32_t status = prepareToWait(); status || !bytes)
    return status;
  auto address = reinterpret_cast<CudaAddress>(source);
  if (int32_t status =
          check(driver.copyToHost(target, address, bytes, compute), "download"))
    return status;
  return waitForDevice();
}

int32_t Rank::copy(const void *source, void *target, int64_t bytes) {
  if (bytes == 0)
    return 0;
  return check(driver.copyOnDevice(reinterpret_cast<CudaAddress>(target),
                                   reinterpret_cast<CudaAddress>(source), bytes,
                                   compute),
               "copy");
}

int32_t Rank::read(const void *source, void *target, int64_t bytes) {
  return download(source, target, bytes);
}

/// The value is part of the call, not memory that a graph would read again.
int32_t Rank::write(const void *source, void *target, int64_t bytes) {
  auto address = reinterpret_cast<CudaAddress>(target);
  auto *from = static_cast<const std::byte *>(source);
  auto store = [&]<typename T>(T value, auto fill) {
    std::memcpy(&value, from, sizeof value);
    from += sizeof value;
    CudaResult result = fill(address, value, 1, compute);
    address += sizeof value;
    bytes -= sizeof value;
    return result;
  };
  CudaResult result = cudaOk;
  while (bytes >= 4 && !result)
    result = store(0u, driver.fill32);
  if (bytes >= 2 && !result)
    result = store(static_cast<unsigned short>(0), driver.fill16);
  if (bytes >= 1 && !result)
    result = store(static_cast<unsigned char>(0), driver.fill8);
  return check(result, "write");
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

int32_t Rank::order(CudaStream earlier, CudaStream later) {
  if (int32_t status =
          check(driver.eventRecord(orderEvent, earlier), "record an event"))
    return status;
  return check(driver.streamWaitEvent(later, orderEvent, 0),
               "wait for an event");
}

int32_t Rank::perform(const Operation &operation, int64_t bytes,
                      CudaStream stream,
                      const std::function<Fallible<void>()> &ask) {
  currentOperation = operation;
  if (record) {
    timed.push_back({operation, bytes, timingEvent(), timingEvent(),
                     /*isBackground=*/stream != compute});
    driver.eventRecord(timed.back().begin, stream);
  }
  Fallible<void> asked = ask();
  if (record)
    driver.eventRecord(timed.back().end, stream);
  currentOperation = {};
  return asked ? 0 : fail(operation, asked.message());
}

Fallible<void> Rank::launchGrid(const KernelCode::Step &step,
                                void *const *buffers) {
  const TesseraGridStep &grid = *step.description;
  auto maps = code->maps(grid, buffers);
  if (!maps)
    return maps.failure();
  std::vector<CudaAddress> values;
  for (int32_t i = 0; i < grid.buffer_count; ++i)
    values.push_back(reinterpret_cast<CudaAddress>(buffers[grid.buffers[i]]));
  std::vector<void *> parameters;
  for (CudaAddress &value : values)
    parameters.push_back(&value);
  for (CudaTensorMap &map : *maps)
    parameters.push_back(&map);
  CudaResult result = driver.launchKernel(
      step.function, grid.grid[0], grid.grid[1], grid.grid[2], grid.block, 1, 1,
      grid.shared, compute, parameters.data(), nullptr);
  if (result)
    return Failure{std::string("function '") + grid.symbol +
                   "': " + describe(driver, result)};
  return {};
}

int32_t Rank::launch(const TesseraGpuKernel &kernel, void *const *buffers,
                     const TesseraSite &site) {
  auto ask = [&]() -> Fallible<void> {
    auto steps = code->find(kernel);
    if (!steps)
      return steps.failure();
    for (const KernelCode::Step &step : *steps) {
      const TesseraLibraryStep *product = step.description->library;
      Fallible<void> asked = product ? products.run(*product, buffers, compute)
                                     : launchGrid(step, buffers);
      if (!asked)
        return asked;
    }
    return {};
  };
  return perform({"kernel", &site}, 0, compute, ask);
}

int32_t Rank::routine(const char *name, const TesseraCallFrame &frame,
                      const TesseraSite &site, int32_t &taken) {
  std::optional<OwnRoutine> own = findOwnRoutine(name);
  taken = own && own->family == "fft" && transforms.isThere();
  if (!taken)
    return 0;
  return perform({"kernel", &site}, 0, compute,
                 [&] { return transforms.run(frame, compute); });
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

int32_t Rank::execute(const std::function<int32_t()> &program) {
  for (Lane *lane : lanes()) {
    lane->operations.clear();
    // What the last step left behind is not in the list any more.
    driver.fill32(lane->progress, 0, 1, compute);
  }
  if (record) {
    timed.clear();
    task = -1;
    timingEventsUsed = 0;
    occupyDevice();
    stepBegin = timingEvent();
    driver.eventRecord(stepBegin, compute);
    stepBeginTime = clockNow();
  }
  inStep = true;
  int32_t status = program();
  inStep = false;
  return status ? status : joinChannels();
}

int32_t Rank::recordGraph(const std::function<int32_t()> &program) {
  if (int32_t status = check(driver.streamBeginCapture(compute, captureRelaxed),
                             "cannot record a CUDA graph"))
    return status;
  recording = true;
  int32_t status = execute(program);
  recording = false;
  CudaGraph made = nullptr;
  CudaResult result = driver.streamEndCapture(compute, &made);
  if (!status && !result)
    result = driver.graphInstantiate(&graph, made, 0);
  if (made)
    driver.graphDestroy(made);
  return status ? status
                : check(result, "cannot make a CUDA graph of the step");
}

int32_t Rank::step(StepMode mode, const std::function<int32_t()> &program) {
  if (int32_t status = check(device->makeCurrent(), "step"))
    return status;
  if (mode == StepMode::Record)
    if (int32_t status = recordGraph(program))
      return status;
  int32_t status = mode == StepMode::Execute
                       ? execute(program)
                       : check(driver.graphLaunch(graph, compute),
                               "cannot launch the step's CUDA graph");
  if (!status)
    status = waitForDevice();
  if (!status && notes)
    status = notes->compare(/*all=*/true);
  notes.reset();
  if (!status && record)
    collectEvents();
  return status;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// So the host can ask for the first kernels before they run, and events mark
/// when they do, not when they were asked for; what an earlier step has left in
/// the second-level cache is gone, too.
void Rank::occupyDevice() {
  constexpr int64_t bytes = 64 << 20;
  constexpr int times = 2;
  if (!busy.address)
    busy = {device->allocate(bytes), bytes};
  for (int i = 0; i < times && busy.address; ++i)
    driver.fill8(busy.address, 0, bytes, compute);
}

CudaEvent Rank::timingEvent() {
  if (timingEventsUsed == timingEvents.size()) {
    CudaEvent event = nullptr;
    driver.eventCreate(&event, 0);
    timingEvents.push_back(event);
  }
  return timingEvents[timingEventsUsed++];
}

void Rank::collectEvents() {
  recorded.clear();
  auto timeOf = [&](CudaEvent event) {
    float milliseconds = 0;
    driver.eventElapsed(&milliseconds, stepBegin, event);
    return stepBeginTime + static_cast<int64_t>(1e6 * milliseconds);
  };
  for (const Timed &item : timed) {
    const Operation &operation = item.operation;
    TesseraEvent event = {};
    event.name = operation.site->name;
    event.location = operation.site->location;
    event.kind = operation.kind;
    event.begin = timeOf(item.begin);
    event.end = timeOf(item.end);
    event.bytes = item.bytes;
    event.communicator = operation.group ? operation.group->communicator : -1;
    event.group = operation.group ? operation.group->index : -1;
    event.peer = operation.peer;
    event.background = item.isBackground;
    event.tag = operation.tag;
    event.number = operation.number;
    event.busy = -1;
    recorded.push_back(event);
  }
  // Streams run beside each other: it need not be the order of asking.
  stableSort(recorded,
             [](const auto &a, const auto &b) { return a.begin < b.begin; });
}

void Rank::beginTask(const TesseraSite &site) {
  if (!record)
    return;
  task = static_cast<int64_t>(timed.size());
  timed.push_back({{"task", &site}, 0, timingEvent(), nullptr});
  driver.eventRecord(timed.back().begin, compute);
}

void Rank::endTask() {
  if (task < 0)
    return;
  timed[task].end = timingEvent();
  driver.eventRecord(timed[task].end, compute);
  task = -1;
}
