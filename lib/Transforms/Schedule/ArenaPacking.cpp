//===- ArenaPacking.cpp - offsets for buffers with lifetimes --------------===//

#include "ArenaPacking.h"

#include "tessera/Support/StableSort.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <vector>

using namespace tessera;
using namespace tessera::schedule;

static constexpr int64_t kAlignment = 64;

int64_t tessera::schedule::arenaBytes(int64_t bytes) {
  return llvm::alignTo(bytes, kAlignment);
}

namespace {

/// The buffers that have a place, by offset, in blocks that are short enough to
/// insert into. Most buffers of a training step overlap most others in time, so
/// that looking through all of them is as good as it gets; what counts is that
/// they lie one behind the other.
class PlacedBuffers {
public:
  /// The start of the smallest gap of at least `bytes` between the buffers that
  /// overlap `buffer` in time; behind all of them if there is none.
  int64_t findGap(const BufferLifetime &buffer, int64_t bytes) const;
  void insert(const BufferLifetime &buffer, int64_t offset, int64_t bytes);

private:
  static constexpr size_t kBlock = 512;
  struct Placed {
    int64_t offset, limit;
    /// The lifetime.
    int64_t begin, end;
  };
  std::vector<std::vector<Placed>> blocks = {{}};
};

} // namespace

int64_t PlacedBuffers::findGap(const BufferLifetime &buffer,
                               int64_t bytes) const {
  int64_t best = -1, bestSize = 0, top = 0;
  for (const std::vector<Placed> &block : blocks)
    for (const Placed &other : block) {
      if (other.begin > buffer.end || buffer.begin > other.end)
        continue;
      int64_t gap = other.offset - top;
      if (gap == bytes)
        return top;
      if (gap > bytes && (best < 0 || gap < bestSize)) {
        best = top;
        bestSize = gap;
      }
      top = std::max(top, other.limit);
    }
  return best < 0 ? top : best;
}

void PlacedBuffers::insert(const BufferLifetime &buffer, int64_t offset,
                           int64_t bytes) {
  auto isBefore = [&](const Placed &other) { return other.offset <= offset; };
  auto block = llvm::partition_point(blocks, [&](const auto &other) {
    return !other.empty() && isBefore(other.back());
  });
  if (block == blocks.end())
    --block;
  block->insert(llvm::partition_point(*block, isBefore),
                {offset, offset + bytes, buffer.begin, buffer.end});
  if (block->size() < kBlock)
    return;
  auto middle = block->begin() + kBlock / 2;
  std::vector<Placed> upper(middle, block->end());
  block->erase(middle, block->end());
  blocks.insert(std::next(block), std::move(upper));
}

static int64_t mostLiveBytes(llvm::ArrayRef<BufferLifetime> buffers) {
  std::map<int64_t, int64_t> changes;
  for (const BufferLifetime &buffer : buffers) {
    changes[buffer.begin] += arenaBytes(buffer.bytes);
    changes[buffer.end + 1] -= arenaBytes(buffer.bytes);
  }
  int64_t live = 0, most = 0;
  for (auto [time, change] : changes)
    most = std::max(most, live += change);
  return most;
}

ArenaPlan tessera::schedule::packArena(llvm::ArrayRef<BufferLifetime> buffers) {
  ArenaPlan plan;
  plan.offsets.assign(buffers.size(), 0);
  plan.live = mostLiveBytes(buffers);
  llvm::SmallVector<size_t> order =
      llvm::to_vector(llvm::seq<size_t>(0, buffers.size()));
  stableSort(order, [&](size_t a, size_t b) {
    int64_t lengthA = buffers[a].end - buffers[a].begin,
            lengthB = buffers[b].end - buffers[b].begin;
    return std::pair(buffers[a].bytes, lengthA) >
           std::pair(buffers[b].bytes, lengthB);
  });
  PlacedBuffers placed;
  for (size_t number : order) {
    int64_t bytes = arenaBytes(buffers[number].bytes);
    int64_t offset = placed.findGap(buffers[number], bytes);
    plan.offsets[number] = offset;
    plan.size = std::max(plan.size, offset + bytes);
    placed.insert(buffers[number], offset, bytes);
  }
  return plan;
}
