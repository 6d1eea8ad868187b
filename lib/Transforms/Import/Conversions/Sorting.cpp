//===- Sorting.cpp - orders -----------------------------------------------===//

#include "Conversions/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

static LogicalResult convertSort(Operation *op, ValueRange operands,
                                 Conversion &c,
                                 SmallVectorImpl<Value> &results) {
  FailureOr<int64_t> dim = c.integer(op, "dimension");
  FailureOr<SmallVector<Type>> types =
      c.convertTypes(op->getResultTypes(), op->getLoc());
  if (failed(dim) || failed(types))
    return failure();
  if (operands.empty() || types->size() != operands.size())
    return emitError(op->getLoc())
           << "expected as many operands as results of '" << op->getName()
           << "', got " << operands.size() << " and " << types->size();
  // Counted from the end.
  if (*dim < 0)
    *dim += cast<RankedTensorType>(operands.front().getType()).getRank();
  auto sort = SortOp::create(c.builder, *types, operands, *dim);
  llvm::append_range(results, sort.getResults());
  return c.convertRegion(op, 0, sort.getBody());
}

/// The largest elements of every row and their indices, larger ones and among
/// equal ones those of lower indices first: what comes first when both are
/// sorted.
static LogicalResult convertTopK(Operation *op, ValueRange operands,
                                 Conversion &c,
                                 SmallVectorImpl<Value> &results) {
  FailureOr<int64_t> k = c.integer(op, "k");
  FailureOr<SmallVector<Type>> types =
      c.convertTypes(op->getResultTypes(), op->getLoc());
  if (failed(k) || failed(types))
    return failure();
  ImplicitLocOpBuilder &b = c.builder;
  auto type = cast<RankedTensorType>(operands[0].getType());
  int64_t last = type.getRank() - 1;
  if (last < 0 || *k < 0 || *k > type.getDimSize(last))
    return emitError(op->getLoc())
           << "expected a last dimension of at least " << *k << " elements of '"
           << op->getName() << "', got " << type;
  auto indexType =
      type.clone(cast<RankedTensorType>((*types)[1]).getElementType());
  if (!indexType.getElementType().isInteger())
    return emitError(op->getLoc())
           << "expected integers as the second result of '" << op->getName()
           << "', got " << indexType.getElementType();
  Value iota = IotaOp::create(b, indexType, last);
  SmallVector<int64_t> shape(type.getShape());
  shape[last] = *k;
  auto sort =
      SortOp::create(b, TypeRange{type.clone(shape), indexType.clone(shape)},
                     ValueRange{operands[0], iota}, last);
  llvm::append_range(results, sort.getResults());
  OpBuilder::InsertionGuard guard(b);
  auto scalar = RankedTensorType::get({}, type.getElementType());
  auto indexScalar = RankedTensorType::get({}, indexType.getElementType());
  Block *body = b.createBlock(&sort.getBody(), {},
                              {scalar, scalar, indexScalar, indexScalar},
                              SmallVector<Location>(4, op->getLoc()));
  Value greater =
      isTotallyGreater(c, body->getArgument(0), body->getArgument(1),
                       elementKind(op->getOperand(0).getType()));
  YieldOp::create(b, ValueRange{greater});
  return success();
}

/// The first elements of every row in the order of a function, as exactly as by
/// any other sort: that is as good as the recall that the model asks for, and
/// what XLA does on CPUs.
static LogicalResult convertApproxTopK(Operation *op, ValueRange operands,
                                       Conversion &c,
                                       SmallVectorImpl<Value> &results) {
  FailureOr<SmallVector<Type>> types =
      c.convertTypes(op->getResultTypes(), op->getLoc());
  auto config = op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  auto k = config ? config.getAs<IntegerAttr>("top_k") : IntegerAttr();
  auto dim =
      config ? config.getAs<IntegerAttr>("reduction_dim") : IntegerAttr();
  auto called = op->getAttrOfType<ArrayAttr>("called_computations");
  auto symbol = called && called.size() == 1
                    ? dyn_cast<FlatSymbolRefAttr>(called[0])
                    : FlatSymbolRefAttr();
  auto order =
      symbol ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, symbol)
             : func::FuncOp();
  if (failed(types))
    return failure();
  size_t count = types->size();
  auto isRow = [&](Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return dim.getInt() >= 0 && dim.getInt() < tensor.getRank() &&
           tensor.getDimSize(dim.getInt()) == k.getInt();
  };
  if (!k || !dim || !order || !order.getBody().hasOneBlock() ||
      operands.size() != 2 * count || count == 0 || !isRow(types->front()))
    return emitError(op->getLoc())
           << "expected a number 'top_k' of elements in dimension "
              "'reduction_dim' of the results of '"
           << op->getName() << "', and a function that compares, got "
           << op->getAttrDictionary();
  auto sort = SortOp::create(c.builder, *types, operands.take_front(count),
                             dim.getInt());
  llvm::append_range(results, sort.getResults());
  OpBuilder::InsertionGuard guard(c.builder);
  Conversion::ElementScope scope(c);
  Block *body = c.builder.createBlock(&sort.getBody());
  SmallVector<Value> yielded;
  if (failed(c.convertArguments(order.getBody().front(), *body)) ||
      failed(c.convertBody(order.getBody().front(), yielded)))
    return failure();
  YieldOp::create(c.builder, yielded);
  return success();
}

void tessera::importer::addSorting(ConversionTable &table) {
  // Tessera's order is always stable.
  static constexpr StringLiteral kSort[] = {"dimension", "is_stable"};
  static constexpr StringLiteral kTopK[] = {"k"};
  static constexpr StringLiteral kApproxTopK[] = {
      "call_target_name", "has_side_effect",     "backend_config",
      "api_version",      "called_computations", "mhlo.backend_config"};
  static constexpr int kAny = OpConversion::kAny;
  static const OpConversion rows[] = {
      {"stablehlo.custom_call@ApproxTopK", convertApproxTopK, kAny, kAny, 0,
       kApproxTopK},
      {"stablehlo.sort", convertSort, kAny, kAny, 1, kSort},
      {"chlo.top_k", convertTopK, 1, 2, 0, kTopK},
  };
  addRows(table, rows);
}
