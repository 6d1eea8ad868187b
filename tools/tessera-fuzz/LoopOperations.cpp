//===- LoopOperations.cpp - Random control flow ---------------------------===//

#include "ProgramGenerator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

Value ProgramGenerator::sum(Value a, Value b) {
  return isa<FloatType>(getElementTypeOrSelf(a))
             ? create<arith::AddFOp>(a, b).getResult()
             : create<arith::AddIOp>(a, b).getResult();
}

/// Some operations, per-device code and collectives among them, from `carried`
/// on, and a value of the same type and bound 3 that most likely depends on it.
/// Values made inside are forgotten.
ProgramGenerator::Known ProgramGenerator::iterate(Known carried,
                                                  int64_t operations) {
  size_t known = pool.size();
  pool.push_back(carried);
  ++depth;
  for (int64_t added = 0; added < operations;) {
    if (nesting > 0 && random.chance(25))
      added += addCollective();
    else
      added += random.chance(10) ? addManual() : addOperation();
  }
  --depth;
  Known other = need(carried.type());
  Known next = bounded({sum(carried.value, bounded(other, 60).value), 63}, 3);
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

/// A loop that adds up a reduction, as one over microbatches does, from zero or
/// something else; sometimes one of its steps is left out.
bool ProgramGenerator::addAccumulation() {
  if (depth > 0 || !random.chance(40))
    return false;
  constexpr int64_t steps = 3;
  Known operand = bounded(*findNumber(/*minimalRank=*/1), 3);
  int64_t dim = random.below(operand.rank()), size = operand.shape()[dim];
  double bound = 3 + steps * 3 * double(size);
  if (bound > 100)
    return false;
  SmallVector<int64_t> shape(operand.shape());
  shape.erase(shape.begin() + dim);
  auto type = tensorType(shape, operand.element());
  Value initial =
      random.chance(70) ? splat(type, 0) : bounded(need(type), 3).value;
  Value mask;
  if (random.chance(20))
    mask = need(shape, builder.getI1Type()).value;
  auto index = [&](int64_t number) -> Value {
    return create<arith::ConstantOp>(builder.getIndexAttr(number));
  };
  auto loop = create<scf::ForOp>(index(0), index(random.between(0, steps)),
                                 index(1), ValueRange{initial});
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value accumulated = loop.getRegionIterArg(0);
    Value partial = create<ReduceOp>(
        type, ReductionAttr::get(builder.getContext(), ReductionKind::Sum),
        operand.value, builder.getDenseI64ArrayAttr({dim}));
    Value next = sum(accumulated, partial);
    if (mask)
      next = create<arith::SelectOp>(mask, next, accumulated);
    create<scf::YieldOp>(ValueRange{next});
  }
  return add(loop.getResult(0), bound);
}

/// What a training step does to a parameter and its moment: a sum over a batch,
/// most often a split one, sometimes scaled by the norm of all its elements, is
/// added to both.
bool ProgramGenerator::addUpdate() {
  if (isIsolated || depth > 0)
    return false;
  Known batch = bounded(*findNumber(/*minimalRank=*/2), 3);
  if (batch.element().isBF16())
    return false;
  const ShardingGenerator::NamedMesh &parts = shardings->getMeshes().front();
  TensorSharding split = TensorSharding::getReplicated(batch.rank());
  split.dims.front().axes = {AxisRef(random.pick(parts.mesh.axes).name)};
  auto name = FlatSymbolRefAttr::get(builder.getContext(), parts.name);
  if (random.chance(80))
    batch.value = create<ConstrainOp>(
        batch.type(), batch.value,
        ShardingAttr::get(builder.getContext(), name, split));
  SmallVector<int64_t> shape(batch.shape().drop_front());
  auto type = tensorType(shape, batch.element());
  auto add = ReductionAttr::get(builder.getContext(), ReductionKind::Sum);
  Known gradient = {create<ReduceOp>(type, add, batch.value,
                                     builder.getDenseI64ArrayAttr({0})),
                    batch.bound * double(batch.shape().front())};
  if (random.chance(30)) {
    Known part = bounded(gradient, 3);
    auto scalar = tensorType({}, type.getElementType());
    auto dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    Known norm = {create<ReduceOp>(scalar, add, part.value, dims),
                  3.0 * type.getNumElements()};
    Value scale = create<tessera::BroadcastOp>(type, bounded(norm, 3).value,
                                               ArrayRef<int64_t>{});
    gradient = {sum(gradient.value, scale), gradient.bound + 3};
  }
  for (int64_t states = random.between(1, 2); states > 0; --states) {
    auto state = cast<BlockArgument>(newArgument(type).value);
    if (random.chance(40))
      pool.pop_back();
    gradient = {sum(state, gradient.value), gradient.bound + 3};
    replaced.push_back({state, gradient.value});
  }
  return true;
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
  llvm::SaveAndRestore divergence(isDivergent, isDivergent || nesting > 0);
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&region->front());
    Known next = iterate(a, random.below(3));
    create<scf::YieldOp>(ValueRange{next.value});
  }
  return add(branch.getResult(0), 3);
}
