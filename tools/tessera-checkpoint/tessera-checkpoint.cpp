//===- tessera-checkpoint.cpp - Looks at checkpoints, and converts them ---===//

#include "Source.h"
#include "tessera/Support/File.h"
#include "tessera/Support/NearestName.h"
#include "tessera/Support/TensorComparison.h"
#include "tessera/Support/TensorFile.h"

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iterator>

#include <nlohmann/json.hpp>

using namespace tessera;
using namespace tessera::checkpoint;

static const char *const helpText =
    R"(usage: tessera-checkpoint COMMAND PATH...

What tessera-run --checkpoint=DIR has written. A checkpoint is a folder DIR/step-N;
where one is expected, DIR means the latest in it.

Looking
  list DIR                    the checkpoints in a folder
  list DIR/step-N             the tensors of a checkpoint
  verify DIR | DIR/step-N     read all of it and compare checksums; status 1 if
                              anything is damaged
  diff A B [--tolerance=RTOL[,ATOL]]
                              which tensors are other ones; A and B are
                              checkpoints or tensor files; status 3 if any is
  example: tessera-checkpoint verify run

Converting
  to-safetensors DIR/step-N FILE.safetensors
                              one file of all tensors, whole, by their names
  from-safetensors FILE.safetensors DIR [--step=N]
                              a checkpoint DIR/step-N (0) of the tensors of a file
  example: tessera-checkpoint to-safetensors run weights.safetensors

  --help, --version

Exit status: 0 done; 1 the command line or a file is wrong; 3 tensors differ; 4 a
file cannot be written.
)";

namespace {
/// Why a command ends early.
struct Stop {
  int status;
  std::string message;
};
using Outcome = std::optional<Stop>;

/// The command line behind the name of the command.
struct Request {
  std::vector<std::string> paths;
  int64_t step = 0;
  Tolerance tolerance{0, 0};
};
} // namespace

static int64_t bytesOf(const Index &index) {
  int64_t bytes = 0;
  for (const Tensor &tensor : index.tensors)
    bytes += *elementCountOf(tensor.shape) *
             static_cast<int64_t>(elementSize(tensor.type));
  return bytes;
}

static Outcome listTensors(const std::string &path) {
  Fallible<Source> source = Source::open(path);
  if (!source)
    return Stop{1, source.message()};
  for (const Tensor &tensor : source->tensors())
    std::printf("%s %s in %zu pieces\n", tensor.name.c_str(),
                tensor.describeType().c_str(), tensor.pieces.size());
  return {};
}

static Outcome list(const Request &request) {
  const std::string &path = request.paths[0];
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::path(path) / indexName, error))
    return listTensors(path);
  std::vector<Store::Entry> entries = Store(path).list();
  if (entries.empty())
    return Stop{1, path + ": no checkpoint there"};
  for (const Store::Entry &entry : entries) {
    Fallible<Index> index = readIndex(entry.path);
    if (index)
      std::printf("%s: step %lld, %zu tensors, %lld bytes, written by %s\n",
                  entry.path.c_str(), static_cast<long long>(index->step),
                  index->tensors.size(),
                  static_cast<long long>(bytesOf(*index)), index->mesh.c_str());
    else
      std::printf("%s: unusable: %s\n", entry.path.c_str(),
                  index.message().c_str());
  }
  return {};
}

/// Reads all of a checkpoint; nothing, or what is wrong with it.
static std::optional<std::string> damageOf(const std::string &path) {
  Fallible<Reader> reader = Reader::open(path);
  if (!reader)
    return reader.message();
  for (const Tensor &tensor : reader->index().tensors) {
    Fallible<void> read = reader->read(
        tensor, [](const TensorBox &) { return true; },
        [](const TensorBox &, const std::byte *) -> Fallible<void> {
          return {};
        });
    if (!read)
      return read.message();
  }
  return {};
}

static Outcome verify(const Request &request) {
  const std::string &path = request.paths[0];
  std::vector<Store::Entry> entries = Store(path).list();
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::path(path) / indexName, error))
    entries = {{0, path}};
  if (entries.empty())
    return Stop{1, path + ": no checkpoint there"};
  std::string first;
  for (const Store::Entry &entry : entries) {
    std::optional<std::string> damage = damageOf(entry.path);
    std::printf("%s: %s\n", entry.path.c_str(), damage ? "damaged" : "sound");
    if (damage && first.empty())
      first = *damage;
  }
  return first.empty() ? Outcome() : Stop{1, first};
}

