#include "Printing.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

const Mesh mesh({{"data", 2}, {"model", 4}, {"x", 2}});

TEST(TensorSharding, PrintsTheWholeSyntax) {
  TensorSharding sharding;
  sharding.dims = {{{"data"}}, {{AxisRef("model", 2, 2)}, true, 1}, {{}, true}};
  sharding.replicated = {"x"};
  sharding.unreduced = {AxisRef("model", 1, 2)};
  EXPECT_EQ(toString(sharding),
            R"([{"data"}, {"model":(2)2, ?}p1, {?}], replicated={"x"}, )"
            R"(unreduced={"model":(1)2})");
  sharding.unreducedKind = ReductionKind::Max;
  EXPECT_EQ(toString(sharding),
            R"([{"data"}, {"model":(2)2, ?}p1, {?}], replicated={"x"}, )"
            R"(unreduced=max{"model":(1)2})");
  EXPECT_EQ(toString(TensorSharding::getReplicated(2)), "[{}, {}]");
}

TEST(TensorSharding, LocalShapeRoundsUp) {
  TensorSharding sharding;
  sharding.dims = {{{"data", "model"}}, {}, {{"x"}}};
  EXPECT_EQ(sharding.numShards(0, mesh), 8);
  EXPECT_EQ(sharding.localShape({20, 5, 4}, mesh),
            (llvm::SmallVector<int64_t>{3, 5, 2}));
  EXPECT_FALSE(sharding.dividesEvenly({20, 5, 4}, mesh));
  EXPECT_TRUE(sharding.dividesEvenly({24, 5, 4}, mesh));
}

TEST(TensorSharding, SamePlacementIgnoresWhatGuidesPropagation) {
  TensorSharding a, b;
  a.dims = {{{"model"}, true, 2}};
  a.replicated = {"x"};
  b.dims = {{{AxisRef("model", 1, 2), AxisRef("model", 2, 2)}}};
  EXPECT_TRUE(a.samePlacement(b, mesh));
  EXPECT_NE(a, b);
  b.unreduced = {"x"};
  EXPECT_FALSE(a.samePlacement(b, mesh));
}

TEST(TensorSharding, EqualShardingsHashEqually) {
  TensorSharding a, b;
  a.dims = b.dims = {{{"data"}}, {{"model"}}};
  EXPECT_EQ(hash_value(a), hash_value(b));
  b.dims[1].open = true;
  EXPECT_NE(a, b);
  EXPECT_NE(hash_value(a), hash_value(b));
}

/// What verification says of a tensor<8x8> with the given shardings.
std::string verify(llvm::SmallVector<DimSharding, 2> dims,
                   AxisList replicated = {}, AxisList unreduced = {}) {
  TensorSharding sharding;
  sharding.dims = dims;
  sharding.replicated = replicated;
  sharding.unreduced = unreduced;
  return sharding.verify({8, 8}, mesh);
}

TEST(TensorSharding, VerifyNamesWhatIsWrong) {
  EXPECT_EQ(verify({{{"data"}}, {{"model"}}}, {"x"}), "");
  EXPECT_EQ(verify({{}, {}, {}}), "expected 2 dimension shardings, got 3");
  EXPECT_EQ(verify({{{"z"}}, {}}),
            R"(unknown axis "z", the mesh has "data", "model", "x")");
  EXPECT_EQ(verify({{{"data"}}, {{"data"}}}), R"(axis "data" is used twice)");
  EXPECT_EQ(verify({{{"data"}}, {}}, {}, {"data"}),
            R"(axis "data" is used twice)");
  EXPECT_EQ(verify({{{"model"}}, {{AxisRef("model", 2, 2)}}}),
            R"(axes "model" and "model":(2)2 overlap)");
  EXPECT_EQ(verify({{{AxisRef("model", 1, 2), AxisRef("model", 2, 2)}}, {}}),
            R"(expected adjacent sub-axes "model":(1)2 and "model":(2)2 to )"
            R"(be written as "model")");
  EXPECT_EQ(verify({{{}, false, 1}, {}}),
            "expected no priority on dimension 0, which is closed and not "
            "split");
  EXPECT_EQ(verify({{{}, true, -1}, {}}),
            "expected the priority of dimension 0 to be at least 0, got -1");
}

TEST(TensorSharding, VerifyRefusesPartsThatDoNotDivideEachOther) {
  Mesh six({{"y", 6}});
  TensorSharding sharding;
  sharding.dims = {{{AxisRef("y", 1, 2)}}, {{AxisRef("y", 3, 2)}}};
  EXPECT_EQ(sharding.verify({6, 6}, six),
            R"(axes "y":(1)2 and "y":(3)2 cannot be used together: their )"
            R"(sizes do not divide)");
}

TEST(ReductionKind, NamesAreParsedBack) {
  for (ReductionKind kind :
       {ReductionKind::Sum, ReductionKind::Product, ReductionKind::Min,
        ReductionKind::Max, ReductionKind::And, ReductionKind::Or,
        ReductionKind::Xor})
    EXPECT_EQ(parseReductionKind(stringify(kind)), kind);
  EXPECT_EQ(parseReductionKind("mean"), std::nullopt);
}

} // namespace
