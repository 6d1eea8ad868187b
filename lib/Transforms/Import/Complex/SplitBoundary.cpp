//===- SplitBoundary.cpp - what is complex for the outside world
//-----------===//
//
// An argument or result of `@main` stays one tensor, with the parts of its
// numbers in a last dimension of 2: what lies in memory does not change.
// Private functions take and give both parts.
//
//===----------------------------------------------------------------------===//

#include "Complex/ComplexSplitter.h"

#include "Conversions/Calls/ForeignCall.h"

#include "tessera/Dialect/Tessera/ComplexBoundary.h"
#include "tessera/Transforms/Import/Conversions/Unsupported.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// The type of a tensor of complex numbers of `type` in memory.
static RankedTensorType packedType(Type type) {
  RankedTensorType part = partType(type);
  SmallVector<int64_t> shape(part.getShape());
  shape.push_back(2);
  return part.clone(shape);
}

/// The numbers with `last` behind them, for a `stablehlo.slice`.
static DenseI64ArrayAttr withLast(OpBuilder &builder,
                                  SmallVector<int64_t> values, int64_t last) {
  values.push_back(last);
  return builder.getDenseI64ArrayAttr(values);
}

Parts ComplexSplitter::unpack(Value packed, Location place) {
  auto type = cast<RankedTensorType>(packed.getType());
  SmallVector<int64_t> shape(type.getShape().drop_back());
  auto take = [&](int64_t number) {
    SmallVector<int64_t> sizes = shape;
    sizes.push_back(1);
    SmallVector<int64_t> zeros(shape.size(), 0), ones(shape.size(), 1);
    Operation *slice = createForeign(
        builder, place, "stablehlo.slice", packed, type.clone(sizes),
        {builder.getNamedAttr("start_indices",
                              withLast(builder, zeros, number)),
         builder.getNamedAttr("limit_indices",
                              withLast(builder, shape, number + 1)),
         builder.getNamedAttr("strides", withLast(builder, ones, 1))});
    return createForeign(builder, place, "stablehlo.reshape",
                         slice->getResult(0), type.clone(shape))
        ->getResult(0);
  };
  Value re = take(0);
  return {re, take(1)};
}

Value ComplexSplitter::pack(Parts value, Location place) {
  auto type = cast<RankedTensorType>(value.re.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(1);
  auto stand = [&](Value part) {
    return createForeign(builder, place, "stablehlo.reshape", part,
                         type.clone(shape))
        ->getResult(0);
  };
  Value re = stand(value.re), im = stand(value.im);
  shape.back() = 2;
  return createForeign(
             builder, place, "stablehlo.concatenate", {re, im},
             type.clone(shape),
             builder.getNamedAttr("dimension",
                                  builder.getI64IntegerAttr(type.getRank())))
      ->getResult(0);
}

/// The operation gets and gives pairs, and says in an attribute what they are.
/// What it asks for of its results' shardings holds for the pairs.
bool ComplexSplitter::splitPacked(Operation *op) {
  bool isCall = op->getName().getStringRef() == kRoutineCall;
  if (op->getNumRegions() != 0 || (isCall && !isRoutineCall(op)))
    return false;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Parts found = lookup(operand);
    operands.push_back(found.re ? pack(found, op->getLoc()) : operand);
  }
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(isComplex(type) ? packedType(type) : type);
  Operation *packed = copy(op, operands, types);
  auto signature = FunctionType::get(op->getContext(), op->getOperandTypes(),
                                     op->getResultTypes());
  packed->setDiscardableAttr(kForeignSignature, TypeAttr::get(signature));
  if (auto shardings =
          shardingsOfValues(op->getDiscardableAttr(kForeignSharding));
      succeeded(shardings) && shardings->size() == types.size() &&
      !types.empty()) {
    for (auto [sharding, type] :
         llvm::zip_equal(*shardings, op->getResultTypes()))
      if (isComplex(type))
        sharding = addPartsDimension(sharding);
    packed->setDiscardableAttr(kForeignSharding, listShardings(*shardings));
  }
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), packed->getResults()))
    if (isComplex(result.getType()))
      map(result, unpack(value, op->getLoc()));
    else
      result.replaceAllUsesWith(value);
  return true;
}

/// `attributes` of a complex argument or result of `@main`, for what packs it.
static DictionaryAttr packedAttributes(DictionaryAttr attributes,
                                       MLIRContext *context) {
  NamedAttrList packed(attributes);
  if (Attribute sharding = packed.get(kForeignSharding))
    packed.set(kForeignSharding, addPartsDimension(sharding));
  packed.set(kComplexAttr, UnitAttr::get(context));
  return packed.getDictionary(context);
}

/// The attributes of values of `types`, where `attributesOf` gives those of one
/// and `pack` what becomes of a complex one's.
static SmallVector<DictionaryAttr>
boundaryAttributes(TypeRange types, bool isMain, MLIRContext *context,
                   llvm::function_ref<DictionaryAttr(unsigned)> attributesOf) {
  SmallVector<DictionaryAttr> all;
  for (auto [i, type] : llvm::enumerate(types)) {
    DictionaryAttr attributes = attributesOf(i);
    if (!attributes)
      attributes = DictionaryAttr::get(context);
    if (!isComplex(type))
      all.push_back(attributes);
    else if (isMain)
      all.push_back(packedAttributes(attributes, context));
    else
      all.append(2, attributes);
  }
  return all;
}

/// Gives `@main` arguments and results that are packed.
void ComplexSplitter::splitBoundary(func::FuncOp main) {
  Block &body = main.getBody().front();
  builder.setInsertionPointToStart(&body);
  SmallVector<BlockArgument> old(body.getArguments());
  for (BlockArgument argument : old) {
    Type type = argument.getType();
    Value added = body.addArgument(isComplex(type) ? packedType(type) : type,
                                   argument.getLoc());
    if (isComplex(type))
      map(argument, unpack(added, locationOfArgument(argument)));
    else
      argument.replaceAllUsesWith(added);
  }
  splitBlock(body);
  body.eraseArguments(0, old.size());
}

void ComplexSplitter::splitFunction(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  SmallVector<Type> inputs(function.getArgumentTypes()),
      outputs(function.getResultTypes());
  bool isMain = function.getSymName() == "main";
  SmallVector<DictionaryAttr> arguments =
      boundaryAttributes(inputs, isMain, context, [&](unsigned i) {
        return function.getArgAttrDict(i);
      });
  SmallVector<DictionaryAttr> results =
      boundaryAttributes(outputs, isMain, context, [&](unsigned i) {
        return function.getResultAttrDict(i);
      });
  if (isMain)
    splitBoundary(function);
  else
    for (Block &block : function.getBody())
      splitArguments(block, /*inPairs=*/false);
  auto packed = [](ArrayRef<Type> types) {
    return llvm::map_to_vector(types, [](Type type) -> Type {
      return isComplex(type) ? packedType(type) : type;
    });
  };
  function.setFunctionType(
      isMain ? FunctionType::get(context, packed(inputs), packed(outputs))
             : FunctionType::get(context, expand(TypeRange(inputs)),
                                 expand(TypeRange(outputs))));
  function.setAllArgAttrs(arguments);
  function.setAllResultAttrs(results);
}
