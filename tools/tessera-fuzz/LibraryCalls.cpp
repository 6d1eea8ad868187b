//===- LibraryCalls.cpp - Random calls of routines ------------------------===//
//
// What routines compute is made of small integers, so that no order of sums
// changes it: matrices are products of triangles with ones and twos on the
// diagonal, whose factors are these again; right-hand sides are products with
// known solutions. Transforms are rounded to integers.
//
//===----------------------------------------------------------------------===//

#include "ProgramGenerator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

/// The dimensions in front of a matrix, as factors.
static SmallVector<int64_t> batchOf(int64_t rank) {
  return llvm::to_vector(llvm::seq<int64_t>(0, rank - 2));
}

bool ProgramGenerator::addRoutine() {
  static constexpr Addition additions[] = {
      &ProgramGenerator::addCholesky, &ProgramGenerator::addTriangularSolve,
      &ProgramGenerator::addElimination, &ProgramGenerator::addTransform};
  return (this->*random.pick(additions))();
}

/// Square matrices, often a batch of them.
ProgramGenerator::Known ProgramGenerator::needSquares() {
  Type element =
      random.pick({Type(builder.getF32Type()), Type(builder.getF32Type()),
                   Type(builder.getF64Type())});
  auto known = random.chance(50) ? find([&](const Known &k) {
    return k.element() == element && k.rank() >= 2 && k.rank() <= 4 &&
           k.shape().back() == k.shape()[k.rank() - 2];
  })
                                 : std::nullopt;
  if (known)
    return *known;
  SmallVector<int64_t> shape;
  for (int64_t i = random.pick({0, 0, 1, 1, 2}); i > 0; --i)
    shape.push_back(random.pick({1, 2, 3, 4}));
  int64_t size = random.pick({2, 3, 4, 6, 8, 12});
  shape.append({size, size});
  return need(shape, element);
}

/// `below` where rows are behind columns of `squares`, with ones and twos, or
/// with ones only, on the diagonal.
Value ProgramGenerator::triangle(Value squares, bool isUnit) {
  auto type = cast<RankedTensorType>(squares.getType());
  auto counts = type.clone(builder.getI32Type());
  Value row = create<IotaOp>(counts, type.getRank() - 2),
        column = create<IotaOp>(counts, type.getRank() - 1);
  Value isBelow = create<arith::CmpIOp>(arith::CmpIPredicate::sgt, row, column),
        isDiagonal =
            create<arith::CmpIOp>(arith::CmpIPredicate::eq, row, column);
  Value none = splat(type, 0), diagonal = splat(type, 1);
  if (!isUnit)
    diagonal = create<arith::SelectOp>(
        create<arith::CmpFOp>(arith::CmpFPredicate::OGT, squares, none),
        splat(type, 2), diagonal);
  return create<arith::SelectOp>(
      isDiagonal, diagonal,
      create<arith::SelectOp>(isBelow, squares, none).getResult());
}

/// The product of matrices by batch, over these of the last two dimensions.
Value ProgramGenerator::product(Value lhs, int64_t lhsOver, Value rhs,
                                int64_t rhsOver) {
  auto type = cast<RankedTensorType>(lhs.getType());
  int64_t batch = type.getRank() - 2;
  SmallVector<int64_t> shape(type.getShape().take_front(batch)),
      batching = batchOf(type.getRank());
  shape.push_back(type.getDimSize(batch + 1 - lhsOver));
  shape.push_back(
      cast<RankedTensorType>(rhs.getType()).getDimSize(batch + 1 - rhsOver));
  return create<DotGeneralOp>(
      tensorType(shape, type.getElementType()), lhs, rhs, batching, batching,
      ArrayRef<int64_t>{batch + lhsOver}, ArrayRef<int64_t>{batch + rhsOver});
}

/// A buffer of `element` whose dimensions behind the batch are `own`, matrices
/// by columns if so.
Attribute ProgramGenerator::buffer(Type element, int64_t rank,
                                   ArrayRef<int64_t> own, bool isByColumns) {
  SmallVector<int64_t> factors = batchOf(rank), order;
  llvm::append_range(factors, own);
  if (isByColumns) {
    order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(order[rank - 1], order[rank - 2]);
  }
  return RoutineBufferAttr::get(builder.getContext(), element, factors, order);
}

