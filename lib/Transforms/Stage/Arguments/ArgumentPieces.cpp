//===- ArgumentPieces.cpp - which values stages may take in pieces --------===//
//
// It begins with the arguments that the program takes piece by piece and grows
// over what stands around the loop, forwards and backwards, by sharding rules:
// an operation can be done piece by piece if one dimension of each of its
// tensors that has the factor of the pieces is that factor and nothing else. An
// argument that something else needs whole, or whose new value is not made of
// pieces, is not taken apart, nor is what only it would have brought along: the
// growth begins anew without it until nothing contradicts.
//
//===----------------------------------------------------------------------===//

#include "Arguments/ArgumentPieces.h"

#include "Layers/StackWrites.h"
#include "Step/ConstantIndices.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Interfaces/LocalComputationInterface.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

#include <map>

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

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

bool Cut::fits(Value value) const {
  return isWholeAlong(value, dim) &&
         tensorType(value).getDimSize(dim) == ends.back();
}

RankedTensorType Cut::typeOf(Value value, size_t piece) const {
  SmallVector<int64_t> shape(tensorType(value).getShape());
  shape[dim] = size(piece);
  return tensorType(value).clone(shape);
}

//===----------------------------------------------------------------------===//
// What is taken piece by piece
//===----------------------------------------------------------------------===//

std::optional<size_t> tessera::stage::pieceTakenBy(Operation *op,
                                                   const Cut &cut) {
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
static std::optional<ShardingRule> shardingRuleOf(Operation *op) {
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

std::optional<PieceRule> ArgumentPieces::pieceRule(Operation *op, size_t tensor,
                                                   const Cut &cut) const {
  if (!isAround(op) || op->getNumRegions() != 0 || op->getNumResults() == 0 ||
      !isMemoryEffectFree(op) || isa<LocalComputationInterface>(op))
    return std::nullopt;
  std::optional<ShardingRule> rule = shardingRuleOf(op);
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

bool ArgumentPieces::usesPieces(OpOperand &use) const {
  Operation *user = use.getOwner();
  const Cut &cut = apart.find(use.get())->second;
  if (use.getOperandNumber() == 0 && pieceTakenBy(user, cut))
    return true;
  auto rule = byPieces.find(user);
  return rule != byPieces.end() &&
         llvm::is_contained(rule->second.operands,
                            std::pair(use.getOperandNumber(), cut));
}

SmallVector<Value> ArgumentPieces::piecesWritten(Value value,
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
void ArgumentPieces::addOperation(Operation *op, PieceRule rule) {
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
void ArgumentPieces::add(Value value, const Cut &cut) {
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
void ArgumentPieces::addUsers(Value value) {
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
bool ArgumentPieces::grow() {
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
BlockArgument ArgumentPieces::findContradiction() const {
  func::FuncOp function = main;
  Operation *end = function.getBody().front().getTerminator();
  for (const auto &[value, cut] : apart) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      continue;
    for (OpOperand &use : argument.getUses())
      if (use.getOwner() != end && !usesPieces(use))
        return argument;
    std::optional<unsigned> donated = getDonatedResult(argument);
    if (!donated)
      continue;
    auto result = apart.find(end->getOperand(*donated));
    if (result == apart.end() || !(result->second == cut))
      return argument;
  }
  return {};
}

ArgumentPieces::ArgumentPieces(func::FuncOp main, scf::ForOp loop)
    : main(main), loop(loop) {
  while (grow()) {
    BlockArgument argument = findContradiction();
    if (!argument)
      return;
    whole.insert(argument);
  }
}
