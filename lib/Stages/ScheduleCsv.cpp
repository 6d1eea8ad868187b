//===- ScheduleCsv.cpp - Schedules as text --------------------------------===//

#include "tessera/Stages/ScheduleCsv.h"

#include "tessera/Support/File.h"

#include <algorithm>

using namespace tessera;

/// What ends PyTorch's pair of tasks that run side by side.
static constexpr std::string_view kPairEnd = ")OVERLAP_F_B";

/// Some millions of tasks.
static constexpr uint64_t kMaxFileBytes = 64 << 20;

std::string tessera::writeScheduleCsv(const StageSchedule &schedule) {
  std::string text;
  for (const std::vector<StageTask> &rank : schedule.ranks) {
    for (size_t i = 0; i < rank.size(); ++i) {
      bool begins = rank[i].besideNext && i + 1 < rank.size();
      bool ends = i > 0 && rank[i - 1].besideNext;
      text += i == 0 ? "" : ends ? ";" : ",";
      text += (begins ? "(" : "") + toString(rank[i]);
      text += ends ? kPairEnd : "";
    }
    text += "\n";
  }
  return text;
}

namespace {

/// Reads a file row by row, and remembers where each task stands.
class ScheduleReader {
public:
  ScheduleReader(std::string_view text, const std::string &file) : text(text) {
    read.origin.file = file;
    read.schedule.name = file;
  }

  Fallible<ScheduleFromFile> run() {
    std::string_view rest = text;
    while (!rest.empty() && std::string_view("\n\r \t").find(rest.back()) !=
                                std::string_view::npos)
      rest.remove_suffix(1);
    if (rest.empty())
      return fail(1, 1, "expected one row of tasks per rank, got none");
    for (int32_t line = 1; !rest.empty(); ++line) {
      size_t end = std::min(rest.find('\n'), rest.size());
      if (Fallible<void> row = readRow(rest.substr(0, end), line); !row)
        return row.failure();
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    settleNumbers();
    return std::move(read);
  }

private:
  Fallible<void> readRow(std::string_view row, int32_t line) {
    read.schedule.ranks.emplace_back();
    read.origin.ranks.emplace_back();
    for (size_t start = 0; start <= row.size();) {
      size_t end = std::min(row.find(',', start), row.size());
      if (Fallible<void> cell = readCell(row.substr(start, end - start), line,
                                         static_cast<int32_t>(start) + 1);
          !cell)
        return cell;
      start = end + 1;
    }
    if (read.schedule.ranks.back().empty())
      return fail(line, 1, "expected a rank's tasks, got an empty row");
    return {};
  }

  /// A task, a pair of tasks, or nothing, with blanks around it.
  Fallible<void> readCell(std::string_view cell, int32_t line, int32_t column) {
    size_t blanks = cell.find_first_not_of(" \t\r");
    if (blanks == std::string_view::npos)
      return {};
    cell.remove_prefix(blanks);
    cell = cell.substr(0, cell.find_last_not_of(" \t\r") + 1);
    column += static_cast<int32_t>(blanks);
    bool isPair = cell.starts_with("(") && cell.ends_with(kPairEnd);
    std::string_view tasks =
        isPair ? cell.substr(1, cell.size() - 1 - kPairEnd.size()) : cell;
    for (size_t start = 0; start <= tasks.size();) {
      size_t end = isPair ? std::min(tasks.find(';', start), tasks.size())
                          : tasks.size();
      std::optional<StageTask> task =
          parseStageTask(tasks.substr(start, end - start));
      if (!task)
        return fail(line, column,
                    "expected a task such as 2F5 (stage, one of F, I, W, B, S, "
                    "T, microbatch), got '" +
                        std::string(cell) + "'");
      task->besideNext = start == 0 && end < tasks.size();
      read.schedule.ranks.back().push_back(*task);
      read.origin.ranks.back().push_back({line, column});
      start = end + 1;
    }
    return {};
  }

  void settleNumbers() {
    StageSchedule &schedule = read.schedule;
    bool hasVocabulary = false, gradientFirst = false;
    for (const std::vector<StageTask> &rank : schedule.ranks)
      for (const StageTask &task : rank) {
        hasVocabulary |= task.kind >= TaskKind::VocabularyForward;
        schedule.stages = std::max(schedule.stages, task.stage + 1);
        schedule.microbatches =
            std::max(schedule.microbatches, task.microbatch + 1);
      }
    for (const std::vector<StageTask> &rank : schedule.ranks)
      gradientFirst |= takesGradientFirst(rank);
    schedule.vocabularyMeetings = hasVocabulary ? (gradientFirst ? 1 : 2) : 0;
  }

  /// Whether a rank runs the last stage's I or B of a microbatch before T.
  bool takesGradientFirst(const std::vector<StageTask> &rank) const {
    std::vector<int32_t> started;
    for (const StageTask &task : rank) {
      bool isGradient = task.kind == TaskKind::InputGradient ||
                        task.kind == TaskKind::Backward;
      if (isGradient && task.stage + 1 == read.schedule.stages)
        started.push_back(task.microbatch);
      if (task.kind == TaskKind::VocabularyBackward &&
          std::find(started.begin(), started.end(), task.microbatch) !=
              started.end())
        return true;
    }
    return false;
  }

  Failure fail(int32_t line, int32_t column, const std::string &message) const {
    return Failure{read.origin.file + ":" + std::to_string(line) + ":" +
                   std::to_string(column) + ": error: " + message};
  }

  std::string_view text;
  ScheduleFromFile read;
};

} // namespace

Fallible<ScheduleFromFile> tessera::readScheduleCsv(std::string_view text,
                                                    const std::string &file) {
  return ScheduleReader(text, file).run();
}

bool tessera::isScheduleFile(std::string_view schedule) {
  return schedule.ends_with(".csv");
}

Fallible<ScheduleFromFile> tessera::readScheduleFile(const std::string &path) {
  Fallible<std::string> text = readTextFile(path, kMaxFileBytes);
  if (!text)
    return text.failure();
  return readScheduleCsv(*text, path);
}
