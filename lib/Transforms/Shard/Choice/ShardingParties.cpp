//===- ShardingParties.cpp - what makes and takes the tensors -------------===//

#include "Choice/ShardingChoice.h"

#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/TripCount.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// How often what is in `block` runs.
int64_t ShardingChoice::timesIn(Block *block) {
  auto [entry, isNew] = timesOfBlocks.try_emplace(block, 0);
  if (isNew)
    entry->second = tripCount(block->getParentOp());
  return entry->second;
}

unsigned ShardingChoice::tensorOf(Value value) {
  auto [entry, isNew] = tensorNumbers.try_emplace(value, tensors.size());
  if (isNew) {
    Tensor &tensor = tensors.emplace_back();
    tensor.candidates = withCandidate(nullptr, guideOf(value));
    tensor.times = timesIn(value.getParentBlock());
  }
  return entry->second;
}

/// Adds `value` to what `party` takes through `use`, or makes where there is no
/// use. What is no tensor is a port without a value.
void ShardingChoice::addPort(unsigned party, Value value, OpOperand *use) {
  Port port;
  PortRef ref{party, unsigned(parties[party].ports.size())};
  if (isa<RankedTensorType>(value.getType())) {
    port.value = value;
    port.use = use;
    port.tensor = tensorOf(value);
    Tensor &tensor = tensors[port.tensor];
    if (!use) {
      tensor.maker = ref;
    } else {
      Operation *constant = value.getDefiningOp();
      port.isFree = constant && isFreeConstant(constant);
      tensor.takers.push_back(ref);
      if (!partyOfOperation.contains(use->getOwner()))
        useRefs[use] = ref;
    }
  }
  parties[party].ports.push_back(port);
}

/// The function's arguments and results. An argument whose memory a result
/// takes over has the result's sharding, unless the user says otherwise of
/// both.
void ShardingChoice::addBoundary() {
  Operation *end = function.getBody().front().getTerminator();
  DenseMap<unsigned, unsigned> partyOfResult;
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    unsigned party = addBoundaryParty(function.getArgAttrDict(number));
    addPort(party, argument, nullptr);
    if (isa<RankedTensorType>(argument.getType()))
      tensors[tensorOf(argument)].isFixed = parties[party].fixed != nullptr;
    std::optional<unsigned> donated = getDonatedResult(function, number);
    if (donated && end->getOperand(*donated).getType() == argument.getType())
      partyOfResult.try_emplace(*donated, party);
  }
  for (OpOperand &operand : end->getOpOperands()) {
    unsigned party = addBoundaryParty(
        function.getResultAttrDict(operand.getOperandNumber()));
    auto memory = partyOfResult.find(operand.getOperandNumber());
    if (memory != partyOfResult.end()) {
      Party &owner = parties[memory->second];
      ShardingAttr fixed = parties[party].fixed;
      if (!owner.fixed || !fixed || owner.fixed == fixed) {
        parties.pop_back();
        party = memory->second;
        if (fixed && !owner.fixed) {
          owner.kind = PartyKind::Fixed;
          owner.fixed = fixed;
          tensors[owner.ports.front().tensor].isFixed = true;
        }
      }
    }
    addPort(party, operand.get(), &operand);
  }
}

/// A party for an argument or result with `attributes`.
unsigned ShardingChoice::addBoundaryParty(DictionaryAttr attributes) {
  Party &party = parties.emplace_back();
  bool isPropagated = attributes.contains(TesseraDialect::kPropagatedAttr);
  party.kind = isPropagated ? PartyKind::Boundary : PartyKind::Fixed;
  if (!isPropagated)
    party.fixed = attributes.getAs<ShardingAttr>(TesseraDialect::kShardingAttr);
  return parties.size() - 1;
}

/// One party for each value that `op` carries: what receives it and what is
/// handed over.
void ShardingChoice::addDataFlow(Operation *op) {
  bool isManual = isa<ManualRegionInterface>(op);
  for (const CarriedValue &carried : carriedValues(op)) {
    if (!isa<RankedTensorType>(carried.targets.front().getType()))
      continue;
    unsigned party = parties.size();
    parties.emplace_back().kind = PartyKind::Shared;
    for (Value target : carried.targets)
      addPort(party, target, nullptr);
    for (OpOperand *source : carried.sources) {
      addPort(party, source->get(), source);
      if (isManual)
        parties[party].ports.back().handedTo = carried.targets.front();
    }
  }
}

void ShardingChoice::addOperation(Operation *op) {
  unsigned party = parties.size();
  parties.emplace_back();
  parties[party].times = timesIn(op->getBlock());
  partyOfOperation[op] = party;
  for (OpOperand &operand : op->getOpOperands())
    addPort(party, operand.get(), &operand);
  for (Value result : op->getResults())
    addPort(party, result, nullptr);
  Party &added = parties[party];
  if (isa<ReshardOp, PropagationBarrierOp>(op)) {
    added.kind = PartyKind::Shared;
  } else if (isa<ConstrainOp>(op)) {
    added.kind = PartyKind::Fixed;
    added.fixed = guideOf(op->getResult(0));
    tensors[tensorOf(op->getResult(0))].isFixed = true;
  } else {
    added.rule = rules.lookup(op);
    added.kind = added.rule ? PartyKind::Operation : PartyKind::Whole;
  }
}

void ShardingChoice::addParties() {
  tensorNumbers.reserve(guides.size());
  tensors.reserve(guides.size());
  parties.reserve(guides.size());
  addBoundary();
  walkProgram(function, [&](Operation *op) {
    if (hasDataFlow(op))
      return addDataFlow(op);
    // What terminators hand over has been added with what takes it.
    if (op->hasTrait<OpTrait::IsTerminator>() || isFreeConstant(op) ||
        isa<ShardingGroupOp>(op))
      return;
    addOperation(op);
  });
  for (unsigned party = 0; party < parties.size(); ++party)
    carrySums(party);
}

/// Lets a constraint take and make pending sums where control flow carries what
/// it makes: how a gradient that a loop adds up is split says where it is to be
/// in the end, not that every iteration has to reduce.
void ShardingChoice::carrySums(unsigned number) {
  Party &party = parties[number];
  OpOperand *use = party.ports.empty() ? nullptr : party.ports.front().use;
  if (!use || !isa<ConstrainOp>(use->getOwner()))
    return;
  Tensor &result = tensors[party.ports.back().tensor];
  if (llvm::none_of(result.takers, [&](PortRef taker) {
        return useRefs.contains(parties[taker.party].ports[taker.port].use) &&
               parties[taker.party].kind == PartyKind::Shared;
      }))
    return;
  party.kind = PartyKind::Carried;
  result.isCarried = true;
}
