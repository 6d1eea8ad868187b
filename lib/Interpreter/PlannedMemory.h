//===- PlannedMemory.h - The memory that a plan gives to values -----------===//
//
// A program that the phase `schedule` has planned runs in the planned memory:
// an arena, and one block for each argument and result. A value is stored
// where the plan puts it, and must still be there whenever something reads it;
// so a buffer that is too small, or memory that is used anew too early, is an
// error that names the value and what destroyed it.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_PLANNEDMEMORY_H
#define TESSERA_INTERPRETER_PLANNEDMEMORY_H

#include "Executor.h"

#include "tessera/Dialect/Spmd/MemoryMap.h"

namespace tessera {

/// Where the tensors of a module's planned functions lie. Made once, then read
/// by all devices.
class MemoryPlan {
public:
  /// Nothing for functions without `spmd.arena_size`. A diagnostic where a plan
  /// lacks a location.
  static mlir::FailureOr<MemoryPlan> of(mlir::ModuleOp module);

  /// The locations of the results of `function`; null if it is not planned.
  const spmd::MemoryMap *tableOf(mlir::func::FuncOp function) const {
    auto it = tables.find(function);
    return it == tables.end() ? nullptr : &it->second;
  }
  /// Nothing for scalars, and for values inside of kernels.
  std::optional<spmd::MemoryLocation> locationOf(mlir::Value value) const {
    auto it = locations.find(value);
    return it == locations.end() ? std::nullopt : std::optional(it->second);
  }

private:
  llvm::DenseMap<mlir::Operation *, spmd::MemoryMap> tables;
  llvm::DenseMap<mlir::Value, spmd::MemoryLocation> locations;
};

/// The memory of one device during one run of a planned function.
class PlannedMemory {
public:
  using Error = std::optional<RunError>;

  /// Memory of its own for a program, which holds nothing that makes sense.
  PlannedMemory(mlir::func::FuncOp function, const MemoryPlan &plan);

  /// For `function`, which `call` calls: what `caller` gives it. The
  /// call must be planned. `error` says what of it lies outside of the caller's
  /// memory.
  PlannedMemory(mlir::func::FuncOp function, mlir::func::CallOp call,
                PlannedMemory &caller, Error &error);

  /// Stores `tensor`, which is `value` from `op` on. Fails if it does not fit
  /// where it should lie.
  Error write(mlir::Value value, const HostTensor &tensor, mlir::Operation *op);
  /// Fails if `tensor`, which is `value`, is not there any more; `op` reads it.
  Error read(mlir::Value value, const HostTensor &tensor,
             mlir::Operation *op) const;
  /// A collective that was started at `op` writes `value` from now on.
  Error spoil(mlir::Value value, mlir::Operation *op);
  /// Puts what `op`, the end of the function, returns where results lie.
  Error giveBack(llvm::ArrayRef<TensorRef> results, mlir::Operation *op);

private:
  using Bytes = llvm::MutableArrayRef<std::byte>;
  /// Who wrote what: the latest last, none all of whose bytes another one has
  /// overwritten.
  struct Write {
    const std::byte *begin, *end;
    mlir::Operation *op;
  };
  struct Owned {
    std::vector<std::vector<std::byte>> blocks;
    std::vector<Write> writes;
  };

  Bytes allocate(int64_t bytes);
  /// The memory of `value`; empty, with an error at `op`, where it is too
  /// small.
  Bytes bytesAt(spmd::MemoryLocation location, int64_t bytes,
                mlir::Operation *op, Error &error) const;
  void store(Bytes target, const std::byte *source, mlir::Operation *op);
  Error compare(Bytes found, const HostTensor &expected, mlir::Location made,
                mlir::Operation *op) const;

  mlir::func::FuncOp function;
  const MemoryPlan &plan;
  /// Where the function is called; null for a program.
  mlir::Operation *call = nullptr;
  /// Shared by a program and what it calls.
  std::shared_ptr<Owned> owned;
  llvm::SmallVector<Bytes> arguments, results;
  Bytes arena, host;
};

} // namespace tessera

#endif // TESSERA_INTERPRETER_PLANNEDMEMORY_H
