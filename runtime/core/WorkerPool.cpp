//===- WorkerPool.cpp -----------------------------------------------------===//

#include "WorkerPool.h"

#include <algorithm>

using namespace tessera::runtime;

/// Chunks for each thread: enough to even out threads of different speed.
static constexpr int64_t chunksPerThread = 4;

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

  int64_t grains = (extent - 1) / grain + 1;
  int64_t wanted = std::min(grains, chunksPerThread * threadCount);
  int64_t chunkSize = ((grains - 1) / wanted + 1) * grain;
  auto chunks = static_cast<uint32_t>((extent - 1) / chunkSize + 1);
  current.kernel = kernel;
  current.buffers = buffers;
  current.extent = extent;
  current.chunkSize = chunkSize;
  current.chunks = chunks;
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

bool WorkerPool::computeChunk() {
  uint64_t word = claims;
  while (true) {
    auto left = static_cast<uint32_t>(word);
    if (left == 0)
      return false;
    TesseraKernel kernel = current.kernel;
    void *const *buffers = current.buffers;
    int64_t extent = current.extent, chunkSize = current.chunkSize;
    uint32_t chunks = current.chunks;
    if (!claims.compare_exchange_weak(word, word - 1))
      continue;
    int64_t first = static_cast<int64_t>(chunks - left) * chunkSize;
    kernel(buffers, first, std::min(extent, first + chunkSize));
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
