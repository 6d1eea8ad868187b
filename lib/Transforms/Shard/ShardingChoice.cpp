//===- ShardingChoice.cpp - shardings of least total cost -----------------===//

#include "ShardingChoice.h"

#include "tessera/Interfaces/DataFlow.h"

using namespace mlir;
using namespace tessera;

/// The most candidates of one value beyond its guide.
static constexpr size_t kMaxAlternatives = 8;
/// How many parties a candidate passes at most on its way from a conflict.
static constexpr unsigned kMaxDistance = 48;
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

/// `others`, or none where that is null, and `sharding`.
const ShardingChoice::Candidates *
ShardingChoice::withCandidate(const Candidates *others, ShardingAttr sharding) {
  auto [entry, isNew] = knownCandidates.try_emplace({others, sharding});
  if (isNew) {
    Candidates &candidates = candidateStorage.emplace_back();
    if (others)
      candidates = *others;
    candidates.push_back(sharding);
    entry->second = &candidates;
  }
  return entry->second;
}

const ShardingChoice::Candidates *
ShardingChoice::candidatesOf(const Port &port) {
  return port.isFree ? withCandidate(nullptr, guideOf(port))
                     : tensors[port.tensor].candidates;
}

//===----------------------------------------------------------------------===//
// Options and candidates
//===----------------------------------------------------------------------===//

/// Brings the options of `party` up to date. Parties of one kind, with one rule
/// (and so the same types) and the same candidates have the same.
void ShardingChoice::findOptions(Party &party) {
  if (!party.isStale)
    return;
  party.isStale = false;
  SmallVector<const void *, 16> key = {
      reinterpret_cast<const void *>(uintptr_t(party.kind)), party.rule,
      party.fixed.getAsOpaquePointer()};
  for (const Port &port : party.ports) {
    key.push_back(port.value ? candidatesOf(port) : nullptr);
    if (port.isFree)
      key.push_back(this);
    if (port.handedTo)
      key.push_back(port.handedTo.getAsOpaquePointer());
  }
  auto known = knownOptions.find(key);
  if (known != knownOptions.end()) {
    party.options = known->second;
    return;
  }
  Options &options = optionStorage.emplace_back();
  switch (party.kind) {
  case PartyKind::Operation:
    findOperationOptions(party, options);
    break;
  case PartyKind::Shared:
  case PartyKind::Boundary:
    findSharedOptions(party, options);
    break;
  case PartyKind::Fixed:
  case PartyKind::Whole:
    findOnlyOption(party, options);
  }
  findNewCandidates(party, options);
  knownOptions[ArrayRef<const void *>(key).copy(keys)] = &options;
  party.options = &options;
}

void ShardingChoice::findNewCandidates(const Party &party, Options &options) {
  for (const Option &option : options)
    for (auto [index, port] : llvm::enumerate(party.ports)) {
      std::pair<unsigned, ShardingAttr> asked(index, option.ports[index]);
      if (port.value && !port.isFree &&
          !llvm::is_contained(*candidatesOf(port), asked.second) &&
          !llvm::is_contained(options.newCandidates, asked))
        options.newCandidates.push_back(asked);
    }
}

/// `inside`, a sharding of a tensor of type `part` in a manual region, of type
/// `whole` outside, less the free axes that do not divide a dimension split by
/// hand: blocks of its parts are blocks of the whole only if they are equal.
static TensorSharding withEqualBlocks(TensorSharding inside, Type part,
                                      Type whole, const Mesh &mesh) {
  ArrayRef<int64_t> outer = cast<RankedTensorType>(whole).getShape();
  for (auto [dim, size, outerSize] : llvm::zip_equal(
           inside.dims, cast<RankedTensorType>(part).getShape(), outer))
    if (size != outerSize)
      dim.axes = takeMajor(dim.axes, size, mesh);
  return inside;
}

