//===- RecomputationSearch.cpp - the cheapest recomputation that fits -----===//

#include "RecomputationSearch.h"
#include "Evictions.h"

#include <algorithm>
#include <memory>
#include <random>

using namespace tessera::schedule;

/// Rounds in a row that may pass before the peak is lower.
static constexpr int kPatience = 16;
/// Operations of problems that are small, and of those that are too large to
/// better plans of.
static constexpr size_t kSmall = 256, kLarge = 4096;
/// How often a plan of a small problem is taken back in part; of larger ones as
/// much less often as they are larger.
static constexpr size_t kImprovements = 100;

namespace {

/// One search: rounds of evictions that are independent of each other.
class Search {
public:
  Search(const RecomputationProblem &problem, int64_t limit, Weighing weighing)
      : limit(limit), order(problem), prices(order, limit, weighing),
        pending(order.numRuns()), isMoved(order.numRuns(), false) {}

  /// Lowers the peak to the limit, or as far as it can.
  void run();
  /// Tries to better what `run` has found: takes back a part of it at random,
  /// and lowers the peak again, with copies to the host or without, `rounds`
  /// times.
  void improve(unsigned rounds, bool copies);
  const RunOrder &result() const { return order; }
  /// Bytes above the limit, and seconds: the less the better.
  std::pair<int64_t, double> score() const {
    return {std::max(order.peak() - limit, int64_t(0)), order.seconds()};
  }

private:
  /// A value whose readers behind the peak read that of the run `copy`.
  struct Undo {
    unsigned value, original, copy;
  };

  unsigned addRun(Run run);
  bool lowerPeak();
  bool isFree(const Eviction &eviction) const;
  bool isLinkFree(const Eviction &eviction) const;
  void apply(Eviction &eviction);
  unsigned copy(const Eviction &eviction);
  unsigned repeat(Eviction &eviction);
  void insertPending();
  void giveBack();
  bool isFor(unsigned run, unsigned value) const;
  bool giveBack(const Undo &undo);
  void ruin(std::mt19937 &random);
  void restore(const RunOrder::State &state);

  int64_t limit;
  RunOrder order;
  EvictionPrices prices;
  /// Instances that changes of this round have to do with.
  std::vector<bool> isTouched;
  /// By run, what is going to run before it.
  std::vector<std::vector<unsigned>> pending;
  std::vector<bool> isMoved;
  /// The positions over which copies of this round are under way.
  std::vector<std::pair<unsigned, unsigned>> copying;
  /// The bytes that they take of the host.
  int64_t copied = 0;
  std::vector<Undo> undos;
};

} // namespace

void Search::restore(const RunOrder::State &state) {
  order.restore(state);
  pending.resize(order.numRuns());
  isMoved.resize(order.numRuns());
  std::erase_if(undos, [&](const Undo &undo) {
    return std::max(undo.original, undo.copy) >= order.numRuns();
  });
}

