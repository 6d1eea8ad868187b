//===- MicrobatchLoop.cpp - a step as a loop over microbatches ------------===//

#include "Microbatches/MicrobatchLoop.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Tessera/CombineValues.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/LocalComputationInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

MicrobatchLoop::MicrobatchLoop(func::FuncOp function,
                               const MicrobatchAnalysis &analysis,
                               const Accumulation &accumulation)
    : function(function), analysis(analysis), accumulation(accumulation),
      batch(analysis.getBatch()),
      builder(function.getLoc(), function.getContext()) {}

scf::ForOp MicrobatchLoop::build() {
  detachHandovers();
  collectRows();
  createLoop();
  parts.emplace_back();
  if (analysis.isOfWhole())
    takeWhole();
  emitBlock(function.getBody().front());
  yieldResults();
  takeResults();
  moveRest();
  return loop;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type MicrobatchLoop::partType(Type type, const BatchSplit &split) const {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape[split.dim] /= batch.count;
  return tensor.clone(shape);
}

Type MicrobatchLoop::typeInside(Value value) const {
  BatchState state = analysis.lookup(value);
  return state.is(BatchState::Split) ? partType(value.getType(), state.split)
                                     : value.getType();
}

/// The type in which a sum of values of `type` is carried: with the precision
/// of f32 at least.
static RankedTensorType carriedType(RankedTensorType type, ReductionKind kind) {
  bool rounds = kind == ReductionKind::Sum || kind == ReductionKind::Product;
  if (rounds && isa<FloatType>(type.getElementType()) &&
      type.getElementTypeBitWidth() < 32)
    return type.clone(Float32Type::get(type.getContext()));
  return type;
}

std::pair<SmallVector<int64_t>, int64_t>
MicrobatchLoop::viewShape(Value value, const BatchSplit &split) const {
  ArrayRef<int64_t> shape = typeOf(value).getShape();
  SmallVector<int64_t> view(shape.take_front(split.dim));
  if (split.before > 1)
    view.push_back(split.before);
  int64_t countDim = view.size();
  view.push_back(batch.count);
  view.push_back(shape[split.dim] / (split.before * batch.count));
  llvm::append_range(view, shape.drop_front(split.dim + 1));
  return {view, countDim};
}

static Value splatConstant(OpBuilder &builder, Location loc,
                           RankedTensorType type, TypedAttr element) {
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, element));
}

static Value reshaped(OpBuilder &builder, Value value, RankedTensorType type) {
  if (value.getType() == type)
    return value;
  return ReshapeOp::create(builder, value.getLoc(), type, value);
}

/// The microbatch's index in dimension `dim` of a tensor of `rank`.
SmallVector<Value> MicrobatchLoop::indicesAt(size_t rank, int64_t dim) {
  SmallVector<Value> indices(rank, zero);
  indices[dim] = number;
  return indices;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

Operation *MicrobatchLoop::topLevel(Operation *op) {
  return function.getBody().front().findAncestorOpInBlock(*op);
}

/// Whether `op`, of the function's block, stands behind the loop for what it
/// computes from.
bool MicrobatchLoop::runsAfter(Operation *op) const {
  return analysis.isAfter(op) || accumulation.deferred.contains(op) ||
         op->hasTrait<OpTrait::IsTerminator>();
}

bool MicrobatchLoop::isUsedAfter(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return runsAfter(topLevel(user));
  });
}

/// Invariant values that are handed over together with parts are taken from
/// before by whatever does not run in the loop.
void MicrobatchLoop::detachHandovers() {
  for (Operation &op : function.getBody().front()) {
    if (!analysis.isInside(&op) || !op.hasTrait<HandsOperandsOver>())
      continue;
    for (auto [operand, result] :
         llvm::zip_equal(op.getOperands(), op.getResults()))
      if (analysis.lookup(result).is(BatchState::Invariant))
        result.replaceUsesWithIf(operand, [&](OpOperand &use) {
          return !analysis.isInside(topLevel(use.getOwner()));
        });
  }
}

/// Finds the rows that the program returns.
void MicrobatchLoop::collectRows() {
  for (Operation &op : function.getBody().front())
    for (Value result : op.getResults())
      if (analysis.lookup(result).is(BatchState::Split) && isUsedAfter(result))
        collected.insert(result);
}

