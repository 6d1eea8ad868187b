//===- ShareAttention.cpp - one attention for a task and its gradient's ---===//
//
// With pipeline stages, the forward and the backward pass of a microbatch are
// tasks: functions that the program of a pipeline rank calls. What the backward
// task needs of the scores it computes again (tessera-recompute-residuals), so
// that each has all of attention in it, and both have become
// `tessera.attention`.
//
// Where the two are seen to compute the same, the forward task hands over
// output, maximum and sum instead. They are the same if equal operations
// compute their operands from the same inputs; an input is the same if, at
// every call of the backward task, the forward task's call whose results it
// reads gave or took it.
//
// The output is mostly a result of the forward task already, since the gradient
// of the matrix behind it needs it. Where the backward task uses the output for
// more than attention's gradient and is not given it, it was to be computed
// again, and is.
//
//===----------------------------------------------------------------------===//

#include "Support/ValueTraces.h"

#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Fuse/Passes.h"

#include "mlir/IR/Matchers.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-share-attention"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

namespace tessera::fuse {
#define GEN_PASS_DEF_SHAREATTENTION
#include "tessera/Transforms/Fuse/Passes.h.inc"
} // namespace tessera::fuse

namespace {

/// The calls of every function of a module.
using CallSites = llvm::DenseMap<StringAttr, SmallVector<func::CallOp>>;

/// A task, and another one that reads what it gives for the same microbatch.
class TaskPair {
public:
  TaskPair(func::FuncOp earlier, func::FuncOp later, CallSites &sites)
      : earlier(earlier), later(later), sites(sites),
        comparison([this](Value now, Value then) {
          return compareInputs(now, then);
        }) {}

  /// Whether every call of `later` reads results of just one of `earlier`, and
  /// there is one.
  bool isConsistent() const;
  /// Whether `now`, of `later`, is always what `then`, of `earlier`, was.
  bool isSame(Value now, Value then) {
    return now.getType() == then.getType() && comparison.isSame(now, then);
  }
  bool isResult(Value value) const {
    return llvm::is_contained(getReturn()->getOperands(), value);
  }
  /// The argument of `later` that is `value` of `earlier`; a new one, and a new
  /// result, where there is none yet.
  Value handOver(Value value);

private:
  Operation *getReturn() const {
    return earlier->getRegion(0).front().getTerminator();
  }
  ArrayRef<func::CallOp> callsOfLater() const {
    return sites.find(later.getSymNameAttr())->second;
  }
  func::CallOp sourceOf(func::CallOp call) const;
  std::optional<bool> compareInputs(Value now, Value then) const;
  bool isGiven(BlockArgument argument, Value value) const;
  unsigned addResult(Value value);

  mutable func::FuncOp earlier, later;
  CallSites &sites;
  ValueComparison comparison;
};

} // namespace

/// The only call of `earlier` that `call`, one of `later`, reads results of.
func::CallOp TaskPair::sourceOf(func::CallOp call) const {
  func::CallOp source;
  for (Value operand : call.getOperands()) {
    auto maker = operand.getDefiningOp<func::CallOp>();
    if (!maker || maker.getCallee() != earlier.getSymName() || maker == source)
      continue;
    if (source)
      return {};
    source = maker;
  }
  return source;
}

bool TaskPair::isConsistent() const {
  return llvm::all_of(callsOfLater(), [&](func::CallOp call) {
    return sourceOf(call) != nullptr;
  });
}

/// Whether both are one value, or constants of one.
static bool isOneValue(Value a, Value b) {
  Attribute left, right;
  return a == b || (matchPattern(a, m_Constant(&left)) &&
                    matchPattern(b, m_Constant(&right)) && left == right);
}

/// Whether every call gives `argument` of `later` what `value` of `earlier` is.
bool TaskPair::isGiven(BlockArgument argument, Value value) const {
  auto isGivenBy = [&](auto get) {
    return llvm::all_of(callsOfLater(), [&](func::CallOp call) {
      return isOneValue(call.getOperand(argument.getArgNumber()),
                        get(sourceOf(call)));
    });
  };
  if (auto input = dyn_cast<BlockArgument>(value))
    if (input.getOwner()->getParentOp() == earlier &&
        isGivenBy([&](func::CallOp source) {
          return source.getOperand(input.getArgNumber());
        }))
      return true;
  for (auto [number, result] : llvm::enumerate(getReturn()->getOperands()))
    if (skipReshapes(result) == value && isGivenBy([&](func::CallOp source) {
          return source.getResult(number);
        }))
      return true;
  return false;
}

std::optional<bool> TaskPair::compareInputs(Value now, Value then) const {
  if (auto argument = dyn_cast<BlockArgument>(now))
    return argument.getOwner()->getParentOp() == later &&
           isGiven(argument, then);
  return std::nullopt;
}

