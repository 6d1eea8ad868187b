//===- IndexedOperations.cpp - gather and scatter -------------------------===//
//
// Both walk over the elements of the windows' tensor (gather's result,
// scatter's updates). Such an element's index is, by dimension, either inside a
// window or a batch index; the batch index finds the index vector, and that and
// the index inside the window give the element of the whole tensor. Names are
// those of the StableHLO specification.
//
//===----------------------------------------------------------------------===//

#include "Monoid.h"
#include "OperationTable.h"
#include "StridedCopy.h"

#include <algorithm>
#include <cstring>

using namespace mlir;
using namespace tessera;

namespace {

/// What gather and scatter have in common.
struct Windows {
  ArrayRef<int64_t> windowDims;      ///< Of the windows' tensor: in a window.
  ArrayRef<int64_t> droppedDims;     ///< Of the whole: size 1 in a window.
  ArrayRef<int64_t> wholeBatching;   ///< Of the whole: go with those of ...
  ArrayRef<int64_t> indicesBatching; ///< ... of the indices.
  ArrayRef<int64_t> indexMap; ///< What the components of an index vector place.
  int64_t indexVectorDim;
  const HostTensor &indices;
  int64_t wholeRank;

  Shape batchOf(const Shape &index) const;
  Shape startOf(const Shape &batch) const;
  Shape offsetOf(const Shape &index) const;
  void addBatch(Shape &start, const Shape &batch) const;
};

/// The batch part of an index into the windows' tensor.
Shape Windows::batchOf(const Shape &index) const {
  Shape batch;
  for (auto [dim, i] : llvm::enumerate(index))
    if (!llvm::is_contained(windowDims, int64_t(dim)))
      batch.push_back(i);
  return batch;
}

/// Where the index vector of `batch` places its window in the whole.
Shape Windows::startOf(const Shape &batch) const {
  Shape at = batch;
  int64_t rank = indices.shape().size();
  if (indexVectorDim < rank)
    at.insert(at.begin() + indexVectorDim, 0);
  Shape strides = rowMajorStrides(indices.shape());
  Shape start(wholeRank, 0);
  for (auto [component, dim] : llvm::enumerate(indexMap)) {
    if (indexVectorDim < rank)
      at[indexVectorDim] = component;
    int64_t position = 0;
    for (size_t i = 0; i < at.size(); ++i)
      position += at[i] * strides[i];
    start[dim] = dispatchInteger(indices.type(), [&](auto tag) -> int64_t {
      return load(indices.elements<typename decltype(tag)::Type>()[position]);
    });
  }
  return start;
}

/// Adds the batch index in the dimensions that go with it.
void Windows::addBatch(Shape &start, const Shape &batch) const {
  for (auto [whole, dim] : llvm::zip_equal(wholeBatching, indicesBatching))
    start[whole] += batch[dim < indexVectorDim ? dim : dim - 1];
}

/// The index inside the window, in all dimensions of the whole.
Shape Windows::offsetOf(const Shape &index) const {
  Shape offset(wholeRank, 0);
  size_t next = 0;
  for (int64_t dim = 0; dim < wholeRank; ++dim)
    if (!llvm::is_contained(droppedDims, dim) &&
        !llvm::is_contained(wholeBatching, dim))
      offset[dim] = index[windowDims[next++]];
  return offset;
}

} // namespace

/// The row-major position of `index` in a tensor of shape `shape`.
static int64_t positionOf(const Shape &index, const Shape &shape) {
  int64_t position = 0;
  for (auto [i, size] : llvm::zip_equal(index, shape)) {
    assert(i >= 0 && i < size && "expected a window inside the tensor");
    position = position * size + i;
  }
  return position;
}

static Shape add(Shape a, const Shape &b) {
  for (auto [sum, i] : llvm::zip_equal(a, b))
    sum += i;
  return a;
}

static LogicalResult gather(Invocation &in) {
  auto op = cast<GatherOp>(in.op);
  const HostTensor &whole = in.operand(0);
  Windows windows{op.getOffsetDims(),      op.getCollapsedDims(),
                  op.getOperandBatching(), op.getIndicesBatching(),
                  op.getStartIndexMap(),   int64_t(op.getIndexVectorDim()),
                  in.operand(1),           int64_t(whole.shape().size())};
  HostTensor result = in.makeResult();
  size_t size = elementSize(result.type());
  std::byte *to = result.data();
  forEachIndex(result.shape(), [&](const Shape &index) {
    Shape batch = windows.batchOf(index);
    Shape start = windows.startOf(batch);
    for (size_t dim = 0; dim < start.size(); ++dim)
      start[dim] = std::clamp<int64_t>(
          start[dim], 0, whole.shape()[dim] - op.getSliceSizes()[dim]);
    windows.addBatch(start, batch);
    int64_t from =
        positionOf(add(start, windows.offsetOf(index)), whole.shape());
    std::memcpy(to, whole.data() + from * size, size);
    to += size;
  });
  return in.give(std::move(result));
}

/// Whether a window of shape `window` that starts at `start` lies inside.
static bool liesInside(const Shape &start, const Shape &window,
                       const Shape &whole) {
  for (auto [i, size, limit] : llvm::zip_equal(start, window, whole))
    if (i < 0 || i > limit - size)
      return false;
  return true;
}

static LogicalResult scatter(Invocation &in) {
  auto op = cast<ScatterOp>(in.op);
  HostTensor result = in.operand(0);
  const HostTensor &updates = in.operand(2);
  std::optional<ReductionKind> kind;
  if (op.getKind())
    kind = op.getKind()->getKind();
  if (kind && !isDefined(*kind, result.type()))
    return in.fail("expected integers under '" + stringify(*kind) + "', got " +
                   result.describeType());
  Windows windows{op.getWindowDims(),      op.getInsertedDims(),
                  op.getOperandBatching(), op.getIndicesBatching(),
                  op.getOperandDimsMap(),  int64_t(op.getIndexVectorDim()),
                  in.operand(1),           int64_t(result.shape().size())};
  Shape last = updates.shape();
  for (int64_t &size : last)
    --size;
  Shape window = add(windows.offsetOf(last), Shape(windows.wholeRank, 1));
  dispatchStorage(result.type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    std::span<T> r = result.elements<T>();
    const T *from = updates.elements<T>().data();
    forEachIndex(updates.shape(), [&](const Shape &index) {
      Shape batch = windows.batchOf(index);
      Shape start = windows.startOf(batch);
      T update = *from++;
      if (!liesInside(start, window, result.shape()))
        return;
      windows.addBatch(start, batch);
      T &to =
          r[positionOf(add(start, windows.offsetOf(index)), result.shape())];
      to = kind ? store<T>(combine(*kind, load(to), load(update))) : update;
    });
  });
  return in.give(std::move(result));
}

void tessera::addIndexedOperations(OperationTable &table) {
  table.add("tessera.gather", gather);
  table.add("tessera.scatter", scatter);
}
