//===- NestLowering.cpp - What all loop nests' code needs -----------------===//

#include "tessera/Codegen/Kernels/NestLowering.h"

#include "LoopNestBuilder.h"

#include "mlir/IR/Matchers.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Interfaces/CostInterface.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

Value NestLowering::pointer(Slot slot) const {
  return slot.temporary ? temporaries[slot.number] : results[slot.number];
}

bool NestLowering::isInMemory(Value value) const {
  auto stored = plan.nestOf.find(value);
  return isa<BlockArgument>(value) ||
         (stored != plan.nestOf.end() && stored->second < number);
}

Value NestLowering::memoryOf(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return operands[argument.getArgNumber()];
  return pointer(plan.slots.find(value)->second.front());
}

void NestLowering::bindMemory(ElementEmitter &e) const {
  Block &body = kernel->getRegion(0).front();
  for (auto [argument, pointer] : llvm::zip(body.getArguments(), operands))
    e.bindMemory(argument, pointer);
  // NOLINTNEXTLINE(custom-iteration-order): into a map.
  for (auto &[value, nestNumber] : plan.nestOf)
    if (nestNumber < number)
      if (auto slots = plan.slots.find(value);
          slots != plan.slots.end() && !slots->second.empty())
        e.bindMemory(value, pointer(slots->second.front()));
}

SmallVector<IndexRun> NestLowering::runsOf(ArrayRef<Value> values) const {
  if (nest.reducedDims.empty())
    return {};
  auto isLeaf = [&](Value value) {
    return isInMemory(value) || isAnchor(value);
  };
  int64_t last = nest.reducedDims.back();
  return cutAtBounds(nest.shape[last], b.lanes(),
                     findPieceBounds(values, last, isLeaf));
}

bool NestLowering::isPointwise() const {
  if (!nest.reductions.empty() || nest.shape.size() < 2)
    return nest.reductions.empty() && nest.shape.size() == 1;
  SmallVector<Value> worklist;
  llvm::DenseSet<Value> visited;
  for (const NestOutput &output : nest.outputs)
    worklist.push_back(output.value);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!visited.insert(value).second || shapeOf(value).empty())
      continue;
    if (shapeOf(value) != ArrayRef(nest.shape))
      return false;
    auto stored = plan.nestOf.find(value);
    Operation *op = value.getDefiningOp();
    DenseElementsAttr table;
    if (op && matchPattern(op, m_Constant(&table)) && !table.isSplat())
      return false;
    if (!op || isa<arith::ConstantOp>(op) ||
        (stored != plan.nestOf.end() && stored->second < number))
      continue;
    bool splat = isa<BroadcastOp>(op) && shapeOf(op->getOperand(0)).empty();
    if (!splat && !isElementwise(op))
      return false;
    if (!splat)
      llvm::append_range(worklist, op->getOperands());
  }
  return true;
}

void NestLowering::bindPositions(ElementEmitter &e) const {
  auto bind = [&](Value value, Value pointer) {
    // In one dimension values of other shapes are read at their own positions.
    if (shapeOf(value) != ArrayRef(nest.shape))
      return;
    Type element = getElementTypeOrSelf(value.getType());
    e.bind(value, [&e, element, pointer](const LaneIndices &at) {
      return e.load(element, pointer, at[0]);
    });
  };
  Block &body = kernel->getRegion(0).front();
  for (auto [argument, pointer] : llvm::zip(body.getArguments(), operands))
    bind(argument, pointer);
  // NOLINTNEXTLINE(custom-iteration-order): into a map.
  for (auto &[value, nestNumber] : plan.nestOf)
    if (nestNumber < number && plan.slots.contains(value))
      bind(value, pointer(plan.slots.find(value)->second.front()));
}

void NestLowering::storeOutput(ElementEmitter &e, const NestOutput &output,
                               Value element,
                               const LaneIndices &indices) const {
  storeAt(e, output.value, element,
          e.index().linearize(indices, shapeOf(output.value)));
}

void NestLowering::storeAt(ElementEmitter &e, Value value, Value element,
                           const LaneIndex &position) const {
  for (Slot slot : plan.slots.find(value)->second)
    e.store(element, pointer(slot), position);
}

LaneIndices NestLowering::outputIndices(const NestOutput &output,
                                        const LaneIndices &loopIndices) const {
  LaneIndices indices(shapeOf(output.value).size(), LaneIndex::constant(0));
  for (auto [expression, index] :
       llvm::zip(output.map.getResults(), loopIndices))
    if (auto dim = dyn_cast<AffineDimExpr>(expression))
      indices[dim.getPosition()] = index;
  return indices;
}

