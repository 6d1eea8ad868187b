//===- UnstackArguments.cpp - arguments of several stages, in pieces ------===//
//
// Which values are taken apart is found first, without changing anything. It
// begins with the arguments that the program takes piece by piece and grows
// over what stands around the loop, forwards and backwards, by sharding rules:
// an operation can be done piece by piece if one dimension of each of its
// tensors that has the factor of the pieces is that factor and nothing else. An
// argument that something else needs whole, or whose new value is not made of
// pieces, is not taken apart, nor is what only it would have brought along: the
// growth begins anew without it until nothing contradicts.
//
// Pieces are rows of what is stacked for layers, or parts of a parameter that
// ranks have of an output layer that is spread over them.
//
// Values in between that something needs whole are put together there.
//
//===----------------------------------------------------------------------===//

#include "UnstackArguments.h"

#include "ConstantIndices.h"
#include "StackRows.h"
#include "StackWrites.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Tessera/CombineValues.h"
#include "tessera/Interfaces/LocalComputationInterface.h"
#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;
using namespace tessera;

static RankedTensorType tensorType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

/// Whether `value` has a dimension `dim` and each device all of it.
static bool isWholeAlong(Value value, int64_t dim) {
  RankedTensorType type = tensorType(value);
  if (!type || dim >= type.getRank())
    return false;
  ShardingAttr sharding = getSharding(value);
  return !sharding || sharding.getValue().dims[dim].axes.empty();
}

namespace {

/// Where a value is cut: along one dimension, into two pieces or more.
struct Cut {
  int64_t dim = 0;
  /// Of each piece, ascending; the last is the size of the dimension.
  SmallVector<int64_t> ends;

  size_t pieces() const { return ends.size(); }
  int64_t begin(size_t piece) const { return piece ? ends[piece - 1] : 0; }
  int64_t size(size_t piece) const { return ends[piece] - begin(piece); }
  bool operator==(const Cut &other) const {
    return dim == other.dim && ends == other.ends;
  }
  /// Whether each piece is one row.
  bool isRows() const { return dim == 0 && size_t(ends.back()) == pieces(); }
  /// The same pieces along another dimension.
  Cut along(int64_t other) const { return {other, ends}; }
  /// Whether `value` can be cut so.
  bool fits(Value value) const {
    return isWholeAlong(value, dim) &&
           tensorType(value).getDimSize(dim) == ends.back();
  }
  /// The type of a piece of `value`.
  RankedTensorType typeOf(Value value, size_t piece) const {
    SmallVector<int64_t> shape(tensorType(value).getShape());
    shape[dim] = size(piece);
    return tensorType(value).clone(shape);
  }
};

/// How an operation can be done piece by piece.
struct PieceRule {
  /// Which operands have pieces, and along which dimension.
  SmallVector<std::pair<unsigned, Cut>> operands;
  /// The same of all results, unless pieces are reduced.
  SmallVector<Cut> results;
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
  std::optional<PieceRule> pieceRule(Operation *op, size_t tensor,
                                     const Cut &cut) const;
  bool usesPieces(OpOperand &use) const;
  SmallVector<Value> piecesWritten(Value value, const Cut &cut) const;

