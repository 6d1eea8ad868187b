//===- ScheduledStep.h - what hides the collectives of a step -------------===//
#ifndef TESSERA_DRIVER_SCHEDULEDSTEP_H
#define TESSERA_DRIVER_SCHEDULEDSTEP_H

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace tessera {

/// A collective of a program as the phase `schedule` leaves it, or the first of
/// those that are one call. All seconds are those of one step.
struct ScheduledCollective {
  /// The operation that starts it; its region holds the collective.
  mlir::Operation *start;
  /// How often it runs.
  int64_t times = 0;
  /// How long its links are busy with it, and for how long nothing runs until
  /// it has ended; of the latter, what it waits for other collectives, which
  /// have the links.
  double seconds = 0, exposed = 0, queued = 0;
  /// The kernel beside which most of it runs, null if none does, and for how
  /// long.
  mlir::Operation *cover = nullptr;
  double covered = 0;

  /// Counts another one to this: both are of one place.
  void add(const ScheduledCollective &other);
};

/// One step of a program without pipeline ranks on the machine under its mesh:
/// kernels run one after another, collectives one after another beside them.
struct ScheduledStep {
  double seconds = 0;
  /// What no order goes below: the longest chain of kernels and collectives
  /// that need each other, all kernels, and all that the links carry.
  double chain = 0, kernels = 0, links = 0;
  /// In the order of the text, as far as it runs.
  std::vector<ScheduledCollective> collectives;

  /// Plays `@main` of `module`, which the phase `schedule` leaves, by the rules
  /// of `tessera-sim`, but that each call keeps the links busy for
  /// `callSeconds` more. Where control flow depends on values, the first region
  /// runs.
  static ScheduledStep play(mlir::ModuleOp module, double callSeconds = 0);
};

/// What would hide `collective`, of which something is exposed.
std::string describeRemedy(const ScheduledCollective &collective);

/// For each place of the model with collectives, those that are exposed longest
/// first: what of them is exposed, what hides the rest, and what would hide it,
/// on what the user called `machine`, if anything.
void printOverlap(const ScheduledStep &step, llvm::StringRef machine,
                  llvm::raw_ostream &os);

} // namespace tessera

#endif // TESSERA_DRIVER_SCHEDULEDSTEP_H
