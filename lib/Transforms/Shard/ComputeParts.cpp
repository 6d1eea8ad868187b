//===- ComputeParts.cpp - products of several matrices put side by side ---===//
//
// One matrix may stand for several: queries, keys and values in one product,
// whose result is taken apart, or a gate and what it lets through. If its
// columns are split, the parts' borders lie anywhere in what the devices have,
// and neither a part of the result nor, in the backward pass, the gradient that
// is put together from those of the parts can stay split. Both are activations.
// So the parts are computed each by itself: a slice of a result is the result
// of slices, a product with what is put together is put together from products,
// or, if that dimension is summed over, their sum. Slices move up and
// concatenations down, along dimensions that an operation computes part by part
// (its rule says so), until what has to be moved is smallest: the matrix and
// its gradient, as a rule, but where few tokens meet large matrices the
// activations as before.
//
// Slices are weighed exactly, over the tree of operations above them, of which
// nobody else uses anything; concatenations go down one operation after the
// other as long as that makes nothing larger. What moves is counted in elements
// of a device's share along the other dimensions. The slices of a value must
// not overlap, so no work is done twice.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/LocalComputationInterface.h"
#include "tessera/Interfaces/ShardingRuleInterface.h"
#include "tessera/Sharding/Algebra/AxisFit.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

namespace tessera::shard {
#define GEN_PASS_DEF_COMPUTEPARTS
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-compute-parts"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// `type` with `size` elements along `dim`.
static RankedTensorType resized(RankedTensorType type, int64_t dim,
                                int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return type.clone(shape);
}

namespace {

/// A dimension of a value, and where parts of it begin and end.
struct Span {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};

/// How an operation computes along one factor: which dimension of each tensor
/// is that factor, -1 for those that do not have it.
struct Passage {
  SmallVector<int64_t, 4> operands;
  /// -1 if the operation sums over the factor.
  int64_t result = -1;
};

class PartwiseComputation {
public:
  PartwiseComputation(func::FuncOp function, const Mesh &mesh)
      : function(function), mesh(mesh), taker(function) {}

  void run();

private:
  std::optional<Passage> passage(Operation *op, unsigned tensor,
                                 int64_t dim) const;
  double movedElements(Value value, int64_t dim) const;
  bool isSplit(Value value, int64_t dim) const;

  std::optional<Passage> passageAbove(Value value, int64_t dim,
                                      Operation *user) const;
  double slicingCost(Value value, int64_t dim, Operation *user,
                     unsigned depth) const;
  void moveSlicesUp(Value value);
  Value partAbove(Value value, int64_t dim, Span range, const AxisList &axes,
                  Operation *user, unsigned depth);

  bool goesDown(ConcatenateOp op, Operation *user, Passage &passage,
                double &cost) const;
  void moveDown(ConcatenateOp op);
  void concatenateTerms(arith::AddFOp sum);
  void computeParts(ConcatenateOp op, Operation *user, const Passage &passage);

  ShardingAttr partSharding(Value value, int64_t dim, const AxisList &axes);
  Value slice(OpBuilder &builder, Value value, int64_t dim, Span range,
              const AxisList &axes);

  func::FuncOp function;
  const Mesh &mesh;
  /// What takes the parts that are being made.
  Operation *taker;
  /// The parts of values that have been made for one value or concatenation,
  /// by where they begin.
  DenseMap<std::tuple<Value, int64_t, int64_t>, Value> parts;
  /// What has been computed part by part, users before producers.
  llvm::SetVector<Operation *> divided;
  SmallVector<ConcatenateOp> concatenations;
};

} // namespace

/// How far slices are looked for a better place.
static constexpr unsigned kMaxDepth = 16;

//===----------------------------------------------------------------------===//
// Operations along one factor
//===----------------------------------------------------------------------===//

/// How `op` computes along the factor that dimension `dim` of its tensor number
/// `tensor` is, if it computes part by part along it.
std::optional<Passage> PartwiseComputation::passage(Operation *op,
                                                    unsigned tensor,
                                                    int64_t dim) const {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      isa<ConstrainOp, ReshardOp, PropagationBarrierOp, ConcatenateOp,
          LocalComputationInterface, spmd::CollectiveOpInterface>(op) ||
      !isMemoryEffectFree(op) || hasDataFlow(op))
    return std::nullopt;
  std::optional<ShardingRule> rule = getShardingRule(op);
  if (!rule || rule->tensor(tensor).dims[dim].size() != 1)
    return std::nullopt;
  FactorId factor = rule->tensor(tensor).dims[dim].front();
  Passage found;
  for (unsigned number = 0; number < rule->numTensors(); ++number) {
    int64_t at = -1;
    for (auto [index, factors] : llvm::enumerate(rule->tensor(number).dims))
      if (llvm::is_contained(factors, factor)) {
        if (factors.size() != 1 || at >= 0)
          return std::nullopt;
        at = index;
      }
    if (number < rule->operands.size())
      found.operands.push_back(at);
    else
      found.result = at;
  }
  const Factor &along = rule->factors[factor];
  bool isSum = along.kind == FactorKind::Reduction &&
               along.reduction == ReductionKind::Sum && found.result < 0;
  bool passes = along.kind == FactorKind::PassThrough && found.result >= 0;
  return isSum || passes ? std::optional(found) : std::nullopt;
}

