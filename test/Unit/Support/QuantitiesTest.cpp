//===- QuantitiesTest.cpp - Sizes and times as people write them ----------===//

#include "tessera/Support/Quantities.h"

#include <gtest/gtest.h>

using namespace tessera;

TEST(Quantities, SizesHaveUnits) {
  auto bytes = [](const char *text) {
    Fallible<int64_t> parsed = parseBytes(text);
    EXPECT_TRUE(parsed) << text;
    return parsed ? *parsed : -1;
  };
  EXPECT_EQ(bytes("1024"), 1024);
  EXPECT_EQ(bytes("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(bytes("80e9"), 80'000'000'000);
  EXPECT_EQ(bytes("80GB"), 80'000'000'000);
  EXPECT_EQ(bytes("80 G"), 80'000'000'000);
  EXPECT_EQ(bytes("512MiB"), 512 << 20);
  EXPECT_EQ(bytes("1.5KiB"), 1536);
  EXPECT_EQ(bytes("1kB"), 1000);
  EXPECT_EQ(bytes("1KB"), 1000);
  EXPECT_EQ(bytes("7B"), 7);
  for (const char *text :
       {"", "GB", "8XB", "8GBB", "8Gi B", "1e30", "nan", "inf", "8 GB more",
        "0x10", "0", "-1", "-1GB", "8MM", "8Mb"})
    EXPECT_FALSE(parseBytes(text)) << text;
  EXPECT_EQ(parseBytes("lots").message(),
            "expected a size like 80000000000, 80GB or 512MiB, got 'lots'");
}

TEST(Quantities, TimesHaveUnits) {
  auto seconds = [](const char *text, double unit = 1) {
    Fallible<double> parsed = parseTime(text, unit);
    EXPECT_TRUE(parsed) << text;
    return parsed ? *parsed : -1;
  };
  EXPECT_DOUBLE_EQ(seconds("20us"), 20e-6);
  EXPECT_DOUBLE_EQ(seconds("20µs"), 20e-6);
  EXPECT_DOUBLE_EQ(seconds("1.5 ms"), 1.5e-3);
  EXPECT_DOUBLE_EQ(seconds("3ns"), 3e-9);
  EXPECT_DOUBLE_EQ(seconds("2min"), 120);
  EXPECT_DOUBLE_EQ(seconds("1h"), 3600);
  EXPECT_DOUBLE_EQ(seconds("2e-6"), 2e-6);
  EXPECT_EQ(seconds("18.5", 1e-3), 18.5);
  EXPECT_DOUBLE_EQ(seconds("1s", 1e-3), 1000);
  EXPECT_DOUBLE_EQ(seconds("-1"), -1);
  for (const char *text : {"", "us", "1 sec", "1usus", "nan", "inf", "1e999"})
    EXPECT_FALSE(parseTime(text)) << text;
}

TEST(Quantities, RatesHaveUnits) {
  auto rate = [](const char *text) {
    Fallible<double> parsed = parseRate(text);
    EXPECT_TRUE(parsed) << text;
    return parsed ? *parsed : -1;
  };
  EXPECT_DOUBLE_EQ(rate("250e9"), 250e9);
  EXPECT_DOUBLE_EQ(rate("450GB/s"), 450e9);
  EXPECT_DOUBLE_EQ(rate("1GiB/s"), 1 << 30);
  EXPECT_DOUBLE_EQ(rate("989TFLOP/s"), 989e12);
  EXPECT_DOUBLE_EQ(rate("312T"), 312e12);
  for (const char *text : {"", "GB/s", "450GB/h", "fast", "1Gb/s"})
    EXPECT_FALSE(parseRate(text)) << text;
}
