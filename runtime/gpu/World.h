//===- World.h - The ranks of a job on GPUs -------------------------------===//

#ifndef TESSERA_RUNTIME_GPU_WORLD_H
#define TESSERA_RUNTIME_GPU_WORLD_H

#include "../processes/EventGathering.h"
#include "Rank.h"

namespace tessera::gpu {

/// All ranks of a job, whichever way they are hosted and whatever the tables
/// lead to. Its functions are those of TesseraBackend and TesseraDevices.
class World {
public:
  /// Opens a device for each rank of this process.
  static Fallible<std::unique_ptr<World>>
  open(const TesseraWorldOptions &options, const Libraries &libraries,
       std::unique_ptr<RankHost> host);
  ~World();

  Fallible<void> load(std::span<const TesseraGpuImage> images);
  TesseraStatus run(TesseraRankBody body, void *data);

  /// See TesseraDevices.
  int32_t gather(int32_t rank, const void *source, void *host, int64_t bytes);
  int32_t agree(int32_t &value);
  int32_t greatest(int32_t &value);
  std::span<const TesseraEvent> events(int32_t rank) const;

  RankHost &host() { return *carrier; }
  Rank &rank(int32_t number) { return *ranks[number]; }

  /// The table of a back end that makes its worlds by `make`.
  template <Fallible<std::unique_ptr<World>> (*make)(TesseraWorldOptions)>
  static TesseraBackend makeBackend(const char *name) {
    return makeBackend(
        name, [](const TesseraWorldOptions *options, char *error, size_t size) {
          return handOver(make(*options), error, size);
        });
  }

private:
  World() = default;
  static TesseraBackend makeBackend(
      const char *name,
      TesseraWorld *(*open)(const TesseraWorldOptions *, char *, size_t));
  /// The world, for good; or null, and why there is none in `error`.
  static TesseraWorld *handOver(Fallible<std::unique_ptr<World>> made,
                                char *error, size_t size);
  /// Why the job cannot begin, which the other processes are told too.
  Failure fail(int32_t rank, const std::string &why);
  /// After the first step: whether no rank has read from its device.
  int32_t agreeOnGraph(int32_t rank);

  std::unique_ptr<RankHost> carrier;
  /// Of other processes' ranks, if events are recorded.
  std::optional<processes::EventGathering> gathered;
  std::vector<std::unique_ptr<Rank>> ranks; ///< By number; null elsewhere.
  std::vector<int32_t> channels;            ///< Pairs of source and target.
  bool mayRecord = false;
  std::vector<char> canRecord; ///< By rank of this process.
  int64_t steps = 0;
};

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_WORLD_H
