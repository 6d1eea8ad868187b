//===- ProgramPrediction.cpp - A compiled program, played through ---------===//

#include "tessera/Simulator/ProgramPrediction.h"
#include "tessera/Stages/StageSchedule.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <map>
#include <queue>

using namespace tessera;

namespace {

/// What a step takes, in milliseconds: in which kernels run, and in which
/// nothing does until a collective has ended.
struct StepTime {
  double kernels = 0, collectives = 0;

  double total() const { return kernels + collectives; }
  StepTime &operator+=(const StepTime &other) {
    kernels += other.kernels;
    collectives += other.collectives;
    return *this;
  }
  StepTime operator*(double times) const {
    return {kernels * times, collectives * times};
  }
};

/// The collectives that a device has started: they run one after another,
/// beside whatever else it does.
class StartedCollectives {
public:
  /// Starts number `number`, which takes `duration`, at `time`.
  void start(int64_t number, double time, double duration) {
    ends[number] = free = std::max(free, time) + duration;
  }
  /// From `time` until number `number` has ended.
  double wait(int64_t number, double time) const {
    auto end = ends.find(number);
    return end == ends.end() ? 0 : std::max(end->second - time, 0.0);
  }

private:
  /// When those started so far have ended, by number and all of them.
  std::map<int64_t, double> ends;
  double free = 0;
};

/// What steps take on a machine.
class StepTimes {
public:
  StepTimes(const ProgramWork &work, const Cluster &cluster)
      : work(work), world(worldOf(work)), machine(cluster.machineFor(world)),
        levels(cluster.levelsBetweenRanks(work.mesh)),
        collectives(world, machine.links) {}

  /// Of a step that begins at `time`, behind the collectives `started`, to
  /// which it may add one.
  StepTime of(const WorkStep &step, double time, StartedCollectives &started);
  /// The links over which pipeline rank `rank` sends a message.
  LinkCosts linksOfMessage(const WorkStep &send, int64_t rank) const {
    return linksBetweenRanks(levels, work.mesh, rank, send.peer);
  }

private:
  /// The mesh of all ranks' devices: the rank is the outermost axis. A mesh
  /// that has an axis of that name already keeps it.
  static Mesh worldOf(const ProgramWork &work) {
    Mesh world = work.mesh;
    AxisName name(kStageAxis);
    while (world.findAxis(name))
      name = AxisName((name.str() + "'").str());
    int64_t devices = world.numDevices();
    world.axes.insert(world.axes.begin(),
                      MeshAxis{name, int64_t(work.ranks.size())});
    if (!world.deviceIds.empty())
      for (size_t rank = 1; rank < work.ranks.size(); ++rank)
        for (int64_t i = 0; i < devices; ++i)
          world.deviceIds.push_back(rank * devices + world.deviceIds[i]);
    return world;
  }

  /// Of a block: what is started in it is awaited in it.
  StepTime ofAll(const std::vector<WorkStep> &steps) {
    StepTime sum;
    StartedCollectives started;
    for (const WorkStep &step : steps)
      sum += of(step, sum.total(), started);
    return sum;
  }

  const ProgramWork &work;
  Mesh world;
  Machine machine;
  std::vector<ClusterLevel> levels;
  CollectiveCosts collectives;
  /// Of functions, as far as they are known.
  llvm::StringMap<StepTime> functions;
};

StepTime StepTimes::of(const WorkStep &step, double time,
                       StartedCollectives &started) {
  switch (step.kind) {
  case WorkStep::Kind::Kernel:
    return {1e3 * std::max(step.operations / machine.compute,
                           step.bytes / machine.memoryBandwidth),
            0};
  case WorkStep::Kind::Collective:
    started.start(
        step.started, time,
        1e3 * collectives.seconds(step.collective, step.axes, step.bytes));
    return {0, step.started == 0 ? started.wait(0, time) : 0};
  case WorkStep::Kind::Wait:
    return {0, started.wait(step.started, time)};
  case WorkStep::Kind::Loop:
    return ofAll(step.steps) * step.times;
  case WorkStep::Kind::Call: {
    // A function that calls itself takes nothing there.
    auto [entry, isNew] = functions.try_emplace(step.name);
    if (!isNew)
      return entry->second;
    auto callee = work.functions.find(step.name);
    if (callee == work.functions.end())
      return {};
    StepTime called = ofAll(callee->second);
    return functions[step.name] = called;
  }
  case WorkStep::Kind::Send:
  case WorkStep::Kind::Recv:
    return {};
  }
  return {};
}

/// Plays all ranks through, each as far as what it has received allows.
class Player {
public:
  Player(const ProgramWork &work, const Cluster &cluster)
      : work(work), times(work, cluster) {}

