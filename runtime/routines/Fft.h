//===- Fft.h - Discrete Fourier transforms of any length ------------------===//
//
// Lengths are taken apart into small factors, and each pass of Stockham's
// algorithm combines one of them: it sorts as it goes, so that no digits are
// reversed. A length with a large prime factor becomes a convolution whose
// length is a power of two (L. Bluestein, 1970), so that every length takes
// O(n log n). `kLanes` lines are transformed at a time, an element of each next
// to the others: loops over lanes are vectors, whatever the length. Real and
// imaginary parts stand in arrays of their own.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_RUNTIME_ROUTINES_FFT_H
#define TESSERA_RUNTIME_ROUTINES_FFT_H

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tessera::routines {

/// Lines that are transformed at a time.
inline constexpr int64_t kLanes = 8;

/// Elements of `kLanes` lines: part [k * kLanes + lane].
template <typename T> struct Lines {
  std::vector<T> re, im;
  explicit Lines(int64_t length) : re(length * kLanes), im(length * kLanes) {}
};

/// The forward transform of lines of one length; the sign in the exponent is
/// negative, and nothing is scaled. With both parts exchanged in operand and
/// result, it is the backward one.
template <typename T> class LineTransform {
public:
  explicit LineTransform(int64_t length) : length(length) {
    for (int64_t left = length; left > 1;) {
      int64_t factor = left % 4 == 0 ? 4 : smallestFactor(left);
      if (factor > kLargestFactor) {
        prepareConvolution();
        return;
      }
      factors.push_back(factor);
      left /= factor;
    }
    roots = makeRoots(length);
  }

  /// Transforms `lines` in place; `spare` has as much room.
  void run(Lines<T> &lines, Lines<T> &spare) const {
    if (convolution)
      return runConvolution(lines);
    int64_t left = length, stride = 1;
    for (int64_t factor : factors) {
      pass(factor, left / factor, stride, lines, spare);
      std::swap(lines, spare);
      left /= factor;
      stride *= factor;
    }
  }

private:
  /// Factors up to this one are summed directly.
  static constexpr int64_t kLargestFactor = 13;
  struct Root {
    T re, im;
  };

  static int64_t smallestFactor(int64_t value) {
    for (int64_t factor = 2; factor * factor <= value; ++factor)
      if (value % factor == 0)
        return factor;
    return value;
  }

  /// exp(-2 pi i k / n), k < n; from the eighth of the circle that it lies in,
  /// so that roots on the axes are exact.
  static Root rootOf(int64_t k, int64_t n) {
    double angle = 0;
    int64_t eighths = 8 * k;
    auto turn = [&](int64_t rest) {
      return 2 * M_PI * double(rest) / double(n) / 8;
    };
    if (eighths <= n) {
      angle = turn(eighths);
      return {T(std::cos(angle)), T(-std::sin(angle))};
    }
    if (eighths <= 3 * n) {
      angle = turn(eighths - 2 * n);
      return {T(-std::sin(angle)), T(-std::cos(angle))};
    }
    if (eighths <= 5 * n) {
      angle = turn(eighths - 4 * n);
      return {T(-std::cos(angle)), T(std::sin(angle))};
    }
    if (eighths <= 7 * n) {
      angle = turn(eighths - 6 * n);
      return {T(std::sin(angle)), T(std::cos(angle))};
    }
    angle = turn(eighths - 8 * n);
    return {T(std::cos(angle)), T(-std::sin(angle))};
  }

  static std::vector<Root> makeRoots(int64_t n) {
    std::vector<Root> roots(n);
    for (int64_t k = 0; k < n; ++k)
      roots[k] = rootOf(k, n);
    return roots;
  }

  /// Combines `factor` parts, `count` elements apart in what is left of every
  /// line, of which there are `stride`.
  void pass(int64_t factor, int64_t count, int64_t stride, const Lines<T> &from,
            Lines<T> &to) const {
    int64_t width = stride * kLanes, step = length / (count * factor);
    for (int64_t p = 0; p < count; ++p) {
      const T *re = from.re.data() + p * width,
              *im = from.im.data() + p * width;
      T *toRe = to.re.data() + p * factor * width,
        *toIm = to.im.data() + p * factor * width;
      int64_t apart = count * width;
      if (factor == 2)
        combineTwo(re, im, apart, toRe, toIm, width, roots[p * step]);
      else if (factor == 4)
        combineFour(re, im, apart, toRe, toIm, width, p * step);
      else
        combine(factor, re, im, apart, toRe, toIm, width, p * step);
    }
  }

  static void combineTwo(const T *__restrict re, const T *__restrict im,
                         int64_t apart, T *__restrict toRe, T *__restrict toIm,
                         int64_t width, Root root) {
    for (int64_t i = 0; i < width; ++i) {
      T aRe = re[i], aIm = im[i], bRe = re[apart + i], bIm = im[apart + i];
      toRe[i] = aRe + bRe;
      toIm[i] = aIm + bIm;
      T dRe = aRe - bRe, dIm = aIm - bIm;
      toRe[width + i] = dRe * root.re - dIm * root.im;
      toIm[width + i] = dRe * root.im + dIm * root.re;
    }
  }

  void combineFour(const T *__restrict re, const T *__restrict im,
                   int64_t apart, T *__restrict toRe, T *__restrict toIm,
                   int64_t width, int64_t root) const {
    Root w1 = roots[root], w2 = roots[2 * root], w3 = roots[3 * root];
    auto put = [&](int64_t part, int64_t i, T x, T y, Root w) {
      toRe[part * width + i] = x * w.re - y * w.im;
      toIm[part * width + i] = x * w.im + y * w.re;
    };
    for (int64_t i = 0; i < width; ++i) {
      T sRe = re[i] + re[2 * apart + i], sIm = im[i] + im[2 * apart + i],
        dRe = re[i] - re[2 * apart + i], dIm = im[i] - im[2 * apart + i],
        tRe = re[apart + i] + re[3 * apart + i],
        tIm = im[apart + i] + im[3 * apart + i],
        eRe = re[apart + i] - re[3 * apart + i],
        eIm = im[apart + i] - im[3 * apart + i];
      toRe[i] = sRe + tRe;
      toIm[i] = sIm + tIm;
      put(1, i, dRe + eIm, dIm - eRe, w1);
      put(2, i, sRe - tRe, sIm - tIm, w2);
      put(3, i, dRe - eIm, dIm + eRe, w3);
    }
  }

  /// Any factor, by sums of as many products.
  void combine(int64_t factor, const T *__restrict re, const T *__restrict im,
               int64_t apart, T *__restrict toRe, T *__restrict toIm,
               int64_t width, int64_t root) const {
    int64_t turn = length / factor;
    for (int64_t b = 0; b < factor; ++b) {
      T *outRe = toRe + b * width, *outIm = toIm + b * width;
      for (int64_t i = 0; i < width; ++i) {
        outRe[i] = re[i];
        outIm[i] = im[i];
      }
      for (int64_t a = 1; a < factor; ++a) {
        Root w = roots[a * b % factor * turn];
        const T *inRe = re + a * apart, *inIm = im + a * apart;
        for (int64_t i = 0; i < width; ++i) {
          outRe[i] += inRe[i] * w.re - inIm[i] * w.im;
          outIm[i] += inRe[i] * w.im + inIm[i] * w.re;
        }
      }
      Root w = roots[root * b];
      for (int64_t i = 0; i < width; ++i) {
        T x = outRe[i], y = outIm[i];
        outRe[i] = x * w.re - y * w.im;
        outIm[i] = x * w.im + y * w.re;
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Convolution
  //===--------------------------------------------------------------------===//

  /// k j = (k^2 + j^2 - (k - j)^2) / 2: the transform is a convolution with a
  /// chirp, exp(pi i k^2 / n), between two products with it.
  void prepareConvolution() {
    factors.clear();
    int64_t padded = 1;
    while (padded < 2 * length - 1)
      padded *= 2;
    convolution = std::make_unique<LineTransform>(padded);
    for (int64_t k = 0, square = 0; k < length; ++k) {
      chirp.push_back(rootOf(square, 2 * length));
      square = (square + 2 * k + 1) % (2 * length);
    }
    Lines<T> kernel(padded), spare(padded);
    for (int64_t k = 0; k < length; ++k)
      for (int64_t at : {k, (padded - k) % padded})
        for (int64_t lane = 0; lane < kLanes; ++lane) {
          kernel.re[at * kLanes + lane] = chirp[k].re;
          kernel.im[at * kLanes + lane] = -chirp[k].im;
        }
    convolution->run(kernel, spare);
    for (int64_t k = 0; k < padded; ++k)
      spectrum.push_back({kernel.re[k * kLanes] / T(padded),
                          kernel.im[k * kLanes] / T(padded)});
  }

  static void multiply(T &re, T &im, Root root) {
    T x = re * root.re - im * root.im;
    im = re * root.im + im * root.re;
    re = x;
  }

  void runConvolution(Lines<T> &lines) const {
    int64_t padded = convolution->length;
    Lines<T> work(padded), spare(padded);
    for (int64_t i = 0; i < length * kLanes; ++i) {
      work.re[i] = lines.re[i];
      work.im[i] = lines.im[i];
      multiply(work.re[i], work.im[i], chirp[i / kLanes]);
    }
    convolution->run(work, spare);
    for (int64_t i = 0; i < padded * kLanes; ++i)
      multiply(work.re[i], work.im[i], spectrum[i / kLanes]);
    std::swap(work.re, work.im);
    convolution->run(work, spare);
    std::swap(work.re, work.im);
    for (int64_t i = 0; i < length * kLanes; ++i) {
      lines.re[i] = work.re[i];
      lines.im[i] = work.im[i];
      multiply(lines.re[i], lines.im[i], chirp[i / kLanes]);
    }
  }

  int64_t length;
  std::vector<int64_t> factors;
  std::vector<Root> roots;
  /// Where a factor is too large: the transform of the convolution, the chirp
  /// and its spectrum.
  std::unique_ptr<LineTransform> convolution;
  std::vector<Root> chirp, spectrum;
};

} // namespace tessera::routines

#endif // TESSERA_RUNTIME_ROUTINES_FFT_H
