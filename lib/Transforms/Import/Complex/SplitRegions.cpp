//===- SplitRegions.cpp - operations with bodies, on pairs
//-----------------===//

#include "Complex/ComplexSplitter.h"

#include "Conversions/AttributeText.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

static Attribute foreignSharding(MLIRContext *context, const Twine &text) {
  return OpaqueAttr::get(StringAttr::get(context, "sdy"), text.str(),
                         NoneType::get(context));
}

FailureOr<SmallVector<Attribute>>
tessera::importer::shardingsOfValues(Attribute attribute) {
  auto opaque = dyn_cast_or_null<OpaqueAttr>(attribute);
  if (!opaque)
    return failure();
  Fallible<SmallVector<StringRef>> texts =
      splitShardingPerValue(opaque.getAttrData());
  if (!texts)
    return failure();
  return llvm::map_to_vector(*texts, [&](StringRef text) {
    return foreignSharding(attribute.getContext(), "sharding" + text);
  });
}

Attribute tessera::importer::listShardings(ArrayRef<Attribute> shardings) {
  std::string text;
  for (Attribute sharding : shardings) {
    StringRef one = cast<OpaqueAttr>(sharding).getAttrData();
    one.consume_front("sharding");
    text += (text.empty() ? "" : ", ") + one.str();
  }
  return foreignSharding(shardings.front().getContext(),
                         "sharding_per_value<[" + text + "]>");
}

Attribute tessera::importer::repeatShardings(Attribute attribute,
                                             TypeRange types) {
  FailureOr<SmallVector<Attribute>> shardings = shardingsOfValues(attribute);
  if (failed(shardings) || shardings->size() != types.size() ||
      shardings->empty())
    return attribute;
  SmallVector<Attribute> repeated;
  for (auto [sharding, type] : llvm::zip_equal(*shardings, types))
    repeated.append(isComplex(type) ? 2 : 1, sharding);
  return listShardings(repeated);
}

/// The dimensions are the first list that is not part of a mesh.
Attribute tessera::importer::addPartsDimension(Attribute attribute) {
  auto opaque = dyn_cast<OpaqueAttr>(attribute);
  StringRef text = opaque ? opaque.getAttrData() : "";
  bool quoted = false;
  int angles = 0, brackets = 0;
  for (auto [i, c] : llvm::enumerate(text)) {
    if (c == '"')
      quoted = !quoted;
    if (quoted)
      continue;
    angles += (c == '<') - (c == '>');
    if (angles != 1)
      continue;
    brackets += (c == '[') - (c == ']');
    if (c != ']' || brackets != 0)
      continue;
    StringRef before = text.take_front(i);
    return foreignSharding(attribute.getContext(),
                           before + (before.ends_with("[") ? "{}" : ", {}") +
                               text.drop_front(i));
  }
  return attribute;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Adds arguments for the parts of complex ones of `block`: both parts of one
/// after the other, or, `inPairs`, the real parts of two before their imaginary
/// parts.
void ComplexSplitter::splitArguments(Block &block, bool inPairs) {
  SmallVector<BlockArgument> old(block.getArguments());
  auto add = [&](BlockArgument whole) {
    return block.addArgument(partType(whole.getType()), whole.getLoc());
  };
  for (size_t i = 0; i < old.size(); ++i) {
    if (!isComplex(old[i].getType())) {
      old[i].replaceAllUsesWith(
          block.addArgument(old[i].getType(), old[i].getLoc()));
    } else if (inPairs && i + 1 < old.size() &&
               isComplex(old[i + 1].getType())) {
      Value re = add(old[i]), otherRe = add(old[i + 1]);
      Value im = add(old[i]), otherIm = add(old[i + 1]);
      map(old[i], {re, im});
      map(old[i + 1], {otherRe, otherIm});
      ++i;
    } else {
      Value re = add(old[i]);
      map(old[i], {re, add(old[i])});
    }
  }
  splitBlock(block);
  block.eraseArguments(0, old.size());
}

/// A copy of `op` on parts, with its regions, of which the parts are split.
Operation *ComplexSplitter::copyWithRegions(Operation *op, bool inPairs) {
  Operation *copied =
      copy(op, expand(op->getOperands()), expand(op->getResultTypes()));
  if (Attribute shardings = op->getDiscardableAttr(kForeignSharding))
    copied->setDiscardableAttr(
        kForeignSharding, repeatShardings(shardings, op->getResultTypes()));
  OpBuilder::InsertionGuard guard(builder);
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), copied->getRegions())) {
    to.takeBody(from);
    for (Block &block : to)
      splitArguments(block, inPairs);
  }
  return copied;
}

