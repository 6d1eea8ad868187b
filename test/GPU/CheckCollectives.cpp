//===- CheckCollectives.cpp - A back end's communication, compared --------===//
//
// tessera-check-collectives [--backend=cuda] [--ranks=N] [--megabytes=M]
//
// Has a back end do all that programs can ask it for between ranks, and
// compares every value. On `cuda` a launcher starts a process for each rank.
// NCCL gets the collectives of a single rank, too: what can be tried of it with
// one GPU is tried (loading it, identifiers, communicators, each function,
// element type and reduction, sends to itself, recording in graphs, polling for
// errors, the ends of communicators). Status 0: all is right, 1: it was asked
// for nonsense or cannot begin, 4: something is wrong.
//
//===----------------------------------------------------------------------===//

#include "CheckedRanks.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <dlfcn.h>

using namespace tessera;
using namespace tessera::check;

namespace {
struct Options {
  std::string backend = "cuda";
  int32_t ranks = 1;
  /// The operand of the collective whose speed is measured.
  int32_t megabytes = 256;
};

/// What has been done, for the user: `284 calls, 2 steps`.
using Outcome = Fallible<std::string>;
} // namespace

//===----------------------------------------------------------------------===//
// The checks
//===----------------------------------------------------------------------===//

namespace {
/// Where a call's operand and result are on a rank.
struct Buffers {
  void *in, *out;
};
} // namespace

/// Gives the calls of a rank their operands, and results that no call gives;
/// makes the buffers the first time.
static Fallible<void> prepare(CheckedRanks &ranks, int32_t rank,
                              const std::vector<Call> &calls,
                              std::vector<Buffers> &buffers) {
  for (size_t i = 0; i < calls.size(); ++i) {
    HostTensor in = calls[i].operand(rank, ranks.count());
    HostTensor out = calls[i].result(rank, ranks.count());
    std::fill_n(out.data(), out.byteSize(), std::byte(0xa5));
    if (i == buffers.size()) {
      Fallible<void *> to = ranks.place(rank, out);
      Fallible<void *> at =
          calls[i].isInPlace || !to ? to : ranks.place(rank, in);
      if (!at)
        return at.failure();
      buffers.push_back({*at, *to});
    }
    // Where both are the same, the operand counts.
    if (Fallible<void> done = ranks.upload(rank, out, buffers[i].out); !done)
      return done;
    if (Fallible<void> done = ranks.upload(rank, in, buffers[i].in); !done)
      return done;
  }
  return {};
}

/// Makes the calls of a rank, every third one started and awaited two calls
/// later.
static int32_t makeCalls(CheckedRanks &ranks, int32_t rank,
                         const std::vector<Call> &calls,
                         const std::vector<Buffers> &buffers) {
  int32_t status = 0, count = static_cast<int32_t>(calls.size());
  for (int32_t i = 0; i < count + 2 && !status; ++i) {
    if (i < count)
      status = ranks.start(rank, calls[i], buffers[i].in, buffers[i].out,
                           i % 3 == 0 ? i : -1);
    if (!status && i >= 2 && (i - 2) % 3 == 0)
      status = ranks.wait(rank, i - 2);
  }
  return status;
}

/// Makes the calls in each of the steps and compares after each.
static Outcome checkCalls(CheckedRanks &ranks, const std::vector<Call> &calls,
                          int32_t steps) {
  std::vector<std::vector<Buffers>> buffers(ranks.count());
  for (int32_t step = 1; step <= steps; ++step) {
    for (int32_t rank : ranks.local())
      if (auto done = prepare(ranks, rank, calls, buffers[rank]); !done)
        return done.failure();
    auto body = [&](int32_t rank) {
      return makeCalls(ranks, rank, calls, buffers[rank]);
    };
    if (Fallible<void> done = ranks.run(body); !done)
      return done.failure();
    for (int32_t rank : ranks.local())
      for (size_t i = 0; i < calls.size(); ++i)
        if (auto same = ranks.compare(rank, buffers[rank][i].out,
                                      calls[i].result(rank, ranks.count()));
            !same)
          return Failure{calls[i].describe() + ", step " +
                         std::to_string(step) + ": " + same.message()};
  }
  return std::to_string(calls.size()) + " calls, " + std::to_string(steps) +
         " steps";
}

static Outcome checkEveryCall(CheckedRanks &ranks, const Options &) {
  return checkCalls(ranks, allCalls(ranks.count(), /*recordable=*/false), 2);
}

