//===- EmulatedHost.cpp ---------------------------------------------------===//

#include "device/EmulatedHost.h"

#include "device/EmulatedDevice.h"

#include <cstdio>

using namespace tessera;
using namespace tessera::emulated;

static thread_local runtime::World *threadWorld = nullptr;
static thread_local int32_t threadRank = -1;

runtime::World *emulated::worldOfThread() { return threadWorld; }
int32_t emulated::rankOfThread() { return threadRank; }

EmulatedHost::EmulatedHost(const TesseraWorldOptions &givenOptions)
    : options(givenOptions),
      firstDevice(Machine::get().addDevices(givenOptions.ranks)) {
  TesseraWorldOptions worldOptions = givenOptions;
  worldOptions.data = this;
  worldOptions.describe = [](void *data, int32_t rank, char *buffer,
                             size_t size) {
    static_cast<EmulatedHost *>(data)->describe(rank, buffer, size);
  };
  if (options.interrupted)
    worldOptions.interrupted = [](void *data) {
      const TesseraWorldOptions &given =
          static_cast<EmulatedHost *>(data)->options;
      return given.interrupted(given.data);
    };
  world = std::make_unique<runtime::World>(worldOptions);
}

EmulatedHost::~EmulatedHost() = default;

void EmulatedHost::describe(int32_t rank, char *buffer, size_t size) const {
  const EmulatedDevice *device = Machine::get().device(deviceOf(rank));
  auto [kind, site] = device->streams.latest();
  if (device->streams.isExecuting() && site)
    std::snprintf(buffer, size, "is in %s '%s' at %s", kind, site->name,
                  site->location);
  else
    options.describe(options.data, rank, buffer, size);
}

TesseraStatus EmulatedHost::run(const std::function<int32_t(int32_t)> &body) {
  auto runRank = [this, &body](int32_t rank) {
    threadWorld = world.get();
    threadRank = rank;
    return body(rank);
  };
  std::function<int32_t(int32_t)> function = runRank;
  auto trampoline = [](void *data, int32_t rank) {
    return (*static_cast<std::function<int32_t(int32_t)> *>(data))(rank);
  };
  return world->run(trampoline, &function);
}

int32_t EmulatedHost::send(const TesseraMessage &note, const void *data) {
  return world->send(note, data);
}

int32_t EmulatedHost::recv(const TesseraMessage &note, void *data) {
  // Whoever sends the note may wait for what the device has been asked for.
  if (EmulatedDevice *device = currentDevice())
    if (WorkResult outcome = device->streams.executeAll(); outcome.fault) {
      fail(*outcome.fault);
      return TESSERA_FAILED;
    }
  return world->recv(note, data);
}

void EmulatedHost::fail(const std::string &message) { world->fail(message); }

const char *EmulatedHost::error() const { return world->error(); }