/// Calls LAPACK's routine of `family` for the element type of the first
/// operand, which has `rank` dimensions.
LibraryCallOp ProgramGenerator::callLapack(StringRef family,
                                           ValueRange operands, TypeRange types,
                                           StringRef letters,
                                           ArrayRef<Attribute> buffers,
                                           ArrayRef<int64_t> aliases,
                                           ArrayRef<int64_t> whole) {
  auto element =
      cast<RankedTensorType>(operands.front().getType()).getElementType();
  std::string routine =
      ("lapack_" + Twine(element.isF32() ? "s" : "d") + family + "_ffi").str();
  // One letter each, in this order.
  static constexpr StringLiteral names[] = {"uplo", "side", "diag", "trans_x"};
  NamedAttrList parameters;
  for (auto [name, letter] : llvm::zip(names, letters))
    parameters.set(name,
                   builder.getIntegerAttr(
                       builder.getIntegerType(8, /*isSigned=*/false), letter));
  return create<LibraryCallOp>(
      types, builder.getStringAttr(routine), operands,
      parameters.getDictionary(builder.getContext()),
      builder.getArrayAttr(buffers), builder.getDenseI64ArrayAttr(aliases),
      /*summed=*/nullptr, builder.getDenseI64ArrayAttr(whole));
}

bool ProgramGenerator::addCholesky() {
  Known squares = bounded(needSquares(), 3);
  Value lower = triangle(squares.value, /*isUnit=*/false);
  Value positive = product(lower, 1, lower, 1);
  int64_t rank = squares.rank(), row = rank - 2, column = rank - 1;
  auto status = tensorType(squares.shape().drop_back(2), builder.getI32Type());
  Attribute matrix = buffer(squares.element(), rank, {row, column}, false);
  auto call = callLapack(
      "potrf", positive, {squares.type(), status}, random.pick({"U", "L"}),
      {matrix, matrix,
       RoutineBufferAttr::get(builder.getContext(), builder.getI32Type(),
                              batchOf(rank), {})},
      {0, -1}, {row, column});
  add(call.getResult(1), 1);
  return add(call.getResult(0), 9.0 * squares.shape().back() + 4);
}

bool ProgramGenerator::addTriangularSolve() {
  Known squares = bounded(needSquares(), 3);
  bool isLower = random.chance(50), isLeft = random.chance(50),
       isTransposed = random.chance(50);
  Value matrix = triangle(squares.value, /*isUnit=*/false);
  int64_t rank = squares.rank(), row = rank - 2, column = rank - 1;
  if (!isLower) {
    SmallVector<int64_t> order = batchOf(rank);
    order.append({column, row});
    matrix = create<TransposeOp>(squares.type(), matrix, order);
  }
  SmallVector<int64_t> shape(squares.shape());
  shape[isLeft ? column : row] = random.pick({1, 2, 3, 8, 16});
  Known found = bounded(need(shape, squares.element()), 3);
  Value sides = isLeft ? product(matrix, isTransposed ? 0 : 1, found.value, 0)
                       : product(found.value, 1, matrix, isTransposed ? 1 : 0);
  // By columns, as LAPACK sees them, all are transposed.
  std::string letters = {isLower ? 'U' : 'L', isLeft ? 'R' : 'L', 'N',
                         isTransposed ? 'T' : 'N'};
  Attribute side = buffer(squares.element(), rank, {row, column}, true);
  int64_t any = RoutineBufferAttr::kWhole;
  auto call = callLapack(
      "trsm", {matrix, sides}, found.type(), letters,
      {buffer(squares.element(), rank, {any, any}, false), side, side}, {1},
      {isLeft ? row : column});
  return add(call.getResult(0), found.bound);
}

