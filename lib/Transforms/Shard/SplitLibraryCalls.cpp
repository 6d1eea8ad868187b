//===- SplitLibraryCalls.cpp - routines on what they need whole -----------===//
//
// A routine gets the dimensions of its own, those of a transform or a matrix,
// whole. Where they are split, some routines have a form on parts, of calls on
// less, products and moves (Libraries): a row per routine.
//
//===----------------------------------------------------------------------===//

#include "Libraries/SplitRoutines.h"

#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Support/RoutineSignatures.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::shard {
#define GEN_PASS_DEF_SPLITLIBRARYCALLS
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-split-library-calls"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {
/// A family of routines, and what replaces the results of a call; nothing where
/// it stays.
struct RoutineSplit {
  StringLiteral family;
  SmallVector<Value> (*split)(LibraryCallOp, RoutineCosts &);
};

struct SplitLibraryCalls
    : tessera::shard::impl::SplitLibraryCallsBase<SplitLibraryCalls> {
  void runOnOperation() override;
};
} // namespace

static constexpr RoutineSplit kSplits[] = {
    {"fft", splitTransform},
    {"getrf", splitElimination},
    {"potrf", splitFactor},
    {"trsm", splitSolution},
};

/// Where `value` lies as `now` and not as `before`, so does what is computed
/// from it element by element and was to lie like it: a call that takes this is
/// split for where it will be.
static void followResult(Value value, ShardingAttr before, ShardingAttr now) {
  if (!before || before == now)
    return;
  SmallVector<Value> left = {value};
  while (!left.empty())
    for (Operation *user : left.pop_back_val().getUsers()) {
      if (!OpTrait::hasElementwiseMappableTraits(user))
        continue;
      for (Value result : user->getResults())
        if (getSharding(result) == before) {
          setSharding(result, now);
          left.push_back(result);
        }
    }
}

void SplitLibraryCalls::runOnOperation() {
  SmallVector<LibraryCallOp> calls;
  getOperation().walk([&](LibraryCallOp call) { calls.push_back(call); });
  if (calls.empty())
    return;
  FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
  if (failed(mesh))
    return signalPassFailure();
  RoutineCosts costs(*mesh);
  for (LibraryCallOp call : calls) {
    std::optional<OwnRoutine> own = findOwnRoutine(call.getRoutine());
    const auto *row = llvm::find_if(kSplits, [&](const RoutineSplit &row) {
      return own && row.family == StringRef(own->family);
    });
    SmallVector<Value> results;
    if (row != std::end(kSplits))
      results = row->split(call, costs);
    if (results.empty())
      continue;
    LDBG() << describeOperation(call) << ": split";
    for (auto [value, result] : llvm::zip_equal(call.getResults(), results)) {
      ShardingAttr before = getSharding(value);
      value.replaceAllUsesWith(result);
      followResult(result, before, getSharding(result));
    }
    call.erase();
  }
}
