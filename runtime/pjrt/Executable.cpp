//===- Executable.cpp - What JAX asks about programs ----------------------===//

#include "Functions.h"

#include <cstring>
#include <utility>

using namespace tessera;
using namespace tessera::pjrt;

void Description::finish() {
  for (size_t i = 0; i < costs.size(); ++i) {
    costs[i].name = costNames[i].c_str();
    costs[i].nameSize = costNames[i].size();
  }
  argumentProtos.assign(argumentCount, "");
  argumentProtoSizes.assign(argumentCount, 0);
  for (size_t i = 0; i < arguments.size(); ++i) {
    argumentProtos[argumentPlaces[i]] = arguments[i].sharding.data();
    argumentProtoSizes[argumentPlaces[i]] = arguments[i].sharding.size();
  }
  resultTypes.assign(resultCount, Type::Token);
  resultRanks.assign(resultCount, 0);
  resultProtos.assign(resultCount, "");
  resultProtoSizes.assign(resultCount, 0);
  kinds.assign(resultCount, "device");
  kindSizes.assign(resultCount, std::strlen("device"));
  for (size_t i = 0; i < results.size(); ++i) {
    const Parameter &result = results[i];
    size_t place = resultPlaces[i];
    resultTypes[place] = result.type;
    resultRanks[place] = result.dims.size();
    resultDims.insert(resultDims.end(), result.dims.begin(), result.dims.end());
    resultProtos[place] = result.sharding.data();
    resultProtoSizes[place] = result.sharding.size();
  }
}

LoadedExecutable::~LoadedExecutable() {
  if (client)
    client->jobs.forget(*this);
  if (idle)
    tessera_job_destroy(idle);
  if (program)
    tessera_program_destroy(program);
}

TesseraJob *LoadedExecutable::takeJob() {
  std::unique_lock<std::mutex> lock(mutex);
  if (!hostFunctions)
    isOver.wait(lock, [&] { return calls == 0; });
  ++calls;
  if (TesseraJob *job = std::exchange(idle, nullptr))
    return job;
  lock.unlock();
  TesseraJobOptions options = {};
  options.size = sizeof options;
  options.backend = client->backend.c_str();
  options.threads = threads;
  options.allocate_on_demand = 1;
  TesseraJob *job = nullptr;
  if (tessera_job_create(program, &options, &job) == TESSERA_OK)
    return job;
  returnJob(nullptr, true);
  return nullptr;
}

void LoadedExecutable::returnJob(TesseraJob *job, bool hasFailed) {
  std::unique_lock<std::mutex> lock(mutex);
  --calls;
  if (!hasFailed && !idle)
    job = std::exchange(idle, job);
  lock.unlock();
  isOver.notify_one();
  if (job)
    tessera_job_destroy(job);
}

