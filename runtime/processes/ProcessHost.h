//===- ProcessHost.h - One rank in each process ---------------------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_PROCESSHOST_H
#define TESSERA_RUNTIME_PROCESSES_PROCESSHOST_H

#include "ProcessRank.h"
#include "Relay.h"

#include "../local/Mailbox.h"
#include "RankHost.h"

#include <map>
#include <set>

namespace tessera::processes {

/// This process's rank, connected to the others through the relay of rank 0.
class ProcessHost : public RankHost {
public:
  /// Returns when all ranks have come. `devices` is how many GPUs this machine
  /// has.
  static Fallible<std::unique_ptr<ProcessHost>>
  open(const ProcessRank &process, const TesseraWorldOptions &options,
       int devices = 0);
  ~ProcessHost() override;

  bool isLocal(int32_t rank) const override { return rank == process.rank; }
  int deviceOf(int32_t) const override;
  TesseraStatus run(const std::function<int32_t(int32_t)> &body) override;
  int32_t send(const TesseraMessage &note, const void *data) override;
  int32_t recv(const TesseraMessage &note, void *data) override;
  bool take(const TesseraMessage &note, void *data) override;
  bool mayMismatch() const override { return process.size > 1; }
  void fail(const std::string &message) override;
  const char *error() const override;

  /// What rank 0 has given to all ranks, and to nobody else.
  const std::string &token() const { return jobToken; }
  /// The address by which other machines reach this process.
  std::string reachableAddress() const;
  /// Has `notice` called, in another thread, when the job fails; at once if it
  /// has. Null for nobody, who then is not called any more.
  void onFailure(std::function<void()> notice);
  /// Does not end the process where its thread hangs after a failure: there are
  /// others in it.
  void sparesProcess() { isSpared = true; }

private:
  ProcessHost(const ProcessRank &process, double timeout, int devices)
      : process(process), timeout(timeout), devices(devices) {}
  Fallible<int> findMeetingPoint();
  Fallible<void> connect(uint64_t program);
  /// Waits until all ranks are here, with everything loaded; false if the job
  /// has failed. From then on a rank that is late is taken for one that hangs.
  bool meet();
  /// Reads what the relay sends, until the end.
  void listen();
  void takeNote(Frame frame);
  /// Has `data` be what the letter says; a status.
  int32_t open(runtime::Mailbox::Letter letter, const TesseraMessage &note,
               void *data);
  /// Whether the rank has said good-bye: no note comes from it any more.
  bool hasEnded(int32_t rank) const;
  /// Keeps the reason without telling the others.
  void failHere(const std::string &message);
  /// Ends the process if its own thread does not within some seconds of a
  /// failure: it may hang in a library.
  void endIfStuck();

  ProcessRank process;
  double timeout;
  int devices;
  std::unique_ptr<Relay> relay; ///< Of rank 0.
  std::unique_ptr<Connection> connection;
  std::thread listener;
  runtime::Mailbox mailbox;
  /// By their text: where notes come from, which the mailbox points to.
  std::map<std::vector<char>, TesseraSite> sites;
  std::atomic<bool> failed = false, closing = false;
  std::string jobToken;
  std::function<void()> notice; ///< With `failureMutex`.
  std::atomic<bool> isSpared = false;
  bool isRunning = false; ///< A step.
  bool hasMet = false;
  mutable std::mutex failureMutex, endedMutex;
  std::string failure;
  std::set<int32_t> ended; ///< Ranks that have said good-bye.
  runtime::Signal closed;
};

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_PROCESSHOST_H
