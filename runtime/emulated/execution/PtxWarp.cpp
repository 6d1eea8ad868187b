//===- PtxWarp.cpp - Scheduling the lanes of a warp -----------------------===//

#include "execution/PtxWarp.h"

#include <algorithm>
#include <bit>

using namespace tessera;
using namespace tessera::emulated;

/// Instructions after which a group lets others run.
static constexpr unsigned quantum = 4096;

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

namespace {

using SpecialFill = void (*)(Warp &, uint32_t offset);

/// Writes `value(warp, lane)` to a special register.
template <typename T, typename Value>
void fillSpecial(Warp &warp, uint32_t offset, Value value) {
  Operand operand;
  operand.offset = offset;
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    warp.lanes<T>(operand)[lane] = value(warp, lane);
}

/// The index of a thread in its block along `dimension`.
uint32_t threadIndex(const Warp &warp, Block &block, unsigned lane,
                     unsigned dimension) {
  const std::array<uint32_t, 3> &shape = block.launch().shape.block;
  uint32_t linear = warp.index() * warpLanes + lane;
  if (dimension == 0)
    return linear % shape[0];
  linear /= shape[0];
  return dimension == 1 ? linear % shape[1] : linear / shape[1];
}

/// Four bytes, computed by an expression of `warp`, `block` and `lane`.
#define SPECIAL(NAME, VALUE)                                                   \
  {                                                                            \
    NAME, [](Warp &warp, uint32_t offset) {                                    \
      Block &block = warp.block();                                             \
      fillSpecial<uint32_t>(warp, offset,                                      \
                            [&block](Warp &warp, uint32_t lane) -> uint32_t {  \
                              (void)warp, (void)block, (void)lane;             \
                              return VALUE;                                    \
                            });                                                \
    }                                                                          \
  }
#define SPECIAL3(NAME, VALUE)                                                  \
  SPECIAL(NAME ".x", (VALUE)[0]), SPECIAL(NAME ".y", (VALUE)[1]),              \
      SPECIAL(NAME ".z", (VALUE)[2])

/// A block is a cluster of its own.
constexpr std::array<uint32_t, 3> zeros = {0, 0, 0}, ones = {1, 1, 1};

const std::pair<std::string_view, SpecialFill> specialFills[] = {
    SPECIAL("tid.x", threadIndex(warp, block, lane, 0)),
    SPECIAL("tid.y", threadIndex(warp, block, lane, 1)),
    SPECIAL("tid.z", threadIndex(warp, block, lane, 2)),
    SPECIAL3("ntid", block.launch().shape.block),
    SPECIAL3("ctaid", block.index()),
    SPECIAL3("nctaid", block.launch().shape.grid),
    SPECIAL3("clusterid", block.index()),
    SPECIAL3("nclusterid", block.launch().shape.grid),
    SPECIAL3("cluster_ctaid", zeros),
    SPECIAL3("cluster_nctaid", ones),
    SPECIAL("cluster_ctarank", 0),
    SPECIAL("cluster_nctarank", 1),
    SPECIAL("laneid", lane),
    SPECIAL("warpid", warp.index()),
    SPECIAL("nwarpid", maxWarps),
    SPECIAL("smid", 0),
    SPECIAL("nsmid", 1),
    SPECIAL("lanemask_eq", 1u << lane),
    SPECIAL("lanemask_lt", (1u << lane) - 1),
    SPECIAL("lanemask_le", (2u << lane) - 1),
    SPECIAL("lanemask_gt", ~((2u << lane) - 1)),
    SPECIAL("lanemask_ge", ~((1u << lane) - 1)),
    SPECIAL("dynamic_smem_size", block.launch().shape.sharedBytes),
    SPECIAL("total_smem_size", block.shared().size()),
    {"gridid",
     [](Warp &warp, uint32_t offset) {
       fillSpecial<uint64_t>(warp, offset, [](Warp &, unsigned) { return 0; });
     }},
};

#undef SPECIAL
#undef SPECIAL3

} // namespace

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

