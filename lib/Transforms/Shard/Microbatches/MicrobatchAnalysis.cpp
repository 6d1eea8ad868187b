//===- MicrobatchAnalysis.cpp - what microbatches make of values ----------===//

#include "Microbatches/MicrobatchAnalysis.h"

#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/LocalComputationInterface.h"
#include "tessera/Interfaces/TripCount.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

MicrobatchAnalysis::MicrobatchAnalysis(func::FuncOp function,
                                       const Batch &batch, RuleCache &rules)
    : function(function), batch(batch), rules(rules) {}

bool MicrobatchAnalysis::run() {
  do {
    again = false;
    states.clear();
    inside.clear();
    after.clear();
    factors.clear();
    waiting.clear();
    problem = {};
    for (Value argument : function.getArguments())
      states[argument] = BatchState::invariant();
    for (const Batch::Member &member : batch.members)
      states[member.argument] =
          BatchState::splitAlong({member.dim, batch.blocks});
    if (!analyseBlock(function.getBody().front()))
      return false;
  } while (again);
  return true;
}

bool MicrobatchAnalysis::analyseBlock(Block &block) {
  return llvm::all_of(block.without_terminator(),
                      [&](Operation &op) { return analyse(&op); });
}

bool MicrobatchAnalysis::analyse(Operation *op) {
  inside.erase(op);
  after.erase(op);
  factors.erase(op);
  if (beforehand.contains(op)) {
    BatchState state = BatchState::invariant();
    state.origin = op;
    return set(op, state);
  }
  if (isa<RegionBranchOpInterface>(op))
    return analyseControlFlow(op);
  if (op->hasTrait<HandsOperandsOver>() || op->getNumResults() == 0)
    return analyseHandover(op);
  return analyseComputation(op, rules.lookup(op));
}

