//===- Calls.cpp - what a call does to memory -----------------------------===//

#include "Calls.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Rt/ProgramMemory.h"
#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Dialect/Tessera/Donation.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

int64_t schedule::arenaWithin(func::FuncOp program, int64_t limit,
                              ArrayRef<int64_t> reserved) {
  auto attribute =
      program->getAttrOfType<IntegerAttr>(pipe::PipeDialect::kRankAttr);
  size_t rank = attribute ? attribute.getInt() : 0;
  if (rank < reserved.size())
    limit = std::max<int64_t>(limit - reserved[rank], 1);
  return ProgramMemory::of(program).arenaWithin(limit);
}

SmallVector<int64_t> CalledFunctions::donations(func::CallOp call) const {
  SmallVector<int64_t> results(call.getNumOperands(), -1);
  func::FuncOp function = find(call);
  for (unsigned i = 0; function && i < call.getNumOperands(); ++i)
    if (std::optional<unsigned> donated = getDonatedResult(function, i))
      results[i] = *donated;
  return results;
}

int64_t CalledFunctions::arenaSize(func::CallOp call) const {
  func::FuncOp function = find(call);
  auto size = function ? function->getAttrOfType<IntegerAttr>(
                             spmd::SpmdDialect::kArenaSizeAttr)
                       : IntegerAttr();
  return size ? size.getInt() : 0;
}

namespace {

/// Visits what a function calls before the function.
class CallOrder {
public:
  explicit CallOrder(ModuleOp module) : functions(module) {}

  LogicalResult visit(func::FuncOp function) {
    auto [entry, fresh] = states.try_emplace(function, State::Open);
    if (!fresh)
      return success(entry->second == State::Done);
    WalkResult result = function.walk([&](func::CallOp call) {
      func::FuncOp callee = functions.find(call);
      if (!callee || callee.isExternal()) {
        call->emitError() << "expected the call of a function with a body, got "
                          << call.getCalleeAttr();
        return WalkResult::interrupt();
      }
      if (states.lookup(callee) == State::Open) {
        call->emitError() << "expected a function that does not call itself, "
                             "got "
                          << call.getCalleeAttr();
        return WalkResult::interrupt();
      }
      return failed(visit(callee)) ? WalkResult::interrupt()
                                   : WalkResult::advance();
    });
    states[function] = State::Done;
    order.push_back(function);
    return failure(result.wasInterrupted());
  }

  SmallVector<func::FuncOp> order;

private:
  enum class State { Unseen, Open, Done };

  CalledFunctions functions;
  llvm::DenseMap<Operation *, State> states;
};

} // namespace

FailureOr<SmallVector<func::FuncOp>> CalledFunctions::inOrder(ModuleOp module) {
  CallOrder calls(module);
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && failed(calls.visit(function)))
      return failure();
  return std::move(calls.order);
}
