//===- StepPlacements.cpp - how operations come into fragments ------------===//

#include "Step/StepProgram.h"

#include "Step/BodyAncestors.h"

#include "tessera/Dialect/Pipe/Accumulators.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

//===----------------------------------------------------------------------===//
// What no stage has to itself
//===----------------------------------------------------------------------===//

/// A copied operation takes at most so many others along.
static constexpr unsigned kMaxCopied = 64;

/// Whether `op` computes the microbatch's number, as a tensor or not, from the
/// loop's induction variable.
bool StepProgram::isNumber(Operation *op) const {
  return op->getNumOperands() > 0 && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) {
                        return operand == getLoop().getInductionVar() ||
                               is(operand.getDefiningOp(), Placement::Number);
                      }) &&
         (isa<tensor::FromElementsOp>(op) ||
          llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>));
}

/// Whether `op` takes the part of a batch that belongs to the microbatch, of
/// something that all stages have.
bool StepProgram::takesMicrobatch(Operation *op) const {
  if (!isa<DynamicSliceOp>(op))
    return false;
  Value batch = op->getOperand(0);
  bool isInLoop = getLoop().getRegion().isAncestor(batch.getParentRegion());
  return (!isInLoop || is(batch.getDefiningOp(), Placement::Copied)) &&
         llvm::any_of(op->getOperands().drop_front(), [&](Value operand) {
           Operation *start = operand.getDefiningOp();
           return is(start, Placement::Number) ||
                  (is(start, Placement::Copied) &&
                   loop->isProperAncestor(start));
         });
}

static int64_t bitsOf(ValueRange values) {
  int64_t bits = 0;
  for (Value value : values)
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      bits += type.getNumElements() * type.getElementTypeBitWidth();
  return bits;
}

/// Whether the elements of the results of `op` come one by one from those of
/// its operands.
static bool isElementByElement(Operation *op) {
  if (isa<DynamicUpdateSliceOp, ConcatenateOp, GatherOp, ReshardOp>(op))
    return false;
  std::optional<ShardingRule> rule = getShardingRule(op);
  return rule && llvm::none_of(rule->factors, [](const Factor &factor) {
           return factor.kind == FactorKind::Reduction;
         });
}

/// Whether every fragment may have its own copy of `op`: a constant, a part of
/// the batch, something computed element by element from those; or something
/// larger than the arguments that it is made of, like a bias for every row; or
/// nothing but another shape of one.
bool StepProgram::mayCopy(Operation *op) {
  if (!isMemoryEffectFree(op) || op->getNumRegions() != 0 ||
      llvm::any_of(op->getUsers(), [](Operation *user) {
        return user->hasTrait<OpTrait::IsTerminator>();
      }))
    return false;
  bool isOfBatch = takesMicrobatch(op), needsArgument = false;
  unsigned size = 1;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    Operation *def = operand.getDefiningOp();
    if (is(def, Placement::Number) || (isOfBatch && number == 0))
      continue;
    if (is(def, Placement::Copied)) {
      size += copies.at(def).size;
      needsArgument |= copies.at(def).needsArgument;
    } else if (isArgument(operand) || isPrepared(def)) {
      needsArgument = true;
    } else {
      return false;
    }
  }
  if (size > kMaxCopied || (!op->hasTrait<OpTrait::ConstantLike>() &&
                            !isElementByElement(op) && !isOfBatch))
    return false;
  if (needsArgument && !isa<ReshapeOp>(op) &&
      bitsOf(op->getResults()) <= bitsOf(op->getOperands()))
    return false;
  copies[op] = {size, needsArgument};
  return true;
}

/// Finds numbers and what is copied.
void StepProgram::classifyFree() {
  for (Operation *op : operations) {
    if (placements.contains(op))
      continue;
    if (isNumber(op))
      placements[op] = Placement::Number;
    else if (mayCopy(op))
      placements[op] = Placement::Copied;
  }
}

/// Finds what the loop needs.
void StepProgram::findNeeded() {
  for (Value read : loop.getOperands())
    needed.insert(read.getDefiningOp());
  for (Operation *op : llvm::reverse(operations)) {
    bool isInLoop = loop->isProperAncestor(op);
    if (!isInLoop && !needed.contains(op))
      continue;
    for (Value read : reads[op])
      needed.insert(read.getDefiningOp());
  }
}

/// Whether `op`, unless it is copied, is prepared: it stands before the loop,
/// which needs it.
bool StepProgram::isPrepared(Operation *op) {
  return op && op->getBlock() == loop->getBlock() &&
         op->isBeforeInBlock(loop) && needed.contains(op);
}

/// What stands before the loop is prepared if the loop needs it; otherwise it
/// belongs to what follows.
void StepProgram::classifyBeforeLoop() {
  for (Operation *op : operations)
    if (!placements.contains(op) && !loop->isProperAncestor(op))
      placements[op] = isPrepared(op) ? Placement::Prepared : Placement::Once;
}

//===----------------------------------------------------------------------===//
// Forward and backward
//===----------------------------------------------------------------------===//

