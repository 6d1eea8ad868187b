//===- Remedies.cpp - annotations that would remove a collective ----------===//
//
// What an annotation does to a program is decided by the whole program, so that
// a remedy is not reasoned out but tried: the program is sharded and
// partitioned once more with the annotation changed. The collectives'
// provenance says which annotations are worth a trial: where several say the
// same, all of them together.
//
// A change that removes a collective at its place may put another one next to
// it. What counts is the whole: a remedy is advice if the collectives are gone
// and the program sends less by a part of them that is worth it, and it says
// what takes their place.
//
//===----------------------------------------------------------------------===//

#include "RemedyTrials.h"

#include "Quantities.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Support/StableSort.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace tessera;

/// Advice names at most so many annotations, the same ones of all layers as
/// one, and is looked for in so many steps.
static constexpr size_t kMaxAnnotations = 16;
static constexpr unsigned kMaxSteps = 12;
/// What the program must send less for a remedy to be advice: this part of what
/// the removed collectives send, and this part of all.
static constexpr double kWorthwhile = 0.1, kNoticeable = 0.01;

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// `sharding` as a user would write it: nothing pending.
static ShardingAttr withoutPending(ShardingAttr sharding) {
  TensorSharding value = sharding.getValue();
  value.unreduced.clear();
  value.unreducedKind = ReductionKind::Sum;
  return ShardingAttr::get(sharding.getContext(), sharding.getMesh(), value);
}

static bool isBoundary(PlaceAttr place, StringRef kind) {
  return place && place.getWhat().starts_with(kind);
}

namespace {

/// Looks for what removes the collectives of one group, such that the program
/// sends less.
class RemedySearch {
public:
  /// `bytes` is what the program sends as it is.
  RemedySearch(const CollectiveGroup &group, int64_t bytes,
               RemedyTrials &trials)
      : group(group), most(bytes - std::max(kWorthwhile * group.bytes(),
                                            kNoticeable * bytes)),
        trials(trials), identity(identify(group.front())) {}

  /// Of the changes of one annotation, or of all that say the same, the one
  /// with which the program sends least.
  std::optional<Remedy> removeOne();
  /// If there is none, several annotations to remove: some that had to be
  /// removed for other groups (`others`), or else those of the producer's side,
  /// of the consumer's, or of both, whichever are fewest.
  std::optional<Remedy> removeSeveral(ArrayRef<Remedy> others);
  /// What removes the collectives, but is not worth it: the best that was
  /// tried.
  std::optional<Remedy> nearest() const { return dear; }

private:
  SmallVector<Remedy> remediesFor(const Collective &collective) const;
  SmallVector<Change> changesFor(const Collective &collective,
                                 StringRef side) const;
  std::optional<Change> removalOf(OriginAttr origin) const;
  SmallVector<Change> changesOf(ArrayRef<Collective> collectives,
                                StringRef side = "") const;
  bool removes(const Remedy &remedy);
  std::optional<Remedy> removeAsFor(ArrayRef<Remedy> others);
  std::optional<Remedy> removeAllOf(StringRef side);
  void dropSuperfluous(Remedy &remedy);

  const CollectiveGroup &group;
  /// The most bytes that the program may send with a remedy.
  double most;
  RemedyTrials &trials;
  std::string identity;
  std::optional<Remedy> dear;
  int64_t dearBytes = 0;
};

} // namespace

/// Whether `remedy` removes the collectives, and is worth it.
bool RemedySearch::removes(const Remedy &remedy) {
  const Outcome *outcome = trials.outcomeOf(remedy);
  if (!outcome || outcome->collectives.contains(identity))
    return false;
  if (outcome->bytes <= most)
    return true;
  if (!dear || outcome->bytes < dearBytes) {
    dear = remedy;
    dearBytes = outcome->bytes;
  }
  return false;
}

/// The removal of what `origin` came from; nothing where that is not for users
/// to remove.
std::optional<Change> RemedySearch::removalOf(OriginAttr origin) const {
  PlaceAttr place = origin.getAnnotation();
  std::string file = describeFile(place.getLoc());
  if (isBoundary(place, "argument ") || isBoundary(place, "result ")) {
    Change change = trials.removalOf(place.getWhat());
    if (group.members.size() > 1)
      change.what = withoutLayerNumbers(change.what);
    return change;
  }
  if (place.getWhat() == "constraint" && !file.empty())
    return Change{kConstraint.str() + file, ShardingAttr()};
  return std::nullopt;
}

static void addOnce(SmallVectorImpl<Change> &changes, Change change) {
  if (!llvm::is_contained(changes, change))
    changes.push_back(std::move(change));
}

/// The removals that might remove `collective`: of what it was traced to on
/// `side`, or on both where that is empty.
SmallVector<Change> RemedySearch::changesFor(const Collective &collective,
                                             StringRef side) const {
  SmallVector<Change> changes;
  if (ProvenanceAttr why = findProvenance(collective.loc))
    for (OriginAttr origin : originsOf(why, collective.axes))
      if (origin.getSide().starts_with(side))
        if (std::optional<Change> change = removalOf(origin))
          addOnce(changes, std::move(*change));
  return changes;
}

