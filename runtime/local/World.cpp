//===- World.cpp ----------------------------------------------------------===//

#include "World.h"

#include "Agreement.h"

#include <algorithm>
#include <cstdio>
#include <system_error>

using namespace tessera;
using namespace tessera::runtime;
using Clock = std::chrono::steady_clock;

/// Up to this many bytes of traffic the last to arrive does the work alone:
/// waking others takes as long.
static constexpr int64_t soloTraffic = 512 * 1024;

World::World(const TesseraWorldOptions &givenOptions)
    : options(givenOptions), waits(options.ranks) {
  for (int32_t c = 0; c < options.communicators; ++c) {
    int32_t size = options.group_sizes[c];
    auto &groups = meetings.emplace_back();
    for (int32_t group = 0; group < options.ranks / size; ++group)
      groups.push_back(std::make_unique<Meeting>(size));
  }
  options.group_sizes = nullptr; // The caller's.
  try {
    for (int32_t rank = 0; rank < options.ranks; ++rank)
      threads.emplace_back([this, rank] { rankMain(rank); });
  } catch (const std::system_error &error) {
    fail("cannot start " + std::to_string(options.ranks) +
         " threads: " + error.code().message());
  }
}

World::~World() {
  closing = true;
  start.signal();
  for (std::thread &thread : threads)
    thread.join();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

TesseraStatus World::run(TesseraRankBody newBody, void *newData) {
  if (failed)
    return TESSERA_FAILED;
  body = newBody;
  data = newData;
  idle = 0;
  running = options.ranks;
  std::fill(waits.begin(), waits.end(), Wait());
  ++runs;
  start.signal();
  while (true) {
    uint32_t seen = end.read();
    if (running == 0)
      break;
    end.wait(seen);
  }
  return failed ? TESSERA_FAILED : TESSERA_OK;
}

void World::rankMain(int32_t rank) {
  for (uint32_t finishedRuns = 0;; ++finishedRuns) {
    while (true) {
      uint32_t seen = start.read();
      if (closing)
        return;
      if (runs != finishedRuns)
        break;
      start.wait(seen);
    }
    int32_t status = body(data, rank);
    if (status != 0)
      fail("rank " + std::to_string(rank) + " returned status " +
           std::to_string(status));
    waits[rank].meeting = nullptr;
    becomeIdle();
    if (--running == 0)
      end.signal();
  }
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

int32_t World::collective(const TesseraCollective &call) {
  Meeting &meeting = meetingOf(call);
  auto [last, number] = arrive(meeting, call);
  if (!last)
    waitForOthers(meeting, call, number);
  if (failed && withdraw(meeting, call, number))
    return TESSERA_FAILED;
  work(meeting, number);
  return failed ? TESSERA_FAILED : TESSERA_OK;
}

std::pair<bool, uint32_t> World::arrive(Meeting &meeting,
                                        const TesseraCollective &call) {
  std::lock_guard lock(meeting.mutex);
  uint32_t number = meeting.begun;
  int32_t position = call.group->position, size = call.group->size;
  meeting.calls[position] = call;
  meeting.present[position] = true;
  if (++meeting.arrived < size) {
    waits[call.group->members[position]] = {&meeting, call};
    becomeIdle();
    return {false, number};
  }
  idle -= size - 1;
  if (std::optional<std::string> what = findDisagreement(meeting.calls)) {
    fail(*what);
    return {true, number};
  }
  meeting.arrived = 0;
  std::fill(meeting.present.begin(), meeting.present.end(), false);
  meeting.plan.build(meeting.calls);
  meeting.finished = 0;
  meeting.claimed = 0;
  ++meeting.begun;
  if (meeting.plan.traffic() > soloTraffic)
    meeting.signal.signal();
  return {true, number};
}

bool World::withdraw(Meeting &meeting, const TesseraCollective &call,
                     uint32_t number) {
  std::lock_guard lock(meeting.mutex);
  if (meeting.begun != number)
    return false;
  meeting.present[call.group->position] = false;
  --meeting.arrived;
  return true;
}

void World::waitForOthers(Meeting &meeting, const TesseraCollective &call,
                          uint32_t number) {
  auto ready = [&] { return meeting.begun != number || failed; };
  if (options.spin && spinUntil(ready))
    return;
  bool forever = options.timeout < 0;
  auto limit = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::min(options.timeout, 1e9)));
  Clock::time_point deadline = Clock::now() + limit;
  while (true) {
    uint32_t seen = meeting.signal.read();
    if (ready())
      return;
    Clock::duration left = deadline - Clock::now();
    if (forever)
      meeting.signal.wait(seen);
    else if (left > Clock::duration::zero())
      meeting.signal.wait(seen, left);
    else
      reportTimeout(meeting, call, number);
  }
}

void World::work(Meeting &meeting, uint32_t number) {
  int64_t parts = meeting.plan.parts();
  for (int64_t part; (part = meeting.claimed++) < parts;) {
    meeting.plan.execute(part);
    if (++meeting.finished == parts) {
      ++meeting.done;
      meeting.signal.signal();
      return;
    }
  }
  auto ready = [&] { return meeting.done != number; };
  if (options.spin && spinUntil(ready))
    return;
  while (true) {
    uint32_t seen = meeting.signal.read();
    if (ready())
      return;
    meeting.signal.wait(seen);
  }
}

//===----------------------------------------------------------------------===//
// Failure
//===----------------------------------------------------------------------===//

void World::fail(const std::string &message) {
  {
    std::lock_guard lock(failureMutex);
    if (failed)
      return;
    failure = message;
    failed = true;
  }
  for (auto &groups : meetings)
    for (std::unique_ptr<Meeting> &meeting : groups)
      meeting->signal.signal();
}

const char *World::error() const {
  std::lock_guard lock(failureMutex);
  return failure.c_str();
}

void World::reportTimeout(Meeting &meeting, const TesseraCollective &call,
                          uint32_t number) {
  char waited[48];
  std::snprintf(waited, sizeof waited, "waited %g s", options.timeout);
  std::lock_guard lock(meeting.mutex);
  if (meeting.begun == number)
    fail(describeWait(waited, call));
}

void World::becomeIdle() {
  if (++idle != options.ranks || failed)
    return;
  for (const Wait &wait : waits)
    if (wait.meeting)
      return fail("deadlock: " + describeWait("waits", wait.call));
}

std::string World::describeWait(const std::string &waits,
                                const TesseraCollective &call) {
  const TesseraGroup &group = *call.group;
  const Meeting &meeting = meetingOf(call);
  std::string text = "rank " + std::to_string(group.members[group.position]) +
                     " " + waits + " in " + describeCollective(call);
  for (int32_t i = 0; i < group.size; ++i) {
    if (meeting.present[i])
      continue;
    char activity[512] = "";
    options.describe(options.data, group.members[i], activity, sizeof activity);
    return text + " for rank " + std::to_string(group.members[i]) + ", which " +
           activity;
  }
  return text;
}
