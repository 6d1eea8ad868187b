//===- Manifest.h - What a compiled model says about itself ---------------===//

#ifndef TESSERA_RUNTIME_CORE_PROGRAM_MANIFEST_H
#define TESSERA_RUNTIME_CORE_PROGRAM_MANIFEST_H

#include "DeviceMesh.h"
#include "ShardLayout.h"
#include "tessera/Support/Fallible.h"
#include "tessera/Support/HostTensor.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::runtime {

/// An argument or result.
struct ManifestTensor {
  std::string name;
  ElementType type = ElementType::F32;
  ShardLayout layout;
  /// How summands combine (a code of runtime.h), where there are several.
  int32_t reduction = 0;
  /// The sharding in words.
  std::string shardingText;
  /// Arguments: the result that reuses the memory. Results: the argument whose
  /// memory is reused. Both agree, and so do type and layout of the two.
  std::optional<int32_t> donation;

  int64_t localBytes() const {
    return *elementCountOf(layout.localShape()) * elementSize(type);
  }
  int64_t globalBytes() const {
    return *elementCountOf(layout.globalShape()) * elementSize(type);
  }
};

/// An argument or result of the model as one pipeline rank has it: all of it,
/// or some rows, one after the other: a part of one dimension.
struct ManifestRows {
  int32_t number = 0;           ///< Of the argument or result.
  int64_t first = 0;            ///< Of its rows.
  std::optional<int64_t> count; ///< Of its rows; nothing for all.
  int64_t dim = 0;              ///< The dimension that rows are counted along.

  /// How devices hold these rows of `tensor`.
  ShardLayout layoutOf(const ManifestTensor &tensor) const {
    return count ? tensor.layout.withRows(dim, first, *count) : tensor.layout;
  }
  /// The bytes that a device has of these rows of `tensor`.
  int64_t localBytes(const ManifestTensor &tensor) const {
    return count
               ? tensor.localBytes() / tensor.layout.localShape()[dim] * *count
               : tensor.localBytes();
  }
  friend bool operator==(const ManifestRows &, const ManifestRows &) = default;
};

/// What one pipeline rank runs, on each device of its copy of the mesh.
struct ManifestProgram {
  std::string entry;      ///< The name of its main function.
  int64_t arenaBytes = 0; ///< Scratch memory of one device.
  int64_t hostBytes = 0;  ///< Of the host, for what one device copies there.
  /// The arguments and results that live on it, in the order in which its main
  /// function takes them; none occurs twice.
  std::vector<ManifestRows> arguments, results;
};

/// The manifest, checked: everything that it refers to exists, and sizes agree
/// with each other.
struct Manifest {
  /// The name in the section table of the ELF file.
  static constexpr const char *section = ".tessera.manifest";

  /// Of the entry point that it describes: `main` where there is only one.
  std::string entryPoint = "main";
  std::string text; ///< The JSON as it stands in the file.
  std::string target;
  std::string cpuName;
  std::vector<std::string> cpuFeatures;
  DeviceMesh mesh;
  std::vector<ManifestTensor> arguments, results;
  /// By communicator: the axes along which its members differ, pairwise
  /// disjoint.
  std::vector<std::vector<SubAxis>> communicators;
  /// By pipeline rank, at least one. Each row of a result lives on at least one
  /// of them, and on all that hold the argument donated to it; an argument that
  /// nobody uses may live on none.
  std::vector<ManifestProgram> programs;
  /// The pairs of pipeline ranks, source and target, between which messages are
  /// sent; where the file does not say so, all.
  std::vector<std::pair<int32_t, int32_t>> channels;

  int32_t pipelineRanks() const {
    return static_cast<int32_t>(programs.size());
  }
  /// The ranks of all copies of the mesh.
  int32_t ranks() const { return pipelineRanks() * mesh.ranks(); }
  /// The position among the arguments of `program`, one of `programs`, whose
  /// memory result number `position` of it has; -1 if it has its own.
  int32_t donorOf(const ManifestProgram &program, int32_t position) const;
};

/// The buffers that launches of a kernel get: operands, then results that
/// overwrite no operand. Temporaries, which come last, are not listed.
struct KernelBuffers {
  int32_t operands = 0; ///< How many of the buffers are operands.
  std::vector<int64_t> bytes;
  std::vector<bool> isWritten;
};

/// The buffers of each kernel, by the names that launches have.
using KernelTable =
    std::map<std::string, std::shared_ptr<const KernelBuffers>, std::less<>>;

/// The kernels in the text of a manifest; a failure where it does not say what
/// buffers they have.
Fallible<KernelTable> parseKernels(const std::string &text);

/// Fails if `text`, a manifest, is of another ABI version than `abi`. What is
/// wrong otherwise, `parseManifest` says.
Fallible<void> checkAbi(const std::string &text, int32_t abi);

/// Parses and checks. Failures say what is wrong, without a path. An ABI
/// version other than `abi` is refused before anything else is looked at.
Fallible<Manifest> parseManifest(std::string text, int32_t abi);

/// As `parseManifest`, of a program that may have several entry points: the
/// manifest of each, with different names and the same ranks.
Fallible<std::vector<Manifest>> parseManifests(std::string text, int32_t abi);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_PROGRAM_MANIFEST_H
