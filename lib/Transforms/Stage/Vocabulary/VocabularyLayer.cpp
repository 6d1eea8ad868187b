//===- VocabularyLayer.cpp - the output layer of a step -------------------===//

#include "Vocabulary/VocabularyLayer.h"

#include "tessera/Interfaces/CostInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

std::optional<ShardingRule> tessera::stage::partRule(Operation *op) {
  if (!isa<ReshardOp, StageEndOp>(op))
    return getShardingRule(op);
  ShardingRuleBuilder builder = makeRuleBuilder(op);
  builder.addPointwise();
  return builder.build();
}

std::optional<FactorId> tessera::stage::factorAt(const ShardingRule &rule,
                                                 size_t tensor, int64_t dim) {
  const auto &factors = rule.tensor(tensor).dims[dim];
  return factors.size() == 1 ? std::optional<FactorId>(factors.front())
                             : std::nullopt;
}

std::optional<int64_t> tessera::stage::dimAt(const ShardingRule &rule,
                                             size_t tensor, FactorId factor) {
  for (auto [number, factors] : llvm::enumerate(rule.tensor(tensor).dims))
    if (llvm::is_contained(factors, factor))
      return number;
  return std::nullopt;
}

Operation *tessera::stage::reductionOf(Value partial) {
  while (auto reshard = partial.getDefiningOp<ReshardOp>())
    partial = reshard.getOperand();
  return partial.getDefiningOp();
}

//===----------------------------------------------------------------------===//
// Following the dimension
//===----------------------------------------------------------------------===//

/// `value` has the vocabulary as dimension `dim`; fails if it also has it as
/// another one.
bool VocabularyLayer::addValue(Value value, int64_t dim) {
  auto [entry, isNew] = dims.insert({value, dim});
  if (isNew)
    worklist.push_back(value);
  return entry->second == dim;
}

/// Whether `op` has dimension `dim` of its result from an operand.
static bool hasFromOperand(Operation *op, int64_t dim) {
  std::optional<ShardingRule> rule = partRule(op);
  if (!rule || op->getNumResults() != 1)
    return false;
  std::optional<FactorId> factor = factorAt(*rule, op->getNumOperands(), dim);
  return factor && rule->factors[*factor].kind == FactorKind::PassThrough &&
         llvm::any_of(llvm::seq(op->getNumOperands()), [&](unsigned operand) {
           return dimAt(*rule, operand, *factor);
         });
}

/// `op` has the vocabulary as dimension `dim` of tensor `tensor`, operands
/// first. Operands that it does not share with others by that dimension
/// (parameters, constants, what repeats rows) are not followed: each part
/// operation cuts them for itself.
bool VocabularyLayer::addOperation(Operation *op, size_t tensor, int64_t dim) {
  std::optional<ShardingRule> rule = partRule(op);
  if (!rule || op->getNumResults() != 1 ||
      op->getBlock() != program->getLoop().getBody())
    return false;
  std::optional<FactorId> factor = factorAt(*rule, tensor, dim);
  if (!factor)
    return false;
  const Factor &info = rule->factors[*factor];
  auto [entry, isNew] = factors.try_emplace(op, *factor);
  if (!isNew)
    return entry->second == *factor;
  bool isReduced = info.kind == FactorKind::Reduction;
  if ((info.kind != FactorKind::PassThrough && !isReduced) ||
      info.size != elements)
    return false;
  for (size_t number = 0; number < rule->numTensors(); ++number) {
    std::optional<int64_t> at = dimAt(*rule, number, *factor);
    if (!at)
      continue;
    if (!factorAt(*rule, number, *at))
      return false;
    bool isOperand = number < op->getNumOperands();
    Value value = isOperand ? op->getOperand(number)
                            : op->getResult(number - op->getNumOperands());
    // What is no logit may still be computed along the vocabulary: the one-hot
    // rows of labels, say.
    Operation *maker = value.getDefiningOp();
    bool isFollowed =
        !isOperand || (maker && maker->getBlock() == op->getBlock() &&
                       (factors.contains(maker) || hasFromOperand(maker, *at)));
    if (isFollowed && !addValue(value, *at))
      return false;
  }
  if (isReduced)
    partials.insert({op->getResult(0), info.reduction});
  return true;
}

/// Follows what uses `value`. Sums that the loop carries are taken apart
/// instead.
bool VocabularyLayer::addUsers(Value value, int64_t dim) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (program->is(user, Placement::Sum)) {
      bool isKnown = false;
      for (auto [number, sum] : llvm::enumerate(program->getSums()))
        if (llvm::is_contained(sum.parts, value)) {
          carried.push_back({unsigned(number), value, dim});
          isKnown = true;
        }
      if (!isKnown)
        return false;
      continue;
    }
    if (!addOperation(user, use.getOperandNumber(), dim))
      return false;
  }
  return true;
}

bool VocabularyLayer::follow(Value logits, int64_t dim) {
  elements = cast<RankedTensorType>(logits.getType()).getDimSize(dim);
  if (!addValue(logits, dim))
    return false;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    int64_t at = dims.lookup(value);
    Operation *maker = value.getDefiningOp();
    if (!addOperation(maker, maker->getNumOperands(), at) ||
        !addUsers(value, at))
      return false;
  }
  return true;
}

