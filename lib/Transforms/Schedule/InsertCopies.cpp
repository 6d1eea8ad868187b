//===- InsertCopies.cpp - copies that no memory plan can save -------------===//

#include "InsertCopies.h"

#include "Lifetimes.h"
#include "LoopMemory.h"
#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Dialect/Tessera/Donation.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

/// A kernel that copies `value`, and is read in its place by `use`.
static void copyBefore(OpOperand &use) {
  Operation *user = use.getOwner();
  OpBuilder builder(user);
  Value value = use.get();
  auto kernel = spmd::KernelOp::create(
      builder, user->getLoc(), TypeRange(value.getType()), ValueRange(value));
  Block *body = builder.createBlock(&kernel.getBody(), {}, value.getType(),
                                    value.getLoc());
  spmd::YieldOp::create(builder, user->getLoc(), body->getArguments());
  use.set(kernel.getResult(0));
}

/// Values that a loop hands on in another position would have to exchange their
/// places; arguments of the program that are results would be read after they
/// were overwritten. Both are copied first.
static void copyExchanged(func::FuncOp function) {
  function.walk([](Operation *op) {
    if (!isa<scf::YieldOp, scf::ConditionOp>(op) ||
        !isa<LoopLikeOpInterface>(op->getParentOp()))
      return;
    SmallVector<Value> takers;
    for (OpOperand &use : op->getOpOperands())
      takers.push_back(takerOf(use));
    for (OpOperand &use : op->getOpOperands()) {
      auto argument = dyn_cast<BlockArgument>(use.get());
      if (!argument || !isa<RankedTensorType>(argument.getType()) ||
          argument.getOwner()->getParentOp() != op->getParentOp())
        continue;
      Value holder = holderOf(argument);
      if (holder != takers[use.getOperandNumber()] &&
          llvm::is_contained(takers, holder))
        copyBefore(use);
    }
  });
  for (OpOperand &use :
       function.getBody().front().getTerminator()->getOpOperands()) {
    auto argument = dyn_cast<BlockArgument>(use.get());
    if (!argument)
      continue;
    std::optional<unsigned> donated = getDonatedResult(argument);
    if (donated && *donated != use.getOperandNumber())
      copyBefore(use);
  }
}

namespace {

/// Decides which operands calls may overwrite with the results that these are
/// donated to. The others are copied first.
class DonatedOperands {
public:
  DonatedOperands(func::FuncOp function, const CalledFunctions &functions)
      : function(function), functions(functions), times(function) {}

  void copyOthers() {
    function.walk([&](func::CallOp call) {
      for (auto [number, result] : llvm::enumerate(functions.donations(call)))
        if (result >= 0 && !mayOverwrite(call, number, result))
          copyBefore(call->getOpOperand(number));
    });
  }

private:
  /// Whether nothing reads `value` during the call or later.
  bool diesAt(Value value, func::CallOp call) {
    return isReadOnce(value, call) && times.lastUse(value) == times.begin(call);
  }

  bool mayOverwrite(func::CallOp call, unsigned operand, unsigned result) {
    Value value = call.getOperand(operand);
    if (!diesAt(value, call))
      return false;
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      return value.getParentBlock() == call->getBlock();
    return argument.getOwner() == &function.getBody().front() &&
           call->getBlock() == argument.getOwner() &&
           becomesResult(argument, call.getResult(result));
  }

  /// Whether `value`, or what later calls make of it in its place, is the
  /// program's result that `argument` is donated to.
  bool becomesResult(BlockArgument argument, Value value) {
    std::optional<unsigned> donated = getDonatedResult(argument);
    if (!donated)
      return false;
    Operation *end = function.getBody().front().getTerminator();
    while (value && end->getOperand(*donated) != value)
      value = successorOf(value);
    return bool(value);
  }

  /// The result that a call makes in the place of `value`, if one does.
  Value successorOf(Value value) {
    for (OpOperand &use : value.getUses())
      if (auto call = dyn_cast<func::CallOp>(use.getOwner()))
        if (int64_t result = functions.donations(call)[use.getOperandNumber()];
            result >= 0 && diesAt(value, call) &&
            call->getBlock() == value.getParentBlock())
          return call.getResult(result);
    return {};
  }

  func::FuncOp function;
  const CalledFunctions &functions;
  Lifetimes times;
};

} // namespace

void tessera::schedule::insertCopies(func::FuncOp function,
                                     const CalledFunctions &functions) {
  copyExchanged(function);
  DonatedOperands(function, functions).copyOthers();
}
