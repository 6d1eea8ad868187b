//===- RecomputationSearch.cpp --------------------------------------------===//

#include "RecomputationSearch.h"

#include <algorithm>
#include <optional>
#include <random>
#include <tuple>

using namespace tessera::schedule;

static constexpr unsigned kNone = RecomputationProblem::kNone;
/// Operations that are made again for one value, at most.
static constexpr size_t kLargestCone = 64;
/// Values that are looked for to price one.
static constexpr int kMostLookups = 256;
/// Rounds in a row that may pass before the peak is lower.
static constexpr int kPatience = 16;
/// The number of a node from which on it is one of a cone's.
static constexpr unsigned kPlanned = 1u << 31;

namespace {

/// How a search weighs prices.
struct Weighing {
  /// Whether bytes beyond what is too much count for nothing.
  bool clips = true;
  /// Whether values that are held longer keep to the limit from the beginning,
  /// and not only to the present peak.
  bool isStrict = true;
  /// Prices are multiplied by a number between 1 and this, at random.
  double noise = 1;
  unsigned seed = 0;
};

/// One run of an operation, and of each result when it is read.
struct Node {
  unsigned operation;
  std::vector<unsigned> sources;
  bool isGone = false;
};

/// What has to be done to have a value again before the node at `before`.
struct Cone {
  /// Operations that run again, each behind what it reads; a source is a node,
  /// or, from `kPlanned` on, one of these.
  std::vector<Node> repeated;
  /// Nodes that run before `before` instead of later, in their order.
  std::vector<unsigned> pulled;
  double seconds = 0;
  /// Bytes that are held at the peak for it, and while it is computed.
  int64_t heldAtPeak = 0, transient = 0;
  /// Of instances, which are held longer, or earlier: from, to, bytes.
  struct Longer {
    unsigned from, to;
    int64_t bytes;
  };
  std::vector<Longer> longer;
  /// Values that are held until `before`, each with its node.
  std::vector<std::pair<unsigned, unsigned>> kept;
  /// Instances that it reads.
  std::vector<unsigned> reads;
};

/// A value that is not held over the peak.
struct Eviction {
  unsigned instance, before;
  Cone cone;
  double price;
  int64_t saved;
};

class Search {
public:
  Search(const RecomputationProblem &problem, int64_t limit, Weighing weighing);

  /// Lowers the peak to the limit, or as far as it can.
  void run();
  RecomputationPlan plan() const;
  int64_t peak() const { return mostLive; }
  double seconds() const;

private:
  struct Instance {
    unsigned node, value;
    /// Positions that read it, ascending; when it is held, `end` included.
    std::vector<unsigned> uses;
    unsigned begin = 0;
    int64_t end = 0;
  };
  /// A value whose readers behind the peak read that of the node `copy`.
  struct Undo {
    unsigned value, original, copy;
  };
  /// What changes, to go back to.
  struct State {
    std::vector<Node> nodes;
    std::vector<unsigned> order;
  };

  const RecomputationProblem::Operation &operationOf(unsigned node) const {
    return problem.operations[nodes[node].operation];
  }
  int64_t bytesOf(unsigned instance) const {
    return problem.values[instances[instance].value].bytes;
  }
  unsigned instanceOf(unsigned node, unsigned value) const {
    return firstInstance[node] + resultNumbers[value];
  }
  unsigned addNode(Node node);
  void refresh();
  bool dropUnused();
  void findUses();
  void findLive();
  void overwrite(unsigned position);
  bool lowerPeak();
  /// The peak, and at how many positions it is.
  std::pair<int64_t, int64_t> height() const {
    return {mostLive, std::count(live.begin(), live.end(), mostLive)};
  }
  std::vector<Eviction> findEvictions();
  std::optional<Eviction> priceOf(unsigned instance);
  std::optional<unsigned> provide(unsigned value, unsigned before, Cone &cone);
  std::optional<unsigned> pull(unsigned value, unsigned before, Cone &cone);
  std::optional<unsigned> keep(unsigned value, unsigned before, Cone &cone);
  std::optional<unsigned> repeat(unsigned operation, unsigned before,
                                 Cone &cone);
  bool mayRead(unsigned value, unsigned before) const;
  bool fits(unsigned from, unsigned to, int64_t bytes) const;
  bool isFree(const Eviction &eviction) const;
  void apply(Eviction &eviction);
  void go(const State &state);
  void insertPending();
  void giveBack();
  bool giveBack(const Undo &undo);

