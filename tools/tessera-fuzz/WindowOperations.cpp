//===- WindowOperations.cpp - Random moves by constant distances ----------===//
//
// What stencils, rotations and convolutions make: several windows of one padded
// tensor, each as long as the tensor or a part of it.
//
//===----------------------------------------------------------------------===//

#include "ProgramGenerator.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

static constexpr int64_t maximalElements = 2048;

/// Two or three windows of a padded tensor, perhaps strided.
bool ProgramGenerator::addStencil() {
  Known a = *findNumber(/*minimalRank=*/1);
  SmallVector<int64_t> margin, low, high, zeros(a.rank(), 0), shape;
  for (int64_t size : a.shape()) {
    margin.push_back(random.chance(60) ? random.between(1, 3) : 0);
    low.push_back(random.between(0, margin.back()));
    high.push_back(margin.back() - low.back());
    shape.push_back(size + margin.back());
  }
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  if (elements > maximalElements)
    return false;
  Known value = need({}, a.element());
  double bound = std::max(a.bound, value.bound);
  Value padded = create<PadOp>(tensorType(shape, a.element()), a.value,
                               value.value, low, high, zeros);
  for (int64_t count = random.between(2, 3); count > 0; --count) {
    SmallVector<int64_t> starts, limits, strides, window;
    for (auto [size, most] : llvm::zip_equal(a.shape(), margin)) {
      int64_t stride = size > 1 && random.chance(15) ? 2 : 1;
      starts.push_back(random.between(0, most));
      limits.push_back(starts.back() + size);
      strides.push_back(stride);
      window.push_back((size + stride - 1) / stride);
    }
    add(create<SliceOp>(tensorType(window, a.element()), padded, starts, limits,
                        strides),
        bound);
  }
  return true;
}

/// The end of a tensor, then its beginning.
bool ProgramGenerator::addRotation() {
  auto a = find([](const Known &known) {
    return llvm::any_of(known.shape(), [](int64_t size) { return size > 1; });
  });
  if (!a)
    return false;
  int64_t dim = random.below(a->rank());
  while (a->shape()[dim] <= 1)
    dim = (dim + 1) % a->rank();
  int64_t size = a->shape()[dim];
  int64_t middle = random.chance(50) ? random.pick({int64_t(1), size - 1})
                                     : random.between(1, size - 1);
  auto piece = [&](int64_t begin, int64_t end) -> Value {
    SmallVector<int64_t> starts(a->rank(), 0), strides(a->rank(), 1),
        limits(a->shape()), shape(a->shape());
    starts[dim] = begin;
    limits[dim] = end;
    shape[dim] = end - begin;
    return create<SliceOp>(tensorType(shape, a->element()), a->value, starts,
                           limits, strides);
  };
  SmallVector<Value> pieces = {piece(middle, size), piece(0, middle)};
  return add(create<ConcatenateOp>(a->type(), pieces, dim), a->bound);
}

/// Windows of a tensor whose first and last elements are repeated.
bool ProgramGenerator::addEdges() {
  auto a = find([](const Known &known) { return known.rank() > 0; });
  if (!a || a->type().getNumElements() * 3 > maximalElements)
    return false;
  int64_t dim = random.below(a->rank()), size = a->shape()[dim];
  auto window = [&](Value of, int64_t begin, int64_t end) -> Value {
    auto type = cast<RankedTensorType>(of.getType());
    SmallVector<int64_t> starts(a->rank(), 0), strides(a->rank(), 1),
        limits(type.getShape()), shape(type.getShape());
    starts[dim] = begin;
    limits[dim] = end;
    shape[dim] = end - begin;
    return create<SliceOp>(tensorType(shape, a->element()), of, starts, limits,
                           strides);
  };
  SmallVector<int64_t> shape(a->shape());
  shape[dim] += 2;
  SmallVector<Value> parts = {window(a->value, 0, 1), a->value,
                              window(a->value, size - 1, size)};
  Value padded =
      create<ConcatenateOp>(tensorType(shape, a->element()), parts, dim);
  for (int64_t count = random.between(1, 2); count > 0; --count) {
    int64_t begin = random.below(3);
    add(window(padded, begin, begin + size), a->bound);
  }
  return true;
}

/// All but a border replaced by a window of another tensor.
bool ProgramGenerator::addMiddle() {
  auto a = find([](const Known &known) {
    return known.rank() > 0 &&
           llvm::all_of(known.shape(), [](int64_t size) { return size > 2; });
  });
  if (!a)
    return false;
  Known from = need(a->type());
  SmallVector<int64_t> starts, limits, strides(a->rank(), 1), shape;
  SmallVector<Value> indices;
  for (int64_t size : a->shape()) {
    int64_t border = random.between(0, 2);
    starts.push_back(random.between(0, border));
    limits.push_back(starts.back() + size - border);
    shape.push_back(size - border);
    indices.push_back(
        splat(tensorType({}, builder.getI32Type()), random.between(0, border)));
  }
  Value update = create<SliceOp>(tensorType(shape, a->element()), from.value,
                                 starts, limits, strides);
  return add(create<DynamicUpdateSliceOp>(a->type(), a->value, update, indices),
             std::max(a->bound, from.bound));
}
