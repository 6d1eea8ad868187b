//===- CommunicationThread.h - What one rank has with all others ----------===//
//
// A rank's thread leaves what it wants in a queue, and goes on or sleeps until
// it is done; a thread of its own does it, so that bytes move and sums are made
// while the rank computes. That thread alone calls the transport.
//
// The n-th collective of each member on a communicator belongs to the same one,
// so a parcel says with communicator, number and phase what it is for. If the
// rank has called that already, and both calls are equal, its bytes go where
// they belong as they come; else they are kept until then.
//
// The first member of a group gets a parcel from every other one in phase 0, an
// empty one if there is nothing to say. With the last of them it knows what all
// have called, and is the one that says that calls differ or make no sense: the
// same line as `local` says. Others with such a call wait, and hear of it.
//
// Nothing hangs. A rank that waits and has seen nothing move for a while tells
// rank 0, and so does one that has finished (Quiescence.h). One that has waited
// for too long asks whom it waits for what that does.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_COMMUNICATIONTHREAD_H
#define TESSERA_RUNTIME_PROCESSES_COMMUNICATIONTHREAD_H

#include "../core/Futex.h"
#include "CallRecord.h"
#include "Exchange.h"
#include "Quiescence.h"
#include "RankHost.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <tuple>

namespace tessera::processes {

/// The communication of one rank. Its public functions are for the rank's own
/// thread, except `stop`.
class CommunicationThread : private ParcelSink {
public:
  /// `host` and what the options point to must outlive it.
  CommunicationThread(int32_t rank, const TesseraWorldOptions &options,
                      bool spin, RankHost &host,
                      std::unique_ptr<Transport> transport);
  ~CommunicationThread() override;
  /// Sends what is to be sent and ends the thread. The connections stay until
  /// the object is gone.
  void close();

  /// See TesseraBackend.
  int32_t collective(const TesseraCollective &call);
  int32_t wait(int32_t future, int64_t *completed);
  int32_t send(const TesseraMessage &message, const void *data);
  int32_t recv(const TesseraMessage &message, void *data);

  /// Around the rank's body; `endRun` returns when all ranks have ended theirs.
  void beginRun();
  int32_t endRun();

  /// The job has failed: whoever waits returns, and memory of callers is left
  /// alone from then on. From any thread.
  void notice();

private:
  using Clock = std::chrono::steady_clock;

  /// A collective that the rank has called and that is not complete.
  struct Operation {
    TesseraCollective call;
    int64_t number = 0;
    uint64_t record = 0;
    std::vector<std::byte> description;
    /// What is wrong with the call itself, so that there is no exchange.
    bool isMistaken = false;
    Exchange exchange;
    int phase = 0;
    /// By phase: parcels to come, and to be sent.
    int64_t toCome[Exchange::phases] = {}, toSend[Exchange::phases] = {};
    /// By phase and position: what has to come, and has not yet.
    std::vector<char> isAwaited[Exchange::phases];
    /// By position, where this is the first member: what others have called.
    std::vector<uint64_t> records;
    int64_t completed = 0;
    std::atomic<bool> isDone = false;

    int32_t rank(int32_t position) const {
      return call.group->members[position];
    }
  };
  using OperationKey = std::pair<int32_t, int64_t>; ///< Communicator, number.

  /// Bytes that came before the rank asked for them; with what said so.
  struct Letter {
    ParcelHeader header;
    std::vector<std::byte> bytes;
  };
  /// Which parcel of a collective: from whom, for what.
  using ParcelKey = std::tuple<int32_t, int32_t, int64_t, int32_t>;
  using ChannelKey = std::pair<int32_t, int64_t>; ///< Sender, tag.

  /// What the rank's thread waits for.
  struct Waiting {
    const Operation *operation = nullptr;
    std::optional<TesseraMessage> message;
    bool isFinished = false, isTooLong = false;
    bool isAny() const { return operation || message || isFinished; }
  };

  // The rank's thread.
  int32_t alone(const TesseraCollective &call);
  std::unique_ptr<Operation> prepare(const TesseraCollective &call);
  int32_t finish(std::unique_ptr<Operation> operation, int64_t *completed);
  template <typename Ready> int32_t await(const Waiting &what, Ready ready);
  int32_t checkSize(const TesseraMessage &message, const Letter &letter);
  void wakeThread();

  // The communication thread.
  void main();
  void takeOrders();
  void begin(Operation &operation);
  void sendPhase(Operation &operation, int phase);
  void post(Parcel parcel);
  std::span<const Piece> receiving(int32_t peer,
                                   const ParcelHeader &header) override;
  void received(int32_t peer, const ParcelHeader &header) override;
  Operation *findOperation(const ParcelHeader &header);
  void takeCollective(int32_t peer, ParcelHeader header);
  void advanceAll();
  bool advance(Operation &operation);
  void judge(Operation &operation);
  void flush();

  // The communication thread, of waits (CommunicationWaits.cpp).
  void watch();
  std::optional<Waiting> currentWait();
  void report(const Waiting &what);
  void takeReport(int32_t peer, RankState state);
  void ask(const Waiting &what);
  void takeAnswer(const std::string &activity);
  std::string activity() const;
  std::string describeWait(const Waiting &what) const;
  int32_t awaitedOf(const Waiting &what) const;
  std::string describeLeftOver();
  void fail(const std::string &message) { host.fail(message); }

  const int32_t rank;
  TesseraWorldOptions options;
  const bool spin;
  RankHost &host;
  std::unique_ptr<Transport> transport;

  // Between both threads, with the mutex.
  std::mutex mutex;
  std::vector<Operation *> newOperations;
  std::vector<Parcel> newParcels;
  std::map<ChannelKey, std::deque<Letter>> messages;
  Waiting waiting;
  /// What others have described, by rank and record.
  std::map<std::pair<int32_t, uint64_t>, std::vector<std::byte>> descriptions;

  /// Moves when something that the rank may wait for has happened.
  runtime::Signal signal;
  std::atomic<bool> hasOrders = false, hasFailed = false, isStopped = false,
                    closing = false;
  /// The latest run, and the latest that all ranks have ended.
  std::atomic<int64_t> run = 0, ended = 0;
  /// Moves with everything that a report says.
  std::atomic<int64_t> version = 1;

  // The rank's thread.
  std::vector<std::unique_ptr<Operation>> futures, unused;
  std::map<int32_t, int64_t> numbers; ///< By communicator.
  std::set<std::pair<int32_t, uint64_t>> describedSites;
  runtime::TransferPlan ownPlan;
  std::map<int32_t, int64_t> doneAlone; ///< By future: when.

  // The communication thread.
  std::map<OperationKey, Operation *> operations;
  std::map<ParcelKey, Letter> early;
  /// By rank: what is coming from it, unless that goes where it belongs.
  std::vector<std::optional<Letter>> incoming;
  std::vector<Piece> incomingPieces;
  std::set<std::pair<int32_t, uint64_t>> describedCalls;
  std::vector<int64_t> sent, got;       ///< By rank: parcels that count.
  std::optional<Quiescence> quiescence; ///< Of rank 0.
  Clock::time_point lastMoved;
  int64_t reported = 0; ///< The version.
  /// When the rank has asked whom it waits for, and when it lost another one.
  std::optional<Clock::time_point> asked, lostSince;
  /// Of rank 0, whom it has asked last while it waits for the end of a step,
  /// and when that answered: it may compute for as long as it likes.
  int32_t unfinished = 0;
  std::optional<Clock::time_point> answered;

  std::thread thread;
};

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_COMMUNICATIONTHREAD_H