/// A manual computation has shardings of its own.
static void repeatManualShardings(Operation *from, Operation *to) {
  auto properties =
      dyn_cast_or_null<DictionaryAttr>(from->getPropertiesAsAttribute());
  if (from->getName().isRegistered() || !properties)
    return;
  NamedAttrList repeated(properties);
  for (auto [name, types] :
       {std::pair("in_shardings", TypeRange(from->getOperandTypes())),
        std::pair("out_shardings", TypeRange(from->getResultTypes()))})
    if (Attribute shardings = properties.get(name))
      repeated.set(name, repeatShardings(shardings, types));
  (void)to->setPropertiesFromAttribute(
      repeated.getDictionary(from->getContext()),
      [&] { return emitError(from->getLoc()); });
}

bool ComplexSplitter::splitSideBySide(Operation *op) {
  Operation *copied = copyWithRegions(op);
  repeatManualShardings(op, copied);
  replace(op, copied->getResults());
  return true;
}

bool ComplexSplitter::splitSort(Operation *op) {
  replace(op, copyWithRegions(op, /*inPairs=*/true)->getResults());
  return true;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The operands of `op`, one of `count` reductions side by side, that belong to
/// reduction `number`: a value and an initial one, or what a scatter changes,
/// where, and by what.
static SmallVector<Value> operandsOf(Operation *op, unsigned number,
                                     unsigned count) {
  SmallVector<Value> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    bool isShared = i == count && op->getNumOperands() == 2 * count + 1;
    if (isShared || (i < count ? i
                     : op->getNumOperands() - count <= i
                         ? i - (op->getNumOperands() - count)
                         : count) == number)
      operands.push_back(op->getOperand(i));
  }
  return operands;
}

/// Whether `value` is computed from no other arguments of `block` than the two
/// of reduction `number` of `count`.
static bool isOfReduction(Value value, Block &block, unsigned number,
                          unsigned count) {
  SmallVector<Value> pending = {value};
  llvm::DenseSet<Value> seen = {value};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (argument.getOwner() == &block &&
          argument.getArgNumber() % count != number)
        return false;
      continue;
    }
    if (next.getDefiningOp()->getNumRegions() != 0)
      return false;
    for (Value operand : next.getDefiningOp()->getOperands())
      if (seen.insert(operand).second)
        pending.push_back(operand);
  }
  return true;
}

/// Leaves of `block`, the body of `count` reductions, only number `number`.
static void keepReduction(Block &block, unsigned number, unsigned count) {
  Operation &end = block.back();
  end.setOperands(end.getOperand(number));
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(block.getOperations())))
    if (&op != &end && op.use_empty())
      op.erase();
  for (unsigned i = block.getNumArguments(); i-- > 0;)
    if (i % count != number)
      block.eraseArgument(i);
}

/// Whether the body of `both`, two reductions for each of one, computes no part
/// from another one. The body of a collective is that of one operand.
static bool isSeparable(Operation *both) {
  Block &body = both->getRegion(0).front();
  unsigned count = both->getNumResults();
  Operation &end = body.back();
  if (end.getNumOperands() != count || body.getNumArguments() != 2 * count)
    return false;
  for (unsigned i = 0; i < count; ++i)
    if (!isOfReduction(end.getOperand(i), body, i, count))
      return false;
  return true;
}

/// One operation for each result of `both`, of which the body is separable.
static SmallVector<Value> separate(ComplexSplitter &s, Operation *both) {
  unsigned count = both->getNumResults();
  FailureOr<SmallVector<Attribute>> shardings =
      shardingsOfValues(both->getDiscardableAttr(kForeignSharding));
  SmallVector<Value> results;
  for (unsigned i = 0; i < count; ++i) {
    Operation *one =
        s.copy(both, operandsOf(both, i, count), both->getResult(i).getType());
    if (succeeded(shardings) && shardings->size() == count)
      one->setDiscardableAttr(kForeignSharding, listShardings((*shardings)[i]));
    IRMapping mapping;
    both->getRegion(0).cloneInto(&one->getRegion(0), mapping);
    keepReduction(one->getRegion(0).front(), i, count);
    results.push_back(one->getResult(0));
  }
  return results;
}

bool ComplexSplitter::splitReduction(Operation *op, bool mayCarryBoth) {
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock() ||
      op->getRegion(0).front().empty())
    return false;
  // Splitting consumes a body, which may be needed as it is.
  Operation *trial = builder.clone(*op);
  Operation *both = copyWithRegions(trial);
  trial->erase();
  bool isSplit = isSeparable(both);
  if (isSplit)
    replace(op, separate(*this, both));
  else if (mayCarryBoth)
    return replace(op, both->getResults()), true;
  both->erase();
  return isSplit;
}
