//===- main.cpp - tessera-run: executes a compiled model ------------------===//

#include "CrashReport.h"
#include "Session.h"

#include "tessera/Support/File.h"

#include <cstdio>

using namespace tessera;
using namespace tessera::run;

static int fail(int status, const std::string &message) {
  std::fflush(stdout);
  // Of several processes only one says why.
  if (!message.empty())
    std::fprintf(stderr, "tessera-run: error: %s\n", message.c_str());
  return status;
}

int main(int count, char **arguments) {
  installCrashReport();
  watchStandardOutput("tessera-run");
  Fallible<Options> options = parseOptions(count - 1, arguments + 1);
  if (!options)
    return fail(1, options.message());
  if (options->help) {
    std::fputs(helpText, stdout);
    return 0;
  }
  if (options->version) {
    std::printf("tessera-run %s (ABI version %d)\n", tessera_version(),
                tessera_abi_version());
    return 0;
  }
  Session session(*std::move(options));
  if (std::optional<Stop> stop = session.execute())
    return fail(stop->status, stop->message);
  if (Fallible<void> flushed = flushStandardOutput(); !flushed)
    return fail(4, flushed.message());
  return 0;
}