void MicrobatchLoop::createLoop() {
  builder.setInsertionPoint(function.getBody().front().getTerminator());
  SmallVector<Value> initial;
  for (Value value : accumulation.values) {
    ReductionKind kind = analysis.lookup(value).reduction;
    RankedTensorType type = carriedType(typeOf(value), kind);
    initial.push_back(
        splatConstant(builder, value.getLoc(), type,
                      neutralElement(type.getElementType(), kind)));
  }
  for (Value value : collected) {
    auto [shape, countDim] = viewShape(value, analysis.lookup(value).split);
    RankedTensorType type = typeOf(value).clone(shape);
    initial.push_back(splatConstant(
        builder, value.getLoc(), type,
        neutralElement(type.getElementType(), ReductionKind::Sum)));
  }
  auto count = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, builder.getI32IntegerAttr(value));
  };
  Value low = count(0), high = count(batch.count), step = count(1);
  loop = scf::ForOp::create(builder, low, high, step, initial);
  loop->setAttr(pipe::PipeDialect::kMicrobatchesAttr, builder.getUnitAttr());
  builder.setInsertionPointToStart(loop.getBody());
  auto scalar = RankedTensorType::get({}, builder.getI32Type());
  number =
      tensor::FromElementsOp::create(builder, scalar, loop.getInductionVar());
  zero = splatConstant(builder, builder.getLoc(), scalar,
                       builder.getI32IntegerAttr(0));
}

/// Ends the body: contributions are added, rows put where they belong.
void MicrobatchLoop::yieldResults() {
  SmallVector<Value> results;
  auto carried = loop.getRegionIterArgs().begin();
  for (Value value : accumulation.values) {
    Value added = inLoop(value), sum = *carried++;
    if (added.getType() != sum.getType())
      added =
          arith::ExtFOp::create(builder, value.getLoc(), sum.getType(), added);
    results.push_back(combineValues(
        builder, value.getLoc(), analysis.lookup(value).reduction, sum, added));
  }
  for (Value value : collected) {
    Value all = *carried++;
    auto [shape, countDim] = viewShape(value, analysis.lookup(value).split);
    shape[countDim] = 1;
    Value rows = reshaped(builder, inLoop(value), typeOf(value).clone(shape));
    results.push_back(
        DynamicUpdateSliceOp::create(builder, value.getLoc(), typeOf(all), all,
                                     rows, indicesAt(shape.size(), countDim)));
  }
  if (results.empty())
    return;
  scf::YieldOp::create(builder, results);
}

/// Gives what runs behind the loop the loop's results.
void MicrobatchLoop::takeResults() {
  builder.setInsertionPointAfter(loop);
  auto results = loop.getResults().begin();
  auto replace = [&](Value value, Value whole) {
    value.replaceUsesWithIf(whole, [&](OpOperand &use) {
      Operation *user = topLevel(use.getOwner());
      return user != loop && user != whole.getDefiningOp() && runsAfter(user);
    });
  };
  for (Value value : accumulation.values) {
    Value sum = *results++;
    if (sum.getType() != value.getType())
      sum = arith::TruncFOp::create(builder, value.getLoc(), value.getType(),
                                    sum);
    replace(value, sum);
  }
  for (Value value : collected)
    replace(value, reshaped(builder, *results++, typeOf(value)));
}

/// Puts what remains where it belongs: behind the loop what waits for it and
/// what only is used there, so that it takes no memory before; away with what
/// the loop computes.
void MicrobatchLoop::moveRest() {
  Block &block = function.getBody().front();
  Operation *terminator = block.getTerminator();
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (&op == loop)
      break;
    if (runsAfter(&op))
      op.moveBefore(terminator);
  }
  // Asking MLIR for the order would number the block anew after each move.
  DenseSet<Operation *> behind;
  for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
    behind.insert(op);
  for (Operation *op = loop->getPrevNode(); op;) {
    Operation *previous = op->getPrevNode();
    bool isEmitted = analysis.isInside(op) && op->getNumResults() == 0;
    if (isEmitted || (op->use_empty() && isMemoryEffectFree(op))) {
      op->erase();
    } else if (op->getNumResults() > 0 &&
               llvm::all_of(op->getUsers(), [&](Operation *user) {
                 return behind.contains(topLevel(user));
               })) {
      op->moveAfter(loop);
      behind.insert(op);
    }
    op = previous;
  }
  // What is made anew in a part's size.
  loop.getRegion().walk<WalkOrder::PostOrder, ReverseIterator>(
      [](Operation *op) {
        if (isOpTriviallyDead(op))
          op->erase();
      });
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

