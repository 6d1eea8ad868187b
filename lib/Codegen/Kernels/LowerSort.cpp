//===- LowerSort.cpp - The code of a sort ---------------------------------===//
//
// One iteration per row (the elements along the sorted dimension). The row's
// elements are computed once, into scratch memory; what moves while sorting are
// their numbers. Where few elements of a row are asked for, the first ones are
// kept in a short list into which others are inserted; else the whole row is
// sorted by merging runs of 1, 2, 4, ... elements, there and back between two
// lists of numbers. Both keep the order of equal elements, and both end
// whatever the region says of the elements (NaN may compare as it likes).
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/IndexedOperations.h"
#include "tessera/Codegen/Kernels/NestLowering.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

namespace {

class SortLowering {
public:
  SortLowering(NestLowering &l, SortOp sort)
      : l(l), b(l.b), sort(sort), e(l.b, 1),
        shape(shapeOf(sort.getInputs().front())), length(shape[sort.getDim()]),
        kept(shapeOf(sort.getResults().front())[sort.getDim()]) {}

  FailureOr<NestRange> run();

private:
  /// Up to here inserting is cheaper than merging.
  static constexpr int64_t kLongestList = 64;

  bool inserts() const { return kept < length && kept <= kLongestList; }
  void sortRow(Value row);
  void readRow(LaneIndices at);
  void writeRow(LaneIndices at, Value order);
  void insertAll();
  void insert(Value number);
  Value mergeAll();
  void mergeRuns(Value from, Value to, Value width);

  /// Whether the element numbered `first` comes before that numbered `second`.
  Value isBefore(Value first, Value second);
  Value loadNumber(Value list, Value index) {
    return b.load(b.getI64Type(), b.address(list, b.getI64Type(), index));
  }
  void storeNumber(Value number, Value list, Value index) {
    b.store(number, b.address(list, b.getI64Type(), index));
  }
  Value less(Value x, Value y) {
    return b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return b.make<arith::SelectOp>(condition, x, y);
  }

  NestLowering &l;
  CodeBuilder &b;
  SortOp sort;
  ElementEmitter e;
  ArrayRef<int64_t> shape;
  int64_t length, kept;
  /// The row's elements, of each operand.
  SmallVector<Value> elements;
  /// Lists of numbers of elements.
  Value order, merged;
  bool failed_ = false;
};

} // namespace

FailureOr<NestRange> SortLowering::run() {
  l.bindMemory(e);
  for (Value input : sort.getInputs()) {
    Type element = getElementTypeOrSelf(input.getType());
    elements.push_back(l.scratch(length * CodeBuilder::storageBytes(element)));
  }
  int64_t numbers = inserts() ? kept : length;
  order = l.scratch(numbers * 8);
  if (!inserts())
    merged = l.scratch(numbers * 8);
  b.loop(l.begin, l.end, 1, [&](Value row) { sortRow(row); });
  if (failed_)
    return failure();
  int64_t rows = kept == 0 ? 0 : elementsOf(shape) / length;
  return NestRange{rows, length * 4 * int64_t(llvm::Log2_64_Ceil(length + 1))};
}

void SortLowering::sortRow(Value row) {
  SmallVector<int64_t> rowsShape(shape);
  rowsShape[sort.getDim()] = 1;
  LaneIndices at = e.index().delinearize(LaneIndex::scalar(row), rowsShape);
  readRow(at);
  Value sorted = order;
  if (inserts())
    insertAll();
  else
    sorted = mergeAll();
  writeRow(at, sorted);
}

void SortLowering::readRow(LaneIndices at) {
  b.loop(b.index(0), b.index(length), 1, [&](Value i) {
    at[sort.getDim()] = LaneIndex::scalar(i);
    for (auto [input, buffer] : llvm::zip_equal(sort.getInputs(), elements)) {
      Value element = e.emit(input, at);
      failed_ |= !element;
      if (element)
        e.store(element, buffer, LaneIndex::scalar(i));
    }
  });
}

void SortLowering::writeRow(LaneIndices at, Value sorted) {
  b.loop(b.index(0), b.index(kept), 1, [&](Value i) {
    at[sort.getDim()] = LaneIndex::scalar(i);
    LaneIndex number = LaneIndex::scalar(loadNumber(sorted, i));
    for (auto [result, buffer] : llvm::zip_equal(sort.getResults(), elements)) {
      Value element = e.load(getElementTypeOrSelf(result.getType()), buffer,
                             number, /*written=*/true);
      LaneIndex position = e.index().linearize(at, shapeOf(result));
      l.storeAt(e, result, element, position);
    }
  });
}

