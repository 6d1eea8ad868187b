//===- IndexedOperations.cpp - Gathers, scatters, updates, regions --------===//

#include "tessera/Codegen/Kernels/IndexedOperations.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/NestLowering.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

Value codegen::toIndex(CodeBuilder &b, Value value) {
  if (getElementTypeOrSelf(value.getType()).isInteger(64))
    return value;
  auto vector = dyn_cast<VectorType>(value.getType());
  return b.make<arith::ExtSIOp>(
      CodeBuilder::vectorOf(b.getI64Type(),
                            vector ? vector.getNumElements() : 1),
      value);
}

Value codegen::emitIndexComponent(ElementEmitter &e, Value indices,
                                  int64_t vectorDim, const LaneIndices &batch,
                                  int64_t number) {
  LaneIndices at = batch;
  if (vectorDim < int64_t(shapeOf(indices).size()))
    at.insert(at.begin() + vectorDim, LaneIndex::constant(number));
  Value index = e.emit(indices, at);
  return index ? toIndex(e.builder(), index) : Value();
}

SmallVector<Value> codegen::emitBoxStarts(ElementEmitter &e,
                                          DynamicUpdateSliceOp update) {
  CodeBuilder &b = e.builder();
  SmallVector<Value> starts;
  for (auto [index, size, box] :
       llvm::zip(update.getIndices(), shapeOf(update.getResult()),
                 shapeOf(update.getUpdate()))) {
    Value start = e.emit(index, {});
    if (!start)
      return {};
    start = b.max(toIndex(b, start), b.index(0));
    starts.push_back(b.min(start, b.index(size - box)));
  }
  return starts;
}

void codegen::applyUpdate(ElementEmitter &e, ScatterOp scatter, Value update,
                          Value memory, const LaneIndex &position) {
  if (scatter.getKind()) {
    CodeBuilder &b = e.builder();
    Type element = getElementTypeOrSelf(scatter.getType());
    Accumulator accumulator(b, scatter.getKindAttr().getKind(), element);
    Value old = b.broadcast(e.load(element, memory, position, /*written=*/true),
                            e.lanes());
    update = accumulator.narrow(
        accumulator.combine(accumulator.widen(old), accumulator.widen(update)));
  }
  e.store(update, memory, position);
}

CodeBuilder::Values codegen::emitRegion(ElementEmitter &region, Block &body,
                                        ValueRange arguments) {
  if (llvm::is_contained(arguments, Value()))
    return {};
  for (auto [argument, value] : llvm::zip(body.getArguments(), arguments)) {
    Value element = value;
    region.bind(argument, [element](const LaneIndices &) { return element; });
  }
  CodeBuilder::Values results;
  for (Value result : body.getTerminator()->getOperands())
    results.push_back(region.emit(result, {}));
  if (llvm::is_contained(results, Value()))
    return {};
  return results;
}

ScatterShape::ScatterShape(ScatterOp scatter) {
  ArrayRef<int64_t> operand = shapeOf(scatter.getOperand());
  ArrayRef<int64_t> updates = shapeOf(scatter.getUpdates());
  for (int64_t d = 0, rank = updates.size(); d < rank; ++d) {
    bool isWindow = llvm::is_contained(scatter.getWindowDims(), d);
    (isWindow ? windowDims : batchDims).push_back(d);
    (isWindow ? windowSizes : batchSizes).push_back(updates[d]);
  }
  for (int64_t d = 0, rank = operand.size(); d < rank; ++d) {
    bool isBatch = llvm::is_contained(scatter.getOperandBatching(), d);
    bool isMapped = llvm::is_contained(scatter.getOperandDimsMap(), d);
    if (!isBatch && !llvm::is_contained(scatter.getInsertedDims(), d)) {
      int64_t size = windowSizes[windowTargets.size()];
      windowTargets.push_back(d);
      isPartition &= !isMapped || size == 1;
    }
    if (isBatch || isMapped) {
      indexedDims.push_back(d);
      indexedSizes.push_back(operand[d]);
    }
  }
}
