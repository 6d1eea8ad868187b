//===- ParameterUses.cpp - what a model does with a parameter -------------===//

#include "ParameterUses.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/ShardingRuleInterface.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

/// A dimension of an argument.
struct ArgumentDim {
  unsigned argument, dim;
  bool operator==(const ArgumentDim &other) const {
    return argument == other.argument && dim == other.dim;
  }
};

/// Where the dimensions of a value come from.
struct ValueDims {
  /// Per dimension those of the argument that the value is, moved or converted;
  /// empty lists for all others.
  SmallVector<SmallVector<ArgumentDim, 1>> own;
  /// Per dimension what the product that the value comes from does with it in
  /// an argument: free, a batch, or none.
  SmallVector<DimUse> product;

  explicit ValueDims(int64_t rank = 0)
      : own(rank), product(rank, DimUse::None) {}
  bool isArgument() const {
    return llvm::any_of(own, [](auto &dims) { return !dims.empty(); });
  }
  bool isOfProduct() const {
    return llvm::any_of(product,
                        [](DimUse use) { return use != DimUse::None; });
  }
  bool isTracked() const { return isArgument() || isOfProduct(); }
};

/// The walk over one function.
class UseFinder {
public:
  explicit UseFinder(func::FuncOp function);
  SmallVector<ParameterUse> run();

private:
  void visit(Operation *op);
  void handOver(Operation *op, Operation *dataFlow);
  void consume(Operation *op, const ShardingRule &rule, unsigned operand);
  void meetProduct(Operation *op, const ShardingRule &rule, unsigned operand);
  void passOn(Operation *op, const ShardingRule &rule, unsigned operand,
              bool isMove);
  void markProduct(Operation *op, const ShardingRule &rule, unsigned operand);
  ParameterUse *openUse(const ValueDims &dims);
  ValueDims &dimsOf(Value value);

  func::FuncOp function;
  SmallVector<ParameterUse> uses;
  DenseMap<Value, ValueDims> known;
};

} // namespace

static int64_t rankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

static int64_t elementsOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getNumElements() : 1;
}

UseFinder::UseFinder(func::FuncOp function)
    : function(function), uses(function.getNumArguments()) {
  for (BlockArgument argument : function.getArguments()) {
    ValueDims &dims = dimsOf(argument);
    for (unsigned dim = 0; dim < dims.own.size(); ++dim)
      dims.own[dim].push_back({argument.getArgNumber(), dim});
    ParameterUse &use = uses[argument.getArgNumber()];
    use.dims.assign(dims.own.size(), DimUse::None);
    use.elements = elementsOf(argument);
  }
}

ValueDims &UseFinder::dimsOf(Value value) {
  return known.try_emplace(value, rankOf(value)).first->second;
}

