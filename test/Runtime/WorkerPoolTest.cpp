//===- WorkerPoolTest.cpp -------------------------------------------------===//

#include "../../runtime/core/WorkerPool.h"

#include <gtest/gtest.h>

using namespace tessera::runtime;

/// Counts how often each iteration runs, and ranges that do not begin at a
/// multiple of buffers[1].
static void countIterations(void *const *buffers, int64_t begin, int64_t end) {
  auto *counts = static_cast<std::atomic<int> *>(buffers[0]);
  int64_t grain = *static_cast<int64_t *>(buffers[1]);
  if (begin % grain != 0 || begin >= end)
    ++*static_cast<std::atomic<int> *>(buffers[2]);
  for (int64_t i = begin; i < end; ++i)
    ++counts[i];
}

TEST(WorkerPool, RunsEveryIterationOnce) {
  for (int32_t threads : {1, 2, 5})
    for (bool spin : {false, true}) {
      WorkerPool pool(threads, spin, [] {});
      for (int64_t extent : {1, 2, 7, 64, 1000, 4097})
        for (int64_t grain : {1, 3, 64, 5000}) {
          std::vector<std::atomic<int>> counts(extent);
          std::atomic<int> wrong = 0;
          void *buffers[] = {counts.data(), &grain, &wrong};
          pool.launch(countIterations, buffers, extent, grain);
          EXPECT_EQ(wrong, 0);
          for (std::atomic<int> &count : counts)
            ASSERT_EQ(count, 1)
                << threads << " threads, " << extent << " by " << grain;
        }
    }
}

// Launches follow each other closely, while workers of the one before are still
// leaving: none may work on the wrong one.
TEST(WorkerPool, LaunchesInQuickSuccessionStayApart) {
  WorkerPool pool(4, false, [] {});
  for (int i = 0; i < 20000; ++i) {
    std::atomic<int> counts[8] = {}, wrong = 0;
    int64_t grain = 1;
    void *buffers[] = {counts, &grain, &wrong};
    pool.launch(countIterations, buffers, 8, 1);
    for (std::atomic<int> &count : counts)
      ASSERT_EQ(count, 1);
  }
}
