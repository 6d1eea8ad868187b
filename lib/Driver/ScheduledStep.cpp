//===- ScheduledStep.cpp - what hides the collectives of a step -----------===//
//
// A loop is played twice, and what the second time takes counts for all others,
// as the simulator does (ProgramPrediction.cpp).
//
//===----------------------------------------------------------------------===//

#include "ScheduledStep.h"

#include "Quantities.h"
#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Spmd/WorkCosts.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/TripCount.h"
#include "tessera/Support/StableSort.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tessera;

namespace {

class Player {
public:
  Player(ModuleOp module, double callSeconds)
      : module(module), costs(module), callSeconds(callSeconds) {}

  void play(Block &block, int64_t times);
  ScheduledStep take() {
    step.seconds = time;
    return std::move(step);
  }

private:
  /// A kernel that has run, and when.
  struct Run {
    Operation *kernel;
    double begin, end;
  };
  /// A collective, or several in one call, on its way.
  struct Passage {
    unsigned number;
    double started, begin, end;
  };

  void playLoop(LoopLikeOpInterface loop, int64_t times);
  void playCall(func::CallOp call, int64_t times);
  double chainTo(ValueRange values) const;
  void extendChain(Operation *op, ValueRange operands, double seconds);
  void carry(ValueRange from, ValueRange to, double later = 0);
  double secondsOfCall(MutableArrayRef<spmd::StartOp> parts);
  void start(spmd::StartOp op, int64_t times);
  void await(spmd::WaitOp op, int64_t times);
  unsigned numberOf(spmd::StartOp op);
  double secondsOf(Operation *op) {
    auto [entry, isNew] = known.try_emplace(op, 0);
    return isNew ? known[op] = costs.of(op) : entry->second;
  }

  ModuleOp module;
  spmd::DeviceSeconds costs;
  double callSeconds;
  llvm::DenseMap<Operation *, double> known;
  ScheduledStep step;
  /// Where a start is in the step.
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::DenseMap<Operation *, Passage> begun;
  std::vector<Run> runs;
  double time = 0, link = 0;
  /// When values could be there if nothing ever waited for its turn; from the
  /// beginning on where nothing is known of them.
  llvm::DenseMap<Value, double> ready;
};

} // namespace

double Player::chainTo(ValueRange values) const {
  double latest = 0;
  for (Value value : values)
    latest = std::max(latest, ready.lookup(value));
  return latest;
}

/// What `op`, which takes `seconds`, makes of `operands`.
void Player::extendChain(Operation *op, ValueRange operands, double seconds) {
  double end = chainTo(operands) + seconds;
  step.chain = std::max(step.chain, end);
  for (Value result : op->getResults())
    ready[result] = end;
}

/// Hands values on, one by one as far as both go.
void Player::carry(ValueRange from, ValueRange to, double later) {
  SmallVector<double> times;
  for (Value value : from)
    times.push_back(ready.lookup(value) + later);
  for (auto [value, end] : llvm::zip(to, times)) {
    ready[value] = end;
    step.chain = std::max(step.chain, end);
  }
}

unsigned Player::numberOf(spmd::StartOp op) {
  auto [entry, isNew] = numbers.try_emplace(op, step.collectives.size());
  if (isNew)
    step.collectives.push_back({op});
  return entry->second;
}

/// The links carry what all parts of the call send, with the latency of one.
double Player::secondsOfCall(MutableArrayRef<spmd::StartOp> parts) {
  spmd::CollectiveOpInterface collective = parts.front().getCollective();
  int64_t bytes = 0;
  for (spmd::StartOp part : parts)
    for (Value operand : part.getCollective()->getOperands())
      bytes += spmd::bytesOf(operand);
  return costs.linksOf(collective.getAxes())
      .seconds(collective.getCollectiveKind(),
               groupSize(collective, collective.getAxes()), bytes);
}

/// The first part starts the whole call. Copies to the host and back have links
/// of their own, and count in the chain alone.
void Player::start(spmd::StartOp op, int64_t times) {
  Operation *started = op.getStarted();
  extendChain(op, started->getOperands(), secondsOf(started));
  SmallVector<spmd::StartOp, 1> parts = spmd::startsOfCall(op);
  if (parts.empty() || !op.getCollective())
    return;
  double seconds = secondsOfCall(parts);
  step.links += times * seconds;
  Passage passage{numberOf(op), time, std::max(time, link), 0};
  passage.end = link = passage.begin + callSeconds + seconds;
  begun[op] = passage;
  step.collectives[passage.number].seconds += times * seconds;
  step.collectives[passage.number].times += times;
}

void Player::await(spmd::WaitOp op, int64_t times) {
  extendChain(op, op->getOperands(), 0);
  auto found = begun.find(op.getStart());
  if (found == begun.end())
    return;
  Passage passage = found->second;
  begun.erase(found);
  ScheduledCollective &collective = step.collectives[passage.number];
  double exposed = std::max(passage.end - time, 0.0);
  collective.exposed += times * exposed;
  collective.queued +=
      times * std::min(exposed, passage.begin - passage.started);
  auto beside = llvm::make_range(
      llvm::partition_point(
          runs, [&](const Run &run) { return run.end <= passage.begin; }),
      runs.end());
  for (const Run &run : beside) {
    if (run.begin >= passage.end)
      break;
    double both =
        std::min(run.end, passage.end) - std::max(run.begin, passage.begin);
    if (times * both > collective.covered) {
      collective.covered = times * both;
      collective.cover = run.kernel;
    }
  }
  time = std::max(time, passage.end);
}

