//===- LowerRows.cpp - Reductions along rows on a GPU ---------------------===//
//
// The threads of a row (part of a warp, or warps of one block; RowShape) each
// reduce their elements, then the sums of lanes are combined by shuffles and
// those of warps through shared memory, so that every thread knows the result
// of a phase. Where the elements of a thread fit into its registers the passes
// are unrolled, and what one has read or computed serves the next: softmax and
// layer norm read once and write once.
//
// A few very long rows are cut into parts, each for one block. Then every phase
// is a step of its own, which ends by writing one sum per part, and begins by
// combining those of the phases before. All sums are formed in one order, so
// that results do not vary between runs.
//
//===----------------------------------------------------------------------===//

#include "Loops/LoopRules.h"
#include "Loops/RowShape.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

using Values = CodeBuilder::Values;

/// The temporaries with the sums of parts: of each phase, of each reduction.
using Partials = std::vector<SmallVector<unsigned>>;

/// One step: a grid of blocks that work on the rows of a loop nest.
class RowGrid {
public:
  RowGrid(const GpuNest &gpuNest, const RowShape &shape)
      : nest(gpuNest.loops), shape(shape), phases(nest.phases()),
        grid(gpuNest, shape.blockThreads()), b(grid.b), e(b, shape.lanes),
        scalars(b, 1) {
    grid.lowering.bindMemory(e);
    placeThread();
    placePieces();
  }

  /// Computes the reductions of `phase`, whose results every thread of the row
  /// knows afterwards.
  void reduce(unsigned phase) {
    bindResults(phase, acrossRow(phase, sum(phase)));
  }
  /// Computes them for the thread's part of the row and stores the sums.
  void storePartials(unsigned phase, const Partials &partials);
  /// Combines what `storePartials` of an earlier step has stored.
  void combinePartials(unsigned phase, const Partials &partials);
  /// Stores the results with one element per row, then those with one per
  /// point.
  void storeKept();
  void storeRows();
  /// `parts` of each row run.
  LogicalResult finish(int64_t parts) {
    if (failed_)
      return failure();
    grid.finish({shape.rowBlocks(), parts, 1});
    return success();
  }

private:
  /// A vector of elements of the row: its position, and whether it exists
  /// (null: always). The position of one that does not is the last one's.
  struct Piece {
    LaneIndices at;
    Value exists;
  };
  using PieceBody = function_ref<Values(ArrayRef<Piece>, ValueRange)>;

  void placeThread();
  void placePieces();
  Piece pieceAt(Value vector, bool mayEnd);
  Values forEachPiece(ValueRange carried, PieceBody body);
  std::vector<Accumulator> accumulatorsOf(unsigned phase);
  Values sum(unsigned phase);
  Values addPieces(unsigned phase, ArrayRef<Piece> pieces, ValueRange sums);
  Values acrossRow(unsigned phase, Values sums);
  Values acrossWarps(unsigned phase, const Values &sums);
  void bindResults(unsigned phase, const Values &sums);
  /// The index of a part's sum among the partial sums.
  LaneIndex partialAt(Value part) {
    return LaneIndex::scalar(b.add(b.mul(row, shape.parts), part));
  }
  /// Whether this thread is the first of its row.
  Value isFirst() {
    return b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, column, b.index(0));
  }

  const LoopNest &nest;
  const RowShape &shape;
  std::vector<SmallVector<ReduceOp>> phases;
  GridFunction grid;
  CodeBuilder &b;
  /// For vectors of a row, and for scalars.
  ElementEmitter e, scalars;
  /// The thread's row, the last one instead of one that does not exist, and its
  /// number among the threads of the row.
  Value row, column;
  /// Whether the row exists; null: always.
  Value rowExists;
  LaneIndices kept, indices;
  /// The vectors that follow those of the loop.
  SmallVector<Piece> last;
  /// Trips of the loop, and the first vector of the thread's part.
  int64_t trips = 0;
  Value firstVector;
  bool failed_ = false;
};

} // namespace

void RowGrid::placeThread() {
  row = grid.block();
  column = grid.thread();
  if (shape.rowsPerBlock > 1) {
    row = b.add(b.mul(row, shape.rowsPerBlock),
                b.div(column, b.index(shape.threads)));
    column = b.rem(column, b.index(shape.threads));
  }
  if (shape.rows % shape.rowsPerBlock != 0) {
    rowExists = isLess(b, row, b.index(shape.rows));
    row = b.min(row, b.index(shape.rows - 1));
  }
  kept = e.index().delinearize(LaneIndex::scalar(row), nest.keptShape());
  indices.assign(nest.shape.size(), LaneIndex::constant(0));
  for (auto [dim, index] : llvm::zip(nest.keptDims(), kept))
    indices[dim] = index;
}

