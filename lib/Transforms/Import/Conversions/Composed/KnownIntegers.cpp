//===- KnownIntegers.cpp - integers computed from constants ---------------===//
//
// Sizes, paddings and strides that a program computes from constants and from
// static sizes, and what it asserts of them.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

using Integers = std::optional<SmallVector<int64_t>>;

/// More elements than any shape has dimensions, times two for paddings.
static constexpr int64_t kMaxElements = 128;

/// What is known of the values that have been asked for.
using Memo = llvm::DenseMap<Value, Integers>;

static Integers constantIntegers(Value value, Memo &memo);

/// What `name` makes of two integers, modulo 2^64; none where it is something
/// else.
static std::optional<int64_t> evaluate(StringRef name, int64_t a, int64_t b) {
  if (name == "stablehlo.add")
    return uint64_t(a) + uint64_t(b);
  if (name == "stablehlo.subtract")
    return uint64_t(a) - uint64_t(b);
  if (name == "stablehlo.multiply")
    return uint64_t(a) * uint64_t(b);
  if (name == "stablehlo.maximum")
    return std::max(a, b);
  if (name == "stablehlo.minimum")
    return std::min(a, b);
  if (b == 0 || b == -1)
    return std::nullopt;
  if (name == "stablehlo.divide")
    return a / b;
  if (name == "stablehlo.remainder")
    return a % b;
  return std::nullopt;
}

/// Of truth values, 0 and 1; none where it is something else.
static std::optional<int64_t> evaluateLogic(StringRef name, int64_t a,
                                            int64_t b) {
  if (name == "stablehlo.and")
    return a & b;
  if (name == "stablehlo.or")
    return a | b;
  if (name == "stablehlo.xor")
    return a ^ b;
  return std::nullopt;
}

/// Whether `a` and `b` are as `direction` says, `LT` for example.
static std::optional<int64_t> evaluateCompare(StringRef direction, int64_t a,
                                              int64_t b) {
  return llvm::StringSwitch<std::optional<int64_t>>(direction)
      .Case("EQ", a == b)
      .Case("NE", a != b)
      .Case("LT", a < b)
      .Case("LE", a <= b)
      .Case("GT", a > b)
      .Case("GE", a >= b)
      .Default(std::nullopt);
}

/// The direction of a comparison; empty for another operation.
static StringRef directionOf(Operation *op) {
  auto attribute = op->getAttrOfType<OpaqueAttr>("comparison_direction");
  if (!attribute)
    return {};
  Fallible<StringRef> direction =
      parseEnumeration(attribute.getAttrData(), "comparison_direction");
  return direction ? *direction : StringRef();
}

static Integers evaluateBinary(Operation *op, Memo &memo) {
  Integers lhs = constantIntegers(op->getOperand(0), memo);
  Integers rhs = constantIntegers(op->getOperand(1), memo);
  if (!lhs || !rhs || lhs->size() != rhs->size())
    return std::nullopt;
  StringRef name = op->getName().getStringRef();
  StringRef direction = directionOf(op);
  bool isLogic = elementKind(op->getOperand(0).getType()) == ElementKind::Bool;
  SmallVector<int64_t> values;
  for (auto [a, b] : llvm::zip_equal(*lhs, *rhs)) {
    std::optional<int64_t> value = !direction.empty()
                                       ? evaluateCompare(direction, a, b)
                                   : isLogic ? evaluateLogic(name, a, b)
                                             : evaluate(name, a, b);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

/// Of a row, or of rows along the first dimension.
static Integers evaluateConcatenate(Operation *op, Memo &memo) {
  auto dim = op->getAttrOfType<IntegerAttr>("dimension");
  SmallVector<int64_t> values;
  for (Value operand : op->getOperands()) {
    Integers part = constantIntegers(operand, memo);
    if (!part || !dim || dim.getInt() != 0)
      return std::nullopt;
    llvm::append_range(values, *part);
  }
  return values;
}

/// Of a row.
static Integers evaluateSlice(Operation *op, Memo &memo) {
  auto start = op->getAttrOfType<DenseI64ArrayAttr>("start_indices");
  auto limit = op->getAttrOfType<DenseI64ArrayAttr>("limit_indices");
  auto stride = op->getAttrOfType<DenseI64ArrayAttr>("strides");
  Integers whole = constantIntegers(op->getOperand(0), memo);
  if (!whole || !start || !limit || !stride || start.size() != 1 ||
      limit.size() != 1 || stride.size() != 1 || stride[0] < 1 ||
      start[0] < 0 || limit[0] > int64_t(whole->size()))
    return std::nullopt;
  SmallVector<int64_t> values;
  int64_t step = std::min(stride[0], kMaxElements);
  for (int64_t i = start[0]; i < limit[0]; i += step)
    values.push_back((*whole)[i]);
  return values;
}

static Integers evaluateConstant(Operation *op) {
  auto elements = op->getAttrOfType<DenseIntElementsAttr>("value");
  if (!elements || elements.getType() != op->getResult(0).getType())
    return std::nullopt;
  bool isSigned = elementKind(elements.getType()) == ElementKind::Signed;
  return llvm::map_to_vector(elements.getValues<APInt>(), [&](APInt value) {
    return isSigned ? value.getSExtValue() : int64_t(value.getZExtValue());
  });
}

static Integers evaluateSize(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto dim = op->getAttrOfType<IntegerAttr>("dimension");
  if (!type || !dim || dim.getInt() < 0 || dim.getInt() >= type.getRank() ||
      type.isDynamicDim(dim.getInt()))
    return std::nullopt;
  return SmallVector<int64_t>{type.getDimSize(dim.getInt())};
}

/// One number for every element of the result.
static Integers evaluateBroadcast(Operation *op, Memo &memo) {
  Integers value = constantIntegers(op->getOperand(0), memo);
  if (!value || value->size() != 1)
    return std::nullopt;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return SmallVector<int64_t>(type.getNumElements(), value->front());
}

/// Of one predicate, or one for each element.
static Integers evaluateSelect(Operation *op, Memo &memo) {
  Integers predicates = constantIntegers(op->getOperand(0), memo),
           yes = constantIntegers(op->getOperand(1), memo),
           no = constantIntegers(op->getOperand(2), memo);
  if (!predicates || !yes || !no || yes->size() != no->size() ||
      (predicates->size() != 1 && predicates->size() != yes->size()))
    return std::nullopt;
  SmallVector<int64_t> values;
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(*yes, *no)))
    values.push_back((*predicates)[predicates->size() == 1 ? 0 : i]
                         ? std::get<0>(pair)
                         : std::get<1>(pair));
  return values;
}

