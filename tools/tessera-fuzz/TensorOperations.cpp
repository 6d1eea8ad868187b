//===- TensorOperations.cpp - Random structured operations ----------------===//

#include "ProgramGenerator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

static constexpr int64_t maximalElements = 2048, maximalRank = 4;

static int64_t elementsOf(ArrayRef<int64_t> shape) {
  return llvm::product_of(shape);
}

//===----------------------------------------------------------------------===//
// Matmuls and reductions
//===----------------------------------------------------------------------===//

/// Adds a product of a tensor with a new one of any batching, contracting and
/// free dimensions, in any order, whose sums stay exact. False where it would
/// be too large.
bool ProgramGenerator::addDotGeneral() {
  Known lhs = *findNumber(/*minimalRank=*/1);
  // Every dimension of lhs is batching, contracting or free; rhs has the first
  // two and some free dimensions of its own, all in random order.
  SmallVector<int64_t> lhsBatching, lhsContracting, rhsShape, roles;
  int64_t depth = 1;
  for (int64_t dim : random.permutation(lhs.rank())) {
    int64_t draw = random.below(100);
    if (draw < 25) {
      lhsBatching.push_back(dim);
    } else if (draw < 65) {
      lhsContracting.push_back(dim);
      depth *= lhs.shape()[dim];
    }
  }
  SmallVector<int64_t> sizes;
  for (int64_t dim : lhsBatching)
    sizes.push_back(lhs.shape()[dim]);
  for (int64_t dim : lhsContracting)
    sizes.push_back(lhs.shape()[dim]);
  int64_t shared = sizes.size();
  for (int64_t free = random.below(3); free > 0; --free)
    sizes.push_back(random.pick({1, 2, 3, 4, 8}));
  int64_t resultElements = elementsOf(lhs.shape()) / depth;
  for (int64_t size : ArrayRef(sizes).drop_front(shared))
    resultElements *= size;
  int64_t resultRank =
      lhs.rank() - lhsContracting.size() + sizes.size() - shared;
  if (int64_t(sizes.size()) > maximalRank || resultRank > maximalRank ||
      elementsOf(sizes) > maximalElements || resultElements > maximalElements)
    return false;

  // order[i]: which dimension of rhs has sizes[i].
  SmallVector<int64_t> order = random.permutation(sizes.size());
  rhsShape.resize(sizes.size());
  for (auto [i, dim] : llvm::enumerate(order))
    rhsShape[dim] = sizes[i];
  ArrayRef<int64_t> dims = order;
  auto rhsBatching = dims.take_front(lhsBatching.size());
  auto rhsContracting = dims.slice(lhsBatching.size(), lhsContracting.size());
  double range = lhs.element().isBF16() ? 1 << 7 : 1 << 22;
  if (depth * 9 > range)
    return false;
  lhs = bounded(lhs, 3);
  Known rhs = bounded(need(rhsShape, lhs.element()), range / (3 * depth));

  SmallVector<int64_t> resultShape;
  for (int64_t dim : lhsBatching)
    resultShape.push_back(lhs.shape()[dim]);
  for (int64_t dim = 0; dim < lhs.rank(); ++dim)
    if (!llvm::is_contained(lhsBatching, dim) &&
        !llvm::is_contained(lhsContracting, dim))
      resultShape.push_back(lhs.shape()[dim]);
  for (int64_t dim = 0; dim < int64_t(rhsShape.size()); ++dim)
    if (!llvm::is_contained(rhsBatching, dim) &&
        !llvm::is_contained(rhsContracting, dim))
      resultShape.push_back(rhsShape[dim]);
  return add(create<DotGeneralOp>(tensorType(resultShape, lhs.element()),
                                  lhs.value, rhs.value, lhsBatching,
                                  rhsBatching, lhsContracting, rhsContracting),
             depth * lhs.bound * rhs.bound);
}

