//===- Vectors.cpp - How many elements a thread moves at a time -----------===//

#include "Core/Vectors.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

/// More lanes than this take too many registers.
static constexpr int64_t kMaxLanes = 8;
/// What a thread moves in one instruction.
static constexpr int64_t kAccessBytes = 16;

NestTraffic::NestTraffic(const GpuNest &nest) {
  const KernelPlan &plan = nest.variant.plan;
  int64_t points = codegen::elementsOf(nest.loops.shape);
  auto isLeaf = [&](Value value) {
    auto stored = plan.nestOf.find(value);
    return isa<BlockArgument>(value) ||
           isa<ReduceOp, DotGeneralOp>(value.getDefiningOp()) ||
           (stored != plan.nestOf.end() && stored->second < nest.number);
  };
  auto count = [&](Value value, int64_t &number) {
    if (codegen::elementsOf(shapeOf(value)) != points)
      return;
    ++number;
    narrowest = std::min(narrowest, CodeBuilder::storageBytes(
                                        getElementTypeOrSelf(value.getType())));
  };
  SmallVector<Value> roots;
  for (const NestOutput &output : nest.loops.outputs) {
    roots.push_back(output.value);
    if (!output.kept)
      count(output.value, writes);
  }
  for (ReduceOp reduce : nest.loops.reductions)
    roots.push_back(reduce.getOperand());
  llvm::DenseSet<Value> visited;
  for (Value root : roots)
    for (const Access &access : collectAccesses(root, AffineMap(), isLeaf))
      if (visited.insert(access.leaf).second)
        count(access.leaf, reads);
}

int64_t nvptx::vectorLanes(int64_t bytes, int64_t contiguous) {
  int64_t lanes = std::min(kAccessBytes / bytes, kMaxLanes);
  while (contiguous % lanes != 0)
    lanes /= 2;
  return lanes;
}

int64_t nvptx::lastWideDim(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  for (int64_t dim : llvm::reverse(dims))
    if (shape[dim] != 1)
      return dim;
  return -1;
}

SmallVector<int64_t> nvptx::sizesOf(ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> dims) {
  SmallVector<int64_t> sizes;
  for (int64_t dim : dims)
    sizes.push_back(shape[dim]);
  return sizes;
}

int64_t nvptx::accumulatorBytes(ReduceOp reduce) {
  Type element = getElementTypeOrSelf(reduce.getType());
  return element.isF16() || element.isBF16()
             ? 4
             : CodeBuilder::storageBytes(element);
}

LaneIndex nvptx::vectorAt(Value base, int64_t lanes) {
  return lanes == 1 ? LaneIndex::scalar(base) : LaneIndex::lanes(base, lanes);
}

Value nvptx::isLess(CodeBuilder &b, Value x, Value y) {
  return b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, x, y);
}

Value nvptx::bothHold(CodeBuilder &b, Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  return b.make<arith::AndIOp>(x, y);
}

void nvptx::guardIf(CodeBuilder &b, Value condition,
                    function_ref<void()> body) {
  if (condition)
    b.guard(condition, body);
  else
    body();
}

bool nvptx::emitAll(ElementEmitter &e, ArrayRef<NestOutput> outputs,
                    const LaneIndices &at, SmallVectorImpl<Value> &elements) {
  for (const NestOutput &output : outputs)
    elements.push_back(e.emit(output.value, at));
  return !llvm::is_contained(elements, Value());
}
