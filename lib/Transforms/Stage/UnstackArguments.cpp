//===- UnstackArguments.cpp - arguments of layers, each by itself ---------===//
//
// Which values are taken apart is found first, without changing anything. It
// begins with the arguments whose rows are taken one by one and grows over what
// stands around the loop, forwards and backwards, by sharding rules: an
// operation can be done row by row if the leading dimensions of all its tensors
// that have the factor of the rows are that factor and nothing else. An
// argument that something else needs whole, or whose new value is not made of
// rows, is not taken apart, nor is what only it would have brought along: the
// growth begins anew without it until nothing contradicts.
//
// Values in between that something needs whole are put together there.
//
//===----------------------------------------------------------------------===//

#include "UnstackArguments.h"

#include "ConstantIndices.h"
#include "StackRows.h"
#include "StackWrites.h"

#include "tessera/Dialect/Tessera/CombineValues.h"
#include "tessera/Interfaces/LocalComputationInterface.h"
#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;

static RankedTensorType tensorType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

/// The number of rows of `value` if each device has all of them; otherwise 0.
static int64_t rowsOf(Value value) {
  RankedTensorType type = tensorType(value);
  if (!type || type.getRank() == 0)
    return 0;
  ShardingAttr sharding = getSharding(value);
  bool isSplit = sharding && !sharding.getValue().dims[0].axes.empty();
  return isSplit ? 0 : type.getDimSize(0);
}

/// The row of which `op` takes a part or all, if it takes one row of its first
/// operand.
static std::optional<int64_t> rowTakenBy(Operation *op) {
  if (!isa<SliceOp, DynamicSliceOp>(op))
    return std::nullopt;
  RankedTensorType type = tensorType(op->getResult(0)),
                   whole = tensorType(op->getOperand(0));
  if (type.getRank() == 0 || type.getDimSize(0) != 1)
    return std::nullopt;
  if (auto slice = dyn_cast<SliceOp>(op))
    return slice.getStarts()[0];
  std::optional<SmallVector<int64_t>> start =
      constantIndices(op->getOperands().slice(1, 1));
  if (!start)
    return std::nullopt;
  return std::clamp<int64_t>(start->front(), 0, whole.getDimSize(0) - 1);
}

namespace {

/// How an operation can be done row by row.
struct RowRule {
  /// Which operands have rows; all results do unless rows are reduced.
  SmallVector<unsigned> operands;
  std::optional<ReductionKind> reduction;
};

class ArgumentUnstacking {
public:
  ArgumentUnstacking(func::FuncOp main, scf::ForOp loop)
      : main(main), loop(loop) {}

  DenseSet<Operation *> run();

private:
  bool isAround(Operation *op) const {
    return op->getBlock() == loop->getBlock() && op != loop;
  }
  std::optional<RowRule> rowRule(Operation *op, int64_t rows) const;
  bool isTakenByRows(Value value) const;
  bool usesRows(OpOperand &use) const;
  SmallVector<Value> rowsWritten(Value value) const;

  void add(Value value);
  void addUsers(Value value);
  bool grow();
  BlockArgument findContradiction() const;
  void findValues();

  ArrayRef<Value> rowsFor(OpBuilder &builder, Value value);
  void takeArgumentsApart();
  void replaceSlices(Value value);
  void replaceSlice(Operation *slice, int64_t row);
  void computeByRows(Operation *op, const RowRule &rule);
  Value putTogether(OpBuilder &builder, Value value);
  void rewriteAround();
  void putResultsTogether();
  void putRestTogether();

  func::FuncOp main;
  scf::ForOp loop;
  /// Arguments that stay whole.
  DenseSet<Value> whole;
  /// What is taken apart; in the order of its discovery.
  llvm::SetVector<Value> apart;
  /// Operations around the loop that are done row by row.
  llvm::MapVector<Operation *, RowRule> byRows;
  DenseMap<Value, SmallVector<Value>> rows;
  DenseSet<Operation *> boundary;
};

} // namespace

//===----------------------------------------------------------------------===//
// What can be taken apart
//===----------------------------------------------------------------------===//

