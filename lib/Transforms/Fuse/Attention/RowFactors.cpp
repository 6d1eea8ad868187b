//===- RowFactors.cpp - factors of whole rows of probabilities ------------===//
//
// A model may multiply its probabilities with a mask of heads (BERT and its
// family). What is one number for all keys of a row, m, goes out of the sum
// over keys, and in the backward pass into the gradient of the output:
//
//   (m P) V          becomes  m (P V)
//   (m P)^T dO       becomes  P^T (m dO)
//   m (dO V^T)       becomes  (m dO) V^T
//
// Each is less work than before, for there are more keys than features. What
// is left is attention without a mask, whose output's gradient is m dO.
//
//===----------------------------------------------------------------------===//

#include "Attention/RowFactors.h"

#include "Attention/AttentionMatch.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

/// How many operations lie between an exponential and its probabilities.
static constexpr unsigned kSteps = 6;

namespace {

/// Dimensions of a tensor.
using Dims = SmallVector<int64_t>;

/// A tensor as `rest` times `factor`, which varies along `dims` of it only. Of
/// probabilities, `keys` are the dimensions of keys.
struct Factored {
  Value rest, factor;
  Dims dims, keys;
};

/// Says the dimensions of keys of what may be the rest; none for others.
using RestFn = llvm::function_ref<std::optional<Dims>(Value)>;

} // namespace

/// `value` without its dimensions of size 1, which `dims` loses too.
static Value dropUnits(OpBuilder &b, Value value, SmallVector<int64_t> &dims) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> shape, kept;
  for (auto [size, dim] : llvm::zip_equal(type.getShape(), dims))
    if (size != 1) {
      shape.push_back(size);
      kept.push_back(dim);
    }
  if (kept.size() == dims.size())
    return value;
  dims = std::move(kept);
  // One for both passes.
  for (Operation *user : value.getUsers())
    if (isa<ReshapeOp>(user) &&
        user->getResult(0).getType() == type.clone(shape) &&
        user->getBlock() == b.getBlock())
      if (Operation *maker = value.getDefiningOp();
          maker ? user == maker->getNextNode()
                : user == &user->getBlock()->front())
        return user->getResult(0);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(value);
  return ReshapeOp::create(b, value.getLoc(), type.clone(shape), value);
}

/// What `value`, which a broadcast or transpositions of one make, repeats;
/// none if it is something else. `dims` is where its dimensions are.
static Value repeatedTensor(Value value, SmallVector<int64_t> &dims) {
  if (auto transpose = value.getDefiningOp<TransposeOp>()) {
    Value repeated = repeatedTensor(transpose.getOperand(), dims);
    for (int64_t &dim : dims)
      dim = llvm::find(transpose.getPermutation(), dim) -
            transpose.getPermutation().begin();
    return repeated;
  }
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  // A number for all is no matter of rows.
  SplatElementsAttr splat;
  if (!broadcast || matchPattern(broadcast.getOperand(), m_Constant(&splat)) ||
      typeOf(broadcast.getOperand()).getNumElements() == 1)
    return nullptr;
  dims.assign(broadcast.getDims().begin(), broadcast.getDims().end());
  return broadcast.getOperand();
}

/// Takes a factor off `value`, seen through transpositions. Operations are made
/// where `b` stands, but only if `isRest` takes what is left.
static std::optional<Factored> takeFactor(OpBuilder &b, Value value,
                                          RestFn isRest) {
  if (auto transpose = value.getDefiningOp<TransposeOp>()) {
    std::optional<Factored> found =
        takeFactor(b, transpose.getOperand(), isRest);
    if (!found)
      return std::nullopt;
    ArrayRef<int64_t> order = transpose.getPermutation();
    for (Dims *dims : {&found->dims, &found->keys})
      for (int64_t &dim : *dims)
        dim = llvm::find(order, dim) - order.begin();
    found->rest = TransposeOp::create(b, value.getLoc(), typeOf(value),
                                      found->rest, order);
    return found;
  }
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product || !isa<RankedTensorType>(product.getType()))
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    Factored found;
    found.rest = product->getOperand(1 - side);
    found.factor = repeatedTensor(product->getOperand(side), found.dims);
    std::optional<Dims> keys = found.factor ? isRest(found.rest) : std::nullopt;
    if (!keys)
      continue;
    found.keys = *keys;
    found.factor = dropUnits(b, found.factor, found.dims);
    return found;
  }
  return std::nullopt;
}

