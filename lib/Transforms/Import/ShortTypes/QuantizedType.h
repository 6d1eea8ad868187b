//===- QuantizedType.h - integers that stand for real numbers -------------===//
//
// `!quant.uniform<i8:f32, 0.5:-3>`: an element is stored as an integer of 8
// bits, `q`, and stands for (q + 3) * 0.5, computed with in `f32`. Scales and
// zero points may differ along one dimension: `<i8:f32:1, {0.5:-3, 0.25}>`.
// (B. Jacob et al., "Quantization and Training of Neural Networks for Efficient
// Integer-Arithmetic-Only Inference", 2018.)
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_QUANTIZEDTYPE_H
#define TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_QUANTIZEDTYPE_H

#include "Complex/Real.h"

#include <optional>

namespace tessera::importer {

/// What the type of a quantized element says.
struct QuantizedType {
  /// Of 2, 4, 8, 16 or 32 bits, signed or not.
  mlir::IntegerType storage;
  mlir::FloatType expressed;
  /// The least and the largest integer that are stored.
  int64_t low = 0, high = 0;
  /// The dimension along which scales differ; none where there is one.
  std::optional<int64_t> dim;
  /// One of each, or as many as `dim` has places. Scales are above zero.
  llvm::SmallVector<double> scales;
  llvm::SmallVector<int64_t> zeroPoints;
};

/// What the element type of `type` says; none if it is not a tensor of such
/// elements, or they are of a kind that is not read (scales by blocks).
std::optional<QuantizedType> quantizedType(mlir::Type type);

/// The real numbers that `stored` integers of `type` stand for.
Real dequantize(Real stored, const QuantizedType &type);
/// The integers of `type` next to the real numbers `value`, ties to even; the
/// outermost ones beyond them.
Real quantize(Real value, const QuantizedType &type);
/// `stored` integers of `type` less their zero points, in elements of
/// `element`, wider integers.
Real centered(Real stored, const QuantizedType &type, mlir::Type element);

/// What `sums` of products of integers of `lhs`, which has one scale, and `rhs`
/// stand for. Scales of `rhs` differ along dimension `dim` of the sums, if they
/// do. In single precision, or double for sums of more than 32 bits.
Real scaleSums(Real sums, const QuantizedType &lhs, const QuantizedType &rhs,
               std::optional<int64_t> dim);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_SHORTTYPES_QUANTIZEDTYPE_H
