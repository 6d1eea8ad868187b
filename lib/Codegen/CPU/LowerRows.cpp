//===- LowerRows.cpp - Element-wise kernels and reductions along rows -----===//
//
// A row's reductions fall into phases: those of one phase need only results of
// earlier phases and share a loop. Their results are scalars in registers. The
// last loop computes and stores whole rows, with everything element-wise
// recomputed on the way, except for costly functions (the exponential of a
// softmax), which the first phase that computes them keeps in a row buffer.
//
//===----------------------------------------------------------------------===//

#include "LowerKernel.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Interfaces/CostInterface.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::cpu;

namespace {

/// Rows longer than this are not buffered on the stack.
constexpr int64_t maxBufferedRow = 4096;
/// Parts of a sum, a power of two.
constexpr int64_t sumParts = 4;
/// Elements that one iteration of a flat loop computes.
constexpr int64_t flatBlock = 2048;

/// Emits one loop nest of rows; see the top of this file.
class RowsLowering {
public:
  explicit RowsLowering(NestLowering &lowering)
      : l(lowering), b(lowering.b), nest(lowering.nest), e(b, b.lanes()),
        keptDims(nest.keptDims()), phases(nest.phases()) {}

  FailureOr<NestRange> run() {
    l.bindMemory(e);
    findBuffers();
    SmallVector<int64_t> keptShape = nest.keptShape();
    int64_t rows = elementsOf(keptShape);
    b.loop(l.begin, l.end, 1, [&](Value row) {
      LaneIndices kept = e.index().delinearize(
          LaneIndex::scalar(row).within(0, rows - 1), keptShape);
      LaneIndices indices(nest.shape.size(), LaneIndex::constant(0));
      for (auto [dim, index] : llvm::zip(keptDims, kept))
        indices[dim] = index;
      for (unsigned phase = 0; phase < phases.size(); ++phase)
        reduce(phase, indices);
      store(/*kept=*/true, kept);
      storeRows(indices);
    });
    if (failed_)
      return failure();
    int64_t length = 1;
    for (int64_t dim : nest.reducedDims)
      length *= nest.shape[dim];
    int64_t cost = 0;
    for (ReduceOp reduce : nest.reductions)
      cost += length * estimateCost(reduce.getOperand());
    for (const NestOutput &output : nest.outputs)
      cost += (output.kept ? 1 : length) * estimateCost(output.value);
    return NestRange{rows, cost};
  }

private:
  static bool isCostly(Value value) {
    Operation *op = value.getDefiningOp();
    return op && getOperationCost(op).element == ElementWork::Function;
  }

  /// Costly values that more than one loop needs at its own indices.
  void findBuffers() {
    int64_t length = 1;
    for (int64_t dim : nest.reducedDims)
      length *= nest.shape[dim];
    if (phases.empty() || length > maxBufferedRow)
      return;
    AffineMap identity = getIdentityAccess(nest.shape, l.kernel->getContext());
    auto costly = [&](Value root) {
      llvm::SmallSetVector<Value, 4> found;
      auto isLeaf = [](Value v) {
        return isa<BlockArgument>(v) || isCostly(v) ||
               isa<ReduceOp, DotGeneralOp>(v.getDefiningOp());
      };
      for (const Access &access : collectAccesses(root, identity, isLeaf))
        if (isCostly(access.leaf) && access.map == identity &&
            shapeOf(access.leaf) == ArrayRef(nest.shape))
          found.insert(access.leaf);
      return found;
    };
    llvm::MapVector<Value, llvm::SmallSetVector<unsigned, 2>> loops;
    for (auto [phase, reductions] : llvm::enumerate(phases))
      for (ReduceOp reduce : reductions)
        for (Value value : costly(reduce.getOperand()))
          loops[value].insert(phase);
    for (const NestOutput &output : nest.outputs)
      if (!output.kept)
        for (Value value : costly(output.value))
          loops[value].insert(phases.size());
    for (auto &[value, users] : loops)
      if (users.size() > 1)
        buffered[users.front()].push_back(value);
  }

