//===- RecomputeValues.cpp - fewer values between kernels -----------------===//
//
// Elsewhere: rematerialization.
//
// Automatic differentiation saves every intermediate value that the backward
// pass needs: of a GELU five tensors that all follow from two by a few
// multiplications. Kernels are limited by memory, so those few are computed
// again where they are needed.
//
// A *chain* leads from a result of a kernel through operations that are cheap
// and have one operand as large as their result (others are constants, or much
// smaller, as a row's mean) to a value with more than one such operand, or one
// that is expensive. Results whose chains meet are all computed from the value
// where they do; a result whose chain goes through another that has to be
// stored anyway, from that one. So no kernel ever reads more large tensors than
// before, and no chain is longer than a few operations: recomputation does not
// spread from layer to layer. What a matmul reads as operand is not
// recomputed: it would be evaluated once per tile.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Spmd/KernelStructure.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/CostInterface.h"
#include "tessera/Transforms/Fuse/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-recompute-values"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

namespace tessera::fuse {
#define GEN_PASS_DEF_RECOMPUTEVALUES
#include "tessera/Transforms/Fuse/Passes.h.inc"
} // namespace tessera::fuse

/// Longest chain.
static constexpr unsigned kChainLength = 8;
/// A value is small if it has so many times fewer elements than the result
/// computed from it.
static constexpr int64_t kSmallFactor = 8;

/// The value that `value` is a view of, and whether element by element.
static std::pair<Value, bool> stripViews(Value value) {
  bool same = true;
  while (Operation *op = value.getDefiningOp()) {
    std::optional<ElementAccess> view = getViewAccess(op);
    if (!view)
      break;
    same &= view->kind == ElementAccess::Identity;
    value = op->getOperand(0);
  }
  return {value, same};
}

/// What `value` is equal to but for its shape.
static Value stripReshapes(Value value) {
  auto [base, same] = stripViews(value);
  return same ? base : value;
}

/// Whether `value` follows from constants alone.
static bool isConstantExpression(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<DotGeneralOp, ReduceOp>(op))
    return false;
  return isa<arith::ConstantOp, IotaOp>(op) ||
         (op->getNumOperands() != 0 &&
          llvm::all_of(op->getOperands(), isConstantExpression));
}

namespace {

/// How a value of a kernel's body follows from others.
struct Step {
  /// The only large value it is computed from; null if there is none or more
  /// than one.
  Value large;
  SmallVector<Value, 2> small;
};

/// The results of one kernel, some of which others can be computed from.
class KernelResults {
public:
  explicit KernelResults(spmd::KernelOp kernel) : kernel(kernel) {}

  /// Decides which results others are computed from, and rewrites the kernel
  /// and its users.
  void recompute();

private:
  Step stepOf(Value value);
  SmallVector<Value> chainOf(Value value);
  void deriveFromStored();
  void deriveFromMeetingPoints();
  void rebuild();
  void rewriteUsers(OpResult result, Value source, spmd::KernelOp rebuilt);

  spmd::KernelOp kernel;
  /// Values of the body that are stored: results that stay, and what others are
  /// computed from.
  llvm::SetVector<Value> stored;
  /// The chains of the results that could be recomputed.
  llvm::MapVector<unsigned, SmallVector<Value>> chains;
  /// For every dropped result the value of the body that it is computed from.
  llvm::MapVector<unsigned, Value> sources;
};

} // namespace

/// The step by which one cheap element-wise operation makes `value`, of one
/// value of its size and of small ones that the kernel takes or can store; no
/// step where it is made otherwise.
Step KernelResults::stepOf(Value value) {
  Step step;
  Operation *op = value.getDefiningOp();
  if (!op || !isElementwise(op) || getOperationCost(op).isExpensive())
    return step;
  for (Value operand : op->getOperands()) {
    auto [base, same] = stripViews(operand);
    if (isConstantExpression(base))
      continue;
    if (elementsOf(base) * kSmallFactor <= elementsOf(value)) {
      step.small.push_back(base);
      continue;
    }
    if (!same || elementsOf(base) != elementsOf(value) ||
        (step.large && step.large != base))
      return {};
    step.large = base;
  }
  // Of what is small, a kernel can only store what has an element per row.
  auto isStorable = [&](Value small) {
    return isa<BlockArgument>(small) ||
           llvm::any_of(kernel.getBody().front(), [&](Operation &op) {
             auto reduce = dyn_cast<ReduceOp>(op);
             return reduce &&
                    elementsOf(reduce.getResult()) == elementsOf(small);
           });
  };
  if (!llvm::all_of(step.small, isStorable))
    return {};
  return step;
}

