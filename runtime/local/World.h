//===- World.h - Ranks that are threads of one process --------------------===//
//
// Each rank has a thread that lives as long as the world and sleeps between
// runs. Members of a group meet in the group's `Meeting`:
//
//   1. Each member leaves its call there; the last to come checks that the
//   calls agree and plans the transfers.
//   2. If there is little to do, the last one does it all. Else it wakes the
//   others, and all of them claim parts of the
//      work until none is left. As ranks are usually more than cores, a member
//      that wakes late finds the work done.
//   3. Who finishes the last part wakes those that sleep; everybody leaves.
//
// So a member sleeps at most once for a small message, and nobody needs a
// second barrier before leaving: the meeting is only set up again once all
// members have come again, which none does before it has left.
//
// Messages go through the receiver's `Mailbox`, which keeps a copy, so that
// senders never wait.
//
// Nothing hangs. The world counts the ranks that sleep in step 1, sleep until a
// message comes, or have finished; when these are all, no rank is left that
// could wake another, which is a deadlock and fails the job at once. Waiting
// for a rank that computes for too long is a time-out. A failure wakes
// everyone.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_LOCAL_WORLD_H
#define TESSERA_RUNTIME_LOCAL_WORLD_H

#include "../core/Futex.h"
#include "Mailbox.h"
#include "Transfer.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace tessera::runtime {

/// Where the members of one group meet.
struct alignas(64) Meeting {
  explicit Meeting(int32_t size) : calls(size), present(size, false) {}

  std::mutex mutex;
  /// Guarded by `mutex` until all members are present, constant from then until
  /// the last has left.
  std::vector<TesseraCollective> calls;
  std::vector<bool> present;
  int32_t arrived = 0;
  TransferPlan plan;

  /// Meetings whose work has begun, and those whose work is done.
  std::atomic<uint32_t> begun = 0, done = 0;
  /// Parts claimed and parts finished of the present plan.
  std::atomic<int64_t> claimed = 0, finished = 0;
  /// Moves whenever `begun` or `done` does, and when the job fails.
  Signal signal;
};

/// All ranks of a job. Its methods are those of `TesseraBackend`.
class World {
public:
  /// Starts the ranks; if that fails, `error` says why.
  explicit World(const TesseraWorldOptions &options);
  ~World();

  TesseraStatus run(TesseraRankBody body, void *data);
  int32_t collective(const TesseraCollective &call) {
    return meet(meetingOf(call), call);
  }
  int32_t wait(int32_t rank, int32_t future, int64_t *completed);
  int32_t send(const TesseraMessage &message, const void *data);
  int32_t recv(const TesseraMessage &message, void *data);
  void fail(const std::string &message);
  const char *error() const;
  bool hasFailed() const { return failed; }

  /// The place with that number, where ranks meet beside the communicators'
  /// groups; made when first asked for.
  Meeting &openMeeting(uint64_t number, int32_t size);
  /// As `collective`, for the members of the call's group, whose number does
  /// not matter.
  int32_t meet(Meeting &meeting, const TesseraCollective &call);

private:
  /// What a rank waits for: the members of a meeting, or a message. Written
  /// before the rank counts as idle and read when all ranks are.
  struct Wait {
    Meeting *meeting = nullptr;
    TesseraCollective call = {};
    std::optional<TesseraMessage> message = {};
  };

  void rankMain(int32_t rank);
  Meeting &meetingOf(const TesseraCollective &call) {
    return *meetings[call.group->communicator][call.group->index];
  }

  /// Step 1: leaves the call. Whether the caller is the last, and the meeting's
  /// number.
  std::pair<bool, uint32_t> arrive(Meeting &meeting,
                                   const TesseraCollective &call);
  /// Sleeps until `ready`, which `signal` announces; calls `reportTimeout` when
  /// that takes too long, after which it must be ready.
  template <typename Ready, typename Report>
  void waitFor(Signal &signal, Ready ready, Report reportTimeout);
  /// Sleeps until the meeting has begun or the job has failed.
  void waitForOthers(Meeting &meeting, const TesseraCollective &call,
                     uint32_t number);
  /// Takes the call back, so that nobody touches the caller's buffers after it
  /// has left; false when the meeting has begun, and its work must be done
  /// first.
  bool withdraw(Meeting &meeting, const TesseraCollective &call,
                uint32_t number);
  /// Steps 2 and 3.
  void work(Meeting &meeting, uint32_t number);

  void reportTimeout(Meeting &meeting, const TesseraCollective &call,
                     uint32_t number);
  /// `waited 60 s`.
  std::string describeTimeout() const;
  /// Counts a rank as idle; the last one to become it reports the deadlock, if
  /// any rank waits.
  void becomeIdle();
  /// `rank 0 waits in all_reduce 'x' at f.py:1:2 for rank 1, which has
  /// finished`.
  std::string describeWait(const std::string &waits, const Meeting &meeting,
                           const TesseraCollective &call);
  std::string describeWait(const std::string &waits,
                           const TesseraMessage &message);
  /// ` for rank 1, which has finished`.
  std::string describeAwaited(int32_t rank) const;
  /// Fails the job if a message is left that nobody has received.
  void checkMailboxes();

  TesseraWorldOptions options;
  /// By communicator, then by group.
  std::vector<std::vector<std::unique_ptr<Meeting>>> meetings;
  /// By number; guarded by `extraMutex`.
  std::map<uint64_t, std::unique_ptr<Meeting>> extraMeetings;
  std::mutex extraMutex;
  std::vector<std::unique_ptr<Mailbox>> mailboxes; ///< By rank.
  std::vector<Wait> waits;                         ///< By rank.
  std::vector<std::thread> threads;

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