void RowGrid::placePieces() {
  firstVector = column;
  if (shape.parts > 1)
    firstVector = b.add(b.mul(grid.block(1), shape.partVectors), column);
  int64_t stride = shape.threads * shape.unroll;
  bool isExact = shape.parts * shape.partVectors == shape.vectors;
  trips = shape.isResident ? 0 : shape.partVectors / stride;
  int64_t rest = shape.partVectors - trips * stride;
  for (int64_t i = 0; i * shape.threads < rest; ++i) {
    // Where the last part ends early, every vector may be behind its end.
    bool ends = !isExact || (i + 1) * shape.threads > rest;
    last.push_back(
        pieceAt(b.add(firstVector, trips * stride + i * shape.threads), ends));
  }
}

RowGrid::Piece RowGrid::pieceAt(Value vector, bool mayEnd) {
  Piece piece;
  if (mayEnd) {
    piece.exists = isLess(b, vector, b.index(shape.vectors));
    vector = b.min(vector, b.index(shape.vectors - 1));
  }
  SmallVector<int64_t> sizes = sizesOf(nest.shape, nest.reducedDims);
  LaneIndex position = vectorAt(b.mul(vector, shape.lanes), shape.lanes);
  LaneIndices inRow = e.index().delinearize(position, sizes);
  piece.at = indices;
  for (auto [dim, index] : llvm::zip(nest.reducedDims, inRow))
    piece.at[dim] = index;
  return piece;
}

Values RowGrid::forEachPiece(ValueRange carried, PieceBody body) {
  bool isExact = shape.parts * shape.partVectors == shape.vectors;
  int64_t stride = shape.threads * shape.unroll;
  Values values = b.loop(
      b.index(0), b.index(trips), 1, carried, [&](Value trip, ValueRange sums) {
        Value first = b.add(firstVector, b.mul(trip, stride));
        SmallVector<Piece> pieces;
        for (int64_t i = 0; i < shape.unroll; ++i)
          pieces.push_back(pieceAt(b.add(first, i * shape.threads), !isExact));
        return body(pieces, sums);
      });
  return last.empty() ? values : body(last, values);
}

std::vector<Accumulator> RowGrid::accumulatorsOf(unsigned phase) {
  std::vector<Accumulator> accumulators;
  for (ReduceOp reduce : phases[phase])
    accumulators.emplace_back(b, reduce);
  return accumulators;
}

/// The thread's own sums.
Values RowGrid::sum(unsigned phase) {
  std::vector<Accumulator> accumulators = accumulatorsOf(phase);
  Values start;
  for (Accumulator &accumulator : accumulators)
    start.push_back(accumulator.neutral(shape.lanes));
  Values sums =
      forEachPiece(start, [&](ArrayRef<Piece> pieces, ValueRange carried) {
        return addPieces(phase, pieces, carried);
      });
  for (auto [accumulator, value] : llvm::zip(accumulators, sums))
    value = accumulator.across(value);
  return sums;
}

Values RowGrid::addPieces(unsigned phase, ArrayRef<Piece> pieces,
                          ValueRange carried) {
  std::vector<Accumulator> accumulators = accumulatorsOf(phase);
  Values sums(carried);
  for (const Piece &piece : pieces)
    for (auto [reduce, accumulator, total] :
         llvm::zip(phases[phase], accumulators, sums)) {
      Value element = e.emitLanes(reduce.getOperand(), piece.at);
      if (!element) {
        failed_ = true;
        return sums;
      }
      element = accumulator.widen(element);
      if (piece.exists)
        element = b.make<arith::SelectOp>(piece.exists, element,
                                          accumulator.neutral(shape.lanes));
      total = accumulator.combine(total, element);
    }
  return sums;
}

Values RowGrid::acrossRow(unsigned phase, Values sums) {
  std::vector<Accumulator> accumulators = accumulatorsOf(phase);
  for (auto [accumulator, value] : llvm::zip(accumulators, sums))
    value =
        grid.acrossLanes(accumulator, value, std::min(shape.threads, kWarp));
  return shape.threads > kWarp ? acrossWarps(phase, sums) : sums;
}

/// The sums of a row's warps, from which each warp forms that of the row.
Values RowGrid::acrossWarps(unsigned phase, const Values &sums) {
  int64_t warps = shape.threads / kWarp;
  SmallVector<Value> arrays;
  for (Value value : sums)
    arrays.push_back(
        grid.sharedArray(value.getType(), warps * shape.rowsPerBlock));
  Value leads =
      b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, grid.lane(), b.index(0));
  b.guard(leads, [&] {
    for (auto [value, array] : llvm::zip(sums, arrays))
      scalars.store(value, array, LaneIndex::scalar(grid.warp()));
  });
  grid.barrier();
  Value firstWarp = b.mul(b.div(grid.warp(), b.index(warps)), warps);
  Value index = b.add(firstWarp, b.rem(grid.lane(), b.index(warps)));
  Values totals;
  std::vector<Accumulator> accumulators = accumulatorsOf(phase);
  for (auto [accumulator, array] : llvm::zip(accumulators, arrays)) {
    Value value = scalars.load(accumulator.elementType(), array,
                               LaneIndex::scalar(index), /*written=*/true);
    totals.push_back(grid.acrossLanes(accumulator, value, warps));
  }
  return totals;
}

