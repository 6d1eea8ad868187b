//===- MatmulEpilogue.cpp - What follows a product ------------------------===//

#include "Matmul/MatmulEpilogue.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include <numeric>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

/// The innermost dimension larger than 1 of `dims` of `shape`, or -1.
static int64_t innermost(ArrayRef<int64_t> shape, int64_t begin, int64_t end) {
  for (int64_t dim = end; dim-- > begin;)
    if (shape[dim] != 1)
      return dim;
  return -1;
}

MatmulEpilogue::MatmulEpilogue(const GpuNest &gpuNest, const Matmul &matmul)
    : nest(gpuNest.loops), matmul(matmul) {
  int64_t columns = matmul.right.side.free.size();
  int64_t rank = nest.shape.size();
  int64_t column = innermost(nest.shape, rank - columns, rank);
  // Each output's innermost dimension is one of the product's.
  transposed = llvm::all_of(nest.outputs, [&](const NestOutput &output) {
    ArrayRef<int64_t> shape = shapeOf(output.value);
    int64_t last = innermost(shape, 0, shape.size());
    if (last < 0 || column < 0)
      return column < 0;
    auto dim = dyn_cast<AffineDimExpr>(output.map.getResult(column));
    return !dim || int64_t(dim.getPosition()) != last;
  });
}

int64_t MatmulEpilogue::lanes(int64_t limit) const {
  if (transposed)
    return 1;
  int64_t columns = matmul.right.side.free.size();
  int64_t rank = nest.shape.size(), widest = 1;
  for (const NestOutput &output : nest.outputs)
    widest = std::max(widest, CodeBuilder::storageBytes(getElementTypeOrSelf(
                                  output.value.getType())));
  int64_t column = innermost(nest.shape, rank - columns, rank);
  int64_t lanes = std::min<int64_t>({16 / widest, 8, limit});
  return column < 0 ? 1 : std::gcd(lanes, nest.shape[column]);
}

LaneIndices MatmulEpilogue::indicesOf(LaneArithmetic &arithmetic,
                                      const LaneIndex &batch,
                                      const LaneIndex &row,
                                      const LaneIndex &column) const {
  LaneIndices indices;
  size_t from = 0;
  auto spread = [&](const LaneIndex &index, size_t count) {
    llvm::append_range(
        indices,
        arithmetic.delinearize(index, ArrayRef(nest.shape).slice(from, count)));
    from += count;
  };
  spread(batch, matmul.left.side.batch.size());
  spread(row, matmul.left.side.free.size());
  spread(column, matmul.right.side.free.size());
  return indices;
}

LogicalResult MatmulEpilogue::emit(GridFunction &grid, int64_t lanes,
                                   Value batch, Value row, Value column,
                                   Value sum) const {
  CodeBuilder &b = grid.b;
  NestLowering &l = grid.lowering;
  ElementEmitter e(b, lanes);
  l.bindMemory(e);
  DotGeneralOp dot = matmul.dot;
  Type type = getElementTypeOrSelf(dot.getType());
  if (type != matmul.accumulator) {
    Type vector = CodeBuilder::vectorOf(type, lanes);
    sum = isa<FloatType>(type) ? b.make<arith::TruncFOp>(vector, sum)
                               : b.make<arith::TruncIOp>(vector, sum);
  }
  e.bind(dot.getResult(), [sum](const LaneIndices &) { return sum; });
  LaneIndex columns =
      lanes == 1 ? LaneIndex::scalar(column) : LaneIndex::lanes(column, lanes);
  LaneIndices at = indicesOf(e.index(), LaneIndex::scalar(batch),
                             LaneIndex::scalar(row), columns);
  SmallVector<Value> elements;
  for (const NestOutput &output : nest.outputs) {
    elements.push_back(e.emit(output.value, l.outputIndices(output, at)));
    if (!elements.back())
      return failure();
  }
  for (auto [output, element] : llvm::zip(nest.outputs, elements))
    l.storeOutput(e, output, element, l.outputIndices(output, at));
  return success();
}
