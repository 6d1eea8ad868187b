//===- LowerMatmul.cpp - Matrix products ----------------------------------===//
//
// The classic blocked product: for a block of results (one iteration of the
// loop nest) and a block of the matmul, both operands are copied into
// panels that the register block (MicroKernel.h) reads in order. Copying takes
// on whatever layout, transposition or element-wise producer the operand has. A
// left operand that is contiguous along the contracted dimension is read where
// it is.
//
// Consecutive iterations share a panel of the right operand, which is packed
// when the first of them comes. With an epilogue, the block of results stays in
// scratch memory until the matmul is complete; then its elements, still in
// the cache, go through the element-wise operations behind the product.
//
//===----------------------------------------------------------------------===//

#include "LowerKernel.h"
#include "MatmulBlocks.h"
#include "PackOperand.h"
#include "ThinMatmul.h"
#include "Transposition.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::cpu;

namespace {

/// How the left operand comes to the register block.
enum class LeftPath { Direct, PackRows, PackPanels };

/// Emits one blocked product; see the top of this file.
class MatmulLowering {
public:
  explicit MatmulLowering(NestLowering &lowering)
      : l(lowering), b(lowering.b), nest(lowering.nest),
        dot(cast<DotGeneralOp>(lowering.nest.op)),
        bind([this](ElementEmitter &e) { l.bindMemory(e); }) {
    auto isLeaf = [&](Value v) { return l.isInMemory(v); };
    left = getLeftSide(dot, isLeaf);
    right = getRightSide(dot, isLeaf);
    blocks = chooseBlocks(left.size(left.batch), left.size(left.free),
                          right.size(right.free), left.size(left.contracting),
                          RegisterBlock{b.lanes()});
    chooseLeftPath();
    inPlace = storesDirectly();
  }

  FailureOr<NestRange> run() {
    allocate();
    b.loop(l.begin, l.end, 1, [&](Value task) { emitBlock(task); });
    if (failed_)
      return failure();
    int64_t cost =
        blocks.blockM * blocks.blockN * std::max<int64_t>(blocks.k / 16, 1);
    return NestRange{blocks.batches * blocks.blocksM() * blocks.blocksN(),
                     cost};
  }

private:
  void chooseLeftPath() {
    std::optional<int64_t> depth = left.stride(left.contracting);
    std::optional<int64_t> rows = left.stride(left.free);
    bool f32 = getElementTypeOrSelf(left.operand.getType()).isF32();
    bool contiguous = depth == 1 || (depth == 0 && blocks.k == 1);
    if (f32 && contiguous && rows &&
        blocks.m % RegisterBlock{b.lanes()}.rows() == 0)
      leftPath = LeftPath::Direct;
    else if (isContiguous(left, left.free,
                          [&](Value v) { return l.isInMemory(v); }))
      leftPath = LeftPath::PackPanels;
    else
      leftPath = LeftPath::PackRows;
  }

  /// Whether the register block may write to the result's memory.
  bool storesDirectly() {
    RegisterBlock registers{b.lanes()};
    return nest.outputs.size() == 1 &&
           nest.outputs[0].value == dot.getResult() &&
           getElementTypeOrSelf(dot.getType()).isF32() &&
           l.plan.slots.find(dot.getResult())->second.size() == 1 &&
           blocks.m % registers.rows() == 0 &&
           blocks.n % registers.columns() == 0;
  }

  Type f32() { return b.getF32Type(); }

  void allocate() {
    int64_t depths = blocks.keepRight ? blocks.blocksK() : 1;
    rightPanels = l.scratch(depths * blocks.blockK * blocks.blockN * 4);
    if (rightPacker().isTransposed())
      transposition = {getTransposition(l.module, b.lanes()),
                       l.scratch(b.lanes() * b.lanes() * 4)};
    if (leftPath != LeftPath::Direct)
      leftPanels = l.scratch(blocks.blockM * (blocks.blockK + 16) * 4);
    if (!inPlace)
      tile = l.scratch(blocks.blockM * blocks.blockN * 4);
  }

