//===- RandomTensorTest.cpp -----------------------------------------------===//

#include "tessera/Support/RandomTensor.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace tessera;

// splitmix64's published sequence for seed 1234567.
TEST(RandomStream, IsSplitmix64) {
  RandomStream stream(1234567);
  EXPECT_EQ(stream.next(), 6457827717110365317u);
  EXPECT_EQ(stream.next(), 3203168211198807973u);
}

TEST(RandomTensor, IsBellShapedAndSmall) {
  HostTensor tensor = randomTensor(ElementType::F32, {100000}, 7, 0);
  double sum = 0, squares = 0, largest = 0;
  for (float value : tensor.elements<float>()) {
    sum += value;
    squares += value * value;
    largest = std::max(largest, double(std::fabs(value)));
  }
  EXPECT_NEAR(sum / 100000, 0, 0.001);
  EXPECT_NEAR(std::sqrt(squares / 100000), 0.1, 0.001);
  EXPECT_LT(largest, 0.35);
}

TEST(RandomTensor, DependsOnSeedAndPosition) {
  HostTensor one = randomTensor(ElementType::I32, {64}, 1, 0);
  HostTensor same = randomTensor(ElementType::I32, {64}, 1, 0);
  EXPECT_EQ(std::memcmp(one.data(), same.data(), one.byteSize()), 0);
  for (auto [seed, position] : {std::pair(2, 0), std::pair(1, 1)}) {
    HostTensor other = randomTensor(ElementType::I32, {64}, seed, position);
    EXPECT_NE(std::memcmp(one.data(), other.data(), one.byteSize()), 0);
  }
}

TEST(RandomTensor, IntegersAreSmallAndNotNegative) {
  for (ElementType type : {ElementType::I8, ElementType::U64}) {
    HostTensor tensor = randomTensor(type, {1000}, 3, 2);
    bool seen[8] = {};
    for (int64_t i = 0; i < 1000; ++i) {
      double value = tensor.toDouble(i);
      ASSERT_TRUE(value >= 0 && value < 8);
      seen[static_cast<int>(value)] = true;
    }
    for (bool one : seen)
      EXPECT_TRUE(one);
  }
}
