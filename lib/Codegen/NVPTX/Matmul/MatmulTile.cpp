//===- MatmulTile.cpp - How a product is cut into blocks ------------------===//

#include "Matmul/MatmulTile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::nvptx;

std::optional<MatmulTile> MatmulTile::parse(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts, block, warps;
  text.split(parts, '/');
  if (parts.size() != 3)
    return std::nullopt;
  parts[0].split(block, 'x');
  parts[1].split(warps, 'x');
  MatmulTile tile;
  if (block.size() != 3 || warps.size() != 2 ||
      block[0].getAsInteger(10, tile.m) || block[1].getAsInteger(10, tile.n) ||
      block[2].getAsInteger(10, tile.k) ||
      warps[0].getAsInteger(10, tile.warpsM) ||
      warps[1].getAsInteger(10, tile.warpsN) ||
      parts[2].getAsInteger(10, tile.buffers))
    return std::nullopt;
  return tile;
}

std::string MatmulTile::text() const {
  std::string result;
  llvm::raw_string_ostream(result) << m << 'x' << n << 'x' << k << '/' << warpsM
                                   << 'x' << warpsN << '/' << buffers;
  return result;
}

int64_t MatmulTile::resultParts(const Matmul &matmul) const {
  // More than the operands take is worth it only while two blocks fit.
  int64_t whole = m * resultStride() * matmul.accumulatorBytes();
  bool fits =
      whole <= std::max(buffers * bufferBytes(matmul), int64_t(72) * 1024);
  return fits || matmul.unit == MatmulUnit::Scalar ? 1 : warpsM;
}

int64_t MatmulTile::sharedBytes(const Matmul &matmul) const {
  int64_t result =
      m / resultParts(matmul) * resultStride() * matmul.accumulatorBytes();
  return std::max(buffers * bufferBytes(matmul), result);
}

int64_t MatmulTile::registers(const Matmul &matmul) const {
  int64_t words = matmul.accumulatorBytes() / 4;
  int64_t sums = warpM() * warpN() / kWarp * words;
  int64_t fragments = matmul.unit == MatmulUnit::Scalar
                          ? (warpM() / 8 + warpN() / 4) * 4 * words
                          : (warpM() / 16 * 4 + warpN() / 8 * 2) * 2;
  return sums + fragments + 40;
}

bool MatmulTile::isValid(const Matmul &matmul, const GpuTarget &target) const {
  for (int64_t size : {m, n, k, warpsM, warpsN})
    if (size <= 0 || !llvm::isPowerOf2_64(size))
      return false;
  if (warpsM > m || warpsN > n)
    return false;
  int64_t bytes = matmul.elementBytes(), chunk = 16 / bytes;
  bool scalar = matmul.unit == MatmulUnit::Scalar;
  // One instruction of a tensor core takes 32 bytes of depth.
  bool fragments = scalar ? warpM() >= 8 && warpN() >= 4 && k >= chunk
                          : warpM() >= 16 && warpN() >= 8 && k >= 2 * chunk;
  return fragments && m >= chunk && n >= chunk && buffers >= 2 &&
         buffers <= 8 && threads() <= 1024 &&
         sharedBytes(matmul) <= target.sharedBytes &&
         registers(matmul) <= target.threadRegisters &&
         registers(matmul) * threads() <= target.registers;
}

/// Multiply-adds that one multiprocessor does in a cycle of a nominal 1.5 GHz.
static double multiplyRate(const Matmul &matmul, const GpuTarget &target) {
  constexpr double cycles = 1.5e9;
  double perCycle = 1.0 / 2 / target.multiprocessors / cycles;
  // On Hopper, mma.sync reaches three fifths of what wgmma does.
  double tensor = target.tensorFlops * (target.arch >= 90 ? 0.6 : 1);
  switch (matmul.unit) {
  case MatmulUnit::TensorCore:
    return tensor * perCycle;
  case MatmulUnit::TensorFloat32:
    return tensor / 2 * perCycle;
  case MatmulUnit::Scalar:
    return target.flops / (matmul.accumulatorBytes() / 4) * perCycle;
  }
  llvm_unreachable("unknown unit");
}

