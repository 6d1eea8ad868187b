//===- DealtRows.cpp - matrices whose rows are dealt out to devices -------===//

#include "Libraries/DealtRows.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

//===----------------------------------------------------------------------===//
// Operations behind a batch
//===----------------------------------------------------------------------===//

BatchBuilder::BatchBuilder(LibraryCallOp call, const Mesh &mesh)
    : b(call.getLoc(), call), mesh(mesh),
      meshName(getSharding(call.getOperands().front()).getMesh()) {
  Value first = call.getOperands().front();
  batch.assign(shapeOf(first).begin(), shapeOf(first).end() - 2);
  ArrayRef<DimSharding> dims = getSharding(first).getValue().dims;
  for (const DimSharding &dim : dims.take_front(batch.size()))
    batchDims.push_back({dim.axes});
}

SmallVector<int64_t> BatchBuilder::ownShape(Value value) {
  return llvm::to_vector(shapeOf(value).drop_front(batchRank()));
}

SmallVector<AxisList> BatchBuilder::ownAxes(Value value) {
  SmallVector<AxisList> axes;
  for (const DimSharding &dim :
       ArrayRef(getSharding(value).getValue().dims).drop_front(batchRank()))
    axes.push_back(dim.axes);
  return axes;
}

int64_t BatchBuilder::size(Value value, int64_t dim) {
  return shapeOf(value)[batchRank() + dim];
}

AxisList BatchBuilder::axes(Value value, int64_t dim) {
  return getSharding(value).getValue().dims[batchRank() + dim].axes;
}

RankedTensorType BatchBuilder::typeFor(Value like, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> whole(batch);
  llvm::append_range(whole, shape);
  return typeOf(like).clone(whole);
}

Value BatchBuilder::split(Value value, Split split) {
  TensorSharding sharding =
      TensorSharding::getReplicated(typeOf(value).getRank());
  llvm::copy(batchDims, sharding.dims.begin());
  for (auto [dim, axes] : llvm::enumerate(split))
    sharding.dims[batchRank() + dim].axes = axes;
  auto attribute = ShardingAttr::get(b.getContext(), meshName, sharding);
  setSharding(value, attribute);
  Value fixed = ConstrainOp::create(b, value, attribute);
  setSharding(fixed, attribute);
  return fixed;
}

Value BatchBuilder::reshape(Value value, ArrayRef<int64_t> shape, Split split) {
  return this->split(ReshapeOp::create(b, typeFor(value, shape), value), split);
}

Value BatchBuilder::transpose(Value value, ArrayRef<int64_t> permutation,
                              Split split) {
  SmallVector<int64_t> whole =
      llvm::to_vector(llvm::seq<int64_t>(0, batchRank()));
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation) {
    whole.push_back(batchRank() + dim);
    shape.push_back(size(value, dim));
  }
  return this->split(
      TransposeOp::create(b, typeFor(value, shape), value, whole), split);
}

Value BatchBuilder::slice(Value value, int64_t dim, int64_t start,
                          int64_t limit) {
  SmallVector<int64_t> starts(typeOf(value).getRank(), 0),
      limits(shapeOf(value)), strides(starts.size(), 1), shape(ownShape(value));
  starts[batchRank() + dim] = start;
  limits[batchRank() + dim] = limit;
  shape[dim] = limit - start;
  if (shape == ownShape(value))
    return value;
  return split(
      SliceOp::create(b, typeFor(value, shape), value, starts, limits, strides),
      ownAxes(value));
}

Value BatchBuilder::scalar(TypedAttr value) {
  Value constant = arith::ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get({}, value.getType()),
                                value));
  setSharding(constant, ShardingAttr::get(b.getContext(), meshName,
                                          TensorSharding::getReplicated(0)));
  return constant;
}

Value BatchBuilder::resize(Value value, int64_t dim, int64_t size,
                           Split split) {
  int64_t before = this->size(value, dim);
  if (before == size)
    return value;
  SmallVector<int64_t> none(typeOf(value).getRank(), 0), high(none),
      shape(ownShape(value));
  high[batchRank() + dim] = size - before;
  shape[dim] = size;
  Value zero = scalar(b.getZeroAttr(typeOf(value).getElementType()));
  return this->split(
      PadOp::create(b, typeFor(value, shape), value, zero, none, high, none),
      split);
}

Value BatchBuilder::concatenate(ValueRange values, int64_t dim) {
  if (values.size() == 1)
    return values.front();
  SmallVector<int64_t> shape(ownShape(values.front()));
  shape[dim] = 0;
  for (Value value : values)
    shape[dim] += size(value, dim);
  return split(ConcatenateOp::create(b, typeFor(values.front(), shape), values,
                                     batchRank() + dim),
               ownAxes(values.front()));
}

