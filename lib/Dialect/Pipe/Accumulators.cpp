//===- Accumulators.cpp - what a loop over microbatches sums up -----------===//

#include "tessera/Dialect/Pipe/Accumulators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::pipe;

std::optional<LoopAddition> pipe::findAddition(scf::ForOp loop,
                                               unsigned number) {
  Value carried = loop.getRegionIterArg(number);
  Operation *addition = loop.getYieldedValues()[number].getDefiningOp();
  if (!isa_and_present<arith::AddFOp, arith::AddIOp>(addition) ||
      !carried.hasOneUse() || *carried.user_begin() != addition ||
      !addition->hasOneUse())
    return std::nullopt;
  bool isFirst = addition->getOperand(0) == carried;
  return LoopAddition{addition, addition->getOperand(isFirst ? 1 : 0)};
}

/// Whether `value`, of the body of a loop with the variable `variable`, is
/// computed from it.
static bool dependsOn(Value value, Value variable,
                      llvm::SmallDenseSet<Value> &seen) {
  if (value == variable)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(value).second)
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return dependsOn(operand, variable, seen);
  });
}

/// Whether the slice is written at another index in every iteration.
static bool writesElsewhere(DynamicUpdateSliceOp update, Value variable) {
  llvm::SmallDenseSet<Value> seen;
  return llvm::any_of(update.getIndices(), [&](Value index) {
    return dependsOn(index, variable, seen);
  });
}

/// How `use`, of the accumulated value, adds to it; nothing where it does not.
static std::optional<ReductionKind> accumulationAt(OpOperand &use,
                                                   Value variable) {
  using Kind = std::optional<ReductionKind>;
  bool isFirst = use.getOperandNumber() == 0;
  return llvm::TypeSwitch<Operation *, Kind>(use.getOwner())
      .Case<arith::AddFOp, arith::AddIOp>(
          [](auto) { return ReductionKind::Sum; })
      .Case<arith::SubFOp, arith::SubIOp>(
          [&](auto) { return isFirst ? Kind(ReductionKind::Sum) : Kind(); })
      .Case<DynamicUpdateSliceOp>([&](DynamicUpdateSliceOp update) {
        return isFirst && writesElsewhere(update, variable)
                   ? Kind(ReductionKind::Sum)
                   : Kind();
      })
      .Case<arith::MulFOp, arith::MulIOp>(
          [](auto) { return ReductionKind::Product; })
      .Case<arith::MaximumFOp, arith::MaxSIOp>(
          [](auto) { return ReductionKind::Max; })
      .Case<arith::MinimumFOp, arith::MinSIOp>(
          [](auto) { return ReductionKind::Min; })
      .Case<arith::AndIOp>([](auto) { return ReductionKind::And; })
      .Case<arith::OrIOp>([](auto) { return ReductionKind::Or; })
      .Case<arith::XOrIOp>([](auto) { return ReductionKind::Xor; })
      .Default([](Operation *) { return Kind(); });
}

/// Adds a link through `fragment` to the last segment, or to a new one where
/// the fragment is of another task.
static void addLink(LoopAccumulator &accumulator, Value input,
                    OpResult result) {
  auto taskOf = [](const LoopAccumulator::Link &link) {
    auto fragment = cast<FragmentOp>(link.result.getOwner());
    return std::tuple(fragment.getStage(), fragment.getKind(),
                      fragment.getPart());
  };
  LoopAccumulator::Link link{input, result};
  if (accumulator.segments.empty() ||
      taskOf(accumulator.segments.back().back()) != taskOf(link))
    accumulator.segments.emplace_back();
  accumulator.segments.back().push_back(link);
}

std::optional<LoopAccumulator> pipe::findAccumulator(scf::ForOp loop,
                                                     unsigned number) {
  LoopAccumulator accumulator;
  std::optional<ReductionKind> kind;
  Operation *end = loop.getBody()->getTerminator();
  Value value = loop.getRegionIterArg(number), input = value;
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    Operation *user = use.getOwner();
    if (user == end) {
      if (use.getOperandNumber() != number || !kind)
        return std::nullopt;
      accumulator.kind = *kind;
      return accumulator;
    }
    if (auto transfer = dyn_cast<TransferOp>(user)) {
      value = input = transfer.getResult();
      continue;
    }
    auto fragment = dyn_cast<FragmentOp>(user->getParentOp());
    if (!fragment)
      return std::nullopt;
    if (isa<YieldOp>(user)) {
      OpResult result = fragment->getOpResult(use.getOperandNumber());
      addLink(accumulator, input, result);
      value = input = result;
      continue;
    }
    std::optional<ReductionKind> next =
        accumulationAt(use, loop.getInductionVar());
    if (!next || (kind && kind != next))
      return std::nullopt;
    kind = next;
    value = user->getResult(0);
  }
  return std::nullopt;
}

bool pipe::isNeutralStart(Value value, ReductionKind kind) {
  switch (kind) {
  case ReductionKind::Min:
  case ReductionKind::Max:
  case ReductionKind::And:
  case ReductionKind::Or:
    return true;
  default:
    break;
  }
  while (auto fragment = value.getDefiningOp<FragmentOp>())
    value = fragment.getBody().front().getTerminator()->getOperand(
        cast<OpResult>(value).getResultNumber());
  return isNeutral(value, kind);
}
