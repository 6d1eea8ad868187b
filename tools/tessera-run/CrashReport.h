//===- CrashReport.h - Signals become messages ----------------------------===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_CRASHREPORT_H
#define TESSERA_TOOLS_TESSERA_RUN_CRASHREPORT_H

namespace tessera::run {

/// From now on a fatal signal prints one line that names the rank and what it
/// executed, and exits with status 4.
void installCrashReport();

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_CRASHREPORT_H
