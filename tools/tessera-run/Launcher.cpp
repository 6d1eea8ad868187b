//===- Launcher.cpp -------------------------------------------------------===//

#include "Launcher.h"

#include "Session.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::run;
using Clock = std::chrono::steady_clock;

/// How long the other processes may take to end when one has failed, and when
/// they have been told to, before they are killed.
static constexpr std::chrono::seconds failTime(7), killTime(60);

/// And when rank 0 has said why.
static constexpr std::chrono::seconds toldTime(2);

/// What is kept of what a process says on standard error.
static constexpr size_t textLimit = 64 << 10;

/// Gives the exit status.
static int printError(const std::string &message) {
  std::fputs(("tessera-run: error: " + message + "\n").c_str(), stderr);
  return 4;
}

namespace {
struct Child {
  pid_t process = -1;
  int errors = -1; ///< Its standard error; -1 if that is this process's.
  std::string text;
  std::optional<int> status; ///< As of waitpid, when it has ended.
  bool wasTold = false;      ///< To end, before it did.

  bool succeeded() const { return status == 0; }
};

class Launcher {
public:
  Launcher(char **arguments, int32_t ranks)
      : arguments(arguments), children(ranks) {}
  /// The exit status of the job.
  int run();

private:
  bool listen();
  bool start(int32_t rank);
  [[noreturn]] void becomeRank(int32_t rank, int errors);
  void watch();
  void takeSignal();
  void reap();
  void read(Child &child);
  void signalAll(int signal);
  int conclude();
  int fail(const std::string &message) { return printError(message); }

  char **arguments;
  std::vector<Child> children; ///< By rank.
  std::string secret;
  int door = -1, signals = -1;
  uint16_t port = 0;
  sigset_t watched = {}, former = {};
  std::optional<int> stoppedBy;              ///< A signal.
  std::optional<Clock::time_point> deadline; ///< For ending by themselves.
  bool isTold = false;
  std::optional<size_t> firstFailed; ///< Before the others were told to end.
  bool isKilled = false;             ///< One was, by somebody else.
};
} // namespace

/// Rank 0 will listen here: the port is taken before anybody else has it.
bool Launcher::listen() {
  door = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto *generic = reinterpret_cast<sockaddr *>(&address);
  if (door < 0 || bind(door, generic, size) || ::listen(door, SOMAXCONN) ||
      getsockname(door, generic, &size))
    return false;
  port = ntohs(address.sin_port);
  return true;
}

void Launcher::becomeRank(int32_t rank, int errors) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigprocmask(SIG_SETMASK, &former, nullptr);
  if (errors >= 0)
    dup2(errors, STDERR_FILENO);
  auto set = [](const char *name, const std::string &value) {
    setenv(name, value.c_str(), /*overwrite=*/1);
  };
  std::string number = std::to_string(rank),
              count = std::to_string(children.size());
  set("RANK", number);
  set("LOCAL_RANK", number);
  set("WORLD_SIZE", count);
  set("LOCAL_WORLD_SIZE", count);
  set("MASTER_ADDR", "127.0.0.1");
  set("MASTER_PORT", std::to_string(port));
  unsetenv("TORCHELASTIC_USE_AGENT_STORE");
  setenv("TESSERA_JOB_SECRET", secret.c_str(), /*overwrite=*/0);
  unsetenv("TESSERA_LISTENER");
  if (rank == 0) {
    fcntl(door, F_SETFD, 0);
    set("TESSERA_LISTENER", std::to_string(door));
  }
  execv("/proc/self/exe", arguments);
  _exit(4);
}

bool Launcher::start(int32_t rank) {
  int ends[2] = {-1, -1};
  // Of rank 0 the user sees everything, and so all there is.
  if (rank > 0 && pipe2(ends, O_CLOEXEC) != 0)
    return false;
  pid_t process = fork();
  if (process == 0)
    becomeRank(rank, ends[1]);
  if (ends[1] >= 0)
    close(ends[1]);
  children[rank].process = process;
  children[rank].errors = ends[0];
  if (process < 0)
    children[rank].status = 0;
  return process > 0;
}

void Launcher::signalAll(int signal) {
  for (const Child &child : children)
    if (child.process > 0 && !child.status)
      kill(child.process, signal);
}

void Launcher::takeSignal() {
  signalfd_siginfo about;
  while (::read(signals, &about, sizeof about) == sizeof about) {
    if (about.ssi_signo == SIGCHLD)
      continue;
    stoppedBy = static_cast<int>(about.ssi_signo);
    signalAll(SIGTERM);
    isTold = true;
    deadline = Clock::now() + killTime;
  }
}

