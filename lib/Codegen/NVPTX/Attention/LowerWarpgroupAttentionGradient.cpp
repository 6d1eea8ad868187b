//===- LowerWarpgroupAttentionGradient.cpp - Its gradient by wgmma --------===//
//
// The gradient of attention with specialised warp groups, as its forward pass
// (LowerWarpgroupAttention.cpp): one thread copies, the other warp groups have
// 64 rows each. The steps are those of LowerAttention.cpp: a tile of queries
// goes through the keys and sums up the gradient of the query, a tile of keys
// through the queries of all heads that share them and sums up those of key and
// value. No two blocks add to one element.
//
// In both, of a tile of columns two products are started: scores, and those of
// the output's gradient and values. Probabilities are computed during the
// second. Rounded, probabilities and gradients of scores are left operands in
// registers of the products that are summed up; their right operands are the
// tiles that are in shared memory already, read along their rows instead of
// their features. The two warp groups are not synchronised: each has other
// things to do than the other most of the time.
//
//===----------------------------------------------------------------------===//

#include "Attention/BiasGradient.h"
#include "Attention/WarpgroupGradient.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

using Step = WarpgroupAttentionStep;
using Shape = WarpgroupAttentionShape;

namespace {

/// The shapes of the steps.
struct GradientShapes {
  Shape query, key;
  /// Whether a thread has registers for the gradients of key and value at once.
  bool together;

  static std::optional<GradientShapes> choose(const GpuNest &nest,
                                              const AttentionProblem &problem);
};

} // namespace

std::optional<GradientShapes>
GradientShapes::choose(const GpuNest &nest, const AttentionProblem &problem) {
  int64_t features = std::max(problem.features, problem.valueFeatures);
  int64_t bytes =
      boxedBytes(problem.features) + boxedBytes(problem.valueFeatures);
  bool together = features <= 128;
  auto query = Shape::choose(nest, problem, "queries", {bytes, bytes, 64},
                             problem.queries, problem.heads * problem.batch);
  // A column has numbers of its row, too.
  constexpr int64_t ofRow = AttentionRows::chunkBytes / AttentionRows::chunk;
  // Beside both sums there are no registers for the slopes of so many scores.
  int64_t columns = problem.softcap != 0 && features > 64 ? 32 : 64;
  auto key =
      Shape::choose(nest, problem, "keys", {bytes, bytes + ofRow, columns},
                    problem.keys, problem.keyHeads * problem.batch);
  if (!query || !key)
    return std::nullopt;
  return GradientShapes{*query, *key, together};
}

FailureOr<bool> nvptx::lowerWarpgroupAttentionGradient(const GpuNest &nest) {
  auto op = dyn_cast_or_null<AttentionGradientOp>(nest.loops.op);
  const GpuTarget &target = nest.variant.target;
  if (!op || !target.hasTensorMemoryAccess())
    return false;
  AttentionProblem problem = AttentionProblem::of(op);
  if (!problem.usesTensorCores() || problem.keys == 0 || problem.queries == 0)
    return false;
  auto shapes = GradientShapes::choose(nest, problem);
  if (!shapes)
    return false;
  auto operands = GradientOperands::prepare(nest, op, problem.element,
                                            /*asBoxes=*/true);
  if (failed(operands))
    return failure();
  AttentionRows rows(nest, op, problem);
  lowerBiasGradient(nest, op, problem, rows, *operands);
  {
    Step step(nest, problem, shapes->query, Step::Rows::Queries);
    emitQueryGradient(step, op, rows, *operands);
  }
  auto lowerKeys = [&](const KeyGradients &wanted) {
    Step step(nest, problem, shapes->key, Step::Rows::Keys);
    emitKeyGradient(step, op, rows, *operands, wanted);
  };
  if (shapes->together) {
    lowerKeys({.keys = true, .values = true});
  } else {
    lowerKeys({.keys = true, .values = false});
    lowerKeys({.keys = false, .values = true});
  }
  return true;
}
