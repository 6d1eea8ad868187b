//===- WorkerPool.h - The threads that compute for one rank ---------------===//

#ifndef TESSERA_RUNTIME_CORE_WORKERPOOL_H
#define TESSERA_RUNTIME_CORE_WORKERPOOL_H

#include "Futex.h"
#include "tessera/runtime.h"

#include <functional>
#include <thread>
#include <vector>

namespace tessera::runtime {

/// The rank's own thread and `threads - 1` workers. A launch is cut into four
/// chunks per thread, which threads claim one after another; the rank's thread
/// waits for chunks that are being computed but never for workers that are
/// still asleep. The first chunks are half of a thread's share and the last
/// ones an eighth (factoring: Hummel, Schonberg, Flynn 1992), because kernels
/// like long ranges, which let them keep operands in cache, while at the end
/// short ones even out threads that were late or lost their core for a while.
///
/// Claims are made on one word that holds the number of the launch and how many
/// of its chunks are left. A worker reads the word, then the launch's
/// description, then takes one off the word by compare-and-swap: if that
/// succeeds, the launch was still the same, and so was its description.
class WorkerPool {
public:
  /// Workers start with the first launch that needs them and call `onStart`
  /// first. With `spin`, idle threads spin for some microseconds before they
  /// sleep; without a core for each thread that would only hold up the others.
  WorkerPool(int32_t threads, bool spin, std::function<void()> onStart)
      : threadCount(threads), spin(spin), onStart(std::move(onStart)) {}
  ~WorkerPool();

  /// Computes [0, extent) in ranges that begin at multiples of `grain`, on this
  /// thread and the workers. Not reentrant.
  void launch(TesseraKernel kernel, void *const *buffers, int64_t extent,
              int64_t grain) {
    if (threadCount == 1 || extent <= grain)
      return kernel(buffers, 0, extent);
    launchParallel(kernel, buffers, extent, grain);
  }

private:
  /// What a launch computes; fields are atomic because late workers may read
  /// them while the next launch sets them.
  struct Launch {
    std::atomic<TesseraKernel> kernel = nullptr;
    std::atomic<void *const *> buffers = nullptr;
    std::atomic<int64_t> extent = 0, grain = 1;
  };

  void launchParallel(TesseraKernel kernel, void *const *buffers,
                      int64_t extent, int64_t grain);
  void workerMain();
  /// Where chunk `chunk` of a launch begins, in iterations; a multiple of the
  /// grain, or the extent behind the last chunk.
  int64_t chunkBegin(int64_t chunk, int64_t extent, int64_t grain) const;
  /// Claims and computes one chunk; false when none is left.
  bool computeChunk();

  int32_t threadCount;
  bool spin;
  std::function<void()> onStart;
  std::vector<std::thread> workers;

  Launch current;
  /// The launch's number in the upper half, its unclaimed chunks in the lower.
  alignas(64) std::atomic<uint64_t> claims = 0;
  /// Chunks of the launch that are not computed yet.
  alignas(64) std::atomic<uint32_t> unfinished = 0;
  std::atomic<bool> closing = false;
  Signal begin, end;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_WORKERPOOL_H