/// `negate`, `sign`, `abs` of integers, `not` of truth values.
static Integers evaluateUnary(Operation *op, Memo &memo) {
  StringRef name = op->getName().getStringRef();
  bool isLogic = elementKind(op->getOperand(0).getType()) == ElementKind::Bool;
  bool isKnown = isLogic
                     ? name == "stablehlo.not"
                     : name == "stablehlo.negate" || name == "stablehlo.sign" ||
                           name == "stablehlo.abs";
  Integers values =
      isKnown ? constantIntegers(op->getOperand(0), memo) : Integers();
  if (values)
    for (int64_t &value : *values) {
      uint64_t negative = -uint64_t(value);
      value = isLogic                    ? !value
              : name == "stablehlo.sign" ? (value > 0) - (value < 0)
              : name == "stablehlo.negate" || value < 0 ? int64_t(negative)
                                                        : value;
    }
  return values;
}

/// The integers that `op` makes, before they have the width of its result.
static Integers evaluateOp(Operation *op, Memo &memo) {
  StringRef name = op->getName().getStringRef();
  if (name == "stablehlo.constant")
    return evaluateConstant(op);
  if (name == "stablehlo.get_dimension_size" && op->getNumOperands() == 1)
    return evaluateSize(op);
  if (name == "stablehlo.concatenate")
    return evaluateConcatenate(op, memo);
  if (op->getNumOperands() == 2)
    return evaluateBinary(op, memo);
  if (name == "stablehlo.select" && op->getNumOperands() == 3)
    return evaluateSelect(op, memo);
  if (op->getNumOperands() != 1)
    return std::nullopt;
  if (name == "stablehlo.slice")
    return evaluateSlice(op, memo);
  if (name == "stablehlo.broadcast_in_dim")
    return evaluateBroadcast(op, memo);
  bool isTest = name == "stablehlo.convert" &&
                elementKind(op->getResult(0).getType()) == ElementKind::Bool;
  bool isSame = name == "stablehlo.reshape" ||
                (name == "stablehlo.convert" && !isTest) || isConstraint(op);
  return isSame ? constantIntegers(op->getOperand(0), memo)
                : evaluateUnary(op, memo);
}

/// `values` in elements of `type`; none where one is beyond 64 signed bits.
static Integers wrapped(Integers values, RankedTensorType type) {
  bool isSigned = elementKind(type) == ElementKind::Signed;
  unsigned width = type.getElementTypeBitWidth();
  if (values)
    for (int64_t &value : *values) {
      value = isSigned ? llvm::SignExtend64(value, width)
                       : value & llvm::maskTrailingOnes<uint64_t>(width);
      if (!isSigned && value < 0)
        return std::nullopt;
    }
  return values;
}

static Integers constantIntegers(Value value, Memo &memo) {
  Operation *op = value.getDefiningOp();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!op || !type || !type.hasStaticShape() ||
      !type.getElementType().isInteger() ||
      type.getElementTypeBitWidth() > 64 ||
      type.getNumElements() > kMaxElements)
    return std::nullopt;
  if (auto found = memo.find(value); found != memo.end())
    return found->second;
  Integers values = wrapped(evaluateOp(op, memo), type);
  if (values && int64_t(values->size()) != type.getNumElements())
    values = std::nullopt;
  memo[value] = values;
  return values;
}

std::optional<SmallVector<int64_t>>
tessera::importer::constantIntegers(Value value) {
  Memo memo;
  return ::constantIntegers(value, memo);
}
