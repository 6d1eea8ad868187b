//===- Execute.cpp - One step of a program on all its devices -------------===//
//
// A call brings a buffer for each device and argument, which are the shards of
// the ranks, and gets new ones. Ranks read and write them where they are. A
// donated argument gives its memory to its result, if nobody else looks at it;
// else ranks copy it there.
//
// The step is done when the call returns.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include <algorithm>
#include <set>

using namespace tessera;
using namespace tessera::pjrt;

namespace {

/// A call while it runs.
class Step {
public:
  Step(LoadedExecutable &loaded, const Execute &call)
      : loaded(loaded), call(call), about(*loaded.about),
        ranks(static_cast<size_t>(about.ranks)),
        devices(static_cast<size_t>(about.devices)) {}

  void run();

private:
  void checkArguments() const;
  bool isDonated(size_t argument) const;
  void checkDonations() const;
  void takeArguments();
  void placeResults();
  void execute(TesseraJob *job);
  void finish();
  Device &deviceOf(size_t device) const {
    return call.device ? *call.device : *loaded.devices[device];
  }
  Buffer &argument(size_t device, size_t number) const {
    return *call.arguments[device][about.argumentPlaces[number]];
  }

  LoadedExecutable &loaded;
  const Execute &call;
  const Description &about;
  size_t ranks, devices;
  bool hasFailed = false; ///< So that its ranks cannot be used again.
  std::vector<const void *> wholeArguments, argumentShards;
  std::vector<void *> wholeResults, resultShards;
  /// By argument and device: only this step has what is donated, unless
  /// somebody looks at it.
  std::vector<std::shared_ptr<Storage>> memory;
  /// By result and rank.
  std::vector<std::shared_ptr<Storage>> storages;
};

} // namespace

void Step::checkArguments() const {
  if (loaded.isDeleted)
    throw Refusal(Code::InvalidArgument, "the program was deleted");
  if (call.devices != devices || call.argumentCount != about.argumentCount)
    throw Refusal(Code::InvalidArgument,
                  "expected " + std::to_string(about.argumentCount) +
                      " arguments on " + std::to_string(devices) +
                      " devices, got " + std::to_string(call.argumentCount) +
                      " on " + std::to_string(call.devices));
  for (size_t device = 0; device < devices; ++device)
    for (size_t i = 0; i < about.arguments.size(); ++i) {
      const Buffer &given = argument(device, i);
      const Parameter &wanted = about.arguments[i];
      if (given.type != wanted.type || given.dims != wanted.dims)
        throw Refusal(Code::InvalidArgument,
                      "argument " + std::to_string(i) + " of '" + about.name +
                          "' has another type or shape on device " +
                          std::to_string(device) + " than the program expects");
    }
}

bool Step::isDonated(size_t argument) const {
  if (about.arguments[argument].donation < 0)
    return false;
  const ExecuteOptions *options = call.options;
  auto number = static_cast<int64_t>(about.argumentPlaces[argument]);
  return !options ||
         std::find(options->kept, options->kept + options->keptCount, number) ==
             options->kept + options->keptCount;
}

/// Refuses a donated buffer that is an argument twice.
void Step::checkDonations() const {
  for (size_t device = 0; device < devices; ++device) {
    std::set<const Buffer *> seen, donated;
    for (size_t i = 0; i < about.arguments.size(); ++i) {
      const Buffer *given = &argument(device, i);
      bool isNew = seen.insert(given).second;
      if (isDonated(i))
        donated.insert(given);
      if (!isNew && donated.count(given))
        throw Refusal(Code::InvalidArgument,
                      "expected a donated buffer once among the arguments, got "
                      "it twice: f(donate(a), a)");
    }
  }
}

/// Takes the donated arguments and shares the others: whoever deletes or
/// donates one meanwhile leaves the memory to this step. A step that fails
/// leaves no donated argument, for it may have been overwritten.
void Step::takeArguments() {
  for (size_t i = 0; i < about.arguments.size(); ++i)
    for (size_t device = 0; device < devices; ++device)
      static_cast<void>(argument(device, i).share());
  for (size_t i = 0; i < about.arguments.size(); ++i)
    for (size_t device = 0; device < devices; ++device) {
      Buffer &given = argument(device, i);
      memory.push_back(isDonated(i) ? given.take() : given.share());
    }
  wholeArguments.assign(about.arguments.size(), nullptr);
  argumentShards.assign(about.arguments.size() * ranks, nullptr);
  for (size_t i = 0; i < about.arguments.size(); ++i) {
    for (size_t rank = 0; rank < ranks; ++rank)
      argumentShards[i * ranks + rank] = memory[i * devices + rank]->data;
    if (about.arguments[i].isWhole) {
      wholeArguments[i] = argumentShards[i * ranks];
      std::fill_n(argumentShards.begin() + i * ranks, ranks, nullptr);
    }
  }
}

