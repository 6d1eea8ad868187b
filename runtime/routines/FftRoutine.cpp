//===- FftRoutine.cpp - Transforms of arrays ------------------------------===//
//
// Real and imaginary parts are arrays of their own, as everywhere in a program.
//
//===----------------------------------------------------------------------===//

#include "Fft.h"
#include "Frame.h"

#include <algorithm>

using namespace tessera::routines;

namespace {

/// Both parts of an array.
template <typename T> struct Parts { T *re, *im; };

/// Lines along one dimension: `length` elements, `inner` apart, of which there
/// are `outer` times `inner`. Several dimensions are transformed in place.
template <typename T> class Dimension {
public:
  Dimension(int64_t outer, int64_t length, int64_t inner)
      : outer(outer), length(length), inner(inner) {}

  /// Gives `visit` the indices of the first elements of up to `kLanes` lines,
  /// each an offset into an array with lines of `stored` elements.
  template <typename Visit> void forEachBlock(Visit visit) const {
    for (int64_t line = 0; line < outer * inner; line += kLanes)
      visit(line, std::min(kLanes, outer * inner - line));
  }
  /// The index of element `k` of line `line`, lines having `stored` elements.
  int64_t indexOf(int64_t line, int64_t k, int64_t stored) const {
    return (line / inner * stored + k) * inner + line % inner;
  }

  /// Transforms all lines of `data`, backward if both parts are exchanged.
  void transform(Parts<T> data, T scale) const {
    LineTransform<T> transform(length);
    Lines<T> lines(length), spare(length);
    forEachBlock([&](int64_t line, int64_t count) {
      load(data, line, count, length, lines);
      transform.run(lines, spare);
      store(lines, line, count, length, scale, data);
    });
  }

  /// Transforms lines of real numbers; only the first half is stored.
  void transformReal(const T *from, Parts<T> to) const {
    LineTransform<T> transform(length);
    Lines<T> lines(length), spare(length);
    forEachBlock([&](int64_t line, int64_t count) {
      std::fill(lines.im.begin(), lines.im.end(), T(0));
      for (int64_t lane = 0; lane < count; ++lane)
        for (int64_t k = 0; k < length; ++k)
          lines.re[k * kLanes + lane] = from[indexOf(line + lane, k, length)];
      transform.run(lines, spare);
      store(lines, line, count, length / 2 + 1, T(1), to);
    });
  }

  /// The reverse: what the first half of each line does not have is the
  /// conjugate of what it has.
  void transformToReal(Parts<T> from, T *to, T scale) const {
    LineTransform<T> transform(length);
    Lines<T> lines(length), spare(length);
    int64_t half = length / 2 + 1;
    forEachBlock([&](int64_t line, int64_t count) {
      load(from, line, count, half, lines);
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        lines.im[lane] = 0;
        if (length % 2 == 0)
          lines.im[length / 2 * kLanes + lane] = 0;
        for (int64_t k = half; k < length; ++k) {
          lines.re[k * kLanes + lane] = lines.re[(length - k) * kLanes + lane];
          lines.im[k * kLanes + lane] = -lines.im[(length - k) * kLanes + lane];
        }
      }
      std::swap(lines.re, lines.im);
      transform.run(lines, spare);
      for (int64_t lane = 0; lane < count; ++lane)
        for (int64_t k = 0; k < length; ++k)
          to[indexOf(line + lane, k, length)] =
              lines.im[k * kLanes + lane] * scale;
    });
  }

private:
  void load(Parts<T> from, int64_t line, int64_t count, int64_t stored,
            Lines<T> &lines) const {
    for (int64_t lane = 0; lane < count; ++lane)
      for (int64_t k = 0; k < stored; ++k) {
        int64_t at = indexOf(line + lane, k, stored);
        lines.re[k * kLanes + lane] = from.re[at];
        lines.im[k * kLanes + lane] = from.im[at];
      }
  }
  void store(const Lines<T> &lines, int64_t line, int64_t count, int64_t stored,
             T scale, Parts<T> to) const {
    for (int64_t lane = 0; lane < count; ++lane)
      for (int64_t k = 0; k < stored; ++k) {
        int64_t at = indexOf(line + lane, k, stored);
        to.re[at] = lines.re[k * kLanes + lane] * scale;
        to.im[at] = lines.im[k * kLanes + lane] * scale;
      }
  }

