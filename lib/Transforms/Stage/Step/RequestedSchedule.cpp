//===- RequestedSchedule.cpp - the schedule that a user asks for ----------===//

#include "tessera/Transforms/Stage/Step/RequestedSchedule.h"

#include "tessera/Stages/ScheduleCsv.h"
#include "tessera/Stages/ScheduleReplay.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::stage;

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

std::vector<llvm::StringRef>
tessera::stage::schedulesToCutFor(const ScheduleRequest &request) {
  struct Kind {
    const PublishedSchedule *schedule;
    int32_t chunks;
    double activations;
  };
  std::vector<Kind> kinds;
  for (const PublishedSchedule &schedule : listSchedules()) {
    ScheduleRequest asked = request;
    if (!asked.chunks)
      asked.chunks = schedule.defaultChunks;
    // Of what others hold, costs decide, which are not known yet.
    bool isKnown = !schedule.usesCosts || schedule.spreadsVocabulary;
    if (!isKnown || !schedule.accepts(asked))
      continue;
    Fallible<StageSchedule> made = makeSchedule(schedule.name, asked);
    if (!made)
      continue;
    Fallible<Timeline> timeline =
        replay(*made, StageCosts::uniform(made->stages));
    Kind kind{&schedule, asked.chunks, timeline->peakActivation()};
    auto same = llvm::find_if(kinds, [&](const Kind &other) {
      return other.schedule->placement == schedule.placement &&
             other.chunks == kind.chunks && !schedule.spreadsVocabulary &&
             !other.schedule->spreadsVocabulary;
    });
    if (same == kinds.end())
      kinds.push_back(kind);
    else if (kind.activations < same->activations)
      *same = kind;
  }
  std::vector<llvm::StringRef> names;
  for (const Kind &kind : kinds)
    names.emplace_back(kind.schedule->name.data(), kind.schedule->name.size());
  return names;
}

/// What a model is cut for when nothing says how its stages lie.
static llvm::StringRef startOfSearch(const ScheduleRequest &request) {
  if (request.chunks <= 1)
    return "1f1b";
  std::vector<llvm::StringRef> names = schedulesToCutFor(request);
  return names.empty() ? "breadth-first" : names.front();
}

/// Fails unless there is a published schedule `name`.
static Fallible<void> checkName(llvm::StringRef name) {
  std::string_view view(name.data(), name.size());
  if (findSchedule(view))
    return {};
  return Failure{checkRequest(view, ScheduleRequest()).message() +
                 "; 'auto' and FILE.csv go as well"};
}

Fallible<void>
tessera::stage::checkRequestedSchedule(llvm::StringRef schedule,
                                       const ScheduleRequest &request) {
  bool isCounted = request.microbatches > 0;
  if (isScheduleFile({schedule.data(), schedule.size()})) {
    if (isCounted)
      if (auto read = readSchedule(schedule.str(), request); !read)
        return read.failure();
    return {};
  }
  if (schedule == "auto")
    return {};
  if (Fallible<void> known = checkName(schedule); !known || !isCounted)
    return known;
  return checkRequest({schedule.data(), schedule.size()}, request);
}

Fallible<StageSchedule>
tessera::stage::makeRequestedSchedule(llvm::StringRef schedule,
                                      const ScheduleRequest &request) {
  if (isScheduleFile({schedule.data(), schedule.size()}))
    return readSchedule(schedule.str(), request);
  llvm::StringRef name = schedule == "auto" ? startOfSearch(request) : schedule;
  if (Fallible<void> known = checkName(name); !known)
    return known.failure();
  Fallible<StageSchedule> made =
      makeSchedule({name.data(), name.size()}, request);
  if (!made)
    return made;
  if (Fallible<void> valid = checkSchedule(*made); !valid)
    return valid.failure();
  return made;
}

mlir::InFlightDiagnostic
tessera::stage::emitScheduleError(mlir::Location loc, llvm::StringRef message) {
  // `file:line:column: error: what is wrong`.
  auto [place, error] = message.split(": error: ");
  auto [fileAndLine, column] = place.rsplit(':');
  auto [file, line] = fileAndLine.rsplit(':');
  unsigned lineNumber = 0, columnNumber = 0;
  if (error.empty() || line.getAsInteger(10, lineNumber) ||
      column.getAsInteger(10, columnNumber))
    return mlir::emitError(loc) << message;
  return mlir::emitError(mlir::FileLineColLoc::get(loc.getContext(), file,
                                                   lineNumber, columnNumber))
         << error;
}

bool tessera::stage::maySpreadVocabulary(llvm::StringRef schedule) {
  const PublishedSchedule *published =
      findSchedule({schedule.data(), schedule.size()});
  return published ? published->spreadsVocabulary
                   : isScheduleFile({schedule.data(), schedule.size()});
}
