//===- Checkpointing.cpp --------------------------------------------------===//

#include "Checkpointing.h"

#include "tessera/Support/Checksum.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <random>
#include <ranges>
#include <set>

using namespace tessera;
using namespace tessera::run;
using namespace tessera::checkpoint;

/// Whether SIGTERM has come.
static volatile std::sig_atomic_t isTerminated = 0;

static void noteTermination(int) { isTerminated = 1; }

static Stop failedCall() { return {TESSERA_FAILED, tessera_error_message()}; }

/// One line for people, beside the output.
void Checkpointing::say(const std::string &text) const {
  if (!leads)
    return;
  std::fflush(stdout);
  std::fprintf(stderr, "tessera-run: %s\n", text.c_str());
}

bool Checkpointing::holds(size_t argument) const {
  return std::ranges::count(arguments, static_cast<int32_t>(argument)) > 0;
}

//===----------------------------------------------------------------------===//
// Before the first step
//===----------------------------------------------------------------------===//

Fallible<std::unique_ptr<Checkpointing>>
Checkpointing::plan(const Options &options, const EntrySequence &sequence) {
  std::unique_ptr<Checkpointing> made(new Checkpointing(options));
  if (sequence.isSeveral())
    return Failure{"--checkpoint keeps the state of one entry point, got " +
                   std::to_string(sequence.all().size())};
  const std::vector<TensorSlot> &slots = sequence.last().slots.arguments;
  std::set<std::string> names;
  for (size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i].donatedResult)
      continue;
    Tensor tensor{slotName(slots[i], i, "arg"),
                  slots[i].type,
                  slots[i].shape,
                  slots[i].shortType.value_or(""),
                  {},
                  {}};
    tensor.isInitiallyZero = slots[i].isInitiallyZero;
    if (!names.insert(tensor.name).second)
      return Failure{"--checkpoint: two arguments are called '" + tensor.name +
                     "'"};
    made->arguments.push_back(static_cast<int32_t>(i));
    made->tensors.push_back(std::move(tensor));
  }
  if (made->tensors.empty())
    return Failure{"--checkpoint: no argument is donated to a result, so steps "
                   "change no state"};
  made->mesh = tessera_program_mesh(sequence.program());
  char text[16];
  std::snprintf(text, sizeof text, "%08x",
                crc32(tessera_program_manifest(sequence.program())));
  made->program = text;
  if (options.resume)
    made->found = made->store.list();
  // As a damaged one will be passed over.
  for (const Store::Entry &entry : std::views::reverse(made->found))
    if (Fallible<Index> index = readIndex(entry.path); index) {
      made->knownSeed = index->seed;
      break;
    }
  // From here on, also while inputs and a large state are read, SIGTERM is no
  // failure of the job.
  std::signal(SIGTERM, noteTermination);
  return made;
}

/// All processes go on, or stop. Where another one alone cannot, it says why to
/// the one that leads.
std::optional<Stop> Checkpointing::agree(std::optional<Stop> stop) {
  if (stop && !leads)
    tessera_job_fail(job, stop->message.c_str());
  int32_t status = stop ? stop->status : 0;
  if (tessera_job_greatest(job, &status))
    return stop ? stop : failedCall();
  if (leads || stop)
    return stop;
  return status ? std::optional(Stop{status, ""}) : std::nullopt;
}

/// All processes look at one folder, and go on from one checkpoint.
std::optional<Stop> Checkpointing::agreeOnLatest() {
  int32_t own = found.empty() ? -1 : int32_t(found.back().step & 0x7fffffff);
  int32_t latest = own;
  if (tessera_job_agree(job, &latest))
    return failedCall();
  if (own == latest)
    return agree({});
  auto describe = [](int32_t step) {
    return step < 0 ? "none" : "that of step " + std::to_string(step);
  };
  return agree(Stop{1, store.path() +
                           ": expected one folder for all processes; the "
                           "latest checkpoint is " +
                           describe(latest) + " for rank 0, " + describe(own) +
                           " for another process"});
}

std::optional<Stop> Checkpointing::begin(TesseraJob *ofJob) {
  job = ofJob;
  leads = tessera_job_leads(job);
  std::optional<Stop> stop;
  if (leads)
    if (Fallible<void> ready = store.prepare(); !ready)
      stop = Stop{1, ready.message()};
  if ((stop = agree(stop)))
    return stop;
  if (auto others = store.list(); leads && !options.resume && !others.empty())
    say("warning: " + others.back().path +
        " is of another run, and --resume goes on from the latest");
  // A number for this run, so that nobody takes files of an earlier one for
  // those of this one.
  int32_t run = static_cast<int32_t>(std::random_device()() & 0x7fffffff);
  if (tessera_job_agree(job, &run))
    return failedCall();
  state.emplace(job, arguments, tensors);
  if ((stop = agreeOnLatest()))
    return stop;
  if ((stop = restore(*state)))
    return stop;
  Fallible<Snapshot> snapshot = state->plan();
  if (!snapshot)
    return Stop{1, snapshot.message()};
  snapshot->index.mesh = mesh;
  snapshot->index.program = program;
  snapshot->index.seed = options.randomSeed;
  writer = std::make_unique<Writer>(store, *std::move(snapshot), run, leads,
                                    options.keep);
  return stopBeforeSteps();
}

