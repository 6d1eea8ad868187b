//===- Indexed.cpp - elements at computed indices -------------------------===//

#include "Conversions/Monoid.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// Tessera reads indices as signed; `value` of foreign type `original` as such.
static Value signedIndices(Value value, Type original, Conversion &c) {
  auto type = cast<RankedTensorType>(value.getType());
  if (elementKind(original) != ElementKind::Unsigned)
    return value;
  if (type.getElementTypeBitWidth() < 64)
    return arith::ExtUIOp::create(c.builder, type.clone(c.builder.getI64Type()),
                                  value);
  Value largest = c.splat(type, APInt::getSignedMaxValue(64));
  return arith::MinUIOp::create(c.builder, value, largest);
}

/// The operands of `op` from number `first` on, as signed indices.
static SmallVector<Value> signedIndices(Operation *op, ValueRange operands,
                                        unsigned first, Conversion &c) {
  SmallVector<Value> indices;
  for (auto [value, original] : llvm::drop_begin(
           llvm::zip_equal(operands, op->getOperandTypes()), first))
    indices.push_back(signedIndices(value, original, c));
  return indices;
}

static LogicalResult checkOperandCount(Operation *op, size_t least) {
  if (op->getNumOperands() >= least)
    return success();
  return emitError(op->getLoc())
         << "expected at least " << least << " operands of '" << op->getName()
         << "', got " << op->getNumOperands();
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

static LogicalResult convertDynamicSlice(Operation *op, ValueRange operands,
                                         Conversion &c,
                                         SmallVectorImpl<Value> &results) {
  FailureOr<SmallVector<int64_t>> sizes = c.integers(op, "slice_sizes");
  if (failed(checkOperandCount(op, 1)) || failed(sizes))
    return failure();
  auto type = cast<RankedTensorType>(operands[0].getType()).clone(*sizes);
  results.push_back(DynamicSliceOp::create(c.builder, type, operands[0],
                                           signedIndices(op, operands, 1, c)));
  return success();
}

static LogicalResult
convertDynamicUpdateSlice(Operation *op, ValueRange operands, Conversion &c,
                          SmallVectorImpl<Value> &results) {
  if (failed(checkOperandCount(op, 2)))
    return failure();
  results.push_back(DynamicUpdateSliceOp::create(
      c.builder, operands[0].getType(), operands[0], operands[1],
      signedIndices(op, operands, 2, c)));
  return success();
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

static LogicalResult convertGather(Operation *op, ValueRange operands,
                                   Conversion &c,
                                   SmallVectorImpl<Value> &results) {
  FailureOr<GatherDims> dims =
      c.parsed(op, "dimension_numbers", parseGatherDims);
  FailureOr<SmallVector<int64_t>> sizes = c.integers(op, "slice_sizes");
  RankedTensorType type =
      c.convertType(op->getResult(0).getType(), op->getLoc());
  if (failed(dims) || failed(sizes) || !type)
    return failure();
  Value indices = signedIndices(operands[1], op->getOperand(1).getType(), c);
  results.push_back(GatherOp::create(
      c.builder, type, operands[0], indices, dims->offset, dims->collapsed,
      dims->operandBatching, dims->indicesBatching, dims->startIndexMap,
      dims->indexVectorDim, *sizes));
  return success();
}

/// Slices of one dimension: the indices' dimensions stand in its place, the
/// first ones paired with the operand's.
static LogicalResult convertIndexSelect(Operation *op, ValueRange operands,
                                        Conversion &c,
                                        SmallVectorImpl<Value> &results) {
  FailureOr<int64_t> dim = c.integer(op, "dim");
  FailureOr<int64_t> batchDims = c.integer(op, "batch_dims");
  RankedTensorType type =
      c.convertType(op->getResult(0).getType(), op->getLoc());
  if (failed(dim) || failed(batchDims) || !type)
    return failure();
  SmallVector<int64_t> sizes(shapeOf(operands[0]));
  int64_t rank = sizes.size(), indexRank = shapeOf(operands[1]).size();
  if (*dim < 0 || *dim >= rank || *batchDims < 0 || *batchDims > *dim ||
      *batchDims > indexRank)
    return emitError(op->getLoc())
           << "expected 'dim' of '" << op->getName() << "' below " << rank
           << ", and no more 'batch_dims' than that, got " << *dim << " and "
           << *batchDims;
  auto batch = llvm::to_vector(llvm::seq<int64_t>(*batchDims));
  for (int64_t i : batch)
    sizes[i] = 1;
  sizes[*dim] = 1;
  auto offset = llvm::to_vector(llvm::seq(*batchDims, *dim));
  llvm::append_range(offset, llvm::seq(*dim + indexRank - *batchDims,
                                       rank - 1 + indexRank - *batchDims));
  Value indices = signedIndices(operands[1], op->getOperand(1).getType(), c);
  results.push_back(GatherOp::create(
      c.builder, type, operands[0], indices, offset, ArrayRef<int64_t>(*dim),
      batch, batch, ArrayRef<int64_t>(*dim), indexRank, sizes));
  return success();
}

namespace {
/// What a scatter does with an element and its update.
struct Update {
  /// Null: the update replaces the element.
  ReductionAttr kind;
  /// Whether the update is subtracted: added with the other sign.
  bool negated = false;
  /// Whether unsigned integers are compared: signed ones are with the highest
  /// bit turned over.
  bool isUnsigned = false;
};
} // namespace

/// Reads the body of a scatter; fails if it is of no known kind.
static FailureOr<Update> recogniseUpdate(Block &body) {
  MLIRContext *context = body.getParentOp()->getContext();
  Operation *end = body.getTerminator();
  if (body.getNumArguments() != 2 || end->getNumOperands() != 1)
    return failure();
  Value result = unconstrained(end->getOperand(0));
  if (result == body.getArgument(1))
    return Update{};
  if (std::optional<Monoid> monoid = recogniseMonoid(body))
    return Update{ReductionAttr::get(context, monoid->kind), /*negated=*/false,
                  monoid->isUnsigned};
  Operation *op = onlyOperation(body);
  if (op && op->getName().getStringRef() == "stablehlo.subtract" &&
      result.getDefiningOp() == op &&
      unconstrained(op->getOperand(0)) == body.getArgument(0) &&
      unconstrained(op->getOperand(1)) == body.getArgument(1))
    return Update{ReductionAttr::get(context, ReductionKind::Sum), true};
  return failure();
}

static Value negate(Value value, Conversion &c) {
  auto type = cast<RankedTensorType>(value.getType());
  if (isa<FloatType>(type.getElementType()))
    return arith::NegFOp::create(c.builder, value);
  Value zero = c.splat(type, APInt::getZero(type.getElementTypeBitWidth()));
  return arith::SubIOp::create(c.builder, zero, value);
}

/// `value`, of integers, with the highest bit of each turned over.
static Value turnHighestBit(Value value, Conversion &c) {
  auto type = cast<RankedTensorType>(value.getType());
  APInt bit = APInt::getSignMask(type.getElementTypeBitWidth());
  return arith::XOrIOp::create(c.builder, value, c.splat(type, bit));
}

/// `value` with `body` applied to the elements that are `hit`; null after a
/// diagnostic.
static Value applyWhere(Value hit, Value value, Value unused, Block &body,
                        Conversion &c) {
  Value applied = applyToElements(c, body, {value, unused});
  if (!applied)
    return nullptr;
  return arith::SelectOp::create(c.builder, hit, applied, value);
}

/// A scatter whose body does not look at the update: it is applied to an
/// element as often as that has updates, which a scatter of ones counts.
static LogicalResult convertApply(Operation *op, ValueRange operands,
                                  Value indices, const ScatterDims &dims,
                                  Conversion &c,
                                  SmallVectorImpl<Value> &results) {
  ImplicitLocOpBuilder &b = c.builder;
  Block &body = op->getRegion(0).front();
  Value whole = operands[0];
  auto type = cast<RankedTensorType>(whole.getType());
  auto counts = type.clone(b.getI32Type());
  auto updates = cast<RankedTensorType>(operands[2].getType());
  Value zeros = c.splat(counts, APInt::getZero(32));
  Value count = ScatterOp::create(
      b, counts, zeros, indices,
      c.splat(updates.clone(b.getI32Type()), APInt(32, 1)),
      ReductionAttr::get(b.getContext(), ReductionKind::Sum), dims.window,
      dims.inserted, dims.operandBatching, dims.indicesBatching,
      dims.operandDimsMap, dims.indexVectorDim, c.flag(op, "unique_indices"));
  auto isHit = [&](Value left) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, left, zeros);
  };
  if (c.flag(op, "unique_indices")) {
    results.push_back(applyWhere(isHit(count), whole, whole, body, c));
    return success(results.back() != nullptr);
  }
  auto scalar = RankedTensorType::get({}, b.getI32Type());
  Value most = ReduceOp::create(
      b, scalar, ReductionAttr::get(b.getContext(), ReductionKind::Max), count,
      llvm::to_vector(llvm::seq<int64_t>(type.getRank())));
  Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
  Value one = arith::ConstantOp::create(b, b.getI32IntegerAttr(1));
  auto loop = scf::ForOp::create(
      b, zero, tensor::ExtractOp::create(b, most, ValueRange()), one,
      ValueRange{whole, count});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(loop.getBody());
  Value value = loop.getRegionIterArg(0), left = loop.getRegionIterArg(1);
  Value next = applyWhere(isHit(left), value, value, body, c);
  if (!next)
    return failure();
  left = arith::SubIOp::create(b, left, c.splat(counts, APInt(32, 1)));
  scf::YieldOp::create(b, ValueRange{next, left});
  results.push_back(loop.getResult(0));
  return success();
}