Value SortLowering::isBefore(Value first, Value second) {
  ElementEmitter region(b, 1);
  Block &body = sort.getBody().front();
  CodeBuilder::Values arguments;
  for (auto [i, argument] : llvm::enumerate(body.getArguments()))
    arguments.push_back(region.load(
        getElementTypeOrSelf(argument.getType()), elements[i / 2],
        LaneIndex::scalar(i % 2 ? second : first), /*written=*/true));
  CodeBuilder::Values decision = emitRegion(region, body, arguments);
  failed_ |= decision.empty();
  return failed_ ? less(first, second) : decision[0];
}

/// Keeps the first `kept` elements of those seen so far in `order`.
void SortLowering::insertAll() {
  b.loop(b.index(0), b.index(kept), 1, [&](Value i) { insert(i); });
  b.loop(b.index(kept), b.index(length), 1, [&](Value i) {
    Value last = loadNumber(order, b.index(kept - 1));
    b.when(isBefore(i, last), [&] { insert(i); });
  });
}

/// Puts an element in front of the first of the list that it comes before; the
/// last one of a full list falls out.
void SortLowering::insert(Value number) {
  Value count = b.min(number, b.index(kept));
  Value no = b.splat(b.getI1Type(), b.getBoolAttr(false));
  CodeBuilder::Values end = b.loop(
      b.index(0), count, 1, {number, no}, [&](Value i, ValueRange carried) {
        Value other = loadNumber(order, i);
        Value moves =
            b.make<arith::OrIOp>(carried[1], isBefore(carried[0], other));
        storeNumber(select(moves, carried[0], other), order, i);
        return CodeBuilder::Values{select(moves, other, carried[0]), moves};
      });
  b.when(less(count, b.index(kept)),
         [&] { storeNumber(end[0], order, count); });
}

/// Returns the list that holds the result.
Value SortLowering::mergeAll() {
  b.loop(b.index(0), b.index(length), 1,
         [&](Value i) { storeNumber(i, order, i); });
  int64_t passes = llvm::Log2_64_Ceil(std::max<int64_t>(length, 1));
  CodeBuilder::Values lists =
      b.loop(b.index(0), b.index(passes), 1, {order, merged, b.index(1)},
             [&](Value, ValueRange carried) {
               mergeRuns(carried[0], carried[1], carried[2]);
               return CodeBuilder::Values{carried[1], carried[0],
                                          b.mul(carried[2], 2)};
             });
  return lists[0];
}

/// Merges neighbouring runs of `width` elements.
void SortLowering::mergeRuns(Value from, Value to, Value width) {
  Value end = b.index(length), pair = b.mul(width, 2);
  Value pairs = b.div(b.add(b.sub(pair, b.index(1)), end), pair);
  b.loop(b.index(0), pairs, 1, [&](Value number) {
    Value start = b.mul(number, pair);
    Value middle = b.min(b.add(start, width), end);
    Value last = b.min(b.add(start, pair), end);
    b.loop(start, last, 1, {start, middle}, [&](Value i, ValueRange carried) {
      Value left = carried[0], right = carried[1];
      // Where a run has ended, its index is not used: any that exists will do.
      Value leftNumber = loadNumber(from, b.min(left, b.index(length - 1)));
      Value rightNumber = loadNumber(from, b.min(right, b.index(length - 1)));
      Value hasLeft = less(left, middle), hasRight = less(right, last);
      Value before = isBefore(rightNumber, leftNumber);
      Value one = b.splat(b.getI1Type(), b.getBoolAttr(true));
      Value takeRight = b.make<arith::AndIOp>(
          hasRight,
          b.make<arith::OrIOp>(before, b.make<arith::XOrIOp>(hasLeft, one)));
      storeNumber(select(takeRight, rightNumber, leftNumber), to, i);
      return CodeBuilder::Values{
          select(takeRight, left, b.add(left, b.index(1))),
          select(takeRight, b.add(right, b.index(1)), right)};
    });
  });
}

FailureOr<NestRange> codegen::lowerSort(NestLowering &l, SortOp sort) {
  return SortLowering(l, sort).run();
}