bool PartwiseComputation::isSplit(Value value, int64_t dim) const {
  ShardingAttr sharding = getSharding(value);
  return sharding && sharding.getValue().numShards(dim, mesh) > 1;
}

/// The ranges of what `op` puts together.
static SmallVector<Span> rangesOf(ConcatenateOp op) {
  SmallVector<Span> ranges;
  int64_t begin = 0;
  for (Value input : op.getOperands()) {
    int64_t size = typeOf(input).getDimSize(op.getDim());
    ranges.push_back({begin, begin + size});
    begin += size;
  }
  return ranges;
}

/// What `value` is put together from, if that is just `range` along `dim`; null
/// otherwise.
static Value pieceOf(Value value, int64_t dim, Span range) {
  auto op = value.getDefiningOp<ConcatenateOp>();
  if (!op || int64_t(op.getDim()) != dim)
    return {};
  for (auto [piece, held] : llvm::zip_equal(op.getOperands(), rangesOf(op)))
    if (held.begin == range.begin && held.end == range.end)
      return piece;
  return {};
}

/// The elements that have to be moved if `value`, which is split along `dim`,
/// is needed in parts along it: none if it is not split.
double PartwiseComputation::movedElements(Value value, int64_t dim) const {
  if (!isSplit(value, dim) || matchPattern(value, m_Constant()))
    return 0;
  const TensorSharding &sharding = getSharding(value).getValue();
  double elements = typeOf(value).getNumElements();
  for (int64_t other = 0; other < sharding.rank(); ++other)
    if (other != dim)
      elements /= sharding.numShards(other, mesh);
  return elements;
}

/// The sharding of a part of `value` that is split over `axes` along `dim`.
ShardingAttr PartwiseComputation::partSharding(Value value, int64_t dim,
                                               const AxisList &axes) {
  ShardingAttr whole = getSharding(value);
  TensorSharding sharding = whole.getValue();
  sharding.dims[dim].axes.clear();
  AxisList used = sharding.usedAxes();
  llvm::append_range(used, sharding.replicated);
  if (llvm::all_of(axes, [&](const AxisRef &axis) {
        return fitsBeside(axis, used, mesh);
      }))
    sharding.dims[dim].axes = axes;
  return ShardingAttr::get(function.getContext(), whole.getMesh(),
                           sharding.canonical(mesh));
}

/// A slice of `value` along `dim`.
Value PartwiseComputation::slice(OpBuilder &builder, Value value, int64_t dim,
                                 Span range, const AxisList &axes) {
  if (Value piece = pieceOf(value, dim, range))
    return piece;
  Value &part = parts[{value, dim, range.begin}];
  if (part)
    return part;
  auto type = resized(typeOf(value), dim, range.size());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1),
      limits(typeOf(value).getShape());
  starts[dim] = range.begin;
  limits[dim] = range.end;
  part = SliceOp::create(builder, taker->getLoc(), type, value, starts, limits,
                         strides);
  setSharding(part, partSharding(value, dim, axes));
  return part;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// How the operation that makes `value` computes along `dim`, if all that uses
/// it is `user` (or, for null, whatever uses it).
std::optional<Passage>
PartwiseComputation::passageAbove(Value value, int64_t dim,
                                  Operation *user) const {
  Operation *op = value.getDefiningOp();
  if (!op || (user && llvm::any_of(value.getUsers(), [&](Operation *other) {
                return other != user;
              })))
    return std::nullopt;
  return passage(op, op->getNumOperands(), dim);
}

/// The least number of elements to be moved for parts of `value` along `dim`.
double PartwiseComputation::slicingCost(Value value, int64_t dim,
                                        Operation *user, unsigned depth) const {
  double own = movedElements(value, dim);
  if (own == 0 || depth == 0)
    return own;
  std::optional<Passage> found = passageAbove(value, dim, user);
  if (!found)
    return own;
  double above = 0;
  Operation *op = value.getDefiningOp();
  for (auto [operand, at] : llvm::zip_equal(op->getOperands(), found->operands))
    if (at >= 0)
      above += slicingCost(operand, at, op, depth - 1);
  return std::min(own, above);
}