/// `value` times `factor`, whose dimensions are `dims` of it.
static Value multiply(OpBuilder &b, Location loc, Value value, Value factor,
                      ArrayRef<int64_t> dims) {
  // A broadcast has its dimensions in order.
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(dims.size()));
  llvm::sort(order, [&](int64_t l, int64_t r) { return dims[l] < dims[r]; });
  SmallVector<int64_t> shape, sorted;
  for (int64_t dim : order) {
    shape.push_back(typeOf(factor).getDimSize(dim));
    sorted.push_back(dims[dim]);
  }
  if (!llvm::is_sorted(order))
    factor =
        TransposeOp::create(b, loc, typeOf(factor).clone(shape), factor, order);
  Value repeated = BroadcastOp::create(b, loc, typeOf(value), factor, sorted);
  return arith::MulFOp::create(b, loc, value, repeated);
}

/// Where dimension `dim` of operand `side` is in the result of `dot`; none if
/// it is contracted.
static std::optional<int64_t> dimOfResult(DotGeneralOp dot, unsigned side,
                                          int64_t dim) {
  ArrayRef<int64_t> batching =
      side ? dot.getRhsBatching() : dot.getLhsBatching();
  if (const int64_t *found = llvm::find(batching, dim); found != batching.end())
    return found - batching.begin();
  SmallVector<int64_t> left = dot.getLhsFree();
  SmallVector<int64_t> free = side ? dot.getRhsFree() : left;
  const int64_t *found = llvm::find(free, dim);
  if (found == free.end())
    return std::nullopt;
  return batching.size() + (side ? left.size() : 0) + (found - free.begin());
}

/// The inverse: where dimension `dim` of the result is in operand `side`; none
/// if it is not there.
static std::optional<int64_t> dimOfOperand(DotGeneralOp dot, unsigned side,
                                           int64_t dim) {
  int64_t rank = typeOf(dot->getOperand(side)).getRank();
  for (int64_t own = 0; own < rank; ++own)
    if (dimOfResult(dot, side, own) == dim)
      return own;
  return std::nullopt;
}

namespace {

/// Moves factors of the rows of one softmax.
class RowFactorMover {
public:
  explicit RowFactorMover(math::ExpOp exponential);

  void run();

private:
  void moveOff(DotGeneralOp dot, unsigned side);
  void moveBefore(arith::MulFOp product);
  bool multiplyOperand(DotGeneralOp dot, unsigned side, Value factor,
                       ArrayRef<int64_t> dims);

  /// What follows from the exponential as probabilities do, with the dimensions
  /// of keys.
  llvm::MapVector<Value, Dims> probabilities;
  /// What probabilities, transposed, are multiplied with.
  llvm::DenseSet<Value> gradientsOfOutput;
  /// The products that have been made, by block, operands and dimensions: one
  /// for both matmuls with the output's gradient.
  std::map<std::tuple<void *, void *, void *, std::vector<int64_t>>, Value>
      products;
};

} // namespace

