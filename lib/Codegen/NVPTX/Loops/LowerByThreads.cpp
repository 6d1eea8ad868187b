//===- LowerByThreads.cpp - One thread per independent iteration ----------===//
//
// The code for whatever no other rule has better code for. Each thread works by
// itself, as on a machine without vectors: on one element of an element-wise
// loop nest or of a product, on one row or column of a loop nest with
// reductions, or on one iteration of a loop nest of kind Structured.
//
//===----------------------------------------------------------------------===//

#include "Loops/LoopRules.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/MatmulShape.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

constexpr int64_t kThreads = 128;

class ThreadLowering {
public:
  explicit ThreadLowering(const GpuNest &gpu)
      : gpu(gpu), nest(gpu.loops), grid(gpu, kThreads), l(grid.lowering),
        b(grid.b), e(b, /*lanes=*/1) {}

  LogicalResult run() {
    l.bindMemory(e);
    switch (nest.kind) {
    case KernelKind::Elementwise:
      lowerElements();
      break;
    case KernelKind::Row:
    case KernelKind::Column:
      lowerReductions();
      break;
    case KernelKind::Matmul:
      lowerMatmul();
      break;
    case KernelKind::Structured:
      lowerSingle();
      break;
    }
    return failure(failed_);
  }

private:
  LaneIndices delinearize(Value number, ArrayRef<int64_t> shape) {
    return e.index().delinearize(LaneIndex::scalar(number), shape);
  }

  void lowerElements() {
    grid.finishPerThread(elementsOf(nest.shape), [&](Value number) {
      store(delinearize(number, nest.shape), /*kept=*/false);
    });
  }

  void lowerReductions() {
    SmallVector<int64_t> kept = nest.keptShape();
    grid.finishPerThread(elementsOf(kept), [&](Value number) {
      LaneIndices keptIndices = delinearize(number, kept);
      LaneIndices indices(nest.shape.size(), LaneIndex::constant(0));
      for (auto [dim, index] : llvm::zip(nest.keptDims(), keptIndices))
        indices[dim] = index;
      for (ReduceOp reduction : nest.reductions)
        reduce(reduction, indices);
      store(keptIndices, /*kept=*/true);
      forEachReduced(indices, {}, [&](const LaneIndices &at, ValueRange) {
        store(at, /*kept=*/false);
        return CodeBuilder::Values{};
      });
    });
  }

  CodeBuilder::Values forEachReduced(
      const LaneIndices &indices, ValueRange carried,
      function_ref<CodeBuilder::Values(const LaneIndices &, ValueRange)> body) {
    return forEachVector(e, nest.shape, nest.reducedDims, indices, carried,
                         body);
  }

  void reduce(ReduceOp reduction, const LaneIndices &indices) {
    Accumulator accumulator(b, reduction);
    CodeBuilder::Values sums = forEachReduced(
        indices, {accumulator.neutral(1)},
        [&](const LaneIndices &at, ValueRange sum) {
          Value element = emit(reduction.getOperand(), at);
          return CodeBuilder::Values{
              element ? accumulator.combine(sum[0], accumulator.widen(element))
                      : sum[0]};
        });
    Value result = accumulator.narrow(sums[0]);
    e.bind(reduction.getResult(),
           [result](const LaneIndices &) { return result; });
  }

  void lowerMatmul() {
    auto dot = cast<DotGeneralOp>(nest.op);
    auto list = [](ArrayRef<int64_t> dims) {
      return SmallVector<int64_t>(dims);
    };
    MatmulSide left = {dot.getLhs(), list(dot.getLhsBatching()),
                       dot.getLhsFree(), list(dot.getLhsContracting()),
                       std::nullopt};
    MatmulSide right = {dot.getRhs(), list(dot.getRhsBatching()),
                        dot.getRhsFree(), list(dot.getRhsContracting()),
                        std::nullopt};
    SmallVector<int64_t> shape = {left.size(left.batch), left.size(left.free),
                                  right.size(right.free)};
    grid.finishPerThread(elementsOf(shape), [&](Value number) {
      Value sum = contract(dot, left, right, delinearize(number, shape));
      e.bind(dot.getResult(), [sum](const LaneIndices &) { return sum; });
      store(delinearize(number, nest.shape), /*kept=*/false);
    });
  }