/// What the collectives were traced to on `side`, or on both where it is empty,
/// in the order in which it is mentioned.
SmallVector<Change> RemedySearch::changesOf(ArrayRef<Collective> collectives,
                                            StringRef side) const {
  SmallVector<Change> changes;
  for (const Collective &collective : collectives)
    for (Change &change : changesFor(collective, side))
      addOnce(changes, std::move(change));
  return changes;
}

/// What might remove `collective` by itself: another annotation of what it
/// moves, the removal of one annotation it was traced to, or of all that say
/// the same.
SmallVector<Remedy>
RemedySearch::remediesFor(const Collective &collective) const {
  SmallVector<Remedy> remedies;
  ProvenanceAttr why = findProvenance(collective.loc);
  if (!why)
    return remedies;
  auto annotate = [&](PlaceAttr place, StringRef kind, ShardingAttr sharding) {
    if (!isBoundary(place, kind))
      return;
    std::string what = place.getWhat().str();
    if (group.members.size() > 1)
      what = withoutLayerNumbers(what);
    remedies.push_back({{{what, withoutPending(sharding)}}});
  };
  annotate(why.getProducer(), "argument ", why.getTarget());
  annotate(why.getConsumer(), "result ", why.getSource());
  SmallVector<OriginAttr> origins = originsOf(why, collective.axes);
  for (OriginAttr origin : origins) {
    std::optional<Change> change = removalOf(origin);
    if (!change || origin.getSide().ends_with(kAsWell))
      continue;
    Remedy alone{{*change}}, all = alone;
    for (OriginAttr other : origins)
      if (other.getAxis() == origin.getAxis() &&
          other.getSide() == (origin.getSide() + kAsWell).str())
        if (std::optional<Change> too = removalOf(other))
          addOnce(all.changes, std::move(*too));
    if (all.changes.size() > 1 && all.changes.size() <= kMaxAnnotations)
      remedies.push_back(std::move(all));
    remedies.push_back(std::move(alone));
  }
  return remedies;
}

std::optional<Remedy> RemedySearch::removeOne() {
  std::optional<Remedy> best;
  int64_t bytes = 0;
  llvm::StringMap<bool> tried;
  for (const Collective &member : group.members)
    for (Remedy &remedy : remediesFor(member)) {
      if (!tried.try_emplace(remedy.text(), true).second || !removes(remedy))
        continue;
      dropSuperfluous(remedy);
      int64_t sent = trials.outcomeOf(remedy)->bytes;
      if (best && bytes <= sent)
        continue;
      bytes = sent;
      best = std::move(remedy);
    }
  return best;
}

/// What removes another group, too, and names an annotation that this one was
/// traced to.
std::optional<Remedy> RemedySearch::removeAsFor(ArrayRef<Remedy> others) {
  SmallVector<Change> own = changesOf(group.members);
  const Remedy *best = nullptr;
  for (const Remedy &other : others)
    if ((!best || other.changes.size() < best->changes.size()) &&
        llvm::any_of(other.changes,
                     [&](const Change &change) {
                       return llvm::is_contained(own, change);
                     }) &&
        removes(other))
      best = &other;
  return best ? std::optional(*best) : std::nullopt;
}

/// Removes all that the collective was traced to on `side` and, if that does
/// not remove it, all that it is then traced to.
std::optional<Remedy> RemedySearch::removeAllOf(StringRef side) {
  Remedy remedy;
  SmallVector<Collective> left(ArrayRef(group.members));
  for (unsigned step = 0; step < kMaxSteps; ++step) {
    bool any = false;
    for (Change &change : changesOf(left, side))
      if (!change.sharding && !llvm::is_contained(remedy.changes, change)) {
        remedy.changes.push_back(std::move(change));
        any = true;
      }
    if (!any || remedy.changes.size() > kMaxAnnotations)
      return std::nullopt;
    const Outcome *outcome = trials.outcomeOf(remedy);
    if (!outcome)
      return std::nullopt;
    auto found = outcome->collectives.find(identity);
    if (found == outcome->collectives.end()) {
      if (!removes(remedy))
        return std::nullopt;
      dropSuperfluous(remedy);
      return remedy;
    }
    left = found->second;
  }
  return std::nullopt;
}

/// Keeps only the changes without any of which the collective would stay.
void RemedySearch::dropSuperfluous(Remedy &remedy) {
  for (size_t i = remedy.changes.size();
       i-- > 0 && remedy.changes.size() > 1;) {
    Remedy fewer = remedy;
    fewer.changes.erase(fewer.changes.begin() + i);
    if (removes(fewer))
      remedy = std::move(fewer);
  }
}

