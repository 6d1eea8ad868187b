//===- RankHost.h - What carries the ranks of a back end ------------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_RANKHOST_H
#define TESSERA_RUNTIME_PROCESSES_RANKHOST_H

#include "tessera/backend.h"

#include <chrono>
#include <functional>
#include <string>

namespace tessera::processes {

/// As tessera_clock.
inline int64_t clockNow() {
  return std::chrono::steady_clock::now().time_since_epoch() /
         std::chrono::nanoseconds(1);
}

/// What notes between ranks are about: their tags. Those of one tag between two
/// ranks arrive in the order of sending.
namespace note {
inline constexpr int64_t
    /// A rank has loaded everything, and all have.
    ready = 0,
    /// The header of a message.
    header = 1,
    /// Whether a step can be recorded, and whether all can.
    graph = 2,
    /// A part of a result.
    result = 3,
    /// What rank 0 has decided.
    decision = 4,
    /// Events of a step, and clocks.
    events = 5,
    /// Where a rank can be reached, and where all can.
    address = 6,
    /// The identifier of a communicator, whose number is added.
    identifier = int64_t(1) << 32,
    /// A collective on a communicator, whose number is added.
    collective = int64_t(2) << 32,
    /// No note's tag is higher.
    end = int64_t(3) << 32;
} // namespace note

/// The threads or processes that ranks live in, and what passes between them
/// beside tensors: notes (identifiers of communicators, headers of messages)
/// and failures. Notes are as the messages of TesseraBackend, in host memory.
class RankHost {
public:
  virtual ~RankHost() = default;

  virtual bool isLocal(int32_t rank) const = 0;
  /// The number of the device that a rank of this process uses, among those
  /// that the driver shows.
  virtual int deviceOf(int32_t rank) const = 0;

  /// As TesseraBackend::run.
  virtual TesseraStatus
  run(const std::function<int32_t(int32_t rank)> &body) = 0;

  /// As TesseraBackend::send and recv, with host memory.
  virtual int32_t send(const TesseraMessage &note, const void *data) = 0;
  virtual int32_t recv(const TesseraMessage &note, void *data) = 0;
  /// Receives a note if it is there already; whether it was.
  virtual bool take(const TesseraMessage &note, void *data) = 0;
  /// Whether nobody else sees to it that ranks call the same collectives.
  virtual bool mayMismatch() const = 0;

  /// Ends the job for this reason, in all processes, unless it has failed.
  virtual void fail(const std::string &message) = 0;
  /// Why the job failed; "" while it has not.
  virtual const char *error() const = 0;
  /// Gives the processes of all ranks the value of that of rank 0, a status.
  int32_t agree(int32_t ranks, int32_t &value);
  /// Gives them the greatest value of all, a status.
  int32_t greatest(int32_t ranks, int32_t &value);
  bool hasFailed() const { return *error() != '\0'; }
};

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_RANKHOST_H
