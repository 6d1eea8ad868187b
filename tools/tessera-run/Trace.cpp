//===- Trace.cpp ----------------------------------------------------------===//

#include "Trace.h"

#include "tessera/Support/File.h"

#include <algorithm>
#include <cstdio>

#include <nlohmann/json.hpp>

using namespace tessera;
using namespace tessera::run;

/// A JSON string literal.
static std::string quote(const std::string &text) {
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

namespace {

/// Tracks of a rank; process 0 is the job, with one track for its steps.
enum Track { ProgramTrack = 1, KernelTrack = 2, CommunicationTrack = 3 };

class TraceWriter {
public:
  TraceWriter(OutputFile &file, const Timeline &timeline, const WorkTable &work,
              int32_t devices)
      : file(file), timeline(timeline), work(work), devices(devices),
        origin(timeline.steps().empty() ? 0 : timeline.steps().front().begin),
        communications(timeline.ranks()) {}

  void write();

private:
  /// A communication as it is drawn.
  struct Slice {
    int64_t begin, end;
    int track;
  };

  void name(size_t process, int track, const std::string &text);
  void slice(size_t process, int track, const std::string &name,
             const std::string &category, int64_t begin, int64_t end,
             const std::string &arguments = "");
  void writeRank(size_t rank);
  /// What the rank itself did, but for communication.
  void writeForeground(size_t rank);
  void writeCommunication(size_t rank);
  void writeMemory(size_t rank);
  void writeArrows();
  void arrow(const Exchange::Member &from, const Exchange::Member &to);
  std::string argumentsOf(const TesseraEvent &event) const;
  /// A line of the list, without its end.
  void line(const std::string &text) {
    file.write(isFirst ? "" : ",\n");
    isFirst = false;
    file.write(text);
  }
  /// `"ts":1.234`: microseconds.
  std::string time(const char *key, int64_t nanoseconds) const {
    char text[64];
    std::snprintf(text, sizeof text, "\"%s\":%.3f", key,
                  1e-3 * static_cast<double>(nanoseconds));
    return text;
  }

  OutputFile &file;
  const Timeline &timeline;
  const WorkTable &work;
  int32_t devices;
  int64_t origin;
  bool isFirst = true;
  size_t arrows = 0;
  std::vector<std::map<const TesseraEvent *, Slice>>
      communications; ///< By rank.
};

} // namespace

static std::string trackOf(size_t process, int track) {
  return "\"pid\":" + std::to_string(process) +
         ",\"tid\":" + std::to_string(track);
}

void TraceWriter::name(size_t process, int track, const std::string &text) {
  std::string kind = track ? "thread" : "process";
  line("{\"ph\":\"M\",\"name\":\"" + kind + "_name\"," +
       trackOf(process, track) + ",\"args\":{\"name\":" + quote(text) + "}}");
  line("{\"ph\":\"M\",\"name\":\"" + kind + "_sort_index\"," +
       trackOf(process, track) + ",\"args\":{\"sort_index\":" +
       std::to_string(track ? track : process) + "}}");
}

void TraceWriter::slice(size_t process, int track, const std::string &name,
                        const std::string &category, int64_t begin, int64_t end,
                        const std::string &arguments) {
  line("{\"ph\":\"X\"," + trackOf(process, track) + ",\"name\":" + quote(name) +
       ",\"cat\":" + quote(category) + "," + time("ts", begin - origin) + "," +
       time("dur", end - begin) + ",\"args\":{" + arguments + "}}");
}

std::string TraceWriter::argumentsOf(const TesseraEvent &event) const {
  std::string arguments = "\"location\":" + quote(event.location);
  if (event.bytes)
    arguments += ",\"bytes\":" + std::to_string(event.bytes);
  if (event.peer >= 0)
    arguments += ",\"peer\":" + std::to_string(event.peer);
  if (event.busy >= 0)
    arguments += "," + time("on a core (us)", event.busy);
  const WorkTable::Kernel *kernel = event.kind == std::string_view("kernel")
                                        ? work.find(event.name)
                                        : nullptr;
  if (kernel) {
    char text[96];
    std::snprintf(text, sizeof text, ",\"operations\":%.0f,\"bytes\":%.0f",
                  kernel->operations, kernel->bytes);
    arguments += text;
  }
  return arguments;
}

void TraceWriter::writeForeground(size_t rank) {
  // Slices on one track nest, whatever clocks say.
  int64_t now[CommunicationTrack] = {};
  int64_t taskEnd = INT64_MAX;
  for (const TesseraEvent &event : timeline.events(rank)) {
    bool isKernel = event.kind == std::string_view("kernel"),
         waits = event.kind == std::string_view("wait") ||
                 event.kind == std::string_view("start");
    if (!isKernel && !waits && !isTask(event))
      continue;
    int track = isKernel ? KernelTrack : ProgramTrack;
    int64_t begin = std::max(event.begin, now[track]), end = event.end;
    if (begin >= taskEnd)
      taskEnd = INT64_MAX;
    if (track == ProgramTrack)
      end = std::min(end, taskEnd);
    end = std::max(begin, end);
    if (isTask(event))
      taskEnd = end;
    else
      now[track] = end;
    std::string arguments = argumentsOf(event);
    const Exchange *exchange =
        waits ? timeline.exchangeOf(rank, event) : nullptr;
    if (exchange && exchange->ready > begin)
      arguments += ",\"late rank\":" + std::to_string(exchange->late);
    slice(rank + 1, track, event.name, event.kind, begin, end, arguments);
  }
}

void TraceWriter::writeCommunication(size_t rank) {
  std::vector<int64_t> ends; // By track.
  for (const TesseraEvent &event : timeline.events(rank)) {
    const Exchange *exchange = timeline.exchangeOf(rank, event);
    if (!exchange || event.kind == std::string_view("start") ||
        event.kind == std::string_view("wait"))
      continue;
    int64_t end = std::max(event.begin, event.end);
    auto free = std::ranges::find_if(
        ends, [&](int64_t busy) { return busy <= event.begin; });
    int track = CommunicationTrack + static_cast<int>(free - ends.begin());
    if (free == ends.end())
      ends.push_back(end);
    else
      *free = end;
    std::string arguments = argumentsOf(event);
    if (exchange->late >= 0 && exchange->ready > event.begin)
      arguments +=
          ",\"late rank\":" + std::to_string(exchange->late) + "," +
          time("waiting (us)", std::min(exchange->ready, end) - event.begin);
    slice(rank + 1, track, event.name, event.kind, event.begin, end, arguments);
    communications[rank][&event] = {event.begin, end, track};
  }
  for (size_t i = 0; i < ends.size(); ++i)
    name(rank + 1, CommunicationTrack + static_cast<int>(i),
         i ? "communication " + std::to_string(i + 1) : "communication");
}

/// Writes the counter of a rank's memory: between steps what the boundary
/// holds, within them what is live at each event, in bytes. Ranks without sizes
/// in the manifest have none.
void TraceWriter::writeMemory(size_t rank) {
  auto pipelineRank = static_cast<int32_t>(rank) / devices;
  auto sizes = work.memoryOf(pipelineRank);
  if (!sizes)
    return;
  std::optional<int64_t> shown;
  auto count = [&](int64_t when, int64_t bytes) {
    if (shown == bytes)
      return;
    shown = bytes;
    line("{\"ph\":\"C\"," + trackOf(rank + 1, 0) + ",\"name\":\"memory\"," +
         time("ts", when - origin) +
         ",\"args\":{\"bytes\":" + std::to_string(bytes) + "}}");
  };
  auto next = timeline.events(rank).begin(), last = timeline.events(rank).end();
  std::string task;
  int64_t taskEnd = 0;
  for (const StepTime &step : timeline.steps()) {
    count(step.begin, sizes->boundary);
    for (; next != last && next->begin < step.end; ++next) {
      if (isTask(*next)) {
        task = next->name;
        taskEnd = next->end;
      } else if (auto bytes = work.bytesAt(pipelineRank,
                                           next->begin < taskEnd ? task : "",
                                           next->name)) {
        count(std::max(next->begin, step.begin), *bytes);
      }
    }
    count(step.end, sizes->boundary);
  }
}

void TraceWriter::writeRank(size_t rank) {
  name(rank + 1, 0, "rank " + std::to_string(rank));
  name(rank + 1, ProgramTrack, "program");
  name(rank + 1, KernelTrack, "kernels");
  writeForeground(rank);
  writeCommunication(rank);
  writeMemory(rank);
}

void TraceWriter::arrow(const Exchange::Member &from,
                        const Exchange::Member &to) {
  const Slice &source = communications[from.rank].at(from.event),
              &target = communications[to.rank].at(to.event);
  // Inside of both slices, and not backwards where clocks differ.
  int64_t begin = source.begin,
          end = std::max(begin, std::max(target.begin, target.end - 1));
  if (end > target.end)
    return;
  std::string common = ",\"name\":" + quote(to.event->name) +
                       ",\"cat\":" + quote(to.event->kind) +
                       ",\"id\":" + std::to_string(++arrows) + ",";
  line("{\"ph\":\"s\"," + trackOf(from.rank + 1, source.track) + common +
       time("ts", begin - origin) + "}");
  line("{\"ph\":\"f\",\"bp\":\"e\"," + trackOf(to.rank + 1, target.track) +
       common + time("ts", end - origin) + "}");
}

void TraceWriter::writeArrows() {
  for (const Exchange *exchange : timeline.exchanges()) {
    auto isSource = [&](const Exchange::Member &member) {
      return member.event->communicator >= 0
                 ? member.rank == exchange->late
                 : member.event->kind == std::string_view("send");
    };
    auto source = std::ranges::find_if(exchange->members, isSource);
    if (source == exchange->members.end())
      continue;
    for (const Exchange::Member &member : exchange->members)
      if (&member != &*source)
        arrow(*source, member);
  }
}

void TraceWriter::write() {
  file.write("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
  name(0, 0, "tessera-run");
  name(0, 1, "steps");
  for (size_t i = 0; i < timeline.steps().size(); ++i)
    slice(0, 1, "step " + std::to_string(i + 1), "step",
          timeline.steps()[i].begin, timeline.steps()[i].end);
  for (size_t rank = 0; rank < timeline.ranks(); ++rank)
    writeRank(rank);
  writeArrows();
  file.write("\n]}\n");
}

Fallible<void> run::writeTrace(const std::string &path,
                               const Timeline &timeline, const WorkTable &work,
                               int32_t devices) {
  Fallible<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.failure();
  TraceWriter(*file, timeline, work, devices).write();
  return file->commit();
}
