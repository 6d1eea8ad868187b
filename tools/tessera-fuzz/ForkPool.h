//===- ForkPool.h - Work in processes that may die ------------------------===//

#ifndef TESSERA_TOOLS_TESSERA_FUZZ_FORKPOOL_H
#define TESSERA_TOOLS_TESSERA_FUZZ_FORKPOOL_H

#include <cstdint>
#include <functional>
#include <string>

namespace tessera::fuzz {

/// How a child process ended.
struct ChildOutcome {
  enum { Done, Crashed, Hung } end = Done;
  /// What the task returned; empty unless done.
  std::string output;
  /// What it wrote to standard error.
  std::string errors;
};

/// Runs `task(i)` for all i from 0 to count-1, each in a process of its own, at
/// most `jobs` at a time, and hands each outcome to `done`, in order of their
/// ends. A process that takes longer than `seconds` is killed. `done` returns
/// whether to go on. The caller must be single-threaded.
void runInChildren(int64_t count, unsigned jobs, double seconds,
                   const std::function<std::string(int64_t)> &task,
                   const std::function<bool(int64_t, ChildOutcome)> &done);

/// Runs one task in a process of its own.
ChildOutcome runInChild(double seconds,
                        const std::function<std::string()> &task);

} // namespace tessera::fuzz

#endif // TESSERA_TOOLS_TESSERA_FUZZ_FORKPOOL_H
