//===- TensorComparisonTest.cpp -------------------------------------------===//

#include "tessera/Support/TensorComparison.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tessera;

static HostTensor tensorOf(ElementType type, std::vector<double> values) {
  HostTensor tensor(type, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.setFromDouble(i, values[i]);
  return tensor;
}

TEST(TensorComparison, MeasuresAgainstTheLargestMagnitude) {
  HostTensor expected = tensorOf(ElementType::F32, {0.001, -100, 3});
  HostTensor got = tensorOf(ElementType::F32, {0.501, -100, 3.25});
  TensorDifference difference = compareTensors(got, expected);
  EXPECT_NEAR(difference.largestError, 0.5, 1e-6);
  EXPECT_EQ(difference.largestMagnitude, 100);
  EXPECT_EQ(difference.worstIndex, 0);
  EXPECT_NEAR(difference.relativeError(), 0.005, 1e-8);
  EXPECT_TRUE(difference.within({0.0051, 0}));
  EXPECT_FALSE(difference.within({0.0049, 0}));
  EXPECT_TRUE(difference.within({0, 0.51}));
}

TEST(TensorComparison, NeighboursOfShortTypesAgreeUnlessExactnessIsAskedFor) {
  HostTensor expected = tensorOf(ElementType::BF16, {1, -1});
  HostTensor next = tensorOf(ElementType::BF16, {1 + 0x1p-7, -1});
  HostTensor second = tensorOf(ElementType::BF16, {1 + 0x1p-6, -1});
  Tolerance tolerance = Tolerance{1e-5, 0}.of(ElementType::BF16);
  EXPECT_TRUE(compareTensors(next, expected).within(tolerance));
  EXPECT_FALSE(compareTensors(second, expected).within(tolerance));
  EXPECT_FALSE(compareTensors(next, expected)
                   .within(Tolerance{0, 0}.of(ElementType::BF16)));
  EXPECT_EQ((Tolerance{1e-5, 0}.of(ElementType::F32).relative), 1e-5);
  EXPECT_EQ((Tolerance{1e-2, 0}.of(ElementType::F16).relative), 1e-2);
  EXPECT_EQ((Tolerance{1e-12, 0}.of(ElementType::I32).relative), 1e-12);
}

TEST(TensorComparison, TellsNaNFromNumbers) {
  HostTensor numbers = tensorOf(ElementType::F64, {1, 2});
  HostTensor nan = tensorOf(ElementType::F64, {1, NAN});
  EXPECT_TRUE(compareTensors(nan, nan).within({0, 0}));
  EXPECT_EQ(compareTensors(nan, nan).nanMatches, 1);
  EXPECT_FALSE(compareTensors(nan, numbers).within({1, 1e300}));
  EXPECT_FALSE(compareTensors(numbers, nan).within({1, 1e300}));
  EXPECT_EQ(compareTensors(numbers, nan).nanMismatches, 1);
}

TEST(TensorComparison, InfinitiesAgreeOnlyWithThemselves) {
  HostTensor plus = tensorOf(ElementType::F16, {INFINITY});
  HostTensor minus = tensorOf(ElementType::F16, {-INFINITY});
  EXPECT_TRUE(compareTensors(plus, plus).within({0, 0}));
  EXPECT_FALSE(compareTensors(plus, minus).within({1, 1e300}));
}

TEST(TensorComparison, SeesTheLastBitOfWideIntegers) {
  HostTensor a(ElementType::I64, {2}), b(ElementType::I64, {2});
  a.elements<int64_t>()[0] = INT64_MAX;
  b.elements<int64_t>()[0] = INT64_MAX - 1;
  EXPECT_EQ(compareTensors(a, b).largestError, 1);
  a.elements<int64_t>()[0] = INT64_MIN;
  EXPECT_GT(compareTensors(a, b).largestError, 1.8e19);
}

TEST(TensorComparison, NamesTheWorstElement) {
  HostTensor expected(ElementType::I32, {2, 3}), got(ElementType::I32, {2, 3});
  got.setFromDouble(5, 4);
  EXPECT_EQ(compareTensors(got, expected).describe({0, 0}, {2, 3}),
            "largest error inf relative, 4 absolute at [1, 2]: expected 0, "
            "got 4");
}

TEST(TensorComparison, ParsesTolerances) {
  EXPECT_EQ(parseTolerance("1e-3")->relative, 1e-3);
  EXPECT_EQ(parseTolerance("0,2")->absolute, 2);
  for (const char *wrong : {"", "x", "1e-3x", "-1", "1,", ",1", "nan", " 1"})
    EXPECT_EQ(parseTolerance(wrong).message(),
              std::string("expected a tolerance RTOL[,ATOL] of numbers >= 0, "
                          "got '") +
                  wrong + "'");
}