  void emitBlock(Value task) {
    Value row = b.rem(task, b.index(blocks.blocksM()));
    Value rest = b.div(task, b.index(blocks.blocksM()));
    Value column = b.rem(rest, b.index(blocks.blocksN()));
    batch = b.div(rest, b.index(blocks.blocksN()));
    m0 = b.mul(row, blocks.blockM);
    n0 = b.mul(column, blocks.blockN);
    rows = b.min(b.index(blocks.blockM), b.sub(b.index(blocks.m), m0));
    columns = b.min(b.index(blocks.blockN), b.sub(b.index(blocks.n), n0));
    if (blocks.keepRight) {
      Value first =
          b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, task, l.begin);
      Value next =
          b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, row, b.index(0));
      b.when(b.make<arith::OrIOp>(first, next), [&] {
        b.loop(b.index(0), b.index(blocks.blocksK()), 1,
               [&](Value k) { packRight(k); });
      });
    }
    b.loop(b.index(0), b.index(blocks.blocksK()), 1,
           [&](Value k) { emitDepth(k); });
    if (!inPlace)
      emitEpilogue();
  }

  Value depthStart(Value k) { return b.mul(k, blocks.blockK); }
  Value depthOf(Value k) {
    return b.min(b.index(blocks.blockK),
                 b.sub(b.index(blocks.k), depthStart(k)));
  }
  Value rightPanelsOf(Value k) {
    return blocks.keepRight ? b.address(rightPanels, f32(),
                                        b.mul(k, blocks.blockK * blocks.blockN))
                            : rightPanels;
  }

  OperandPacker rightPacker() {
    return OperandPacker(b, right, blocks.blockK, bind);
  }

  void packRight(Value k) {
    PackRegion region{batch, n0, columns, depthStart(k), depthOf(k)};
    if (failed(
            rightPacker().packColumns(region, rightPanelsOf(k), transposition)))
      failed_ = true;
  }

  /// Adds to the block of the result what one block of the depth gives, the one
  /// that begins at step `k`: packs the operands that are read packed, then
  /// calls the micro-kernel for every block of registers. The first block of
  /// the depth overwrites the result.
  void emitDepth(Value k) {
    if (!blocks.keepRight)
      packRight(k);
    OperandPacker packer(b, left, blocks.blockK, bind);
    PackRegion region{batch, m0, rows, depthStart(k), depthOf(k)};
    // One vector more than the block keeps rows off the same cache sets.
    int64_t rowStride = blocks.blockK + 16;
    if (leftPath == LeftPath::PackRows &&
        failed(packer.packRows(region, leftPanels, rowStride)))
      failed_ = true;
    if (leftPath == LeftPath::PackPanels &&
        failed(packer.packPanels(region, leftPanels)))
      failed_ = true;
    RegisterBlock registers{b.lanes()};
    func::FuncOp block =
        getMicroKernel(l.module, b.lanes(),
                       leftPath == LeftPath::PackPanels ? LeftLayout::Panel
                                                        : LeftLayout::Rows);
    Value stride = b.index(
        leftPath == LeftPath::Direct ? *left.stride(left.free) : rowStride);
    Value accumulate =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, k, b.index(0));
    Value depth = depthOf(k), from = rightPanelsOf(k);
    b.loop(b.index(0), columns, registers.columns(), [&](Value j) {
      Value panel = b.address(from, f32(), b.mul(j, blocks.blockK));
      b.loop(b.index(0), rows, registers.rows(), [&](Value i) {
        func::CallOp::create(
            b, b.getLoc(), block,
            ValueRange{leftBlock(i, k), stride, panel, resultBlock(i, j),
                       b.index(inPlace ? blocks.n : blocks.blockN), depth,
                       accumulate});
      });
    });
  }

  Value leftBlock(Value i, Value k) {
    switch (leftPath) {
    case LeftPath::Direct: {
      LaneArithmetic arithmetic(b, 1);
      LaneIndex position = left.position(arithmetic, LaneIndex::scalar(batch),
                                         LaneIndex::scalar(b.add(m0, i)),
                                         LaneIndex::scalar(depthStart(k)));
      return b.address(l.memoryOf(left.view->leaf), f32(),
                       arithmetic.start(position));
    }
    case LeftPath::PackRows:
      return b.address(leftPanels, f32(), b.mul(i, blocks.blockK + 16));
    case LeftPath::PackPanels:
      return b.address(leftPanels, f32(), b.mul(i, blocks.blockK));
    }
    llvm_unreachable("unknown path");
  }

  Value resultBlock(Value i, Value j) {
    if (!inPlace)
      return b.address(tile, f32(), b.add(b.mul(i, blocks.blockN), j));
    Value row = b.add(b.mul(batch, blocks.m), b.add(m0, i));
    return b.address(l.pointer(l.plan.slots.find(dot.getResult())->second[0]),
                     f32(), b.add(b.mul(row, blocks.n), b.add(n0, j)));
  }

  void emitEpilogue() {
    int64_t lanes = b.lanes(), tail = blocks.n % lanes;
    Value whole = b.mul(b.div(columns, b.index(lanes)), lanes);
    b.loop(b.index(0), rows, 1, [&](Value i) {
      ElementEmitter e(b, lanes);
      b.loop(b.index(0), whole, lanes,
             [&](Value j) { storeTile(e, i, LaneIndex::lanes(j, lanes)); });
      if (tail == 0)
        return;
      Value ragged =
          b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, whole, columns);
      b.when(ragged, [&] {
        e.setActiveLanes(tail);
        storeTile(e, i, LaneIndex::lanes(whole, lanes));
      });
    });
  }

  /// Stores what depends on elements (i, j) of the block.
  void storeTile(ElementEmitter &e, Value i, const LaneIndex &j) {
    l.bindMemory(e);
    LaneIndex position = e.index().add(
        LaneIndex::scalar(b.mul(i, blocks.blockN), blocks.blockN), j);
    Type type = getElementTypeOrSelf(dot.getType());
    Value product = e.load(f32(), tile, position, /*written=*/true);
    if (!type.isF32())
      product = b.make<arith::TruncFOp>(CodeBuilder::vectorOf(type, e.lanes()),
                                        product);
    e.bind(dot.getResult(), [product](const LaneIndices &) { return product; });
    if (!storeOutputs(l, e, nest.outputs, resultIndices(e.index(), i, j)))
      failed_ = true;
  }

  /// The product's own indices: batch, left free, right free dimensions.
  LaneIndices resultIndices(LaneArithmetic &arithmetic, Value i,
                            const LaneIndex &j) {
    LaneIndices indices;
    auto spread = [&](const LaneIndex &index, size_t from, size_t count) {
      llvm::append_range(indices,
                         arithmetic.delinearize(
                             index, ArrayRef(nest.shape).slice(from, count)));
    };
    size_t batches = left.batch.size(), rowDims = left.free.size();
    spread(LaneIndex::scalar(batch), 0, batches);
    spread(LaneIndex::scalar(b.add(m0, i)), batches, rowDims);
    spread(arithmetic.add(LaneIndex::scalar(n0, blocks.blockN), j),
           batches + rowDims, right.free.size());
    return indices;
  }

  NestLowering &l;
  CodeBuilder &b;
  const LoopNest &nest;
  DotGeneralOp dot;
  std::function<void(ElementEmitter &)> bind;
  MatmulSide left, right;
  MatmulBlocks blocks;
  LeftPath leftPath;
  bool inPlace;
  bool failed_ = false;
  /// Scratch memory.
  Value rightPanels, leftPanels, tile;
  /// If the right operand is transposed.
  std::optional<Transposition> transposition;
  /// The current block: its batch, first row and column, and its size.
  Value batch, m0, n0, rows, columns;
};