/// Quotients, products with numbers, choices, in any order of dimensions.
RowFactorMover::RowFactorMover(math::ExpOp exponential) {
  for (Operation *user : exponential->getUsers())
    if (auto sum = dyn_cast<ReduceOp>(user))
      probabilities[exponential.getResult()] = Dims(sum.getDims());
  for (unsigned i = 0; i < probabilities.size() && i < 4 * kSteps; ++i) {
    auto [value, keys] = *(probabilities.begin() + i);
    for (Operation *user : value.getUsers()) {
      bool isSame =
          isa<arith::DivFOp, arith::SelectOp, arith::TruncFOp, arith::ExtFOp>(
              user);
      if (auto product = dyn_cast<arith::MulFOp>(user)) {
        Dims dims;
        isSame = !repeatedTensor(product.getLhs() == value ? product.getRhs()
                                                           : product.getLhs(),
                                 dims);
      }
      if (isSame)
        probabilities.insert({user->getResult(0), keys});
      auto transpose = dyn_cast<TransposeOp>(user);
      if (!transpose)
        continue;
      ArrayRef<int64_t> order = transpose.getPermutation();
      probabilities.insert(
          {user->getResult(0), llvm::map_to_vector(keys, [&](int64_t dim) {
             return int64_t(llvm::find(order, dim) - order.begin());
           })});
    }
  }
}

/// Multiplies operand `side` of `dot` with `factor`, whose dimensions are
/// `dims` of it. False where that is made behind the matmul only.
bool RowFactorMover::multiplyOperand(DotGeneralOp dot, unsigned side,
                                     Value factor, ArrayRef<int64_t> dims) {
  Value operand = dot->getOperand(side);
  if (typeOf(operand).getElementType() != typeOf(factor).getElementType())
    return false;
  Operation *last = operand.getDefiningOp(), *maker = factor.getDefiningOp();
  if (maker && maker->getBlock() == dot->getBlock()) {
    if (dot->isBeforeInBlock(maker))
      return false;
    if (!last || last->getBlock() != maker->getBlock() ||
        last->isBeforeInBlock(maker))
      last = maker;
  }
  Value &made = products[{dot->getBlock(), operand.getAsOpaquePointer(),
                          factor.getAsOpaquePointer(), dims.vec()}];
  if (!made) {
    OpBuilder b(dot);
    if (last && last->getBlock() == dot->getBlock())
      b.setInsertionPointAfter(last);
    else
      b.setInsertionPointToStart(dot->getBlock());
    made = multiply(b, dot.getLoc(), operand, factor, dims);
  }
  dot->setOperand(side, made);
  return true;
}

/// Operand `side` of `dot` is made of probabilities, which go over keys or over
/// queries.
void RowFactorMover::moveOff(DotGeneralOp dot, unsigned side) {
  OpBuilder b(dot);
  std::optional<Factored> found = takeFactor(
      b, dot->getOperand(side), [&](Value value) -> std::optional<Dims> {
        auto known = probabilities.find(value);
        return known == probabilities.end() ? std::nullopt
                                            : std::optional(known->second);
      });
  if (!found)
    return;
  ArrayRef<int64_t> contracting =
      side ? dot.getRhsContracting() : dot.getLhsContracting();
  bool overKeys = llvm::any_of(found->keys, [&](int64_t dim) {
    return llvm::is_contained(contracting, dim);
  });
  Dims dims;
  for (int64_t dim : found->dims) {
    std::optional<int64_t> moved = dimOfResult(dot, side, dim);
    const int64_t *summed = llvm::find(contracting, dim);
    if (!overKeys && moved)
      moved = dimOfOperand(dot, 1 - side, *moved);
    else if (!overKeys && summed != contracting.end())
      moved = (side ? dot.getLhsContracting()
                    : dot.getRhsContracting())[summed - contracting.begin()];
    if (!moved)
      return;
    dims.push_back(*moved);
  }
  if (!overKeys) {
    gradientsOfOutput.insert(dot->getOperand(1 - side));
    if (multiplyOperand(dot, 1 - side, found->factor, dims))
      dot->setOperand(side, found->rest);
    return;
  }
  dot->setOperand(side, found->rest);
  b.setInsertionPointAfter(dot);
  Value made = multiply(b, dot.getLoc(), dot, found->factor, dims);
  dot.getResult().replaceUsesWithIf(made, [&](OpOperand &use) {
    return use.getOwner() != made.getDefiningOp();
  });
}

