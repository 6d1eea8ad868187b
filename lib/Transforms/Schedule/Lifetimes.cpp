//===- Lifetimes.cpp - when values are made and last read -----------------===//

#include "Lifetimes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

Lifetimes::Lifetimes(Operation *function) {
  int64_t time = 0;
  number(function, time);
}

void Lifetimes::number(Operation *op, int64_t &time) {
  int64_t begin = time++;
  if (auto start = dyn_cast<spmd::StartOp>(op)) {
    spans[start] = {begin, begin};
    spans[start.getStarted()] = {begin, begin};
    return;
  }
  if (!isa<spmd::KernelOp>(op))
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          number(&inner, time);
  spans[op] = {begin, op->getNumRegions() && !isa<spmd::KernelOp>(op) ? time++
                                                                      : begin};
}

int64_t Lifetimes::timeOf(OpOperand &use) const {
  Operation *user = use.getOwner();
  Operation *ancestor =
      use.get().getParentBlock()->findAncestorOpInBlock(*user);
  if (ancestor == user)
    return begin(user);
  if (auto start = dyn_cast<spmd::StartOp>(ancestor))
    return begin(start.getWait());
  return end(ancestor);
}

int64_t Lifetimes::lastUse(Value value) const {
  Operation *op = value.getDefiningOp();
  int64_t last = op ? begin(op) : begin(value.getParentBlock()->getParentOp());
  for (OpOperand &use : value.getUses())
    last = std::max(last, timeOf(use));
  return last;
}

spmd::StartOp tessera::schedule::startOf(Operation *collective) {
  return dyn_cast_or_null<spmd::StartOp>(collective->getParentOp());
}

bool tessera::schedule::isReadOnce(Value value, Operation *user) {
  return llvm::count_if(value.getUses(), [&](OpOperand &use) {
           return use.getOwner() == user;
         }) == 1;
}
