//===- ProgramPrediction.cpp - A compiled program, played through ---------===//

#include "tessera/Simulator/ProgramPrediction.h"

#include "tessera/Cluster/ProgramLinks.h"
#include "tessera/Sharding/Costs/Roofline.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <deque>
#include <map>
#include <queue>

using namespace tessera;

namespace {

/// What steps take, in milliseconds: in which kernels run, and in which nothing
/// does until a collective, or a copy to the host or back, has ended. Beside
/// them, how long those are under way that are not waited for.
struct StepTime {
  double kernels = 0, collectives = 0, hidden = 0;

  double total() const { return kernels + collectives; }
  StepTime &operator+=(const StepTime &other) {
    kernels += other.kernels;
    collectives += other.collectives;
    hidden += other.hidden;
    return *this;
  }
  StepTime operator*(double times) const {
    return {kernels * times, collectives * times, hidden * times};
  }
};

/// What one device sends, in milliseconds: its collectives begin one after the
/// other, and whatever goes over links of one level, one after the other too.
/// What is asked for first in time goes first.
class DeviceTraffic {
public:
  /// A collective, with the number that its wait has, is asked for at `time`;
  /// the times of its bytes and in all, when it goes alone.
  void start(int64_t number, double time, int32_t level, double transfer,
             double total) {
    pending.push_back({number, asked++, time, level, transfer, total});
  }
  /// A copy to the host or back, which takes `total`, is asked for: those in
  /// one direction go one after the other.
  void copy(int64_t number, double time, bool isThere, double total) {
    Use &link = isThere ? toHost : fromHost;
    double start = std::max(time, link.end);
    link = {start + total, asked++};
    begun[number] = {start, link.end, link.asked};
  }
  /// From when to when a collective or copy is under way.
  struct Passage {
    double start = 0, end = 0;
    int64_t asked = 0;
  };
  /// When number `number` is under way, which is forgotten; 0 where it was not
  /// asked for.
  Passage take(int64_t number) {
    while (!pending.empty() && !begun.count(number))
      begin();
    auto passage = begun.extract(number);
    return passage ? passage.mapped() : Passage();
  }
  /// When a message sent at `time` has left.
  double send(double time, int32_t level, double transfer) {
    while (!pending.empty() && std::max(pending.front().time, free.end) <= time)
      begin();
    Use &link = linkFree[level];
    link = {std::max(link.end, time) + transfer, asked++};
    return link.end;
  }
  /// How often something has been asked for.
  int64_t asks() const { return asked; }
  /// Everything that has been asked for from `since` on is later by `time`, as
  /// after more of the same; of what was asked for before, nothing is.
  void shift(double time, int64_t since) {
    for (Use *use : {&free, &toHost, &fromHost})
      use->shift(time, since);
    for (auto &[level, link] : linkFree)
      link.shift(time, since);
    for (auto &[number, passage] : begun)
      if (passage.asked >= since)
        passage = {passage.start + time, passage.end + time, passage.asked};
    for (Pending &collective : pending)
      if (collective.asked >= since)
        collective.time += time;
  }

private:
  struct Pending {
    int64_t number, asked;
    double time;
    int32_t level;
    double transfer, total;
  };
  void begin() {
    const Pending &next = pending.front();
    double start = std::max({next.time, free.end, linkFree[next.level].end});
    linkFree[next.level] = {start + next.transfer, next.asked};
    free = {start + next.total, next.asked};
    begun[next.number] = {start, free.end, next.asked};
    pending.pop_front();
  }

  /// Until when something is in use, and when the last use was asked for.
  struct Use {
    double end = 0;
    int64_t asked = -1;

    void shift(double time, int64_t since) {
      if (asked >= since)
        end += time;
    }
  };

  int64_t asked = 0;
  std::deque<Pending> pending;
  /// When those that have begun are under way, by number, and when all of them
  /// have ended.
  std::map<int64_t, Passage> begun;
  Use free, toHost, fromHost;
  /// By level: when the link over which the device sends is free.
  std::map<int32_t, Use> linkFree;
};

/// Plays all ranks through, each as far as what it has received allows.
class Player {
public:
  Player(const ProgramWork &work, const Cluster &cluster)
      : work(work), machine(cluster.device), kernels(cluster.kernels),
        links(cluster, work.mesh) {}

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
    DeviceTraffic traffic;
    /// What started collectives are called.
    std::map<int64_t, std::string> startedNames;
    /// The collective that it has waited for last.
    DeviceTraffic::Passage awaited;
  };