static bool isReal(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// The sizes of `type` but for those of 1, in ascending order.
static SmallVector<int64_t> sortedSizes(Type type) {
  SmallVector<int64_t> sizes;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    llvm::copy_if(tensor.getShape(), std::back_inserter(sizes),
                  [](int64_t size) { return size != 1; });
  llvm::sort(sizes);
  return sizes;
}

/// The sizes of what the body reads of parameters, whole.
std::set<SmallVector<int64_t>> StepProgram::parameterSizes() const {
  std::set<SmallVector<int64_t>> sizes;
  for (Operation *op : operations) {
    if (!loop->isProperAncestor(op) || takesMicrobatch(op))
      continue;
    for (Value read : reads.at(op)) {
      ArrayRef<Value> behind = argumentsOf(read);
      if (!behind.empty() && isReal(read))
        sizes.insert(sortedSizes(read.getType()));
      for (Value parameter : parametersOf(read))
        if (isReal(parameter))
          sizes.insert(sortedSizes(parameter.getType()));
      for (Value argument : behind)
        if (isReal(argument))
          sizes.insert(sortedSizes(argument.getType()));
    }
  }
  return sizes;
}

bool StepProgram::readsParameter(Operation *op) const {
  return !takesMicrobatch(op) && llvm::any_of(reads.at(op), [&](Value read) {
    return llvm::any_of(argumentsOf(read), isReal);
  });
}

/// The results of the loop from which new values of donated arguments are made.
DenseSet<Value> StepProgram::resultsForState() const {
  DenseSet<Value> seen;
  SmallVector<Value> stack;
  for (const Donation &donation : donations())
    stack.push_back(donation.newValue->get());
  while (!stack.empty()) {
    Value value = stack.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (Operation *op = value.getDefiningOp(); reads.contains(op))
      llvm::append_range(stack, reads.at(op));
  }
  DenseSet<Value> found;
  for (Value result : getLoop().getResults())
    if (seen.contains(result))
      found.insert(result);
  return found;
}

/// Tells the forward pass of the loop's body from the backward pass: forward is
/// what results other than gradients need, or, where none of that reads a
/// parameter, what all gradients need. A gradient has the sizes of a parameter
/// and more than one operation behind it; a scalar is one if it
/// needs what only some gradients need.
void StepProgram::classifyBody() {
  // What is copied belongs to nobody, and nobody depends on it.
  SmallVector<Operation *, 0> body =
      llvm::filter_to_vector<0>(operations, [&](Operation *op) {
        return loop->isProperAncestor(op) &&
               (!placements.contains(op) || isVocabulary(op));
      });
  BodyAncestors ancestors(
      body, [&](Operation *op) { return ArrayRef<Value>(reads.at(op)); });
  std::set<SmallVector<int64_t>> parameters = parameterSizes();
  DenseSet<Value> forState = resultsForState();
  SmallVector<Value> gradients, scalars, measures, others;
  bool hasUpdate = false;
  for (auto [yielded, result] :
       llvm::zip_equal(loop.getYieldedValues(), loop.getResults())) {
    SmallVector<int64_t> sizes = sortedSizes(yielded.getType());
    bool isForState = forState.contains(result);
    if (!isReal(yielded) || !parameters.count(sizes)) {
      others.push_back(yielded);
    } else if (sizes.empty()) {
      (isForState ? scalars : measures).push_back(yielded);
    } else if (ancestors.areSeveral(yielded)) {
      gradients.push_back(yielded);
      hasUpdate |= isForState;
    }
  }
  // Where gradients update something, a scalar that does not is none.
  llvm::append_range(hasUpdate ? others : scalars, measures);
  llvm::BitVector neededBySome = ancestors.ofAny(gradients);
  llvm::BitVector neededByAll = ancestors.ofAll(gradients);
  // A scalar that needs the backward pass of some layers, and so what only some
  // gradients need, is a gradient.
  llvm::BitVector onlyBySome = neededBySome;
  onlyBySome.reset(neededByAll);
  for (Value scalar : scalars)
    if (!ancestors.ofAny(scalar).anyCommon(onlyBySome))
      others.push_back(scalar);
  llvm::BitVector forward = ancestors.ofAny(others);
  bool hasLoss = llvm::any_of(forward.set_bits(), [&](unsigned number) {
    return readsParameter(body[number]);
  });
  if (!hasLoss)
    forward |= neededByAll;
  for (auto [number, op] : llvm::enumerate(body))
    if (!placements.contains(op))
      placements[op] =
          forward.test(number) ? Placement::Forward : Placement::Backward;
  placeBehindVocabulary();
}

/// What the forward pass makes of an output layer that is spread over the ranks
/// (the loss) comes with the backward pass, when these have met.
void StepProgram::placeBehindVocabulary() {
  DenseSet<Operation *> behind;
  for (Operation *op : operations) {
    if (isVocabulary(op)) {
      behind.insert(op);
    } else if (is(op, Placement::Forward) &&
               llvm::any_of(reads.at(op), [&](Value read) {
                 return behind.contains(read.getDefiningOp());
               })) {
      placements[op] = Placement::Backward;
      behind.insert(op);
    }
  }
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static bool isAddition(Operation *op) {
  return isa_and_present<arith::AddFOp, arith::AddIOp>(op);
}

void StepProgram::findSums() {
  for (unsigned number = 0; number < loop.getNumResults(); ++number) {
    CarriedSum &sum = sums.emplace_back();
    std::optional<pipe::LoopAddition> last = pipe::findAddition(loop, number);
    if (!last || !is(last->op, Placement::Backward))
      continue;
    placements[last->op] = Placement::Sum;
    SmallVector<Value> stack = {last->added};
    while (!stack.empty()) {
      Value part = stack.pop_back_val();
      Operation *op = part.getDefiningOp();
      if (isAddition(op) && is(op, Placement::Backward) && op->hasOneUse()) {
        placements[op] = Placement::Sum;
        stack.push_back(op->getOperand(1));
        stack.push_back(op->getOperand(0));
        continue;
      }
      sum.parts.push_back(part);
    }
  }
}
