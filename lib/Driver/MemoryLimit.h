//===- MemoryLimit.h - what a device has, and what a program needs --------===//
#ifndef TESSERA_DRIVER_MEMORYLIMIT_H
#define TESSERA_DRIVER_MEMORYLIMIT_H

#include "tessera/Dialect/Rt/ProgramMemory.h"

namespace tessera {

/// The bytes that a device has for a program, and who says so.
struct MemoryLimit {
  int64_t bytes;
  std::string source;
};

/// What `--memory-limit` says (`asked`, 0 where it is not given), or else what
/// the machine under the meshes of `module` has; nothing where no machine is
/// described. The built-in description is of no machine in particular.
std::optional<MemoryLimit> findMemoryLimit(mlir::ModuleOp module,
                                           int64_t asked);

/// What takes the memory of the device that needs most, as far as the memory
/// plan knows.
struct MemoryUse {
  /// The same piece of several layers is one.
  struct Piece {
    std::string what;
    int64_t bytes = 0, count = 0;
  };

  /// What runs when the temporaries take most.
  mlir::Location peak;
  /// Arguments, results that are in no argument's memory, and the temporaries
  /// that are held at the peak; the largest first.
  std::vector<Piece> pieces;
  /// Bytes of arguments that are whole on each device of several, and of
  /// results for which an argument of the same type might give its memory.
  int64_t whole = 0, mayBeDonated = 0;
};

/// Reads `module`, which is as the phase `schedule` leaves it. A diagnostic
/// where it has no program.
llvm::FailureOr<MemoryUse> findMemoryUse(mlir::ModuleOp module);

/// A program that was found, and what it needs.
struct ProgramNeeds {
  ProgramMemory memory;
  /// The pipeline rank that needs it, with stages.
  std::optional<int64_t> rank;
  MemoryUse use;
};

/// Reports that `needs`, which is the nearest that was found, is more than
/// `limit`: what takes most, and what might need less. `microbatches` is how
/// many a step is cut into.
void reportTooMuchMemory(mlir::MLIRContext &context, const MemoryLimit &limit,
                         const ProgramNeeds &needs, int64_t microbatches);

} // namespace tessera

#endif // TESSERA_DRIVER_MEMORYLIMIT_H
