//===- JoinedValues.cpp - concatenations move down ------------------------===//
//
// What takes a concatenation along a split dimension is computed for each of
// its parts, and put together behind it; sums of padded tensors are
// concatenations, too.
//
//===----------------------------------------------------------------------===//

#include "Parts/PartwiseComputation.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/LocalComputationInterface.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-compute-parts"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// Whether `user` computes part by part what `op` puts together; adds what has
/// to be moved for that to `cost`.
bool PartwiseComputation::goesDown(ConcatenateOp op, Operation *user,
                                   Passage &passage, double &cost) const {
  unsigned number = 0;
  while (user->getOperand(number) != op.getResult())
    ++number;
  std::optional<Passage> found = this->passage(user, number, op.getDim());
  if (!found || !getSharding(user->getResult(0)))
    return false;
  passage = std::move(*found);
  for (auto [operand, at] :
       llvm::zip_equal(user->getOperands(), passage.operands)) {
    if (operand == op.getResult() && at != int64_t(op.getDim()))
      return false;
    if (operand != op.getResult() && at >= 0 &&
        llvm::any_of(rangesOf(op),
                     [&](Span range) { return !pieceOf(operand, at, range); }))
      cost += movedElements(operand, at);
  }
  if (passage.result >= 0) {
    Value result = user->getResult(0);
    const TensorSharding &sharding = getSharding(result).getValue();
    double elements = typeOf(result).getNumElements();
    for (int64_t dim = 0; dim < sharding.rank(); ++dim)
      if (dim != passage.result)
        elements /= sharding.numShards(dim, mesh);
    cost += elements;
  }
  return true;
}

/// Computes `user` part by part of what `op` puts together.
void PartwiseComputation::computeParts(ConcatenateOp op, Operation *user,
                                       const Passage &passage) {
  ImplicitLocOpBuilder b(user->getLoc(), user);
  taker = user;
  Value result = user->getResult(0), sum;
  SmallVector<Value> made;
  for (auto [input, range] : llvm::zip_equal(op.getOperands(), rangesOf(op))) {
    const AxisList &axes = getSharding(input).getValue().dims[op.getDim()].axes;
    SmallVector<Value> operands;
    for (auto [operand, at] :
         llvm::zip_equal(user->getOperands(), passage.operands))
      operands.push_back(operand == op.getResult() ? input
                         : at < 0                  ? operand
                                  : slice(b, operand, at, range, axes));
    RankedTensorType type = typeOf(result);
    ShardingAttr sharding = getSharding(result);
    if (passage.result >= 0) {
      type = resized(type, passage.result, range.size());
      sharding = partSharding(result, passage.result, axes);
    }
    Value part = createLocalOperation(b, user, operands, type)->getResult(0);
    setSharding(part, sharding);
    if (passage.result >= 0) {
      made.push_back(part);
    } else if (!sum) {
      sum = part;
    } else {
      sum = isa<FloatType>(type.getElementType())
                ? arith::AddFOp::create(b, sum, part).getResult()
                : arith::AddIOp::create(b, sum, part).getResult();
      setSharding(sum, sharding);
    }
  }
  if (!sum) {
    auto whole =
        ConcatenateOp::create(b, result.getType(), made, passage.result);
    setSharding(whole, getSharding(result));
    concatenations.push_back(whole);
    sum = whole;
  }
  result.replaceAllUsesWith(sum);
  user->erase();
}

/// Computes all that takes what `op` puts together part by part, if some part
/// is split along the dimension and this moves no more.
void PartwiseComputation::moveDown(ConcatenateOp op) {
  int64_t dim = op.getDim();
  if (!getSharding(op) || op->use_empty() ||
      llvm::none_of(op.getOperands(),
                    [&](Value input) { return isSplit(input, dim); }))
    return;
  double own = 0, cost = 0;
  for (Value input : op.getOperands())
    own += movedElements(input, dim);
  llvm::SmallMapVector<Operation *, Passage, 4> users;
  for (Operation *user : op->getUsers())
    if (!users.contains(user) && !goesDown(op, user, users[user], cost))
      return;
  if (cost > own)
    return;
  LDBG() << describeOperation(op) << ": what reads it is computed for each of "
         << op->getNumOperands() << " parts along dimension " << dim
         << ", which moves " << cost << " elements instead of " << own;
  for (auto &[user, passage] : users)
    computeParts(op, user, passage);
  op->erase();
  parts.clear();
}

/// The dimension along which `op` puts zeros before or behind its operand, and
/// where that stands then; nothing if it does anything else.
static std::optional<std::pair<int64_t, Span>> placed(PadOp op) {
  int64_t found = -1;
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
    int64_t low = op.getLow()[dim], high = op.getHigh()[dim];
    if (low == 0 && high == 0 && op.getInterior()[dim] == 0)
      continue;
    if (found >= 0 || low < 0 || high < 0 || op.getInterior()[dim] != 0)
      return std::nullopt;
    found = dim;
  }
  if (found < 0 || !isNeutral(op.getValue(), ReductionKind::Sum))
    return std::nullopt;
  int64_t low = op.getLow()[found];
  int64_t size = op.getOperand().getType().getDimSize(found);
  return std::pair(found, Span{low, low + size});
}

/// Appends the terms that `sum` adds up to `terms`, but not those of sums that
/// somebody else uses.
static void appendTerms(arith::AddFOp sum, SmallVectorImpl<Value> &terms) {
  for (Value operand : sum->getOperands()) {
    auto inner = operand.getDefiningOp<arith::AddFOp>();
    if (inner && operand.hasOneUse())
      appendTerms(inner, terms);
    else
      terms.push_back(operand);
  }
}

/// Writes the sum of tensors that zeros are put around, which fill a dimension
/// side by side (the gradient of slices), as a concatenation.
void PartwiseComputation::concatenateTerms(arith::AddFOp sum) {
  if (sum->use_empty())
    return;
  SmallVector<Value> terms;
  appendTerms(sum, terms);
  SmallVector<std::pair<Span, Value>> pieces;
  int64_t dim = -1, end = 0;
  for (Value term : terms) {
    auto pad = term.getDefiningOp<PadOp>();
    auto place = pad ? placed(pad) : std::nullopt;
    if (!place || (dim >= 0 && place->first != dim))
      return;
    dim = place->first;
    pieces.emplace_back(place->second, pad.getOperand());
  }
  llvm::sort(pieces, [](const auto &a, const auto &b) {
    return a.first.begin < b.first.begin;
  });
  SmallVector<Value> operands;
  for (auto &[span, piece] : pieces) {
    if (span.begin != end)
      return;
    end = span.end;
    operands.push_back(piece);
  }
  if (end != typeOf(sum).getDimSize(dim) ||
      llvm::none_of(operands, [&](Value piece) { return isSplit(piece, dim); }))
    return;
  LDBG() << describeOperation(sum) << ": a concatenation of " << operands.size()
         << " terms along dimension " << dim;
  OpBuilder builder(sum);
  auto whole = ConcatenateOp::create(builder, sum.getLoc(), sum.getType(),
                                     operands, dim);
  setSharding(whole, getSharding(sum));
  concatenations.push_back(whole);
  sum.replaceAllUsesWith(whole.getResult());
}