/// What receives `port`'s value has, if that is in `sharding`, or in as much of
/// it as can be handed over; null if nothing can.
ShardingAttr ShardingChoice::behindEdge(const Port &port,
                                        ShardingAttr sharding) {
  if (!port.handedTo)
    return sharding;
  Type from = port.value.getType(), to = port.handedTo.getType();
  TensorSharding handed = sharding.getValue();
  bool enters = isa<BlockArgument>(port.handedTo);
  if (!enters)
    handed = withEqualBlocks(std::move(handed), from, to, mesh);
  auto received = shardingBehindEdge(port.handedTo, handed);
  if (!received)
    return {};
  return attribute(enters
                       ? withEqualBlocks(std::move(*received), to, from, mesh)
                       : std::move(*received));
}

/// The inverse of `behindEdge`; null if `sharding` is not what it gives.
ShardingAttr ShardingChoice::beforeEdge(const Port &port,
                                        ShardingAttr sharding) {
  if (!port.handedTo)
    return sharding;
  auto given = shardingBeforeEdge(port.handedTo, sharding.getValue());
  if (!given)
    return {};
  ShardingAttr before = attribute(std::move(*given));
  return behindEdge(port, before) == sharding ? before : ShardingAttr();
}

/// All ports alike, in any way that one of them might be.
void ShardingChoice::findSharedOptions(const Party &party, Options &options) {
  llvm::SetVector<ShardingAttr> candidates;
  for (const Port &port : party.ports)
    if (port.value)
      for (ShardingAttr candidate : *candidatesOf(port))
        if (party.kind != PartyKind::Boundary ||
            candidate.getValue().unreduced.empty() ||
            candidate == guideOf(port))
          if (ShardingAttr received = behindEdge(port, candidate))
            candidates.insert(received);
  for (ShardingAttr sharding : candidates) {
    Option option;
    for (const Port &port : party.ports)
      option.ports.push_back(beforeEdge(port, sharding));
    if (!llvm::is_contained(option.ports, ShardingAttr()))
      options.push_back(std::move(option));
  }
}

void ShardingChoice::findOnlyOption(const Party &party, Options &options) {
  Option &option = options.emplace_back();
  for (const Port &port : party.ports)
    if (!port.value)
      option.ports.push_back({});
    else if (party.kind == PartyKind::Fixed)
      option.ports.push_back(party.fixed);
    else
      option.ports.push_back(attribute(TensorSharding::getReplicated(
          cast<RankedTensorType>(port.value.getType()).getRank())));
}

void ShardingChoice::findOperationOptions(const Party &party,
                                          Options &options) {
  bool hasAlternatives = llvm::any_of(party.ports, [&](const Port &port) {
    return port.value && candidatesOf(port)->size() > 1;
  });
  SmallVector<SmallVector<TensorSharding, 2>, 0> candidates;
  SmallVector<ArrayRef<int64_t>> shapes;
  llvm::BitVector freeOperands(party.rule->operands.size());
  for (auto [index, port] : llvm::enumerate(party.ports)) {
    auto &list = candidates.emplace_back();
    shapes.push_back(
        port.value ? cast<RankedTensorType>(port.value.getType()).getShape()
                   : ArrayRef<int64_t>());
    if (!port.value)
      list.push_back(TensorSharding::getReplicated(0));
    else
      for (ShardingAttr candidate : *candidatesOf(port))
        list.push_back(candidate.getValue());
    if (port.isFree)
      freeOperands.set(index);
  }
  for (OperationSharding &sharding : enumerateOperationShardings(
           {*party.rule, shapes, mesh, candidates, freeOperands})) {
    Option &option = options.emplace_back();
    option.seconds = sharding.seconds;
    for (auto [port, tensor] : llvm::zip_equal(party.ports, sharding.tensors))
      option.ports.push_back(port.value ? attribute(std::move(tensor))
                                        : ShardingAttr());
  }
  preferGuides(party, options);
  // Where all agree on how the work is divided, repeating it (with whole
  // reduction factors) is worth a thought only if it looks much cheaper.
  if (!hasAlternatives && options.size() == 2 && agrees(party, options[0]) &&
      2 * guidedSeconds(party, options[1]) >= guidedSeconds(party, options[0]))
    options.pop_back();
}