/// Compares tensors of one name; true if they differ, which it prints.
static Fallible<bool> differs(const Source &a, size_t inA, const Source &b,
                              size_t inB, const Tolerance &tolerance) {
  const Tensor &left = a.tensors()[inA], &right = b.tensors()[inB];
  if (left.describeType() != right.describeType()) {
    std::printf("%s: %s and %s\n", left.name.c_str(),
                left.describeType().c_str(), right.describeType().c_str());
    return true;
  }
  Fallible<HostTensor> x = a.read(inA), y = b.read(inB);
  if (!x)
    return x.failure();
  if (!y)
    return y.failure();
  if (std::equal(x->data(), x->data() + x->byteSize(), y->data()))
    return false;
  TensorDifference difference = compareTensors(*x, *y);
  if (difference.within(tolerance))
    return false;
  std::printf("%s: %s\n", left.name.c_str(),
              difference.describe(tolerance, x->shape()).c_str());
  return true;
}

/// Prints the tensors that only one of the two has, or that differ.
static Outcome diff(const Request &request) {
  Fallible<Source> a = Source::open(request.paths[0]);
  Fallible<Source> b = Source::open(request.paths[1]);
  for (const Fallible<Source> *source : {&a, &b})
    if (!*source)
      return Stop{1, source->message()};
  size_t count = 0;
  for (size_t i = 0; i < b->tensors().size(); ++i)
    if (const Tensor &tensor = b->tensors()[i];
        std::ranges::find(a->tensors(), tensor.name, &Tensor::name) ==
        a->tensors().end()) {
      std::printf("%s: only in %s\n", tensor.name.c_str(), b->path().c_str());
      ++count;
    }
  for (size_t i = 0; i < a->tensors().size(); ++i) {
    const Tensor &tensor = a->tensors()[i];
    auto found = std::ranges::find(b->tensors(), tensor.name, &Tensor::name);
    if (found == b->tensors().end()) {
      std::printf("%s: only in %s\n", tensor.name.c_str(), a->path().c_str());
      ++count;
      continue;
    }
    Fallible<bool> different =
        differs(*a, i, *b, found - b->tensors().begin(), request.tolerance);
    if (!different)
      return Stop{1, different.message()};
    count += *different;
  }
  if (count == 0)
    return {};
  return Stop{3, std::to_string(count) + " tensors differ"};
}

/// Writes the file tensor by tensor, so that only one is in memory.
static Outcome toSafetensors(const Request &request) {
  Fallible<Source> source = Source::open(request.paths[0]);
  if (!source)
    return Stop{1, source.message()};
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  uint64_t offset = 0;
  for (const Tensor &tensor : source->tensors()) {
    uint64_t end =
        offset + *elementCountOf(tensor.shape) * elementSize(tensor.type);
    header[tensor.name] = {
        {"dtype", safetensorsType(tensor.type, tensor.shortType)},
        {"shape", tensor.shape},
        {"data_offsets", {offset, end}}};
    offset = end;
  }
  Fallible<OutputFile> file = OutputFile::create(request.paths[1]);
  if (!file)
    return Stop{1, file.message()};
  file->write(safetensorsStart(header.dump(
      -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)));
  for (size_t i = 0; i < source->tensors().size(); ++i) {
    Fallible<HostTensor> whole = source->read(i);
    if (!whole)
      return Stop{1, whole.message()};
    file->write(whole->data(), whole->byteSize());
  }
  if (Fallible<void> written = file->commit(); !written)
    return Stop{4, written.message()};
  return {};
}

