//===- PlanActivations.cpp - wishes for what scopes hand on ---------------===//

#include "PlanActivations.h"

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Support/NearestName.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#include <set>

#define DEBUG_TYPE "tessera-apply-plan"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// What stands inside of `jvp(...)`, `jit(...)` and other transformations.
static StringRef withoutTransforms(StringRef segment) {
  while (segment.ends_with(")")) {
    size_t open = segment.find('(');
    if (open == StringRef::npos)
      break;
    segment = segment.drop_back().drop_front(open + 1);
  }
  return segment;
}

/// The name of an operation; of one in a function that has been inlined, that
/// of the call, for names begin anew in a function.
static StringRef nameOfOperation(Location location) {
  StringRef name;
  location->walk([&](Location nested) {
    auto named = dyn_cast<NameLoc>(nested);
    auto call = dyn_cast<CallSiteLoc>(nested);
    if (named)
      name = named.getName().getValue();
    else if (call)
      name = nameOfOperation(call.getCaller());
    return named || call ? WalkResult::interrupt() : WalkResult::advance();
  });
  return name;
}

bool tessera::importer::isOfBackwardPass(Location location) {
  return nameOfOperation(location).contains("transpose(");
}

Path tessera::importer::scopeOf(Location location) {
  StringRef name = nameOfOperation(location);
  Path path;
  if (isOfBackwardPass(location))
    return path;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= name.size(); ++i) {
    char c = i < name.size() ? name[i] : '/';
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != '/' || (depth > 0 && i < name.size()))
      continue;
    for (std::string &part : splitPath(withoutTransforms(name.slice(begin, i))))
      path.push_back(std::move(part));
    begin = i + 1;
  }
  return path;
}

namespace {

/// Operations of one scope that follow each other.
struct ScopeRun {
  std::string name;
  llvm::SetVector<Operation *> operations;
};

} // namespace

/// The runs of the scopes that `pattern` matches, in the order of the text.
static std::vector<ScopeRun> findRuns(func::FuncOp function,
                                      const PathPattern &pattern) {
  std::vector<ScopeRun> runs;
  bool isOpen = false;
  walkProgram(function, [&](Operation *op) {
    Path path = scopeOf(op->getLoc());
    if (path.empty())
      return;
    std::string name;
    for (size_t size = 1; size <= path.size() && name.empty(); ++size)
      if (pattern.matches(ArrayRef(path).take_front(size)))
        name = joinPath(ArrayRef(path).take_front(size));
    bool continues = isOpen && !name.empty() && runs.back().name == name;
    isOpen = !name.empty();
    if (!isOpen)
      return;
    if (!continues)
      runs.push_back({std::move(name), {}});
    runs.back().operations.insert(op);
  });
  return runs;
}

/// The tensors of `run` that operations behind it use, but for a backward pass.
static SmallVector<Value> findLeaving(const ScopeRun &run) {
  SmallVector<Value> leaving;
  for (Operation *op : run.operations)
    for (Value result : op->getResults()) {
      auto isBehind = [&](Operation *user) {
        bool isKnown = user->hasTrait<OpTrait::IsTerminator>() ||
                       !scopeOf(user->getLoc()).empty();
        return isKnown && !run.operations.contains(user);
      };
      auto type = dyn_cast<RankedTensorType>(result.getType());
      if (type && type.getRank() > 0 &&
          llvm::any_of(result.getUsers(), isBehind))
        leaving.push_back(result);
    }
  return leaving;
}

/// Warns that no scope is called as `activation` says.
static void warnOfNoScope(func::FuncOp function,
                          const PlanActivation &activation,
                          const PlanResolver &resolver) {
  std::set<std::string> names;
  size_t size = activation.scope.components().size();
  walkProgram(function, [&](Operation *op) {
    Path path = scopeOf(op->getLoc());
    for (size_t end = size; size > 0 && end <= path.size(); ++end)
      names.insert(joinPath(ArrayRef(path).slice(end - size, size)));
  });
  std::vector<std::string> known(names.begin(), names.end());
  emitWarning(resolver.locationOf(activation.place))
      << "no scope of the model is called '" << activation.scope.str() << "'"
      << didYouMean(joinPath(activation.scope.components()), known);
}

/// Constrains what leaves the scopes of one activation. Uses in a backward pass
/// are of the constrained value, too, as behind a constraint of the user's.
static LogicalResult constrainScopes(func::FuncOp function,
                                     const PlanActivation &activation,
                                     const PlanResolver &resolver,
                                     FlatSymbolRefAttr mesh) {
  std::vector<ScopeRun> runs = findRuns(function, activation.scope);
  if (runs.empty())
    warnOfNoScope(function, activation, resolver);
  for (const ScopeRun &run : runs) {
    SmallVector<Value> leaving = findLeaving(run);
    int64_t number = activation.result.value_or(int64_t(leaving.size()) - 1);
    // What CSE has left of a scope may hand on nothing.
    if (leaving.empty())
      continue;
    if (number >= int64_t(leaving.size()))
      return emitError(resolver.locationOf(activation.place))
             << "expected a result below " << leaving.size() << " of scope '"
             << run.name << "', which hands on so many values, got " << number;
    Value value = leaving[number];
    auto type = cast<RankedTensorType>(value.getType());
    FailureOr<TensorSharding> sharding =
        resolver.resolveSpec(activation.spec, activation.place, type.getShape(),
                             "scope '" + run.name + "'");
    if (failed(sharding))
      return failure();
    OpBuilder builder(function.getContext());
    builder.setInsertionPointAfterValue(value);
    auto constrained = ConstrainOp::create(
        builder, value.getLoc(), value,
        ShardingAttr::get(function.getContext(), mesh, *sharding));
    value.replaceAllUsesExcept(constrained.getResult(), constrained);
    LDBG() << "scope " << run.name << " hands on " << *sharding;
  }
  return success();
}

LogicalResult tessera::importer::constrainActivations(
    func::FuncOp function, const ShardingPlan &plan,
    const PlanResolver &resolver, FlatSymbolRefAttr mesh) {
  for (const PlanActivation &activation : plan.activations)
    if (failed(constrainScopes(function, activation, resolver, mesh)))
      return failure();
  return success();
}