/// Plays `loop`, which runs `times` times like this, twice; how long the chain
/// of what it carries gets in an iteration is told from these two, as well.
void Player::playLoop(LoopLikeOpInterface loop, int64_t times) {
  int64_t trips =
      tripCount(loop) / std::max<int64_t>(tripCount(loop->getParentOp()), 1);
  if (trips < 1)
    return;
  auto playOnce = [&](int64_t count) {
    for (Region *region : loop.getLoopRegions())
      for (Block &block : *region)
        play(block, count);
  };
  carry(loop.getInits(), loop.getRegionIterArgs());
  playOnce(times);
  double chainBefore = chainTo(loop.getYieldedValues());
  if (trips > 1)
    carry(loop.getYieldedValues(), loop.getRegionIterArgs());
  double before = time, linkBefore = link;
  if (trips > 1)
    playOnce(times * (trips - 1));
  double chainOfOthers = (chainTo(loop.getYieldedValues()) - chainBefore) *
                         double(std::max<int64_t>(trips - 2, 0));
  if (auto results = loop.getLoopResults())
    carry(loop.getYieldedValues(), *results, chainOfOthers);
  if (trips == 1)
    return;
  double others = (time - before) * double(trips - 2);
  time += others;
  // What comes from before the loop alone ends when it did.
  if (link != linkBefore)
    link += others;
}

void Player::playCall(func::CallOp call, int64_t times) {
  auto function = module.lookupSymbol<func::FuncOp>(call.getCallee());
  if (!function || function.isExternal())
    return;
  Block &body = function.getBody().front();
  carry(call.getOperands(), body.getArguments());
  play(body, times);
  carry(body.getTerminator()->getOperands(), call.getResults());
}

/// Plays `block`, which runs `times` times like this.
void Player::play(Block &block, int64_t times) {
  for (Operation &op : block) {
    if (auto kernel = dyn_cast<spmd::KernelOp>(op)) {
      double begin = time;
      time += secondsOf(kernel);
      step.kernels += times * secondsOf(kernel);
      extendChain(kernel, kernel->getOperands(), secondsOf(kernel));
      runs.push_back({kernel, begin, time});
    } else if (auto started = dyn_cast<spmd::StartOp>(op)) {
      start(started, times);
    } else if (auto wait = dyn_cast<spmd::WaitOp>(op)) {
      await(wait, times);
    } else if (auto called = dyn_cast<func::CallOp>(op)) {
      playCall(called, times);
    } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      playLoop(loop, times);
    } else if (op.getNumRegions() > 0 && !op.getRegion(0).empty()) {
      play(op.getRegion(0).front(), times);
      carry(op.getRegion(0).front().getTerminator()->getOperands(),
            op.getResults());
    } else {
      extendChain(&op, op.getOperands(), 0);
    }
  }
}

ScheduledStep ScheduledStep::play(ModuleOp module, double callSeconds) {
  Player player(module, callSeconds);
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    player.play(main.getBody().front(), 1);
  return player.take();
}

//===----------------------------------------------------------------------===//
// In words
//===----------------------------------------------------------------------===//

std::string tessera::describeRemedy(const ScheduledCollective &collective) {
  double missing = collective.exposed - collective.queued;
  std::string text;
  if (missing > 0)
    text = formatSeconds(missing) +
           " more of kernels that neither make its operand nor read its result";
  if (collective.queued > 0)
    text += (text.empty() ? "" : ", and ") +
            ("links that other collectives leave " +
             formatSeconds(collective.queued) + " earlier");
  return text;
}

void tessera::printOverlap(const ScheduledStep &step, StringRef machine,
                           llvm::raw_ostream &os) {
  if (step.collectives.empty())
    return;
  double seconds = 0, exposed = 0;
  // By kind and place.
  llvm::StringMap<size_t> numbers;
  std::vector<std::pair<std::string, ScheduledCollective>> groups;
  for (const ScheduledCollective &collective : step.collectives) {
    seconds += collective.seconds;
    exposed += collective.exposed;
    auto start = cast<spmd::StartOp>(collective.start);
    std::string name = start.getCollective()->getName().stripDialect().str();
    if (std::string place = describeFile(start.getLoc()); !place.empty())
      name += " at " + place;
    auto [entry, isNew] = numbers.try_emplace(name, groups.size());
    if (isNew)
      groups.push_back({name, collective});
    else
      groups[entry->second].second.add(collective);
  }
  stableSort(groups, [](const auto &a, const auto &b) {
    return a.second.exposed > b.second.exposed;
  });
  os << "\noverlap: of a step of " << formatSeconds(step.seconds)
     << " collectives take " << formatSeconds(seconds) << ", of which "
     << formatSeconds(exposed) << " are exposed, on "
     << (machine.empty() ? "the described machine" : machine) << '\n';
  for (const auto &[name, group] : groups) {
    os << "   " << name;
    if (group.times > 1)
      os << ", " << group.times << " calls";
    os << ": " << formatSeconds(group.seconds);
    if (group.cover)
      os << ", hidden behind " << describeOperation(group.cover);
    if (group.seconds - group.exposed > group.covered && group.cover)
      os << " and others";
    if (group.exposed > 0)
      os << "; exposed for " << formatSeconds(group.exposed)
         << "; would be hidden by " << describeRemedy(group);
    os << '\n';
  }
}

void ScheduledCollective::add(const ScheduledCollective &other) {
  times += other.times;
  seconds += other.seconds;
  exposed += other.exposed;
  queued += other.queued;
  if (other.covered > covered) {
    cover = other.cover;
    covered = other.covered;
  }
}
