//===- LowerLibraryMatmul.cpp - Matrix products by a library --------------===//
//
// Where a tuning record says that cuBLASLt is faster, a product becomes a
// library step. The library takes matrices that lie in memory with one stride
// per group of dimensions, and does nothing behind the product but add a bias
// and round. Whatever else there is, the product is ours.
//
// Everything here is row-major. A result that is stored transposed is the
// product of the transposed operands in opposite order, so that a step's result
// never is.
//
//===----------------------------------------------------------------------===//

#include "Core/TuningRecords.h"
#include "Matmul/Matmul.h"
#include "Matmul/MatmulRules.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

/// What NVIDIA advises to offer the library, by architecture.
int64_t workspaceBytes(const GpuTarget &target) {
  return target.arch >= 90 ? int64_t(32) << 20 : int64_t(4) << 20;
}

/// A matrix by its strides in elements: from one of the batch to the next,
/// along rows of the product's index space (m, or k of the right operand), and
/// along columns.
struct Strides {
  int64_t batch, row, column;
};

/// A stride for each of the dimensions of a shape.
struct SpaceStrides {
  ArrayRef<int64_t> shape;
  SmallVector<int64_t> strides;

  /// The one stride of a linear index over `count` dimensions from `begin` on;
  /// 0 for a single element.
  std::optional<int64_t> over(size_t begin, size_t count) const {
    std::optional<int64_t> inner;
    int64_t extent = 1;
    for (size_t dim = begin + count; dim-- > begin;) {
      if (shape[dim] == 1)
        continue;
      if (!inner)
        inner = strides[dim];
      else if (strides[dim] != *inner * extent)
        return std::nullopt;
      extent *= shape[dim];
    }
    return inner.value_or(0);
  }
};

class LibraryMatmul {
public:
  LibraryMatmul(const GpuNest &nest, const Matmul &matmul)
      : nest(nest), variant(nest.variant), matmul(matmul), dot(matmul.dot),
        batchRank(matmul.left.side.batch.size()),
        rowRank(matmul.left.side.free.size()),
        columnRank(matmul.right.side.free.size()) {}

  /// The step; null if the library cannot compute the loop nest.
  rt::LibraryStepAttr get() {
    if (!hasKnownTypes() || nest.loops.outputs.size() != 1)
      return {};
    const NestOutput &output = nest.loops.outputs.front();
    if (!findProduct(output.value))
      return {};
    std::optional<Strides> left = stridesOf(matmul.left.side, true);
    std::optional<Strides> right = stridesOf(matmul.right.side, false);
    std::optional<Strides> result = stridesOf(output);
    if (!left || !right || !result)
      return {};
    int64_t m = matmul.m, n = matmul.n;
    const MatmulOperand *first = &matmul.left, *second = &matmul.right;
    bool isTransposed = result->column != 1 && result->row == 1;
    if (isTransposed) {
      auto transpose = [](Strides &s) { std::swap(s.row, s.column); };
      transpose(*left), transpose(*right), transpose(*result);
      std::swap(left, right);
      std::swap(m, n);
      std::swap(first, second);
    }
    rt::MatrixAttr a = describe(*first, *left, m, matmul.k);
    rt::MatrixAttr b = describe(*second, *right, matmul.k, n);
    rt::MatrixAttr d = describe(output.value, *result, m, n);
    std::optional<int32_t> added = bufferOfBias(isTransposed);
    if (!a || !b || !d || d.getTransposed() || !added)
      return {};
    int64_t bytes = workspaceBytes(variant.target);
    int32_t workspace = variant.firstTemporary() + variant.addTemporary(bytes);
    return rt::LibraryStepAttr::get(
        variant.kernel.getContext(), matmul.batches, m, n, matmul.k, a, b, d,
        *added, workspace, bytes, matmul.unit == MatmulUnit::TensorFloat32);
  }

private:
  static Type elementOf(Value value) {
    return getElementTypeOrSelf(value.getType());
  }

  bool hasKnownTypes() {
    Type left = elementOf(dot.getLhs());
    return left == elementOf(dot.getRhs()) &&
           (left.isF16() || left.isBF16() || left.isF32()) && matmul.k > 0;
  }

  /// Whether `value` is the product, perhaps with a bias, perhaps rounded from
  /// f32, its elements perhaps in another order.
  bool findProduct(Value value) {
    Type stored = elementOf(value);
    Type product = elementOf(dot.getResult()),
         operand = elementOf(dot.getLhs());
    if (stored != operand && !stored.isF32())
      return false;
    // The step rounds once.
    if (product != stored && !product.isF32())
      return false;
    auto below = [&](Value v) { return v.getDefiningOp(); };
    while (value != dot.getResult() && below(value) &&
           isa<TransposeOp, ReshapeOp>(below(value)))
      value = below(value)->getOperand(0);
    if (auto rounded = value.getDefiningOp<arith::TruncFOp>())
      value = rounded.getIn();
    if (auto sum = value.getDefiningOp<arith::AddFOp>()) {
      bool isLeft = sum.getLhs() == dot.getResult();
      bias = isLeft ? sum.getRhs() : sum.getLhs();
      value = isLeft ? sum.getLhs() : sum.getRhs();
      if (elementOf(bias) != stored)
        return false;
    }
    return value == dot.getResult();
  }

  /// The strides of an operand, whose rows are its free index if it is the left
  /// one.
  std::optional<Strides> stridesOf(const MatmulSide &side, bool isLeft) const {
    if (!side.view || side.view->offset < 0)
      return std::nullopt;
    std::optional<int64_t> batch = side.stride(side.batch);
    std::optional<int64_t> free = side.stride(side.free);
    std::optional<int64_t> depth = side.stride(side.contracting);
    if (!batch || !free || !depth)
      return std::nullopt;
    return isLeft ? Strides{*batch, *free, *depth}
                  : Strides{*batch, *depth, *free};
  }

