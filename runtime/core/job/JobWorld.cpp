//===- JobWorld.cpp - How the ranks of a job are reached ------------------===//
//
// What a back end is asked when it opens a world: threads and cores, groups and
// channels of messages, and on a described machine what ranks send over and how
// long kernels take.
//
//===----------------------------------------------------------------------===//

#include "Job.h"

#include "MachineLinks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sched.h>
#include <span>
#include <thread>

using namespace tessera;
using namespace tessera::runtime;

/// The cores that this process may use.
static int32_t availableCores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

/// The pairs of ranks between which messages are sent, source and target in
/// turn.
static std::vector<int32_t> channelsOf(const Manifest &manifest) {
  std::vector<int32_t> channels;
  int32_t devices = manifest.mesh.ranks();
  for (auto [source, target] : manifest.channels)
    for (int32_t device = 0; device < devices; ++device)
      channels.insert(channels.end(),
                      {source * devices + device, target * devices + device});
  return channels;
}

/// Finds out what ranks send over on the machine, and how long kernels take, if
/// the back end and the other options allow for it.
JobStatus Job::describeNetwork(const TesseraMachine &machine,
                               const std::vector<int32_t> &channels) {
  if (!backend->clock)
    return JobFailure::invalid(
        "expected the back end 'local' for a described machine, "
        "got '" +
        std::string(backend->name) + "'");
  if (machine.is_virtual && entryPoints.size() > 1)
    return JobFailure::invalid("times of kernels are those of one entry point, "
                               "got " +
                               std::to_string(entryPoints.size()));
  if (machine.is_virtual && hasGuards)
    return JobFailure::invalid(
        "guards need kernels that compute, and those of a virtual "
        "machine do not");
  for (std::span links : {std::span(machine.levels, machine.level_count),
                          std::span(machine.axes, machine.axis_count)})
    for (const TesseraLinks &link : links)
      if (!(link.latency >= 0 && std::isfinite(link.latency) &&
            link.bandwidth > 0 && link.devices >= 0))
        return JobFailure::invalid(
            "links: expected a latency of at least 0 seconds and a "
            "bandwidth above 0, got " +
            std::to_string(link.latency) + " and " +
            std::to_string(link.bandwidth));
  if (!(machine.host_latency >= 0 && std::isfinite(machine.host_latency) &&
        machine.host_bandwidth >= 0))
    return JobFailure::invalid(
        "expected a latency and a bandwidth of at least 0 to the host, got " +
        std::to_string(machine.host_latency) + " and " +
        std::to_string(machine.host_bandwidth));
  for (int64_t i = 0; i < machine.kernel_count; ++i)
    if (!(machine.kernels[i].seconds >= 0 && machine.kernels[i].seconds < 1e6))
      return JobFailure::invalid(
          "kernel '" + std::string(machine.kernels[i].name) +
          "': expected a time of 0 to 1e6 seconds, got " +
          std::to_string(machine.kernels[i].seconds));
  const Manifest &manifest = program->manifest();
  MachineLinks links(machine, manifest.mesh, manifest.pipelineRanks());
  for (const Program *entryPoint : entryPoints)
    for (const std::vector<SubAxis> &axes :
         entryPoint->manifest().communicators) {
      std::vector<TesseraLink> ofGroups = links.ofGroups(axes);
      groupLinks.insert(groupLinks.end(), ofGroups.begin(), ofGroups.end());
    }
  for (size_t i = 0; i < channels.size(); i += 2)
    channelLinks.push_back(links.between(channels[i], channels[i + 1]));
  if (!machine.is_virtual)
    return {};
  kernelTimes.emplace();
  for (int64_t i = 0; i < machine.kernel_count; ++i)
    (*kernelTimes)[machine.kernels[i].name] =
        static_cast<int64_t>(std::llround(1e9 * machine.kernels[i].seconds));
  return {};
}

/// Gives each rank its threads, where so many ranks share this process's cores.
void Job::divideCores(const TesseraJobOptions &options, int32_t ranksHere) {
  int32_t cores = availableCores();
  threads = options.threads ? options.threads : std::max(1, cores / ranksHere);
  spin = int64_t(ranksHere) * threads <= cores;
}

/// Starts the ranks, and gives them the program's code.
JobStatus Job::openWorld(const TesseraJobOptions &options) {
  int32_t count = program->manifest().ranks();
  int32_t cores = availableCores();
  divideCores(options, count);
  std::vector<int32_t> groupSizes;
  groupSizes.reserve(groups.size());
  for (const GroupTable &table : groups)
    groupSizes.push_back(table.size);
  std::vector<int32_t> channels = channelsOf(program->manifest());
  TesseraWorldOptions worldOptions = {};
  worldOptions.channel_count = static_cast<int32_t>(channels.size() / 2);
  worldOptions.channels = channels.data();
  worldOptions.ranks = count;
  worldOptions.timeout = options.timeout;
  worldOptions.spin = spin;
  worldOptions.spare_cores = static_cast<int32_t>(
      std::max<int64_t>(0, cores - int64_t(count) * threads));
  worldOptions.communicators = static_cast<int32_t>(groupSizes.size());
  worldOptions.group_sizes = groupSizes.data();
  worldOptions.record_events = options.record_events;
  recordsEvents = options.record_events != 0;
  worldOptions.program = program->checksum();
  TesseraNetwork network = {};
  if (options.machine) {
    if (JobStatus failure = describeNetwork(*options.machine, channels))
      return failure;
    network = {groupLinks.data(), channelLinks.data(),
               options.machine->is_virtual, options.machine->has_delays,
               options.machine->delay_seed};
    worldOptions.network = &network;
  }
  worldOptions.data = this;
  runsOnCaller = count == 1 && !backend->devices && !options.machine;
  worldOptions.may_run_on_caller = runsOnCaller;
  if (interrupted)
    worldOptions.interrupted = [](void *data) -> int32_t {
      Job &job = *static_cast<Job *>(data);
      if (job.interrupted(job.interruptedData))
        job.isInterrupted = true;
      return job.isInterrupted;
    };
  worldOptions.describe = [](void *data, int32_t rank, char *buffer,
                             size_t size) {
    const std::unique_ptr<Rank> &state = static_cast<Job *>(data)->ranks[rank];
    if (state)
      state->context.describe(buffer, size);
    else
      std::snprintf(buffer, size, "is in another process");
  };
  char error[512] = "";
  world = backend->open(&worldOptions, error, sizeof error);
  if (!world)
    return JobFailure::invalid(error);
  if (backend->processes && backend->processes->sharing_ranks)
    divideCores(options, backend->processes->sharing_ranks(world));
  if (!backend->devices)
    return {};
  std::span<const TesseraGpuImage> images = program->images();
  if (TesseraStatus status = backend->devices->load(
          world, images.data(), static_cast<int64_t>(images.size()), error,
          sizeof error))
    return JobFailure{status, error};
  return {};
}