/// Part `range` of `value`, made as `slicingCost` says.
Value PartwiseComputation::partAbove(Value value, int64_t dim, Span range,
                                     const AxisList &axes, Operation *user,
                                     unsigned depth) {
  OpBuilder builder(function.getContext());
  if (slicingCost(value, dim, user, depth) == movedElements(value, dim))
    return slice(builder, value, dim, range, axes);
  if (Value known = parts.lookup({value, dim, range.begin}))
    return known;
  Operation *op = value.getDefiningOp();
  divided.insert(op);
  std::optional<Passage> found = passageAbove(value, dim, user);
  SmallVector<Value> operands;
  for (auto [operand, at] : llvm::zip_equal(op->getOperands(), found->operands))
    operands.push_back(
        at < 0 ? operand : partAbove(operand, at, range, axes, op, depth - 1));
  builder.setInsertionPoint(op);
  Type type = resized(typeOf(value), dim, range.size());
  Value part = createLocalOperation(builder, op, operands, type)->getResult(0);
  setSharding(part, partSharding(value, dim, axes));
  return parts[{value, dim, range.begin}] = part;
}

/// The only dimension of which `op` takes a part, in which all elements follow
/// each other; -1 if there is no such dimension.
static int64_t slicedDim(SliceOp op) {
  int64_t found = -1;
  ArrayRef<int64_t> shape = op.getOperand().getType().getShape();
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (op.getType().getDimSize(dim) == size)
      continue;
    if (found >= 0 || op.getStrides()[dim] != 1)
      return -1;
    found = dim;
  }
  return found;
}

/// Computes what the slices of `value` take, if all its uses are slices along
/// one split dimension that do not overlap, and this moves less.
void PartwiseComputation::moveSlicesUp(Value value) {
  SmallVector<SliceOp> slices;
  int64_t dim = -1;
  for (Operation *user : value.getUsers()) {
    auto op = dyn_cast<SliceOp>(user);
    int64_t sliced = op ? slicedDim(op) : -1;
    if (sliced < 0 || (dim >= 0 && sliced != dim) ||
        op.getType().getDimSize(sliced) == 1 || !getSharding(op))
      return;
    dim = sliced;
    slices.push_back(op);
  }
  if (slices.empty() || !isSplit(value, dim))
    return;
  llvm::sort(slices, [&](SliceOp a, SliceOp b) {
    return a.getStarts()[dim] < b.getStarts()[dim];
  });
  for (auto [first, next] :
       llvm::zip(slices, MutableArrayRef(slices).drop_front()))
    if (first.getLimits()[dim] > next.getStarts()[dim])
      return;
  double cost = slicingCost(value, dim, nullptr, kMaxDepth);
  if (cost >= movedElements(value, dim))
    return;
  LDBG() << describeMaker(value) << ": computed as " << slices.size()
         << " slices along dimension " << dim << ", which moves " << cost
         << " elements instead of " << movedElements(value, dim);
  for (SliceOp op : slices) {
    taker = op;
    const AxisList &axes = getSharding(op).getValue().dims[dim].axes;
    Value part =
        partAbove(value, dim, {op.getStarts()[dim], op.getLimits()[dim]}, axes,
                  nullptr, kMaxDepth);
    op.replaceAllUsesWith(part);
    op.erase();
  }
  for (Operation *op : divided)
    if (op->use_empty())
      op->erase();
  divided.clear();
  parts.clear();
}

//===----------------------------------------------------------------------===//
// Concatenations
//===----------------------------------------------------------------------===//

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

void PartwiseComputation::run() {
  SmallVector<Value> sliced;
  SmallVector<arith::AddFOp> sums;
  walkProgram(function, [&](Operation *op) {
    if (auto concatenation = dyn_cast<ConcatenateOp>(op))
      concatenations.push_back(concatenation);
    if (auto sum = dyn_cast<arith::AddFOp>(op))
      if (sum.getLhs().getDefiningOp<PadOp>() ||
          sum.getRhs().getDefiningOp<PadOp>())
        sums.push_back(sum);
    for (Value result : op->getResults())
      if (!result.use_empty() && isa<SliceOp>(*result.user_begin()))
        sliced.push_back(result);
  });
  llvm::SetVector<Operation *> pads;
  for (arith::AddFOp sum : llvm::reverse(sums)) {
    concatenateTerms(sum);
    if (!sum->use_empty())
      continue;
    for (Value operand : sum->getOperands())
      if (auto pad = operand.getDefiningOp<PadOp>())
        pads.insert(pad);
    sum->erase();
  }
  for (Operation *pad : pads)
    if (pad->use_empty())
      pad->erase();
  for (Value value : llvm::reverse(sliced))
    moveSlicesUp(value);
  // Grows while it is read.
  for (size_t i = 0; i < concatenations.size(); ++i)
    moveDown(concatenations[i]);
}

namespace {
struct ComputeParts : tessera::shard::impl::ComputePartsBase<ComputeParts> {
  void runOnOperation() override {
    FailureOr<MeshOp> found = getOnlyMesh(getOperation());
    if (failed(found))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        PartwiseComputation(function, found->getMesh().getMesh()).run();
  }
};
} // namespace
