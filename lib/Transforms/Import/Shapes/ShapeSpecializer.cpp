//===- ShapeSpecializer.cpp - a program for given sizes -------------------===//

#include "Shapes/ShapeSpecializer.h"

#include "Complex/Real.h"
#include "Conversions/Conversion.h"
#include "Conversions/Monoid.h"
#include "Shapes/ResultShapes.h"

#include "tessera/Support/NearestName.h"
#include "tessera/Transforms/Import/Conversions/Unsupported.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

static bool isOpen(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && !shaped.hasStaticShape();
}

/// Whether a shape in `function`, or of what it takes or gives, is not known.
static bool isOpen(func::FuncOp function) {
  return llvm::any_of(function.getArgumentTypes(),
                      [](Type type) { return isOpen(type); }) ||
         function
             .walk([](Operation *op) {
               return llvm::any_of(op->getResultTypes(),
                                   [](Type type) { return isOpen(type); })
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

namespace {

/// Specialises one module.
class Specializer {
public:
  explicit Specializer(ModuleOp module)
      : module(module), symbols(module), builder(module.getContext()) {}

  LogicalResult run(func::FuncOp main, ArrayRef<std::string> shapes);

private:
  LogicalResult setArguments(func::FuncOp main, ArrayRef<std::string> shapes);
  LogicalResult setArgument(func::FuncOp main, StringRef name, StringRef sizes);
  LogicalResult specialize(func::FuncOp function);
  LogicalResult specialize(Block &block);
  LogicalResult specialize(Operation *op);
  LogicalResult specializeLoop(Operation *op);
  LogicalResult specializeBranches(Operation *op);
  LogicalResult specializeCall(Operation *op, FlatSymbolRefAttr callee);
  LogicalResult specializeResults(Operation *op);
  FailureOr<func::FuncOp> copyFor(Operation *op, func::FuncOp callee);
  LogicalResult inlineReduction(Operation *op);
  /// A constant of `type` at the builder's place.
  Value constant(Location loc, Type type, ArrayRef<int64_t> values);

  ModuleOp module;
  SymbolTable symbols;
  OpBuilder builder;
  /// The copies of functions, by name, shapes and known integers.
  llvm::StringMap<func::FuncOp> copies;
  /// Those that were the body of a reduction.
  llvm::SetVector<func::FuncOp> inlined;
  /// Those that are being specialised.
  llvm::DenseSet<Operation *> active;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is given
//===----------------------------------------------------------------------===//

/// The name by which `--shape` knows an argument.
static std::string nameOf(BlockArgument argument) {
  if (StringAttr name = argumentName(argument))
    return name.str();
  return ("arg" + Twine(argument.getArgNumber())).str();
}

/// More elements than any memory holds.
static constexpr int64_t kMostElements = int64_t(1) << 48;

/// `8x128`; nothing stands for a scalar.
static FailureOr<SmallVector<int64_t>> parseSizes(StringRef text) {
  SmallVector<int64_t> sizes;
  int64_t elements = 1;
  if (text.empty())
    return sizes;
  for (StringRef part : llvm::split(text, 'x')) {
    int64_t size;
    if (part.getAsInteger(10, size) || size < 0 ||
        llvm::MulOverflow(elements, size, elements) || elements > kMostElements)
      return failure();
    sizes.push_back(size);
  }
  return sizes;
}

/// Gives the argument `name` of `main` the sizes `text`.
LogicalResult Specializer::setArgument(func::FuncOp main, StringRef name,
                                       StringRef text) {
  std::vector<std::string> known;
  for (BlockArgument argument : main.getArguments()) {
    known.push_back(nameOf(argument));
    if (known.back() != name)
      continue;
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    FailureOr<SmallVector<int64_t>> sizes = parseSizes(text);
    bool fits = type && succeeded(sizes) &&
                succeeded(verifyCompatibleShape(type.getShape(), *sizes));
    if (!fits)
      return emitError(locationOfArgument(argument))
             << "--shape: expected sizes of argument '" << name
             << "' that fit its type " << argument.getType() << ", got '"
             << text << "'";
    argument.setType(type.clone(*sizes));
    return success();
  }
  return emitError(main.getLoc())
         << "--shape names the unknown argument '" << name
         << "', the model's are " << llvm::join(known, ", ")
         << didYouMean(name.str(), known);
}

LogicalResult Specializer::setArguments(func::FuncOp main,
                                        ArrayRef<std::string> shapes) {
  for (StringRef shape : shapes) {
    auto [name, sizes] = shape.rsplit('=');
    if (name.empty() || name.size() == shape.size())
      return emitError(main.getLoc())
             << "expected --shape=NAME=8x128, got '" << shape << "'";
    if (failed(setArgument(main, name, sizes)))
      return failure();
  }
  for (BlockArgument argument : main.getArguments()) {
    if (!isOpen(argument.getType()))
      continue;
    InFlightDiagnostic error = emitError(locationOfArgument(argument));
    error << "expected a size for each dimension of argument '"
          << nameOf(argument) << "', got " << argument.getType();
    error.attachNote() << "compile for one size: --shape=" << nameOf(argument)
                       << "=8x128; see docs/unsupported.md#dynamic-shapes";
    return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Value Specializer::constant(Location loc, Type type, ArrayRef<int64_t> values) {
  auto tensor = cast<RankedTensorType>(type);
  unsigned width = tensor.getElementTypeBitWidth();
  SmallVector<APInt> elements;
  for (int64_t value : values)
    elements.push_back(APInt(width, value, /*isSigned=*/true,
                             /*implicitTrunc=*/true));
  return createConstant(builder, loc, DenseElementsAttr::get(tensor, elements));
}

/// Gives `function`, whose arguments are static, static shapes throughout.
LogicalResult Specializer::specialize(func::FuncOp function) {
  Block &body = function.getBody().front();
  active.insert(function);
  if (failed(specialize(body)))
    return failure();
  active.erase(function);
  function.setFunctionType(builder.getFunctionType(
      body.getArgumentTypes(), body.getTerminator()->getOperandTypes()));
  return success();
}

/// The copy of `callee` for the shapes, and the integers that are known, of
/// what `op` hands it.
FailureOr<func::FuncOp> Specializer::copyFor(Operation *op,
                                             func::FuncOp callee) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << callee.getSymName();
  SmallVector<std::optional<SmallVector<int64_t>>> known;
  for (Value operand : op->getOperands()) {
    os << '|' << operand.getType();
    known.push_back(constantIntegers(operand));
    if (known.back())
      for (int64_t value : *known.back())
        os << ' ' << value;
  }
  func::FuncOp &copy = copies[key];
  if (copy)
    return copy;
  auto made = callee.clone();
  symbols.insert(made);
  copy = made;
  Block &body = made.getBody().front();
  builder.setInsertionPointToStart(&body);
  for (auto [argument, operand, values] :
       llvm::zip_equal(body.getArguments(), op->getOperands(), known)) {
    argument.setType(operand.getType());
    if (values)
      argument.replaceAllUsesWith(
          constant(argument.getLoc(), operand.getType(), *values));
  }
  if (failed(specialize(made)))
    return failure();
  return made;
}

/// A call of a function with open shapes, or of one that computes sizes.
LogicalResult Specializer::specializeCall(Operation *op,
                                          FlatSymbolRefAttr callee) {
  auto function =
      callee ? symbols.lookup<func::FuncOp>(callee.getValue()) : nullptr;
  if (!function || function.isExternal() || active.contains(function) ||
      function.getNumArguments() != op->getNumOperands())
    return specializeResults(op);
  bool isKnown = llvm::all_of(op->getOperands(), [](Value operand) {
    return constantIntegers(operand).has_value();
  });
  if (!isKnown && !isOpen(function))
    return success();
  FailureOr<func::FuncOp> copy = copyFor(op, function);
  if (failed(copy))
    return failure();
  StringRef attribute = isa<func::CallOp>(op) ? "callee" : "decomposition";
  op->setAttr(attribute, FlatSymbolRefAttr::get(*copy));
  Operation *end = copy->getBody().front().getTerminator();
  if (end->getNumOperands() != op->getNumResults())
    return specializeResults(op);
  builder.setInsertionPointAfter(op);
  for (auto [result, given] :
       llvm::zip_equal(op->getResults(), end->getOperands())) {
    result.setType(given.getType());
    if (std::optional<SmallVector<int64_t>> values = constantIntegers(given))
      result.replaceAllUsesWith(
          constant(op->getLoc(), given.getType(), *values));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// What a loop carries has the shapes of what it begins with.
LogicalResult Specializer::specializeLoop(Operation *op) {
  for (Region &region : op->getRegions()) {
    if (region.empty() || region.getNumArguments() != op->getNumOperands())
      continue;
    for (auto [argument, operand] :
         llvm::zip_equal(region.getArguments(), op->getOperands()))
      argument.setType(operand.getType());
    if (failed(specialize(region.front())))
      return failure();
  }
  for (auto [result, operand] : llvm::zip(op->getResults(), op->getOperands()))
    result.setType(operand.getType());
  Operation *end = op->getRegions().back().empty()
                       ? op
                       : op->getRegions().back().front().getTerminator();
  if (!llvm::equal(end->getOperandTypes(), op->getOperandTypes()))
    return emitError(op->getLoc())
           << "expected a loop that carries values of one shape each, got "
           << end->getOperandTypes() << " after " << op->getOperandTypes();
  return success();
}

LogicalResult Specializer::specializeBranches(Operation *op) {
  for (Region &region : op->getRegions())
    if (!region.empty() && failed(specialize(region.front())))
      return failure();
  if (op->getNumRegions() == 0 || op->getRegion(0).empty())
    return success();
  TypeRange given = op->getRegion(0).front().getTerminator()->getOperandTypes();
  for (Region &region : op->getRegions())
    if (region.empty() ||
        !llvm::equal(region.front().getTerminator()->getOperandTypes(), given))
      return emitError(op->getLoc())
             << "expected branches that give values of one shape each in '"
             << op->getName() << "'";
  for (auto [result, type] : llvm::zip(op->getResults(), given))
    result.setType(type);
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// JAX's call of a reduction along windows whose sizes are operands becomes the
/// operation: its body is a function.
LogicalResult Specializer::inlineReduction(Operation *op) {
  auto called = op->getAttrOfType<ArrayAttr>("called_computations");
  auto callee = called && called.size() == 1
                    ? dyn_cast<FlatSymbolRefAttr>(called[0])
                    : FlatSymbolRefAttr();
  auto body =
      callee ? symbols.lookup<func::FuncOp>(callee.getValue()) : nullptr;
  if (!body || body.isExternal() || op->getNumOperands() != 7 ||
      op->getNumResults() != 1)
    return specializeResults(op);
  static constexpr StringLiteral kNames[] = {"window_dimensions",
                                             "window_strides", "base_dilations",
                                             "window_dilations"};
  inlined.insert(body);
  OperationState state(op->getLoc(), "stablehlo.reduce_window");
  state.addOperands(op->getOperands().take_front(2));
  state.addTypes(op->getResultTypes());
  for (auto [i, name] : llvm::enumerate(kNames)) {
    auto values = constantIntegers(op->getOperand(2 + i));
    if (!values)
      return specializeResults(op);
    state.addAttribute(name, builder.getDenseI64ArrayAttr(*values));
  }
  auto padding = constantIntegers(op->getOperand(6));
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  if (!padding || int64_t(padding->size()) != 2 * type.getRank())
    return specializeResults(op);
  state.addAttribute("padding", DenseIntElementsAttr::get(
                                    RankedTensorType::get({type.getRank(), 2},
                                                          builder.getI64Type()),
                                    ArrayRef<int64_t>(*padding)));
  Region *region = state.addRegion();
  IRMapping mapping;
  body.getBody().cloneInto(region, mapping);
  Operation *end = region->front().getTerminator();
  builder.setInsertionPoint(end);
  OperationState yield(end->getLoc(), "stablehlo.return");
  yield.addOperands(end->getOperands());
  builder.create(yield);
  end->erase();
  builder.setInsertionPoint(op);
  Operation *reduction = builder.create(state);
  op->replaceAllUsesWith(reduction);
  op->erase();
  return specializeResults(reduction);
}

/// Gives the results of `op` the shapes that follow from its operands.
LogicalResult Specializer::specializeResults(Operation *op) {
  for (OpResult result : op->getResults()) {
    if (!isOpen(result.getType()))
      continue;
    auto type = dyn_cast<RankedTensorType>(result.getType());
    std::optional<SmallVector<int64_t>> shape =
        type ? resultShape(op, result.getResultNumber()) : std::nullopt;
    if (!shape || failed(verifyCompatibleShape(type.getShape(), *shape))) {
      InFlightDiagnostic error = emitError(op->getLoc());
      error << "expected a shape that follows from the operands of '"
            << op->getName() << "', got " << result.getType();
      noteAlternative(error, &unsupportedKind(op));
      return failure();
    }
    result.setType(type.clone(*shape));
  }
  return success();
}

/// Specialises `op`, or what replaces it.
LogicalResult Specializer::specialize(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (auto call = dyn_cast<func::CallOp>(op))
    return specializeCall(op, call.getCalleeAttr());
  if (name == "stablehlo.composite")
    return specializeCall(
        op, op->getAttrOfType<FlatSymbolRefAttr>("decomposition"));
  if (name == "stablehlo.while")
    return specializeLoop(op);
  if (name == "stablehlo.if" || name == "stablehlo.case")
    return specializeBranches(op);
  auto target = op->getAttrOfType<StringAttr>("call_target_name");
  if (target && target.getValue() == "stablehlo.dynamic_reduce_window")
    return inlineReduction(op);
  // What bodies use of sizes, and of calls that take some, becomes their own.
  for (Region &region : op->getRegions())
    if (!region.empty() && !name.starts_with("sdy."))
      closeBody(region.front());
  if (failed(specializeResults(op)))
    return failure();
  if (op->getNumResults() != 1 || name == "stablehlo.constant")
    return success();
  Value result = op->getResult(0);
  if (std::optional<SmallVector<int64_t>> values = constantIntegers(result)) {
    builder.setInsertionPoint(op);
    result.replaceAllUsesWith(
        constant(op->getLoc(), result.getType(), *values));
    op->erase();
  }
  return success();
}

LogicalResult Specializer::specialize(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(specialize(&op)))
      return failure();
  return success();
}

LogicalResult Specializer::run(func::FuncOp main,
                               ArrayRef<std::string> shapes) {
  if (failed(setArguments(main, shapes)) || failed(specialize(main)))
    return failure();
  // What is open still is what was copied.
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function != main && isOpen(function))
      symbols.erase(function);
  for (func::FuncOp function : inlined)
    if (SymbolTable::symbolKnownUseEmpty(function, module))
      symbols.erase(function);
  return success();
}

LogicalResult
tessera::importer::specializeShapes(ModuleOp module,
                                    ArrayRef<std::string> shapes) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal())
    return success();
  bool isNeeded =
      llvm::any_of(module.getOps<func::FuncOp>(),
                   [](func::FuncOp function) { return isOpen(function); });
  if (!isNeeded && shapes.empty())
    return success();
  return Specializer(module).run(main, shapes);
}
