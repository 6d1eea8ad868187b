//===- Timing.cpp - where the compiler's time goes ------------------------===//

#include "tessera/Driver/Timing.h"

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Threading.h"

#include <sys/resource.h>

using namespace mlir;
using namespace tessera;

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int64_t tessera::getPeakMemory() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return int64_t(usage.ru_maxrss) * 1024;
}

namespace tessera {

/// Tells a `CompileTimer` how long each pass took. Adaptors, which only nest,
/// are left out.
class PassTimer : public PassInstrumentation {
public:
  PassTimer(CompileTimer &timer) : timer(timer) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    std::lock_guard lock(mutex);
    starts[{pass, op}] = Clock::now();
  }
  void runAfterPass(Pass *pass, Operation *op) override { stop(pass, op); }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    stop(pass, op);
  }

private:
  void stop(Pass *pass, Operation *op) {
    double seconds;
    {
      std::lock_guard lock(mutex);
      seconds = secondsSince(starts.lookup({pass, op}));
    }
    if (!pass->getArgument().empty())
      timer.addPass(pass->getArgument(), seconds);
  }

  CompileTimer &timer;
  std::mutex mutex;
  llvm::DenseMap<std::pair<Pass *, Operation *>, Clock::time_point> starts;
};

} // namespace tessera

std::unique_ptr<PassInstrumentation> CompileTimer::makeInstrumentation() {
  return std::make_unique<PassTimer>(*this);
}

void CompileTimer::beginPhase(StringRef name) {
  phases.push_back({name.str(), 0, {}});
  phaseStart = Clock::now();
}

void CompileTimer::endPhase() {
  phases.back().seconds = secondsSince(phaseStart);
}

void CompileTimer::addPass(StringRef name, double seconds) {
  std::lock_guard lock(mutex);
  auto &passes = phases.back().passes;
  auto found = llvm::find_if(passes, [&](auto &p) { return p.name == name; });
  if (found == passes.end())
    passes.push_back({name.str(), seconds});
  else
    found->seconds += seconds;
}

llvm::json::Value CompileTimer::toJSON() const {
  llvm::json::Array list;
  for (const Timed &phase : phases) {
    llvm::json::Array passes;
    for (const Pass &pass : phase.passes)
      passes.push_back(
          llvm::json::Object{{"name", pass.name}, {"seconds", pass.seconds}});
    list.push_back(llvm::json::Object{{"name", phase.name},
                                      {"seconds", phase.seconds},
                                      {"passes", std::move(passes)}});
  }
  return llvm::json::Object{{"phases", std::move(list)},
                            {"peak_memory", getPeakMemory()}};
}

void CompileTimer::print(llvm::raw_ostream &os) const {
  double total = 0;
  for (const Timed &phase : phases) {
    total += phase.seconds;
    os << llvm::format("%9.1f ms  %s\n", phase.seconds * 1e3,
                       phase.name.c_str());
    for (const Pass &pass : phase.passes)
      os << llvm::format("%9.1f ms    %s\n", pass.seconds * 1e3,
                         pass.name.c_str());
  }
  os << llvm::format("%9.1f ms  total, peak memory %.1f MB\n", total * 1e3,
                     getPeakMemory() / 1e6);
}