void RowGrid::bindResults(unsigned phase, const Values &sums) {
  for (auto [reduce, accumulator, value] :
       llvm::zip(phases[phase], accumulatorsOf(phase), sums)) {
    Value result = accumulator.narrow(value);
    e.bind(reduce.getResult(),
           [result](const LaneIndices &) { return result; });
  }
}

void RowGrid::storePartials(unsigned phase, const Partials &partials) {
  Values sums = acrossRow(phase, sum(phase));
  b.guard(isFirst(), [&] {
    for (auto [value, number] : llvm::zip(sums, partials[phase]))
      scalars.store(value, grid.temporary(number), partialAt(grid.block(1)));
  });
}

void RowGrid::combinePartials(unsigned phase, const Partials &partials) {
  Values sums;
  for (auto [accumulator, number] :
       llvm::zip(accumulatorsOf(phase), partials[phase])) {
    Value total = accumulator.neutral(1);
    for (int64_t first = 0; first < shape.parts; first += shape.threads) {
      Value part = b.add(column, first);
      Value exists = isLess(b, part, b.index(shape.parts));
      part = b.min(part, b.index(shape.parts - 1));
      Value value = scalars.load(accumulator.elementType(),
                                 grid.temporary(number), partialAt(part));
      total = accumulator.combine(
          total,
          b.make<arith::SelectOp>(exists, value, accumulator.neutral(1)));
    }
    sums.push_back(total);
  }
  bindResults(phase, acrossRow(phase, sums));
}

void RowGrid::storeKept() {
  SmallVector<NestOutput> outputs;
  for (const NestOutput &output : nest.outputs)
    if (output.kept)
      outputs.push_back(output);
  if (outputs.empty())
    return;
  Value stores = bothHold(b, isFirst(), rowExists);
  if (shape.parts > 1)
    stores = bothHold(b, stores,
                      b.make<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                            grid.block(1), b.index(0)));
  b.guard(stores, [&] {
    for (const NestOutput &output : outputs) {
      LaneIndices at = grid.lowering.outputIndices(output, kept);
      Value element = e.emit(output.value, at);
      if (element)
        grid.lowering.storeOutput(e, output, element, at);
      else
        failed_ = true;
    }
  });
}

void RowGrid::storeRows() {
  SmallVector<NestOutput> outputs;
  for (const NestOutput &output : nest.outputs)
    if (!output.kept)
      outputs.push_back(output);
  if (outputs.empty())
    return;
  forEachPiece({}, [&](ArrayRef<Piece> pieces, ValueRange) {
    SmallVector<SmallVector<Value>> elements(pieces.size());
    for (auto [piece, values] : llvm::zip(pieces, elements))
      failed_ |= !emitAll(e, outputs, piece.at, values);
    if (failed_)
      return Values{};
    for (auto [piece, values] : llvm::zip(pieces, elements))
      guardIf(b, bothHold(b, piece.exists, rowExists), [&] {
        for (auto [output, element] : llvm::zip(outputs, values))
          grid.lowering.storeOutput(e, output, element, piece.at);
      });
    return Values{};
  });
}

/// All phases in one step.
static LogicalResult lowerWhole(const GpuNest &nest, const RowShape &shape) {
  RowGrid grid(nest, shape);
  for (unsigned phase = 0, e = nest.loops.phases().size(); phase < e; ++phase)
    grid.reduce(phase);
  grid.storeKept();
  grid.storeRows();
  return grid.finish(1);
}

/// A step for every phase, then one for the results.
static LogicalResult lowerParts(const GpuNest &nest, const RowShape &shape) {
  Partials partials;
  for (ArrayRef<ReduceOp> phase : nest.loops.phases()) {
    unsigned number = partials.size();
    partials.emplace_back();
    for (ReduceOp reduce : phase)
      partials[number].push_back(nest.variant.addTemporary(
          shape.rows * shape.parts * accumulatorBytes(reduce)));
    RowGrid grid(nest, shape);
    for (unsigned earlier = 0; earlier < number; ++earlier)
      grid.combinePartials(earlier, partials);
    grid.storePartials(number, partials);
    if (failed(grid.finish(shape.parts)))
      return failure();
  }
  bool storesRows = llvm::any_of(nest.loops.outputs,
                                 [](const NestOutput &o) { return !o.kept; });
  RowGrid grid(nest, shape);
  for (unsigned phase = 0; phase < partials.size(); ++phase)
    grid.combinePartials(phase, partials);
  grid.storeKept();
  grid.storeRows();
  return grid.finish(storesRows ? shape.parts : 1);
}

FailureOr<bool> nvptx::lowerRows(const GpuNest &nest) {
  if (nest.loops.kind != KernelKind::Row ||
      codegen::elementsOf(nest.loops.shape) == 0)
    return false;
  RowShape shape = RowShape::choose(nest);
  LogicalResult lowered =
      shape.parts > 1 ? lowerParts(nest, shape) : lowerWhole(nest, shape);
  if (failed(lowered))
    return failure();
  return true;
}
