//===- UnstackArguments.cpp - arguments of several stages, in pieces ------===//
//
// Takes apart what `ArgumentPieces` finds. Pieces are rows of what is stacked
// for layers, or parts of a parameter that ranks have of an output layer that
// is spread over them. Values in between that something needs whole are put
// together there.
//
//===----------------------------------------------------------------------===//

#include "Arguments/UnstackArguments.h"

#include "Arguments/ArgumentPieces.h"
#include "Layers/StackRows.h"
#include "Layers/StackWrites.h"

#include "tessera/Dialect/Tessera/CombineValues.h"
#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Interfaces/LocalComputationInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

namespace {

/// Takes arguments, and the values that are stacked like them, apart into one
/// value per piece.
class ArgumentUnstacking {
public:
  ArgumentUnstacking(func::FuncOp main, scf::ForOp loop,
                     const ArgumentPieces &found)
      : main(main), loop(loop), found(found) {}

  DenseSet<Operation *> run();

private:
  Value makePiece(OpBuilder &builder, Value value, const Cut &cut,
                  size_t piece);
  SmallVector<Value> makePieces(OpBuilder &builder, Value value,
                                const Cut &cut);
  SmallVector<Value> piecesFor(OpBuilder &builder, Value value, const Cut &cut);
  void takeArgumentsApart();
  void replaceSlices(Value value);
  void replaceSlice(Operation *slice, const Cut &cut, size_t piece);
  void computeByPieces(Operation *op, const PieceRule &rule);
  Value putTogether(OpBuilder &builder, Value value);
  void rewriteAround();
  void putResultsTogether();
  void putRestTogether();

  func::FuncOp main;
  scf::ForOp loop;
  const ArgumentPieces &found;
  DenseMap<Value, SmallVector<Value>> pieces;
  DenseSet<Operation *> boundary;
};

} // namespace

//===----------------------------------------------------------------------===//
// Taking apart
//===----------------------------------------------------------------------===//

/// Slices a piece off `value`.
Value ArgumentUnstacking::makePiece(OpBuilder &builder, Value value,
                                    const Cut &cut, size_t piece) {
  RankedTensorType type = cut.typeOf(value, piece);
  SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape()),
      strides(type.getRank(), 1);
  starts[cut.dim] = cut.begin(piece);
  limits[cut.dim] = cut.ends[piece];
  auto slice = SliceOp::create(builder, value.getLoc(), type, value, starts,
                               limits, strides);
  setSharding(slice, getSharding(value));
  return slice;
}

/// New pieces of `value`: of a constant, constants.
SmallVector<Value> ArgumentUnstacking::makePieces(OpBuilder &builder,
                                                  Value value, const Cut &cut) {
  SmallVector<Value> made;
  Operation *maker = value.getDefiningOp();
  bool isSplat = maker && maker->hasTrait<OpTrait::ConstantLike>() &&
                 found.pieceRule(maker, 0, cut);
  for (size_t piece = 0; piece < cut.pieces(); ++piece) {
    if (isSplat && piece && cut.size(piece) == cut.size(piece - 1)) {
      made.push_back(made.back());
    } else if (isSplat) {
      made.push_back(
          createLocalOperation(builder, maker, {}, cut.typeOf(value, piece))
              ->getResult(0));
      setSharding(made.back(), getSharding(value));
    } else if (cut.isRows()) {
      made.push_back(takeRow(builder, value, int64_t(piece)));
    } else {
      made.push_back(makePiece(builder, value, cut, piece));
    }
  }
  return made;
}

/// The pieces of `value`, which has been taken apart before or is now.
SmallVector<Value> ArgumentUnstacking::piecesFor(OpBuilder &builder,
                                                 Value value, const Cut &cut) {
  if (auto known = pieces.find(value);
      known != pieces.end() && known->second.size() == cut.pieces() &&
      known->second.front().getType() == cut.typeOf(value, 0))
    return known->second;
  SmallVector<Value> made = makePieces(builder, value, cut);
  pieces.try_emplace(value, made);
  return made;
}

