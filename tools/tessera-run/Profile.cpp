//===- Profile.cpp - Summing a timeline up --------------------------------===//

#include "Profile.h"

#include <algorithm>
#include <tuple>

using namespace tessera;
using namespace tessera::run;

/// Where in the model an event comes from, with its kind.
using Site = std::tuple<std::string, std::string, std::string>;
static Site siteOf(const TesseraEvent &event) {
  return {event.kind, event.name, event.location};
}

template <typename Row>
static void sortByTime(std::vector<Row> &rows, double (*timeOf)(const Row &)) {
  std::ranges::sort(
      rows, [&](const Row &a, const Row &b) { return timeOf(a) > timeOf(b); });
}

Profile::Profile(const Timeline &timeline, const WorkTable &work,
                 const MachinePeak *peak)
    : steps(timeline.steps().size()), peak(peak) {
  // Ranks of other processes have no events here.
  for (size_t rank = 0; rank < timeline.ranks(); ++rank)
    ranks += timeline.ranks() == 1 || !timeline.events(rank).empty();
  double runs = static_cast<double>(steps * std::max<size_t>(ranks, 1));
  step = static_cast<double>(timeline.duration()) /
         std::max<double>(static_cast<double>(steps), 1);
  for (size_t rank = 0; rank < timeline.ranks(); ++rank) {
    auto &ofRank = partsOfRanks.emplace_back();
    if (timeline.ranks() > 1 && timeline.events(rank).empty())
      continue;
    for (const Segment &segment : timeline.segments(rank)) {
      auto time = static_cast<double>(segment.duration());
      ofRank[static_cast<size_t>(segment.part)] +=
          time / static_cast<double>(steps);
      parts[static_cast<size_t>(segment.part)] += time / runs;
    }
  }
  addKernels(timeline, work);
  addCommunication(timeline);
  addWaits(timeline);
  for (KernelRow &row : kernels)
    row.time /= runs, row.calls /= runs;
  for (CommunicationRow &row : communication)
    for (double *number :
         {&row.calls, &row.bytes, &row.transfer, &row.waiting, &row.hidden})
      *number /= runs;
  for (WaitRow &row : waits)
    row.time /= runs;
  compareWithPeak();
  sortByTime<KernelRow>(kernels, [](const KernelRow &row) { return row.time; });
  sortByTime<CommunicationRow>(communication, [](const CommunicationRow &row) {
    return row.exposed() + row.hidden;
  });
  sortByTime<WaitRow>(waits, [](const WaitRow &row) { return row.time; });
}

//===----------------------------------------------------------------------===//
// Rows: sums over all ranks and steps at first
//===----------------------------------------------------------------------===//

void Profile::addKernels(const Timeline &timeline, const WorkTable &work) {
  std::map<Site, KernelRow> bySite;
  for (size_t rank = 0; rank < timeline.ranks(); ++rank) {
    for (const TesseraEvent &event : timeline.events(rank))
      if (event.kind == std::string_view("kernel"))
        ++bySite[siteOf(event)].calls;
    for (const Segment &segment : timeline.segments(rank))
      if (segment.part == Part::Kernel)
        bySite[siteOf(*segment.event)].time +=
            static_cast<double>(segment.duration());
  }
  for (auto &[site, row] : bySite) {
    std::tie(std::ignore, row.name, row.location) = site;
    if (const WorkTable::Kernel *kernel = work.find(row.name)) {
      row.work = *kernel;
      row.calls /= static_cast<double>(kernel->launches);
    }
    kernels.push_back(std::move(row));
  }
}

void Profile::compareWithPeak() {
  for (KernelRow &row : kernels)
    if (peak && row.work && row.time > 0)
      row.roofline = peak->seconds(row.work->operations, row.work->bytes) *
                     row.calls / (1e-9 * row.time);
}

