//===- Session.cpp --------------------------------------------------------===//

#include "Session.h"

#include "Initialization.h"
#include "Profile.h"
#include "Trace.h"
#include "tessera/Support/File.h"
#include "tessera/Support/TensorFile.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

using namespace tessera;
using namespace tessera::run;

Stop run::runtimeStop(TesseraStatus status) {
  return {status, tessera_error_message()};
}

std::optional<Stop> Session::execute() {
  std::optional<Stop> stop;
  for (auto step : {&Session::load, &Session::prepare, &Session::runSteps,
                    &Session::writeResults, &Session::writeReports,
                    &Session::compareResults})
    if ((stop = (this->*step)()))
      break;
  return job ? agreeOnEnd(stop) : stop;
}

/// All processes of the job end as the one that leads does, which alone says
/// why.
std::optional<Stop> Session::agreeOnEnd(std::optional<Stop> stop) {
  // Others may be waiting for this process, and not for its status.
  if (stop && !leads && stop->status != stoppedStatus)
    tessera_job_fail(job.get(), stop->message.c_str());
  int32_t status = stop ? stop->status : 0;
  if (TesseraStatus failed = tessera_job_agree(job.get(), &status);
      failed && !stop)
    stop = runtimeStop(failed);
  if (leads)
    return stop;
  if (stop)
    status = stop->status;
  return status ? std::optional(Stop{status, ""}) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Before the first step
//===----------------------------------------------------------------------===//

std::optional<Stop> run::loadProgram(const std::string &path,
                                     Program &program) {
  TesseraProgram *loaded = nullptr;
  if (TesseraStatus status = tessera_program_load(path.c_str(), &loaded))
    return runtimeStop(status);
  program.reset(loaded);
  return {};
}

std::optional<Stop> Session::load() {
  if (std::optional<Stop> stop = loadProgram(options.model, program))
    return stop;
  auto planned = EntrySequence::plan(program.get(), options);
  if (!planned)
    return Stop{1, options.model + ": " + planned.message()};
  sequence = *std::move(planned);
  return {};
}

std::optional<Stop> Session::prepare() {
  if (options.outputs)
    if (Fallible<void> ok = checkTensorFileWritable(*options.outputs); !ok)
      return Stop{1, ok.message()};
  for (const auto &path : {options.trace, options.profileFile})
    if (path)
      if (Fallible<void> ok = checkWritable(*path); !ok)
        return Stop{1, ok.message()};
  auto described = DescribedMachine::read(
      options, tessera_program_manifest(sequence->program()));
  if (!described)
    return Stop{1, described.message()};
  machine = *std::move(described);
  if (options.checkpoint) {
    auto planned = Checkpointing::plan(options, *sequence);
    if (!planned)
      return Stop{1, planned.message()};
    checkpoints = *std::move(planned);
    if (!options.inputs && !options.init && !options.randomSeed)
      options.randomSeed = checkpoints->seed();
  }
  Fallible<std::vector<StoredTensor>> given = openInputFile(options);
  if (!given)
    return Stop{1, given.message()};
  std::vector<StoredTensor> initial;
  bool hasProcesses = options.backend == "cuda" || options.backend == "sockets";
  if (options.init && hasProcesses && tessera_program_ranks(program.get()) > 1)
    return Stop{1, "--init needs all ranks in one process, and the back end '" +
                       options.backend + "' has one for each; run " +
                       *options.init +
                       " with --outputs=FILE, and this with --inputs=FILE"};
  if (options.init)
    if (std::optional<Stop> stop =
            runInitialization(options, sequence->slots(), *given, initial))
      return stop;
  Fallible<Inputs> read =
      readInputs(options, slotsToFill(), sequence->last().slots.results,
                 *std::move(given), std::move(initial));
  if (!read)
    return Stop{1, read.message()};
  inputs = *std::move(read);
  return startJob();
}

/// The arguments of all; what a checkpoint gives needs no other input.
Slots Session::slotsToFill() const {
  Slots slots = sequence->slots();
  slots.isMade.resize(slots.arguments.size());
  for (size_t i = 0; i < slots.arguments.size(); ++i)
    if (checkpoints && checkpoints->resumes() && checkpoints->holds(i))
      slots.isMade[i] = true;
  return slots;
}

/// Makes the job, and gives it its arguments.
std::optional<Stop> Session::startJob() {
  TesseraJobOptions jobOptions = jobOptionsFor(options);
  jobOptions.record_events = options.profile || options.trace;
  jobOptions.guards = options.guards;
  jobOptions.machine = machine ? machine->get() : nullptr;
  TesseraJob *made = nullptr;
  if (TesseraStatus status =
          tessera_job_create(sequence->program(), &jobOptions, &made))
    return runtimeStop(status);
  job.reset(made);
  leads = tessera_job_leads(made);
  if (checkpoints) {
    if (auto stop = checkpoints->begin(made))
      return stop;
    spared = checkpoints->step() * sequence->length();
    if (checkpoints->step() >= options.steps &&
        (options.outputs || options.expect))
      return Stop{1, *options.checkpoint +
                         ": expected a checkpoint of a step before " +
                         std::to_string(options.steps) + ", got one of step " +
                         std::to_string(checkpoints->step()) +
                         ", behind which no step is left that has results"};
    sequence->all().front().runs = checkpoints->position();
  }
  for (size_t i = 0; i < inputs.arguments.size(); ++i) {
    if (!inputs.arguments[i] ||
        (checkpoints && checkpoints->resumes() && checkpoints->holds(i)))
      continue;
    if (auto stop = setArgument(i, *inputs.arguments[i]))
      return stop;
    inputs.arguments[i].reset(); // The ranks have it now.
  }
  return {};
}

/// The job goes on with this entry point.
std::optional<Stop> Session::enter(const EntrySequence::Entry &entry) {
  slots = &entry.slots;
  if (TesseraStatus status = tessera_job_enter(job.get(), entry.number))
    return runtimeStop(status);
  return {};
}

/// Sets the argument with this number among those of all entry points.
std::optional<Stop> Session::setArgument(size_t number,
                                         const StoredTensor &tensor) {
  for (const EntrySequence::Entry &entry : sequence->all()) {
    auto found = std::ranges::find(entry.numbers, number);
    if (found == entry.numbers.end())
      continue;
    if (auto stop = enter(entry))
      return stop;
    auto index = static_cast<int32_t>(found - entry.numbers.begin());
    if (!tensor.data())
      return fillArgument(job.get(), index, tensor);
    if (TesseraStatus status =
            tessera_job_set_argument(job.get(), index, tensor.data()))
      return runtimeStop(status);
    return {};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Shows on a terminal which step runs; leaves no trace in its output.
static void showProgress(int64_t step, int64_t steps,
                         const std::vector<StepTime> &times) {
  static const bool isTerminal = isatty(STDERR_FILENO) && isatty(STDOUT_FILENO);
  if (!isTerminal)
    return;
  std::fprintf(stderr, "\r\033[Kstep %lld/%lld ...",
               static_cast<long long>(step + 1), static_cast<long long>(steps));
  if (!times.empty()) {
    double seconds = 1e-9 * (times.back().end - times.front().begin) /
                     times.size() * (steps - step);
    std::fprintf(stderr, " about %.0f s left", seconds);
  }
  std::fprintf(stderr, "\r");
}

/// Runs an entry point once, on its next batches.
std::optional<Stop> Session::runStep(EntrySequence::Entry &entry) {
  for (size_t number : entry.numbers)
    if (std::optional<StoredTensor> batch = inputs.batch(number, entry.runs))
      if (auto stop = setArgument(number, *batch))
        return stop;
  ++entry.runs;
  if (auto stop = enter(entry))
    return stop;
  StepTime time = {tessera_job_clock(job.get()), 0};
  if (TesseraStatus status = tessera_job_step(job.get()))
    return runtimeStop(status);
  time.end = tessera_job_clock(job.get());
  times.push_back(time);
  durations[entry.name].push_back(1e-6 * (time.end - time.begin));
  printStep(entry, time);
  return {};
}

std::optional<Stop> Session::runSteps() {
  for (int64_t round = checkpoints ? checkpoints->step() : 0;
       round < options.steps; ++round) {
    for (const EntrySequence::Visit &visit : sequence->visits())
      for (int64_t i = 0; i < visit.times; ++i) {
        if (leads)
          showProgress(static_cast<int64_t>(spared + times.size()),
                       options.steps * sequence->length(), times);
        if (auto stop = runStep(sequence->all()[visit.entry]))
          return stop;
      }
    if (checkpoints)
      if (auto stop =
              checkpoints->endStep(round + 1, sequence->all().front().runs,
                                   round + 1 == options.steps))
        return stop;
  }
  printSummary();
  return {};
}

/// A scalar's value with as many digits as tell it from its neighbours.
static std::string describeScalar(const HostTensor &tensor) {
  char text[64];
  int digits = tensor.type() == ElementType::F64   ? 17
               : tensor.type() == ElementType::F32 ? 9
               : isFloatingPoint(tensor.type())    ? 5
                                                   : 20;
  std::snprintf(text, sizeof text, "%.*g", digits, tensor.toDouble(0));
  return text;
}

void Session::printStep(const EntrySequence::Entry &entry,
                        const StepTime &time) {
  std::string scalars = sequence->isSeveral() ? " " + entry.name : "";
  for (size_t i = 0; i < slots->results.size(); ++i) {
    if (!slots->results[i].shape.empty() || options.virtualKernels)
      continue;
    if (Fallible<HostTensor> scalar = result(i))
      scalars += " " + slotName(slots->results[i], i, "result") + "=" +
                 describeScalar(*scalar);
  }
  if (!leads)
    return;
  if (isatty(STDOUT_FILENO))
    std::printf("\033[K");
  int64_t steps = options.steps * sequence->length();
  std::printf("step %zu/%lld%s", spared + times.size(),
              static_cast<long long>(steps), scalars.c_str());
  double milliseconds = 1e-6 * (time.end - time.begin);
  // Virtual time is exact.
  std::printf(options.virtualKernels ? " (%.4f ms)\n"
              : milliseconds < 10    ? " (%.2f ms)\n"
                                     : " (%.0f ms)\n",
              milliseconds);
  // What cannot be printed is told in the end: the step is done.
  (void)flushStandardOutput();
}

void Session::printSummary() const {
  if (!leads)
    return;
  int32_t ranks = tessera_program_ranks(program.get());
  for (const auto &[name, unsorted] : durations) {
    std::vector<double> sorted = unsorted;
    if (sorted.size() < 2)
      continue;
    std::sort(sorted.begin(), sorted.end());
    std::printf("%zu steps %son %d %s (%s): median %.3f ms, fastest %.3f ms\n",
                sorted.size(),
                sequence->isSeveral() ? ("of " + name + " ").c_str() : "",
                ranks, ranks == 1 ? "rank" : "ranks",
                tessera_program_mesh(program.get()), sorted[sorted.size() / 2],
                sorted.front());
  }
  if (std::string text = checkpoints ? checkpoints->summary() : "";
      !text.empty())
    std::printf("%s\n", text.c_str());
}

//===----------------------------------------------------------------------===//
// After the last step
//===----------------------------------------------------------------------===//

Fallible<HostTensor> Session::result(size_t index) {
  HostTensor tensor(slots->results[index].type, slots->results[index].shape);
  if (tessera_job_get_result(job.get(), static_cast<int32_t>(index),
                             tensor.data()) != TESSERA_OK)
    return Failure{tessera_error_message()};
  return tensor;
}

std::optional<Stop> Session::writeResults() {
  if (!options.outputs)
    return {};
  std::vector<NamedTensor> tensors;
  for (size_t i = 0; i < slots->results.size(); ++i) {
    Fallible<HostTensor> tensor = result(i);
    if (!tensor)
      return Stop{4, tensor.message()};
    tensors.push_back(
        {slotName(slots->results[i], i, "result"), *std::move(tensor)});
  }
  if (!leads)
    return {};
  if (Fallible<void> written = writeTensorFile(*options.outputs, tensors);
      !written)
    return Stop{4, written.message()};
  return {};
}

std::optional<Stop> Session::compareResults() {
  size_t differing = 0;
  for (size_t i = 0; i < inputs.expected.size(); ++i) {
    Fallible<HostTensor> tensor = result(i);
    if (!tensor)
      return Stop{4, tensor.message()};
    if (!leads)
      continue;
    TensorDifference difference = compareTensors(*tensor, inputs.expected[i]);
    Tolerance tolerance = options.tolerance.of(tensor->type());
    bool isWithin = difference.within(tolerance);
    differing += !isWithin;
    std::printf("%s: %s%s\n", slotName(slots->results[i], i, "result").c_str(),
                isWithin ? "" : "differs: ",
                difference.describe(tolerance, tensor->shape()).c_str());
  }
  if (differing == 0)
    return {};
  return Stop{3, std::to_string(differing) + " of " +
                     std::to_string(slots->results.size()) +
                     " results differ from " + *options.expect};
}

/// What each rank of the job has recorded.
static std::vector<std::span<const TesseraEvent>>
eventsOf(const TesseraJob *job, int32_t ranks) {
  std::vector<std::span<const TesseraEvent>> events;
  for (int32_t rank = 0; rank < ranks; ++rank) {
    const TesseraEvent *first = nullptr;
    int64_t count = 0;
    tessera_job_events(job, rank, &first, &count);
    events.emplace_back(first, static_cast<size_t>(count));
  }
  return events;
}

/// Writes what `--profile` and `--trace` ask for, in the process that leads;
/// what cannot be written is exit status 4.
std::optional<Stop> Session::writeReports() {
  if (!leads || !(options.profile || options.trace))
    return {};
  int32_t ranks = tessera_program_ranks(program.get());
  bool onDevices = options.backend == "cuda" || options.backend == "emulated";
  Timeline timeline(eventsOf(job.get(), ranks), times, onDevices);
  WorkTable work(tessera_program_manifest(sequence->program()));
  if (options.profile) {
    // What a GPU can do is not for this machine to say, and how fast it is
    // emulated says nothing.
    std::optional<MachinePeak> peak;
    if (options.virtualKernels)
      peak = machine->device();
    else if (options.backend != "emulated")
      peak = work.machine();
    if (!peak && !onDevices && work.hasKernels())
      peak = measurePeak(ranks, options.threads);
    Profile profile(timeline, work, peak ? &*peak : nullptr);
    if (!options.profileFile)
      profile.print();
    else if (Fallible<void> written = profile.write(*options.profileFile);
             !written)
      return Stop{4, written.message()};
  }
  if (!options.trace)
    return {};
  int32_t pipelineRanks = std::max(1, work.pipelineRanks());
  if (Fallible<void> written =
          writeTrace(*options.trace, timeline, work, ranks / pipelineRanks);
      !written)
    return Stop{4, written.message()};
  return {};
}
