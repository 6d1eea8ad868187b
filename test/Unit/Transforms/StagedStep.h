//===- StagedStep.h - Training steps cut into stages ----------------------===//
#ifndef TESSERA_TEST_UNIT_TRANSFORMS_STAGEDSTEP_H
#define TESSERA_TEST_UNIT_TRANSFORMS_STAGEDSTEP_H

#include "tessera/Stages/StageSchedule.h"

#include "llvm/Support/raw_ostream.h"

namespace tessera::test {

/// Writes a training step of one small layer per stage, as the phase `stage`
/// and `tessera-partition` would leave it: on a mesh of two devices, with the
/// weights updated, the loss and what the last stage gives as results. The last
/// stage uses the first one's weight, too.
class StagedStep {
public:
  struct Shape {
    /// The last stage also takes what the first one was given.
    bool hasSkip = false;
    /// Weight gradients are added up by two fragments per stage.
    bool hasTwoGroups = false;
    /// These are parts of one, which schedules may take apart.
    bool hasParts = false;
  };

  StagedStep(const StageSchedule &schedule, Shape shape)
      : schedule(schedule), shape(shape), os(text) {}

  std::string write();

private:
  int32_t last() const { return schedule.stages - 1; }
  void writeSignature();
  void writeStarts();
  void writeForward(int32_t stage);
  void writeBackward(int32_t stage);
  void writeWeightGradient(int32_t stage, const std::string &gradient,
                           const std::string &before);
  void writeUpdates();
  std::string scheduleText() const;

  const StageSchedule &schedule;
  Shape shape;
  std::string text;
  llvm::raw_string_ostream os;
};

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_TRANSFORMS_STAGEDSTEP_H