bool MicrobatchAnalysis::set(Operation *op, const BatchState &state) {
  for (Value result : op->getResults())
    states[result] = state;
  if (state.is(BatchState::Split) || state.is(BatchState::Pending))
    inside.insert(op);
  if (state.is(BatchState::After))
    after.insert(op);
  return true;
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

bool MicrobatchAnalysis::fits(Value value, const BatchSplit &split) const {
  int64_t size = cast<RankedTensorType>(value.getType()).getDimSize(split.dim);
  return size % (split.before * batch.count) == 0;
}

/// The factor that is cut if `tensor` is cut as `split` says: of those that
/// have whole pieces, the last.
std::optional<MicrobatchAnalysis::FactorSplit>
MicrobatchAnalysis::factorOf(const ShardingRule &rule, size_t tensor,
                             const BatchSplit &split) const {
  ArrayRef<FactorId> dimFactors = rule.tensor(tensor).dims[split.dim];
  // The only one, be it of another size in this tensor.
  if (dimFactors.size() == 1)
    return FactorSplit{dimFactors.front(), split.before};
  std::optional<FactorSplit> found;
  int64_t major = 1;
  for (FactorId factor : dimFactors) {
    int64_t size = rule.factors[factor].size;
    int64_t before = split.before / major;
    if (split.before % major == 0 && size % (before * batch.count) == 0)
      found = FactorSplit{factor, before};
    major *= size;
  }
  return found;
}

std::optional<BatchSplit>
MicrobatchAnalysis::splitOf(const ShardingRule &rule, size_t tensor,
                            const FactorSplit &split) const {
  for (auto [dim, dimFactors] : llvm::enumerate(rule.tensor(tensor).dims)) {
    int64_t major = 1;
    for (FactorId factor : dimFactors) {
      if (factor == split.factor)
        return BatchSplit{int64_t(dim), major * split.before};
      major *= rule.factors[factor].size;
    }
  }
  return std::nullopt;
}

std::optional<BatchSplit> MicrobatchAnalysis::splitOf(Operation *op,
                                                      size_t tensor) const {
  auto found = factors.find(op);
  if (found == factors.end())
    return std::nullopt;
  return splitOf(*rules.lookup(op), tensor, found->second);
}

/// Whether what `op` does for a part along `factor` depends on which part it
/// is: indices along it are data.
bool MicrobatchAnalysis::needsIndex(Operation *op, const ShardingRule &rule,
                                    FactorId factor) const {
  if (!isa<LocalComputationInterface>(op) || rule.operands.empty() ||
      !rule.operands.front().contains(factor))
    return false;
  if (rule.factors[factor].kind == FactorKind::Reduction)
    return true;
  if (auto update = dyn_cast<DynamicUpdateSliceOp>(op))
    return !rule.operands[1].contains(factor);
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return !rule.operands[2].contains(factor);
  return false;
}

std::optional<MicrobatchAnalysis::OperandSplits>
MicrobatchAnalysis::splitsForResult(Operation *op,
                                    const BatchSplit &split) const {
  const ShardingRule *rule = rules.lookup(op);
  if (!rule)
    return std::nullopt;
  std::optional<FactorSplit> factor =
      factorOf(*rule, op->getNumOperands(), split);
  if (!factor ||
      rule->factors[factor->factor].kind != FactorKind::PassThrough ||
      isa<LocalComputationInterface>(op) ||
      llvm::any_of(rule->factors, [](const Factor &factor) {
        return factor.kind == FactorKind::Reduction;
      }))
    return std::nullopt;
  OperandSplits splits;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    std::optional<BatchSplit> own = splitOf(*rule, number, *factor);
    BatchState state = states.lookup(operand);
    bool isThere =
        state.is(BatchState::Invariant) || (own && state.is(BatchState::Split));
    if (!isThere || (own && !fits(operand, *own)))
      return std::nullopt;
    splits.push_back(own);
  }
  return splits;
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

bool tessera::shard::isMatmul(const ShardingRule &rule) {
  for (auto [id, factor] : llvm::enumerate(rule.factors))
    if (factor.kind == FactorKind::Reduction &&
        llvm::count_if(rule.operands, [&, id = id](const auto &operand) {
          return operand.contains(id);
        }) > 1)
      return true;
  return false;
}

bool MicrobatchAnalysis::analyseComputation(Operation *op,
                                            const ShardingRule *rule) {
  bool anySplit = false, anySum = false, anyUnknown = false;
  Operation *origin = nullptr;
  for (Value operand : op->getOperands()) {
    const BatchState &state = states[operand];
    anySplit |= state.is(BatchState::Split);
    anySum |= state.is(BatchState::Pending) || state.is(BatchState::After);
    anyUnknown |= state.is(BatchState::Unknown);
    origin = origin ? origin : state.origin;
  }
  if (anySplit)
    return rule ? analyseSplit(op, *rule)
                : needsWholeBatch(op, "its parts cannot be told apart");
  if (anySum)
    return analysePending(op, rule);
  BatchState state = BatchState::invariant();
  state.origin = origin;
  if (anyUnknown)
    state.kind = BatchState::Unknown;
  else if (origin && rule && isMatmul(*rule))
    return needsWholeBatch(op, "it computes from all rows", origin);
  return set(op, state);
}

/// The states of the results of `op`, at least one of whose operands is split
/// by microbatches: split along the same factor, or a pending sum if that is
/// reduced. False after a reason has been noted why it cannot be computed so.
bool MicrobatchAnalysis::analyseSplit(Operation *op, const ShardingRule &rule) {
  std::optional<FactorSplit> split;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    BatchState state = states[operand];
    if (state.is(BatchState::Pending) || state.is(BatchState::After))
      return needsSum(op, operand);
    if (!state.is(BatchState::Split))
      continue;
    std::optional<FactorSplit> own = factorOf(rule, number, state.split);
    if (!own)
      return waitForRows(op, "the parts of dimension " +
                                 Twine(state.split.dim) + " of operand " +
                                 Twine(number) + " do not stay together");
    if (split && !(*split == *own))
      return waitForRows(op, "it combines each row with all others");
    split = own;
  }
  const Factor &factor = rule.factors[split->factor];
  if ((factor.kind != FactorKind::PassThrough &&
       factor.kind != FactorKind::Reduction) ||
      needsIndex(op, rule, split->factor))
    return waitForRows(op, "it takes rows of other microbatches");
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    if (std::optional<BatchSplit> own = splitOf(rule, number, *split))
      if (!fits(operand, *own))
        return waitForRows(op,
                           "operand " + Twine(number) + " has no equal parts");
  for (auto [number, result] : llvm::enumerate(op->getResults())) {
    BatchState &state = states[result];
    state = {};
    if (auto own = splitOf(rule, op->getNumOperands() + number, *split)) {
      state = BatchState::splitAlong(*own);
    } else if (factor.kind == FactorKind::Reduction) {
      state.kind = BatchState::Pending;
      state.reduction = factor.reduction;
      state.origin = op;
    } else {
      return waitForRows(op, "result " + Twine(number) +
                                 " has no part of its own per microbatch");
    }
  }
  inside.insert(op);
  factors.try_emplace(op, *split);
  return true;
}