  std::optional<Strides> stridesOf(const SpaceStrides &space) const {
    std::optional<int64_t> batch = space.over(0, batchRank);
    std::optional<int64_t> row = space.over(batchRank, rowRank);
    std::optional<int64_t> column = space.over(batchRank + rowRank, columnRank);
    if (!batch || !row || !column)
      return std::nullopt;
    return Strides{*batch, *row, *column};
  }

  /// The strides of what the loop nest stores.
  std::optional<Strides> stridesOf(const NestOutput &output) const {
    ArrayRef<int64_t> shape = shapeOf(output.value);
    SmallVector<int64_t> memory(shape.size(), 1);
    for (size_t dim = shape.size(); dim-- > 1;)
      memory[dim - 1] = memory[dim] * shape[dim];
    SpaceStrides space{nest.loops.shape, {}};
    for (size_t dim = 0; dim < nest.loops.shape.size(); ++dim) {
      auto loopDim = dyn_cast<AffineDimExpr>(output.map.getResult(dim));
      if (!loopDim && nest.loops.shape[dim] != 1)
        return std::nullopt;
      space.strides.push_back(loopDim ? memory[loopDim.getPosition()] : 0);
    }
    return stridesOf(space);
  }

  int32_t bufferOf(Slot slot) const {
    if (slot.temporary)
      return variant.firstTemporary() + slot.number;
    if (int64_t operand = variant.aliases[slot.number]; operand >= 0)
      return operand;
    return variant.kernel->getNumOperands() +
           llvm::count(variant.aliases.take_front(slot.number), int64_t(-1));
  }
  int32_t bufferOf(Value leaf) const {
    if (auto argument = dyn_cast<BlockArgument>(leaf))
      return argument.getArgNumber();
    return bufferOf(variant.plan.slots.find(leaf)->second.front());
  }

  rt::MatrixAttr describe(const MatmulOperand &operand, Strides strides,
                          int64_t rows, int64_t columns) const {
    Type element = elementOf(operand.side.operand);
    return describe(bufferOf(operand.side.view->leaf), element,
                    operand.side.view->offset *
                        CodeBuilder::storageBytes(element),
                    strides, rows, columns);
  }
  rt::MatrixAttr describe(Value output, Strides strides, int64_t rows,
                          int64_t columns) const {
    const auto &slots = variant.plan.slots.find(output)->second;
    if (slots.size() != 1)
      return {};
    return describe(bufferOf(slots.front()), elementOf(output), 0, strides,
                    rows, columns);
  }

  /// The matrix, if the library can take it: one of its indices contiguous, the
  /// other with rows (columns) that do not overlap. The stride of an index that
  /// has one value only does not matter.
  rt::MatrixAttr describe(int32_t buffer, Type element, int64_t offset,
                          Strides strides, int64_t rows,
                          int64_t columns) const {
    auto fits = [](int64_t inner, int64_t size, int64_t outer, int64_t count) {
      return (inner == 1 || size == 1) && (count == 1 || outer >= size);
    };
    bool byRows = fits(strides.column, columns, strides.row, rows);
    bool isTransposed =
        !byRows && fits(strides.row, rows, strides.column, columns);
    if (!byRows && !isTransposed)
      return {};
    if (matmul.batches > 1 && strides.batch <= 0)
      return {};
    int64_t row = byRows ? strides.row : strides.column;
    if ((byRows ? rows : columns) == 1)
      row = byRows ? columns : rows;
    return rt::MatrixAttr::get(
        variant.kernel.getContext(), buffer, element, offset, row,
        matmul.batches > 1 ? strides.batch : 0, isTransposed);
  }

  /// The buffer of the bias, -1 if there is none; nothing if the library cannot
  /// add it, because it is not one element per column of the step's result.
  std::optional<int32_t> bufferOfBias(bool isTransposed) const {
    if (!bias)
      return -1;
    auto isLeaf = [&](Value value) {
      auto known = variant.plan.nestOf.find(value);
      return isa<BlockArgument>(value) || (known != variant.plan.nestOf.end() &&
                                           known->second < nest.number);
    };
    std::optional<StridedView> view = getStridedView(bias, isLeaf);
    if (!view || view->offset != 0)
      return std::nullopt;
    std::optional<Strides> strides =
        stridesOf(SpaceStrides{nest.loops.shape, view->strides});
    if (!strides || strides->batch != 0)
      return std::nullopt;
    if (isTransposed)
      std::swap(strides->row, strides->column);
    int64_t columns = isTransposed ? matmul.m : matmul.n;
    bool isRow = strides->row == 0 && (strides->column == 1 || columns == 1);
    return isRow ? std::optional(bufferOf(view->leaf)) : std::nullopt;
  }

  const GpuNest &nest;
  KernelVariant &variant;
  const Matmul &matmul;
  DotGeneralOp dot;
  size_t batchRank, rowRank, columnRank;
  Value bias;
};

} // namespace

FailureOr<bool> nvptx::lowerLibraryMatmul(const GpuNest &nest) {
  KernelVariant &variant = nest.variant;
  if (nest.loops.kind != KernelKind::Matmul)
    return false;
  Matmul matmul = Matmul::get(nest, variant.options.tf32);
  const TuningRecord *record =
      variant.options.tuning->find(getTuningKey(matmul, variant.target));
  if (!record || record->family->kernel != "cublasLt")
    return false;
  rt::LibraryStepAttr step = LibraryMatmul(nest, matmul).get();
  if (!step)
    return false;
  variant.steps.push_back(step);
  return true;
}