/// Lets `earlier` and all of its calls give `value` as well; returns the number
/// of the result.
unsigned TaskPair::addResult(Value value) {
  Operation *terminator = getReturn();
  unsigned number = terminator->getNumOperands();
  terminator->insertOperands(number, value);
  (void)earlier.insertResult(number, value.getType(), {});
  for (func::CallOp &call : sites[earlier.getSymNameAttr()]) {
    OpBuilder builder(call);
    auto longer = func::CallOp::create(builder, call.getLoc(), earlier,
                                       call.getOperands());
    longer->setDiscardableAttrs(call->getDiscardableAttrDictionary());
    call->replaceAllUsesWith(longer->getResults().drop_back());
    call->erase();
    call = longer;
  }
  return number;
}

Value TaskPair::handOver(Value value) {
  auto results = getReturn()->getOperands();
  auto found = llvm::find(results, value);
  unsigned number =
      found == results.end() ? addResult(value) : found - results.begin();
  for (BlockArgument argument : later.getArguments())
    if (llvm::all_of(callsOfLater(), [&](func::CallOp call) {
          return call.getOperand(argument.getArgNumber()) ==
                 sourceOf(call).getResult(number);
        }))
      return argument;
  unsigned position = later.getNumArguments();
  (void)later.insertArgument(position, value.getType(), {}, value.getLoc());
  for (func::CallOp call : callsOfLater())
    call->insertOperands(position, sourceOf(call).getResult(number));
  return later.getArgument(position);
}

/// Lets the later task read what `then` of the earlier one gives instead of
/// `now`, where both are the same. Returns whether it does.
static bool share(TaskPair &tasks, AttentionOp then, AttentionOp now) {
  if (then->getAttrs() != now->getAttrs() ||
      then->getNumOperands() != now->getNumOperands() ||
      then.getMaximum().getType() != now.getMaximum().getType() ||
      !llvm::all_of_zip(
          now.getOperands(), then.getOperands(),
          [&](Value ours, Value theirs) { return tasks.isSame(ours, theirs); }))
    return false;
  // Only the gradient's kernel may read it rounded, or in another type.
  bool isGradients = llvm::all_of(now.getOutput().getUsers(),
                                  llvm::IsaPred<AttentionGradientOp>);
  auto moves = findMoves(
      then.getOutput(), [&](Value value) { return tasks.isResult(value); },
      /*rounded=*/isGradients);
  if (!isGradients &&
      (!moves || then.getOutput().getType() != now.getOutput().getType()))
    return false;
  LDBG() << describeOperation(now) << ": read from " << describeOperation(then)
         << ", which is computed before";
  SmallVector<Operation *> path = moves.value_or(SmallVector<Operation *>());
  OpBuilder builder(now);
  Value output = tasks.handOver(path.empty() ? Value(then.getOutput())
                                             : path.back()->getResult(0));
  for (Operation *move : llvm::reverse(path))
    output = undoMove(builder, move, output);
  now.getOutput().replaceAllUsesWith(output);
  now.getMaximum().replaceAllUsesWith(tasks.handOver(then.getMaximum()));
  now.getSum().replaceAllUsesWith(tasks.handOver(then.getSum()));
  now.erase();
  return true;
}

/// The functions whose results the calls of `task` read, each once.
static SmallVector<func::FuncOp> findSources(func::FuncOp task,
                                             const CallSites &sites) {
  llvm::SmallSetVector<Operation *, 4> sources;
  auto calls = sites.find(task.getSymNameAttr());
  if (calls == sites.end())
    return {};
  for (func::CallOp call : calls->second)
    for (Value operand : call.getOperands())
      if (auto maker = operand.getDefiningOp<func::CallOp>())
        if (Operation *callee = SymbolTable::lookupNearestSymbolFrom(
                task, maker.getCalleeAttr()))
          sources.insert(callee);
  return llvm::map_to_vector(
      sources, [](Operation *source) { return cast<func::FuncOp>(source); });
}

namespace {

struct ShareAttention
    : public tessera::fuse::impl::ShareAttentionBase<ShareAttention> {
  void runOnOperation() override {
    llvm::MapVector<Operation *, SmallVector<AttentionOp>> attentions;
    getOperation().walk([&](AttentionOp op) {
      if (auto task = dyn_cast<func::FuncOp>(op->getParentOp()))
        attentions[task].push_back(op);
    });
    CallSites sites;
    getOperation().walk([&](func::CallOp call) {
      sites[call.getCalleeAttr().getAttr()].push_back(call);
    });
    for (auto &[task, ofTask] : attentions)
      for (func::FuncOp source : findSources(cast<func::FuncOp>(task), sites)) {
        TaskPair tasks(source, cast<func::FuncOp>(task), sites);
        auto known = attentions.find(source);
        if (known != attentions.end() && tasks.isConsistent())
          shareAll(tasks, known->second, ofTask);
      }
  }

  /// Erases those of `now` that are among `then`.
  void shareAll(TaskPair &tasks, ArrayRef<AttentionOp> then,
                SmallVectorImpl<AttentionOp> &now) {
    llvm::erase_if(now, [&](AttentionOp op) {
      return llvm::any_of(
          then, [&](AttentionOp other) { return share(tasks, other, op); });
    });
  }
};

} // namespace
