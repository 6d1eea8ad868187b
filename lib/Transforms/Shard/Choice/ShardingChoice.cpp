//===- ShardingChoice.cpp - shardings of least total cost -----------------===//

#include "Choice/ShardingChoice.h"

#include "tessera/Interfaces/DataFlow.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// The most shardings that a value with several uses may be moved to first.
static constexpr size_t kMaxSharedTargets = 10;

ShardingChoice::ShardingChoice(func::FuncOp function,
                               FlatSymbolRefAttr meshName, ReshardCosts &costs,
                               RuleCache &rules,
                               const ConstantExpressions &constants,
                               const DenseMap<Value, ShardingAttr> &guides)
    : function(function), meshName(meshName), costs(costs),
      mesh(costs.getMesh()), rules(rules), constants(constants),
      guides(guides) {}

ShardingAttr ShardingChoice::attribute(TensorSharding sharding) {
  return ShardingAttr::get(function.getContext(), meshName,
                           std::move(sharding));
}

ShardingAttr ShardingChoice::guideOf(Value value) const {
  return guides.lookup(value);
}

bool ShardingChoice::isFreeConstant(Operation *op) const {
  return constants.contains(op) &&
         llvm::all_of(op->getResults(),
                      [](Value result) { return result.hasOneUse(); });
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

double ShardingChoice::seconds(Value value, ShardingAttr from, ShardingAttr to,
                               int64_t times) {
  if (from == to)
    return 0;
  return times *
         costs.seconds(cast<RankedTensorType>(value.getType()), from, to);
}

/// What tells the moves of `value` from its maker to `takers` from those of
/// other tensors.
SmallVector<const void *, 16>
ShardingChoice::moveKey(Value value, const Tensor &tensor,
                        ArrayRef<PortRef> takers) const {
  auto number = [](uint64_t number) {
    return reinterpret_cast<const void *>(uintptr_t(number));
  };
  SmallVector<const void *, 16> key = {value.getType().getAsOpaquePointer(),
                                       number(tensor.times)};
  auto add = [&](PortRef ref) {
    key.push_back(parties[ref.party].options);
    key.push_back(number(ref.port));
  };
  add(tensor.maker);
  llvm::for_each(takers, add);
  return key;
}

/// Only `taker` takes `value`.
void ShardingChoice::addMove(Value value, const Tensor &tensor, PortRef taker) {
  std::optional<PairwiseChoice::Node> from = parties[tensor.maker.party].node,
                                      to = parties[taker.party].node;
  SmallVector<const void *, 16> key = moveKey(value, tensor, taker);
  auto known = knownMoves.find(key);
  if (known == knownMoves.end()) {
    auto cost = [&](unsigned i, unsigned j) {
      return seconds(value, portSharding(tensor.maker, i),
                     portSharding(taker, j), tensor.times);
    };
    CostTables::Lowered costs;
    if (from && to) {
      costs = tables.table(numOptions(tensor.maker), numOptions(taker), cost);
    } else {
      SmallVector<double, 16> sums;
      for (unsigned i = 0; i < numOptions(from ? tensor.maker : taker); ++i)
        sums.push_back(from ? cost(i, 0) : cost(0, i));
      costs = tables.vector(sums);
    }
    known =
        knownMoves.try_emplace(ArrayRef<const void *>(key).copy(keys), costs)
            .first;
  }
  if (from && to)
    choices.addEdge(*from, *to, known->second);
  else
    choices.addCosts(from ? *from : *to, known->second);
}

/// Several parties take `value`: it is moved to one sharding first.
void ShardingChoice::addSharedMove(Value value, const Tensor &tensor,
                                   ArrayRef<PortRef> takers) {
  SmallVector<const void *, 16> key = moveKey(value, tensor, takers);
  auto known = knownSharedMoves.find(key);
  if (known == knownSharedMoves.end()) {
    sharedMoveStorage.push_back(findSharedMove(value, tensor, takers));
    known = knownSharedMoves
                .try_emplace(ArrayRef<const void *>(key).copy(keys),
                             &sharedMoveStorage.back())
                .first;
  }
  const SharedMove &move = *known->second;
  PairwiseChoice::Node shared = choices.addNode(move.own);
  if (auto maker = parties[tensor.maker.party].node)
    choices.addEdge(*maker, shared, move.fromMaker);
  for (auto [taker, costs] : move.toTakers)
    choices.addEdge(shared, *parties[takers[taker].party].node, costs);
}

/// Finds the shardings that a value with several uses could be moved to once,
/// at most `kMaxSharedTargets`, and what each costs in seconds of a step: from
/// its maker, and on to each taker. The one that is best for all together comes
/// first; takers without a choice that need the same pay once.
ShardingChoice::SharedMove
ShardingChoice::findSharedMove(Value value, const Tensor &tensor,
                               ArrayRef<PortRef> takers) {
  llvm::SmallSetVector<ShardingAttr, 8> targets;
  auto addTargets = [&](PortRef ref) {
    for (unsigned i = 0; i < numOptions(ref); ++i)
      if (targets.size() < kMaxSharedTargets)
        targets.insert(portSharding(ref, i));
  };
  addTargets(tensor.maker);
  llvm::for_each(takers, addTargets);
  bool makerChooses = numOptions(tensor.maker) > 1;
  auto toShared = [&](unsigned made, ShardingAttr target) {
    return seconds(value, portSharding(tensor.maker, made), target,
                   tensor.times);
  };
  // Where the value can be made in one way only, a use may also start there.
  auto fromShared = [&](ShardingAttr target, PortRef taker, unsigned option) {
    ShardingAttr need = portSharding(taker, option);
    double time = seconds(value, target, need, tensor.times);
    return makerChooses ? time : std::min(time, toShared(0, need));
  };
  // Parties without a choice that need the same pay once.
  SmallVector<unsigned> choosing;
  SmallVector<PortRef> certain;
  llvm::SmallSetVector<ShardingAttr, 4> certainNeeds;
  for (auto [index, taker] : llvm::enumerate(takers))
    if (numOptions(taker) > 1)
      choosing.push_back(index);
    else if (certainNeeds.insert(portSharding(taker, 0)))
      certain.push_back(taker);

  SmallVector<ShardingAttr> sorted(targets.begin(), targets.end());
  SmallVector<double> atFirst, own;
  for (ShardingAttr target : sorted) {
    double &sum = own.emplace_back(0);
    if (!makerChooses)
      sum += toShared(0, target);
    for (PortRef taker : certain)
      sum += fromShared(target, taker, 0);
    double &first = atFirst.emplace_back(sum);
    if (makerChooses)
      first += toShared(0, target);
    for (unsigned taker : choosing)
      first += fromShared(target, takers[taker], 0);
  }
  auto putFirst = [best = llvm::min_element(atFirst) -
                          atFirst.begin()](auto &list) {
    std::rotate(list.begin(), list.begin() + best, list.begin() + best + 1);
  };
  putFirst(sorted);
  putFirst(own);

  SharedMove move;
  move.own = tables.vector(own);
  if (makerChooses)
    move.fromMaker = tables.table(
        numOptions(tensor.maker), sorted.size(),
        [&](unsigned made, unsigned i) { return toShared(made, sorted[i]); });
  for (unsigned taker : choosing)
    move.toTakers.push_back(
        {taker, tables.table(sorted.size(), numOptions(takers[taker]),
                             [&](unsigned i, unsigned option) {
                               return fromShared(sorted[i], takers[taker],
                                                 option);
                             })});
  return move;
}

/// Adds what it costs to move `value` from where it is made to its uses.
void ShardingChoice::addMoves(Value value, const Tensor &tensor) {
  SmallVector<PortRef> takers;
  bool anyChoice = parties[tensor.maker.party].node.has_value();
  for (PortRef taker : tensor.takers) {
    if (taker.party == tensor.maker.party ||
        parties[taker.party].ports[taker.port].isFree)
      continue;
    takers.push_back(taker);
    anyChoice |= parties[taker.party].node.has_value();
  }
  if (!anyChoice || takers.empty())
    return;
  if (takers.size() > 1)
    addSharedMove(value, tensor, takers);
  else
    addMove(value, tensor, takers.front());
}

void ShardingChoice::addChoices() {
  for (Party &party : parties) {
    findOptions(party);
    if (party.options->size() < 2)
      continue;
    SmallVector<double> own;
    for (const Option &option : *party.options)
      own.push_back(option.seconds * party.times);
    party.node = choices.addNode(tables.vector(own));
  }
  SmallVector<Value> values(tensors.size());
  // NOLINTNEXTLINE(custom-iteration-order): into their order.
  for (auto [value, number] : tensorNumbers)
    values[number] = value;
  for (auto [value, tensor] : llvm::zip_equal(values, tensors))
    addMoves(value, tensor);
}

void ShardingChoice::run() {
  addParties();
  spreadCandidates();
  addChoices();
  choices.solve();
  for (Party &party : parties)
    if (party.node)
      party.choice = choices.choice(*party.node);
}

ShardingAttr ShardingChoice::produced(Value value) const {
  PortRef maker = tensors[tensorNumbers.at(value)].maker;
  return portSharding(maker, parties[maker.party].choice);
}

ShardingAttr ShardingChoice::needed(OpOperand &use) const {
  auto operation = partyOfOperation.find(use.getOwner());
  if (operation != partyOfOperation.end())
    return portSharding({operation->second, use.getOperandNumber()},
                        parties[operation->second].choice);
  auto ref = useRefs.find(&use);
  if (ref == useRefs.end())
    return {};
  return portSharding(ref->second, parties[ref->second.party].choice);
}
