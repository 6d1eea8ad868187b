//===- World.cpp ----------------------------------------------------------===//

#include "World.h"

#include "../core/FloatMode.h"
#include "Agreement.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include <sys/prctl.h>

using namespace tessera;
using namespace tessera::runtime;
using Clock = std::chrono::steady_clock;

/// Up to this many bytes of traffic the last to arrive does the work alone:
/// waking others takes as long.
static constexpr int64_t soloTraffic = 512 * 1024;
/// More helpers would only wait for memory.
static constexpr int32_t helperLimit = 4;

World::World(const TesseraWorldOptions &givenOptions)
    : options(givenOptions), waits(options.ranks), futures(options.ranks) {
  for (int32_t c = 0; c < options.communicators; ++c) {
    int32_t size = options.group_sizes[c];
    auto &groups = meetings.emplace_back();
    for (int32_t group = 0; group < options.ranks / size; ++group)
      groups.push_back(std::make_unique<Meeting>(size));
  }
  if (options.network)
    network =
        std::make_unique<Network>(*options.network, options.ranks, options);
  options.group_sizes = nullptr; // The caller's.
  options.network = nullptr;
  for (int32_t rank = 0; rank < options.ranks; ++rank)
    mailboxes.push_back(std::make_unique<Mailbox>());
  try {
    for (int32_t rank = 0; rank < options.ranks && !runsOnCaller(); ++rank)
      threads.emplace_back([this, rank] { rankMain(rank); });
    int32_t count = options.ranks > 1 ? options.spare_cores : 0;
    for (int32_t i = 0; i < std::min(count, helperLimit); ++i)
      helpers.emplace_back([this] { helperMain(); });
  } catch (const std::system_error &error) {
    fail("cannot start " + std::to_string(options.ranks) +
         " threads: " + error.code().message());
  }
}

World::~World() {
  {
    std::lock_guard lock(offerMutex);
    closing = true;
  }
  start.signal();
  offered.notify_all();
  for (std::thread &thread : threads)
    thread.join();
  for (std::thread &helper : helpers)
    helper.join();
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
  if (network)
    network->beginStep();
  if (runsOnCaller()) {
    runBody(0);
    checkMailboxes();
    return failed ? TESSERA_FAILED : TESSERA_OK;
  }
  ++runs;
  start.signal();
  while (true) {
    uint32_t seen = end.read();
    if (running == 0)
      break;
    if (!options.interrupted) {
      end.wait(seen);
      continue;
    }
    end.wait(seen, std::chrono::milliseconds(100));
    if (!failed && running != 0 && options.interrupted(options.data))
      fail("interrupted");
  }
  checkMailboxes();
  return failed ? TESSERA_FAILED : TESSERA_OK;
}

void World::rankMain(int32_t rank) {
  // Who sleeps until a message arrives should wake up then.
  if (network)
    prctl(PR_SET_TIMERSLACK, 1000);
  for (uint32_t finishedRuns = 0;; ++finishedRuns) {
    while (true) {
      uint32_t seen = start.read();
      if (closing)
        return;
      if (runs != finishedRuns)
        break;
      start.wait(seen);
    }
    runBody(rank);
    if (--running == 0)
      end.signal();
  }
}

