//===- SplitSorts.cpp - sorts that keep few elements, in two steps --------===//
//
// What comes first in an order comes first in its own part, too. Of a dimension
// that is split over devices, each part is sorted by itself, and then what the
// parts kept: only that has to be gathered.
//
// The split dimension need not be the sorted one itself. The best continuations
// of a beam search are sought among all words of all beams, with the words
// split: `reshape` merges the two dimensions, and no sharding says of the
// result that every so many of its elements lie on one device. So the sort is
// looked at before that reshape; a part is what lies on one device of all the
// dimensions that were merged.
//
// Equal elements must keep their order. Within a part they do. Parts are in
// order if the split dimension is the first of the merged ones, and only
// otherwise the second step compares indices as well: an input that counts
// along the sorted dimension (as `top_k` has it), or one that is added. Indices
// also tell the padding of a last part that is not full: it comes behind
// everything.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace tessera::shard {
#define GEN_PASS_DEF_SPLITSORTS
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-split-sorts"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {

/// One sort along a dimension that may be split.
class SortSplitter {
public:
  SortSplitter(SortOp sort, const Mesh &mesh)
      : sort(sort), mesh(mesh), dim(sort.getDim()), b(sort.getLoc(), sort) {
    for (Value input : sort.getInputs())
      if (findParts(input) || findMergedParts(input))
        return;
  }

  bool isNeeded() const { return sharding != nullptr; }
  void rewrite();

private:
  bool findParts(Value source);
  bool findMergedParts(Value input);
  int64_t kept() { return typeOf(sort.getResult(0)).getDimSize(dim); }
  /// Whether some part is not full.
  bool isPadded() const {
    return llvm::any_of(llvm::enumerate(counts), [&](auto entry) {
      return shape[dim + entry.index()] % entry.value() != 0;
    });
  }
  /// Whether parts, one behind the other, have their elements in order.
  bool isInOrder() const {
    return llvm::all_of(ArrayRef(counts).drop_front(),
                        [](int64_t count) { return count == 1; });
  }

  Value withSharding(Value value, ArrayRef<DimSharding> dims);
  Value partsOf(Value input, bool isIndex);
  Value paddedToParts(Value value, bool isIndex);
  unsigned findOrAddIndices(SmallVectorImpl<Value> &inputs);
  SortOp sortAlong(int64_t along, ValueRange inputs,
                   std::optional<unsigned> index);
  void compareIndicesToo(SortOp sorted, unsigned index);

  SortOp sort;
  const Mesh &mesh;
  int64_t dim;
  ImplicitLocOpBuilder b;
  /// The shape before dimensions were merged to the sorted one (that of the
  /// inputs if none were), how it is split, and into how many parts each of
  /// the merged dimensions.
  SmallVector<int64_t> shape, counts;
  ShardingAttr sharding;
};

} // namespace

//===----------------------------------------------------------------------===//
// Is it needed
//===----------------------------------------------------------------------===//

/// Takes the parts of `source`, whose dimensions from `dim` on, as many as it
/// has more than the sorted tensor and one, are merged to the sorted one.
/// False where there is one part or it would keep all its elements.
bool SortSplitter::findParts(Value source) {
  ShardingAttr guide = getSharding(source);
  if (!guide)
    return false;
  int64_t merged =
      typeOf(source).getRank() - typeOf(sort.getResult(0)).getRank() + 1;
  shape = llvm::to_vector(typeOf(source).getShape());
  counts.clear();
  int64_t parts = 1, size = 1;
  for (int64_t i = dim; i < dim + merged; ++i) {
    counts.push_back(guide.getValue().numShards(i, mesh));
    parts *= counts.back();
    size *= llvm::divideCeil(shape[i], counts.back());
  }
  if (parts == 1 || kept() >= size)
    return false;
  sharding = guide;
  return true;
}

/// The same of what `input` is a reshape of, if that merges dimensions to the
/// sorted one and leaves the others alone.
bool SortSplitter::findMergedParts(Value input) {
  auto reshape = input.getDefiningOp<ReshapeOp>();
  if (!reshape)
    return false;
  ArrayRef<int64_t> from = typeOf(reshape.getOperand()).getShape(),
                    to = typeOf(input).getShape();
  size_t behind = to.size() - dim - 1;
  return from.size() > to.size() &&
         from.take_front(dim) == to.take_front(dim) &&
         from.take_back(behind) == to.take_back(behind) &&
         findParts(reshape.getOperand());
}

//===----------------------------------------------------------------------===//
// Taking apart
//===----------------------------------------------------------------------===//

Value SortSplitter::withSharding(Value value, ArrayRef<DimSharding> dims) {
  TensorSharding split = sharding.getValue();
  split.dims.assign(dims.begin(), dims.end());
  setSharding(value,
              ShardingAttr::get(sort.getContext(), sharding.getMesh(), split));
  return value;
}

