//===- CommunicationTrials.cpp - ways to communicate, tried ---------------===//

#include "CommunicationTrials.h"

#include "Quantities.h"
#include "Report.h"
#include "ScheduledStep.h"
#include "tessera/Dialect/Spmd/Combined.h"

using namespace mlir;
using namespace tessera;

/// A way is taken if a step takes less than this part of the best before: what
/// is gained below is no more than an estimate's error.
static constexpr double kFaster = 0.999;

/// So many operations, as `communicate` leaves them, are scheduled at most
/// beside those of the first way, which costs nothing where it is taken.
static constexpr int64_t kMostOperations = 15000;

/// What the phase does beside quantizing collectives and moving them to other
/// iterations, in its order.
static constexpr bool CommunicationWay::*kParts[] = {
    &CommunicationWay::split, &CommunicationWay::decompose,
    &CommunicationWay::combine, &CommunicationWay::levels};

static constexpr CommunicationWay kAll = {.quantize = false, .iterate = false},
                                  kNothing = {false, false, false,
                                              false, false, false};

/// How many collectives there are of each kind, and how many calls of several.
/// Every part of the phase that changes something changes one of them.
static std::map<StringRef, int64_t> countCollectives(ModuleOp module) {
  std::map<StringRef, int64_t> count;
  module.walk([&](Operation *op) {
    if (isa<spmd::CollectiveOpInterface, spmd::CombinedOp>(op))
      ++count[op->getName().getStringRef()];
  });
  return count;
}

bool CommunicationTrials::Trial::isBetterThan(const Trial &other) const {
  return excess != other.excess ? excess < other.excess
                                : seconds < kFaster * other.seconds;
}

/// Every other way takes the time of the same kernels; with parts and pieces,
/// which make kernels longer, that of more.
bool CommunicationTrials::Trial::cannotBeBeaten() const {
  return excess == 0 && !way.split && !way.decompose &&
         kFaster * seconds <= kernels;
}

LogicalResult CommunicationTrials::run(ModuleOp program, Phase phase,
                                       CommunicationWay way,
                                       std::vector<Diagnostic> &messages,
                                       std::optional<int64_t> limit) {
  ScopedDiagnosticHandler keep(program.getContext(), [&](Diagnostic &message) {
    messages.push_back(std::move(message));
    return success();
  });
  return runPhase(program, getPhaseInfo(phase), way, limit);
}

/// Runs the phase `communicate` on a copy of `module`, part by part.
std::optional<CommunicationTrials::Trial>
CommunicationTrials::communicate(ModuleOp module, CommunicationWay way) {
  Trial trial;
  trial.way = kNothing;
  // Every way that splits begins alike.
  bool isSplit = way.split && split;
  OwningOpRef<ModuleOp> program = isSplit ? split->clone() : module.clone();
  trial.way.split = isSplit;
  for (auto [number, part] : llvm::enumerate(kParts)) {
    if (!(way.*part) || (isSplit && part == &CommunicationWay::split))
      continue;
    auto before = countCollectives(*program);
    CommunicationWay only = kNothing;
    only.*part = true;
    std::vector<Diagnostic> messages;
    if (failed(run(*program, Phase::Communicate, only, messages)))
      return std::nullopt;
    trial.way.*part = countCollectives(*program) != before;
    if (trial.way.*part && part == &CommunicationWay::split)
      split = program->clone();
    for (Diagnostic &message : messages)
      trial.messages.emplace_back(number, std::move(message));
  }
  trial.operations = countOperations(*program);
  trial.phases[Phase::Communicate].program = std::move(program);
  return trial;
}

