//===- CommunicationTrials.h - ways to communicate, tried -----------------===//
#ifndef TESSERA_DRIVER_COMMUNICATIONTRIALS_H
#define TESSERA_DRIVER_COMMUNICATIONTRIALS_H

#include "MemoryLimit.h"
#include "tessera/Driver/Compiler.h"
#include "tessera/Driver/Phases.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

#include <map>

namespace tessera {

/// What a phase made of a program, and what it had to say.
struct TriedPhase {
  mlir::OwningOpRef<mlir::ModuleOp> program;
  std::vector<mlir::Diagnostic> messages;
};

/// How a program is to communicate, and what phases make of it that way, as far
/// as they have been run; none where that failed, which shows when they are run
/// again.
struct ChosenCommunication {
  CommunicationWay way;
  std::map<Phase, TriedPhase> phases;
};

/// Finds in which way the step of a program without stages, whose collectives
/// have moved to the iterations that they run in, is shortest when it has been
/// scheduled. Prices of the phase `communicate` are estimates before there are
/// kernels and an order; here, copies of the program are scheduled and played
/// through (ScheduledStep.h).
class CommunicationTrials {
public:
  /// Runs a phase on a program in a way, as far as the user asks for it; the
  /// memory limit of the phase `schedule` is what is asked for, or, if it is
  /// given, `limit`.
  using RunPhase = llvm::function_ref<llvm::LogicalResult(
      mlir::ModuleOp, const PhaseInfo &, CommunicationWay,
      std::optional<int64_t> limit)>;

  /// `limit` is that of the device, if there is one. Each call costs
  /// `callSeconds` beside its messages.
  CommunicationTrials(RunPhase runPhase, double callSeconds,
                      std::optional<MemoryLimit> limit)
      : runPhase(runPhase), callSeconds(callSeconds), limit(std::move(limit)) {}

  /// Tries all that the phase would do with `module`, without each part that
  /// changes something, and nothing; then, of what is better than all, without
  /// one more. Takes what fits the device, and is the fastest of that. Stops
  /// where nothing can be gained, and when as many operations have been
  /// scheduled as is not felt beside the rest of a compilation: of large
  /// programs, nothing is scheduled, and no batch split.
  ///
  /// What the phase would have said of parts that are left out is said here.
  ChosenCommunication choose(mlir::ModuleOp module);

private:
  struct Trial {
    /// Parts that change something.
    CommunicationWay way;
    std::map<Phase, TriedPhase> phases;
    /// What the parts had to say, by their number.
    std::vector<std::pair<unsigned, mlir::Diagnostic>> messages;
    int64_t operations = 0;
    /// What is missing of the device's memory; the step, and what kernels take
    /// of it.
    int64_t excess = 0;
    double seconds = 0, kernels = 0;

    bool isBetterThan(const Trial &other) const;
    /// Whether no other way can be faster: kernels hide all communication.
    bool cannotBeBeaten() const;
  };

  std::optional<Trial> communicate(mlir::ModuleOp module, CommunicationWay way);
  llvm::LogicalResult schedule(Trial &trial);
  llvm::LogicalResult run(mlir::ModuleOp program, Phase phase,
                          CommunicationWay way,
                          std::vector<mlir::Diagnostic> &messages,
                          std::optional<int64_t> limit = std::nullopt);
  void explain(Trial &all, Trial &best);
  ChosenCommunication take(Trial &trial, CommunicationWay way);

  RunPhase runPhase;
  double callSeconds;
  std::optional<MemoryLimit> limit;
  /// The program with its batches split, once it is known.
  mlir::OwningOpRef<mlir::ModuleOp> split;
  /// So many operations may still be scheduled.
  int64_t operationsLeft = 0;
};

} // namespace tessera

#endif // TESSERA_DRIVER_COMMUNICATIONTRIALS_H
