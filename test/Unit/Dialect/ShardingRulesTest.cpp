//===- ShardingRulesTest.cpp - by which factors operations are split ------===//

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Driver/Registration.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace mlir;

namespace {

class ShardingRules : public testing::Test {
protected:
  ShardingRules() {
    DialectRegistry registry;
    tessera::registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The rule of the last operation in `body`, a function of the arguments
  /// `arguments`.
  std::string ruleOf(llvm::StringRef arguments, llvm::StringRef body) {
    std::string text =
        ("func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}").str();
    auto module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return "does not parse";
    func::FuncOp function = *module->getOps<func::FuncOp>().begin();
    Operation *op = function.front().getTerminator()->getPrevNode();
    std::optional<tessera::ShardingRule> rule = tessera::getShardingRule(op);
    if (!rule)
      return "no rule";
    EXPECT_EQ(rule->verify(tessera::getShapes(op->getOperandTypes()),
                           tessera::getShapes(op->getResultTypes())),
              "");
    std::string printed;
    llvm::raw_string_ostream os(printed);
    rule->print(os);
    return printed;
  }

  MLIRContext context;
};

TEST_F(ShardingRules, ElementwiseOperationsArePointwise) {
  EXPECT_EQ(
      ruleOf("%a: tensor<4x6xf32>", "%0 = math.tanh %a : tensor<4x6xf32>"),
      "([i,j])->([i,j]) {i=4,j=6}");
}

TEST_F(ShardingRules, AdditionIsLinearInBothOperandsTogether) {
  EXPECT_EQ(
      ruleOf("%a: tensor<4xf32>", "%0 = arith.addf %a, %a : tensor<4xf32>"),
      "([i],[i])->([i]) {i=4} linear={0,1}");
}

TEST_F(ShardingRules, MultiplicationIsLinearInEachOperand) {
  EXPECT_EQ(
      ruleOf("%a: tensor<4xf32>", "%0 = arith.mulf %a, %a : tensor<4xf32>"),
      "([i],[i])->([i]) {i=4} linear={0}{1}");
}

TEST_F(ShardingRules, OnlySplatsMayBeSplit) {
  EXPECT_EQ(ruleOf("", "%0 = arith.constant dense<1.0> : tensor<4xf32>"),
            "()->([i]) {i=4}");
  EXPECT_EQ(ruleOf("", "%0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>"),
            "()->([i]) {i=2} need_replication={i}");
}

TEST_F(ShardingRules, MatmulReducesOverContractingDimensions) {
  EXPECT_EQ(
      ruleOf("%a: tensor<4x8x16xf32>, %b: tensor<4x16x32xf32>",
             "%0 = tessera.dot_general %a, %b batching = [0] x [0] contracting "
             "= [2] x [1] : (tensor<4x8x16xf32>, tensor<4x16x32xf32>) -> "
             "tensor<4x8x32xf32>"),
      "([i,j,l],[i,l,k])->([i,j,k]) {i=4,j=8,k=32,l=16} reduction={l} "
      "linear={0}{1}");
}

TEST_F(ShardingRules, ReductionsNameTheirMonoid) {
  EXPECT_EQ(ruleOf("%a: tensor<4x6xf32>",
                   "%0 = tessera.reduce max %a dims = [1] : tensor<4x6xf32> -> "
                   "tensor<4xf32>"),
            "([i,j])->([i]) {i=4,j=6} reduction=max{j} max={0}");
}

TEST_F(ShardingRules, SortedDimensionsAreNotSplit) {
  EXPECT_EQ(ruleOf("%a: tensor<4x6xf32>, %b: tensor<4x6xi32>",
                   "%0:2 = tessera.sort %a, %b dim = 1 : (tensor<4x6xf32>, "
                   "tensor<4x6xi32>) -> (tensor<4x2xf32>, tensor<4x2xi32>) {\n"
                   "^bb0(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, "
                   "%j: tensor<i32>):\n"
                   "%c = arith.cmpf ogt, %x, %y : tensor<f32>\n"
                   "tessera.yield %c : tensor<i1>\n}"),
            "([i,j],[i,k])->([i,l],[i,m]) {i=4,j=6,k=6,l=2,m=2} "
            "need_replication={j,k,l,m}");
}

TEST_F(ShardingRules, BroadcastGivesNewDimensionsFactorsOfTheirOwn) {
  EXPECT_EQ(ruleOf("%a: tensor<4x1xf32>",
                   "%0 = tessera.broadcast %a dims = [1, 2] : tensor<4x1xf32> "
                   "-> tensor<3x4x5xf32>"),
            "([j,1])->([i,j,k]) {i=3,j=4,k=5} linear={0} max={0} min={0}");
}

TEST_F(ShardingRules, ReshapeSplitsDimensionsIntoFactors) {
  EXPECT_EQ(ruleOf("%a: tensor<6x8xf32>",
                   "%0 = tessera.reshape %a : tensor<6x8xf32> -> "
                   "tensor<6x2x4xf32>"),
            "([i,jk])->([i,j,k]) {i=6,j=2,k=4} linear={0} max={0} min={0}");
}

TEST_F(ShardingRules, CutDimensionsExchangeData) {
  EXPECT_EQ(ruleOf("%a: tensor<4x8xf32>",
                   "%0 = tessera.slice %a [0, 1] to [4, 7] by [1, 1] : "
                   "tensor<4x8xf32> -> tensor<4x6xf32>"),
            "([i,j])->([i,j]) {i=4,j=8} permutation={j} linear={0} max={0} "
            "min={0}");
}

TEST_F(ShardingRules, PaddingWithZeroIsLinearInTheOperandAlone) {
  EXPECT_EQ(ruleOf("%a: tensor<4xf32>",
                   "%z = arith.constant dense<0.0> : tensor<f32>\n"
                   "%0 = tessera.pad %a with %z low = [1] high = [0] interior "
                   "= [0] : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>"),
            "([i],[])->([i]) {i=5} permutation={i} linear={0,1}{0} max={0,1} "
            "min={0,1}");
}

TEST_F(ShardingRules, LargerOfTwoCarriesMaxima) {
  EXPECT_EQ(ruleOf("%a: tensor<4xf32>, %b: tensor<4xf32>",
                   "%0 = arith.maximumf %a, %b : tensor<4xf32>"),
            "([i],[i])->([i]) {i=4} max={0,1}{0}{1}");
}

TEST_F(ShardingRules, PaddingWithInfinityCarriesMinimaOfTheOperandAlone) {
  EXPECT_EQ(ruleOf("%a: tensor<4xf32>",
                   "%z = arith.constant dense<0x7F800000> : tensor<f32>\n"
                   "%0 = tessera.pad %a with %z low = [1] high = [0] interior "
                   "= [0] : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>"),
            "([i],[])->([i]) {i=5} permutation={i} linear={0,1} max={0,1} "
            "min={0,1}{0}");
}

/// Arguments of attention: two examples, four query heads, two key heads, five
/// queries, seven keys, eight features, six of values.
static constexpr llvm::StringLiteral kAttentionArguments =
    "%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: "
    "tensor<2x2x7x6xf32>, %b: tensor<1x4x1x7xf32>, %m: tensor<2x1x5x7xi1>, "
    "%o: tensor<2x4x5x6xf32>, %r: tensor<2x4x5xf32>";

TEST_F(ShardingRules, AttentionSplitsBatchHeadsAndQueriesButNoRow) {
  EXPECT_EQ(
      ruleOf(kAttentionArguments,
             "%0:3 = tessera.attention %q, %k, %v bias %b mask %m scale = 1.0 "
             ": (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, "
             "tensor<2x2x7x6xf32>, tensor<1x4x1x7xf32>, tensor<2x1x5x7xi1>) "
             "-> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)"),
      "([i,jk,l,n],[i,j,m,n],[i,j,m,o],[1,jk,1,m],[i,1,l,m])->([i,jk,l,o],[i,"
      "jk,l],[i,jk,l]) {i=2,j=2,k=2,l=5,m=7,n=8,o=6} need_replication={m,n}");
}

TEST_F(ShardingRules, CausalQueriesStayTogether) {
  EXPECT_EQ(
      ruleOf(kAttentionArguments,
             "%0:3 = tessera.attention %q, %k, %v scale = 1.0 causal = 0 : "
             "(tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, "
             "tensor<2x2x7x6xf32>) -> (tensor<2x4x5x6xf32>, "
             "tensor<2x4x5xf32>, tensor<2x4x5xf32>)"),
      "([i,jk,l,n],[i,j,m,n],[i,j,m,o])->([i,jk,l,o],[i,jk,l],[i,jk,l]) "
      "{i=2,j=2,k=2,l=5,m=7,n=8,o=6} need_replication={l,m,n}");
}

TEST_F(ShardingRules, GradientsOfAttentionSplitBatchAndKeyHeadsOnly) {
  EXPECT_EQ(
      ruleOf(kAttentionArguments,
             "%0:3 = tessera.attention_gradient %q, %k, %v output %o maximum "
             "%r sum %r gradient %o scale = 1.0 : (tensor<2x4x5x8xf32>, "
             "tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<2x4x5x6xf32>, "
             "tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5x6xf32>) -> "
             "(tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, "
             "tensor<2x2x7x6xf32>)"),
      "([i,jk,l,n],[i,j,m,n],[i,j,m,o],[i,jk,l,o],[i,jk,l],[i,jk,l],[i,jk,l,"
      "o])->([i,jk,l,n],[i,j,m,n],[i,j,m,o]) {i=2,j=2,k=2,l=5,m=7,n=8,o=6} "
      "need_replication={k,l,m,n,o} linear={6}");
}

TEST_F(ShardingRules, LookupReducesOverTheTable) {
  EXPECT_EQ(
      ruleOf("%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>",
             "%0 = tessera.gather %t at %i offset = [2] collapsed = [0] "
             "batching = [] x [] map = [0] vector = 2 sizes = [1, 8] : "
             "(tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>"),
      "([k,l],[i,j,1])->([i,j,l]) {i=4,j=6,k=32,l=8} reduction={k} "
      "linear={0}");
}

static constexpr llvm::StringLiteral scatter =
    "%0 = tessera.scatter sum %t, %r at %i window = [2] inserted = [0] "
    "batching = [] x [] map = [0] vector = 2 : (tensor<32x8xf32>, "
    "tensor<4x6x1xi32>, tensor<4x6x8xf32>) -> tensor<32x8xf32>";

TEST_F(ShardingRules, UpdatesOfZeroAreAPendingSum) {
  EXPECT_EQ(
      ruleOf("%i: tensor<4x6x1xi32>, %r: tensor<4x6x8xf32>",
             ("%t = arith.constant dense<0.0> : tensor<32x8xf32>\n" + scatter)
                 .str()),
      "([k,l],[i,j,1],[i,j,l])->([k,l]) {i=4,j=6,k=32,l=8} "
      "reduction={i,j} linear={0,2}{2}");
}

TEST_F(ShardingRules, UpdatesOfOtherValuesStayTogether) {
  EXPECT_EQ(ruleOf("%t: tensor<32x8xf32>, %i: tensor<4x6x1xi32>, "
                   "%r: tensor<4x6x8xf32>",
                   scatter),
            "([k,l],[i,j,1],[i,j,l])->([k,l]) {i=4,j=6,k=32,l=8} "
            "need_replication={i,j} linear={0,2}");
}

} // namespace
