//===- RequestedSchedule.h - the schedule that a user asks for ------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_STEP_REQUESTEDSCHEDULE_H
#define TESSERA_TRANSFORMS_STAGE_STEP_REQUESTEDSCHEDULE_H

#include "tessera/Stages/Schedules/ScheduleGenerators.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace tessera::stage {

/// The schedule `schedule` (a name, `auto`, or a file), which is checked. What
/// is not known when a model is cut (`request.costs`) changes neither its
/// number of stages nor which ranks run them. For `auto`, the first of
/// `schedulesToCutFor`; without chunks 1F1B.
///
/// Fails with one line for a name that does not exist (it lists those that do),
/// numbers that the schedule does not take (it says which are nearest), a file
/// that cannot be read, or one for other numbers of ranks, chunks or
/// microbatches than those of `request`.
Fallible<StageSchedule> makeRequestedSchedule(llvm::StringRef schedule,
                                              const ScheduleRequest &request);

/// The published schedules for which a model is cut differently: of those that
/// take the request and have their stages in the same places, the one under
/// which a rank holds the fewest activations; and each that spreads the output
/// layer over the ranks. With `request.chunks` 0 each with as many stages on a
/// rank as it has by default. In the order of documentation.
std::vector<llvm::StringRef> schedulesToCutFor(const ScheduleRequest &request);

/// Fails as `makeRequestedSchedule` would for these numbers, but makes nothing:
/// at once for any numbers. With 0 microbatches, how many there are is not
/// known yet, and only the name is looked at.
Fallible<void> checkRequestedSchedule(llvm::StringRef schedule,
                                      const ScheduleRequest &request);

/// What is wrong with a requested schedule, as `makeRequestedSchedule` says it,
/// as an error: in a file at its place there, otherwise at `loc`.
mlir::InFlightDiagnostic emitScheduleError(mlir::Location loc,
                                           llvm::StringRef message);

/// Whether `schedule`, as above, may have tasks S and T; what a file says is
/// not known before it is read.
bool maySpreadVocabulary(llvm::StringRef schedule);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_STEP_REQUESTEDSCHEDULE_H
