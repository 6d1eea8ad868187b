//===- StableSort.h - sorting that keeps the order of what is equal -------===//
//
// std::stable_sort of libstdc++ takes its memory by std::get_temporary_buffer,
// which C++17 deprecates: clang warns of it at every use, LLVM's and that of
// ranges included.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_STABLESORT_H
#define TESSERA_SUPPORT_STABLESORT_H

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

namespace tessera {

/// Sorts `range`, which has random access, by the strict weak order `isBefore`.
/// Elements of which neither comes before the other keep their order; elements
/// are moved, each twice at most.
template <typename Range, typename IsBefore>
void stableSort(Range &&range, IsBefore isBefore) {
  auto begin = std::begin(range);
  std::vector<std::ptrdiff_t> order(std::end(range) - begin);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::ptrdiff_t a, std::ptrdiff_t b) {
              if (isBefore(begin[a], begin[b]))
                return true;
              return a < b && !isBefore(begin[b], begin[a]);
            });
  std::vector<std::decay_t<decltype(*begin)>> sorted;
  sorted.reserve(order.size());
  for (std::ptrdiff_t place : order)
    sorted.push_back(std::move(begin[place]));
  std::move(sorted.begin(), sorted.end(), begin);
}

} // namespace tessera

#endif // TESSERA_SUPPORT_STABLESORT_H
