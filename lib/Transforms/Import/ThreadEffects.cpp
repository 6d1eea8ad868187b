//===- ThreadEffects.cpp - effects happen once, in their order ------------===//
//
// Values have no effects: what nobody reads may go, what is cheap may be
// computed again, and equal computations are one. A call with an effect (of
// `print` in Python) therefore takes a number, the order of effects, and gives
// the next one, which is a result of the program in the end. So every call is
// read, no two are equal, and who does the effect knows by the number whether
// it has done it already: on another device, or before the value was computed
// again.
//
// Loops carry the number, branches give it. One walk in program order.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tessera/LibraryCalls.h"
#include "tessera/Transforms/Import/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::importer {
#define GEN_PASS_DEF_THREADEFFECTS
#include "tessera/Transforms/Import/Passes.h.inc"
} // namespace tessera::importer

#define DEBUG_TYPE "tessera-thread-effects"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

static FailureOr<Value> threadThrough(Block &block, Value order,
                                      RewriterBase &rewriter);

/// `loop`, with `order` among the values that it carries.
static Operation *carryOrder(scf::ForOp loop, Value order,
                             RewriterBase &rewriter) {
  FailureOr<LoopLikeOpInterface> carrying = loop.replaceWithAdditionalYields(
      rewriter, order, /*replaceInitOperandUsesInLoop=*/false,
      [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
        return SmallVector<Value>(arguments.begin(), arguments.end());
      });
  assert(succeeded(carrying) && "a loop carries whatever it is given");
  return *carrying;
}

/// The same. The condition hands it on.
static Operation *carryOrder(scf::WhileOp loop, Value order,
                             RewriterBase &rewriter) {
  SmallVector<Type> types(loop.getResultTypes());
  types.push_back(order.getType());
  SmallVector<Value> inits(loop.getInits());
  inits.push_back(order);
  auto carrying = scf::WhileOp::create(rewriter, loop.getLoc(), types, inits);
  for (auto [from, to] :
       llvm::zip_equal(loop->getRegions(), carrying->getRegions())) {
    to.takeBody(from);
    Value carried = to.front().addArgument(order.getType(), loop.getLoc());
    Operation *end = to.front().getTerminator();
    end->insertOperands(end->getNumOperands(), carried);
  }
  rewriter.replaceOp(loop, carrying.getResults().drop_back());
  return carrying;
}

/// `scf.for` and `scf.while`, whose condition has no effects.
static FailureOr<Value> threadThroughLoop(Operation *loop, Value order,
                                          RewriterBase &rewriter) {
  if (auto whileOp = dyn_cast<scf::WhileOp>(loop))
    for (Operation &op : *whileOp.getBeforeBody())
      if (holdsEffect(&op))
        return emitError(op.getLoc())
               << "expected no effects in the condition of a loop, got a call "
                  "of Python";
  rewriter.setInsertionPoint(loop);
  Operation *carrying =
      isa<scf::WhileOp>(loop)
          ? carryOrder(cast<scf::WhileOp>(loop), order, rewriter)
          : carryOrder(cast<scf::ForOp>(loop), order, rewriter);
  Block &body = carrying->getRegions().back().front();
  FailureOr<Value> last =
      threadThrough(body, body.getArguments().back(), rewriter);
  if (failed(last))
    return failure();
  Operation *yield = body.getTerminator();
  yield->setOperand(yield->getNumOperands() - 1, *last);
  return Value(carrying->getResults().back());
}

/// `scf.if` and `scf.index_switch`: each branch gives the number behind it.
static FailureOr<Value> threadThroughBranches(Operation *op, Value order,
                                              RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  OperationState state(op->getLoc(), op->getName(), op->getOperands(),
                       op->getResultTypes(), op->getAttrs());
  state.addTypes(order.getType());
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  state.propertiesAttr = op->getPropertiesAsAttribute();
  Operation *choice = rewriter.create(state);
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), choice->getRegions())) {
    to.takeBody(from);
    if (to.empty()) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.createBlock(&to);
      scf::YieldOp::create(rewriter, op->getLoc(), ValueRange());
    }
    FailureOr<Value> last = threadThrough(to.front(), order, rewriter);
    if (failed(last))
      return failure();
    Operation *yield = to.front().getTerminator();
    yield->insertOperands(yield->getNumOperands(), *last);
  }
  rewriter.replaceOp(op, choice->getResults().drop_back());
  return Value(choice->getResults().back());
}

/// Gives `order` to the first call with an effect in `block`, and so on.
/// Returns the number behind the last.
static FailureOr<Value> threadThrough(Block &block, Value order,
                                      RewriterBase &rewriter) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (hasEffect(&op)) {
      op.setOperand(op.getNumOperands() - 1, order);
      order = op.getResults().back();
      continue;
    }
    if (op.getNumRegions() == 0 || !holdsEffect(&op))
      continue;
    FailureOr<Value> next = failure();
    if (isa<scf::ForOp, scf::WhileOp>(op))
      next = threadThroughLoop(&op, order, rewriter);
    else if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
      next = threadThroughBranches(&op, order, rewriter);
    else
      emitError(op.getLoc())
          << "expected no effects in '" << op.getName()
          << "', got a call of Python; call it outside of the region";
    if (failed(next))
      return failure();
    order = *next;
  }
  return order;
}

namespace {

class ThreadEffects : public importer::impl::ThreadEffectsBase<ThreadEffects> {
public:
  using ThreadEffectsBase::ThreadEffectsBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && holdsEffect(function) &&
          failed(thread(function)))
        return signalPassFailure();
  }

private:
  /// Adds the number of effects to the results of `function`.
  LogicalResult thread(func::FuncOp function) {
    Block &body = function.getBody().front();
    IRRewriter rewriter(&getContext());
    rewriter.setInsertionPointToStart(&body);
    auto type = RankedTensorType::get({}, rewriter.getI32Type());
    Value zero = arith::ConstantOp::create(rewriter, function.getLoc(),
                                           rewriter.getZeroAttr(type));
    FailureOr<Value> last = threadThrough(body, zero, rewriter);
    if (failed(last))
      return failure();
    Operation *end = body.getTerminator();
    end->insertOperands(end->getNumOperands(), *last);
    LDBG() << "@" << function.getName()
           << " has effects: their number is result "
           << function.getNumResults();
    auto named = rewriter.getNamedAttr(TesseraDialect::kNameAttr,
                                       rewriter.getStringAttr("effects"));
    return function.insertResult(function.getNumResults(), type,
                                 rewriter.getDictionaryAttr(named));
  }
};

} // namespace
