//===- Evictions.cpp - what not to hold over the peak, and for how much ---===//

#include "Evictions.h"

#include <algorithm>
#include <tuple>

using namespace tessera::schedule;

static constexpr unsigned kNone = RunOrder::kNone;
/// Operations that are made again for one value, at most.
static constexpr size_t kLargestCone = 64;
/// Values that are looked for to price one.
static constexpr int kMostLookups = 256;

int64_t EvictionPrices::bound() const {
  return weighing.isStrict ? limit : std::max(limit, order.peak() - 1);
}

void Cone::takeBack(const Mark &mark) {
  repeated.resize(mark.repeated);
  pulled.resize(mark.pulled);
  longer.resize(mark.longer);
  kept.resize(mark.kept);
  reads.resize(mark.reads);
  seconds = mark.seconds;
  heldAtPeak = mark.heldAtPeak;
  transient = mark.transient;
}

/// Whether something that is put before position `before` may read `value`.
bool EvictionPrices::mayRead(unsigned value, unsigned before) const {
  unsigned last = problem.values[value].readBefore;
  // Runs of the original order have the numbers of their operations.
  return last == kNone ||
         (!order.run(last).isGone && before <= order.positionOf(last));
}

//===----------------------------------------------------------------------===//
// How to have a value again
//===----------------------------------------------------------------------===//

/// Holds `value` from where it is made again anyway, between the peak and
/// `before`: where another result of the same operation is needed.
bool EvictionPrices::reuse(unsigned value, unsigned before, Cone &cone) const {
  for (unsigned number : order.instancesOf(value)) {
    const Instance &instance = order.instances()[number];
    unsigned from = instance.end + 1;
    if (order.run(instance.run).isGone || instance.begin <= order.peakAt() ||
        instance.begin >= before ||
        !fits(from, before, problem.values[value].bytes))
      continue;
    cone.longer.push_back({from, before, problem.values[value].bytes});
    cone.reads.push_back(number);
    cone.reused = instance.run;
    return true;
  }
  return false;
}

/// Lets what makes `value` later run before position `before` already.
std::optional<unsigned> EvictionPrices::pull(unsigned value, unsigned before,
                                             Cone &cone) const {
  for (unsigned number : order.instancesOf(value)) {
    const Instance &instance = order.instances()[number];
    unsigned run = instance.run;
    if (order.run(run).isGone || instance.begin <= before ||
        !order.operationOf(run).mayRepeat)
      continue;
    if (std::find(cone.pulled.begin(), cone.pulled.end(), run) !=
        cone.pulled.end())
      return run;
    int64_t bytes = 0;
    for (unsigned result : order.operationOf(run).results)
      bytes += problem.values[result].bytes;
    if (!fits(before, instance.begin, bytes))
      return std::nullopt;
    // It goes on reading what it reads, which must be there.
    for (unsigned i = 0; i < order.run(run).sources.size(); ++i) {
      unsigned operand = order.operationOf(run).operands[i];
      if (unsigned source = order.run(run).sources[i]; source != kNone) {
        if (order.run(source).isGone || order.positionOf(source) >= before)
          return std::nullopt;
        cone.reads.push_back(order.instanceOf(source, operand));
      }
    }
    cone.pulled.push_back(run);
    cone.longer.push_back({before, instance.begin, bytes});
    for (unsigned i = 0; i < order.operationOf(run).results.size(); ++i)
      cone.reads.push_back(order.firstInstance(run) + i);
    return run;
  }
  return std::nullopt;
}

/// Holds `value`, which has been read for the last time, until `before`.
std::optional<unsigned> EvictionPrices::keep(unsigned value, unsigned before,
                                             Cone &cone) const {
  const Instance *latest = nullptr;
  for (unsigned number : order.instancesOf(value)) {
    const Instance &instance = order.instances()[number];
    if (!order.run(instance.run).isGone && instance.begin < before &&
        (!latest || latest->end < instance.end))
      latest = &instance;
  }
  int64_t bytes = problem.values[value].bytes;
  if (!latest || !mayRead(value, before))
    return std::nullopt;
  // The peak holds less of other values than it does now.
  unsigned from = latest->end + 1, peakAt = order.peakAt();
  bool isAtPeak = from <= peakAt;
  if (isAtPeak ? !fits(from, peakAt, bytes) || !fits(peakAt + 1, before, bytes)
               : !fits(from, before, bytes))
    return std::nullopt;
  if (isAtPeak)
    cone.heldAtPeak += bytes;
  cone.longer.push_back({from, before, bytes});
  cone.reads.push_back(latest - order.instances().data());
  cone.kept.push_back({value, latest->run});
  return latest->run;
}

