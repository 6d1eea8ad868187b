//===- Job.cpp - What is asked of a job, in order -------------------------===//
//
// A job is created in the order of `Job::create`, each step of which needs what
// the one before it found out. How ranks are reached stands in JobWorld.cpp,
// their memory in JobMemory.cpp, the way of tensors into it and out of it in
// JobTensors.cpp, a step on memory of the caller's in JobCall.cpp.
//
//===----------------------------------------------------------------------===//

#include "Job.h"

#include "BackendLoader.h"

#include <span>

using namespace tessera;
using namespace tessera::runtime;

Job::Job(const Program &file)
    : entryPoints(file.entryPoints()), state(file.sharedState()),
      program(entryPoints.front()), hasRun(entryPoints.size()) {
  for (const Program *entryPoint : entryPoints) {
    const Manifest &manifest = entryPoint->manifest();
    for (const std::vector<SubAxis> &axes : manifest.communicators)
      groups.push_back(
          manifest.mesh.groupsAlong(axes).repeated(manifest.pipelineRanks()));
  }
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
    return JobFailure::invalid("expected " + std::to_string(count) +
                               (count == 1 ? " rank" : " ranks") +
                               " for the model's mesh (" + program.meshText() +
                               "), got " + std::to_string(options.ranks));
  if (options.threads < 0)
    return JobFailure::invalid(
        "expected a number of threads of at least 0, got " +
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

JobStatus Job::enter(int32_t index) {
  if (index < 0 || index >= static_cast<int32_t>(entryPoints.size()))
    return JobFailure::invalid("the program has no entry point " +
                               std::to_string(index));
  entered = index;
  program = entryPoints[index];
  for (std::unique_ptr<Rank> &rank : ranks)
    if (rank)
      enterRank(*rank);
  return {};
}

/// Shows the rank's context the entry point that the job is in.
void Job::enterRank(Rank &rank) const {
  size_t first = 0;
  for (size_t i = 0; i < entered; ++i)
    first += entryPoints[i]->manifest().communicators.size();
  rank.context.groups =
      std::span(rank.groups)
          .subspan(first, program->manifest().communicators.size());
  if (rank.context.guards)
    rank.context.guards->setKernels(kernels[entered]);
}

/// Loads the back end, if it executes what the program was compiled for.
JobStatus Job::chooseBackend(const TesseraJobOptions &options) {
  auto loaded = loadBackend(options.backend ? options.backend : "local");
  if (!loaded)
    return JobFailure::invalid(loaded.message());
  backend = *loaded;
  const std::string &target = program->manifest().target;
  if (target != backend->target)
    return JobFailure::invalid(
        "compiled for target '" + target + "', back end '" + backend->name +
        "' executes '" + backend->target + "'; use " +
        (target == "cpu" ? "--backend=local"
                         : "--backend=cuda or --backend=emulated"));
  return {};
}

/// Makes the ranks that run here, with the groups that each is in, and
/// allocates their memory.
JobStatus Job::createRanks(const TesseraJobOptions &options) {
  const Manifest &manifest = program->manifest();
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
    if (options.machine) {
      context.hostLatency = options.machine->host_latency;
      context.hostBandwidth = options.machine->host_bandwidth;
    }
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
      ranks[rank]->groups.push_back(
          {static_cast<int32_t>(c), group, groups[c].size,
           groups[c].groups[group].data(), groups[c].positionOf[rank]});
    }
    enterRank(*ranks[rank]);
  }
  return allocateRanks();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

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
      program->entry(context.rank / program->manifest().mesh.ranks());
  int32_t status =
      entry(&context, arguments.data(), results.data(), rank.arena);
  if (status == 0)
    status = context.endStep(results);
  if (status == 0) {
    setShared(rank, results);
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
    Rank::Tensors &tensors = job.tensorsOf(rank);
    return job.runRank(rank, tensors.arguments, tensors.results);
  };
  return run(body, this);
}

/// Lets every rank of this process run `body`.
JobStatus Job::run(TesseraRankBody body, void *data) {
  for (std::unique_ptr<Rank> &rank : ranks)
    if (rank) {
      rank->context.beginStep();
      rank->toldEvents = rank->context.events.size();
    }
  if (backend->run(world, body, data) != TESSERA_OK)
    return JobFailure{TESSERA_FAILED, backend->error(world)};
  hasRun[entered] = true;
  if (backend->devices)
    recordEvents(backend->devices->events);
  else if (recordsEvents && backend->processes)
    return shareEvents();
  return {};
}

/// Appends what the devices, or ranks of other processes, did in the last step
/// to what the job has recorded.
void Job::recordEvents(void (*eventsOf)(TesseraWorld *, int32_t,
                                        const TesseraEvent **, int64_t *)) {
  remoteEvents.resize(ranks.size());
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    const TesseraEvent *events = nullptr;
    int64_t count = 0;
    eventsOf(world, static_cast<int32_t>(rank), &events, &count);
    remoteEvents[rank].insert(remoteEvents[rank].end(), events, events + count);
  }
}

/// Tells the process of rank 0 what ranks of other processes did in the last
/// step.
JobStatus Job::shareEvents() {
  std::vector<const TesseraEvent *> events(ranks.size());
  std::vector<int64_t> counts(ranks.size());
  for (size_t i = 0; i < ranks.size(); ++i)
    if (const std::unique_ptr<Rank> &rank = ranks[i]) {
      events[i] = rank->context.events.data() + rank->toldEvents;
      counts[i] =
          static_cast<int64_t>(rank->context.events.size() - rank->toldEvents);
    }
  if (backend->processes->share_events(world, events.data(), counts.data()) !=
      TESSERA_OK)
    return JobFailure{TESSERA_FAILED, backend->error(world)};
  recordEvents(backend->processes->events);
  return {};
}

JobStatus Job::agree(int32_t &value) {
  if (backend->processes &&
      backend->processes->agree(world, &value) != TESSERA_OK)
    return JobFailure{TESSERA_FAILED, backend->error(world)};
  return {};
}

JobStatus Job::greatest(int32_t &value) {
  if (backend->processes &&
      backend->processes->greatest(world, &value) != TESSERA_OK)
    return JobFailure{TESSERA_FAILED, backend->error(world)};
  return {};
}

void Job::fail(const char *message) { backend->fail(world, message); }

const std::vector<TesseraEvent> *Job::events(int32_t rank) const {
  if (rank < 0 || rank >= static_cast<int32_t>(ranks.size()))
    return nullptr;
  if (ranks[rank] && !backend->devices)
    return &ranks[rank]->context.events;
  return remoteEvents.empty() ? nullptr : &remoteEvents[rank];
}
