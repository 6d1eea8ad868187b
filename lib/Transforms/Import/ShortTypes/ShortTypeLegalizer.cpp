//===- ShortTypeLegalizer.cpp - bytes for tensors of short types ----------===//

#include "ShortTypes/ShortTypeLegalizer.h"

#include "ShortTypes/QuantizedProduct.h"
#include "ShortTypes/ShortType.h"
#include "ShortTypes/ShortTypeBits.h"

#include "Conversions/AttributeText.h"
#include "Conversions/Calls/ForeignCall.h"
#include "Conversions/Monoid.h"
#include "tessera/Dialect/Tessera/ShortTypeBoundary.h"
#include "tessera/Transforms/Import/Conversions/Unsupported.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

class ShortTypeLegalizer {
public:
  explicit ShortTypeLegalizer(ModuleOp module)
      : builder(module.getContext()), module(module) {}

  /// Fails after a diagnostic.
  LogicalResult run();

private:
  void closeBodies();
  void legalizeFunction(func::FuncOp function);
  void extendArguments(func::FuncOp main);
  void legalizeBlock(Block &block);
  void legalizeOp(Operation *op);
  /// Says that `op`, of a short type, is not supported.
  void refuse(Operation *op);
  // The forms of operations.
  void store(Operation *op);
  void compute(Operation *op);
  bool multiplyIntegers(Operation *op, ArrayRef<Type> original);
  bool legalizeSpecial(Operation *op);
  void legalizeBitcast(Operation *op);
  void legalizeBits(Operation *op);
  // Their parts.
  void storeValue(Value value);
  void replaceBehind(Value result, Value made);
  void narrowResults(Operation *op);
  void computeRegions(Operation *op);

  Real real(Value value) { return {&formulas, value}; }
  /// The short type that `value` had; null of others.
  Type shortTypeOf(Value value) const { return shortTypes.lookup(value); }
  bool isTouched(Operation *op) const;

  OpBuilder builder;
  FormulaContext formulas{builder, UnknownLoc::get(builder.getContext())};
  ModuleOp module;
  /// Of values that are stored.
  llvm::DenseMap<Value, Type> shortTypes;
  /// Whether there has been a diagnostic.
  bool isMalformed = false;
};

} // namespace

/// Carries what it is given, or moves elements.
static bool isStored(StringRef name) {
  static const llvm::StringSet<> names = {
      "func.call",
      "stablehlo.all_gather",
      "stablehlo.all_to_all",
      "stablehlo.broadcast",
      "stablehlo.broadcast_in_dim",
      "stablehlo.case",
      "stablehlo.collective_broadcast",
      "stablehlo.collective_permute",
      "stablehlo.composite",
      "stablehlo.concatenate",
      "stablehlo.dynamic_broadcast_in_dim",
      "stablehlo.dynamic_gather",
      "stablehlo.dynamic_pad",
      "stablehlo.dynamic_reshape",
      "stablehlo.dynamic_slice",
      "stablehlo.dynamic_update_slice",
      "stablehlo.gather",
      "stablehlo.get_dimension_size",
      "stablehlo.if",
      "stablehlo.optimization_barrier",
      "stablehlo.pad",
      "stablehlo.real_dynamic_slice",
      "stablehlo.reshape",
      "stablehlo.reverse",
      "stablehlo.select",
      "stablehlo.set_dimension_size",
      "stablehlo.slice",
      "stablehlo.torch_index_select",
      "stablehlo.transpose",
      "stablehlo.while",
  };
  return names.contains(name) || name.starts_with("sdy.");
}

static bool isProduct(StringRef name) {
  return name == "stablehlo.dot_general" || name == "stablehlo.dot" ||
         name == "stablehlo.convolution" || name == "stablehlo.dynamic_conv" ||
         name == "chlo.ragged_dot";
}

bool ShortTypeLegalizer::isTouched(Operation *op) const {
  bool found = llvm::any_of(op->getOperands(),
                            [&](Value v) { return bool(shortTypeOf(v)); }) ||
               llvm::any_of(op->getResultTypes(), isShort);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      found |= llvm::any_of(block.getArgumentTypes(), isShort);
  return found;
}

