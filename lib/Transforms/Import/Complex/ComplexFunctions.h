//===- ComplexFunctions.h - elementary functions of complex numbers
//--------===//
//
// Formulas on real and imaginary parts that overflow and cancel only where the
// result does, with JAX's values at infinities, NaN and signed zeros. Those of
// `exp`, `log`, `log1p`, `sqrt`, `square` and the inverse functions are those
// of StableHLO's own expander (P. Peterson's functional_algorithms), the
// quotient is R. L. Smith's (1962) with the special cases of C's Annex G.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_COMPLEX_COMPLEXFUNCTIONS_H
#define TESSERA_TRANSFORMS_IMPORT_COMPLEX_COMPLEXFUNCTIONS_H

#include "Complex/Real.h"

namespace tessera::importer {

/// The complex numbers `re` + i `im`.
struct Complex {
  Real re, im;
};

/// `l` where `condition`, else `r`.
Complex select(Truth condition, Complex l, Complex r);
Complex multiply(Complex l, Complex r);
Complex divide(Complex l, Complex r);
Complex power(Complex base, Complex exponent);
/// The larger, or smaller, one by real parts, then by imaginary parts; `r`
/// where a part is NaN, as in JAX.
Complex maximum(Complex l, Complex r);
Complex minimum(Complex l, Complex r);
/// The logarithm of (x + i y) / sqrt(x^2 + y^2) over i.
Complex atan2(Complex y, Complex x);

/// The magnitude.
Real magnitude(Complex z);
/// `z` over its magnitude; zero stays itself.
Complex sign(Complex z);
Complex conj(Complex z);
Complex square(Complex z);
Complex sqrt(Complex z);
Complex rsqrt(Complex z);
Complex cbrt(Complex z);
Complex exp(Complex z);
Complex expm1(Complex z);
Complex log(Complex z);
Complex log1p(Complex z);
Complex logistic(Complex z);

Complex sin(Complex z);
Complex cos(Complex z);
Complex tan(Complex z);
Complex sinh(Complex z);
Complex cosh(Complex z);
Complex tanh(Complex z);
Complex asin(Complex z);
Complex acos(Complex z);
Complex atan(Complex z);
Complex asinh(Complex z);
Complex acosh(Complex z);
Complex atanh(Complex z);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_COMPLEX_COMPLEXFUNCTIONS_H