  void add(Value value, const Cut &cut);
  void addOperation(Operation *op, PieceRule rule);
  void addUsers(Value value);
  bool grow();
  BlockArgument findContradiction() const;
  void findValues();

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
  /// Arguments that stay whole.
  DenseSet<Value> whole;
  /// What is taken apart, and how; in the order of its discovery.
  llvm::MapVector<Value, Cut> apart;
  /// Operations around the loop that are done piece by piece.
  llvm::MapVector<Operation *, PieceRule> byPieces;
  DenseMap<Value, SmallVector<Value>> pieces;
  DenseSet<Operation *> boundary;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is taken piece by piece
//===----------------------------------------------------------------------===//

/// The piece of its first operand, cut so, of which `op` takes a part or all,
/// if it takes from one only.
static std::optional<size_t> pieceTakenBy(Operation *op, const Cut &cut) {
  if (!isa<SliceOp, DynamicSliceOp>(op))
    return std::nullopt;
  int64_t size = tensorType(op->getResult(0)).getDimSize(cut.dim);
  int64_t begin = 0, end = 0;
  if (auto slice = dyn_cast<SliceOp>(op)) {
    begin = slice.getStarts()[cut.dim];
    end = slice.getLimits()[cut.dim];
  } else {
    std::optional<SmallVector<int64_t>> start =
        constantIndices(op->getOperands().slice(1 + cut.dim, 1));
    if (!start)
      return std::nullopt;
    begin = std::clamp<int64_t>(start->front(), 0, cut.ends.back() - size);
    end = begin + size;
  }
  size_t piece = llvm::upper_bound(cut.ends, begin) - cut.ends.begin();
  if (piece >= cut.pieces() || end > cut.ends[piece])
    return std::nullopt;
  // All of a piece is where a start that is not known any more is clamped to.
  if (isa<DynamicSliceOp>(op) && size != cut.size(piece))
    return std::nullopt;
  return piece;
}

/// Each row of `value` by itself, if each is taken so.
static std::optional<Cut> cutByRows(Value value) {
  RankedTensorType type = tensorType(value);
  if (!isWholeAlong(value, 0) || type.getDimSize(0) < 2)
    return std::nullopt;
  Cut rows{
      0, llvm::to_vector(llvm::seq_inclusive<int64_t>(1, type.getDimSize(0)))};
  llvm::BitVector taken(rows.pieces());
  for (Operation *user : value.getUsers())
    if (std::optional<size_t> row = pieceTakenBy(user, rows))
      taken.set(*row);
  return taken.all() ? std::optional(std::move(rows)) : std::nullopt;
}

/// The dimension of which `slice` takes a part and all of the others, if it
/// does so.
static std::optional<int64_t> slicedDim(SliceOp slice) {
  std::optional<int64_t> found;
  RankedTensorType from = slice.getOperand().getType(), to = slice.getType();
  for (int64_t dim = 0; dim < from.getRank(); ++dim) {
    if (slice.getStrides()[dim] != 1)
      return std::nullopt;
    if (from.getDimSize(dim) != to.getDimSize(dim) && std::exchange(found, dim))
      return std::nullopt;
  }
  return found;
}

/// The rank whose part of the output layer needs `value`, which stands before
/// `loop`, if nothing else does.
static std::optional<int64_t> vocabularyRankOf(Value value, Operation *loop) {
  std::optional<int64_t> found;
  for (Operation *user : value.getUsers()) {
    std::optional<int64_t> rank;
    if (auto fragment = user->getParentOfType<pipe::FragmentOp>())
      rank = fragment.getStage();
    else if (user->getBlock() == loop->getBlock() &&
             user->isBeforeInBlock(loop) && user->getNumResults() == 1)
      rank = vocabularyRankOf(user->getResult(0), loop);
    if (!rank || (found && found != rank))
      return std::nullopt;
    found = rank;
  }
  return found;
}

/// The parts of `value` that the ranks have of an output layer, if they take
/// all of it.
static std::optional<Cut> cutByRanks(Value value, Operation *loop) {
  using Range = std::pair<int64_t, int64_t>;
  std::map<int64_t, std::map<Range, int64_t>> ranks;
  for (Operation *user : value.getUsers()) {
    auto slice = dyn_cast<SliceOp>(user);
    std::optional<int64_t> dim = slice ? slicedDim(slice) : std::nullopt;
    std::optional<int64_t> rank =
        dim ? vocabularyRankOf(slice.getResult(), loop) : std::nullopt;
    if (!rank || !isWholeAlong(value, *dim))
      continue;
    Range range{slice.getStarts()[*dim], slice.getLimits()[*dim]};
    auto [known, isNew] = ranks[*dim].insert({range, *rank});
    if (known->second != *rank)
      return std::nullopt;
  }
  for (auto &[dim, ranges] : ranks) {
    Cut cut{dim, {}};
    bool isTiled = llvm::all_of(ranges, [&](const auto &range) {
      int64_t begin = cut.ends.empty() ? 0 : cut.ends.back();
      cut.ends.push_back(range.first.second);
      return range.first.first == begin;
    });
    if (isTiled && cut.pieces() > 1 && cut.fits(value))
      return cut;
  }
  return std::nullopt;
}

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

/// The dimension that consists of `factor` and nothing else; nothing where
/// there is none, or several have the factor.
static std::optional<int64_t> dimOf(const TensorFactors &factors,
                                    FactorId factor) {
  std::optional<int64_t> found;
  for (auto [dim, list] : llvm::enumerate(factors.dims)) {
    if (!llvm::is_contained(list, factor))
      continue;
    if (found || list.size() != 1)
      return std::nullopt;
    found = dim;
  }
  return found;
}

/// How `op` can be done piece by piece if `tensor`, one of its operands or,
/// behind them, results, is cut so; nothing where that cannot be.
std::optional<PieceRule> ArgumentUnstacking::pieceRule(Operation *op,
                                                       size_t tensor,
                                                       const Cut &cut) const {
  if (!isAround(op) || op->getNumRegions() != 0 || op->getNumResults() == 0 ||
      !isMemoryEffectFree(op) || isa<LocalComputationInterface>(op))
    return std::nullopt;
  std::optional<ShardingRule> rule = ruleOf(op);
  if (!rule)
    return std::nullopt;
  const TensorFactors &given = rule->tensor(tensor);
  if (size_t(cut.dim) >= given.dims.size() || given.dims[cut.dim].size() != 1)
    return std::nullopt;
  FactorId factor = given.dims[cut.dim].front();
  PieceRule found;
  const Factor &meant = rule->factors[factor];
  if (meant.kind == FactorKind::Reduction && op->getNumResults() == 1)
    found.reduction = meant.reduction;
  else if (meant.kind != FactorKind::PassThrough)
    return std::nullopt;
  SmallVector<Value> tensors(op->getOperands());
  llvm::append_range(tensors, op->getResults());
  for (auto [index, value] : llvm::enumerate(tensors)) {
    const TensorFactors &factors = rule->tensor(index);
    bool isResult = index >= op->getNumOperands();
    if (!factors.contains(factor)) {
      if (isResult && !found.reduction)
        return std::nullopt;
      continue;
    }
    std::optional<int64_t> dim = dimOf(factors, factor);
    if (!dim || !cut.along(*dim).fits(value))
      return std::nullopt;
    if (isResult)
      found.results.push_back(cut.along(*dim));
    else
      found.operands.push_back({unsigned(index), cut.along(*dim)});
  }
  return found;
}

/// Whether nothing but pieces of a value is needed for `use` of it.
bool ArgumentUnstacking::usesPieces(OpOperand &use) const {
  Operation *user = use.getOwner();
  const Cut &cut = apart.find(use.get())->second;
  if (use.getOperandNumber() == 0 && pieceTakenBy(user, cut))
    return true;
  auto rule = byPieces.find(user);
  return rule != byPieces.end() &&
         llvm::is_contained(rule->second.operands,
                            std::pair(use.getOperandNumber(), cut));
}

/// What is written into the pieces of `value`, or it is put together of, each
/// of them at once; nothing where that is not all.
SmallVector<Value> ArgumentUnstacking::piecesWritten(Value value,
                                                     const Cut &cut) const {
  if (auto parts = value.getDefiningOp<ConcatenateOp>();
      parts && int64_t(parts.getDim()) == cut.dim) {
    SmallVector<Value> operands(parts.getOperands());
    bool isSame = operands.size() == cut.pieces();
    for (size_t i = 0; isSame && i < operands.size(); ++i)
      isSame = tensorType(operands[i]).getDimSize(cut.dim) == cut.size(i);
    return isSame ? operands : SmallVector<Value>();
  }
  if (!cut.isRows())
    return {};
  SmallVector<Value> found(cut.pieces());
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

/// Does `op` by pieces, and takes apart what it has and gives.
void ArgumentUnstacking::addOperation(Operation *op, PieceRule rule) {
  auto isOtherwise = [&](Value value, const Cut &cut) {
    auto known = apart.find(value);
    return known != apart.end() && !(known->second == cut);
  };
  for (auto &[operand, cut] : rule.operands)
    if (isOtherwise(op->getOperand(operand), cut))
      return;
  for (auto [result, cut] : llvm::zip(op->getResults(), rule.results))
    if (isOtherwise(result, cut))
      return;
  for (auto [result, cut] : llvm::zip(op->getResults(), rule.results))
    apart.insert({result, cut});
  SmallVector<std::pair<unsigned, Cut>> operands = rule.operands;
  byPieces.insert({op, std::move(rule)});
  for (auto &[operand, cut] : operands)
    add(op->getOperand(operand), cut);
}

/// Takes `value` apart, if that is possible.
void ArgumentUnstacking::add(Value value, const Cut &cut) {
  if (!cut.fits(value) || apart.contains(value) || whole.contains(value))
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == &main.getBody().front())
      apart.insert({value, cut});
    return;
  }
  Operation *op = value.getDefiningOp();
  if (!isAround(op))
    return;
  if (!piecesWritten(value, cut).empty()) {
    apart.insert({value, cut});
    return;
  }
  size_t number = cast<OpResult>(value).getResultNumber();
  std::optional<PieceRule> rule =
      pieceRule(op, op->getNumOperands() + number, cut);
  if (rule && !rule->reduction && !op->hasTrait<OpTrait::ConstantLike>())
    addOperation(op, std::move(*rule));
}

/// Follows `value` to what is computed from it.
void ArgumentUnstacking::addUsers(Value value) {
  const Cut cut = apart.find(value)->second;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (byPieces.contains(user))
      continue;
    if (std::optional<PieceRule> rule =
            pieceRule(user, use.getOperandNumber(), cut))
      addOperation(user, std::move(*rule));
  }
}

