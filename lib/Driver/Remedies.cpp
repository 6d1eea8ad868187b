//===- Remedies.cpp - annotations that would remove a collective ----------===//
//
// What an annotation does to a program is decided by the whole program, so that
// a remedy is not reasoned out but tried: the program is sharded and
// partitioned once more with the annotation changed, and the remedy is good if
// the collectives are gone. The collectives' provenance says which annotations
// are worth a trial.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Driver/Explain.h"
#include "tessera/Driver/Quantities.h"
#include "tessera/Transforms/Shard/SharedReshardCosts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Process.h"

using namespace mlir;
using namespace tessera;

/// Trials are limited to about as much work as sharding this many operations.
static constexpr int64_t kMaxOperations = 60'000;
static constexpr int64_t kMaxTrials = 96;
/// Advice names at most so many annotations, the same ones of all layers as
/// one, and is looked for in so many steps.
static constexpr size_t kMaxAnnotations = 16;
static constexpr unsigned kMaxSteps = 12;

static constexpr StringRef kConstraint = "constraint at ";

namespace {

/// One annotation to be changed: to `sharding`, or to nothing.
struct Change {
  /// `result 'y'`, `argument 'p[*]['w1']'` for those of all layers, or
  /// `constraint at model.py:12:3`.
  std::string what;
  ShardingAttr sharding;
  /// Whether the result that the argument is donated to loses its annotation
  /// with it: they are one piece of state.
  bool withResult = false;

  /// Whether both are about the same annotation.
  bool operator==(const Change &other) const {
    return what == other.what && sharding == other.sharding;
  }
};

/// What a user may do.
struct Remedy {
  SmallVector<Change> changes;

  std::string text() const;
};

/// What became of a trial: its collectives by `identify`.
struct Outcome {
  int64_t bytes = 0;
  llvm::StringMap<SmallVector<Collective>> collectives;
};

/// Lets the passes that follow know what `known` does about the costs of moves.
struct ShareReshardCosts
    : PassWrapper<ShareReshardCosts, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ShareReshardCosts)

  explicit ShareReshardCosts(std::shared_ptr<KnownReshardCosts> known)
      : known(std::move(known)) {}

  void runOnOperation() override {
    getAnalysis<SharedReshardCosts>().shareWith(known);
    markAllAnalysesPreserved();
  }

  std::shared_ptr<KnownReshardCosts> known;
};

/// Tries remedies on copies of the imported program, each only once. What moves
/// cost, which most of a trial's time would go to, is found once for all.
class RemedyTrials {
public:
  RemedyTrials(ModuleOp imported, function_ref<void(OpPassManager &)> addPhases)
      : imported(imported), addPhases(addPhases) {
    int64_t operations = 0;
    imported.walk([&](Operation *) { ++operations; });
    left = std::min(kMaxTrials, kMaxOperations / operations);
    if (auto main = imported.lookupSymbol<func::FuncOp>("main"))
      collectState(main);
  }

  /// The outcome of `remedy`; null where the program cannot be compiled with
  /// it, or too much has been tried.
  const Outcome *outcomeOf(const Remedy &remedy);

  /// How many remedies were not tried since there had been too many before.
  int64_t getNumRefused() const { return refused; }

  /// The removal of what is said of `what`, an argument or result, and of what
  /// is one with it.
  Change removalOf(StringRef what) const;

private:
  std::optional<Outcome> attempt(const Remedy &remedy);
  void collectState(func::FuncOp function);

  ModuleOp imported;
  function_ref<void(OpPassManager &)> addPhases;
  int64_t left, refused = 0;
  /// How far trials are is shown on a terminal.
  const bool showsProgress = llvm::sys::Process::StandardErrIsDisplayed();
  std::shared_ptr<KnownReshardCosts> knownCosts =
      std::make_shared<KnownReshardCosts>();
  llvm::StringMap<std::optional<Outcome>> outcomes;
  /// The arguments that are annotated as the results are that they are donated
  /// to, by the names of both.
  llvm::StringMap<std::string> stateOf;
};

} // namespace

std::string Remedy::text() const {
  const Change &first = changes.front();
  if (first.sharding)
    return "annotate " + first.what + " with " +
           describeSharding(first.sharding);
  auto isConstraint = [](const Change &change) {
    return StringRef(change.what).starts_with(kConstraint);
  };
  auto describe = [&](const Change &change) {
    return (isConstraint(change) ? "the " : "") + change.what +
           (change.withResult ? " with its result" : "");
  };
  if (changes.size() == 1)
    return (isConstraint(first) ? "remove " : "remove the annotation of ") +
           describe(first);
  std::string text = "remove what is said of ";
  for (auto [i, change] : llvm::enumerate(changes)) {
    if (i > 0)
      text += i + 1 == changes.size() ? " and " : ", ";
    text += describe(change);
  }
  return text;
}