/// Brings partials into the order of the text. Where they are reduced over
/// devices at once, a partial is what comes out of that.
bool VocabularyLayer::orderPartials() {
  llvm::MapVector<Value, ReductionKind> ordered;
  for (Operation &op : *program->getLoop().getBody())
    for (Value result : op.getResults()) {
      auto known = partials.find(result);
      if (known == partials.end())
        continue;
      while (result.hasOneUse() && isa<ReshardOp>(*result.user_begin())) {
        resolving.insert(*result.user_begin());
        result = (*result.user_begin())->getResult(0);
      }
      ordered.insert({result, known->second});
    }
  partials = std::move(ordered);
  return !partials.empty();
}

//===----------------------------------------------------------------------===//
// What makes it the output layer
//===----------------------------------------------------------------------===//

/// Whether exponentials are summed over the vocabulary.
bool VocabularyLayer::hasSoftmax() const {
  return llvm::any_of(partials, [&](const auto &partial) {
    auto reduce = dyn_cast<ReduceOp>(reductionOf(partial.first));
    if (!reduce || partial.second != ReductionKind::Sum)
      return false;
    Operation *summed = reduce.getOperand().getDefiningOp();
    while (summed && isPart(summed) &&
           isa<arith::ExtFOp, arith::TruncFOp, ReshardOp>(summed))
      summed = summed->getOperand(0).getDefiningOp();
    return isa_and_present<math::ExpOp>(summed);
  });
}

/// Whether no matmul of the forward pass but those of the layer itself
/// needs what comes out; finds what belongs to the layer, and what its part
/// operations need.
bool VocabularyLayer::isLast() {
  Block &body = *program->getLoop().getBody();
  for (Operation &op : body.without_terminator()) {
    if (!program->contains(&op))
      continue;
    if (!isPart(&op) && llvm::none_of(program->readsOf(&op), [&](Value read) {
          return contains(read);
        }))
      continue;
    if (!isPart(&op) && program->is(&op, Placement::Forward) &&
        getOperationCost(&op).isHeavy && !isa<ReshardOp>(op))
      return false;
    members.insert_range(op.getResults());
    if (llvm::any_of(program->readsOf(&op), [&](Value read) {
          return isLate(read) || partialKind(read);
        }))
      late.insert_range(op.getResults());
  }
  for (Operation &op : llvm::reverse(body)) {
    if (!program->contains(&op))
      continue;
    if (isPart(&op) || llvm::any_of(op.getResults(), [&](Value result) {
          return feeding.contains(result);
        }))
      for (Value read : program->readsOf(&op))
        feeding.insert(read);
  }
  return true;
}

/// Finds the number of blocks in which devices hold the vocabulary.
bool VocabularyLayer::findShards(const Mesh &mesh) {
  auto count = [&](Value value, int64_t dim) {
    if (ShardingAttr sharding = getSharding(value))
      shards = std::max(shards, sharding.getValue().numShards(dim, mesh));
  };
  // NOLINTNEXTLINE(custom-iteration-order): a maximum.
  for (auto [op, factor] : factors) {
    std::optional<ShardingRule> rule = partRule(op);
    for (size_t number = 0; number < rule->numTensors(); ++number)
      if (std::optional<int64_t> dim = dimAt(*rule, number, factor))
        count(number < op->getNumOperands()
                  ? op->getOperand(number)
                  : op->getResult(number - op->getNumOperands()),
              *dim);
  }
  return elements % shards == 0;
}

std::optional<VocabularyLayer>
VocabularyLayer::find(const StepProgram &program) {
  std::optional<VocabularyLayer> found;
  // What has the vocabulary of one candidate has that of another that is among
  // it: dimensions that have been followed once are not followed again.
  DenseSet<std::pair<Value, int64_t>> followed;
  auto tryFactor = [&](DotGeneralOp product, unsigned parameter,
                       const ShardingRule &rule, FactorId factor) {
    int64_t dim = *dimAt(rule, 2, factor);
    if (dimAt(rule, 1 - parameter, factor) || followed.contains({product, dim}))
      return;
    VocabularyLayer layer(program);
    bool isLayer = layer.follow(product, dim) && layer.hasSoftmax() &&
                   layer.orderPartials() && layer.isLast();
    followed.insert(layer.dims.begin(), layer.dims.end());
    if (isLayer && (!found || layer.elements > found->elements))
      found = std::move(layer);
  };
  for (auto product : program.getLoop().getBody()->getOps<DotGeneralOp>()) {
    if (!program.is(product, Placement::Forward))
      continue;
    std::optional<ShardingRule> rule = partRule(product);
    for (unsigned parameter : {0, 1})
      if (!program.argumentsOf(product->getOperand(parameter)).empty())
        for (const auto &dim : rule->tensor(2).dims)
          if (dim.size() == 1)
            tryFactor(product, parameter, *rule, dim.front());
  }
  return found;
}

LogicalResult VocabularyLayer::emitMissing(const StepProgram &program) {
  Operation *loop = program.getLoop();
  return loop->emitError(
      "expected an output layer to spread over the pipeline ranks: at the "
      "end of the forward pass a matmul of activations with a "
      "parameter, over whose columns alone a softmax runs");
}

LogicalResult VocabularyLayer::prepare(const Mesh &mesh, int64_t parts) {
  if (findShards(mesh) && elements / shards >= parts)
    return success();
  Operation *loop = program->getLoop();
  return loop->emitError("expected an output layer of a multiple of ")
         << shards << " columns, and at least " << parts * shards << ", got "
         << elements;
}
