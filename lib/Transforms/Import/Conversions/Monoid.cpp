//===- Monoid.cpp - what the bodies of reductions combine by --------------===//

#include "Conversions/Monoid.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

Operation *tessera::importer::onlyOperation(Block &body) {
  Operation *only = nullptr;
  for (Operation &op : body) {
    if (&op == &body.back() || isConstraint(&op))
      continue;
    if (only)
      return nullptr;
    only = &op;
  }
  return only;
}

std::optional<Monoid> tessera::importer::recogniseMonoid(Block &body) {
  Operation *only = onlyOperation(body);
  if (body.getNumArguments() != 2 || !only)
    return std::nullopt;
  Operation &op = *only;
  Operation *end = &body.back();
  Value a = body.getArgument(0), b = body.getArgument(1);
  if (op.getNumOperands() != 2 || op.getNumResults() != 1 ||
      end->getNumOperands() != 1 ||
      unconstrained(end->getOperand(0)) != op.getResult(0))
    return std::nullopt;
  Value first = unconstrained(op.getOperand(0)),
        second = unconstrained(op.getOperand(1));
  if (!(first == a && second == b) && !(first == b && second == a))
    return std::nullopt;
  auto kind = llvm::StringSwitch<std::optional<ReductionKind>>(
                  op.getName().getStringRef())
                  .Case("stablehlo.add", ReductionKind::Sum)
                  .Case("stablehlo.multiply", ReductionKind::Product)
                  .Case("stablehlo.maximum", ReductionKind::Max)
                  .Case("stablehlo.minimum", ReductionKind::Min)
                  .Case("stablehlo.and", ReductionKind::And)
                  .Case("stablehlo.or", ReductionKind::Or)
                  .Case("stablehlo.xor", ReductionKind::Xor)
                  .Default(std::nullopt);
  if (!kind)
    return std::nullopt;
  switch (elementKind(a.getType())) {
  case ElementKind::Other:
    return std::nullopt;
  case ElementKind::Bool:
    // Of truth values, addition is "or", multiplication "and".
    if (*kind == ReductionKind::Sum || *kind == ReductionKind::Max)
      kind = ReductionKind::Or;
    else if (*kind == ReductionKind::Product || *kind == ReductionKind::Min)
      kind = ReductionKind::And;
    return Monoid{*kind};
  case ElementKind::Unsigned:
    return Monoid{*kind,
                  *kind == ReductionKind::Max || *kind == ReductionKind::Min};
  case ElementKind::Signed:
  case ElementKind::Float:
    return Monoid{*kind};
  }
  return std::nullopt;
}

static bool isNeutralFloat(ReductionKind kind, const APFloat &value) {
  switch (kind) {
  case ReductionKind::Sum:
    return value.isZero();
  case ReductionKind::Product:
    return value.isExactlyValue(1.0);
  case ReductionKind::Max:
    return value.isInfinity() && value.isNegative();
  case ReductionKind::Min:
    return value.isInfinity() && !value.isNegative();
  default:
    return false;
  }
}

static bool isNeutralInt(Monoid monoid, const APInt &value) {
  switch (monoid.kind) {
  case ReductionKind::Sum:
  case ReductionKind::Or:
  case ReductionKind::Xor:
    return value.isZero();
  case ReductionKind::Product:
    return value.isOne();
  case ReductionKind::And:
    return value.isAllOnes();
  case ReductionKind::Max:
    return monoid.isUnsigned ? value.isMinValue() : value.isMinSignedValue();
  case ReductionKind::Min:
    return monoid.isUnsigned ? value.isMaxValue() : value.isMaxSignedValue();
  }
  return false;
}

bool tessera::importer::isNeutral(Monoid monoid, Attribute scalar) {
  if (auto number = dyn_cast_or_null<FloatAttr>(scalar))
    return isNeutralFloat(monoid.kind, number.getValue());
  if (auto integer = dyn_cast_or_null<IntegerAttr>(scalar))
    return isNeutralInt(monoid, integer.getValue());
  return false;
}

/// The least unsigned integer is no less than others, as are all ones no more.
Value tessera::importer::neutralScalar(Conversion &c, Monoid monoid,
                                       RankedTensorType scalar) {
  if (monoid.isUnsigned && monoid.kind == ReductionKind::Max)
    return c.zeros(scalar);
  if (monoid.isUnsigned)
    return c.splat(scalar, APInt::getAllOnes(scalar.getElementTypeBitWidth()));
  TypedAttr neutral = neutralElement(scalar.getElementType(), monoid.kind);
  if (auto number = dyn_cast<FloatAttr>(neutral))
    return c.splat(scalar, number.getValue());
  return c.splat(scalar, cast<IntegerAttr>(neutral).getValue());
}

/// `lhs` and `rhs` combined by `OnFloat` or `OnInt`.
template <typename OnFloat, typename OnInt>
static Value combineBy(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  if (isa<FloatType>(getElementTypeOrSelf(lhs.getType())))
    return OnFloat::create(b, lhs, rhs);
  return OnInt::create(b, lhs, rhs);
}

