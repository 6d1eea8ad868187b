//===- ControlFlow.cpp - while, if and case become scf --------------------===//
//
// StableHLO's loops carry everything through their arguments. What the body
// hands on unchanged is used from outside instead, and a loop that only counts
// becomes `scf.for`.
//
// `scf` decides on scalars, tensors of rank 0 are converted with
// `tensor.extract` and `tensor.from_elements`.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// The scalar in `value`, a tensor of rank 0.
static Value extract(Conversion &c, Value value) {
  return tensor::ExtractOp::create(c.builder, value, ValueRange());
}

static bool isScalar(Type type, ElementKind kind) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 && elementKind(type) == kind;
}

static bool isNamed(Operation *op, StringRef name) {
  return op && op->getName().getStringRef() == name;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// `while (counter < bound) { ...; counter = counter + 1 }`
struct Counted {
  /// The number of the counter among the loop's arguments.
  unsigned counter;
  /// The bound before the loop: an argument that the body hands on, or a
  /// constant inside of the condition.
  Value bound;
};

/// A `stablehlo.while`.
class Loop {
public:
  Loop(Operation *op)
      : op(op), condition(op->getRegion(0).front()),
        body(op->getRegion(1).front()) {}

  LogicalResult check() const;
  /// Whether the body hands on argument `i` as it is.
  bool isInvariant(unsigned i) const {
    Value argument = body.getArgument(i),
          next = body.getTerminator()->getOperand(i);
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    return next == argument ||
           (type && type.getRank() == 0 && unconstrained(next) == argument);
  }
  /// What argument `i` is before the loop.
  Value start(unsigned i) const { return op->getOperand(i); }
  std::optional<Counted> recogniseCounted() const;

  Operation *op;
  Block &condition, &body;
};

} // namespace

/// Both regions take the operands' types, which the body gives back.
LogicalResult Loop::check() const {
  TypeRange types = op->getOperandTypes();
  bool agree = op->getResultTypes() == types &&
               condition.getArgumentTypes() == types &&
               body.getArgumentTypes() == types &&
               body.getTerminator()->getOperandTypes() == types;
  if (!agree)
    return emitError(op->getLoc())
           << "expected the types of the operands of 'stablehlo.while' as "
              "those of its results, of its regions' arguments and of what its "
              "body returns";
  Operation *end = condition.getTerminator();
  if (end->getNumOperands() != 1 ||
      !isScalar(end->getOperand(0).getType(), ElementKind::Bool))
    return emitError(op->getLoc())
           << "expected a tensor<i1> from the condition of 'stablehlo.while'";
  return success();
}

/// Whether `value` is `argument` plus one, computed in its block.
static bool isIncrement(Value value, BlockArgument argument) {
  Operation *add = unconstrained(value).getDefiningOp();
  if (!isNamed(add, "stablehlo.add") || add->getNumOperands() != 2)
    return false;
  Value left = unconstrained(add->getOperand(0)),
        right = unconstrained(add->getOperand(1));
  Value other = left == argument ? right : right == argument ? left : Value();
  Operation *constant = other ? other.getDefiningOp() : nullptr;
  if (!isNamed(constant, "stablehlo.constant"))
    return false;
  auto one = constant->getAttrOfType<DenseIntElementsAttr>("value");
  return one && one.isSplat() && one.getSplatValue<APInt>().isOne();
}

/// How the loop counts, if its condition is nothing but a comparison of a
/// counter with a bound that stays, and its body adds one to the counter.
std::optional<Counted> Loop::recogniseCounted() const {
  Operation *compare =
      unconstrained(condition.getTerminator()->getOperand(0)).getDefiningOp();
  if (!isNamed(compare, "stablehlo.compare") || compare->getNumOperands() != 2)
    return std::nullopt;
  for (Operation &other : condition)
    if (&other != compare && &other != condition.getTerminator() &&
        !isNamed(&other, "stablehlo.constant") &&
        !isNamed(&other, "sdy.sharding_constraint"))
      return std::nullopt;
  auto direction = compare->getAttrOfType<OpaqueAttr>("comparison_direction");
  if (!direction)
    return std::nullopt;
  Fallible<StringRef> name =
      parseEnumeration(direction.getAttrData(), "comparison_direction");
  if (!name || (*name != "LT" && *name != "GT"))
    return std::nullopt;
  bool isLess = *name == "LT";
  auto counter = dyn_cast<BlockArgument>(
      unconstrained(compare->getOperand(isLess ? 0 : 1)));
  Value bound = unconstrained(compare->getOperand(isLess ? 1 : 0));
  if (!counter || counter.getOwner() != &condition ||
      !isScalar(counter.getType(), ElementKind::Signed))
    return std::nullopt;
  unsigned i = counter.getArgNumber();
  if (!isIncrement(body.getTerminator()->getOperand(i), body.getArgument(i)))
    return std::nullopt;
  if (auto argument = dyn_cast<BlockArgument>(bound)) {
    if (argument.getOwner() == &condition &&
        !isInvariant(argument.getArgNumber()))
      return std::nullopt;
  }
  return Counted{i, bound};
}

