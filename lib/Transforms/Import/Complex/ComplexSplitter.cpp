//===- ComplexSplitter.cpp - pairs of real tensors for complex ones
//--------===//

#include "Complex/ComplexSplitter.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

bool tessera::importer::isComplex(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto element =
      tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
  return element && tensor.hasStaticShape() &&
         isa<FloatType>(element.getElementType());
}

RankedTensorType tessera::importer::partType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.clone(
      cast<ComplexType>(tensor.getElementType()).getElementType());
}

SmallVector<Value> ComplexSplitter::expand(ValueRange values) const {
  SmallVector<Value> expanded;
  for (Value value : values) {
    if (Parts found = lookup(value); found.re)
      expanded.append({found.re, found.im});
    else
      expanded.push_back(value);
  }
  return expanded;
}

SmallVector<Type> ComplexSplitter::expand(TypeRange types) {
  SmallVector<Type> expanded;
  for (Type type : types)
    if (isComplex(type))
      expanded.append(2, partType(type));
    else
      expanded.push_back(type);
  return expanded;
}

Operation *ComplexSplitter::copy(Operation *op, ValueRange operands,
                                 TypeRange types) {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(types);
  if (op->getName().isRegistered()) {
    state.addAttributes(op->getAttrs());
  } else {
    state.propertiesAttr = op->getPropertiesAsAttribute();
    state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  }
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  return builder.create(state);
}

void ComplexSplitter::replace(Operation *op, ValueRange results) {
  for (Value result : op->getResults()) {
    if (isComplex(result.getType())) {
      map(result, {results[0], results[1]});
      results = results.drop_front(2);
    } else {
      result.replaceAllUsesWith(results.front());
      results = results.drop_front();
    }
  }
}

/// Leaves `op` as it is, between operations that make complex numbers and take
/// them apart.
void ComplexSplitter::keep(Operation *op) {
  llvm::DenseMap<Value, Value> made;
  op->walk([&](Operation *nested) {
    for (OpOperand &operand : nested->getOpOperands()) {
      Parts found = lookup(operand.get());
      if (!found.re)
        continue;
      Value &whole = made[operand.get()];
      if (!whole)
        whole = createForeign(builder, op->getLoc(), "stablehlo.complex",
                              {found.re, found.im}, operand.get().getType())
                    ->getResult(0);
      operand.set(whole);
    }
  });
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    if (!isComplex(result.getType()))
      continue;
    auto part = [&](StringRef name) {
      return createForeign(builder, op->getLoc(), name, result,
                           partType(result.getType()))
          ->getResult(0);
    };
    map(result, {part("stablehlo.real"), part("stablehlo.imag")});
  }
}

/// Gives what replaced the results of `op` the shardings that it asks for.
void ComplexSplitter::constrainParts(Operation *op) {
  FailureOr<SmallVector<Attribute>> shardings =
      shardingsOfValues(op->getDiscardableAttr(kForeignSharding));
  if (failed(shardings) || shardings->size() != op->getNumResults())
    return;
  for (auto [result, sharding] :
       llvm::zip_equal(op->getResults(), *shardings)) {
    auto constrained = [&, sharding = sharding](Value value) {
      return createForeign(builder, op->getLoc(), "sdy.sharding_constraint",
                           value, value.getType(),
                           builder.getNamedAttr("sharding", sharding))
          ->getResult(0);
    };
    if (Parts found = lookup(result); found.re)
      map(result, {constrained(found.re), constrained(found.im)});
  }
}

bool ComplexSplitter::splitByRow(Operation *op) {
  const SplitRow *row = findSplitRow(op->getName().getStringRef());
  if (!row)
    return false;
  switch (row->form) {
  case SplitRow::Form::Parts:
    return splitParts(op);
  case SplitRow::Form::SideBySide:
    return splitSideBySide(op);
  case SplitRow::Form::Reduction:
    return splitReduction(op, /*mayCarryBoth=*/true);
  case SplitRow::Form::SeparateReduction:
    return splitReduction(op, /*mayCarryBoth=*/false);
  case SplitRow::Form::Sort:
    return splitSort(op);
  case SplitRow::Form::Packed:
    return splitPacked(op);
  case SplitRow::Form::Formula:
    if (op->getNumRegions() != 0 || op->getNumResults() != 1 ||
        !row->formula(op, *this))
      return false;
    constrainParts(op);
    return true;
  }
  llvm_unreachable("all forms are above");
}

/// What `@main` gives is packed.
void ComplexSplitter::splitTerminator(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  if (!function || function.getSymName() != "main")
    return op->setOperands(expand(op->getOperands()));
  for (OpOperand &operand : op->getOpOperands())
    if (Parts found = lookup(operand.get()); found.re)
      operand.set(pack(found, op->getLoc()));
}

void ComplexSplitter::splitOp(Operation *op) {
  builder.setInsertionPoint(op);
  // A foreign terminator is not known to be one.
  if (op == &op->getBlock()->back())
    return splitTerminator(op);
  bool isTouched = llvm::any_of(op->getOperandTypes(), isComplex) ||
                   llvm::any_of(op->getResultTypes(), isComplex);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      isTouched |= llvm::any_of(block.getArgumentTypes(), isComplex);
  if (isTouched) {
    if (splitByRow(op))
      replaced.push_back(op);
    else
      keep(op);
    return;
  }
  for (Region &region : op->getRegions())
    for (Block &block : region)
      splitBlock(block);
}

/// All users of what is replaced in a block stand in it, or in it inside of
/// what is replaced: it can be erased at the end of the block.
void ComplexSplitter::splitBlock(Block &block) {
  size_t before = replaced.size();
  for (Operation &op : llvm::make_early_inc_range(block))
    splitOp(&op);
  while (replaced.size() > before)
    replaced.pop_back_val()->erase();
}

/// What has several blocks is left for the conversion to refuse.
void ComplexSplitter::run() {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && !function.getBody().hasOneBlock())
      return;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      splitFunction(function);
}
