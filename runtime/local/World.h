//===- World.h - Ranks that are threads of one process --------------------===//
//
// Each rank has a thread that lives as long as the world and sleeps between
// runs. Members of a group meet in the group's `Meeting`, once for each
// collective: the n-th call of every member belongs to round n.
//
//   1. Each member leaves its call in the round; the last to come checks that
//   the calls agree and plans the transfers. Who only starts a collective goes
//   on, and comes back to the round when it waits.
//   2. If there is little to do, the last one does it all. Else it wakes those
//   that wait, and all who are there claim parts of the work until none is
//   left: members when they wait, and helpers, threads for the cores that no
//   rank uses. As ranks are usually more than cores, a member that wakes late
//   finds the work done.
//   3. Who finishes the last part wakes those that sleep; everybody leaves. Who
//   leaves last gives the round back.
//
// So a member sleeps at most once for a small message, and nobody needs a
// second barrier before leaving.
//
// Messages go through the receiver's `Mailbox`, which keeps a copy, so that
// senders never wait.
//
// Nothing hangs. The world counts the ranks that wait for a round that has not
// begun, sleep until a message comes, or have finished; when these are all, no
// rank is left that could wake another, which is a deadlock and fails the job
// at once. Waiting for a rank that computes for too long is a time-out. A
// failure wakes everyone.
//
// On a described machine (Network.h), members and receivers then wait until the
// data would have come.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_LOCAL_WORLD_H
#define TESSERA_RUNTIME_LOCAL_WORLD_H

#include "../core/Futex.h"
#include "Mailbox.h"
#include "Network.h"
#include "Transfer.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace tessera::runtime {

/// One collective of a group.
struct Round {
  explicit Round(int32_t size) : calls(size), present(size, false) {}

  /// By member; guarded by the meeting's mutex until all are present, constant
  /// from then on.
  std::vector<TesseraCollective> calls;
  std::vector<bool> present;
  int32_t arrived = 0;
  /// Members that count as idle until the round begins.
  int32_t sleepers = 0;
  TransferPlan plan;

  /// Whether the work has begun, and whether it is done.
  std::atomic<bool> begun = false, done = false;
  /// Parts claimed and parts finished.
  std::atomic<int64_t> claimed = 0, finished = 0;
  /// When it was done, in nanoseconds.
  int64_t completed = 0;
  /// Members and helpers that may still look at it.
  std::atomic<int32_t> holders = 0;
  /// On a described machine.
  std::unique_ptr<Passage> passage;
};

/// Where the members of one group meet.
struct alignas(64) Meeting {
  explicit Meeting(int32_t size) : next(size, 0) {}

  int32_t size() const { return static_cast<int32_t>(next.size()); }
  /// The round of a member's next call. With the mutex.
  Round &join(int32_t position);
  /// The number of the round that the member has joined last.
  uint64_t joined(int32_t position) const { return next[position] - 1; }
  /// The first open round has all its calls. With the mutex.
  void begin();
  /// The caller has done with the round.
  void leave(Round &round);

  std::mutex mutex;
  /// By member: the number of its next round.
  std::vector<uint64_t> next;
  /// Rounds that some member has not joined yet, from number `first` on. They
  /// begin in order, as members join them in order.
  std::deque<Round *> open;
  uint64_t first = 0;
  std::vector<std::unique_ptr<Round>> rounds;
  std::vector<Round *> unused;

  /// Moves whenever a round begins or is done, and when the job fails.
  Signal signal;
};

/// All ranks of a job. Its methods are those of `TesseraBackend`.
class World {
public:
  /// Starts the ranks; if that fails, `error` says why.
  explicit World(const TesseraWorldOptions &options);
  ~World();

  TesseraStatus run(TesseraRankBody body, void *data);
  int32_t collective(const TesseraCollective &call);
  int32_t wait(int32_t rank, int32_t future, int64_t *completed);
  int32_t send(const TesseraMessage &message, const void *data);
  int32_t recv(const TesseraMessage &message, void *data);
  void fail(const std::string &message);
  const char *error() const;
  bool hasFailed() const { return failed; }

  /// The time of `rank`, on a described machine or here.
  int64_t clock(int32_t rank) const {
    return network ? network->now(rank) : monotonicTime();
  }
  /// See `Network::compute`.
  void compute(int32_t rank, int64_t nanoseconds) {
    if (network)
      network->compute(rank, nanoseconds);
  }