/// Converts the body at the insertion point and appends what it yields for the
/// arguments numbered `carried`.
static LogicalResult convertLoopBody(const Loop &loop,
                                     ArrayRef<unsigned> carried, Conversion &c,
                                     SmallVectorImpl<Value> &yielded) {
  SmallVector<Value> all;
  if (failed(c.convertBody(loop.body, all)))
    return failure();
  for (unsigned i : carried)
    yielded.push_back(all[i]);
  return success();
}

/// Makes of a loop with a counter an `scf.for` from the counter's start to its
/// bound; values that the body passes on unchanged are not carried. The
/// counter's result is the larger of start and bound, as a loop without trips
/// leaves it where it was.
static LogicalResult convertCounted(const Loop &loop, const Counted &counted,
                                    ValueRange operands, Conversion &c,
                                    MutableArrayRef<Value> results) {
  ImplicitLocOpBuilder &b = c.builder;
  SmallVector<unsigned> carried;
  SmallVector<Value> inits;
  for (unsigned i = 0; i < operands.size(); ++i) {
    if (loop.isInvariant(i)) {
      results[i] = operands[i];
      c.map(loop.condition.getArgument(i), operands[i]);
      c.map(loop.body.getArgument(i), operands[i]);
    } else if (i != counted.counter) {
      carried.push_back(i);
      inits.push_back(operands[i]);
    }
  }
  // The condition computes nothing but constants, which may stand outside.
  for (Operation &op : loop.condition)
    if (isNamed(&op, "stablehlo.constant") && failed(c.convertOp(op)))
      return failure();
  Value bound = c.lookup(counted.bound),
        init = c.lookup(unconstrained(loop.start(counted.counter)));
  auto scalar = cast<RankedTensorType>(init.getType());
  Value one = arith::ConstantOp::create(
      b, b.getIntegerAttr(scalar.getElementType(), 1));
  auto loopOp =
      scf::ForOp::create(b, extract(c, init), extract(c, bound), one, inits);
  results[counted.counter] = arith::MaxSIOp::create(b, init, bound);
  OpBuilder::InsertionGuard guard(b);
  Block *body = loopOp.getBody();
  if (!body->empty())
    body->back().erase();
  b.setInsertionPointToEnd(body);
  c.map(loop.body.getArgument(counted.counter),
        tensor::FromElementsOp::create(b, scalar,
                                       ValueRange(loopOp.getInductionVar())));
  for (auto [i, argument, result] : llvm::zip_equal(
           carried, loopOp.getRegionIterArgs(), loopOp.getResults())) {
    c.map(loop.body.getArgument(i), argument);
    results[i] = result;
  }
  SmallVector<Value> yielded;
  if (failed(convertLoopBody(loop, carried, c, yielded)))
    return failure();
  scf::YieldOp::create(b, yielded);
  return success();
}

/// Makes of any loop an `scf.while` that carries what the body changes; what it
/// passes on unchanged stays outside.
static LogicalResult convertGeneral(const Loop &loop, ValueRange operands,
                                    Conversion &c,
                                    MutableArrayRef<Value> results) {
  ImplicitLocOpBuilder &b = c.builder;
  SmallVector<unsigned> carried;
  SmallVector<Value> inits;
  SmallVector<Location> locations;
  for (unsigned i = 0; i < operands.size(); ++i) {
    if (loop.isInvariant(i)) {
      results[i] = operands[i];
      c.map(loop.condition.getArgument(i), operands[i]);
      c.map(loop.body.getArgument(i), operands[i]);
    } else {
      carried.push_back(i);
      inits.push_back(operands[i]);
      locations.push_back(loop.body.getArgument(i).getLoc());
    }
  }
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto loopOp = scf::WhileOp::create(b, types, inits);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loopOp.getBefore(), {}, types, locations);
  Block *after = b.createBlock(&loopOp.getAfter(), {}, types, locations);
  for (auto [n, i] : llvm::enumerate(carried)) {
    c.map(loop.condition.getArgument(i), before->getArgument(n));
    c.map(loop.body.getArgument(i), after->getArgument(n));
    results[i] = loopOp.getResult(n);
  }
  b.setInsertionPointToEnd(before);
  SmallVector<Value> condition, yielded;
  if (failed(c.convertBody(loop.condition, condition)))
    return failure();
  scf::ConditionOp::create(b, extract(c, condition.front()),
                           before->getArguments());
  b.setInsertionPointToEnd(after);
  if (failed(convertLoopBody(loop, carried, c, yielded)))
    return failure();
  scf::YieldOp::create(b, yielded);
  return success();
}

