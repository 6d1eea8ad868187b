//===- Structured.cpp - constants, matmuls and moves ----------------------===//
//
// These have counterparts with the same meaning. What relates shapes and
// dimensions is left to the counterparts' verifiers.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// The converted type of the one result of `op`; null after a diagnostic.
static RankedTensorType resultType(Operation *op, Conversion &c) {
  return c.convertType(op->getResult(0).getType(), op->getLoc());
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static LogicalResult convertConstant(Operation *op, ValueRange, Conversion &c,
                                     SmallVectorImpl<Value> &results) {
  RankedTensorType type = resultType(op, c);
  if (!type)
    return failure();
  Attribute value = op->getAttr("value");
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      if (bool splat; DenseElementsAttr::isValidRawBuffer(
              resource.getType(), blob->getData(), splat))
        value = DenseElementsAttr::getFromRawBuffer(resource.getType(),
                                                    blob->getData());
  auto elements = dyn_cast_or_null<DenseElementsAttr>(value);
  if (!elements || elements.getType() != op->getResult(0).getType())
    return emitError(op->getLoc())
           << "expected dense elements of type " << op->getResult(0).getType()
           << " as attribute 'value' of '" << op->getName() << "'";
  if (elements.getElementType() != type.getElementType())
    elements = elements.bitcast(type.getElementType());
  results.push_back(arith::ConstantOp::create(c.builder, elements));
  return success();
}

static LogicalResult convertIota(Operation *op, ValueRange, Conversion &c,
                                 SmallVectorImpl<Value> &results) {
  RankedTensorType type = resultType(op, c);
  FailureOr<int64_t> dim = c.integer(op, "iota_dimension");
  if (!type || failed(dim))
    return failure();
  results.push_back(IotaOp::create(c.builder, type, *dim));
  return success();
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

static bool isIdentity(ArrayRef<int64_t> dims) {
  for (auto [i, dim] : llvm::enumerate(dims))
    if (dim != int64_t(i))
      return false;
  return true;
}

/// Appends `operand` repeated to the type of the result of `op`.
static LogicalResult broadcast(Operation *op, Value operand,
                               ArrayRef<int64_t> dims, Conversion &c,
                               SmallVectorImpl<Value> &results) {
  RankedTensorType type = resultType(op, c);
  if (!type)
    return failure();
  bool trivial = operand.getType() == type && isIdentity(dims);
  results.push_back(
      trivial
          ? operand
          : BroadcastOp::create(c.builder, type, operand, dims).getResult());
  return success();
}

static LogicalResult convertBroadcastInDim(Operation *op, ValueRange operands,
                                           Conversion &c,
                                           SmallVectorImpl<Value> &results) {
  FailureOr<SmallVector<int64_t>> dims = c.integers(op, "broadcast_dimensions");
  if (failed(dims))
    return failure();
  return broadcast(op, operands[0], *dims, c, results);
}

/// The older form: new dimensions stand in front.
static LogicalResult convertBroadcast(Operation *op, ValueRange operands,
                                      Conversion &c,
                                      SmallVectorImpl<Value> &results) {
  FailureOr<SmallVector<int64_t>> sizes = c.integers(op, "broadcast_sizes");
  if (failed(sizes))
    return failure();
  int64_t rank = cast<RankedTensorType>(operands[0].getType()).getRank();
  int64_t first = sizes->size();
  auto dims = llvm::to_vector(llvm::seq<int64_t>(first, first + rank));
  return broadcast(op, operands[0], dims, c, results);
}

static LogicalResult convertTranspose(Operation *op, ValueRange operands,
                                      Conversion &c,
                                      SmallVectorImpl<Value> &results) {
  RankedTensorType type = resultType(op, c);
  FailureOr<SmallVector<int64_t>> permutation = c.integers(op, "permutation");
  if (!type || failed(permutation))
    return failure();
  results.push_back(
      isIdentity(*permutation)
          ? operands[0]
          : TransposeOp::create(c.builder, type, operands[0], *permutation)
                .getResult());
  return success();
}

static LogicalResult convertReshape(Operation *op, ValueRange operands,
                                    Conversion &c,
                                    SmallVectorImpl<Value> &results) {
  RankedTensorType type = resultType(op, c);
  if (!type)
    return failure();
  results.push_back(
      operands[0].getType() == type
          ? operands[0]
          : ReshapeOp::create(c.builder, type, operands[0]).getResult());
  return success();
}

static LogicalResult convertSlice(Operation *op, ValueRange operands,
                                  Conversion &c,
                                  SmallVectorImpl<Value> &results) {
  RankedTensorType type = resultType(op, c);
  FailureOr<SmallVector<int64_t>> starts = c.integers(op, "start_indices");
  FailureOr<SmallVector<int64_t>> limits = c.integers(op, "limit_indices");
  FailureOr<SmallVector<int64_t>> strides = c.integers(op, "strides");
  if (!type || failed(starts) || failed(limits) || failed(strides))
    return failure();
  results.push_back(SliceOp::create(c.builder, type, operands[0], *starts,
                                    *limits, *strides));
  return success();
}

static LogicalResult convertPad(Operation *op, ValueRange operands,
                                Conversion &c,
                                SmallVectorImpl<Value> &results) {
  RankedTensorType type = resultType(op, c);
  FailureOr<SmallVector<int64_t>> low = c.integers(op, "edge_padding_low");
  FailureOr<SmallVector<int64_t>> high = c.integers(op, "edge_padding_high");
  FailureOr<SmallVector<int64_t>> interior = c.integers(op, "interior_padding");
  if (!type || failed(low) || failed(high) || failed(interior))
    return failure();
  results.push_back(PadOp::create(c.builder, type, operands[0], operands[1],
                                  *low, *high, *interior));
  return success();
}

static LogicalResult convertConcatenate(Operation *op, ValueRange operands,
                                        Conversion &c,
                                        SmallVectorImpl<Value> &results) {
  RankedTensorType type = resultType(op, c);
  FailureOr<int64_t> dim = c.integer(op, "dimension");
  if (!type || failed(dim))
    return failure();
  results.push_back(
      operands.size() == 1 && operands[0].getType() == type
          ? operands[0]
          : ConcatenateOp::create(c.builder, type, operands, *dim).getResult());
  return success();
}

static LogicalResult convertReverse(Operation *op, ValueRange operands,
                                    Conversion &c,
                                    SmallVectorImpl<Value> &results) {
  FailureOr<SmallVector<int64_t>> dims = c.integers(op, "dimensions");
  if (failed(dims))
    return failure();
  results.push_back(
      ReverseOp::create(c.builder, operands[0].getType(), operands[0], *dims));
  return success();
}

static LogicalResult
convertOptimizationBarrier(Operation *op, ValueRange operands, Conversion &c,
                           SmallVectorImpl<Value> &results) {
  if (op->getNumOperands() != op->getNumResults())
    return emitError(op->getLoc())
           << "expected " << op->getNumOperands() << " results of '"
           << op->getName() << "', got " << op->getNumResults();
  auto barrier = BarrierOp::create(c.builder, operands.getTypes(), operands);
  llvm::append_range(results, barrier.getResults());
  return success();
}

/// What `tessera.stage_end` of the Python package leaves in a model.
static LogicalResult convertStageEnd(Operation *op, ValueRange operands,
                                     Conversion &c,
                                     SmallVectorImpl<Value> &results) {
  results.push_back(StageEndOp::create(c.builder, operands[0]));
  return success();
}

//===----------------------------------------------------------------------===//
// Matmuls
//===----------------------------------------------------------------------===//

Value tessera::importer::widenInteger(Value value, Type original, Type element,
                                      Conversion &c) {
  auto type = cast<RankedTensorType>(value.getType());
  ElementKind kind = elementKind(original);
  if (kind == ElementKind::Float)
    return value;
  if (isa<FloatType>(element)) {
    if (element.getIntOrFloatBitWidth() < 32)
      element = c.builder.getF32Type();
    RankedTensorType wide = type.clone(element);
    if (kind == ElementKind::Signed)
      return arith::SIToFPOp::create(c.builder, wide, value);
    return arith::UIToFPOp::create(c.builder, wide, value);
  }
  if (type.getElementTypeBitWidth() >= element.getIntOrFloatBitWidth())
    return value;
  RankedTensorType wide = type.clone(element);
  if (kind == ElementKind::Signed)
    return arith::ExtSIOp::create(c.builder, wide, value);
  return arith::ExtUIOp::create(c.builder, wide, value);
}

/// Whether any of the contracted elements are true on both sides: counted in
/// numbers that processors are made for.
static Value contractBooleans(Value lhs, Value rhs, RankedTensorType type,
                              const DotDims &dims, Conversion &c) {
  FloatType element = c.builder.getF32Type();
  auto toNumbers = [&](Value value) -> Value {
    auto own = cast<RankedTensorType>(value.getType());
    return arith::UIToFPOp::create(c.builder, own.clone(element), value);
  };
  Value count =
      DotGeneralOp::create(c.builder, type.clone(element), toNumbers(lhs),
                           toNumbers(rhs), dims.lhsBatching, dims.rhsBatching,
                           dims.lhsContracting, dims.rhsContracting);
  Value none = arith::ConstantOp::create(
      c.builder, DenseElementsAttr::get(type.clone(element), 0.0f));
  return arith::CmpFOp::create(c.builder, arith::CmpFPredicate::OGT, count,
                               none);
}

/// A product that sums up nothing, and of which one factor has no dimensions
/// but those of the batch: element by element, as `einsum("bhqk,h->bhqk")`.
/// Null for any other.
static Value multiplyByBatch(Value lhs, Value rhs, RankedTensorType type,
                             const DotDims &dims, Conversion &c) {
  Type element = type.getElementType();
  // Where dimensions are wrong, the product's verifier says so.
  auto orderOf = [](Value value, ArrayRef<int64_t> batching) {
    SmallVector<int64_t> order(batching);
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim)
      if (!llvm::is_contained(batching, dim))
        order.push_back(dim);
    return isPermutationVector(order) && int64_t(order.size()) == rank
               ? order
               : SmallVector<int64_t>();
  };
  SmallVector<int64_t> lhsOrder = orderOf(lhs, dims.lhsBatching),
                       rhsOrder = orderOf(rhs, dims.rhsBatching);
  size_t rank = dims.lhsBatching.size();
  if (!dims.lhsContracting.empty() || element.isInteger(1) || rank == 0 ||
      getElementTypeOrSelf(lhs) != element ||
      getElementTypeOrSelf(rhs) != element || rank != dims.rhsBatching.size() ||
      lhsOrder.empty() || rhsOrder.empty() ||
      (lhsOrder.size() != rank && rhsOrder.size() != rank))
    return nullptr;
  ImplicitLocOpBuilder &b = c.builder;
  auto transposed = [&](Value value, ArrayRef<int64_t> order) -> Value {
    auto from = cast<RankedTensorType>(value.getType());
    if (llvm::is_sorted(order))
      return value;
    SmallVector<int64_t> shape = llvm::map_to_vector(
        order, [&](int64_t dim) { return from.getDimSize(dim); });
    return TransposeOp::create(b, from.clone(shape), value, order);
  };
  Value factor = transposed(lhs, lhsOrder), other = transposed(rhs, rhsOrder);
  if (lhsOrder.size() != rank)
    std::swap(factor, other);
  if (other.getType() != type ||
      cast<RankedTensorType>(factor.getType()).getShape() !=
          type.getShape().take_front(rank))
    return nullptr;
  if (factor.getType() != type)
    factor = BroadcastOp::create(b, type, factor,
                                 llvm::to_vector(llvm::seq<int64_t>(rank)));
  if (isa<FloatType>(element))
    return arith::MulFOp::create(b, other, factor);
  return arith::MulIOp::create(b, other, factor);
}

LogicalResult tessera::importer::checkProductType(Operation *op) {
  Type result = op->getResult(0).getType();
  if (elementKind(result) != ElementKind::Float)
    for (Type operand : op->getOperandTypes())
      if (elementKind(operand) == ElementKind::Float)
        return emitError(op->getLoc())
               << "expected floating-point numbers as the result of '"
               << op->getName() << "' of " << operand << ", got " << result;
  return success();
}

static LogicalResult contract(Operation *op, ValueRange operands,
                              const DotDims &dims, Conversion &c,
                              SmallVectorImpl<Value> &results) {
  RankedTensorType type = resultType(op, c);
  if (!type || failed(checkProductType(op)))
    return failure();
  if (elementKind(op->getResult(0).getType()) == ElementKind::Bool) {
    results.push_back(
        contractBooleans(operands[0], operands[1], type, dims, c));
    return success();
  }
  // Doubles are rounded once, behind their sum.
  bool isOfDoubles = llvm::any_of(operands, [](Value operand) {
    return getElementTypeOrSelf(operand).isF64();
  });
  RankedTensorType sums =
      isOfDoubles ? type.clone(c.builder.getF64Type()) : type;
  Type element = sums.getElementType();
  Value lhs =
      widenInteger(operands[0], op->getOperand(0).getType(), element, c);
  Value rhs =
      widenInteger(operands[1], op->getOperand(1).getType(), element, c);
  Value product = multiplyByBatch(lhs, rhs, sums, dims, c);
  if (!product)
    product = DotGeneralOp::create(c.builder, sums, lhs, rhs, dims.lhsBatching,
                                   dims.rhsBatching, dims.lhsContracting,
                                   dims.rhsContracting);
  results.push_back(isOfDoubles ? convertFloat(c, product, type) : product);
  return success();
}

/// The type of numbers that an algorithm names `name`; null if there is none.
static FloatType parsePrecision(StringRef name, MLIRContext *context) {
  return llvm::StringSwitch<FloatType>(name)
      .Case("f16", Float16Type::get(context))
      .Case("bf16", BFloat16Type::get(context))
      .Cases({"f32", "tf32"}, Float32Type::get(context))
      .Case("f64", Float64Type::get(context))
      .Default(nullptr);
}

/// `operand` rounded to the type that the algorithm multiplies in. Several
/// components of a type stand for the whole number, and tf32 for f32, of which
/// they are less exact: there f32 serves.
static FailureOr<Value> roundOperand(Operation *op, Value operand,
                                     StringRef precision, int64_t components,
                                     Conversion &c) {
  FloatType element =
      parsePrecision(components > 1 ? "f32" : precision, op->getContext());
  auto type = cast<RankedTensorType>(operand.getType());
  if (!element || !isa<FloatType>(type.getElementType()))
    return emitError(op->getLoc())
           << "unsupported algorithm of '" << op->getName()
           << "', expected numbers of f16, bf16, tf32, f32 or f64 as operands, "
              "got "
           << type.getElementType() << " multiplied in '" << precision << "'";
  return convertFloat(c, operand, type.clone(element));
}

/// A matmul that says in which types it multiplies and adds. Sums of
/// products of up to 32 bits are always made in f32, which is no less than what
/// any algorithm asks for but those of f64.
static LogicalResult contractBy(const DotAlgorithm &algorithm, Operation *op,
                                ValueRange operands, const DotDims &dims,
                                Conversion &c,
                                SmallVectorImpl<Value> &results) {
  FailureOr<Value> lhs = roundOperand(op, operands[0], algorithm.lhsPrecision,
                                      algorithm.lhsComponents, c);
  FailureOr<Value> rhs = roundOperand(op, operands[1], algorithm.rhsPrecision,
                                      algorithm.rhsComponents, c);
  RankedTensorType type = resultType(op, c);
  if (failed(lhs) || failed(rhs) || !type)
    return failure();
  FloatType sum = parsePrecision(algorithm.accumulation, op->getContext());
  if (!sum || !isa<FloatType>(type.getElementType()))
    return emitError(op->getLoc())
           << "unsupported algorithm of '" << op->getName()
           << "', expected a sum of f16, bf16, tf32, f32 or f64, got "
           << type.getElementType() << " made in '" << algorithm.accumulation
           << "'";
  auto widen = [&](Value value) {
    auto own = cast<RankedTensorType>(value.getType());
    return sum.isF64() ? convertFloat(c, value, own.clone(sum)) : value;
  };
  // Where the result is no wider than the sum, rounding it is all there is.
  bool isWider = type.getElementTypeBitWidth() > sum.getWidth();
  Value product = DotGeneralOp::create(
      c.builder, isWider ? type.clone(sum) : type, widen(*lhs), widen(*rhs),
      dims.lhsBatching, dims.rhsBatching, dims.lhsContracting,
      dims.rhsContracting);
  results.push_back(convertFloat(c, product, type));
  return success();
}

static LogicalResult convertDotGeneral(Operation *op, ValueRange operands,
                                       Conversion &c,
                                       SmallVectorImpl<Value> &results) {
  FailureOr<DotDims> dims = c.parsed(op, "dot_dimension_numbers", parseDotDims);
  if (failed(dims))
    return failure();
  if (!op->getAttr("algorithm"))
    return contract(op, operands, *dims, c, results);
  FailureOr<DotAlgorithm> algorithm =
      c.parsed(op, "algorithm", parseDotAlgorithm);
  if (failed(algorithm))
    return failure();
  // Products and sums of integers are exact, however they are made.
  bool areIntegers = llvm::all_of(op->getOperandTypes(), [](Type type) {
    return isa<IntegerType>(getElementTypeOrSelf(type));
  });
  if (areIntegers && isa<IntegerType>(getElementTypeOrSelf(op->getResult(0))))
    return contract(op, operands, *dims, c, results);
  return contractBy(*algorithm, op, operands, *dims, c, results);
}

/// The older form, of vectors and matrices.
static LogicalResult convertDot(Operation *op, ValueRange operands,
                                Conversion &c,
                                SmallVectorImpl<Value> &results) {
  DotDims dims;
  dims.lhsContracting = {
      cast<RankedTensorType>(operands[0].getType()).getRank() - 1};
  dims.rhsContracting = {0};
  return contract(op, operands, dims, c, results);
}

/// Attributes that a row does not name are refused when a model has them, so
/// that nothing is ignored silently.
void tessera::importer::addStructured(ConversionTable &table) {
  static constexpr StringLiteral kValue[] = {"value"};
  static constexpr StringLiteral kIota[] = {"iota_dimension"};
  static constexpr StringLiteral kBroadcastInDim[] = {"broadcast_dimensions"};
  static constexpr StringLiteral kBroadcast[] = {"broadcast_sizes"};
  static constexpr StringLiteral kTranspose[] = {"permutation"};
  static constexpr StringLiteral kSlice[] = {"start_indices", "limit_indices",
                                             "strides"};
  static constexpr StringLiteral kPad[] = {
      "edge_padding_low", "edge_padding_high", "interior_padding"};
  static constexpr StringLiteral kConcatenate[] = {"dimension"};
  static constexpr StringLiteral kReverse[] = {"dimensions"};
  // `precision_config` asks for at least what is done anyway.
  static constexpr StringLiteral kDotGeneral[] = {
      "dot_dimension_numbers", "precision_config", "algorithm"};
  // None of the others says anything of a call that is not made.
  static constexpr StringLiteral kStageEnd[] = {
      "call_target_name", "has_side_effect",       "backend_config",
      "api_version",      "called_computations",   "operand_layouts",
      "result_layouts",   "output_operand_aliases"};
  static constexpr StringLiteral kDot[] = {"precision_config"};
  static constexpr int kAny = OpConversion::kAny;
  static const OpConversion rows[] = {
      {"stablehlo.constant", convertConstant, 0, 1, 0, kValue},
      {"chlo.constant", convertConstant, 0, 1, 0, kValue},
      {"sdy.constant", convertConstant, 0, 1, 0, kValue},
      {"stablehlo.iota", convertIota, 0, 1, 0, kIota},
      {"stablehlo.broadcast_in_dim", convertBroadcastInDim, 1, 1, 0,
       kBroadcastInDim},
      {"stablehlo.broadcast", convertBroadcast, 1, 1, 0, kBroadcast},
      {"stablehlo.transpose", convertTranspose, 1, 1, 0, kTranspose},
      {"stablehlo.reshape", convertReshape, 1},
      {"stablehlo.slice", convertSlice, 1, 1, 0, kSlice},
      {"stablehlo.pad", convertPad, 2, 1, 0, kPad},
      {"stablehlo.concatenate", convertConcatenate, kAny, 1, 0, kConcatenate},
      {"stablehlo.reverse", convertReverse, 1, 1, 0, kReverse},
      {"stablehlo.optimization_barrier", convertOptimizationBarrier, kAny,
       kAny},
      {"stablehlo.custom_call@tessera.stage_end", convertStageEnd, 1, 1, 0,
       kStageEnd},
      {"stablehlo.dot_general", convertDotGeneral, 2, 1, 0, kDotGeneral},
      {"stablehlo.dot", convertDot, 2, 1, 0, kDot},
  };
  addRows(table, rows);
}