Value NestLowering::stackBuffer(Type element, int64_t elements) {
  OperationState state(b.getLoc(), LLVM::AllocaOp::getOperationName());
  LLVM::AllocaOp::build(b, state, b.pointerType(), b.storageType(element),
                        b.index(elements), 64);
  return b.pure(state);
}

Value NestLowering::scratch(int64_t bytes) {
  int64_t offset = scratchBytes;
  scratchBytes += (bytes + 63) / 64 * 64;
  return b.address(scratchBase(), b.getI8Type(), b.index(offset));
}

/// One step of a loop over vectors from `start` on, a multiple of the lanes of
/// `e`: for each part of `carried` the vector behind the one before.
static CodeBuilder::Values forVectorsFrom(
    LaneIndex start, ElementEmitter &e, ValueRange carried, unsigned parts,
    function_ref<CodeBuilder::Values(const LaneIndex &, ValueRange)> body) {
  CodeBuilder::Values next;
  size_t count = carried.size() / parts;
  for (unsigned part = 0; part < parts; ++part) {
    LaneIndex vector = start;
    vector.offset += part * e.lanes();
    llvm::append_range(next, body(vector, carried.slice(part * count, count)));
  }
  return next;
}

/// Goes through the whole vectors of a run; see `forEachVector`.
static CodeBuilder::Values forVectorsOf(
    IndexRun run, ElementEmitter &e, ValueRange carried, unsigned parts,
    function_ref<CodeBuilder::Values(const LaneIndex &, ValueRange)> body) {
  CodeBuilder &b = e.builder();
  int64_t lanes = e.lanes(), step = lanes * parts;
  auto loop = [&](int64_t first, int64_t last, int64_t step, ValueRange values,
                  unsigned parts) {
    return b.loop(b.index(first), b.index(last), step, values,
                  [&](Value iv, ValueRange values) {
                    LaneIndex start = last - first == step
                                          ? LaneIndex{{}, first, 1, 1, {}}
                                          : LaneIndex::lanes(iv, lanes).within(
                                                first, last - step);
                    return forVectorsFrom(start, e, values, parts, body);
                  });
  };
  int64_t rest = run.first + (run.last - run.first) / step * step;
  CodeBuilder::Values values = loop(run.first, rest, step, carried, parts);
  // The first part takes what is left over.
  size_t count = values.size() / parts;
  CodeBuilder::Values first =
      loop(rest, run.last, lanes, ValueRange(values).take_front(count), 1);
  llvm::copy(first, values.begin());
  return values;
}

CodeBuilder::Values codegen::forEachVector(
    ElementEmitter &e, ArrayRef<int64_t> shape, ArrayRef<int64_t> dims,
    LaneIndices indices, ValueRange carried,
    function_ref<CodeBuilder::Values(const LaneIndices &, ValueRange)> body,
    ArrayRef<IndexRun> runs, unsigned parts) {
  CodeBuilder &b = e.builder();
  if (dims.empty())
    return body(indices, carried);
  int64_t dim = dims.front(), size = shape[dim];
  if (dims.size() > 1)
    return b.loop(b.index(0), b.index(size), 1, carried,
                  [&](Value iv, ValueRange values) {
                    LaneIndices next = indices;
                    next[dim] = size == 1
                                    ? LaneIndex::constant(0)
                                    : LaneIndex::scalar(iv).within(0, size - 1);
                    return forEachVector(e, shape, dims.drop_front(), next,
                                         values, body, runs, parts);
                  });
  IndexRun all = {0, size};
  if (runs.empty())
    runs = all;
  auto at = [&](const LaneIndex &index, ValueRange values) {
    indices[dim] = index;
    return body(indices, values);
  };
  int64_t lanes = e.lanes(), whole = size / lanes * lanes;
  CodeBuilder::Values values(carried);
  for (auto [first, last] : runs)
    values = forVectorsOf({first, std::max(first, std::min(last, whole))}, e,
                          values, parts, at);
  if (whole == size)
    return values;
  size_t count = values.size() / parts;
  e.setActiveLanes(size - whole);
  CodeBuilder::Values rest =
      at(LaneIndex{{}, whole, 1, 1, {}}, ValueRange(values).take_front(count));
  e.setActiveLanes(lanes);
  llvm::copy(rest, values.begin());
  return values;
}

int64_t codegen::estimateCost(Value value) {
  int64_t cost = 1;
  llvm::DenseSet<Value> visited;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || isa<ReduceOp, DotGeneralOp>(op))
      continue;
    OperationCost own = getOperationCost(op);
    if (own.kind == WorkKind::Elementwise)
      cost += own.element < ElementWork::Root ? 1 : own.operations;
    for (Value operand : op->getOperands())
      if (visited.insert(operand).second)
        worklist.push_back(operand);
  }
  return cost;
}