SmallVector<Value> KernelResults::chainOf(Value value) {
  SmallVector<Value> chain = {stripReshapes(value)};
  while (chain.size() <= kChainLength) {
    Value next = stepOf(chain.back()).large;
    if (!next)
      break;
    chain.push_back(next);
  }
  return chain;
}

/// Whether `user`, a kernel, may compute what it reads at `operand` by itself:
/// it is not the operand of a matmul, and no operation of its own kind
/// reads it.
static bool mayRecomputeIn(Operation *user, Value operand) {
  auto kernel = dyn_cast<spmd::KernelOp>(user);
  if (!kernel)
    return false;
  llvm::DenseSet<Value> dependent;
  for (auto [outside, inside] :
       llvm::zip_equal(kernel.getOperands(), kernel.getBody().getArguments()))
    if (outside == operand)
      dependent.insert(inside);
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (llvm::none_of(op.getOperands(),
                      [&](Value value) { return dependent.contains(value); }))
      continue;
    bool passes = isElementwise(&op) || getViewAccess(&op);
    if (!passes && !isa<ReduceOp>(op))
      return false;
    if (passes)
      dependent.insert(op.result_begin(), op.result_end());
  }
  return true;
}

/// A result whose chain goes through one that is stored anyway is computed from
/// it.
void KernelResults::deriveFromStored() {
  for (auto &[number, chain] : chains)
    for (Value value : ArrayRef(chain).drop_front())
      if (stored.contains(value)) {
        sources[number] = value;
        break;
      }
}

/// Of the others, those whose chains meet are computed from the value where all
/// of them do.
void KernelResults::deriveFromMeetingPoints() {
  llvm::MapVector<Value, SmallVector<unsigned>> byEnd;
  for (auto &[number, chain] : chains)
    if (!sources.contains(number))
      byEnd[chain.back()].push_back(number);
  for (auto &[end, numbers] : byEnd) {
    if (numbers.size() < 2)
      continue;
    auto meets = [&](Value value) {
      return llvm::all_of(numbers, [&](unsigned number) {
        return llvm::is_contained(chains[number], value);
      });
    };
    Value meeting = *llvm::find_if(chains[numbers.front()], meets);
    if (isa<BlockArgument>(meeting))
      continue;
    stored.insert(meeting);
    for (unsigned number : numbers)
      if (chains[number].front() != meeting)
        sources[number] = meeting;
  }
}

/// The small values that the chain from `value` to `source` reads.
static void forEachSmall(ArrayRef<Value> chain, Value source,
                         function_ref<Step(Value)> step,
                         function_ref<void(Value)> visit) {
  for (Value value : chain) {
    if (value == source)
      return;
    for (Value small : step(value).small)
      visit(small);
  }
}

void KernelResults::recompute() {
  auto yield = cast<spmd::YieldOp>(kernel.getBody().front().getTerminator());
  for (auto [number, result] : llvm::enumerate(kernel.getResults())) {
    Value value = yield.getOperand(number);
    Operation *producer = stripReshapes(value).getDefiningOp();
    bool candidate = producer && isElementwise(producer) &&
                     !result.use_empty() &&
                     llvm::all_of(result.getUsers(), [&](Operation *user) {
                       return mayRecomputeIn(user, result);
                     });
    if (candidate)
      chains[number] = chainOf(value);
    else
      stored.insert(stripReshapes(value));
  }
  deriveFromStored();
  deriveFromMeetingPoints();
  if (!sources.empty())
    rebuild();
}

/// The operand of `kernel` inside that equals `outside`; added if there is
/// none.
static Value operandOf(spmd::KernelOp kernel, Value outside) {
  for (auto [operand, inside] :
       llvm::zip_equal(kernel.getOperands(), kernel.getBody().getArguments()))
    if (operand == outside)
      return inside;
  kernel.getOperandsMutable().append(outside);
  return kernel.getBody().addArgument(outside.getType(), outside.getLoc());
}