/// Whoever was told to end before the first step, and has a checkpoint, has
/// nothing to write.
std::optional<Stop> Checkpointing::stopBeforeSteps() {
  int32_t isStopped = isTerminated && resumes();
  if (tessera_job_agree(job, &isStopped))
    return failedCall();
  if (!isStopped)
    return {};
  return Stop{stoppedStatus,
              "stopped by SIGTERM, with a checkpoint in " + found.back().path};
}

/// Gives the job the state of the latest checkpoint that is sound.
std::optional<Stop> Checkpointing::restore(JobState &jobState) {
  if (options.resume && found.empty())
    say("no checkpoint in " + store.path() +
        ", this run is from the beginning");
  std::string why;
  for (; !found.empty(); found.pop_back()) {
    if (!why.empty())
      say("warning: " + why + "; going back to " + found.back().path);
    Fallible<Reader> reader = Reader::open(found.back().path);
    std::optional<Stop> stop;
    if (reader) {
      if (Fallible<void> fits = jobState.check(reader->index()); !fits)
        return Stop{1, reader->path() + ": " + fits.message()};
      Fallible<void> read = jobState.restore(*reader);
      if (!read)
        stop = Stop{TESSERA_FAILED, read.message()};
    } else {
      stop = Stop{TESSERA_FAILED, reader.message()};
    }
    // Each process reads what its ranks need: any may find damage.
    int32_t isDamaged = stop.has_value();
    if (tessera_job_greatest(job, &isDamaged))
      return failedCall();
    why = stop ? stop->message
               : found.back().path +
                     ": the process of another rank cannot read its part";
    if (isDamaged)
      continue;
    done = reader->index().step;
    used = reader->index().position;
    say("resumed from " + reader->path());
    return {};
  }
  if (why.empty())
    return {};
  return Stop{1, why + "; there is no other checkpoint in " + store.path()};
}

//===----------------------------------------------------------------------===//
// Between steps
//===----------------------------------------------------------------------===//

/// Waits for the checkpoint that is being written.
std::optional<Stop> Checkpointing::finish() {
  if (Fallible<void> written = writer->wait(); !written)
    return Stop{TESSERA_FAILED, "checkpoint of step " +
                                    std::to_string(writer->lastStep()) + ": " +
                                    written.message()};
  return {};
}

/// The same in all processes: first in those that write parts, so that the one
/// that puts them together does not wait for one that cannot come.
std::optional<Stop> Checkpointing::finishAll() {
  if (auto stop = agree(leads ? std::nullopt : finish()))
    return stop;
  return agree(leads ? finish() : std::nullopt);
}

/// Copies the state, and begins to write it.
std::optional<Stop> Checkpointing::write(int64_t step, int64_t position) {
  int64_t begin = tessera_clock();
  if (auto stop = finishAll())
    return stop;
  Snapshot &next = writer->next();
  next.index.step = step;
  next.index.position = position;
  std::optional<Stop> stop;
  if (Fallible<void> taken = state->capture(next); !taken)
    stop = Stop{TESSERA_FAILED, taken.message()};
  if ((stop = agree(stop)))
    return stop;
  writer->start();
  stalled += 1e-9 * static_cast<double>(tessera_clock() - begin);
  ++copies;
  return {};
}

std::string Checkpointing::summary() const {
  if (copies == 0)
    return "";
  char text[128];
  std::snprintf(text, sizeof text,
                "%lld checkpoints while steps went on, which waited %.3f ms "
                "for each",
                static_cast<long long>(copies),
                1e3 * stalled / static_cast<double>(copies));
  return text;
}

namespace {
/// What happens behind a step.
enum Action : int32_t { Nothing, Skip, Write, WriteAndWait, WriteAndStop };
} // namespace

std::optional<Stop> Checkpointing::endStep(int64_t step, int64_t position,
                                           bool isLast) {
  bool isDue = options.every > 0 && step % options.every == 0;
  int32_t action = isLast             ? WriteAndWait
                   : isTerminated     ? WriteAndStop
                   : !isDue           ? Nothing
                   : writer->isBusy() ? Skip
                                      : Write;
  if (tessera_job_agree(job, &action))
    return failedCall();
  if (action == Skip)
    say("the checkpoint of step " + std::to_string(step) +
        " is skipped: that of step " + std::to_string(writer->lastStep()) +
        " is still being written");
  // Where it is skipped, only some may still be writing.
  if (action == Nothing || action == Skip)
    return writer->isBusy() ? std::nullopt : finish();
  if (action == Write)
    return write(step, position);
  // The last one is no stall: nothing waits for it but the end.
  double before = stalled;
  if (auto stop = write(step, position))
    return stop;
  stalled = before;
  --copies;
  if (auto stop = finishAll())
    return stop;
  if (action == WriteAndStop)
    return Stop{stoppedStatus, "stopped by SIGTERM, with a checkpoint in " +
                                   store.pathOf(step)};
  return {};
}
