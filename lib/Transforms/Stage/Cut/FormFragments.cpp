//===- FormFragments.cpp - operations into fragments of stages ------------===//

#include "Cut/FormFragments.h"

#include "Cut/RemadeValues.h"
#include "Cut/StageTransfers.h"
#include "Step/Fragments.h"

#include "tessera/Dialect/Pipe/Pipe.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;
using pipe::FragmentOp;

namespace {

/// Builds the fragments of one step.
class FragmentBuilder {
public:
  FragmentBuilder(StepProgram &program, const StageLabels &assignment,
                  const Mesh &mesh)
      : program(program), assignment(assignment),
        builder(program.getFunction().getContext()), mesh(mesh),
        transfers(program, mesh, builder) {}

  void run();

private:
  FragmentOp makeFragment(pipe::FragmentKind kind, int64_t stage) {
    return createFragment(builder, program.getLoop().getLoc(), kind, stage);
  }
  void moveBody();
  void moveOnce();
  SmallVector<OpOperand *> boundaryResults() const;
  FragmentOp preparationOf(int64_t stage);
  Value copyInto(FragmentOp fragment, Value value);
  Value prepare(Value value, int64_t stage);
  void connectInitialValues();
  void connect(FragmentOp fragment);
  Value valueFor(FragmentOp fragment, Value value,
                 const DenseSet<Value> &remade);
  std::optional<int64_t> stageOf(Value value) const;
  /// The value of another stage that `value` is what a stage has of; itself of
  /// others.
  Value originOf(Value value) const {
    Value origin = origins.lookup(value);
    return origin ? origin : value;
  }
  bool isForeign(FragmentOp fragment, Value value);
  bool mayRead(FragmentOp fragment, Value value) const;
  Value remake(FragmentOp fragment, Value value, const DenseSet<Value> &remade);

