//===- Stop.h - Why a run ends early --------------------------------------===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_STOP_H
#define TESSERA_TOOLS_TESSERA_RUN_STOP_H

#include <string>

namespace tessera::run {

/// The exit status of a run that SIGTERM has stopped, and that can go on from
/// its checkpoint: EX_TEMPFAIL of sysexits.h, "try again later".
inline constexpr int stoppedStatus = 75;

/// Why the run ended early, with the exit status.
struct Stop {
  int status;
  std::string message;
};

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_STOP_H
