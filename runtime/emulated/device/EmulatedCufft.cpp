//===- EmulatedCufft.cpp --------------------------------------------------===//
//
// Written from the library's manual, and not from LibraryTransforms.cpp, so
// that the one proves the other: element k of a transform of n elements is
//
//   sum over j of x(j) * exp(direction * 2 pi i j k / n)
//
// along each dimension, and nothing is scaled. Of a transform of real numbers
// the last dimension has n / 2 + 1 pairs; the others follow, as x(n - k) is the
// conjugate of x(k).
//
//===----------------------------------------------------------------------===//

#include "device/EmulatedCufft.h"

#include "device/EmulatedDevice.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <mutex>

using namespace tessera;
using namespace tessera::emulated;
using namespace tessera::gpu;

// Values of cufftResult.
static constexpr FftResult invalidPlan = 1, invalidType = 3, invalidValue = 4,
                           invalidSize = 8;

namespace {

using Complex = std::complex<double>;

/// What a cufftHandle stands for.
struct Plan {
  int type = 0;
  std::vector<int64_t> lengths;
  int64_t batch = 0;
  CudaStream stream = nullptr;

  int64_t outer() const {
    int64_t product = batch;
    for (size_t i = 0; i + 1 < lengths.size(); ++i)
      product *= lengths[i];
    return product;
  }
  int64_t half() const { return lengths.back() / 2 + 1; }
};

/// All plans of the process, by number.
struct Plans {
  std::mutex mutex;
  std::map<FftPlan, Plan> known;
  FftPlan last = 0;
};

} // namespace

static Plans &plans() {
  static Plans all;
  return all;
}

/// A copy of the plan of that number; none if there is no such.
static std::optional<Plan> find(FftPlan number) {
  std::lock_guard lock(plans().mutex);
  auto found = plans().known.find(number);
  return found == plans().known.end() ? std::nullopt
                                      : std::optional(found->second);
}

static FftResult create(FftPlan *number) {
  std::lock_guard lock(plans().mutex);
  *number = ++plans().last;
  plans().known[*number];
  return fftOk;
}

static FftResult destroy(FftPlan number) {
  std::lock_guard lock(plans().mutex);
  return plans().known.erase(number) ? fftOk : invalidPlan;
}

static FftResult makePlan(FftPlan number, int rank, long long *lengths,
                          long long *inputSizes, long long, long long,
                          long long *outputSizes, long long, long long,
                          int type, long long batch, size_t *workBytes) {
  std::lock_guard lock(plans().mutex);
  auto found = plans().known.find(number);
  if (found == plans().known.end() || !found->second.lengths.empty())
    return invalidPlan;
  static constexpr int types[] = {fftComplexF32,       fftRealToComplexF32,
                                  fftComplexToRealF32, fftComplexF64,
                                  fftRealToComplexF64, fftComplexToRealF64};
  if (std::find(std::begin(types), std::end(types), type) == std::end(types))
    return invalidType;
  if (rank < 1 || rank > 3 || batch < 1 || !workBytes ||
      std::any_of(lengths, lengths + rank, [](auto n) { return n < 1; }))
    return invalidSize;
  // Other layouts than contiguous arrays are not emulated.
  if (inputSizes || outputSizes)
    return invalidValue;
  found->second.type = type;
  found->second.lengths.assign(lengths, lengths + rank);
  found->second.batch = batch;
  *workBytes = 0;
  return fftOk;
}

