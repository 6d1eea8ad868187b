//===- FlattenTuples.cpp - the parts of tuples, and no tokens -------------===//
//
// One walk in program order. Every value of a tuple's or a token's type is
// known by its parts, tokens by none; operations that take, give or hand on
// such values are rebuilt with the parts in their place, those that only make
// or open tuples, or order tokens, go.
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Import/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::importer {
#define GEN_PASS_DEF_FLATTENTUPLES
#include "tessera/Transforms/Import/Passes.h.inc"
} // namespace tessera::importer

#define DEBUG_TYPE "tessera-flatten-tuples"

using namespace mlir;
using namespace tessera::importer;

/// Whether `type` is the type of what orders effects.
static bool isToken(Type type) {
  auto opaque = dyn_cast<OpaqueType>(type);
  return opaque && opaque.getDialectNamespace() == "stablehlo" &&
         opaque.getTypeData() == "token";
}

static bool isFlat(Type type) {
  return !isa<TupleType>(type) && !isToken(type);
}

/// Appends the types of the parts of `type`: itself where it has none.
static void appendParts(Type type, SmallVectorImpl<Type> &parts) {
  if (isToken(type))
    return;
  auto tuple = dyn_cast<TupleType>(type);
  if (!tuple)
    return parts.push_back(type);
  for (Type element : tuple.getTypes())
    appendParts(element, parts);
}

static SmallVector<Type> partsOf(TypeRange types) {
  SmallVector<Type> parts;
  for (Type type : types)
    appendParts(type, parts);
  return parts;
}

namespace {

/// Flattens the functions of one module.
class Flattening {
public:
  LogicalResult run(func::FuncOp function);

private:
  void flattenBoundary(func::FuncOp function);
  LogicalResult flattenBlock(Block &block);
  LogicalResult flattenOperation(Operation *op);
  LogicalResult open(Operation *op);
  LogicalResult dissolve(Operation *op);
  void rebuild(Operation *op);
  /// What stands in the place of `values`.
  SmallVector<Value> parts(ValueRange values) const {
    SmallVector<Value> all;
    for (Value value : values)
      if (isFlat(value.getType()))
        all.push_back(value);
      else
        llvm::append_range(all, known.lookup(value));
    return all;
  }

  /// The parts of values that are not flat.
  DenseMap<Value, SmallVector<Value>> known;
  /// Operations and arguments that have been replaced, in program order.
  SmallVector<Operation *> replaced;
  SmallVector<BlockArgument> arguments;
};

} // namespace

/// What `attributes` say of each of `types`, for its parts: nothing of those
/// that stand for one.
static ArrayAttr attributesOfParts(ArrayAttr attributes, TypeRange types) {
  if (!attributes)
    return nullptr;
  SmallVector<Attribute> all;
  for (auto [attribute, type] : llvm::zip_equal(attributes, types))
    all.append(partsOf(type).size(),
               isFlat(type) ? attribute
                            : DictionaryAttr::get(attributes.getContext()));
  return ArrayAttr::get(attributes.getContext(), all);
}

/// Renumbers the results, until now of `types`, that arguments of `function`
/// share memory with: none where they have become parts.
static void renumberAliases(func::FuncOp function, TypeRange types) {
  static constexpr StringLiteral kAlias = "tf.aliasing_output";
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto alias = function.getArgAttrOfType<IntegerAttr>(i, kAlias);
    if (!alias || alias.getValue().uge(types.size()))
      continue;
    size_t number = alias.getValue().getZExtValue();
    if (isFlat(types[number]))
      function.setArgAttr(
          i, kAlias,
          IntegerAttr::get(alias.getType(),
                           partsOf(types.take_front(number)).size()));
    else
      function.removeArgAttr(i, kAlias);
  }
}

void Flattening::flattenBoundary(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  if (llvm::all_of(type.getInputs(), isFlat) &&
      llvm::all_of(type.getResults(), isFlat))
    return;
  ArrayAttr ofArguments =
      attributesOfParts(function.getArgAttrsAttr(), type.getInputs());
  ArrayAttr ofResults =
      attributesOfParts(function.getResAttrsAttr(), type.getResults());
  function.setFunctionType(FunctionType::get(type.getContext(),
                                             partsOf(type.getInputs()),
                                             partsOf(type.getResults())));
  if (ofArguments)
    function.setArgAttrsAttr(ofArguments);
  if (ofResults)
    function.setResAttrsAttr(ofResults);
  renumberAliases(function, type.getResults());
}

