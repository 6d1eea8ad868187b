//===- ControlFlow.cpp - Operations that run regions or functions ---------===//

#include "OperationTable.h"

using namespace mlir;
using namespace tessera;

/// scf.if: a missing `else` gives nothing.
static LogicalResult conditional(Invocation &in) {
  auto op = cast<scf::IfOp>(in.op);
  Region &region = in.scalar(0) ? op.getThenRegion() : op.getElseRegion();
  if (region.empty())
    return success();
  return in.executor.run(region, {}, in.results);
}

static LogicalResult indexSwitch(Invocation &in) {
  auto op = cast<scf::IndexSwitchOp>(in.op);
  auto found = llvm::find(op.getCases(), in.scalar(0));
  Region &region = found == op.getCases().end()
                       ? op.getDefaultRegion()
                       : op.getCaseRegions()[found - op.getCases().begin()];
  return in.executor.run(region, {}, in.results);
}

/// pipe.fragment: a region that runs where it stands.
static LogicalResult fragment(Invocation &in) {
  return in.executor.run(in.op->getRegion(0), {}, in.results);
}

/// scf.for: bounds, step, then the carried values.
static LogicalResult forLoop(Invocation &in) {
  auto op = cast<scf::ForOp>(in.op);
  int64_t lower = in.scalar(0), upper = in.scalar(1), step = in.scalar(2);
  if (step <= 0)
    return in.fail("expected a positive step, got " + Twine(step));
  ElementType indexType = in.operand(0).type();
  SmallVector<TensorRef> carried(in.operands.drop_front(3));
  for (int64_t i = lower; i < upper;) {
    HostTensor index(indexType, {});
    if (indexType == ElementType::I64)
      index.elements<int64_t>()[0] = i;
    else
      index.setFromDouble(0, static_cast<double>(i));
    SmallVector<TensorRef> arguments = {
        std::make_shared<const HostTensor>(std::move(index))};
    arguments.append(carried.begin(), carried.end());
    carried.clear();
    SmallVector<TensorRef> next;
    if (failed(in.executor.run(op.getRegion(), arguments, next)))
      return failure();
    carried = std::move(next);
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  in.results.append(carried.begin(), carried.end());
  return success();
}

/// scf.while: `before` takes the carried values and gives the condition and
/// what `after` (or, at last, the loop's user) gets.
static LogicalResult whileLoop(Invocation &in) {
  auto op = cast<scf::WhileOp>(in.op);
  SmallVector<TensorRef> carried(in.operands);
  while (true) {
    SmallVector<TensorRef> condition;
    if (failed(in.executor.run(op.getBefore(), carried, condition)))
      return failure();
    bool goOn = condition.front()->elements<uint8_t>()[0] != 0;
    ArrayRef<TensorRef> passed = ArrayRef(condition).drop_front();
    if (!goOn) {
      in.results.append(passed.begin(), passed.end());
      return success();
    }
    SmallVector<TensorRef> next;
    if (failed(in.executor.run(op.getAfter(), passed, next)))
      return failure();
    carried = std::move(next);
  }
}

static LogicalResult call(Invocation &in) {
  auto op = cast<func::CallOp>(in.op);
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee)
    return in.fail("expected a function of that name");
  return in.executor.call(callee, in.operands, in.results, op);
}

/// spmd.kernel: its body, run once.
static LogicalResult kernel(Invocation &in) {
  return in.executor.run(in.op->getRegion(0), in.operands, in.results);
}

void tessera::addControlFlow(OperationTable &table) {
  table.add("scf.if", conditional);
  table.add("scf.index_switch", indexSwitch);
  table.add("scf.for", forLoop);
  table.add("scf.while", whileLoop);
  table.add("func.call", call);
  table.add("pipe.fragment", fragment);
  table.add("spmd.kernel", kernel);
}
