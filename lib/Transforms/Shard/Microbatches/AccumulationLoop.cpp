//===- AccumulationLoop.cpp - a model's own loop over microbatches --------===//

#include "Microbatches/BatchArguments.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// Whether `value` depends on nothing but `data` and constants, and on some of
/// the former.
static bool comesFromData(Value value, const DenseSet<Value> &data) {
  SmallVector<Value> pending = {value};
  DenseSet<Value> seen;
  bool any = false;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    Operation *op = next.getDefiningOp();
    if (!op) {
      if (!data.contains(next))
        return false;
      any = true;
      continue;
    }
    if (op->getNumRegions() > 0)
      return false;
    llvm::append_range(pending, op->getOperands());
  }
  return any;
}

/// Whether `value` is computed from nothing but the count of `loop` and
/// constants, and from the former.
static bool isCount(scf::ForOp loop, Value value) {
  SmallVector<Value> pending = {value};
  bool any = false;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    any |= next == loop.getInductionVar();
    if (next == loop.getInductionVar())
      continue;
    Operation *op = next.getDefiningOp();
    if (!op || op->getNumRegions() > 0)
      return false;
    llvm::append_range(pending, op->getOperands());
  }
  return any;
}

static bool slicesData(scf::ForOp loop, const DenseSet<Value> &data) {
  return llvm::any_of(
      loop.getBody()->getOps<DynamicSliceOp>(), [&](DynamicSliceOp slice) {
        return loop.isDefinedOutsideOfLoop(slice.getOperand()) &&
               comesFromData(slice.getOperand(), data) &&
               llvm::any_of(slice.getIndices(),
                            [&](Value index) { return isCount(loop, index); });
      });
}

/// Whether the loop makes `yielded` of what it carries as `carried` as a sum
/// over microbatches is made.
static bool addsUp(scf::ForOp loop, Value carried, Value yielded) {
  return carried.hasOneUse() &&
         *carried.user_begin() == yielded.getDefiningOp() &&
         isa<arith::AddFOp, arith::AddIOp, arith::MaximumFOp, arith::MaxSIOp,
             arith::MinimumFOp, arith::MinSIOp>(yielded.getDefiningOp());
}

static bool fillsUp(scf::ForOp loop, Value carried, Value yielded) {
  auto update = yielded.getDefiningOp<DynamicUpdateSliceOp>();
  return update && carried.hasOneUse() && update.getOperand() == carried &&
         llvm::any_of(update.getIndices(),
                      [&](Value index) { return isCount(loop, index); });
}

Operation *tessera::shard::findAccumulationLoop(func::FuncOp function,
                                                const DenseSet<Value> &data) {
  for (auto loop : function.getBody().getOps<scf::ForOp>()) {
    bool anySum = false, others = false;
    for (auto [carried, yielded] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
      if (addsUp(loop, carried, yielded))
        anySum = true;
      else if (carried != yielded && !fillsUp(loop, carried, yielded))
        others = true;
    }
    if (anySum && !others && slicesData(loop, data))
      return loop;
  }
  return nullptr;
}
