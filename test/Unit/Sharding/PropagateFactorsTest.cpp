#include "Printing.h"

#include "tessera/Sharding/Rules/PropagateFactors.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

constexpr int64_t kNone = ShardingRuleBuilder::kNone;
const Mesh mesh({{"x", 4}, {"y", 2}});

/// An operation with its tensors; shardings start open.
struct Operation {
  ShardingRule rule;
  std::vector<std::vector<int64_t>> operandShapes, resultShapes;
  std::vector<TensorSharding> operands, results;

  Operation(std::vector<std::vector<int64_t>> operandShapes,
            std::vector<std::vector<int64_t>> resultShapes,
            llvm::function_ref<void(ShardingRuleBuilder &)> addFactors)
      : operandShapes(operandShapes), resultShapes(resultShapes) {
    ShardingRuleBuilder builder(refs(this->operandShapes),
                                refs(this->resultShapes));
    addFactors(builder);
    rule = builder.build();
    for (const auto &shape : operandShapes)
      operands.push_back(TensorSharding::getOpen(shape.size()));
    for (const auto &shape : resultShapes)
      results.push_back(TensorSharding::getOpen(shape.size()));
  }

  static llvm::SmallVector<llvm::ArrayRef<int64_t>>
  refs(const std::vector<std::vector<int64_t>> &shapes) {
    return {shapes.begin(), shapes.end()};
  }

  bool propagate(const PropagationOptions &options = {}) {
    bool changed =
        propagateFactors(rule, refs(operandShapes), refs(resultShapes), mesh,
                         operands, results, options);
    for (size_t i = 0; i < operands.size(); ++i)
      EXPECT_EQ(operands[i].verify(operandShapes[i], mesh), "");
    for (size_t i = 0; i < results.size(); ++i)
      EXPECT_EQ(results[i].verify(resultShapes[i], mesh), "");
    return changed;
  }
};

Operation matmul(int64_t m = 8, int64_t k = 8, int64_t n = 8) {
  return Operation({{m, k}, {k, n}}, {{m, n}}, [&](ShardingRuleBuilder &b) {
    b.addFactor({0, kNone}, {0}, m);
    b.addFactor({kNone, 1}, {1}, n);
    b.addFactor({1, 0}, {kNone}, k, FactorKind::Reduction);
  });
}

Operation add(std::vector<int64_t> shape = {8, 8}) {
  return Operation({shape, shape}, {shape},
                   [](ShardingRuleBuilder &b) { b.addPointwise(); });
}

TEST(PropagateFactors, MatmulSpreadsEachFactor) {
  Operation op = matmul();
  op.operands[0].dims[0].axes = {"x"};
  op.operands[1].dims[0].axes = {"y"};
  EXPECT_TRUE(op.propagate());
  EXPECT_EQ(toString(op.operands[0]), R"([{"x", ?}, {"y", ?}])");
  EXPECT_EQ(toString(op.operands[1]), R"([{"y", ?}, {?}])");
  EXPECT_EQ(toString(op.results[0]), R"([{"x", ?}, {?}])");
  EXPECT_FALSE(op.propagate());
}

TEST(PropagateFactors, DirectionsAreRespected) {
  Operation op = add();
  op.operands[0].dims[0].axes = {"x"};
  op.results[0].dims[1].axes = {"y"};
  EXPECT_TRUE(op.propagate({PropagationDirection::Forward}));
  EXPECT_EQ(toString(op.operands[1]), "[{?}, {?}]");
  EXPECT_EQ(toString(op.results[0]), R"([{"x", ?}, {"y", ?}])");
  EXPECT_TRUE(op.propagate({PropagationDirection::Backward}));
  EXPECT_EQ(toString(op.operands[0]), R"([{"x", ?}, {"y", ?}])");
  EXPECT_EQ(toString(op.operands[1]), R"([{"x", ?}, {"y", ?}])");
  EXPECT_FALSE(op.propagate({PropagationDirection::None}));
}

