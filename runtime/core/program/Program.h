//===- Program.h - A loaded model.tsx -------------------------------------===//

#ifndef TESSERA_RUNTIME_CORE_PROGRAM_PROGRAM_H
#define TESSERA_RUNTIME_CORE_PROGRAM_PROGRAM_H

#include "SharedState.h"
#include "tessera/runtime.h"

#include <memory>
#include <span>

namespace tessera::runtime {

/// A compiled model whose code is in memory, ready to be called. One with
/// several entry points is described as its first one is.
class Program {
public:
  /// Checks the manifest against this runtime and machine before it loads the
  /// code; see `tessera_program_load`.
  static Fallible<std::unique_ptr<Program>> load(const std::string &path);
  ~Program();

  const Manifest &manifest() const { return contents; }
  /// Its entry points: programs of one each, or only itself.
  std::vector<const Program *> entryPoints() const;
  /// What these share.
  const SharedState &sharedState() const { return state; }
  /// The main function of a pipeline rank.
  TesseraMain entry(int32_t pipelineRank) const {
    return entries[pipelineRank];
  }
  /// The code for GPUs; empty for other targets.
  std::span<const TesseraGpuImage> images() const { return gpuImages; }
  /// Of the file: tells programs apart.
  uint64_t checksum() const { return fileChecksum; }
  /// See `tessera_program_mesh`.
  const std::string &meshText() const { return meshDescription; }

  /// Arguments and results as the C interface shows them.
  const std::vector<TesseraTensor> &arguments() const { return argumentViews; }
  const std::vector<TesseraTensor> &results() const { return resultViews; }

private:
  Program(Manifest manifest);
  Fallible<void> findCode(void *library);
  Manifest contents;
  /// Empty where there is only one.
  std::vector<std::unique_ptr<Program>> parts;
  SharedState state;
  std::string meshDescription;
  std::vector<TesseraTensor> argumentViews, resultViews;
  uint64_t fileChecksum = 0;
  void *library = nullptr;          ///< Closed by this, unless it is a part.
  std::vector<TesseraMain> entries; ///< By pipeline rank.
  std::span<const TesseraGpuImage> gpuImages;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_PROGRAM_PROGRAM_H