/// Products of integers and of f64: vectors of columns, one row at a time.
class SimpleMatmulLowering {
public:
  explicit SimpleMatmulLowering(NestLowering &lowering)
      : l(lowering), b(lowering.b), dot(cast<DotGeneralOp>(lowering.nest.op)) {
    auto isLeaf = [&](Value v) { return l.isInMemory(v); };
    left = getLeftSide(dot, isLeaf);
    right = getRightSide(dot, isLeaf);
  }

  FailureOr<NestRange> run() {
    int64_t m = left.size(left.free), n = right.size(right.free);
    int64_t k = left.size(left.contracting);
    ElementEmitter e(b, b.lanes());
    l.bindMemory(e);
    b.loop(l.begin, l.end, 1, [&](Value task) {
      Value batch = b.div(task, b.index(m)), row = b.rem(task, b.index(m));
      forEachVector(e, {n}, {0}, LaneIndices(1), {},
                    [&](const LaneIndices &column, ValueRange) {
                      emitVector(e, batch, row, column[0], k);
                      return CodeBuilder::Values{};
                    });
    });
    if (failed_)
      return failure();
    return NestRange{left.size(left.batch) * m, n * k * 2};
  }

private:
  /// Emits one vector of lanes of a row of the result as a loop over the `k`
  /// steps of the depth, without packing, in the result's element type, and
  /// stores what the nest makes of it. Sets `failed_` where an operand cannot
  /// be emitted.
  void emitVector(ElementEmitter &e, Value batch, Value row,
                  const LaneIndex &column, int64_t k) {
    Type type = getElementTypeOrSelf(dot.getType());
    bool floating = isa<FloatType>(type);
    Type vector = CodeBuilder::vectorOf(type, e.lanes());
    Value zero = b.splat(vector, cast<TypedAttr>(b.getZeroAttr(type)));
    CodeBuilder::Values sum = b.loop(
        b.index(0), b.index(k), 1, {zero}, [&](Value step, ValueRange sums) {
          LaneIndex depth =
              k == 1 ? LaneIndex::constant(0) : LaneIndex::scalar(step);
          Value x = widen(
              e.emitLanes(left.operand,
                          left.indices(e.index(), LaneIndex::scalar(batch),
                                       LaneIndex::scalar(row), depth)),
              vector);
          Value y = widen(
              e.emitLanes(right.operand,
                          right.indices(e.index(), LaneIndex::scalar(batch),
                                        column, depth)),
              vector);
          if (!x || !y) {
            failed_ = true;
            return CodeBuilder::Values(sums);
          }
          Value product = floating ? b.make<arith::MulFOp>(x, y)
                                   : b.make<arith::MulIOp>(x, y);
          return CodeBuilder::Values{
              floating ? b.make<arith::AddFOp>(sums[0], product)
                       : b.make<arith::AddIOp>(sums[0], product)};
        });
    e.bind(dot.getResult(),
           [value = sum[0]](const LaneIndices &) { return value; });
    if (!storeOutputs(l, e, l.nest.outputs,
                      resultIndices(e, batch, row, column)))
      failed_ = true;
  }

