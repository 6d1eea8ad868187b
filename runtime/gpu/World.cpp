//===- World.cpp ----------------------------------------------------------===//

#include "World.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace tessera;
using namespace tessera::gpu;

/// Set to 0, every step is executed by itself.
static constexpr const char *graphVariable = "TESSERA_CUDA_GRAPHS";

Fallible<std::unique_ptr<World>> World::open(const TesseraWorldOptions &options,
                                             const Libraries &libraries,
                                             std::unique_ptr<RankHost> host) {
  std::unique_ptr<World> world(new World);
  world->carrier = std::move(host);
  const char *graphs = std::getenv(graphVariable);
  world->mayRecord =
      !options.record_events && (!graphs || std::string_view(graphs) != "0");
  world->channels.assign(options.channels,
                         options.channels + 2 * options.channel_count);
  if (options.record_events)
    world->gathered.emplace(*world->carrier, options.ranks);
  world->ranks.resize(options.ranks);
  world->canRecord.resize(options.ranks);
  for (int32_t rank = 0; rank < options.ranks; ++rank) {
    if (!world->carrier->isLocal(rank))
      continue;
    auto device =
        Device::open(libraries.driver, world->carrier->deviceOf(rank));
    if (!device)
      return world->fail(rank, device.message());
    world->ranks[rank] = std::make_unique<Rank>(
        rank, *std::move(device), libraries, *world->carrier, options.timeout,
        options.record_events);
  }
  return world;
}

World::~World() = default;

Fallible<void> World::load(std::span<const TesseraGpuImage> images) {
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    if (ranks[rank])
      if (Fallible<void> loaded = ranks[rank]->load(images); !loaded)
        return fail(static_cast<int32_t>(rank), loaded.message());
  return {};
}

Failure World::fail(int32_t rank, const std::string &why) {
  std::string message = "rank " + std::to_string(rank) + ": " + why;
  carrier->fail(message);
  return {message};
}

/// Ranks that record and ranks that do not would not agree on the headers of
/// their messages, so all do the same.
int32_t World::agreeOnGraph(int32_t rank) {
  static const TesseraSite site = {"graph", "the end of the first step"};
  auto count = static_cast<int32_t>(ranks.size());
  char can = !ranks[rank]->hasRead();
  if (rank != 0) {
    if (carrier->send({rank, 0, note::graph, 1, &site}, &can) ||
        carrier->recv({0, rank, note::graph, 1, &site}, &can))
      return TESSERA_FAILED;
  } else {
    for (int32_t peer = 1; peer < count; ++peer) {
      char theirs = 0;
      if (carrier->recv({peer, 0, note::graph, 1, &site}, &theirs))
        return TESSERA_FAILED;
      can &= theirs;
    }
    for (int32_t peer = 1; peer < count; ++peer)
      if (carrier->send({0, peer, note::graph, 1, &site}, &can))
        return TESSERA_FAILED;
  }
  canRecord[rank] = can;
  return 0;
}

TesseraStatus World::run(TesseraRankBody body, void *data) {
  auto runRank = [&](int32_t rank) {
    int32_t status = 0;
    if (steps == 0)
      status = ranks[rank]->openChannels(channels);
    if (steps == 1 && mayRecord)
      status = agreeOnGraph(rank);
    if (status)
      return status;
    StepMode mode = !canRecord[rank] ? StepMode::Execute
                    : steps == 1     ? StepMode::Record
                                     : StepMode::Replay;
    return ranks[rank]->step(mode, [&] { return body(data, rank); });
  };
  TesseraStatus status = carrier->run(runRank);
  ++steps;
  if (status == TESSERA_OK && gathered)
    status = gathered->gather(
        [this](int32_t rank) { return ranks[rank]->events(); });
  return status;
}

std::span<const TesseraEvent> World::events(int32_t rank) const {
  if (!gathered)
    return {};
  return ranks[rank] ? ranks[rank]->events() : gathered->of(rank);
}

//===----------------------------------------------------------------------===//
// Between processes
//===----------------------------------------------------------------------===//

int32_t World::gather(int32_t rank, const void *source, void *host,
                      int64_t bytes) {
  static const TesseraSite site = {"result", "the end"};
  TesseraMessage note = {rank, 0, note::result, bytes, &site};
  if (!carrier->isLocal(rank))
    return carrier->isLocal(0) ? carrier->recv(note, host) : TESSERA_OK;
  if (carrier->isLocal(0))
    return ranks[rank]->download(source, host, bytes);
  std::vector<std::byte> copy(bytes);
  if (int32_t status = ranks[rank]->download(source, copy.data(), bytes))
    return status;
  return carrier->send(note, copy.data());
}

int32_t World::agree(int32_t &value) {
  return carrier->agree(static_cast<int32_t>(ranks.size()), value);
}

int32_t World::greatest(int32_t &value) {
  return carrier->greatest(static_cast<int32_t>(ranks.size()), value);
}

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

static World *unwrap(TesseraWorld *world) {
  return reinterpret_cast<World *>(world);
}

static int32_t rankOf(const TesseraGroup &group) {
  return group.members[group.position];
}

