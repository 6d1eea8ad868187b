//===- IndexedOperations.cpp - Random operations at computed indices ------===//

#include "ProgramGenerator.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

static constexpr int64_t maximalElements = 2048, maximalRank = 4;

/// Scalars, of which some reach outside of small tensors.
SmallVector<Value> ProgramGenerator::indicesInto(int64_t rank) {
  SmallVector<Value> indices;
  for (int64_t dim = 0; dim < rank; ++dim)
    indices.push_back(
        random.chance(40)
            ? splat(tensorType({}, builder.getI32Type()), random.between(-1, 6))
            : need({}, builder.getI32Type()).value);
  return indices;
}

/// A box of at most `shape`, the whole size in about half of the dimensions.
static SmallVector<int64_t> randomBox(Random &random, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> box;
  for (int64_t size : shape)
    box.push_back(random.chance(50) ? size : random.between(1, size));
  return box;
}

bool ProgramGenerator::addDynamicSlice() {
  auto a = find([](const Known &known) { return known.rank() > 0; });
  if (!a)
    return false;
  SmallVector<int64_t> box = randomBox(random, a->shape());
  return add(create<DynamicSliceOp>(tensorType(box, a->element()), a->value,
                                    indicesInto(a->rank())),
             a->bound);
}

bool ProgramGenerator::addDynamicUpdateSlice() {
  auto a = find([](const Known &known) { return known.rank() > 0; });
  if (!a)
    return false;
  Known update = need(randomBox(random, a->shape()), a->element());
  return add(create<DynamicUpdateSliceOp>(a->type(), a->value, update.value,
                                          indicesInto(a->rank())),
             std::max(a->bound, update.bound));
}

namespace {

/// The dimension lists of a gather, or of the scatter that is its reverse.
struct WindowLists {
  SmallVector<int64_t> indicesShape, windowsShape, sizes;
  SmallVector<int64_t> windowDims, dropped, wholeBatching, indicesBatching, map;
  int64_t vectorDim;
};

} // namespace

/// Draws which dimensions of `whole` an index vector places, which are batching
/// dimensions, how large the windows are and where their dimensions stand.
static std::optional<WindowLists> randomWindows(Random &random,
                                                ArrayRef<int64_t> whole) {
  WindowLists lists;
  SmallVector<int64_t> batch, windowShape;
  for (auto [dim, size] : llvm::enumerate(whole)) {
    int64_t draw = random.below(100);
    if (draw < 15) {
      lists.wholeBatching.push_back(dim);
      lists.sizes.push_back(1);
      batch.push_back(size);
    } else if (draw < 60) {
      lists.map.push_back(dim);
      bool drop = random.chance(70);
      lists.sizes.push_back(drop ? 1 : random.between(1, size));
      if (drop)
        lists.dropped.push_back(dim);
      else
        windowShape.push_back(lists.sizes.back());
    } else if (draw < 67) {
      // No index: always the first index.
      lists.sizes.push_back(1);
      lists.dropped.push_back(dim);
    } else {
      lists.sizes.push_back(size);
      windowShape.push_back(size);
    }
  }
  if (lists.map.empty())
    return std::nullopt;
  random.shuffle(lists.map);
  int64_t batchingDims = batch.size();
  for (int64_t more = random.below(3); more > 0; --more)
    batch.push_back(random.pick({1, 2, 3, 4, 8}));
  // Batching dimensions stand first; the index vectors anywhere.
  lists.vectorDim = random.chance(70) ? int64_t(batch.size())
                                      : random.below(int64_t(batch.size()) + 1);
  lists.indicesShape = batch;
  lists.indicesShape.insert(lists.indicesShape.begin() + lists.vectorDim,
                            lists.map.size());
  for (int64_t dim = 0; dim < batchingDims; ++dim)
    lists.indicesBatching.push_back(dim < lists.vectorDim ? dim : dim + 1);
  // Window dimensions at random positions among those of the batch.
  int64_t rank = batch.size() + windowShape.size();
  SmallVector<int64_t> positions = random.permutation(rank);
  positions.resize(windowShape.size());
  if (random.chance(70)) {
    positions.clear();
    for (size_t i = 0; i < windowShape.size(); ++i)
      positions.push_back(batch.size() + i);
  }
  llvm::sort(positions);
  lists.windowDims = positions;
  size_t nextBatch = 0, nextWindow = 0;
  for (int64_t dim = 0; dim < rank; ++dim)
    lists.windowsShape.push_back(llvm::is_contained(positions, dim)
                                     ? windowShape[nextWindow++]
                                     : batch[nextBatch++]);
  if (rank > maximalRank || int64_t(lists.indicesShape.size()) > maximalRank ||
      llvm::product_of(lists.windowsShape) > maximalElements)
    return std::nullopt;
  return lists;
}

