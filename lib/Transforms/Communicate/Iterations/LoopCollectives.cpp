//===- LoopCollectives.cpp - collectives for another iteration ------------===//

#include "LoopCollectives.h"

#include "tessera/Interfaces/CostInterface.h"
#include "tessera/Interfaces/DataFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

RankedTensorType StackReduction::stackType() const {
  return cast<RankedTensorType>(collective->getResult(0).getType());
}

Value StackReduction::index() const {
  return DynamicUpdateSliceOp(update).getIndices()[dim];
}

Value StackReduction::part() const {
  return DynamicUpdateSliceOp(update).getUpdate();
}

//===----------------------------------------------------------------------===//
// What follows from the number of the iteration
//===----------------------------------------------------------------------===//

namespace {

/// What the values of a loop's body follow from.
class IterationValues {
public:
  enum Source {
    /// Nothing in the loop.
    Outside,
    /// The number of the iteration, and what is outside.
    Number,
    /// What is carried, communicated or computed at some length.
    Other,
  };

  explicit IterationValues(scf::ForOp loop) : loop(loop) {}

  Source of(Value value);
  /// Whether `value` is the same on all devices as it follows from constants
  /// and from the number of the iteration alone.
  bool isSameOnDevices(Value value);

private:
  Source ofOperation(Operation *op, OpResult result);

  scf::ForOp loop;
  llvm::DenseMap<Value, Source> known;
  llvm::DenseMap<Value, bool> knownSame;
};

} // namespace

IterationValues::Source IterationValues::of(Value value) {
  if (value == loop.getInductionVar())
    return Number;
  if (!loop.getRegion().isAncestor(value.getParentRegion()))
    return Outside;
  auto result = dyn_cast<OpResult>(value);
  if (!result || result.getOwner()->getBlock() != loop.getBody())
    return Other;
  auto [entry, isNew] = known.try_emplace(value, Other);
  if (!isNew)
    return entry->second;
  Source source = ofOperation(result.getOwner(), result);
  return known[value] = source;
}

IterationValues::Source IterationValues::ofOperation(Operation *op,
                                                     OpResult result) {
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
      isa<spmd::CollectiveOpInterface>(op) || getOperationCost(op).isHeavy)
    return Other;
  if (op->hasTrait<HandsOperandsOver>())
    return of(op->getOperand(result.getResultNumber()));
  Source source = Outside;
  for (Value operand : op->getOperands())
    source = std::max(source, of(operand));
  return source;
}

bool IterationValues::isSameOnDevices(Value value) {
  if (value == loop.getInductionVar() || matchPattern(value, m_Constant()))
    return true;
  if (auto found = knownSame.find(value); found != knownSame.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  bool isSame = op && op->getBlock() == loop.getBody() &&
                op->getNumOperands() > 0 && of(value) == Number &&
                llvm::all_of(op->getOperands(), [&](Value operand) {
                  return isSameOnDevices(operand);
                });
  return knownSame[value] = isSame;
}

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

static bool isZero(Value value) {
  DenseElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
         llvm::all_of(elements.getRawData(), [](char byte) { return !byte; });
}

/// The only dimension in which `part` differs from `whole`.
static std::optional<unsigned> stackedDim(Value part, Value whole) {
  auto parts = cast<RankedTensorType>(part.getType()).getShape();
  auto all = cast<RankedTensorType>(whole.getType()).getShape();
  std::optional<unsigned> dim;
  for (unsigned i = 0; i < all.size(); ++i) {
    if (parts[i] == all[i])
      continue;
    if (dim)
      return std::nullopt;
    dim = i;
  }
  return dim;
}

/// Whether `op` does to each part of a stack along `dim` what it does to the
/// stack, and leaves zeros zero.
static bool isStepOfParts(Operation *op, unsigned dim) {
  if (isa<arith::TruncFOp, arith::ExtFOp>(op))
    return true;
  auto pad = dyn_cast<PadOp>(op);
  return pad && pad.getLow()[dim] == 0 && pad.getHigh()[dim] == 0 &&
         pad.getInterior()[dim] == 0 && isZero(pad.getValue());
}

/// The collective that `stack` goes to, if nobody else reads it, and in `steps`
/// what lies between.
static spmd::CollectiveOpInterface
findCollective(Value stack, unsigned dim, SmallVectorImpl<Operation *> &steps) {
  while (stack.hasOneUse()) {
    Operation *user = *stack.getUsers().begin();
    if (auto collective = dyn_cast<spmd::CollectiveOpInterface>(user))
      return collective;
    if (!isStepOfParts(user, dim) || user->getOperand(0) != stack)
      break;
    steps.push_back(user);
    stack = user->getResult(0);
  }
  return {};
}

/// The reduction of what `loop` stacks as its result `number`, if nobody else
/// reads that. Where nothing is written the stack is zero, and so is any
/// reduction of zeros.
static std::optional<StackReduction>
findReduction(scf::ForOp loop, unsigned number, IterationValues &values) {
  Value carried = loop.getRegionIterArg(number);
  Value yielded = loop.getYieldedValues()[number];
  auto update = yielded.getDefiningOp<DynamicUpdateSliceOp>();
  if (!update || update->getBlock() != loop.getBody() ||
      update.getOperand() != carried || !carried.hasOneUse() ||
      !yielded.hasOneUse() || !isZero(loop.getInitArgs()[number]))
    return std::nullopt;
  std::optional<unsigned> dim = stackedDim(update.getUpdate(), carried);
  if (!dim)
    return std::nullopt;
  StackReduction found{{}, {}, update, number, *dim};
  found.collective = findCollective(loop.getResult(number), *dim, found.steps);
  if (!found.collective || found.collective->getBlock() != loop->getBlock() ||
      !collectiveInfo(found.collective.getCollectiveKind()).isReduction)
    return std::nullopt;
  auto scatter = dyn_cast<spmd::ReduceScatterOp>(*found.collective);
  if ((scatter && scatter.getDim() == *dim) ||
      !values.isSameOnDevices(found.index()))
    return std::nullopt;
  return found;
}

/// Whether all that `loop` does is what its results say.
static bool isRepeatable(scf::ForOp loop) {
  return llvm::all_of(loop.getBody()->without_terminator(),
                      [](Operation &op) { return isMemoryEffectFree(&op); });
}

LoopCollectives communicate::findLoopCollectives(scf::ForOp loop) {
  LoopCollectives found;
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!matchPattern(loop.getLowerBound(), m_Constant()) ||
      !matchPattern(loop.getStep(), m_Constant()) || !trips ||
      trips->getActiveBits() > 32 || trips->getZExtValue() < 2 ||
      !isRepeatable(loop))
    return found;
  found.trips = trips->getZExtValue();
  IterationValues values(loop);
  for (auto op : loop.getBody()->getOps<spmd::CollectiveOpInterface>())
    if (!collectiveInfo(op.getCollectiveKind()).isReduction &&
        values.of(op->getOperand(0)) == IterationValues::Number)
      found.gathers.push_back(op);
  for (unsigned number = 0; number < loop.getNumResults(); ++number)
    if (std::optional<StackReduction> reduction =
            findReduction(loop, number, values))
      found.reductions.push_back(*reduction);
  return found;
}
