//===- LowerColumns.cpp - Reductions that keep the last dimension ---------===//
//
// The columns are cut into blocks. For each block in parallel: a buffer of
// accumulators, a pass over all reduced indices that adds pieces of a few rows
// after one another (contiguous vector loads), and a last loop that stores the
// block's results with what is element-wise behind the reduction.
//
//===----------------------------------------------------------------------===//

#include "LowerKernel.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::cpu;

namespace {

/// Columns of one block: a row's piece is a few cache lines.
constexpr int64_t maxBlock = 256;
/// Rows that are added up at a time, if their elements are cheap.
constexpr int64_t maxRows = 4;
/// Fewer blocks than this leave threads idle.
constexpr int64_t minBlocks = 8;

/// Emits one loop nest of columns; see the top of this file.
class ColumnsLowering {
public:
  explicit ColumnsLowering(NestLowering &lowering)
      : l(lowering), b(lowering.b), nest(lowering.nest), e(b, b.lanes()),
        keptDims(nest.keptDims()), keptShape(nest.keptShape()) {
    // Vectors go along the last dimension that is larger than 1.
    lane = keptDims.size() - 1;
    while (lane > 0 && keptShape[lane] == 1)
      --lane;
    columns = keptShape[lane];
    chooseBlock();
  }

  FailureOr<NestRange> run() {
    l.bindMemory(e);
    for (ReduceOp reduce : nest.reductions) {
      accumulators.emplace_back(b, reduce);
      buffers.push_back(
          l.stackBuffer(accumulators.back().elementType(), block + e.lanes()));
    }
    int64_t blocks = columns / block;
    SmallVector<int64_t> outer = keptShape;
    outer[lane] = blocks;
    b.loop(l.begin, l.end, 1, [&](Value task) {
      LaneIndices kept = e.index().delinearize(LaneIndex::scalar(task), outer);
      LaneIndex first = e.index().mul(kept[lane], block);
      fill();
      LaneIndices indices(nest.shape.size(), LaneIndex::constant(0));
      for (auto [dim, index] : llvm::zip(keptDims, kept))
        indices[dim] = index;
      forEachReduced(nest.reducedDims, indices,
                     [&](MutableArrayRef<LaneIndices> rows) {
                       forEachColumn([&](const LaneIndex &column) {
                         for (LaneIndices &at : rows)
                           at[keptDims[lane]] = e.index().add(first, column);
                         accumulate(rows, column);
                       });
                     });
      forEachColumn([&](const LaneIndex &column) {
        kept[lane] = e.index().add(first, column);
        store(kept, column);
      });
    });
    if (failed_)
      return failure();
    int64_t reduced = 1, cost = 0;
    for (int64_t dim : nest.reducedDims)
      reduced *= nest.shape[dim];
    for (ReduceOp reduce : nest.reductions)
      cost += reduced * block * estimateCost(reduce.getOperand());
    return NestRange{elementsOf(outer), cost};
  }

private:
  /// The largest block of whole vectors that divides the columns and leaves
  /// enough blocks; all columns if they are no whole vectors.
  void chooseBlock() {
    int64_t lanes = e.lanes(), outer = elementsOf(keptShape) / columns;
    block = columns;
    if (columns % lanes != 0)
      return;
    for (int64_t size = lanes; size <= std::min(columns, maxBlock);
         size += lanes)
      if (columns % size == 0 && (size == lanes || size <= 4 * lanes ||
                                  outer * (columns / size) >= minBlocks))
        block = size;
  }

  void forEachColumn(function_ref<void(const LaneIndex &)> body) {
    forEachVector(e, {block}, {0}, LaneIndices(1), {},
                  [&](const LaneIndices &at, ValueRange) {
                    body(at[0]);
                    return CodeBuilder::Values{};
                  });
  }

  /// Calls `body` for all reduced indices, for some neighbours along the last
  /// of them at a time.
  void forEachReduced(ArrayRef<int64_t> dims, const LaneIndices &indices,
                      function_ref<void(MutableArrayRef<LaneIndices>)> body) {
    if (dims.empty()) {
      LaneIndices row = indices;
      return body(row);
    }
    int64_t size = nest.shape[dims[0]];
    auto rowsFrom = [&](Value iv, int64_t count) {
      SmallVector<LaneIndices, maxRows> rows(count, indices);
      for (int64_t row = 0; row < count; ++row)
        rows[row][dims[0]] =
            size == 1
                ? LaneIndex::constant(0)
                : e.index().add(LaneIndex::scalar(iv).within(0, size - count),
                                LaneIndex::constant(row));
      if (dims.size() == 1)
        body(rows);
      else
        forEachReduced(dims.drop_front(), rows.front(), body);
    };
    int64_t step = dims.size() == 1 ? rowsAtOnce() : 1;
    int64_t whole = size / step * step;
    b.loop(b.index(0), b.index(whole), step,
           [&](Value iv) { rowsFrom(iv, step); });
    b.loop(b.index(whole), b.index(size), 1,
           [&](Value iv) { rowsFrom(iv, 1); });
  }

  /// How many rows are added to the accumulators at a time: fewer where their
  /// elements take longer than the way to memory and back.
  int64_t rowsAtOnce() {
    int64_t cost = 0;
    for (ReduceOp reduce : nest.reductions)
      cost += estimateCost(reduce.getOperand());
    return cost <= maxCheapCost ? maxRows : 1;
  }

  void fill() {
    forEachColumn([&](const LaneIndex &column) {
      for (auto [accumulator, buffer] : llvm::zip(accumulators, buffers))
        e.store(accumulator.neutral(e.lanes()), buffer, column);
    });
  }

  void accumulate(ArrayRef<LaneIndices> rows, const LaneIndex &column) {
    for (auto [reduce, accumulator, buffer] : llvm::zip(
             SmallVector<ReduceOp>(nest.reductions), accumulators, buffers)) {
      Value sum = e.load(accumulator.elementType(), buffer, column, true);
      for (const LaneIndices &at : rows) {
        Value element = e.emitLanes(reduce.getOperand(), at);
        if (!element) {
          failed_ = true;
          return;
        }
        sum = accumulator.combine(sum, accumulator.widen(element));
      }
      e.store(sum, buffer, column);
    }
  }

  void store(const LaneIndices &kept, const LaneIndex &column) {
    for (auto [reduce, accumulator, buffer] : llvm::zip(
             SmallVector<ReduceOp>(nest.reductions), accumulators, buffers)) {
      Value sum = accumulator.narrow(
          e.load(accumulator.elementType(), buffer, column, true));
      e.bind(reduce.getResult(), [sum](const LaneIndices &) { return sum; });
    }
    if (!storeOutputs(l, e, nest.outputs, kept))
      failed_ = true;
  }

  NestLowering &l;
  CodeBuilder &b;
  const LoopNest &nest;
  ElementEmitter e;
  SmallVector<int64_t> keptDims, keptShape;
  /// Position among the kept dimensions of the one that vectors go along.
  int64_t lane = 0;
  int64_t columns = 1, block = 1;
  SmallVector<Accumulator> accumulators;
  SmallVector<Value> buffers;
  bool failed_ = false;
};

} // namespace

FailureOr<NestRange> cpu::lowerColumns(NestLowering &lowering) {
  return ColumnsLowering(lowering).run();
}
