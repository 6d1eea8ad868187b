//===- BlockQuantization.h - numbers as bytes with a scale for each block -===//
//
// Block-wise symmetric quantization (ZeRO++, Wang et al. 2023; before that
// 8-bit optimizers, Dettmers et al. 2022): of each block of numbers the largest
// magnitude becomes 127, and every other one the nearest multiple of a 127th of
// it. So the error of a number is 1/254 of the largest in its block at most.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_QUANTIZATION_BLOCKQUANTIZATION_H
#define TESSERA_TRANSFORMS_COMMUNICATE_QUANTIZATION_BLOCKQUANTIZATION_H

#include "mlir/IR/Builders.h"

namespace tessera::communicate {

/// The most numbers that share a scale: the scale is 1/64 of the bytes.
inline constexpr int64_t kBlockNumbers = 256;

/// Blocks, one for each place of the last dimension of what they are made of.
struct QuantizedBlocks {
  mlir::Value numbers; ///< i8, [..., block]
  mlir::Value scales;  ///< f32, [...]
};

/// Quantizes `value`, f32 [..., block]. What is infinite or a NaN becomes a NaN
/// again, and nothing else of its block does: it may be what uneven shards are
/// filled up with, whose values mean nothing.
QuantizedBlocks quantize(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value);

/// The numbers, f32, that `blocks` stand for.
mlir::Value dequantize(mlir::OpBuilder &builder, mlir::Location loc,
                       const QuantizedBlocks &blocks);

/// What `blocks` lack of `value`, which they were made of; zero where that is
/// not finite, as it would never be forgotten.
mlir::Value residualOf(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value value, const QuantizedBlocks &blocks);

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_QUANTIZATION_BLOCKQUANTIZATION_H
