//===- Convolution.h - convolutions become matrix products ----------------===//
//
// Element o of a convolution's output is the sum over k of input element
// `o * stride + k * kernelDilation - low` (over `inputDilation`, where that
// divides) times kernel element k, in every spatial dimension, and over the
// features. It becomes a sum of `dot_general` over a few values of k, each on
// all o at once; what the partitioner, the interpreter and the code generators
// know about products, slices and sums is then all there is to know: a batch,
// features or space split over devices, halos, pending sums of gradients.
//
// For each spatial dimension on its own, one of four ways is the shortest:
//
//   OverKernel  for every k: the input at o = 0, 1, ... times kernel element k,
//               summed over k. If the input is dilated (the gradient of a
//               strided convolution) then outputs o, o + period, ... have the
//               same k in common: one such sum per phase, interleaved.
//   OverOutput  for every o: the input at k = 0, 1, ... times the whole kernel,
//               contracted; the outputs are joined. For a gradient with respect
//               to the kernel, where the "kernel" is as large as the input.
//   Disjoint    windows that do not overlap: the input is split into them, and
//               one product contracts k for all o (patches of an image).
//   Scattered   the reverse: every input element gives its own outputs, so that
//               one product gives them for all k.
//
// A convolution of d dimensions takes the product of what each needs; slices of
// one dimension are shared by all steps of the next. Where that is more than
// `kMostAtOnce`, one of them, or several, loop over their steps
// (`WindowLoops.h`).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_WINDOWS_CONVOLUTION_H
#define TESSERA_TRANSFORMS_IMPORT_WINDOWS_CONVOLUTION_H

#include "Windows/WindowLoops.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace tessera::importer {

/// What is multiplied in one step along a dimension.
struct ConvolutionStep {
  Positions input, kernel;
};

/// One spatial dimension.
struct ConvolutionDimension {
  enum Way { OverKernel, OverOutput, Disjoint, Scattered };

  int64_t input, kernel, output;
  int64_t stride, low, inputDilation, kernelDilation;

  /// The way with the fewest steps.
  Way way() const {
    bool several = kernel > 1 && output > 1;
    if (several && inputDilation == 1 &&
        (stride > (kernel - 1) * kernelDilation ||
         kernelDilation > (output - 1) * stride))
      return Disjoint;
    if (several && stride == 1 && kernelDilation == 1 &&
        kernel <= inputDilation)
      return Scattered;
    return kernel <= output ? OverKernel : OverOutput;
  }

  /// How many steps there are at most.
  int64_t steps() const {
    switch (way()) {
    case OverKernel:
      return kernel;
    case OverOutput:
      return output;
    case Disjoint:
    case Scattered:
      return 1;
    }
    llvm_unreachable("unknown way");
  }

  /// Outputs that far apart see the same kernel elements.
  int64_t outputPeriod() const {
    return inputDilation / std::gcd(inputDilation, stride);
  }

  /// Kernel elements that far apart are seen by the same outputs.
  int64_t kernelPeriod() const {
    return inputDilation / std::gcd(inputDilation, kernelDilation);
  }

  /// Whether steps follow each other at equal distances.
  bool mayLoop() const { return way() == OverKernel || inputDilation == 1; }

  /// Adds the step that takes the input at positions `at`, a position in the
  /// dilated input, if there is anything.
  void addStep(llvm::SmallVectorImpl<ConvolutionStep> &steps, int64_t at,
               int64_t inputStep, Positions kernelPositions,
               int64_t count) const {
    Positions positions{at / inputDilation, inputStep, count};
    if (!positions.missAll(input))
      steps.push_back({positions, kernelPositions});
  }

  /// The steps whose sum is the outputs `phase`, `phase + period`, ...
  llvm::SmallVector<ConvolutionStep> stepsOfPhase(int64_t phase) const {
    llvm::SmallVector<ConvolutionStep> steps;
    int64_t period = outputPeriod();
    for (int64_t k = 0; k < kernel; ++k) {
      int64_t at = phase * stride + k * kernelDilation - low;
      if (at % inputDilation == 0)
        addStep(steps, at, period * stride / inputDilation, {k, 1, 1},
                llvm::divideCeil(output, period));
    }
    return steps;
  }

  /// Where the window of each output begins.
  llvm::SmallVector<int64_t> outputStarts() const {
    llvm::SmallVector<int64_t> starts;
    for (int64_t o = 0; o < output; ++o)
      starts.push_back(o * stride - low);
    return starts;
  }

  /// The step that is output `o`; none if it sees nothing.
  llvm::SmallVector<ConvolutionStep> stepsOfOutput(int64_t o) const {
    llvm::SmallVector<ConvolutionStep> steps;
    int64_t period = kernelPeriod();
    for (int64_t k = 0; k < std::min(period, kernel); ++k) {
      int64_t at = o * stride + k * kernelDilation - low;
      int64_t count = llvm::divideCeil(kernel - k, period);
      if (at % inputDilation == 0)
        addStep(steps, at, period * kernelDilation / inputDilation,
                {k, period, count}, count);
    }
    return steps;
  }
};

/// So many products are written: those of a window of 7 x 7.
inline constexpr uint64_t kMostAtOnce = 49;

/// How steps become a program.
struct ConvolutionPlan {
  /// Of each dimension, so many are done in an iteration of its loops.
  llvm::SmallVector<int64_t> atOnce;
  /// Outer dimensions have no loops.
  int64_t outermost;
  /// How many products are written.
  uint64_t written;

  Advance advance(int64_t d) const {
    return d == outermost ? Advance::Moved : Advance::Sliced;
  }
};

/// Loops along a single dimension, the outermost that will do, or along
/// several; with as few iterations as `kMostAtOnce` allows, along inner ones
/// first.
ConvolutionPlan planSteps(llvm::ArrayRef<ConvolutionDimension> dims);

/// The convolution, with elements of type `element`, of operands in a standard
/// order of dimensions: `input` is [groups, batch, spatial..., features],
/// `kernel` [groups, spatial..., features, outputs], the result [groups, batch,
/// spatial..., outputs]. Groups do not see each other; without them (`grouped`
/// is false) their dimension is missing. Nothing is empty.
mlir::Value convolve(Conversion &c, llvm::ArrayRef<ConvolutionDimension> dims,
                     bool grouped, mlir::Type element, mlir::Value input,
                     mlir::Value kernel);

/// `value` with its dimensions in another order.
mlir::Value transposeTo(Conversion &c, mlir::Value value,
                        llvm::ArrayRef<int64_t> permutation);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_WINDOWS_CONVOLUTION_H