/// The second step is recorded, the others launch what it recorded.
static Outcome checkGraphs(CheckedRanks &ranks, const Options &) {
  return checkCalls(ranks, allCalls(ranks.count(), /*recordable=*/true), 4);
}

/// Three messages around the ranks, received in another order than sent.
static Outcome checkMessages(CheckedRanks &ranks, const Options &) {
  if (ranks.count() == 1)
    return std::string("none with one rank");
  constexpr int32_t messages = 3, steps = 4;
  Call like = {TESSERA_ALL_REDUCE, ElementType::F32, 1000};
  auto content = [&](int32_t rank, int32_t message) {
    return like.operand(rank * messages + message, ranks.count());
  };
  std::vector<std::vector<void *>> sent(ranks.count()), got(ranks.count());
  for (int32_t rank : ranks.local())
    for (int32_t i = 0; i < messages; ++i)
      for (auto *list : {&sent, &got}) {
        Fallible<void *> memory = ranks.place(rank, content(rank, i));
        if (!memory)
          return memory.failure();
        (*list)[rank].push_back(*memory);
      }
  auto body = [&](int32_t rank) {
    int32_t status = 0;
    for (int32_t i = 0; i < messages && !status; ++i)
      status = ranks.send(rank, i, content(rank, i), sent[rank][i]);
    for (int32_t i = messages; i-- > 0 && !status;)
      status = ranks.receive(rank, i, content(rank, i), got[rank][i]);
    return status;
  };
  for (int32_t step = 0; step < steps; ++step)
    if (Fallible<void> done = ranks.run(body); !done)
      return done.failure();
  for (int32_t rank : ranks.local())
    for (int32_t i = 0; i < messages; ++i) {
      int32_t source = (rank + ranks.count() - 1) % ranks.count();
      if (Fallible<void> same =
              ranks.compare(rank, got[rank][i], content(source, i));
          !same)
        return Failure{"message " + std::to_string(i) + ": " + same.message()};
    }
  return std::to_string(messages) + " messages from each rank, " +
         std::to_string(steps) + " steps";
}

/// Sums of large operands, one behind the other, for so long that the host
/// polls for errors while it waits; and how fast they are.
static Outcome checkSpeed(CheckedRanks &ranks, const Options &options) {
  constexpr int32_t steps = 4;
  const int32_t times = options.megabytes < 64 ? 10 : 100;
  Call call = {TESSERA_ALL_REDUCE, ElementType::F32,
               int64_t(options.megabytes) << 18};
  std::vector<void *> in(ranks.count()), out(ranks.count());
  for (int32_t rank : ranks.local())
    for (auto *memory : {&in, &out}) {
      Fallible<void *> made =
          ranks.place(rank, call.operand(rank, ranks.count()));
      if (!made)
        return made.failure();
      (*memory)[rank] = *made;
    }
  double best = 1e30;
  for (int32_t step = 0; step < steps; ++step) {
    auto begin = std::chrono::steady_clock::now();
    Fallible<void> done = ranks.run([&](int32_t rank) {
      int32_t status = 0;
      for (int32_t i = 0; i < times && !status; ++i)
        status = ranks.start(rank, call, in[rank], out[rank], -1);
      return status;
    });
    if (!done)
      return done.failure();
    std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - begin;
    best = std::min(best, seconds.count() / times);
  }
  for (int32_t rank : ranks.local())
    if (Fallible<void> same =
            ranks.compare(rank, out[rank], call.result(rank, ranks.count()));
        !same)
      return Failure{call.describe() + ": " + same.message()};
  char text[96];
  std::snprintf(text, sizeof text, "all_reduce of %d MiB in %.3f ms, %.1f GB/s",
                options.megabytes, 1e3 * best,
                double(options.megabytes) * (1 << 20) / best / 1e9);
  return std::string(text);
}

