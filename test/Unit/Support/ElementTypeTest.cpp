//===- ElementTypeTest.cpp - Element types and half precision -------------===//

#include "tessera/Support/ElementDispatch.h"
#include "tessera/Support/HostTensor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace tessera;

TEST(ElementType, NamesAndCodesAgreeBothWays) {
  for (int32_t code = 0; code < elementTypeCount; ++code) {
    auto type = static_cast<ElementType>(code);
    EXPECT_EQ(elementTypeFromName(elementTypeName(type)), type);
    size_t stored = dispatchElementType(
        type, [](auto tag) { return sizeof(typename decltype(tag)::Type); });
    EXPECT_EQ(stored, elementSize(type)) << elementTypeName(type);
  }
  EXPECT_FALSE(elementTypeFromName("f8"));
}

TEST(HalfPrecision, EveryHalfSurvivesTheWayThroughFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    Float16 half{static_cast<uint16_t>(bits)};
    BFloat16 brain{static_cast<uint16_t>(bits)};
    if (!std::isnan(half.toFloat())) {
      EXPECT_EQ(Float16::fromFloat(half.toFloat()).bits, bits);
    }
    if (!std::isnan(brain.toFloat())) {
      EXPECT_EQ(BFloat16::fromFloat(brain.toFloat()).bits, bits);
    }
  }
}

TEST(HalfPrecision, RoundsToNearestEven) {
  // Halfway between two neighbours: the even one; a little more: the upper.
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    double low = Float16{static_cast<uint16_t>(bits)}.toFloat();
    double high = bits == 0x7bff
                      ? 65536.0
                      : Float16{static_cast<uint16_t>(bits + 1)}.toFloat();
    auto middle = static_cast<float>((low + high) / 2);
    EXPECT_EQ(Float16::fromFloat(middle).bits, bits + (bits & 1));
    EXPECT_EQ(Float16::fromFloat(std::nextafter(middle, 1e9f)).bits, bits + 1);
    EXPECT_EQ(Float16::fromFloat(std::nextafter(middle, 0.f)).bits, bits);
  }
  EXPECT_EQ(BFloat16::fromFloat(0x1.01p0f).bits, 0x3f80);
  EXPECT_EQ(BFloat16::fromFloat(0x1.03p0f).bits, 0x3f82);
}

TEST(HalfPrecision, KeepsSpecialValues) {
  float infinity = std::numeric_limits<float>::infinity();
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(Float16::fromFloat(-infinity).bits, 0xfc00);
  EXPECT_EQ(Float16::fromFloat(1e30f).bits, 0x7c00);
  EXPECT_EQ(Float16::fromFloat(-0.f).bits, 0x8000);
  EXPECT_EQ(BFloat16::fromFloat(infinity).bits, 0x7f80);
  EXPECT_TRUE(std::isnan(Float16::fromFloat(nan).toFloat()));
  EXPECT_TRUE(std::isnan(BFloat16::fromFloat(nan).toFloat()));
}

TEST(HostTensor, RefusesShapesWhoseSizeDoesNotFit) {
  EXPECT_EQ(elementCountOf({}), 1);
  EXPECT_EQ(elementCountOf({4, 0, 3}), 0);
  EXPECT_FALSE(elementCountOf({-1}));
  EXPECT_FALSE(elementCountOf({int64_t(1) << 40, int64_t(1) << 40}));
  EXPECT_FALSE(elementCountOf({int64_t(1) << 61}, 8));
}

TEST(HostTensor, ConvertsElementsOfEveryType) {
  for (int32_t code = 0; code < elementTypeCount; ++code) {
    HostTensor tensor(static_cast<ElementType>(code), {3});
    tensor.setFromDouble(1, 1.0);
    EXPECT_EQ(tensor.toDouble(0), 0);
    EXPECT_EQ(tensor.toDouble(1), 1);
    HostTensor copy = tensor;
    copy.setFromDouble(2, 1.0);
    EXPECT_EQ(tensor.toDouble(2), 0);
  }
}
