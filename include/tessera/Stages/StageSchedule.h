//===- StageSchedule.h - Who computes which task in which order -----------===//
//
// A schedule is data: for every pipeline rank the ordered list of its tasks.
// Everything that makes schedules (the published ones, a search, a user's file)
// and everything that uses them (the replay, the compiler) meets here.
//
// Words. The model is cut into *stages* 0 .. S-1 along its forward direction. A
// *pipeline rank* is a copy of the mesh that runs one or several stages; what
// is called stages on the command line (`--stages=P`) is the number of pipeline
// ranks. A *chunk* is one of the stages that a rank runs. A step's batch is cut
// into *microbatches* 0 .. M-1.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_STAGES_STAGESCHEDULE_H
#define TESSERA_STAGES_STAGESCHEDULE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// What a task computes for one stage and one microbatch. The backward pass is
/// either one task, or an input gradient and, any time later on the same rank,
/// a weight gradient.
enum class TaskKind : uint8_t {
  Forward,
  /// The cotangent of the stage's input.
  InputGradient,
  /// What the parameters' gradients take from this microbatch.
  WeightGradient,
  /// Both gradients in one task.
  Backward,
  /// One rank's part of the output layer, as far as it needs no other's. Of
  /// this task and the next, `stage` is the number of the part, which is that
  /// of the rank.
  VocabularyForward,
  /// The rest of the output layer, after the ranks have met.
  VocabularyBackward,
};

/// The letter that stands for the kind in files and pictures, as PyTorch writes
/// it: F, I, W, B; and S, T for the vocabulary's passes.
char letterOf(TaskKind kind);

struct StageTask {
  /// What `part` is of a task that is not one of several parts.
  static constexpr int32_t kWhole = -1;
  /// More parts than anybody takes a weight gradient apart into.
  static constexpr int32_t kMostParts = 64;

  TaskKind kind;
  int32_t stage;
  int32_t microbatch;
  /// Of a weight gradient that is taken apart into several tasks, each for some
  /// of the stage's parameters, which of them this is. Parts run in order.
  int32_t part = kWhole;
  /// Of a forward task: whether it runs side by side with the backward task
  /// that comes next on its rank, as in DualPipe, so that the communication of
  /// each hides behind the other. No part of which task this is.
  bool besideNext = false;

  friend bool operator==(const StageTask &a, const StageTask &b) {
    return a.kind == b.kind && a.stage == b.stage &&
           a.microbatch == b.microbatch && a.part == b.part;
  }
};

/// `2F5`: stage, kind, microbatch, as PyTorch writes schedules; `2W5.1` for
/// part 1 of a weight gradient.
std::string toString(const StageTask &task);
/// The task that `text` spells in this way; nothing where it spells none.
std::optional<StageTask> parseStageTask(std::string_view text);

/// A schedule. Which rank holds a stage follows from the tasks; a stage that
/// two ranks work on (for different microbatches) is replicated on both.
struct StageSchedule {
  std::string name;
  int32_t stages = 1;
  int32_t microbatches = 1;
  /// How often the ranks meet between the last stage's forward and backward
  /// task of a microbatch, where the output layer is spread over all ranks (S
  /// and T tasks): after S (1; S gives the cotangent, T may come any time
  /// later), or after S and after T (2). 0 without such tasks.
  int32_t vocabularyMeetings = 0;
  /// Per pipeline rank its tasks in order.
  std::vector<std::vector<StageTask>> ranks;

  /// The ranks that run `stage`, ascending.
  std::vector<int32_t> ranksOf(int32_t stage) const;
  /// The rank that runs `stage` for `microbatch`; -1 if none does.
  int32_t rankOf(int32_t stage, int32_t microbatch) const;
  /// By stage, how many parts its weight gradients are taken apart into; 0
  /// where all of them are whole.
  std::vector<int32_t> weightParts() const;
};

} // namespace tessera

#endif // TESSERA_STAGES_STAGESCHEDULE_H
