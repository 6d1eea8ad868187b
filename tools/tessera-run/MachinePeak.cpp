//===- MachinePeak.cpp ----------------------------------------------------===//
//
// Loops of multiply-adds on registers, and of copies within as many bytes as
// fit in each level of a usual memory, in the widest vectors that the processor
// has. All threads run the same loop at the same time, as they share what is
// behind their own caches.
//
//===----------------------------------------------------------------------===//

#include "MachinePeak.h"

#include <algorithm>
#include <barrier>
#include <ctime>
#include <functional>
#include <thread>

using namespace tessera;
using namespace tessera::run;

/// How long one loop is measured.
static constexpr double secondsEach = 0.008;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Enough independent multiply-adds to hide how long each takes, `times` times.
template <int bytes>
[[gnu::always_inline]] static inline float computeLoop(int64_t times) {
  typedef float Vector __attribute__((vector_size(bytes)));
  constexpr int chains = 12;
  Vector sums[chains], factor = Vector{} + 0.999f, summand = Vector{} + 0.001f;
  for (int i = 0; i < chains; ++i)
    sums[i] = Vector{} + static_cast<float>(i);
  for (int64_t time = 0; time < times; ++time)
    for (int i = 0; i < chains; ++i)
      sums[i] = sums[i] * factor + summand;
  float sum = 0;
  for (int i = 0; i < chains; ++i)
    sum += sums[i][0];
  return sum;
}
/// The operations of one time, for each byte of a vector.
static constexpr double operationsPerByte = 12 * 2 / 4.0;

template <int bytes>
[[gnu::always_inline]] static inline void
copyLoop(const std::byte *from, std::byte *to, int64_t size) {
  typedef int64_t Vector __attribute__((vector_size(bytes), may_alias));
  for (int64_t i = 0; i < size; i += bytes)
    *reinterpret_cast<Vector *>(to + i) =
        *reinterpret_cast<const Vector *>(from + i);
}

namespace {
/// The loops for vectors of some width.
struct Loops {
  double operationsEach; ///< Of one time of `compute`.
  float (*compute)(int64_t times);
  void (*copy)(const std::byte *from, std::byte *to, int64_t size);
};
} // namespace

#if defined(__x86_64__)
#define TESSERA_LOOPS(name, bytes, features)                                   \
  [[gnu::target(features)]] static float compute##name(int64_t times) {        \
    return computeLoop<bytes>(times);                                          \
  }                                                                            \
  [[gnu::target(features)]] static void copy##name(                            \
      const std::byte *from, std::byte *to, int64_t size) {                    \
    copyLoop<bytes>(from, to, size);                                           \
  }
TESSERA_LOOPS(Avx512, 64, "avx512f,fma")
TESSERA_LOOPS(Avx2, 32, "avx2,fma")
#undef TESSERA_LOOPS
#endif

static Loops chooseLoops() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return {64 * operationsPerByte, computeAvx512, copyAvx512};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {32 * operationsPerByte, computeAvx2, copyAvx2};
#endif
  return {16 * operationsPerByte, computeLoop<16>, copyLoop<16>};
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// Seconds for which the calling thread has had a core: other programs take
/// some.
static double coreSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

/// How often per second `body` runs on each of `threads` threads.
static double rateOf(int32_t threads,
                     const std::function<void(int32_t thread)> &body) {
  std::barrier<> begin(threads);
  std::vector<double> rates(threads);
  auto measure = [&](int32_t thread) {
    body(thread); // Brings memory and clock up.
    begin.arrive_and_wait();
    double first = coreSeconds(), passed = 0;
    int64_t times = 0;
    do {
      body(thread);
      ++times;
      passed = coreSeconds() - first;
    } while (passed < secondsEach);
    rates[thread] = static_cast<double>(times) / passed;
  };
  std::vector<std::thread> others;
  for (int32_t thread = 1; thread < threads; ++thread)
    others.emplace_back(measure, thread);
  measure(0);
  for (std::thread &other : others)
    other.join();
  double sum = 0;
  for (double rate : rates)
    sum += rate;
  return sum / threads;
}

double MachinePeak::seconds(double work, double bytes) const {
  auto level = std::ranges::find_if(
      levels, [&](const Level &candidate) { return bytes <= candidate.size; });
  if (level == levels.end())
    --level;
  return std::max(work / operations, bytes / level->bandwidth);
}

MachinePeak run::measurePeak(int32_t ranks, int32_t threads) {
  int32_t cores = std::max(1u, std::thread::hardware_concurrency());
  if (threads == 0)
    threads = std::max(1, cores / ranks);
  auto running =
      static_cast<int32_t>(std::min<int64_t>(int64_t(ranks) * threads, cores));
  Loops loops = chooseLoops();
  constexpr int64_t times = 10'000;
  [[maybe_unused]] static thread_local volatile float result;
  MachinePeak peak;
  peak.isMeasured = true;
  peak.operations =
      threads * loops.operationsEach * times *
      rateOf(running, [&](int32_t) { result = loops.compute(times); });
  constexpr int64_t kibi = 1024, largest = 32 * kibi * kibi;
  std::vector<std::vector<std::byte>> memory(running);
  for (std::vector<std::byte> &bytes : memory)
    bytes.resize(largest + 64);
  for (int64_t size : {24 * kibi, 384 * kibi, 4 * kibi * kibi, largest}) {
    // Half of it is read and half of it written, several times in a small one.
    int64_t half = size / 2, rounds = std::max<int64_t>(1, (1 << 20) / size);
    double rate = rateOf(running, [&](int32_t thread) {
      std::byte *first = memory[thread].data();
      first += -reinterpret_cast<uintptr_t>(first) % 64;
      for (int64_t round = 0; round < rounds; ++round)
        loops.copy(first, first + half, half);
    });
    peak.levels.push_back(
        {static_cast<double>(size) * threads,
         rate * static_cast<double>(rounds * size) * threads});
  }
  return peak;
}
