//===- Lapack.h - LAPACK's functions for all element types ----------------===//
//
// LAPACK's interface is Fortran's: arguments are addresses, lengths of texts
// come behind all others and are left out here, as everywhere in C.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_RUNTIME_ROUTINES_LAPACK_H
#define TESSERA_RUNTIME_ROUTINES_LAPACK_H

#include <complex>
#include <cstdint>
#include <type_traits>

namespace tessera::routines {

/// LAPACK's integers.
using Integer = int32_t;
using C64 = std::complex<float>;
using C128 = std::complex<double>;

template <typename T> struct RealOf { using Type = T; };
template <typename T> struct RealOf<std::complex<T>> { using Type = T; };
/// The type of the parts of `T`.
template <typename T> using Real = typename RealOf<T>::Type;
template <typename T>
inline constexpr bool isComplex = !std::is_same_v<T, Real<T>>;

} // namespace tessera::routines

/// Declares the functions of one type; `letter` is LAPACK's for it, `sy` and
/// `og` the families that are called otherwise for complex matrices.
#define TESSERA_LAPACK(letter, T, sy, og)                                      \
  void letter##potrf_(const char *, const Integer *, T *, const Integer *,     \
                      Integer *);                                              \
  void letter##getrf_(const Integer *, const Integer *, T *, const Integer *,  \
                      Integer *, Integer *);                                   \
  void letter##geqrf_(const Integer *, const Integer *, T *, const Integer *,  \
                      T *, T *, const Integer *, Integer *);                   \
  void letter##og##gqr_(const Integer *, const Integer *, const Integer *,     \
                        T *, const Integer *, const T *, T *, const Integer *, \
                        Integer *);                                            \
  void letter##gehrd_(const Integer *, const Integer *, const Integer *, T *,  \
                      const Integer *, T *, T *, const Integer *, Integer *);  \
  void letter##sy##trd_(const char *, const Integer *, T *, const Integer *,   \
                        Real<T> *, Real<T> *, T *, T *, const Integer *,       \
                        Integer *);                                            \
  void letter##gtsv_(const Integer *, const Integer *, T *, T *, T *, T *,     \
                     const Integer *, Integer *);                              \
  void letter##trsm_(const char *, const char *, const char *, const char *,   \
                     const Integer *, const Integer *, const T *, const T *,   \
                     const Integer *, T *, const Integer *);

/// Those that take other arguments for real matrices and for complex ones.
#define TESSERA_LAPACK_REAL(letter, T)                                         \
  void letter##geqp3_(const Integer *, const Integer *, T *, const Integer *,  \
                      Integer *, T *, T *, const Integer *, Integer *);        \
  void letter##syevd_(const char *, const char *, const Integer *, T *,        \
                      const Integer *, T *, T *, const Integer *, Integer *,   \
                      const Integer *, Integer *);                             \
  void letter##gesdd_(const char *, const Integer *, const Integer *, T *,     \
                      const Integer *, T *, T *, const Integer *, T *,         \
                      const Integer *, T *, const Integer *, Integer *,        \
                      Integer *);                                              \
  void letter##gees_(const char *, const char *, void *, const Integer *, T *, \
                     const Integer *, Integer *, T *, T *, T *,                \
                     const Integer *, T *, const Integer *, Integer *,         \
                     Integer *);                                               \
  void letter##geev_(const char *, const char *, const Integer *, T *,         \
                     const Integer *, T *, T *, T *, const Integer *, T *,     \
                     const Integer *, T *, const Integer *, Integer *);
#define TESSERA_LAPACK_COMPLEX(letter, T)                                      \
  void letter##geqp3_(const Integer *, const Integer *, T *, const Integer *,  \
                      Integer *, T *, T *, const Integer *, Real<T> *,         \
                      Integer *);                                              \
  void letter##heevd_(const char *, const char *, const Integer *, T *,        \
                      const Integer *, Real<T> *, T *, const Integer *,        \
                      Real<T> *, const Integer *, Integer *, const Integer *,  \
                      Integer *);                                              \
  void letter##gesdd_(const char *, const Integer *, const Integer *, T *,     \
                      const Integer *, Real<T> *, T *, const Integer *, T *,   \
                      const Integer *, T *, const Integer *, Real<T> *,        \
                      Integer *, Integer *);                                   \
  void letter##gees_(const char *, const char *, void *, const Integer *, T *, \
                     const Integer *, Integer *, T *, T *, const Integer *,    \
                     T *, const Integer *, Real<T> *, Integer *, Integer *);   \
  void letter##geev_(const char *, const char *, const Integer *, T *,         \
                     const Integer *, T *, T *, const Integer *, T *,          \
                     const Integer *, T *, const Integer *, Real<T> *,         \
                     Integer *);

extern "C" {
using tessera::routines::C128;
using tessera::routines::C64;
using tessera::routines::Integer;
using tessera::routines::Real;
TESSERA_LAPACK(s, float, sy, or)
TESSERA_LAPACK(d, double, sy, or)
TESSERA_LAPACK(c, C64, he, un)
TESSERA_LAPACK(z, C128, he, un)
TESSERA_LAPACK_REAL(s, float)
TESSERA_LAPACK_REAL(d, double)
TESSERA_LAPACK_COMPLEX(c, C64)
TESSERA_LAPACK_COMPLEX(z, C128)
}

#endif // TESSERA_RUNTIME_ROUTINES_LAPACK_H
