//===- GpuTarget.h - The GPUs that code is generated for ------------------===//
#ifndef TESSERA_CODEGEN_NVPTX_GPUTARGET_H
#define TESSERA_CODEGEN_NVPTX_GPUTARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace tessera::nvptx {

/// What the code generator knows about an architecture. Sizes of the machine
/// are those of its largest GPU (A100, H100 SXM); code runs on all others.
struct GpuTarget {
  /// The compute capability as in `#rt.variant`: 80 for code that runs on every
  /// GPU from 8.0 on, 90 for code that runs on those of 9.0 only.
  int arch;
  /// The architecture as LLVM and ptxas call it, also the name of the nested
  /// modules that hold its code: `sm_80`, `sm_90a`.
  llvm::StringLiteral chip;
  /// LLVM's features: the version of PTX that the code is written in.
  llvm::StringLiteral features;

  /// Bytes of shared memory that one block may use, static and dynamic.
  int64_t sharedBytes;
  /// Bytes of it that may be static: declared by a function.
  int64_t staticSharedBytes;
  /// Bytes of shared memory of one multiprocessor.
  int64_t multiprocessorSharedBytes;
  /// 32-bit registers of one multiprocessor, and the most that a thread has.
  int64_t registers, threadRegisters;
  /// Threads that are on one multiprocessor at a time.
  int64_t residentThreads;
  int64_t multiprocessors;
  /// Bytes per second to and from device memory.
  double bandwidth;
  /// Multiply-adds count two: operations per second of the tensor cores on f16
  /// and bf16, and of the other units on f32.
  double tensorFlops, flops;

  bool hasTensorMemoryAccess() const { return arch >= 90; }

  /// All targets, in the order of their numbers.
  static llvm::ArrayRef<GpuTarget> all();
  /// The target with this number; it must be one of `all`.
  static const GpuTarget &get(int arch);
  /// The target called `chip`.
  static std::optional<int> parse(llvm::StringRef chip);
};

/// Threads that execute together.
constexpr int64_t kWarp = 32;

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_GPUTARGET_H