/// A job that fails in the midst of its steps says why, and ends: graphs and
/// communicators too, by the destructor of the ranks.
static Outcome checkFailure(CheckedRanks &ranks, const Options &) {
  static const char *const reason = "this failure is part of the check";
  Call call = {TESSERA_ALL_REDUCE, ElementType::F32, 1000};
  std::vector<void *> memory(ranks.count());
  for (int32_t rank : ranks.local()) {
    Fallible<void *> made =
        ranks.place(rank, call.operand(rank, ranks.count()));
    if (!made)
      return made.failure();
    memory[rank] = *made;
  }
  bool leads = ranks.local().front() == 0;
  for (int32_t step = 1;; ++step) {
    if (step == 4 && leads)
      ranks.fail(reason);
    Fallible<void> done = ranks.run([&](int32_t rank) {
      return ranks.start(rank, call, memory[rank], memory[rank], -1);
    });
    // The others may hear of it a little sooner or later.
    if (done && step < 1'000'000)
      continue;
    if (done || done.message() != reason || (leads && step != 4))
      return Failure{"expected '" + std::string(reason) + "' in step 4, got " +
                     (done ? "nothing" : "'" + done.message() + "' in step ") +
                     std::to_string(step)};
    return std::string("after three steps");
  }
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static Fallible<Options> readOptions(int count, char **arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    std::string_view text = arguments[i];
    auto valueOf = [&](std::string_view name) -> const char * {
      return text.starts_with(name) ? arguments[i] + name.size() : nullptr;
    };
    int32_t *number = nullptr;
    const char *value = nullptr;
    if ((value = valueOf("--backend=")))
      options.backend = value;
    else if ((value = valueOf("--ranks=")))
      number = &options.ranks;
    else if ((value = valueOf("--megabytes=")))
      number = &options.megabytes;
    else
      return Failure{"expected --backend=NAME, --ranks=N or --megabytes=M, "
                     "got '" +
                     std::string(text) + "'"};
    if (number && (*number = std::atoi(value)) <= 0)
      return Failure{"expected a number above 0, got '" + std::string(text) +
                     "'"};
  }
  return options;
}

/// The back end's library, in `lib` beside the program's folder.
static Fallible<const TesseraBackend *> loadBackend(const std::string &name) {
  std::filesystem::path self = std::filesystem::canonical("/proc/self/exe");
  std::filesystem::path file = self.parent_path().parent_path() / "lib" /
                               ("libtessera_backend_" + name + ".so");
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Failure{dlerror()};
  auto entry =
      reinterpret_cast<TesseraBackendEntry>(dlsym(library, "tessera_backend"));
  if (!entry || entry()->version != TESSERA_BACKEND_VERSION)
    return Failure{file.string() + " is not a back end of version " +
                   std::to_string(TESSERA_BACKEND_VERSION)};
  if (!entry()->devices)
    return Failure{"the ranks of back end '" + name + "' have no devices"};
  return entry();
}

/// `NCCL 2.28.9`, if it has been loaded.
static std::string ncclVersion() {
  void *library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_NOLOAD);
  auto *ask =
      library
          ? reinterpret_cast<int (*)(int *)>(dlsym(library, "ncclGetVersion"))
          : nullptr;
  int version = 0;
  if (!ask || ask(&version))
    return "no NCCL";
  return "NCCL " + std::to_string(version / 10000) + "." +
         std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

static int end(const std::string &error) {
  std::fprintf(stderr, "tessera-check-collectives: error: %s\n", error.c_str());
  return TESSERA_INVALID;
}

int main(int count, char **arguments) {
  Fallible<Options> options = readOptions(count, arguments);
  if (!options)
    return end(options.message());
  setenv("TESSERA_NCCL_ALONE", "1", /*overwrite=*/0);
  Fallible<const TesseraBackend *> backend = loadBackend(options->backend);
  if (!backend)
    return end(backend.message());
  static constexpr struct {
    const char *name;
    Outcome (*check)(CheckedRanks &, const Options &);
  } checks[] = {{"every collective", checkEveryCall},
                {"collectives in graphs", checkGraphs},
                {"messages", checkMessages},
                {"large collectives", checkSpeed},
                {"failure", checkFailure}};
  bool leads = true; // Of the processes, the one that speaks.
  for (const auto &[name, check] : checks) {
    auto ranks = CheckedRanks::open(**backend, options->ranks);
    if (!ranks)
      return end(ranks.message());
    leads = (*ranks)->local().front() == 0;
    Outcome outcome = check(**ranks, *options);
    if (!outcome) {
      std::printf("FAIL %s: %s\n", name, outcome.message().c_str());
      return TESSERA_FAILED;
    }
    ranks->reset();
    if (leads)
      std::printf("pass %s: %s\n", name, outcome->c_str());
    std::fflush(stdout);
  }
  if (leads)
    std::printf("%s, %d %s\n", ncclVersion().c_str(), options->ranks,
                options->ranks == 1 ? "rank" : "ranks");
  return TESSERA_OK;
}
