//===- ManualShardingTest.cpp - Tests of ManualSharding -------------------===//
#include "tessera/Sharding/Algebra/ManualSharding.h"

#include "Printing.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

class ManualShardingTest : public testing::Test {
protected:
  const Mesh mesh{{{"a", 2}, {"b", 4}, {"one", 1}}};

  static TensorSharding sharding(llvm::ArrayRef<AxisList> dims,
                                 AxisList unreduced = {}) {
    TensorSharding result = TensorSharding::getReplicated(dims.size());
    for (auto [dim, axes] : llvm::zip_equal(result.dims, dims))
      dim.axes = axes;
    result.unreduced = unreduced;
    return result;
  }
};

// Manual axes stand before the free ones, on the way out and on the way in.
TEST_F(ManualShardingTest, ManualAxesAreMajorToFreeOnes) {
  ManualSharding manual(sharding({{"b"}, {}}), {AxisRef("b")}, mesh);
  TensorSharding inside = sharding({{"a"}, {}});
  TensorSharding outside = manual.toOutside(inside);
  EXPECT_EQ(outside, sharding({{"b", "a"}, {}}));
  EXPECT_EQ(manual.toInside(outside), inside);
  EXPECT_EQ(manual.insideShape({16, 3}), (llvm::SmallVector<int64_t>{4, 3}));
}

// What the region asks of free axes is no part of the translation.
TEST_F(ManualShardingTest, FreeAxesOfTheWishDoNotCount) {
  ManualSharding manual(sharding({{"b", "a"}}), {AxisRef("b")}, mesh);
  EXPECT_EQ(manual.toOutside(sharding({{}})), sharding({{"b"}}));
}

// A tensor that is split otherwise than the region wants cannot enter.
TEST_F(ManualShardingTest, OtherSplitsCannotEnter) {
  ManualSharding manual(sharding({{"b"}, {}}), {AxisRef("b")}, mesh);
  EXPECT_EQ(manual.toInside(sharding({{}, {}})), std::nullopt);
  EXPECT_EQ(manual.toInside(sharding({{"a", "b"}, {}})), std::nullopt);
  EXPECT_EQ(manual.toInside(sharding({{}, {"b"}})), std::nullopt);
  ManualSharding whole(sharding({{}, {}}), {AxisRef("b")}, mesh);
  EXPECT_EQ(whole.toInside(sharding({{"b"}, {}})), std::nullopt);
  EXPECT_EQ(whole.toInside(sharding({{AxisRef("b", 2, 2)}, {}})), std::nullopt);
  EXPECT_EQ(whole.unusedAxes().size(), 1u);
}

// A sum that is pending over a manual axis is, inside, a device's part of it.
TEST_F(ManualShardingTest, PendingSumsOverManualAxes) {
  ManualSharding manual(sharding({{}}, {"b"}), {AxisRef("b")}, mesh);
  EXPECT_EQ(manual.toOutside(sharding({{}}, {"a"})),
            sharding({{}}, {"a", "b"}));
  EXPECT_EQ(manual.toInside(sharding({{}}, {"a", "b"})), sharding({{}}, {"a"}));
  EXPECT_EQ(manual.toInside(sharding({{}}, {"a"})), std::nullopt);
}

// Axes of size 1 may be named or not.
TEST_F(ManualShardingTest, AxesOfSizeOneAreNothing) {
  ManualSharding manual(sharding({{"one", "b"}}),
                        {AxisRef("one"), AxisRef("b")}, mesh);
  EXPECT_EQ(manual.toOutside(sharding({{"a"}})), sharding({{"b", "a"}}));
}

TEST_F(ManualShardingTest, VerifySaysWhatIsWrong) {
  AxisList axes = {"b"};
  EXPECT_EQ(ManualSharding::verify(sharding({{"b", "a"}}), axes, {6 * 4}, mesh),
            "");
  EXPECT_NE(ManualSharding::verify(sharding({{"a", "b"}}), axes, {24}, mesh)
                .find("expected manual axes before the others in dimension 0"),
            std::string::npos);
  EXPECT_NE(ManualSharding::verify(sharding({{"b"}}), axes, {6}, mesh)
                .find("expected dimension 0 to divide into 4 parts"),
            std::string::npos);
  EXPECT_EQ(
      ManualSharding::verify(sharding({{AxisRef("b", 1, 2)}}), axes, {8}, mesh),
      "");
}

// Of a manual axis a tensor may be split over parts; over the others it is the
// same everywhere.
TEST_F(ManualShardingTest, PartsOfManualAxes) {
  AxisRef major("b", 1, 2), minor("b", 2, 2);
  ManualSharding manual(sharding({{minor}, {}}), {AxisRef("b")}, mesh);
  EXPECT_EQ(manual.toOutside(sharding({{"a"}, {}})),
            sharding({{minor, "a"}, {}}));
  EXPECT_EQ(manual.toInside(sharding({{minor, "a"}, {}})),
            sharding({{"a"}, {}}));
  EXPECT_EQ(manual.toInside(sharding({{minor, "a"}, {major}})), std::nullopt);
  EXPECT_EQ(AxisList(manual.unusedAxes()), AxisList{major});
  ManualSharding both(sharding({{minor}, {major}}), {AxisRef("b")}, mesh);
  EXPECT_TRUE(both.unusedAxes().empty());
  Mesh large{{{"b", 24}}};
  ManualSharding middle(sharding({{AxisRef("b", 2, 3)}}), {AxisRef("b")},
                        large);
  EXPECT_EQ(AxisList(middle.unusedAxes()),
            (AxisList{AxisRef("b", 1, 2), AxisRef("b", 6, 4)}));
}

} // namespace
