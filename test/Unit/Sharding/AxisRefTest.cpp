#include "Printing.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

/// x has the chains 1|2|4|8, y the chains 1|2|6 and 1|3|6.
const Mesh mesh({{"x", 8}, {"y", 6}});

AxisRef x(int64_t preSize, int64_t size) { return {"x", preSize, size}; }
AxisRef y(int64_t preSize, int64_t size) { return {"y", preSize, size}; }

TEST(AxisRef, PrintsWholeAxesAndParts) {
  EXPECT_EQ(toString(AxisRef("x")), R"("x")");
  EXPECT_EQ(toString(x(2, 4)), R"("x":(2)4)");
}

TEST(AxisRef, PartThatCoversTheAxisIsTheAxis) {
  EXPECT_EQ(AxisRef::get("x", 1, 8, mesh), AxisRef("x"));
  EXPECT_EQ(AxisRef::get("x", 1, 4, mesh), x(1, 4));
}

TEST(AxisRef, ValuesOfPartsMakeUpTheCoordinate) {
  for (int64_t value = 0; value < 8; ++value)
    EXPECT_EQ(valueAt({x(1, 2), x(2, 2), x(4, 2)}, {value, 0}, mesh), value);
  // The minor part first exchanges the roles of the bits.
  EXPECT_EQ(valueAt({x(4, 2), x(1, 4)}, {1, 0}, mesh), 4);
}

TEST(AxisRef, OverlapIsSharedPartOfAnAxis) {
  EXPECT_TRUE(AxisRef("x").overlaps(x(4, 2), mesh));
  EXPECT_TRUE(x(1, 4).overlaps(x(2, 4), mesh));
  EXPECT_FALSE(x(1, 2).overlaps(x(2, 4), mesh));
  EXPECT_FALSE(AxisRef("x").overlaps(AxisRef("y"), mesh));
}

TEST(AxisRef, PartsOfDifferentFactorisationsCannotCoexist) {
  EXPECT_FALSE(y(1, 2).canCoexist(y(3, 2), mesh));
  EXPECT_TRUE(y(1, 3).canCoexist(y(3, 2), mesh));
  EXPECT_TRUE(x(1, 2).canCoexist(x(4, 2), mesh));
}

TEST(AxisRef, ContainsAndPrefix) {
  EXPECT_TRUE(AxisRef("x").contains(x(2, 2), mesh));
  EXPECT_FALSE(x(2, 2).contains(AxisRef("x"), mesh));
  EXPECT_TRUE(AxisRef("x").hasPrefix(x(1, 4), mesh));
  EXPECT_FALSE(AxisRef("x").hasPrefix(x(2, 4), mesh));
  EXPECT_EQ(x(1, 4).commonPrefix(AxisRef("x"), mesh), x(1, 4));
  EXPECT_EQ(x(2, 4).commonPrefix(x(2, 2), mesh), x(2, 2));
  EXPECT_EQ(x(2, 4).commonPrefix(x(1, 2), mesh), std::nullopt);
  EXPECT_EQ(y(1, 2).commonPrefix(y(1, 3), mesh), std::nullopt);
}

TEST(AxisRef, TakeAndDropMajorAreInverseToMerge) {
  AxisRef axis("x");
  EXPECT_EQ(axis.takeMajor(2, mesh), x(1, 2));
  EXPECT_EQ(axis.dropMajor(2, mesh), x(2, 4));
  EXPECT_EQ(x(1, 2).mergeWith(x(2, 4), mesh), AxisRef("x"));
  EXPECT_EQ(x(2, 2).mergeWith(x(4, 2), mesh), x(2, 4));
  EXPECT_EQ(x(2, 4).mergeWith(x(1, 2), mesh), std::nullopt);
}

TEST(AxisRef, VerifyNamesWhatIsWrong) {
  EXPECT_EQ(x(2, 4).verify(mesh), "");
  EXPECT_EQ(AxisRef("z").verify(mesh),
            R"(unknown axis "z", the mesh has "x", "y")");
  EXPECT_EQ(AxisRef("z").verify(Mesh()),
            R"(unknown axis "z", the mesh has no axes)");
  EXPECT_EQ(x(1, 3).verify(mesh),
            R"(expected the pre-size and size of sub-axis "x":(1)3 to divide )"
            R"(the size 8 of axis "x")");
  EXPECT_EQ(x(0, 2).verify(mesh),
            R"(expected sub-axis "x":(0)2 to have a pre-size of at least 1 )"
            R"(and a size of at least 2)");
  EXPECT_EQ(x(1, 8).verify(mesh), R"(expected sub-axis "x":(1)8 to be )"
                                  R"(written as the whole axis "x")");
}

TEST(AxisList, MergesOnlyInOrder) {
  EXPECT_EQ(mergeAdjacent({x(1, 2), x(2, 2), "y"}, mesh),
            AxisList({x(1, 4), "y"}));
  EXPECT_EQ(mergeAdjacent({x(2, 2), x(1, 2)}, mesh),
            AxisList({x(2, 2), x(1, 2)}));
  EXPECT_EQ(canonicalSet({"y", x(2, 4), x(1, 2)}, mesh), AxisList({"x", "y"}));
}

TEST(AxisList, CommonPrefixCutsAxes) {
  EXPECT_EQ(commonPrefix({"x", "y"}, {x(1, 2), "y"}, mesh),
            AxisList({x(1, 2)}));
  EXPECT_EQ(commonPrefix({"x", "y"}, {x(1, 2), x(2, 4)}, mesh),
            AxisList({"x"}));
  EXPECT_EQ(commonPrefix({"x", "y"}, {"x", y(1, 3)}, mesh),
            AxisList({"x", y(1, 3)}));
  EXPECT_EQ(commonPrefix({"x"}, {"y"}, mesh), AxisList());
  EXPECT_TRUE(hasPrefix({"x", "y"}, {"x", y(1, 2)}, mesh));
  EXPECT_FALSE(hasPrefix({"x", "y"}, {"y"}, mesh));
}

TEST(AxisList, DropMajorCutsAxes) {
  EXPECT_EQ(dropMajor({"x", "y"}, 2, mesh), AxisList({x(2, 4), "y"}));
  EXPECT_EQ(dropMajor({"x", "y"}, 8, mesh), AxisList({"y"}));
  EXPECT_EQ(dropMajor({"x", "y"}, 24, mesh), AxisList({y(3, 2)}));
  EXPECT_EQ(dropMajor({"x", "y"}, 1, mesh), AxisList({"x", "y"}));
}

} // namespace