static FftResult setStream(FftPlan number, CudaStream stream) {
  std::lock_guard lock(plans().mutex);
  auto found = plans().known.find(number);
  if (found == plans().known.end())
    return invalidPlan;
  found->second.stream = stream;
  return fftOk;
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

/// exp(direction * 2 pi i k / n) for all k.
static std::vector<Complex> rootsOf(int64_t n, int direction) {
  std::vector<Complex> roots(n);
  for (int64_t k = 0; k < n; ++k)
    roots[k] = std::polar(1.0, direction * 2 * M_PI * double(k) / double(n));
  return roots;
}

/// Transforms `data` in place along lines of `n` elements, `inner` apart.
static void transformLines(std::vector<Complex> &data, int64_t n, int64_t inner,
                           int direction) {
  std::vector<Complex> roots = rootsOf(n, direction), line(n);
  for (int64_t first = 0; first < int64_t(data.size()); first += n * inner)
    for (int64_t i = 0; i < inner; ++i) {
      Complex *at = data.data() + first + i;
      for (int64_t j = 0; j < n; ++j)
        line[j] = at[j * inner];
      for (int64_t k = 0; k < n; ++k) {
        Complex sum = 0;
        for (int64_t j = 0; j < n; ++j)
          sum += line[j] * roots[j * k % n];
        at[k * inner] = sum;
      }
    }
}

/// Along all dimensions but the last, which has `last` elements.
static void transformOthers(const Plan &plan, std::vector<Complex> &data,
                            int64_t last, int direction) {
  int64_t inner = last;
  for (size_t dim = plan.lengths.size() - 1; dim-- > 0;) {
    transformLines(data, plan.lengths[dim], inner, direction);
    inner *= plan.lengths[dim];
  }
}

template <typename T>
static std::vector<Complex> readPairs(const void *from, int64_t count) {
  auto *pairs = static_cast<const std::complex<T> *>(from);
  return {pairs, pairs + count};
}

template <typename T>
static void writePairs(const std::vector<Complex> &data, void *to) {
  auto *pairs = static_cast<std::complex<T> *>(to);
  for (size_t i = 0; i < data.size(); ++i)
    pairs[i] = std::complex<T>(data[i]);
}

template <typename T>
static void computeComplex(const Plan &plan, const void *from, void *to,
                           int direction) {
  int64_t last = plan.lengths.back();
  auto data = readPairs<T>(from, plan.outer() * last);
  transformLines(data, last, 1, direction);
  transformOthers(plan, data, last, direction);
  writePairs<T>(data, to);
}

template <typename T>
static void computeFromReal(const Plan &plan, const T *from, void *to) {
  int64_t last = plan.lengths.back(), half = plan.half();
  std::vector<Complex> whole(from, from + plan.outer() * last), data;
  transformLines(whole, last, 1, fftForward);
  for (int64_t line = 0; line < plan.outer(); ++line)
    data.insert(data.end(), whole.begin() + line * last,
                whole.begin() + line * last + half);
  transformOthers(plan, data, half, fftForward);
  writePairs<T>(data, to);
}

template <typename T>
static void computeToReal(const Plan &plan, const void *from, T *to) {
  int64_t last = plan.lengths.back(), half = plan.half();
  auto data = readPairs<T>(from, plan.outer() * half);
  transformOthers(plan, data, half, fftBackward);
  std::vector<Complex> whole(plan.outer() * last);
  for (int64_t line = 0; line < plan.outer(); ++line)
    for (int64_t k = 0; k < last; ++k) {
      Complex value = k < half ? data[line * half + k]
                               : std::conj(data[line * half + last - k]);
      // Its own conjugate.
      bool isReal = k == 0 || 2 * k == last;
      whole[line * last + k] = isReal ? value.real() : value;
    }
  transformLines(whole, last, 1, fftBackward);
  for (size_t i = 0; i < whole.size(); ++i)
    to[i] = static_cast<T>(whole[i].real());
}

/// Queues `compute`, which reads and writes these ranges, on the plan's stream.
template <typename Compute>
static FftResult ask(const Plan &plan, std::vector<MemoryRange> ranges,
                     Compute compute) {
  Work work;
  work.accesses = std::move(ranges);
  for (const MemoryRange &range : work.accesses)
    if (currentDevice()->checkRange(range.begin, range.end - range.begin))
      return invalidValue;
  work.execute = [compute]() -> WorkResult {
    compute();
    return {};
  };
  enqueue(plan.stream, std::move(work));
  return fftOk;
}

/// The plan, if it is made for this type.
static std::optional<Plan> findOfType(FftPlan number, int type) {
  std::optional<Plan> plan = find(number);
  return plan && plan->type == type ? plan : std::nullopt;
}

template <typename T, int type>
static FftResult executeComplex(FftPlan number, void *from, void *to,
                                int direction) {
  std::optional<Plan> plan = findOfType(number, type);
  if (!plan || (direction != fftForward && direction != fftBackward))
    return plan ? invalidValue : invalidPlan;
  size_t bytes = plan->outer() * plan->lengths.back() * 2 * sizeof(T);
  return ask(*plan, {rangeOf(from, bytes, false), rangeOf(to, bytes, true)},
             [=] { computeComplex<T>(*plan, from, to, direction); });
}

template <typename T, int type>
static FftResult executeFromReal(FftPlan number, T *from, void *to) {
  std::optional<Plan> plan = findOfType(number, type);
  if (!plan)
    return invalidPlan;
  size_t real = plan->outer() * plan->lengths.back() * sizeof(T),
         pairs = plan->outer() * plan->half() * 2 * sizeof(T);
  return ask(*plan, {rangeOf(from, real, false), rangeOf(to, pairs, true)},
             [=] { computeFromReal<T>(*plan, from, to); });
}

template <typename T, int type>
static FftResult executeToReal(FftPlan number, void *from, T *to) {
  std::optional<Plan> plan = findOfType(number, type);
  if (!plan)
    return invalidPlan;
  size_t real = plan->outer() * plan->lengths.back() * sizeof(T),
         parts = plan->outer() * plan->half() * 2;
  // The library may use its operand as room for what it computes.
  return ask(*plan,
             {rangeOf(from, parts * sizeof(T), true), rangeOf(to, real, true)},
             [=] {
               computeToReal<T>(*plan, from, to);
               std::fill_n(static_cast<T *>(from), parts,
                           std::numeric_limits<T>::quiet_NaN());
             });
}

const Cufft &emulated::emulatedCufft() {
  static const Cufft table = {
      .create = create,
      .destroy = destroy,
      .makePlan = makePlan,
      .setStream = setStream,
      .complexF32 = executeComplex<float, fftComplexF32>,
      .complexF64 = executeComplex<double, fftComplexF64>,
      .realToComplexF32 = executeFromReal<float, fftRealToComplexF32>,
      .realToComplexF64 = executeFromReal<double, fftRealToComplexF64>,
      .complexToRealF32 = executeToReal<float, fftComplexToRealF32>,
      .complexToRealF64 = executeToReal<double, fftComplexToRealF64>,
  };
  return table;
}