/// `m (dO V^T)` as `(m dO) V^T`: `product` meets probabilities.
void RowFactorMover::moveBefore(arith::MulFOp product) {
  OpBuilder b(product);
  Dims toResult;
  DotGeneralOp dot;
  auto isProduct = [&](Value value) -> std::optional<Dims> {
    // Of the matmul the dimensions, seen through transpositions.
    toResult = llvm::to_vector(llvm::seq<int64_t>(typeOf(value).getRank()));
    while (auto transpose = value.getDefiningOp<TransposeOp>()) {
      if (!value.hasOneUse())
        return std::nullopt;
      for (int64_t &dim : toResult)
        dim = transpose.getPermutation()[dim];
      value = transpose.getOperand();
    }
    dot = value.getDefiningOp<DotGeneralOp>();
    return dot && value.hasOneUse() ? std::optional(Dims()) : std::nullopt;
  };
  std::optional<Factored> found = takeFactor(b, product.getResult(), isProduct);
  if (!found)
    return;
  for (unsigned side : {0, 1}) {
    Dims dims;
    for (int64_t dim : found->dims)
      if (std::optional<int64_t> own = dimOfOperand(dot, side, toResult[dim]))
        dims.push_back(*own);
    // The value may have these dimensions as well.
    if (dims.size() != found->dims.size() ||
        !gradientsOfOutput.contains(dot->getOperand(side)) ||
        !multiplyOperand(dot, side, found->factor, dims))
      continue;
    product.getResult().replaceAllUsesWith(found->rest);
    return;
  }
}

/// Appends to `products` the multiplications that `value`, which probabilities
/// are multiplied with, may be made of: on the way from dP.
static void addFactors(Value value, llvm::SetVector<Operation *> &products) {
  SmallVector<Value> values = {value};
  for (unsigned i = 0; i < values.size() && i < 4 * kSteps; ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!op || !(op->hasTrait<OpTrait::Elementwise>() || isa<TransposeOp>(op)))
      continue;
    if (isa<arith::MulFOp>(op))
      products.insert(op);
    llvm::append_range(values, op->getOperands());
  }
}

void RowFactorMover::run() {
  SmallVector<std::pair<DotGeneralOp, unsigned>> matmuls;
  llvm::SetVector<Operation *> gradients;
  for (const auto &[value, keys] : probabilities)
    for (Operation *user : value.getUsers()) {
      auto scaled = dyn_cast<arith::MulFOp>(user);
      if (!scaled)
        continue;
      for (Value operand : scaled->getOperands())
        if (!probabilities.contains(operand))
          addFactors(operand, gradients);
      // m P, perhaps transposed, and what reads it.
      SmallVector<Value> made = {scaled.getResult()};
      for (unsigned i = 0; i < made.size() && i < kSteps; ++i)
        for (OpOperand &use : made[i].getUses())
          if (auto dot = dyn_cast<DotGeneralOp>(use.getOwner()))
            matmuls.push_back({dot, use.getOperandNumber()});
          else if (isa<TransposeOp>(use.getOwner()))
            made.push_back(use.getOwner()->getResult(0));
    }
  for (auto [dot, side] : matmuls)
    moveOff(dot, side);
  for (Operation *gradient : gradients)
    if (!gradient->use_empty())
      moveBefore(cast<arith::MulFOp>(gradient));
}

void tessera::fuse::moveRowFactors(Operation *scope) {
  SmallVector<math::ExpOp> exponentials;
  scope->walk([&](math::ExpOp exponential) {
    if (isa<RankedTensorType>(exponential.getType()) &&
        findScoreProduct(exponential))
      exponentials.push_back(exponential);
  });
  for (math::ExpOp exponential : exponentials)
    RowFactorMover(exponential).run();
}