/// Replaces a slice of an argument by the piece, or by the same part of it.
void ArgumentUnstacking::replaceSlice(Operation *slice, const Cut &cut,
                                      size_t piece) {
  OpBuilder builder(slice);
  Value result = slice->getResult(0),
        taken = pieces[slice->getOperand(0)][piece];
  Value part = taken;
  if (result.getType() != taken.getType()) {
    Operation *copy = builder.clone(*slice);
    copy->setOperand(0, taken);
    if (auto fixed = dyn_cast<SliceOp>(copy)) {
      SmallVector<int64_t> starts(fixed.getStarts()), limits(fixed.getLimits());
      starts[cut.dim] -= cut.begin(piece);
      limits[cut.dim] -= cut.begin(piece);
      fixed.setStarts(starts);
      fixed.setLimits(limits);
    }
    part = copy->getResult(0);
  }
  if (ShardingAttr sharding = getSharding(result))
    part = withShardingOf(builder, part, result);
  result.replaceAllUsesWith(part);
  slice->erase();
}

/// Replaces slices of `value` that take from one piece.
void ArgumentUnstacking::replaceSlices(Value value) {
  const Cut &cut = found.cutOf(value);
  for (Operation *user : llvm::to_vector(value.getUsers()))
    if (user->getOperand(0) == value && !boundary.contains(user))
      if (std::optional<size_t> piece = pieceTakenBy(user, cut))
        replaceSlice(user, cut, *piece);
}

void ArgumentUnstacking::takeArgumentsApart() {
  OpBuilder builder = OpBuilder::atBlockBegin(&main.getBody().front());
  for (BlockArgument argument : main.getArguments())
    if (found.contains(argument))
      for (Value piece : piecesFor(builder, argument, found.cutOf(argument)))
        boundary.insert(piece.getDefiningOp());
}

/// What `op` gives where that is constant, as rows that were padded with zeros
/// added up are; otherwise its own result.
static Value foldConstants(OpBuilder &builder, Operation *op) {
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    if (!matchPattern(operand, m_Constant(&operands.emplace_back())))
      return op->getResult(0);
  SmallVector<OpFoldResult> folded;
  if (op->getNumResults() != 1 || operands.empty() ||
      failed(op->fold(operands, folded)) || folded.empty())
    return op->getResult(0);
  auto value = dyn_cast_if_present<TypedAttr>(dyn_cast<Attribute>(folded[0]));
  if (!value)
    return op->getResult(0);
  Value made = arith::ConstantOp::create(builder, op->getLoc(), value);
  setSharding(made, getSharding(op->getResult(0)));
  op->erase();
  return made;
}

/// Does `op` for each piece; what it reduces over pieces takes the place of its
/// result.
void ArgumentUnstacking::computeByPieces(Operation *op, const PieceRule &rule) {
  OpBuilder builder(op);
  const Cut &cut =
      rule.operands.empty() ? rule.results[0] : rule.operands.front().second;
  SmallVector<SmallVector<Value>> given, made(op->getNumResults());
  for (auto &[operand, along] : rule.operands)
    given.push_back(piecesFor(builder, op->getOperand(operand), along));
  for (size_t piece = 0; piece < cut.pieces(); ++piece) {
    // Without operands, pieces of one size are the same.
    if (given.empty() && piece && cut.size(piece) == cut.size(piece - 1)) {
      for (SmallVector<Value> &list : made)
        list.push_back(list.back());
      continue;
    }
    SmallVector<Value> operands(op->getOperands());
    for (auto [operand, list] : llvm::zip_equal(rule.operands, given))
      operands[operand.first] = list[piece];
    SmallVector<Type> types;
    for (auto [number, result] : llvm::enumerate(op->getResults()))
      types.push_back(rule.reduction
                          ? result.getType()
                          : Type(rule.results[number].typeOf(result, piece)));
    Operation *copy = createLocalOperation(builder, op, operands, types);
    for (auto [result, copied, list] :
         llvm::zip_equal(op->getResults(), copy->getResults(), made)) {
      setSharding(copied, getSharding(result));
      list.push_back(copied);
    }
    if (Value only = foldConstants(builder, copy); made.size() == 1)
      made[0].back() = only;
  }
  if (!rule.reduction) {
    for (auto [result, list] : llvm::zip_equal(op->getResults(), made))
      pieces[result] = std::move(list);
    return;
  }
  Value total = made[0].front();
  for (Value next : ArrayRef(made[0]).drop_front()) {
    total = combineValues(builder, op->getLoc(), *rule.reduction, total, next);
    setSharding(total, getSharding(op->getResult(0)));
  }
  op->getResult(0).replaceAllUsesWith(total);
}

