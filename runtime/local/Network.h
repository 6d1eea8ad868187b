//===- Network.h - When messages arrive on a described machine ------------===//
//
// Ranks that are threads of one process exchange data at once. With a described
// machine (docs/cluster.md) they also wait until the data would have come:
//
//   1. A rank *issues* its part of a collective, or a message; the moment when
//      the last part is issued is when the passage is ready.
//   2. Collectives of a rank go one behind the other, as on the communication
//      stream of a GPU: one begins when it is the next of all its members, and
//      when the links that each of them sends over are free. Messages only wait
//      for the link. A link is taken for as long as bytes go over it.
//   3. The passage ends after latency and bytes over bandwidth, by the table of
//      collectives. Who awaits it goes on then.
//
// With random delays (a fuzzer for races and deadlocks), it ends later by 0 to
// 10 times the time that it takes; what it moves is moved at once, or only when
// it is awaited.
//
// Time is that of the monotonic clock, and a rank sleeps until the end; or it
// is virtual: each rank has a clock of its own, which its kernels and what it
// awaits move, and nobody sleeps. Passages that may begin are then taken in the
// order of their times and only once no rank that still runs can be earlier
// (conservative discrete-event simulation: Chandy and Misra, 1979), so that the
// times do not depend on when which thread runs.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_LOCAL_NETWORK_H
#define TESSERA_RUNTIME_LOCAL_NETWORK_H

#include "../core/Futex.h"
#include "tessera/backend.h"

#include <array>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tessera::runtime {

/// Nanoseconds of the clock that `tessera_clock` reads.
inline int64_t monotonicTime() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

/// A collective or a message on its way. But for `end`, the network's.
struct Passage {
  /// How many passages a sender has issued up to this one, the most of all of
  /// them; and which it is: a collective's communicator, group and number, or a
  /// message's ends, tag and number. They decide between passages of one time.
  int64_t order = 0;
  std::array<int64_t, 4> key = {};
  /// What it is called, for messages.
  const char *kind = "";
  const TesseraSite *site = nullptr;
  int32_t parts = 1;             ///< How many ranks issue it.
  std::vector<int32_t> senders;  ///< Those that have.
  std::vector<int32_t> awaiting; ///< Those that do nothing until it has ended.
  int64_t ready = 0;             ///< When the last part so far was issued.
  /// Whether what is exchanged is to be moved when it is awaited, not before.
  bool isLazy = false;
  /// Nanoseconds that it is under way apart from those that its bytes take the
  /// links, which are of this class.
  int64_t latency = 0, transfer = 0;
  int32_t linkClass = 0;
  /// When it has ended, in nanoseconds; -1 until that is known.
  std::atomic<int64_t> end = -1;

  bool isMessage() const { return key[0] == 1; }
  /// All parts are issued.
  bool isComplete() const {
    return parts == static_cast<int32_t>(senders.size());
  }
};

/// The network of a described machine. Each rank's thread calls for its own
/// rank.
class Network {
public:
  /// Between `ranks` ranks; the options are copied. `channels` are those of the
  /// world's options.
  Network(const TesseraNetwork &options, int32_t ranks,
          const TesseraWorldOptions &world);

  /// Whether time is virtual, and neither kernels nor transfers are executed.
  bool isVirtual() const { return hasVirtualTime; }
  /// The time of a rank; between steps the same for all.
  int64_t now(int32_t rank) const;
  /// The rank computes for so many nanoseconds, if time is virtual.
  void compute(int32_t rank, int64_t nanoseconds);

  /// Why the job fails, such as a deadlock.
  using Problem = std::optional<std::string>;

  /// All ranks run from now on; and a rank has finished. After the last one,
  /// all clocks are as late as that of the latest.
  void beginStep();
  Problem finish(int32_t rank);

  /// The member at the call's position issues its part of a collective, number
  /// `number` of its group.
  Problem issue(Passage &passage, const TesseraCollective &call,
                uint64_t number);
  /// The sender's end.
  Problem send(const TesseraMessage &message);
  /// The receiver's end: what it has to await.
  std::shared_ptr<Passage> receive(const TesseraMessage &message);

  /// The rank does nothing until the passage has ended, as `signal` of the rank
  /// announces when `end` is known.
  Problem await(Passage &passage, int32_t rank);
  Signal &signal(int32_t rank) { return ranks[rank].signal; }

  /// The job has failed: nothing is under way any more, and all wake up.
  void stop();

private:
  struct alignas(64) Rank {
    std::atomic<int64_t> clock = 0; ///< If time is virtual.
    bool isWaiting = true;          ///< Or has finished, or not begun.
    /// Its collectives that have not begun, and when the last that has ends.
    std::deque<Passage *> stream;
    int64_t streamFree = 0;
    int64_t issued = 0; ///< How many passages.
    /// By class of links: when the one that it sends over is free.
    std::vector<int64_t> linkFree;
    Signal signal;
  };
  /// Messages of one sender, receiver and tag, from number `first` on.
  struct Channel {
    std::deque<std::shared_ptr<Passage>> passages;
    int64_t first = 0, sent = 0, received = 0;
  };

  /// Says how long the passage takes, whose key is known: so many rounds of
  /// latency, and `transferSeconds` for its bytes; and how late it is.
  void setCost(Passage &passage, const TesseraLink &link, double latencySeconds,
               double transferSeconds) const;
  // The rest with the mutex.
  std::shared_ptr<Passage> passageOf(const TesseraMessage &message,
                                     int64_t number);
  void join(Passage &passage, int32_t rank);
  void alignClocks();
  /// When it may begin as far as its ranks are concerned; nothing if it is not
  /// the next of all of them.
  std::optional<int64_t> readyTime(const Passage &passage) const;
  /// The earliest time at which a rank that runs can issue something.
  int64_t horizon() const;
  /// Lets all passages begin that can.
  Problem progress();
  void begin(Passage &passage, int64_t ready);
  Problem findDeadlock() const;

  const bool hasVirtualTime;
  const std::optional<uint64_t> delaySeed;
  std::vector<TesseraLink> groupLinks; ///< By communicator, then by rank.
  std::map<std::pair<int32_t, int32_t>, TesseraLink> channelLinks;

  mutable std::mutex mutex;
  std::deque<Rank> ranks;
  int32_t running = 0;
  bool isStopped = false;
  std::vector<Passage *> complete; ///< Those that have not begun.
  std::map<std::array<int64_t, 3>, Channel> channels;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_LOCAL_NETWORK_H