  StepProgram &program;
  const StageLabels &assignment;
  OpBuilder builder;
  const Mesh &mesh;
  StageTransfers transfers;
  /// In the order of execution, but for the preparations.
  SmallVector<FragmentOp> fragments;
  std::map<int64_t, FragmentOp> preparations;
  DenseMap<std::pair<Operation *, Operation *>, Operation *> copies;
  DenseMap<std::pair<Operation *, int64_t>, Operation *> prepared;
  /// What stages have of values of others: these.
  DenseMap<Value, Value> origins;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is placed on one stage
//===----------------------------------------------------------------------===//

/// The kind of fragment that has operations of the loop's body.
static pipe::FragmentKind kindOf(Placement placement) {
  switch (placement) {
  case Placement::Backward:
    return pipe::FragmentKind::InputGradient;
  case Placement::VocabularyForward:
    return pipe::FragmentKind::VocabularyForward;
  case Placement::VocabularyBackward:
    return pipe::FragmentKind::VocabularyBackward;
  default:
    return pipe::FragmentKind::Forward;
  }
}

/// Moves the operations of the loop's body.
void FragmentBuilder::moveBody() {
  Block &body = *program.getLoop().getBody();
  std::map<std::pair<int64_t, pipe::FragmentKind>, FragmentOp> made;
  SmallVector<Operation *, 0> inOrder;
  for (Operation &op : body)
    if (program.contains(&op))
      inOrder.push_back(&op);
  builder.setInsertionPoint(body.getTerminator());
  auto make = [&](Placement placement, int64_t stage) {
    pipe::FragmentKind kind = kindOf(placement);
    fragments.push_back(made[{stage, kind}] = makeFragment(kind, stage));
  };
  auto isUsed = [&](Placement placement) {
    return llvm::any_of(
        inOrder, [&](Operation *op) { return program.is(op, placement); });
  };
  auto stages = llvm::seq<int64_t>(0, assignment.stages);
  for (int64_t stage : stages)
    make(Placement::Forward, stage);
  for (Placement placement :
       {Placement::VocabularyForward, Placement::VocabularyBackward})
    if (isUsed(placement))
      for (int64_t stage : stages)
        make(placement, stage);
  if (isUsed(Placement::Backward))
    for (int64_t stage : llvm::reverse(stages))
      make(Placement::Backward, stage);
  for (Operation *op : inOrder) {
    Placement placement = program.placementOf(op);
    if (placement == Placement::Number)
      op->moveBefore(fragments.front());
    else if (placement != Placement::Copied)
      op->moveBefore(made.at({assignment.stageOf.at(op), kindOf(placement)})
                         .getBody()
                         .front()
                         .getTerminator());
  }
}

static int64_t elementsOf(ValueRange values) {
  int64_t count = 0;
  for (Value value : values)
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      count += type.getNumElements();
  return count;
}

/// Moves `inOrder`, which run once, to the phase of what uses them first, if
/// that is on their stage and they make nothing smaller than what they read: a
/// momentum is decayed when what is added to it is there.
static void postpone(ArrayRef<Operation *> inOrder,
                     const StageLabels &assignment,
                     DenseMap<Operation *, int64_t> &phases) {
  for (Operation *op : llvm::reverse(inOrder)) {
    int64_t largest = 0;
    for (Value operand : op->getOperands())
      largest = std::max(largest, elementsOf(operand));
    if (op->use_empty() || elementsOf(op->getResults()) < largest)
      continue;
    std::optional<int64_t> first;
    for (Operation *user : op->getUsers()) {
      auto known = phases.find(user);
      bool isHere = known != phases.end() &&
                    assignment.stageOf.at(user) == assignment.stageOf.at(op);
      int64_t phase = isHere ? known->second : 0;
      first = std::min(first.value_or(phase), phase);
    }
    phases[op] = std::max(phases[op], *first);
  }
}

/// Moves what runs once behind the loop. An operation's *phase* is the number
/// of transfers that precede it; what has one phase on one stage is a fragment.
void FragmentBuilder::moveOnce() {
  DenseMap<Operation *, int64_t> phases;
  std::map<std::pair<int64_t, int64_t>, SmallVector<Operation *>> groups;
  SmallVector<Operation *> inOrder;
  for (Operation &op : program.getFunction().getBody().front())
    if (program.is(&op, Placement::Once))
      inOrder.push_back(&op);
  for (Operation *op : inOrder) {
    int64_t stage = assignment.stageOf.at(op);
    int64_t phase = 0;
    for (Value read : program.readsOf(op))
      if (Operation *maker = read.getDefiningOp(); phases.contains(maker))
        phase = std::max(phase, phases.at(maker) +
                                    (assignment.stageOf.at(maker) != stage));
    phases[op] = phase;
  }
  postpone(inOrder, assignment, phases);
  for (Operation *op : inOrder)
    groups[{phases[op], assignment.stageOf.at(op)}].push_back(op);
  Operation *end = program.getFunction().getBody().front().getTerminator();
  builder.setInsertionPoint(end);
  for (auto &[key, operations] : groups) {
    fragments.push_back(makeFragment(pipe::FragmentKind::Once, key.second));
    for (Operation *op : operations)
      op->moveBefore(fragments.back().getBody().front().getTerminator());
  }
  for (OpOperand *result : boundaryResults())
    if (result->getOwner() != end)
      result->getOwner()->moveBefore(end);
}

/// Where the program gives results or rows of them.
SmallVector<OpOperand *> FragmentBuilder::boundaryResults() const {
  SmallVector<OpOperand *> found;
  Operation *end = program.getFunction().getBody().front().getTerminator();
  for (OpOperand &operand : end->getOpOperands()) {
    Operation *maker = operand.get().getDefiningOp();
    if (!program.is(maker, Placement::Boundary))
      found.push_back(&operand);
    else if (isa<ConcatenateOp>(maker))
      for (OpOperand &row : maker->getOpOperands())
        found.push_back(&row);
  }
  return found;
}

//===----------------------------------------------------------------------===//
// What every stage makes for itself
//===----------------------------------------------------------------------===//

/// The fragment that prepares things for `stage` before the loop.
FragmentOp FragmentBuilder::preparationOf(int64_t stage) {
  FragmentOp &fragment = preparations[stage];
  if (!fragment) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(program.getLoop());
    fragment = makeFragment(pipe::FragmentKind::Once, stage);
  }
  return fragment;
}

/// The copy in `fragment` of `value`, which is copied. Copies stand before
/// everything else, or in a preparation where they are needed first.
Value FragmentBuilder::copyInto(FragmentOp fragment, Value value) {
  Operation *op = value.getDefiningOp();
  unsigned number = cast<OpResult>(value).getResultNumber();
  Operation *&known = copies[{fragment, op}];
  if (known)
    return known->getResult(number);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (program.is(operand.getDefiningOp(), Placement::Copied))
      mapping.map(operand, copyInto(fragment, operand));
    else if (program.is(operand.getDefiningOp(), Placement::Prepared))
      mapping.map(operand, prepare(operand, fragment.getStage()));
  Operation *copy = builder.clone(*op, mapping);
  copies[{fragment, op}] = copy;
  return copy->getResult(number);
}

/// `value`, which is copied or prepared, made for `stage` before the loop.
Value FragmentBuilder::prepare(Value value, int64_t stage) {
  Operation *op = value.getDefiningOp();
  unsigned number = cast<OpResult>(value).getResultNumber();
  FragmentOp fragment = preparationOf(stage);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(fragment.getBody().front().getTerminator());
  if (program.is(op, Placement::Copied))
    return copyInto(fragment, value);
  if (Operation *known = prepared.lookup({op, stage}))
    return known->getResult(number);
  IRMapping mapping;
  for (Value read : program.readsOf(op))
    if (Operation *maker = program.definingOperation(read))
      if (program.is(maker, Placement::Copied) ||
          program.is(maker, Placement::Prepared))
        mapping.map(read, prepare(read, stage));
  Operation *copy = builder.clone(*op, mapping);
  prepared[{op, stage}] = copy;
  return copy->getResult(number);
}

/// Makes what the loop carries first, and what its body hands on unchanged, on
/// the stage that carries it.
void FragmentBuilder::connectInitialValues() {
  scf::ForOp loop = program.getLoop();
  auto connectOperand = [&](OpOperand &operand, int64_t stage) {
    Operation *op = program.definingOperation(operand.get());
    if (program.is(op, Placement::Copied) ||
        program.is(op, Placement::Prepared))
      operand.set(prepare(operand.get(), stage));
  };
  for (auto [number, init] : llvm::enumerate(loop.getInitArgsMutable()))
    connectOperand(init, assignment.carriedBy[number]);
  for (auto [number, operand] :
       llvm::enumerate(loop.getBody()->getTerminator()->getOpOperands()))
    connectOperand(operand, assignment.carriedBy[number]);
  for (OpOperand *operand : boundaryResults())
    connectOperand(*operand, 0);
}

//===----------------------------------------------------------------------===//
// What passes between fragments
//===----------------------------------------------------------------------===//

/// The stage that has `value`; nothing if all do.
std::optional<int64_t> FragmentBuilder::stageOf(Value value) const {
  if (auto result = dyn_cast<OpResult>(value);
      result && result.getOwner() == program.getLoop())
    return assignment.carriedBy[result.getResultNumber()];
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  auto fragment = dyn_cast<FragmentOp>(op->getParentOp());
  return fragment ? std::optional<int64_t>(fragment.getStage()) : std::nullopt;
}

/// Whether `fragment` must get `value` from another stage.
bool FragmentBuilder::isForeign(FragmentOp fragment, Value value) {
  if (Operation *op = value.getDefiningOp();
      program.is(op, Placement::Prepared) || program.is(op, Placement::Copied))
    return false;
  std::optional<int64_t> source = stageOf(value);
  return source && *source != int64_t(fragment.getStage()) &&
         !transfers.arrivalOf(fragment, value);
}

/// Whether `fragment` may read `value`, which is not foreign, without a stage
/// getting a parameter for it that is another's.
bool FragmentBuilder::mayRead(FragmentOp fragment, Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return value.getDefiningOp() == program.getLoop() ||
           value.getDefiningOp()->getParentOfType<FragmentOp>() ||
           program.is(value.getDefiningOp(), Placement::Copied) ||
           program.is(value.getDefiningOp(), Placement::Prepared);
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  return argument.getOwner()->getParentOp() == program.getFunction() && type &&
         type.getNumElements() == 1;
}

/// `value`, which another stage has, made in `fragment` from what it is made
/// of.
Value FragmentBuilder::remake(FragmentOp fragment, Value value,
                              const DenseSet<Value> &remade) {
  IRMapping mapping;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    if (program.is(operand.getDefiningOp(), Placement::Copied))
      mapping.map(operand, copyInto(fragment, operand));
    else
      mapping.map(operand, valueFor(fragment, originOf(operand), remade));
  Value made = builder.clone(*op, mapping)->getResult(0);
  origins[made] = value;
  transfers.arrivalOf(fragment, value) = made;
  return made;
}

/// What `fragment` uses instead of `value`, which is made outside of it; made
/// where `builder` stands if it is one of `remade`.
Value FragmentBuilder::valueFor(FragmentOp fragment, Value value,
                                const DenseSet<Value> &remade) {
  int64_t stage = fragment.getStage();
  if (program.is(value.getDefiningOp(), Placement::Prepared))
    return prepare(value, stage);
  std::optional<int64_t> source = stageOf(value);
  if (!source || *source == stage)
    return value;
  if (Value known = transfers.arrivalOf(fragment, value))
    return known;
  if (remade.contains(value))
    return remake(fragment, value, remade);
  Value received = transfers.transfer(fragment, value, *source);
  origins[received] = value;
  return received;
}

/// The values that operations in `body` use and that are made elsewhere, be it
/// in another fragment.
static llvm::SetVector<Value> usedFromOutside(Region &body) {
  llvm::SetVector<Value> used;
  body.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!body.isAncestor(operand.getParentRegion()))
        used.insert(operand);
  });
  return used;
}

