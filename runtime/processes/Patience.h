//===- Patience.h - How long to wait for slow processes -------------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_PATIENCE_H
#define TESSERA_RUNTIME_PROCESSES_PATIENCE_H

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::processes {

/// One wait for other processes to start or to load, which may take minutes
/// without anything being wrong: machines boot, the driver compiles, parameters
/// come from slow disks. Says now and then on standard error for whom, and
/// knows when it is too long.
class Patience {
public:
  /// `purpose` is what the others have to do: "to start". The wait may take
  /// TESSERA_START_TIMEOUT seconds if that is set, else `seconds`.
  Patience(double seconds, std::string purpose);

  /// How long the wait may take, in seconds.
  double limit() const { return seconds; }

  /// Called again and again while these ranks are missing: why the job must
  /// fail, when the time is over.
  std::optional<std::string> check(const std::vector<int32_t> &missing);

private:
  using Clock = std::chrono::steady_clock;
  double seconds;
  std::string purpose;
  Clock::time_point begin = Clock::now();
  /// The seconds of waiting after which to say so next.
  double nextNotice;
};

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_PATIENCE_H