void Launcher::reap() {
  for (Child &child : children) {
    int status;
    if (child.status || waitpid(child.process, &status, WNOHANG) <= 0)
      continue;
    child.status = status;
    child.wasTold = isTold;
    if (child.succeeded() || isTold)
      continue;
    if (!firstFailed)
      firstFailed = static_cast<size_t>(&child - children.data());
    isKilled = isKilled || WIFSIGNALED(status);
    bool hasSpoken = &child == &children.front() && WIFEXITED(status);
    auto end = Clock::now() + (hasSpoken ? toldTime : failTime);
    deadline = std::min(deadline.value_or(end), end);
  }
}

void Launcher::read(Child &child) {
  char bytes[4096];
  ssize_t count = ::read(child.errors, bytes, sizeof bytes);
  if (count > 0) {
    size_t room = textLimit - std::min(textLimit, child.text.size());
    child.text.append(bytes, std::min<size_t>(count, room));
  } else if (count == 0 || errno != EINTR) {
    close(child.errors);
    child.errors = -1;
  }
}

/// Waits until all processes have ended.
void Launcher::watch() {
  auto isOver = [&] {
    return std::ranges::all_of(
        children, [](const Child &child) { return child.status.has_value(); });
  };
  while (!isOver()) {
    std::vector<pollfd> waiting = {{signals, POLLIN, 0}};
    for (const Child &child : children)
      if (child.errors >= 0)
        waiting.push_back({child.errors, POLLIN, 0});
    poll(waiting.data(), waiting.size(), 500);
    takeSignal();
    for (const pollfd &each : waiting)
      for (Child &child : children)
        if (child.errors >= 0 && child.errors == each.fd && each.revents)
          read(child);
    reap();
    if (!deadline || Clock::now() < *deadline)
      continue;
    // First they may end, then they must.
    signalAll(isTold ? SIGKILL : SIGTERM);
    isTold = true;
    deadline = Clock::now() + std::chrono::seconds(2);
  }
  for (Child &child : children)
    while (child.errors >= 0)
      read(child);
}

/// What the exit status of a process says, of one that did not succeed.
static std::string describeEnd(int status) {
  if (WIFSIGNALED(status))
    return "ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  return "ended with status " + std::to_string(WEXITSTATUS(status));
}

/// The exit status of the job; says why it failed, if rank 0 has not.
int Launcher::conclude() {
  const Child &leader = children.front();
  bool hasSpoken = leader.status && WIFEXITED(*leader.status) &&
                   WEXITSTATUS(*leader.status) != 0;
  // What others say then is that one has ended, while they met it or later.
  auto statusOf = [this](int status) {
    return isKilled ? 4 : WEXITSTATUS(status);
  };
  if (hasSpoken)
    return statusOf(*leader.status);
  if (stoppedBy)
    return fail(std::string("stopped by signal ") + std::to_string(*stoppedBy) +
                " (" + strsignal(*stoppedBy) + ")");
  // A process that says why it failed knows more than how it ended.
  for (const Child &child : children)
    if (!child.succeeded() && !child.wasTold && WIFEXITED(*child.status) &&
        !child.text.empty()) {
      std::fputs(child.text.c_str(), stderr);
      return statusOf(*child.status);
    }
  for (size_t rank = firstFailed.value_or(0); rank < children.size(); ++rank)
    if (!children[rank].succeeded())
      return fail("the process of rank " + std::to_string(rank) + " " +
                  describeEnd(*children[rank].status));
  return 0;
}

int Launcher::run() {
  std::random_device random;
  for (int i = 0; i < 4; ++i) {
    char digits[12];
    std::snprintf(digits, sizeof digits, "%08x", random());
    secret += digits;
  }
  if (!listen())
    return fail(std::string("cannot listen on this machine: ") +
                std::strerror(errno));
  sigemptyset(&watched);
  for (int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
    sigaddset(&watched, signal);
  sigprocmask(SIG_BLOCK, &watched, &former);
  signals = signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC);
  for (int32_t rank = 0; rank < static_cast<int32_t>(children.size()); ++rank)
    if (!start(rank)) {
      std::string why = std::strerror(errno);
      for (Child &child : children)
        if (child.process < 0)
          child.status = 0;
      signalAll(SIGKILL);
      watch();
      return fail("cannot start " + std::to_string(children.size()) +
                  " processes: " + why);
    }
  close(door);
  watch();
  return conclude();
}

std::optional<int> run::launchProcesses(const Options &options,
                                        char **arguments) {
  int32_t launched = 0;
  // What is wrong with the back end or the program, the run itself says.
  if (tessera_launched_processes(options.backend.c_str(), &launched) !=
          TESSERA_OK ||
      launched != 1)
    return std::nullopt;
  int32_t ranks = 0;
  {
    Program program{nullptr, &tessera_program_destroy};
    if (loadProgram(options.model, program))
      return std::nullopt;
    ranks = tessera_program_ranks(program.get());
  }
  if (ranks == 1 || (options.ranks != 0 && options.ranks != ranks))
    return std::nullopt;
  return Launcher(arguments, ranks).run();
}
