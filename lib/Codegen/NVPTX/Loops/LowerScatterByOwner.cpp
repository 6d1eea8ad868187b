//===- LowerScatterByOwner.cpp - Scatters into the rows of a table --------===//
//
// The gradient of an embedding adds thousands of rows to a table, some of them
// to the same row. Atomic additions would be fast, but in another order in
// every run. Here each block owns a range of rows: it looks at the indices of
// all updates, a block's worth at a time, notes in shared memory which of them
// are its own (one ballot per warp), and applies these in their order, its
// threads side by side along the window. So there are no races, and sums are
// formed as on one processor, whatever indices are equal.
//
// Looking at all indices costs (updates x blocks) comparisons, which stay in
// caches; applying costs what the memory takes.
//
//===----------------------------------------------------------------------===//

#include "Core/Vectors.h"
#include "Loops/LoopRules.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/IndexedOperations.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

/// Most threads of a block. All of them look at indices.
constexpr int64_t kMaxThreads = 256;
/// Blocks that the positions are divided among, for each multiprocessor.
constexpr int64_t kBlocksPerMultiprocessor = 8;

class OwnerLowering {
public:
  OwnerLowering(const GpuNest &nest, ScatterOp scatter,
                const ScatterShape &shape, int64_t threads, int64_t lanes)
      : scatter(scatter), shape(shape), lanes(lanes), grid(nest, threads),
        b(grid.b), e(b, lanes), scalars(b, 1) {
    grid.lowering.bindMemory(e);
    grid.lowering.bindMemory(scalars);
    Value result = scatter.getResult();
    to = grid.lowering.pointer(
        grid.lowering.plan.slots.find(result)->second.front());
    int64_t positions = elementsOf(shape.indexedSizes);
    owned =
        llvm::divideCeil(positions, kBlocksPerMultiprocessor *
                                        nest.variant.target.multiprocessors);
    owners = llvm::divideCeil(positions, owned);
    vectors = elementsOf(shape.windowSizes) / lanes;
  }

  LogicalResult run() {
    int64_t threads = grid.threads(), updates = elementsOf(shape.batchSizes);
    starts = grid.sharedArray(b.getI64Type(), threads);
    ballots = grid.sharedArray(b.getI32Type(), threads / kWarp);
    b.loop(b.index(0), b.index(updates), threads, [&](Value first) {
      lookAt(first, updates);
      grid.barrier();
      b.loop(b.index(0), b.index(threads / kWarp), 1,
             [&](Value warp) { applyOfWarp(first, warp); });
      // The notes may be overwritten.
      grid.barrier();
    });
    if (failed_)
      return failure();
    int64_t columns = llvm::divideCeil(vectors, threads);
    grid.finish({columns, owners, 1});
    return success();
  }

private:
  void lookAt(Value first, int64_t updates);
  Value startOf(const LaneIndices &batch, Value &isOwned);
  void applyOfWarp(Value first, Value warp);
  void apply(Value update, Value start);

  ScatterOp scatter;
  const ScatterShape &shape;
  int64_t lanes;
  GridFunction grid;
  CodeBuilder &b;
  ElementEmitter e, scalars;
  Value to;
  /// Positions of one block, blocks that share them all, and vectors of a
  /// window.
  int64_t owned = 1, owners = 1, vectors = 1;
  /// Where in the operand the window of each update begins, and which updates
  /// of a warp are the block's own.
  Value starts, ballots;
  bool failed_ = false;
};

} // namespace

/// Notes where the thread's update goes, and whether it is the block's own.
void OwnerLowering::lookAt(Value first, int64_t updates) {
  Value number = b.add(first, grid.thread());
  Value exists;
  if (updates % grid.threads() != 0) {
    exists = isLess(b, number, b.index(updates));
    number = b.min(number, b.index(updates - 1));
  }
  Value isOwned = exists;
  Value start = startOf(
      scalars.index().delinearize(LaneIndex::scalar(number), shape.batchSizes),
      isOwned);
  if (!start) {
    failed_ = true;
    return;
  }
  scalars.store(start, starts, LaneIndex::scalar(grid.thread()));
  Value all = b.splat(b.getI32Type(), b.getI32IntegerAttr(-1));
  Value ballot = NVVM::VoteSyncOp::create(b, b.getLoc(), b.getI32Type(), all,
                                          isOwned, NVVM::VoteSyncKind::ballot);
  Value leads =
      b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, grid.lane(), b.index(0));
  b.guard(leads, [&] {
    scalars.store(ballot, ballots, LaneIndex::scalar(grid.warp()));
  });
}

