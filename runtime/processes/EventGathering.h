//===- EventGathering.h - What all ranks did, told to rank 0 --------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_EVENTGATHERING_H
#define TESSERA_RUNTIME_PROCESSES_EVENTGATHERING_H

#include "RankHost.h"

#include <set>
#include <span>
#include <vector>

namespace tessera::processes {

/// Brings the events of ranks in other processes to the process of rank 0.
///
/// Each process has a clock of its own, whose difference from that of rank 0
/// comes from questions and answers: in the middle between asking and hearing,
/// the other clock showed what the answer says. The quickest answer of the job
/// counts, whose error is at most half the time it took.
class EventGathering {
public:
  /// `host` must outlive the object.
  EventGathering(RankHost &host, int32_t ranks);

  /// All processes call it after a step; `eventsOf` gives those of a rank of
  /// this process. A status as of RankHost::send.
  int32_t
  gather(const std::function<std::span<const TesseraEvent>(int32_t)> &eventsOf);

  /// Of a rank of another process, if rank 0 lives in this one; by this
  /// process's clock. Valid until the next step, the texts as long as this.
  std::span<const TesseraEvent> of(int32_t rank) const {
    return remotes[rank].events;
  }

private:
  /// A rank of another process.
  struct Remote {
    std::vector<TesseraEvent> events;
    /// What to add to its clock, and how long the answer took that says so.
    int64_t offset = 0, roundTrip = INT64_MAX;
  };

  int32_t ask(int32_t rank);
  int32_t answer(int32_t rank, std::span<const TesseraEvent> events);
  void decode(Remote &remote, std::span<const char> bytes);
  /// The same text, for as long as this lives.
  const char *keep(const char *text) {
    return texts.insert(text).first->c_str();
  }

  RankHost &host;
  std::vector<Remote> remotes; ///< By rank.
  std::set<std::string> texts;
};

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_EVENTGATHERING_H
