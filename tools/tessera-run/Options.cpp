//===- Options.cpp --------------------------------------------------------===//

#include "Options.h"

#include "tessera/Support/NearestName.h"
#include "tessera/Support/Quantities.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <vector>

using namespace tessera;
using namespace tessera::run;

const char *const run::helpText = R"(usage: tessera-run FILE.tsx [options]

Runs a compiled model on all the ranks of its mesh, and of every stage's. Tensors
in files are global ones, named as in the model or by position (arg0, result0).

How to run
  --backend=NAME        what ranks are: local (threads; the default), sockets
                        (processes, on this machine unless torchrun, srun,
                        mpirun or Kubernetes has started them on several); for
                        programs compiled for GPUs cuda (processes, one GPU
                        each, started by torchrun, srun or mpirun) or emulated
                        (threads that do what a GPU would do)
  --ranks=N             fail unless the model runs on N ranks
  --threads=N           threads that compute for each rank; by default the cores
                        are divided
  --timeout=TIME        how long a rank waits for others (60s); without a unit
                        in seconds; a negative number: for ever
  example: tessera-run model.tsx --random --ranks=8 --threads=2
           tessera-run model.tsx --random --backend=sockets

  --entry=NAME[:N],...  of a program with several entry points run these, in this
                        order, each once or N times, in one job: arguments of
                        one name are one tensor, which stays with the ranks.
                        --steps repeats all of it; scalar results are printed
                        after each run, --outputs and --expect are about the
                        results of the last
  example: tessera-run generate.tsx --entry=prefill,decode:31 \
             --inputs=prompt.safetensors --outputs=tokens.safetensors

Inputs
  --inputs=FILE         .safetensors, .npy or a folder of .npy with a tensor for
                        each argument; results of an earlier run (--outputs)
                        become the arguments that are donated to them
  --init=FILE.tsx       runs this program first, once; its results become the
                        arguments of the same names, as those of a file would.
                        Arguments of its own come from --inputs, and so do those
                        that it does not make
  --random[=SEED]       random arguments instead, where nothing else gives any
  example: tessera-run model.tsx --inputs=weights.safetensors
           tessera-run step.tsx --init=init.tsx --batches=batches.safetensors

Training
  --steps=N             run N times; a result whose argument is donated feeds the
                        next step; scalar results are printed after each
  --batches=FILE        tensors with one more leading dimension, of which each
                        step gets the next slice (from the first again after the
                        last); these arguments need no other input
  example: tessera-run step.tsx --inputs=init.safetensors \
             --steps=30 --batches=batches.safetensors

Checkpoints
  --checkpoint=DIR      keep the state (the arguments that results are donated to)
                        in DIR, as DIR/step-N: in the end, and when SIGTERM comes,
                        at the end of the step that runs; the status is then 75
  --every=N             also after every N steps, written while the next ones run
  --keep=K              keep the latest K only
  --resume              go on from the latest complete one, whatever mesh, stages
                        or target it was written with; from the beginning if there
                        is none. --steps counts from the beginning
  example: tessera-run step.tsx --inputs=init.safetensors --batches=b.safetensors \
             --steps=1000 --checkpoint=run --every=100 --keep=3 --resume

Results
  --outputs=FILE        write all results: .safetensors, or a folder of .npy
  --expect=FILE         compare all results with these; status 3 if any differs
  --tolerance=RTOL[,ATOL]
                        what is no difference: errors up to RTOL times the
                        largest magnitude of that result, plus ATOL (1e-5,0);
                        unless RTOL is 0, it is at least the distance from 1 to
                        the next number of the result's type
  example: tessera-run model.tsx --inputs=in.safetensors \
             --expect=out.safetensors --tolerance=1e-4

Looking inside
  --guards              check at every kernel, collective and copy that it reads
                        what was written, whole and unchanged, and writes
                        nothing but its results; status 4 if not (local; slow)
  --profile[=FILE.json] where the time of all ranks went, as parts of 100%;
                        then kernels with their rate, next to what this machine
                        can do; communication with what of it is exposed and
                        what kernels hide; for which rank the others waited, and
                        what it did meanwhile. To the file: all of it, as JSON
  --trace=FILE.json     what each rank did when, for ui.perfetto.dev: tracks for
                        its program, kernels and communication, arrows between
                        ranks, and the memory in use
  example: tessera-run model.tsx --random --steps=3 --profile --trace=trace.json

