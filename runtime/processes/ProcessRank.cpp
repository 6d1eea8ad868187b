//===- ProcessRank.cpp ----------------------------------------------------===//

#include "ProcessRank.h"

#include <charconv>
#include <cstring>
#include <optional>

using namespace tessera;
using namespace tessera::processes;

/// Where rank 0 listens if nobody says so; job numbers are added, so that jobs
/// on one machine do not meet.
static constexpr int64_t defaultPort = 29600, portRange = 10000;

namespace {
/// A launcher's variables.
struct Launcher {
  const char *rank, *size, *localRank;
  bool isMpi = false;
};
} // namespace

static constexpr Launcher launchers[] = {
    {"RANK", "WORLD_SIZE", "LOCAL_RANK"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_RANK", true},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", true},
    // Of the step, which srun starts: a batch script has those of the job too,
    // and is one process.
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"},
    // An indexed job, whose manifest says how many there are.
    {"JOB_COMPLETION_INDEX", "WORLD_SIZE", "LOCAL_RANK"},
};

/// The number that a variable holds; nothing if it is not set.
static Fallible<std::optional<int64_t>>
readNumber(const Environment &environment, const char *name) {
  const char *text = environment(name);
  if (!text)
    return std::optional<int64_t>();
  int64_t value = 0;
  const char *last = text + std::strlen(text);
  auto [end, error] = std::from_chars(text, last, value);
  if (error != std::errc() || end != last || value < 0 || value > INT32_MAX)
    return Failure{std::string(name) + ": expected a number, got '" + text +
                   "'"};
  return std::optional<int64_t>(value);
}

std::string processes::firstNode(const std::string &list) {
  size_t end = list.find_first_of(",[");
  std::string node = list.substr(0, end);
  if (end == std::string::npos || list[end] == ',')
    return node;
  size_t stop = list.find_first_of(",-]", end);
  node += list.substr(end + 1, stop - end - 1);
  size_t close = list.find(']', end);
  size_t next = list.find(',', close);
  if (close != std::string::npos)
    node += list.substr(close + 1, next - close - 1);
  return node;
}

/// Where rank 0 listens.
static Fallible<void> findAddress(const Environment &environment,
                                  ProcessRank &process) {
  auto port = readNumber(environment, "MASTER_PORT");
  auto job = readNumber(environment, "SLURM_JOB_ID");
  if (!port)
    return port.failure();
  int64_t number = defaultPort;
  if (*port) {
    const char *agent = environment("TORCHELASTIC_USE_AGENT_STORE");
    // torchrun's agent listens there itself.
    number = **port + (agent && std::strcmp(agent, "True") == 0 ? 1 : 0);
  } else if (job && *job) {
    number += **job % portRange;
  }
  if (number < 1 || number > UINT16_MAX)
    return Failure{"MASTER_PORT: expected a number from 1 to 65535, got " +
                   std::to_string(number)};
  process.port = static_cast<uint16_t>(number);
  if (const char *address = environment("MASTER_ADDR")) {
    process.address = address;
    return {};
  }
  for (const char *name : {"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST"})
    if (const char *nodes = environment(name)) {
      process.address = firstNode(nodes);
      return {};
    }
  auto localSize = readNumber(environment, "OMPI_COMM_WORLD_LOCAL_SIZE");
  bool isSpread = localSize && *localSize && **localSize < process.size;
  if (isSpread)
    process.address.clear();
  return {};
}

Fallible<ProcessRank>
processes::findProcessRank(const Environment &environment) {
  for (const Launcher &launcher : launchers) {
    auto rank = readNumber(environment, launcher.rank);
    auto size = readNumber(environment, launcher.size);
    auto local = readNumber(environment, launcher.localRank);
    for (auto *value : {&rank, &size, &local})
      if (!*value)
        return value->failure();
    if (!*rank || !*size)
      continue;
    if (**rank >= **size)
      return Failure{std::string(launcher.rank) + ": expected a number below " +
                     launcher.size + " (" + std::to_string(**size) + "), got " +
                     std::to_string(**rank)};
    ProcessRank process;
    process.rank = static_cast<int32_t>(**rank);
    process.size = static_cast<int32_t>(**size);
    process.localRank = *local ? static_cast<int32_t>(**local) : -1;
    process.mayAskMpi = launcher.isMpi && process.size > 1 &&
                        !environment("MASTER_ADDR") &&
                        !environment("MASTER_PORT");
    if (auto listener = readNumber(environment, "TESSERA_LISTENER");
        listener && *listener && process.rank == 0)
      process.listener = static_cast<int>(**listener);
    if (process.size > 1)
      if (auto found = findAddress(environment, process); !found)
        return found.failure();
    return process;
  }
  return ProcessRank();
}