void World::runBody(int32_t rank) {
  int32_t status = body(data, rank);
  if (status != 0)
    fail("rank " + std::to_string(rank) + " returned status " +
         std::to_string(status));
  if (failed)
    drain(rank);
  waits[rank] = Wait();
  if (network)
    judge(network->finish(rank));
  becomeIdle();
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

Round &Meeting::join(int32_t position) {
  uint64_t number = next[position]++;
  while (number - first >= open.size()) {
    if (unused.empty()) {
      rounds.push_back(std::make_unique<Round>(size()));
      unused.push_back(rounds.back().get());
    }
    Round &round = *unused.back();
    unused.pop_back();
    std::fill(round.present.begin(), round.present.end(), false);
    round.arrived = round.sleepers = 0;
    round.begun = round.done = false;
    round.claimed = round.finished = 0;
    round.passage.reset();
    open.push_back(&round);
  }
  return *open[number - first];
}

void Meeting::begin() {
  Round &round = *open.front();
  round.holders = size();
  round.begun = true;
  open.pop_front();
  ++first;
}

void Meeting::leave(Round &round) {
  if (--round.holders > 0)
    return;
  std::lock_guard lock(mutex);
  unused.push_back(&round);
}

int32_t World::collective(const TesseraCollective &call) {
  Meeting &meeting = meetingOf(call);
  if (call.future < 0)
    return meet(meeting, call);
  auto [round, last] = arrive(meeting, call, /*sleeps=*/false);
  int32_t position = call.group->position;
  std::vector<Future> &started = futures[call.group->members[position]];
  if (static_cast<size_t>(call.future) >= started.size())
    started.resize(call.future + 1);
  started[call.future] = {&meeting, round, position};
  if (last && round->begun && !(network && round->passage->isLazy)) {
    if (round->plan.traffic() <= soloTraffic)
      work(meeting, *round);
    else
      offer(meeting, *round);
  }
  return failed ? TESSERA_FAILED : TESSERA_OK;
}

int32_t World::wait(int32_t rank, int32_t number, int64_t *completed) {
  Future future = std::exchange(futures[rank][number], {});
  Round &round = *future.round;
  if (!round.begun) {
    std::lock_guard lock(future.meeting->mutex);
    if (!round.begun)
      sleep(round, round.calls[future.position]);
  }
  return finish(*future.meeting, round, future.position, completed);
}

int32_t World::meet(Meeting &meeting, const TesseraCollective &call) {
  Round *round = arrive(meeting, call, /*sleeps=*/true).first;
  return finish(meeting, *round, call.group->position);
}

std::pair<Round *, bool>
World::arrive(Meeting &meeting, const TesseraCollective &call, bool sleeps) {
  std::lock_guard lock(meeting.mutex);
  int32_t position = call.group->position;
  Round &round = meeting.join(position);
  round.calls[position] = call;
  round.present[position] = true;
  if (network) {
    if (!round.passage)
      round.passage = std::make_unique<Passage>();
    judge(network->issue(*round.passage, call, meeting.joined(position)));
  }
  if (++round.arrived < meeting.size()) {
    if (sleeps)
      sleep(round, call);
    return {&round, false};
  }
  idle -= round.sleepers;
  if (std::optional<std::string> what = findDisagreement(round.calls)) {
    fail(*what);
    return {&round, true};
  }
  round.plan.build(round.calls);
  meeting.begin();
  // Those who sleep in `finish` are woken by whoever works, but what is moved
  // late nobody works at now.
  if (round.plan.traffic() > soloTraffic || (network && round.passage->isLazy))
    meeting.signal.signal();
  return {&round, true};
}

void World::sleep(Round &round, const TesseraCollective &call) {
  ++round.sleepers;
  waits[call.group->members[call.group->position]] = {&round, call, {}};
  becomeIdle();
}

bool World::withdraw(Meeting &meeting, Round &round, int32_t position) {
  std::lock_guard lock(meeting.mutex);
  if (round.begun)
    return false;
  round.present[position] = false;
  --round.arrived;
  return true;
}

static int32_t rankOf(const Round &round, int32_t position) {
  return round.calls[position].group->members[position];
}

int32_t World::finish(Meeting &meeting, Round &round, int32_t position,
                      int64_t *completed) {
  if (network)
    judge(network->await(*round.passage, rankOf(round, position)));
  waitFor(
      meeting.signal, [&] { return round.begun || failed; },
      [&] { reportTimeout(meeting, round, round.calls[position]); });
  if (failed && withdraw(meeting, round, position))
    return TESSERA_FAILED;
  if (network)
    awaitArrival(*round.passage, rankOf(round, position),
                 [&] { return describeCollective(round.calls[position]); });
  work(meeting, round);
  auto isDone = [&] { return round.done.load(); };
  if (!options.spin || !spinUntil(isDone))
    while (true) {
      uint32_t seen = meeting.signal.read();
      if (isDone())
        break;
      meeting.signal.wait(seen);
    }
  if (completed)
    *completed = network ? round.passage->end.load() : round.completed;
  meeting.leave(round);
  return failed ? TESSERA_FAILED : TESSERA_OK;
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

template <typename Describe>
void World::awaitArrival(Passage &passage, int32_t rank, Describe describe) {
  Signal &signal = network->signal(rank);
  waitFor(
      signal, [&] { return passage.end >= 0 || failed; },
      [&] {
        fail(describeTimeout() + ": rank " + std::to_string(rank) + " in " +
             describe() + ", which is behind others on its links");
      });
  if (network->isVirtual())
    return;
  while (!failed) {
    uint32_t seen = signal.read();
    int64_t left = passage.end - monotonicTime();
    if (left <= 0)
      return;
    if (options.timeout >= 0 &&
        static_cast<double>(left) > options.timeout * 1e9)
      fail(describeTimeout() + ": rank " + std::to_string(rank) + " in " +
           describe() + ", which is on its links for longer");
    else
      signal.wait(seen, std::chrono::nanoseconds(left));
  }
}

void World::work(Meeting &meeting, Round &round) {
  int64_t parts = round.plan.parts();
  for (int64_t part; (part = round.claimed++) < parts;) {
    if (movesData())
      round.plan.execute(part);
    if (++round.finished == parts) {
      round.completed = monotonicTime();
      round.done = true;
      meeting.signal.signal();
      return;
    }
  }
}

void World::offer(Meeting &meeting, Round &round) {
  if (helpers.empty())
    return;
  ++round.holders;
  std::lock_guard lock(offerMutex);
  offers.push_back({&meeting, &round});
  offered.notify_all();
}

void World::helperMain() {
  flushDenormals();
  std::unique_lock lock(offerMutex);
  while (true) {
    offered.wait(lock, [&] { return closing || !offers.empty(); });
    if (offers.empty())
      return;
    Offer offer = offers.front();
    ++offer.round->holders;
    lock.unlock();
    work(*offer.meeting, *offer.round);
    lock.lock();
    // Nothing is left to claim: the offer ends.
    if (!offers.empty() && offers.front().round == offer.round) {
      offers.pop_front();
      offer.meeting->leave(*offer.round);
    }
    offer.meeting->leave(*offer.round);
  }
}

void World::drain(int32_t rank) {
  for (Future &future : futures[rank]) {
    Future left = std::exchange(future, {});
    if (left.round && !withdraw(*left.meeting, *left.round, left.position))
      finish(*left.meeting, *left.round, left.position);
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

int32_t World::send(const TesseraMessage &message, const void *data) {
  if (failed)
    return TESSERA_FAILED;
  if (network)
    judge(network->send(message));
  Mailbox &mailbox = *mailboxes[message.target];
  mailbox.put(message, movesData() ? data : nullptr, [&] { --idle; });
  mailbox.signal.signal();
  return TESSERA_OK;
}

/// Takes the message out of the mailbox when it has been sent and, on a
/// described machine, has come; fails if its size is not the expected one.
int32_t World::recv(const TesseraMessage &message, void *data) {
  Mailbox &mailbox = *mailboxes[message.target];
  std::shared_ptr<Passage> passage;
  if (network) {
    passage = network->receive(message);
    judge(network->await(*passage, message.target));
  }
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
  if (passage)
    awaitArrival(*passage, message.target, [&] {
      return std::string("recv '") + message.site->name + "' at " +
             message.site->location;
    });
  if (letter->message.bytes != message.bytes) {
    fail("mismatched messages: rank " + std::to_string(message.target) +
         " expects " + std::to_string(message.bytes) + " bytes in recv '" +
         message.site->name + "' at " + message.site->location + ", rank " +
         std::to_string(message.source) + " sends " +
         std::to_string(letter->message.bytes) + " in send '" +
         letter->message.site->name + "' at " + letter->message.site->location);
    return TESSERA_FAILED;
  }
  if (!letter->bytes.empty())
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
  if (network)
    network->stop();
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

void World::reportTimeout(Meeting &meeting, const Round &round,
                          const TesseraCollective &call) {
  std::lock_guard lock(meeting.mutex);
  if (!round.begun)
    fail(describeWait(describeTimeout(), round, call));
}

void World::becomeIdle() {
  if (++idle != options.ranks || failed)
    return;
  for (const Wait &wait : waits) {
    if (wait.round)
      return fail("deadlock: " + describeWait("waits", *wait.round, wait.call));
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

std::string World::describeWait(const std::string &waits, const Round &round,
                                const TesseraCollective &call) {
  const TesseraGroup &group = *call.group;
  std::string text = "rank " + std::to_string(group.members[group.position]) +
                     " " + waits + " in " + describeCollective(call);
  for (int32_t i = 0; i < group.size; ++i) {
    if (round.present[i])
      continue;
    return text + describeAwaited(group.members[i]);
  }
  return text;
}
