//===- QuantizedForm.h - a collective that sends blocks of bytes ----------===//
//
// Over n devices, where each chunk below is cut into blocks:
//
//   all_gather      quantize, gather the blocks                         (qwZ)
//   reduce_scatter  quantize the chunk for each device, all_to_all, sum (qgZ)
//   all_reduce      the same with parts of the flat operand as chunks,
//                   quantize the sum, gather the blocks
//
// Every number is quantized once on the way to where it is summed, in f32, not
// once at each hop of a ring, so errors do not add up over hops (ZeRO++, Wang
// et al. 2023).
//
// Error feedback: what quantization has lost is added to what is quantized in
// the next step (1-bit SGD, Seide et al. 2014; for both quantizations of an
// all-reduce, 1-bit Adam, Tang et al. 2021).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_QUANTIZATION_QUANTIZEDFORM_H
#define TESSERA_TRANSFORMS_COMMUNICATE_QUANTIZATION_QUANTIZEDFORM_H

#include "Quantization/BlockQuantization.h"
#include "tessera/Dialect/Spmd/Spmd.h"

namespace tessera::communicate {

/// What a collective becomes.
class QuantizedForm {
public:
  /// Of `op`, over a group of two devices or more: a gather, or a sum, of f32,
  /// bf16 or f16. Nothing for others.
  static std::optional<QuantizedForm> of(spmd::CollectiveOpInterface op,
                                         const Mesh &mesh);

  bool isSum() const { return !isa<spmd::AllGatherOp>(op); }
  /// Whether there is a whole block at least for each device.
  bool fillsBlocks() const { return block == kBlockNumbers; }
  /// How many numbers a device has errors of: of those that it sends each
  /// device to be summed, and of those that are gathered. With chunks that are
  /// filled up.
  int64_t sentErrors() const { return isSum() ? devices * chunk() : 0; }
  int64_t gatheredErrors() const {
    return isa<spmd::ReduceScatterOp>(op) ? 0 : chunk();
  }

  /// The bytes that a device sends, and those that the collective sends as it
  /// is.
  int64_t bytesSent() const;
  int64_t plainBytesSent() const;
  /// One of the calls: blocks and their scales go together.
  struct Call {
    CollectiveKind kind;
    int64_t operandBytes;
  };
  llvm::SmallVector<Call, 2> calls() const;
  /// The bytes of memory that quantizing and summing reads and writes, with
  /// errors where there is feedback.
  int64_t touchedBytes(bool withFeedback) const;

  /// What `build` makes: the collective's result, and the next errors.
  struct Built {
    mlir::Value result, sentError, gatheredError;
  };
  /// Builds it before the collective, which stays. The errors of the step
  /// before, flat, are null where there is no feedback.
  Built build(mlir::Value sentError, mlir::Value gatheredError) const;

private:
  QuantizedForm(spmd::CollectiveOpInterface op, int64_t devices);
  /// The numbers of one device's chunk, filled up.
  int64_t chunk() const { return blocks * block; }
  mlir::Value chunksOf(mlir::OpBuilder &builder) const;
  mlir::Value joinChunks(mlir::OpBuilder &builder, mlir::Value chunks) const;

  spmd::CollectiveOpInterface op;
  int64_t devices;
  /// The numbers of a chunk, and how they are cut.
  int64_t numbers, blocks, block;
};

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_QUANTIZATION_QUANTIZEDFORM_H
