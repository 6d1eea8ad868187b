//===- RequestedSchedule.cpp - the schedule that a user asks for ----------===//

#include "RequestedSchedule.h"

#include "tessera/Stages/ScheduleCsv.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;

/// Why a schedule read from `path` is not what was asked for, or an empty
/// string.
static std::string compare(const StageSchedule &schedule,
                           const ScheduleRequest &request,
                           const std::string &path) {
  auto expected = [&](llvm::StringRef what, int64_t wanted, int64_t got) {
    return (llvm::Twine(path) + ": expected a schedule for " +
            llvm::Twine(wanted) + " " + what + ", got one for " +
            llvm::Twine(got))
        .str();
  };
  if (int64_t(schedule.ranks.size()) != request.ranks)
    return expected("pipeline ranks", request.ranks, schedule.ranks.size());
  if (schedule.microbatches != request.microbatches)
    return expected("microbatches", request.microbatches,
                    schedule.microbatches);
  if (request.chunks && schedule.stages != request.ranks * request.chunks)
    return expected("stages", request.ranks * request.chunks, schedule.stages);
  return "";
}

static Fallible<StageSchedule> readSchedule(const std::string &path,
                                            const ScheduleRequest &request) {
  Fallible<ScheduleFromFile> read = readScheduleFile(path);
  if (!read)
    return read.failure();
  if (Fallible<void> valid = checkSchedule(read->schedule, {}, &read->origin);
      !valid)
    return valid.failure();
  if (std::string error = compare(read->schedule, request, path);
      !error.empty())
    return Failure{error};
  return std::move(read->schedule);
}

/// The published schedule of `chunks` chunks that needs the least memory among
/// those that take the request.
static llvm::StringRef startOfSearch(const ScheduleRequest &request) {
  if (request.chunks <= 1)
    return "1f1b";
  for (llvm::StringRef name : {"zb-v", "interleaved-1f1b"})
    if (findSchedule({name.data(), name.size()})->accepts(request))
      return name;
  return "breadth-first";
}

Fallible<StageSchedule>
tessera::makeRequestedSchedule(llvm::StringRef schedule,
                               const ScheduleRequest &request) {
  if (isScheduleFile({schedule.data(), schedule.size()}))
    return readSchedule(schedule.str(), request);
  llvm::StringRef name = schedule == "auto" ? startOfSearch(request) : schedule;
  Fallible<StageSchedule> made =
      makeSchedule({name.data(), name.size()}, request);
  if (!made)
    return findSchedule({name.data(), name.size()})
               ? made
               : Failure{made.message() + "; 'auto' and FILE.csv go as well"};
  if (Fallible<void> valid = checkSchedule(*made); !valid)
    return valid.failure();
  return made;
}

bool tessera::maySpreadVocabulary(llvm::StringRef schedule) {
  const PublishedSchedule *published =
      findSchedule({schedule.data(), schedule.size()});
  return published ? published->spreadsVocabulary
                   : isScheduleFile({schedule.data(), schedule.size()});
}
