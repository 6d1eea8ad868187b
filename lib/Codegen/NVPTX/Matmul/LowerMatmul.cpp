//===- LowerMatmul.cpp - Matrix products ----------------------------------===//
//
// A block of threads computes a block of results. Steps of both operands stream
// through a ring of buffers in shared memory: while the block multiplies step s
// (TileMatmul.h), the copies of steps s+1 ... s+buffers-1 are under way
// (OperandLoader.h). One barrier per step is enough: behind it all threads have
// waited for their copies of step s, and have read what step s-1 left in the
// buffer that the copies of step s+buffers-1 now overwrite.
//
// The block of results goes through the same shared memory to the
// threads that compute what follows the product (MatmulEpilogue.h): they read
// and write whole 16 bytes of rows, whatever the layout of the sums in
// registers. If the depth is split, the block of results is a partial sum that
// a temporary takes; a second grid adds the partial sums, always in the same
// order, and computes what follows.
//
// The structure is that of CUTLASS's multistage kernels.
//
//===----------------------------------------------------------------------===//

#include "Core/TileOrder.h"
#include "Core/TuningRecords.h"
#include "Matmul/MatmulResults.h"
#include "Matmul/MatmulRules.h"
#include "Matmul/MatmulTile.h"
#include "Matmul/OperandLoader.h"
#include "Matmul/TileMatmul.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

class MatmulLowering {
public:
  MatmulLowering(const GpuNest &nest, const Matmul &matmul,
                 const MatmulSchedule &schedule)
      : nest(nest), matmul(matmul), schedule(schedule), tile(schedule.tile),
        results(nest, matmul, schedule.splits, tile.m, tile.n) {}

  LogicalResult run() {
    return failed(emitMatmul()) ? failure() : results.emitSum();
  }

private:
  int64_t blocks() const {
    return matmul.batches * schedule.splits * schedule.tilesM(matmul) *
           schedule.tilesN(matmul);
  }

  LogicalResult emitMatmul() {
    GridFunction function(nest, tile.threads());
    grid = &function;
    b = &function.b;
    bool asDepthMajor = matmul.unit == MatmulUnit::TensorFloat32;
    OperandLoader leftLoader(function, matmul.left, tile.m, tile.k,
                             asDepthMajor);
    OperandLoader rightLoader(function, matmul.right, tile.n, tile.k,
                              asDepthMajor);
    left = &leftLoader;
    right = &rightLoader;
    OperandTile leftTile{leftLoader.tile(), leftLoader.isDepthMajor()};
    OperandTile rightTile{rightLoader.tile(), rightLoader.isDepthMajor()};
    product =
        matmul.unit == MatmulUnit::Scalar
            ? makeScalarMatmul(function, matmul, tile, leftTile, rightTile)
            : makeTensorCoreMatmul(function, matmul, tile, leftTile, rightTile);
    shared = function.dynamicShared(tile.sharedBytes(matmul));
    locate();
    FailureOr<CodeBuilder::Values> sums = emitSteps();
    if (failed(sums) || failed(emitResults(*sums)))
      return failure();
    function.finish({blocks(), 1, 1});
    return success();
  }

  /// Finds the block's tile: split, batch, first row and column of results.
  void locate() {
    int64_t tilesM = schedule.tilesM(matmul), tilesN = schedule.tilesN(matmul);
    Value block = grid->block();
    Value rest = b->div(block, b->index(tilesM * tilesN));
    Value number = b->rem(block, b->index(tilesM * tilesN));
    split = b->rem(rest, b->index(schedule.splits));
    batch = b->div(rest, b->index(schedule.splits));
    TileCoordinates coordinates =
        rasterise(*b, number, tilesM, tilesN, kMatmulRows);
    rowStart = b->mul(coordinates.row, tile.m);
    columnStart = b->mul(coordinates.column, tile.n);
    left->locate(batch, rowStart);
    right->locate(batch, columnStart);
    int64_t perSplit = schedule.splitSteps(matmul);
    begin = b->mul(split, perSplit);
    end = b->min(b->add(begin, perSplit), b->index(schedule.steps(matmul)));
  }

  Value isLess(Value x, Value y) {
    return b->make<arith::CmpIOp>(arith::CmpIPredicate::slt, x, y);
  }

  /// The buffers of slot `slot` of the ring.
  Value leftBuffer(Value slot) {
    return sharedAddress(*b, shared, b->mul(slot, tile.bufferBytes(matmul)));
  }
  Value rightBuffer(Value slot) {
    return sharedAddress(*b, leftBuffer(slot), b->index(0),
                         left->tile().bytes());
  }

  void startCopies(Value step, Value slot) {
    Value depth = b->mul(step, tile.k);
    if (left->isAsynchronous())
      left->copy(depth, leftBuffer(slot));
    if (right->isAsynchronous())
      right->copy(depth, rightBuffer(slot));
  }
  void commit() { NVVM::CpAsyncCommitGroupOp::create(*b, b->getLoc()); }

  /// What has to be computed of step `step` of one operand, if anything.
  FailureOr<CodeBuilder::Values> load(OperandLoader &loader, Value step) {
    if (loader.isAsynchronous())
      return CodeBuilder::Values{};
    return loader.load(b->mul(step, tile.k));
  }
  LogicalResult loadAndStore(OperandLoader &loader, Value step, Value target) {
    FailureOr<CodeBuilder::Values> elements = load(loader, step);
    if (failed(elements))
      return failure();
    loader.store(*elements, target);
    return success();
  }