void MicrobatchLoop::emitBlock(Block &block) {
  bool isFunction = block.getParentOp() == function;
  for (Operation &op : block.without_terminator()) {
    if (&op == loop)
      break;
    if (analysis.isInside(&op) && !accumulation.deferred.contains(&op))
      emit(&op);
    else if (!isFunction)
      builder.clone(op, mapping);
  }
}

void MicrobatchLoop::emit(Operation *op) {
  if (isa<RegionBranchOpInterface>(op))
    return emitControlFlow(op);
  SmallVector<Value> operands;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    BatchState state = analysis.lookup(operand);
    std::optional<BatchSplit> split = analysis.splitOf(op, index);
    if (!split && state.is(BatchState::Split))
      split = state.split;
    operands.push_back(split ? part(operand, *split) : inLoop(operand));
  }
  SmallVector<Type> types;
  for (Value result : op->getResults())
    types.push_back(typeInside(result));
  Operation *local = createLocalOperation(builder, op, operands, types);
  mapping.map(op->getResults(), local->getResults());
  if (auto group = dyn_cast<ShardingGroupOp>(local);
      group && group.getOperand().getType() != op->getOperand(0).getType())
    group.setGroup(groupOfParts(group));
}

/// The group of parts for members of a group whose values have one shape: parts
/// of different dimensions have different shapes.
int64_t MicrobatchLoop::groupOfParts(ShardingGroupOp group) {
  if (groups.empty())
    function.walk([&](ShardingGroupOp other) {
      unusedGroup = std::max<int64_t>(unusedGroup, other.getGroup() + 1);
    });
  auto [entry, isNew] = groups.try_emplace(
      std::pair(int64_t(group.getGroup()), group.getOperand().getType()),
      unusedGroup);
  unusedGroup += isNew;
  return entry->second;
}

/// Makes `op`, a loop or branch, in the loop over microbatches: with the parts
/// of what it is handed, and its regions filled in the same way.
void MicrobatchLoop::emitControlFlow(Operation *op) {
  DenseMap<OpOperand *, Value> targetOf;
  forEachDataFlowEdge(op, [&](OpOperand &source, Value target) {
    targetOf.try_emplace(&source, target);
  });
  auto operandsOf = [&](Operation *from) {
    SmallVector<Value> operands;
    for (OpOperand &operand : from->getOpOperands()) {
      auto target = targetOf.find(&operand);
      operands.push_back(
          target == targetOf.end()
              ? inLoop(operand.get())
              : handOver(operand.get(),
                         analysis.stateBeforeEdge(target->second,
                                                  operand.get().getType())));
    }
    return operands;
  };
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operandsOf(op));
  for (Value result : op->getResults())
    state.addTypes(typeInside(result));
  state.attributes = op->getAttrDictionary();
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *local = builder.create(state);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), local->getRegions()))
    for (Block &block : from) {
      OpBuilder::InsertionGuard guard(builder);
      Block *body = builder.createBlock(&to, to.end());
      for (Value argument : block.getArguments())
        mapping.map(argument,
                    body->addArgument(typeInside(argument), argument.getLoc()));
      parts.emplace_back();
      emitBlock(block);
      Operation *terminator = block.getTerminator();
      OperationState end(terminator->getLoc(), terminator->getName());
      end.addOperands(operandsOf(terminator));
      end.attributes = terminator->getAttrDictionary();
      builder.create(end);
      parts.pop_back();
    }
  mapping.map(op->getResults(), local->getResults());
}