  /// Operands may be narrower than the result.
  Value widen(Value value, Type type) {
    if (!value || value.getType() == type)
      return value;
    return isa<FloatType>(getElementTypeOrSelf(type))
               ? b.make<arith::ExtFOp>(type, value)
               : b.make<arith::ExtSIOp>(type, value);
  }

  LaneIndices resultIndices(ElementEmitter &e, Value batch, Value row,
                            const LaneIndex &column) {
    LaneIndices indices;
    ArrayRef<int64_t> shape = l.nest.shape;
    size_t batches = left.batch.size(), rowDims = left.free.size();
    llvm::append_range(indices,
                       e.index().delinearize(LaneIndex::scalar(batch),
                                             shape.take_front(batches)));
    llvm::append_range(indices,
                       e.index().delinearize(LaneIndex::scalar(row),
                                             shape.slice(batches, rowDims)));
    llvm::append_range(
        indices,
        e.index().delinearize(column, shape.drop_front(batches + rowDims)));
    return indices;
  }

  NestLowering &l;
  CodeBuilder &b;
  DotGeneralOp dot;
  MatmulSide left, right;
  bool failed_ = false;
};

} // namespace

FailureOr<NestRange> cpu::lowerMatmul(NestLowering &lowering) {
  if (std::optional<ThinMatmul> thin = findThinMatmul(lowering))
    return lowerThinMatmul(lowering, *thin);
  auto dot = cast<DotGeneralOp>(lowering.nest.op);
  auto fits = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isF32() || element.isF16() || element.isBF16();
  };
  bool empty = elementsOf(shapeOf(dot.getLhs())) == 0;
  if (!empty && fits(dot.getType()) && fits(dot.getLhs().getType()) &&
      fits(dot.getRhs().getType()))
    return MatmulLowering(lowering).run();
  return SimpleMatmulLowering(lowering).run();
}
