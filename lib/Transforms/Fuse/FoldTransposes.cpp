//===- FoldTransposes.cpp - transposes in the numbers of matmuls ----------===//

#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Fuse/Passes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-fold-transposes"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

namespace tessera::fuse {
#define GEN_PASS_DEF_FOLDTRANSPOSES
#include "tessera/Transforms/Fuse/Passes.h.inc"
} // namespace tessera::fuse

static SmallVector<int64_t> mapped(ArrayRef<int64_t> dims,
                                   ArrayRef<int64_t> permutation) {
  return llvm::map_to_vector(dims,
                             [&](int64_t dim) { return permutation[dim]; });
}

/// Lets `dot` read what its operand transposes, if that keeps the order of the
/// free dimensions.
static void foldOperand(DotGeneralOp dot, bool left) {
  OpOperand &operand = left ? dot.getLhsMutable() : dot.getRhsMutable();
  while (auto transpose = operand.get().getDefiningOp<TransposeOp>()) {
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    if (!llvm::is_sorted(
            mapped(left ? dot.getLhsFree() : dot.getRhsFree(), permutation)))
      return;
    if (left) {
      dot.setLhsBatching(mapped(dot.getLhsBatching(), permutation));
      dot.setLhsContracting(mapped(dot.getLhsContracting(), permutation));
    } else {
      dot.setRhsBatching(mapped(dot.getRhsBatching(), permutation));
      dot.setRhsContracting(mapped(dot.getRhsContracting(), permutation));
    }
    operand.set(transpose.getOperand());
    LDBG() << describeOperation(dot) << ": reads its "
           << (left ? "left" : "right") << " operand transposed";
  }
}

static bool isIdentity(ArrayRef<int64_t> permutation) {
  return llvm::all_of(llvm::enumerate(permutation),
                      [](auto p) { return int64_t(p.index()) == p.value(); });
}

/// The permutation that `transpose` of `dot` becomes when `dot`'s operands are
/// swapped.
static SmallVector<int64_t> permutationAfterSwap(DotGeneralOp dot,
                                                 TransposeOp transpose) {
  int64_t batching = dot.getLhsBatching().size(),
          left = dot.getLhsFree().size(), right = dot.getRhsFree().size();
  return llvm::map_to_vector(transpose.getPermutation(), [&](int64_t dim) {
    if (dim < batching)
      return dim;
    return dim < batching + left ? dim + right : dim - left;
  });
}

/// Reductions over devices work element by element: what transposes their
/// result can transpose their operand.
static void moveBeforeCollective(spmd::AllReduceOp reduce) {
  if (!reduce->hasOneUse() || !reduce.getOperand().hasOneUse() ||
      !reduce.getOperand().getDefiningOp<DotGeneralOp>())
    return;
  auto transpose = dyn_cast<TransposeOp>(*reduce->user_begin());
  if (!transpose)
    return;
  LDBG() << describeOperation(reduce) << ": behind the transpose of its result";
  OpBuilder builder(reduce);
  Value moved =
      TransposeOp::create(builder, transpose.getLoc(), transpose.getType(),
                          reduce.getOperand(), transpose.getPermutation());
  Value reduced =
      spmd::AllReduceOp::create(builder, reduce.getLoc(), transpose.getType(),
                                reduce.getKind(), moved, reduce.getAxes());
  transpose.replaceAllUsesWith(reduced);
  transpose.erase();
  reduce.erase();
}

/// Swaps the operands if the result's transpose then disappears, or keeps the
/// last dimension, so that rows stay contiguous.
static void foldResult(DotGeneralOp dot) {
  if (!dot->hasOneUse())
    return;
  auto transpose = dyn_cast<TransposeOp>(*dot->user_begin());
  if (!transpose)
    return;
  SmallVector<int64_t> permutation = permutationAfterSwap(dot, transpose);
  int64_t last = permutation.size() - 1;
  if (!isIdentity(permutation) &&
      (permutation[last] != last || transpose.getPermutation()[last] == last))
    return;
  LDBG() << describeOperation(dot)
         << ": operands swapped, so that the result's "
         << (isIdentity(permutation) ? "transpose goes" : "rows stay together");
  OpBuilder builder(transpose);
  auto type = cast<RankedTensorType>(transpose.getType());
  SmallVector<int64_t> shape(type.getRank());
  for (auto [i, dim] : llvm::enumerate(permutation))
    shape[dim] = type.getDimSize(i);
  Value swapped = DotGeneralOp::create(
      builder, dot.getLoc(), type.clone(shape), dot.getRhs(), dot.getLhs(),
      dot.getRhsBatching(), dot.getLhsBatching(), dot.getRhsContracting(),
      dot.getLhsContracting());
  swapped.getDefiningOp()->setDiscardableAttrs(
      dot->getDiscardableAttrDictionary());
  if (!isIdentity(permutation))
    swapped = TransposeOp::create(builder, transpose.getLoc(), type, swapped,
                                  permutation);
  transpose.replaceAllUsesWith(swapped);
  transpose.erase();
  dot.erase();
}

namespace {

struct FoldTransposes
    : public tessera::fuse::impl::FoldTransposesBase<FoldTransposes> {
  void runOnOperation() override {
    SmallVector<DotGeneralOp> dots;
    getOperation().walk([&](DotGeneralOp dot) { dots.push_back(dot); });
    for (DotGeneralOp dot : dots) {
      foldOperand(dot, /*left=*/true);
      foldOperand(dot, /*left=*/false);
    }
    // What no operand could take is left to the results.
    getOperation().walk([](TransposeOp transpose) {
      if (transpose.use_empty())
        transpose.erase();
    });
    SmallVector<spmd::AllReduceOp> reductions;
    getOperation().walk(
        [&](spmd::AllReduceOp reduce) { reductions.push_back(reduce); });
    llvm::for_each(reductions, moveBeforeCollective);
    for (DotGeneralOp dot : dots)
      foldResult(dot);
  }
};

} // namespace
