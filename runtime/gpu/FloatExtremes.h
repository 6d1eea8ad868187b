//===- FloatExtremes.h - Minima and maxima of floats over ranks -----------===//

#ifndef TESSERA_RUNTIME_GPU_FLOATEXTREMES_H
#define TESSERA_RUNTIME_GPU_FLOATEXTREMES_H

#include "Communicators.h"
#include "Device.h"

namespace tessera::gpu {

/// Reductions of floats to their minimum or maximum that give NaN where an
/// operand is NaN, as on every other back end; NCCL's drop it, and a training
/// step that looks for NaN in this way would not see one of another rank.
///
/// A float's bits, read as a signed integer, are in the order of the floats if
/// the magnitude's bits of negative ones are flipped. Every NaN becomes the
/// largest integer of that width, or for a minimum the smallest one. So one
/// kernel makes integers, NCCL reduces these, which is exact, and the same
/// kernel makes floats again. f16 and bf16 become 32-bit integers, as NCCL has
/// none of 16 bits.
class FloatExtremes {
public:
  /// Both must outlive the object.
  FloatExtremes(Device &device, Communicators &communicators)
      : device(device), communicators(communicators) {}
  ~FloatExtremes();

  /// Whether it is such a reduction, over more than one rank.
  bool handles(const TesseraCollective &call) const;
  /// Asks for it on a stream, always the same one. The first call for a type,
  /// and one that is larger than those before, cannot be recorded in a graph.
  Fallible<void> reduce(const TesseraCollective &call, CudaStream stream);

  /// The kernels, in PTX for every device that there is code for.
  static std::string kernelText();

private:
  /// How elements of a type become integers.
  struct Format;
  static const Format *formatOf(int32_t dtype);

  Fallible<void> load();
  Fallible<void> reserve(int64_t bytes);
  /// Launches one of the kernels over `count` elements: what lies beyond
  /// `infinity` becomes `nan`, of the rest the order is changed.
  Fallible<void> convert(const char *kernel, CudaAddress from, CudaAddress to,
                         int64_t count, uint64_t infinity, uint64_t nan,
                         CudaStream stream);

  Device &device;
  Communicators &communicators;
  CudaModule module = nullptr;
  /// The integers: operands, and behind them what a reduce_scatter gives.
  CudaAddress integers = 0;
  int64_t reserved = 0;
};

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_FLOATEXTREMES_H