/// Finds everything that follows from what is taken by pieces. Returns whether
/// there is anything.
bool ArgumentUnstacking::grow() {
  apart.clear();
  byPieces.clear();
  for (BlockArgument argument : main.getArguments()) {
    if (std::optional<Cut> rows = cutByRows(argument))
      add(argument, *rows);
    else if (std::optional<Cut> parts = cutByRanks(argument, loop))
      add(argument, *parts);
  }
  for (Operation &op : main.getBody().front())
    for (Value result : op.getResults())
      if (std::optional<Cut> rows = cutByRows(result))
        add(result, *rows);
  for (size_t next = 0; next < apart.size(); ++next)
    addUsers(apart.begin()[next].first);
  return !apart.empty();
}

/// An argument that cannot be taken apart although it is to be; null if there
/// is none.
BlockArgument ArgumentUnstacking::findContradiction() const {
  func::FuncOp function = main;
  Operation *end = function.getBody().front().getTerminator();
  for (const auto &[value, cut] : apart) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      continue;
    for (OpOperand &use : argument.getUses())
      if (use.getOwner() != end && !usesPieces(use))
        return argument;
    auto donated = function.getArgAttrOfType<IntegerAttr>(
        argument.getArgNumber(), TesseraDialect::kDonatedAttr);
    if (!donated)
      continue;
    auto result = apart.find(end->getOperand(unsigned(donated.getInt())));
    if (result == apart.end() || !(result->second == cut))
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
                 pieceRule(maker, 0, cut);
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
    part = withSharding(builder, part, sharding);
  result.replaceAllUsesWith(part);
  slice->erase();
}

