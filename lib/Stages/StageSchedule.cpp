//===- StageSchedule.cpp - Who computes which task in which order ---------===//

#include "tessera/Stages/StageSchedule.h"

#include <algorithm>
#include <charconv>

using namespace tessera;

static constexpr std::string_view kLetters = "FIWBST";
/// More stages or microbatches than anybody has; a larger number is a slip.
static constexpr int32_t kLargest = 1'000'000;

char tessera::letterOf(TaskKind kind) {
  return kLetters[static_cast<int>(kind)];
}

std::string tessera::toString(const StageTask &task) {
  std::string text = std::to_string(task.stage) + letterOf(task.kind) +
                     std::to_string(task.microbatch);
  if (task.part != StageTask::kWhole)
    text += "." + std::to_string(task.part);
  return text;
}

/// The number, not above `kLargest`, that all of `text` is.
static std::optional<int32_t> parseNumber(std::string_view text) {
  int32_t number = -1;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0 ||
      number > kLargest)
    return std::nullopt;
  return number;
}

std::optional<StageTask> tessera::parseStageTask(std::string_view text) {
  size_t letter = text.find_first_of(kLetters);
  if (letter == std::string_view::npos)
    return std::nullopt;
  auto kind = static_cast<TaskKind>(kLetters.find(text[letter]));
  std::string_view rest = text.substr(letter + 1);
  size_t dot = std::min(rest.find('.'), rest.size());
  std::optional<int32_t> stage = parseNumber(text.substr(0, letter)),
                         microbatch = parseNumber(rest.substr(0, dot));
  if (!stage || !microbatch)
    return std::nullopt;
  if (dot == rest.size())
    return StageTask{kind, *stage, *microbatch};
  std::optional<int32_t> part = parseNumber(rest.substr(dot + 1));
  if (!part || *part >= StageTask::kMostParts ||
      kind != TaskKind::WeightGradient)
    return std::nullopt;
  return StageTask{kind, *stage, *microbatch, *part};
}

std::vector<int32_t> StageSchedule::ranksOf(int32_t stage) const {
  std::vector<int32_t> found;
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    if (std::any_of(ranks[rank].begin(), ranks[rank].end(),
                    [&](const StageTask &task) { return task.stage == stage; }))
      found.push_back(static_cast<int32_t>(rank));
  return found;
}

int32_t StageSchedule::rankOf(int32_t stage, int32_t microbatch) const {
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    for (const StageTask &task : ranks[rank])
      if (task.stage == stage && task.microbatch == microbatch)
        return static_cast<int32_t>(rank);
  return -1;
}

std::vector<int32_t> StageSchedule::weightParts() const {
  std::vector<int32_t> parts(stages, 0);
  for (const std::vector<StageTask> &tasks : ranks)
    for (const StageTask &task : tasks)
      parts[task.stage] = std::max(parts[task.stage], task.part + 1);
  return parts;
}