/// `stablehlo.get_tuple_element`.
LogicalResult Flattening::open(Operation *op) {
  auto tuple = op->getNumOperands() == 1
                   ? dyn_cast<TupleType>(op->getOperand(0).getType())
                   : TupleType();
  auto index = op->getAttrOfType<IntegerAttr>("index");
  if (!tuple || !index || op->getNumResults() != 1 || index.getInt() < 0 ||
      size_t(index.getInt()) >= tuple.size() ||
      tuple.getType(index.getInt()) != op->getResult(0).getType())
    return emitError(op->getLoc())
           << "expected a tuple as the operand of '" << op->getName()
           << "', and 'index' a part of the result's type";
  SmallVector<Value> all = parts(op->getOperands());
  size_t first = partsOf(tuple.getTypes().take_front(index.getInt())).size();
  size_t count = partsOf(op->getResultTypes()).size();
  auto own = ArrayRef(all).slice(first, count);
  if (isFlat(op->getResult(0).getType()))
    op->getResult(0).replaceAllUsesWith(own.front());
  else
    known[op->getResult(0)] = SmallVector<Value>(own);
  replaced.push_back(op);
  return success();
}

/// The same operation, which keeps its regions, on parts.
void Flattening::rebuild(Operation *op) {
  OperationState state(op->getLoc(), op->getName(), parts(op->getOperands()),
                       partsOf(op->getResultTypes()), {}, op->getSuccessors());
  if (op->isRegistered())
    state.addAttributes(op->getAttrs());
  else {
    state.propertiesAttr = op->getPropertiesAsAttribute();
    state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  }
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *flat = OpBuilder(op).create(state);
  auto next = flat->result_begin();
  for (Value result : op->getResults()) {
    size_t count = partsOf(result.getType()).size();
    SmallVector<Value> own(next, next + count);
    next += count;
    if (isFlat(result.getType()))
      result.replaceAllUsesWith(own.front());
    else
      known[result] = own;
  }
  replaced.push_back(op);
}

/// `stablehlo.tuple`, and operations that make tokens.
LogicalResult Flattening::dissolve(Operation *op) {
  bool isTuple = op->getName().getStringRef() == "stablehlo.tuple";
  auto tuple = op->getNumResults() == 1
                   ? dyn_cast<TupleType>(op->getResult(0).getType())
                   : TupleType();
  if (isTuple && (!tuple || TypeRange(op->getOperandTypes()) !=
                                TypeRange(tuple.getTypes())))
    return emitError(op->getLoc()) << "expected a tuple of the operands of '"
                                   << op->getName() << "' as its result";
  if (!isTuple && !llvm::all_of(op->getResultTypes(), isToken))
    return emitError(op->getLoc())
           << "expected a token as the result of '" << op->getName() << "'";
  for (Value result : op->getResults())
    known[result] = isTuple ? parts(op->getOperands()) : SmallVector<Value>();
  replaced.push_back(op);
  return success();
}

LogicalResult Flattening::flattenOperation(Operation *op) {
  StringRef name = op->getName().getStringRef();
  bool isOpened = name == "stablehlo.get_tuple_element";
  bool isDissolved = name == "stablehlo.tuple" ||
                     name == "stablehlo.after_all" ||
                     name == "stablehlo.create_token";
  if ((isOpened || isDissolved) && op->getNumRegions() != 0)
    return emitError(op->getLoc())
           << "expected '" << op->getName() << "' without regions";
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(flattenBlock(block)))
        return failure();
  if (isOpened)
    return open(op);
  if (isDissolved)
    return dissolve(op);
  if (!llvm::all_of(op->getOperandTypes(), isFlat) ||
      !llvm::all_of(op->getResultTypes(), isFlat))
    rebuild(op);
  return success();
}

LogicalResult Flattening::flattenBlock(Block &block) {
  for (unsigned i = 0; i < block.getNumArguments(); ++i) {
    BlockArgument argument = block.getArgument(i);
    if (isFlat(argument.getType()))
      continue;
    arguments.push_back(argument);
    SmallVector<Value> &own = known[argument];
    for (Type type : partsOf(argument.getType()))
      own.push_back(block.insertArgument(++i, type, argument.getLoc()));
  }
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(flattenOperation(&op)))
      return failure();
  return success();
}

LogicalResult Flattening::run(func::FuncOp function) {
  flattenBoundary(function);
  for (Block &block : function.getBody())
    if (failed(flattenBlock(block)))
      return failure();
  for (Operation *op : llvm::reverse(replaced)) {
    op->dropAllUses();
    op->erase();
  }
  for (BlockArgument argument : llvm::reverse(arguments)) {
    argument.dropAllUses();
    argument.getOwner()->eraseArgument(argument.getArgNumber());
  }
  LDBG() << "flattened " << replaced.size() << " operations of "
         << function.getSymName();
  replaced.clear();
  arguments.clear();
  known.clear();
  return success();
}

namespace {

struct FlattenTuples
    : public tessera::importer::impl::FlattenTuplesBase<FlattenTuples> {
  void runOnOperation() override {
    Flattening flattening;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(flattening.run(function)))
        return signalPassFailure();
  }
};

} // namespace
