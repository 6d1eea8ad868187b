//===- EventOrder.h - an order of events, and what is held meanwhile ------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_OVERLAP_EVENTORDER_H
#define TESSERA_TRANSFORMS_SCHEDULE_OVERLAP_EVENTORDER_H

#include "OverlapProblem.h"

namespace tessera::schedule {

/// An order of the events of a problem in which one event at a time can move.
/// Keeps count of the bytes that are held while each event happens. Events are
/// numbers: of an operation that runs, or of a collective that starts, its own,
/// of a wait `wait()`.
class EventOrder {
public:
  static constexpr unsigned kNone = OverlapProblem::kNone;

  /// `plan` has to be right for `problem`, which has to stay.
  EventOrder(const OverlapProblem &problem, const OverlapPlan &plan);

  unsigned size() const { return order.size(); }
  unsigned at(unsigned position) const { return order[position]; }
  unsigned positionOf(unsigned event) const { return positions[event]; }
  unsigned wait(unsigned collective) const { return count + collective; }
  bool isWait(unsigned event) const { return event >= count; }
  bool isStart(unsigned event) const {
    return !isWait(event) && problem.isCollective[event];
  }
  /// The operation that runs, starts or is awaited.
  unsigned operationOf(unsigned event) const {
    return isWait(event) ? event - count : event;
  }
  /// What the event takes: a collective from its start on, a wait nothing.
  double secondsOf(unsigned event) const { return seconds[event]; }

  /// The positions that an event may move to, all else staying.
  unsigned earliest(unsigned event) const;
  unsigned latest(unsigned event) const;

  /// Moves the event at `from` to position `to`, what lies between moves by
  /// one; leaves all as it is and returns false if more than `limit` bytes were
  /// held at an event whose bytes change. Linear in the distance, as a rule.
  bool move(unsigned from, unsigned to, int64_t limit);

  int64_t peak() const;
  /// Whether a collective begins to hold more than what is no longer held when
  /// it is done.
  bool isGrowing(unsigned start) const;
  OverlapPlan plan() const;

private:
  using Values = std::vector<unsigned>;

  void addOperation(unsigned number);
  void addEdge(unsigned first, unsigned second);
  unsigned endOf(unsigned operation) const;
  void findLast(unsigned value);
  bool endsWith(unsigned value, unsigned operation) const;
  void findTaken(unsigned operation) const;
  int64_t takenBytes(unsigned operation) const;
  int64_t allocated(unsigned event) const;
  int64_t freed(unsigned event) const;
  void rotate(unsigned from, unsigned to);
  bool recount(unsigned begin, unsigned end, int64_t limit);

  const OverlapProblem &problem;
  unsigned count;
  std::vector<unsigned> order, positions;
  std::vector<double> seconds;
  std::vector<std::vector<unsigned>> before, behind;
  /// By value: the events that read it, and the last of them, or of what makes
  /// it. By event: values that hold bytes and are read, or made.
  std::vector<std::vector<unsigned>> readers;
  std::vector<unsigned> last;
  std::vector<Values> reads, makes;
  /// By position: bytes held before the event, and while it happens.
  std::vector<int64_t> hold, live;
  /// What the operation asked last writes over: operands, results, bytes.
  mutable std::vector<unsigned> takenOperands, takenResults;
  std::vector<int64_t> oldHold, oldLive;
};

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_OVERLAP_EVENTORDER_H
