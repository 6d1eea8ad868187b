//===- Checkpointing.h - --checkpoint, --every, --keep, --resume ----------===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_CHECKPOINTING_H
#define TESSERA_TOOLS_TESSERA_RUN_CHECKPOINTING_H

#include "EntrySequence.h"
#include "Stop.h"
#include "checkpoint/Checkpoint.h"

namespace tessera::run {

/// What becomes of the state between the steps of a run. All processes of the
/// job make the same calls; what the one that leads finds counts for all.
class Checkpointing {
public:
  /// For a run that `options` ask for; the failure is that of the request.
  /// Signals are noted from here on.
  static Fallible<std::unique_ptr<Checkpointing>>
  plan(const Options &options, const EntrySequence &sequence);

  /// Whether there is a checkpoint to go on from.
  bool resumes() const { return !found.empty(); }
  /// Whether this argument is part of the state.
  bool holds(size_t argument) const;
  /// The seed that the arguments of the run were made with, if it is known.
  std::optional<uint64_t> seed() const { return knownSeed; }

  /// Makes the folder ready, and where there is a checkpoint gives the job its
  /// state.
  std::optional<Stop> begin(TesseraJob *job);

  /// How many steps are done, and batches used, in the state that the job has.
  int64_t step() const { return done; }
  int64_t position() const { return used; }

  /// Writes a checkpoint behind a step if one is due; says to stop where
  /// SIGTERM has come. `isLast` is of the last one of the run.
  std::optional<Stop> endStep(int64_t step, int64_t position, bool isLast);

  /// What was written while steps went on, and the milliseconds that steps have
  /// waited for each copy; empty if nothing was.
  std::string summary() const;

private:
  explicit Checkpointing(const Options &options)
      : options(options), store(*options.checkpoint) {}
  std::optional<Stop> restore(checkpoint::JobState &state);
  std::optional<Stop> stopBeforeSteps();
  std::optional<Stop> agree(std::optional<Stop> stop);
  std::optional<Stop> agreeOnLatest();
  std::optional<Stop> write(int64_t step, int64_t position);
  std::optional<Stop> finish();
  std::optional<Stop> finishAll();
  void say(const std::string &text) const;

  Options options;
  checkpoint::Store store;
  TesseraJob *job = nullptr;
  bool leads = true;
  std::vector<int32_t> arguments;
  std::vector<checkpoint::Tensor> tensors;
  std::vector<checkpoint::Store::Entry> found; ///< The latest last.
  std::optional<uint64_t> knownSeed;
  std::string mesh, program;
  std::optional<checkpoint::JobState> state;
  std::unique_ptr<checkpoint::Writer> writer;
  int64_t done = 0, used = 0;
  double stalled = 0; ///< Seconds.
  int64_t copies = 0;
};

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_CHECKPOINTING_H
