//===- RowShape.cpp - How rows are spread over threads --------------------===//

#include "Loops/RowShape.h"
#include "Loops/LoopRules.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

/// Most threads of a block, threads of a block of several rows. For 1,024 ptxas
/// prefers to spill a few of 32 registers to using more of 64.
static constexpr int64_t kMaxThreads = 512, kSmallBlock = 128;
/// Registers for elements that are kept, of 128 that 512 threads may have.
static constexpr int64_t kKept = 64;
/// Vectors in flight where a thread loops.
static constexpr int64_t kUnroll = 4;
/// Vectors of a thread below which a further part does not pay.
static constexpr int64_t kSmallestPart = 4;

std::optional<BlockTile> BlockTile::parse(llvm::StringRef text) {
  auto [block, parts] = text.split('/');
  auto [x, y] = block.split('x');
  BlockTile tile;
  if (x.getAsInteger(10, tile.x) || y.getAsInteger(10, tile.y) ||
      parts.getAsInteger(10, tile.parts))
    return std::nullopt;
  bool isBlock = tile.x > 0 && tile.y > 0 && llvm::isPowerOf2_64(tile.x) &&
                 llvm::isPowerOf2_64(tile.y) && tile.x * tile.y >= kWarp &&
                 tile.x * tile.y <= kMaxThreads && tile.parts > 0;
  return isBlock ? std::optional(tile) : std::nullopt;
}

std::optional<VectorTile> VectorTile::parse(llvm::StringRef text) {
  VectorTile tile;
  constexpr int64_t most = 8;
  if (text.getAsInteger(10, tile.vectors) || tile.vectors < 1 ||
      tile.vectors > most)
    return std::nullopt;
  return tile;
}

/// The record for a loop nest of `kind`, if there is one.
template <typename Tile>
static std::optional<Tile> findTile(const GpuNest &nest, KernelKind kind,
                                    std::map<std::string, int64_t> sizes) {
  const TuningRecord *record = nest.variant.options.tuning->find(
      TuningKey(kind, nest.variant.target, std::move(sizes)));
  return record ? Tile::parse(record->tile) : std::nullopt;
}

std::optional<VectorTile> VectorTile::find(const GpuNest &nest,
                                           int64_t elements, int64_t bytes) {
  return findTile<VectorTile>(nest, KernelKind::Elementwise,
                              {{"elements", elements}, {"bytes", bytes}});
}

void RowShape::complete(int64_t kept) {
  int64_t perThread = llvm::divideCeil(vectors, threads);
  isResident = perThread * lanes * kept <= kKept;
  unroll = isResident ? perThread : kUnroll;
  partVectors = vectors;
  if (parts == 1)
    return;
  partVectors = llvm::alignTo(llvm::divideCeil(vectors, parts), threads);
  parts = llvm::divideCeil(vectors, partVectors);
  isResident = false;
  unroll = std::min(partVectors / threads, kUnroll);
}