/// `value` as what control flow carries as `state`.
Value MicrobatchLoop::handOver(Value value, const BatchState &state) {
  if (state.is(BatchState::Split))
    return part(value, state.split);
  if (state.is(BatchState::Pending) &&
      !analysis.lookup(value).is(BatchState::Pending))
    return contribution(value, state.reduction);
  return inLoop(value);
}

/// An invariant value as the first microbatch's contribution to itself.
Value MicrobatchLoop::contribution(Value value, ReductionKind kind) {
  if (isNeutral(value, kind))
    return inLoop(value);
  RankedTensorType type = typeOf(value);
  Location loc = value.getLoc();
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        number, zero);
  if (type.getRank() > 0)
    isFirst = BroadcastOp::create(builder, loc, type.clone(builder.getI1Type()),
                                  isFirst, builder.getDenseI64ArrayAttr({}));
  Value neutral = splatConstant(builder, loc, type,
                                neutralElement(type.getElementType(), kind));
  return arith::SelectOp::create(builder, loc, isFirst, inLoop(value), neutral);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// The microbatch's part of `value`.
Value MicrobatchLoop::part(Value value, const BatchSplit &split) {
  BatchState state = analysis.lookup(value);
  if (state.is(BatchState::Split) && state.split == split)
    if (Value made = mapping.lookupOrNull(value); made && made != value)
      return made;
  PartKey key{value, {split.dim, split.before}};
  for (auto &known : llvm::reverse(parts))
    if (Value made = known.lookup(key))
      return made;
  Value made = makePart(value, split);
  parts.back()[key] = made;
  return made;
}

Value MicrobatchLoop::makePart(Value value, const BatchSplit &split) {
  if (Value made = rebuildPart(value, split))
    return made;
  return slicePart(value, split);
}

/// Lets the loop take what the only microbatch has of all by its number, so
/// that it is known to depend on it.
void MicrobatchLoop::takeWhole() {
  for (const Batch::Member &member : batch.members) {
    RankedTensorType type = typeOf(member.argument);
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.begin(), 1);
    OpBuilder::InsertPoint inside = builder.saveInsertionPoint();
    builder.setInsertionPoint(loop);
    Value view = reshaped(builder, member.argument, type.clone(shape));
    builder.restoreInsertionPoint(inside);
    Value taken = DynamicSliceOp::create(builder, member.argument.getLoc(),
                                         view.getType(), view,
                                         indicesAt(shape.size(), 0));
    mapping.map(member.argument, reshaped(builder, taken, type));
  }
}

/// Makes the part if the whole would be made element by element, without whole
/// tensors in between; null if it is not.
Value MicrobatchLoop::rebuildPart(Value value, const BatchSplit &split) {
  Operation *op = value.getDefiningOp();
  if (!op || !analysis.lookup(value).is(BatchState::Invariant) ||
      op->getNumRegions() > 0 || op->getNumResults() != 1 ||
      !isMemoryEffectFree(op))
    return {};
  std::optional<MicrobatchAnalysis::OperandSplits> splits =
      analysis.splitsForResult(op, split);
  if (!splits)
    return {};
  SmallVector<Value> operands;
  for (auto [operand, own] : llvm::zip_equal(op->getOperands(), *splits))
    operands.push_back(own ? part(operand, *own) : inLoop(operand));
  return createLocalOperation(builder, op, operands,
                              partType(value.getType(), split))
      ->getResult(0);
}

/// Cuts the part out of the whole, which is seen with the microbatches as a
/// dimension of their own.
Value MicrobatchLoop::slicePart(Value value, const BatchSplit &split) {
  auto [shape, countDim] = viewShape(value, split);
  RankedTensorType type = typeOf(value).clone(shape);
  Value whole = inLoop(value);
  Value view;
  {
    // What the function computes is seen so once, outside of the loop.
    OpBuilder::InsertionGuard guard(builder);
    if (whole.getParentRegion() == &function.getBody())
      builder.setInsertionPoint(loop);
    view = reshaped(builder, whole, type);
  }
  shape[countDim] = 1;
  Value slice =
      DynamicSliceOp::create(builder, value.getLoc(), type.clone(shape), view,
                             indicesAt(shape.size(), countDim));
  return reshaped(builder, slice,
                  cast<RankedTensorType>(partType(value.getType(), split)));
}
