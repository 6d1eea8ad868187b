//===- LowerThinMatmul.cpp - Matrix products that are bound by memory -----===//
//
// Where one side of a product has few rows (a matrix times a vector, a batch of
// a few tokens), or the contracted dimension is short (an outer product), each
// element of the other, *wide* side is needed a few times only: copying it into
// panels costs more than the product. It is read once, where it lies, in the
// direction in which it is contiguous:
//
//   along the free dimension   a block of results of some rows by some vectors
//                              stays in registers while the matmul runs;
//                              an element of the thin side is broadcast.
//   along the contracted dimension      rows of both sides are multiplied
//   vector by
//                              vector, for some rows of the wide side at a
//                              time, and the lanes are added up in the end. The
//                              sums go through a tile of scratch memory, so
//                              that what follows is computed by vectors.
//
// Each sum is formed by one iteration in one order.
//
//===----------------------------------------------------------------------===//

#include "LowerKernel.h"
#include "ThinMatmul.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::cpu;

namespace {

/// Emits one product; see the top of this file.
class ThinMatmulLowering {
public:
  ThinMatmulLowering(NestLowering &lowering, const ThinMatmul &shape)
      : l(lowering), b(lowering.b), nest(lowering.nest),
        dot(cast<DotGeneralOp>(lowering.nest.op)), s(shape), e(b, b.lanes()) {}

  FailureOr<NestRange> run() {
    l.bindMemory(e);
    if (s.usesTile())
      tile = l.scratch(s.blockRows * s.blockWide * bytes());
    if (s.packsThin)
      packed = l.scratch(s.thinRows * paddedDepth() * bytes());
    b.loop(l.begin, l.end, 1, [&](Value task) { emitTask(task); });
    if (failed_)
      return failure();
    return NestRange{s.batches * s.tasksWide() * s.tasksRows(),
                     s.blockWide * s.depth * (s.blockRows + 1) / 4};
  }

private:
  int64_t lanes() const { return b.lanes(); }
  Type accumulated() const { return s.accumulated; }
  int64_t bytes() const { return CodeBuilder::storageBytes(accumulated()); }
  int64_t paddedDepth() const {
    return (s.depth + lanes() - 1) / lanes() * lanes();
  }
  VectorType vectorType() { return VectorType::get({lanes()}, accumulated()); }
  Value zeros() { return b.splat(vectorType(), b.getZeroAttr(accumulated())); }

