//===- CustomCalls.cpp - calls that StableHLO's own operations replace ----===//
//
// Calls that say something of layouts, of locations in memory or of shardings
// that are to be printed hand their operand on: layouts are the compiler's, and
// every device keeps what it has in one memory. Calls of `mhlo.erf` and the
// like are what exporters write for operations of CHLO.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

static LogicalResult handOn(Operation *op, ValueRange operands, Conversion &c,
                            SmallVectorImpl<Value> &results) {
  if (op->getNumResults() > operands.size())
    return emitError(op->getLoc())
           << "expected at most one result of '" << op->getName() << "', got "
           << op->getNumResults();
  llvm::append_range(results, operands.take_front(op->getNumResults()));
  return success();
}

/// `mhlo.erf` is `chlo.erf`.
static LogicalResult convertFunction(Operation *op, ValueRange operands,
                                     Conversion &c,
                                     SmallVectorImpl<Value> &results) {
  StringRef name = op->getAttrOfType<StringAttr>("call_target_name").getValue();
  name.consume_front("mhlo.");
  Value result = c.expand(op, ("chlo." + name).str(), op->getOperands(),
                          op->getResult(0).getType());
  if (!result)
    return failure();
  results.push_back(c.lookup(result));
  return success();
}

/// `mhlo.topk` of the largest elements is `chlo.top_k`.
static LogicalResult convertTopKCall(Operation *op, ValueRange operands,
                                     Conversion &c,
                                     SmallVectorImpl<Value> &results) {
  auto attributes = op->getAttrOfType<DictionaryAttr>("mhlo.attributes");
  auto k = attributes ? attributes.getAs<IntegerAttr>("k") : IntegerAttr();
  auto largest =
      attributes ? attributes.getAs<BoolAttr>("largest") : BoolAttr();
  if (!k || (largest && !largest.getValue()))
    return emitError(op->getLoc())
           << "expected a number 'k' of largest elements in 'mhlo.attributes' "
              "of '"
           << op->getName() << "'";
  OperationState state(
      op->getLoc(), "chlo.top_k", op->getOperands(), op->getResultTypes(),
      c.builder.getNamedAttr("k", c.builder.getI64IntegerAttr(k.getInt())));
  Operation *sorted = OpBuilder(op).create(state);
  if (failed(c.convertOp(*sorted)))
    return failure();
  for (Value result : sorted->getResults())
    results.push_back(c.lookup(result));
  return success();
}

/// What hints say is in attributes, of which none is read.
void tessera::importer::addCustomCalls(ConversionTable &table) {
  static constexpr StringLiteral kHint[] = {
      "call_target_name",    "has_side_effect",
      "backend_config",      "api_version",
      "called_computations", "operand_layouts",
      "result_layouts",      "output_operand_aliases",
      "mhlo.backend_config", "mhlo.frontend_attributes"};
  static constexpr StringLiteral kFunction[] = {
      "call_target_name", "has_side_effect", "backend_config",
      "api_version",      "mhlo.attributes", "mhlo.version"};
  static constexpr int kAny = OpConversion::kAny;
  static const OpConversion rows[] = {
      {"stablehlo.custom_call@LayoutConstraint", handOn, 1, 1, 0, kHint},
      {"stablehlo.custom_call@InspectSharding", handOn, 1, kAny, 0, kHint},
      {"stablehlo.custom_call@MoveToHost", handOn, 1, 1, 0, kHint},
      {"stablehlo.custom_call@MoveToDevice", handOn, 1, 1, 0, kHint},
      {"stablehlo.custom_call@annotate_device_placement", handOn, 1, 1, 0,
       kHint},
      {"stablehlo.custom_call@mhlo.acos", convertFunction, 1, 1, 0, kFunction},
      {"stablehlo.custom_call@mhlo.acosh", convertFunction, 1, 1, 0, kFunction},
      {"stablehlo.custom_call@mhlo.asin", convertFunction, 1, 1, 0, kFunction},
      {"stablehlo.custom_call@mhlo.asinh", convertFunction, 1, 1, 0, kFunction},
      {"stablehlo.custom_call@mhlo.atanh", convertFunction, 1, 1, 0, kFunction},
      {"stablehlo.custom_call@mhlo.cosh", convertFunction, 1, 1, 0, kFunction},
      {"stablehlo.custom_call@mhlo.erf", convertFunction, 1, 1, 0, kFunction},
      {"stablehlo.custom_call@mhlo.sinh", convertFunction, 1, 1, 0, kFunction},
      {"stablehlo.custom_call@mhlo.tan", convertFunction, 1, 1, 0, kFunction},
      {"stablehlo.custom_call@mhlo.topk", convertTopKCall, 1, 2, 0, kFunction},
  };
  addRows(table, rows);
}
