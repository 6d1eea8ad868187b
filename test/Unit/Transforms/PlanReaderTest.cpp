//===- PlanReaderTest.cpp - what a plan file says, and what is wrong ------===//

#include "Plans/PlanReader.h"

#include "gtest/gtest.h"

using namespace tessera;
using namespace tessera::importer;

namespace {

TEST(PlanReader, ReadsWhatAFileSays) {
  TextError error;
  std::optional<ShardingPlan> plan = parsePlan(R"(
mesh: {data: 2, model: 4}
axes:
  embed: [fsdp, [data, model]]
  none: null
rules:
  - match: /layers\/\d+\/(?:w1|w3)/
    spec: [-, "model? p2", ..., [data, model]]
    rank: 3
    shape: [?, 8, 8]
    role: state
    at-least: 4kB
  - {match: '**/w2', style: packed(3) rowwise(data+model), fsdp: data}
  - match: w4
    fsdp: data, 4MB
stages: {layers/0/**: 0, layers/1/**: 1}
default: fsdp(data+model, 1MB)
tolerance: 0.5
)",
                                               error);
  ASSERT_TRUE(plan) << error.message;
  EXPECT_EQ(plan->mesh[1].size, 4);
  ASSERT_EQ(plan->axes[0].candidates.size(), 2u);
  EXPECT_EQ(plan->axes[0].candidates[1][1].text, "model");
  EXPECT_TRUE(plan->axes[1].candidates[0].empty());
  const PlanRule &first = plan->rules[0];
  EXPECT_EQ(first.place.line, 7u);
  EXPECT_EQ(first.place.column, 5u);
  ASSERT_EQ(first.spec->size(), 4u);
  EXPECT_TRUE((*first.spec)[0].axes.empty());
  EXPECT_TRUE((*first.spec)[1].open);
  EXPECT_EQ((*first.spec)[1].priority, 2);
  EXPECT_TRUE((*first.spec)[2].isRest);
  EXPECT_EQ((*first.spec)[3].axes.size(), 2u);
  EXPECT_EQ(first.rank, 3);
  EXPECT_EQ(*first.shape, (std::vector<int64_t>{-1, 8, 8}));
  EXPECT_EQ(first.role, TensorRole::State);
  EXPECT_EQ(first.minBytes, 4000);
  EXPECT_EQ(plan->rules[1].style->kind, StyleKind::Rowwise);
  EXPECT_EQ(plan->rules[1].style->parts, 3);
  EXPECT_EQ(plan->rules[1].style->axes.size(), 2u);
  EXPECT_EQ(plan->rules[2].fsdp->minBytes, 4000000);
  ASSERT_EQ(plan->stages.size(), 2u);
  EXPECT_EQ(plan->stages[1].stage, 1);
  EXPECT_EQ(plan->otherwise, PlanDefault::Fsdp);
  EXPECT_EQ(plan->otherwiseFsdp.axes.size(), 2u);
  EXPECT_EQ(plan->tolerance, 0.5);
}

/// Whether a name is one of a pattern's.
bool isMatch(const char *pattern, const char *name) {
  Fallible<PathPattern> parsed = PathPattern::parse(pattern);
  EXPECT_TRUE(bool(parsed)) << pattern;
  return bool(parsed) && parsed->matches(splitPath(name));
}

TEST(PathPattern, GlobsMatchTheEndsOfNames) {
  const char *name = "p['layers'][0]['mlp.w1']";
  for (const char *pattern :
       {"w1", "layers/*/mlp/w1", "layers.0.mlp.w1", "p['layers'][*]['mlp.w1']",
        "**/w1", "layers/**", "/p/layers/**", "layers/**/w1", "{w1,w3}", "w?",
        "p/**/**/w1", "layers/0/mlp/w1/**"})
    EXPECT_TRUE(isMatch(pattern, name)) << pattern;
  for (const char *pattern : {"layers", "layers/*/w1", "w", "/layers/**", "mlp",
                              "*w1*/x", "{w2,w3}", "layers/*"})
    EXPECT_FALSE(isMatch(pattern, name)) << pattern;
}

TEST(PathPattern, RegularExpressionsAreSearchedForInPaths) {
  const char *name = "params['h']['12']['attention']['wq']['kernel']";
  for (const char *pattern :
       {"/attention/(wq|wk|wv)/kernel/", R"(/h/\d+/att/)", "/(?:wq|wk)/",
        "/^params.*?kernel$/", R"(/\w+\/[\d]+/)", "/.*/"})
    EXPECT_TRUE(isMatch(pattern, name)) << pattern;
  for (const char *pattern : {"/wo/", "/^attention/", R"(/h/\d\d\d/)"})
    EXPECT_FALSE(isMatch(pattern, name)) << pattern;
}

struct Wrong {
  const char *text, *message;
  unsigned line, column;
};

TEST(PlanReader, SaysWhatIsWrongAndWhere) {
  const Wrong kWrong[] = {
      {"", "expected a plan, got nothing", 1, 1},
      {"# nothing\n", "expected a plan, got nothing", 1, 1},
      {"rule: []", "unknown key 'rule'; did you mean 'rules'?", 1, 1},
      {"rules:\n  - {match: w, stile: x}",
       "unknown key 'stile'; did you mean 'style'?", 2, 16},
      {"just text", "expected a mapping with the keys mesh, axes", 1, 1},
      {"rules: [w]", "expected a mapping with the keys match, rank", 1, 9},
      {"default: [open]", "expected one value, got several", 1, 10},
      {"rules: [{match: w, style: [x]}]", "expected one value, got several", 1,
       27},
      {"mesh: {data: 0}", "expected a number of at least 1, got '0'", 1, 14},
      {"rules: [{match: w, rank: -1, fsdp: x}]",
       "expected a number of at least 0, got '-1'", 1, 26},
      {"rules: [{spec: [x]}]", "missing required key 'match'", 1, 9},
      {"activations: [{spec: [x]}]", "missing required key 'scope'", 1, 15},
      {"activations: [{scope: x}]", "missing required key 'spec'", 1, 15},
      {"activations:\n  - scope: x", "missing required key 'spec'", 2, 5},
      {"rules: {}", "expected a list", 1, 8},
      {"rules: [{match: w, spec: model}]", "expected a list", 1, 26},
      {"mesh: 8", "expected the sizes of mesh axes, as {data: 2, model: 4}", 1,
       7},
      {"mesh: [8]", "expected the sizes of mesh axes, as {data: 2, model: 4}",
       1, 7},
      {"axes: x",
       "expected the candidates of logical axes, as {embed: [fsdp, data]}", 1,
       7},
      {"axes: [x]",
       "expected the candidates of logical axes, as {embed: [fsdp, data]}", 1,
       7},
      {"stages: [0]",
       "expected the numbers of stages by path, as {layers/0: 0, layers/1: 1}",
       1, 9},
      {"stages: 2",
       "expected the numbers of stages by path, as {layers/0: 0, layers/1: 1}",
       1, 9},
      {"stages: {w: last}", "expected a number of at least 0, got 'last'", 1,
       13},
      {"rules: [{match: w, spec: [..., x, ...]}]",
       "expected '...' once in a spec", 1, 35},
      {"activations: [{scope: w, spec: [..., ...]}]",
       "expected '...' once in a spec", 1, 38},
      {"rules: [{match: w, spec: [x], style: colwise(x)}]",
       "expected one of spec, style and placements in a rule, got two", 1, 38},
      {"rules: [{match: w, placements: [], spec: [x]}]",
       "expected one of spec, style and placements in a rule, got two", 1, 32},
      {"rules: [{match: w}]",
       "expected one of spec, style, placements and fsdp in a rule", 1, 9},
      {"rules:\n  - match: w",
       "expected one of spec, style, placements and fsdp in a rule", 2, 5},
      {"default: fdsp",
       "expected open, replicate, error or fsdp(AXIS, SIZE) as the default, "
       "got 'fdsp'; did you mean 'fsdp'?",
       1, 10},
      {"default: none",
       "expected open, replicate, error or fsdp(AXIS, SIZE) as the default, "
       "got 'none'",
       1, 10},
      {"tolerance: all", "expected a share from 0 to 1, got 'all'", 1, 12},
      {"tolerance: 2", "expected a share from 0 to 1, got '2'", 1, 12},
      {"rules: [{match: '[]', fsdp: x}]", "expected a pattern of names", 1, 17},
      {"rules: [{match: './', fsdp: x}]", "expected a pattern of names", 1, 17},
      {R"(rules: [{match: '/\bw/', fsdp: x}])",
       "expected \\d, \\w or \\s, got \\b", 1, 17},
      {R"(rules: [{match: '/\Aw/', fsdp: x}])",
       "expected \\d, \\w or \\s, got \\A", 1, 17},
      {"rules: [{match: '/(?!w)/', fsdp: x}]",
       "expected no group that looks ahead or back in a regular expression", 1,
       17},
      {"rules: [{match: '/(?<=w)/', fsdp: x}]",
       "expected no group that looks ahead or back in a regular expression", 1,
       17},
      {"rules: [{match: '/(w/', fsdp: x}]",
       "expected a regular expression between the slashes: parentheses not "
       "balanced",
       1, 17},
      {"rules: [{match: '/w)/', fsdp: x}]",
       "expected a regular expression between the slashes: parentheses not "
       "balanced",
       1, 17},
  };
  for (const Wrong &wrong : kWrong) {
    TextError error;
    EXPECT_FALSE(parsePlan(wrong.text, error)) << wrong.text;
    EXPECT_EQ(error.message.substr(0, std::string_view(wrong.message).size()),
              wrong.message)
        << wrong.text;
    EXPECT_EQ(error.line, wrong.line) << wrong.text;
    EXPECT_EQ(error.column, wrong.column) << wrong.text;
  }
}

TEST(PlanReader, SaysWhatIsWrongInTheWordsOfARule) {
  const std::pair<const char *, const char *> kWrong[] = {
      {"style: columns(x)",
       "unknown style 'columns', expected one of packed colwise rowwise"},
      {"style: colwize(x)", "unknown style 'colwize', expected one of packed "
                            "colwise rowwise vocab experts sequence replicate; "
                            "did you mean 'colwise'?"},
      {"style: colwise(x",
       "expected a style as colwise(AXIS), got 'colwise(x'"},
      {"style: colwise(x) y",
       "expected a style as colwise(AXIS), got 'colwise(x) y'"},
      {"style: colwise", "expected the axes of the style, as colwise(model)"},
      {"style: vocab()", "expected the axes of the style, as vocab(model)"},
      {"style: packed colwise(x)",
       "expected packed(N) with a number of parts, got 'packed colwise(x)'"},
      {"style: packed(0) colwise(x)",
       "expected packed(N) with a number of parts, got 'packed(0) colwise(x)'"},
      {"style: packed(2) vocab(x)",
       "expected colwise or rowwise behind packed(N), got 'vocab'"},
      {"style: packed(2)",
       "expected colwise or rowwise behind packed(N), got ''"},
      {"fsdp: fsdp(x", "expected fsdp(AXIS) or fsdp(AXIS, SIZE), got 'fsdp(x'"},
      {"fsdp: fsdp()", "expected fsdp(AXIS) or fsdp(AXIS, SIZE), got 'fsdp()'"},
      {"fsdp: x, much", "expected a size"},
      {"placements: [Shard]",
       "expected Replicate, Shard(DIM) or _StridedShard(DIM, split_factor=N)"},
      {"placements: {x: Shard(first)}",
       "expected Replicate, Shard(DIM) or _StridedShard(DIM, split_factor=N)"},
      {"placements: [Partial(sum)]",
       "expected Replicate or Shard(DIM): an argument is no pending sum, got "
       "'Partial(sum)'"},
      {"placements: {x: Partial}",
       "expected Replicate or Shard(DIM): an argument is no pending sum, got "
       "'Partial'"},
      {"spec: [x y]", "expected an axis, maybe with a priority as in 'model "
                      "p1', got 'x y'"},
      {"spec: [x p-1]", "expected an axis, maybe with a priority as in 'model "
                        "p1', got 'x p-1'"},
      {"role: weights\n    fsdp: x",
       "unknown role 'weights', expected one of weight state batch result; did "
       "you mean 'weight'?"},
      {"role: none\n    fsdp: x",
       "unknown role 'none', expected one of weight state batch result"},
  };
  for (auto &[rule, message] : kWrong) {
    TextError error;
    std::string text = std::string("rules:\n  - match: w\n    ") + rule + "\n";
    EXPECT_FALSE(parsePlan(text, error)) << rule;
    EXPECT_EQ(error.message.substr(0, std::string_view(message).size()),
              message);
    EXPECT_EQ(error.line, 3u);
  }
}

} // namespace