void Step::placeResults() {
  size_t all = about.results.size() + about.hiddenResults;
  wholeResults.assign(all, nullptr);
  resultShards.assign(all * ranks, nullptr);
  storages.resize(about.results.size() * ranks);
  for (size_t i = 0; i < about.results.size(); ++i) {
    const Parameter &result = about.results[i];
    if (result.isWhole) {
      auto storage = std::make_shared<Storage>(result.bytes);
      std::fill_n(storages.begin() + i * ranks, ranks, storage);
      wholeResults[i] = storage->data;
      continue;
    }
    for (size_t rank = 0; rank < ranks; ++rank) {
      std::shared_ptr<Storage> &storage = storages[i * ranks + rank];
      if (result.donation >= 0 && isDonated(result.donation)) {
        std::shared_ptr<Storage> &donated =
            memory[result.donation * devices + rank];
        if (donated->isOwn() && donated.use_count() == 1)
          storage = donated;
      }
      if (!storage)
        storage = std::make_shared<Storage>(result.bytes);
      resultShards[i * ranks + rank] = storage->data;
    }
  }
}

void Step::execute(TesseraJob *job) {
  TesseraCall step = {};
  step.size = sizeof step;
  step.arguments = wholeArguments.data();
  step.argument_shards = argumentShards.data();
  step.results = wholeResults.data();
  step.result_shards = resultShards.data();
  if (loaded.hostFunctions)
    step.host_callbacks =
        packageFunctions().begin(loaded.hostFunctions, about.ranks);
  TesseraStatus status = tessera_job_call(job, &step);
  std::string message = status == TESSERA_OK ? "" : tessera_error_message();
  if (step.host_callbacks)
    packageFunctions().end(step.host_callbacks);
  hasFailed = status == TESSERA_FAILED;
  if (status != TESSERA_OK)
    throw Refusal(Code::Internal, message);
}

/// Hands the results over.
void Step::finish() {
  for (size_t i = 0; i < about.results.size(); ++i)
    for (size_t device = 0; device < devices; ++device)
      call.results[device][about.resultPlaces[i]] = new Buffer(
          deviceOf(device), about.results[i].type, about.results[i].dims,
          storages[i * ranks + (ranks == 1 ? 0 : device)]);
  std::set<size_t> places(about.resultPlaces.begin(), about.resultPlaces.end());
  for (size_t place = 0; place < about.resultCount; ++place)
    for (size_t device = 0; !places.count(place) && device < devices; ++device)
      call.results[device][place] = new Buffer(
          deviceOf(device), Type::Token, {0}, std::make_shared<Storage>(0));
  for (size_t device = 0; call.events && device < devices; ++device)
    call.events[device] = new Event;
}

void Step::run() {
  checkArguments();
  checkDonations();
  takeArguments();
  TesseraJob *job = loaded.takeJob();
  if (!job)
    throw Refusal(Code::Internal, tessera_error_message());
  try {
    placeResults();
    execute(job);
  } catch (...) {
    loaded.returnJob(job, hasFailed);
    throw;
  }
  loaded.returnJob(job, false);
  finish();
}

static void executeStep(Execute &arguments) {
  arguments.object->client->jobs.touch(*arguments.object);
  Step(*arguments.object, arguments).run();
}

/// JAX makes one for each call; it carries nothing here.
static void createContext(Of<void> &arguments) { arguments.object = new char; }
static void destroyContext(Of<void> &arguments) {
  delete static_cast<char *>(arguments.object);
}

void pjrt::addExecute(Table &table) {
  put<executeStep>(table, Slot::LoadedExecute);
  put<createContext>(table, Slot::ContextCreate);
  put<destroyContext>(table, Slot::ContextDestroy);
}
