//===- Timing.h - where the compiler's time goes --------------------------===//
#ifndef TESSERA_DRIVER_TIMING_H
#define TESSERA_DRIVER_TIMING_H

#include "tessera/Driver/Phases.h"

#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/JSON.h"

#include <mutex>
#include <string>
#include <vector>

namespace tessera {

/// The time of each phase, and of the passes in it. A pass that runs on several
/// functions at once counts with the sum over them.
class CompileTimer {
public:
  /// Seconds by the clock on the wall, and seconds in which a processor was
  /// busy: of all threads for a phase, of its own thread for a pass.
  struct Time {
    double wall = 0;
    double cpu = 0;

    Time &operator+=(const Time &other) {
      wall += other.wall;
      cpu += other.cpu;
      return *this;
    }
  };
  struct Pass {
    std::string name;
    Time time;
  };
  struct Timed {
    std::string name;
    Time time;
    std::vector<Pass> passes;
  };

  /// Times `body` as phase `name`, of which no other runs meanwhile; with what
  /// it took when it ran before.
  template <typename Body> auto timePhase(llvm::StringRef name, Body body) {
    beginPhase(name);
    auto result = body();
    endPhase();
    return result;
  }

  /// An instrumentation that reports passes to this timer, which must outlive
  /// it.
  std::unique_ptr<mlir::PassInstrumentation> makeInstrumentation();

  /// `{"phases": [{"name", "seconds", "cpu_seconds", "passes": [...]}],
  /// "peak_memory": bytes}`.
  llvm::json::Value toJSON() const;
  /// A table, the phases in order.
  void print(llvm::raw_ostream &os) const;

private:
  friend class PassTimer;
  void beginPhase(llvm::StringRef name);
  void endPhase();
  void addPass(llvm::StringRef name, Time time);

  std::mutex mutex;
  std::vector<Timed> phases;
  /// The one that runs.
  size_t current = 0;
  Time phaseStart;
};

/// The largest amount of memory that this process has occupied so far, in
/// bytes.
int64_t getPeakMemory();

} // namespace tessera

#endif // TESSERA_DRIVER_TIMING_H
