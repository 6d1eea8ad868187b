//===- Matmuls.cpp - dot_general and reductions ---------------------------===//
//
// Each brings its operands into a canonical shape first, by transposing: for
// dot_general [batch, rows, depth] x [batch, depth, columns], for reductions
// [kept, reduced].
//
//===----------------------------------------------------------------------===//

#include "Monoid.h"
#include "OperationTable.h"
#include "StridedCopy.h"

using namespace mlir;
using namespace tessera;

/// The dimensions of all `lists`, one behind the other.
static Shape concatLists(std::initializer_list<ArrayRef<int64_t>> lists) {
  Shape all;
  for (ArrayRef<int64_t> list : lists)
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// The product of the sizes of `dims`.
static int64_t sizeOf(const HostTensor &tensor, ArrayRef<int64_t> dims) {
  int64_t size = 1;
  for (int64_t dim : dims)
    size *= tensor.shape()[dim];
  return size;
}

//===----------------------------------------------------------------------===//
// dot_general
//===----------------------------------------------------------------------===//

/// The elements of `tensor` as numbers of type `C`.
template <typename C>
static std::vector<C> toNumbers(const HostTensor &tensor) {
  std::vector<C> numbers(tensor.elementCount());
  dispatchStorage(tensor.type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    std::span<const T> elements = tensor.elements<T>();
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<C>(load(elements[i]));
  });
  return numbers;
}

/// out[i][j] += sum over k of a[i][k] * b[k][j], all row-major. Four rows at a
/// time, so that a row of `b` is loaded once for all of them; the loop over j
/// is left to the vectoriser.
template <typename C>
static void multiplyAdd(const C *a, const C *b, C *out, int64_t rows,
                        int64_t depth, int64_t columns) {
  int64_t i = 0;
  for (; i + 4 <= rows; i += 4) {
    C *__restrict r0 = out + i * columns, *__restrict r1 = r0 + columns,
                  *__restrict r2 = r1 + columns, *__restrict r3 = r2 + columns;
    for (int64_t k = 0; k < depth; ++k) {
      const C *__restrict row = b + k * columns;
      C a0 = a[i * depth + k], a1 = a[(i + 1) * depth + k],
        a2 = a[(i + 2) * depth + k], a3 = a[(i + 3) * depth + k];
      for (int64_t j = 0; j < columns; ++j) {
        r0[j] += a0 * row[j];
        r1[j] += a1 * row[j];
        r2[j] += a2 * row[j];
        r3[j] += a3 * row[j];
      }
    }
  }
  for (; i < rows; ++i)
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t j = 0; j < columns; ++j)
        out[i * columns + j] += a[i * depth + k] * b[k * columns + j];
}

/// The product of operands in canonical order, accumulated in `C`.
template <typename C>
static HostTensor multiply(const HostTensor &lhs, const HostTensor &rhs,
                           HostTensor result, int64_t batch, int64_t rows,
                           int64_t depth, int64_t columns) {
  std::vector<C> a = toNumbers<C>(lhs), b = toNumbers<C>(rhs);
  std::vector<C> out(batch * rows * columns);
  for (int64_t i = 0; i < batch; ++i)
    multiplyAdd(a.data() + i * rows * depth, b.data() + i * depth * columns,
                out.data() + i * rows * columns, rows, depth, columns);
  dispatchStorage(result.type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    std::span<T> r = result.elements<T>();
    for (size_t i = 0; i < r.size(); ++i)
      r[i] = store<T>(static_cast<ComputeType<T>>(out[i]));
  });
  return result;
}

