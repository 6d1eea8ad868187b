//===- Quiescence.h - When nothing goes on any more -----------------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_QUIESCENCE_H
#define TESSERA_RUNTIME_PROCESSES_QUIESCENCE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::processes {

/// What a rank does, as it tells rank 0 when it can do nothing by itself.
struct RankState {
  int64_t run = 0;
  bool isFinished = false;
  /// The parcels of collectives and messages so far, by rank.
  std::vector<int64_t> sent, received;
  /// Where it waits, `in all_reduce 'x' at f.py:1:2`, and for which rank.
  std::string waits;
  int32_t awaited = -1;
  /// What it does, as a clause: `has finished`.
  std::string activity;
  /// Of a rank that has finished: a message that it has not received, ready to
  /// be printed; or nothing.
  std::string leftOver;

  std::vector<std::byte> encode() const;
  /// Nothing if the bytes make no sense.
  static std::optional<RankState> decode(std::span<const std::byte> bytes);
};

/// In rank 0: finds out when a run is over, or can never be. It is, when every
/// rank has said of the same run that it waits or has finished, and nothing is
/// under way: each has received what, as they say, the others had sent it.
///
/// Reports are of different times, and yet that is certain. Let a rank go on
/// after its report; the first to do so was woken by a parcel that is not in
/// its report. Its sender had sent that before its own report, in which it is
/// counted then, so that the numbers differ; or after, and went on itself
/// earlier. (Mattern's vector counters, Algorithms for distributed termination
/// detection, 1987.)
class Quiescence {
public:
  explicit Quiescence(int32_t ranks) : states(ranks) {}

  /// What has come to an end.
  struct Verdict {
    int64_t run;
    std::string failure; ///< Empty if every rank has finished as it should.
  };
  /// Takes a rank's report; the verdict, once for each run.
  std::optional<Verdict> report(int32_t rank, RankState state);

  /// Of those that have not reported of the run, the first behind `rank`, or
  /// else from rank 0 on; rank 0 if all have.
  int32_t missingAfter(int32_t rank, int64_t run) const;

private:
  bool isQuiet() const;
  std::string findFailure() const;

  std::vector<RankState> states; ///< By rank; before the first, of run 0.
  int64_t judged = 0;            ///< The last run with a verdict.
};

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_QUIESCENCE_H
