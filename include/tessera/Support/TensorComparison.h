//===- TensorComparison.h - How far two tensors are apart -----------------===//

#ifndef TESSERA_SUPPORT_TENSORCOMPARISON_H
#define TESSERA_SUPPORT_TENSORCOMPARISON_H

#include "tessera/Support/Fallible.h"
#include "tessera/Support/HostTensor.h"

namespace tessera {

/// `--tolerance=RTOL[,ATOL]`: a tensor agrees when its largest error is at most
/// RTOL times the largest magnitude that is expected in it, plus ATOL.
struct Tolerance {
  double relative = 1e-5;
  double absolute = 0;

  /// For results of `type`: numbers next to each other in it are no difference,
  /// unless all errors are (RTOL = 0).
  Tolerance of(ElementType type) const;
};

/// Parses `RTOL[,ATOL]`; both must be finite and not negative.
Fallible<Tolerance> parseTolerance(const std::string &text);

/// The comparison of one tensor with what was expected of it.
struct TensorDifference {
  /// The largest |got - expected|; infinite where one is a NaN or an infinity
  /// and the other is not the same.
  double largestError = 0;
  /// The largest finite magnitude in the expected tensor.
  double largestMagnitude = 0;
  /// Where the largest error is (row-major) and the two values there;
  /// meaningful when `largestError` is not zero.
  int64_t worstIndex = 0;
  double expectedThere = 0, gotThere = 0;
  /// Elements where exactly one side is a NaN, and where both are.
  int64_t nanMismatches = 0, nanMatches = 0;

  /// `largestError` relative to `largestMagnitude`; 0 when there is no error,
  /// infinite when all expected are zero.
  double relativeError() const;
  bool within(const Tolerance &tolerance) const;

  /// `largest error 1.2e-07 relative, 3.4e-06 absolute`, and, unless within the
  /// tolerance, where and which values.
  std::string describe(const Tolerance &tolerance, const Shape &shape) const;
};

/// Compares element by element; both must have one type and shape. Two NaNs
/// agree, as do equal infinities.
TensorDifference compareTensors(const HostTensor &got,
                                const HostTensor &expected);

} // namespace tessera

#endif // TESSERA_SUPPORT_TENSORCOMPARISON_H