  const RecomputationProblem &problem;
  int64_t limit;
  Weighing weighing;
  std::mt19937 random;
  std::vector<unsigned> resultNumbers;
  /// Operations whose results somebody reads.
  std::vector<bool> isRead;
  std::vector<Node> nodes;
  std::vector<unsigned> order, positions, firstInstance;
  std::vector<Instance> instances;
  std::vector<std::vector<unsigned>> instancesOf;
  std::vector<int64_t> live, begun;
  int64_t mostLive = 0, bound = 0;
  unsigned peakAt = 0;
  std::vector<bool> isTouched;
  /// Of the present price.
  int lookups = 0;
  /// By node, what is going to run before it.
  std::vector<std::vector<unsigned>> pending;
  std::vector<bool> isMoved;
  std::vector<Undo> undos;
};

} // namespace

Search::Search(const RecomputationProblem &problem, int64_t limit,
               Weighing weighing)
    : problem(problem), limit(limit), weighing(weighing), random(weighing.seed),
      resultNumbers(problem.values.size(), 0),
      isRead(problem.operations.size(), false),
      instancesOf(problem.values.size()) {
  for (const RecomputationProblem::Operation &operation : problem.operations) {
    for (unsigned i = 0; i < operation.results.size(); ++i)
      resultNumbers[operation.results[i]] = i;
    for (unsigned operand : operation.operands)
      if (problem.values[operand].producer != kNone)
        isRead[problem.values[operand].producer] = true;
  }
  RecomputationPlan original = RecomputationPlan::original(problem);
  for (RecomputationPlan::Step &step : original.steps)
    order.push_back(addNode({step.operation, std::move(step.sources)}));
  refresh();
}

unsigned Search::addNode(Node node) {
  unsigned number = nodes.size();
  firstInstance.push_back(instances.size());
  for (unsigned result : problem.operations[node.operation].results) {
    instancesOf[result].push_back(instances.size());
    instances.push_back({number, result, {}});
  }
  nodes.push_back(std::move(node));
  positions.push_back(0);
  pending.emplace_back();
  isMoved.push_back(false);
  return number;
}

//===----------------------------------------------------------------------===//
// What is held when
//===----------------------------------------------------------------------===//

void Search::findUses() {
  for (Instance &instance : instances)
    instance.uses.clear();
  for (unsigned position = 0; position < order.size(); ++position) {
    unsigned number = order[position];
    positions[number] = position;
    const auto &operands = operationOf(number).operands;
    for (unsigned i = 0; i < operands.size(); ++i)
      if (unsigned source = nodes[number].sources[i]; source != kNone)
        instances[instanceOf(source, operands[i])].uses.push_back(position);
  }
}

/// Removes the runs of operations that nobody reads any more; whether there are
/// any.
bool Search::dropUnused() {
  bool isAny = false;
  for (unsigned number : order) {
    const RecomputationProblem::Operation &operation = operationOf(number);
    bool isUnused = operation.mayRepeat && isRead[nodes[number].operation];
    for (unsigned i = 0; isUnused && i < operation.results.size(); ++i)
      isUnused = instances[firstInstance[number] + i].uses.empty();
    nodes[number].isGone = isUnused;
    isAny |= isUnused;
  }
  std::erase_if(order, [&](unsigned number) { return nodes[number].isGone; });
  return isAny;
}

