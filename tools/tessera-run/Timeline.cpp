//===- Timeline.cpp -------------------------------------------------------===//

#include "Timeline.h"

#include <algorithm>
#include <utility>

using namespace tessera;
using namespace tessera::run;

const char *run::nameOf(Part part) {
  static constexpr const char *names[partCount] = {
      "kernel",  "transfer", "waiting for a rank", "waiting for a core",
      "between", "idle"};
  return names[static_cast<size_t>(part)];
}

static bool isKind(const TesseraEvent &event, std::string_view kind) {
  return event.kind == kind;
}

bool run::isTask(const TesseraEvent &event) { return isKind(event, "task"); }

bool run::isForeground(const TesseraEvent &event) {
  return !event.background && !isTask(event);
}

Timeline::Timeline(std::vector<std::span<const TesseraEvent>> events,
                   std::vector<StepTime> steps, bool onDevices)
    : allEvents(std::move(events)), allSteps(std::move(steps)),
      allSegments(allEvents.size()) {
  putTogether();
  for (size_t rank = 0; rank < ranks(); ++rank)
    account(rank, onDevices);
}

int64_t Timeline::duration() const {
  int64_t sum = 0;
  for (const StepTime &step : allSteps)
    sum += step.end - step.begin;
  return sum;
}

//===----------------------------------------------------------------------===//
// What ranks did together
//===----------------------------------------------------------------------===//

Timeline::Key Timeline::keyOf(size_t rank, const TesseraEvent &event) {
  if (event.peer < 0)
    return {event.communicator, event.group, 0, 0, event.number};
  // Of a wait one cannot see which end it belongs to; only receivers wait.
  int64_t source = rank, target = event.peer;
  if (!isKind(event, "send"))
    std::swap(source, target);
  return {-1, source, target, event.tag, event.number};
}

void Timeline::putTogether() {
  for (size_t rank = 0; rank < ranks(); ++rank)
    for (const TesseraEvent &event : allEvents[rank]) {
      if ((event.communicator < 0 && event.peer < 0) ||
          isKind(event, "start") || isKind(event, "wait"))
        continue;
      Exchange &exchange = together[keyOf(rank, event)];
      exchange.members.push_back({static_cast<int32_t>(rank), &event});
      // What a thread sends can be received when it has been copied.
      bool copies = isKind(event, "send") && !event.background;
      int64_t come = copies ? event.end : event.begin;
      if (come > exchange.ready)
        std::tie(exchange.ready, exchange.late) =
            std::pair(come, static_cast<int32_t>(rank));
      if (event.communicator >= 0)
        exchange.done = std::min(exchange.done, event.end);
    }
}

const Exchange *Timeline::exchangeOf(size_t rank,
                                     const TesseraEvent &event) const {
  if (event.communicator < 0 && event.peer < 0)
    return nullptr;
  auto found = together.find(keyOf(rank, event));
  return found == together.end() ? nullptr : &found->second;
}

std::vector<const Exchange *> Timeline::exchanges() const {
  std::vector<const Exchange *> list;
  for (const auto &[key, exchange] : together)
    list.push_back(&exchange);
  return list;
}

//===----------------------------------------------------------------------===//
// Every moment
//===----------------------------------------------------------------------===//

void Timeline::split(size_t rank, const TesseraEvent &event, int64_t begin,
                     int64_t end, bool onDevices) {
  auto add = [&](int64_t until, Part part, int32_t late = -1) {
    until = std::clamp(until, begin, end);
    if (until > begin)
      allSegments[rank].push_back({begin, until, part, &event, late});
    begin = until;
  };
  // How long it worked, if that is known; else all of the time.
  auto addWork = [&](Part part) {
    add(event.busy < 0 ? end : begin + event.busy, part);
    add(end, Part::WaitForCore);
  };
  if (isKind(event, "kernel"))
    return addWork(Part::Kernel);
  const Exchange *exchange = exchangeOf(rank, event);
  bool mayWait = !isKind(event, "start") && !isKind(event, "send");
  // A device may wait for its own communication to begin.
  if (exchange && mayWait && exchange->late != static_cast<int32_t>(rank))
    add(exchange->ready, Part::WaitForRank, exchange->late);
  if (onDevices || !mayWait || event.communicator < 0)
    return addWork(Part::Transfer);
  // Whoever had a core moved the data.
  add(exchange ? exchange->done : end, Part::Transfer);
  add(end, Part::WaitForCore);
}

void Timeline::account(size_t rank, bool onDevices) {
  auto next = allEvents[rank].begin(), last = allEvents[rank].end();
  for (const StepTime &step : allSteps) {
    int64_t now = step.begin;
    auto skip = [&](int64_t until, Part part) {
      if (until > now)
        allSegments[rank].push_back({now, until, part});
      now = std::max(now, until);
    };
    bool hasBegun = false;
    for (; next != last && next->begin < step.end; ++next) {
      if (!isForeground(*next))
        continue;
      skip(next->begin, hasBegun ? Part::Between : Part::Idle);
      hasBegun = true;
      // Clocks of other processes may be wrong by some microseconds.
      int64_t end = std::clamp(next->end, now, step.end);
      split(rank, *next, now, end, onDevices);
      now = end;
    }
    skip(step.end, Part::Idle);
  }
}

std::span<const Segment> Timeline::segmentsIn(size_t rank, int64_t begin,
                                              int64_t end) const {
  const std::vector<Segment> &list = allSegments[rank];
  auto first = std::ranges::upper_bound(list, begin, {}, &Segment::end);
  auto last = std::ranges::lower_bound(list, end, {}, &Segment::begin);
  return first < last ? std::span(first, last) : std::span<const Segment>();
}
