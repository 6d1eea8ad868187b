//===- Sorting.cpp - sort -------------------------------------------------===//

#include "ElementAccess.h"
#include "OperationTable.h"
#include "StridedCopy.h"

#include <numeric>

using namespace mlir;
using namespace tessera;

namespace {

/// Sorts the rows of the operands of one `tessera.sort`, which have the sorted
/// dimension last.
class RowSorter {
public:
  RowSorter(Invocation &in, ArrayRef<HostTensor> rows, int64_t length)
      : in(in), rows(rows), length(length), order(length), merged(length) {}

  /// The indices of the elements of row `row` in their order. A merge sort from
  /// runs of one element upwards; it keeps the order of equal elements, and
  /// ends whatever the region says.
  LogicalResult run(int64_t row, ArrayRef<int64_t> &result) {
    std::iota(order.begin(), order.end(), 0);
    for (int64_t width = 1; width < length; width *= 2) {
      for (int64_t start = 0; start < length; start += 2 * width)
        if (failed(merge(row, start, std::min(start + width, length),
                         std::min(start + 2 * width, length))))
          return failure();
      std::swap(order, merged);
    }
    result = order;
    return success();
  }

private:
  /// Merges the runs [start, middle) and [middle, end).
  LogicalResult merge(int64_t row, int64_t start, int64_t middle, int64_t end) {
    int64_t left = start, right = middle;
    for (int64_t i = start; i < end; ++i) {
      bool takeRight = left == middle;
      if (!takeRight && right < end &&
          failed(isBefore(row, order[right], order[left], takeRight)))
        return failure();
      merged[i] = order[takeRight ? right++ : left++];
    }
    return success();
  }

  /// Whether element `a` of the row comes before element `b`, in `result`.
  LogicalResult isBefore(int64_t row, int64_t a, int64_t b, bool &result) {
    SmallVector<TensorRef> arguments, decision;
    for (const HostTensor &tensor : rows)
      for (int64_t element : {a, b})
        arguments.push_back(std::make_shared<const HostTensor>(
            readStrided(tensor, {}, {row * length + element, {}})));
    if (failed(in.executor.run(cast<SortOp>(in.op).getBody(), arguments,
                               decision)))
      return failure();
    result = load(decision.front()->elements<Boolean>().front());
    return success();
  }

  Invocation &in;
  ArrayRef<HostTensor> rows;
  int64_t length;
  std::vector<int64_t> order, merged;
};

} // namespace

/// Swaps the dimensions `dim` and the last one.
static HostTensor swapWithLast(const HostTensor &tensor, int64_t dim) {
  Shape permutation(tensor.shape().size());
  std::iota(permutation.begin(), permutation.end(), 0);
  std::swap(permutation[dim], permutation.back());
  return transpose(tensor, permutation);
}

static LogicalResult sort(Invocation &in) {
  auto op = cast<SortOp>(in.op);
  int64_t dim = op.getDim(), length = in.operand(0).shape()[dim];
  SmallVector<HostTensor> rows, results;
  for (unsigned i = 0; i < op.getNumResults(); ++i) {
    rows.push_back(swapWithLast(in.operand(i), dim));
    results.push_back(swapWithLast(in.makeResult(i), dim));
  }
  int64_t kept = results.front().shape().back();
  RowSorter sorter(in, rows, length);
  for (int64_t row = 0; row * kept < results.front().elementCount(); ++row) {
    ArrayRef<int64_t> order;
    if (failed(sorter.run(row, order)))
      return failure();
    for (auto [from, to] : llvm::zip_equal(rows, results))
      for (int64_t i = 0; i < kept; ++i)
        writeStrided(readStrided(from, {}, {row * length + order[i], {}}), to,
                     {row * kept + i, {}});
  }
  for (const HostTensor &result : results)
    (void)in.give(swapWithLast(result, dim));
  return success();
}

void tessera::addSorting(OperationTable &table) {
  table.add("tessera.sort", sort);
}