/// Writes each tensor as one piece; all are in memory at once.
static Outcome fromSafetensors(const Request &request) {
  Fallible<Source> source = Source::open(request.paths[0]);
  if (!source)
    return Stop{1, source.message()};
  Store store(request.paths[1]);
  if (Fallible<void> ready = store.prepare(); !ready)
    return Stop{1, ready.message()};
  Snapshot snapshot;
  snapshot.index.step = snapshot.index.position = request.step;
  snapshot.index.mesh = "tessera-checkpoint";
  for (size_t i = 0; i < source->tensors().size(); ++i) {
    Tensor tensor = source->tensors()[i];
    tensor.pieces.clear();
    tensor.cuts.clear();
    TensorBox whole = TensorBox::whole(tensor.shape);
    if (!whole.isEmpty())
      snapshot.items.push_back({i, 0, whole, 0});
    snapshot.index.tensors.push_back(std::move(tensor));
  }
  if (!snapshot.allocate())
    return Stop{4, "not enough memory"};
  for (const Snapshot::Item &item : snapshot.items) {
    Fallible<HostTensor> whole = source->read(item.tensor);
    if (!whole)
      return Stop{1, whole.message()};
    std::copy_n(whole->data(), whole->byteSize(),
                snapshot.buffer.get() + item.offset);
  }
  Writer writer(store, std::move(snapshot), /*run=*/0, /*leads=*/true,
                /*keep=*/0);
  writer.start();
  if (Fallible<void> written = writer.wait(); !written)
    return Stop{4, written.message()};
  return {};
}

namespace {
struct Command {
  const char *name;
  size_t paths;
  Outcome (*run)(const Request &);
};
} // namespace

static constexpr Command commands[] = {
    {"list", 1, list},
    {"verify", 1, verify},
    {"diff", 2, diff},
    {"to-safetensors", 2, toSafetensors},
    {"from-safetensors", 2, fromSafetensors},
};

/// Reads what stands behind the command's name, and runs it.
static Outcome dispatch(const std::vector<std::string> &arguments) {
  std::vector<std::string> names;
  for (const Command &command : commands)
    names.emplace_back(command.name);
  if (arguments.empty())
    return Stop{1, "expected a command; see --help"};
  const Command *command = std::ranges::find_if(
      commands, [&](const Command &c) { return arguments[0] == c.name; });
  if (command == std::end(commands))
    return Stop{1, "unknown command '" + arguments[0] + "'" +
                       didYouMean(arguments[0], names) + "; see --help"};
  Request request;
  for (const std::string &argument : std::span(arguments).subspan(1)) {
    if (argument.starts_with("--tolerance=") && arguments[0] == "diff") {
      Fallible<Tolerance> tolerance = parseTolerance(argument.substr(12));
      if (!tolerance)
        return Stop{1, tolerance.message()};
      request.tolerance = *tolerance;
    } else if (argument.starts_with("--step=") &&
               arguments[0] == "from-safetensors") {
      const char *last = argument.data() + argument.size();
      auto [end, error] =
          std::from_chars(argument.data() + 7, last, request.step);
      if (error != std::errc() || end != last || request.step < 0 ||
          request.step > mostSteps)
        return Stop{1, "--step: expected a whole number of at least 0 and at "
                       "most " +
                           std::to_string(mostSteps) + ", got '" +
                           argument.substr(7) + "'"};
    } else if (argument.starts_with("--")) {
      return Stop{1, "unknown option '" + argument + "'; see --help"};
    } else {
      request.paths.push_back(argument);
    }
  }
  if (request.paths.size() != command->paths)
    return Stop{1, arguments[0] + ": expected " +
                       std::to_string(command->paths) + " paths, got " +
                       std::to_string(request.paths.size())};
  return command->run(request);
}

static int fail(const Stop &stop) {
  std::fflush(stdout);
  std::fprintf(stderr, "tessera-checkpoint: error: %s\n", stop.message.c_str());
  return stop.status;
}

int main(int count, char **arguments) {
  watchStandardOutput("tessera-checkpoint");
  std::vector<std::string> given(arguments + 1, arguments + count);
  if (!given.empty() && (given[0] == "--help" || given[0] == "-h"))
    std::fputs(helpText, stdout);
  else if (!given.empty() && given[0] == "--version")
    std::printf("tessera-checkpoint %s\n", TESSERA_VERSION);
  else if (Outcome stop = dispatch(given))
    return fail(*stop);
  if (Fallible<void> flushed = flushStandardOutput(); !flushed)
    return fail({1, flushed.message()});
  return 0;
}
