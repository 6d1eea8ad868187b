//===- Random.h - Random choices ------------------------------------------===//

#ifndef TESSERA_TOOLS_TESSERA_FUZZ_RANDOM_H
#define TESSERA_TOOLS_TESSERA_FUZZ_RANDOM_H

#include "tessera/Support/RandomTensor.h"

#include "llvm/ADT/ArrayRef.h"

#include <numeric>

namespace tessera::fuzz {

/// Choices that depend on the seed alone.
class Random {
public:
  explicit Random(uint64_t seed) : stream(seed) {}

  /// Other choices, which take none of this one's: what is drawn from them
  /// changes nothing that is drawn from this one.
  Random apart() const {
    RandomStream copy = stream;
    return Random(~copy.next());
  }

  /// Uniform in 0 .. n-1.
  int64_t below(int64_t n) { return int64_t(stream.next() % uint64_t(n)); }
  /// Uniform in low .. high.
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  /// True in `percent` of all cases.
  bool chance(int64_t percent) { return below(100) < percent; }
  /// One of `items`, which must not be empty.
  template <typename Range> auto pick(const Range &items) {
    return *(std::begin(items) + below(std::size(items)));
  }
  template <typename T> T pick(std::initializer_list<T> items) {
    return *(items.begin() + below(items.size()));
  }
  template <typename Range> void shuffle(Range &items) {
    for (size_t i = std::size(items); i > 1; --i)
      std::swap(items[i - 1], items[below(i)]);
  }
  /// The numbers 0 .. n-1 in random order.
  llvm::SmallVector<int64_t> permutation(int64_t n) {
    llvm::SmallVector<int64_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    shuffle(order);
    return order;
  }

private:
  RandomStream stream;
};

} // namespace tessera::fuzz

#endif // TESSERA_TOOLS_TESSERA_FUZZ_RANDOM_H
