//===- StableSortTest.cpp - sorting that keeps the order of what is equal -===//

#include "tessera/Support/StableSort.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>

using namespace tessera;

TEST(StableSort, SortsAsTheStandardLibraryDoes) {
  std::mt19937 random(1);
  for (int size : {0, 1, 2, 17, 1000}) {
    std::vector<std::pair<int, int>> own;
    for (int place = 0; place < size; ++place)
      own.emplace_back(random() % 10, place);
    std::vector<std::pair<int, int>> expected = own;
    // All keys and places differ in pairs: their order is the stable one.
    std::sort(expected.begin(), expected.end());
    stableSort(own,
               [](const auto &a, const auto &b) { return a.first < b.first; });
    EXPECT_EQ(own, expected);
  }
}

TEST(StableSort, MovesWhatCannotBeCopied) {
  std::vector<std::unique_ptr<int>> numbers;
  for (int number : {3, 1, 2})
    numbers.push_back(std::make_unique<int>(number));
  stableSort(numbers, [](const auto &a, const auto &b) { return *a < *b; });
  EXPECT_EQ(*numbers[0], 1);
  EXPECT_EQ(*numbers[2], 3);
}