/// Schedules what the phase `communicate` has made, under the limit of the
/// device if it takes more, and plays it through.
LogicalResult CommunicationTrials::schedule(Trial &trial) {
  auto runOn = [&](Phase before, Phase phase, std::optional<int64_t> limit) {
    TriedPhase result{trial.phases[before].program->clone(), {}};
    if (failed(run(*result.program, phase, trial.way, result.messages, limit)))
      return TriedPhase();
    return result;
  };
  auto play = [&](ModuleOp program) {
    ScheduledStep step = ScheduledStep::play(program, callSeconds);
    trial.seconds = step.seconds;
    trial.kernels = step.kernels;
    auto main = program.lookupSymbol<func::FuncOp>("main");
    int64_t peak = main ? ProgramMemory::of(main).peak() : 0;
    trial.excess = limit ? std::max<int64_t>(peak - limit->bytes, 0) : 0;
  };
  TriedPhase fused = runOn(Phase::Communicate, Phase::Fuse, std::nullopt);
  if (!fused.program)
    return failure();
  trial.phases[Phase::Fuse] = std::move(fused);
  TriedPhase scheduled = runOn(Phase::Fuse, Phase::Schedule, std::nullopt);
  if (!scheduled.program)
    return failure();
  play(*scheduled.program);
  trial.phases[Phase::Schedule] = std::move(scheduled);
  if (trial.excess == 0)
    return success();
  // The second time, with room for what gaps between tensors take.
  int64_t bytes = limit->bytes;
  for (unsigned attempt = 0; attempt < 2 && trial.excess > 0; ++attempt) {
    bytes -= attempt == 0 ? 0 : trial.excess;
    operationsLeft -= trial.operations;
    TriedPhase limited = runOn(Phase::Fuse, Phase::Schedule, bytes);
    if (!limited.program)
      break;
    play(*limited.program);
  }
  return success();
}

/// Says what parts that `best` lacks had to say in `all`, and, of those that
/// would have changed something, why they are left out.
void CommunicationTrials::explain(Trial &all, Trial &best) {
  for (auto &[number, message] : all.messages) {
    auto part = kParts[number];
    // What all have in common was said once.
    if (best.way.*part && part == &CommunicationWay::split)
      best.messages.emplace_back(number, std::move(message));
    if (best.way.*part)
      continue;
    if (all.way.*part) {
      Diagnostic &note = message.attachNote();
      note << "this part of the phase is left out: the step takes "
           << formatSeconds(all.seconds) << " with all parts and "
           << formatSeconds(best.seconds) << " so";
      if (all.excess > best.excess)
        note << ", and more memory than there is";
    }
    message.getLocation()->getContext()->getDiagEngine().emit(
        std::move(message));
  }
}

/// Every way to leave out something of `all`; empty where there is nothing.
/// Nothing comes first: what is left of two parts without one is the other.
static SmallVector<CommunicationWay> findOtherWays(CommunicationWay all) {
  SmallVector<CommunicationWay> ways;
  for (auto part : kParts)
    if (all.*part) {
      ways.push_back(all);
      ways.back().*part = false;
    }
  // Without the only part there is nothing.
  if (ways.size() > 1)
    ways.insert(ways.begin(), kNothing);
  return ways;
}

ChosenCommunication CommunicationTrials::take(Trial &trial,
                                              CommunicationWay way) {
  auto &messages = trial.phases[Phase::Communicate].messages;
  for (auto &[number, message] : trial.messages)
    messages.push_back(std::move(message));
  return {way, std::move(trial.phases)};
}

ChosenCommunication CommunicationTrials::choose(ModuleOp module) {
  operationsLeft = kMostOperations;
  CommunicationWay whole = kAll;
  whole.split = false;
  // Parts make a program longer, and are never taken untried.
  CommunicationWay first =
      countOperations(module) <= operationsLeft ? kAll : whole;
  std::optional<Trial> all = communicate(module, first), best;
  if (!all)
    return {first, {}};
  if (all->way.split && all->operations > operationsLeft) {
    if (!(all = communicate(module, whole)))
      return {whole, {}};
    return take(*all, whole);
  }
  SmallVector<CommunicationWay> ways = findOtherWays(all->way);
  if (ways.empty() || all->operations > operationsLeft ||
      failed(schedule(*all)))
    return take(*all, first);
  // Grows by what leaves out more of what is better than all.
  for (size_t i = 0; i < ways.size(); ++i) {
    const Trial &soFar = best ? *best : *all;
    if (soFar.cannotBeBeaten())
      break;
    if (std::optional<Trial> trial = communicate(module, ways[i])) {
      operationsLeft -= trial->operations;
      if (operationsLeft < 0)
        break;
      if (succeeded(schedule(*trial)) && trial->isBetterThan(soFar))
        best = std::move(trial);
    }
    if (i + 1 < ways.size() || !best)
      continue;
    for (CommunicationWay way : findOtherWays(best->way))
      if (!llvm::is_contained(ways, way))
        ways.push_back(way);
  }
  if (!best)
    return take(*all, first);
  explain(*all, *best);
  return take(*best, best->way);
}
