//===- InlineCalls.cpp - one function instead of many ---------------------===//
//
// Callees first, so that every body is complete when it is copied. MLIR's own
// inliner splits the caller's block at every call, which takes time quadratic
// in the size of a model; here all functions are of one block, and the work is
// that of copying.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Transforms/Import/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace tessera {
#define GEN_PASS_DEF_INLINECALLS
#include "tessera/Transforms/Import/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

namespace {

/// Inlines calls in the functions of one module.
class CallInliner {
public:
  explicit CallInliner(ModuleOp module) : symbols(module) {}

  /// Replaces all calls in `function`, also those that this brings.
  LogicalResult inlineInto(func::FuncOp function);

private:
  void inlineCall(func::CallOp call, func::FuncOp callee);
  FailureOr<func::FuncOp> findCallee(func::CallOp call);

  SymbolTable symbols;
  llvm::DenseSet<Operation *> active, finished;
};

} // namespace

FailureOr<func::FuncOp> CallInliner::findCallee(func::CallOp call) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee || !callee.getBody().hasOneBlock())
    return emitError(call.getLoc())
               << "expected a body of one block of @" << call.getCallee(),
           failure();
  if (active.contains(callee))
    return emitError(call.getLoc()) << "expected no recursion, got a call of @"
                                    << call.getCallee() << " inside of itself",
           failure();
  return callee;
}

/// `value` as `attributes`, those of an argument or result of a function, say
/// that it is split.
static Value constrained(OpBuilder &builder, Value value,
                         DictionaryAttr attributes) {
  auto sharding =
      attributes ? attributes.getAs<ShardingAttr>(TesseraDialect::kShardingAttr)
                 : ShardingAttr();
  return sharding
             ? ConstrainOp::create(builder, value.getLoc(), value, sharding)
             : value;
}

/// Moves what is called to the place of the call; its locations remember that
/// place.
void CallInliner::inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  for (auto [i, argument] : llvm::enumerate(callee.getArguments()))
    mapping.map(argument, constrained(builder, call.getOperand(i),
                                      callee.getArgAttrDict(i)));
  llvm::DenseMap<Location, Location> locations;
  auto atCall = [&](Location location) {
    auto known = locations.find(location);
    if (known != locations.end())
      return known->second;
    Location placed = CallSiteLoc::get(location, call.getLoc());
    locations.insert({location, placed});
    return placed;
  };
  for (Operation &op : callee.getBody().front().without_terminator())
    builder.clone(op, mapping)->walk([&](Operation *copy) {
      copy->setLoc(atCall(copy->getLoc()));
      for (Region &region : copy->getRegions())
        for (BlockArgument argument : region.getArguments())
          argument.setLoc(atCall(argument.getLoc()));
    });
  Operation *end = callee.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands()))
    call.getResult(i).replaceAllUsesWith(constrained(
        builder, mapping.lookupOrDefault(value), callee.getResultAttrDict(i)));
  call.erase();
}

LogicalResult CallInliner::inlineInto(func::FuncOp function) {
  if (finished.contains(function))
    return success();
  active.insert(function);
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls) {
    FailureOr<func::FuncOp> callee = findCallee(call);
    if (failed(callee) || failed(inlineInto(*callee)))
      return failure();
    inlineCall(call, *callee);
  }
  active.erase(function);
  finished.insert(function);
  return success();
}

namespace {

struct InlineCalls : public tessera::impl::InlineCallsBase<InlineCalls> {
  void runOnOperation() override {
    CallInliner inliner(getOperation());
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (function.isPublic() && failed(inliner.inlineInto(function)))
        return signalPassFailure();
    for (func::FuncOp function : functions)
      if (!function.isPublic())
        function.erase();
  }
};

} // namespace
