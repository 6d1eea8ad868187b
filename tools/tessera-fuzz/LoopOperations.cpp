//===- LoopOperations.cpp - Random control flow ---------------------------===//

#include "ProgramGenerator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

/// Some operations from `carried` on, and a value of the same type and bound 3
/// that most likely depends on it. Values made inside are forgotten.
ProgramGenerator::Known ProgramGenerator::iterate(Known carried,
                                                  int64_t operations) {
  size_t known = pool.size();
  pool.push_back(carried);
  ++depth;
  for (int64_t added = 0; added < operations;)
    added += addOperation();
  --depth;
  Known other = need(carried.type());
  bool isFloat = isa<FloatType>(carried.element());
  Value sum =
      isFloat ? create<arith::AddFOp>(carried.value, bounded(other, 60).value)
                    .getResult()
              : create<arith::AddIOp>(carried.value, bounded(other, 60).value)
                    .getResult();
  Known next = bounded({sum, 63}, 3);
  pool.truncate(known);
  return next;
}

bool ProgramGenerator::addFor() {
  if (depth > 0 || !random.chance(40))
    return false;
  Known initial = bounded(*findNumber(), 3);
  auto index = [&](int64_t number) -> Value {
    return create<arith::ConstantOp>(builder.getIndexAttr(number));
  };
  auto loop = create<scf::ForOp>(index(0), index(random.below(4)), index(1),
                                 ValueRange{initial.value});
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Known next = iterate({loop.getRegionIterArg(0), 3}, random.between(1, 4));
    create<scf::YieldOp>(ValueRange{next.value});
  }
  return add(loop.getResult(0), 3);
}

/// A counter that goes up to a limit, and one value more.
bool ProgramGenerator::addWhile() {
  if (depth > 0 || !random.chance(40))
    return false;
  Known initial = bounded(*findNumber(), 3);
  auto counterType = tensorType({}, builder.getI32Type());
  Value zero = splat(counterType, 0),
        limit = splat(counterType, random.below(4)),
        one = splat(counterType, 1);
  SmallVector<Type> carriedTypes = {counterType, initial.type()};
  auto loop =
      create<scf::WhileOp>(carriedTypes, ValueRange{zero, initial.value});
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(2, builder.getUnknownLoc());
  Block *before =
      builder.createBlock(&loop.getBefore(), {}, carriedTypes, locations);
  Value below = create<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                      before->getArgument(0), limit);
  Value condition = create<tensor::ExtractOp>(below, ValueRange{});
  create<scf::ConditionOp>(condition, before->getArguments());
  Block *after =
      builder.createBlock(&loop.getAfter(), {}, carriedTypes, locations);
  Value count = create<arith::AddIOp>(after->getArgument(0), one);
  Known next = iterate({after->getArgument(1), 3}, random.between(1, 4));
  create<scf::YieldOp>(ValueRange{count, next.value});
  return add(loop.getResult(1), 3);
}

bool ProgramGenerator::addIf() {
  if (depth > 0 || !random.chance(40))
    return false;
  Known a = bounded(*findNumber(), 3);
  Value condition = create<tensor::ExtractOp>(
      need({}, builder.getI1Type()).value, ValueRange{});
  auto branch = create<scf::IfOp>(TypeRange{a.type()}, condition,
                                  /*withElseRegion=*/true);
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&region->front());
    Known next = iterate(a, random.below(3));
    create<scf::YieldOp>(ValueRange{next.value});
  }
  return add(branch.getResult(0), 3);
}