  /// The index of an element in a row buffer.
  LaneIndex inRow(const LaneIndices &indices) {
    LaneIndices row;
    SmallVector<int64_t> shape;
    for (int64_t dim : nest.reducedDims) {
      row.push_back(indices[dim]);
      shape.push_back(nest.shape[dim]);
    }
    return e.index().linearize(row, shape);
  }

  /// In how many parts the sums of `phase` are formed. A sum waits for the
  /// addition before, which takes several cycles: several sums fill them,
  /// unless the elements take as long.
  unsigned partsOf(unsigned phase) {
    bool isShort =
        nest.reducedDims.empty() ||
        nest.shape[nest.reducedDims.back()] < 2 * sumParts * b.lanes();
    bool isCheap = llvm::all_of(phases[phase], [](ReduceOp reduce) {
      return estimateCost(reduce.getOperand()) <= maxCheapCost;
    });
    return isShort || !isCheap || phases[phase].size() > 2 ? 1 : sumParts;
  }

  /// The parts of `sums` combined by pairs.
  CodeBuilder::Values joinParts(MutableArrayRef<Accumulator> accumulators,
                                CodeBuilder::Values sums, unsigned parts) {
    size_t count = accumulators.size();
    for (; parts > 1; parts /= 2)
      for (size_t i = 0; i < parts / 2 * count; ++i)
        sums[i] = accumulators[i % count].combine(sums[i],
                                                  sums[i + parts / 2 * count]);
    sums.truncate(count);
    return sums;
  }

  void reduce(unsigned phase, const LaneIndices &indices) {
    SmallVector<Accumulator> accumulators;
    for (ReduceOp reduce : phases[phase])
      accumulators.emplace_back(b, reduce);
    unsigned parts = partsOf(phase);
    CodeBuilder::Values start;
    for (unsigned part = 0; part < parts; ++part)
      for (Accumulator &accumulator : accumulators)
        start.push_back(accumulator.neutral(e.lanes()));
    SmallVector<Value> buffers;
    for (Value value : buffered[phase])
      buffers.push_back(
          l.stackBuffer(getElementTypeOrSelf(value.getType()), rowLength()));
    SmallVector<Value> operands;
    for (ReduceOp reduce : phases[phase])
      operands.push_back(reduce.getOperand());
    CodeBuilder::Values sums = forEachVector(
        e, nest.shape, nest.reducedDims, indices, start,
        [&](const LaneIndices &at, ValueRange carried) {
          CodeBuilder::Values next;
          for (auto [reduce, accumulator, sum] :
               llvm::zip(phases[phase], accumulators, carried)) {
            Value element = e.emitLanes(reduce.getOperand(), at);
            if (!element) {
              failed_ = true;
              return CodeBuilder::Values(carried);
            }
            element = e.maskInactive(accumulator.widen(element),
                                     accumulator.neutral(e.lanes()));
            next.push_back(accumulator.combine(sum, element));
          }
          for (auto [value, buffer] : llvm::zip(buffered[phase], buffers))
            e.store(e.emitLanes(value, at), buffer, inRow(at));
          return next;
        },
        l.runsOf(operands), parts);
    sums = joinParts(accumulators, sums, parts);
    for (auto [reduce, accumulator, sum] :
         llvm::zip(phases[phase], accumulators, sums)) {
      Value result = accumulator.narrow(accumulator.across(sum));
      e.bind(reduce.getResult(),
             [result](const LaneIndices &) { return result; });
    }
    for (auto [value, buffer] : llvm::zip(buffered[phase], buffers)) {
      Type element = getElementTypeOrSelf(value.getType());
      Value from = buffer;
      e.bind(value, [this, element, from](const LaneIndices &at) {
        return e.load(element, from, inRow(at), /*written=*/true);
      });
    }
  }

  int64_t rowLength() const {
    int64_t length = 1;
    for (int64_t dim : nest.reducedDims)
      length *= nest.shape[dim];
    return (length + 63) / 64 * 64;
  }