/// Pending values stay so where the operation is linear in them; otherwise it
/// waits. Operands not known yet may still turn out to be pending.
bool MicrobatchAnalysis::analysePending(Operation *op,
                                        const ShardingRule *rule) {
  std::optional<ReductionKind> kind;
  bool waits = !rule;
  Operation *origin = nullptr;
  for (Value operand : op->getOperands()) {
    const BatchState &state = states[operand];
    if (state.is(BatchState::Invariant) || state.is(BatchState::Unknown))
      continue;
    if (!origin || waiting.contains(state.origin))
      origin = state.origin;
    waits |= state.is(BatchState::After) || (kind && *kind != state.reduction);
    kind = state.reduction;
  }
  auto isPending = [&](bool orUnknown) {
    return [this, op, orUnknown](unsigned number) {
      BatchState::Kind kind = states[op->getOperand(number)].kind;
      return kind == BatchState::Pending ||
             (orUnknown && kind == BatchState::Unknown);
    };
  };
  if (rule && isMatmul(*rule) && waiting.contains(origin))
    return cannotWait(origin);
  // In a loop contributions are rounded one by one, as those of products are.
  bool isRounded = isa<arith::TruncFOp>(op) && kind == ReductionKind::Sum &&
                   op->getParentOp() != function;
  waits = waits || (!isRounded && !rule->carries(*kind, isPending(false)) &&
                    !rule->carries(*kind, isPending(true)));
  BatchState state =
      BatchState::ofKind(waits ? BatchState::After : BatchState::Pending);
  state.reduction = waits ? ReductionKind::Sum : *kind;
  state.origin = origin;
  return set(op, state);
}

//===----------------------------------------------------------------------===//
// What needs the whole batch
//===----------------------------------------------------------------------===//

bool MicrobatchAnalysis::isData(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return batch.data.contains(argument);
  return isDataComputation(value.getDefiningOp());
}

/// Whether `op` contracts nothing, nor does what stands in its regions, if it
/// is a loop or a branch.
static bool isCheap(Operation *op, RuleCache &rules) {
  auto visit = [&](Operation *inner) {
    const ShardingRule *rule = rules.lookup(inner);
    bool isKnown =
        rule ? !isMatmul(*rule)
             : isa<RegionBranchOpInterface>(inner) ||
                   inner->hasTrait<OpTrait::IsTerminator>() ||
                   (inner->getNumRegions() == 0 && isMemoryEffectFree(inner));
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  };
  return !op->walk(visit).wasInterrupted();
}

/// Whether `op` is a cheap computation of the function, from nothing but the
/// data.
bool MicrobatchAnalysis::isDataComputation(Operation *op) {
  auto [entry, isNew] = dataComputations.try_emplace(op, false);
  if (!isNew)
    return entry->second;
  SetVector<Value> reads(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), reads);
  bool result = op->getParentOp() == function && isCheap(op, rules) &&
                llvm::all_of(reads, [&](Value read) { return isData(read); });
  return dataComputations[op] = result;
}

/// Lets `op` be computed on the whole batch before the microbatches, if it is
/// cheap and there is all it needs.
bool MicrobatchAnalysis::computeBeforehand(Operation *op) {
  if (!op || !isDataComputation(op))
    return false;
  // With it what it needs of sums.
  SmallVector<Operation *> pending = {op};
  while (!pending.empty()) {
    Operation *next = pending.pop_back_val();
    if (!beforehand.insert(next).second)
      continue;
    for (Value operand : next->getOperands()) {
      BatchState state = states.lookup(operand);
      if (state.is(BatchState::Pending) || state.is(BatchState::After))
        pending.push_back(operand.getDefiningOp());
    }
    analyse(next);
  }
  again = true;
  return true;
}