namespace {
/// A scatter with a body of any element-wise operations, of any number of
/// tensors: what the body gives of the elements that are there and of their
/// updates takes their place. Without unique indices one update after the
/// other, in the order of the indices, as an element may have several updates.
struct GeneralScatter {
  Operation *op;
  const ScatterDims &dims;
  Conversion &c;

  /// `wholes` after the updates by `updates` at `indices`; empty after a
  /// diagnostic.
  SmallVector<Value> update(ValueRange wholes, Value indices,
                            ValueRange updates);
  /// The same, one update after the other.
  SmallVector<Value> updateInOrder(ValueRange wholes, Value indices,
                                   ValueRange updates);
};
} // namespace

SmallVector<Value> GeneralScatter::update(ValueRange wholes, Value indices,
                                          ValueRange updates) {
  ImplicitLocOpBuilder &b = c.builder;
  SmallVector<Value> arguments;
  for (auto [whole, update] : llvm::zip_equal(wholes, updates)) {
    SmallVector<int64_t> sizes;
    ArrayRef<int64_t> windowDims = dims.window;
    for (int64_t dim = 0, rank = shapeOf(whole).size(); dim < rank; ++dim) {
      bool isOne = llvm::is_contained(dims.inserted, dim) ||
                   llvm::is_contained(dims.operandBatching, dim);
      sizes.push_back(isOne ? 1 : shapeOf(update)[windowDims.front()]);
      if (!isOne)
        windowDims = windowDims.drop_front();
    }
    arguments.push_back(GatherOp::create(
        b, update.getType(), whole, indices, dims.window, dims.inserted,
        dims.operandBatching, dims.indicesBatching, dims.operandDimsMap,
        dims.indexVectorDim, sizes));
  }
  llvm::append_range(arguments, updates);
  SmallVector<Value> made =
      applyAllToElements(c, op->getRegion(0).front(), arguments);
  for (auto [value, whole] : llvm::zip(made, wholes))
    value = ScatterOp::create(
        b, whole.getType(), whole, indices, value, ReductionAttr(), dims.window,
        dims.inserted, dims.operandBatching, dims.indicesBatching,
        dims.operandDimsMap, dims.indexVectorDim, /*unique_indices=*/true);
  return made;
}

