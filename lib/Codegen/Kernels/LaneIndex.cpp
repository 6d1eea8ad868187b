//===- LaneIndex.cpp - Indices as functions of the vector lane ------------===//

#include "tessera/Codegen/Kernels/LaneIndex.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace tessera::codegen;

LaneIndex LaneArithmetic::wrap(Value value, IndexBounds bounds) {
  LaneIndex index;
  (isa<VectorType>(value.getType()) ? index.vector : index.base) = value;
  index.bounds = bounds;
  return index;
}

static IndexBounds sum(IndexBounds x, IndexBounds y) {
  if (!x.isKnown() || !y.isKnown())
    return {};
  return {x.low + y.low, x.high + y.high};
}

static IndexBounds scaled(IndexBounds x, int64_t factor) {
  IndexBounds result;
  if (!x.isKnown() || llvm::MulOverflow(x.low, factor, result.low) ||
      llvm::MulOverflow(x.high, factor, result.high))
    return {};
  if (factor < 0)
    std::swap(result.low, result.high);
  return result;
}

IndexBounds LaneArithmetic::bounds(const LaneIndex &x) const {
  if (x.vector)
    return x.bounds;
  IndexBounds start = x.base ? x.bounds : IndexBounds{0, 0};
  return sum(sum(start, {x.offset, x.offset}),
             scaled({0, int64_t(active) - 1}, x.stride));
}

Value LaneArithmetic::start(const LaneIndex &x) {
  return x.base ? b.add(x.base, x.offset) : b.index(x.offset);
}

Value LaneArithmetic::materialize(const LaneIndex &x) {
  if (x.vector)
    return x.vector;
  Value first = start(x);
  if (lanes == 1)
    return first;
  Value all = b.broadcast(first, lanes);
  if (x.stride == 0)
    return all;
  SmallVector<int64_t> steps;
  for (unsigned lane = 0; lane < lanes; ++lane)
    steps.push_back(lane * x.stride);
  Value constant = b.make<arith::ConstantOp>(b.getI64VectorAttr(steps));
  return b.make<arith::AddIOp>(all, constant);
}

LaneIndex LaneArithmetic::add(const LaneIndex &x, const LaneIndex &y) {
  if (x.vector || y.vector)
    return wrap(b.make<arith::AddIOp>(materialize(x), materialize(y)),
                sum(bounds(x), bounds(y)));
  LaneIndex result;
  result.offset = x.offset + y.offset;
  result.stride = x.stride + y.stride;
  if (x.base && y.base) {
    result.base = b.add(x.base, y.base);
    result.divisor = std::gcd(x.divisor, y.divisor);
    result.bounds = sum(x.bounds, y.bounds);
  } else if (x.base || y.base) {
    result.base = x.base ? x.base : y.base;
    result.divisor = x.base ? x.divisor : y.divisor;
    result.bounds = x.base ? x.bounds : y.bounds;
  }
  return result;
}

LaneIndex LaneArithmetic::mul(const LaneIndex &x, int64_t factor) {
  if (factor == 1)
    return x;
  if (factor == 0)
    return LaneIndex::constant(0);
  if (x.vector)
    return wrap(
        b.make<arith::MulIOp>(x.vector, b.broadcast(b.index(factor), lanes)),
        scaled(x.bounds, factor));
  LaneIndex product = x;
  if (x.base) {
    product.base = b.mul(x.base, factor);
    product.divisor = x.divisor * std::abs(factor);
    product.bounds = scaled(x.bounds, factor);
  }
  product.offset *= factor;
  product.stride *= factor;
  return product;
}

std::optional<LaneIndex> LaneArithmetic::select(Value condition,
                                                const LaneIndex &x,
                                                const LaneIndex &y) {
  if (x == y)
    return x;
  if (x.vector || y.vector || x.stride != y.stride)
    return std::nullopt;
  LaneIndex result;
  result.base = b.make<arith::SelectOp>(condition, start(x), start(y));
  result.stride = x.stride;
  IndexBounds first = bounds(x), second = bounds(y);
  if (x.stride == 0 && first.isKnown() && second.isKnown())
    result.bounds = {std::min(first.low, second.low),
                     std::max(first.high, second.high)};
  return result;
}

bool LaneArithmetic::lanesStayWithin(const LaneIndex &x,
                                     int64_t divisor) const {
  return x.stride == 0 ||
         (x.stride == 1 && divisor % lanes == 0 && x.offset % lanes == 0 &&
          (!x.base || x.divisor % lanes == 0));
}