Value tessera::importer::combine(Conversion &c, Monoid monoid, Value lhs,
                                 Value rhs) {
  using namespace arith;
  ImplicitLocOpBuilder &b = c.builder;
  switch (monoid.kind) {
  case ReductionKind::Sum:
    return combineBy<AddFOp, AddIOp>(b, lhs, rhs);
  case ReductionKind::Product:
    return combineBy<MulFOp, MulIOp>(b, lhs, rhs);
  case ReductionKind::Max:
    return monoid.isUnsigned ? MaxUIOp::create(b, lhs, rhs).getResult()
                             : combineBy<MaximumFOp, MaxSIOp>(b, lhs, rhs);
  case ReductionKind::Min:
    return monoid.isUnsigned ? MinUIOp::create(b, lhs, rhs).getResult()
                             : combineBy<MinimumFOp, MinSIOp>(b, lhs, rhs);
  case ReductionKind::And:
    return AndIOp::create(b, lhs, rhs);
  case ReductionKind::Or:
    return OrIOp::create(b, lhs, rhs);
  case ReductionKind::Xor:
    return XOrIOp::create(b, lhs, rhs);
  }
  llvm_unreachable("unknown reduction");
}

//===----------------------------------------------------------------------===//
// Bodies without a name
//===----------------------------------------------------------------------===//

/// The one block of the function that `call` calls; null if there is none.
static Block *calledBody(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  bool isKnown = callee && callee.getBody().hasOneBlock() &&
                 callee.getArgumentTypes() == call.getOperandTypes() &&
                 isa<func::ReturnOp>(callee.getBody().front().back()) &&
                 callee.getResultTypes() == call.getResultTypes();
  return isKnown ? &callee.getBody().front() : nullptr;
}

/// Puts the bodies of functions that `body` calls in place of the calls.
static void inlineCalls(Block &body) {
  // Also ends what calls itself.
  int64_t remaining = 1000;
  for (auto position = body.begin(); position != body.end();) {
    auto call = dyn_cast<func::CallOp>(*position);
    Block *callee = call ? calledBody(call) : nullptr;
    if (!callee || (remaining -= callee->getOperations().size()) < 0) {
      ++position;
      continue;
    }
    IRMapping mapping;
    mapping.map(callee->getArguments(), call.getOperands());
    // What is called may call others: goes on with the first of its operations.
    Operation *last =
        position == body.begin() ? nullptr : &*std::prev(position);
    for (Operation &op : llvm::drop_end(*callee))
      body.getOperations().insert(position, op.clone(mapping));
    for (auto [result, value] :
         llvm::zip_equal(call.getResults(), callee->back().getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    call.erase();
    position = last ? std::next(last->getIterator()) : body.begin();
  }
}

void tessera::importer::closeBody(Block &body) {
  inlineCalls(body);
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  DenseMap<Value, Value> copies;
  for (Operation &op : body)
    for (OpOperand &operand : op.getOpOperands()) {
      Operation *maker = operand.get().getDefiningOp();
      if (!maker || maker->getBlock() == &body ||
          maker->getName().getStringRef() != "stablehlo.constant")
        continue;
      Value &copy = copies[operand.get()];
      if (!copy)
        copy = builder.clone(*maker)->getResult(0);
      operand.set(copy);
    }
}

bool tessera::importer::isElementwise(Block &body, size_t numResults) {
  static const ConversionTable table = [] {
    ConversionTable rows;
    addElementwise(rows);
    addConverts(rows);
    return rows;
  }();
  auto isScalar = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 0;
  };
  return llvm::all_of(body.getArgumentTypes(), isScalar) &&
         body.back().getNumOperands() == numResults &&
         llvm::all_of(body, [&](Operation &op) {
           StringRef name = op.getName().getStringRef();
           return (&op == &body.back() || name == "stablehlo.constant" ||
                   table.contains(name) || isConstraint(&op)) &&
                  llvm::all_of(op.getOperands(), [&](Value operand) {
                    return operand.getParentBlock() == &body;
                  });
         });
}

Value tessera::importer::applyToElements(Conversion &c, Block &body,
                                         ValueRange arguments) {
  SmallVector<Value> results = applyAllToElements(c, body, arguments);
  return results.empty() ? nullptr : results.front();
}

SmallVector<Value> tessera::importer::applyAllToElements(Conversion &c,
                                                         Block &body,
                                                         ValueRange arguments) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(arguments.front().getType()).getShape();
  auto onTensors = [&](Type scalar) {
    return cast<RankedTensorType>(scalar).clone(shape);
  };
  Conversion::ElementScope scope(c);
  // The same operations on foreign tensors instead of foreign scalars.
  Block wide;
  IRMapping mapping;
  for (auto [scalar, tensor] :
       llvm::zip_equal(body.getArguments(), arguments)) {
    mapping.map(scalar,
                wide.addArgument(onTensors(scalar.getType()), scalar.getLoc()));
    c.map(mapping.lookup(scalar), tensor);
  }
  for (Operation &op : llvm::drop_end(body)) {
    if (isConstraint(&op)) {
      mapping.map(op.getResult(0), mapping.lookup(op.getOperand(0)));
      continue;
    }
    Operation *copy = op.clone(mapping);
    // Of an element, it says nothing of the tensor.
    copy->removeDiscardableAttr("sdy.sharding");
    wide.push_back(copy);
    bool isConstant = copy->getNumOperands() == 0;
    if (isConstant && failed(c.convertOp(*copy)))
      return {};
    for (Value result : copy->getResults())
      result.setType(onTensors(result.getType()));
    if (!isConstant) {
      if (failed(c.convertOp(*copy)))
        return {};
      continue;
    }
    Value result = copy->getResult(0);
    RankedTensorType type = c.convertType(result.getType(), op.getLoc());
    c.map(result, c.broadcastScalar(c.lookup(result), type));
  }
  return llvm::map_to_vector(body.back().getOperands(), [&](Value result) {
    return c.lookup(mapping.lookup(result));
  });
}