/// Copies what `value` needs of another body to `builder`'s insertion point,
/// down to what `mapping` knows.
static Value copyExpression(OpBuilder &builder, Value value,
                            IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    copyExpression(builder, operand, mapping);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

static Value withType(OpBuilder &builder, Value value, Type type) {
  return value.getType() == type
             ? value
             : Value(ReshapeOp::create(builder, value.getLoc(), type, value));
}

/// Makes every kernel that reads `result` compute it from `source`, which the
/// kernel `rebuilt` stores or reads; whatever else the expression needs becomes
/// an operand of its reader. The result has no user afterwards.
void KernelResults::rewriteUsers(OpResult result, Value source,
                                 spmd::KernelOp rebuilt) {
  auto yield = cast<spmd::YieldOp>(rebuilt.getBody().front().getTerminator());
  auto outsideOf = [&](Value value) -> Value {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return rebuilt.getOperand(argument.getArgNumber());
    for (auto [yielded, outside] :
         llvm::zip_equal(yield.getOperands(), rebuilt.getResults()))
      if (stripReshapes(yielded) == value)
        return outside;
    llvm_unreachable("what others are computed from is stored");
  };
  ArrayRef<Value> chain = chains[result.getResultNumber()];
  llvm::SetVector<Operation *> users(result.user_begin(), result.user_end());
  for (Operation *op : users) {
    auto user = cast<spmd::KernelOp>(op);
    OpBuilder builder = OpBuilder::atBlockBegin(&user.getBody().front());
    IRMapping mapping;
    auto read = [&](Value value) {
      mapping.map(value, withType(builder, operandOf(user, outsideOf(value)),
                                  value.getType()));
    };
    read(source);
    forEachSmall(
        chain, source, [&](Value value) { return stepOf(value); }, read);
    Value inside =
        withType(builder, copyExpression(builder, chain.front(), mapping),
                 result.getType());
    for (unsigned i = user.getNumOperands(); i-- > 0;)
      if (user.getOperand(i) == result) {
        user.getBody().getArgument(i).replaceAllUsesWith(inside);
        user.getBody().eraseArgument(i);
        user.getOperandsMutable().erase(i);
      }
  }
}

/// Makes the kernel anew with the results that stay, those that others are
/// computed from, and the small values these need.
void KernelResults::rebuild() {
  auto yield = cast<spmd::YieldOp>(kernel.getBody().front().getTerminator());
  llvm::SetVector<Value> added;
  for (auto &[number, source] : sources) {
    added.insert(source);
    forEachSmall(
        chains[number], source, [&](Value value) { return stepOf(value); },
        [&](Value small) { added.insert(small); });
  }
  SmallVector<Value> yielded;
  SmallVector<unsigned> kept;
  for (unsigned number = 0; number < kernel.getNumResults(); ++number)
    if (!sources.contains(number)) {
      kept.push_back(number);
      yielded.push_back(yield.getOperand(number));
    }
  for (Value value : added)
    if (!isa<BlockArgument>(value) &&
        !llvm::is_contained(llvm::map_range(yielded, stripReshapes), value))
      yielded.push_back(value);
  OpBuilder builder(kernel);
  auto rebuilt = spmd::KernelOp::create(builder, kernel.getLoc(),
                                        TypeRange(ValueRange(yielded)),
                                        kernel.getOperands());
  rebuilt.getBody().takeBody(kernel.getBody());
  yield.getOperandsMutable().assign(yielded);
  for (auto [position, number] : llvm::enumerate(kept))
    kernel.getResult(number).replaceAllUsesWith(rebuilt.getResult(position));
  spmd::KernelOp old = kernel;
  kernel = rebuilt;
  for (auto &[number, source] : sources) {
    LDBG() << "result " << number << " of " << describeOperation(old)
           << ": its readers compute it from " << describeMaker(source);
    rewriteUsers(cast<OpResult>(old.getResult(number)), source, rebuilt);
  }
  old.erase();
}

/// Erases operations of a body that nobody reads any more.
static void eraseUnused(spmd::KernelOp kernel) {
  SmallVector<Operation *> operations;
  for (Operation &op : kernel.getBody().front().without_terminator())
    operations.push_back(&op);
  for (Operation *op : llvm::reverse(operations))
    if (op->use_empty())
      op->erase();
}

namespace {

struct RecomputeValues
    : public tessera::fuse::impl::RecomputeValuesBase<RecomputeValues> {
  void runOnOperation() override {
    SmallVector<spmd::KernelOp> kernels;
    getOperation().walk(
        [&](spmd::KernelOp kernel) { kernels.push_back(kernel); });
    for (spmd::KernelOp kernel : kernels)
      KernelResults(kernel).recompute();
    getOperation().walk([](spmd::KernelOp kernel) { eraseUnused(kernel); });
  }
};

} // namespace