static const TesseraDevices devices = {
    .load = [](TesseraWorld *world, const TesseraGpuImage *images,
               int64_t count, char *error, size_t size) -> TesseraStatus {
      auto loaded = unwrap(world)->load({images, static_cast<size_t>(count)});
      if (loaded)
        return TESSERA_OK;
      std::snprintf(error, size, "%s", loaded.message().c_str());
      return TESSERA_INVALID;
    },
    .allocate = [](TesseraWorld *world, int32_t rank, int64_t bytes) -> void * {
      return unwrap(world)->rank(rank).allocate(bytes);
    },
    .upload = [](TesseraWorld *world, int32_t rank, const void *host,
                 void *target, int64_t bytes) -> int32_t {
      return unwrap(world)->rank(rank).upload(host, target, bytes);
    },
    .download = [](TesseraWorld *world, int32_t rank, const void *source,
                   void *host, int64_t bytes) -> int32_t {
      return unwrap(world)->rank(rank).download(source, host, bytes);
    },
    .launch = [](TesseraWorld *world, int32_t rank,
                 const TesseraGpuKernel *kernel, void *const *buffers,
                 const TesseraSite *site) -> int32_t {
      return unwrap(world)->rank(rank).launch(*kernel, buffers, *site);
    },
    .routine = [](TesseraWorld *world, int32_t rank, const char *name,
                  const TesseraCallFrame *frame, const TesseraSite *site,
                  int32_t *taken) -> int32_t {
      return unwrap(world)->rank(rank).routine(name, *frame, *site, *taken);
    },
    .copy = [](TesseraWorld *world, int32_t rank, const void *source,
               void *target, int64_t bytes) -> int32_t {
      return unwrap(world)->rank(rank).copy(source, target, bytes);
    },
    .read = [](TesseraWorld *world, int32_t rank, const void *source,
               void *host, int64_t bytes) -> int32_t {
      return unwrap(world)->rank(rank).read(source, host, bytes);
    },
    .write = [](TesseraWorld *world, int32_t rank, const void *host,
                void *target, int64_t bytes) -> int32_t {
      return unwrap(world)->rank(rank).write(host, target, bytes);
    },
    .begin_task =
        [](TesseraWorld *world, int32_t rank, const TesseraSite *site) {
          unwrap(world)->rank(rank).beginTask(*site);
        },
    .end_task = [](TesseraWorld *world,
                   int32_t rank) { unwrap(world)->rank(rank).endTask(); },
    .events =
        [](TesseraWorld *world, int32_t rank, const TesseraEvent **events,
           int64_t *count) {
          std::span<const TesseraEvent> list = unwrap(world)->events(rank);
          *events = list.data();
          *count = static_cast<int64_t>(list.size());
        },
};

static const TesseraProcesses processTable = {
    .gather = [](TesseraWorld *world, int32_t rank, const void *source,
                 void *host, int64_t bytes) -> int32_t {
      return unwrap(world)->gather(rank, source, host, bytes);
    },
    .agree = [](TesseraWorld *world, int32_t *value) -> int32_t {
      return unwrap(world)->agree(*value);
    },
    .greatest = [](TesseraWorld *world, int32_t *value) -> int32_t {
      return unwrap(world)->greatest(*value);
    },
    .sharing_ranks = nullptr,
    .share_events = nullptr,
    .events = nullptr,
    .launched = nullptr,
};

TesseraWorld *World::handOver(Fallible<std::unique_ptr<World>> made,
                              char *error, size_t size) {
  if (made)
    return reinterpret_cast<TesseraWorld *>(made->release());
  std::snprintf(error, size, "%s", made.message().c_str());
  return nullptr;
}

TesseraBackend World::makeBackend(
    const char *name,
    TesseraWorld *(*open)(const TesseraWorldOptions *, char *, size_t)) {
  return {
      .version = TESSERA_BACKEND_VERSION,
      .name = name,
      .open = open,
      .close = [](TesseraWorld *world) { delete unwrap(world); },
      .is_local = [](TesseraWorld *world, int32_t rank) -> int32_t {
        return unwrap(world)->host().isLocal(rank);
      },
      .run = [](TesseraWorld *world, TesseraRankBody body, void *data)
          -> TesseraStatus { return unwrap(world)->run(body, data); },
      .collective = [](TesseraWorld *world,
                       const TesseraCollective *call) -> int32_t {
        return unwrap(world)->rank(rankOf(*call->group)).collective(*call);
      },
      .wait = [](TesseraWorld *world, int32_t rank, int32_t future, int64_t *)
          -> int32_t { return unwrap(world)->rank(rank).wait(future); },
      .send = [](TesseraWorld *world, const TesseraMessage *message,
                 const void *data) -> int32_t {
        return unwrap(world)->rank(message->source).send(*message, data);
      },
      .recv = [](TesseraWorld *world, const TesseraMessage *message,
                 void *data) -> int32_t {
        return unwrap(world)->rank(message->target).receive(*message, data);
      },
      .fail = [](TesseraWorld *world,
                 const char *message) { unwrap(world)->host().fail(message); },
      .error = [](TesseraWorld *world) -> const char * {
        return unwrap(world)->host().error();
      },
      .target = "cuda",
      .devices = &devices,
      .processes = &processTable,
      .clock = nullptr,
      .compute = nullptr,
  };
}
