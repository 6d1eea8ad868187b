//===- MatmulSum.cpp - matmuls without free dimensions --------------------===//
//
// A product of matrices is worth its blocks and panels because every element
// of its operands is needed many times. Where neither operand has a free
// dimension, each is needed once: the matmul is a sum of products, which
// fuses with what makes its operands, shares loops with other sums and is split
// among threads as they are.
//
// Where the operands' elements lie in other orders, one of them is read across
// its rows, a line of the cache for each element. The sum is formed square by
// square then, a line long and wide: what is read of a line is there until all
// of it is.
//
//===----------------------------------------------------------------------===//

#include "Kernels/MatmulSum.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-align-reductions"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

static SmallVector<int64_t> sizesOf(Value value, ArrayRef<int64_t> dims) {
  ArrayRef<int64_t> shape = shapeOf(value);
  return llvm::map_to_vector(dims, [&](int64_t dim) { return shape[dim]; });
}

/// The type that sums of `dot` are formed in; null if a sum of products is not
/// what it computes.
static Type accumulatedType(DotGeneralOp dot) {
  Type type = getElementTypeOrSelf(dot.getType());
  if (type.isInteger(1))
    return {};
  return type.isF16() || type.isBF16() ? Float32Type::get(type.getContext())
                                       : type;
}

/// `operand` with its dimensions `order`, the others of which have size 1, as
/// elements of `type`.
static Value arranged(OpBuilder &builder, Location loc, Value operand,
                      ArrayRef<int64_t> order, Type type) {
  ArrayRef<int64_t> shape = shapeOf(operand);
  SmallVector<int64_t> permutation(order);
  for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim)
    if (!llvm::is_contained(order, dim))
      permutation.push_back(dim);
  Type element = getElementTypeOrSelf(operand.getType());
  SmallVector<int64_t> sizes = sizesOf(operand, permutation);
  if (!llvm::is_sorted(permutation))
    operand =
        TransposeOp::create(builder, loc, RankedTensorType::get(sizes, element),
                            operand, permutation);
  sizes.truncate(order.size());
  if (sizes.size() != permutation.size())
    operand = ReshapeOp::create(builder, loc,
                                RankedTensorType::get(sizes, element), operand);
  if (element == type)
    return operand;
  auto wide = RankedTensorType::get(sizes, type);
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(builder, loc, wide, operand);
  return arith::ExtSIOp::create(builder, loc, wide, operand);
}

/// Squares of a tensor's last dimension and another one, that they are cut
/// into.
struct Squares {
  int64_t dim, last, side;

  /// `value` with the numbers of squares in place of the two dimensions, and
  /// those of a square behind all.
  Value cut(OpBuilder &builder, Location loc, Value value) const {
    Type element = getElementTypeOrSelf(value.getType());
    SmallVector<int64_t> shape(shapeOf(value)), permutation;
    shape[last] /= side;
    shape.push_back(side);
    shape[dim] /= side;
    shape.insert(shape.begin() + dim + 1, side);
    value = ReshapeOp::create(builder, loc,
                              RankedTensorType::get(shape, element), value);
    for (int64_t i = 0, rank = shape.size(); i + 1 < rank; ++i)
      if (i != dim + 1)
        permutation.push_back(i);
    permutation.append({dim + 1, last + 2});
    return TransposeOp::create(
        builder, loc,
        RankedTensorType::get(sizesOf(value, permutation), element), value,
        permutation);
  }
};

/// The squares in which elements of type `type` are read whole lines of the
/// cache at a time, if the dimension that is the last of the right operand is
/// another one than the last of the left, and both are `reduced`; of dimensions
/// of the left operand, of `sizes`, that those of the right in `rightOrder`
/// are.
static std::optional<Squares> findSquares(ArrayRef<int64_t> sizes,
                                          ArrayRef<int64_t> rightOrder,
                                          ArrayRef<int64_t> reduced,
                                          Type type) {
  if (sizes.size() < 2)
    return {};
  constexpr int64_t kLineBits = 512;
  Squares squares{llvm::max_element(rightOrder) - rightOrder.begin(),
                  int64_t(sizes.size()) - 1,
                  kLineBits / type.getIntOrFloatBitWidth()};
  auto isCut = [&](int64_t dim) {
    return llvm::is_contained(reduced, dim) && sizes[dim] > squares.side &&
           sizes[dim] % squares.side == 0;
  };
  if (squares.dim == squares.last || !isCut(squares.dim) ||
      !isCut(squares.last))
    return {};
  return squares;
}

