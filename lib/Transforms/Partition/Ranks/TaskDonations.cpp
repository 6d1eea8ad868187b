//===- TaskDonations.cpp - which results of tasks are written in place ----===//

#include "Ranks/TaskDonations.h"

#include "tessera/Dialect/Tessera/Donation.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

namespace {

/// Operand `from` and result `to`, both of a fragment, might share memory.
struct Candidate {
  Value from;
  OpResult to;
};

} // namespace

/// The result of a fragment that `value` is; null where it is none.
static OpResult fragmentResult(Value value) {
  return value.getDefiningOp<pipe::FragmentOp>() ? cast<OpResult>(value)
                                                 : OpResult();
}

static SmallVector<Candidate> findCandidates(const ScheduledStep &step) {
  SmallVector<Candidate> candidates;
  auto add = [&](Value from, Value to) {
    if (OpResult result = fragmentResult(to))
      candidates.push_back({from, result});
  };
  scf::ForOp loop = step.getLoop();
  Operation *yield = loop.getBody()->getTerminator();
  for (auto [number, accumulator] : llvm::enumerate(step.accumulators)) {
    if (!accumulator) {
      add(loop.getRegionIterArg(number), yield->getOperand(number));
      continue;
    }
    for (const auto &segment : accumulator->segments)
      for (const pipe::LoopAccumulator::Link &link : segment)
        add(link.input, link.result);
  }
  for (auto [number, rows] : llvm::enumerate(step.arguments))
    if (std::optional<unsigned> donated = step.donatedResult(number))
      add(rows.value, step.trace({step.results[*donated].value}).value);
  return candidates;
}

/// Whether result `to` of `call` may be written over operand `from`.
static bool allows(func::CallOp call, unsigned from, unsigned to) {
  Value operand = call.getOperand(from);
  auto program = call->getParentOfType<func::FuncOp>();
  for (OpOperand &use : operand.getUses())
    if (use.getOwner() == call ? use.getOperandNumber() != from
                               : call->isBeforeInBlock(use.getOwner()))
      return false;
  if (auto argument = dyn_cast<BlockArgument>(operand)) {
    std::optional<unsigned> donated = getDonatedResult(argument);
    return donated && program.getBody().front().getTerminator()->getOperand(
                          *donated) == call.getResult(to);
  }
  return !operand.getDefiningOp()->hasTrait<OpTrait::ConstantLike>();
}

void tessera::partition::donateOperands(
    const ScheduledStep &step, const RankBuilder::FragmentFunctions &functions,
    ArrayRef<func::FuncOp> programs) {
  llvm::StringMap<SmallVector<func::CallOp>> calls;
  for (func::FuncOp program : programs)
    for (auto call : program.getOps<func::CallOp>())
      calls[call.getCallee()].push_back(call);
  llvm::DenseSet<Value> taken;
  for (Candidate candidate : findCandidates(step)) {
    const FragmentFunction &callee =
        functions.find(candidate.to.getOwner())->second;
    auto position = llvm::find(callee.operands, candidate.from);
    if (position == callee.operands.end() || taken.contains(candidate.to) ||
        candidate.from.getType() != candidate.to.getType())
      continue;
    unsigned from = position - callee.operands.begin(),
             to = candidate.to.getResultNumber();
    func::FuncOp function = callee.function;
    if (getDonatedResult(function, from) ||
        !llvm::all_of(calls[function.getSymName()], [&](func::CallOp call) {
          return allows(call, from, to);
        }))
      continue;
    taken.insert(candidate.to);
    function.setArgAttr(
        from, TesseraDialect::kDonatedAttr,
        IntegerAttr::get(IntegerType::get(function.getContext(), 32), to));
  }
}
