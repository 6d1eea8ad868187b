//===- WarpgroupTile.cpp - How wgmma products are cut into blocks ---------===//

#include "Matmul/WarpgroupTile.h"
#include "Matmul/MatmulTile.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

#include <cmath>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

//===----------------------------------------------------------------------===//
// TensorOperand
//===----------------------------------------------------------------------===//

std::optional<TensorOperand> TensorOperand::get(const MatmulOperand &operand) {
  const MatmulSide &side = operand.side;
  int64_t bytes = operand.elementBytes();
  if (!side.view || side.view->offset != 0 ||
      getElementTypeOrSelf(side.operand.getType()) != operand.element)
    return std::nullopt;
  std::optional<int64_t> depth = side.stride(side.contracting);
  std::optional<int64_t> free = side.stride(side.free);
  if (!depth || !free)
    return std::nullopt;
  int64_t depthSize = side.size(side.contracting);
  int64_t freeSize = side.size(side.free);
  TensorOperand tensor;
  tensor.leaf = side.view->leaf;
  // A group of one element is contiguous, if nothing else is.
  tensor.isDepthMajor = *depth == 1 || (depthSize == 1 && *free != 1);
  int64_t other = tensor.isDepthMajor ? *free : *depth;
  int64_t inner = tensor.isDepthMajor ? *depth : *free;
  int64_t innerSize = tensor.isDepthMajor ? depthSize : freeSize;
  int64_t otherSize = tensor.isDepthMajor ? freeSize : depthSize;
  if (inner != 1 && innerSize != 1)
    return std::nullopt;
  tensor.sizes = {innerSize, otherSize};
  // The stride of a single row does not matter but has to be one.
  auto rounded = [&](int64_t elements) {
    return int64_t(llvm::alignTo(elements * bytes, 16));
  };
  tensor.strides = {otherSize == 1 ? rounded(innerSize) : other * bytes};
  for (int64_t dim : side.batch) {
    int64_t size = shapeOf(side.operand)[dim];
    tensor.batchShape.push_back(size);
    if (size == 1)
      continue;
    tensor.sizes.push_back(size);
    tensor.strides.push_back(side.view->strides[dim] * bytes);
  }
  constexpr size_t maxRank = 5;
  bool isAllowed = tensor.sizes.size() <= maxRank &&
                   llvm::all_of(tensor.strides,
                                [](int64_t stride) {
                                  return stride > 0 && stride % 16 == 0 &&
                                         stride < int64_t(1) << 40;
                                }) &&
                   llvm::all_of(tensor.sizes, [](int64_t size) {
                     return size > 0 && size <= int64_t(INT32_MAX);
                   });
  return isAllowed ? std::optional(tensor) : std::nullopt;
}

Value TensorOperand::memory(const NestLowering &lowering) const {
  if (auto argument = dyn_cast<BlockArgument>(leaf))
    return lowering.operands[argument.getArgNumber()];
  return lowering.pointer(lowering.plan.slots.find(leaf)->second.front());
}

//===----------------------------------------------------------------------===//
// WarpgroupTile
//===----------------------------------------------------------------------===//

std::optional<WarpgroupTile> WarpgroupTile::parse(llvm::StringRef text) {
  auto [block, buffers] = text.split('/');
  auto [m, n] = block.split('x');
  WarpgroupTile tile;
  if (m.getAsInteger(10, tile.m) || n.getAsInteger(10, tile.n) ||
      buffers.getAsInteger(10, tile.buffers))
    return std::nullopt;
  return tile;
}

int64_t WarpgroupTile::sharedBytes() const {
  return buffers * (bufferBytes() + BufferRing::barrierBytes) +
         warps() * resultBytes();
}

WarpgroupTile WarpgroupTile::filled(const Matmul &p) const {
  WarpgroupTile tile = *this;
  tile.splits = llvm::divideCeil(steps(p), splitSteps(p));
  return tile;
}

