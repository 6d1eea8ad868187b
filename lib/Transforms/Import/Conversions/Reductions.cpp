//===- Reductions.cpp - reductions over whole dimensions, and maps --------===//

#include "Conversions/Monoid.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// One operand, reduced with a named monoid.
static Value reduceBy(Conversion &c, Monoid monoid, Value operand, Value init,
                      ArrayRef<int64_t> dims, Type type) {
  auto kind = ReductionAttr::get(c.builder.getContext(), monoid.kind);
  Value result = ReduceOp::create(c.builder, type, kind, operand, dims);
  if (isNeutral(monoid, constantElement(init)))
    return result;
  return combine(c, monoid, result, c.broadcastScalar(init, type));
}

/// Any operands and body.
static LogicalResult reduceByBody(Operation *op, ValueRange operands,
                                  ArrayRef<int64_t> dims, TypeRange types,
                                  Conversion &c,
                                  SmallVectorImpl<Value> &results) {
  size_t count = operands.size() / 2;
  auto reduce =
      VariadicReduceOp::create(c.builder, types, operands.take_front(count),
                               operands.drop_front(count), dims);
  llvm::append_range(results, reduce.getResults());
  return c.convertRegion(op, 0, reduce.getBody());
}

static LogicalResult convertReduce(Operation *op, ValueRange operands,
                                   Conversion &c,
                                   SmallVectorImpl<Value> &results) {
  FailureOr<SmallVector<int64_t>> dims = c.integers(op, "dimensions");
  FailureOr<SmallVector<Type>> types =
      c.convertTypes(op->getResultTypes(), op->getLoc());
  if (failed(dims) || failed(types))
    return failure();
  if (operands.size() != 2 * op->getNumResults())
    return emitError(op->getLoc())
           << "expected " << 2 * op->getNumResults()
           << " operands of 'stablehlo.reduce', got " << operands.size();
  std::optional<Monoid> monoid = recogniseMonoid(op->getRegion(0).front());
  if (!monoid || monoid->isUnsigned || operands.size() != 2)
    return reduceByBody(op, operands, *dims, *types, c, results);
  results.push_back(
      reduceBy(c, *monoid, operands[0], operands[1], *dims, types->front()));
  return success();
}

/// A body on the elements of all operands, which have one shape.
static LogicalResult convertMap(Operation *op, ValueRange operands,
                                Conversion &c,
                                SmallVectorImpl<Value> &results) {
  Block &body = op->getRegion(0).front();
  closeBody(body);
  RankedTensorType type =
      c.convertType(op->getResult(0).getType(), op->getLoc());
  if (!type)
    return failure();
  bool fits = !operands.empty() && body.getNumArguments() == operands.size() &&
              isElementwise(body) && llvm::all_of(operands, [&](Value operand) {
                return shapeOf(operand) == type.getShape();
              });
  if (!fits)
    return emitError(op->getLoc())
           << "unsupported 'stablehlo.map': expected operands of one shape and "
              "a body of element-wise operations";
  results.push_back(applyToElements(c, body, operands));
  return success(results.back() != nullptr);
}

void tessera::importer::addReductions(ConversionTable &table) {
  static constexpr StringLiteral kReduce[] = {"dimensions"};
  static constexpr int kAny = OpConversion::kAny;
  static const OpConversion rows[] = {
      {"stablehlo.reduce", convertReduce, kAny, kAny, 1, kReduce},
      {"stablehlo.map", convertMap, kAny, 1, 1, kReduce},
  };
  addRows(table, rows);
}
