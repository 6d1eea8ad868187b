//===- ThinMatmul.cpp - Which products are bound by memory ----------------===//

#include "ThinMatmul.h"
#include "MatmulBlocks.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::cpu;

/// With more rows than this, copying into panels pays.
static constexpr int64_t maxThinRows = 8;
/// With more columns than this, too, if the rows are contiguous.
static constexpr int64_t maxThinColumns = 4;
/// With a longer contracted dimension than this, too.
static constexpr int64_t maxShortDepth = 8;
/// The largest thin side that is copied to scratch memory, in elements.
static constexpr int64_t maxPacked = int64_t(1) << 16;
/// Columns whose sums along the contracted dimension go through one tile.
static constexpr int64_t depthTile = 64;
/// Bytes of the thin side that stay in the cache.
static constexpr int64_t thinBytes = int64_t(1) << 14;
/// Columns of an iteration along the free dimension: of a thin side, and of a
/// short contracted dimension, whose results are written along rows.
static constexpr int64_t freeTile = 256, shortTile = 2048;
/// Steps of the matmul for which neighbouring vectors of the wide side are
/// read before the next ones.
static constexpr int64_t freePiece = 32;
/// Iterations that a product should have, for threads to share.
static constexpr int64_t wantedBlocks = 8;

/// What elements of `type` are summed up in; null if they are not.
static Type accumulatedType(Type type) {
  if (type.isF16() || type.isBF16())
    return Float32Type::get(type.getContext());
  return type.isInteger(1) ? Type() : type;
}

/// Whether an index over the free dimensions of `side` that advances by vectors
/// can be taken apart without dividing each lane.
static bool hasWholeVectors(const MatmulSide &side, int64_t lanes) {
  ArrayRef<int64_t> shape = shapeOf(side.operand);
  SmallVector<int64_t> sizes;
  for (int64_t dim : side.free)
    if (shape[dim] != 1)
      sizes.push_back(shape[dim]);
  return sizes.size() < 2 || sizes.back() % lanes == 0;
}

/// Accumulators that a block may have: two thirds of the vector registers.
static int64_t accumulators(int64_t lanes, Type accumulated) {
  int64_t registers = lanes == 16 ? 24 : 12;
  return registers * 4 /
         std::max<int64_t>(CodeBuilder::storageBytes(accumulated), 4);
}

static void chooseThinBlocks(ThinMatmul &shape, int64_t lanes) {
  int64_t room = accumulators(lanes, shape.accumulated);
  bool isThin = shape.thinRows <= maxThinRows;
  shape.blockRows = isThin ? shape.thinRows : 4;
  int64_t wide = std::max<int64_t>(room / shape.blockRows, 1);
  if (shape.alongDepth) {
    shape.groupWide = std::min<int64_t>(wide, 4);
    shape.blockWide = std::min(depthTile, shape.wideRows);
    shape.depthPiece =
        evenPiece(shape.depth, thinBytes / 4 / shape.blockRows, lanes);
    return;
  }
  int64_t vectors = (shape.wideRows + lanes - 1) / lanes;
  shape.groupWide = std::min<int64_t>({wide, 8, vectors}) * lanes;
  int64_t limit = isThin ? freeTile : shortTile;
  while (isThin && limit > shape.groupWide &&
         shape.batches * shape.wideRows < wantedBlocks * limit)
    limit /= 2;
  shape.blockWide = evenPiece(shape.wideRows, std::max(limit, shape.groupWide),
                              shape.groupWide);
  shape.depthPiece = shape.depth <= 2 * freePiece ? shape.depth : freePiece;
}

std::optional<ThinMatmul> cpu::findThinMatmul(NestLowering &lowering) {
  auto dot = cast<DotGeneralOp>(lowering.nest.op);
  auto isLeaf = [&](Value v) { return lowering.isInMemory(v); };
  MatmulSide left = getLeftSide(dot, isLeaf), right = getRightSide(dot, isLeaf);
  ThinMatmul shape;
  shape.accumulated = accumulatedType(getElementTypeOrSelf(dot.getType()));
  int64_t lanes = lowering.b.lanes(), m = left.size(left.free),
          n = right.size(right.free);
  shape.depth = left.size(left.contracting);
  shape.batches = left.size(left.batch);
  if (!shape.accumulated || m * n * shape.depth * shape.batches == 0)
    return std::nullopt;
  bool isThin = std::min(m, n) <= maxThinRows;
  if (!isThin && shape.depth > maxShortDepth)
    return std::nullopt;
  shape.wideIsLeft = isThin && n < m;
  shape.wide = shape.wideIsLeft ? left : right;
  shape.thin = shape.wideIsLeft ? right : left;
  shape.wideRows = std::max(m, n);
  shape.thinRows = std::min(m, n);
  if (!isThin) {
    shape.wideRows = n;
    shape.thinRows = m;
  }
  if (!hasWholeVectors(shape.wide, lanes))
    return std::nullopt;
  shape.alongDepth = !isContiguous(shape.wide, shape.wide.free, isLeaf);
  if (shape.alongDepth) {
    // A left operand of this kind need not be copied by the other code either,
    // which adds up no lanes.
    bool isBetterByPanels = shape.wideIsLeft && shape.accumulated.isF32() &&
                            shape.thinRows > maxThinColumns;
    if (!isThin || isBetterByPanels ||
        !isContiguous(shape.wide, shape.wide.contracting, isLeaf))
      return std::nullopt;
    shape.packsThin =
        !shape.thin.view || shape.thin.stride(shape.thin.contracting) != 1;
    if (shape.packsThin && shape.thinRows * shape.depth > maxPacked)
      return std::nullopt;
  }
  chooseThinBlocks(shape, lanes);
  return shape;
}