Warp::Warp(Block &block, unsigned index) : owner(block), warpIndex(index) {
  const Program &program = block.launch().program;
  constexpr size_t alignment = 64;
  registers.resize(program.registerBytes + alignment);
  local.resize(size_t(program.localBytes) * warpLanes);
  uint64_t address = reinterpret_cast<uint64_t>(registers.data());
  files[0] = registers.data() + (-address & (alignment - 1));
  // Handlers only read operands of the constant file.
  files[1] = const_cast<std::byte *>(program.constants.data());
  uint32_t threads = block.threads() - index * warpLanes;
  existingLanes = threads >= warpLanes ? allLanes : (1u << threads) - 1;
  for (const SpecialRegister &special : program.specialRegisters)
    for (auto &[name, fill] : specialFills)
      if (name == special.name)
        specials.push_back(fill);
}

void Warp::begin() {
  const Program &program = owner.launch().program;
  for (size_t i = 0; i < specials.size(); ++i)
    specials[i](*this, program.specialRegisters[i].offset);
  aliveLanes = existingLanes;
  carryLanes = 0;
  observer = nullptr;
  groups.assign(1, Group());
  groups[0].lanes = existingLanes;
  current = 0;
  executed = 0;
}

std::string Warp::threadName(unsigned lane) const {
  std::string name = "thread (";
  for (unsigned i = 0; i < 3; ++i)
    name += (i ? "," : "") + std::to_string(threadIndex(*this, owner, lane, i));
  return name + ")";
}

Outcome Warp::fault(unsigned lane, std::string message) {
  faultLane = lane;
  faultMessage = std::move(message);
  return Outcome::Fault;
}

