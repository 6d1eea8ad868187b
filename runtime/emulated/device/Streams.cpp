//===- Streams.cpp --------------------------------------------------------===//

#include "device/Streams.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

using namespace tessera;
using namespace tessera::emulated;

static void join(StreamClock &clock, const StreamClock &other) {
  if (clock.size() < other.size())
    clock.resize(other.size());
  for (size_t i = 0; i < other.size(); ++i)
    clock[i] = std::max(clock[i], other[i]);
}

static uint32_t timeIn(const StreamClock &clock, uint32_t stream) {
  return stream < clock.size() ? clock[stream] : 0;
}

static std::string nameOf(const gpu::Operation &operation) {
  if (!operation.site)
    return "a copy";
  return std::string(operation.kind) + " '" + operation.site->name + "' at " +
         operation.site->location;
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

Stream *StreamSet::create() {
  streams.push_back(std::make_unique<Stream>());
  streams.back()->number = created++;
  return streams.back().get();
}

void StreamSet::destroy(Stream *stream) {
  std::erase_if(streams, [&](const auto &own) { return own.get() == stream; });
}

void StreamSet::append(Stream &stream, Node node) {
  if (stream.recording)
    stream.recording->items.push_back({&stream, std::move(node)});
  else
    stream.queue.push_back(std::move(node));
}

void StreamSet::add(Stream &stream, std::shared_ptr<const Work> work) {
  join(stream.clock, host);
  if (stream.clock.size() <= stream.number)
    stream.clock.resize(stream.number + 1);
  ++stream.clock[stream.number];
  append(stream, {std::move(work), nullptr, nullptr, stream.clock});
}

MarkerPtr StreamSet::mark(Stream &stream) {
  auto marker = std::make_shared<Marker>();
  marker->stream = &stream;
  marker->clock = stream.clock;
  marker->graph = stream.recording;
  append(stream, {nullptr, marker, nullptr, {}});
  return marker;
}

bool StreamSet::wait(Stream &stream, const MarkerPtr &marker) {
  if (marker->graph != stream.recording) {
    // A stream is drawn into the recording; nothing else may cross its border.
    if (stream.recording || marker->graph != recorded.get())
      return false;
    stream.recording = marker->graph;
  }
  join(stream.clock, marker->clock);
  append(stream, {nullptr, nullptr, marker, {}});
  return true;
}

//===----------------------------------------------------------------------===//
// Executing
//===----------------------------------------------------------------------===//

WorkResult StreamSet::reach(const MarkerPtr &marker) {
  WorkResult outcome;
  if (!marker->isDone)
    outcome = executeUntil(*marker->stream, *marker);
  if (outcome.fault || outcome.isPending)
    return outcome;
  join(host, marker->clock);
  if (std::ranges::all_of(streams,
                          [](const auto &s) { return s->queue.empty(); }))
    forgetPast();
  return outcome;
}

WorkResult StreamSet::executeAll() {
  for (size_t i = 0; i < streams.size(); ++i) {
    if (streams[i]->queue.empty())
      continue;
    auto end = std::make_shared<Marker>();
    streams[i]->queue.push_back({nullptr, end, nullptr, {}});
    WorkResult outcome = executeUntil(*streams[i], *end);
    if (outcome.fault || outcome.isPending)
      return outcome;
  }
  return {};
}

WorkResult StreamSet::executeUntil(Stream &stream, const Marker &marker) {
  while (!marker.isDone) {
    if (stream.queue.empty())
      return {"waits for an event that is not recorded", false};
    const Node node = stream.queue.front();
    WorkResult outcome;
    if (node.awaits && !node.awaits->isDone)
      outcome = executeUntil(*node.awaits->stream, *node.awaits);
    else if (node.work)
      outcome = executeWork(stream, node);
    if (outcome.fault || outcome.isPending)
      return outcome;
    if (node.marks) {
      node.marks->isDone = true;
      node.marks->time = gpu::clockNow();
    }
    stream.queue.pop_front();
  }
  return {};
}

WorkResult StreamSet::executeWork(Stream &stream, const Node &node) {
  if (node.work->waits && !isSending)
    if (WorkResult outcome = sendWhatCanBeSent(); outcome.fault)
      return outcome;
  executingStream = &stream;
  executingNode = &node;
  latestKind = node.work->operation.kind;
  latestSite = node.work->operation.site;
  inWork = true;
  WorkResult outcome;
  outcome.fault = access(node.work->accesses);
  if (!outcome.fault)
    outcome = node.work->execute();
  inWork = false;
  executingNode = nullptr;
  return outcome;
}

bool StreamSet::wouldWait(const Stream &stream, const Work *until,
                          const Marker *marker) const {
  for (const Node &node : stream.queue) {
    if ((marker && node.marks.get() == marker) ||
        (until && node.work.get() == until))
      return false;
    if (node.work && node.work->waits)
      return true;
    if (node.awaits && !node.awaits->isDone &&
        wouldWait(*node.awaits->stream, nullptr, node.awaits.get()))
      return true;
  }
  return true;
}

WorkResult StreamSet::sendWhatCanBeSent() {
  isSending = true;
  WorkResult outcome;
  for (const std::unique_ptr<Stream> &stream : streams) {
    // The last message of the stream that can be sent, and a marker behind it.
    auto &queue = stream->queue;
    size_t count = 0;
    for (size_t i = 0; i < queue.size(); ++i)
      if (queue[i].work && queue[i].work->sends && !queue[i].work->waits &&
          !wouldWait(*stream, queue[i].work.get(), nullptr))
        count = i + 1;
    if (count == 0)
      continue;
    auto marker = std::make_shared<Marker>();
    queue.insert(queue.begin() + static_cast<int64_t>(count),
                 {nullptr, marker, nullptr, {}});
    outcome = executeUntil(*stream, *marker);
    if (outcome.fault || outcome.isPending)
      break;
  }
  isSending = false;
  return outcome;
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

/// Ascending and disjoint: what overlaps is cut, and a write where one is.
static std::vector<MemoryRange> normalize(std::vector<MemoryRange> ranges) {
  std::erase_if(ranges, [](const MemoryRange &r) { return r.begin == r.end; });
  std::ranges::sort(ranges, {}, &MemoryRange::begin);
  auto overlaps = [](const MemoryRange &a, const MemoryRange &b) {
    return a.overlaps(b);
  };
  if (std::ranges::adjacent_find(ranges, overlaps) == ranges.end())
    return ranges;
  std::set<uint64_t> ends;
  for (const MemoryRange &range : ranges)
    ends.insert({range.begin, range.end});
  std::vector<MemoryRange> pieces;
  for (auto end = std::next(ends.begin()); end != ends.end(); ++end) {
    MemoryRange piece = {*std::prev(end), *end, false, true};
    bool isCovered = false;
    for (const MemoryRange &range : ranges)
      if (range.overlaps(piece)) {
        isCovered = true;
        piece.isWrite |= range.isWrite;
        piece.isWord &= range.isWord;
      }
    if (isCovered)
      pieces.push_back(piece);
  }
  return pieces;
}

/// Whether one of `a` conflicts with one of `b`; both are normalized.
static bool conflict(std::span<const MemoryRange> a,
                     std::span<const MemoryRange> b) {
  if (a.size() > b.size())
    std::swap(a, b);
  for (const MemoryRange &range : a) {
    auto at = std::ranges::upper_bound(b, range.begin, {}, &MemoryRange::end);
    for (; at != b.end() && at->begin < range.end; ++at)
      if (at->conflicts(range))
        return true;
  }
  return false;
}

template <typename Visit> void StreamSet::forEachConcurrent(Visit visit) const {
  for (const std::unique_ptr<Stream> &stream : streams) {
    if (stream.get() == executingStream)
      continue;
    uint32_t known = timeIn(executingNode->clock, stream->number);
    for (size_t i = stream->past.size(); i-- > 0;) {
      if (stream->past[i].time <= known)
        break;
      if (!visit(stream->past[i]))
        return;
    }
  }
}

std::optional<std::string>
StreamSet::access(std::vector<MemoryRange> accessed) {
  std::vector<MemoryRange> ranges = normalize(std::move(accessed));
  if (!executingNode || ranges.empty())
    return std::nullopt;
  std::optional<std::string> race;
  forEachConcurrent([&](const Stream::Past &earlier) {
    if (conflict(earlier.ranges, ranges))
      race = "race: " + nameOf(executingNode->work->operation) +
             " accesses memory that " + nameOf(earlier.work->operation) +
             " accesses on another stream, and no event orders them";
    return !race;
  });
  if (!race)
    executingStream->past.push_back(
        {executingNode->work,
         timeIn(executingNode->clock, executingStream->number),
         std::move(ranges)});
  return race;
}

std::vector<Hazard> StreamSet::hazards() const {
  std::vector<Hazard> hazards;
  if (executingNode)
    forEachConcurrent([&](const Stream::Past &earlier) {
      std::string who = nameOf(earlier.work->operation);
      for (const MemoryRange &range : earlier.ranges)
        hazards.push_back({range, who});
      return true;
    });
  return hazards;
}

void StreamSet::forgetPast() {
  for (const std::unique_ptr<Stream> &stream : streams)
    std::erase_if(stream->past, [&](const Stream::Past &entry) {
      return entry.time <= timeIn(host, stream->number);
    });
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

bool StreamSet::beginRecording(Stream &stream) {
  if (recorded)
    return false;
  recorded = std::make_unique<Graph>();
  recorded->origin = &stream;
  stream.recording = recorded.get();
  return true;
}

std::unique_ptr<Graph> StreamSet::endRecording(Stream &stream) {
  if (!recorded || recorded->origin != &stream)
    return nullptr;
  bool isJoined = true;
  for (const std::unique_ptr<Stream> &other : streams) {
    if (!other->recording)
      continue;
    isJoined &= timeIn(stream.clock, other->number) ==
                timeIn(other->clock, other->number);
    other->recording = nullptr;
  }
  return isJoined ? std::move(recorded) : (recorded.reset(), nullptr);
}

void StreamSet::replay(Stream &stream, const Graph &graph,
                       std::vector<Stream *> &replayStreams) {
  std::map<Stream *, size_t> numbers = {{graph.origin, 0}};
  for (const Graph::Item &item : graph.items)
    numbers.try_emplace(item.stream, numbers.size());
  while (replayStreams.size() < numbers.size())
    replayStreams.push_back(create());
  std::map<const Marker *, MarkerPtr> markers;
  wait(*replayStreams[0], mark(stream));
  for (const Graph::Item &item : graph.items) {
    Stream &target = *replayStreams[numbers[item.stream]];
    if (item.node.work)
      add(target, item.node.work);
    else if (item.node.marks)
      markers[item.node.marks.get()] = mark(target);
    else
      wait(target, markers.at(item.node.awaits.get()));
  }
  wait(stream, mark(*replayStreams[0]));
}
