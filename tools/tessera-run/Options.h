//===- Options.h - The command line of tessera-run ------------------------===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_OPTIONS_H
#define TESSERA_TOOLS_TESSERA_RUN_OPTIONS_H

#include "tessera/Support/Fallible.h"
#include "tessera/Support/TensorComparison.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::run {

/// So many runs of an entry point, one behind the other.
struct EntryRuns {
  std::string name;
  int64_t times = 1;
};

/// What the user asks for, checked as far as that goes without the model.
struct Options {
  std::string model;
  std::string backend = "local";
  int32_t ranks = 0;              ///< 0: as many as the mesh has.
  int32_t threads = 0;            ///< 0: a fair share of the cores.
  double timeout = 0;             ///< Seconds; 0: the runtime's choice.
  std::vector<EntryRuns> entries; ///< In this order; empty if not given.
  std::optional<std::string> inputs;
  std::optional<std::string> init;
  std::optional<uint64_t> randomSeed;
  std::optional<std::string> batches;
  int64_t steps = 1;
  std::optional<std::string> checkpoint; ///< A folder.
  int64_t every = 0;                     ///< Steps; 0: only in the end.
  int64_t keep = 0;                      ///< Checkpoints; 0: all.
  bool resume = false;
  std::optional<std::string> outputs;
  std::optional<std::string> expect;
  Tolerance tolerance;
  std::optional<std::string> trace;
  bool profile = false;
  std::optional<std::string> profileFile; ///< Only with `profile`.
  bool guards = false;
  std::optional<std::string> links; ///< The description of a network.
  bool virtualKernels = false;
  /// The description of a device; only with `virtualKernels`, and otherwise in
  /// `links`.
  std::optional<std::string> device;
  std::optional<uint64_t> delaySeed;
  bool help = false, version = false;
};

/// Reads the arguments after the program's name. Values follow a flag after `=`
/// or as the next argument.
Fallible<Options> parseOptions(int count, const char *const *arguments);

/// What `--help` prints.
extern const char *const helpText;

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_OPTIONS_H