/// Whether all that `option` needs and makes is split as its guide says.
bool ShardingChoice::agrees(const Party &party, const Option &option) const {
  return llvm::all_of_zip(
      party.ports, option.ports, [&](const Port &port, ShardingAttr sharding) {
        return !port.value || port.isFree ||
               guideOf(port).getValue().dims == sharding.getValue().dims;
      });
}

/// What `option` costs if everything around the operation is as its guide says.
double ShardingChoice::guidedSeconds(const Party &party, const Option &option) {
  double sum = option.seconds;
  for (auto [port, sharding] : llvm::zip_equal(party.ports, option.ports)) {
    if (!port.value || port.isFree)
      continue;
    ShardingAttr guide = guideOf(port);
    sum += port.use ? seconds(port.value, guide, sharding, 1)
                    : seconds(port.value, sharding, guide, 1);
  }
  return sum;
}

/// Puts the option first that is cheapest if everything around the operation is
/// as its guide says, unless the first one is how the guides say.
void ShardingChoice::preferGuides(const Party &party, Options &options) {
  if (options.size() < 2 || agrees(party, options.front()))
    return;
  double best = std::numeric_limits<double>::infinity();
  auto first = options.begin();
  for (auto option = options.begin(); option != options.end(); ++option)
    if (double sum = guidedSeconds(party, *option); sum < best) {
      best = sum;
      first = option;
    }
  std::rotate(options.begin(), first, std::next(first));
}

void ShardingChoice::enqueue(unsigned party, unsigned distance) {
  Party &queued = parties[party];
  queued.isStale = true;
  if (queued.isQueued || queued.kind == PartyKind::Fixed ||
      queued.kind == PartyKind::Whole || distance > kMaxDistance)
    return;
  queued.isQueued = true;
  queued.distance = distance;
  queue.push_back(party);
}

void ShardingChoice::addCandidate(const Port &port, ShardingAttr sharding,
                                  unsigned distance) {
  Tensor &tensor = tensors[port.tensor];
  if (tensor.isFixed || tensor.candidates->size() > kMaxAlternatives ||
      llvm::is_contained(*tensor.candidates, sharding))
    return;
  tensor.candidates = withCandidate(tensor.candidates, sharding);
  enqueue(tensor.maker.party, distance);
  for (PortRef taker : tensor.takers)
    enqueue(taker.party, distance);
}

void ShardingChoice::spreadFrom(unsigned number) {
  Party &party = parties[number];
  findOptions(party);
  if (party.passedOn == party.options)
    return;
  party.passedOn = party.options;
  for (auto [port, sharding] : party.options->newCandidates)
    addCandidate(party.ports[port], sharding, party.distance + 1);
}

/// Whether the only way of `party` makes a pending sum in every iteration of a
/// loop: it may be carried out of the loop.
static bool isPendingInLoop(int64_t times, ArrayRef<ShardingAttr> made) {
  return times > 1 && llvm::any_of(made, [](ShardingAttr sharding) {
           return sharding && !sharding.getValue().unreduced.empty();
         });
}

/// Starts where operations have several options although every value has only
/// its guide, and where loops make pending sums, and goes outwards from there.
void ShardingChoice::spreadCandidates() {
  for (auto [number, party] : llvm::enumerate(parties)) {
    findOptions(party);
    if (party.options->size() > 1 ||
        isPendingInLoop(party.times, party.options->front().ports))
      enqueue(number, 0);
  }
  while (!queue.empty()) {
    unsigned next = queue.front();
    queue.pop_front();
    parties[next].isQueued = false;
    spreadFrom(next);
  }
}

//===----------------------------------------------------------------------===//
// Choosing
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