Measuring on a described machine (local)
  --links=FILE          messages take the time that they take on the machine that
                        FILE describes, as for the compiler's --cluster; kernels
                        are computed here
  --virtual-kernels[=FILE]
                        kernels take the time that is predicted for a device of
                        that machine (or of the one in FILE) instead of being
                        computed. Ranks have clocks of their own: times do not
                        depend on this machine, values mean nothing, and neither
                        inputs nor memory are needed
  --random-delays=SEED  every message comes later, by 0 to 10 times the time that
                        it takes (without --links, of 10us and 1GB/s), and is
                        moved at once or as late as may be: values must not
                        depend on SEED
  example: tessera-run model.tsx --links=machine.yaml --virtual-kernels --profile

  --help, --version

Exit status: 0 done; 1 the command line, the model or a file is wrong; 3 results
differ; 4 a rank or the system failed; 75 stopped by SIGTERM with a complete
checkpoint.
)";

/// A whole number in [low, high] that `text` consists of.
template <typename T>
static Fallible<T> parseNumber(const std::string &flag, const std::string &text,
                               T low, T high) {
  T value = 0;
  const char *last = text.data() + text.size();
  auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || value < low || value > high)
    return Failure{flag + ": expected a whole number of at least " +
                   std::to_string(low) + ", got '" + text + "'"};
  return value;
}

/// `prefill,decode:31`
static Fallible<std::vector<EntryRuns>> parseEntries(const std::string &text) {
  std::vector<EntryRuns> entries;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    std::string item = text.substr(begin, end - begin);
    size_t colon = std::min(item.find(':'), item.size());
    EntryRuns runs{item.substr(0, colon), 1};
    if (runs.name.empty())
      return Failure{"--entry: expected NAME or NAME:N, got '" + item + "'"};
    if (colon < item.size()) {
      Fallible<int64_t> times =
          parseNumber("--entry=" + runs.name, item.substr(colon + 1),
                      int64_t(1), int64_t(1) << 40);
      if (!times)
        return times.failure();
      runs.times = *times;
    }
    entries.push_back(std::move(runs));
    begin = end + 1;
  }
  return entries;
}

/// A time other than 0; negative for ever.
static Fallible<double> parseTimeout(const std::string &flag,
                                     const std::string &text) {
  Fallible<double> seconds = parseTime(text);
  if (!seconds)
    return Failure{flag + ": " + seconds.message()};
  if (*seconds == 0)
    return Failure{flag + ": expected a time other than 0, got '" + text + "'"};
  return seconds;
}

namespace {
enum class Value { None, Optional, Required };

/// A flag and what its value does to the options.
struct Flag {
  const char *name;
  Value value;
  std::function<Fallible<void>(const std::string &value)> apply;
};
} // namespace

/// Stores a parsed value, or hands on why there is none.
template <typename Field, typename T>
static Fallible<void> assign(Field &field, Fallible<T> value) {
  if (!value)
    return value.failure();
  field = *std::move(value);
  return {};
}

/// All flags with where their values go; `options` must outlive them.
static std::vector<Flag> flagsFor(Options &options) {
  auto text = [](auto &field) {
    return [&field](const std::string &value) -> Fallible<void> {
      field = value;
      return {};
    };
  };
  auto set = [](bool &field) {
    return [&field](const std::string &) -> Fallible<void> {
      field = true;
      return {};
    };
  };
  auto number = [](const char *flag, auto &field, auto low, auto high) {
    return [=, &field](const std::string &value) {
      return assign(field, parseNumber(flag, value, low, high));
    };
  };
  constexpr int32_t many = std::numeric_limits<int32_t>::max();
  return {
      {"--backend", Value::Required, text(options.backend)},
      {"--ranks", Value::Required,
       number("--ranks", options.ranks, int32_t(1), many)},
      {"--threads", Value::Required,
       number("--threads", options.threads, int32_t(1), int32_t(4096))},
      {"--timeout", Value::Required,
       [&](const std::string &value) {
         return assign(options.timeout, parseTimeout("--timeout", value));
       }},
      {"--entry", Value::Required,
       [&](const std::string &value) {
         return assign(options.entries, parseEntries(value));
       }},
      {"--inputs", Value::Required, text(options.inputs)},
      {"--init", Value::Required, text(options.init)},
      {"--random", Value::Optional,
       [&](const std::string &value) -> Fallible<void> {
         if (value.empty()) {
           options.randomSeed = 0;
           return {};
         }
         return assign(options.randomSeed,
                       parseNumber("--random", value, uint64_t(0),
                                   std::numeric_limits<uint64_t>::max()));
       }},
      {"--batches", Value::Required, text(options.batches)},
      {"--steps", Value::Required,
       number("--steps", options.steps, int64_t(1),
              std::numeric_limits<int64_t>::max())},
      {"--checkpoint", Value::Required, text(options.checkpoint)},
      {"--every", Value::Required,
       number("--every", options.every, int64_t(1), int64_t(1) << 40)},
      {"--keep", Value::Required,
       number("--keep", options.keep, int64_t(1), int64_t(1) << 40)},
      {"--resume", Value::None, set(options.resume)},
      {"--outputs", Value::Required, text(options.outputs)},
      {"--expect", Value::Required, text(options.expect)},
      {"--tolerance", Value::Required,
       [&](const std::string &value) {
         return assign(options.tolerance, parseTolerance(value));
       }},
      {"--trace", Value::Required, text(options.trace)},
      {"--guards", Value::None, set(options.guards)},
      {"--links", Value::Required, text(options.links)},
      {"--random-delays", Value::Required,
       number("--random-delays", options.delaySeed, uint64_t(0),
              std::numeric_limits<uint64_t>::max())},
      {"--virtual-kernels", Value::Optional,
       [&](const std::string &value) -> Fallible<void> {
         options.virtualKernels = true;
         if (!value.empty())
           options.device = value;
         return {};
       }},
      {"--profile", Value::Optional,
       [&](const std::string &value) -> Fallible<void> {
         options.profile = true;
         if (!value.empty())
           options.profileFile = value;
         return {};
       }},
      {"--help", Value::None, set(options.help)},
      {"--version", Value::None, set(options.version)},
  };
}