/// The sum of products that `dot` is, whose dimensions are those of its left
/// operand without the free ones.
static void replaceBySumOf(DotGeneralOp dot, Type type) {
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  ArrayRef<int64_t> batching = dot.getLhsBatching();
  SmallVector<int64_t> leftOrder, rightOrder, kept, reduced;
  for (int64_t dim = 0, rank = shapeOf(dot.getLhs()).size(); dim < rank;
       ++dim) {
    const auto *batch = llvm::find(batching, dim);
    const auto *contracting = llvm::find(dot.getLhsContracting(), dim);
    if (batch != batching.end()) {
      rightOrder.push_back(dot.getRhsBatching()[batch - batching.begin()]);
      kept.push_back(dim);
    } else if (contracting != dot.getLhsContracting().end()) {
      reduced.push_back(leftOrder.size());
      rightOrder.push_back(
          dot.getRhsContracting()[contracting -
                                  dot.getLhsContracting().begin()]);
    } else {
      continue;
    }
    leftOrder.push_back(dim);
  }
  Value left = arranged(builder, loc, dot.getLhs(), leftOrder, type);
  Value right = arranged(builder, loc, dot.getRhs(), rightOrder, type);
  if (auto squares = findSquares(shapeOf(left), rightOrder, reduced,
                                 getElementTypeOrSelf(dot.getRhs()))) {
    left = squares->cut(builder, loc, left);
    right = squares->cut(builder, loc, right);
    int64_t rank = shapeOf(left).size();
    reduced.append({rank - 2, rank - 1});
  }
  Value product =
      isa<FloatType>(type)
          ? arith::MulFOp::create(builder, loc, left, right).getResult()
          : arith::MulIOp::create(builder, loc, left, right);
  SmallVector<int64_t> sizes = sizesOf(dot.getLhs(), kept);
  Value sum = product;
  if (!reduced.empty())
    sum = ReduceOp::create(
        builder, loc, RankedTensorType::get(sizes, type),
        ReductionAttr::get(dot.getContext(), ReductionKind::Sum), product,
        reduced);
  if (!llvm::equal(kept, batching)) {
    auto permutation = llvm::map_to_vector(batching, [&](int64_t dim) {
      return int64_t(llvm::find(kept, dim) - kept.begin());
    });
    sum = TransposeOp::create(
        builder, loc,
        RankedTensorType::get(sizesOf(dot.getLhs(), batching), type), sum,
        permutation);
  }
  auto result = cast<RankedTensorType>(dot.getType());
  if (shapeOf(sum) != result.getShape())
    sum = ReshapeOp::create(builder, loc, result.clone(type), sum);
  if (type != result.getElementType())
    sum = arith::TruncFOp::create(builder, loc, result, sum);
  dot.replaceAllUsesWith(sum);
  dot.erase();
}

bool tessera::fuse::replaceBySum(DotGeneralOp dot) {
  auto hasOneElement = [](Value operand, ArrayRef<int64_t> dims) {
    return llvm::all_of(sizesOf(operand, dims),
                        [](int64_t size) { return size == 1; });
  };
  Type type = accumulatedType(dot);
  if (!type || !hasOneElement(dot.getLhs(), dot.getLhsFree()) ||
      !hasOneElement(dot.getRhs(), dot.getRhsFree()))
    return false;
  LDBG() << describeOperation(dot)
         << ": a sum of products, for it has one row and one column";
  replaceBySumOf(dot, type);
  return true;
}
