//===- ScalarMatmul.cpp - Products by multiply-adds -----------------------===//

#include "Matmul/TileMatmul.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

/// The indices along one side of the block of results that a thread computes,
/// and the elements of the operand there.
///
/// Where the tile's rows are contiguous in depth, 16 bytes of a row are several
/// steps of depth of one index; neighbouring threads read neighbouring rows,
/// which the exchange of chunks keeps in different banks. Else 16 bytes are
/// neighbouring indices of one step. Both need as many loads for as many
/// multiply-adds, so that operands need not be transposed.
class ThreadSlice {
public:
  /// `number` is the thread's number among `threads` along this side.
  ThreadSlice(CodeBuilder &b, const OperandTile &tile, Type element,
              Value number, int64_t threads, int64_t count)
      : b(b), tile(tile), element(element), number(number), threads(threads),
        count(count), perChunk(16 / CodeBuilder::storageBytes(element)),
        run(tile.isDepthMajor ? 1 : std::min(perChunk, count)) {}

  /// Indices that are neighbours, and where number `i`, a multiple of `run`,
  /// begins.
  int64_t runLength() const { return run; }
  int64_t size() const { return count; }
  Value index(int64_t i) { return b.add(b.mul(number, run), i * threads); }

  /// Elements at `perChunk` steps of depth from chunk `step` on: those of all
  /// indices at the first step, and so on.
  void read(Value base, int64_t step, SmallVectorImpl<Value> &elements) {
    elements.assign(perChunk * count, Value());
    if (tile.isDepthMajor) {
      for (int64_t i = 0; i < count; ++i) {
        Value offset =
            tile.shared.offset(b, number, b.index(step), i * threads);
        Value chunk = load(base, offset, perChunk);
        for (int64_t q = 0; q < perChunk; ++q)
          elements[q * count + i] = extract(chunk, q);
      }
      return;
    }
    for (int64_t q = 0; q < perChunk; ++q)
      for (int64_t i = 0; i < count; i += run) {
        Value free = index(i);
        Value offset = tile.shared.offset(b, b.index(step * perChunk + q),
                                          b.div(free, b.index(perChunk)));
        int64_t bytes = CodeBuilder::storageBytes(element);
        if (run < perChunk)
          offset = b.add(offset, b.mul(b.rem(free, b.index(perChunk)), bytes));
        Value values = load(base, offset, run);
        for (int64_t r = 0; r < run; ++r)
          elements[q * count + i + r] = extract(values, r);
      }
  }

private:
  Value load(Value base, Value offset, int64_t elements) {
    return LLVM::LoadOp::create(b, b.getLoc(),
                                CodeBuilder::vectorOf(element, elements),
                                b.address(base, b.getI8Type(), offset),
                                elements * CodeBuilder::storageBytes(element));
  }
  Value extract(Value vector, int64_t lane) {
    return isa<VectorType>(vector.getType())
               ? b.make<vector::ExtractOp>(vector, ArrayRef<int64_t>{lane})
               : vector;
  }

  CodeBuilder &b;
  OperandTile tile;
  Type element;
  Value number;
  int64_t threads, count, perChunk, run;
};

/// A warp is 8 rows of 4 threads.
class ScalarMatmul : public TileMatmul {
public:
  ScalarMatmul(GridFunction &grid, const Matmul &matmul, const MatmulTile &tile,
               const OperandTile &leftTile, const OperandTile &rightTile)
      : TileMatmul(grid, matmul, tile, leftTile, rightTile),
        rows(b, left, matmul.accumulator,
             b.add(b.mul(warpRow(), 8), b.div(grid.lane(), b.index(4))),
             tile.warpsM * 8, tile.warpM() / 8),
        columns(b, right, matmul.accumulator,
                b.add(b.mul(warpColumn(), 4), b.rem(grid.lane(), b.index(4))),
                tile.warpsN * 4, tile.warpN() / 4) {}

  Values multiply(Value leftBase, Value rightBase, ValueRange from) override {
    Values sums(from);
    SmallVector<Value> x, y;
    int64_t chunks = tile.k * matmul.elementBytes() / 16;
    for (int64_t step = 0; step < chunks; ++step) {
      rows.read(leftBase, step, x);
      columns.read(rightBase, step, y);
      int64_t depth = x.size() / rows.size();
      for (int64_t q = 0; q < depth; ++q)
        for (int64_t i = 0; i < rows.size(); ++i)
          for (int64_t j = 0; j < columns.size(); ++j) {
            Value &sum = sums[i * columns.size() + j];
            sum = multiplyAdd(x[q * rows.size() + i], y[q * columns.size() + j],
                              sum);
          }
    }
    return sums;
  }

  void store(ValueRange sums, Value base, Value firstRow) override {
    int64_t run = columns.runLength();
    for (int64_t i = 0; i < rows.size(); ++i) {
      int64_t start = i - i % rows.runLength();
      Value row = b.sub(b.add(rows.index(start), i - start), firstRow);
      for (int64_t j = 0; j < columns.size(); j += run)
        storeRun(sums.slice(i * columns.size() + j, run), base, row,
                 columns.index(j));
    }
  }

private:
  Value multiplyAdd(Value x, Value y, Value sum) {
    if (isa<FloatType>(matmul.accumulator))
      return b.make<LLVM::FMAOp>(x, y, sum);
    return b.make<arith::AddIOp>(b.make<arith::MulIOp>(x, y), sum);
  }

  ThreadSlice rows, columns;
};

} // namespace

std::unique_ptr<TileMatmul> nvptx::makeScalarMatmul(GridFunction &grid,
                                                    const Matmul &matmul,
                                                    const MatmulTile &tile,
                                                    const OperandTile &left,
                                                    const OperandTile &right) {
  return std::make_unique<ScalarMatmul>(grid, matmul, tile, left, right);
}
