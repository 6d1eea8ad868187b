//===- UpdateShards.cpp - what could be computed in shards ----------------===//

#include "Reductions/UpdateShards.h"

#include "Choice/OperationSharding.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
/// The most operations that an update is taken to have.
static constexpr int64_t kMaxOperations = 64;

UpdateShards::UpdateShards(func::FuncOp function, const Mesh &mesh,
                           RuleCache &rules, double seconds)
    : function(function), body(function.getBody().front()), mesh(mesh),
      rules(rules), leastSeconds(seconds) {
  findUpdates();
  findOpenState();
  addSeeds();
  spread();
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// Whether `op` computes all elements alike, or reduces them to scalars.
bool UpdateShards::isOnElements(Operation *op, bool mayReduce) {
  if (op->getNumRegions() > 0 || op->getNumResults() == 0 ||
      isa<ReshardOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  const ShardingRule *rule = rules.lookup(op);
  if (!rule)
    return false;
  bool isScalar = llvm::all_of(op->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 0;
  });
  return llvm::all_of(rule->factors, [&](const Factor &factor) {
    return factor.kind == FactorKind::PassThrough ||
           (factor.kind == FactorKind::Reduction && mayReduce && isScalar);
  });
}

bool UpdateShards::leadsToResults(Operation *op) {
  return llvm::all_of(op->getUsers(),
                      [&](Operation *user) {
                        return isa<func::ReturnOp>(user) ||
                               updates.contains(user);
                      }) &&
         (isa<ReshardOp>(op) || isOnElements(op, /*mayReduce=*/true));
}

void UpdateShards::findUpdates() {
  for (Operation &op : llvm::reverse(body))
    if (leadsToResults(&op))
      updates.insert(&op);
}

void UpdateShards::findOpenState() {
  auto end = cast<func::ReturnOp>(body.getTerminator());
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    std::optional<unsigned> result = getDonatedResult(argument);
    if (result &&
        function.getArgAttr(number, TesseraDialect::kPropagatedAttr) &&
        function.getResultAttr(*result, TesseraDialect::kPropagatedAttr) &&
        end.getOperand(*result).getType() == argument.getType() &&
        getSharding(end.getOperand(*result)) == getSharding(argument))
      openState[*result] = argument;
  }
}

bool UpdateShards::isOpen(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return false;
  std::optional<unsigned> donated =
      getDonatedResult(function, argument.getArgNumber());
  return donated && openArgument(*donated) == argument;
}

//===----------------------------------------------------------------------===//
// Spreading
//===----------------------------------------------------------------------===//

/// `whole`, split along its first dimension that divides also over `axes`.
static std::optional<TensorSharding> scatter(TensorSharding whole,
                                             ArrayRef<int64_t> shape,
                                             ArrayRef<AxisRef> axes,
                                             const Mesh &mesh) {
  for (auto [dim, size] : llvm::zip_equal(whole.dims, shape)) {
    AxisList finer = dim.axes;
    llvm::append_range(finer, axes);
    if (size == 0 || size % totalSize(finer, mesh) != 0)
      continue;
    dim.axes = mergeAdjacent(finer, mesh);
    return whole;
  }
  return std::nullopt;
}

/// Whether an update of as many elements as the sum has could take long enough
/// for shards to pay; most parameters (biases, gains) are too small.
bool UpdateShards::isWorthwhile(ReshardOp seed) {
  SmallVector<AxisList> axes;
  for (const DimSharding &dim : seed.getSharding().getValue().dims)
    axes.push_back(dim.axes);
  const ShardingRule &rule = *rules.identity(typeOf(seed).getShape());
  axes.resize(rule.factors.size());
  return kMaxOperations * computingSeconds(rule, axes, mesh) >= leastSeconds;
}