  /// Stores the outputs that are there for every row, or for every element.
  void store(bool kept, const LaneIndices &at) {
    SmallVector<NestOutput> outputs;
    for (const NestOutput &output : nest.outputs)
      if (output.kept == kept)
        outputs.push_back(output);
    if (!storeOutputs(l, e, outputs, at))
      failed_ = true;
  }

  void storeRows(const LaneIndices &indices) {
    SmallVector<Value> values;
    for (const NestOutput &output : nest.outputs)
      if (!output.kept)
        values.push_back(output.value);
    if (values.empty())
      return;
    forEachVector(
        e, nest.shape, nest.reducedDims, indices, {},
        [&](const LaneIndices &at, ValueRange) {
          store(/*kept=*/false, at);
          return CodeBuilder::Values{};
        },
        l.runsOf(values));
  }

  NestLowering &l;
  CodeBuilder &b;
  const LoopNest &nest;
  ElementEmitter e;
  SmallVector<int64_t> keptDims;
  std::vector<SmallVector<ReduceOp>> phases;
  /// Values that a phase stores in a row buffer.
  llvm::DenseMap<unsigned, SmallVector<Value>> buffered;
  bool failed_ = false;
};

/// Kernels that combine elements at equal positions only, whatever their shape:
/// one loop over all elements.
class FlatLowering {
public:
  explicit FlatLowering(NestLowering &lowering)
      : l(lowering), b(lowering.b), nest(lowering.nest), e(b, b.lanes()) {}

  FailureOr<NestRange> run() {
    l.bindMemory(e);
    l.bindPositions(e);
    int64_t total = elementsOf(nest.shape);
    int64_t blocks = (total + flatBlock - 1) / flatBlock;
    int64_t lanes = e.lanes(), whole = total / lanes * lanes;
    SmallVector<IndexRun> runs = runsOfAll();
    b.loop(l.begin, l.end, 1, [&](Value block) {
      Value first = b.mul(block, flatBlock);
      Value last = b.min(b.add(first, flatBlock), b.index(whole));
      for (IndexRun run : runs) {
        if (run.first >= whole)
          continue;
        Value from = run.first == 0 ? first : b.max(first, b.index(run.first));
        Value to = run.last >= whole ? last : b.min(last, b.index(run.last));
        b.loop(from, to, lanes, [&](Value i) {
          storeAll(LaneIndex::lanes(i, lanes).within(
              run.first, std::min(run.last, whole) - lanes));
        });
      }
      if (whole == total)
        return;
      Value final = b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, block,
                                          b.index(blocks - 1));
      b.when(final, [&] {
        e.setActiveLanes(total - whole);
        storeAll(LaneIndex{{}, whole, 1, 1, {}});
        e.setActiveLanes(lanes);
      });
    });
    if (failed_)
      return failure();
    int64_t cost = 0;
    for (const NestOutput &output : nest.outputs)
      cost += std::min(flatBlock, total) * estimateCost(output.value);
    return NestRange{blocks, cost};
  }

private:
  /// The runs of the one dimension; with several, only elements at equal
  /// positions are combined.
  SmallVector<IndexRun> runsOfAll() {
    if (nest.shape.size() != 1)
      return {{0, elementsOf(nest.shape)}};
    SmallVector<Value> values;
    for (const NestOutput &output : nest.outputs)
      values.push_back(output.value);
    return l.runsOf(values);
  }

  void storeAll(const LaneIndex &position) {
    SmallVector<Value> elements;
    for (const NestOutput &output : nest.outputs)
      elements.push_back(e.emit(output.value, {position}));
    for (auto [output, element] : llvm::zip(nest.outputs, elements)) {
      if (!element) {
        failed_ = true;
        return;
      }
      l.storeAt(e, output.value, element, position);
    }
  }

  NestLowering &l;
  CodeBuilder &b;
  const LoopNest &nest;
  ElementEmitter e;
  bool failed_ = false;
};

} // namespace

FailureOr<NestRange> cpu::lowerRows(NestLowering &lowering) {
  if (lowering.isPointwise())
    return FlatLowering(lowering).run();
  return RowsLowering(lowering).run();
}
