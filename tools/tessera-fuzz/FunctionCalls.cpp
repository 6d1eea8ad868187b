//===- FunctionCalls.cpp - Random functions and calls of them -------------===//

#include "ProgramGenerator.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

/// How deep functions that call others are made.
static constexpr unsigned maximalUnfinished = 2;

/// A private function, annotated like @main, of one or two arguments and
/// results, all of magnitude 3.
func::FuncOp ProgramGenerator::newFunction() {
  SmallVector<Type> types;
  for (int64_t i = random.between(1, 2); i > 0; --i)
    types.push_back(findNumber()->type());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module->getBody());
  auto function =
      create<func::FuncOp>("f" + std::to_string(functions.size() + unfinished),
                           builder.getFunctionType(types, {}));
  function.setPrivate();
  builder.setInsertionPointToStart(function.addEntryBlock());
  SmallVector<Known> around;
  std::swap(pool, around);
  llvm::SaveAndRestore isolation(isIsolated, true);
  llvm::SaveAndRestore control(depth, int64_t(0));
  ++unfinished;
  for (BlockArgument argument : function.getArguments())
    pool.push_back({argument, 3});
  for (int64_t added = 0, count = random.between(1, 4); added < count;)
    added += addOperation();
  SmallVector<Value> results;
  for (int64_t i = random.between(1, 2); i > 0; --i)
    results.push_back(bounded(*findInside(), 3).value);
  create<func::ReturnOp>(results);
  --unfinished;
  std::swap(pool, around);
  function.setFunctionType(
      builder.getFunctionType(types, TypeRange(ValueRange(results))));
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    function.setArgAttrs(i, boundaryAttributes(types[i], 20));
  for (auto [i, result] : llvm::enumerate(results))
    function.setResultAttrs(i, boundaryAttributes(result.getType(), 20));
  functions.push_back(function);
  return function;
}

/// Calls of a new function or of an old one once more, for which operands are
/// often annotated in different ways.
bool ProgramGenerator::addCall() {
  // In a manual region constraints could name axes that it has by hand.
  if (nesting > 0 || unfinished == maximalUnfinished || !random.chance(50))
    return false;
  func::FuncOp callee = !functions.empty() && random.chance(60)
                            ? random.pick(functions)
                            : newFunction();
  for (int64_t calls = random.pick({1, 1, 2, 3}); calls > 0; --calls) {
    SmallVector<Value> operands;
    for (Type type : callee.getArgumentTypes()) {
      auto tensor = cast<RankedTensorType>(type);
      Value operand = bounded(need(tensor), 3).value;
      if (random.chance(40))
        operand = create<ConstrainOp>(
            type, operand,
            shardings->attribute(builder.getContext(), tensor.getShape(),
                                 tensor.getElementTypeBitWidth() >= 32));
      operands.push_back(operand);
    }
    auto call = create<func::CallOp>(callee, operands);
    for (Value result : call.getResults())
      pool.push_back({result, 3});
  }
  return true;
}
