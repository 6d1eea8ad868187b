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

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tessera;

/// Trials are limited to about as much work as sharding this many operations.
static constexpr int64_t kMaxOperations = 200'000;
static constexpr int64_t kMaxTrials = 64;

namespace {

/// One annotation to be changed: to `sharding`, or to nothing.
struct Change {
  PlaceAttr annotation;
  ShardingAttr sharding;
};

/// The same change in every layer.
struct Remedy {
  std::string text;
  SmallVector<Change> changes;
};

/// What became of a trial.
struct Outcome {
  int64_t bytes = 0;
  llvm::StringSet<> collectives;
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
  }

  /// The outcome of `remedy`; null where the program cannot be compiled with
  /// it, or too much has been tried.
  const Outcome *outcomeOf(const Remedy &remedy);

private:
  std::optional<Outcome> attempt(const Remedy &remedy);

  ModuleOp imported;
  function_ref<void(OpPassManager &)> addPhases;
  int64_t left;
  std::shared_ptr<KnownReshardCosts> knownCosts =
      std::make_shared<KnownReshardCosts>();
  llvm::StringMap<std::optional<Outcome>> outcomes;
};

} // namespace

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

/// Changes the annotation in `module`; whether it was found.
static bool apply(const Change &change, ModuleOp module) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  if (!function)
    return false;
  StringAttr name =
      StringAttr::get(module.getContext(), TesseraDialect::kShardingAttr);
  StringRef what = change.annotation.getWhat();
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (boundaryName("argument", i, function.getArgAttrDict(i)) == what) {
      if (change.sharding)
        function.setArgAttr(i, name, change.sharding);
      else
        function.removeArgAttr(i, name);
      return true;
    }
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (boundaryName("result", i, function.getResultAttrDict(i)) == what) {
      if (change.sharding)
        function.setResultAttr(i, name, change.sharding);
      else
        function.removeResultAttr(i, name);
      return true;
    }
  SmallVector<ConstrainOp> constraints;
  function.walk([&](ConstrainOp op) {
    if (op.getLoc() == change.annotation.getLoc())
      constraints.push_back(op);
  });
  for (ConstrainOp op : constraints) {
    op.replaceAllUsesWith(op.getOperand());
    op.erase();
  }
  return !constraints.empty();
}

std::optional<Outcome> RemedyTrials::attempt(const Remedy &remedy) {
  if (left-- <= 0)
    return std::nullopt;
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
    outcome.collectives.insert(identify(collective));
  }
  return outcome;
}

const Outcome *RemedyTrials::outcomeOf(const Remedy &remedy) {
  auto [entry, isNew] = outcomes.try_emplace(remedy.text);
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

/// The changes of one annotation that might remove what `why` explains, each
/// with the words for it.
static SmallVector<std::pair<std::string, Change>>
changesFor(ProvenanceAttr why) {
  SmallVector<std::pair<std::string, Change>> changes;
  auto annotate = [&](PlaceAttr place, ShardingAttr sharding) {
    changes.push_back(
        {("annotate " + place.getWhat() + " with " + describeSharding(sharding))
             .str(),
         {place, sharding}});
  };
  if (isBoundary(why.getProducer(), "argument "))
    annotate(why.getProducer(), withoutPending(why.getTarget()));
  if (isBoundary(why.getConsumer(), "result "))
    annotate(why.getConsumer(), withoutPending(why.getSource()));
  for (OriginAttr origin : why.getOrigins()) {
    PlaceAttr place = origin.getAnnotation();
    std::string text = "remove the annotation of " + place.getWhat().str();
    if (place.getWhat() == "constraint")
      text = "remove the constraint at " + describeFile(place.getLoc());
    else if (!isBoundary(place, "argument ") && !isBoundary(place, "result "))
      continue;
    changes.push_back({text, {place, ShardingAttr()}});
  }
  return changes;
}

/// The remedies for a whole group, in the order in which they are mentioned.
static SmallVector<Remedy> remediesFor(const CollectiveGroup &group) {
  llvm::MapVector<StringRef, Remedy> byText;
  std::vector<std::unique_ptr<std::string>> keys;
  for (const Collective &member : group.members) {
    ProvenanceAttr why = findProvenance(member.loc);
    if (!why)
      return {};
    for (auto &[text, change] : changesFor(why)) {
      std::string general =
          group.members.size() > 1 ? withoutLayerNumbers(text) : text;
      if (!byText.contains(general)) {
        keys.push_back(std::make_unique<std::string>(general));
        byText[*keys.back()].text = general;
      }
      SmallVector<Change> &changes = byText[general].changes;
      if (llvm::none_of(changes, [&](const Change &other) {
            return other.annotation == change.annotation;
          }))
        changes.push_back(change);
    }
  }
  SmallVector<Remedy> remedies;
  for (auto &[text, remedy] : byText)
    remedies.push_back(std::move(remedy));
  return remedies;
}

/// All of `remedies` that remove annotations, at once.
static Remedy combineRemovals(ArrayRef<Remedy> remedies) {
  Remedy all;
  for (const Remedy &remedy : remedies)
    if (!remedy.changes.front().sharding) {
      all.text += (all.text.empty() ? "" : ", and ") + remedy.text;
      llvm::append_range(all.changes, remedy.changes);
    }
  return all;
}

void tessera::findRemedies(std::vector<CollectiveGroup> &groups,
                           ModuleOp imported,
                           function_ref<void(OpPassManager &)> addPhases) {
  RemedyTrials trials(imported, addPhases);
  int64_t now = 0;
  for (const CollectiveGroup &group : groups)
    now += group.bytes();
  for (CollectiveGroup &group : groups) {
    if (group.front().isMessage())
      continue;
    const Outcome *best = nullptr;
    auto attempt = [&](const Remedy &remedy) {
      const Outcome *outcome = trials.outcomeOf(remedy);
      if (!outcome || outcome->collectives.contains(identify(group.front())) ||
          (best && best->bytes <= outcome->bytes))
        return;
      best = outcome;
      group.remedy = remedy.text + "; the program then sends " +
                     formatBytes(outcome->bytes) + " instead of " +
                     formatBytes(now);
    };
    SmallVector<Remedy> remedies = remediesFor(group);
    llvm::for_each(remedies, attempt);
    if (!best && remedies.size() > 1)
      attempt(combineRemovals(remedies));
  }
}