  Fallible<Chart> play();

private:
  /// A message under way, and the slice after which it was sent; -1 for none.
  struct Message {
    double arrival;
    unsigned track;
    int slice;
  };
  struct Rank {
    const std::vector<WorkStep> *steps = nullptr;
    size_t position = 0;
    double time = 0;
    /// Messages received since the last slice.
    std::vector<Message> received;
    StartedCollectives started;
    /// What they are called.
    std::map<int64_t, std::string> startedNames;
    /// When the link that it sends messages over is free, by latency and
    /// bandwidth, which tell levels of the network apart.
    std::map<std::pair<double, double>, double> linkFree;
  };

  /// Goes on until the end or until something has to be received that has not
  /// been sent; whether there was a step.
  bool advance(unsigned number);
  void send(unsigned number, const WorkStep &step);
  void receive(unsigned number, const Message &message);
  void run(unsigned number, const WorkStep &step);

  const ProgramWork &work;
  StepTimes times;
  std::vector<Rank> ranks;
  /// By sender, receiver and tag.
  std::map<std::tuple<int64_t, int64_t, int64_t>, std::queue<Message>> messages;
  /// Of all steps of all ranks.
  StepTime sum;
  Chart chart;
};

} // namespace

/// What a call is for, by the letter of its task.
static SliceKind kindOf(const WorkStep &step) {
  if (step.kind == WorkStep::Kind::Collective ||
      step.kind == WorkStep::Kind::Wait)
    return SliceKind::Collective;
  if (step.kind != WorkStep::Kind::Call)
    return SliceKind::Kernel;
  size_t letter = step.task.find_first_not_of("0123456789");
  if (letter == std::string::npos)
    return SliceKind::Once;
  switch (step.task[letter]) {
  case 'F':
    return SliceKind::Forward;
  case 'I':
    return SliceKind::InputGradient;
  case 'W':
    return SliceKind::WeightGradient;
  case 'B':
    return SliceKind::Backward;
  default:
    return SliceKind::Once;
  }
}

/// The name of a slice for `step`, and what stands in its box.
static std::pair<std::string, std::string> namesOf(const WorkStep &step) {
  if (step.kind == WorkStep::Kind::Loop) {
    std::string name = "loop x " + std::to_string(step.times);
    return {name, name};
  }
  if (step.task.empty())
    return {step.name, step.name};
  size_t letter = step.task.find_first_not_of("0123456789");
  return {step.task, letter == std::string::npos
                         ? step.task
                         : step.task.substr(letter + 1)};
}

void Player::run(unsigned number, const WorkStep &step) {
  Rank &rank = ranks[number];
  ChartTrack &track = chart.tracks[number];
  StepTime time = times.of(step, rank.time, rank.started);
  double end = rank.time + time.total();
  sum += time;
  double held = work.memory[number].lasting + step.live;
  if (track.memory.empty() || track.memory.back().amount != held)
    track.memory.push_back({rank.time, held});
  auto [name, label] = namesOf(step);
  // What runs beside others has no slice; what is waited for has.
  if (step.started != 0) {
    if (step.kind == WorkStep::Kind::Collective)
      rank.startedNames[step.started] = name;
    else
      name = label = rank.startedNames[step.started];
    if (end == rank.time)
      return;
  }
  // A task may be several calls in a row, such as both gradients.
  if (!step.task.empty() && !track.slices.empty() &&
      track.slices.back().name == name) {
    track.slices.back().end = end;
  } else {
    track.slices.push_back({kindOf(step), 0, name, label, rank.time, end});
    for (const Message &message : rank.received)
      if (message.slice >= 0)
        chart.arrows.push_back({message.track, number, unsigned(message.slice),
                                unsigned(track.slices.size() - 1)});
    rank.received.clear();
  }
  rank.time = end;
}