/// Adds a reduction along any of a tensor's dimensions, also none, by an
/// operation of its type; sums stay exact. False where no tensor has a
/// dimension or the sum would grow too large.
bool ProgramGenerator::addReduce() {
  std::optional<Known> operand =
      random.chance(10)
          ? find([](const Known &known) { return known.rank() > 0; })
          : findNumber(/*minimalRank=*/1);
  if (!operand || operand->rank() == 0)
    return false;
  SmallVector<int64_t> dims, shape;
  int64_t reduced = 1;
  for (auto [dim, size] : llvm::enumerate(operand->shape())) {
    if (random.chance(50)) {
      dims.push_back(dim);
      reduced *= size;
    } else {
      shape.push_back(size);
    }
  }
  ReductionKind kind;
  Known a = *operand;
  if (isa<FloatType>(a.element()))
    kind = random.pick({ReductionKind::Sum, ReductionKind::Sum,
                        ReductionKind::Max, ReductionKind::Min});
  else if (a.element().isInteger(1))
    kind = random.pick({ReductionKind::And, ReductionKind::Or});
  else
    kind = random.pick({ReductionKind::Sum, ReductionKind::Max,
                        ReductionKind::Xor, ReductionKind::Or});
  double range = a.element().isBF16() ? 1 << 7 : 1 << 22;
  bool grows = kind == ReductionKind::Sum;
  if (grows && 3 * reduced > range)
    return false;
  if (grows)
    a = bounded(a, range / reduced);
  // Bitwise reductions stay below the next power of two.
  double bound = grows ? a.bound * reduced : 2 * a.bound + 1;
  return add(create<ReduceOp>(tensorType(shape, a.element()),
                              ReductionAttr::get(builder.getContext(), kind),
                              a.value, dims),
             bound);
}

/// The index and the value of the largest element along one dimension.
bool ProgramGenerator::addArgmax() {
  auto known = find([&](const Known &k) {
    return k.rank() > 0 && k.element().isInteger(32);
  });
  if (!known)
    return false;
  int64_t dim = random.below(known->rank());
  auto type = known->type();
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  Value indices = create<IotaOp>(type, dim);
  auto scalar = tensorType({}, type.getElementType());
  Value lowest = splat(scalar, -(1 << 30)), none = splat(scalar, 99);
  auto result = tensorType(shape, type.getElementType());
  auto op = create<VariadicReduceOp>(
      TypeRange{result, result}, ValueRange{known->value, indices},
      ValueRange{lowest, none}, ArrayRef<int64_t>{dim});
  OpBuilder::InsertionGuard guard(builder);
  Block *body =
      builder.createBlock(&op.getBody(), {}, SmallVector<Type>(4, scalar),
                          SmallVector<Location>(4, builder.getUnknownLoc()));
  Value a = body->getArgument(0), i = body->getArgument(1),
        b = body->getArgument(2), j = body->getArgument(3);
  // The larger value; of equal ones the lower index: the order does not matter.
  Value greater = create<arith::CmpIOp>(arith::CmpIPredicate::sgt, b, a);
  Value equal = create<arith::CmpIOp>(arith::CmpIPredicate::eq, b, a);
  Value nearer = create<arith::MinSIOp>(i, j);
  Value index = create<arith::SelectOp>(equal, nearer,
                                        create<arith::SelectOp>(greater, j, i));
  create<YieldOp>(ValueRange{create<arith::MaxSIOp>(a, b), index});
  pool.push_back({op.getResult(0), known->bound});
  pool.push_back({op.getResult(1), 99});
  return true;
}

//===----------------------------------------------------------------------===//
// Other shapes
//===----------------------------------------------------------------------===//

bool ProgramGenerator::addBroadcast() {
  auto a = find([](const Known &known) { return known.rank() < maximalRank; });
  if (!a)
    return false;
  // New dimensions between the old ones; those of size 1 may grow.
  SmallVector<int64_t> dims, shape;
  int64_t elements = elementsOf(a->shape());
  auto newDim = [&](int64_t size) {
    if (elements * size > maximalElements)
      return false;
    elements *= size;
    shape.push_back(size);
    return true;
  };
  for (int64_t dim = 0; dim <= a->rank(); ++dim) {
    if (shape.size() + (a->rank() - dim) < size_t(maximalRank) &&
        random.chance(45))
      newDim(random.pick({1, 2, 3, 4, 8}));
    if (dim == a->rank())
      break;
    dims.push_back(shape.size());
    int64_t size = a->shape()[dim];
    if (size != 1 || !random.chance(50) || !newDim(random.pick({2, 4, 6})))
      shape.push_back(size);
  }
  return add(create<tessera::BroadcastOp>(tensorType(shape, a->element()),
                                          a->value, dims),
             a->bound);
}