/// Rows are in another order than that of the pivots, which are larger than
/// what stands below them.
bool ProgramGenerator::addElimination() {
  Known squares = bounded(needSquares(), 3);
  auto type = squares.type();
  Value none = splat(type, 0), one = splat(type, 1),
        half = create<arith::DivFOp>(one, splat(type, 2));
  // Of L, halves and zeros.
  Value isHalf =
      create<arith::CmpFOp>(arith::CmpFPredicate::OLT, squares.value, none);
  Value below = triangle(
      create<arith::SelectOp>(isHalf, half, none).getResult(), /*isUnit=*/true);
  int64_t rank = type.getRank(), row = rank - 2, column = rank - 1;
  Value upper = triangle(bounded(need(type), 3).value, /*isUnit=*/false);
  // By columns, as LAPACK sees it, both are transposed.
  Value matrix = product(upper, 1, below, 1);
  if (random.chance(70))
    matrix = create<ReverseOp>(matrix, ArrayRef<int64_t>{column});
  SmallVector<int64_t> places(type.getShape().drop_back());
  auto pivots = tensorType(places, builder.getI32Type()),
       status = tensorType(ArrayRef(places).drop_back(), builder.getI32Type());
  Attribute buffers[] = {
      buffer(type.getElementType(), rank, {row, column}, true),
      buffer(type.getElementType(), rank, {row, column}, true),
      buffer(builder.getI32Type(), rank, {RoutineBufferAttr::kWhole}, false),
      buffer(builder.getI32Type(), rank, {}, false)};
  auto call = callLapack("getrf", matrix, {type, pivots, status}, "", buffers,
                         {0, -1, -1}, {row, column});
  add(call.getResult(1), type.getShape().back());
  add(call.getResult(2), 1);
  return add(create<arith::MulFOp>(call.getResult(0), splat(type, 2)), 6);
}

/// Adds a Fourier transform of any kind along the last dimensions of a value.
/// False where there is none with dimensions.
bool ProgramGenerator::addTransform() {
  std::optional<Known> known =
      find([](const Known &k) { return k.rank() > 0 && k.element().isF32(); });
  if (!known)
    return false;
  int64_t rank = known->rank(),
          own = random.between(1, std::min<int64_t>(rank, 3));
  SmallVector<int64_t> lengths(known->shape().take_back(own));
  StringRef kind = random.pick({"FFT", "IFFT", "RFFT", "IRFFT"});
  if (kind == "IRFFT")
    lengths.back() =
        std::max<int64_t>(2 * (lengths.back() - 1) + random.below(2), 1);
  SmallVector<int64_t> shape(known->shape());
  if (kind == "RFFT")
    shape.back() = lengths.back() / 2 + 1;
  if (kind == "IRFFT")
    shape.back() = lengths.back();
  // In double precision no error of rounding changes an integer.
  Type wide = builder.getF64Type();
  SmallVector<Value> operands;
  for (int64_t i = kind == "RFFT" ? 1 : 2; i > 0; --i) {
    Known part = bounded(i == 2 ? need(known->type()) : *known, 3);
    operands.push_back(
        create<arith::ExtFOp>(part.type().clone(wide), part.value));
  }
  SmallVector<Type> types(kind == "IRFFT" ? 1 : 2, tensorType(shape, wide));
  SmallVector<int64_t> factors = llvm::to_vector(llvm::seq<int64_t>(0, rank)),
                       whole = llvm::to_vector(llvm::seq(rank - own, rank));
  if (shape.back() != known->shape().back()) {
    factors.back() = RoutineBufferAttr::kWhole;
    whole.pop_back();
  }
  SmallVector<Attribute> buffers(
      operands.size() + types.size(),
      RoutineBufferAttr::get(builder.getContext(), wide, factors, {}));
  auto parameters = builder.getDictionaryAttr(
      {builder.getNamedAttr("kind", builder.getStringAttr(kind)),
       builder.getNamedAttr("length", builder.getDenseI64ArrayAttr(lengths))});
  auto call = create<LibraryCallOp>(
      types, builder.getStringAttr("tessera_fft_f64"), operands, parameters,
      builder.getArrayAttr(buffers), /*aliases=*/nullptr, /*summed=*/nullptr,
      whole.empty() ? nullptr : builder.getDenseI64ArrayAttr(whole));
  int64_t points = llvm::product_of(lengths);
  for (Value result : call.getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    // Cosines of 60 degrees, in up to three dimensions, make no halves of it.
    result = create<arith::MulFOp>(
        result, splat(type, kind.starts_with("I") ? 8 * points : 8));
    Value rounded = create<math::RoundEvenOp>(result);
    add(create<arith::TruncFOp>(type.clone(builder.getF32Type()), rounded),
        56.0 * points);
  }
  return true;
}
