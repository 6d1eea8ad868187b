//===- LoopMemory.cpp - where loops and branches keep values --------------===//

#include "LoopMemory.h"

#include "tessera/Dialect/Tessera/Donation.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

Value tessera::schedule::holderOf(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  if (isa<scf::ForOp>(parent))
    return parent->getResult(number - 1);
  bool hasResult = number < parent->getNumResults() &&
                   parent->getResult(number).getType() == argument.getType();
  return hasResult ? Value(parent->getResult(number)) : argument;
}

Value tessera::schedule::takerOf(OpOperand &handed) {
  Operation *owner = handed.getOwner();
  unsigned number = handed.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(owner)) {
    unsigned bounds = loop.getNumControlOperands();
    return number < bounds ? Value() : loop.getResult(number - bounds);
  }
  if (auto loop = dyn_cast<scf::WhileOp>(owner))
    return holderOf(loop.getBeforeArguments()[number]);
  if (isa<scf::ConditionOp>(owner))
    return number ? owner->getParentOp()->getResult(number - 1) : Value();
  if (!isa<scf::YieldOp>(owner))
    return {};
  if (auto loop = dyn_cast<scf::WhileOp>(owner->getParentOp()))
    return holderOf(loop.getBeforeArguments()[number]);
  return owner->getParentOp()->getResult(number);
}

Value tessera::schedule::argumentAt(Region &region, Value taker) {
  for (BlockArgument argument : region.getArguments())
    if (isa<RankedTensorType>(argument.getType()) &&
        isa<LoopLikeOpInterface>(region.getParentOp()) &&
        holderOf(argument) == taker)
      return argument;
  return {};
}

Value tessera::schedule::successorOf(BlockArgument argument) {
  Block *block = argument.getOwner();
  Operation *parent = block->getParentOp();
  unsigned number = argument.getArgNumber();
  if (isa<func::FuncOp>(parent)) {
    std::optional<unsigned> donated = getDonatedResult(argument);
    return donated ? block->getTerminator()->getOperand(*donated) : Value();
  }
  if (isa<scf::ForOp>(parent))
    return number ? block->getTerminator()->getOperand(number - 1) : Value();
  if (auto loop = dyn_cast<scf::WhileOp>(parent);
      loop && block == loop.getAfterBody())
    return block->getTerminator()->getOperand(number);
  return {};
}
