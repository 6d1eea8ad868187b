#include "Printing.h"

#include "tessera/Sharding/Rules/ShardingRule.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace tessera;

namespace {

constexpr int64_t kNone = ShardingRuleBuilder::kNone;

ShardingRule matmul() {
  ShardingRuleBuilder builder({{8, 32}, {32, 16}}, {{8, 16}});
  builder.addFactor({0, kNone}, {0}, 8);
  builder.addFactor({kNone, 1}, {1}, 16);
  builder.addFactor({1, 0}, {kNone}, 32, FactorKind::Reduction);
  builder.addLinear({0});
  builder.addLinear({1});
  return builder.build();
}

TEST(ShardingRule, MatmulPrintsAndVerifies) {
  ShardingRule rule = matmul();
  EXPECT_EQ(toString(rule), "([i,k],[k,j])->([i,j]) {i=8,j=16,k=32} "
                            "reduction={k} linear={0}{1}");
  EXPECT_EQ(rule.verify({{8, 32}, {32, 16}}, {{8, 16}}), "");
}

TEST(ShardingRule, PointwiseSkipsScalars) {
  ShardingRuleBuilder builder({{}, {4, 8}, {4, 8}}, {{4, 8}});
  builder.addPointwise();
  builder.addLinear({1, 2});
  EXPECT_EQ(toString(builder.build()),
            "([],[i,j],[i,j])->([i,j]) {i=4,j=8} linear={1,2}");
}

TEST(ShardingRule, SliceHasPermutationFactorsOfDifferentSizes) {
  ShardingRuleBuilder builder({{4, 8}}, {{4, 6}});
  builder.addPointwise([](int64_t dim) {
    return dim == 1 ? FactorKind::Permutation : FactorKind::PassThrough;
  });
  ShardingRule rule = builder.build();
  EXPECT_EQ(toString(rule), "([i,j])->([i,j]) {i=4,j=8} permutation={j}");
  EXPECT_EQ(rule.verify({{4, 8}}, {{4, 6}}), "");
}

TEST(ShardingRule, DimensionsWithoutFactorNeedReplication) {
  ShardingRuleBuilder builder({{4, 8, 1}}, {{4}});
  FactorId rows = builder.addFactor({0}, {0}, 4);
  builder.block(rows);
  EXPECT_EQ(toString(builder.build()),
            "([i,j,1])->([i]) {i=4,j=8} need_replication={j} blocked={i}");
}

TEST(ShardingRule, NamesFactorsOfEqualParts) {
  ShardingRuleBuilder builder({{4, 8}}, {{4}});
  builder.keepEven(builder.addFactor({0}, {0}, 4));
  EXPECT_EQ(toString(builder.build()),
            "([i,j])->([i]) {i=4,j=8} need_replication={j} even={i}");
}

TEST(ShardingRule, NamesTheMonoidOfAReduction) {
  ShardingRuleBuilder builder({{4, 8}}, {{4}});
  builder.addFactor({0}, {0}, 4);
  builder.addFactor({1}, {kNone}, 8, FactorKind::Reduction, ReductionKind::Max);
  EXPECT_EQ(toString(builder.build()),
            "([i,j])->([i]) {i=4,j=8} reduction=max{j}");
}

TEST(ShardingRule, LinearOnlyInWholeSets) {
  ShardingRule rule = matmul();
  rule.linear = {{0, 1}};
  auto isLinearIn = [&](bool first, bool second) {
    return rule.carries(ReductionKind::Sum, [&](unsigned operand) {
      return operand == 0 ? first : second;
    });
  };
  EXPECT_TRUE(isLinearIn(true, true));
  EXPECT_FALSE(isLinearIn(true, false));
  EXPECT_FALSE(isLinearIn(false, false));
}

TEST(ShardingRule, VerifyNamesWhatIsWrong) {
  ShardingRule rule = matmul();
  EXPECT_EQ(rule.verify({{8, 32}}, {{8, 16}}),
            "expected 1 operands and 1 results, got 2 and 1");
  EXPECT_EQ(rule.verify({{8, 32}, {32, 16, 1}}, {{8, 16}}),
            "operand 1: expected 3 dimensions, got 2");
  EXPECT_EQ(rule.verify({{8, 32}, {32, 16}}, {{8, 17}}),
            "result 0: expected factors of size 17, got 16");
  rule.results[0].dims[1] = {2};
  EXPECT_EQ(rule.verify({{8, 32}, {32, 16}}, {{8, 32}}),
            "result 0: reduction factor k occurs in a result");
  rule.results[0].dims[1] = {0};
  EXPECT_EQ(rule.verify({{8, 32}, {32, 16}}, {{8, 8}}),
            "result 0: factor i occurs twice");
  rule.results[0].dims[1] = {7};
  EXPECT_EQ(rule.verify({{8, 32}, {32, 16}}, {{8, 8}}),
            "result 0: expected one of 3 factors, got number 7");
}

std::string reshapeRule(llvm::ArrayRef<int64_t> in,
                        llvm::ArrayRef<int64_t> out) {
  ShardingRuleBuilder builder({in}, {out});
  builder.addReshape();
  ShardingRule rule = builder.build();
  EXPECT_EQ(rule.verify({in}, {out}), "");
  return toString(rule);
}

TEST(ReshapeFactors, SplitsAndMerges) {
  EXPECT_EQ(reshapeRule({16, 128, 256}, {2048, 256}),
            "([i,j,k])->([ij,k]) {i=16,j=128,k=256}");
  EXPECT_EQ(reshapeRule({2048, 768}, {16, 128, 3, 8, 32}),
            "([ij,klm])->([i,j,k,l,m]) {i=16,j=128,k=3,l=8,m=32}");
  EXPECT_EQ(reshapeRule({8, 6}, {4, 12}), "([ij,k])->([i,jk]) {i=4,j=2,k=6}");
}

TEST(ReshapeFactors, OnesNeedNoFactor) {
  EXPECT_EQ(reshapeRule({1, 8, 1}, {8, 1, 1, 1}), "([1,i,1])->([i,1,1,1]) "
                                                  "{i=8}");
  EXPECT_EQ(reshapeRule({}, {1, 1}), "([])->([1,1]) {}");
}

TEST(ReshapeFactors, DivergingPartIsNotShared) {
  EXPECT_EQ(reshapeRule({5, 2, 3, 7}, {5, 3, 2, 7}),
            "([i,j,l,n])->([i,k,m,n]) {i=5,j=2,k=3,l=3,m=2,n=7} "
            "need_replication={j,k,l,m}");
  EXPECT_EQ(reshapeRule({4, 3, 2}, {6, 4}),
            "([ij,l,n])->([ik,m]) {i=2,j=2,k=3,l=3,m=4,n=2} "
            "need_replication={j,k,l,m,n}");
}

TEST(ReshapeFactors, EmptyTensorsShareNothing) {
  EXPECT_EQ(reshapeRule({0, 4}, {2, 0}),
            "([i,j])->([k,l]) {i=0,j=4,k=2,l=0} need_replication={i,j,k,l}");
}

/// The row-major number of elements per step of each factor in a shape made of
/// `dims`.
std::vector<int64_t>
strides(const ReshapeFactors &factors,
        const llvm::SmallVectorImpl<llvm::SmallVector<unsigned, 1>> &dims) {
  std::vector<int64_t> result(factors.sizes.size(), 0);
  int64_t stride = 1;
  for (size_t dim = dims.size(); dim-- > 0;)
    for (size_t i = dims[dim].size(); i-- > 0;) {
      result[dims[dim][i]] = stride;
      stride *= factors.sizes[dims[dim][i]];
    }
  return result;
}

TEST(ReshapeFactors, SharedFactorsHaveOneStrideForAllSmallShapes) {
  // All shapes of 24 and 36 elements up to rank 4: a factor that both sides
  // share must step through the elements equally on both.
  for (int64_t elements : {24, 36}) {
    std::vector<llvm::SmallVector<int64_t>> shapes;
    for (int64_t a = 1; a <= elements; ++a)
      for (int64_t b = 1; b <= elements; ++b)
        for (int64_t c = 1; c <= elements; ++c)
          if (elements % (a * b * c) == 0)
            shapes.push_back({a, b, c, elements / (a * b * c)});
    for (const auto &in : shapes)
      for (const auto &out : shapes) {
        reshapeRule(in, out);
        ReshapeFactors factors = reshapeFactors(in, out);
        std::vector<int64_t> inStrides = strides(factors, factors.inDims);
        std::vector<int64_t> outStrides = strides(factors, factors.outDims);
        for (size_t factor = 0; factor < factors.sizes.size(); ++factor)
          if (inStrides[factor] && outStrides[factor])
            EXPECT_EQ(inStrides[factor], outStrides[factor]);
      }
  }
}

} // namespace