bool ProgramGenerator::addTranspose() {
  auto a = find([](const Known &known) { return known.rank() >= 2; });
  if (!a)
    return false;
  SmallVector<int64_t> permutation = random.permutation(a->rank()), shape;
  for (int64_t dim : permutation)
    shape.push_back(a->shape()[dim]);
  return add(create<TransposeOp>(tensorType(shape, a->element()), a->value,
                                 permutation),
             a->bound);
}

/// A few random merges, splits, and dimensions of size 1 that come and go.
bool ProgramGenerator::addReshape() {
  auto a = find([](const Known &) { return true; });
  if (!a)
    return false;
  SmallVector<int64_t> shape(a->shape());
  for (int64_t i = random.between(1, 3); i > 0; --i) {
    int64_t rank = shape.size(), dim = rank ? random.below(rank) : 0;
    int64_t draw = random.below(4);
    if (draw == 0 && dim + 1 < rank) {
      shape[dim] *= shape[dim + 1];
      shape.erase(shape.begin() + dim + 1);
    } else if (draw == 1 && rank > 0 && rank < maximalRank) {
      int64_t divisor = random.pick({2, 3, 4});
      if (shape[dim] % divisor == 0) {
        shape[dim] /= divisor;
        shape.insert(shape.begin() + dim + random.below(2), divisor);
      }
    } else if (draw == 2 && rank < maximalRank) {
      shape.insert(shape.begin() + random.below(rank + 1), 1);
    } else if (draw == 3 && rank > 0 && shape[dim] == 1) {
      shape.erase(shape.begin() + dim);
    }
  }
  return add(create<ReshapeOp>(tensorType(shape, a->element()), a->value),
             a->bound);
}

bool ProgramGenerator::addSlice() {
  auto a = find([](const Known &known) { return known.rank() > 0; });
  if (!a)
    return false;
  SmallVector<int64_t> starts, limits, strides, shape;
  for (int64_t size : a->shape()) {
    int64_t start = 0, limit = size, stride = 1;
    if (size > 1 && random.chance(60)) {
      // Halves and quarters are what models take; others are what breaks.
      start =
          random.chance(50) ? size / 2 * random.below(2) : random.below(size);
      limit = random.between(start + 1, size);
      if (random.chance(40) && start + size / 2 <= size)
        limit = std::max(start + size / 2, start + 1);
      stride = random.pick({1, 1, 1, 2, 3});
    }
    starts.push_back(start);
    limits.push_back(limit);
    strides.push_back(stride);
    shape.push_back((limit - start + stride - 1) / stride);
  }
  return add(create<SliceOp>(tensorType(shape, a->element()), a->value, starts,
                             limits, strides),
             a->bound);
}

bool ProgramGenerator::addPad() {
  Known a = *findNumber(/*minimalRank=*/1);
  SmallVector<int64_t> low, high, interior, shape;
  for (int64_t size : a.shape()) {
    int64_t l = 0, h = 0, between = 0;
    if (random.chance(60)) {
      l = random.pick({-1, 0, 1, 2, 4});
      h = random.pick({-1, 0, 1, 2, 4});
      between = random.pick({0, 0, 0, 1, 2});
    }
    int64_t padded = l + size + std::max<int64_t>(size - 1, 0) * between + h;
    if (padded < 1)
      return false;
    low.push_back(l);
    high.push_back(h);
    interior.push_back(between);
    shape.push_back(padded);
  }
  if (elementsOf(shape) > maximalElements)
    return false;
  Known value = need({}, a.element());
  return add(create<PadOp>(tensorType(shape, a.element()), a.value, value.value,
                           low, high, interior),
             std::max(a.bound, value.bound));
}

