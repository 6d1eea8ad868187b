//===- Timing.h - where the compiler's time goes --------------------------===//
#ifndef TESSERA_DRIVER_TIMING_H
#define TESSERA_DRIVER_TIMING_H

#include "tessera/Driver/Phases.h"

#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace tessera {

/// The time of each phase, and of the passes in it, in seconds of wall time. A
/// pass that runs on several functions at once counts with the sum over them.
class CompileTimer {
public:
  struct Pass {
    std::string name;
    double seconds = 0;
  };
  struct Timed {
    std::string name;
    double seconds = 0;
    std::vector<Pass> passes;
  };

  /// Times `body` as phase `name`.
  template <typename Body> auto timePhase(llvm::StringRef name, Body body) {
    beginPhase(name);
    auto result = body();
    endPhase();
    return result;
  }

  /// An instrumentation that reports passes to this timer, which must outlive
  /// it.
  std::unique_ptr<mlir::PassInstrumentation> makeInstrumentation();

  /// `{"phases": [{"name", "seconds", "passes": [...]}], "peak_memory":
  /// bytes}`.
  llvm::json::Value toJSON() const;
  /// A table, the phases in order.
  void print(llvm::raw_ostream &os) const;

private:
  friend class PassTimer;
  void beginPhase(llvm::StringRef name);
  void endPhase();
  void addPass(llvm::StringRef name, double seconds);

  std::mutex mutex;
  std::vector<Timed> phases;
  std::chrono::steady_clock::time_point phaseStart;
};

/// The largest amount of memory that this process has occupied so far, in
/// bytes.
int64_t getPeakMemory();

} // namespace tessera

#endif // TESSERA_DRIVER_TIMING_H
