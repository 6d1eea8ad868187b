//===- JobState.h - What of a job a checkpoint holds ----------------------===//

#ifndef TESSERA_RUNTIME_CHECKPOINT_JOBSTATE_H
#define TESSERA_RUNTIME_CHECKPOINT_JOBSTATE_H

#include "checkpoint/Writer.h"
#include "tessera/pieces.h"

namespace tessera::checkpoint {

/// Some arguments of a job, which all processes of it save and load together.
class JobState {
public:
  /// `tensors` describes `arguments`, by their numbers in the entry point that
  /// the job is in; both are as long.
  JobState(TesseraJob *job, std::vector<int32_t> arguments,
           std::vector<Tensor> tensors)
      : job(job), arguments(std::move(arguments)), tensors(std::move(tensors)) {
  }

  /// The place for a copy of what this process writes.
  Fallible<Snapshot> plan();

  /// Copies the state as it is between two steps.
  Fallible<void> capture(Snapshot &snapshot);

  /// Fails if the checkpoint is one of other tensors: says which is the first.
  Fallible<void> check(const Index &index) const;

  /// Gives the ranks of this process what they hold, from a checkpoint that
  /// `check` accepts. After a failure the state is undefined.
  Fallible<void> restore(const Reader &reader);

private:
  TesseraJob *job;
  std::vector<int32_t> arguments;
  std::vector<Tensor> tensors;
  /// By item of the snapshot: the number of the piece.
  std::vector<int64_t> pieceNumbers;
};

} // namespace tessera::checkpoint

#endif // TESSERA_RUNTIME_CHECKPOINT_JOBSTATE_H