void ArgumentUnstacking::rewriteAround() {
  SmallVector<Operation *, 0> inOrder;
  for (Operation &op : main.getBody().front())
    inOrder.push_back(&op);
  for (Operation *op : inOrder) {
    if (const PieceRule *rule = found.ruleOf(op)) {
      computeByPieces(op, *rule);
      continue;
    }
    if (op->getNumResults() != 1 || !found.contains(op->getResult(0)))
      continue;
    Value value = op->getResult(0);
    // In front of it, so that what puts the pieces together may follow at once.
    OpBuilder builder(op);
    for (Value piece : found.piecesWritten(value, found.cutOf(value)))
      pieces[value].push_back(withShardingOf(builder, piece, value));
  }
  for (const auto &[value, cut] : found.values())
    replaceSlices(value);
}

//===----------------------------------------------------------------------===//
// Putting together
//===----------------------------------------------------------------------===//

Value ArgumentUnstacking::putTogether(OpBuilder &builder, Value value) {
  auto made = ConcatenateOp::create(builder, value.getLoc(), value.getType(),
                                    pieces.at(value), found.cutOf(value).dim);
  setSharding(made, getSharding(value));
  return made;
}

/// Makes the results that consist of pieces, unless the argument whose memory
/// they take is whole.
void ArgumentUnstacking::putResultsTogether() {
  Operation *end = main.getBody().front().getTerminator();
  DenseSet<int64_t> forWhole;
  for (BlockArgument argument : main.getArguments())
    if (std::optional<unsigned> donated = getDonatedResult(argument);
        donated && !found.contains(argument))
      forWhole.insert(*donated);
  OpBuilder builder(end);
  for (OpOperand &operand : end->getOpOperands()) {
    if (!found.contains(operand.get()) ||
        forWhole.contains(operand.getOperandNumber()))
      continue;
    Value made = putTogether(builder, operand.get());
    boundary.insert(made.getDefiningOp());
    operand.set(made);
  }
}

/// Puts together what something needs whole, and removes what nothing needs.
void ArgumentUnstacking::putRestTogether() {
  for (const auto &[value, cut] : found.values()) {
    Operation *op = value.getDefiningOp();
    if (!op)
      continue;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses())
      if (!found.usesPieces(use) &&
          (use.getOwner()->getNumResults() == 0 ||
           !found.contains(use.getOwner()->getResult(0))))
        uses.push_back(&use);
    if (uses.empty())
      continue;
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    Value made = putTogether(builder, value);
    for (OpOperand *use : uses)
      use->set(made);
  }
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(main.getBody().front())))
    if (&op != loop && isOpTriviallyDead(&op)) {
      boundary.erase(&op);
      op.erase();
    }
}

DenseSet<Operation *> ArgumentUnstacking::run() {
  if (found.values().empty())
    return {};
  takeArgumentsApart();
  rewriteAround();
  putResultsTogether();
  putRestTogether();
  return std::move(boundary);
}

DenseSet<Operation *>
tessera::stage::unstackArguments(func::FuncOp main, scf::ForOp microbatches) {
  moveLoopInvariantCode(microbatches);
  ArgumentPieces found(main, microbatches);
  return ArgumentUnstacking(main, microbatches, found).run();
}