bool ProgramGenerator::addConcatenate() {
  auto a = find([](const Known &known) { return known.rank() > 0; });
  if (!a)
    return false;
  int64_t dim = random.below(a->rank());
  SmallVector<Value> operands = {a->value};
  SmallVector<int64_t> whole(a->shape());
  double bound = a->bound;
  for (int64_t more = random.between(1, 2); more > 0; --more) {
    SmallVector<int64_t> shape(a->shape());
    if (random.chance(50))
      shape[dim] = random.pick({1, 2, 4});
    Known other = need(shape, a->element());
    whole[dim] += shape[dim];
    bound = std::max(bound, other.bound);
    operands.push_back(other.value);
  }
  if (elementsOf(whole) > maximalElements)
    return false;
  random.shuffle(operands);
  return add(create<ConcatenateOp>(tensorType(whole, a->element()), operands,
                                   uint64_t(dim)),
             bound);
}

bool ProgramGenerator::addReverse() {
  if (random.apart().chance(50))
    return addSort();
  auto a = find([](const Known &known) { return known.rank() > 0; });
  if (!a)
    return false;
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < a->rank(); ++dim)
    if (random.chance(60))
      dims.push_back(dim);
  return add(create<ReverseOp>(a->type(), a->value, dims), a->bound);
}

//===----------------------------------------------------------------------===//
// New values and annotations
//===----------------------------------------------------------------------===//

bool ProgramGenerator::addIota() {
  SmallVector<int64_t> shape = randomShape();
  if (shape.empty())
    return false;
  int64_t dim = random.below(shape.size());
  return add(create<IotaOp>(tensorType(shape, randomElement()), uint64_t(dim)),
             std::max<double>(3, shape[dim]));
}

bool ProgramGenerator::addConstant() {
  newConstant(tensorType(randomShape(), randomElement()));
  return true;
}

bool ProgramGenerator::addConstrain() {
  auto a = find([](const Known &) { return true; });
  if (!a)
    return false;
  bool mayBeUnreduced = a->type().getElementTypeBitWidth() >= 32;
  return add(
      create<ConstrainOp>(a->type(), a->value,
                          shardings->attribute(builder.getContext(), a->shape(),
                                               mayBeUnreduced, manualAxes,
                                               nesting ? manualMesh : nullptr)),
      a->bound);
}

/// Ties two values together that nobody annotates: results of arithmetic, which
/// do not fold to annotated arguments as what moves elements may.
bool ProgramGenerator::addShardingGroup() {
  auto mayJoin = [](const Known &known) {
    Operation *op = known.value.getDefiningOp();
    return known.rank() > 0 && op && op->hasTrait<OpTrait::Elementwise>() &&
           !isa<arith::SelectOp>(op);
  };
  auto a = find(mayJoin);
  // A group in a function that is called twice would be one group.
  if (!a || isIsolated || !random.chance(50))
    return false;
  auto b = find([&](const Known &known) {
    return mayJoin(known) && known.shape() == a->shape();
  });
  for (const Known &member : {*a, *b})
    create<ShardingGroupOp>(member.value, builder.getI64IntegerAttr(groups));
  ++groups;
  return true;
}

bool ProgramGenerator::addPropagationBarrier() {
  auto a = find([](const Known &) { return true; });
  if (!a || !random.chance(50))
    return false;
  auto direction =
      random.pick({BarrierDirection::None, BarrierDirection::Forward,
                   BarrierDirection::Backward});
  return add(create<PropagationBarrierOp>(a->type(), a->value, direction),
             a->bound);
}

bool ProgramGenerator::addBarrier() {
  auto a = find([](const Known &) { return true; });
  auto b = find([](const Known &) { return true; });
  if (!a || a->value == b->value)
    return false;
  auto op = create<BarrierOp>(TypeRange{a->type(), b->type()},
                              ValueRange{a->value, b->value});
  pool.push_back({op.getResult(0), a->bound});
  pool.push_back({op.getResult(1), b->bound});
  return true;
}