  /// The element of the product at `indices`: batch, row and column.
  Value contract(DotGeneralOp dot, const MatmulSide &left,
                 const MatmulSide &right, const LaneIndices &indices) {
    Accumulator accumulator(b, ReductionKind::Sum,
                            getElementTypeOrSelf(dot.getType()));
    CodeBuilder::Values sums = b.loop(
        b.index(0), b.index(left.size(left.contracting)), 1,
        {accumulator.neutral(1)}, [&](Value iv, ValueRange sum) {
          LaneIndex depth = LaneIndex::scalar(iv);
          Value x = emit(left.operand, left.indices(e.index(), indices[0],
                                                    indices[1], depth));
          Value y = emit(right.operand, right.indices(e.index(), indices[0],
                                                      indices[2], depth));
          if (!x || !y)
            return CodeBuilder::Values(sum);
          Type type = accumulator.elementType();
          x = widen(x, type);
          y = widen(y, type);
          Value product = isa<FloatType>(type) ? b.make<arith::MulFOp>(x, y)
                                               : b.make<arith::MulIOp>(x, y);
          return CodeBuilder::Values{accumulator.combine(sum[0], product)};
        });
    return accumulator.narrow(sums[0]);
  }

  /// Operands may be narrower than the result.
  Value widen(Value value, Type type) {
    if (value.getType() == type)
      return value;
    return isa<FloatType>(type) ? b.make<arith::ExtFOp>(type, value)
                                : b.make<arith::ExtSIOp>(type, value);
  }

  /// Iterations of the code that codegen::lowerSingle emits.
  int64_t iterations() const {
    ArrayRef<int64_t> result = shapeOf(nest.op->getResult(0));
    if (auto sort = dyn_cast<SortOp>(nest.op))
      return elementsOf(result) / std::max<int64_t>(result[sort.getDim()], 1);
    return isa<VariadicReduceOp>(nest.op) ? elementsOf(result) : 1;
  }

  void lowerSingle() {
    int64_t count = iterations();
    // How much memory a thread needs is known when its code is there.
    unsigned temporary = 0;
    arith::ConstantOp bytes;
    Value number;
    l.scratchBase = [&] {
      if (!bytes) {
        temporary = gpu.variant.addTemporary(0);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(b.getBlock());
        bytes =
            arith::ConstantOp::create(b, b.getLoc(), b.getI64IntegerAttr(0));
      }
      return b.address(grid.temporary(temporary), b.getI8Type(),
                       b.make<arith::MulIOp>(number, bytes));
    };
    grid.finishPerThread(count, [&](Value iteration) {
      l.begin = number = iteration;
      l.end = b.add(iteration, 1);
      FailureOr<NestRange> range = codegen::lowerSingle(l);
      failed_ |= failed(range);
      assert((failed(range) || range->extent == count) &&
             "expected to know the iterations");
    });
    if (!bytes)
      return;
    bytes.setValueAttr(b.getI64IntegerAttr(l.scratchBytes));
    gpu.variant.temporaries[temporary] = count * l.scratchBytes;
  }

  Value emit(Value value, const LaneIndices &at) {
    Value element = e.emit(value, at);
    failed_ |= !element;
    return element;
  }

  /// Stores the outputs that have an element per kept index, or the others. All
  /// elements are computed before the first is stored, because results may
  /// overwrite operands.
  void store(const LaneIndices &indices, bool kept) {
    SmallVector<std::pair<const NestOutput *, Value>> elements;
    for (const NestOutput &output : nest.outputs)
      if (output.kept == kept)
        if (Value element =
                emit(output.value, l.outputIndices(output, indices)))
          elements.push_back({&output, element});
    for (auto [output, element] : elements)
      l.storeOutput(e, *output, element, l.outputIndices(*output, indices));
  }

  const GpuNest &gpu;
  const LoopNest &nest;
  GridFunction grid;
  NestLowering &l;
  CodeBuilder &b;
  ElementEmitter e;
  bool failed_ = false;
};

} // namespace

FailureOr<bool> nvptx::lowerByThreads(const GpuNest &nest) {
  if (failed(ThreadLowering(nest).run()))
    return failure();
  return true;
}

void nvptx::lowerCopy(KernelVariant &variant, unsigned temporary,
                      unsigned result) {
  // Whole words first, then the bytes behind the last one.
  constexpr int64_t word = 16;
  int64_t bytes = variant.plan.temporaries[temporary];
  LoopNest none;
  GpuNest nest{variant, none, 0};
  auto copy = [&](Type type, int64_t size, int64_t first, int64_t count) {
    if (count == 0)
      return;
    GridFunction grid(nest, kThreads);
    grid.finishPerThread(count, [&](Value number) {
      CodeBuilder &b = grid.b;
      Value offset = b.add(b.mul(number, size), first);
      Value from = b.address(grid.lowering.temporaries[temporary],
                             b.getI8Type(), offset);
      Value to =
          b.address(grid.lowering.results[result], b.getI8Type(), offset);
      Value value = LLVM::LoadOp::create(b, b.getLoc(), type, from, size);
      LLVM::StoreOp::create(b, b.getLoc(), value, to, size);
    });
  };
  OpBuilder builder(variant.kernel.getContext());
  int64_t words = bytes / word;
  copy(VectorType::get({4}, builder.getI32Type()), word, 0, words);
  copy(builder.getI8Type(), 1, words * word, bytes % word);
}