Value BatchBuilder::contract(Value lhs, ArrayRef<int64_t> lhsOver, Value rhs,
                             ArrayRef<int64_t> rhsOver, Split split) {
  SmallVector<int64_t> shape,
      shared = llvm::to_vector(llvm::seq<int64_t>(0, batchRank()));
  auto behindBatch = [&](Value value, ArrayRef<int64_t> over) {
    for (auto [dim, size] : llvm::enumerate(ownShape(value)))
      if (!llvm::is_contained(over, int64_t(dim)))
        shape.push_back(size);
    return llvm::map_to_vector(
        over, [&](int64_t dim) -> int64_t { return batchRank() + dim; });
  };
  SmallVector<int64_t> lhsDims = behindBatch(lhs, lhsOver),
                       rhsDims = behindBatch(rhs, rhsOver);
  return this->split(DotGeneralOp::create(b, typeFor(lhs, shape), lhs, rhs,
                                          shared, shared, lhsDims, rhsDims),
                     split);
}

Value BatchBuilder::subtract(Value a, Value b) {
  return split(arith::SubFOp::create(this->b, a, b), ownAxes(a));
}

Value BatchBuilder::addUnitDiagonal(Value square, int64_t size) {
  RankedTensorType type = typeOf(square);
  if (this->size(square, 0) == size)
    return square;
  auto same = [&](Value value) { return split(value, ownAxes(square)); };
  auto counts = type.clone(b.getI32Type());
  auto splat = [&](RankedTensorType type, TypedAttr value) {
    return same(
        arith::ConstantOp::create(b, DenseElementsAttr::get(type, value)));
  };
  Value row = same(IotaOp::create(b, counts, batchRank())),
        column = same(IotaOp::create(b, counts, batchRank() + 1));
  Value isDiagonal =
      same(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, row, column));
  Value isBehind =
      same(arith::CmpIOp::create(b, arith::CmpIPredicate::sge, row,
                                 splat(counts, b.getI32IntegerAttr(size))));
  Value isOne = same(arith::AndIOp::create(b, isDiagonal, isBehind));
  Value one = splat(type, b.getFloatAttr(type.getElementType(), 1.0));
  return same(arith::SelectOp::create(b, isOne, one, square));
}

Value BatchBuilder::joinTriangles(Value below, Value above) {
  auto same = [&](Value value) { return split(value, ownAxes(below)); };
  auto counts = typeOf(below).clone(b.getI32Type());
  Value row = same(IotaOp::create(b, counts, batchRank())),
        column = same(IotaOp::create(b, counts, batchRank() + 1));
  Value isBelow =
      same(arith::CmpIOp::create(b, arith::CmpIPredicate::sge, row, column));
  return same(arith::SelectOp::create(b, isBelow, below, same(above)));
}

Value BatchBuilder::firstStatus(Value known, Value later, int64_t before) {
  if (!known)
    return later;
  auto type = cast<RankedTensorType>(later.getType());
  auto splat = [&](int32_t value) {
    return split(
        arith::ConstantOp::create(b, DenseElementsAttr::get(type, value)), {});
  };
  Value zero = splat(0);
  auto isZero = [&](Value value) {
    return split(
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, value, zero), {});
  };
  Value counted = split(arith::AddIOp::create(b, later, splat(before)), {});
  Value own =
      split(arith::SelectOp::create(b, isZero(later), later, counted), {});
  return split(arith::SelectOp::create(b, isZero(known), own, known), {});
}

NamedAttribute BatchBuilder::letter(StringRef name, char value) {
  return b.getNamedAttr(
      name, b.getIntegerAttr(b.getIntegerType(8, /*isSigned=*/false), value));
}

std::string tessera::shard::routineBeside(LibraryCallOp call,
                                          StringRef family) {
  StringRef letter = call.getRoutine().take_front(StringRef("lapack_s").size());
  return (letter + family + "_ffi").str();
}

Operation *BatchBuilder::call(StringRef routine, ValueRange operands,
                              TypeRange results, DictionaryAttr parameters,
                              ArrayRef<SmallVector<int64_t>> factors,
                              ArrayRef<int64_t> aliases) {
  SmallVector<Attribute> buffers;
  SmallVector<Type> types(operands.getTypes());
  llvm::append_range(types, results);
  for (auto [type, own] : llvm::zip_equal(types, factors)) {
    SmallVector<int64_t> all =
        llvm::to_vector(llvm::seq<int64_t>(0, batchRank()));
    for (int64_t factor : own)
      all.push_back(factor == RoutineBufferAttr::kWhole ? factor
                                                        : batchRank() + factor);
    // LAPACK sees matrices by columns.
    SmallVector<int64_t> order;
    if (own.size() == 2) {
      order = llvm::to_vector(llvm::seq<int64_t>(0, all.size()));
      std::swap(order.back(), order[order.size() - 2]);
    }
    buffers.push_back(RoutineBufferAttr::get(
        b.getContext(), cast<RankedTensorType>(type).getElementType(), all,
        order));
  }
  return LibraryCallOp::create(b, results, b.getStringAttr(routine), operands,
                               parameters, b.getArrayAttr(buffers),
                               b.getDenseI64ArrayAttr(aliases),
                               /*summed=*/nullptr, /*whole=*/nullptr);
}