std::optional<Remedy> RemedySearch::removeSeveral(ArrayRef<Remedy> others) {
  std::optional<Remedy> best = removeAsFor(others);
  if (best)
    return best;
  for (StringRef side : {"producer", "consumer", ""})
    if (std::optional<Remedy> remedy = removeAllOf(side);
        remedy && (!best || remedy->changes.size() < best->changes.size()))
      best = std::move(remedy);
  return best;
}

//===----------------------------------------------------------------------===//
// What a remedy changes
//===----------------------------------------------------------------------===//

namespace {
/// Collectives of one kind, over the same axes and of one type.
struct Alike {
  std::string what;
  int64_t count = 0, bytes = 0;
};
} // namespace

/// What has to be known of `now` and not of `before`: more of something at some
/// place, alike ones together, those that send most first; and what it sends in
/// all.
static std::pair<std::vector<Alike>, int64_t> moreIn(const Outcome &now,
                                                     const Outcome &before) {
  std::map<std::string, Alike> found;
  int64_t sum = 0;
  for (auto &entry : now.collectives) {
    int64_t bytes = 0, count = 0;
    for (const Collective &collective : entry.second) {
      bytes += collective.bytes;
      count += collective.times;
    }
    auto old = before.collectives.find(entry.getKey());
    if (old != before.collectives.end())
      for (const Collective &collective : old->second) {
        bytes -= collective.bytes;
        count -= collective.times;
      }
    if (bytes <= 0)
      continue;
    const Collective &first = entry.second.front();
    std::string what = first.kind;
    llvm::raw_string_ostream os(what);
    if (first.isMessage()) {
      os << " to another pipeline rank";
    } else {
      os << " over ";
      llvm::interleaveComma(first.axes.getAxes(), os,
                            [&](const AxisRef &axis) { axis.print(os); });
    }
    os << " of " << first.type;
    Alike &alike = found[what];
    alike.what = what;
    alike.count += std::max<int64_t>(count, 1);
    alike.bytes += bytes;
    sum += bytes;
  }
  std::vector<Alike> list;
  for (auto &[what, alike] : found)
    list.push_back(alike);
  stableSort(list,
             [](const Alike &a, const Alike &b) { return a.bytes > b.bytes; });
  return {std::move(list), sum};
}

/// What the program sends then, and what takes the place of what goes.
static std::string describeEffect(const Outcome &then, const Outcome &now) {
  std::string text = "; the program then sends " + formatBytes(then.bytes) +
                     " instead of " + formatBytes(now.bytes);
  constexpr size_t kMost = 3;
  auto [more, sum] = moreIn(then, now);
  if (more.empty())
    return text;
  text += "; " + formatBytes(sum) + " in its place: ";
  for (auto [i, alike] : llvm::enumerate(more)) {
    if (i == kMost) {
      text += ", ...";
      break;
    }
    text += (i ? ", " : "") + alike.what;
    if (alike.count > 1)
      text += " x " + std::to_string(alike.count);
    text += " (" + formatBytes(alike.bytes) + ")";
  }
  return text;
}

/// First the changes of one annotation for all groups, which are fewer and
/// answer for many of them, those that send most first; what trials are left
/// goes to changes of several.
void tessera::findRemedies(std::vector<CollectiveGroup> &groups,
                           ModuleOp imported,
                           function_ref<void(OpPassManager &)> addPhases,
                           raw_ostream *terminal) {
  RemedyTrials trials(imported, addPhases, terminal);
  std::vector<Collective> all;
  for (CollectiveGroup &group : groups) {
    llvm::append_range(all, group.members);
    ProvenanceAttr why = findProvenance(group.front().loc);
    group.isSearched =
        !group.front().isMessage() && why && why.getReason() != "written";
  }
  const Outcome now{all};
  auto search = [&](auto &&find) {
    for (CollectiveGroup &group : groups) {
      if (!group.isSearched || !group.remedy.empty())
        continue;
      int64_t refused = trials.getNumRefused();
      RemedySearch search(group, now.bytes, trials);
      std::optional<Remedy> remedy = find(search);
      group.isCut |= trials.getNumRefused() > refused;
      auto describe = [&](const Remedy &found) {
        return found.text() + describeEffect(*trials.outcomeOf(found), now);
      };
      if (remedy)
        group.remedy = describe(*remedy);
      else if (std::optional<Remedy> nearest = search.nearest())
        group.exchange = describe(*nearest);
    }
  };
  search([](RemedySearch &search) { return search.removeOne(); });
  SmallVector<Remedy> removals;
  search([&](RemedySearch &search) {
    std::optional<Remedy> remedy = search.removeSeveral(removals);
    if (remedy && remedy->changes.size() > 1)
      removals.push_back(*remedy);
    return remedy;
  });
}

RemedyTable tessera::tabulateRemedies(ArrayRef<CollectiveGroup> groups) {
  RemedyTable table;
  for (const CollectiveGroup &group : groups)
    if (!group.remedy.empty())
      for (const Collective &member : group.members)
        if (ProvenanceAttr why = findProvenance(member.loc))
          table[{StringAttr::get(why.getContext(), member.kind), why}] =
              group.remedy;
  return table;
}