unsigned Search::addRun(Run run) {
  pending.emplace_back();
  isMoved.push_back(false);
  return order.add(std::move(run));
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

/// Whether no change of this round has to do with what `eviction` changes.
bool Search::isFree(const Eviction &eviction) const {
  if (isTouched[eviction.instance])
    return false;
  for (unsigned instance : eviction.cone.reads)
    if (isTouched[instance])
      return false;
  if (isMoved[order.order()[eviction.before]])
    return false;
  if (eviction.copies && !isLinkFree(eviction))
    return false;
  for (unsigned run : eviction.cone.pulled)
    if (isMoved[run] || !pending[run].empty())
      return false;
  unsigned behind = order.peakAt() + 1;
  for (const Cone::Longer &longer : eviction.cone.longer)
    if (longer.to > behind &&
        !order.fits(std::max(longer.from, behind), longer.to, longer.bytes,
                    prices.bound()))
      return false;
  return true;
}

/// Whether the link is free, and the host, for the copies of `eviction`, as its
/// price was found without those of this round.
bool Search::isLinkFree(const Eviction &eviction) const {
  const HostCopies &copies = *eviction.copies;
  const Instance &held = order.instances()[eviction.instance];
  if (copies.offload == RunOrder::kNone &&
      order.hostBytes() + copied + order.bytesOf(eviction.instance) >
          order.problem().hostBytes)
    return false;
  for (unsigned position : {copies.there, copies.back})
    if (isMoved[order.order()[position]])
      return false;
  if (!order.fits(copies.back, eviction.before, 0, prices.bound()))
    return false;
  for (auto [from, to] : copying)
    if ((held.begin < to && from < copies.there) ||
        (copies.back < to && from < eviction.before))
      return false;
  return true;
}

/// Adds the copies of `eviction`; the run that makes the value again.
unsigned Search::copy(const Eviction &eviction) {
  const RecomputationProblem &problem = order.problem();
  const HostCopies &copies = *eviction.copies;
  Instance held = order.instances()[eviction.instance];
  unsigned reload = problem.values[held.value].reload, offload = copies.offload;
  if (offload == RunOrder::kNone) {
    unsigned there = problem.operations[reload].operands.front();
    offload = addRun({problem.values[there].producer, {held.run}});
    pending[order.order()[copies.there]].push_back(offload);
    copying.push_back({held.begin, copies.there});
    copied += order.bytesOf(eviction.instance);
  }
  unsigned run = addRun({reload, {offload}});
  pending[order.order()[copies.back]].push_back(run);
  copying.push_back({copies.back, eviction.before});
  int64_t bytes = order.bytesOf(eviction.instance);
  order.hold(copies.there, copies.back, -bytes);
  return run;
}

/// Adds what makes the value of `eviction` again; the run that does.
unsigned Search::repeat(Eviction &eviction) {
  Instance held = order.instances()[eviction.instance];
  unsigned before = order.order()[eviction.before];
  Cone &cone = eviction.cone;
  for (unsigned run : cone.pulled) {
    isMoved[run] = true;
    pending[before].push_back(run);
  }
  unsigned copy = cone.reused;
  if (copy == RunOrder::kNone && cone.repeated.empty())
    copy = cone.pulled.back();
  unsigned first = order.numRuns();
  for (Run &run : cone.repeated) {
    for (unsigned &source : run.sources)
      if (source != RunOrder::kNone && source >= Cone::kPlanned)
        source = first + source - Cone::kPlanned;
    copy = addRun(std::move(run));
    pending[before].push_back(copy);
  }
  // Up to here, the next changes of this round know what is held.
  unsigned from = held.begin;
  for (unsigned use : held.uses)
    if (use <= order.peakAt())
      from = use + 1;
  order.hold(from, eviction.before, -order.bytesOf(eviction.instance));
  for (const Cone::Longer &longer : cone.longer)
    order.hold(longer.from, longer.to, longer.bytes);
  return copy;
}

void Search::apply(Eviction &eviction) {
  Instance held = order.instances()[eviction.instance];
  Cone &cone = eviction.cone;
  for (unsigned instance : cone.reads)
    isTouched[instance] = true;
  isTouched[eviction.instance] = true;
  // Its other results can then be had from the same run.
  for (unsigned i = 0;
       prices.reuses() && i < order.operationOf(held.run).results.size(); ++i)
    isTouched[order.firstInstance(held.run) + i] = true;
  unsigned copy = eviction.copies ? this->copy(eviction) : repeat(eviction);
  order.redirect(eviction.instance, order.peakAt() + 1, copy);
  undos.push_back({held.value, held.run, copy});
}

/// Puts the runs that changes have added or moved into the order.
void Search::insertPending() {
  std::vector<unsigned> changed;
  changed.reserve(order.order().size());
  for (unsigned number : order.order()) {
    if (isMoved[number])
      continue;
    changed.insert(changed.end(), pending[number].begin(),
                   pending[number].end());
    changed.push_back(number);
  }
  for (unsigned number : order.order())
    pending[number].clear();
  isMoved.assign(order.numRuns(), false);
  order.refresh(std::move(changed));
}

/// One round: lowers the peak; whether it could.
bool Search::lowerPeak() {
  std::vector<Eviction> evictions = prices.find();
  isTouched.assign(order.instances().size(), false);
  copying.clear();
  copied = 0;
  int64_t excess = order.peak() - limit;
  bool isAny = false;
  for (Eviction &eviction : evictions) {
    if (excess <= 0)
      break;
    if (!isFree(eviction))
      continue;
    apply(eviction);
    excess -= eviction.saved;
    isAny = true;
  }
  if (isAny)
    insertPending();
  return isAny;
}

void Search::run() {
  RunOrder::State best = order.state();
  std::pair<int64_t, int64_t> least = order.height();
  int fruitless = 0;
  while (order.peak() > limit) {
    bool isLower = fruitless < kPatience && lowerPeak();
    if (!isLower) {
      // What is held longer may take the room below the present peak.
      if (!prices.isStrict())
        break;
      prices.relax();
      fruitless = 0;
    } else if (order.height() < least) {
      least = order.height();
      best = order.state();
      fruitless = 0;
    } else {
      ++fruitless;
    }
  }
  if (order.peak() > limit)
    restore(best);
  else
    giveBack();
}

/// Whether a run is for `value` alone, and need not take place without it.
bool Search::isFor(unsigned run, unsigned value) const {
  const RecomputationProblem::Operation &operation = order.operationOf(run);
  for (unsigned result : operation.results)
    if (result != value &&
        !order.instances()[order.instanceOf(run, result)].uses.empty())
      return false;
  return operation.mayRepeat && operation.seconds + operation.copySeconds > 0;
}

/// Reads the original again in place of its copy, if it fits and the copy then
/// need not run; whether that is so.
bool Search::giveBack(const Undo &undo) {
  for (unsigned run : {undo.original, undo.copy})
    if (order.run(run).isGone || isMoved[run])
      return false;
  unsigned number = order.instanceOf(undo.copy, undo.value);
  int64_t bytes = order.bytesOf(number);
  const Instance &
      copy = order.instances()[number],
     &original = order.instances()[order.instanceOf(undo.original, undo.value)];
  if (copy.uses.empty() || copy.begin <= original.begin ||
      !isFor(undo.copy, undo.value) ||
      !order.fits(original.end + 1, copy.begin, bytes, limit))
    return false;
  order.hold(original.end + 1, copy.begin, bytes);
  order.redirect(number, 0, undo.original);
  isMoved[undo.copy] = true;
  return true;
}

/// Gives back all that fits, in passes: what is no longer held for a copy that
/// does not run shows in the next one.
void Search::giveBack() {
  for (bool isAny = true; isAny;) {
    isAny = false;
    RunOrder::State before = order.state();
    for (size_t i = undos.size(); i-- > 0;)
      isAny |= giveBack(undos[i]);
    isMoved.assign(order.numRuns(), false);
    order.refresh();
    if (order.peak() > limit)
      return restore(before);
  }
}

/// Reads originals again in place of copies, about half of them, or a tenth.
void Search::ruin(std::mt19937 &random) {
  unsigned share = random() % 2 ? 5 : 1;
  for (size_t i = undos.size(); i-- > 0;) {
    auto [value, original, copy] = undos[i];
    if (order.run(original).isGone || order.run(copy).isGone ||
        random() % 10 >= share)
      continue;
    const Instance &made = order.instances()[order.instanceOf(original, value)],
                   &again = order.instances()[order.instanceOf(copy, value)];
    if (made.begin < again.begin)
      order.redirect(order.instanceOf(copy, value), 0, original);
  }
  order.refresh();
}

void Search::improve(unsigned rounds, bool copies) {
  RunOrder::State best = order.state();
  std::pair<int64_t, double> least = score();
  std::mt19937 random(1);
  for (unsigned seed = 1; seed <= rounds; ++seed) {
    ruin(random);
    prices.weigh({seed % 2 == 0, seed % 3 != 0, seed % 4 < 2, copies, 4, seed});
    run();
    if (score() < least) {
      least = score();
      best = order.state();
    } else {
      restore(best);
    }
  }
}

//===----------------------------------------------------------------------===//
// Several searches
//===----------------------------------------------------------------------===//

/// How searches weigh prices that are tried on a problem: of a small one more,
/// at the same cost. Those with copies take longer, and add to the others.
static std::vector<Weighing> weighingsOf(bool copies, bool isSmall) {
  std::vector<Weighing> weighings;
  for (bool reuses : {true, false})
    for (bool isStrict : {true, false})
      for (bool clips : {true, false})
        if (reuses || !copies || isSmall)
          weighings.push_back({clips, isStrict, reuses, copies, 1, 0});
  for (unsigned seed = 1; isSmall && seed <= (copies ? 8 : 24); ++seed)
    weighings.push_back(
        {seed % 2 == 0, seed % 3 != 0, seed % 4 < 2, copies, 4, seed});
  return weighings;
}

/// The best of several searches, which may copy to the host or not.
static std::unique_ptr<Search> searchFrom(const RecomputationProblem &problem,
                                          int64_t limit, bool copies,
                                          bool isSmall) {
  std::unique_ptr<Search> best;
  for (const Weighing &weighing : weighingsOf(copies, isSmall)) {
    auto search = std::make_unique<Search>(problem, limit, weighing);
    search->run();
    // Where a large problem has no plan, others would only take longer to say.
    bool isHopeless = search->score().first > 0 && !isSmall && !weighing.reuses;
    if (!best || search->score() < best->score())
      best = std::move(search);
    if (isHopeless)
      break;
  }
  return best;
}

RecomputationPlan
tessera::schedule::findRecomputation(const RecomputationProblem &problem,
                                     int64_t limit) {
  size_t count =
      std::count_if(problem.operations.begin(), problem.operations.end(),
                    [](auto &operation) {
                      return operation.copy == RecomputationProblem::Copy::None;
                    });
  RunOrder original(problem);
  if (original.peak() <= limit)
    return original.plan();
  bool isSmall = count <= kSmall;
  unsigned rounds =
      count < kLarge ? kImprovements * kSmall / std::max(kSmall, count) : 0;
  std::unique_ptr<Search> best = searchFrom(problem, limit, false, isSmall);
  if (isSmall || best->score().first == 0)
    best->improve(rounds, false);
  if (problem.hostBytes == 0 ||
      best->score() <= std::pair(int64_t(0), original.seconds()))
    return best->result().plan();
  // Prices of copies do not know which other copies they delay: what uses them
  // may be worse than what does not, and better where they are few.
  std::unique_ptr<Search> other = searchFrom(problem, limit, true, isSmall);
  bool isBetter = other->score() < best->score();
  if (isBetter)
    best = std::move(other);
  if (isBetter || best->score().first == 0)
    best->improve(rounds, true);
  return best->result().plan();
}