  /// All steps of the depth: the thread's sums.
  FailureOr<CodeBuilder::Values> emitSteps() {
    int64_t ahead = tile.buffers - 1;
    bool isFailed = false;
    for (int64_t s = 0; s < ahead && s < schedule.splitSteps(matmul); ++s) {
      Value step = b->add(begin, s), slot = b->index(s);
      auto fill = [&] {
        startCopies(step, slot);
        isFailed |= failed(loadAndStore(*left, step, leftBuffer(slot))) ||
                    failed(loadAndStore(*right, step, rightBuffer(slot)));
      };
      if (schedule.splits == 1)
        fill();
      else
        b->when(isLess(step, end), fill);
      commit();
    }
    // Where there are fewer steps than buffers, empty groups stand for the
    // rest.
    for (int64_t s = schedule.splitSteps(matmul); s < ahead; ++s)
      commit();
    if (isFailed)
      return failure();
    CodeBuilder::Values carried = product->zeros();
    carried.push_back(b->index(0));
    carried.push_back(b->index(ahead));
    carried =
        b->loop(begin, end, 1, carried, [&](Value step, ValueRange values) {
          auto next = emitStep(step, values);
          isFailed |= failed(next);
          return failed(next) ? CodeBuilder::Values(values) : *next;
        });
    carried.pop_back_n(2);
    if (isFailed)
      return failure();
    return carried;
  }

  /// One step; carried are the sums, the slot to read and the one to fill.
  FailureOr<CodeBuilder::Values> emitStep(Value step, ValueRange carried) {
    int64_t ahead = tile.buffers - 1;
    ValueRange sums = carried.drop_back(2);
    Value reading = carried[sums.size()], filling = carried[sums.size() + 1];
    NVVM::CpAsyncWaitGroupOp::create(*b, b->getLoc(), ahead - 1);
    grid->barrier();
    Value coming = b->add(step, ahead);
    b->when(isLess(coming, end), [&] { startCopies(coming, filling); });
    commit();
    auto leftElements = load(*left, coming);
    auto rightElements = load(*right, coming);
    if (failed(leftElements) || failed(rightElements))
      return failure();
    CodeBuilder::Values next =
        product->multiply(leftBuffer(reading), rightBuffer(reading), sums);
    if (!left->isAsynchronous())
      left->store(*leftElements, leftBuffer(filling));
    if (!right->isAsynchronous())
      right->store(*rightElements, rightBuffer(filling));
    next.push_back(successor(reading));
    next.push_back(successor(filling));
    return next;
  }

  /// The slot of the ring behind `slot`.
  Value successor(Value slot) {
    Value isLast = b->make<arith::CmpIOp>(arith::CmpIPredicate::eq, slot,
                                          b->index(tile.buffers - 1));
    return b->make<arith::SelectOp>(isLast, b->index(0), b->add(slot, 1));
  }

  /// The block of results, part after part, through shared memory.
  LogicalResult emitResults(ValueRange sums) {
    NVVM::CpAsyncWaitGroupOp::create(*b, b->getLoc(), 0);
    int64_t parts = tile.resultParts(matmul), rows = tile.m / parts;
    LogicalResult result = success();
    b->loop(b->index(0), b->index(parts), 1, [&](Value part) {
      Value firstRow = b->mul(part, rows);
      grid->barrier();
      if (parts == 1)
        product->store(sums, shared, firstRow);
      else
        b->when(b->make<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                       product->warpRow(), part),
                [&] { product->store(sums, shared, firstRow); });
      grid->barrier();
      if (failed(results.emit(
              *grid, {shared, rows, tile.n, tile.resultStride()},
              {split, batch, b->add(rowStart, firstRow), columnStart},
              {grid->thread(), tile.threads()})))
        result = failure();
    });
    return result;
  }

  const GpuNest &nest;
  const Matmul &matmul;
  const MatmulSchedule &schedule;
  const MatmulTile &tile;
  MatmulResults results;
  /// The function that is being emitted.
  GridFunction *grid = nullptr;
  CodeBuilder *b = nullptr;
  OperandLoader *left = nullptr, *right = nullptr;
  std::unique_ptr<TileMatmul> product;
  Value shared;
  /// Where the block's tile is, and its steps of the depth.
  Value split, batch, rowStart, columnStart, begin, end;
};

} // namespace

/// The schedule that a record says, else that of the model.
static MatmulSchedule getSchedule(const Matmul &matmul, const GpuNest &nest) {
  const GpuTarget &target = nest.variant.target;
  const TuningRecord *record =
      nest.variant.options.tuning->find(getTuningKey(matmul, target));
  if (record && record->family->kernel == "mma") {
    MatmulTile tile = *MatmulTile::parse(record->tile);
    if (tile.isValid(matmul, target))
      return chooseSchedule(matmul, target, tile, record->splits);
  }
  return chooseSchedule(matmul, target);
}

FailureOr<bool> nvptx::lowerMatmul(const GpuNest &nest) {
  if (nest.loops.kind != KernelKind::Matmul)
    return false;
  Matmul matmul = Matmul::get(nest, nest.variant.options.tf32);
  if (matmul.batches * matmul.m * matmul.n == 0)
    return false;
  MatmulSchedule schedule = getSchedule(matmul, nest);
  if (failed(MatmulLowering(nest, matmul, schedule).run()))
    return failure();
  return true;
}
