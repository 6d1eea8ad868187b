//===- TensorBindingTest.cpp ----------------------------------------------===//

#include "tessera/Support/TensorBinding.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {
/// A training step: (weights donated to result 1, tokens) -> (loss, weights).
class TensorBindingTest : public testing::Test {
protected:
  std::vector<TensorSlot> arguments = {
      {"p['w']", ElementType::F32, {2, 3}, 1},
      {"tokens", ElementType::I32, {4}, std::nullopt}};
  std::vector<TensorSlot> results = {
      {"", ElementType::F32, {}, std::nullopt},
      {"out['w']", ElementType::F32, {2, 3}, std::nullopt}};

  std::string argumentError(std::vector<NamedTensor> tensors,
                            bool batched = false) {
    auto bound = bindArguments(tensors, arguments, results, "f", batched);
    return bound ? "" : bound.message();
  }
  HostTensor weights = HostTensor(ElementType::F32, {2, 3});
  HostTensor tokens = HostTensor(ElementType::I32, {4});
};
} // namespace

TEST_F(TensorBindingTest, BindsByNameAndByPosition) {
  weights.setFromDouble(0, 5);
  auto bound = bindArguments({{"arg1", tokens}, {"p['w']", weights}}, arguments,
                             results, "f");
  ASSERT_TRUE(bound);
  EXPECT_EQ((*bound)[0]->toDouble(0), 5);
  EXPECT_EQ((*bound)[1]->type(), ElementType::I32);
}

TEST_F(TensorBindingTest, ResultsOfOneRunResumeTheNext) {
  for (const char *name : {"out['w']", "result1"}) {
    auto bound = bindArguments({{"result0", HostTensor()}, {name, weights}},
                               arguments, results, "f");
    ASSERT_TRUE(bound);
    EXPECT_TRUE((*bound)[0]);
    EXPECT_FALSE((*bound)[1]);
  }
}

TEST_F(TensorBindingTest, NamesTheMissingTensor) {
  auto bound = bindArguments({{"arg0", weights}}, arguments, results, "f");
  auto all = requireAllBound(*std::move(bound), arguments, "argument", "f");
  ASSERT_FALSE(all);
  EXPECT_EQ(all.message(), "f: no tensor for argument 'tokens' of type i32[4]");
  auto none = requireAllBound(BoundTensors(2), results, "result", "f");
  EXPECT_EQ(none.message(), "f: no tensor for result 'result0' of type f32[]");
}

TEST_F(TensorBindingTest, RefusesSuperfluousTensors) {
  EXPECT_EQ(argumentError({{"arg2", tokens}}),
            "f: tensor 'arg2' is no argument of the program");
  EXPECT_EQ(bindResults({{"tokens", tokens}}, results, "f").message(),
            "f: tensor 'tokens' is no result of the program");
  EXPECT_EQ(argumentError({{"arg0", weights}, {"out['w']", weights}}),
            "f: tensor 'out['w']' binds to argument 0, which another tensor of "
            "the file binds to already");
}

TEST_F(TensorBindingTest, RefusesOtherTypes) {
  EXPECT_EQ(argumentError({{"tokens", weights}}),
            "f: tensor 'tokens': expected i32[4], got f32[2x3]");
  EXPECT_EQ(argumentError({{"tokens", HostTensor(ElementType::I64, {4})}}),
            "f: tensor 'tokens': expected i32[4], got i64[4]");
}

TEST_F(TensorBindingTest, BytesAreOfOneShortType) {
  HostTensor bytes(ElementType::U8, {4});
  auto error = [&](std::optional<std::string> expected, const char *given) {
    std::vector<TensorSlot> slots = {
        {"x", ElementType::U8, {4}, std::nullopt, std::move(expected)}};
    auto bound = bindArguments({{"x", bytes, given}}, slots, results, "f");
    return bound ? "" : bound.message();
  };
  EXPECT_EQ(error("f8E5M2", "f8E5M2"), "");
  EXPECT_EQ(error("f8E4M3B11FNUZ", ""), "");
  EXPECT_EQ(error(std::nullopt, "f8E5M2"), "");
  EXPECT_EQ(error("f8E5M2", "f8E4M3FN"),
            "f: tensor 'x': expected f8E5M2, got elements of f8E4M3FN");
  EXPECT_EQ(error("", "f8E4M3FN"),
            "f: tensor 'x': expected u8[4], got elements of f8E4M3FN");
}

TEST_F(TensorBindingTest, BatchesHaveOneMoreDimension) {
  HostTensor batches(ElementType::I32, {2, 4});
  batches.setFromDouble(5, 9);
  auto bound =
      bindArguments({{"tokens", batches}}, arguments, results, "f", true);
  ASSERT_TRUE(bound);
  HostTensor second = sliceLeading(*(*bound)[1], 1);
  EXPECT_EQ(second.shape(), Shape{4});
  EXPECT_EQ(second.toDouble(1), 9);
  std::string expected = "f: tensor 'tokens': expected i32[4] with one more "
                         "leading dimension, got ";
  EXPECT_EQ(argumentError({{"tokens", tokens}}, true), expected + "i32[4]");
  EXPECT_EQ(
      argumentError({{"tokens", HostTensor(ElementType::I32, {0, 4})}}, true),
      expected + "i32[0x4]");
}
