//===- Matmul.cpp - A matmul as a GPU computes it -------------------------===//

#include "Matmul/Matmul.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include <numeric>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

/// How many elements, counted along the linear index over `dims`, lie side by
/// side in memory; 0 if none do.
int64_t contiguousRun(const MatmulSide &side, ArrayRef<int64_t> dims) {
  if (side.stride(dims) == 1)
    return side.size(dims);
  for (int64_t dim : llvm::reverse(dims))
    if (int64_t size = shapeOf(side.operand)[dim]; size != 1)
      return side.view->strides[dim] == 1 ? size : 0;
  return 0;
}

/// The size of the innermost of `dims` that is larger than 1.
int64_t innermostSize(const MatmulSide &side, ArrayRef<int64_t> dims) {
  for (int64_t dim : llvm::reverse(dims))
    if (int64_t size = shapeOf(side.operand)[dim]; size != 1)
      return size;
  return 1;
}

/// Bytes of a copy that never crosses the end of a run and to whose multiple
/// all of them are aligned.
int64_t copyBytesOf(const MatmulSide &side, ArrayRef<int64_t> inner,
                    int64_t elementBytes) {
  int64_t run = contiguousRun(side, inner);
  if (run == 0)
    return 0;
  bool collapsed = run == side.size(inner);
  int64_t bytes = std::gcd<int64_t>(16, run * elementBytes);
  bytes = std::gcd(bytes, side.view->offset * elementBytes);
  for (auto [dim, size] : llvm::enumerate(shapeOf(side.operand))) {
    int64_t stride = side.view->strides[dim];
    bool within = llvm::is_contained(inner, int64_t(dim));
    if (size != 1 && !(within && (collapsed || stride == 1)))
      bytes = std::gcd(bytes, stride * elementBytes);
  }
  return bytes < 4 ? 0 : bytes;
}

/// Whether the elements behind a computed operand are contiguous in depth: the
/// first access that says so decides.
bool computedIsDepthMajor(const MatmulSide &side,
                          function_ref<bool(Value)> isLeaf) {
  MLIRContext *context = side.operand.getContext();
  for (const Access &access : collectAccesses(
           side.operand, getIdentityAccess(shapeOf(side.operand), context),
           isLeaf)) {
    if (!access.map || access.map.getNumResults() == 0 ||
        shapeOf(access.leaf).size() != shapeOf(side.operand).size())
      continue;
    AffineExpr last = access.map.getResult(access.map.getNumResults() - 1);
    if (auto dim = dyn_cast<AffineDimExpr>(last))
      return !llvm::is_contained(side.free, int64_t(dim.getPosition()));
  }
  // As the operand itself would lie in memory.
  for (int64_t dim = shapeOf(side.operand).size(); dim-- > 0;)
    if (shapeOf(side.operand)[dim] != 1)
      return !llvm::is_contained(side.free, dim);
  return true;
}

MatmulOperand makeOperand(MatmulSide side, Type element,
                          function_ref<bool(Value)> isLeaf) {
  MatmulOperand operand{std::move(side), element, true, 0, 1};
  const MatmulSide &s = operand.side;
  bool isStored = getElementTypeOrSelf(s.operand.getType()) == element;
  if (s.view) {
    bool depth = contiguousRun(s, s.contracting) > 0;
    operand.isDepthMajor = depth || contiguousRun(s, s.free) == 0;
  } else {
    operand.isDepthMajor = computedIsDepthMajor(s, isLeaf);
  }
  const auto &inner = operand.isDepthMajor ? s.contracting : s.free;
  int64_t bytes = operand.elementBytes();
  if (s.view && isStored)
    operand.copyBytes = copyBytesOf(s, inner, bytes);
  operand.vector = std::gcd(16 / bytes, innermostSize(s, inner));
  return operand;
}

SmallVector<int64_t> toVector(ArrayRef<int64_t> values) {
  return SmallVector<int64_t>(values);
}

/// The type that scalar units sum products of `types` in: the widest.
Type scalarAccumulator(ArrayRef<Type> types) {
  Builder b(types.front().getContext());
  bool isWide = llvm::any_of(
      types, [](Type type) { return CodeBuilder::storageBytes(type) > 4; });
  if (isa<FloatType>(types.front()))
    return isWide ? b.getF64Type() : b.getF32Type();
  return isWide ? b.getI64Type() : b.getI32Type();
}

} // namespace

Matmul Matmul::get(const GpuNest &nest, bool tf32) {
  const KernelPlan &plan = nest.variant.plan;
  auto isLeaf = [&](Value v) {
    auto it = plan.nestOf.find(v);
    return isa<BlockArgument>(v) ||
           (it != plan.nestOf.end() && it->second < nest.number);
  };
  Matmul matmul;
  auto dot = cast<DotGeneralOp>(nest.loops.op);
  matmul.dot = dot;
  Type left = getElementTypeOrSelf(dot.getLhs().getType());
  Type right = getElementTypeOrSelf(dot.getRhs().getType());
  Type result = getElementTypeOrSelf(dot.getType());
  bool isShort = left == right && (left.isF16() || left.isBF16());
  bool single = left.isF32() && right.isF32() && !result.isF64();
  Type element = left;
  matmul.accumulator = Float32Type::get(dot.getContext());
  if (isShort && !result.isF64()) {
    matmul.unit = MatmulUnit::TensorCore;
  } else if (single && tf32) {
    matmul.unit = MatmulUnit::TensorFloat32;
  } else {
    matmul.unit = MatmulUnit::Scalar;
    element = matmul.accumulator = scalarAccumulator({result, left, right});
  }
  matmul.left = makeOperand(
      {dot.getLhs(), toVector(dot.getLhsBatching()), dot.getLhsFree(),
       toVector(dot.getLhsContracting()), getStridedView(dot.getLhs(), isLeaf)},
      element, isLeaf);
  matmul.right = makeOperand(
      {dot.getRhs(), toVector(dot.getRhsBatching()), dot.getRhsFree(),
       toVector(dot.getRhsContracting()), getStridedView(dot.getRhs(), isLeaf)},
      element, isLeaf);
  const MatmulSide &side = matmul.left.side;
  matmul.batches = side.size(side.batch);
  matmul.m = side.size(side.free);
  matmul.n = matmul.right.side.size(matmul.right.side.free);
  matmul.k = side.size(side.contracting);
  return matmul;
}