/// `value`, of the shape before merging, with merged dimensions that do not
/// divide padded: with zeros, indices with one that is behind all.
Value SortSplitter::paddedToParts(Value value, bool isIndex) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> sizes(type.getShape()), none(type.getRank(), 0),
      high(none);
  for (auto [i, count] : llvm::enumerate(counts)) {
    high[dim + i] = llvm::alignTo(sizes[dim + i], count) - sizes[dim + i];
    sizes[dim + i] += high[dim + i];
  }
  if (sizes == type.getShape())
    return value;
  Type element = type.getElementType();
  TypedAttr fill =
      isIndex ? b.getIntegerAttr(element,
                                 typeOf(sort.getInputs()[0]).getDimSize(dim))
              : b.getZeroAttr(element);
  Value with = arith::ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get({}, element), fill));
  setSharding(with, ShardingAttr::get(sort.getContext(), sharding.getMesh(),
                                      TensorSharding::getReplicated(0)));
  return withSharding(
      PadOp::create(b, type.clone(sizes), value, with, none, high, none),
      sharding.getValue().dims);
}

/// `input` with two dimensions in place of the sorted one: that of the parts,
/// and what lies in a part.
Value SortSplitter::partsOf(Value input, bool isIndex) {
  ArrayRef<DimSharding> dims = sharding.getValue().dims;
  RankedTensorType type = typeOf(input).clone(shape);
  auto before = input.getDefiningOp<ReshapeOp>();
  Value whole = input;
  if (before && before.getOperand().getType() == type)
    whole = before.getOperand();
  else if (input.getType() != type)
    whole = withSharding(ReshapeOp::create(b, type, input), dims);
  whole = paddedToParts(whole, isIndex);

  // [..., n1, c1, n2, c2, ...], then the numbers of parts before all others.
  size_t merged = counts.size();
  SmallVector<int64_t> cut(ArrayRef(shape).take_front(dim));
  SmallVector<DimSharding> cutDims(dims.take_front(dim));
  SmallVector<int64_t> order(dim);
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = 0; i < merged; ++i)
    order.push_back(dim + 2 * i);
  int64_t parts = 1, size = 1;
  DimSharding partDim;
  for (auto [i, count] : llvm::enumerate(counts)) {
    int64_t each = llvm::divideCeil(shape[dim + i], count);
    cut.append({count, each});
    cutDims.append({dims[dim + i], DimSharding()});
    order.push_back(dim + 2 * i + 1);
    parts *= count;
    size *= each;
    llvm::append_range(partDim.axes, dims[dim + i].axes);
  }
  for (size_t i = dim + merged; i < shape.size(); ++i) {
    order.push_back(cut.size());
    cut.push_back(shape[i]);
    cutDims.push_back(dims[i]);
  }
  whole = withSharding(ReshapeOp::create(b, type.clone(cut), whole), cutDims);
  if (merged == 1)
    return whole;

  SmallVector<int64_t> moved;
  SmallVector<DimSharding> movedDims;
  for (int64_t from : order) {
    moved.push_back(cut[from]);
    movedDims.push_back(cutDims[from]);
  }
  if (!llvm::is_sorted(order))
    whole = withSharding(
        TransposeOp::create(b, type.clone(moved), whole, order), movedDims);
  SmallVector<int64_t> joined(ArrayRef(shape).take_front(dim));
  SmallVector<DimSharding> joinedDims(dims.take_front(dim));
  joined.append({parts, size});
  joinedDims.append({partDim, DimSharding()});
  llvm::append_range(joined, ArrayRef(shape).drop_front(dim + merged));
  llvm::append_range(joinedDims, dims.drop_front(dim + merged));
  return withSharding(ReshapeOp::create(b, type.clone(joined), whole),
                      joinedDims);
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

/// The number of the input that counts along the sorted dimension; one is added
/// to `inputs` if there is none.
unsigned SortSplitter::findOrAddIndices(SmallVectorImpl<Value> &inputs) {
  for (auto [i, input] : llvm::enumerate(inputs))
    if (auto iota = input.getDefiningOp<IotaOp>();
        iota && static_cast<int64_t>(iota.getDim()) == dim)
      return i;
  RankedTensorType type = typeOf(inputs.front());
  auto indices =
      IotaOp::create(b, type.clone(type.getShape(), b.getI32Type()), dim);
  setSharding(indices,
              ShardingAttr::get(sort.getContext(), sharding.getMesh(),
                                TensorSharding::getReplicated(type.getRank())));
  inputs.push_back(indices);
  return inputs.size() - 1;
}