/// Runs `operation` again, with what it reads.
std::optional<unsigned> EvictionPrices::repeat(unsigned operation,
                                               unsigned before, Cone &cone) {
  const RecomputationProblem::Operation &repeated =
      problem.operations[operation];
  if (!repeated.mayRepeat || cone.repeated.size() >= kLargestCone)
    return std::nullopt;
  Run run{operation, {}};
  cone.seconds += repeated.seconds;
  for (unsigned operand : repeated.operands) {
    std::optional<unsigned> source = provide(operand, before, cone);
    if (!source)
      return std::nullopt;
    run.sources.push_back(*source);
  }
  for (unsigned result : repeated.results)
    cone.transient += problem.values[result].bytes;
  cone.repeated.push_back(std::move(run));
  return Cone::kPlanned + cone.repeated.size() - 1;
}

/// The run that has made `value` before position `before`, or will.
std::optional<unsigned> EvictionPrices::provide(unsigned value, unsigned before,
                                                Cone &cone) {
  unsigned producer = problem.values[value].producer;
  if (producer == kNone)
    return mayRead(value, before) ? std::optional(kNone) : std::nullopt;
  for (unsigned i = 0; i < cone.repeated.size(); ++i)
    if (cone.repeated[i].operation == producer)
      return Cone::kPlanned + i;
  for (auto [kept, run] : cone.kept)
    if (kept == value)
      return run;
  if (--lookups < 0)
    return std::nullopt;
  for (unsigned number : order.instancesOf(value)) {
    const Instance &instance = order.instances()[number];
    if (order.run(instance.run).isGone || instance.begin >= before ||
        instance.uses.empty() || instance.uses.back() < before)
      continue;
    cone.reads.push_back(number);
    return instance.run;
  }
  Cone::Mark bare = cone.mark();
  if (std::optional<unsigned> pulled = pull(value, before, cone))
    return pulled;
  cone.takeBack(bare);
  bool canKeep = keep(value, before, cone).has_value();
  int64_t heldAtPeak = cone.heldAtPeak;
  cone.takeBack(bare);
  std::optional<unsigned> repeated = repeat(producer, before, cone);
  // Seconds per byte, with what is known so far.
  int64_t most = problem.values[value].bytes + bare.transient;
  bool keeps = canKeep && (!repeated || heldAtPeak == bare.heldAtPeak ||
                           bare.seconds * (most - bare.heldAtPeak) <=
                               cone.seconds * double(most - heldAtPeak));
  if (!keeps)
    return repeated;
  cone.takeBack(bare);
  return keep(value, before, cone);
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

/// Whether nobody reads `number`, nor the other results of its run, before the
/// peak, so that it need not be made before it.
bool EvictionPrices::isMovable(unsigned number) const {
  const Instance &instance = order.instances()[number];
  bool isMovable =
      instance.uses.empty() || instance.uses.front() >= order.peakAt();
  unsigned first = order.firstInstance(instance.run);
  for (unsigned i = 0; i < order.operationOf(instance.run).results.size(); ++i)
    isMovable &=
        first + i == number || order.instances()[first + i].uses.empty();
  return isMovable;
}

/// What `seconds` are for each of the bytes that are `saved` at the peak.
double EvictionPrices::perByte(double seconds, int64_t saved) const {
  int64_t counted = saved;
  if (weighing.clips)
    counted = std::min(counted, order.peak() - limit);
  return seconds / double(counted);
}

/// The price of making instance `number` again before position `next`.
std::optional<Eviction> EvictionPrices::priceOfRepeating(unsigned number,
                                                         unsigned next) {
  const Instance &instance = order.instances()[number];
  const RecomputationProblem::Operation &made = order.operationOf(instance.run);
  if (!made.mayRepeat || made.copy != RecomputationProblem::Copy::None)
    return std::nullopt;
  Eviction eviction{number, next, {}, std::nullopt, 0, 0};
  Cone &cone = eviction.cone;
  lookups = kMostLookups;
  // A later run of the same operation serves as well.
  if (!(weighing.reuses && reuse(instance.value, next, cone)) &&
      !pull(instance.value, next, cone)) {
    cone = {};
    if (!repeat(order.run(instance.run).operation, next, cone))
      return std::nullopt;
  }
  int64_t transient = cone.transient - order.bytesOf(number);
  int64_t before = order.liveAt(next) - order.begunAt(next);
  if (transient > 0 && before + transient > bound())
    return std::nullopt;
  if (isMovable(number))
    cone.seconds -= made.seconds;
  eviction.saved = order.bytesOf(number) - cone.heldAtPeak;
  if (eviction.saved <= 0)
    return std::nullopt;
  eviction.price = perByte(cone.seconds, eviction.saved);
  return eviction;
}

/// Finds the position from which on `copies` has taken the instance, and the
/// seconds that are waited there because that is the peak.
double EvictionPrices::waitThere(unsigned number, HostCopies &copies) const {
  const Instance &instance = order.instances()[number];
  unsigned last = instance.begin;
  for (unsigned use : instance.uses)
    if (use < order.peakAt())
      last = use;
  copies.there = last + 1;
  const RecomputationProblem::Operation &made = order.operationOf(instance.run);
  if (made.copy != RecomputationProblem::Copy::None) {
    copies.offload = order.run(instance.run).sources.front();
    return 0;
  }
  double seconds = problem.operations[problem.values[instance.value].reload]
                       .copySeconds,
         ready = order.beginAt(instance.begin) +
                 (made.isCollective ? 0 : made.seconds),
         end = std::max(ready, order.toHostFreeAt(instance.begin)) + seconds;
  while (copies.there < order.peakAt() && order.beginAt(copies.there) < end &&
         fits(copies.there, copies.there + 1, 0))
    ++copies.there;
  return std::max(0.0, end - order.beginAt(copies.there));
}

/// Finds the position from which on the instance comes back for its reader at
/// `next`, and the seconds that are waited there because it was not begun
/// earlier, for the peak or the limit.
double EvictionPrices::waitBack(unsigned number, unsigned next, double seconds,
                                HostCopies &copies) const {
  double asked = seconds;
  copies.back = next;
  while (copies.back > order.peakAt() + 1 &&
         order.beginAt(next) - order.beginAt(copies.back) < asked) {
    unsigned before = copies.back - 1;
    // It is held there now.
    if (!fits(before, copies.back, 0))
      break;
    copies.back = before;
    // Those that come back before are done first.
    const auto &other = order.operationOf(order.order()[before]);
    if (other.copy == RecomputationProblem::Copy::FromHost)
      asked += other.copySeconds;
  }
  return std::max(0.0,
                  asked - (order.beginAt(next) - order.beginAt(copies.back)));
}

/// The price of copying instance `number` to the host, and back before position
/// `next`.
std::optional<Eviction> EvictionPrices::priceOfCopying(unsigned number,
                                                       unsigned next) const {
  const Instance &instance = order.instances()[number];
  unsigned reload = problem.values[instance.value].reload;
  int64_t bytes = order.bytesOf(number);
  if (reload == kNone || !weighing.copies)
    return std::nullopt;
  Eviction eviction{number, next, {}, HostCopies{}, 0, bytes};
  double wait = waitThere(number, *eviction.copies);
  if (eviction.copies->offload == kNone &&
      order.hostBytes() + bytes > problem.hostBytes)
    return std::nullopt;
  wait += waitBack(number, next, problem.operations[reload].copySeconds,
                   *eviction.copies);
  eviction.cone.reads.push_back(number);
  eviction.price = perByte(wait, bytes);
  return eviction;
}

/// The price of not holding instance `number` over the peak; nothing if it is
/// read there, or cannot be had again.
std::optional<Eviction> EvictionPrices::priceOf(unsigned number) {
  const Instance &instance = order.instances()[number];
  auto next = std::lower_bound(instance.uses.begin(), instance.uses.end(),
                               order.peakAt());
  if (next == instance.uses.end() || *next == order.peakAt() ||
      !mayRead(instance.value, *next))
    return std::nullopt;
  std::optional<Eviction> eviction = priceOfRepeating(number, *next);
  if (std::optional<Eviction> copied = priceOfCopying(number, *next);
      copied && (!eviction || copied->price < eviction->price))
    eviction = std::move(copied);
  if (eviction && weighing.noise > 1)
    eviction->price *=
        std::uniform_real_distribution<double>(1, weighing.noise)(random);
  return eviction;
}

std::vector<Eviction> EvictionPrices::find() {
  std::vector<Eviction> evictions;
  for (unsigned i = 0; i < order.instances().size(); ++i) {
    const Instance &instance = order.instances()[i];
    if (order.run(instance.run).isGone || instance.begin >= order.peakAt() ||
        instance.end < int64_t(order.peakAt()) || order.bytesOf(i) == 0)
      continue;
    if (std::optional<Eviction> eviction = priceOf(i))
      evictions.push_back(std::move(*eviction));
  }
  std::sort(evictions.begin(), evictions.end(),
            [](const Eviction &a, const Eviction &b) {
              return std::tuple(a.price, -a.saved, a.instance) <
                     std::tuple(b.price, -b.saved, b.instance);
            });
  return evictions;
}