  int64_t outer, length, inner;
};

/// The transform of all of an array.
template <typename T> class Transform {
public:
  explicit Transform(const Frame &frame)
      : frame(frame), kind(frame.text("kind")), lengths(frame.list("length")) {
    if (lengths.empty() || frame.operand<T>(0).rank() < int64_t(lengths.size()))
      throw std::runtime_error("expected lengths of some of the dimensions");
    batch = frame.operand<T>(0).batch(int64_t(lengths.size()));
  }

  void run() const {
    auto to = frame.result<T>(0);
    if (to.elements(to.rank()) == 0)
      return;
    if (kind == "FFT" || kind == "IFFT")
      return transformComplex();
    if (kind == "RFFT")
      return transformReal();
    if (kind == "IRFFT")
      return transformToReal();
    throw std::runtime_error("expected a kind of transform, got '" +
                             std::string(kind) + "'");
  }

private:
  /// The lines along dimension `dim` of those transformed, the last one of
  /// which has `stored` elements.
  Dimension<T> dimension(size_t dim, int64_t stored) const {
    int64_t outer = batch, inner = 1;
    for (size_t i = 0; i < dim; ++i)
      outer *= lengths[i];
    for (size_t i = dim + 1; i < lengths.size(); ++i)
      inner *= i + 1 == lengths.size() ? stored : lengths[i];
    return {outer, lengths[dim], inner};
  }
  T scale(int64_t length) const { return T(1) / T(length); }

  void transformComplex() const {
    auto re = frame.operand<T>(0), im = frame.operand<T>(1);
    Parts<T> to = {frame.result<T>(0).data, frame.result<T>(1).data};
    bool isBackward = kind == "IFFT";
    std::copy_n(re.data, re.elements(re.rank()), to.re);
    std::copy_n(im.data, im.elements(im.rank()), to.im);
    if (isBackward)
      std::swap(to.re, to.im);
    for (size_t dim = lengths.size(); dim-- > 0;)
      dimension(dim, lengths.back())
          .transform(to, isBackward ? scale(lengths[dim]) : T(1));
  }

  void transformReal() const {
    Parts<T> to = {frame.result<T>(0).data, frame.result<T>(1).data};
    int64_t stored = lengths.back() / 2 + 1;
    dimension(lengths.size() - 1, stored)
        .transformReal(frame.operand<T>(0).data, to);
    for (size_t dim = lengths.size() - 1; dim-- > 0;)
      dimension(dim, stored).transform(to, T(1));
  }

  void transformToReal() const {
    auto re = frame.operand<T>(0), im = frame.operand<T>(1);
    int64_t count = re.elements(re.rank());
    std::vector<T> workRe(re.data, re.data + count),
        workIm(im.data, im.data + count);
    Parts<T> work = {workRe.data(), workIm.data()};
    int64_t stored = lengths.back() / 2 + 1;
    std::swap(work.re, work.im);
    for (size_t dim = 0; dim + 1 < lengths.size(); ++dim)
      dimension(dim, stored).transform(work, scale(lengths[dim]));
    std::swap(work.re, work.im);
    dimension(lengths.size() - 1, stored)
        .transformToReal(work, frame.result<T>(0).data, scale(lengths.back()));
  }

  const Frame &frame;
  std::string_view kind;
  std::span<const int64_t> lengths;
  int64_t batch = 1;
};

} // namespace

TESSERA_ROUTINE(tessera_fft_f32) {
  return runRoutine(frame, [](const Frame &f) { Transform<float>(f).run(); });
}
TESSERA_ROUTINE(tessera_fft_f64) {
  return runRoutine(frame, [](const Frame &f) { Transform<double>(f).run(); });
}
