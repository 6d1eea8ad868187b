//===- Network.cpp --------------------------------------------------------===//

#include "Network.h"

#include "../core/CollectiveParts.h"
#include "tessera/Support/GroupLinks.h"
#include "tessera/Support/RandomTensor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

using namespace tessera;
using namespace tessera::runtime;

Network::Network(const TesseraNetwork &options, int32_t count,
                 const TesseraWorldOptions &world)
    : hasVirtualTime(options.is_virtual != 0),
      delaySeed(options.has_delays ? std::optional(options.delay_seed)
                                   : std::nullopt),
      groupLinks(options.group_links,
                 options.group_links +
                     static_cast<size_t>(world.communicators) * count) {
  int32_t classes = 1;
  for (const TesseraLink &link : groupLinks)
    classes = std::max(classes, link.link_class + 1);
  for (int32_t i = 0; i < world.channel_count; ++i) {
    const TesseraLink &link = options.channel_links[i];
    channelLinks[{world.channels[2 * i], world.channels[2 * i + 1]}] = link;
    classes = std::max(classes, link.link_class + 1);
  }
  ranks.resize(count);
  for (Rank &rank : ranks)
    rank.linkFree.resize(classes);
}

int64_t Network::now(int32_t rank) const {
  return hasVirtualTime ? ranks[rank].clock.load() : monotonicTime();
}