/// The dimensions of the index vectors, in the indices and in the updates, but
/// for those of batches, which hold different elements.
static SmallVector<std::pair<int64_t, int64_t>>
pairedDims(const ScatterDims &dims, int64_t indexRank) {
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  int64_t inUpdates = 0;
  for (int64_t dim = 0; dim < indexRank; ++dim) {
    if (dim == dims.indexVectorDim)
      continue;
    while (llvm::is_contained(dims.window, inUpdates))
      ++inUpdates;
    if (!llvm::is_contained(dims.indicesBatching, dim))
      pairs.push_back({dim, inUpdates});
    ++inUpdates;
  }
  return pairs;
}

/// What `number` counts in `sizes`, the last one fastest, as scalar tensors.
static SmallVector<Value> positionsIn(ArrayRef<int64_t> sizes, Value number,
                                      ImplicitLocOpBuilder &b) {
  SmallVector<Value> positions(sizes.size());
  auto scalar = RankedTensorType::get({}, number.getType());
  for (size_t i = sizes.size(); i-- > 0;) {
    Value size = arith::ConstantOp::create(b, b.getI64IntegerAttr(sizes[i]));
    Value position = arith::RemUIOp::create(b, number, size);
    positions[i] = tensor::FromElementsOp::create(b, scalar, position);
    number = arith::DivUIOp::create(b, number, size);
  }
  return positions;
}

