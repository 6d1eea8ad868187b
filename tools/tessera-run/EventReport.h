//===- EventReport.h - Profiles and traces --------------------------------===//

#ifndef TESSERA_TOOLS_TESSERARUN_EVENTREPORT_H
#define TESSERA_TOOLS_TESSERARUN_EVENTREPORT_H

#include "Session.h"

#include <span>

namespace tessera::run {

/// What the ranks of a job have recorded.
class EventReport {
public:
  EventReport(int32_t ranks, const TesseraJob *job);

  /// Prints a table of kernels, collectives and messages, the slowest first, to
  /// standard output. Times are those of one step, the mean over ranks and
  /// steps; those of collectives and receives include the wait for the others.
  void printProfile(size_t steps) const;

  /// Writes the Trace Event Format, which Perfetto and Chrome read: a track for
  /// each rank and one for the steps.
  Fallible<void> writeTrace(const std::string &path,
                            const std::vector<StepTime> &steps) const;

private:
  /// By rank.
  std::vector<std::span<const TesseraEvent>> events;
};

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERARUN_EVENTREPORT_H