static LogicalResult convertWhile(Operation *op, ValueRange operands,
                                  Conversion &c,
                                  SmallVectorImpl<Value> &results) {
  Loop loop(op);
  if (failed(loop.check()))
    return failure();
  results.resize(operands.size());
  if (std::optional<Counted> counted = loop.recogniseCounted())
    return convertCounted(loop, *counted, operands, c, results);
  return convertGeneral(loop, operands, c, results);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Converts the region number `source` of `op` at the insertion point, and
/// appends what it returns to `results`.
static LogicalResult convertBranch(Operation *op, unsigned source,
                                   Conversion &c,
                                   SmallVectorImpl<Value> &results) {
  Block &block = op->getRegion(source).front();
  if (block.getNumArguments() != 0 ||
      block.getTerminator()->getOperandTypes() != op->getResultTypes())
    return emitError(op->getLoc())
           << "expected branches without arguments that return the types of "
              "the results of '"
           << op->getName() << "'";
  return c.convertBody(block, results);
}

/// Converts the region number `source` of `op` into the empty region `target`.
static LogicalResult convertBranch(Operation *op, unsigned source,
                                   Region &target, Conversion &c) {
  ImplicitLocOpBuilder &b = c.builder;
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&target);
  SmallVector<Value> yielded;
  if (failed(convertBranch(op, source, c, yielded)))
    return failure();
  scf::YieldOp::create(b, yielded);
  return success();
}

/// Appends the results of a branch to region `onTrue` or `onFalse` of `op`.
static LogicalResult branch(Operation *op, Value condition, unsigned onTrue,
                            unsigned onFalse, Conversion &c,
                            SmallVectorImpl<Value> &results) {
  FailureOr<SmallVector<Type>> types =
      c.convertTypes(op->getResultTypes(), op->getLoc());
  if (failed(types))
    return failure();
  auto choice = scf::IfOp::create(c.builder, *types, extract(c, condition));
  llvm::append_range(results, choice.getResults());
  return failure(failed(convertBranch(op, onTrue, choice.getThenRegion(), c)) ||
                 failed(convertBranch(op, onFalse, choice.getElseRegion(), c)));
}

static LogicalResult convertIf(Operation *op, ValueRange operands,
                               Conversion &c, SmallVectorImpl<Value> &results) {
  if (!isScalar(op->getOperand(0).getType(), ElementKind::Bool))
    return emitError(op->getLoc())
           << "expected a tensor<i1> as condition of 'stablehlo.if', got "
           << op->getOperand(0).getType();
  return branch(op, operands[0], 0, 1, c, results);
}

/// An index outside of the branches takes the last one.
static LogicalResult convertCase(Operation *op, ValueRange operands,
                                 Conversion &c,
                                 SmallVectorImpl<Value> &results) {
  ImplicitLocOpBuilder &b = c.builder;
  Value index = operands[0];
  unsigned last = op->getNumRegions() - 1;
  if (!isScalar(op->getOperand(0).getType(), ElementKind::Signed) ||
      op->getNumRegions() == 0)
    return emitError(op->getLoc())
           << "expected a scalar integer and branches of 'stablehlo.case'";
  Operation *source = op->getOperand(0).getDefiningOp();
  if (last == 1 && isNamed(source, "stablehlo.convert") &&
      isScalar(source->getOperand(0).getType(), ElementKind::Bool))
    return branch(op, c.lookup(source->getOperand(0)), 1, 0, c, results);
  // A choice that is known while the model is traced.
  if (auto known = dyn_cast_or_null<IntegerAttr>(constantElement(index))) {
    int64_t chosen = known.getValue().getSExtValue();
    return convertBranch(op, chosen >= 0 && chosen < last ? chosen : last, c,
                         results);
  }
  FailureOr<SmallVector<Type>> types =
      c.convertTypes(op->getResultTypes(), op->getLoc());
  if (failed(types))
    return failure();
  Value number =
      arith::IndexCastOp::create(b, b.getIndexType(), extract(c, index));
  auto cases = llvm::to_vector(llvm::seq<int64_t>(last));
  auto choice = scf::IndexSwitchOp::create(b, *types, number, cases, last);
  llvm::append_range(results, choice.getResults());
  for (unsigned i = 0; i < last; ++i)
    if (failed(convertBranch(op, i, choice.getCaseRegions()[i], c)))
      return failure();
  return convertBranch(op, last, choice.getDefaultRegion(), c);
}

void tessera::importer::addControlFlow(ConversionTable &table) {
  static constexpr int kAny = OpConversion::kAny;
  static const OpConversion rows[] = {
      {"stablehlo.while", convertWhile, kAny, kAny, 2},
      {"stablehlo.if", convertIf, 1, kAny, 2},
      {"stablehlo.case", convertCase, 1, kAny, kAny},
  };
  addRows(table, rows);
}