bool WarpgroupTile::isValid(const TensorOperand &right,
                            const GpuTarget &target) const {
  // Columns that are contiguous are copied in boxes of 128 bytes, of 64
  // elements or more.
  int64_t unit = right.isDepthMajor ? 8 : 64;
  return (m == 64 || m == 128) && n >= unit && n <= 256 && n % unit == 0 &&
         buffers >= 2 && sharedBytes() <= target.sharedBytes;
}

/// Seconds that `tile` is expected to take; as estimateSeconds of MatmulTile.h,
/// with a block per multiprocessor, which loads the next tile while it stores.
static double estimate(const WarpgroupTile &tile, const Matmul &p,
                       const GpuTarget &target) {
  constexpr double cycles = 1.5e9, cacheRate = 40, latency = 900, launch = 3e-6;
  double flops = target.tensorFlops / (p.elementBytes() == 4 ? 2 : 1);
  double rate = flops / 2 / target.multiprocessors / cycles;
  // One warp group alone does not keep the tensor cores busy, and the smaller
  // a tile the more often it waits for shared memory.
  double efficiency = (tile.m == 64 ? 0.6 : 0.9) * (tile.n < 128 ? 0.7 : 1);
  double multiply = tile.m * tile.n * tile.depth(p) / (rate * efficiency);
  double load = (tile.m + tile.n) * double(kSwizzleRow) / cacheRate;
  double step = std::max({multiply, load, latency / (tile.buffers - 1)});
  double store = tile.m * tile.n * 8 / cacheRate;
  double block = (tile.splitSteps(p) * step + store) / cycles;
  double start = 2 * latency / cycles;
  double rounds = llvm::divideCeil(tile.tiles(p), target.multiprocessors);
  double seconds =
      rounds * block + (tile.isPersistent() ? start : rounds * start);
  double traffic =
      double(p.batches) * p.elementBytes() * (p.m * p.k + p.k * p.n);
  seconds = std::max(seconds, traffic / target.bandwidth);
  if (tile.splits > 1)
    seconds += launch + 2.0 * p.accumulatorBytes() * tile.splits * p.batches *
                            p.m * p.n / target.bandwidth;
  return seconds;
}

std::optional<WarpgroupTile>
nvptx::chooseWarpgroupTile(const Matmul &matmul, const TensorOperand &right,
                           const GpuTarget &target,
                           const TuningRecords &records) {
  std::optional<WarpgroupTile> only;
  int64_t onlySplits = 0;
  if (const TuningRecord *record = records.find(getTuningKey(matmul, target))) {
    if (record->family->kernel == "mma")
      return std::nullopt;
    only = WarpgroupTile::parse(record->tile);
    onlySplits = record->splits;
    if (only && !only->isValid(right, target))
      only.reset();
  }
  std::optional<WarpgroupTile> best;
  double least =
      only ? INFINITY
           : estimateSeconds(chooseSchedule(matmul, target), matmul, target);
  auto consider = [&](WarpgroupTile tile) {
    for (int64_t splits : {1, 2, 3, 4, 6, 8, 12, 16}) {
      if (onlySplits && splits > 1)
        break;
      tile.splits = onlySplits ? onlySplits : splits;
      WarpgroupTile filled = tile.filled(matmul);
      // Each split needs enough steps to fill its buffers.
      if (!onlySplits && splits > 1 &&
          (filled.splits != splits || tile.splitSteps(matmul) < tile.buffers))
        continue;
      double seconds = estimate(filled, matmul, target);
      if (seconds >= least)
        continue;
      least = seconds;
      best = filled;
    }
  };
  if (only) {
    consider(*only);
    return best;
  }
  for (int64_t m : {128, 64})
    for (int64_t n : {256, 192, 128, 64, 32, 16}) {
      WarpgroupTile tile{m, n, 8};
      while (tile.buffers > 2 && tile.sharedBytes() > target.sharedBytes)
        --tile.buffers;
      if (tile.isValid(right, target))
        consider(tile);
    }
  return best;
}