  /// Goes on until the end or until something has to be received that has not
  /// been sent; whether there was a step.
  bool advance(unsigned number);
  void send(unsigned number, const WorkStep &step);
  void receive(unsigned number, const Message &message);
  /// A step that is no message, and its slice.
  void run(unsigned number, const WorkStep &step);

  /// Moves the clock of the rank over the step, or steps, and says what it
  /// took.
  StepTime pass(unsigned number, const WorkStep &step);
  StepTime passAll(unsigned number, const std::vector<WorkStep> &steps);
  StepTime passLoop(unsigned number, const WorkStep &step);
  StepTime passCall(unsigned number, const WorkStep &step);
  void start(unsigned number, const WorkStep &step);
  /// The rank does nothing until the collective has ended.
  StepTime wait(unsigned number, int64_t collective);

  const ProgramWork &work;
  Machine machine;
  KernelCosts kernels;
  ProgramLinks links;
  /// Of collectives and messages, by step and rank: a program has many, which
  /// run often.
  llvm::DenseMap<std::pair<const WorkStep *, unsigned>, GroupLinks> linksOf;
  /// The functions that are being played through.
  llvm::StringSet<> called;
  std::vector<Rank> ranks;
  /// By sender, receiver and tag.
  std::map<std::tuple<int64_t, int64_t, int64_t>, std::queue<Message>> messages;
  /// Of all steps of all ranks.
  StepTime sum;
  Chart chart;
};

} // namespace

//===----------------------------------------------------------------------===//
// What steps take
//===----------------------------------------------------------------------===//

void Player::start(unsigned number, const WorkStep &step) {
  auto [entry, isNew] = linksOf.try_emplace({&step, number});
  if (isNew)
    entry->second = links.ofGroups(step.axes, number);
  int64_t members = totalSize(step.axes, work.mesh);
  double transfer = entry->second.transferSeconds(
      step.collective, members,
      bytesSent(step.collective, members, step.bytes));
  double total =
      transfer + entry->second.latencySeconds(step.collective, members);
  Rank &rank = ranks[number];
  rank.traffic.start(step.started, rank.time, entry->second.level,
                     1e3 * transfer, 1e3 * total);
}

StepTime Player::wait(unsigned number, int64_t collective) {
  Rank &rank = ranks[number];
  DeviceTraffic::Passage passage = rank.traffic.take(collective);
  double end = std::max(passage.end, rank.time);
  StepTime time{0, end - rank.time};
  time.hidden = passage.end - passage.start -
                std::min(time.collectives, passage.end - passage.start);
  rank.awaited = passage;
  rank.time = end;
  return time;
}

/// What the machine takes twice, it takes as long as often as the loop runs.
StepTime Player::passLoop(unsigned number, const WorkStep &step) {
  Rank &rank = ranks[number];
  if (step.times < 1)
    return {};
  int64_t since = rank.traffic.asks();
  StepTime sum = passAll(number, step.steps);
  if (step.times == 1)
    return sum;
  StepTime again = passAll(number, step.steps);
  StepTime others = again * double(step.times - 2);
  rank.time += others.total();
  rank.traffic.shift(others.total(), since);
  sum += again;
  sum += others;
  return sum;
}

StepTime Player::passCall(unsigned number, const WorkStep &step) {
  // A function that calls itself takes nothing there.
  auto callee = work.functions.find(step.name);
  if (callee == work.functions.end() || !called.insert(step.name).second)
    return {};
  StepTime time = passAll(number, callee->second);
  called.erase(step.name);
  return time;
}

StepTime Player::pass(unsigned number, const WorkStep &step) {
  switch (step.kind) {
  case WorkStep::Kind::Kernel: {
    StepTime time{1e3 * rooflineSeconds(step.operations, step.bytes, machine,
                                        kernels, step.products),
                  0};
    ranks[number].time += time.total();
    return time;
  }
  case WorkStep::Kind::Collective:
    start(number, step);
    return step.started == 0 ? wait(number, 0) : StepTime();
  case WorkStep::Kind::Copy:
    ranks[number].traffic.copy(step.started, ranks[number].time,
                               step.name == "offload",
                               1e3 * machine.host.seconds(int64_t(step.bytes)));
    return step.started == 0 ? wait(number, 0) : StepTime();
  case WorkStep::Kind::Wait:
    return wait(number, step.started);
  case WorkStep::Kind::Loop:
    return passLoop(number, step);
  case WorkStep::Kind::Call:
    return passCall(number, step);
  case WorkStep::Kind::Send:
  case WorkStep::Kind::Recv:
    return {};
  }
  return {};
}