bool LoadedExecutable::tryClose() {
  std::lock_guard<std::mutex> lock(mutex);
  if (calls)
    return false;
  if (TesseraJob *job = std::exchange(idle, nullptr))
    tessera_job_destroy(job);
  return true;
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

static const Description &aboutOf(const Of<Executable> &arguments) {
  return *arguments.object->about;
}

static void destroy(Of<Executable> &arguments) { delete arguments.object; }
static void tellName(AskText<Executable> &arguments) {
  arguments.values = aboutOf(arguments).name.c_str();
  arguments.count = aboutOf(arguments).name.size();
}
static void tellReplicas(Ask<Executable, size_t> &arguments) {
  arguments.value = 1;
}
static void tellPartitions(Ask<Executable, size_t> &arguments) {
  arguments.value = aboutOf(arguments).devices;
}
static void tellResultCount(Ask<Executable, size_t> &arguments) {
  arguments.value = aboutOf(arguments).resultCount;
}
static void tellCodeSize(Ask<Executable, int64_t> &arguments) {
  arguments.value = aboutOf(arguments).codeBytes;
}
static void tellCosts(AskCounted<Executable, const NamedValue *> &arguments) {
  arguments.values = aboutOf(arguments).costs.data();
  arguments.count = aboutOf(arguments).costs.size();
}
static void tellResultTypes(AskList<Executable, Type> &arguments) {
  arguments.values = aboutOf(arguments).resultTypes.data();
  arguments.count = aboutOf(arguments).resultTypes.size();
}
static void tellResultDims(ExecutableDimensions &arguments) {
  arguments.count = aboutOf(arguments).resultCount;
  arguments.dims = aboutOf(arguments).resultDims.data();
  arguments.ranks = aboutOf(arguments).resultRanks.data();
}
static void tellMemoryKinds(ExecutableMemoryKinds &arguments) {
  arguments.count = aboutOf(arguments).resultCount;
  arguments.kinds = aboutOf(arguments).kinds.data();
  arguments.sizes = aboutOf(arguments).kindSizes.data();
}

/// The module as it was given: asked for its size first.
static void tellProgram(ExecutableProgram &arguments) {
  static constexpr const char *kFormat = "mlir";
  const std::string &code = aboutOf(arguments).code;
  ProgramText &text = *arguments.program;
  text.format = kFormat;
  text.formatSize = std::strlen(kFormat);
  text.codeSize = code.size();
  if (text.code)
    std::memcpy(text.code, code.data(), code.size());
}

static void tellMemoryUse(Of<Executable> &arguments) {
  const Description &about = aboutOf(arguments);
  ExecutableMemory use = {};
  use.code = about.codeBytes;
  use.temporary = about.arenaBytes;
  for (const Parameter &argument : about.arguments) {
    use.arguments += argument.bytes;
    if (argument.donation >= 0)
      use.aliased += argument.bytes;
  }
  for (const Parameter &result : about.results)
    use.results += result.bytes;
  use.peak = use.arguments + use.results - use.aliased + use.temporary;
  use.total = use.peak;
  // Callers of older versions know fewer of these.
  size_t head = sizeof arguments;
  std::memcpy(reinterpret_cast<char *>(&arguments) + head,
              reinterpret_cast<const char *>(&use) + head,
              std::min(arguments.size, sizeof use) - head);
}

static void tellArgumentShardings(ExecutableShardings &arguments) {
  const Description &about = aboutOf(arguments);
  arguments.count = about.argumentCount;
  arguments.protos = about.argumentProtos.data();
  arguments.sizes = about.argumentProtoSizes.data();
}

static void tellResultShardings(ExecutableShardings &arguments) {
  const Description &about = aboutOf(arguments);
  arguments.count = about.resultCount;
  arguments.protos = about.resultProtos.data();
  arguments.sizes = about.resultProtoSizes.data();
}

//===----------------------------------------------------------------------===//
// Of programs that are loaded
//===----------------------------------------------------------------------===//

static void destroyLoaded(Of<LoadedExecutable> &arguments) {
  delete arguments.object;
}
static void getExecutable(Ask<LoadedExecutable, Executable *> &arguments) {
  arguments.value = new Executable{arguments.object->about};
}
static void tellDevices(AskList<LoadedExecutable, Device *> &arguments) {
  arguments.values = arguments.object->devices.data();
  arguments.count = arguments.object->devices.size();
}
static void deleteLoaded(Of<LoadedExecutable> &arguments) {
  arguments.object->isDeleted = true;
  arguments.object->tryClose();
}
static void tellIsDeleted(Ask<LoadedExecutable, bool> &arguments) {
  arguments.value = arguments.object->isDeleted;
}
static void tellAssignment(ExecutableAssignment &arguments) {
  const std::string &bytes = arguments.object->about->assignment;
  arguments.bytes = bytes.data();
  arguments.size = bytes.size();
  arguments.owner = nullptr;
  arguments.free = [](void *) {};
}

ShardingsExtension pjrt::makeShardingsExtension() {
  ShardingsExtension extension = {};
  extension.size = sizeof extension;
  extension.type = kShardingsExtension;
  extension.ofArguments =
      reinterpret_cast<Function>(&Entry<tellArgumentShardings>::call);
  extension.ofResults =
      reinterpret_cast<Function>(&Entry<tellResultShardings>::call);
  return extension;
}

void pjrt::addExecutable(Table &table) {
  put<destroy>(table, Slot::ExecutableDestroy);
  put<tellName>(table, Slot::ExecutableName);
  put<tellReplicas>(table, Slot::ExecutableReplicas);
  put<tellPartitions>(table, Slot::ExecutablePartitions);
  put<tellResultCount>(table, Slot::ExecutableResultCount);
  put<tellCodeSize>(table, Slot::ExecutableCodeSize);
  put<tellCosts>(table, Slot::ExecutableCosts);
  put<tellMemoryKinds>(table, Slot::ExecutableResultMemoryKinds);
  put<tellProgram>(table, Slot::ExecutableProgram);
  put<tellResultTypes>(table, Slot::ExecutableResultTypes);
  put<tellResultDims>(table, Slot::ExecutableResultDims);
  put<tellMemoryUse>(table, Slot::ExecutableMemoryUse);
  put<destroyLoaded>(table, Slot::LoadedDestroy);
  put<getExecutable>(table, Slot::LoadedExecutable);
  put<tellDevices>(table, Slot::LoadedDevices);
  put<deleteLoaded>(table, Slot::LoadedDelete);
  put<tellIsDeleted>(table, Slot::LoadedIsDeleted);
  put<tellAssignment>(table, Slot::LoadedAssignment);
}