//===----------------------------------------------------------------------===//
// Dealing
//===----------------------------------------------------------------------===//

/// At most so many rounds, each of which is some operations of the program.
static constexpr int64_t kMostRounds = 16;

/// Of few parts, several rounds each, so that a round is a small part of the
/// work; of many, as many as parts divide by.
static int64_t roundsFor(int64_t parts) {
  if (parts <= kMostRounds)
    return parts * llvm::divideCeil(kMostRounds / 2, parts);
  int64_t rounds = kMostRounds;
  while (parts % rounds != 0)
    --rounds;
  return rounds;
}

Deal::Deal(int64_t size, ArrayRef<AxisRef> rows, ArrayRef<AxisRef> columns,
           const Mesh &mesh)
    : axes(rows), size(size),
      parts(totalSize(rows, mesh) * totalSize(columns, mesh)),
      rounds(roundsFor(parts)), hand(llvm::divideCeil(size, parts * rounds)) {
  llvm::append_range(axes, columns);
  isByRows = !rows.empty() && neighbouring(mesh);
}

SmallVector<AxisList> Deal::squareSplit() const {
  if (isByRows)
    return {axes};
  return {{}, axes};
}

std::optional<std::pair<AxisList, AxisList>>
Deal::neighbouring(const Mesh &mesh) const {
  AxisList first = takeMajor(axes, rounds, mesh);
  int64_t taken = totalSize(first, mesh);
  if (taken != parts && taken != rounds)
    return std::nullopt;
  return std::pair(first, dropMajor(axes, taken, mesh));
}

namespace {
/// The splits of a matrix by neighbouring rows, of its rounds, and dealt.
struct DealSplits {
  DealSplits(const Deal &deal, const DealtSplit &split, const Mesh &mesh) {
    rows = {{}, split.columns};
    cut = dealt = {{}, {}, {}, split.columns};
    if (!split.areRowsSplit)
      return;
    if (!split.columnsBefore.empty()) {
      rows[1] = cut[3] = split.columnsBefore;
      dealt[0] = deal.axes;
      return;
    }
    rows[0] = dealt[0] = deal.axes;
    std::tie(cut[0], cut[1]) = *deal.neighbouring(mesh);
  }

  SmallVector<AxisList> rows, cut, dealt;
};
} // namespace

Value tessera::shard::dealRows(BatchBuilder &b, Value matrix, const Deal &deal,
                               const DealtSplit &split) {
  DealSplits splits(deal, split, b.getMesh());
  Value padded = b.resize(matrix, 0, deal.padded(), splits.rows);
  Value cut =
      b.reshape(padded, {deal.rounds, deal.parts, deal.hand, b.size(matrix, 1)},
                splits.cut);
  return b.transpose(cut, {1, 0, 2, 3}, splits.dealt);
}

Value tessera::shard::collectRows(BatchBuilder &b, Value dealt,
                                  const Deal &deal, const DealtSplit &split) {
  DealSplits splits(deal, split, b.getMesh());
  Value cut = b.transpose(dealt, {1, 0, 2, 3}, splits.cut);
  Value rows = b.reshape(cut, {deal.padded(), b.size(dealt, 3)}, splits.rows);
  return b.resize(rows, 0, deal.size, splits.rows);
}

/// From and to the split of `Deal::squareSplit`.
static DealtSplit splitOfSquare(const Deal &deal) {
  DealtSplit split;
  if (!deal.isByRows)
    split.columnsBefore = deal.axes;
  return split;
}

Value tessera::shard::dealSquare(BatchBuilder &b, Value matrix,
                                 const Deal &deal) {
  Value square = matrix;
  // The dimension that is not split first.
  for (int64_t dim : {deal.isByRows ? 1 : 0, deal.isByRows ? 0 : 1})
    square = b.resize(square, dim, deal.padded(), deal.squareSplit());
  square = b.addUnitDiagonal(square, deal.size);
  return dealRows(b, square, deal, splitOfSquare(deal));
}

Value tessera::shard::collectSquare(BatchBuilder &b, Value dealt,
                                    const Deal &deal) {
  Value square = collectRows(b, dealt, deal, splitOfSquare(deal));
  return b.resize(square, 1, deal.size, deal.squareSplit());
}
