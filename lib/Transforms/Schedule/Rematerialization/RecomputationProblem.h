//===- RecomputationProblem.h - what may be computed again ----------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_RECOMPUTATIONPROBLEM_H
#define TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_RECOMPUTATIONPROBLEM_H

#include "tessera/Support/HostMemory.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tessera::schedule {

/// Operations in the order in which they run, what each takes, and the bytes
/// that values hold in between. Values and operations are numbers.
struct RecomputationProblem {
  static constexpr unsigned kNone = ~0u;

  struct Value {
    /// What the value holds from the operation that makes it to the one that
    /// reads it last; 0 for what has memory of its own.
    int64_t bytes = 0;
    /// The operation that makes it; `kNone` where it is there from the
    /// beginning.
    unsigned producer = kNone;
    /// The operation before which it must be read, as something may be written
    /// in its place from then on; `kNone` where it may be read at any time.
    unsigned readBefore = kNone;
    /// The operation that copies it back from the host; `kNone` where it may
    /// not lie there.
    unsigned reload = kNone;
  };
  /// Where an operation may write `result` over `operand`, of the same size, if
  /// it is the last to read it.
  struct Overwrite {
    unsigned operand, result;
  };
  /// A copy runs beside all else, behind others in its direction: one to the
  /// host from when its operand is made, and until it runs, one back from when
  /// it runs, and until what it makes is read first.
  enum class Copy : uint8_t { None, ToHost, FromHost };
  struct Operation {
    /// Each once.
    std::vector<unsigned> operands, results;
    /// What it takes to run it once more.
    double seconds = 0;
    /// Bytes that it needs besides while it runs.
    int64_t ownBytes = 0;
    /// Whether it may run several times.
    bool mayRepeat = false;
    std::vector<Overwrite> overwrites;
    /// Whether it moves data beside other things, so that no copy hides behind
    /// it.
    bool isCollective = false;
    Copy copy = Copy::None;
    /// What a copy keeps the link to the host busy for.
    double copySeconds = 0;
  };

  std::vector<Value> values;
  /// In their order; behind them copies to the host and back, which do not run
  /// unless a plan says so.
  std::vector<Operation> operations;
  /// What copies may take of the host.
  int64_t hostBytes = 0;

  /// Lets values that hold bytes be copied to the host and back, as many at a
  /// time as hold `bytes`.
  void allowCopies(const HostMemory &host, int64_t bytes);

  /// Why this is no problem, or an empty string: every operand is there before,
  /// every value has one producer.
  std::string check() const;
};

/// The time of a program whose copies to the host and back run beside it.
struct CopyClock {
  /// Without collectives; what has been waited for copies is part of it.
  double time = 0, waited = 0;
  /// When the copies in each direction that have been started are done.
  double toHost = 0, fromHost = 0;

  /// Starts a copy; when it will be done.
  double start(const RecomputationProblem::Operation &copy) {
    double &free =
        copy.copy == RecomputationProblem::Copy::ToHost ? toHost : fromHost;
    return free = std::max(free, time) + copy.copySeconds;
  }
  void await(double end) {
    double wait = std::max(end - time, 0.0);
    time += wait;
    waited += wait;
  }
  void run(const RecomputationProblem::Operation &operation) {
    time += operation.isCollective ? 0 : operation.seconds;
  }
};

/// Operations in the order in which they run, some of them several times, or no
/// more.
struct RecomputationPlan {
  /// One run of an operation. `sources` are, for each operand, the step that
  /// made it, `kNone` for what is there from the beginning.
  struct Step {
    unsigned operation;
    std::vector<unsigned> sources;
  };
  std::vector<Step> steps;

  /// Everything once, in the order of `problem`.
  static RecomputationPlan original(const RecomputationProblem &problem);
};

/// The most bytes that are held at once under a plan, and what all of its steps
/// take, with what is waited for copies.
struct PlanCosts {
  int64_t peak = 0;
  double seconds = 0;
  /// The bytes held while each step runs.
  std::vector<int64_t> live;
};

/// What `plan`, which is right for `problem`, costs. Linear.
PlanCosts measurePlan(const RecomputationProblem &problem,
                      const RecomputationPlan &plan);

/// Why `plan` does not compute what `problem` does, or an empty string: an
/// operation that may not repeat does, or is missing or out of order with
/// others like it; a value is read before it is made or behind `readBefore`.
std::string verifyPlan(const RecomputationProblem &problem,
                       const RecomputationPlan &plan);

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_RECOMPUTATIONPROBLEM_H
