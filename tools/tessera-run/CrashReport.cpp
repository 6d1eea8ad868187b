//===- CrashReport.cpp ----------------------------------------------------===//

#include "CrashReport.h"

#include "tessera/runtime.h"

#include <csignal>
#include <cstdio>
#include <initializer_list>

#include <unistd.h>

using namespace tessera;

static void reportSignal(int signal) {
  char activity[512], line[640];
  tessera_describe_thread(activity, sizeof activity);
  int length =
      std::snprintf(line, sizeof line,
                    "tessera-run: error: %s%scrashed with signal %d (%s)\n",
                    activity, activity[0] ? ": " : "", signal,
                    signal == SIGSEGV  ? "segmentation fault"
                    : signal == SIGBUS ? "bus error"
                    : signal == SIGILL ? "illegal instruction"
                    : signal == SIGFPE ? "arithmetic error"
                                       : "aborted");
  if (write(STDERR_FILENO, line, length) < 0)
    _exit(4);
  _exit(4);
}

void run::installCrashReport() {
  struct sigaction action = {};
  action.sa_handler = reportSignal;
  // On the stack that the runtime's threads keep for this: theirs may be full.
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    sigaction(signal, &action, nullptr);
}
