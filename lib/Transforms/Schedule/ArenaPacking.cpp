//===- ArenaPacking.cpp - offsets for buffers with lifetimes --------------===//

#include "ArenaPacking.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace tessera;

static constexpr int64_t kAlignment = 64;

namespace {

struct Occupied {
  int64_t begin, end;
};

} // namespace

/// The start of the smallest gap of at least `bytes` between `occupied`, which
/// is sorted by begin; behind all of it if there is none.
static int64_t findGap(llvm::ArrayRef<Occupied> occupied, int64_t bytes) {
  int64_t best = -1, bestSize = 0, top = 0;
  for (const Occupied &other : occupied) {
    int64_t gap = other.begin - top;
    if (gap >= bytes && (best < 0 || gap < bestSize)) {
      best = top;
      bestSize = gap;
    }
    top = std::max(top, other.end);
  }
  return best < 0 ? top : best;
}

static int64_t rounded(int64_t bytes) {
  return llvm::alignTo(bytes, kAlignment);
}

static int64_t mostLiveBytes(llvm::ArrayRef<BufferLifetime> buffers) {
  std::map<int64_t, int64_t> changes;
  for (const BufferLifetime &buffer : buffers) {
    changes[buffer.begin] += rounded(buffer.bytes);
    changes[buffer.end + 1] -= rounded(buffer.bytes);
  }
  int64_t live = 0, most = 0;
  for (auto [time, change] : changes)
    most = std::max(most, live += change);
  return most;
}

ArenaPlan tessera::packArena(llvm::ArrayRef<BufferLifetime> buffers) {
  ArenaPlan plan;
  plan.offsets.assign(buffers.size(), 0);
  plan.live = mostLiveBytes(buffers);
  llvm::SmallVector<size_t> order =
      llvm::to_vector(llvm::seq<size_t>(0, buffers.size()));
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    int64_t lengthA = buffers[a].end - buffers[a].begin,
            lengthB = buffers[b].end - buffers[b].begin;
    return std::pair(buffers[a].bytes, lengthA) >
           std::pair(buffers[b].bytes, lengthB);
  });
  // By offset, so that the gaps show in order.
  llvm::SmallVector<size_t> placed;
  llvm::SmallVector<Occupied> occupied;
  for (size_t number : order) {
    const BufferLifetime &buffer = buffers[number];
    occupied.clear();
    for (size_t other : placed)
      if (buffers[other].begin <= buffer.end &&
          buffer.begin <= buffers[other].end)
        occupied.push_back(
            {plan.offsets[other],
             plan.offsets[other] + rounded(buffers[other].bytes)});
    int64_t offset = findGap(occupied, rounded(buffer.bytes));
    plan.offsets[number] = offset;
    plan.size = std::max(plan.size, offset + rounded(buffer.bytes));
    placed.insert(llvm::partition_point(placed,
                                        [&](size_t other) {
                                          return plan.offsets[other] <= offset;
                                        }),
                  number);
  }
  return plan;
}