/// Replaces slices of `value` that take from one piece.
void ArgumentUnstacking::replaceSlices(Value value) {
  const Cut &cut = apart.find(value)->second;
  for (Operation *user : llvm::to_vector(value.getUsers()))
    if (user->getOperand(0) == value && !boundary.contains(user))
      if (std::optional<size_t> piece = pieceTakenBy(user, cut))
        replaceSlice(user, cut, *piece);
}

void ArgumentUnstacking::takeArgumentsApart() {
  OpBuilder builder = OpBuilder::atBlockBegin(&main.getBody().front());
  for (BlockArgument argument : main.getArguments())
    if (auto found = apart.find(argument); found != apart.end())
      for (Value piece : piecesFor(builder, argument, found->second))
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
    if (auto rule = byPieces.find(op); rule != byPieces.end()) {
      computeByPieces(op, rule->second);
      continue;
    }
    auto found =
        op->getNumResults() == 1 ? apart.find(op->getResult(0)) : apart.end();
    if (found == apart.end())
      continue;
    auto &[value, cut] = *found;
    // In front of it, so that what puts the pieces together may follow at once.
    OpBuilder builder(op);
    for (Value piece : piecesWritten(value, cut))
      pieces[value].push_back(withSharding(builder, piece, getSharding(value)));
  }
  for (const auto &[value, cut] : apart)
    replaceSlices(value);
}

//===----------------------------------------------------------------------===//
// Putting together
//===----------------------------------------------------------------------===//

Value ArgumentUnstacking::putTogether(OpBuilder &builder, Value value) {
  auto made =
      ConcatenateOp::create(builder, value.getLoc(), value.getType(),
                            pieces.at(value), apart.find(value)->second.dim);
  setSharding(made, getSharding(value));
  return made;
}

/// Makes the results that consist of pieces, unless the argument whose memory
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
  for (const auto &[value, cut] : apart) {
    Operation *op = value.getDefiningOp();
    if (!op)
      continue;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses())
      if (!usesPieces(use) && (use.getOwner()->getNumResults() == 0 ||
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
