//===- Functions.cpp - functions, their boundary, and calls ---------------===//
//
// What the outside world knows of `@main` becomes attributes of its arguments
// and results: names (JAX keeps those of arguments as locations, those of
// results as `jax.result_info`), shardings, donations, and that integers are
// unsigned. Of a private function only shardings matter; they become
// constraints in its body, which inlining then moves to its callers.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"

#include "tessera/Dialect/Tessera/ComplexBoundary.h"
#include "tessera/Dialect/Tessera/ShortTypeBoundary.h"
#include "tessera/Transforms/Import/Conversions/Unsupported.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// Whether `layout`, `{1,0}`, lists all dimensions from the last to the first.
static bool isRowMajor(StringRef layout) {
  std::string expected;
  for (size_t dim = layout.count(',') + 1; dim-- > 0;)
    expected += std::to_string(dim) + (dim ? "," : "");
  return layout == "{" + expected + "}";
}

/// Attributes of arguments and results that the compiler need not know: how JAX
/// keeps its own books, and requests for what is done anyway.
static bool mayIgnore(NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == "mhlo.memory_kind" || name == "mhlo.layout_mode") {
    auto value = dyn_cast<StringAttr>(attribute.getValue());
    return value && (value == "device" || value == "default" ||
                     isRowMajor(value.getValue()));
  }
  return name.starts_with("jax.");
}

StringAttr tessera::importer::argumentName(BlockArgument argument) {
  auto location = dyn_cast<NameLoc>(argument.getLoc());
  return location && isa<UnknownLoc>(location.getChildLoc())
             ? location.getName()
             : StringAttr();
}

/// The attributes, in Tessera's words, of an argument or result of `@main` that
/// has `attributes` and the type `original`; null after a diagnostic.
DictionaryAttr Conversion::boundaryAttributes(DictionaryAttr attributes,
                                              Type original,
                                              RankedTensorType type,
                                              StringAttr name, Location place,
                                              const Twine &subject) {
  NamedAttrList converted;
  if (elementKind(original) == ElementKind::Unsigned)
    converted.set(TesseraDialect::kUnsignedAttr, builder.getUnitAttr());
  for (NamedAttribute attribute : attributes) {
    StringRef key = attribute.getName();
    if (key == "sdy.sharding") {
      FailureOr<ShardingAttr> value =
          sharding(attribute.getValue(), type, place, "sharding of " + subject);
      if (failed(value))
        return nullptr;
      if (*value)
        converted.set(TesseraDialect::kShardingAttr, *value);
    } else if (key == kComplexAttr || key == kShortTypeAttr) {
      converted.set(key, attribute.getValue());
    } else if (key == "tf.aliasing_output") {
      converted.set(TesseraDialect::kDonatedAttr, attribute.getValue());
    } else if (key == "jax.result_info") {
      name = dyn_cast<StringAttr>(attribute.getValue());
    } else if (!mayIgnore(attribute)) {
      return emitError(place)
                 << "unsupported attribute '" << key << "' of " << subject,
             nullptr;
    }
  }
  if (name && !name.empty())
    converted.set(TesseraDialect::kNameAttr, name);
  return converted.getDictionary(module.getContext());
}

FailureOr<Value> Conversion::constrainBoundary(Value value,
                                               DictionaryAttr attributes,
                                               Location place,
                                               const Twine &subject) {
  for (NamedAttribute attribute : attributes) {
    if (attribute.getName() == "sdy.sharding") {
      FailureOr<ShardingAttr> wanted = sharding(
          attribute.getValue(), cast<RankedTensorType>(value.getType()), place,
          "sharding of " + subject);
      if (failed(wanted))
        return failure();
      value = constrain(value, *wanted);
    } else if (!mayIgnore(attribute)) {
      return emitError(place)
                 << "unsupported attribute '" << attribute.getName().getValue()
                 << "' of " << subject,
             failure();
    }
  }
  return value;
}

static constexpr StringLiteral kMain = "main";

static std::string numbered(StringRef what, size_t number) {
  return what.str() + " " + std::to_string(number);
}

static DictionaryAttr orEmpty(DictionaryAttr attributes, OpBuilder &builder) {
  return attributes ? attributes : builder.getDictionaryAttr({});
}

/// Maps the arguments of `source` to those of `target`.
LogicalResult Conversion::convertBoundaryArguments(func::FuncOp source,
                                                   func::FuncOp target) {
  Location place = source.getLoc();
  bool isMain = source.getSymName() == kMain;
  SmallVector<DictionaryAttr> described;
  for (auto [i, argument] : llvm::enumerate(target.getArguments())) {
    BlockArgument original = source.getArgument(i);
    argument.setLoc(original.getLoc());
    DictionaryAttr attributes = orEmpty(source.getArgAttrDict(i), builder);
    FailureOr<Value> value = Value(argument);
    if (isMain)
      described.push_back(boundaryAttributes(
          attributes, original.getType(),
          cast<RankedTensorType>(argument.getType()), argumentName(original),
          place, numbered("argument", i)));
    else
      value = constrainBoundary(argument, attributes, place,
                                numbered("argument", i));
    if (failed(value) || (isMain && !described.back()))
      return failure();
    map(original, *value);
  }
  if (isMain)
    target.setAllArgAttrs(described);
  return success();
}