/// `op`, which has parts as operands, cannot be computed on parts of the batch.
/// It waits for all rows, unless multiplications wait for it in turn: these are
/// the work that microbatches are to do.
bool MicrobatchAnalysis::waitForRows(Operation *op, const Twine &why,
                                     Operation *origin) {
  const ShardingRule *rule = rules.lookup(op);
  if (op->getParentOp() != function || !rule || isMatmul(*rule) ||
      op->getNumResults() == 0)
    return needsWholeBatch(op, why, origin);
  if (computeBeforehand(op))
    return true;
  BatchState state = BatchState::ofKind(BatchState::After);
  state.origin = op;
  waiting[op] = {op, why.str(), origin};
  return set(op, state);
}

/// Says of multiplications that `cause`, which waits for all rows, is why they
/// cannot be computed on parts.
bool MicrobatchAnalysis::cannotWait(Operation *cause) {
  problem = waiting.at(cause);
  return false;
}

/// `op` cannot be computed on parts of the batch.
bool MicrobatchAnalysis::needsWholeBatch(Operation *op, const Twine &why,
                                         Operation *origin) {
  if (computeBeforehand(op))
    return true;
  problem = {op, why.str(), origin};
  return false;
}

/// `op` uses rows and `operand`, which is known only when all rows have been
/// computed.
bool MicrobatchAnalysis::needsSum(Operation *op, Value operand) {
  if (operand && op->getParentOp() == function &&
      computeBeforehand(operand.getDefiningOp()))
    return analyse(op);
  return waitForRows(op,
                     "it uses rows and what is computed from all rows together",
                     operand ? states[operand].origin : nullptr);
}

bool MicrobatchAnalysis::mayDefer(Operation *op) const {
  if (isWhole)
    return !working.contains(op);
  return !hasDataFlow(op) && llvm::none_of(op->getOperands(), [&](Value value) {
    return lookup(value).is(BatchState::Split);
  });
}

std::pair<double, double> MicrobatchAnalysis::countWork() {
  double ofParts = 0, all = 0;
  walkProgram(function, [&](Operation *op) {
    const ShardingRule *rule = rules.lookup(op);
    if (!rule || !isMatmul(*rule))
      return;
    double work = tripCount(op);
    for (const Factor &factor : rule->factors)
      work *= factor.size;
    all += work;
    ofParts += factors.contains(op) ? work : 0;
  });
  return {ofParts, all};
}

void tessera::shard::noteMembers(InFlightDiagnostic &diagnostic,
                                 const Batch &batch) {
  for (const Batch::Member &member : batch.members) {
    BlockArgument argument = member.argument;
    auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    auto name = function.getArgAttrOfType<StringAttr>(
        argument.getArgNumber(), TesseraDialect::kNameAttr);
    Diagnostic &note = diagnostic.attachNote(argument.getLoc())
                       << "the batch is dimension " << member.dim << " of ";
    if (name)
      note << "'" << name.getValue() << "'";
    else
      note << "argument " << argument.getArgNumber();
  }
}

std::pair<std::string, Location> MicrobatchAnalysis::whyNot() const {
  return {("cannot be split into microbatches: '" +
           problem.op->getName().getStringRef() +
           "' needs the whole batch: " + problem.why)
              .str(),
          problem.op->getLoc()};
}

void MicrobatchAnalysis::report() {
  InFlightDiagnostic diagnostic = problem.op->emitError(whyNot().first);
  if (problem.origin && problem.origin != problem.op)
    diagnostic.attachNote(problem.origin->getLoc())
        << "all rows are needed here";
  noteMembers(diagnostic, batch);
  diagnostic.attachNote(problem.op->getLoc())
      << "--microbatches=1 keeps the batch whole; if another dimension is the "
         "batch, mark it with tessera.batch";
}
