//===- World.cpp ----------------------------------------------------------===//

#include "World.h"

#include "CoreSharing.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>

#include <sched.h>

using namespace tessera;
using namespace tessera::processes;

static int32_t coresHere() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

World::Endpoint::~Endpoint() {
  // Whoever is told that this rank is done must find what it has sent; rank 0
  // waits for the good-byes of all before its connections end.
  if (host)
    host->onFailure(nullptr);
  if (thread)
    thread->close();
  host.reset();
  thread.reset();
}

World::~World() {
  // Rank 0's waits for the others.
  while (!endpoints.empty())
    endpoints.pop_back();
}

World::Endpoint &World::first() const {
  return **std::ranges::find_if(endpoints,
                                [](const auto &each) { return bool(each); });
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

Fallible<std::unique_ptr<World>> World::open(TesseraWorldOptions options,
                                             const char *backend,
                                             MakeTransport makeTransport) {
  if (options.timeout == 0)
    options.timeout = 60;
  Fallible<ProcessRank> process =
      findProcessRank([](const char *name) { return std::getenv(name); });
  if (!process)
    return process.failure();
  if (process->size > 1 && process->size != options.ranks)
    return Failure{
        "expected " + std::to_string(options.ranks) +
        (options.ranks == 1 ? " process" : " processes, one for each rank") +
        ", got " + std::to_string(process->size) +
        "; start them with torchrun, srun or mpirun"};
  std::unique_ptr<World> world(new World(options));
  world->options.group_sizes = nullptr; // The caller's.
  world->options.channels = nullptr;
  world->options.network = nullptr;
  if (options.network)
    return Failure{
        "expected the back end 'local' for a described machine, got '" +
        std::string(backend) + "'"};
  if (Fallible<void> opened = world->openRanks(*process, makeTransport);
      !opened)
    return opened.failure();
  return world;
}

/// Opens the rank of this process, or all of them at the same time: each waits
/// for the others.
Fallible<void> World::openRanks(const ProcessRank &process,
                                MakeTransport makeTransport) {
  if (process.size > 1 || options.ranks == 1) {
    auto endpoint = openRank(process, makeTransport);
    if (!endpoint)
      return endpoint.failure();
    endpoints[process.rank] = *std::move(endpoint);
    if (process.size > 1 && options.record_events)
      gathered.emplace(*first().host, options.ranks);
    return {};
  }
  // All of them, which meet at the same time.
  sharing = options.ranks;
  Fallible<int> door = listenAt(0);
  if (!door)
    return door.failure();
  std::vector<std::optional<Failure>> failures(options.ranks);
  std::vector<std::thread> threads;
  for (int32_t rank = 0; rank < options.ranks; ++rank)
    threads.emplace_back([&, rank] {
      ProcessRank one = process;
      one.rank = rank;
      one.size = options.ranks;
      one.port = portOf(*door);
      one.listener = rank == 0 ? *door : -1;
      auto endpoint = openRank(one, makeTransport);
      if (endpoint)
        endpoints[rank] = *std::move(endpoint);
      else
        failures[rank] = endpoint.failure();
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::optional<Failure> &failure : failures)
    if (failure)
      return *failure;
  for (const std::unique_ptr<Endpoint> &endpoint : endpoints)
    endpoint->host->sparesProcess();
  return {};
}

Fallible<std::unique_ptr<World::Endpoint>>
World::openRank(const ProcessRank &process, MakeTransport makeTransport) {
  auto endpoint = std::make_unique<Endpoint>();
  auto host = ProcessHost::open(process, options);
  if (!host)
    return host.failure();
  endpoint->host = *std::move(host);
  bool isInOwnProcess = sharing == 1;
  if (isInOwnProcess && process.size > 1) {
    Fallible<int32_t> count =
        countSharingRanks(*endpoint->host, process.rank, process.size);
    if (!count)
      return count.failure();
    sharing = *count;
  }
  auto transport = makeTransport(*endpoint->host, process.rank, options.ranks);
  if (!transport) {
    endpoint->host->fail(transport.message());
    return Failure{endpoint->host->error()};
  }
  // A core for the rank's thread and one for its communication.
  bool spin = coresHere() >= 2 * sharing;
  endpoint->thread = std::make_unique<CommunicationThread>(
      process.rank, options, spin, *endpoint->host, *std::move(transport));
  endpoint->host->onFailure(
      [thread = endpoint->thread.get()] { thread->notice(); });
  return endpoint;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

int32_t World::runRank(int32_t rank, TesseraRankBody body, void *data) {
  Endpoint &endpoint = *endpoints[rank];
  return endpoint.host->run([&](int32_t number) {
    endpoint.thread->beginRun();
    int32_t status = body(data, number);
    return status ? status : endpoint.thread->endRun();
  });
}

TesseraStatus World::run(TesseraRankBody body, void *data) {
  std::atomic<int32_t> running = 0, failures = 0;
  runtime::Signal end;
  std::vector<std::thread> threads;
  for (int32_t rank = 0; rank < options.ranks; ++rank)
    if (isLocal(rank)) {
      ++running;
      threads.emplace_back([&, rank] {
        failures += runRank(rank, body, data) != TESSERA_OK;
        --running;
        end.signal();
      });
    }
  while (true) {
    uint32_t seen = end.read();
    if (running == 0)
      break;
    end.wait(seen, std::chrono::milliseconds(100));
    if (running != 0 && options.interrupted && *error() == '\0' &&
        options.interrupted(options.data))
      fail("interrupted");
  }
  for (std::thread &thread : threads)
    thread.join();
  return failures > 0 || *error() ? TESSERA_FAILED : TESSERA_OK;
}

//===----------------------------------------------------------------------===//
// Between processes, outside of runs
//===----------------------------------------------------------------------===//

int32_t World::gather(int32_t rank, const void *source, void *host,
                      int64_t bytes) {
  static const TesseraSite site = {"result", "the end of the step"};
  RankHost &carrier = *first().host;
  TesseraMessage note = {rank, 0, note::result, bytes, &site};
  if (isLocal(rank) && isLocal(0)) {
    std::memcpy(host, source, bytes);
    return TESSERA_OK;
  }
  if (isLocal(rank))
    return carrier.send(note, source);
  return isLocal(0) ? carrier.recv(note, host) : TESSERA_OK;
}

int32_t World::agree(int32_t &value) {
  bool isTogether = isLocal(0) && isLocal(options.ranks - 1);
  return isTogether ? TESSERA_OK : first().host->agree(options.ranks, value);
}

int32_t World::greatest(int32_t &value) {
  bool isTogether = isLocal(0) && isLocal(options.ranks - 1);
  return isTogether ? TESSERA_OK : first().host->greatest(options.ranks, value);
}

int32_t World::shareEvents(const TesseraEvent *const *events,
                           const int64_t *counts) {
  if (!gathered)
    return TESSERA_OK;
  return gathered->gather([&](int32_t rank) {
    return std::span(events[rank], static_cast<size_t>(counts[rank]));
  });
}

std::span<const TesseraEvent> World::events(int32_t rank) const {
  if (!gathered || isLocal(rank))
    return {};
  return gathered->of(rank);
}

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

static World *unwrap(TesseraWorld *world) {
  return reinterpret_cast<World *>(world);
}

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
    .sharing_ranks = [](TesseraWorld *world) -> int32_t {
      return unwrap(world)->sharingRanks();
    },
    .share_events = [](TesseraWorld *world, const TesseraEvent *const *events,
                       const int64_t *counts) -> int32_t {
      return unwrap(world)->shareEvents(events, counts);
    },
    .events =
        [](TesseraWorld *world, int32_t rank, const TesseraEvent **events,
           int64_t *count) {
          std::span<const TesseraEvent> list = unwrap(world)->events(rank);
          *events = list.data();
          *count = static_cast<int64_t>(list.size());
        },
    .launched = [](char *error, size_t size) -> int32_t {
      Fallible<ProcessRank> process =
          findProcessRank([](const char *name) { return std::getenv(name); });
      if (process)
        return process->size;
      std::snprintf(error, size, "%s", process.message().c_str());
      return 0;
    },
};

TesseraWorld *World::handOver(Fallible<std::unique_ptr<World>> made,
                              char *error, size_t size) {
  if (made)
    return reinterpret_cast<TesseraWorld *>(made->release());
  std::snprintf(error, size, "%s", made.message().c_str());
  return nullptr;
}

static int32_t rankOf(const TesseraGroup &group) {
  return group.members[group.position];
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
        return unwrap(world)->isLocal(rank);
      },
      .run = [](TesseraWorld *world, TesseraRankBody body, void *data)
          -> TesseraStatus { return unwrap(world)->run(body, data); },
      .collective = [](TesseraWorld *world,
                       const TesseraCollective *call) -> int32_t {
        return unwrap(world)->at(rankOf(*call->group)).collective(*call);
      },
      .wait = [](TesseraWorld *world, int32_t rank, int32_t future,
                 int64_t *completed) -> int32_t {
        return unwrap(world)->at(rank).wait(future, completed);
      },
      .send = [](TesseraWorld *world, const TesseraMessage *message,
                 const void *data) -> int32_t {
        return unwrap(world)->at(message->source).send(*message, data);
      },
      .recv = [](TesseraWorld *world, const TesseraMessage *message,
                 void *data) -> int32_t {
        return unwrap(world)->at(message->target).recv(*message, data);
      },
      .fail = [](TesseraWorld *world,
                 const char *message) { unwrap(world)->fail(message); },
      .error = [](TesseraWorld *world) -> const char * {
        return unwrap(world)->error();
      },
      .target = "cpu",
      .devices = nullptr,
      .processes = &processTable,
      .clock = nullptr,
      .compute = nullptr,
  };
}
