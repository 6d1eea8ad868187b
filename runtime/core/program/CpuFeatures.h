//===- CpuFeatures.h - What this machine's CPU can do ---------------------===//

#ifndef TESSERA_RUNTIME_CORE_PROGRAM_CPUFEATURES_H
#define TESSERA_RUNTIME_CORE_PROGRAM_CPUFEATURES_H

#include <string>
#include <vector>

namespace tessera::runtime {

/// The CPU's name for people, from the system.
std::string cpuName();

/// Those of the features, in LLVM's spelling, that compiled code may use and
/// this CPU lacks. Features that concern the operating system, or tuning, are
/// none of them.
std::vector<std::string>
missingCpuFeatures(const std::vector<std::string> &features);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_PROGRAM_CPUFEATURES_H