/// The rule of `op`; that of element-wise operations for a reshard.
static std::optional<ShardingRule> ruleOf(Operation *op) {
  if (!isa<ReshardOp>(op))
    return getShardingRule(op);
  ShardingRuleBuilder builder = makeRuleBuilder(op);
  builder.addPointwise();
  return builder.build();
}

/// How `op` can be done row by row if one of its tensors has `rows` rows;
/// nothing where that cannot be, or where several dimensions might be meant.
std::optional<RowRule> ArgumentUnstacking::rowRule(Operation *op,
                                                   int64_t rows) const {
  if (!isAround(op) || op->getNumRegions() != 0 || op->getNumResults() == 0 ||
      !isMemoryEffectFree(op) || isa<LocalComputationInterface>(op))
    return std::nullopt;
  std::optional<ShardingRule> rule = ruleOf(op);
  if (!rule)
    return std::nullopt;
  SmallVector<Value> tensors(op->getOperands());
  llvm::append_range(tensors, op->getResults());
  std::optional<FactorId> factor;
  for (auto [index, value] : llvm::enumerate(tensors)) {
    const TensorFactors &factors = rule->tensor(index);
    if (factors.dims.empty() || factors.dims[0].size() != 1 ||
        rowsOf(value) != rows)
      continue;
    if (factor && *factor != factors.dims[0][0])
      return std::nullopt;
    factor = factors.dims[0][0];
  }
  if (!factor)
    return std::nullopt;
  RowRule found;
  const Factor &meant = rule->factors[*factor];
  if (meant.kind == FactorKind::Reduction && op->getNumResults() == 1)
    found.reduction = meant.reduction;
  else if (meant.kind != FactorKind::PassThrough)
    return std::nullopt;
  for (auto [index, value] : llvm::enumerate(tensors)) {
    const TensorFactors &factors = rule->tensor(index);
    bool isResult = index >= op->getNumOperands();
    if (!factors.contains(*factor)) {
      if (isResult && !found.reduction)
        return std::nullopt;
      continue;
    }
    if (factors.dims[0] != SmallVector<FactorId, 1>{*factor} ||
        rowsOf(value) != rows)
      return std::nullopt;
    if (!isResult)
      found.operands.push_back(index);
  }
  return found;
}

/// Whether each row of `value` is taken by itself.
bool ArgumentUnstacking::isTakenByRows(Value value) const {
  int64_t count = rowsOf(value);
  if (count < 2)
    return false;
  llvm::BitVector taken(count);
  for (Operation *user : value.getUsers())
    if (std::optional<int64_t> row = rowTakenBy(user))
      taken.set(*row);
  return taken.all();
}

/// Whether nothing but rows of a value is needed for `use` of it.
bool ArgumentUnstacking::usesRows(OpOperand &use) const {
  Operation *user = use.getOwner();
  if (rowTakenBy(user) && use.getOperandNumber() == 0)
    return true;
  auto rule = byRows.find(user);
  return rule != byRows.end() &&
         llvm::is_contained(rule->second.operands, use.getOperandNumber());
}

/// What is written into the rows of `value`, each of them at once; nothing
/// where that is not all.
SmallVector<Value> ArgumentUnstacking::rowsWritten(Value value) const {
  SmallVector<Value> found(rowsOf(value));
  size_t known = 0;
  ArrayRef<int64_t> shape = tensorType(value).getShape();
  for (auto write = writeOf(value); write; write = writeOf(write->stack)) {
    if (!isAround(write->op) || write->sizes().front() != 1 ||
        write->sizes().drop_front() != shape.drop_front())
      break;
    Value &row = found[write->start.front()];
    known += !row;
    if (!row)
      row = write->update;
  }
  return known == found.size() ? found : SmallVector<Value>();
}

/// Takes `value` apart, if that is possible.
void ArgumentUnstacking::add(Value value) {
  int64_t count = rowsOf(value);
  if (count < 2 || apart.contains(value) || whole.contains(value))
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == &main.getBody().front())
      apart.insert(value);
    return;
  }
  Operation *op = value.getDefiningOp();
  if (!isAround(op))
    return;
  if (!rowsWritten(value).empty()) {
    apart.insert(value);
    return;
  }
  std::optional<RowRule> rule = rowRule(op, count);
  if (!rule || rule->reduction || op->hasTrait<OpTrait::ConstantLike>())
    return;
  byRows.insert({op, *rule});
  apart.insert_range(op->getResults());
  for (unsigned operand : rule->operands)
    add(op->getOperand(operand));
}

