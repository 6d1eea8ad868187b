//===- RankWaits.cpp - Waiting for the device -----------------------------===//
//
// The host polls, as a collective whose peer is gone never ends: each time, it
// looks for failures elsewhere, now and then for errors that NCCL has noticed,
// and whether communication still gets on. Each communication leaves a mark in
// device memory before and after, in the order of the stream, so that a
// time-out can be blamed on the one that hangs, in a replayed graph too. A
// kernel may run as long as it likes.
//
//===----------------------------------------------------------------------===//

#include "Rank.h"

#include <cstdio>
#include <thread>
#include <utility>

using namespace tessera;
using namespace tessera::gpu;
using Clock = std::chrono::steady_clock;
using std::chrono::duration;
using std::chrono::microseconds;

/// How long the host spins before it sleeps, and between looks at NCCL.
static constexpr microseconds spinTime(50), errorInterval(10'000);

int32_t Rank::waitForDevice() {
  if (int32_t status =
          check(driver.eventRecord(doneEvent, compute), "record an event"))
    return status;
  Clock::time_point begin = Clock::now(), looked = begin;
  watchFromNow();
  while (true) {
    CudaResult result = driver.eventQuery(doneEvent);
    if (result == cudaOk)
      return host.hasFailed() ? TESSERA_FAILED : 0;
    if (host.hasFailed() || result != cudaNotReady) {
      // An error of the device may be the consequence of one elsewhere.
      if (!host.hasFailed())
        check(result, "the device failed");
      abandon();
      return TESSERA_FAILED;
    }
    Clock::time_point now = Clock::now();
    if (now - begin < spinTime)
      continue;
    std::this_thread::sleep_for(
        std::min<Clock::duration>((now - begin) / 64, microseconds(500)));
    if (now - looked < errorInterval)
      continue;
    looked = now;
    if (notes && notes->compare(/*all=*/false))
      continue;
    std::optional<std::string> error = communicators.asynchronousError();
    if (error)
      fail(*error);
    for (Lane *lane : lanes())
      if (!host.hasFailed())
        checkProgress(*lane);
  }
}

void Rank::abandon() {
  // A graph that runs is destroyed when it ends, which is what NCCL waits for.
  if (CudaGraphExec running = std::exchange(graph, nullptr))
    driver.graphExecDestroy(running);
  communicators.abort();
}

void Rank::watchFromNow() {
  for (Lane *lane : lanes()) {
    lane->seen = UINT32_MAX;
    lane->since = Clock::now();
  }
}

uint32_t Rank::readProgress(const Lane &lane) {
  *progressCopy = 0;
  CudaResult result = driver.copyToHost(progressCopy, lane.progress,
                                        sizeof *progressCopy, watching);
  if (result || driver.eventRecord(watchEvent, watching))
    return 0;
  // The copy waits for nothing but a free copy engine.
  Clock::time_point end = Clock::now() + std::chrono::seconds(1);
  while (driver.eventQuery(watchEvent) == cudaNotReady && Clock::now() < end)
    std::this_thread::sleep_for(microseconds(100));
  return *progressCopy;
}

void Rank::checkProgress(Lane &lane) {
  if (timeout < 0 || lane.operations.empty())
    return;
  // The device is asked only when something may be wrong.
  if (duration<double>(Clock::now() - lane.since).count() < timeout)
    return;
  uint32_t mark = readProgress(lane);
  if (mark != lane.seen || mark % 2 == 0) {
    lane.seen = mark;
    lane.since = Clock::now();
    return;
  }
  const Operation &operation = lane.operations[mark / 2];
  char text[64];
  std::snprintf(text, sizeof text, " waited %g s in ", timeout);
  host.fail("rank " + std::to_string(rank) + text + operation.kind + " '" +
            operation.site->name + "' at " + operation.site->location +
            " for other ranks");
}
