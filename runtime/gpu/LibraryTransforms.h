//===- LibraryTransforms.h - Fourier transforms by cuFFT ------------------===//

#ifndef TESSERA_RUNTIME_GPU_LIBRARYTRANSFORMS_H
#define TESSERA_RUNTIME_GPU_LIBRARYTRANSFORMS_H

#include "Cufft.h"
#include "Device.h"
#include "tessera/Support/CallFrame.h"

#include <map>
#include <string>
#include <vector>

namespace tessera::gpu {

/// The Fourier transforms of a program on one device. The library is loaded
/// with the first of them; a plan is made when a transform is first asked for
/// and kept, so that the step can be recorded in a graph from then on.
///
/// Programs have real and imaginary parts in arrays of their own, the library
/// pairs: kernels of the runtime's join the parts before a transform and take
/// them apart behind it, which scales the backward ones.
class LibraryTransforms {
public:
  /// `device` must outlive the object.
  LibraryTransforms(Device &device, CufftLoader load);
  ~LibraryTransforms();
  LibraryTransforms(const LibraryTransforms &) = delete;

  /// Whether there is such a library.
  bool isThere();
  /// Asks the stream for what `frame`, a call of the routine `tessera_fft_f32`
  /// or `tessera_fft_f64` on memory of the device, says. The device must be
  /// current.
  Fallible<void> run(const TesseraCallFrame &frame, CudaStream stream);

  /// The kernels, in PTX for every device that there is code for.
  static std::string kernelText();

private:
  /// A transform of a batch of arrays; equal ones share a plan.
  struct Form {
    std::string kind; ///< FFT, IFFT, RFFT or IRFFT.
    bool isDouble;
    std::vector<long long> lengths;
    long long batch;

    auto operator<=>(const Form &) const = default;
    long long points() const;
    /// Pairs that the library reads or writes.
    long long pairs() const;
    long long pairBytes() const { return isDouble ? 16 : 8; }
  };
  static Form formOf(const TesseraCallFrame &frame);

  Fallible<void> load();
  Fallible<FftPlan> find(const Form &form, CudaStream stream);
  Fallible<void> reserve(int64_t bytes);
  Fallible<void> transform(const Form &form, FftPlan plan, void *real);
  /// Launches one of the kernels over `count` elements.
  Fallible<void> launch(std::string kernel, const Form &form, int64_t count,
                        std::vector<void *> parameters, CudaStream stream);

  Device &device;
  CufftLoader loader;
  const Cufft *library = nullptr;
  bool isMissing = false;
  CudaModule module = nullptr;
  std::map<Form, FftPlan> plans;
  /// Room for the pairs of one transform.
  CudaAddress work = 0;
  int64_t reserved = 0;
};

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_LIBRARYTRANSFORMS_H