  /// The place with that number, where ranks meet beside the communicators'
  /// groups; made when first asked for.
  Meeting &openMeeting(uint64_t number, int32_t size);
  /// As `collective` without a future, for the members of the call's group,
  /// whose number does not matter.
  int32_t meet(Meeting &meeting, const TesseraCollective &call);

private:
  /// What a rank waits for: the members of a round, or a message. Written
  /// before the rank counts as idle and read when all ranks are.
  struct Wait {
    const Round *round = nullptr;
    TesseraCollective call = {};
    std::optional<TesseraMessage> message = {};
  };
  /// A collective that a rank has started.
  struct Future {
    Meeting *meeting = nullptr;
    Round *round = nullptr;
    int32_t position = 0;
  };
  /// Work for helpers.
  struct Offer {
    Meeting *meeting;
    Round *round;
  };

  void rankMain(int32_t rank);
  /// One run of a rank, on its thread or the caller's.
  void runBody(int32_t rank);
  bool runsOnCaller() const {
    return options.ranks == 1 && options.may_run_on_caller && !network;
  }
  Meeting &meetingOf(const TesseraCollective &call) {
    return *meetings[call.group->communicator][call.group->index];
  }

  /// Step 1: leaves the call. Gives the round, and whether the caller is the
  /// last; if not and it `sleeps`, it counts as idle from here on.
  std::pair<Round *, bool> arrive(Meeting &meeting,
                                  const TesseraCollective &call, bool sleeps);
  /// The member is going to sleep until the round begins. With the mutex.
  void sleep(Round &round, const TesseraCollective &call);
  /// Sleeps until `ready`, which `signal` announces; calls `reportTimeout` when
  /// that takes too long, after which it must be ready.
  template <typename Ready, typename Report>
  void waitFor(Signal &signal, Ready ready, Report reportTimeout);
  /// Steps 2 and 3, once the member at `position` counts as idle or all have
  /// arrived. `completed` unless null becomes the time of completion.
  int32_t finish(Meeting &meeting, Round &round, int32_t position,
                 int64_t *completed = nullptr);
  /// On a described machine: sleeps until the passage has ended, or the job has
  /// failed. `describe` says what the rank waits in.
  template <typename Describe>
  void awaitArrival(Passage &passage, int32_t rank, Describe describe);
  /// Whether what ranks exchange is copied.
  bool movesData() const { return !network || !network->isVirtual(); }
  /// Fails the job if there is a problem.
  void judge(const Network::Problem &problem) {
    if (problem)
      fail(*problem);
  }
  /// Takes the call back, so that nobody touches the caller's buffers after it
  /// has left; false when the round has begun, and its work must be done
  /// first.
  bool withdraw(Meeting &meeting, Round &round, int32_t position);
  /// Step 2: does parts of the work until all are claimed.
  void work(Meeting &meeting, Round &round);
  /// Lets helpers do parts of the work.
  void offer(Meeting &meeting, Round &round);
  void helperMain();
  /// After a failure: finishes what a rank has started and not waited for.
  void drain(int32_t rank);

  void reportTimeout(Meeting &meeting, const Round &round,
                     const TesseraCollective &call);
  /// `waited 60 s`.
  std::string describeTimeout() const;
  /// Counts a rank as idle; the last one to become it reports the deadlock, if
  /// any rank waits.
  void becomeIdle();
  /// `rank 0 waits in all_reduce 'x' at f.py:1:2 for rank 1, which has
  /// finished`.
  std::string describeWait(const std::string &waits, const Round &round,
                           const TesseraCollective &call);
  std::string describeWait(const std::string &waits,
                           const TesseraMessage &message);
  /// ` for rank 1, which has finished`.
  std::string describeAwaited(int32_t rank) const;
  /// Fails the job if a message is left that nobody has received.
  void checkMailboxes();

  TesseraWorldOptions options;
  /// Null where messages take the time that they take here.
  std::unique_ptr<Network> network;
  /// By communicator, then by group.
  std::vector<std::vector<std::unique_ptr<Meeting>>> meetings;
  /// By number; guarded by `extraMutex`.
  std::map<uint64_t, std::unique_ptr<Meeting>> extraMeetings;
  std::mutex extraMutex;
  std::vector<std::unique_ptr<Mailbox>> mailboxes; ///< By rank.
  std::vector<Wait> waits;                         ///< By rank.
  /// By rank and number; only the rank's thread uses its own.
  std::vector<std::vector<Future>> futures;
  std::vector<std::thread> threads;

  /// Rounds that helpers may work on; guarded by `offerMutex`.
  std::deque<Offer> offers;
  std::mutex offerMutex;
  std::condition_variable offered;
  std::vector<std::thread> helpers;

  /// Ranks that sleep until somebody else arrives, or have finished this run.
  std::atomic<int32_t> idle = 0;
  std::atomic<bool> failed = false;
  mutable std::mutex failureMutex;
  std::string failure;

  /// The run in progress: `runs` moves when one begins.
  std::atomic<uint32_t> runs = 0;
  std::atomic<int32_t> running = 0;
  std::atomic<bool> closing = false;
  TesseraRankBody body = nullptr;
  void *data = nullptr;
  Signal start, end;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_LOCAL_WORLD_H