void ShortTypeLegalizer::storeValue(Value value) {
  if (!isShort(value.getType()))
    return;
  shortTypes[value] = value.getType();
  value.setType(storedType(value.getType()));
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

void ShortTypeLegalizer::store(Operation *op) {
  for (Value result : op->getResults())
    storeValue(result);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      legalizeBlock(block);
}

/// Lets what stands behind `made`, which was made of `result`, use it instead.
void ShortTypeLegalizer::replaceBehind(Value result, Value made) {
  if (made == result)
    return;
  Operation *maker = made.getDefiningOp();
  result.replaceUsesWithIf(made, [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return user->getBlock() != maker->getBlock() ||
           maker->isBeforeInBlock(user);
  });
}

void ShortTypeLegalizer::narrowResults(Operation *op) {
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    Type type = result.getType();
    if (!isShort(type))
      continue;
    result.setType(computedType(type));
    Value narrowed = narrow(real(result), type).value;
    shortTypes[narrowed] = type;
    replaceBehind(result, narrowed);
  }
}

/// Lets the bodies of `op` compute in the wider type, with what they use from
/// outside, too.
void ShortTypeLegalizer::computeRegions(Operation *op) {
  op->walk([&](Operation *nested) {
    for (Region &region : nested->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (isShort(argument.getType()))
          argument.setType(computedType(argument.getType()));
    if (nested == op)
      return;
    builder.setInsertionPoint(op);
    for (OpOperand &operand : nested->getOpOperands())
      if (Type type = shortTypeOf(operand.get()))
        operand.set(widen(real(operand.get()), type).value);
    auto value = dyn_cast_or_null<DenseElementsAttr>(nested->getAttr("value"));
    for (Value result : nested->getResults()) {
      if (!isShort(result.getType()))
        continue;
      if (value && value.getType() == result.getType()) {
        builder.setInsertionPoint(nested);
        result.replaceAllUsesWith(
            createConstant(builder, nested->getLoc(), computedConstant(value)));
        return nested->erase();
      }
      result.setType(computedType(result.getType()));
    }
  });
}

/// Whether the bodies of `op`, of which values of `types` are the operands, are
/// to have its types. Integers wrap around where they are computed in more
/// bits: at the end of a reduction that has a name as well as after each of its
/// steps, but not in any other body. Bits are the type's own, as are the types
/// of functions and quantized constants; and what only returns what it is given
/// computes nothing.
static bool keepsTypes(Operation *op, TypeRange types) {
  bool isOnIntegers = llvm::any_of(types, [](Type type) {
    return isShort(type) && isa<IntegerType>(getElementTypeOrSelf(type));
  });
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (block.getOperations().size() == 1 ||
          (isOnIntegers && !recogniseMonoid(block)))
        return true;
  WalkResult ofItsTypes = op->walk([&](Operation *nested) {
    StringRef name = nested->getName().getStringRef();
    bool isFound = name == "func.call" || name == "stablehlo.bitcast_convert" ||
                   name == "chlo.next_after" ||
                   (name == "stablehlo.constant" &&
                    quantizedType(nested->getResult(0).getType()));
    return nested != op && isFound ? WalkResult::interrupt()
                                   : WalkResult::advance();
  });
  return ofItsTypes.wasInterrupted();
}

/// In which type an operand of a product is, beside `other`, for a result of
/// type `result`: all short floats are numbers of bf16.
static Type factorType(Type computed, Type other, Type result) {
  Type element = getElementTypeOrSelf(computed),
       otherElement = getElementTypeOrSelf(other);
  bool isBesideFloat = isa<FloatType>(otherElement) && !isShort(other);
  if (isBesideFloat)
    return otherElement;
  if (!isa<FloatType>(element) && !isa<FloatType>(otherElement))
    return element;
  Type resultElement = getElementTypeOrSelf(result);
  bool isSingle = resultElement.isF16() || resultElement.isF64();
  return isSingle ? Type(Float32Type::get(computed.getContext()))
                  : BFloat16Type::get(computed.getContext());
}

/// A product of quantized integers is one of integers, less their zero points:
/// exact, and rounded once where it is quantized again. False where that cannot
/// be (QuantizedProduct.h).
bool ShortTypeLegalizer::multiplyIntegers(Operation *op,
                                          ArrayRef<Type> original) {
  if (original.size() != 2 || op->getNumResults() != 1)
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  std::optional<QuantizedType> lhs = quantizedType(original[0]),
                               rhs = quantizedType(original[1]);
  if (!type || !lhs || !rhs)
    return false;
  std::optional<QuantizedType> result = quantizedType(type);
  std::optional<IntegerSums> sums = findIntegerSums(op, *lhs, *rhs);
  if (!sums)
    return false;
  op->setOperand(0,
                 centered(real(op->getOperand(0)), *lhs, sums->element).value);
  op->setOperand(1,
                 centered(real(op->getOperand(1)), *rhs, sums->element).value);
  Value integers = op->getResult(0);
  integers.setType(type.clone(sums->element));
  builder.setInsertionPointAfter(op);
  Real value = scaleSums(real(integers), *lhs, *rhs, sums->dim);
  if (result) {
    value = quantize(value, *result);
    shortTypes[value.value] = type;
  } else {
    value = changeElements(value, type.getElementType());
  }
  replaceBehind(integers, value.value);
  return true;
}

void ShortTypeLegalizer::compute(Operation *op) {
  SmallVector<Type> original;
  for (Value operand : op->getOperands()) {
    Type type = shortTypeOf(operand);
    original.push_back(type ? type : operand.getType());
  }
  if (keepsTypes(op, original))
    return store(op);
  bool isFactors = isProduct(op->getName().getStringRef()) &&
                   original.size() >= 2 && op->getNumResults() == 1;
  builder.setInsertionPoint(op);
  if (multiplyIntegers(op, original))
    return;
  for (auto [i, operand] : llvm::enumerate(op->getOpOperands())) {
    if (!shortTypeOf(operand.get()))
      continue;
    Real wide = widen(real(operand.get()), original[i]);
    Type element = wide.type().getElementType();
    if (isFactors && i < 2 && !quantizedType(original[i]))
      element =
          factorType(wide.type(), original[1 - i], op->getResult(0).getType());
    operand.set(changeElements(wide, element).value);
  }
  computeRegions(op);
  narrowResults(op);
}

//===----------------------------------------------------------------------===//
// What is about the type itself
//===----------------------------------------------------------------------===//

void ShortTypeLegalizer::legalizeBitcast(Operation *op) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  Type original =
      shortTypeOf(operand) ? shortTypeOf(operand) : operand.getType();
  auto from = dyn_cast<RankedTensorType>(withStorage(original)),
       to = dyn_cast<RankedTensorType>(withStorage(result.getType()));
  if (!from || !to || !from.getElementType().isIntOrFloat() ||
      !to.getElementType().isIntOrFloat() || !areSameBits(from, to)) {
    emitError(op->getLoc())
        << "unsupported shapes of '" << op->getName() << "', from " << original
        << " to " << result.getType();
    isMalformed = true;
    return;
  }
  Real bits = changeBits(real(operand), from, to);
  if (isShort(result.getType()))
    shortTypes[bits.value] = result.getType();
  result.replaceAllUsesWith(bits.value);
  op->erase();
}