void Search::overwrite(unsigned position) {
  unsigned number = order[position];
  const RecomputationProblem::Operation &operation = operationOf(number);
  std::vector<unsigned> taken;
  for (const auto &[operand, result] : operation.overwrites) {
    unsigned place = std::find(operation.operands.begin(),
                               operation.operands.end(), operand) -
                     operation.operands.begin();
    unsigned source = nodes[number].sources[place];
    if (source == kNone || problem.values[result].bytes == 0)
      continue;
    Instance &instance = instances[instanceOf(source, operand)];
    if (instance.end != position || instance.begin >= position ||
        std::find(taken.begin(), taken.end(), result) != taken.end())
      continue;
    --instance.end;
    taken.push_back(result);
  }
}

void Search::findLive() {
  live.assign(order.size() + 1, 0);
  begun.assign(order.size(), 0);
  for (unsigned position = 0; position < order.size(); ++position)
    overwrite(position);
  for (unsigned i = 0; i < instances.size(); ++i) {
    const Instance &instance = instances[i];
    if (nodes[instance.node].isGone)
      continue;
    begun[instance.begin] += bytesOf(i);
    live[instance.begin] += bytesOf(i);
    live[instance.end + 1] -= bytesOf(i);
  }
  for (unsigned position = 1; position < live.size(); ++position)
    live[position] += live[position - 1];
  live.pop_back();
  for (unsigned position = 0; position < live.size(); ++position) {
    int64_t own = operationOf(order[position]).ownBytes;
    live[position] += own;
    begun[position] += own;
  }
  auto most = std::max_element(live.begin(), live.end());
  mostLive = most == live.end() ? 0 : *most;
  peakAt = most - live.begin();
}