LaneIndex LaneArithmetic::div(const LaneIndex &x, int64_t divisor) {
  if (divisor == 1)
    return x;
  IndexBounds range = bounds(x), quotient;
  if (range.isKnown() && range.low >= 0)
    quotient = {range.low / divisor, range.high / divisor};
  if (quotient.low == quotient.high)
    return LaneIndex::constant(quotient.low);
  if (x.vector || !lanesStayWithin(x, divisor))
    return wrap(b.div(materialize(x), b.broadcast(b.index(divisor), lanes)),
                quotient);
  if (!x.base)
    return LaneIndex::constant(x.offset / divisor);
  return wrap(b.div(start(x), b.index(divisor)), quotient);
}

LaneIndex LaneArithmetic::mod(const LaneIndex &x, int64_t divisor) {
  if (divisor == 1)
    return LaneIndex::constant(0);
  IndexBounds range = bounds(x);
  if (range.isKnown() && range.low >= 0 &&
      range.low / divisor == range.high / divisor)
    return add(x, LaneIndex::constant(-(range.low / divisor * divisor)));
  if (x.vector || !lanesStayWithin(x, divisor))
    return wrap(b.rem(materialize(x), b.broadcast(b.index(divisor), lanes)),
                {0, divisor - 1});
  LaneIndex rest;
  rest.stride = x.stride;
  if (!x.base) {
    rest.offset = x.offset % divisor;
    return rest;
  }
  rest.base = b.rem(start(x), b.index(divisor));
  rest.bounds = {0, divisor - 1 - x.stride * (int64_t(lanes) - 1)};
  rest.divisor = std::gcd(std::gcd(x.divisor, x.offset), divisor);
  return rest;
}

/// What `value` divides by `divisor`, or takes the rest of; null if nothing.
template <typename Op> static Value getDividend(Value value, int64_t divisor) {
  auto op = value ? value.getDefiningOp<Op>() : Op();
  APInt by;
  if (!op || !matchPattern(op.getRhs(), m_ConstantInt(&by)) || by != divisor)
    return {};
  return op.getLhs();
}

/// The number that has been divided by `divisor` with this quotient and rest,
/// if they come from one number.
static std::optional<LaneIndex> undoDivision(const LaneIndex &quotient,
                                             int64_t divisor,
                                             const LaneIndex &rest) {
  if (!quotient.isUniform() || quotient.offset != 0 || rest.vector ||
      rest.offset != 0)
    return std::nullopt;
  Value number = getDividend<arith::DivUIOp>(quotient.base, divisor);
  if (!number || number != getDividend<arith::RemUIOp>(rest.base, divisor))
    return std::nullopt;
  return LaneIndex{number, 0, rest.stride, rest.divisor, {}};
}

LaneIndex LaneArithmetic::apply(AffineExpr expression,
                                const LaneIndices &dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return LaneIndex::constant(constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expression);
  LaneIndex left = apply(binary.getLHS(), dims);
  if (binary.getKind() == AffineExprKind::Add)
    return add(left, apply(binary.getRHS(), dims));
  int64_t right = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  switch (binary.getKind()) {
  case AffineExprKind::Mul:
    return mul(left, right);
  case AffineExprKind::FloorDiv:
    return div(left, right);
  default:
    return mod(left, right);
  }
}

LaneIndices LaneArithmetic::apply(AffineMap map, const LaneIndices &dims) {
  LaneIndices results;
  for (AffineExpr expression : map.getResults())
    results.push_back(apply(expression, dims));
  return results;
}

LaneIndex LaneArithmetic::linearize(const LaneIndices &indices,
                                    ArrayRef<int64_t> shape) {
  // Indices that come from one number become it again, from the outermost on,
  // which has been divided last.
  SmallVector<std::pair<LaneIndex, int64_t>> parts;
  for (auto [index, size] : llvm::zip(indices, shape)) {
    if (size == 1)
      continue;
    std::optional<LaneIndex> number;
    if (!parts.empty())
      number = undoDivision(parts.back().first, size, index);
    if (number)
      parts.back() = {*number, parts.back().second * size};
    else
      parts.push_back({index, size});
  }
  LaneIndex position = LaneIndex::constant(0);
  int64_t stride = 1;
  for (auto &[index, size] : llvm::reverse(parts)) {
    position = add(mul(index, stride), position);
    stride *= size;
  }
  return position;
}

LaneIndices LaneArithmetic::delinearize(LaneIndex index,
                                        ArrayRef<int64_t> shape) {
  LaneIndices indices(shape.size(), LaneIndex::constant(0));
  int64_t outer = llvm::count_if(shape, [](int64_t s) { return s != 1; });
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1)
      continue;
    bool last = --outer == 0;
    indices[i] = last ? index : mod(index, shape[i]);
    if (!last)
      index = div(index, shape[i]);
  }
  return indices;
}
