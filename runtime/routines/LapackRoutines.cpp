//===- LapackRoutines.cpp - What JAX calls of LAPACK ----------------------===//
//
// JAX's names, operands, results and parameters (jaxlib's lapack_kernels).
// Matrices lie by columns, one behind the other. A result that begins as an
// operand is copied from it, unless both are one place. Where LAPACK has
// failed, the result of 32-bit integers says so: JAX's programs fill such
// matrices with NaN themselves.
//
//===----------------------------------------------------------------------===//

#include "Frame.h"
#include "Lapack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace tessera::routines;

namespace {

/// Result `to`, which begins as operand `from`; its last two dimensions are
/// the matrix.
template <typename T>
Array<T> copied(const Frame &f, int64_t from, int64_t to) {
  Array<T> source = f.operand<T>(from), target = f.result<T>(to);
  if (source.data != target.data)
    std::copy_n(source.data, source.elements(source.rank()), target.data);
  return target;
}

/// A letter for LAPACK.
char letter(const Frame &f, std::string_view name) {
  return static_cast<char>(f.scalar<uint8_t>(name));
}

Integer checked(int64_t size) {
  if (size > std::numeric_limits<Integer>::max())
    throw std::runtime_error("a dimension or workspace of " +
                             std::to_string(size) +
                             " is more than LAPACK's integers hold");
  return static_cast<Integer>(size);
}

/// The work array that LAPACK asked for in its first element.
template <typename T> std::vector<T> workOf(T asked) {
  // In short precision the number may have been rounded down.
  double size = std::ceil(double(std::real(asked)) * (1 + 1e-6));
  return std::vector<T>(std::max<int64_t>(checked(int64_t(size)), 1));
}

/// Throws if LAPACK refuses an argument, unless that is `answer`, one of a
/// routine's results.
void expectAccepted(Integer info, Integer answer = 0) {
  if (info < 0 && info != answer)
    throw std::runtime_error("LAPACK refuses argument " +
                             std::to_string(-info));
}

/// A leading dimension is at least 1.
Integer leading(Integer rows) { return std::max<Integer>(rows, 1); }

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

template <auto function, typename T> void potrf(const Frame &f) {
  char uplo = letter(f, "uplo");
  Array<T> a = copied<T>(f, 0, 0);
  Array<Integer> info = f.result<Integer>(1);
  Integer n = checked(a.size()), lda = leading(n);
  for (int64_t i = 0; i < a.batch(2); ++i) {
    function(&uplo, &n, a.data + i * a.elements(2), &lda, info.data + i);
    expectAccepted(info.data[i]);
  }
}

template <auto function, typename T> void getrf(const Frame &f) {
  Array<T> a = copied<T>(f, 0, 0);
  Array<Integer> pivots = f.result<Integer>(1), info = f.result<Integer>(2);
  Integer m = checked(a.size(1)), n = checked(a.size()), lda = leading(m);
  for (int64_t i = 0; i < a.batch(2); ++i) {
    function(&m, &n, a.data + i * a.elements(2), &lda,
             pivots.data + i * std::min(m, n), info.data + i);
    expectAccepted(info.data[i]);
  }
}

/// Row i and the row of pivot i change places, one pivot after the other: what
/// `getrf` does to rows, done to other columns.
template <typename T> void laswp(const Frame &f) {
  Array<T> a = copied<T>(f, 0, 0);
  Array<Integer> pivots = f.operand<Integer>(1);
  int64_t m = a.size(1), n = a.size(), k = pivots.size();
  for (int64_t i = 0; i < a.batch(2); ++i) {
    const Integer *rows = pivots.data + i * k;
    for (int64_t row = 0; row < k; ++row)
      if (rows[row] < 1 || rows[row] > m)
        throw std::runtime_error("expected pivots from 1 to " +
                                 std::to_string(m) + ", got " +
                                 std::to_string(rows[row]));
    for (int64_t column = 0; column < n; ++column) {
      T *elements = a.data + (i * n + column) * m;
      for (int64_t row = 0; row < k; ++row)
        std::swap(elements[row], elements[rows[row] - 1]);
    }
  }
}

template <auto function, typename T> void geqrf(const Frame &f) {
  Array<T> a = copied<T>(f, 0, 0), tau = f.result<T>(1);
  Integer m = checked(a.size(1)), n = checked(a.size()), lda = leading(m);
  Integer info, query = -1;
  T asked;
  function(&m, &n, a.data, &lda, tau.data, &asked, &query, &info);
  expectAccepted(info);
  std::vector<T> work = workOf(asked);
  Integer size = checked(work.size());
  for (int64_t i = 0; i < a.batch(2); ++i) {
    function(&m, &n, a.data + i * a.elements(2), &lda,
             tau.data + i * tau.elements(1), work.data(), &size, &info);
    expectAccepted(info);
  }
}

template <auto function, typename T> void geqp3(const Frame &f) {
  Array<T> a = copied<T>(f, 0, 0), tau = f.result<T>(2);
  Array<Integer> pivots = copied<Integer>(f, 1, 1);
  Integer m = checked(a.size(1)), n = checked(a.size()), lda = leading(m);
  Integer info, query = -1;
  T asked;
  std::vector<Real<T>> reals(2 * std::max<int64_t>(n, 1));
  auto call = [&](int64_t i, T *work, Integer *size) {
    T *matrix = a.data + i * a.elements(2);
    Integer *pivot = pivots.data + i * n;
    T *scales = tau.data + i * tau.elements(1);
    if constexpr (isComplex<T>)
      function(&m, &n, matrix, &lda, pivot, scales, work, size, reals.data(),
               &info);
    else
      function(&m, &n, matrix, &lda, pivot, scales, work, size, &info);
    expectAccepted(info);
  };
  call(0, &asked, &query);
  std::vector<T> work = workOf(asked);
  Integer size = checked(work.size());
  for (int64_t i = 0; i < a.batch(2); ++i)
    call(i, work.data(), &size);
}

template <auto function, typename T> void orgqr(const Frame &f) {
  Array<T> a = copied<T>(f, 0, 0), tau = f.operand<T>(1);
  Integer m = checked(a.size(1)), n = checked(a.size()), lda = leading(m);
  Integer k = checked(tau.size()), info, query = -1;
  T asked;
  function(&m, &n, &k, a.data, &lda, tau.data, &asked, &query, &info);
  expectAccepted(info);
  std::vector<T> work = workOf(asked);
  Integer size = checked(work.size());
  for (int64_t i = 0; i < a.batch(2); ++i) {
    function(&m, &n, &k, a.data + i * a.elements(2), &lda, tau.data + i * k,
             work.data(), &size, &info);
    expectAccepted(info);
  }
}

//===----------------------------------------------------------------------===//
// Reduction to simpler forms
//===----------------------------------------------------------------------===//

template <auto function, typename T> void gehrd(const Frame &f) {
  Array<T> a = copied<T>(f, 0, 0), tau = f.result<T>(1);
  Array<Integer> info = f.result<Integer>(2);
  Integer n = checked(a.size()), lda = leading(n), query = -1, unused;
  auto low = f.scalar<Integer>("low"), high = f.scalar<Integer>("high");
  T asked;
  function(&n, &low, &high, a.data, &lda, tau.data, &asked, &query, &unused);
  expectAccepted(unused);
  std::vector<T> work = workOf(asked);
  Integer size = checked(work.size());
  for (int64_t i = 0; i < a.batch(2); ++i) {
    function(&n, &low, &high, a.data + i * a.elements(2), &lda,
             tau.data + i * tau.elements(1), work.data(), &size, info.data + i);
    expectAccepted(info.data[i]);
  }
}

template <auto function, typename T> void sytrd(const Frame &f) {
  char uplo = letter(f, "uplo");
  Array<T> a = copied<T>(f, 0, 0), tau = f.result<T>(3);
  Array<Real<T>> d = f.result<Real<T>>(1), e = f.result<Real<T>>(2);
  Array<Integer> info = f.result<Integer>(4);
  Integer n = checked(a.size()), lda = leading(n), query = -1, unused;
  T asked;
  function(&uplo, &n, a.data, &lda, d.data, e.data, tau.data, &asked, &query,
           &unused);
  expectAccepted(unused);
  std::vector<T> work = workOf(asked);
  Integer size = checked(work.size());
  for (int64_t i = 0; i < a.batch(2); ++i) {
    function(&uplo, &n, a.data + i * a.elements(2), &lda, d.data + i * n,
             e.data + i * e.elements(1), tau.data + i * tau.elements(1),
             work.data(), &size, info.data + i);
    expectAccepted(info.data[i]);
  }
}

//===----------------------------------------------------------------------===//
// Eigenvalues and singular values
//===----------------------------------------------------------------------===//

/// All eigenvalues of a Hermitian matrix, and its vectors if `mode` asks for
/// them.
template <auto function, typename T> void syevd(const Frame &f) {
  char mode = letter(f, "mode"), uplo = letter(f, "uplo");
  Array<T> a = copied<T>(f, 0, 0);
  Array<Real<T>> w = f.result<Real<T>>(1);
  Array<Integer> info = f.result<Integer>(2);
  Integer n = checked(a.size()), lda = leading(n), query = -1, integer, unused;
  T asked;
  Real<T> askedReals;
  std::vector<T> work;
  std::vector<Real<T>> reals;
  std::vector<Integer> integers;
  Integer sizes[3];
  auto call = [&](int64_t i, Integer *status) {
    T *matrix = a.data + i * a.elements(2);
    if constexpr (isComplex<T>)
      function(&mode, &uplo, &n, matrix, &lda, w.data + i * n, work.data(),
               &sizes[0], reals.data(), &sizes[1], integers.data(), &sizes[2],
               status);
    else
      function(&mode, &uplo, &n, matrix, &lda, w.data + i * n, work.data(),
               &sizes[0], integers.data(), &sizes[2], status);
    expectAccepted(*status);
  };
  if constexpr (isComplex<T>)
    function(&mode, &uplo, &n, a.data, &lda, w.data, &asked, &query,
             &askedReals, &query, &integer, &query, &unused);
  else
    function(&mode, &uplo, &n, a.data, &lda, w.data, &asked, &query, &integer,
             &query, &unused);
  expectAccepted(unused);
  work = workOf(asked);
  if constexpr (isComplex<T>)
    reals = workOf(askedReals);
  integers.resize(std::max<Integer>(integer, 1));
  sizes[0] = checked(work.size());
  sizes[1] = checked(reals.size());
  sizes[2] = checked(integers.size());
  for (int64_t i = 0; i < a.batch(2); ++i)
    call(i, info.data + i);
}

/// Singular values and as many vectors as `mode` asks for.
template <auto function, typename T> void gesdd(const Frame &f) {
  char mode = letter(f, "mode");
  Array<T> a = copied<T>(f, 0, 0), u = f.result<T>(2), vt = f.result<T>(3);
  Array<Real<T>> s = f.result<Real<T>>(1);
  Array<Integer> info = f.result<Integer>(4);
  Integer m = checked(a.size(1)), n = checked(a.size()), lda = leading(m);
  Integer ldu = leading(checked(u.size(1))),
          ldvt = leading(checked(vt.size(1)));
  int64_t least = std::min(m, n), most = std::max(m, n);
  std::vector<Integer> integers(std::max<int64_t>(8 * least, 1));
  // The size that LAPACK's manual gives for all modes.
  std::vector<Real<T>> reals(std::max<int64_t>(
      isComplex<T> ? std::max(5 * least * least + 5 * least,
                              2 * most * least + 2 * least * least + least)
                   : 0,
      1));
  auto call = [&](int64_t i, T *work, Integer size, Integer *status) {
    T *matrix = a.data + i * a.elements(2), *left = u.data + i * u.elements(2),
      *right = vt.data + i * vt.elements(2);
    Real<T> *values = s.data + i * s.elements(1);
    if constexpr (isComplex<T>)
      function(&mode, &m, &n, matrix, &lda, values, left, &ldu, right, &ldvt,
               work, &size, reals.data(), integers.data(), status);
    else
      function(&mode, &m, &n, matrix, &lda, values, left, &ldu, right, &ldvt,
               work, &size, integers.data(), status);
    // What is not a number is found in argument 4.
    expectAccepted(*status, -4);
  };
  T asked;
  Integer unused;
  call(0, &asked, -1, &unused);
  std::vector<T> work = workOf(asked);
  for (int64_t i = 0; i < a.batch(2); ++i)
    call(i, work.data(), checked(work.size()), info.data + i);
}

/// Schur's form, without sorting.
template <auto function, typename T> void gees(const Frame &f) {
  char mode = letter(f, "mode"), sort = 'N';
  Array<T> a = copied<T>(f, 0, 0), vectors = f.result<T>(1);
  // The real parts and the imaginary ones of eigenvalues are two results.
  int64_t next = isComplex<T> ? 3 : 4;
  Array<T> values = f.result<T>(2);
  T *imaginary = isComplex<T> ? nullptr : f.result<T>(3).data;
  Array<Integer> selected = f.result<Integer>(next),
                 info = f.result<Integer>(next + 1);
  Integer n = checked(a.size()), lda = leading(n);
  std::vector<Real<T>> reals(lda);
  std::vector<Integer> booleans(lda);
  auto call = [&](int64_t i, T *work, Integer size, Integer *count,
                  Integer *status) {
    T *matrix = a.data + i * a.elements(2),
      *vector = vectors.data + i * vectors.elements(2);
    if constexpr (isComplex<T>)
      function(&mode, &sort, nullptr, &n, matrix, &lda, count,
               values.data + i * n, vector, &lda, work, &size, reals.data(),
               booleans.data(), status);
    else
      function(&mode, &sort, nullptr, &n, matrix, &lda, count,
               values.data + i * n, imaginary + i * n, vector, &lda, work,
               &size, booleans.data(), status);
    expectAccepted(*status);
  };
  T asked;
  Integer unused[2];
  call(0, &asked, -1, &unused[0], &unused[1]);
  std::vector<T> work = workOf(asked);
  for (int64_t i = 0; i < a.batch(2); ++i)
    call(i, work.data(), checked(work.size()), selected.data + i,
         info.data + i);
}

/// Complex vectors from LAPACK's real ones: of a pair of conjugate eigenvalues,
/// the real parts and the imaginary ones.
template <typename T>
void unpack(const T *imaginary, const std::vector<T> &packed, Integer n,
            std::complex<T> *vectors) {
  for (Integer j = 0; j < n; ++j) {
    bool isPair = imaginary[j] != 0 && j + 1 < n;
    for (Integer k = 0; k < n; ++k) {
      T re = packed[j * int64_t(n) + k];
      T im = isPair ? packed[(j + 1) * int64_t(n) + k] : T(0);
      vectors[j * int64_t(n) + k] = {re, im};
      if (isPair)
        vectors[(j + 1) * int64_t(n) + k] = {re, -im};
    }
    j += isPair;
  }
}

/// Eigenvalues of any matrix, and complex vectors on the sides that are asked
/// for.
template <auto function, typename T> void geev(const Frame &f) {
  char left = letter(f, "compute_left"), right = letter(f, "compute_right");
  using Vector = std::complex<Real<T>>;
  int64_t next = isComplex<T> ? 1 : 2;
  Array<T> a = f.operand<T>(0), values = f.result<T>(0);
  T *imaginary = isComplex<T> ? nullptr : f.result<T>(1).data;
  Array<Vector> vl = f.result<Vector>(next), vr = f.result<Vector>(next + 1);
  Array<Integer> info = f.result<Integer>(next + 2);
  Integer n = checked(a.size()), lda = leading(n);
  int64_t count = a.elements(2);
  std::vector<T> matrix(std::max<int64_t>(count, 1)), leftWork(matrix.size()),
      rightWork(matrix.size());
  std::vector<Real<T>> reals(2 * int64_t(lda));
  auto call = [&](int64_t i, T *work, Integer size, Integer *status) {
    if constexpr (isComplex<T>)
      function(&left, &right, &n, matrix.data(), &lda, values.data + i * n,
               vl.data + i * count, &lda, vr.data + i * count, &lda, work,
               &size, reals.data(), status);
    else
      function(&left, &right, &n, matrix.data(), &lda, values.data + i * n,
               imaginary + i * n, leftWork.data(), &lda, rightWork.data(), &lda,
               work, &size, status);
    expectAccepted(*status);
  };
  T asked;
  Integer unused;
  call(0, &asked, -1, &unused);
  std::vector<T> work = workOf(asked);
  for (int64_t i = 0; i < a.batch(2); ++i) {
    std::copy_n(a.data + i * count, count, matrix.data());
    // LAPACK may not end on numbers that are not finite.
    info.data[i] = -4;
    if (!std::all_of(matrix.begin(), matrix.end(), [](T x) {
          return std::isfinite(std::real(x)) && std::isfinite(std::imag(x));
        }))
      continue;
    call(i, work.data(), checked(work.size()), info.data + i);
    if constexpr (!isComplex<T>) {
      const T *parts = imaginary + i * n;
      if (left == 'V')
        unpack(parts, leftWork, n, vl.data + i * count);
      if (right == 'V')
        unpack(parts, rightWork, n, vr.data + i * count);
    }
  }
}

//===----------------------------------------------------------------------===//
// Solutions
//===----------------------------------------------------------------------===//

/// The first element of the lower diagonal means nothing, nor does the last one
/// of the upper.
template <auto function, typename T> void gtsv(const Frame &f) {
  Array<T> lower = copied<T>(f, 0, 0), middle = copied<T>(f, 1, 1),
           upper = copied<T>(f, 2, 2), b = copied<T>(f, 3, 3);
  Array<Integer> info = f.result<Integer>(4);
  Integer n = checked(b.size(1)), columns = checked(b.size()), ldb = leading(n);
  for (int64_t i = 0; i < b.batch(2); ++i) {
    function(&n, &columns, lower.data + i * n + 1, middle.data + i * n,
             upper.data + i * n, b.data + i * b.elements(2), &ldb,
             info.data + i);
    expectAccepted(info.data[i]);
  }
}

template <auto function, typename T> void trsm(const Frame &f) {
  char side = letter(f, "side"), uplo = letter(f, "uplo"),
       transposed = letter(f, "trans_x"), diagonal = letter(f, "diag");
  Array<T> a = f.operand<T>(0), b = copied<T>(f, 1, 0);
  Integer m = checked(b.size(1)), n = checked(b.size()), ldb = leading(m),
          lda = leading(checked(a.size()));
  T one = 1;
  for (int64_t i = 0; i < b.batch(2); ++i)
    function(&side, &uplo, &transposed, &diagonal, &m, &n, &one,
             a.data + i * a.elements(2), &lda, b.data + i * b.elements(2),
             &ldb);
}

} // namespace

