//===- InlineCalls.cpp - one function instead of many ---------------------===//
//
// How many operations there will be is known before anything is copied: calls
// that double from function to function are an error, not a machine out of
// memory. Then callees first, so that every body is complete when it is copied.
// MLIR's own inliner splits the caller's block at every call, which takes time
// quadratic in the size of a model; here all functions are of one block, and
// the work is that of copying.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Import/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::importer {
#define GEN_PASS_DEF_INLINECALLS
#include "tessera/Transforms/Import/Passes.h.inc"
} // namespace tessera::importer

#define DEBUG_TYPE "tessera-inline-calls"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// The most operations that a function may have when all is inlined: forty
/// times a transformer of 96 layers unrolled, forward and backward.
static constexpr int64_t kMaxOperations = 4'000'000;

namespace {

/// Inlines calls in the functions of one module.
class CallInliner {
public:
  explicit CallInliner(ModuleOp module) : symbols(module) {}

  /// Replaces all calls in `function`, also those that this brings.
  LogicalResult run(func::FuncOp function);

private:
  FailureOr<int64_t> inlinedSize(func::FuncOp function);
  void inlineInto(func::FuncOp function);
  void inlineCall(func::CallOp call, func::FuncOp callee);
  FailureOr<func::FuncOp> findCallee(func::CallOp call);

  SymbolTable symbols;
  llvm::DenseSet<Operation *> active, finished;
  /// Operations per function when its calls are inlined, at most one more than
  /// there may be.
  llvm::DenseMap<Operation *, int64_t> sizes;
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
  LDBG() << describeOperation(call) << ": @" << callee.getSymName()
         << " inlined";
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

FailureOr<int64_t> CallInliner::inlinedSize(func::FuncOp function) {
  if (auto known = sizes.find(function); known != sizes.end())
    return known->second;
  active.insert(function);
  int64_t size = 0;
  WalkResult walk = function.getBody().walk([&](Operation *op) {
    FailureOr<int64_t> added = int64_t(1);
    if (auto call = dyn_cast<func::CallOp>(op)) {
      FailureOr<func::FuncOp> callee = findCallee(call);
      added = failed(callee) ? FailureOr<int64_t>() : inlinedSize(*callee);
    }
    if (failed(added))
      return WalkResult::interrupt();
    size = std::min(size + *added, kMaxOperations + 1);
    return WalkResult::advance();
  });
  active.erase(function);
  if (walk.wasInterrupted())
    return failure();
  return sizes[function] = size;
}

void CallInliner::inlineInto(func::FuncOp function) {
  if (!finished.insert(function).second)
    return;
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    inlineInto(callee);
    inlineCall(call, callee);
  }
}

LogicalResult CallInliner::run(func::FuncOp function) {
  FailureOr<int64_t> size = inlinedSize(function);
  if (failed(size))
    return failure();
  if (*size > kMaxOperations)
    return emitError(function.getLoc())
           << "expected at most " << kMaxOperations << " operations in @"
           << function.getSymName()
           << " and what it calls, every call counted, got more";
  inlineInto(function);
  return success();
}

namespace {

struct InlineCalls
    : public tessera::importer::impl::InlineCallsBase<InlineCalls> {
  void runOnOperation() override {
    CallInliner inliner(getOperation());
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (function.isPublic() && failed(inliner.run(function)))
        return signalPassFailure();
    for (func::FuncOp function : functions)
      if (!function.isPublic())
        function.erase();
  }
};

} // namespace