/// The position in the operand of the first element of an update's window;
/// `isOwned` also whether the window lies inside and in the block's range.
Value OwnerLowering::startOf(const LaneIndices &batch, Value &isOwned) {
  ArrayRef<int64_t> sizes = shapeOf(scatter.getOperand());
  int64_t vectorDim = scatter.getIndexVectorDim();
  SmallVector<Value> indices(sizes.size());
  for (auto [d, source] :
       llvm::zip(scatter.getOperandBatching(), scatter.getIndicesBatching()))
    indices[d] =
        scalars.index().start(batch[source < vectorDim ? source : source - 1]);
  for (auto [component, d] : llvm::enumerate(scatter.getOperandDimsMap())) {
    Value index = emitIndexComponent(scalars, scatter.getIndices(), vectorDim,
                                     batch, component);
    if (!index)
      return {};
    // As unsigned numbers, negative indices are beyond every size.
    isOwned = bothHold(b, isOwned,
                       b.make<arith::CmpIOp>(arith::CmpIPredicate::ult, index,
                                             b.index(sizes[d])));
    indices[d] = index;
  }
  Value number = b.index(0), start = b.index(0);
  int64_t stride = elementsOf(sizes);
  for (auto [d, size] : llvm::enumerate(sizes)) {
    stride /= size;
    if (!indices[d])
      continue;
    number = b.add(b.mul(number, size), indices[d]);
    start = b.add(start, b.mul(indices[d], stride));
  }
  Value first = b.mul(grid.block(1), owned);
  isOwned =
      bothHold(b, isOwned,
               b.make<arith::CmpIOp>(arith::CmpIPredicate::ult,
                                     b.sub(number, first), b.index(owned)));
  return start;
}

/// Applies the own updates among those that the threads of `warp` looked at.
void OwnerLowering::applyOfWarp(Value first, Value warp) {
  Type i64 = b.getI64Type();
  Value ballot = scalars.load(b.getI32Type(), ballots, LaneIndex::scalar(warp),
                              /*written=*/true);
  Value count = b.make<arith::ExtUIOp>(i64, b.make<math::CtPopOp>(ballot));
  Value one = b.splat(b.getI32Type(), b.getI32IntegerAttr(1));
  b.loop(b.index(0), count, 1, {ballot}, [&](Value, ValueRange carried) {
    Value lane = b.make<arith::ExtUIOp>(
        i64, b.make<math::CountTrailingZerosOp>(carried[0]));
    Value thread = b.add(b.mul(warp, kWarp), lane);
    Value start = scalars.load(i64, starts, LaneIndex::scalar(thread),
                               /*written=*/true);
    apply(b.add(first, thread), start);
    // Without its lowest bit.
    Value less = b.make<arith::SubIOp>(carried[0], one);
    return CodeBuilder::Values{b.make<arith::AndIOp>(carried[0], less)};
  });
}

void OwnerLowering::apply(Value update, Value start) {
  int64_t threads = grid.threads();
  Value vector = b.add(b.mul(grid.block(), threads), grid.thread());
  Value exists =
      vectors % threads ? isLess(b, vector, b.index(vectors)) : Value();
  guardIf(b, exists, [&] {
    LaneIndices batch =
        e.index().delinearize(LaneIndex::scalar(update), shape.batchSizes);
    LaneIndices window = e.index().delinearize(
        vectorAt(b.mul(vector, lanes), lanes), shape.windowSizes);
    ArrayRef<int64_t> sizes = shapeOf(scatter.getOperand());
    LaneIndices at(shapeOf(scatter.getUpdates()).size(),
                   LaneIndex::constant(0));
    LaneIndices targetIndices(sizes.size(), LaneIndex::constant(0));
    for (auto [dim, index] : llvm::zip(shape.batchDims, batch))
      at[dim] = index;
    for (auto [dim, target, index] :
         llvm::zip(shape.windowDims, shape.windowTargets, window))
      at[dim] = targetIndices[target] = index;
    Value element = e.emitLanes(scatter.getUpdates(), at);
    if (!element) {
      failed_ = true;
      return;
    }
    LaneIndex position =
        e.index().add(LaneIndex::scalar(start, lanes),
                      e.index().linearize(targetIndices, sizes));
    applyUpdate(e, scatter, element, to, position);
  });
}

FailureOr<bool> nvptx::lowerScatterByOwner(const GpuNest &nest,
                                           ScatterOp scatter) {
  ScatterShape shape(scatter);
  if (!shape.isPartition || shape.indexedDims.empty())
    return false;
  // Vectors lie along the last dimension of windows, if it is the operand's.
  int64_t lanes = 1;
  ArrayRef<int64_t> operand = shapeOf(scatter.getOperand());
  Type element = getElementTypeOrSelf(scatter.getType());
  if (!shape.windowTargets.empty() &&
      shape.windowTargets.back() + 1 == int64_t(operand.size()) &&
      shape.windowSizes.back() == operand.back())
    lanes = vectorLanes(CodeBuilder::storageBytes(element), operand.back());
  int64_t vectors = codegen::elementsOf(shape.windowSizes) / lanes;
  int64_t threads = std::clamp(llvm::PowerOf2Ceil(uint64_t(vectors)),
                               uint64_t(128), uint64_t(kMaxThreads));
  OwnerLowering lowering(nest, scatter, shape, threads, lanes);
  if (failed(lowering.run()))
    return failure();
  return true;
}