void Network::compute(int32_t rank, int64_t nanoseconds) {
  // Others look at the clock when this rank next does something with them; a
  // clock that is behind delays them, and is not wrong.
  if (hasVirtualTime)
    ranks[rank].clock += nanoseconds;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void Network::alignClocks() {
  int64_t latest = 0;
  for (Rank &rank : ranks)
    latest = std::max(latest, rank.clock.load());
  for (Rank &rank : ranks)
    rank.clock = latest;
}

void Network::beginStep() {
  std::lock_guard lock(mutex);
  for (Rank &rank : ranks)
    rank.isWaiting = false;
  running = static_cast<int32_t>(ranks.size());
}

Network::Problem Network::finish(int32_t rank) {
  std::lock_guard lock(mutex);
  ranks[rank].isWaiting = true;
  if (--running == 0 && complete.empty())
    alignClocks();
  return progress();
}

void Network::stop() {
  std::lock_guard lock(mutex);
  isStopped = true;
  complete.clear();
  for (Rank &rank : ranks) {
    rank.stream.clear();
    rank.signal.signal();
  }
}

//===----------------------------------------------------------------------===//
// What ranks do
//===----------------------------------------------------------------------===//

/// What a rank sends over, as simulator and compiler price it.
static GroupLinks linksOf(const TesseraLink &link) {
  return {link.link_class,
          link.latency,
          link.bandwidth,
          link.ring_bandwidth,
          link.exchange_bandwidth,
          link.launch,
          link.hop,
          link.round,
          link.copy_bandwidth};
}

void Network::setCost(Passage &passage, const TesseraLink &link,
                      double latencySeconds, double transferSeconds) const {
  // At most a month, so that sums and delayed times stay representable.
  auto nanoseconds = [](double seconds) {
    return static_cast<int64_t>(std::llround(1e9 * std::min(seconds, 2.6e6)));
  };
  passage.linkClass = link.link_class;
  passage.latency = nanoseconds(latencySeconds);
  passage.transfer = nanoseconds(transferSeconds);
  if (!delaySeed)
    return;
  uint64_t state = *delaySeed;
  for (int64_t part : passage.key)
    state = RandomStream(state ^ static_cast<uint64_t>(part)).next();
  RandomStream random(state);
  passage.isLazy = random.next() % 2 == 0;
  // In hundredths of what it takes.
  auto share = static_cast<int64_t>(random.next() % 1001);
  passage.latency += (passage.latency + passage.transfer) * share / 100;
}

Network::Problem Network::issue(Passage &passage, const TesseraCollective &call,
                                uint64_t number) {
  const TesseraGroup &group = *call.group;
  int32_t rank = group.members[group.position];
  std::lock_guard lock(mutex);
  if (isStopped)
    return {};
  auto kind = static_cast<CollectiveKind>(call.kind);
  passage.key = {0, group.communicator, group.index,
                 static_cast<int64_t>(number)};
  passage.kind = collectiveInfo(kind).name;
  passage.site = call.site;
  passage.parts = group.size;
  const TesseraLink &link =
      groupLinks[group.communicator * ranks.size() + rank];
  GroupLinks links = linksOf(link);
  setCost(passage, link, links.latencySeconds(kind, group.size),
          links.transferSeconds(kind, group.size,
                                bytesSent(kind, group.size, callBytes(call))));
  ranks[rank].stream.push_back(&passage);
  join(passage, rank);
  return progress();
}

Network::Problem Network::send(const TesseraMessage &message) {
  std::lock_guard lock(mutex);
  if (isStopped)
    return {};
  Channel &channel = channels[{message.source, message.target, message.tag}];
  auto link = channelLinks.find({message.source, message.target});
  if (link == channelLinks.end())
    return "the program does not say that rank " +
           std::to_string(message.source) + " sends to rank " +
           std::to_string(message.target);
  Passage &passage = *passageOf(message, channel.sent++);
  setCost(passage, link->second, linksOf(link->second).messageLatency(),
          static_cast<double>(message.bytes) / link->second.bandwidth);
  join(passage, message.source);
  return progress();
}

std::shared_ptr<Passage> Network::receive(const TesseraMessage &message) {
  std::lock_guard lock(mutex);
  Channel &channel = channels[{message.source, message.target, message.tag}];
  return passageOf(message, channel.received++);
}

/// The passage of message number `number` of its channel, which is made for the
/// end that comes first. Those whose ends have both come are forgotten.
std::shared_ptr<Passage> Network::passageOf(const TesseraMessage &message,
                                            int64_t number) {
  Channel &channel = channels[{message.source, message.target, message.tag}];
  while (number - channel.first >=
         static_cast<int64_t>(channel.passages.size())) {
    auto &passage = channel.passages.emplace_back(std::make_shared<Passage>());
    passage->key = {
        1, int64_t(message.source) * int64_t(ranks.size()) + message.target,
        message.tag, channel.first + int64_t(channel.passages.size()) - 1};
    passage->kind = "message";
    passage->site = message.site;
  }
  std::shared_ptr<Passage> passage = channel.passages[number - channel.first];
  while (!channel.passages.empty() && channel.first < channel.received &&
         channel.passages.front()->end >= 0) {
    channel.passages.pop_front();
    ++channel.first;
  }
  return passage;
}

void Network::join(Passage &passage, int32_t rank) {
  passage.ready = std::max(passage.ready, now(rank));
  passage.order = std::max(passage.order, ++ranks[rank].issued);
  passage.senders.push_back(rank);
  if (passage.isComplete())
    complete.push_back(&passage);
}

Network::Problem Network::await(Passage &passage, int32_t rank) {
  std::lock_guard lock(mutex);
  if (isStopped)
    return {};
  if (passage.end >= 0) {
    ranks[rank].clock = std::max(ranks[rank].clock.load(), passage.end.load());
    return {};
  }
  passage.awaiting.push_back(rank);
  ranks[rank].isWaiting = true;
  --running;
  return progress();
}

//===----------------------------------------------------------------------===//
// What the network does
//===----------------------------------------------------------------------===//

std::optional<int64_t> Network::readyTime(const Passage &passage) const {
  int64_t ready = passage.ready;
  if (passage.isMessage())
    return ready;
  for (int32_t member : passage.senders) {
    if (ranks[member].stream.front() != &passage)
      return std::nullopt;
    ready = std::max(ready, ranks[member].streamFree);
  }
  return ready;
}

int64_t Network::horizon() const {
  int64_t earliest = std::numeric_limits<int64_t>::max();
  for (const Rank &rank : ranks)
    if (!rank.isWaiting)
      earliest = std::min(earliest, rank.clock.load());
  return earliest;
}

/// Lets passages begin, the earliest first, until none is left whose turn it is
/// or, in virtual time, until one is not before the horizon: a rank that runs
/// could still issue another one before it. Says what the deadlock is if
/// nothing can ever begin.
Network::Problem Network::progress() {
  auto isBefore = [](const Passage &a, int64_t readyA, const Passage &b,
                     int64_t readyB) {
    return std::tie(readyA, a.order, a.key) < std::tie(readyB, b.order, b.key);
  };
  while (!isStopped) {
    Passage *next = nullptr;
    int64_t nextReady = 0;
    for (Passage *passage : complete) {
      std::optional<int64_t> ready = readyTime(*passage);
      if (!ready || (next && !isBefore(*passage, *ready, *next, nextReady)))
        continue;
      next = passage;
      nextReady = *ready;
    }
    if (!next)
      return findDeadlock();
    if (hasVirtualTime && nextReady >= horizon())
      break;
    begin(*next, nextReady);
  }
  return {};
}

void Network::begin(Passage &passage, int64_t ready) {
  complete.erase(std::ranges::find(complete, &passage));
  int64_t start = ready;
  for (int32_t sender : passage.senders)
    start = std::max(start, ranks[sender].linkFree[passage.linkClass]);
  int64_t end = start + passage.transfer + passage.latency;
  for (int32_t sender : passage.senders) {
    Rank &rank = ranks[sender];
    rank.linkFree[passage.linkClass] = start + passage.transfer;
    if (passage.isMessage())
      continue;
    rank.stream.pop_front();
    rank.streamFree = end;
  }
  for (int32_t waiting : passage.awaiting) {
    Rank &rank = ranks[waiting];
    rank.clock = std::max(rank.clock.load(), end);
    rank.isWaiting = false;
    ++running;
  }
  std::vector<int32_t> awaiting = std::move(passage.awaiting);
  // Who awaits it may be gone with it from here on.
  passage.end = end;
  for (int32_t waiting : awaiting)
    ranks[waiting].signal.signal();
}

Network::Problem Network::findDeadlock() const {
  if (running > 0)
    return {};
  auto describe = [](const Passage &passage) {
    return std::string(passage.kind) + " '" + passage.site->name + "' at " +
           passage.site->location;
  };
  for (const Passage *passage : complete)
    for (int32_t member : passage->senders) {
      const Passage &before = *ranks[member].stream.front();
      if (&before != passage)
        return "deadlock: " + describe(*passage) + " is behind " +
               describe(before) + " on rank " + std::to_string(member) +
               (before.isComplete()
                    ? ": ranks start collectives in different orders"
                    : ", which not all of its members have started");
    }
  return {};
}