  void emitTask(Value task) {
    Value rowBlock = b.rem(task, b.index(s.tasksRows()));
    Value rest = b.div(task, b.index(s.tasksRows()));
    Value block = b.rem(rest, b.index(s.tasksWide()));
    batch = b.div(rest, b.index(s.tasksWide()));
    row0 = b.mul(rowBlock, s.blockRows);
    wide0 = b.mul(block, s.blockWide);
    if (packed) {
      Value first =
          b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, task, l.begin);
      Value next =
          b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, block, b.index(0));
      b.when(b.make<arith::OrIOp>(first, next), [&] { packThin(); });
    }
    // The blocks at both ends may be smaller, and have code of their own.
    split(rowBlock, s.thinRows, s.blockRows, [&](int64_t rows) {
      split(block, s.wideRows, s.blockWide, [&](int64_t width) {
        if (s.usesTile())
          emitByTile(rows, width);
        else
          emitDirectly(rows, width);
      });
    });
  }

  /// Emits `body` for the size of block `number`, of which there are
  /// `total / size`, and maybe a smaller last one.
  void split(Value number, int64_t total, int64_t size,
             function_ref<void(int64_t)> body) {
    int64_t whole = total / size, rest = total % size;
    auto isWhole = [&](arith::CmpIPredicate predicate) {
      return b.make<arith::CmpIOp>(predicate, number, b.index(whole));
    };
    if (whole > 0 && rest == 0)
      return body(size);
    if (whole == 0)
      return body(rest);
    b.guard(isWhole(arith::CmpIPredicate::slt), [&] { body(size); });
    b.guard(isWhole(arith::CmpIPredicate::sge), [&] { body(rest); });
  }

  //===--------------------------------------------------------------------===//
  // Elements
  //===--------------------------------------------------------------------===//

  /// An element of a side as the accumulated type; a scalar where all lanes
  /// agree.
  Value element(const MatmulSide &side, const LaneIndex &free,
                const LaneIndex &depth) {
    Value value;
    if (side.view) {
      LaneIndex position =
          side.position(e.index(), LaneIndex::scalar(batch), free, depth);
      value = e.load(getElementTypeOrSelf(side.operand.getType()),
                     l.memoryOf(side.view->leaf), position);
    } else {
      value =
          e.emit(side.operand, side.indices(e.index(), LaneIndex::scalar(batch),
                                            free, depth));
    }
    if (!value) {
      failed_ = true;
      return b.splat(accumulated(), b.getZeroAttr(accumulated()));
    }
    Type type = getElementTypeOrSelf(value.getType());
    if (type == accumulated())
      return value;
    auto vector = dyn_cast<VectorType>(value.getType());
    Type wide = CodeBuilder::vectorOf(accumulated(),
                                      vector ? vector.getNumElements() : 1);
    return isa<FloatType>(type) ? b.make<arith::ExtFOp>(wide, value)
                                : b.make<arith::ExtSIOp>(wide, value);
  }

  Value multiplyAdd(Value x, Value y, Value sum) {
    if (isa<FloatType>(accumulated()))
      return b.make<math::FmaOp>(x, y, sum);
    return b.make<arith::AddIOp>(b.make<arith::MulIOp>(x, y), sum);
  }

  LaneIndex row(int64_t r) {
    return LaneIndex::scalar(b.add(row0, r)).within(0, s.thinRows - 1);
  }

  //===--------------------------------------------------------------------===//
  // Blocks
  //===--------------------------------------------------------------------===//

  /// Emits `body` for every group of columns of a block of `width`, given where
  /// it begins and how many they are.
  void forEachGroup(int64_t width, function_ref<void(Value, int64_t)> body) {
    int64_t group = std::min(s.groupWide, width), whole = width / group * group;
    b.loop(b.index(0), b.index(whole), group,
           [&](Value groupStart) { body(groupStart, group); });
    if (whole != width)
      body(b.index(whole), width - whole);
  }

  /// The sums over a short contracted dimension go from registers to where they
  /// belong.
  void emitDirectly(int64_t rows, int64_t width) {
    forEachGroup(width, [&](Value groupStart, int64_t group) {
      CodeBuilder::Values start(rows * vectorsIn(group), zeros());
      CodeBuilder::Values sums = sumAlongFree(
          groupStart, rows, group, b.index(0), b.index(s.depth), start);
      forEachColumn(groupStart, group, [&](int64_t v, const LaneIndex &column) {
        for (int64_t r = 0; r < rows; ++r)
          store(row(r), inWide(column), sums[r * vectorsIn(group) + v]);
      });
    });
  }

  /// The matmul goes on in pieces, of which the thin side's stay in the
  /// cache, and what is read of the wide side is near; sums so far are in the
  /// tile.
  void emitByTile(int64_t rows, int64_t width) {
    for (int64_t r = 0; r < rows; ++r)
      forEachVector(e, {width}, {0}, LaneIndices(1), {},
                    [&](const LaneIndices &at, ValueRange) {
                      e.store(zeros(), tile, inTile(r, at[0]));
                      return CodeBuilder::Values{};
                    });
    int64_t piece = s.depthPiece, whole = s.depth / piece * piece;
    auto addPiece = [&](Value first, int64_t size) {
      forEachGroup(width, [&](Value groupStart, int64_t group) {
        if (s.alongDepth)
          addAlongDepth(groupStart, rows, group, first, size);
        else
          addAlongFree(groupStart, rows, group, first, size);
      });
    };
    b.loop(b.index(0), b.index(whole), piece,
           [&](Value first) { addPiece(first, piece); });
    if (whole != s.depth)
      addPiece(b.index(whole), s.depth - whole);
    for (int64_t r = 0; r < rows; ++r)
      forEachVector(e, {width}, {0}, LaneIndices(1), {},
                    [&](const LaneIndices &at, ValueRange) {
                      store(row(r), inWide(at[0]), loadSum(r, at[0]));
                      return CodeBuilder::Values{};
                    });
  }

  /// A column of the block as one of the wide side.
  LaneIndex inWide(const LaneIndex &column) {
    return e.index().add(LaneIndex::scalar(wide0, lanes()), column);
  }
  LaneIndex inTile(int64_t r, const LaneIndex &column) {
    return e.index().add(LaneIndex::constant(r * s.blockWide), column);
  }
  Value loadSum(int64_t r, const LaneIndex &column) {
    return b.broadcast(
        e.load(accumulated(), tile, inTile(r, column), /*written=*/true),
        lanes());
  }

  //===--------------------------------------------------------------------===//
  // Along the free dimension of the wide side
  //===--------------------------------------------------------------------===//

  int64_t vectorsIn(int64_t group) const {
    return (group + lanes() - 1) / lanes();
  }

  /// Calls `body` for each vector of `group` columns of the block from
  /// `groupStart` on, with the lanes active that it has.
  void forEachColumn(Value groupStart, int64_t group,
                     function_ref<void(int64_t, const LaneIndex &)> body) {
    for (int64_t v = 0; v * lanes() < group; ++v) {
      e.setActiveLanes(std::min(lanes(), group - v * lanes()));
      LaneIndex column = LaneIndex::lanes(groupStart, lanes());
      column.offset = v * lanes();
      body(v, column);
      e.setActiveLanes(lanes());
    }
  }

  /// `sums`, rows by vectors, and the products of steps [first, last).
  CodeBuilder::Values sumAlongFree(Value groupStart, int64_t rows,
                                   int64_t group, Value first, Value last,
                                   ValueRange sums) {
    return b.loop(first, last, 1, sums, [&](Value k, ValueRange sums) {
      LaneIndex depth = s.depth == 1
                            ? LaneIndex::constant(0)
                            : LaneIndex::scalar(k).within(0, s.depth - 1);
      SmallVector<Value> columns;
      forEachColumn(groupStart, group, [&](int64_t, const LaneIndex &column) {
        columns.push_back(
            b.broadcast(element(s.wide, inWide(column), depth), lanes()));
      });
      CodeBuilder::Values next;
      for (int64_t r = 0; r < rows; ++r) {
        Value x = b.broadcast(element(s.thin, row(r), depth), lanes());
        for (Value column : columns)
          next.push_back(multiplyAdd(x, column, sums[next.size()]));
      }
      return next;
    });
  }

  void addAlongFree(Value groupStart, int64_t rows, int64_t group, Value first,
                    int64_t size) {
    int64_t vectors = vectorsIn(group);
    CodeBuilder::Values sums(rows * vectors);
    forEachColumn(groupStart, group, [&](int64_t v, const LaneIndex &column) {
      for (int64_t r = 0; r < rows; ++r)
        sums[r * vectors + v] = loadSum(r, column);
    });
    sums =
        sumAlongFree(groupStart, rows, group, first, b.add(first, size), sums);
    forEachColumn(groupStart, group, [&](int64_t v, const LaneIndex &column) {
      for (int64_t r = 0; r < rows; ++r)
        e.store(sums[r * vectors + v], tile, inTile(r, column));
    });
  }

  //===--------------------------------------------------------------------===//
  // Along the contracted dimension
  //===--------------------------------------------------------------------===//

  LaneIndex inPacked(int64_t r, const LaneIndex &depth) {
    return e.index().add(LaneIndex::constant(r * paddedDepth()), depth);
  }

  void packThin() {
    for (int64_t r = 0; r < s.thinRows; ++r)
      forEachVector(e, {s.depth}, {0}, LaneIndices(1), {},
                    [&](const LaneIndices &at, ValueRange) {
                      Value x = element(s.thin, LaneIndex::constant(r), at[0]);
                      e.store(b.broadcast(x, lanes()), packed,
                              inPacked(r, at[0]));
                      return CodeBuilder::Values{};
                    });
  }

  /// Elements of the thin side; the lanes that do not exist are 0.
  Value thinVector(int64_t r, const LaneIndex &depth) {
    Value value = packed ? e.load(accumulated(), packed, inPacked(r, depth),
                                  /*written=*/true)
                         : element(s.thin, row(r), depth);
    return e.maskInactive(b.broadcast(value, lanes()), zeros());
  }

  /// Adds `size` steps from `first` on to the sums of `rows` by `group`.
  void addAlongDepth(Value groupStart, int64_t rows, int64_t group, Value first,
                     int64_t size) {
    CodeBuilder::Values start(rows * group, zeros());
    CodeBuilder::Values sums = forEachVector(
        e, {size}, {0}, LaneIndices(1), start,
        [&](const LaneIndices &at, ValueRange sums) {
          LaneIndex depth =
              e.index().add(LaneIndex::scalar(first, lanes()), at[0]);
          return multiplyVectors(groupStart, rows, group, depth, sums);
        });
    Accumulator sum(b, ReductionKind::Sum, accumulated());
    for (int64_t i = 0; i < group; ++i)
      for (int64_t r = 0; r < rows; ++r) {
        Value at = b.address(tile, accumulated(),
                             b.add(b.add(groupStart, i), r * s.blockWide));
        b.store(sum.combine(b.load(accumulated(), at),
                            sum.across(sums[i * rows + r])),
                at);
      }
  }

  CodeBuilder::Values multiplyVectors(Value groupStart, int64_t rows,
                                      int64_t group, const LaneIndex &depth,
                                      ValueRange sums) {
    SmallVector<Value> thin;
    for (int64_t r = 0; r < rows; ++r)
      thin.push_back(thinVector(r, depth));
    CodeBuilder::Values next;
    for (int64_t i = 0; i < group; ++i) {
      LaneIndex wideRow = LaneIndex::scalar(b.add(b.add(wide0, groupStart), i));
      Value y = e.maskInactive(
          b.broadcast(element(s.wide, wideRow, depth), lanes()), zeros());
      for (Value x : thin)
        next.push_back(multiplyAdd(x, y, sums[next.size()]));
    }
    return next;
  }

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  /// Stores what depends on the `product`s of a row of the thin side with
  /// columns of the wide one.
  void store(const LaneIndex &row, const LaneIndex &column, Value product) {
    Type type = getElementTypeOrSelf(dot.getType());
    if (type != accumulated())
      product = b.make<arith::TruncFOp>(CodeBuilder::vectorOf(type, lanes()),
                                        product);
    e.bind(dot.getResult(), [product](const LaneIndices &) { return product; });
    LaneIndices at =
        resultIndices(s.wideIsLeft ? column : row, s.wideIsLeft ? row : column);
    if (!storeOutputs(l, e, nest.outputs, at))
      failed_ = true;
  }

  /// The product's own indices: batch, left free, right free dimensions.
  LaneIndices resultIndices(const LaneIndex &left, const LaneIndex &right) {
    LaneIndices indices;
    ArrayRef<int64_t> shape = nest.shape;
    auto spread = [&](const LaneIndex &index, size_t count) {
      llvm::append_range(indices,
                         e.index().delinearize(index, shape.take_front(count)));
      shape = shape.drop_front(count);
    };
    const MatmulSide &leftSide = s.wideIsLeft ? s.wide : s.thin;
    spread(LaneIndex::scalar(batch), leftSide.batch.size());
    spread(left, leftSide.free.size());
    spread(right, shape.size());
    return indices;
  }

  NestLowering &l;
  CodeBuilder &b;
  const LoopNest &nest;
  DotGeneralOp dot;
  const ThinMatmul &s;
  ElementEmitter e;
  /// Scratch memory: the sums of one block along the contracted dimension, and
  /// the thin side, if it is copied.
  Value tile, packed;
  /// The current block.
  Value batch, row0, wide0;
  bool failed_ = false;
};

} // namespace

FailureOr<NestRange> cpu::lowerThinMatmul(NestLowering &lowering,
                                          const ThinMatmul &shape) {
  return ThinMatmulLowering(lowering, shape).run();
}
