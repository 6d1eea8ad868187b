//===- World.h - The ranks of a job that are processes --------------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_WORLD_H
#define TESSERA_RUNTIME_PROCESSES_WORLD_H

#include "CommunicationThread.h"
#include "EventGathering.h"
#include "ProcessHost.h"

namespace tessera::processes {

/// The ranks of this process: one where a launcher has started as many
/// processes as there are ranks. Where nobody has, all, on threads, which reach
/// each other by the transport as well: what embeds the runtime needs no
/// launcher, and tests see all ranks. Its functions are those of TesseraBackend
/// and TesseraProcesses.
class World {
public:
  /// Makes the transport of a rank, whose host has met all others: they do so
  /// at the same time.
  using MakeTransport = Fallible<std::unique_ptr<Transport>> (*)(
      ProcessHost &host, int32_t rank, int32_t ranks);

  static Fallible<std::unique_ptr<World>> open(TesseraWorldOptions options,
                                               const char *backend,
                                               MakeTransport makeTransport);
  ~World();

  TesseraStatus run(TesseraRankBody body, void *data);
  bool isLocal(int32_t rank) const { return endpoints[rank] != nullptr; }
  CommunicationThread &at(int32_t rank) { return *endpoints[rank]->thread; }
  void fail(const char *message) { first().host->fail(message); }
  const char *error() { return first().host->error(); }

  int32_t gather(int32_t rank, const void *source, void *host, int64_t bytes);
  int32_t agree(int32_t &value);
  int32_t greatest(int32_t &value);
  int32_t sharingRanks() const { return sharing; }
  int32_t shareEvents(const TesseraEvent *const *events, const int64_t *counts);
  std::span<const TesseraEvent> events(int32_t rank) const;

  /// The table of a back end that makes its worlds by `open`.
  static TesseraBackend makeBackend(
      const char *name,
      TesseraWorld *(*open)(const TesseraWorldOptions *, char *, size_t));
  /// The world, for good; or null, and why there is none in `error`.
  static TesseraWorld *handOver(Fallible<std::unique_ptr<World>> made,
                                char *error, size_t size);

private:
  /// A rank of this process.
  struct Endpoint {
    std::unique_ptr<ProcessHost> host;
    std::unique_ptr<CommunicationThread> thread;
    ~Endpoint();
  };

  explicit World(const TesseraWorldOptions &options)
      : options(options), endpoints(options.ranks) {}
  Fallible<void> openRanks(const ProcessRank &process,
                           MakeTransport makeTransport);
  Fallible<std::unique_ptr<Endpoint>> openRank(const ProcessRank &process,
                                               MakeTransport makeTransport);
  int32_t runRank(int32_t rank, TesseraRankBody body, void *data);
  /// The lowest rank of this process.
  Endpoint &first() const;

  TesseraWorldOptions options;
  std::vector<std::unique_ptr<Endpoint>>
      endpoints; ///< By rank; null elsewhere.
  std::optional<EventGathering> gathered;
  int32_t sharing = 1;
};

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_WORLD_H