static LogicalResult dotGeneral(Invocation &in) {
  auto op = cast<DotGeneralOp>(in.op);
  SmallVector<int64_t> lhsFree = op.getLhsFree(), rhsFree = op.getRhsFree();
  HostTensor lhs = transpose(
      in.operand(0),
      concatLists({op.getLhsBatching(), lhsFree, op.getLhsContracting()}));
  HostTensor rhs = transpose(
      in.operand(1),
      concatLists({op.getRhsBatching(), op.getRhsContracting(), rhsFree}));
  int64_t batch = sizeOf(in.operand(0), op.getLhsBatching());
  int64_t rows = sizeOf(in.operand(0), lhsFree);
  int64_t depth = sizeOf(in.operand(0), op.getLhsContracting());
  int64_t columns = sizeOf(in.operand(1), rhsFree);
  HostTensor result = in.makeResult();
  auto run = [&](auto multiplyAs) {
    return in.give(
        multiplyAs(lhs, rhs, std::move(result), batch, rows, depth, columns));
  };
  if (lhs.type() == ElementType::F64 || result.type() == ElementType::F64)
    return run(multiply<double>);
  if (isFloatingPoint(lhs.type()))
    return run(multiply<float>);
  return run(multiply<uint64_t>);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// `operand` with the dimensions `dims` moved behind the others.
static HostTensor moveBehind(const HostTensor &operand,
                             ArrayRef<int64_t> dims) {
  Shape kept;
  for (int64_t dim = 0; dim < int64_t(operand.shape().size()); ++dim)
    if (!llvm::is_contained(dims, dim))
      kept.push_back(dim);
  return transpose(operand, concatLists({kept, dims}));
}

/// Floats are accumulated in double and rounded once, so that the order of
/// elements does not matter to any phase's result.
static LogicalResult reduce(Invocation &in) {
  auto op = cast<ReduceOp>(in.op);
  ReductionKind kind = op.getKind().getKind();
  HostTensor operand = moveBehind(in.operand(0), op.getDims());
  int64_t reduced = sizeOf(in.operand(0), op.getDims());
  HostTensor result = in.makeResult();
  dispatchStorage(operand.type(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    using C = std::conditional_t<std::is_floating_point_v<ComputeType<T>>,
                                 double, int64_t>;
    std::span<const T> a = operand.elements<T>();
    std::span<T> r = result.elements<T>();
    for (size_t i = 0; i < r.size(); ++i) {
      C total = load(neutralElement<T>(kind));
      for (int64_t j = 0; j < reduced; ++j)
        total = combine<C>(kind, total, load(a[i * reduced + j]));
      r[i] = store<T>(static_cast<ComputeType<T>>(total));
    }
  });
  return in.give(std::move(result));
}

/// Runs the region once for every element, on scalars.
static LogicalResult variadicReduce(Invocation &in) {
  auto op = cast<VariadicReduceOp>(in.op);
  size_t n = op.getInputs().size();
  int64_t reduced = sizeOf(in.operand(0), op.getDims());
  SmallVector<HostTensor> inputs, results;
  for (size_t i = 0; i < n; ++i) {
    inputs.push_back(moveBehind(in.operand(i), op.getDims()));
    results.push_back(in.makeResult(i));
  }
  for (int64_t i = 0; i < results.front().elementCount(); ++i) {
    SmallVector<TensorRef> accumulated(in.operands.drop_front(n));
    for (int64_t j = 0; j < reduced; ++j) {
      SmallVector<TensorRef> arguments = accumulated, next;
      for (const HostTensor &input : inputs)
        arguments.push_back(std::make_shared<const HostTensor>(
            readStrided(input, {}, {i * reduced + j, {}})));
      if (failed(in.executor.run(op.getBody(), arguments, next)))
        return failure();
      accumulated = std::move(next);
    }
    for (auto [result, scalar] : llvm::zip_equal(results, accumulated))
      writeStrided(*scalar, result, {i, {}});
  }
  for (HostTensor &result : results)
    (void)in.give(std::move(result));
  return success();
}

void tessera::addMatmuls(OperationTable &table) {
  table.add("tessera.dot_general", dotGeneral);
  table.add("tessera.reduce", reduce);
  table.add("tessera.variadic_reduce", variadicReduce);
}