/// What makes two collectives the same in two versions of a program.
static std::string identify(const Collective &collective) {
  std::string text = collective.kind;
  llvm::raw_string_ostream os(text);
  os << collective.axes;
  std::string file = describeFile(collective.loc);
  if (file.empty())
    os << collective.type;
  os << file;
  return text;
}

//===----------------------------------------------------------------------===//
// Trials
//===----------------------------------------------------------------------===//

/// Makes the change in `function`; whether what it is about was found.
static bool apply(const Change &change, func::FuncOp function) {
  StringAttr name =
      StringAttr::get(function.getContext(), TesseraDialect::kShardingAttr);
  StringRef what = change.what;
  bool any = false;
  auto isMeant = [&](const std::string &boundary) {
    bool meant = boundary == what || withoutLayerNumbers(boundary) == what;
    any |= meant;
    return meant;
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (isMeant(boundaryName("argument", i, function.getArgAttrDict(i)))) {
      auto donated = function.getArgAttrOfType<IntegerAttr>(
          i, TesseraDialect::kDonatedAttr);
      if (change.withResult && donated)
        function.removeResultAttr(donated.getInt(), name);
      if (change.sharding)
        function.setArgAttr(i, name, change.sharding);
      else
        function.removeArgAttr(i, name);
    }
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (isMeant(boundaryName("result", i, function.getResultAttrDict(i)))) {
      if (change.sharding)
        function.setResultAttr(i, name, change.sharding);
      else
        function.removeResultAttr(i, name);
    }
  if (!what.consume_front(kConstraint))
    return any;
  // In the backward pass and in other layers it stands at the same place.
  SmallVector<ConstrainOp> constraints;
  function.walk([&](ConstrainOp op) {
    if (describeFile(op.getLoc()) == what)
      constraints.push_back(op);
  });
  for (ConstrainOp op : constraints) {
    op.replaceAllUsesWith(op.getOperand());
    op.erase();
  }
  return !constraints.empty();
}

/// Makes the change in `module`; whether that can be done: what stands on a
/// mesh that only `shard` knows cannot be written.
static bool apply(const Change &change, ModuleOp module) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  return function &&
         (!change.sharding ||
          module.lookupSymbol<MeshOp>(change.sharding.getMesh().getAttr())) &&
         apply(change, function);
}

void RemedyTrials::collectState(func::FuncOp function) {
  StringRef sharding = TesseraDialect::kShardingAttr;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto donated =
        function.getArgAttrOfType<IntegerAttr>(i, TesseraDialect::kDonatedAttr);
    if (!donated || !function.getArgAttr(i, sharding) ||
        !function.getResultAttr(donated.getInt(), sharding))
      continue;
    std::string argument =
        boundaryName("argument", i, function.getArgAttrDict(i));
    stateOf[boundaryName("result", donated.getInt(),
                         function.getResultAttrDict(donated.getInt()))] =
        argument;
    stateOf[argument] = argument;
  }
}

Change RemedyTrials::removalOf(StringRef what) const {
  auto state = stateOf.find(what);
  if (state == stateOf.end())
    return {what.str(), ShardingAttr()};
  return {state->second, ShardingAttr(), /*withResult=*/true};
}

std::optional<Outcome> RemedyTrials::attempt(const Remedy &remedy) {
  if (showsProgress)
    llvm::errs() << "\r\033[Ktrying what removes collectives: "
                 << outcomes.size() << " of at most "
                 << outcomes.size() - 1 + left << " changes ...\r";
  auto endProgress = llvm::scope_exit([&] {
    if (showsProgress)
      llvm::errs() << "\033[K";
  });
  --left;
  OwningOpRef<ModuleOp> module(imported.clone());
  for (const Change &change : remedy.changes)
    if (!apply(change, *module))
      return std::nullopt;
  // A program that cannot be compiled is no news for the user.
  ScopedDiagnosticHandler silence(module->getContext(),
                                  [](Diagnostic &) { return success(); });
  PassManager manager(module->getContext());
  manager.enableVerifier(false);
  manager.addPass(std::make_unique<ShareReshardCosts>(knownCosts));
  addPhases(manager);
  if (failed(manager.run(*module)))
    return std::nullopt;
  Outcome outcome;
  for (const Collective &collective : findCollectives(*module)) {
    outcome.bytes += collective.bytes;
    outcome.collectives[identify(collective)].push_back(collective);
  }
  return outcome;
}

const Outcome *RemedyTrials::outcomeOf(const Remedy &remedy) {
  SmallVector<std::string> parts;
  for (const Change &change : remedy.changes)
    parts.push_back(Remedy{{change}}.text());
  llvm::sort(parts);
  std::string key = llvm::join(parts, "; ");
  if (left <= 0 && !outcomes.contains(key)) {
    ++refused;
    return nullptr;
  }
  auto [entry, isNew] = outcomes.try_emplace(key);
  if (isNew)
    entry->second = attempt(remedy);
  return entry->second ? &*entry->second : nullptr;
}

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

