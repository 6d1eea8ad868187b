//===- CommunicationWaits.cpp - What a rank waits for ---------------------===//
//
// The part of CommunicationThread.h that sees to it that nothing hangs.
//
//===----------------------------------------------------------------------===//

#include "../local/Agreement.h"
#include "CommunicationThread.h"

#include <algorithm>
#include <cstdio>

using namespace tessera;
using namespace tessera::processes;

/// A rank that has waited for so long without anything moving says so.
static constexpr std::chrono::milliseconds quietTime(10);

/// How long to sleep if nothing comes.
static constexpr std::chrono::milliseconds longSleep(100);

/// How long a rank that is waited for may take to say what it does.
static constexpr std::chrono::seconds answerTime(2);

static const char *const noAnswer = "does not answer";

/// How long a rank that has lost another one waits before it says so: one that
/// has ended because of a failure has told of it.
static constexpr std::chrono::milliseconds lostTime(100);

/// What the rank's thread waits for, unless it is there already and the thread
/// has not seen it yet.
std::optional<CommunicationThread::Waiting> CommunicationThread::currentWait() {
  std::lock_guard lock(mutex);
  if (hasOrders || !waiting.isAny() ||
      (waiting.operation && waiting.operation->isDone) ||
      (waiting.isFinished && ended >= run))
    return std::nullopt;
  if (waiting.message)
    if (auto found =
            messages.find({waiting.message->source, waiting.message->tag});
        found != messages.end() && !found->second.empty())
      return std::nullopt;
  return waiting;
}

/// Nothing has moved: tells others, if need be, and sleeps.
void CommunicationThread::watch() {
  auto now = Clock::now();
  std::chrono::nanoseconds limit = longSleep;
  int64_t current = version;
  std::optional<Waiting> what = currentWait();
  if (what && reported != current) {
    auto quiet = now - lastMoved;
    if (what->isFinished || quiet >= quietTime) {
      reported = current;
      report(*what);
      return;
    }
    limit = quietTime - quiet;
  }
  if (what && what->isTooLong)
    ask(*what);
  if (int32_t lost = transport->lostPeer();
      lost >= 0 && what && !what->isFinished) {
    lostSince = lostSince.value_or(now);
    limit = std::min<std::chrono::nanoseconds>(limit, lostTime);
    if (now - *lostSince >= lostTime)
      fail("the process of rank " + std::to_string(lost) + " has ended; rank " +
           std::to_string(rank) + " waits " + describeWait(*what) +
           " for rank " + std::to_string(awaitedOf(*what)));
  }
  transport->sleep(limit);
}

//===----------------------------------------------------------------------===//
// Deadlocks and the end of a run
//===----------------------------------------------------------------------===//

void CommunicationThread::report(const Waiting &what) {
  RankState state;
  state.run = run;
  state.isFinished = what.isFinished;
  state.sent = sent;
  state.received = got;
  state.activity = activity();
  if (what.isFinished) {
    state.leftOver = describeLeftOver();
  } else {
    state.waits = describeWait(what);
    state.awaited = awaitedOf(what);
  }
  if (rank == 0)
    return takeReport(0, std::move(state));
  Parcel parcel;
  parcel.header.kind = ParcelKind::State;
  parcel.owned = state.encode();
  post(std::move(parcel));
}

void CommunicationThread::takeReport(int32_t peer, RankState state) {
  auto verdict = quiescence->report(peer, std::move(state));
  if (!verdict)
    return;
  if (!verdict->failure.empty())
    return fail(verdict->failure);
  for (int32_t other = 1; other < options.ranks; ++other) {
    Parcel parcel = {.peer = other};
    parcel.header.kind = ParcelKind::Over;
    parcel.header.number = verdict->run;
    post(std::move(parcel));
  }
  ended = verdict->run;
  signal.signal();
}

std::string CommunicationThread::describeLeftOver() {
  std::lock_guard lock(mutex);
  for (const auto &[channel, letters] : messages)
    if (!letters.empty())
      return "rank " + std::to_string(rank) + " has not received what rank " +
             std::to_string(channel.first) + " sent in send " +
             readSite(
                 descriptions[{channel.first, letters.front().header.record}]);
  if (early.empty())
    return "";
  auto [peer, communicator, number, phase] = early.begin()->first;
  return "mismatched collectives: rank " + std::to_string(peer) +
         " has called one more on communicator " +
         std::to_string(communicator) + " than rank " + std::to_string(rank);
}

//===----------------------------------------------------------------------===//
// Waiting for too long
//===----------------------------------------------------------------------===//

void CommunicationThread::ask(const Waiting &what) {
  using Seconds = std::chrono::duration<double>;
  if (asked) {
    // Who would only be late may take his time.
    Seconds limit = answerTime;
    if (what.isFinished)
      limit = std::max(limit, Seconds(options.timeout));
    if (Clock::now() - *asked > limit)
      takeAnswer(noAnswer);
    return;
  }
  if (what.isFinished) {
    if (answered && Clock::now() - *answered < Seconds(options.timeout))
      return;
    unfinished = quiescence->missingAfter(unfinished, run);
  }
  int32_t awaited = awaitedOf(what);
  asked = Clock::now();
  if (awaited == rank)
    return takeAnswer(activity());
  Parcel parcel = {.peer = awaited};
  parcel.header.kind = ParcelKind::Question;
  post(std::move(parcel));
}

void CommunicationThread::takeAnswer(const std::string &said) {
  std::optional<Waiting> what = currentWait();
  asked.reset();
  if (!what || !what->isTooLong)
    return;
  if (what->isFinished && said != noAnswer) {
    answered = Clock::now();
    return;
  }
  char waited[48];
  std::snprintf(waited, sizeof waited, " waited %g s ", options.timeout);
  fail("rank " + std::to_string(rank) + waited + describeWait(*what) +
       " for rank " + std::to_string(awaitedOf(*what)) + ", which " + said);
}

std::string CommunicationThread::activity() const {
  char text[512] = "";
  options.describe(options.data, rank, text, sizeof text);
  return text;
}

std::string CommunicationThread::describeWait(const Waiting &what) const {
  if (what.operation)
    return "in " + runtime::describeCollective(what.operation->call);
  if (what.message)
    return std::string("in recv '") + what.message->site->name + "' at " +
           what.message->site->location;
  return "for the end of the step";
}

/// The first rank, in the order of the group, from which something has to come.
int32_t CommunicationThread::awaitedOf(const Waiting &what) const {
  if (what.message)
    return what.message->source;
  if (!what.operation)
    return rank == 0 ? unfinished : 0;
  const Operation &operation = *what.operation;
  for (const std::vector<char> &ofPhase : operation.isAwaited)
    for (size_t i = 0; i < ofPhase.size(); ++i)
      if (ofPhase[i])
        return operation.rank(static_cast<int32_t>(i));
  // All has come, and somebody does not take what is sent.
  return operation.rank(operation.call.group->position == 0 ? 1 : 0);
}
