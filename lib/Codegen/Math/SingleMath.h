//===- SingleMath.h - Mathematical functions of f32 -----------------------===//
#ifndef TESSERA_CODEGEN_MATH_SINGLEMATH_H
#define TESSERA_CODEGEN_MATH_SINGLEMATH_H

#include "tessera/Codegen/Math/CircularFunctions.h"

namespace tessera::codegen {

/// Emits functions of f32 that models use most (scalars or vectors of one
/// type) in arithmetic of f32. Errors are at most 3 units in the last place.
class SingleMath : public CircularFunctions {
public:
  using CircularFunctions::CircularFunctions;

  /// The value of the operation `op` of the dialect math; null if it is none of
  /// these functions.
  Value evaluate(mlir::Operation *op);

private:
  Value exp(Value x);
  Value expm1(Value x);
  Value log(Value x);
  Value tanh(Value x);
  Value erf(Value x);
};

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_MATH_SINGLEMATH_H