Outcome Warp::block(const char *what, uint64_t a, uint64_t b) {
  groups[current].waitingFor = what;
  groups[current].waitingNumbers = {a, b};
  return Outcome::Block;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Joins groups that have come to the same instruction, unless one of them has
/// begun to wait there by itself.
void Warp::mergeGroups() {
  for (size_t i = 0; i < groups.size(); ++i)
    for (size_t j = i + 1; j < groups.size();) {
      Group &a = groups[i], &b = groups[j];
      if (a.counter != b.counter || a.token || b.token) {
        ++j;
        continue;
      }
      a.lanes |= b.lanes;
      // What waited for lanes to arrive may go on.
      a.blocked = false;
      a.budget = std::max(a.budget, b.budget);
      groups.erase(groups.begin() + j);
    }
}

bool Warp::selectGroup() {
  if (groups.size() > 1)
    mergeGroups();
  const Group *best = nullptr;
  for (const Group &group : groups)
    if (!group.blocked && group.budget &&
        (!best || group.counter < best->counter))
      best = &group;
  if (best)
    current = best - groups.data();
  return best;
}

Warp::Status Warp::run() {
  uint64_t before = executed;
  for (Group &group : groups)
    group.blocked = false, group.budget = quantum;
  while (selectGroup())
    if (!runGroup())
      return Status::Fault;
  if (groups.empty())
    return Status::Done;
  return executed == before ? Status::Blocked : Status::Ran;
}

bool Warp::converge(const Instruction &instruction, LaneMask active) {
  LaneMask needed = aliveLanes;
  if (instruction.convergence == Convergence::Members) {
    const uint32_t *members = lanes<uint32_t>(instruction[instruction.members]);
    needed = 0;
    for (LaneMask rest = active; rest; rest &= rest - 1)
      needed |= members[std::countr_zero(rest)];
    needed &= aliveLanes;
  }
  if ((needed & ~active) == 0)
    return true;
  Group &group = groups[current];
  group.blocked = true;
  group.waitingFor = nullptr;
  if (LaneMask others = group.lanes & ~active) {
    group.lanes = active;
    Group excluded;
    excluded.lanes = others;
    excluded.counter = group.counter + 1;
    excluded.budget = group.budget;
    groups.push_back(excluded);
  }
  return false;
}

void Warp::branch(LaneMask taken, uint32_t target) {
  Group &group = groups[current];
  uint32_t behind = group.counter + 1;
  if (taken == group.lanes) {
    group.counter = target;
    return;
  }
  Group other;
  other.lanes = taken;
  other.counter = target;
  other.budget = group.budget;
  group.lanes &= ~taken;
  group.counter = behind;
  groups.push_back(other);
}

void Warp::branchIndexed(const Instruction &instruction, LaneMask active) {
  const uint32_t *targets =
      &owner.launch().program.branchTargets[instruction.data[0]];
  const uint32_t *index = lanes<uint32_t>(instruction[0]);
  LaneMask rest = groups[current].lanes & ~active;
  uint32_t behind = groups[current].counter + 1;
  uint32_t budget = groups[current].budget;
  groups.erase(groups.begin() + current);
  auto add = [&](LaneMask mask, uint32_t counter) {
    Group group;
    group.lanes = mask;
    group.counter = counter;
    group.budget = budget;
    groups.push_back(group);
  };
  if (rest)
    add(rest, behind);
  for (LaneMask left = active; left; left &= left - 1)
    add(left & -left, targets[index[std::countr_zero(left)]]);
}

void Warp::exit(LaneMask lanes) {
  aliveLanes &= ~lanes;
  Group &group = groups[current];
  group.lanes &= ~lanes;
  if (group.lanes)
    ++group.counter;
  else
    groups.erase(groups.begin() + current);
}

//===----------------------------------------------------------------------===//
// The interpreter's loop
//===----------------------------------------------------------------------===//

/// Executes the current group of lanes until it has used up its budget, meets
/// lanes that wait for it, is regrouped, waits or faults. False after a fault.
bool Warp::runGroup() {
  const Instruction *program = owner.launch().program.instructions.data();
  Group *group = &groups[current];
  // Others wait here for this group to arrive.
  uint32_t stop = ~0u;
  for (const Group &other : groups)
    if (other.counter > group->counter)
      stop = std::min(stop, other.counter);
  uint64_t lanesDone = 0, begin = executed, limit = begin + group->budget;
  Outcome outcome = Outcome::Continue;
  bool regrouped = false;
  while (executed < limit && group->counter != stop) {
    const Instruction &instruction = program[group->counter];
    LaneMask active = group->lanes;
    if (instruction.guard >= 0) {
      LaneMask guard =
          *reinterpret_cast<LaneMask *>(files[0] + instruction.guard);
      active &= instruction.guardNegated ? ~guard : guard;
      if (!active) {
        ++executed;
        ++group->counter;
        continue;
      }
    }
    if (instruction.convergence != Convergence::None &&
        !converge(instruction, active))
      break;
    if (observer)
      outcome = observer(*this, instruction, active);
    if (outcome == Outcome::Continue)
      outcome = instruction.handler(*this, instruction, active);
    if (outcome == Outcome::Continue) {
      ++executed;
      lanesDone += std::popcount(active);
      ++group->counter;
      group->token = 0;
      continue;
    }
    if (outcome == Outcome::Block || outcome == Outcome::Fault)
      break;
    ++executed;
    lanesDone += std::popcount(active);
    bool alone = groups.size() == 1;
    group->budget = limit - executed;
    if (outcome == Outcome::Branch)
      branch(active, instruction.target);
    else if (outcome == Outcome::BranchIndexed)
      branchIndexed(instruction, active);
    else
      exit(active);
    outcome = Outcome::Continue;
    regrouped = !alone || groups.size() != 1;
    if (regrouped)
      break;
    group = &groups[current = 0];
  }
  if (!regrouped)
    groups[current].budget = limit - executed;
  owner.statistics.warpInstructions += executed - begin;
  owner.statistics.laneInstructions += lanesDone;
  if (outcome == Outcome::Fault)
    return false;
  if (outcome == Outcome::Block)
    groups[current].blocked = true;
  if (executed > owner.launch().checks.instructionsPerWarp) {
    fault(std::countr_zero(groups.empty() ? 1u : groups[0].lanes),
          "runaway kernel: the warp executed more than " +
              std::to_string(owner.launch().checks.instructionsPerWarp) +
              " instructions");
    current = 0;
    return groups.empty();
  }
  return true;
}