/// Counts of bits, and shifts that bring in zeros, see no more than there is;
/// shifts that bring in the highest bit see copies of it.
void ShortTypeLegalizer::legalizeBits(Operation *op) {
  Value operand = op->getOperand(0);
  Type type = shortTypeOf(operand);
  bool isArithmetic =
      op->getName().getStringRef() == "stablehlo.shift_right_arithmetic";
  Real seen = isArithmetic ? extendSign(real(operand), type)
                           : bitsOf(real(operand), type);
  op->setOperand(0, seen.value);
  Value result = op->getResult(0);
  result.setType(storedType(type));
  builder.setInsertionPointAfter(op);
  Real counted = real(result);
  if (op->getName().getStringRef() == "stablehlo.count_leading_zeros")
    counted = counted - integerLike(counted, 8 - widthOf(type));
  counted = fromBits(counted, type);
  shortTypes[counted.value] = type;
  replaceBehind(result, counted.value);
}

/// Replaces `op` if it is about the types of its operands; false if it is not.
bool ShortTypeLegalizer::legalizeSpecial(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (op->getNumResults() != 1)
    return false;
  Value result = op->getResult(0);
  Type type = result.getType();
  if (name == "stablehlo.constant") {
    auto value = dyn_cast_or_null<DenseElementsAttr>(op->getAttr("value"));
    if (!value || value.getType() != withStorage(type))
      return false;
    Value stored = createConstant(builder, op->getLoc(), storedConstant(value));
    shortTypes[stored] = type;
    result.replaceAllUsesWith(stored);
    op->erase();
    return true;
  }
  if (op->getNumOperands() == 0)
    return false;
  Type from = shortTypeOf(op->getOperand(0));
  if (name == "stablehlo.convert" || name == "stablehlo.uniform_quantize" ||
      name == "stablehlo.uniform_dequantize") {
    Real value = real(op->getOperand(0));
    if (from)
      value = widen(value, from);
    value = isShort(type) ? narrow(value, type)
                          : changeElements(value, getElementTypeOrSelf(type));
    if (isShort(type))
      shortTypes[value.value] = type;
    result.replaceAllUsesWith(value.value);
    op->erase();
    return true;
  }
  if (name == "stablehlo.bitcast_convert")
    return legalizeBitcast(op), true;
  bool isAboutBits = name == "stablehlo.popcnt" ||
                     name == "stablehlo.count_leading_zeros" ||
                     name == "stablehlo.shift_right_arithmetic" ||
                     name == "stablehlo.shift_right_logical";
  if (isAboutBits && from && from == type)
    return legalizeBits(op), true;
  return false;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void ShortTypeLegalizer::refuse(Operation *op) {
  SmallVector<Type> types = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return shortTypeOf(operand); });
  llvm::append_range(types,
                     llvm::make_filter_range(op->getResultTypes(), isShort));
  InFlightDiagnostic error = emitError(op->getLoc());
  error << "unsupported type ";
  if (const auto *type = llvm::find_if(types, [](Type t) { return bool(t); });
      type != types.end())
    error << *type << " ";
  error << "of '" << op->getName() << "'";
  isMalformed = true;
}