/// Looks for what removes the collectives of one group.
class RemedySearch {
public:
  RemedySearch(const CollectiveGroup &group, RemedyTrials &trials)
      : group(group), trials(trials), identity(identify(group.front())) {}

  /// Of the changes of one annotation the one with which the program sends
  /// least.
  std::optional<Remedy> removeOne();
  /// If there is none, several annotations to remove: some that had to be
  /// removed for other groups (`others`), or else those of the producer's side,
  /// of the consumer's, or of both, whichever are fewest.
  std::optional<Remedy> removeSeveral(ArrayRef<Remedy> others);

private:
  SmallVector<Change> changesFor(const Collective &collective,
                                 StringRef side) const;
  SmallVector<Change> changesOf(ArrayRef<Collective> collectives,
                                StringRef side = "") const;
  bool removesIt(const Outcome *outcome) const {
    return outcome && !outcome->collectives.contains(identity);
  }
  std::optional<Remedy> removeAsFor(ArrayRef<Remedy> others);
  std::optional<Remedy> removeAllOf(StringRef side);
  void dropSuperfluous(Remedy &remedy);

  const CollectiveGroup &group;
  RemedyTrials &trials;
  std::string identity;
};

} // namespace

/// The changes of one annotation that might remove `collective`.
SmallVector<Change> RemedySearch::changesFor(const Collective &collective,
                                             StringRef side) const {
  SmallVector<Change> changes;
  ProvenanceAttr why = findProvenance(collective.loc);
  if (!why)
    return changes;
  if (isBoundary(why.getProducer(), "argument "))
    changes.push_back(
        {why.getProducer().getWhat().str(), withoutPending(why.getTarget())});
  if (isBoundary(why.getConsumer(), "result "))
    changes.push_back(
        {why.getConsumer().getWhat().str(), withoutPending(why.getSource())});
  for (OriginAttr origin : originsOf(why, collective.axes)) {
    if (!side.empty() && origin.getSide() != side)
      continue;
    PlaceAttr place = origin.getAnnotation();
    std::string file = describeFile(place.getLoc());
    if (isBoundary(place, "argument ") || isBoundary(place, "result "))
      changes.push_back(trials.removalOf(place.getWhat()));
    else if (place.getWhat() == "constraint" && !file.empty())
      changes.push_back({kConstraint.str() + file, ShardingAttr()});
  }
  return changes;
}

/// What the collectives were traced to on `side`, or on both where it is empty,
/// in the order in which it is mentioned.
SmallVector<Change> RemedySearch::changesOf(ArrayRef<Collective> collectives,
                                            StringRef side) const {
  SmallVector<Change> changes;
  for (const Collective &collective : collectives)
    for (Change &change : changesFor(collective, side)) {
      if (group.members.size() > 1)
        change.what = withoutLayerNumbers(change.what);
      if (!llvm::is_contained(changes, change))
        changes.push_back(std::move(change));
    }
  return changes;
}

std::optional<Remedy> RemedySearch::removeOne() {
  std::optional<Remedy> best;
  int64_t bytes = 0;
  for (Change &change : changesOf(group.members)) {
    Remedy remedy{{std::move(change)}};
    const Outcome *outcome = trials.outcomeOf(remedy);
    if (!removesIt(outcome) || (best && bytes <= outcome->bytes))
      continue;
    bytes = outcome->bytes;
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
        removesIt(trials.outcomeOf(other)))
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
    if (removesIt(trials.outcomeOf(fewer)))
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

/// First the changes of one annotation for all groups, which are fewer and
/// answer for many of them, those that send most first; what trials are left
/// goes to changes of several.
void tessera::findRemedies(std::vector<CollectiveGroup> &groups,
                           ModuleOp imported,
                           function_ref<void(OpPassManager &)> addPhases) {
  RemedyTrials trials(imported, addPhases);
  int64_t now = 0;
  for (CollectiveGroup &group : groups) {
    now += group.bytes();
    ProvenanceAttr why = findProvenance(group.front().loc);
    group.isSearched =
        !group.front().isMessage() && why && why.getReason() != "written";
  }
  auto search = [&](auto &&find) {
    for (CollectiveGroup &group : groups) {
      if (!group.isSearched || !group.remedy.empty())
        continue;
      int64_t refused = trials.getNumRefused();
      std::optional<Remedy> remedy = find(RemedySearch(group, trials));
      group.isCut |= trials.getNumRefused() > refused;
      if (remedy)
        group.remedy = remedy->text() + "; the program then sends " +
                       formatBytes(trials.outcomeOf(*remedy)->bytes) +
                       " instead of " + formatBytes(now);
    }
  };
  search([](RemedySearch search) { return search.removeOne(); });
  SmallVector<Remedy> removals;
  search([&](RemedySearch search) {
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