/// Ends `target` with `results`.
LogicalResult
Conversion::convertBoundaryResults(func::FuncOp source, func::FuncOp target,
                                   SmallVectorImpl<Value> &results) {
  Location place = source.getLoc();
  bool isMain = source.getSymName() == kMain;
  SmallVector<DictionaryAttr> described;
  for (auto [i, result] : llvm::enumerate(results)) {
    DictionaryAttr attributes = orEmpty(source.getResultAttrDict(i), builder);
    FailureOr<Value> value = result;
    if (isMain)
      described.push_back(
          boundaryAttributes(attributes, source.getResultTypes()[i],
                             cast<RankedTensorType>(result.getType()), {},
                             place, numbered("result", i)));
    else
      value =
          constrainBoundary(result, attributes, place, numbered("result", i));
    if (failed(value) || (isMain && !described.back()))
      return failure();
    result = *value;
  }
  if (isMain)
    target.setAllResultAttrs(described);
  func::ReturnOp::create(builder, results);
  return success();
}

/// Makes a new function of `function` beside it, with names, donations and
/// shardings as attributes of Tessera's.
LogicalResult Conversion::convertFunction(func::FuncOp function) {
  Location place = function.getLoc();
  // The body of an operation that names it, such as the order of a `top_k`:
  // whether that is supported is said there.
  if (!function.isExternal() && function.getSymName() != "main" &&
      !function.getBody().back().empty() &&
      function.getBody().back().back().getName().getStringRef() ==
          "stablehlo.return")
    return success();
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return emitError(place)
           << "expected a body of one block of @" << function.getSymName();
  if (function.getBody().front().empty() ||
      !isa<func::ReturnOp>(function.getBody().front().back()))
    return emitError(place)
           << "expected 'func.return' at the end of @" << function.getSymName();
  for (NamedAttribute attribute : function->getDiscardableAttrs())
    if (!mayIgnore(attribute))
      return emitError(place)
             << "unsupported attribute '" << attribute.getName().getValue()
             << "' of @" << function.getSymName();
  LocationsOfCalls places(function);
  SmallVector<Type> inputs;
  for (BlockArgument argument : function.getArguments()) {
    inputs.push_back(
        convertType(argument.getType(), locationOfArgument(argument)));
    if (!inputs.back())
      return failure();
  }
  FailureOr<SmallVector<Type>> outputs = convertTypes(
      function.getResultTypes(), function.getBody().front().back().getLoc());
  if (failed(outputs))
    return failure();
  builder.setInsertionPointToEnd(module.getBody());
  builder.setLoc(place);
  auto converted =
      func::FuncOp::create(builder, function.getSymName(),
                           builder.getFunctionType(inputs, *outputs));
  converted.setVisibility(function.getVisibility());
  builder.setInsertionPointToStart(converted.addEntryBlock());
  SmallVector<Value> results;
  return failure(failed(convertBoundaryArguments(function, converted)) ||
                 failed(convertBody(function.getBody().front(), results)) ||
                 failed(convertBoundaryResults(function, converted, results)));
}

static LogicalResult convertCall(Operation *op, ValueRange operands,
                                 Conversion &c,
                                 SmallVectorImpl<Value> &results) {
  FailureOr<SmallVector<Type>> types =
      c.convertTypes(op->getResultTypes(), op->getLoc());
  if (failed(types))
    return failure();
  auto call = func::CallOp::create(
      c.builder, cast<func::CallOp>(op).getCallee(), *types, operands);
  llvm::append_range(results, call.getResults());
  return success();
}

/// An operation that a library knows better than its body here: its body will
/// do.
static LogicalResult convertComposite(Operation *op, ValueRange operands,
                                      Conversion &c,
                                      SmallVectorImpl<Value> &results) {
  auto callee = op->getAttrOfType<FlatSymbolRefAttr>("decomposition");
  FailureOr<SmallVector<Type>> types =
      c.convertTypes(op->getResultTypes(), op->getLoc());
  if (failed(types))
    return failure();
  if (!callee)
    return emitError(op->getLoc())
           << "expected a function as attribute 'decomposition' of '"
           << op->getName() << "'";
  auto call = func::CallOp::create(c.builder, callee, *types, operands);
  llvm::append_range(results, call.getResults());
  return success();
}

void tessera::importer::addCalls(ConversionTable &table) {
  static constexpr StringLiteral kComposite[] = {
      "composite_attributes", "decomposition", "name", "version"};
  static constexpr int kAny = OpConversion::kAny;
  static const OpConversion rows[] = {
      {"func.call", convertCall, kAny, kAny},
      {"stablehlo.composite", convertComposite, kAny, kAny, 0, kComposite},
  };
  addRows(table, rows);
}
