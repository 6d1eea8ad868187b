//===- AttentionChecks.cpp - whether what was found is attention ----------===//

#include "Attention/AttentionFinder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

/// Whether `use` only hands on what a loop carries for itself: neither its
/// result nor another operation of its body is needed.
bool AttentionFinder::isDeadYield(OpOperand &use, unsigned depth) {
  auto loop = dyn_cast<scf::ForOp>(use.getOwner()->getParentOp());
  if (!loop || !isa<scf::YieldOp>(use.getOwner()))
    return false;
  unsigned number = use.getOperandNumber();
  Operation *update = use.get().getDefiningOp();
  return llvm::all_of(loop.getRegionIterArg(number).getUsers(),
                      [&](Operation *user) { return user == update; }) &&
         llvm::all_of(loop.getResult(number).getUsers(),
                      [&](Operation *user) { return isDead(user, depth); });
}

/// Whether nothing needs `op` once the matmuls are replaced.
bool AttentionFinder::isDead(Operation *op, unsigned depth) {
  if (replaced.contains(op))
    return true;
  if (auto it = dead.find(op); it != dead.end())
    return it->second;
  bool unused = depth > 0 && isMemoryEffectFree(op) &&
                op->getNumRegions() == 0 &&
                !op->hasTrait<OpTrait::IsTerminator>();
  for (OpOperand &use : op->getUses())
    unused = unused &&
             (isDeadYield(use, depth - 1) || isDead(use.getOwner(), depth - 1));
  return dead[op] = unused;
}

/// Whether scores are needed by nothing but what is replaced.
bool AttentionFinder::checkUses() {
  if (isDead(exponential, kUses) && isDead(match.scores.dot, kUses))
    return true;
  for (OpOperand *use : strangers)
    if (!replaced.contains(use->get().getDefiningOp()) &&
        !isDead(use->getOwner(), kUses))
      return fail(use->getOwner(), "this needs its probabilities as well");
  return fail(match.scores.dot,
              "its scores are needed for more than a softmax");
}

namespace {

/// Whether every tensor of a match has just the axes that `tessera.attention`
/// and its gradient give it. Resolves their layouts on the way.
class LayoutCheck {
public:
  explicit LayoutCheck(AttentionMatch &match)
      : match(match), ownAxes(match.batchAxes),
        scoreAxes(axesOf(match.axes.resolve(match.scores.layout))) {
    llvm::erase_if(ownAxes, [&](int axis) {
      return llvm::is_contained(match.repeatedAxes, axis);
    });
  }

  bool run();

private:
  using Axes = ArrayRef<int>;

  bool isOf(AxisLayout &layout, std::initializer_list<Axes> lists);
  bool isQuery(AxisLayout &layout, Axes features) {
    return isOf(layout, {ownAxes, match.groupAxes, match.queryAxes, features});
  }
  bool isKey(AxisLayout &layout, Axes batch, Axes features) {
    return isOf(layout, {batch, match.keyAxes, features});
  }
  bool isValue(AxisLayout &layout) {
    return isKey(layout, match.batchAxes, match.valueAxes);
  }
  bool isOutput(AxisLayout &layout) {
    return isOf(layout, {match.batchAxes, match.groupAxes, match.queryAxes,
                         match.valueAxes});
  }
  bool isRow(AxisLayout &layout) {
    return isOf(layout, {match.batchAxes, match.groupAxes, match.queryAxes});
  }
  /// Whether the axes are some of those of scores.
  bool isOfScores(AxisLayout &layout);
  /// Those of the batch axes that `tensor` has.
  SmallVector<int> batchAxesOf(const AxisTensor &tensor) const;
  bool isPart(AttentionMatch::Part &part);
  bool isQueryGradient(AttentionMatch::Result &result);
  bool isKeyGradient(AttentionMatch::Result &result);
  bool isGradient(AttentionMatch::Gradient &gradient);

  AttentionMatch &match;
  /// The batch axes that the query has.
  SmallVector<int> ownAxes;
  SmallVector<int> scoreAxes;
};

} // namespace

bool LayoutCheck::isOf(AxisLayout &layout, std::initializer_list<Axes> lists) {
  layout = match.axes.resolve(layout);
  SmallVector<int> expected;
  for (Axes list : lists)
    llvm::append_range(expected, list);
  size_t pieces = 0;
  for (const AxisDim &dim : layout)
    pieces += dim.size();
  return pieces == expected.size() && areSameAxes(axesOf(layout), expected);
}

bool LayoutCheck::isOfScores(AxisLayout &layout) {
  SmallVector<int> axes = axesOf(match.axes.resolve(layout));
  return isOf(layout, {axes}) && llvm::all_of(axes, [&](int axis) {
           return llvm::is_contained(scoreAxes, axis);
         });
}

SmallVector<int> LayoutCheck::batchAxesOf(const AxisTensor &tensor) const {
  SmallVector<int> own = axesOf(match.axes.resolve(tensor.layout)), batch;
  llvm::copy_if(match.batchAxes, std::back_inserter(batch),
                [&](int axis) { return llvm::is_contained(own, axis); });
  return batch;
}

bool LayoutCheck::isPart(AttentionMatch::Part &part) {
  return isQuery(part.query.layout, part.featureAxes) &&
         isKey(part.key.layout, batchAxesOf(part.key), part.featureAxes);
}

bool LayoutCheck::isQueryGradient(AttentionMatch::Result &result) {
  return isQuery(result.layout, result.part == 0
                                    ? match.featureAxes
                                    : match.parts[result.part - 1].featureAxes);
}

bool LayoutCheck::isKeyGradient(AttentionMatch::Result &result) {
  if (result.part == 0)
    return isKey(result.layout, match.batchAxes, match.featureAxes);
  const AttentionMatch::Part &part = match.parts[result.part - 1];
  return isKey(result.layout, batchAxesOf(part.key), part.featureAxes);
}

bool LayoutCheck::isGradient(AttentionMatch::Gradient &gradient) {
  return isOutput(gradient.outputGradient.layout) &&
         llvm::all_of(gradient.queries,
                      [&](auto &query) { return isQueryGradient(query); }) &&
         llvm::all_of(gradient.keys,
                      [&](auto &key) { return isKeyGradient(key); }) &&
         llvm::all_of(gradient.values,
                      [&](auto &value) { return isValue(value.layout); }) &&
         llvm::all_of(gradient.biases,
                      [&](auto &bias) { return isOfScores(bias.layout); });
}

bool LayoutCheck::run() {
  return llvm::all_of(match.parts, [&](auto &part) { return isPart(part); }) &&
         isQuery(match.query.layout, match.featureAxes) &&
         isKey(match.key.layout, match.batchAxes, match.featureAxes) &&
         isValue(match.value.layout) &&
         llvm::all_of(match.outputs,
                      [&](auto &output) { return isOutput(output.layout); }) &&
         llvm::all_of(match.rows,
                      [&](auto &row) { return isRow(row.layout); }) &&
         (!match.sink || !match.sink->tensor.value ||
          isOfScores(match.sink->tensor.layout)) &&
         llvm::all_of(
             match.keep.others,
             [&](auto &other) { return isOfScores(other.tensor.layout); }) &&
         llvm::all_of(match.gradients,
                      [&](auto &gradient) { return isGradient(gradient); });
}

bool AttentionFinder::checkLayouts() { return LayoutCheck(match).run(); }