void Player::send(unsigned number, const WorkStep &step) {
  Rank &rank = ranks[number];
  LinkCosts links = times.linksOfMessage(step, number);
  double &linkFree = rank.linkFree[{links.latency, links.bandwidth}];
  linkFree = std::max(linkFree, rank.time) + 1e3 * step.bytes / links.bandwidth;
  messages[{number, step.peer, step.tag}].push(
      {linkFree + 1e3 * links.latency, number,
       int(chart.tracks[number].slices.size()) - 1});
}

void Player::receive(unsigned number, const Message &message) {
  ranks[number].time = std::max(ranks[number].time, message.arrival);
  ranks[number].received.push_back(message);
}

bool Player::advance(unsigned number) {
  Rank &rank = ranks[number];
  size_t before = rank.position;
  for (; rank.position < rank.steps->size(); ++rank.position) {
    const WorkStep &step = (*rank.steps)[rank.position];
    if (step.kind == WorkStep::Kind::Send) {
      send(number, step);
      continue;
    }
    if (step.kind != WorkStep::Kind::Recv) {
      run(number, step);
      continue;
    }
    auto sent = messages.find({step.peer, number, step.tag});
    if (sent == messages.end() || sent->second.empty())
      break;
    receive(number, sent->second.front());
    sent->second.pop();
  }
  return rank.position > before;
}

/// Numbers the stages of every rank, for the shades of their slices.
static void numberChunks(ChartTrack &track) {
  std::map<unsigned, unsigned> chunks;
  auto stageOf = [](const ChartSlice &slice) {
    unsigned stage = 0;
    llvm::StringRef(slice.name).consumeInteger(10, stage);
    return stage;
  };
  for (const ChartSlice &slice : track.slices)
    if (llvm::isDigit(slice.name.front()))
      chunks.emplace(stageOf(slice), 0);
  unsigned next = 0;
  for (auto &[stage, chunk] : chunks)
    chunk = next++;
  for (ChartSlice &slice : track.slices)
    if (llvm::isDigit(slice.name.front()))
      slice.chunk = chunks[stageOf(slice)];
}

Fallible<Chart> Player::play() {
  for (size_t rank = 0; rank < work.ranks.size(); ++rank) {
    ranks.emplace_back().steps = &work.functions.find(work.ranks[rank])->second;
    chart.tracks.emplace_back();
    chart.tracks.back().name = "rank " + std::to_string(rank);
    chart.tracks.back().reserved = work.memory[rank].peak;
  }
  bool isMoving = true;
  while (isMoving) {
    isMoving = false;
    for (unsigned rank = 0; rank < ranks.size(); ++rank)
      isMoving |= advance(rank);
  }
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    if (ranks[rank].position < ranks[rank].steps->size()) {
      const WorkStep &step = (*ranks[rank].steps)[ranks[rank].position];
      return Failure{"rank " + std::to_string(rank) + " waits for message " +
                     std::to_string(step.tag) + " of rank " +
                     std::to_string(step.peer) + ", which does not come"};
    }
  for (ChartTrack &track : chart.tracks)
    numberChunks(track);
  chart.memoryUnit = "bytes";
  chart.parts = {{"kernels", sum.kernels / ranks.size()},
                 {"collectives", sum.collectives / ranks.size()}};
  return std::move(chart);
}

Fallible<Chart> tessera::predictProgram(const ProgramWork &work,
                                        const Cluster &cluster) {
  return Player(work, cluster).play();
}