void UpdateShards::addSeeds() {
  for (auto reshard : body.getOps<ReshardOp>()) {
    if (!updates.contains(reshard) || !isWorthwhile(reshard))
      continue;
    ShardingAttr from = getSharding(reshard.getOperand()),
                 to = reshard.getSharding();
    AxisList summed = from.getValue().unreduced;
    if (summed.empty() || from.getValue().unreducedKind != ReductionKind::Sum ||
        from.getValue().dims != to.getValue().dims ||
        !to.getValue().unreduced.empty())
      continue;
    meshName = to.getMesh();
    auto scattered =
        scatter(to.getValue(), typeOf(reshard).getShape(), summed, mesh);
    if (!scattered)
      continue;
    Party &seed = parties.emplace_back();
    seed.op = reshard;
    seed.isSeed = true;
    partyOfOperation[reshard] = parties.size() - 1;
    addValue(reshard, attribute(*scattered));
  }
}

/// The first factor of `dim` that is not split into single elements.
static std::optional<FactorId> splitFactor(const ShardingRule &rule,
                                           ArrayRef<FactorId> dim,
                                           ArrayRef<AxisList> axes,
                                           const Mesh &mesh) {
  for (FactorId factor : dim)
    if (totalSize(axes[factor], mesh) < rule.factors[factor].size)
      return factor;
  return std::nullopt;
}

/// What `op` takes and makes if its tensor number `tensor` is `scattered`;
/// nothing if it cannot be so.
const std::optional<UpdateShards::Shards> &
UpdateShards::shardsOf(Operation *op, size_t tensor, ShardingAttr scattered) {
  std::vector<const void *> key = {rules.lookup(op),
                                   reinterpret_cast<const void *>(tensor),
                                   scattered.getAsOpaquePointer()};
  for (ValueRange values :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values)
      key.push_back(getSharding(value).getAsOpaquePointer());
  auto [entry, isNew] = knownShards.try_emplace(std::move(key));
  if (isNew)
    entry->second = findShards(op, tensor, scattered);
  return entry->second;
}

std::optional<UpdateShards::Shards>
UpdateShards::findShards(Operation *op, size_t tensor, ShardingAttr scattered) {
  const ShardingRule &rule = *rules.lookup(op);
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  SmallVector<ArrayRef<int64_t>> shapes;
  SmallVector<TensorSharding> current;
  for (Value value : values) {
    if (!isa<RankedTensorType>(value.getType()))
      return std::nullopt;
    shapes.push_back(typeOf(value).getShape());
    current.push_back(getSharding(value).getValue());
    if (value.getDefiningOp() != op && !current.back().unreduced.empty())
      return std::nullopt;
  }
  SmallVector<TensorSharding> placed(current);
  for (TensorSharding &sharding : placed)
    sharding.unreduced.clear();
  FactorShardings view(rule, shapes, mesh, placed);
  SmallVector<AxisList> axes = commonFactorAxes(rule, view), finer(axes);
  for (auto [dim, now, then] :
       llvm::zip_equal(rule.tensor(tensor).dims, current[tensor].dims,
                       scattered.getValue().dims)) {
    if (now.axes == then.axes)
      continue;
    std::optional<FactorId> factor = splitFactor(rule, dim, axes, mesh);
    if (!factor)
      return std::nullopt;
    // The axes of the batch, which `scatter` has put behind all others.
    if (!hasPrefix(then.axes, now.axes, mesh))
      return std::nullopt;
    llvm::append_range(finer[*factor],
                       dropMajor(then.axes, totalSize(now.axes, mesh), mesh));
    finer[*factor] = mergeAdjacent(finer[*factor], mesh);
  }
  if (feasibleFactorAxes(rule, shapes, axes, mesh) != axes ||
      feasibleFactorAxes(rule, shapes, finer, mesh) != finer)
    return std::nullopt;
  Shards shards;
  for (size_t i = 0; i < values.size(); ++i) {
    size_t result = i - rule.operands.size();
    bool isOperand = i < rule.operands.size();
    auto tensorOf = [&](ArrayRef<AxisList> axes) {
      return isOperand ? operandSharding(rule, i, axes, mesh)
                       : resultSharding(rule, result, axes, mesh);
    };
    // Pending sums that it carries over are left alone.
    if (tensorOf(axes) != current[i])
      return std::nullopt;
    shards.tensors.push_back(attribute(tensorOf(finer)));
  }
  if (shards.tensors[tensor] != scattered)
    return std::nullopt;
  shards.seconds =
      computingSeconds(rule, axes, mesh) - computingSeconds(rule, finer, mesh);
  return shards;
}