/// The use of the argument that a value with `dims` is, if it has none yet.
ParameterUse *UseFinder::openUse(const ValueDims &dims) {
  for (auto &from : dims.own)
    if (!from.empty()) {
      ParameterUse &use = uses[from.front().argument];
      return use.consumer ? nullptr : &use;
    }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// What a rule says of an operand
//===----------------------------------------------------------------------===//

/// Whether a tensor other than `operand` has `factor` among the operands.
static bool isShared(const ShardingRule &rule, unsigned operand,
                     FactorId factor) {
  for (auto [number, other] : llvm::enumerate(rule.operands))
    if (number != operand && other.contains(factor))
      return true;
  return false;
}

static bool haveCommon(ArrayRef<FactorId> some, ArrayRef<FactorId> others) {
  return llvm::any_of(some, [&](FactorId factor) {
    return llvm::is_contained(others, factor);
  });
}

static bool isInResults(const ShardingRule &rule, FactorId factor) {
  return llvm::any_of(rule.results, [&](const TensorFactors &result) {
    return result.contains(factor);
  });
}

/// What the operation does with a dimension of `operand` that is `factor`.
static DimUse useOf(const ShardingRule &rule, unsigned operand,
                    FactorId factor) {
  bool shared = isShared(rule, operand, factor);
  if (rule.factors[factor].kind == FactorKind::Reduction)
    return shared ? DimUse::Contracted : DimUse::LookedUp;
  if (!isInResults(rule, factor))
    return DimUse::None;
  return shared ? DimUse::Batch : DimUse::Free;
}

/// Whether the operation is a product of `operand` with another one.
static bool isProduct(const ShardingRule &rule, unsigned operand) {
  return llvm::any_of(
      llvm::seq<FactorId>(0, rule.factors.size()), [&](FactorId factor) {
        return rule.operands[operand].contains(factor) &&
               useOf(rule, operand, factor) == DimUse::Contracted;
      });
}

/// Whether the operation looks up elements of `operand` at places that another
/// operand has along dimensions of the result.
static bool isLookUp(const ShardingRule &rule, unsigned operand) {
  bool isLookedUp = false, hasPlaces = false;
  for (FactorId factor = 0; factor < rule.factors.size(); ++factor) {
    bool has = rule.operands[operand].contains(factor);
    isLookedUp |= has && useOf(rule, operand, factor) == DimUse::LookedUp;
    hasPlaces |=
        !has && isShared(rule, operand, factor) && isInResults(rule, factor);
  }
  return isLookedUp && hasPlaces;
}

/// Whether `op` only moves or converts `operand`: all else that it takes are
/// scalars or constants.
static bool onlyMoves(Operation *op, unsigned operand) {
  for (OpOperand &other : op->getOpOperands())
    if (other.getOperandNumber() != operand && rankOf(other.get()) > 0 &&
        !matchPattern(other.get(), m_Constant())) {
      // A scalar that has been repeated is one still.
      Operation *maker = other.get().getDefiningOp();
      bool isScalar = maker && maker->getNumOperands() == 1 &&
                      rankOf(maker->getOperand(0)) == 0;
      if (!isScalar)
        return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// The product or look-up `op` is what `operand` is for.
void UseFinder::consume(Operation *op, const ShardingRule &rule,
                        unsigned operand) {
  const ValueDims &dims = dimsOf(op->getOperand(operand));
  ParameterUse *use = openUse(dims);
  if (!use)
    return;
  use->consumer = op;
  for (auto [from, factors] :
       llvm::zip_equal(dims.own, rule.operands[operand].dims))
    for (const ArgumentDim &dim : from)
      for (FactorId factor : llvm::reverse(factors))
        use->dims[dim.dim] = useOf(rule, operand, factor);
}

/// If `op` takes `operand`, an argument, beside the result of a product, as it
/// takes a bias or a scale, it is what the argument is for. What is as large as
/// the product is a moment beside a gradient.
void UseFinder::meetProduct(Operation *op, const ShardingRule &rule,
                            unsigned operand) {
  const ValueDims &dims = dimsOf(op->getOperand(operand));
  ParameterUse *use = openUse(dims);
  if (!use || op->getNumResults() != 1 ||
      elementsOf(op->getResult(0)) <= use->elements)
    return;
  for (auto [number, value] : llvm::enumerate(op->getOperands())) {
    auto other = known.find(value);
    if (number == operand || other == known.end() ||
        !other->second.isOfProduct())
      continue;
    use->consumer = op;
    use->isBeside = true;
    for (auto [from, factors] :
         llvm::zip_equal(dims.own, rule.operands[operand].dims))
      for (const ArgumentDim &dim : from)
        for (auto [of, others] :
             llvm::zip_equal(other->second.product, rule.operands[number].dims))
          if (of != DimUse::None && haveCommon(factors, others))
            use->dims[dim.dim] = of;
    return;
  }
}

/// The results' dimensions come from where the operand's do; they stay those of
/// an argument if the operation is a move.
void UseFinder::passOn(Operation *op, const ShardingRule &rule,
                       unsigned operand, bool isMove) {
  const ValueDims from = dimsOf(op->getOperand(operand));
  for (auto [result, resultFactors] :
       llvm::zip_equal(op->getResults(), rule.results)) {
    ValueDims &to = dimsOf(result);
    for (auto [dim, factors] : llvm::enumerate(resultFactors.dims))
      for (auto [number, others] :
           llvm::enumerate(rule.operands[operand].dims)) {
        if (!haveCommon(factors, others))
          continue;
        if (from.product[number] != DimUse::None)
          to.product[dim] = from.product[number];
        for (const ArgumentDim &origin : from.own[number])
          if (isMove && !llvm::is_contained(to.own[dim], origin))
            to.own[dim].push_back(origin);
      }
    if (!to.isTracked())
      known.erase(result);
  }
}

/// The result of a product: what it does with an argument's dimensions.
void UseFinder::markProduct(Operation *op, const ShardingRule &rule,
                            unsigned operand) {
  const ValueDims from = dimsOf(op->getOperand(operand));
  for (auto [result, resultFactors] :
       llvm::zip_equal(op->getResults(), rule.results)) {
    ValueDims &to = dimsOf(result);
    for (auto [dim, factors] : llvm::enumerate(resultFactors.dims))
      for (auto [number, others] : llvm::enumerate(rule.operands[operand].dims))
        for (FactorId factor : factors)
          if (!from.own[number].empty() && llvm::is_contained(others, factor))
            to.product[dim] = useOf(rule, operand, factor);
  }
}

/// Values that control flow hands over keep what is known of them. `op` is the
/// control flow itself, or a terminator of one of its regions.
void UseFinder::handOver(Operation *op, Operation *dataFlow) {
  forEachDataFlowEdge(dataFlow, [&](OpOperand &source, Value target) {
    auto from = known.find(source.get());
    if (source.getOwner() != op || from == known.end() ||
        rankOf(target) != rankOf(source.get()) || known.contains(target))
      return;
    ValueDims dims = from->second;
    known.try_emplace(target, std::move(dims));
  });
}

void UseFinder::visit(Operation *op) {
  if (hasDataFlow(op))
    return handOver(op, op);
  if (op->hasTrait<OpTrait::IsTerminator>()) {
    Operation *parent = op->getParentOp();
    return parent != function && hasDataFlow(parent) ? handOver(op, parent)
                                                     : void();
  }
  if (llvm::none_of(op->getOperands(),
                    [&](Value value) { return known.contains(value); }))
    return;
  std::optional<ShardingRule> rule = getShardingRule(op);
  if (!rule)
    return;
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
    auto dims = known.find(op->getOperand(operand));
    if (dims == known.end())
      continue;
    bool isArgument = dims->second.isArgument();
    if (isProduct(*rule, operand) || isLookUp(*rule, operand)) {
      if (isArgument) {
        consume(op, *rule, operand);
        markProduct(op, *rule, operand);
      }
      continue;
    }
    if (isArgument)
      meetProduct(op, *rule, operand);
    passOn(op, *rule, operand, onlyMoves(op, operand));
  }
}

SmallVector<ParameterUse> UseFinder::run() {
  walkProgram(function, [&](Operation *op) { visit(op); });
  return std::move(uses);
}

SmallVector<ParameterUse>
tessera::importer::findParameterUses(func::FuncOp function) {
  return UseFinder(function).run();
}
