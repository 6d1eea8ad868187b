//===- ProgramMemory.h - what a program needs on a device -----------------===//
#ifndef TESSERA_DIALECT_RT_PROGRAMMEMORY_H
#define TESSERA_DIALECT_RT_PROGRAMMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera {

/// The bytes that one device needs for a program whose memory is planned. This
/// is the one place that adds them up: the manifest says them, and report,
/// `--inspect`, `tessera-sim` and the check of `--memory-limit` read them
/// there. `schedule` keeps to a limit by it.
struct ProgramMemory {
  /// All arguments, all results, and the arguments that are the memory of a
  /// result as well.
  int64_t arguments = 0, results = 0, donated = 0;
  /// The arena.
  int64_t temporary = 0;
  /// What the runtime needs besides: each tensor lies in a block of its own,
  /// which is rounded up, and communicators of GPUs have buffers.
  int64_t headroom = 0;
  /// Of the host, for what the program copies there; no memory of the device.
  int64_t host = 0;

  int64_t peak() const {
    return arguments + results - donated + temporary + headroom;
  }

  /// The largest arena with which a program that has none so far stays within
  /// `limit` bytes; negative where there is none.
  int64_t arenaWithin(int64_t limit) const;

  /// Of a device that runs `program`: `@main` or that of a pipeline rank, from
  /// the phase `schedule` on. What kernels need while they run is part of the
  /// arena from `codegen` on.
  static ProgramMemory of(mlir::func::FuncOp program);
};

/// Whether `function` is a program, which is run as it is, and no function that
/// is called: `@main`, or that of a pipeline rank.
bool isProgram(mlir::func::FuncOp function);

/// The program that a device runs which needs most: `@main`, or that of a
/// pipeline rank, whose number is then `rank`.
struct LargestProgram {
  mlir::func::FuncOp function;
  std::optional<int64_t> rank;
};

/// The largest program of `module`. A diagnostic where it has none.
llvm::FailureOr<LargestProgram> findLargestProgram(mlir::ModuleOp module);

} // namespace tessera

#endif // TESSERA_DIALECT_RT_PROGRAMMEMORY_H