/// `op` may run in shards, now that its tensor number `tensor` may be
/// `scattered`.
void UpdateShards::addOperation(Operation *op, size_t tensor,
                                ShardingAttr scattered) {
  if (op->getBlock() != &body || partyOfOperation.contains(op))
    return;
  const std::optional<Shards> &shards = shardsOf(op, tensor, scattered);
  if (!shards)
    return;
  partyOfOperation[op] = parties.size();
  parties.push_back({op, /*isSeed=*/false, shards->tensors, shards->seconds});
  ArrayRef<ShardingAttr> tensors = shards->tensors;
  for (auto [operand, sharding] : llvm::zip(op->getOperands(), tensors))
    if (sharding != getSharding(operand))
      addValue(operand, sharding);
  for (auto [result, sharding] : llvm::zip_equal(
           op->getResults(), tensors.drop_front(op->getNumOperands())))
    addValue(result, sharding);
}

/// `value` may be `scattered`.
void UpdateShards::addValue(Value value, ShardingAttr scattered) {
  if (!alternatives.insert({value, scattered}).second)
    return;
  queue.push_back(value);
  if (isOpen(value)) {
    partyOfArgument[value] = parties.size();
    parties.emplace_back();
  }
}

/// Goes from values in shards to the operations that make and take them.
void UpdateShards::spread() {
  while (!queue.empty()) {
    Value value = queue.pop_back_val();
    ShardingAttr scattered = alternatives.lookup(value);
    if (!scattered.getValue().unreduced.empty())
      continue;
    Operation *maker = value.getDefiningOp();
    if (maker && isOnElements(maker, /*mayReduce=*/false))
      addOperation(maker,
                   maker->getNumOperands() +
                       cast<OpResult>(value).getResultNumber(),
                   scattered);
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      // A parameter is converted before it is used.
      bool isConverted = partyOfArgument.contains(value) &&
                         user->getNumOperands() == 1 &&
                         isOnElements(user, /*mayReduce=*/false);
      if (isConverted || (updates.contains(user) && !isa<ReshardOp>(user)))
        addOperation(user, use.getOperandNumber(), scattered);
    }
  }
}

const UpdateShards::Party *UpdateShards::makerOf(Value value) const {
  if (Operation *op = value.getDefiningOp()) {
    auto entry = partyOfOperation.find(op);
    return entry == partyOfOperation.end() ? nullptr : &parties[entry->second];
  }
  auto entry = partyOfArgument.find(value);
  return entry == partyOfArgument.end() ? nullptr : &parties[entry->second];
}

/// Who takes shards of the value at `use` if it works in shards; null if the
/// use needs the value as it is now.
const UpdateShards::Party *UpdateShards::followerOf(OpOperand &use) const {
  ShardingAttr scattered = alternatives.lookup(use.get());
  unsigned number = use.getOperandNumber();
  if (isa<func::ReturnOp>(use.getOwner())) {
    auto argument = openState.find(number);
    if (argument == openState.end() ||
        alternatives.lookup(argument->second) != scattered)
      return nullptr;
    return makerOf(argument->second);
  }
  auto entry = partyOfOperation.find(use.getOwner());
  if (entry == partyOfOperation.end() || parties[entry->second].isSeed)
    return nullptr;
  const Party &party = parties[entry->second];
  return party.tensors[number] == scattered ? &party : nullptr;
}
