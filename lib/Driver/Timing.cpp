//===- Timing.cpp - where the compiler's time goes ------------------------===//

#include "Timing.h"

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Threading.h"

#include <ctime>
#include <sys/resource.h>

using namespace mlir;
using namespace tessera;

using Time = CompileTimer::Time;

static double read(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static Time timeSince(Time start, clockid_t cpuClock) {
  return {read(CLOCK_MONOTONIC) - start.wall, read(cpuClock) - start.cpu};
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
    starts[{pass, op}] = timeSince({}, CLOCK_THREAD_CPUTIME_ID);
  }
  void runAfterPass(Pass *pass, Operation *op) override { stop(pass, op); }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    stop(pass, op);
  }

private:
  void stop(Pass *pass, Operation *op) {
    Time time;
    {
      std::lock_guard lock(mutex);
      time = timeSince(starts.lookup({pass, op}), CLOCK_THREAD_CPUTIME_ID);
    }
    if (!pass->getArgument().empty())
      timer.addPass(pass->getArgument(), time);
  }

  CompileTimer &timer;
  std::mutex mutex;
  llvm::DenseMap<std::pair<Pass *, Operation *>, Time> starts;
};

} // namespace tessera

std::unique_ptr<PassInstrumentation> CompileTimer::makeInstrumentation() {
  return std::make_unique<PassTimer>(*this);
}

/// The entry of `name` in `list`, made if there is none.
template <typename Entry>
static Entry &entryOf(std::vector<Entry> &list, StringRef name) {
  auto found = llvm::find_if(list, [&](auto &e) { return e.name == name; });
  if (found != list.end())
    return *found;
  list.emplace_back().name = name.str();
  return list.back();
}

void CompileTimer::beginPhase(StringRef name) {
  current = &entryOf(phases, name) - phases.data();
  phaseStart = timeSince({}, CLOCK_PROCESS_CPUTIME_ID);
}

void CompileTimer::endPhase() {
  phases[current].time += timeSince(phaseStart, CLOCK_PROCESS_CPUTIME_ID);
}

void CompileTimer::addPass(StringRef name, Time time) {
  std::lock_guard lock(mutex);
  entryOf(phases[current].passes, name).time += time;
}

static llvm::json::Object describe(StringRef name, Time time) {
  return llvm::json::Object{
      {"name", name}, {"seconds", time.wall}, {"cpu_seconds", time.cpu}};
}

llvm::json::Value CompileTimer::toJSON() const {
  llvm::json::Array list;
  for (const Timed &phase : phases) {
    llvm::json::Array passes;
    for (const Pass &pass : phase.passes)
      passes.push_back(describe(pass.name, pass.time));
    llvm::json::Object described = describe(phase.name, phase.time);
    described["passes"] = std::move(passes);
    list.push_back(std::move(described));
  }
  return llvm::json::Object{{"phases", std::move(list)},
                            {"peak_memory", getPeakMemory()}};
}

void CompileTimer::print(llvm::raw_ostream &os) const {
  Time total;
  auto line = [&](Time time, const char *indent, const std::string &name) {
    os << llvm::format("%9.1f ms %9.1f ms CPU  %s%s\n", time.wall * 1e3,
                       time.cpu * 1e3, indent, name.c_str());
  };
  for (const Timed &phase : phases) {
    total.wall += phase.time.wall;
    total.cpu += phase.time.cpu;
    line(phase.time, "", phase.name);
    for (const Pass &pass : phase.passes)
      line(pass.time, "  ", pass.name);
  }
  line(total, "",
       llvm::formatv("total, peak memory of the process {0:F1} MB",
                     getPeakMemory() / 1e6));
}
