//===- ScheduleFamilies.h - The generators behind the table ---------------===//
//
// One function per published schedule. Each takes a request that its row of the
// table accepts, and whose number of chunks is settled; the file of a family
// explains its schedules.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_STAGES_SCHEDULES_SCHEDULEFAMILIES_H
#define TESSERA_STAGES_SCHEDULES_SCHEDULEFAMILIES_H

#include "tessera/Stages/Schedules/ScheduleGenerators.h"

namespace tessera {

// One direction, one stage a rank (OneWaySchedules.cpp).
StageSchedule makeGPipe(const ScheduleRequest &request);
StageSchedule makeOneForwardOneBackward(const ScheduleRequest &request);
StageSchedule makeEagerOneForwardOneBackward(const ScheduleRequest &request);
StageSchedule makeTwoStageBackward(const ScheduleRequest &request);

// Several stages a rank (InterleavedSchedules.cpp).
StageSchedule makeInterleaved(const ScheduleRequest &request);
StageSchedule makeBreadthFirst(const ScheduleRequest &request);
/// The number of groups in which the interleaved schedule takes microbatches.
int32_t interleavedGroups(const ScheduleRequest &request);

// Weight gradients fill bubbles (ZeroBubbleSchedules.cpp).
StageSchedule makeZeroBubbleH1(const ScheduleRequest &request);
StageSchedule makeZeroBubbleH2(const ScheduleRequest &request);
StageSchedule makeZeroBubbleV(const ScheduleRequest &request);

// There and back in little memory (VShapedSchedules.cpp).
StageSchedule makeVHalf(const ScheduleRequest &request);
StageSchedule makeVMin(const ScheduleRequest &request);

// Blockwise in units (ZeroPPSchedule.cpp).
StageSchedule makeZeroPP(const ScheduleRequest &request);

// Two copies in opposite directions (TwoWaySchedules.cpp).
StageSchedule makeChimera(const ScheduleRequest &request);
StageSchedule makeBitPipe(const ScheduleRequest &request);

// Both ends at once (DualPipeSchedules.cpp).
StageSchedule makeDualPipe(const ScheduleRequest &request);
StageSchedule makeDualPipeV(const ScheduleRequest &request);

// The output layer spread over the ranks (VocabularySchedules.cpp).
StageSchedule makeVocabulary1(const ScheduleRequest &request);
StageSchedule makeVocabulary2(const ScheduleRequest &request);

/// An empty schedule with the request's ranks and microbatches, and as many
/// stages as its chunks say.
StageSchedule emptySchedule(const ScheduleRequest &request);

} // namespace tessera

#endif // TESSERA_STAGES_SCHEDULES_SCHEDULEFAMILIES_H