/// Makes `scalar` again where `builder` stands, from the elements of tensors
/// that it is made of.
static Value remakeScalar(OpBuilder &builder, Value scalar) {
  Operation *op = scalar.getDefiningOp();
  IRMapping operands;
  for (Value operand : op->getOperands())
    if (operand.getDefiningOp() && !isa<RankedTensorType>(operand.getType()))
      operands.map(operand, remakeScalar(builder, operand));
  return builder.clone(*op, operands)
      ->getResult(cast<OpResult>(scalar).getResultNumber());
}

/// Replaces what `fragment` uses from outside by what its stage has. Scalars,
/// which are not sent, are made of their tensors again.
void FragmentBuilder::connect(FragmentOp fragment) {
  Region &body = fragment.getBody();
  Operation *first = &body.front().front();
  for (Value value : usedFromOutside(body))
    if (Operation *op = value.getDefiningOp();
        op && !isa<RankedTensorType>(value.getType()) &&
        !program.is(op, Placement::Copied)) {
      builder.setInsertionPoint(first);
      replaceAllUsesInRegionWith(value, remakeScalar(builder, value), body);
    }
  for (Value value : usedFromOutside(body))
    if (program.is(value.getDefiningOp(), Placement::Copied)) {
      builder.setInsertionPoint(first);
      replaceAllUsesInRegionWith(value, copyInto(fragment, value), body);
    }
  SmallVector<Value> foreign;
  for (Value value : usedFromOutside(body))
    if (isForeign(fragment, value))
      foreign.push_back(value);
  DenseSet<Value> remade =
      RemadeValues(
          mesh, [&](Value value) { return isForeign(fragment, value); },
          [&](Value value) { return mayRead(fragment, value); },
          [&](Value value) { return originOf(value); })
          .choose(foreign);
  builder.setInsertionPoint(first);
  for (Value value : usedFromOutside(body)) {
    Value local = valueFor(fragment, value, remade);
    if (local != value)
      replaceAllUsesInRegionWith(value, local, body);
  }
}

void FragmentBuilder::run() {
  moveBody();
  moveOnce();
  for (FragmentOp fragment : fragments)
    connect(fragment);
  // What others make again for themselves may be needed nowhere else.
  for (FragmentOp fragment : llvm::reverse(fragments))
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(fragment.getBody().front())))
      if (isOpTriviallyDead(&op))
        op.erase();
  connectInitialValues();
  for (auto &[stage, fragment] : preparations)
    exportResults(fragment);
  for (auto &[stage, fragment] : transfers.getSenders())
    exportResults(fragment);
  for (FragmentOp fragment : fragments)
    exportResults(fragment);
  program.eraseUnused({Placement::Copied, Placement::Prepared});
}

void tessera::stage::formFragments(StepProgram &program,
                                   const StageLabels &assignment,
                                   const Mesh &mesh) {
  FragmentBuilder(program, assignment, mesh).run();
}
