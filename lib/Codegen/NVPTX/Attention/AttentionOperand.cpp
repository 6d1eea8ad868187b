//===- AttentionOperand.cpp - What kernels for attention read -------------===//

#include "Attention/AttentionOperand.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/MatmulShape.h"
#include "tessera/Support/StableSort.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

/// Bytes of one asynchronous copy.
static constexpr int64_t kChunk = 16;
/// Features come in multiples of this: the depth of an instruction.
static constexpr int64_t kFeatureUnit = 16;
static constexpr int64_t kCopyThreads = 128;

static Value isLess(CodeBuilder &b, Value x, int64_t limit) {
  return b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, x, b.index(limit));
}

FailureOr<AttentionOperand> AttentionOperand::prepare(const GpuNest &nest,
                                                      Value tensor,
                                                      Type element,
                                                      bool asBoxes) {
  AttentionOperand operand;
  ArrayRef<int64_t> shape = shapeOf(tensor);
  operand.element = element;
  operand.batchCount = shape[0];
  operand.headCount = shape[1];
  operand.rowCount = shape[2];
  operand.featureCount = llvm::alignTo(shape[3], kFeatureUnit);
  const KernelPlan &plan = nest.variant.plan;
  std::optional<StridedView> view = getStridedView(tensor, [&](Value value) {
    auto known = plan.nestOf.find(value);
    return isa<BlockArgument>(value) ||
           (known != plan.nestOf.end() && known->second < nest.number);
  });
  auto isAligned = [&](int64_t elements) {
    return elements * operand.elementBytes() % kChunk == 0;
  };
  auto isBoxed = [&] {
    return view->offset >= 0 && view->strides[0] >= 0 &&
           view->strides[1] >= 0 &&
           (view->strides[2] > 0 || operand.rowCount == 1);
  };
  if (view && (!asBoxes || isBoxed()) &&
      getElementTypeOrSelf(tensor.getType()) == element &&
      operand.featureCount == shape[3] && view->strides[3] == 1 &&
      isAligned(view->offset) &&
      llvm::all_of(ArrayRef(view->strides).take_front(3), isAligned)) {
    operand.leaf = view->leaf;
    operand.offset = view->offset;
    operand.batchStride = view->strides[0];
    operand.headStride = view->strides[1];
    operand.rowStride = view->strides[2];
    return operand;
  }
  if (failed(operand.copyToTemporary(nest, tensor)))
    return failure();
  return operand;
}

FailureOr<GradientOperands> GradientOperands::prepare(const GpuNest &nest,
                                                      AttentionGradientOp op,
                                                      Type element,
                                                      bool asBoxes) {
  auto prepare = [&](Value tensor) {
    return AttentionOperand::prepare(nest, tensor, element, asBoxes);
  };
  auto query = prepare(op.getQuery()), key = prepare(op.getKey()),
       value = prepare(op.getValue()),
       gradient = prepare(op.getOutputGradient());
  if (failed(query) || failed(key) || failed(value) || failed(gradient))
    return failure();
  return GradientOperands{*query, *key, *value, *gradient};
}

/// Emits a kernel that copies `tensor` into a temporary buffer, converted to
/// the element type of the tensor cores and with zeros behind its features, and
/// makes the operand read that buffer. Fails where an element of the tensor
/// cannot be emitted.
LogicalResult AttentionOperand::copyToTemporary(const GpuNest &nest,
                                                Value tensor) {
  ArrayRef<int64_t> shape = shapeOf(tensor);
  rowStride = featureCount;
  headStride = rowStride * rowCount;
  batchStride = headStride * shape[1];
  int64_t count = batchStride * shape[0];
  temporary = nest.variant.addTemporary(count * elementBytes());
  GridFunction grid(nest, kCopyThreads);
  CodeBuilder &b = grid.b;
  ElementEmitter e(b, 1);
  grid.lowering.bindMemory(e);
  Type from = getElementTypeOrSelf(tensor.getType());
  bool done = false;
  grid.finishPerThread(count, [&](Value number) {
    LaneIndices at =
        e.index().delinearize(LaneIndex::scalar(number),
                              {shape[0], shape[1], rowCount, featureCount});
    Value feature = e.index().start(at[3]);
    if (featureCount != shape[3])
      at[3] = LaneIndex::scalar(b.min(feature, b.index(shape[3] - 1)));
    Value value = e.emit(tensor, at);
    if (!value)
      return;
    if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
      value = b.make<arith::ExtFOp>(element, value);
    else if (from != element)
      value = b.make<arith::TruncFOp>(element, value);
    if (featureCount != shape[3])
      value =
          b.make<arith::SelectOp>(isLess(b, feature, shape[3]), value,
                                  b.splat(element, b.getFloatAttr(element, 0)));
    e.store(value, grid.temporary(temporary), LaneIndex::scalar(number));
    done = true;
  });
  return success(done);
}

