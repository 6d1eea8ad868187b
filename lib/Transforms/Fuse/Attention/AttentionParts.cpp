//===- AttentionParts.cpp - scores that are sums of matmuls ---------------===//
//
// A model may have keys in two parts, of which one is shared by all heads or is
// rotated and the other is not: scores are then the sum of two matmuls.
// That is one matmul of the parts' features beside each other, as which it
// is computed. The gradients of a part are slices; where all heads share a key,
// they are added up over these.
//
//===----------------------------------------------------------------------===//

#include "Attention/AttentionFinder.h"
#include "Attention/AttentionKernels.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

/// What is added to scores as a part of their matmul, if it is a
/// matmul of something that has queries with something that has keys.
std::optional<AttentionMatch::Part>
AttentionFinder::asPart(const ScoreExpression::Bias &bias) {
  AxisTensor sum = bias.tensor;
  double scale = bias.scale;
  DotGeneralOp dot;
  for (unsigned i = 0; i < kSteps && !dot; ++i) {
    sum = match.axes.trace({skipConversions(sum.value), sum.layout},
                           /*throughRepeats=*/false);
    Operation *op = sum.value.getDefiningOp();
    dot = dyn_cast_or_null<DotGeneralOp>(op);
    if (dot || isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(op))
      continue;
    if (!isa_and_nonnull<arith::MulFOp, arith::DivFOp>(op))
      return std::nullopt;
    unsigned side =
        isa<arith::MulFOp>(op) && getSplatNumber(op->getOperand(0)) ? 0 : 1;
    std::optional<double> number = getSplatNumber(op->getOperand(side));
    if (!number)
      return std::nullopt;
    scale *= isa<arith::DivFOp>(op) ? 1 / *number : *number;
    sum.value = op->getOperand(1 - side);
  }
  if (!dot)
    return std::nullopt;
  AxisTensor sides[2];
  size_t next = 0;
  for (unsigned side : {0, 1}) {
    sides[side].value = getSide(dot, side).value;
    sides[side].layout.resize(
        cast<RankedTensorType>(sides[side].value.getType()).getRank());
  }
  for (auto [left, right] :
       llvm::zip_equal(dot.getLhsBatching(), dot.getRhsBatching()))
    sides[0].layout[left] = sides[1].layout[right] = sum.layout[next++];
  for (unsigned side : {0, 1})
    for (int64_t dim : getSide(dot, side).free)
      sides[side].layout[dim] = sum.layout[next++];
  AttentionMatch::Part part{{}, {}, {}, scale};
  for (unsigned side : {0, 1}) {
    SmallVector<int> axes = axesOf(sides[side].layout);
    auto has = [&](int axis) { return llvm::is_contained(axes, axis); };
    if (llvm::all_of(match.keyAxes, has) && llvm::none_of(match.groupAxes, has))
      part.key = sides[side];
    else if (llvm::none_of(match.keyAxes, has) &&
             llvm::all_of(match.groupAxes, has))
      part.query = sides[side];
  }
  if (!part.key.value || !part.query.value)
    return std::nullopt;
  unsigned keySide = part.key.value == sides[0].value ? 0 : 1;
  for (auto [left, right] :
       llvm::zip_equal(dot.getLhsContracting(), dot.getRhsContracting())) {
    AxisDim dim = match.axes.addDim(
        cast<RankedTensorType>(dot.getLhs().getType()).getDimSize(left));
    llvm::append_range(part.featureAxes, axesOf(dim));
    (keySide == 0 ? part.key : part.query).layout[left] = dim;
    (keySide == 0 ? part.query : part.key).layout[right] = dim;
  }
  part.key = match.axes.trace(part.key, /*throughRepeats=*/splitHeads);
  part.query = match.axes.trace(part.query, /*throughRepeats=*/false);
  return part;
}

/// Makes parts of what looks like a bias but is a matmul, as long as all
/// features together are not too many.
void AttentionFinder::takeParts() {
  if (match.scores.tangent || !(match.scores.scale > 0))
    return;
  auto countFeatures = [&](ArrayRef<int> axes) {
    int64_t features = 1;
    for (int axis : axes)
      features *= match.axes.sizeOf(axis);
    return features;
  };
  int64_t features = countFeatures(match.featureAxes);
  llvm::erase_if(match.scores.biases, [&](const ScoreExpression::Bias &bias) {
    std::optional<AttentionMatch::Part> part = asPart(bias);
    if (!part ||
        features + countFeatures(part->featureAxes) > kAttentionFeatures)
      return false;
    features += countFeatures(part->featureAxes);
    match.parts.push_back(std::move(*part));
    return true;
  });
}

/// The part whose key (or query) `tensor` is: 0 for that of the first
/// matmul, or one more than the number of a further one.
std::optional<unsigned> AttentionFinder::findPart(const AxisTensor &tensor,
                                                  bool isKey) {
  if (match.axes.isSame(tensor, isKey ? match.key : match.query))
    return 0;
  for (auto [number, part] : llvm::enumerate(match.parts))
    if (match.axes.isSame(tensor, isKey ? part.key : part.query))
      return number + 1;
  return std::nullopt;
}