/// Follows `value` to what is computed from it.
void ArgumentUnstacking::addUsers(Value value) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (byRows.contains(user))
      continue;
    std::optional<RowRule> rule = rowRule(user, rowsOf(value));
    if (!rule || !llvm::is_contained(rule->operands, use.getOperandNumber()))
      continue;
    byRows.insert({user, *rule});
    if (!rule->reduction)
      apart.insert_range(user->getResults());
    for (unsigned operand : rule->operands)
      add(user->getOperand(operand));
  }
}

/// Finds everything that follows from what is taken by rows. Returns whether
/// there is anything.
bool ArgumentUnstacking::grow() {
  apart.clear();
  byRows.clear();
  for (BlockArgument argument : main.getArguments())
    if (isTakenByRows(argument))
      add(argument);
  for (Operation &op : main.getBody().front())
    for (Value result : op.getResults())
      if (isTakenByRows(result))
        add(result);
  for (size_t next = 0; next < apart.size(); ++next)
    addUsers(apart[next]);
  return !apart.empty();
}

/// An argument that cannot be taken apart although it is to be; null if there
/// is none.
BlockArgument ArgumentUnstacking::findContradiction() const {
  func::FuncOp function = main;
  Operation *end = function.getBody().front().getTerminator();
  for (Value value : apart) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      continue;
    for (OpOperand &use : argument.getUses())
      if (use.getOwner() != end && !usesRows(use))
        return argument;
    auto donated = function.getArgAttrOfType<IntegerAttr>(
        argument.getArgNumber(), TesseraDialect::kDonatedAttr);
    if (donated && !apart.contains(end->getOperand(unsigned(donated.getInt()))))
      return argument;
  }
  return {};
}

void ArgumentUnstacking::findValues() {
  while (grow()) {
    BlockArgument argument = findContradiction();
    if (!argument)
      return;
    whole.insert(argument);
  }
}

//===----------------------------------------------------------------------===//
// Taking apart
//===----------------------------------------------------------------------===//

/// The rows of `value`, which has been taken apart before or is now.
ArrayRef<Value> ArgumentUnstacking::rowsFor(OpBuilder &builder, Value value) {
  auto [entry, isNew] = rows.try_emplace(value);
  if (!isNew)
    return entry->second;
  SmallVector<Value> made;
  Operation *maker = value.getDefiningOp();
  bool isSplat = maker && maker->hasTrait<OpTrait::ConstantLike>() &&
                 rowRule(maker, rowsOf(value));
  for (int64_t row = 0; row < rowsOf(value); ++row) {
    if (!isSplat) {
      made.push_back(takeRow(builder, value, row));
      continue;
    }
    if (row == 0) {
      made.push_back(createLocalOperation(builder, maker, {}, rowType(value))
                         ->getResult(0));
      setSharding(made.back(), getSharding(value));
      continue;
    }
    made.push_back(made.front());
  }
  return rows[value] = std::move(made);
}

/// Replaces a slice of an argument by the row, or by the same part of it.
void ArgumentUnstacking::replaceSlice(Operation *slice, int64_t row) {
  OpBuilder builder(slice);
  Value result = slice->getResult(0), taken = rows[slice->getOperand(0)][row];
  Value part = taken;
  if (result.getType() != taken.getType()) {
    Operation *copy = builder.clone(*slice);
    copy->setOperand(0, taken);
    if (auto fixed = dyn_cast<SliceOp>(copy)) {
      SmallVector<int64_t> starts(fixed.getStarts()), limits(fixed.getLimits());
      starts[0] = 0;
      limits[0] = 1;
      fixed.setStarts(starts);
      fixed.setLimits(limits);
    }
    part = copy->getResult(0);
  }
  if (ShardingAttr sharding = getSharding(result))
    part = withSharding(builder, part, sharding);
  result.replaceAllUsesWith(part);
  slice->erase();
}

