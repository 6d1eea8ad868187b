//===- PairBatches.cpp - look-ups that count their rows -------------------===//
//
// `cache.at[arange(batch), position].set(row)` names row i of the operand for
// row i of the indices. An index that counts can be said by a pair of batching
// dimensions, which tells all later phases that rows do not mix: a device that
// has some rows needs no others.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Import/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::importer {
#define GEN_PASS_DEF_PAIRBATCHES
#include "tessera/Transforms/Import/Passes.h.inc"
} // namespace tessera::importer

#define DEBUG_TYPE "tessera-pair-batches"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// The dimension of `reshape`'s operand that is `dim` of its result, if it only
/// adds or removes dimensions of size 1.
static std::optional<int64_t> dimBeforeReshape(ReshapeOp reshape, int64_t dim) {
  ArrayRef<int64_t> from = typeOf(reshape.getOperand()).getShape(),
                    to = reshape.getType().getShape();
  auto isLong = [](int64_t size) { return size != 1; };
  if (!llvm::equal(llvm::make_filter_range(from, isLong),
                   llvm::make_filter_range(to, isLong)) ||
      to[dim] == 1)
    return std::nullopt;
  int64_t before = llvm::count_if(to.take_front(dim), isLong);
  for (auto [fromDim, size] : llvm::enumerate(from))
    if (isLong(size) && before-- == 0)
      return fromDim;
  return std::nullopt;
}

/// Whether every element of `value`, of integers, is its index along `dim`.
static bool isIndexAlong(Value value, int64_t dim) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto iota = dyn_cast<IotaOp>(op))
    return int64_t(iota.getDim()) == dim;
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    const int64_t *found = llvm::find(broadcast.getDims(), dim);
    int64_t from = found - broadcast.getDims().begin();
    return found != broadcast.getDims().end() &&
           typeOf(broadcast.getOperand()).getDimSize(from) ==
               typeOf(value).getDimSize(dim) &&
           isIndexAlong(broadcast.getOperand(), from);
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    std::optional<int64_t> from = dimBeforeReshape(reshape, dim);
    return from && isIndexAlong(reshape.getOperand(), *from);
  }
  // JAX counts from the end where an index is negative, which it is not.
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
    return compare && compare.getPredicate() == arith::CmpIPredicate::slt &&
           isIndexAlong(compare.getLhs(), dim) &&
           matchPattern(compare.getRhs(), m_Zero()) &&
           isIndexAlong(select.getFalseValue(), dim);
  }
  if (auto wider = dyn_cast<arith::ExtSIOp>(op))
    return isIndexAlong(wider.getIn(), dim);
  return false;
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

namespace {
/// What a gather and a scatter say of indices, by the names of the former.
struct IndexVectors {
  Value operand, indices;
  SmallVector<int64_t> collapsed, operandBatching, indicesBatching, map;
  int64_t vectorDim;

  bool pairOne(ImplicitLocOpBuilder &builder);
  Value withoutComponent(ImplicitLocOpBuilder &builder, ConcatenateOp vectors,
                         unsigned number) const;
};
} // namespace

/// The index vectors, which `vectors` puts together of one component each,
/// without one of them.
Value IndexVectors::withoutComponent(ImplicitLocOpBuilder &builder,
                                     ConcatenateOp vectors,
                                     unsigned number) const {
  SmallVector<Value> parts(vectors.getOperands());
  parts.erase(parts.begin() + number);
  if (parts.size() == 1)
    return parts.front();
  SmallVector<int64_t> shape(vectors.getType().getShape());
  --shape[vectorDim];
  return ConcatenateOp::create(builder, vectors.getType().clone(shape), parts,
                               vectorDim);
}

/// Makes a pair of a component that counts along a dimension of the indices and
/// the operand's dimension that it addresses, as long as that; returns whether
/// there is one.
bool IndexVectors::pairOne(ImplicitLocOpBuilder &builder) {
  auto vectors = indices.getDefiningOp<ConcatenateOp>();
  if (!vectors || int64_t(vectors.getDim()) != vectorDim ||
      vectors.getNumOperands() != map.size() || map.size() < 2)
    return false;
  for (auto [number, part] : llvm::enumerate(vectors.getOperands())) {
    int64_t addressed = map[number];
    if (!llvm::is_contained(collapsed, addressed))
      continue;
    for (int64_t dim = 0; dim < typeOf(part).getRank(); ++dim) {
      if (dim == vectorDim || llvm::is_contained(indicesBatching, dim) ||
          typeOf(part).getDimSize(dim) !=
              typeOf(operand).getDimSize(addressed) ||
          !isIndexAlong(part, dim))
        continue;
      LDBG() << describeFile(builder.getLoc()) << ": dimension " << addressed
             << " of the operand and " << dim
             << " of the indices are a batching pair, for component " << number
             << " counts it";
      indices = withoutComponent(builder, vectors, number);
      map.erase(map.begin() + number);
      llvm::erase(collapsed, addressed);
      auto at = llvm::lower_bound(operandBatching, addressed);
      indicesBatching.insert(
          indicesBatching.begin() + (at - operandBatching.begin()), dim);
      operandBatching.insert(at, addressed);
      return true;
    }
  }
  return false;
}

static void pairBatches(GatherOp op) {
  IndexVectors vectors{op.getOperand(),
                       op.getIndices(),
                       llvm::to_vector(op.getCollapsedDims()),
                       llvm::to_vector(op.getOperandBatching()),
                       llvm::to_vector(op.getIndicesBatching()),
                       llvm::to_vector(op.getStartIndexMap()),
                       int64_t(op.getIndexVectorDim())};
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  while (vectors.pairOne(builder))
    ;
  op.getIndicesMutable().assign(vectors.indices);
  op.setCollapsedDims(vectors.collapsed);
  op.setOperandBatching(vectors.operandBatching);
  op.setIndicesBatching(vectors.indicesBatching);
  op.setStartIndexMap(vectors.map);
}

static void pairBatches(ScatterOp op) {
  IndexVectors vectors{op.getOperand(),
                       op.getIndices(),
                       llvm::to_vector(op.getInsertedDims()),
                       llvm::to_vector(op.getOperandBatching()),
                       llvm::to_vector(op.getIndicesBatching()),
                       llvm::to_vector(op.getOperandDimsMap()),
                       int64_t(op.getIndexVectorDim())};
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  while (vectors.pairOne(builder))
    ;
  op.getIndicesMutable().assign(vectors.indices);
  op.setInsertedDims(vectors.collapsed);
  op.setOperandBatching(vectors.operandBatching);
  op.setIndicesBatching(vectors.indicesBatching);
  op.setOperandDimsMap(vectors.map);
}

namespace {
struct PairBatches : tessera::importer::impl::PairBatchesBase<PairBatches> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto gather = dyn_cast<GatherOp>(op))
        pairBatches(gather);
      else if (auto scatter = dyn_cast<ScatterOp>(op))
        pairBatches(scatter);
    });
  }
};
} // namespace
