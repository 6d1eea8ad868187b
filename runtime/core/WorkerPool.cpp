//===- WorkerPool.cpp -----------------------------------------------------===//

#include "WorkerPool.h"

#include <algorithm>
#include <iterator>

using namespace tessera::runtime;

/// The chunks of one thread, in eighths of its share.
static constexpr int64_t chunkSizes[] = {4, 2, 1, 1};

WorkerPool::~WorkerPool() {
  closing = true;
  begin.signal();
  for (std::thread &worker : workers)
    worker.join();
}

void WorkerPool::launchParallel(TesseraKernel kernel, void *const *buffers,
                                int64_t extent, int64_t grain) {
  for (auto i = static_cast<int32_t>(workers.size()); i + 1 < threadCount; ++i)
    workers.emplace_back([this] { workerMain(); });

  auto chunks = static_cast<uint32_t>(std::size(chunkSizes) * threadCount);
  current.kernel = kernel;
  current.buffers = buffers;
  current.extent = extent;
  current.grain = grain;
  unfinished = chunks;
  uint64_t number = (claims >> 32) + 1;
  claims = number << 32 | chunks;
  begin.signal();

  while (computeChunk())
    ;
  auto done = [&] { return unfinished == 0; };
  if (spin && spinUntil(done))
    return;
  while (true) {
    uint32_t seen = end.read();
    if (done())
      return;
    end.wait(seen);
  }
}

int64_t WorkerPool::chunkBegin(int64_t chunk, int64_t extent,
                               int64_t grain) const {
  // Each thread has one chunk of the first size, then one of the second, ...
  int64_t eighths = 0;
  for (int64_t size : chunkSizes) {
    int64_t ofThisSize = std::clamp<int64_t>(chunk, 0, threadCount);
    eighths += ofThisSize * size;
    chunk -= threadCount;
  }
  int64_t grains = (extent - 1) / grain + 1;
  int64_t first = grains / (8 * threadCount) * eighths +
                  grains % (8 * threadCount) * eighths / (8 * threadCount);
  return std::min(extent, first * grain);
}

bool WorkerPool::computeChunk() {
  uint64_t word = claims;
  while (true) {
    auto left = static_cast<uint32_t>(word);
    if (left == 0)
      return false;
    TesseraKernel kernel = current.kernel;
    void *const *buffers = current.buffers;
    int64_t extent = current.extent, grain = current.grain;
    if (!claims.compare_exchange_weak(word, word - 1))
      continue;
    auto chunks = static_cast<int64_t>(std::size(chunkSizes) * threadCount);
    int64_t first = chunkBegin(chunks - left, extent, grain);
    int64_t last = chunkBegin(chunks - left + 1, extent, grain);
    if (first < last)
      kernel(buffers, first, last);
    if (--unfinished == 0)
      end.signal();
    return true;
  }
}

void WorkerPool::workerMain() {
  onStart();
  while (true) {
    auto called = [&] {
      return static_cast<uint32_t>(claims.load()) != 0 || closing;
    };
    if (!spin || !spinUntil(called)) {
      uint32_t seen = begin.read();
      if (!called()) {
        begin.wait(seen);
        continue;
      }
    }
    if (closing)
      return;
    while (computeChunk())
      ;
  }
}
