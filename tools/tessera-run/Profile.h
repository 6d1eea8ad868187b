//===- Profile.h - Where the time of a run went ---------------------------===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_PROFILE_H
#define TESSERA_TOOLS_TESSERA_RUN_PROFILE_H

#include "KernelWork.h"
#include "MachinePeak.h"
#include "Timeline.h"
#include "tessera/Support/Fallible.h"

namespace tessera::run {

/// A timeline summed up. All times are nanoseconds of one step, the mean over
/// the ranks and steps, unless said otherwise.
class Profile {
public:
  /// `peak` unless null is what one rank can reach at most.
  Profile(const Timeline &timeline, const WorkTable &work,
          const MachinePeak *peak);

  /// Prints tables for people: the parts of the time, which add up to all of
  /// it, then kernels, communication and waits, the longest first.
  void print() const;
  /// The same for programs, complete. The failure begins with the path.
  Fallible<void> write(const std::string &path) const;

private:
  /// All executions of one kernel.
  struct KernelRow {
    std::string name, location;
    double time = 0, calls = 0;
    /// Of one call; nothing where the manifest does not say.
    std::optional<WorkTable::Kernel> work;
    /// The shortest time that the machine could need for it over the time it
    /// took.
    std::optional<double> roofline;

    double rate(double amount) const {
      return time > 0 ? amount * calls / (1e-9 * time) : 0;
    }
  };
  /// All executions of one collective or message, on one side.
  struct CommunicationRow {
    std::string kind, name, location;
    double calls = 0, bytes = 0; ///< Bytes of all calls.
    /// What ranks did nothing else in, and what they spent in kernels while it
    /// went on.
    double transfer = 0, waiting = 0, hidden = 0;

    double exposed() const { return transfer + waiting; }
  };
  /// Why ranks waited: `late` came last, as until then it did something.
  struct WaitRow {
    int32_t late = -1;
    std::string kind, name, location; ///< Of what they waited in.
    std::string activity;             ///< What the late rank did meanwhile.
    double time = 0;
  };

  void addKernels(const Timeline &timeline, const WorkTable &work);
  void addCommunication(const Timeline &timeline);
  void addWaits(const Timeline &timeline);
  void compareWithPeak();
  void printCommunication() const;
  void printKernels() const;
  void printWaits() const;
  /// `12.3%` of a step.
  double share(double time) const { return 100 * time / std::max(step, 1.); }

  size_t ranks = 0, steps = 0;
  double step = 0;                          ///< How long a step took.
  std::array<double, partCount> parts = {}; ///< They add up to `step`.
  /// By rank, as `parts`.
  std::vector<std::array<double, partCount>> partsOfRanks;
  std::vector<KernelRow> kernels;
  std::vector<CommunicationRow> communication;
  std::vector<WaitRow> waits;
  const MachinePeak *peak;
};

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_PROFILE_H