/// `value` at `positions` in `dims`.
static Value sliceAt(Value value, ArrayRef<int64_t> dims, ValueRange positions,
                     ImplicitLocOpBuilder &b) {
  auto scalar = RankedTensorType::get({}, b.getI64Type());
  Value zero = arith::ConstantOp::create(
      b, DenseElementsAttr::get(scalar, b.getI64IntegerAttr(0)));
  SmallVector<int64_t> sizes(shapeOf(value));
  SmallVector<Value> starts(sizes.size(), zero);
  for (auto [dim, position] : llvm::zip_equal(dims, positions)) {
    sizes[dim] = 1;
    starts[dim] = position;
  }
  auto type = cast<RankedTensorType>(value.getType()).clone(sizes);
  return DynamicSliceOp::create(b, type, value, starts);
}

SmallVector<Value> GeneralScatter::updateInOrder(ValueRange wholes,
                                                 Value indices,
                                                 ValueRange updates) {
  ImplicitLocOpBuilder &b = c.builder;
  SmallVector<int64_t> inIndices, inUpdates, sizes;
  int64_t count = 1;
  for (auto [dim, updateDim] : pairedDims(dims, shapeOf(indices).size())) {
    inIndices.push_back(dim);
    inUpdates.push_back(updateDim);
    sizes.push_back(shapeOf(indices)[dim]);
    count *= sizes.back();
  }
  Value zero = arith::ConstantOp::create(b, b.getI64IntegerAttr(0)),
        one = arith::ConstantOp::create(b, b.getI64IntegerAttr(1)),
        end = arith::ConstantOp::create(b, b.getI64IntegerAttr(count));
  auto loop = scf::ForOp::create(b, zero, end, one, wholes);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(loop.getBody());
  SmallVector<Value> positions = positionsIn(sizes, loop.getInductionVar(), b);
  SmallVector<Value> slices;
  for (Value value : updates)
    slices.push_back(sliceAt(value, inUpdates, positions, b));
  SmallVector<Value> made =
      update(loop.getRegionIterArgs(),
             sliceAt(indices, inIndices, positions, b), slices);
  if (made.empty())
    return {};
  scf::YieldOp::create(b, made);
  return llvm::to_vector_of<Value>(loop.getResults());
}

/// Checks the dimensions and shapes as a scatter of each update by itself.
static LogicalResult checkShapes(Operation *op, const ScatterDims &dims,
                                 ValueRange wholes, Value indices,
                                 ValueRange updates, Conversion &c) {
  for (auto [whole, update] : llvm::zip_equal(wholes, updates)) {
    auto scatter = ScatterOp::create(
        c.builder, whole.getType(), whole, indices, update, ReductionAttr(),
        dims.window, dims.inserted, dims.operandBatching, dims.indicesBatching,
        dims.operandDimsMap, dims.indexVectorDim, /*unique_indices=*/true);
    LogicalResult isValid = scatter.verify();
    scatter.erase();
    if (failed(isValid))
      return failure();
    if (shapeOf(whole) != shapeOf(wholes.front()) ||
        shapeOf(update) != shapeOf(updates.front()))
      return emitError(op->getLoc())
             << "expected tensors of one shape and updates of one shape in "
                "'stablehlo.scatter', got "
             << wholes.front().getType() << ", " << updates.front().getType()
             << " and " << whole.getType() << ", " << update.getType();
  }
  return success();
}