/// Makes the order of `sorted` total: of elements of which neither comes before
/// the other, and before padding, the one with the lower index.
void SortSplitter::compareIndicesToo(SortOp sorted, unsigned index) {
  Block &body = sorted.getBody().front();
  auto yield = cast<YieldOp>(body.getTerminator());
  ImplicitLocOpBuilder inner(sort.getLoc(), yield);
  // The same comparison the other way round.
  IRMapping swapped;
  for (unsigned i = 0; i < body.getNumArguments(); i += 2) {
    swapped.map(body.getArgument(i), body.getArgument(i + 1));
    swapped.map(body.getArgument(i + 1), body.getArgument(i));
  }
  SmallVector<Operation *> compared(llvm::make_pointer_range(
      llvm::make_range(body.begin(), yield->getIterator())));
  for (Operation *op : compared)
    inner.clone(*op, swapped);
  Value before = yield.getOperand(0);
  Value behind = swapped.lookupOrDefault(before);
  Value a = body.getArgument(2 * index), c = body.getArgument(2 * index + 1);
  auto compare = [&](arith::CmpIPredicate predicate, Value x, Value y) {
    return Value(arith::CmpIOp::create(inner, predicate, x, y));
  };
  Value lower = compare(arith::CmpIPredicate::slt, a, c);
  Value first = arith::SelectOp::create(inner, behind, before, lower);
  first = arith::OrIOp::create(inner, before, first);
  if (isPadded()) {
    Value end = arith::ConstantOp::create(
        inner,
        DenseElementsAttr::get(
            typeOf(a),
            inner.getIntegerAttr(typeOf(a).getElementType(),
                                 typeOf(sort.getInputs()[0]).getDimSize(dim))));
    Value aIsIn = compare(arith::CmpIPredicate::slt, a, end);
    Value cIsIn = compare(arith::CmpIPredicate::slt, c, end);
    Value bothIn = arith::AndIOp::create(inner, aIsIn, cIsIn);
    first = arith::SelectOp::create(inner, bothIn, first, lower);
  }
  yield->setOperand(0, first);
}

/// The same order of other inputs; by the indices as well, if those are given.
SortOp SortSplitter::sortAlong(int64_t along, ValueRange inputs,
                               std::optional<unsigned> index) {
  SmallVector<Type> types;
  for (Value input : inputs) {
    SmallVector<int64_t> sizes(typeOf(input).getShape());
    sizes[along] = kept();
    types.push_back(typeOf(input).clone(sizes));
  }
  auto sorted = SortOp::create(b, types, inputs, along);
  IRMapping mapping;
  sort.getBody().cloneInto(&sorted.getBody(), mapping);
  for (Value added : inputs.drop_front(sort.getInputs().size()))
    for (int i = 0; i < 2; ++i)
      sorted.getBody().addArgument(
          RankedTensorType::get({}, typeOf(added).getElementType()),
          sort.getLoc());
  if (index)
    compareIndicesToo(sorted, *index);
  return sorted;
}

/// Erases `op`, whose results nobody uses, and what only it used: where data
/// moves is chosen as if all of the program were wanted.
static void eraseWithUnused(Operation *op) {
  llvm::SetVector<Operation *> unused;
  unused.insert(op);
  while (!unused.empty()) {
    Operation *next = unused.pop_back_val();
    SmallVector<Value> operands(next->getOperands());
    next->erase();
    for (Value operand : operands)
      if (Operation *maker = operand.getDefiningOp();
          maker && isOpTriviallyDead(maker))
        unused.insert(maker);
  }
}

void SortSplitter::rewrite() {
  SmallVector<Value> inputs(sort.getInputs());
  std::optional<unsigned> index;
  if (isPadded() || !isInOrder())
    index = findOrAddIndices(inputs);
  LDBG() << describeOperation(sort) << ": " << kept()
         << " elements of each part along dimension " << dim
         << " are sorted, then what they leave"
         << (index ? ", equal ones by their indices" : "");
  for (auto [i, input] : llvm::enumerate(inputs))
    input = partsOf(input, index == i);
  SmallVector<DimSharding> dims =
      llvm::to_vector(getSharding(inputs.front()).getValue().dims);
  SortOp within = sortAlong(dim + 1, inputs, isPadded() ? index : std::nullopt);
  SmallVector<DimSharding> joinedDims(dims);
  joinedDims.erase(joinedDims.begin() + dim + 1);
  SmallVector<Value> kept;
  for (Value result : within.getResults()) {
    withSharding(result, dims);
    SmallVector<int64_t> sizes(typeOf(result).getShape());
    sizes[dim] *= sizes[dim + 1];
    sizes.erase(sizes.begin() + dim + 1);
    kept.push_back(withSharding(
        ReshapeOp::create(b, typeOf(result).clone(sizes), result), joinedDims));
  }
  SortOp across = sortAlong(dim, kept, index);
  for (auto [i, result] : llvm::enumerate(across.getResults()))
    setSharding(result,
                getSharding(sort.getResult(i < sort->getNumResults() ? i : 0)));
  sort->replaceAllUsesWith(
      across.getResults().take_front(sort->getNumResults()));
  eraseWithUnused(sort);
}

namespace {
struct SplitSorts : tessera::shard::impl::SplitSortsBase<SplitSorts> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    SmallVector<SortOp> sorts;
    getOperation().walk([&](SortOp sort) { sorts.push_back(sort); });
    for (SortOp sort : sorts)
      if (SortSplitter splitter(sort, mesh->getMesh().getMesh());
          splitter.isNeeded())
        splitter.rewrite();
  }
};
} // namespace