/// Where a communication of the rank comes from: of starts and waits, what has
/// been started or is waited for.
static Site communicationSite(const Timeline &timeline, size_t rank,
                              const TesseraEvent &event) {
  bool isOwn = event.kind != std::string_view("start") &&
               event.kind != std::string_view("wait");
  const Exchange *exchange = isOwn ? nullptr : timeline.exchangeOf(rank, event);
  if (exchange)
    for (const Exchange::Member &member : exchange->members)
      if (member.rank == static_cast<int32_t>(rank))
        return siteOf(*member.event);
  return siteOf(event);
}

/// For how long the rank computed from `begin` to `end`.
static int64_t timeInKernels(const Timeline &timeline, size_t rank,
                             int64_t begin, int64_t end) {
  int64_t sum = 0;
  for (const Segment &segment : timeline.segmentsIn(rank, begin, end))
    if (segment.part == Part::Kernel)
      sum += std::min(segment.end, end) - std::max(segment.begin, begin);
  return sum;
}

void Profile::addCommunication(const Timeline &timeline) {
  std::map<Site, CommunicationRow> bySite;
  for (size_t rank = 0; rank < timeline.ranks(); ++rank) {
    for (const TesseraEvent &event : timeline.events(rank)) {
      const Exchange *exchange = timeline.exchangeOf(rank, event);
      if (!exchange ||
          communicationSite(timeline, rank, event) != siteOf(event))
        continue;
      CommunicationRow &row = bySite[siteOf(event)];
      ++row.calls;
      row.bytes += static_cast<double>(event.bytes);
      if (event.background)
        row.hidden += static_cast<double>(
            timeInKernels(timeline, rank, event.begin, event.end));
    }
    for (const Segment &segment : timeline.segments(rank)) {
      if (segment.part != Part::Transfer && segment.part != Part::WaitForRank)
        continue;
      CommunicationRow &row =
          bySite[communicationSite(timeline, rank, *segment.event)];
      (segment.part == Part::Transfer ? row.transfer : row.waiting) +=
          static_cast<double>(segment.duration());
    }
  }
  for (auto &[site, row] : bySite) {
    std::tie(row.kind, row.name, row.location) = site;
    communication.push_back(std::move(row));
  }
}

/// What the rank spent most of the time from `begin` to `end` on.
static std::string activityOf(const Timeline &timeline, int32_t rank,
                              int64_t begin, int64_t end) {
  std::map<std::string, int64_t> times;
  for (const Segment &segment : timeline.segmentsIn(rank, begin, end)) {
    std::string text = nameOf(segment.part);
    if (segment.part == Part::Kernel || segment.part == Part::WaitForCore)
      text += std::string(segment.part == Part::Kernel ? " '" : " in '") +
              segment.event->name + "'";
    else if (segment.part == Part::WaitForRank)
      text = "waiting for rank " + std::to_string(segment.late);
    times[text] += std::min(segment.end, end) - std::max(segment.begin, begin);
  }
  auto longest = std::ranges::max_element(
      times, {}, [](const auto &entry) { return entry.second; });
  return longest == times.end() ? "" : longest->first;
}

void Profile::addWaits(const Timeline &timeline) {
  std::map<std::tuple<int32_t, Site, std::string>, double> byCause;
  for (size_t rank = 0; rank < timeline.ranks(); ++rank)
    for (const Segment &segment : timeline.segments(rank)) {
      if (segment.part != Part::WaitForRank)
        continue;
      Site site = communicationSite(timeline, rank, *segment.event);
      byCause[{
          segment.late, site,
          activityOf(timeline, segment.late, segment.begin, segment.end)}] +=
          static_cast<double>(segment.duration());
    }
  for (auto &[cause, time] : byCause) {
    WaitRow row;
    Site site;
    std::tie(row.late, site, row.activity) = cause;
    std::tie(row.kind, row.name, row.location) = site;
    row.time = time;
    waits.push_back(std::move(row));
  }
}