static std::vector<std::string> namesOf(const std::vector<Flag> &flags) {
  std::vector<std::string> names;
  for (const Flag &flag : flags)
    names.push_back(flag.name);
  return names;
}

/// Combinations that make no sense.
static Fallible<void> checkTogether(const Options &options, bool hasTolerance) {
  if (options.help || options.version)
    return {};
  if (options.model.empty())
    return Failure{"expected a compiled model (FILE.tsx); see --help"};
  if (options.inputs && options.randomSeed)
    return Failure{"--inputs and --random exclude each other"};
  if (options.virtualKernels)
    for (auto [flag, isGiven] :
         {std::pair("--inputs", options.inputs.has_value()),
          std::pair("--init", options.init.has_value()),
          std::pair("--batches", options.batches.has_value()),
          std::pair("--checkpoint", options.checkpoint.has_value()),
          std::pair("--outputs", options.outputs.has_value()),
          std::pair("--expect", options.expect.has_value())})
      if (isGiven)
        return Failure{std::string(flag) +
                       " needs values, and --virtual-kernels computes none"};
  if (hasTolerance && !options.expect)
    return Failure{"--tolerance needs --expect"};
  for (auto [flag, isGiven] : {std::pair("--every", options.every > 0),
                               std::pair("--keep", options.keep > 0),
                               std::pair("--resume", options.resume)})
    if (isGiven && !options.checkpoint)
      return Failure{std::string(flag) + " needs --checkpoint"};
  return {};
}

Fallible<Options> run::parseOptions(int count, const char *const *arguments) {
  Options options;
  std::vector<Flag> flags = flagsFor(options);
  bool hasTolerance = false;
  for (int i = 0; i < count; ++i) {
    std::string argument = arguments[i];
    if (!argument.starts_with("-") || argument == "-") {
      if (!options.model.empty())
        return Failure{"expected one model, got '" + options.model + "' and '" +
                       argument + "'"};
      options.model = argument;
      continue;
    }
    if (argument == "-h")
      argument = "--help";
    size_t equals = argument.find('=');
    bool hasValue = equals != std::string::npos;
    std::string name = argument.substr(0, equals), value;
    const Flag *flag = nullptr;
    for (const Flag &candidate : flags)
      if (name == candidate.name)
        flag = &candidate;
    if (!flag)
      return Failure{"unknown option '" + name + "'" +
                     didYouMean(name, namesOf(flags)) + "; see --help"};
    if (hasValue)
      value = argument.substr(equals + 1);
    if (hasValue && flag->value == Value::None)
      return Failure{name + " takes no value, got '" + value + "'"};
    if (!hasValue && flag->value == Value::Required) {
      if (i + 1 == count)
        return Failure{name + " needs a value"};
      value = arguments[++i];
    }
    if (value.empty() && (hasValue || flag->value == Value::Required))
      return Failure{name + " needs a value"};
    hasTolerance |= name == "--tolerance";
    if (Fallible<void> applied = flag->apply(value); !applied)
      return applied.failure();
  }
  if (Fallible<void> fit = checkTogether(options, hasTolerance); !fit)
    return fit.failure();
  return options;
}