bool ProgramGenerator::addGather() {
  auto a = find([](const Known &known) { return known.rank() > 0; });
  if (!a)
    return false;
  auto lists = randomWindows(random, a->shape());
  if (!lists)
    return false;
  Known indices = need(lists->indicesShape, builder.getI32Type());
  return add(create<GatherOp>(tensorType(lists->windowsShape, a->element()),
                              a->value, indices.value, lists->windowDims,
                              lists->dropped, lists->wholeBatching,
                              lists->indicesBatching, lists->map,
                              uint64_t(lists->vectorDim), lists->sizes),
             a->bound);
}

/// Always with a monoid: without one the order of updates would matter.
bool ProgramGenerator::addScatter() {
  Known a = *findNumber(/*minimalRank=*/1);
  auto lists = randomWindows(random, a.shape());
  if (!lists)
    return false;
  Known indices = need(lists->indicesShape, builder.getI32Type());
  ReductionKind kind =
      random.pick({ReductionKind::Sum, ReductionKind::Sum, ReductionKind::Max});
  int64_t updatesPerElement = llvm::product_of(lists->windowsShape);
  double range = a.element().isBF16() ? 1 << 7 : 1 << 22;
  if (3 * (updatesPerElement + 1) > range)
    return false;
  a = bounded(a, range / 2);
  Known updates = bounded(need(lists->windowsShape, a.element()),
                          std::max(3.0, range / 2 / updatesPerElement));
  auto attribute = ReductionAttr::get(builder.getContext(), kind);
  return add(create<ScatterOp>(a.type(), a.value, indices.value, updates.value,
                               attribute, lists->windowDims, lists->dropped,
                               lists->wholeBatching, lists->indicesBatching,
                               lists->map, uint64_t(lists->vectorDim),
                               /*unique_indices=*/false),
             a.bound + updates.bound * updatesPerElement);
}

//===----------------------------------------------------------------------===//
// Sorts
//===----------------------------------------------------------------------===//

/// Numbers in order, with their indices and perhaps others that go with them;
/// sometimes only those that come first.
bool ProgramGenerator::addSort() {
  Known keys = *findNumber(1);
  int64_t dim = random.below(keys.rank());
  SmallVector<Known> inputs = {keys};
  if (random.chance(60))
    inputs.push_back(
        {create<IotaOp>(tensorType(keys.shape(), builder.getI32Type()), dim),
         std::max(3.0, double(keys.shape()[dim]))});
  if (random.chance(30))
    inputs.push_back(need(keys.shape(), randomElement()));
  SmallVector<int64_t> shape(keys.shape());
  if (shape[dim] > 1 && random.chance(50))
    shape[dim] = random.between(1, shape[dim] - 1);
  SmallVector<Value> values;
  SmallVector<Type> results, elements;
  for (const Known &input : inputs) {
    values.push_back(input.value);
    results.push_back(input.type().clone(shape));
    elements.append(2, tensorType({}, input.element()));
  }
  auto op = create<SortOp>(results, values, dim);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(
        &op.getBody(), {}, elements,
        SmallVector<Location>(elements.size(), builder.getUnknownLoc()));
    Value a = body->getArgument(0), b = body->getArgument(1), isFirst;
    if (isa<FloatType>(keys.element()))
      isFirst = create<arith::CmpFOp>(
          random.pick({arith::CmpFPredicate::OLT, arith::CmpFPredicate::OGT}),
          a, b);
    else
      isFirst = create<arith::CmpIOp>(
          random.pick({arith::CmpIPredicate::slt, arith::CmpIPredicate::sgt}),
          a, b);
    create<YieldOp>(isFirst);
  }
  for (auto [result, input] : llvm::zip_equal(op.getResults(), inputs))
    pool.push_back({result, input.bound});
  return true;
}
