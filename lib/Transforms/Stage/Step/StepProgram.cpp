//===- StepProgram.cpp - a step over microbatches, before it is cut -------===//

#include "Step/StepProgram.h"

#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

StepProgram::StepProgram(const pipe::Step &step,
                         const DenseSet<Operation *> &boundary)
    : Step(step) {
  simplify();
  takeFragmentsApart();
  collect();
  for (Operation *op : operations)
    if (boundary.contains(op))
      placements[op] = Placement::Boundary;
  findNeeded();
  classifyFree();
  classifyBeforeLoop();
  recordParameters();
  classifyBody();
  findSums();
}

Operation *StepProgram::definingOperation(Value value) const {
  Operation *op = value.getDefiningOp();
  return contains(op) ? op : nullptr;
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

static void eraseDead(Block &block, scf::ForOp kept) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (&op != kept && isOpTriviallyDead(&op))
      op.erase();
}

void StepProgram::simplify() {
  eraseDead(*loop.getBody(), loop);
  eraseDead(function.getBody().front(), loop);
  moveLoopInvariantCode(loop);
}

/// Puts the operations of fragments back into the body, and notes where they
/// belong.
void StepProgram::takeFragmentsApart() {
  for (auto fragment :
       llvm::make_early_inc_range(loop.getBody()->getOps<pipe::FragmentOp>())) {
    bool isForward =
        fragment.getKind() == pipe::FragmentKind::VocabularyForward;
    Block &block = fragment.getBody().front();
    for (Operation &op :
         llvm::make_early_inc_range(block.without_terminator())) {
      placements[&op] = isForward ? Placement::VocabularyForward
                                  : Placement::VocabularyBackward;
      vocabularyParts.push_back({&op, int64_t(fragment.getStage())});
      op.moveBefore(fragment);
    }
    fragment->replaceAllUsesWith(block.getTerminator()->getOperands());
    fragment.erase();
  }
}

void StepProgram::collect() {
  auto collectBlock = [&](Block &block) {
    for (Operation &op : block.without_terminator())
      if (&op != loop)
        operations.push_back(&op);
  };
  for (Operation &op : function.getBody().front().without_terminator())
    if (&op == loop)
      collectBlock(*loop.getBody());
    else
      operations.push_back(&op);
  for (Operation *op : operations)
    updateReads(op);
}

void StepProgram::updateReads(Operation *op) {
  llvm::SetVector<Value> values = pipe::readsOf(op);
  reads[op].assign(values.begin(), values.end());
}

void StepProgram::add(Operation *op, Placement placement) {
  placements[op] = placement;
  operations.push_back(op);
  updateReads(op);
}

void StepProgram::eraseUnused(ArrayRef<Placement> kinds) {
  for (Operation *&op : llvm::reverse(operations)) {
    if (!llvm::is_contained(kinds, placements.at(op)) || !op->use_empty())
      continue;
    placements.erase(op);
    reads.erase(op);
    for (Value result : op->getResults())
      parameters.erase(result);
    arguments.erase(op);
    op->erase();
    op = nullptr;
  }
  llvm::erase_if(operations, [](Operation *op) { return !op; });
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void StepProgram::recordParameters() {
  for (Value argument : function.getArguments())
    parameters[argument] = {argument};
  for (Operation *op : operations)
    if (is(op, Placement::Copied) || is(op, Placement::Prepared))
      recordParameters(op);
    else if (is(op, Placement::Boundary))
      parameters[op->getResult(0)] = {op->getResult(0)};
}

void StepProgram::recordParameters(Operation *op) {
  llvm::SetVector<Value> found;
  llvm::SetVector<Value> direct;
  bool isOfBatch = takesMicrobatch(op);
  for (Value read : reads[op])
    if (!isOfBatch || read != op->getOperand(0)) {
      found.insert_range(argumentsOf(read));
      direct.insert_range(parametersOf(read));
    }
  arguments[op].assign(found.begin(), found.end());
  for (Value result : op->getResults()) {
    if (placements.at(op) == Placement::Copied)
      parameters[result].assign(direct.begin(), direct.end());
    else if (!found.empty())
      parameters[result] = {result};
  }
}

ArrayRef<Value> StepProgram::parametersOf(Value value) const {
  auto known = parameters.find(value);
  return known == parameters.end() ? ArrayRef<Value>()
                                   : ArrayRef<Value>(known->second);
}

bool StepProgram::isArgument(Value value) const {
  func::FuncOp owner = getFunction();
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == &owner.getBody().front();
  return is(value.getDefiningOp(), Placement::Boundary);
}

SmallVector<Donation> StepProgram::donations() const {
  SmallVector<Donation> found;
  func::FuncOp owner = getFunction();
  Operation *end = owner.getBody().front().getTerminator();
  for (BlockArgument argument : owner.getArguments()) {
    std::optional<unsigned> donated = getDonatedResult(argument);
    if (!donated)
      continue;
    OpOperand &result = end->getOpOperand(*donated);
    Operation *maker = result.get().getDefiningOp();
    if (!is(maker, Placement::Boundary)) {
      found.push_back({argument, &result});
      continue;
    }
    int64_t dim = cast<ConcatenateOp>(maker).getDim();
    DenseMap<int64_t, OpOperand *> byBegin;
    int64_t begin = 0;
    for (OpOperand &piece : maker->getOpOperands()) {
      byBegin[begin] = &piece;
      begin += cast<RankedTensorType>(piece.get().getType()).getDimSize(dim);
    }
    for (Operation *user : argument.getUsers())
      if (auto piece = dyn_cast<SliceOp>(user);
          piece && is(piece, Placement::Boundary))
        found.push_back({piece, byBegin.at(piece.getStarts()[dim])});
  }
  return found;
}

ArrayRef<Value> StepProgram::argumentsOf(Value value) const {
  if (isArgument(value))
    return parametersOf(value);
  auto known = arguments.find(value.getDefiningOp());
  return known == arguments.end() ? ArrayRef<Value>()
                                  : ArrayRef<Value>(known->second);
}
