//===- RemedyTrials.cpp - a program with other annotations ----------------===//

#include "RemedyTrials.h"

#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Dialect/Tessera/Why.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;

/// Trials are limited to about as much work as sharding this many operations.
static constexpr int64_t kMaxOperations = 60'000;
static constexpr int64_t kMaxTrials = 96;

namespace {

/// Lets the passes that follow know what `known` does about the costs of moves.
struct ShareReshardCosts
    : PassWrapper<ShareReshardCosts, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ShareReshardCosts)

  explicit ShareReshardCosts(std::shared_ptr<shard::KnownReshardCosts> known)
      : known(std::move(known)) {}

  void runOnOperation() override {
    getAnalysis<shard::SharedReshardCosts>().shareWith(known);
    markAllAnalysesPreserved();
  }

  std::shared_ptr<shard::KnownReshardCosts> known;
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

std::string tessera::identify(const Collective &collective) {
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
      std::optional<unsigned> donated = getDonatedResult(function, i);
      if (change.withResult && donated)
        function.removeResultAttr(*donated, name);
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

Outcome::Outcome(ArrayRef<Collective> found) {
  for (const Collective &collective : found) {
    bytes += collective.bytes;
    collectives[identify(collective)].push_back(collective);
  }
}

RemedyTrials::RemedyTrials(ModuleOp imported,
                           function_ref<void(OpPassManager &)> addPhases,
                           raw_ostream *terminal)
    : imported(imported), addPhases(addPhases), terminal(terminal) {
  int64_t operations = 0;
  imported.walk([&](Operation *) { ++operations; });
  left = std::min(kMaxTrials, kMaxOperations / operations);
  if (auto main = imported.lookupSymbol<func::FuncOp>("main"))
    collectState(main);
}

void RemedyTrials::collectState(func::FuncOp function) {
  StringRef sharding = TesseraDialect::kShardingAttr;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    std::optional<unsigned> donated = getDonatedResult(function, i);
    if (!donated || !function.getArgAttr(i, sharding) ||
        !function.getResultAttr(*donated, sharding))
      continue;
    std::string argument =
        boundaryName("argument", i, function.getArgAttrDict(i));
    std::string result =
        boundaryName("result", *donated, function.getResultAttrDict(*donated));
    stateOf[result] = stateOf[argument] = argument;
    std::string pattern = withoutLayerNumbers(argument);
    stateOf.try_emplace(withoutLayerNumbers(result), pattern);
    stateOf.try_emplace(pattern, pattern);
  }
}

Change RemedyTrials::removalOf(StringRef what) const {
  auto state = stateOf.find(what);
  if (state == stateOf.end())
    return {what.str(), ShardingAttr()};
  return {state->second, ShardingAttr(), /*withResult=*/true};
}

std::optional<Outcome> RemedyTrials::attempt(const Remedy &remedy) {
  if (terminal)
    *terminal << "\r\033[Ktrying what removes collectives: " << outcomes.size()
              << " of at most " << outcomes.size() - 1 + left
              << " changes ...\r";
  auto endProgress = llvm::scope_exit([&] {
    if (terminal)
      *terminal << "\033[K";
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
  return Outcome(findCollectives(*module));
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