void Search::refresh() {
  do
    findUses();
  while (dropUnused());
  for (Instance &instance : instances) {
    if (nodes[instance.node].isGone)
      continue;
    instance.begin = positions[instance.node];
    instance.end =
        instance.uses.empty() ? instance.begin : instance.uses.back();
  }
  findLive();
  bound = weighing.isStrict ? limit : std::max(limit, mostLive - 1);
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

bool Search::fits(unsigned from, unsigned to, int64_t bytes) const {
  for (unsigned position = from; position < to; ++position)
    if (live[position] + bytes > bound)
      return false;
  return true;
}

/// Whether something that is put before position `before` may read `value`.
bool Search::mayRead(unsigned value, unsigned before) const {
  unsigned last = problem.values[value].readBefore;
  // Nodes of the original order have the numbers of their operations.
  return last == kNone || (!nodes[last].isGone && before <= positions[last]);
}

/// Lets what makes `value` later run before position `before` already.
std::optional<unsigned> Search::pull(unsigned value, unsigned before,
                                     Cone &cone) {
  for (unsigned number : instancesOf[value]) {
    const Instance &instance = instances[number];
    unsigned node = instance.node;
    if (nodes[node].isGone || instance.begin <= before ||
        !operationOf(node).mayRepeat)
      continue;
    if (std::find(cone.pulled.begin(), cone.pulled.end(), node) !=
        cone.pulled.end())
      return node;
    int64_t bytes = 0;
    for (unsigned result : operationOf(node).results)
      bytes += problem.values[result].bytes;
    if (!fits(before, instance.begin, bytes))
      return std::nullopt;
    // It goes on reading what it reads, which must be there.
    for (unsigned i = 0; i < nodes[node].sources.size(); ++i) {
      unsigned operand = operationOf(node).operands[i];
      if (unsigned source = nodes[node].sources[i]; source != kNone) {
        if (nodes[source].isGone || positions[source] >= before)
          return std::nullopt;
        cone.reads.push_back(instanceOf(source, operand));
      }
    }
    cone.pulled.push_back(node);
    cone.longer.push_back({before, instance.begin, bytes});
    for (unsigned i = 0; i < operationOf(node).results.size(); ++i)
      cone.reads.push_back(firstInstance[node] + i);
    return node;
  }
  return std::nullopt;
}

/// Holds `value`, which has been read for the last time, until `before`.
std::optional<unsigned> Search::keep(unsigned value, unsigned before,
                                     Cone &cone) {
  const Instance *latest = nullptr;
  for (unsigned number : instancesOf[value]) {
    const Instance &instance = instances[number];
    if (!nodes[instance.node].isGone && instance.begin < before &&
        (!latest || latest->end < instance.end))
      latest = &instance;
  }
  int64_t bytes = problem.values[value].bytes;
  if (!latest || !mayRead(value, before))
    return std::nullopt;
  // The peak holds less of other values than it does now.
  unsigned from = latest->end + 1;
  bool isAtPeak = from <= peakAt;
  if (isAtPeak ? !fits(from, peakAt, bytes) || !fits(peakAt + 1, before, bytes)
               : !fits(from, before, bytes))
    return std::nullopt;
  if (isAtPeak)
    cone.heldAtPeak += bytes;
  cone.longer.push_back({from, before, bytes});
  cone.reads.push_back(latest - instances.data());
  cone.kept.push_back({value, latest->node});
  return latest->node;
}

std::optional<unsigned> Search::repeat(unsigned operation, unsigned before,
                                       Cone &cone) {
  const RecomputationProblem::Operation &repeated =
      problem.operations[operation];
  if (!repeated.mayRepeat || cone.repeated.size() >= kLargestCone)
    return std::nullopt;
  Node node{operation, {}};
  cone.seconds += repeated.seconds;
  for (unsigned operand : repeated.operands) {
    std::optional<unsigned> source = provide(operand, before, cone);
    if (!source)
      return std::nullopt;
    node.sources.push_back(*source);
  }
  for (unsigned result : repeated.results)
    cone.transient += problem.values[result].bytes;
  cone.repeated.push_back(std::move(node));
  return kPlanned + cone.repeated.size() - 1;
}

/// The node that has made `value` before position `before`, or will.
std::optional<unsigned> Search::provide(unsigned value, unsigned before,
                                        Cone &cone) {
  unsigned producer = problem.values[value].producer;
  if (producer == kNone)
    return mayRead(value, before) ? std::optional(kNone) : std::nullopt;
  for (unsigned i = 0; i < cone.repeated.size(); ++i)
    if (cone.repeated[i].operation == producer)
      return kPlanned + i;
  for (auto [kept, node] : cone.kept)
    if (kept == value)
      return node;
  if (--lookups < 0)
    return std::nullopt;
  for (unsigned number : instancesOf[value]) {
    const Instance &instance = instances[number];
    if (nodes[instance.node].isGone || instance.begin >= before ||
        instance.uses.empty() || instance.uses.back() < before)
      continue;
    cone.reads.push_back(number);
    return instance.node;
  }
  Cone pulling = cone;
  if (std::optional<unsigned> pulled = pull(value, before, pulling)) {
    cone = std::move(pulling);
    return pulled;
  }
  Cone keeping = cone, repeating = cone;
  std::optional<unsigned> kept = keep(value, before, keeping),
                          repeated = repeat(producer, before, repeating);
  // Seconds per byte, with what is known so far.
  int64_t most = problem.values[value].bytes + cone.transient;
  bool keeps =
      kept && (!repeated || keeping.heldAtPeak == cone.heldAtPeak ||
               cone.seconds * (most - cone.heldAtPeak) <=
                   repeating.seconds * double(most - keeping.heldAtPeak));
  cone = std::move(keeps ? keeping : repeating);
  return keeps ? kept : repeated;
}

/// The price of not holding `instance` over the peak; nothing if it is read
/// there, or cannot be had again.
std::optional<Eviction> Search::priceOf(unsigned number) {
  const Instance &instance = instances[number];
  auto next =
      std::lower_bound(instance.uses.begin(), instance.uses.end(), peakAt);
  if (next == instance.uses.end() || *next == peakAt ||
      !operationOf(instance.node).mayRepeat)
    return std::nullopt;
  Eviction eviction{number, *next, {}, 0, 0};
  Cone &cone = eviction.cone;
  unsigned operation = nodes[instance.node].operation;
  if (!mayRead(instance.value, *next))
    return std::nullopt;
  lookups = kMostLookups;
  // A later run of the same operation serves as well.
  if (!pull(instance.value, *next, cone)) {
    cone = {};
    if (!repeat(operation, *next, cone))
      return std::nullopt;
  }
  int64_t transient = cone.transient - bytesOf(number);
  int64_t before = live[*next] - begun[*next];
  if (transient > 0 && before + transient > bound)
    return std::nullopt;
  // What nobody reads before the peak need not be made before it.
  bool isMoved = next == instance.uses.begin();
  for (unsigned i = 0; i < operationOf(instance.node).results.size(); ++i)
    isMoved &= firstInstance[instance.node] + i == number ||
               instances[firstInstance[instance.node] + i].uses.empty();
  if (isMoved)
    cone.seconds -= operationOf(instance.node).seconds;
  eviction.saved = bytesOf(number) - cone.heldAtPeak;
  if (eviction.saved <= 0)
    return std::nullopt;
  int64_t counted = eviction.saved;
  if (weighing.clips)
    counted = std::min(counted, mostLive - limit);
  eviction.price = cone.seconds / double(counted);
  if (weighing.noise > 1)
    eviction.price *=
        std::uniform_real_distribution<double>(1, weighing.noise)(random);
  return eviction;
}

std::vector<Eviction> Search::findEvictions() {
  std::vector<Eviction> evictions;
  for (unsigned i = 0; i < instances.size(); ++i) {
    const Instance &instance = instances[i];
    if (nodes[instance.node].isGone || instance.begin >= peakAt ||
        instance.end < int64_t(peakAt) || bytesOf(i) == 0)
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
  if (isMoved[order[eviction.before]])
    return false;
  for (unsigned node : eviction.cone.pulled)
    if (isMoved[node] || !pending[node].empty())
      return false;
  for (const Cone::Longer &longer : eviction.cone.longer)
    if (longer.to > peakAt + 1 &&
        !fits(std::max(longer.from, peakAt + 1), longer.to, longer.bytes))
      return false;
  return true;
}

void Search::apply(Eviction &eviction) {
  Instance held = instances[eviction.instance];
  unsigned before = order[eviction.before];
  Cone &cone = eviction.cone;
  for (unsigned instance : cone.reads)
    isTouched[instance] = true;
  isTouched[eviction.instance] = true;
  for (unsigned node : cone.pulled) {
    isMoved[node] = true;
    pending[before].push_back(node);
  }
  unsigned copy = cone.repeated.empty() ? cone.pulled.back() : kNone;
  unsigned first = nodes.size();
  for (Node &node : cone.repeated) {
    for (unsigned &source : node.sources)
      if (source != kNone && source >= kPlanned)
        source = first + source - kPlanned;
    copy = addNode(std::move(node));
    pending[before].push_back(copy);
  }
  for (unsigned use : held.uses) {
    if (use <= peakAt)
      continue;
    Node &reader = nodes[order[use]];
    const auto &operands = problem.operations[reader.operation].operands;
    for (unsigned i = 0; i < operands.size(); ++i)
      if (operands[i] == held.value && reader.sources[i] == held.node)
        reader.sources[i] = copy;
  }
  // Up to here, the next changes of this round know what is held.
  unsigned from = held.begin;
  for (unsigned use : held.uses)
    if (use <= peakAt)
      from = use + 1;
  for (unsigned position = from; position < eviction.before; ++position)
    live[position] -= bytesOf(eviction.instance);
  for (const Cone::Longer &longer : cone.longer)
    for (unsigned position = longer.from; position < longer.to; ++position)
      live[position] += longer.bytes;
  undos.push_back({held.value, held.node, copy});
}

/// Puts the nodes that changes have added or moved into the order.
void Search::insertPending() {
  std::vector<unsigned> changed;
  changed.reserve(order.size());
  for (unsigned number : order) {
    if (isMoved[number])
      continue;
    changed.insert(changed.end(), pending[number].begin(),
                   pending[number].end());
    changed.push_back(number);
  }
  for (unsigned number : order)
    pending[number].clear();
  isMoved.assign(nodes.size(), false);
  order = std::move(changed);
  refresh();
}

/// One round: lowers the peak; whether it could.
bool Search::lowerPeak() {
  std::vector<Eviction> evictions = findEvictions();
  isTouched.assign(instances.size(), false);
  int64_t excess = mostLive - limit;
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
  State best{nodes, order};
  std::pair<int64_t, int64_t> least = height();
  int fruitless = 0;
  while (mostLive > limit) {
    bool isLower = fruitless < kPatience && lowerPeak();
    if (!isLower) {
      // What is held longer may take the room below the present peak.
      if (!weighing.isStrict)
        break;
      weighing.isStrict = false;
      fruitless = 0;
      refresh();
    } else if (height() < least) {
      least = height();
      best = {nodes, order};
      fruitless = 0;
    } else {
      ++fruitless;
    }
  }
  if (mostLive > limit)
    go(best);
  else
    giveBack();
}

void Search::go(const State &state) {
  for (unsigned i = 0; i < nodes.size(); ++i)
    if (i < state.nodes.size())
      nodes[i] = state.nodes[i];
    else
      nodes[i].isGone = true;
  order = state.order;
  refresh();
}

/// Reads the original again in place of its copy, if both fit; whether they do
/// and that saves something.
bool Search::giveBack(const Undo &undo) {
  if (nodes[undo.original].isGone || nodes[undo.copy].isGone)
    return false;
  const Instance &original = instances[instanceOf(undo.original, undo.value)],
                 &copy = instances[instanceOf(undo.copy, undo.value)];
  if (copy.uses.empty() || copy.begin <= original.begin ||
      !fits(original.end + 1, copy.begin, bytesOf(&copy - instances.data())))
    return false;
  State before{nodes, order};
  double secondsBefore = seconds();
  for (unsigned use : copy.uses) {
    Node &reader = nodes[order[use]];
    const auto &operands = problem.operations[reader.operation].operands;
    for (unsigned i = 0; i < operands.size(); ++i)
      if (operands[i] == undo.value && reader.sources[i] == undo.copy)
        reader.sources[i] = undo.original;
  }
  refresh();
  if (mostLive <= limit && seconds() < secondsBefore)
    return true;
  go(before);
  return false;
}

void Search::giveBack() {
  bound = limit;
  for (size_t i = undos.size(); i-- > 0;)
    giveBack(undos[i]);
}

double Search::seconds() const {
  double sum = 0;
  for (unsigned number : order)
    sum += operationOf(number).seconds;
  return sum;
}

RecomputationPlan Search::plan() const {
  RecomputationPlan plan;
  for (unsigned number : order) {
    RecomputationPlan::Step step{nodes[number].operation, {}};
    for (unsigned source : nodes[number].sources)
      step.sources.push_back(source == kNone ? kNone : positions[source]);
    plan.steps.push_back(std::move(step));
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Several searches
//===----------------------------------------------------------------------===//

RecomputationPlan
tessera::schedule::findRecomputation(const RecomputationProblem &problem,
                                     int64_t limit) {
  // Of small problems a few more, at the same cost.
  constexpr size_t kSmall = 256;
  std::vector<Weighing> weighings;
  for (bool isStrict : {true, false})
    for (bool clips : {true, false})
      weighings.push_back({clips, isStrict, 1, 0});
  for (unsigned seed = 1; problem.operations.size() <= kSmall && seed <= 24;
       ++seed)
    weighings.push_back({seed % 2 == 0, seed % 3 != 0, 4, seed});
  std::optional<RecomputationPlan> best;
  int64_t bestPeak = 0;
  double bestSeconds = 0;
  for (const Weighing &weighing : weighings) {
    Search search(problem, limit, weighing);
    bool isFree = search.peak() <= limit;
    search.run();
    int64_t over = std::max(search.peak() - limit, int64_t(0)),
            bestOver = std::max(bestPeak - limit, int64_t(0));
    if (!best ||
        std::pair(over, search.seconds()) < std::pair(bestOver, bestSeconds)) {
      best = search.plan();
      bestPeak = search.peak();
      bestSeconds = search.seconds();
    }
    // Where a large problem has no plan, others would only take longer to say.
    bool isHopeless = over > 0 && problem.operations.size() > kSmall;
    if (isFree || isHopeless)
      break;
  }
  return *best;
}
