//===- RunOrder.h - an order of runs, and what it holds when --------------===//
//
// The state of a search for recomputation: operations of a problem, some of
// which run more than once, in one order. Of each run's results it knows from
// when until when they are held (live ranges), and of each position how many
// bytes that makes. What changes the order says so by `refresh`, which is
// linear and drops what nobody reads any more; in between the numbers are the
// old ones, but for what `hold` adds.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_RUNORDER_H
#define TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_RUNORDER_H

#include "RecomputationProblem.h"

#include <utility>
#include <vector>

namespace tessera::schedule {

/// One run of an operation.
struct Run {
  /// The number of the operation.
  unsigned operation;
  /// By operand, the run that makes it; `kNone` for what no operation makes.
  std::vector<unsigned> sources;
  /// Whether the order has it no more.
  bool isGone = false;
};

/// A result of a run.
struct Instance {
  unsigned run, value;
  /// Positions that read it, ascending.
  std::vector<unsigned> uses;
  /// The positions at which it is held, `end` included.
  unsigned begin = 0;
  int64_t end = 0;
};

class RunOrder {
public:
  static constexpr unsigned kNone = RecomputationProblem::kNone;

  /// What changes, to go back to.
  struct State {
    std::vector<Run> runs;
    std::vector<unsigned> order;
  };

  /// Every operation of `problem` once, in its order: run number i is operation
  /// number i.
  explicit RunOrder(const RecomputationProblem &problem);

  const RecomputationProblem &problem() const { return described; }
  /// How many runs there are, gone ones included.
  unsigned numRuns() const { return runs.size(); }
  const Run &run(unsigned number) const { return runs[number]; }
  /// What `run` runs.
  const RecomputationProblem::Operation &operationOf(unsigned run) const {
    return described.operations[runs[run].operation];
  }
  /// The numbers of the runs in order, and where in it a run is that is not
  /// gone.
  const std::vector<unsigned> &order() const { return numbers; }
  unsigned positionOf(unsigned run) const { return positions[run]; }

  /// All instances, those of runs that are gone included; of runs; of a value;
  /// and their bytes.
  const std::vector<Instance> &instances() const { return held; }
  unsigned firstInstance(unsigned run) const { return firstInstances[run]; }
  unsigned instanceOf(unsigned run, unsigned value) const {
    bool isReload = runs[run].operation == described.values[value].reload;
    return firstInstances[run] + (isReload ? 0 : resultNumbers[value]);
  }
  const std::vector<unsigned> &instancesOf(unsigned value) const {
    return byValue[value];
  }
  int64_t bytesOf(unsigned instance) const {
    return described.values[held[instance].value].bytes;
  }

  /// Bytes that are held at `position`, and of them those that are not before.
  int64_t liveAt(unsigned position) const { return live[position]; }
  int64_t begunAt(unsigned position) const { return begun[position]; }
  /// Whether the positions `from` to `to`, which is excluded, hold at most
  /// `bound` bytes with `bytes` more.
  bool fits(unsigned from, unsigned to, int64_t bytes, int64_t bound) const;
  /// The most bytes that are held at once, and where first.
  int64_t peak() const { return mostLive; }
  unsigned peakAt() const { return firstPeak; }
  /// The peak, and at how many positions it is.
  std::pair<int64_t, int64_t> height() const;
  /// What all runs take, with what they wait for copies.
  double seconds() const { return duration; }
  /// When the run at `position` begins, and when the copies to the host that
  /// have been started up to its end are done. Of orders with copies only, as
  /// all that follows.
  double beginAt(unsigned position) const { return begins[position]; }
  double toHostFreeAt(unsigned position) const { return toHostFree[position]; }
  /// The bytes of all values that are copied to the host.
  int64_t hostBytes() const { return bytesOnHost; }
  RecomputationPlan plan() const;

  /// A new run, which has no position yet; its number.
  unsigned add(Run run);
  /// Lets those that read `instance` at position `first` or later read the same
  /// value of `run`, which is held until then. What is held less shows at the
  /// next `refresh`.
  void redirect(unsigned instance, unsigned first, unsigned run);
  /// Counts `bytes` more at the positions `from` to `to`, which is excluded.
  void hold(unsigned from, unsigned to, int64_t bytes);
  /// Makes `order` the order, less what nobody reads.
  void refresh(std::vector<unsigned> order);
  /// Counts again, after `redirect`.
  void refresh();

  State state() const { return {runs, numbers}; }
  /// Forgets the runs that have been added since.
  void restore(const State &state);

private:
  void findUses();
  bool dropUnused();
  void overwrite(unsigned position);
  void findLive();
  void findMost(unsigned from, unsigned to);
  void findTimes();

  const RecomputationProblem &described;
  /// By value, which result of its operation it is.
  std::vector<unsigned> resultNumbers;
  /// Operations whose results somebody reads.
  std::vector<bool> isRead;
  std::vector<Run> runs;
  std::vector<unsigned> numbers, positions, firstInstances;
  std::vector<Instance> held;
  std::vector<std::vector<unsigned>> byValue;
  std::vector<int64_t> live, begun;
  /// A segment tree over `live`, as many leaves as positions behind as many
  /// inner nodes: each has the most of the two below it.
  std::vector<int64_t> mostBelow;
  std::vector<double> begins, toHostFree;
  double duration = 0;
  int64_t bytesOnHost = 0;
  int64_t mostLive = 0;
  unsigned firstPeak = 0;
};

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_RUNORDER_H
