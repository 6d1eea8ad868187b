//===- Launcher.h - A process for each rank -------------------------------===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_LAUNCHER_H
#define TESSERA_TOOLS_TESSERA_RUN_LAUNCHER_H

#include "Options.h"

namespace tessera::run {

/// Where ranks are to be processes and nobody has started them: starts this
/// program once for each rank, on this machine, as torchrun would, and waits
/// for all of them. Rank 0 prints and writes for all; if it could not say why
/// the job failed, this does. SIGTERM and SIGINT go on to all. The exit status
/// of the job; nothing where this process is to run ranks itself.
std::optional<int> launchProcesses(const Options &options, char **arguments);

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_LAUNCHER_H
