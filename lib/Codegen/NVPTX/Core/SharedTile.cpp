//===- SharedTile.cpp - A tile of an operand in shared memory -------------===//

#include "Core/SharedTile.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

/// Rows that share 128 bytes.
static int64_t rowsPerLine(const SharedTile &tile) {
  return std::max<int64_t>(1, 8 / tile.chunks());
}

int64_t SharedTile::period() const {
  return rowsPerLine(*this) * std::min<int64_t>(chunks(), 8);
}

Value SharedTile::offset(CodeBuilder &b, Value row, Value chunk,
                         int64_t moreRows) const {
  if (moreRows % period() == 0)
    return b.add(offsetOf(b, row, chunk), moreRows * rowBytes);
  return offsetOf(b, b.add(row, moreRows), chunk);
}

Value SharedTile::offsetOf(CodeBuilder &b, Value row, Value chunk) const {
  Value start = b.mul(row, rowBytes);
  if (chunks() == 1)
    return start;
  Value line = b.div(row, b.index(rowsPerLine(*this)));
  Value exchange = b.rem(line, b.index(std::min<int64_t>(chunks(), 8)));
  Value chunkInRow = b.make<arith::XOrIOp>(chunk, exchange);
  return b.add(start, b.mul(chunkInRow, 16));
}

Value nvptx::sharedAddress(CodeBuilder &b, Value base, Value offset,
                           int64_t constant) {
  Value address = b.address(base, b.getI8Type(), offset);
  return b.address(address, b.getI8Type(), b.index(constant));
}
