//===- ShardingCandidates.cpp - what may be chosen ------------------------===//
//
// The options of every party, and the candidates that conflicts spread.
//
//===----------------------------------------------------------------------===//

#include "Choice/ShardingChoice.h"

#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Sharding/Algebra/AxisFit.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// The most candidates of one value beyond its guide.
static constexpr size_t kMaxAlternatives = 8;
/// How many parties a candidate passes at most on its way from a conflict.
static constexpr unsigned kMaxDistance = 48;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

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

/// Brings the options of `party` up to date. Parties of one kind, with one rule
/// (and so the same types) and the same candidates have the same.
void ShardingChoice::findOptions(Party &party) {
  if (!party.isStale)
    return;
  party.isStale = false;
  SmallVector<const void *, 16> key = {
      reinterpret_cast<const void *>(uintptr_t(party.kind)), party.rule,
      party.fixed.getAsOpaquePointer(), isRepeated(party) ? this : nullptr};
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
  case PartyKind::Carried:
    findCarriedOptions(party, options);
    break;
  case PartyKind::Fixed:
  case PartyKind::Whole:
    findOnlyOption(party, options);
  }
  findNewCandidates(party, options);
  knownOptions[ArrayRef<const void *>(key).copy(keys)] = &options;
  party.options = &options;
}

/// Whether `party` runs more often than something that it takes is made.
bool ShardingChoice::isRepeated(const Party &party) const {
  return llvm::any_of(party.ports, [&](const Port &port) {
    return port.use && !port.isFree && tensors[port.tensor].times < party.times;
  });
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
    else if (party.fixed)
      option.ports.push_back(party.fixed);
    else
      option.ports.push_back(attribute(TensorSharding::getReplicated(
          cast<RankedTensorType>(port.value.getType()).getRank())));
}

/// Whether `sharding` is a sum pending over some axes that is split as `whole`
/// along all others.
static bool isPendingForm(const TensorSharding &sharding,
                          const TensorSharding &whole, const Mesh &mesh) {
  return !sharding.unreduced.empty() &&
         sharding.dims == without(whole, sharding.unreduced, mesh).dims;
}

/// Whether `sharding` may be a candidate of `tensor`.
bool ShardingChoice::mayBe(const Tensor &tensor, ShardingAttr sharding) const {
  return !tensor.isFixed ||
         (tensor.isCarried &&
          isPendingForm(sharding.getValue(),
                        tensor.candidates->front().getValue(), mesh));
}

void ShardingChoice::findCarriedOptions(const Party &party, Options &options) {
  findOnlyOption(party, options);
  llvm::SetVector<ShardingAttr> sums;
  for (const Port &port : party.ports)
    for (ShardingAttr candidate : *candidatesOf(port))
      if (isPendingForm(candidate.getValue(), party.fixed.getValue(), mesh))
        sums.insert(candidate);
  for (ShardingAttr sum : sums)
    options.emplace_back().ports.assign(party.ports.size(), sum);
}

/// Appends the options of an operation with a sharding rule: what the
/// candidates of its tensors lead to, each with its time in seconds. Where all
/// agree on how the work is divided, repeating it stays only if it looks much
/// cheaper.
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
  for (OperationSharding &sharding :
       enumerateOperationShardings({*party.rule, shapes, mesh, candidates,
                                    freeOperands, isRepeated(party)})) {
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

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

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
  if (tensor.candidates->size() > kMaxAlternatives ||
      llvm::is_contained(*tensor.candidates, sharding) ||
      !mayBe(tensor, sharding))
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