/// Replaces slices of `value` that take one row.
void ArgumentUnstacking::replaceSlices(Value value) {
  for (Operation *user : llvm::to_vector(value.getUsers()))
    if (std::optional<int64_t> row = rowTakenBy(user))
      if (user->getOperand(0) == value && !boundary.contains(user))
        replaceSlice(user, *row);
}

void ArgumentUnstacking::takeArgumentsApart() {
  OpBuilder builder = OpBuilder::atBlockBegin(&main.getBody().front());
  for (BlockArgument argument : main.getArguments())
    if (apart.contains(argument))
      for (Value row : rowsFor(builder, argument))
        boundary.insert(row.getDefiningOp());
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

/// Does `op` for each row; what it reduces over rows takes the place of its
/// result.
void ArgumentUnstacking::computeByRows(Operation *op, const RowRule &rule) {
  OpBuilder builder(op);
  bool isSame = rule.operands.empty();
  int64_t count =
      rowsOf(isSame ? op->getResult(0) : op->getOperand(rule.operands.front()));
  SmallVector<SmallVector<Value>> made(op->getNumResults());
  for (int64_t row = 0; row < (isSame ? 1 : count); ++row) {
    SmallVector<Value> operands(op->getOperands());
    for (unsigned operand : rule.operands)
      operands[operand] = rowsFor(builder, operands[operand])[row];
    SmallVector<Type> types;
    for (Value result : op->getResults())
      types.push_back(rule.reduction ? result.getType()
                                     : Type(rowType(result)));
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
    for (auto [result, list] : llvm::zip_equal(op->getResults(), made)) {
      list.resize(count, list.front());
      rows[result] = std::move(list);
    }
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
    if (auto rule = byRows.find(op); rule != byRows.end()) {
      computeByRows(op, rule->second);
      continue;
    }
    if (op->getNumResults() != 1 || !apart.contains(op->getResult(0)))
      continue;
    Value value = op->getResult(0);
    // In front of it, so that what puts the rows together may follow at once.
    OpBuilder builder(op);
    for (Value row : rowsWritten(value))
      rows[value].push_back(withSharding(builder, row, getSharding(value)));
  }
  for (Value value : apart)
    replaceSlices(value);
}

//===----------------------------------------------------------------------===//
// Putting together
//===----------------------------------------------------------------------===//

Value ArgumentUnstacking::putTogether(OpBuilder &builder, Value value) {
  auto made = ConcatenateOp::create(builder, value.getLoc(), value.getType(),
                                    rows.at(value), /*dim=*/0);
  setSharding(made, getSharding(value));
  return made;
}

/// Makes the results that consist of rows, unless the argument whose memory
/// they take is whole.
void ArgumentUnstacking::putResultsTogether() {
  Operation *end = main.getBody().front().getTerminator();
  DenseSet<int64_t> forWhole;
  for (BlockArgument argument : main.getArguments())
    if (auto donated = main.getArgAttrOfType<IntegerAttr>(
            argument.getArgNumber(), TesseraDialect::kDonatedAttr);
        donated && !apart.contains(argument))
      forWhole.insert(donated.getInt());
  OpBuilder builder(end);
  for (OpOperand &operand : end->getOpOperands()) {
    if (!apart.contains(operand.get()) ||
        forWhole.contains(operand.getOperandNumber()))
      continue;
    Value made = putTogether(builder, operand.get());
    boundary.insert(made.getDefiningOp());
    operand.set(made);
  }
}

/// Puts together what something needs whole, and removes what nothing needs.
void ArgumentUnstacking::putRestTogether() {
  for (Value value : apart) {
    Operation *op = value.getDefiningOp();
    if (!op)
      continue;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses())
      if (!usesRows(use) && (use.getOwner()->getNumResults() == 0 ||
                             !apart.contains(use.getOwner()->getResult(0))))
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
  moveLoopInvariantCode(loop);
  findValues();
  if (apart.empty())
    return {};
  takeArgumentsApart();
  rewriteAround();
  putResultsTogether();
  putRestTogether();
  return std::move(boundary);
}

DenseSet<Operation *> tessera::unstackArguments(func::FuncOp main,
                                                scf::ForOp microbatches) {
  return ArgumentUnstacking(main, microbatches).run();
}
