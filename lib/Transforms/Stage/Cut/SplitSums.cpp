//===- SplitSums.cpp - an accumulator for every stage that adds -----------===//

#include "Cut/FormFragments.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Tessera/CarriedValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

namespace {

/// The parts of one carried value that one stage computes.
struct StageShare {
  unsigned carried;
  int64_t stage;
  SmallVector<Value> parts;
};

/// Splits the sums of a loop.
class SumSplitter {
public:
  SumSplitter(StepProgram &program, StageLabels &assignment)
      : program(program), assignment(assignment) {}

  void run();

private:
  SmallVector<StageShare> sharesOf(unsigned carried) const;
  void keepTogether(unsigned carried, int64_t stage);
  Value accumulate(OpBuilder &builder, const StageShare &share, Value sum);
  Operation *addLike(OpBuilder &builder, Operation *addition, Value a, Value b);
  void addUp(unsigned carried, ArrayRef<Value> others);
  void replaceLoop(ArrayRef<StageShare> moved);

  StepProgram &program;
  StageLabels &assignment;
  /// Per carried value that is split, the addition that yields it.
  DenseMap<unsigned, Operation *> additions;
};

} // namespace

/// The parts of a carried value by stage; the share that stays with it first.
SmallVector<StageShare> SumSplitter::sharesOf(unsigned carried) const {
  llvm::MapVector<int64_t, SmallVector<Value>> byStage;
  int64_t home = assignment.carriedBy[carried];
  SmallVector<Value> anywhere;
  for (Value part : program.getSums()[carried].parts) {
    Operation *maker = program.definingOperation(part);
    if (maker && assignment.stageOf.contains(maker))
      byStage[assignment.stageOf.at(maker)].push_back(part);
    else
      anywhere.push_back(part);
  }
  if (byStage.empty())
    byStage[home];
  if (!byStage.contains(home))
    home = byStage.front().first;
  SmallVector<StageShare> shares = {{carried, home, byStage[home]}};
  llvm::append_range(shares.front().parts, anywhere);
  for (auto &[stage, parts] : byStage)
    if (stage != home)
      shares.push_back({carried, stage, parts});
  return shares;
}

/// Lets the additions of a carried value run on `stage`.
void SumSplitter::keepTogether(unsigned carried, int64_t stage) {
  assignment.carriedBy[carried] = stage;
  SmallVector<Value> stack = {program.getLoop().getYieldedValues()[carried]};
  while (!stack.empty()) {
    Operation *op = stack.pop_back_val().getDefiningOp();
    if (!program.is(op, Placement::Sum))
      continue;
    program.place(op, Placement::Backward);
    assignment.stageOf[op] = stage;
    llvm::append_range(stack, op->getOperands());
  }
}

/// `a` + `b` with all that is said of `addition`.
Operation *SumSplitter::addLike(OpBuilder &builder, Operation *addition,
                                Value a, Value b) {
  Operation *copy = builder.clone(*addition);
  copy->setOperands({a, b});
  return copy;
}

/// `sum` and all parts of the share.
Value SumSplitter::accumulate(OpBuilder &builder, const StageShare &share,
                              Value sum) {
  Operation *addition = additions.at(share.carried);
  auto add = [&](Value a, Value b) {
    Operation *op = addLike(builder, addition, a, b);
    program.add(op, Placement::Backward);
    assignment.stageOf[op] = share.stage;
    return op->getResult(0);
  };
  Value total = share.parts.front();
  for (Value part : ArrayRef(share.parts).drop_front())
    total = add(total, part);
  return add(sum, total);
}

/// Adds what other stages have accumulated to a carried value, after the loop.
void SumSplitter::addUp(unsigned carried, ArrayRef<Value> others) {
  scf::ForOp loop = program.getLoop();
  OpBuilder builder(loop);
  builder.setInsertionPointAfter(loop);
  Value result = loop.getResult(carried), total = result;
  SmallPtrSet<Operation *, 4> made;
  for (Value other : others) {
    Operation *op = addLike(builder, additions.at(carried), total, other);
    program.add(op, Placement::Once);
    assignment.stageOf[op] = assignment.carriedBy[carried];
    made.insert(op);
    total = op->getResult(0);
  }
  result.replaceAllUsesExcept(total, made);
}

/// Replaces the loop by one that also carries the shares `moved`.
void SumSplitter::replaceLoop(ArrayRef<StageShare> moved) {
  scf::ForOp loop = program.getLoop();
  OpBuilder builder(loop);
  SmallVector<Value> zeros;
  for (const StageShare &share : moved) {
    zeros.push_back(
        makeZero(builder, additions.at(share.carried)->getResult(0)));
    program.add(zeros.back().getDefiningOp(), Placement::Copied);
  }
  unsigned firstNew = loop.getNumResults();
  scf::ForOp newLoop =
      replaceCarried(loop, llvm::BitVector(firstNew), zeros,
                     [&](OpBuilder &inLoop, ValueRange sums) {
                       SmallVector<Value> yielded;
                       for (auto [share, sum] : llvm::zip_equal(moved, sums))
                         yielded.push_back(accumulate(inLoop, share, sum));
                       return yielded;
                     });
  program.setLoop(newLoop);
  llvm::MapVector<unsigned, SmallVector<Value>> others;
  for (auto [number, share] : llvm::enumerate(moved)) {
    assignment.carriedBy.push_back(share.stage);
    others[share.carried].push_back(newLoop.getResult(firstNew + number));
  }
  for (auto &[carried, values] : others)
    addUp(carried, values);
}

void SumSplitter::run() {
  SmallVector<StageShare> moved;
  scf::ForOp loop = program.getLoop();
  for (unsigned carried = 0; carried < loop.getNumResults(); ++carried) {
    if (program.getSums()[carried].parts.empty())
      continue;
    SmallVector<StageShare> shares = sharesOf(carried);
    if (shares.size() == 1) {
      keepTogether(carried, shares.front().stage);
      continue;
    }
    Operation *addition = loop.getYieldedValues()[carried].getDefiningOp();
    additions[carried] = addition;
    OpBuilder builder(loop.getBody()->getTerminator());
    assignment.carriedBy[carried] = shares.front().stage;
    Value sum =
        accumulate(builder, shares.front(), loop.getRegionIterArg(carried));
    loop.getBody()->getTerminator()->setOperand(carried, sum);
    llvm::append_range(moved, ArrayRef(shares).drop_front());
  }
  if (!moved.empty())
    replaceLoop(moved);
  program.eraseUnused(Placement::Sum);
}

void tessera::stage::splitSums(StepProgram &program, StageLabels &assignment) {
  SumSplitter(program, assignment).run();
}
