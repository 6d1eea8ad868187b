//===- CircularFunctions.h - Sine, cosine and tangent ---------------------===//
#ifndef TESSERA_CODEGEN_MATH_CIRCULARFUNCTIONS_H
#define TESSERA_CODEGEN_MATH_CIRCULARFUNCTIONS_H

#include "tessera/Codegen/Math/RealBuilder.h"

namespace tessera::codegen {

/// Emits functions of angles and their inverses, of f32 or f64, right to a few
/// units in the last place for all arguments; sine, cosine and tangent of
/// infinities are NaN.
class CircularFunctions : public RealBuilder {
public:
  using RealBuilder::RealBuilder;

  Value sine(Value x);
  Value cosine(Value x);
  Value tangent(Value x);

  Value arctangent(Value x);
  /// The angle of the point (x, y) in [-pi, pi]; both zeros of `y` and `x` are
  /// told apart.
  Value angle(Value y, Value x);

private:
  /// x = n pi / 2 + rest, |rest| slightly above pi / 4 at most; `quadrant` is n
  /// but for multiples of 4.
  struct Reduced {
    Value rest, quadrant;
  };
  /// Of what is not negative.
  Reduced reduce(Value magnitude);
  Reduced reduceByParts(Value magnitude);
  Reduced reduceExactly(Value magnitude);
  /// Of `rest`: the sine, the cosine.
  std::pair<Value, Value> evaluateSeries(Value rest);
  /// `value` with its sign turned where bit `bit` of `quadrant` is set, and
  /// once more where `x`, if given, is negative; NaN if `magnitude` is not
  /// finite.
  Value finish(Value value, Value quadrant, unsigned bit, Value magnitude,
               Value x);
};

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_MATH_CIRCULARFUNCTIONS_H
