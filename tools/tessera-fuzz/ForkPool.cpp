//===- ForkPool.cpp - Work in processes that may die ----------------------===//

#include "ForkPool.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tessera::fuzz;

using Clock = std::chrono::steady_clock;

/// What a child may use: a compiler that swells must not take the machine.
[[maybe_unused]] static constexpr rlim_t memoryLimit = rlim_t(8) << 30;

namespace {

struct CloseFile {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// A running child; its output and errors go to files without a name.
struct Child {
  int64_t number;
  pid_t pid;
  Clock::time_point deadline;
  File output, errors;
};

} // namespace

static std::string readBack(const File &file) {
  std::string text;
  std::fseek(file.get(), 0, SEEK_SET);
  char buffer[4096];
  while (size_t n = std::fread(buffer, 1, sizeof(buffer), file.get()))
    text.append(buffer, n);
  return text;
}

static Child start(int64_t number, double seconds,
                   const std::function<std::string(int64_t)> &task) {
  Child child{number, 0,
              Clock::now() + std::chrono::milliseconds(int64_t(1000 * seconds)),
              File(std::tmpfile()), File(std::tmpfile())};
  if (!child.output || !child.errors) {
    std::perror("temporary file");
    std::exit(1);
  }
  std::fflush(nullptr);
  child.pid = fork();
  if (child.pid < 0) {
    std::perror("fork");
    std::exit(1);
  }
  if (child.pid != 0)
    return child;
#if !__has_feature(address_sanitizer)
  // The sanitizer reserves terabytes of addresses.
  rlimit memory{memoryLimit, memoryLimit};
  setrlimit(RLIMIT_AS, &memory);
#endif
  rlimit noCoreFile{0, 0};
  setrlimit(RLIMIT_CORE, &noCoreFile);
  dup2(fileno(child.errors.get()), STDERR_FILENO);
  std::string result = task(number);
  std::fwrite(result.data(), 1, result.size(), child.output.get());
  std::fflush(child.output.get());
  std::fflush(stderr);
  _exit(0);
}

/// The outcome of `child` if it has ended or must.
static bool finish(Child &child, ChildOutcome &outcome) {
  int status = 0;
  pid_t ended = waitpid(child.pid, &status, WNOHANG);
  if (ended == 0 && Clock::now() < child.deadline)
    return false;
  if (ended == 0) {
    kill(child.pid, SIGKILL);
    waitpid(child.pid, &status, 0);
    outcome.end = ChildOutcome::Hung;
  } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    outcome.end = ChildOutcome::Crashed;
  } else {
    outcome.output = readBack(child.output);
  }
  outcome.errors = readBack(child.errors);
  return true;
}

void tessera::fuzz::runInChildren(
    int64_t count, unsigned jobs, double seconds,
    const std::function<std::string(int64_t)> &task,
    const std::function<bool(int64_t, ChildOutcome)> &done) {
  std::vector<Child> running;
  int64_t next = 0;
  bool goOn = true;
  while (!running.empty() || (goOn && next < count)) {
    while (goOn && next < count && running.size() < jobs)
      running.push_back(start(next++, seconds, task));
    bool someEnded = false;
    for (size_t i = 0; i < running.size();) {
      ChildOutcome outcome;
      if (!finish(running[i], outcome)) {
        ++i;
        continue;
      }
      someEnded = true;
      int64_t number = running[i].number;
      running.erase(running.begin() + i);
      goOn = done(number, std::move(outcome)) && goOn;
    }
    if (!someEnded)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

ChildOutcome
tessera::fuzz::runInChild(double seconds,
                          const std::function<std::string()> &task) {
  ChildOutcome result;
  runInChildren(
      1, 1, seconds, [&](int64_t) { return task(); },
      [&](int64_t, ChildOutcome outcome) {
        result = std::move(outcome);
        return true;
      });
  return result;
}
