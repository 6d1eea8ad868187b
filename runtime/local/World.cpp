//===- World.cpp ----------------------------------------------------------===//

#include "World.h"

#include "Agreement.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
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
  for (int32_t rank = 0; rank < options.ranks; ++rank)
    mailboxes.push_back(std::make_unique<Mailbox>());
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
  checkMailboxes();
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
    waits[rank] = Wait();
    becomeIdle();
    if (--running == 0)
      end.signal();
  }
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

Meeting &World::openMeeting(uint64_t number, int32_t size) {
  std::lock_guard lock(extraMutex);
  std::unique_ptr<Meeting> &meeting = extraMeetings[number];
  if (!meeting)
    meeting = std::make_unique<Meeting>(size);
  return *meeting;
}

int32_t World::meet(Meeting &meeting, const TesseraCollective &call) {
  auto [last, number] = arrive(meeting, call);
  if (!last)
    waitForOthers(meeting, call, number);
  if (failed && withdraw(meeting, call, number))
    return TESSERA_FAILED;
  work(meeting, number);
  return failed ? TESSERA_FAILED : TESSERA_OK;
}

int32_t World::wait(int32_t, int32_t, int64_t *completed) {
  if (completed)
    *completed = Clock::now().time_since_epoch().count();
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
    waits[call.group->members[position]] = {&meeting, call, {}};
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
  waitFor(
      meeting.signal, [&] { return meeting.begun != number || failed; },
      [&] { reportTimeout(meeting, call, number); });
}

template <typename Ready, typename Report>
void World::waitFor(Signal &signal, Ready ready, Report reportTimeout) {
  if (options.spin && spinUntil(ready))
    return;
  bool forever = options.timeout < 0;
  auto limit = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::min(options.timeout, 1e9)));
  Clock::time_point deadline = Clock::now() + limit;
  while (true) {
    uint32_t seen = signal.read();
    if (ready())
      return;
    Clock::duration left = deadline - Clock::now();
    if (forever)
      signal.wait(seen);
    else if (left > Clock::duration::zero())
      signal.wait(seen, left);
    else
      reportTimeout();
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
// Messages
//===----------------------------------------------------------------------===//

int32_t World::send(const TesseraMessage &message, const void *data) {
  if (failed)
    return TESSERA_FAILED;
  Mailbox &mailbox = *mailboxes[message.target];
  mailbox.put(message, data, [&] { --idle; });
  mailbox.signal.signal();
  return TESSERA_OK;
}

int32_t World::recv(const TesseraMessage &message, void *data) {
  Mailbox &mailbox = *mailboxes[message.target];
  std::optional<Mailbox::Letter> letter;
  auto arrived = [&] {
    letter = mailbox.take(message, [&] {
      waits[message.target] = {nullptr, {}, message};
      becomeIdle();
    });
    return letter || failed;
  };
  waitFor(mailbox.signal, arrived,
          [&] { fail(describeWait(describeTimeout(), message)); });
  if (failed)
    return TESSERA_FAILED;
  if (letter->message.bytes != message.bytes) {
    fail("mismatched messages: rank " + std::to_string(message.target) +
         " expects " + std::to_string(message.bytes) + " bytes in recv '" +
         message.site->name + "' at " + message.site->location + ", rank " +
         std::to_string(message.source) + " sends " +
         std::to_string(letter->message.bytes) + " in send '" +
         letter->message.site->name + "' at " + letter->message.site->location);
    return TESSERA_FAILED;
  }
  if (message.bytes > 0)
    std::memcpy(data, letter->bytes.data(), message.bytes);
  mailbox.recycle(*std::move(letter));
  return TESSERA_OK;
}

void World::checkMailboxes() {
  for (const std::unique_ptr<Mailbox> &mailbox : mailboxes)
    if (std::optional<TesseraMessage> message = mailbox->leftOver())
      return fail("rank " + std::to_string(message->target) +
                  " has not received what rank " +
                  std::to_string(message->source) + " sent in send '" +
                  message->site->name + "' at " + message->site->location);
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
  {
    std::lock_guard lock(extraMutex);
    for (auto &[number, meeting] : extraMeetings)
      meeting->signal.signal();
  }
  for (std::unique_ptr<Mailbox> &mailbox : mailboxes)
    mailbox->signal.signal();
}

const char *World::error() const {
  std::lock_guard lock(failureMutex);
  return failure.c_str();
}

std::string World::describeTimeout() const {
  char waited[48];
  std::snprintf(waited, sizeof waited, "waited %g s", options.timeout);
  return waited;
}

void World::reportTimeout(Meeting &meeting, const TesseraCollective &call,
                          uint32_t number) {
  std::lock_guard lock(meeting.mutex);
  if (meeting.begun == number)
    fail(describeWait(describeTimeout(), meeting, call));
}

void World::becomeIdle() {
  if (++idle != options.ranks || failed)
    return;
  for (const Wait &wait : waits) {
    if (wait.meeting)
      return fail("deadlock: " +
                  describeWait("waits", *wait.meeting, wait.call));
    if (wait.message)
      return fail("deadlock: " + describeWait("waits", *wait.message));
  }
}

std::string World::describeAwaited(int32_t rank) const {
  char activity[512] = "";
  options.describe(options.data, rank, activity, sizeof activity);
  return " for rank " + std::to_string(rank) + ", which " + activity;
}

std::string World::describeWait(const std::string &waits,
                                const TesseraMessage &message) {
  return "rank " + std::to_string(message.target) + " " + waits + " in recv '" +
         message.site->name + "' at " + message.site->location +
         describeAwaited(message.source);
}

std::string World::describeWait(const std::string &waits,
                                const Meeting &meeting,
                                const TesseraCollective &call) {
  const TesseraGroup &group = *call.group;
  std::string text = "rank " + std::to_string(group.members[group.position]) +
                     " " + waits + " in " + describeCollective(call);
  for (int32_t i = 0; i < group.size; ++i) {
    if (meeting.present[i])
      continue;
    return text + describeAwaited(group.members[i]);
  }
  return text;
}
