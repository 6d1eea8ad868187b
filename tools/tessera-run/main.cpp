//===- main.cpp - tessera-run: executes a compiled model ------------------===//

#include "CrashReport.h"
#include "Launcher.h"
#include "Session.h"

#include "tessera/Support/File.h"

#include <cstdio>
#include <string_view>

using namespace tessera;
using namespace tessera::run;

static int fail(int status, const std::string &message) {
  std::fflush(stdout);
  // Of several processes only one says why.
  if (!message.empty())
    std::fprintf(stderr, "tessera-run: %s%s\n",
                 status == stoppedStatus ? "" : "error: ", message.c_str());
  return status;
}

/// Prints the help piece by piece: of what does not fit into the buffer of
/// standard output, nobody would know why it could not be written.
static int printHelp() {
  for (std::string_view rest = helpText; !rest.empty();) {
    std::string_view piece = rest.substr(0, 1024);
    rest.remove_prefix(piece.size());
    std::fwrite(piece.data(), 1, piece.size(), stdout);
    if (Fallible<void> flushed = flushStandardOutput(); !flushed)
      return fail(1, flushed.message());
  }
  return 0;
}

int main(int count, char **arguments) {
  installCrashReport();
  watchStandardOutput("tessera-run");
  Fallible<Options> options = parseOptions(count - 1, arguments + 1);
  if (!options)
    return fail(1, options.message());
  if (options->help)
    return printHelp();
  if (options->version) {
    std::printf("tessera-run %s (ABI version %d)\n", tessera_version(),
                tessera_abi_version());
    return 0;
  }
  if (std::optional<int> status = launchProcesses(*options, arguments))
    return *status;
  Session session(*std::move(options));
  if (std::optional<Stop> stop = session.execute())
    return fail(stop->status, stop->message);
  if (Fallible<void> flushed = flushStandardOutput(); !flushed)
    return fail(4, flushed.message());
  return 0;
}
