//===- LoopWindow.cpp - what stands around a loop -------------------------===//

#include "Iterations/LoopWindow.h"

#include "tessera/Dialect/Spmd/MemoryMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

/// From `op` in the direction of `next`, the last operation before the second
/// loop that comes.
static Operation *findEnd(Operation *op, Operation *(*next)(Operation *)) {
  int loops = 0;
  while (Operation *other = next(op)) {
    if (isa<scf::ForOp>(other) && ++loops == 2)
      break;
    op = other;
  }
  return op;
}

Operation *LoopWindow::frontOf(scf::ForOp loop) {
  return findEnd(loop, [](Operation *op) { return op->getPrevNode(); });
}

LoopWindow::LoopWindow(scf::ForOp loop, const LoopCollectives &collectives)
    : block(loop->getBlock()) {
  Operation *first = frontOf(loop);
  Operation *last =
      findEnd(loop, [](Operation *op) { return op->getNextNode(); });
  if (last->hasTrait<OpTrait::IsTerminator>())
    last = last->getPrevNode();
  for (Operation &op :
       llvm::make_range(first->getIterator(), std::next(last->getIterator())))
    ops.insert(&op);
  for (const StackReduction &stack : collectives.reductions) {
    ops.insert(stack.steps.begin(), stack.steps.end());
    ops.insert(stack.collective);
  }
  auto isInside = [&](Operation *op) {
    return ops.contains(block->findAncestorOpInBlock(*op));
  };
  for (Operation *op : ops) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *maker = operand.getDefiningOp();
        if (operand.getParentBlock() != block || ops.contains(maker))
          continue;
        if (maker && maker->hasTrait<OpTrait::ConstantLike>())
          constants.insert(maker);
        else
          arguments.insert(operand);
      }
    });
    for (Value result : op->getResults())
      if (!llvm::all_of(result.getUsers(), isInside))
        results.push_back(result);
  }
  for (Value argument : arguments)
    endingBytes.push_back(argument.getDefiningOp() &&
                                  isa<RankedTensorType>(argument.getType()) &&
                                  llvm::all_of(argument.getUsers(), isInside)
                              ? spmd::bytesOf(argument)
                              : 0);
}

LoopWindow::Copy LoopWindow::copyTo(ModuleOp module) const {
  Location loc = ops.front()->getLoc();
  auto type =
      FunctionType::get(module.getContext(), TypeRange(arguments.getArrayRef()),
                        TypeRange(ArrayRef<Value>(results)));
  Copy copy{func::FuncOp::create(loc, "window", type), {}};
  module.push_back(copy.function);
  Block *body = copy.function.addEntryBlock();
  copy.mapping.map(arguments.getArrayRef(), body->getArguments());
  OpBuilder builder = OpBuilder::atBlockEnd(body);
  for (Operation *op : constants)
    builder.clone(*op, copy.mapping);
  for (Operation *op : ops)
    builder.clone(*op, copy.mapping);
  SmallVector<Value> read;
  for (Value result : results)
    read.push_back(copy.mapping.lookup(result));
  func::ReturnOp::create(builder, loc, read);
  return copy;
}