StepTime Player::passAll(unsigned number, const std::vector<WorkStep> &steps) {
  StepTime sum;
  for (const WorkStep &step : steps)
    sum += pass(number, step);
  return sum;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// What a call is for, by the letter of its task.
static SliceKind kindOf(const WorkStep &step) {
  if (step.kind == WorkStep::Kind::Collective ||
      step.kind == WorkStep::Kind::Copy || step.kind == WorkStep::Kind::Wait)
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
  double begin = rank.time;
  sum += pass(number, step);
  double held = work.memory[number].lasting + step.live;
  if (track.memory.empty() || track.memory.back().amount != held)
    track.memory.push_back({begin, held});
  auto [name, label] = namesOf(step);
  // What runs beside others has no slice; what is waited for has.
  if (step.started != 0) {
    if (step.kind != WorkStep::Kind::Wait)
      rank.startedNames[step.started] = name;
    else
      name = label = rank.startedNames[step.started];
    if (step.kind == WorkStep::Kind::Wait &&
        rank.awaited.start < std::min(begin, rank.awaited.end))
      track.beside.push_back({SliceKind::Hidden, 0, name, label,
                              rank.awaited.start,
                              std::min(begin, rank.awaited.end)});
    if (rank.time == begin)
      return;
  }
  // A task may be several calls in a row, such as both gradients.
  if (!step.task.empty() && !track.slices.empty() &&
      track.slices.back().name == name) {
    track.slices.back().end = rank.time;
  } else {
    track.slices.push_back({kindOf(step), 0, name, label, begin, rank.time});
    for (const Message &message : rank.received)
      if (message.slice >= 0)
        chart.arrows.push_back({message.track, number, unsigned(message.slice),
                                unsigned(track.slices.size() - 1)});
    rank.received.clear();
  }
}

void Player::send(unsigned number, const WorkStep &step) {
  Rank &rank = ranks[number];
  auto [entry, isNew] = linksOf.try_emplace({&step, number});
  if (isNew)
    entry->second = links.ofMessages(number, step.peer);
  double left = rank.traffic.send(rank.time, entry->second.level,
                                  1e3 * step.bytes / entry->second.bandwidth);
  messages[{number, step.peer, step.tag}].push(
      {left + 1e3 * entry->second.messageLatency(), number,
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

/// Whether `steps` copy to the host or back.
static bool useHost(const std::vector<WorkStep> &steps) {
  return llvm::any_of(steps, [](const WorkStep &step) {
    return step.kind == WorkStep::Kind::Copy || useHost(step.steps);
  });
}

Fallible<Chart> Player::play() {
  if (!machine.host.isThere() &&
      llvm::any_of(work.functions,
                   [](const auto &entry) { return useHost(entry.second); }))
    return Failure{"expected a machine with a link to the memory of the host, "
                   "which the program copies to"};
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
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    chart.tracks[rank].end = ranks[rank].time;
    numberChunks(chart.tracks[rank]);
  }
  chart.memoryUnit = "bytes";
  chart.parts = {{"kernels", sum.kernels / ranks.size()},
                 {"collectives", sum.collectives / ranks.size()},
                 {"hidden", sum.hidden / ranks.size()}};
  return std::move(chart);
}

Fallible<Chart> tessera::predictProgram(const ProgramWork &work,
                                        const Cluster &cluster) {
  return Player(work, cluster).play();
}

/// What to say of figures for the machine that a program was compiled for.
static std::string describeMachine(const std::optional<Cluster> &machine) {
  if (!machine)
    return "the built-in one, for none is described";
  return machine->name.empty() ? "the one described in the program"
                               : machine->name + ", compiled for";
}

Fallible<Chart> tessera::predictAsCompiled(const ProgramWork &work) {
  Fallible<Chart> chart =
      predictProgram(work, work.machine.value_or(Cluster::builtin()));
  if (!chart)
    return chart;
  chart->machine = describeMachine(work.machine);
  if (work.machine)
    chart->memoryLimit = double(work.machine->device.memory);
  return chart;
}
