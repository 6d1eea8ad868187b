//===- Program.h - A loaded model.tsx -------------------------------------===//

#ifndef TESSERA_RUNTIME_CORE_PROGRAM_PROGRAM_H
#define TESSERA_RUNTIME_CORE_PROGRAM_PROGRAM_H

#include "Manifest.h"
#include "tessera/runtime.h"

#include <memory>
#include <span>

namespace tessera::runtime {

/// A compiled model whose code is in memory, ready to be called.
class Program {
public:
  /// Checks the manifest against this runtime and machine before it loads the
  /// code; see `tessera_program_load`.
  static Fallible<std::unique_ptr<Program>> load(const std::string &path);
  ~Program();

  const Manifest &manifest() const { return contents; }
  /// The main function of a pipeline rank.
  TesseraMain entry(int32_t pipelineRank) const {
    return entries[pipelineRank];
  }
  /// The code for GPUs; empty for other targets.
  std::span<const TesseraGpuImage> images() const { return gpuImages; }
  /// See `tessera_program_mesh`.
  const std::string &meshText() const { return meshDescription; }

  /// Arguments and results as the C interface shows them.
  const std::vector<TesseraTensor> &arguments() const { return argumentViews; }
  const std::vector<TesseraTensor> &results() const { return resultViews; }

private:
  Program(Manifest manifest);
  Manifest contents;
  std::string meshDescription;
  std::vector<TesseraTensor> argumentViews, resultViews;
  void *library = nullptr;
  std::vector<TesseraMain> entries; ///< By pipeline rank.
  std::span<const TesseraGpuImage> gpuImages;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_PROGRAM_PROGRAM_H
