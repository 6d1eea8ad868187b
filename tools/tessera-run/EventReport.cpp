//===- EventReport.cpp ----------------------------------------------------===//

#include "EventReport.h"

#include "tessera/Support/File.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string_view>
#include <tuple>

#include <nlohmann/json.hpp>

using namespace tessera;
using namespace tessera::run;

EventReport::EventReport(int32_t ranks, const TesseraJob *job) {
  for (int32_t rank = 0; rank < ranks; ++rank) {
    const TesseraEvent *first = nullptr;
    int64_t count = 0;
    tessera_job_events(job, rank, &first, &count);
    events.emplace_back(first, static_cast<size_t>(count));
  }
}

namespace {
/// All executions of one kernel, collective or message.
struct Row {
  std::string kind, name, location;
  int64_t nanoseconds = 0, bytes = 0, calls = 0;
  /// Of `nanoseconds`, those while the rank did something else.
  int64_t hidden = 0;
};
} // namespace

static bool isTask(const TesseraEvent &event) {
  return event.kind == std::string_view("task");
}

/// Whether event `i` is a collective that was still under way when the rank did
/// something else.
static bool isBackground(std::span<const TesseraEvent> events, size_t i) {
  return !isTask(events[i]) && i + 1 < events.size() &&
         events[i].end > events[i + 1].begin;
}

/// One row for each site, the slowest first.
static std::vector<Row>
collectRows(const std::vector<std::span<const TesseraEvent>> &events) {
  std::map<std::tuple<std::string, std::string, std::string>, Row> bySite;
  for (std::span<const TesseraEvent> rank : events)
    for (size_t i = 0; i < rank.size(); ++i) {
      const TesseraEvent &event = rank[i];
      if (isTask(event))
        continue; // What happens in it has events of its own.
      Row &row = bySite[{event.kind, event.name, event.location}];
      row.nanoseconds += event.end - event.begin;
      row.hidden += isBackground(rank, i) ? event.end - rank[i + 1].begin : 0;
      row.bytes += event.bytes;
      ++row.calls;
    }
  std::vector<Row> rows;
  for (auto &[site, row] : bySite) {
    std::tie(row.kind, row.name, row.location) = site;
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
    return std::tie(b.nanoseconds, a.name) < std::tie(a.nanoseconds, b.name);
  });
  return rows;
}

void EventReport::printProfile(size_t steps) const {
  std::vector<Row> rows = collectRows(events);
  // Ranks of other processes have none here.
  int64_t ranks = std::ranges::count_if(
      events, [](std::span<const TesseraEvent> rank) { return !rank.empty(); });
  double runs = static_cast<double>(steps) * std::max<int64_t>(ranks, 1);
  int64_t total = 0, communicating = 0, hidden = 0;
  for (const Row &row : rows) {
    total += row.nanoseconds - row.hidden;
    communicating += row.kind == "kernel" ? 0 : row.nanoseconds - row.hidden;
    hidden += row.hidden;
  }
  double all = std::max<int64_t>(total, 1);
  std::printf("%10s %6s %7s %12s  %-14s %s\n", "ms/step", "share", "calls",
              "bytes/call", "kind", "name, location");
  for (const Row &row : rows)
    std::printf("%10.3f %5.1f%% %7.4g %12lld  %-14s %s, %s\n",
                1e-6 * row.nanoseconds / runs, 100 * row.nanoseconds / all,
                row.calls / runs, static_cast<long long>(row.bytes / row.calls),
                row.kind.c_str(), row.name.c_str(), row.location.c_str());
  std::printf("%10.3f in kernels, %.3f in communication with its waits (mean "
              "of %lld ranks and %zu steps)\n",
              1e-6 * (total - communicating) / runs,
              1e-6 * communicating / runs, static_cast<long long>(ranks),
              steps);
  if (hidden)
    std::printf("%10.3f from the starts of collectives to their ends, beside "
                "these\n",
                1e-6 * hidden / runs);
}

/// A JSON string literal.
static std::string quote(const std::string &text) {
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

Fallible<void>
EventReport::writeTrace(const std::string &path,
                        const std::vector<StepTime> &steps) const {
  Fallible<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.failure();
  int64_t origin = steps.empty() ? 0 : steps.front().begin;
  auto nameTrack = [&](size_t track, const std::string &name) {
    file->write("{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":" +
                std::to_string(track) + ",\"args\":{\"name\":" + quote(name) +
                "}},\n");
  };
  auto slice = [&](size_t track, const std::string &name,
                   const std::string &category, int64_t begin, int64_t end,
                   const std::string &arguments) {
    char times[96];
    std::snprintf(times, sizeof times, "\"ts\":%.3f,\"dur\":%.3f",
                  1e-3 * (begin - origin), 1e-3 * (end - begin));
    file->write("{\"ph\":\"X\",\"pid\":0,\"tid\":" + std::to_string(track) +
                ",\"name\":" + quote(name) + ",\"cat\":" + quote(category) +
                "," + times + ",\"args\":{" + arguments + "}},\n");
  };
  file->write("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
  nameTrack(0, "steps");
  for (size_t i = 0; i < steps.size(); ++i)
    slice(0, "step " + std::to_string(i + 1), "step", steps[i].begin,
          steps[i].end, "");
  for (size_t rank = 0; rank < events.size(); ++rank) {
    // What goes on in the background does not nest: it has a track of its own,
    // behind those of all ranks.
    size_t foreground = rank + 1, background = events.size() + rank + 1;
    nameTrack(foreground, "rank " + std::to_string(rank));
    nameTrack(background, "background of rank " + std::to_string(rank));
    for (size_t i = 0; i < events[rank].size(); ++i) {
      const TesseraEvent &event = events[rank][i];
      std::string arguments = "\"location\":" + quote(event.location);
      if (event.bytes)
        arguments += ",\"bytes\":" + std::to_string(event.bytes);
      slice(isBackground(events[rank], i) ? background : foreground, event.name,
            event.kind, event.begin, event.end, arguments);
    }
  }
  // The list ends with an event, as JSON allows no comma there.
  file->write("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"args\":"
              "{\"name\":\"tessera-run\"}}\n]}\n");
  return file->commit();
}
