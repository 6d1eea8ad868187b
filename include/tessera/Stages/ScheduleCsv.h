//===- ScheduleCsv.h - Schedules as text ----------------------------------===//
//
// The form of PyTorch's torch.distributed.pipelining: one row per rank, in each
// cell a task such as `2F5` (stage 2, forward, microbatch 5), `2I5`, `2W5`,
// `2B5`; a part of a weight gradient is `2W5.0`; an empty cell is a slot in
// which the rank idles. Two tasks side by side are a pair,
// `(2F5;3B1)OVERLAP_F_B`. S and T tasks are written in the same way.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_STAGES_SCHEDULECSV_H
#define TESSERA_STAGES_SCHEDULECSV_H

#include "tessera/Stages/ScheduleCheck.h"

#include <string_view>

namespace tessera {

struct ScheduleFromFile {
  StageSchedule schedule;
  ScheduleOrigin origin;
};

/// Reads a schedule; `file` is named in messages and becomes the schedule's
/// name. The numbers of stages and microbatches are one more than the largest
/// in any cell. Where all ranks run S and T tasks, the ranks meet twice if each
/// T comes before the last stage's backward task wherever both are on one
/// rank, otherwise once. Fails, with `file:line:column: error: `, on a cell
/// that is no task and on a file without any. Whether the tasks make a
/// schedule is for `checkSchedule` to say.
Fallible<ScheduleFromFile> readScheduleCsv(std::string_view text,
                                           const std::string &file);

/// Whether what a user calls a schedule is a file, and not a name: it ends in
/// `.csv`.
bool isScheduleFile(std::string_view schedule);

/// Reads the schedule in the file at `path`, of up to 64 MiB, as
/// `readScheduleCsv` does. Fails, with the path, if it cannot be read.
Fallible<ScheduleFromFile> readScheduleFile(const std::string &path);

/// The rows of `schedule`. What is written is read back as the same tasks.
std::string writeScheduleCsv(const StageSchedule &schedule);

} // namespace tessera

#endif // TESSERA_STAGES_SCHEDULECSV_H
