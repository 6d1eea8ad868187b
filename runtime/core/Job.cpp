//===- Job.cpp ------------------------------------------------------------===//

#include "Job.h"

#include "BackendLoader.h"
#include "MachineLinks.h"
#include "Reduction.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include <sched.h>
#include <span>
#include <sys/mman.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::runtime;

static JobStatus invalid(const std::string &message) {
  return JobFailure{TESSERA_INVALID, message};
}

JobStatus Job::notEnoughMemory(int32_t rank) {
  return JobFailure{TESSERA_FAILED,
                    "rank " + std::to_string(rank) + ": not enough memory"};
}

/// The cores that this process may use.
static int32_t availableCores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

Job::Job(const Program &program) : program(program) {
  for (const std::vector<SubAxis> &axes : program.manifest().communicators)
    groups.push_back(program.manifest().mesh.groupsAlong(axes).repeated(
        program.manifest().pipelineRanks()));
}

Job::~Job() {
  if (world)
    backend->close(world);
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

JobStatus Job::create(const Program &program, const TesseraJobOptions &options,
                      std::unique_ptr<Job> &job) {
  int32_t count = program.manifest().ranks();
  if (options.ranks != 0 && options.ranks != count)
    return invalid("expected " + std::to_string(count) +
                   (count == 1 ? " rank" : " ranks") +
                   " for the model's mesh (" + program.meshText() + "), got " +
                   std::to_string(options.ranks));
  if (options.threads < 0)
    return invalid("expected a number of threads of at least 0, got " +
                   std::to_string(options.threads));
  std::unique_ptr<Job> made(new Job(program));
  made->hasGuards = options.guards != 0;
  made->interrupted = options.interrupted;
  made->interruptedData = options.interrupted_data;
  if (JobStatus failure = made->chooseBackend(options))
    return failure;
  if (JobStatus failure = made->openWorld(options))
    return failure;
  if (JobStatus failure = made->checkMemory())
    return failure;
  if (JobStatus failure = made->createRanks(options))
    return failure;
  if (JobStatus failure = made->addGuards())
    return failure;
  job = std::move(made);
  return {};
}

/// Loads the back end, if it executes what the program was compiled for.
JobStatus Job::chooseBackend(const TesseraJobOptions &options) {
  auto loaded = loadBackend(options.backend ? options.backend : "local");
  if (!loaded)
    return invalid(loaded.message());
  backend = *loaded;
  const std::string &target = program.manifest().target;
  if (target != backend->target)
    return invalid("compiled for target '" + target + "', back end '" +
                   backend->name + "' executes '" + backend->target +
                   "'; use " +
                   (target == "cpu" ? "--backend=local"
                                    : "--backend=cuda or --backend=emulated"));
  return {};
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
    return invalid("expected the back end 'local' for a described machine, "
                   "got '" +
                   std::string(backend->name) + "'");
  if (machine.is_virtual && hasGuards)
    return invalid("guards need kernels that compute, and those of a virtual "
                   "machine do not");
  for (std::span links : {std::span(machine.levels, machine.level_count),
                          std::span(machine.axes, machine.axis_count)})
    for (const TesseraLinks &link : links)
      if (!(link.latency >= 0 && std::isfinite(link.latency) &&
            link.bandwidth > 0 && link.devices >= 0))
        return invalid("links: expected a latency of at least 0 seconds and a "
                       "bandwidth above 0, got " +
                       std::to_string(link.latency) + " and " +
                       std::to_string(link.bandwidth));
  for (int64_t i = 0; i < machine.kernel_count; ++i)
    if (!(machine.kernels[i].seconds >= 0 && machine.kernels[i].seconds < 1e6))
      return invalid("kernel '" + std::string(machine.kernels[i].name) +
                     "': expected a time of 0 to 1e6 seconds, got " +
                     std::to_string(machine.kernels[i].seconds));
  const Manifest &manifest = program.manifest();
  MachineLinks links(machine, manifest.mesh, manifest.pipelineRanks());
  for (const std::vector<SubAxis> &axes : manifest.communicators) {
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

/// Starts the ranks, and gives them the program's code.
JobStatus Job::openWorld(const TesseraJobOptions &options) {
  int32_t count = program.manifest().ranks();
  int32_t cores = availableCores();
  threads = options.threads ? options.threads : std::max(1, cores / count);
  spin = int64_t(count) * threads <= cores;
  std::vector<int32_t> groupSizes;
  groupSizes.reserve(groups.size());
  for (const GroupTable &table : groups)
    groupSizes.push_back(table.size);
  std::vector<int32_t> channels = channelsOf(program.manifest());
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
    return invalid(error);
  if (!backend->devices)
    return {};
  std::span<const TesseraGpuImage> images = program.images();
  if (TesseraStatus status = backend->devices->load(
          world, images.data(), static_cast<int64_t>(images.size()), error,
          sizeof error))
    return JobFailure{status, error};
  return {};
}

/// Bytes that one rank needs.
static double memoryOf(const Manifest &manifest,
                       const ManifestProgram &program) {
  double bytes = static_cast<double>(program.arenaBytes);
  for (const ManifestRows &rows : program.arguments)
    bytes +=
        static_cast<double>(rows.localBytes(manifest.arguments[rows.number]));
  for (int32_t i = 0; i < static_cast<int32_t>(program.results.size()); ++i)
    if (const ManifestRows &rows = program.results[i];
        manifest.donorOf(program, i) < 0)
      bytes +=
          static_cast<double>(rows.localBytes(manifest.results[rows.number]));
  return bytes;
}

/// Whether the machine has memory for the ranks of this process; a system that
/// promises more than it has would kill the process later, without a word.
JobStatus Job::checkMemory() const {
  if (backend->devices || kernelTimes)
    return {}; // The device says when it has no more; what is virtual needs
               // none.
  const Manifest &manifest = program.manifest();
  double needed = 0;
  int32_t here = 0;
  for (int32_t rank = 0; rank < manifest.ranks(); ++rank) {
    if (!backend->is_local(world, rank))
      continue;
    ++here;
    needed += memoryOf(manifest, programOf(rank));
  }
  double present = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                   static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed <= present)
    return {};
  char text[160];
  std::snprintf(
      text, sizeof text,
      "the model needs %.1f GiB (ranks here: %d), this machine has %.1f "
      "GiB of memory",
      needed / 0x1p30, here, present / 0x1p30);
  return invalid(text);
}

/// Makes the ranks that run here, with the groups that each is in, and
/// allocates their memory.
JobStatus Job::createRanks(const TesseraJobOptions &options) {
  const Manifest &manifest = program.manifest();
  int32_t count = manifest.ranks();
  ranks.resize(count);
  allocatesOnDemand =
      options.allocate_on_demand && !hasGuards && !backend->devices;
  for (int32_t rank = 0; rank < count; ++rank) {
    if (!backend->is_local(world, rank))
      continue;
    ranks[rank] =
        std::make_unique<Rank>(rank, threads, spin, options.record_events != 0);
    TesseraContext &context = ranks[rank]->context;
    context.backend = backend;
    context.world = world;
    context.pipelineRanks = manifest.pipelineRanks();
    context.meshRanks = manifest.mesh.ranks();
    context.kernelTimes = kernelTimes ? &*kernelTimes : nullptr;
    context.isInterrupted = &isInterrupted;
    if (interrupted && runsOnCaller) {
      context.interruptedData = this;
      context.askInterrupted = [](void *data) {
        Job &job = *static_cast<Job *>(data);
        if (job.interrupted(job.interruptedData)) {
          job.isInterrupted = true;
          job.backend->fail(job.world, "interrupted");
        }
      };
    }
    for (size_t c = 0; c < groups.size(); ++c) {
      int32_t group = groups[c].groupOf[rank];
      context.groups.push_back({static_cast<int32_t>(c), group, groups[c].size,
                                groups[c].groups[group].data(),
                                groups[c].positionOf[rank]});
    }
    if (!allocate(*ranks[rank]))
      return notEnoughMemory(rank);
  }
  return {};
}

/// Memory for tensors: zeros, on huge pages where that pays.
Job::Buffer Job::allocateZeros(int64_t bytes) {
  constexpr int64_t hugePage = 2 << 20;
  int64_t alignment = bytes >= hugePage ? hugePage : 64;
  int64_t capacity = (bytes + alignment) / alignment * alignment;
  auto *memory =
      static_cast<std::byte *>(std::aligned_alloc(alignment, capacity));
  if (memory && alignment == hugePage)
    madvise(memory, capacity, MADV_HUGEPAGE);
  if (memory)
    std::memset(memory, 0, capacity);
  return Buffer(memory);
}

/// Addresses for tensors that nobody computes; what is read there is zero.
Job::Buffer Job::reserveZeros(int64_t bytes) {
  size_t capacity = static_cast<size_t>(bytes) + 64;
  void *memory = mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return Buffer();
  return Buffer(static_cast<std::byte *>(memory), FreeMemory{capacity});
}

void Job::FreeMemory::operator()(std::byte *pointer) const {
  if (reserved > 0)
    munmap(pointer, reserved);
  else
    std::free(pointer);
}

/// `argument 2`, `result 'loss'`: for messages.
static std::string nameOf(const char *what,
                          const std::vector<ManifestTensor> &tensors,
                          int32_t number) {
  const std::string &name = tensors[number].name;
  return what +
         (name.empty() ? " " + std::to_string(number) : " '" + name + "'");
}

/// Memory of the rank for this purpose; null if there is none left.
void *Job::allocateBlock(Rank &rank, const std::string &name, int64_t bytes) {
  if (backend->devices)
    return backend->devices->allocate(world, rank.context.rank, bytes);
  int64_t zone = hasGuards ? MemoryGuards::redZone : 0;
  Buffer memory =
      kernelTimes ? reserveZeros(bytes) : allocateZeros(bytes + 2 * zone);
  if (!memory)
    return nullptr;
  rank.blocks.push_back({name, memory.get() + zone, bytes});
  rank.owned.push_back(std::move(memory));
  return rank.blocks.back().begin;
}

/// The job's memory for the argument at `position` of the rank's program; null
/// if there is none left.
void *Job::ownArgument(Rank &rank, int32_t position) {
  const Manifest &manifest = program.manifest();
  const ManifestRows &rows = programOf(rank.context.rank).arguments[position];
  if (!rank.arguments[position])
    rank.arguments[position] =
        allocateBlock(rank, nameOf("argument", manifest.arguments, rows.number),
                      rows.localBytes(manifest.arguments[rows.number]));
  return rank.arguments[position];
}

/// As `ownArgument`; of a result with a donated argument, that one's.
void *Job::ownResult(Rank &rank, int32_t position) {
  const Manifest &manifest = program.manifest();
  const ManifestProgram &part = programOf(rank.context.rank);
  const ManifestRows &rows = part.results[position];
  if (int32_t donor = manifest.donorOf(part, position); donor >= 0)
    rank.results[position] = ownArgument(rank, donor);
  else if (!rank.results[position])
    rank.results[position] =
        allocateBlock(rank, nameOf("result", manifest.results, rows.number),
                      rows.localBytes(manifest.results[rows.number]));
  return rank.results[position];
}

bool Job::allocate(Rank &rank) {
  const ManifestProgram &part = programOf(rank.context.rank);
  rank.arguments.resize(part.arguments.size());
  rank.results.resize(part.results.size());
  rank.arena = allocateBlock(rank, "the arena", part.arenaBytes);
  return rank.arena && (allocatesOnDemand || allocateTensors(rank));
}

/// Gives the rank memory for all arguments and results that have none.
bool Job::allocateTensors(Rank &rank) {
  for (size_t i = 0; i < rank.arguments.size(); ++i)
    if (!ownArgument(rank, static_cast<int32_t>(i)))
      return false;
  for (size_t i = 0; i < rank.results.size(); ++i)
    if (!ownResult(rank, static_cast<int32_t>(i)))
      return false;
  return true;
}

/// Lets the contexts of all ranks watch their memory, if that is wanted.
JobStatus Job::addGuards() {
  if (!hasGuards)
    return {};
  if (backend->devices)
    return invalid("expected the back end 'local' for guards, got '" +
                   std::string(backend->name) + "'");
  Fallible<KernelTable> table = parseKernels(program.manifest().text);
  if (!table)
    return invalid(table.message());
  kernels = std::move(*table);
  for (std::unique_ptr<Rank> &rank : ranks) {
    if (!rank)
      continue;
    rank->context.guards = std::make_unique<MemoryGuards>(kernels);
    for (const Rank::Block &block : rank->blocks)
      rank->context.guards->addBlock(block.name, block.begin, block.bytes);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Writes to `shard` what `rank` has of these rows of an argument.
void Job::fillShard(int32_t rank, const ManifestRows &rows,
                    const std::byte *global, std::byte *shard) const {
  const ManifestTensor &argument = program.manifest().arguments[rows.number];
  int32_t device = rank % program.manifest().mesh.ranks();
  // The first summand is the tensor, the others change nothing.
  if (argument.layout.summandOf(device) == 0)
    rows.layoutOf(argument).scatter(device, elementSize(argument.type), global,
                                    shard);
  else
    fillNeutral(static_cast<int32_t>(argument.type), argument.reduction, shard,
                rows.localBytes(argument) /
                    static_cast<int64_t>(elementSize(argument.type)));
}

/// Gives a rank its part of the argument at `position` of its program.
JobStatus Job::fillArgument(int32_t rank, int32_t position,
                            const std::byte *global) {
  const ManifestRows &rows = programOf(rank).arguments[position];
  const ManifestTensor &argument = program.manifest().arguments[rows.number];
  int64_t bytes = rows.localBytes(argument);
  void *memory = ownArgument(*ranks[rank], position);
  if (!memory)
    return notEnoughMemory(rank);
  std::vector<std::byte> staged(backend->devices ? bytes : 0);
  std::byte *shard =
      backend->devices ? staged.data() : static_cast<std::byte *>(memory);
  fillShard(rank, rows, global, shard);
  if (backend->devices &&
      backend->devices->upload(world, rank, shard, memory, bytes) != TESSERA_OK)
    return JobFailure{TESSERA_FAILED, backend->error(world)};
  if (ranks[rank]->context.guards)
    ranks[rank]->context.guards->setBlock(memory);
  return {};
}

JobStatus Job::setArgument(int32_t index, const std::byte *global) {
  if (index < 0 ||
      index >= static_cast<int32_t>(program.manifest().arguments.size()))
    return invalid("the program has no argument " + std::to_string(index));
  for (int32_t rank = 0; rank < static_cast<int32_t>(ranks.size()); ++rank) {
    if (!ranks[rank])
      continue;
    const std::vector<ManifestRows> &held = programOf(rank).arguments;
    for (size_t i = 0; i < held.size(); ++i)
      if (held[i].number == index)
        if (JobStatus failure =
                fillArgument(rank, static_cast<int32_t>(i), global))
          return failure;
  }
  return {};
}

/// Runs the program of a rank on these shards.
int32_t Job::runRank(Rank &rank, std::span<void *const> arguments,
                     std::span<void *const> results) {
  TesseraContext &context = rank.context;
  std::optional<TesseraContext::Visit> visit;
  if (runsOnCaller)
    visit.emplace(context);
  else
    context.enterThread();
  context.activity = TesseraContext::Activity::Between;
  TesseraMain entry =
      program.entry(context.rank / program.manifest().mesh.ranks());
  int32_t status =
      entry(&context, arguments.data(), results.data(), rank.arena);
  if (status == 0)
    status = context.endStep(results);
  if (status == 0) {
    context.activity = TesseraContext::Activity::Finished;
    return 0;
  }
  char activity[512];
  context.describe(activity, sizeof activity);
  backend->fail(world,
                ("rank " + std::to_string(context.rank) + " returned status " +
                 std::to_string(status) + "; it " + activity)
                    .c_str());
  return status;
}

JobStatus Job::step() {
  for (std::unique_ptr<Rank> &rank : ranks)
    if (rank && allocatesOnDemand && !allocateTensors(*rank))
      return notEnoughMemory(rank->context.rank);
  auto body = [](void *data, int32_t number) {
    Job &job = *static_cast<Job *>(data);
    Rank &rank = *job.ranks[number];
    return job.runRank(rank, rank.arguments, rank.results);
  };
  return run(body, this);
}

/// Lets every rank of this process run `body`.
JobStatus Job::run(TesseraRankBody body, void *data) {
  for (std::unique_ptr<Rank> &rank : ranks)
    if (rank)
      rank->context.beginStep();
  if (backend->run(world, body, data) != TESSERA_OK)
    return JobFailure{TESSERA_FAILED, backend->error(world)};
  hasRun = true;
  if (backend->devices)
    recordDeviceEvents();
  return {};
}

/// Appends what the devices did in the last step to what the job has recorded.
void Job::recordDeviceEvents() {
  deviceEvents.resize(ranks.size());
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    const TesseraEvent *events = nullptr;
    int64_t count = 0;
    backend->devices->events(world, static_cast<int32_t>(rank), &events,
                             &count);
    deviceEvents[rank].insert(deviceEvents[rank].end(), events, events + count);
  }
}

/// Brings what `rank` has of the result at `position` of its program to
/// `global`, of all of the result.
JobStatus Job::collectResult(int32_t rank, int32_t position,
                             std::byte *global) {
  const ManifestRows &rows = programOf(rank).results[position];
  const ManifestTensor &result = program.manifest().results[rows.number];
  int64_t bytes = rows.localBytes(result);
  auto *shard = static_cast<const std::byte *>(
      ranks[rank] ? ranks[rank]->results[position] : nullptr);
  std::vector<std::byte> staged;
  if (backend->devices) {
    staged.resize(bytes);
    if (backend->devices->gather(world, rank, shard, staged.data(), bytes) !=
        TESSERA_OK)
      return JobFailure{TESSERA_FAILED, backend->error(world)};
    shard = staged.data();
  }
  if (leads())
    rows.layoutOf(result).gather(rank % program.manifest().mesh.ranks(),
                                 elementSize(result.type), shard, global);
  return {};
}

/// Collects one summand of a result, each part of it from the lowest pipeline
/// rank that has it.
JobStatus Job::collectSummand(int32_t index, int32_t summand,
                              std::byte *global) {
  const Manifest &manifest = program.manifest();
  std::vector<ManifestRows> known;
  for (int32_t holder = 0; holder < manifest.pipelineRanks(); ++holder) {
    const std::vector<ManifestRows> &held = manifest.programs[holder].results;
    for (size_t i = 0; i < held.size(); ++i) {
      if (held[i].number != index || std::ranges::count(known, held[i]))
        continue;
      known.push_back(held[i]);
      for (int32_t device : manifest.results[index].layout.owners(summand))
        if (JobStatus failure =
                collectResult(holder * manifest.mesh.ranks() + device,
                              static_cast<int32_t>(i), global))
          return failure;
    }
  }
  return {};
}

JobStatus Job::getResult(int32_t index, std::byte *global) {
  const auto &results = program.manifest().results;
  if (index < 0 || index >= static_cast<int32_t>(results.size()))
    return invalid("the program has no result " + std::to_string(index));
  if (!hasRun)
    return invalid("no step has run, so there is no result yet");
  const ManifestTensor &result = results[index];
  std::vector<std::byte> buffer;
  for (int32_t summand = 0; summand < result.layout.summands(); ++summand) {
    if (summand == 1)
      buffer.resize(result.globalBytes());
    std::byte *target = summand == 0 ? global : buffer.data();
    if (JobStatus failure = collectSummand(index, summand, target))
      return failure;
    if (summand > 0 && leads()) {
      const std::byte *sources[] = {global, target};
      reduceInto(static_cast<int32_t>(result.type), result.reduction, sources,
                 {&global, 1}, 0, *elementCountOf(result.layout.globalShape()));
    }
  }
  return {};
}

JobStatus Job::agree(int32_t &value) {
  if (backend->devices && backend->devices->agree(world, &value) != TESSERA_OK)
    return JobFailure{TESSERA_FAILED, backend->error(world)};
  return {};
}

const std::vector<TesseraEvent> *Job::events(int32_t rank) const {
  if (rank < 0 || rank >= static_cast<int32_t>(ranks.size()))
    return nullptr;
  if (backend->devices)
    return deviceEvents.empty() ? nullptr : &deviceEvents[rank];
  if (!ranks[rank])
    return nullptr;
  return &ranks[rank]->context.events;
}