void ShortTypeLegalizer::legalizeOp(Operation *op) {
  builder.setInsertionPoint(op);
  formulas.location = op->getLoc();
  // A foreign terminator is not known to be one.
  bool isTerminator = op == &op->getBlock()->back();
  if (isTerminator || !isTouched(op) || isStored(op->getName().getStringRef()))
    return store(op);
  StringRef name = op->getName().getStringRef();
  // The next number of the wider type is not that of the short one, and a
  // routine knows the type of what it is handed.
  if (name == "chlo.next_after" ||
      (name == "stablehlo.custom_call" && isRoutineCall(op)))
    return refuse(op);
  if (!legalizeSpecial(op))
    compute(op);
}

void ShortTypeLegalizer::legalizeBlock(Block &block) {
  for (BlockArgument argument : block.getArguments())
    storeValue(argument);
  for (Operation &op : llvm::make_early_inc_range(block))
    legalizeOp(&op);
}

/// The attributes of `count` arguments or results of `@main`, of which
/// `attributesOf` gives those that one has, and `types` were the types.
static SmallVector<DictionaryAttr>
boundaryAttributes(TypeRange types,
                   llvm::function_ref<DictionaryAttr(unsigned)> attributesOf) {
  SmallVector<DictionaryAttr> all;
  for (auto [i, type] : llvm::enumerate(types)) {
    NamedAttrList attributes(attributesOf(i));
    MLIRContext *context = type.getContext();
    std::string name;
    if (isShort(withStorage(type))) {
      llvm::raw_string_ostream(name) << getElementTypeOrSelf(withStorage(type));
      attributes.set(kShortTypeAttr, StringAttr::get(context, name));
    }
    all.push_back(attributes.getDictionary(context));
  }
  return all;
}

void ShortTypeLegalizer::legalizeFunction(func::FuncOp function) {
  if (function.getSymName() == "main") {
    function.setAllArgAttrs(
        boundaryAttributes(function.getArgumentTypes(), [&](unsigned i) {
          return function.getArgAttrDict(i);
        }));
    function.setAllResultAttrs(
        boundaryAttributes(function.getResultTypes(), [&](unsigned i) {
          return function.getResultAttrDict(i);
        }));
  }
  auto stored = [](TypeRange types) {
    return llvm::map_to_vector(types, [](Type type) -> Type {
      return isShort(type) ? storedType(type) : type;
    });
  };
  function.setFunctionType(FunctionType::get(
      function.getContext(), stored(function.getArgumentTypes()),
      stored(function.getResultTypes())));
  for (Block &block : function.getBody())
    legalizeBlock(block);
  if (function.getSymName() == "main")
    extendArguments(function);
}

/// Bits of a byte that are not the element's are nothing outside of a program.
void ShortTypeLegalizer::extendArguments(func::FuncOp main) {
  builder.setInsertionPointToStart(&main.getBody().front());
  for (BlockArgument argument : main.getArguments()) {
    Type type = shortTypeOf(argument);
    if (!type || widthOf(type) >= 8 || argument.use_empty())
      continue;
    formulas.location = locationOfArgument(argument);
    SmallVector<OpOperand *> uses = llvm::map_to_vector(
        argument.getUses(), [](OpOperand &u) { return &u; });
    Value extended = fromBits(real(argument), withStorage(type)).value;
    for (OpOperand *use : uses)
      use->set(extended);
  }
}

/// Puts what bodies that compute need into them, while it has its types.
void ShortTypeLegalizer::closeBodies() {
  module.walk([&](Operation *op) {
    if (isStored(op->getName().getStringRef()) || isa<func::FuncOp>(op))
      return;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (llvm::any_of(block.getArgumentTypes(), isShort))
          closeBody(block);
  });
}

LogicalResult ShortTypeLegalizer::run() {
  closeBodies();
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      legalizeFunction(function);
  return failure(isMalformed);
}

LogicalResult tessera::importer::legalizeShortTypes(ModuleOp module) {
  return ShortTypeLegalizer(module).run();
}
