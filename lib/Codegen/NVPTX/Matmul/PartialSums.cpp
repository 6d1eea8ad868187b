//===- PartialSums.cpp - Products whose depth is split --------------------===//

#include "Matmul/PartialSums.h"
#include <numeric>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

PartialSums::PartialSums(const GpuNest &nest, const Matmul &matmul,
                         int64_t splits)
    : nest(nest), matmul(matmul), splits(splits) {
  if (areUsed())
    temporary = nest.variant.addTemporary(splits * matmul.batches * matmul.m *
                                          matmul.n * matmul.accumulatorBytes());
}

int64_t PartialSums::lanes() const {
  return std::gcd(16 / matmul.accumulatorBytes(), matmul.n);
}

int64_t PartialSums::alignment(int64_t count) const {
  return std::min<int64_t>(16, count * matmul.accumulatorBytes());
}

Value PartialSums::address(GridFunction &grid, Value split,
                           Value element) const {
  CodeBuilder &b = grid.b;
  int64_t all = matmul.batches * matmul.m * matmul.n;
  return b.address(grid.temporary(temporary), matmul.accumulator,
                   b.add(b.mul(split, all), element));
}

void PartialSums::store(GridFunction &grid, Value split, Value batch, Value row,
                        Value column, Value sum) const {
  CodeBuilder &b = grid.b;
  Value element =
      b.add(b.mul(b.add(b.mul(batch, matmul.m), row), matmul.n), column);
  LLVM::StoreOp::create(b, b.getLoc(), sum, address(grid, split, element),
                        alignment(lanes()));
}

/// The sum of all parts of `count` elements.
Value PartialSums::add(GridFunction &grid, Value element, int64_t count) const {
  CodeBuilder &b = grid.b;
  Type type = CodeBuilder::vectorOf(matmul.accumulator, count);
  Value sum;
  for (int64_t split = 0; split < splits; ++split) {
    Value part = LLVM::LoadOp::create(b, b.getLoc(), type,
                                      address(grid, b.index(split), element),
                                      alignment(count));
    if (!sum)
      sum = part;
    else if (isa<FloatType>(matmul.accumulator))
      sum = b.make<arith::AddFOp>(sum, part);
    else
      sum = b.make<arith::AddIOp>(sum, part);
  }
  return sum;
}

/// One thread per share of the result.
LogicalResult PartialSums::emitSum(const MatmulEpilogue &epilogue) const {
  constexpr int64_t threads = 128;
  GridFunction grid(nest, threads);
  CodeBuilder &b = grid.b;
  int64_t count = std::gcd(lanes(), epilogue.lanes(lanes()));
  int64_t shares = matmul.batches * matmul.m * matmul.n / count;
  LogicalResult result = success();
  grid.finishPerThread(shares, [&](Value share) {
    Value element = b.mul(share, count);
    Value column = b.rem(element, b.index(matmul.n));
    Value rest = b.div(element, b.index(matmul.n));
    Value row = b.rem(rest, b.index(matmul.m));
    result = epilogue.emit(grid, count, b.div(rest, b.index(matmul.m)), row,
                           column, add(grid, element, count));
  });
  return result;
}