double nvptx::estimateSeconds(const MatmulSchedule &schedule, const Matmul &p,
                              const GpuTarget &target) {
  // Cycles of a nominal 1.5 GHz; bytes per cycle and multiprocessor.
  constexpr double cycles = 1.5e9, cacheRate = 24, sharedRate = 128;
  constexpr double latency = 700, launch = 3e-6;
  // Of a thread, per step, besides loads of operands and products.
  constexpr double instructions = 40;
  const MatmulTile &tile = schedule.tile;
  double bytes = p.elementBytes();
  int64_t blocks =
      p.batches * schedule.tilesM(p) * schedule.tilesN(p) * schedule.splits;
  // Blocks that are on one multiprocessor at a time.
  int64_t resident =
      std::min({target.multiprocessorSharedBytes / (tile.sharedBytes(p) + 1024),
                target.residentThreads / tile.threads(),
                target.registers / (tile.registers(p) * tile.threads())});
  resident = std::max<int64_t>(resident, 1);
  int64_t perRound = target.multiprocessors * resident;
  auto roundSeconds = [&](int64_t active) {
    double multiply = tile.m * tile.n * tile.k / multiplyRate(p, target);
    double load = (tile.m + tile.n) * tile.k * bytes / cacheRate;
    double read = tile.warpsM * tile.warpsN * (tile.warpM() + tile.warpN()) *
                  tile.k * bytes / sharedRate;
    double issue = tile.threads() * instructions / 128;
    double longest = std::max({multiply, load, read});
    double rest = multiply + load + read + issue - longest;
    double step =
        std::max(active * (longest + rest / 4), latency / (tile.buffers - 1));
    double store = active * tile.m * tile.n * 8 / cacheRate;
    return (schedule.splitSteps(p) * step + 2 * latency + store) / cycles;
  };
  int64_t rounds = blocks / perRound, rest = blocks % perRound;
  double seconds = rounds * roundSeconds(resident);
  if (rest)
    seconds += roundSeconds((rest + target.multiprocessors - 1) /
                            target.multiprocessors);
  double traffic = p.batches * bytes * (p.m * p.k + p.k * p.n);
  seconds = std::max(seconds, traffic / target.bandwidth);
  if (schedule.splits > 1)
    seconds += launch + 2.0 * p.accumulatorBytes() * schedule.splits *
                            p.batches * p.m * p.n / target.bandwidth;
  return seconds;
}

/// The tiles to choose from.
static llvm::SmallVector<MatmulTile> getTiles(const Matmul &matmul) {
  llvm::SmallVector<MatmulTile> tiles;
  int64_t chunk = 16 / matmul.elementBytes();
  if (matmul.unit == MatmulUnit::Scalar)
    for (int64_t k : {2 * chunk, 4 * chunk})
      tiles.append({{128, 128, k, 2, 4, 3},
                    {128, 64, k, 2, 2, 3},
                    {64, 128, k, 2, 2, 3},
                    {64, 64, k, 2, 2, 3},
                    {64, 32, k, 2, 2, 3},
                    {32, 64, k, 2, 2, 3},
                    {32, 32, k, 2, 2, 4},
                    {8, 128, k, 1, 4, 4},
                    {128, 8, k, 4, 1, 4},
                    {8, 64, 2 * k, 1, 4, 4},
                    {64, 8, 2 * k, 4, 1, 4}});
  else
    for (int64_t k : {4 * chunk, 8 * chunk})
      tiles.append({{256, 128, k, 4, 2, 3},
                    {128, 256, k, 2, 4, 3},
                    {128, 128, k, 2, 2, 3},
                    {128, 128, k, 2, 2, 4},
                    {128, 64, k, 2, 2, 4},
                    {64, 128, k, 2, 2, 4},
                    {64, 64, k, 2, 2, 4},
                    {64, 32, k, 2, 2, 4},
                    {32, 64, k, 2, 2, 4},
                    {32, 32, k, 2, 2, 5},
                    {16, 128, k, 1, 4, 5},
                    {16, 64, k, 1, 4, 6},
                    {128, 16, k, 4, 1, 5},
                    {64, 8, k, 4, 1, 6},
                    {16, 32, k, 1, 4, 6}});
  return tiles;
}

/// `splits`, or the next lower number for which no split is empty.
static int64_t fillSplits(const MatmulTile &tile, const Matmul &matmul,
                          int64_t splits) {
  MatmulSchedule schedule{tile, splits};
  int64_t perSplit = std::max<int64_t>(1, schedule.splitSteps(matmul));
  int64_t filled = (schedule.steps(matmul) + perSplit - 1) / perSplit;
  return std::max<int64_t>(1, filled);
}

MatmulSchedule nvptx::chooseSchedule(const Matmul &matmul,
                                     const GpuTarget &target,
                                     std::optional<MatmulTile> only,
                                     int64_t onlySplits) {
  std::optional<MatmulSchedule> best;
  double least = 0;
  auto consider = [&](const MatmulTile &tile, int64_t splits) {
    MatmulSchedule schedule{tile, splits};
    double seconds = estimateSeconds(schedule, matmul, target);
    if (best && seconds >= least)
      return;
    best = schedule;
    least = seconds;
  };
  llvm::SmallVector<MatmulTile> tiles = getTiles(matmul);
  if (only)
    tiles = {*only};
  for (const MatmulTile &tile : tiles) {
    if (!tile.isValid(matmul, target))
      continue;
    if (onlySplits) {
      consider(tile, fillSplits(tile, matmul, onlySplits));
      continue;
    }
    for (int64_t splits : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}) {
      // Each split needs enough steps to fill its buffers.
      MatmulSchedule schedule{tile, splits};
      if (splits == 1 || (schedule.splitSteps(matmul) >= tile.buffers &&
                          fillSplits(tile, matmul, splits) == splits))
        consider(tile, splits);
    }
  }
  return *best;
}
