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

/// One value, and sometimes more, that a loop may start from.
SmallVector<Value> ProgramGenerator::drawStates() {
  SmallVector<Value> states;
  for (int64_t count = random.pick({1, 1, 2, 3}); count > 0; --count)
    states.push_back(bounded(*findNumber(), 3).value);
  return states;
}

/// Sometimes says how `value`, which a loop or branch hands on, is sharded:
/// other than what the loop starts from, and other than its result.
Value ProgramGenerator::handOn(Value value) {
  if (isIsolated || nesting > 0 || !random.chance(30))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  return create<ConstrainOp>(type, value,
                             shardings->attribute(builder.getContext(),
                                                  type.getShape(),
                                                  /*mayBeUnreduced=*/false));
}

/// What a loop hands on, given what it carries now, of which one value at least
/// is new. Some exchange their places where their types agree.
SmallVector<Value> ProgramGenerator::iterate(ValueRange carried) {
  SmallVector<Value> next(carried);
  size_t changed = random.below(next.size());
  for (size_t i = 0; i < next.size(); ++i)
    if (i == changed || random.chance(50))
      next[i] = iterate({next[i], 3}, random.between(1, 4)).value;
  size_t other = random.below(next.size());
  if (next[changed].getType() == next[other].getType() && random.chance(50))
    std::swap(next[changed], next[other]);
  for (Value &value : next)
    value = handOn(value);
  return next;
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
  SmallVector<Value> states = drawStates();
  auto index = [&](int64_t number) -> Value {
    return create<arith::ConstantOp>(builder.getIndexAttr(number));
  };
  auto loop =
      create<scf::ForOp>(index(0), index(random.below(4)), index(1), states);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    create<scf::YieldOp>(iterate(ValueRange(loop.getRegionIterArgs())));
  }
  for (Value result : loop.getResults())
    add(result, 3);
  return true;
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

/// `value`, most often whole on every device.
Value ProgramGenerator::mostlyWhole(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (isIsolated || !random.chance(70))
    return value;
  auto name = FlatSymbolRefAttr::get(builder.getContext(),
                                     shardings->getMeshes().front().name);
  auto whole = ShardingAttr::get(builder.getContext(), name,
                                 TensorSharding::getReplicated(type.getRank()));
  return create<ConstrainOp>(type, value, whole);
}

/// A loop over layers: each takes its part of a stacked parameter, from the
/// first on or from the last, and stacks what it sums over a batch.
bool ProgramGenerator::addLayers() {
  if (depth > 0 || !random.chance(40))
    return false;
  Known state = bounded(*findNumber(/*minimalRank=*/2), 3);
  int64_t layers = random.between(2, 4), batch = state.shape().front();
  if (3.0 * batch > 60)
    return false;
  auto stacked = [&](ArrayRef<int64_t> part) {
    SmallVector<int64_t> shape = {layers};
    llvm::append_range(shape, part);
    return tensorType(shape, state.element());
  };
  auto one = [&](RankedTensorType stack) {
    SmallVector<int64_t> shape(stack.getShape());
    shape.front() = 1;
    return tensorType(shape, state.element());
  };
  Known parameter = bounded(need(stacked(state.shape())), 3);
  RankedTensorType sums = stacked(state.shape().drop_front());
  auto number = [&](int64_t value) -> Value {
    return create<arith::ConstantOp>(builder.getI32IntegerAttr(value));
  };
  auto loop = create<scf::ForOp>(number(0), number(layers), number(1),
                                 ValueRange{state.value, splat(sums, 0)});
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value layer = loop.getInductionVar();
    if (random.chance(50))
      layer = create<arith::SubIOp>(number(layers - 1), layer);
    auto scalar = tensorType({}, builder.getI32Type());
    layer = create<tensor::FromElementsOp>(scalar, layer);
    SmallVector<Value> indices(state.rank() + 1, splat(scalar, 0));
    indices.front() = layer;
    Value part =
        create<DynamicSliceOp>(one(parameter.type()), parameter.value, indices);
    part = mostlyWhole(create<ReshapeOp>(state.type(), part));
    Value next = bounded({sum(loop.getRegionIterArg(0), part), 6}, 3).value;
    Value gradient = create<ReduceOp>(
        tensorType(state.shape().drop_front(), state.element()),
        ReductionAttr::get(builder.getContext(), ReductionKind::Sum), next,
        builder.getDenseI64ArrayAttr({0}));
    indices.resize(sums.getRank());
    Value stack = create<DynamicUpdateSliceOp>(
        sums, loop.getRegionIterArg(1), create<ReshapeOp>(one(sums), gradient),
        indices);
    create<scf::YieldOp>(ValueRange{next, stack});
  }
  return add(loop.getResult(0), 3) &&
         add(mostlyWhole(loop.getResult(1)), 3.0 * batch);
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

/// A counter that goes up to a limit, and other values.
bool ProgramGenerator::addWhile() {
  if (depth > 0 || !random.chance(40))
    return false;
  SmallVector<Value> states = drawStates();
  auto counterType = tensorType({}, builder.getI32Type());
  Value limit = splat(counterType, random.below(4)),
        one = splat(counterType, 1);
  states.insert(states.begin(), splat(counterType, 0));
  SmallVector<Type> types = llvm::to_vector(ValueRange(states).getTypes());
  auto loop = create<scf::WhileOp>(types, states);
  {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Location> locations(types.size(), builder.getUnknownLoc());
    Block *before =
        builder.createBlock(&loop.getBefore(), {}, types, locations);
    Value below = create<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                        before->getArgument(0), limit);
    Value condition = create<tensor::ExtractOp>(below, ValueRange{});
    SmallVector<Value> passed(before->getArguments());
    for (Value &value : MutableArrayRef(passed).drop_front())
      value = handOn(value);
    create<scf::ConditionOp>(condition, passed);
    Block *after = builder.createBlock(&loop.getAfter(), {}, types, locations);
    SmallVector<Value> next =
        iterate(ValueRange(after->getArguments()).drop_front());
    next.insert(next.begin(),
                create<arith::AddIOp>(after->getArgument(0), one));
    create<scf::YieldOp>(next);
  }
  for (Value result : loop.getResults().drop_front())
    add(result, 3);
  return true;
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
    create<scf::YieldOp>(handOn(next.value));
  }
  return add(branch.getResult(0), 3);
}

/// What one of several branches makes of a value.
bool ProgramGenerator::addSwitch() {
  if (depth > 0 || !random.chance(40))
    return false;
  Known a = bounded(*findNumber(), 3);
  Value number = create<tensor::ExtractOp>(
      bounded(need({}, builder.getI32Type()), 3).value, ValueRange{});
  Value which = create<arith::IndexCastOp>(builder.getIndexType(), number);
  SmallVector<int64_t> cases = {0, 1};
  auto branch = create<scf::IndexSwitchOp>(TypeRange{a.type()}, which, cases,
                                           cases.size());
  llvm::SaveAndRestore divergence(isDivergent, isDivergent || nesting > 0);
  for (Region &region : branch->getRegions()) {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&region);
    Known next = iterate(a, random.below(3));
    create<scf::YieldOp>(handOn(next.value));
  }
  return add(branch.getResult(0), 3);
}