TEST(PropagateFactors, BasicTakesTheCompatiblePrefix) {
  Operation op = add();
  op.operands[0].dims[0].axes = {"x", "y"};
  op.operands[1].dims[0].axes = {AxisRef("x", 1, 2)};
  EXPECT_TRUE(op.propagate());
  EXPECT_EQ(toString(op.operands[1]), R"([{"x", "y", ?}, {?}])");

  Operation conflict = add();
  conflict.operands[0].dims[0].axes = {AxisRef("x", 1, 2), "y"};
  conflict.operands[1].dims[0].axes = {"x"};
  EXPECT_TRUE(conflict.propagate());
  EXPECT_EQ(toString(conflict.results[0]), R"([{"x":(1)2, ?}, {?}])");
}

TEST(PropagateFactors, BasicLeavesConflictsAcrossFactorsAlone) {
  Operation op = matmul(16, 8, 8);
  op.operands[0].dims[0].axes = {"x"};
  op.operands[1].dims[1].axes = {"x"};
  EXPECT_FALSE(op.propagate());
  EXPECT_TRUE(op.propagate({PropagationDirection::Both, true}));
  // The left operand is larger.
  EXPECT_EQ(toString(op.results[0]), R"([{"x", ?}, {?}])");
  EXPECT_EQ(toString(op.operands[1]), R"([{?}, {"x", ?}])");

  Operation other = matmul(8, 8, 16);
  other.operands[0].dims[0].axes = {"x"};
  other.operands[1].dims[1].axes = {"x"};
  EXPECT_TRUE(other.propagate({PropagationDirection::Both, true}));
  EXPECT_EQ(toString(other.results[0]), R"([{?}, {"x", ?}])");
}

TEST(PropagateFactors, AggressiveLetsEachTensorTakeWhatItCan) {
  Operation op = add();
  op.operands[0].dims[0].axes = {"x", "y"};
  op.operands[1].replicated = {"y"};
  Operation aggressive = op;
  EXPECT_TRUE(op.propagate());
  EXPECT_EQ(toString(op.operands[1]), R"([{"x", ?}, {?}], replicated={"y"})");
  EXPECT_EQ(toString(op.results[0]), R"([{"x", ?}, {?}])");
  EXPECT_TRUE(aggressive.propagate({PropagationDirection::Both, true}));
  EXPECT_EQ(toString(aggressive.operands[1]),
            R"([{"x", ?}, {?}], replicated={"y"})");
  EXPECT_EQ(toString(aggressive.results[0]), R"([{"x", "y", ?}, {?}])");
}

TEST(PropagateFactors, ClosedDimensionsAndUnreducedAxesStay) {
  Operation op = add();
  op.operands[0].dims[0].axes = {"x"};
  op.operands[0].dims[1].axes = {"y"};
  op.operands[1].dims[0].open = false;
  op.results[0].unreduced = {"y"};
  EXPECT_TRUE(op.propagate({PropagationDirection::Both, true}));
  EXPECT_EQ(toString(op.operands[1]), R"([{}, {"y", ?}])");
  EXPECT_EQ(toString(op.results[0]), R"([{"x", ?}, {?}], unreduced={"y"})");
}

TEST(PropagateFactors, LaterPrioritiesWaitButReserveTheirAxes) {
  Operation op = add();
  op.operands[0].dims[0] = {{"x"}, true, 1};
  op.operands[1].dims[1].axes = {"x"};
  PropagationOptions first;
  first.maxPriority = 0;
  first.aggressive = true;
  EXPECT_TRUE(op.propagate(first));
  EXPECT_EQ(toString(op.operands[0]), R"([{"x", ?}p1, {?}])");
  EXPECT_EQ(toString(op.results[0]), R"([{?}, {"x", ?}])");
  // Its turn comes too late for x.
  EXPECT_FALSE(op.propagate());
}