RowShape RowShape::choose(const GpuNest &gpuNest) {
  const LoopNest &nest = gpuNest.loops;
  const GpuTarget &target = gpuNest.variant.target;
  NestTraffic traffic(gpuNest);
  RowShape s{};
  s.rows = codegen::elementsOf(nest.keptShape());
  int64_t length = codegen::elementsOf(sizesOf(nest.shape, nest.reducedDims));
  int64_t inner = lastWideDim(nest.shape, nest.reducedDims);
  s.lanes = inner < 0 ? 1 : traffic.lanes(nest.shape[inner]);
  s.vectors = length / s.lanes;

  // Elements are kept for a second pass, if there is one.
  int64_t passes = nest.phases().size() + (traffic.writes > 0);
  int64_t kept = passes > 1 ? traffic.reads + 1 : 1;
  auto tuned = findTile<BlockTile>(
      gpuNest, KernelKind::Row,
      {{"rows", s.rows}, {"columns", length}, {"bytes", traffic.narrowest}});
  // Parts of a row are those of one block.
  if (tuned && (tuned->y == 1 || tuned->parts == 1)) {
    s.threads = tuned->x;
    s.rowsPerBlock = tuned->y;
    s.parts = tuned->parts;
    s.complete(kept);
    return s;
  }
  int64_t most = std::max<int64_t>(1, kKept / (kept * s.lanes));
  int64_t wide = llvm::PowerOf2Ceil(s.vectors);
  s.threads = llvm::PowerOf2Ceil(llvm::divideCeil(s.vectors, most));
  s.threads = std::clamp(s.threads, std::min(wide, kWarp),
                         std::max(std::min(wide, kMaxThreads), int64_t(1)));
  // Rather more threads of a row than idle multiprocessors.
  while (s.threads < std::min(wide, kMaxThreads) &&
         2 * s.rows * s.threads <=
             target.multiprocessors * target.residentThreads / 2)
    s.threads *= 2;
  s.rowsPerBlock = std::max<int64_t>(1, kSmallBlock / s.threads);
  s.parts = 1;
  int64_t perThread = llvm::divideCeil(s.vectors, s.threads);
  int64_t wanted = 2 * target.multiprocessors / std::max<int64_t>(s.rows, 1);
  if (s.threads == kMaxThreads && wanted > 1 && perThread > kSmallestPart)
    s.parts = std::min(wanted, perThread / kSmallestPart);
  s.complete(kept);
  return s;
}

/// Threads of a block, rows of one thread below which a further part does not
/// pay.
static constexpr int64_t kColumnThreads = 256, kSmallestRows = 8;

void ColumnShape::cut(int64_t wanted) {
  partRows =
      llvm::alignTo(llvm::divideCeil(std::max<int64_t>(rows, 1), wanted), y);
  parts = std::max<int64_t>(1, llvm::divideCeil(rows, partRows));
}

ColumnShape ColumnShape::choose(const GpuNest &nest, int64_t vectors,
                                int64_t lanes, int64_t rows) {
  const GpuTarget &target = nest.variant.target;
  ColumnShape s{};
  s.vectors = vectors;
  s.lanes = lanes;
  s.rows = rows;
  int64_t sumBytes = 0;
  for (ReduceOp reduce : nest.loops.reductions)
    sumBytes += lanes * accumulatorBytes(reduce);
  auto tuned = findTile<BlockTile>(nest, KernelKind::Column,
                                   {{"rows", rows},
                                    {"columns", s.columns()},
                                    {"bytes", NestTraffic(nest).narrowest}});
  if (tuned && tuned->x * tuned->y * sumBytes <= target.staticSharedBytes) {
    s.x = tuned->x;
    s.y = tuned->y;
    s.cut(tuned->parts);
    return s;
  }
  s.x = std::min<int64_t>(llvm::PowerOf2Ceil(vectors), kWarp);
  s.y = std::min<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(rows, 1)),
                          kColumnThreads / s.x);
  while (s.y > 1 && s.x * s.y * sumBytes > target.staticSharedBytes)
    s.y /= 2;
  s.x = std::max(s.x, kWarp / s.y);
  int64_t wanted =
      llvm::divideCeil(2 * target.multiprocessors, s.columnBlocks());
  int64_t most = std::max<int64_t>(1, rows / (s.y * kSmallestRows));
  s.cut(std::min(wanted, most));
  return s;
}

llvm::ArrayRef<KernelFamily> nvptx::loopFamilies() {
  static constexpr llvm::StringLiteral reductions[] = {"rows", "columns",
                                                       "bytes"};
  static constexpr llvm::StringLiteral elements[] = {"elements", "bytes"};
  static const KernelFamily families[] = {
      {"rows", KernelKind::Row, isTileText<BlockTile>, {}, reductions},
      {"columns", KernelKind::Column, isTileText<BlockTile>, {}, reductions},
      {"elements",
       KernelKind::Elementwise,
       isTileText<VectorTile>,
       {},
       elements},
  };
  return families;
}
