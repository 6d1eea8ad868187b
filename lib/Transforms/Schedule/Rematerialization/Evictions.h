//===- Evictions.h - what not to hold over the peak, and for how much -----===//
//
// A value that is held over the peak and not read there can be given up, if it
// can be had again before it is read next. What that takes is its price, in
// seconds per byte. Of what making it again reads, each value is still there,
// or is made later anyway and then made that much earlier, or is held a while
// longer, or made again as well; whichever is cheapest per byte.
//
// Instead of being made again it can be copied to the host and back. That takes
// what is waited for the copies, which is nothing where enough runs between its
// making and the peak, and between the peak and its next reader.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_EVICTIONS_H
#define TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_EVICTIONS_H

#include "RunOrder.h"

#include <optional>
#include <random>

namespace tessera::schedule {

/// How a search weighs prices.
struct Weighing {
  /// Whether bytes beyond what is too much count for nothing.
  bool clips = true;
  /// Whether values that are held longer keep to the limit from the beginning,
  /// and not only to the present peak.
  bool isStrict = true;
  /// Whether what an operation makes again for one of its results serves for
  /// the others, which are then held for longer.
  bool reuses = true;
  /// Whether values may be copied to the host and back, where the problem lets
  /// them.
  bool copies = false;
  /// Prices are multiplied by a number between 1 and this, at random.
  double noise = 1;
  unsigned seed = 0;
};

/// What has to be done to have a value again before the run at `before`.
struct Cone {
  /// The number of a run from which on it is one of `repeated`.
  static constexpr unsigned kPlanned = 1u << 31;

  /// Operations that run again, each behind what it reads; a source is a run,
  /// or, from `kPlanned` on, one of these.
  std::vector<Run> repeated;
  /// Runs that happen before `before` instead of later, in their order.
  std::vector<unsigned> pulled;
  /// The run behind the peak that makes the value already, for another of its
  /// results; `kNone` where none does.
  unsigned reused = RunOrder::kNone;
  double seconds = 0;
  /// Bytes that are held at the peak for it, and while it is computed.
  int64_t heldAtPeak = 0, transient = 0;
  /// Of instances, which are held longer, or earlier: from, to, bytes.
  struct Longer {
    unsigned from, to;
    int64_t bytes;
  };
  std::vector<Longer> longer;
  /// Values that are held until `before`, each with its run.
  std::vector<std::pair<unsigned, unsigned>> kept;
  /// Instances that it reads.
  std::vector<unsigned> reads;

  /// How far it has grown.
  struct Mark {
    size_t repeated, pulled, longer, kept, reads;
    double seconds;
    int64_t heldAtPeak, transient;
  };
  Mark mark() const {
    return {repeated.size(), pulled.size(), longer.size(), kept.size(),
            reads.size(),    seconds,       heldAtPeak,    transient};
  }
  /// Takes back what has been added since; `reused` stays.
  void takeBack(const Mark &mark);
};

/// Copies to the host and back: the positions before which a value is there,
/// and before which it begins to come back.
struct HostCopies {
  unsigned there, back;
  /// The run that has copied it there before; `kNone` where none has.
  unsigned offload = RunOrder::kNone;
};

/// A value that is not held over the peak.
struct Eviction {
  /// What is given up, and the position before which it is there again.
  unsigned instance, before;
  Cone cone;
  /// Instead of `cone`.
  std::optional<HostCopies> copies;
  /// Seconds per byte, and the bytes that it saves at the peak.
  double price;
  int64_t saved;
};

/// Finds evictions in an order, which it does not change.
class EvictionPrices {
public:
  EvictionPrices(const RunOrder &order, int64_t limit, Weighing weighing)
      : order(order), problem(order.problem()), limit(limit),
        weighing(weighing), random(weighing.seed) {}

  /// Weighs prices in another way from here on.
  void weigh(Weighing other) {
    weighing = other;
    random.seed(other.seed);
  }

  /// All of the present order, the cheapest first.
  std::vector<Eviction> find();
  /// Bytes up to which values may be held longer.
  int64_t bound() const;
  /// Whether they must keep to the limit; `relax` lets them keep to the peak.
  bool isStrict() const { return weighing.isStrict; }
  bool reuses() const { return weighing.reuses; }
  void relax() { weighing.isStrict = false; }

private:
  std::optional<Eviction> priceOf(unsigned instance);
  std::optional<Eviction> priceOfRepeating(unsigned instance, unsigned before);
  std::optional<Eviction> priceOfCopying(unsigned instance,
                                         unsigned before) const;
  double waitThere(unsigned instance, HostCopies &copies) const;
  double waitBack(unsigned instance, unsigned before, double seconds,
                  HostCopies &copies) const;
  double perByte(double seconds, int64_t saved) const;
  std::optional<unsigned> provide(unsigned value, unsigned before, Cone &cone);
  bool reuse(unsigned value, unsigned before, Cone &cone) const;
  std::optional<unsigned> pull(unsigned value, unsigned before,
                               Cone &cone) const;
  std::optional<unsigned> keep(unsigned value, unsigned before,
                               Cone &cone) const;
  std::optional<unsigned> repeat(unsigned operation, unsigned before,
                                 Cone &cone);
  bool mayRead(unsigned value, unsigned before) const;
  bool isMovable(unsigned instance) const;
  bool fits(unsigned from, unsigned to, int64_t bytes) const {
    return order.fits(from, to, bytes, bound());
  }

  const RunOrder &order;
  const RecomputationProblem &problem;
  int64_t limit;
  Weighing weighing;
  std::mt19937 random;
  /// Values that may still be looked for to find the present price.
  int lookups = 0;
};

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_EVICTIONS_H