/// OpenBLAS, where that is LAPACK: every rank has its share of the cores.
extern "C" __attribute__((weak)) void openblas_set_num_threads(int);
__attribute__((constructor)) static void keepToOneThread() {
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
}

/// Defines `lapack_<letter><name>_ffi` over LAPACK's function of that name.
#define DEFINE(letter, T, name, body)                                          \
  TESSERA_ROUTINE(lapack_##letter##name##_ffi) {                               \
    return runRoutine(frame, body<letter##name##_, T>);                        \
  }
#define DEFINE_ALL(letter, T, sy, og)                                          \
  DEFINE(letter, T, potrf, potrf)                                              \
  DEFINE(letter, T, getrf, getrf)                                              \
  DEFINE(letter, T, geqrf, geqrf)                                              \
  DEFINE(letter, T, geqp3, geqp3)                                              \
  DEFINE(letter, T, og##gqr, orgqr)                                            \
  DEFINE(letter, T, gehrd, gehrd)                                              \
  DEFINE(letter, T, sy##trd, sytrd)                                            \
  DEFINE(letter, T, sy##evd, syevd)                                            \
  DEFINE(letter, T, gesdd, gesdd)                                              \
  DEFINE(letter, T, gees, gees)                                                \
  DEFINE(letter, T, geev, geev)                                                \
  DEFINE(letter, T, gtsv, gtsv)                                                \
  TESSERA_ROUTINE(lapack_##letter##trsm_ffi) {                                 \
    return runRoutine(frame, trsm<letter##trsm_, T>);                          \
  }                                                                            \
  TESSERA_ROUTINE(lapack_##letter##laswp_ffi) {                                \
    return runRoutine(frame, laswp<T>);                                        \
  }

DEFINE_ALL(s, float, sy, or)
DEFINE_ALL(d, double, sy, or)
DEFINE_ALL(c, C64, he, un)
DEFINE_ALL(z, C128, he, un)