TEST(PropagateFactors, BlockedFactorsDoNotCarry) {
  Operation op({{8, 8}}, {{8, 8}}, [](ShardingRuleBuilder &b) {
    b.addFactor({0}, {0}, 8);
    b.block(b.addFactor({1}, {1}, 8, FactorKind::NeedReplication));
  });
  op.operands[0].dims[0].axes = {"y"};
  op.operands[0].dims[1].axes = {"x"};
  EXPECT_TRUE(op.propagate());
  EXPECT_EQ(toString(op.results[0]), R"([{"y", ?}, {?}])");
}

TEST(PropagateFactors, PassThroughOnlySkipsOtherFactors) {
  Operation op = matmul();
  op.operands[0].dims[0].axes = {"y"};
  op.operands[0].dims[1].axes = {"x"};
  PropagationOptions options;
  options.passThroughOnly = true;
  EXPECT_TRUE(op.propagate(options));
  EXPECT_EQ(toString(op.operands[1]), "[{?}, {?}]");
  EXPECT_EQ(toString(op.results[0]), R"([{"y", ?}, {?}])");
}

TEST(PropagateFactors, ReshapeSplitsAndMergesAxes) {
  Operation split({{8, 8}}, {{2, 4, 8}},
                  [](ShardingRuleBuilder &b) { b.addReshape(); });
  split.operands[0].dims[0].axes = {"x"};
  EXPECT_TRUE(split.propagate());
  EXPECT_EQ(toString(split.results[0]),
            R"([{"x":(1)2, ?}, {"x":(2)2, ?}, {?}])");

  Operation merge({{2, 4, 8}}, {{8, 8}},
                  [](ShardingRuleBuilder &b) { b.addReshape(); });
  merge.operands[0].dims[0].axes = {"y"};
  merge.operands[0].dims[1].axes = {"x"};
  EXPECT_TRUE(merge.propagate());
  EXPECT_EQ(toString(merge.results[0]), R"([{"y", "x", ?}, {?}])");

  // The minor factor alone would not be a block of the merged dimension.
  Operation minor({{2, 4, 8}}, {{8, 8}},
                  [](ShardingRuleBuilder &b) { b.addReshape(); });
  minor.operands[0].dims[1].axes = {"x"};
  EXPECT_FALSE(minor.propagate({PropagationDirection::Both, true}));
  EXPECT_EQ(toString(minor.results[0]), "[{?}, {?}]");
}

TEST(PropagateFactors, UnevenPartsAreAlikeInAllTensors) {
  Operation op = add({6, 8});
  op.operands[0].dims[0].axes = {"x"}; // 6 on 4
  EXPECT_TRUE(op.propagate());
  EXPECT_EQ(toString(op.results[0]), R"([{"x", ?}, {?}])");

  // Where the dimension is one of several factors, its parts would differ.
  Operation merge({{6, 8}}, {{48}},
                  [](ShardingRuleBuilder &b) { b.addReshape(); });
  merge.operands[0].dims[0].axes = {"x"};
  EXPECT_FALSE(merge.propagate());

  Operation slice({{8}}, {{6}}, [](ShardingRuleBuilder &b) {
    b.addPointwise([](int64_t) { return FactorKind::Permutation; });
  });
  slice.operands[0].dims[0].axes = {"y"};
  EXPECT_TRUE(slice.propagate());
  EXPECT_EQ(toString(slice.results[0]), R"([{"y", ?}])");
}

TEST(PropagateFactors, ResultsDoNotDependOnInterningOrder) {
  // Names that are interned late must not win or lose by that.
  Mesh late({{"zz-late", 2}, {"aa-later", 2}});
  for (bool swap : {false, true}) {
    Operation op({{8, 8}, {8, 8}}, {{8, 8}},
                 [](ShardingRuleBuilder &b) { b.addPointwise(); });
    op.operands[swap].dims[0].axes = {"aa-later"};
    op.operands[!swap].dims[1].axes = {"zz-late"};
    EXPECT_TRUE(propagateFactors(op.rule, Operation::refs(op.operandShapes),
                                 Operation::refs(op.resultShapes), late,
                                 op.operands, op.results));
    EXPECT_EQ(toString(op.results[0]), R"([{"aa-later", ?}, {"zz-late", ?}])");
  }
}

} // namespace