Value AttentionOperand::memory(GridFunction &grid) const {
  if (!leaf)
    return grid.temporary(temporary);
  NestLowering &l = grid.lowering;
  if (auto argument = dyn_cast<BlockArgument>(leaf))
    return l.operands[argument.getArgNumber()];
  return l.pointer(l.plan.slots.find(leaf)->second.front());
}

Value AttentionOperand::headAddress(GridFunction &grid, Value batch,
                                    Value head) const {
  CodeBuilder &b = grid.b;
  auto global = LLVM::LLVMPointerType::get(b.getContext(), 1);
  Value base = b.make<LLVM::AddrSpaceCastOp>(global, memory(grid));
  Value start = b.add(b.mul(batch, batchStride), b.mul(head, headStride));
  return b.address(base, b.storageType(element), b.add(start, offset));
}

/// Where a row has a power of 2 of chunks, all copies of a thread are of the
/// same chunk, and their rows are the same distance apart.
void AttentionOperand::copyRows(GridFunction &grid, Value head, Value firstRow,
                                int64_t count, const SharedRows &target) const {
  CodeBuilder &b = grid.b;
  int64_t chunks = featureCount * elementBytes() / kChunk;
  int64_t all = count * chunks, threads = grid.threads();
  bool regular = threads % chunks == 0;
  Type i32 = b.getI32Type(), i8 = b.getI8Type();
  auto copy = [&](Value row, Value chunk) {
    Value source = b.add(firstRow, row), bytes;
    if (rowCount % count != 0) {
      bytes = b.make<arith::SelectOp>(isLess(b, source, rowCount),
                                      b.splat(i32, b.getI32IntegerAttr(kChunk)),
                                      b.splat(i32, b.getI32IntegerAttr(0)));
      source = b.min(source, b.index(rowCount - 1));
    }
    Value from = b.address(
        head, i8,
        b.add(b.mul(source, rowStride * elementBytes()), b.mul(chunk, kChunk)));
    Value to =
        b.address(target.base, i8,
                  b.add(b.mul(row, target.rowBytes()), b.mul(chunk, kChunk)));
    NVVM::CpAsyncOp::create(b, b.getLoc(), to, from, kChunk,
                            NVVM::LoadCacheModifierKind::CG, bytes);
  };
  for (int64_t first = 0; first < all; first += threads) {
    Value row, chunk;
    if (regular) {
      row = b.add(b.div(grid.thread(), b.index(chunks)), first / chunks);
      chunk = b.rem(grid.thread(), b.index(chunks));
    } else {
      Value number = b.add(grid.thread(), first);
      row = b.div(number, b.index(chunks));
      chunk = b.rem(number, b.index(chunks));
    }
    if (first + threads <= all)
      copy(row, chunk);
    else
      b.when(isLess(b, grid.thread(), all - first), [&] { copy(row, chunk); });
  }
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

SmallVector<AttentionOperand::BoxDim, 4> AttentionOperand::boxDims() const {
  int64_t unit = kChunk / elementBytes();
  SmallVector<BoxDim, 4> dims = {
      {BoxDim::Feature, featureCount, 1},
      {BoxDim::Row, rowCount,
       rowCount == 1 ? int64_t(llvm::alignTo(featureCount, unit)) : rowStride}};
  // All heads of a dimension without a stride are the same.
  if (headCount > 1 && headStride > 0)
    dims.push_back({BoxDim::Head, headCount, headStride});
  if (batchCount > 1 && batchStride > 0)
    dims.push_back({BoxDim::Batch, batchCount, batchStride});
  SmallVector<BoxDim *, 4> byStride;
  for (BoxDim &dim : dims)
    byStride.push_back(&dim);
  stableSort(byStride, [](const BoxDim *a, const BoxDim *b) {
    return a->stride > b->stride;
  });
  int64_t rest = offset;
  for (BoxDim *dim : byStride) {
    dim->start = rest / dim->stride;
    dim->size += dim->start;
    rest %= dim->stride;
  }
  return dims;
}

Value AttentionOperand::boxMap(GridFunction &grid, int64_t count) const {
  SmallVector<int64_t> sizes, strides, box = {boxFeatures, count};
  for (const BoxDim &dim : boxDims()) {
    sizes.push_back(dim.size);
    if (dim.kind != BoxDim::Feature)
      strides.push_back(dim.stride * elementBytes());
  }
  box.resize(sizes.size(), 1);
  return grid.tensorMap(memory(grid), element, sizes, strides, box,
                        boxFeatures * elementBytes());
}

SmallVector<Value> AttentionOperand::boxCorner(GridFunction &grid, Value batch,
                                               Value head, Value row,
                                               int64_t box) const {
  CodeBuilder &b = grid.b;
  Value indices[] = {b.index(box * boxFeatures), row, head, batch};
  SmallVector<Value> corner;
  for (const BoxDim &dim : boxDims())
    corner.push_back(b.make<arith::TruncIOp>(
        b.getI32Type(), b.add(indices[dim.kind], dim.start)));
  return corner;
}