/// Converts what is none of the kinds that `tessera.scatter` itself knows.
static LogicalResult convertGeneralScatter(Operation *op, ValueRange operands,
                                           const ScatterDims &dims,
                                           Conversion &c,
                                           SmallVectorImpl<Value> &results) {
  size_t count = op->getNumResults();
  Block &body = op->getRegion(0).front();
  if (count == 0)
    return emitError(op->getLoc())
           << "expected at least one result of 'stablehlo.scatter', got none";
  if (operands.size() != 2 * count + 1)
    return emitError(op->getLoc())
           << "expected " << 2 * count + 1 << " operands of 'stablehlo.scatter'"
           << " with " << count << " results, got " << operands.size();
  if (body.getNumArguments() != 2 * count || !isElementwise(body, count))
    return emitError(op->getLoc())
           << "unsupported body of 'stablehlo.scatter', expected element-wise "
              "operations on the elements and the updates";
  ValueRange wholes = operands.take_front(count),
             updates = operands.drop_front(count + 1);
  Value indices =
      signedIndices(operands[count], op->getOperand(count).getType(), c);
  if (failed(checkShapes(op, dims, wholes, indices, updates, c)))
    return failure();
  if (llvm::is_contained(shapeOf(updates.front()), 0)) {
    llvm::append_range(results, wholes);
    return success();
  }
  GeneralScatter scatter{op, dims, c};
  llvm::append_range(results,
                     c.flag(op, "unique_indices")
                         ? scatter.update(wholes, indices, updates)
                         : scatter.updateInOrder(wholes, indices, updates));
  return success(results.size() == count);
}

/// Recognises what the body does with element and update (or with the element
/// alone, where the update is not read). Unsigned numbers are compared with the
/// highest bit turned, subtraction is addition of the negated updates.
static LogicalResult convertScatter(Operation *op, ValueRange operands,
                                    Conversion &c,
                                    SmallVectorImpl<Value> &results) {
  FailureOr<ScatterDims> dims =
      c.parsed(op, "scatter_dimension_numbers", parseScatterDims);
  if (failed(dims))
    return failure();
  Block &body = op->getRegion(0).front();
  closeBody(body);
  if (operands.size() != 3 || op->getNumResults() != 1)
    return convertGeneralScatter(op, operands, *dims, c, results);
  FailureOr<Update> update = recogniseUpdate(body);
  Value indices = signedIndices(operands[1], op->getOperand(1).getType(), c);
  if (failed(update) && body.getNumArguments() == 2 && isElementwise(body) &&
      body.getArgument(1).use_empty())
    return convertApply(op, operands, indices, *dims, c, results);
  if (failed(update))
    return convertGeneralScatter(op, operands, *dims, c, results);
  Value whole = operands[0];
  Value updates = update->negated ? negate(operands[2], c) : operands[2];
  if (update->isUnsigned) {
    whole = turnHighestBit(whole, c);
    updates = turnHighestBit(updates, c);
  }
  Value result = ScatterOp::create(
      c.builder, whole.getType(), whole, indices, updates, update->kind,
      dims->window, dims->inserted, dims->operandBatching,
      dims->indicesBatching, dims->operandDimsMap, dims->indexVectorDim,
      c.flag(op, "unique_indices"));
  results.push_back(update->isUnsigned ? turnHighestBit(result, c) : result);
  return success();
}

void tessera::importer::addIndexed(ConversionTable &table) {
  static constexpr StringLiteral kDynamicSlice[] = {"slice_sizes"};
  // That indices are sorted is no more than a hint.
  static constexpr StringLiteral kGather[] = {
      "dimension_numbers", "slice_sizes", "indices_are_sorted"};
  static constexpr StringLiteral kIndexSelect[] = {"dim", "batch_dims"};
  static constexpr StringLiteral kScatter[] = {
      "scatter_dimension_numbers", "indices_are_sorted", "unique_indices"};
  static constexpr int kAny = OpConversion::kAny;
  static const OpConversion rows[] = {
      {"stablehlo.dynamic_slice", convertDynamicSlice, kAny, 1, 0,
       kDynamicSlice},
      {"stablehlo.dynamic_update_slice", convertDynamicUpdateSlice, kAny},
      {"stablehlo.torch_index_select", convertIndexSelect, 2, 1, 0,
       kIndexSelect},
      {"stablehlo.gather", convertGather, 2, 1, 0, kGather},
      {"stablehlo.scatter", convertScatter, kAny, kAny, 1, kScatter},
  };
  addRows(table, rows);
}
