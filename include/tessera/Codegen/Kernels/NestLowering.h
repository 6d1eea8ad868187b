//===- NestLowering.h - The code of one loop nest -------------------------===//
#ifndef TESSERA_CODEGEN_KERNELS_NESTLOWERING_H
#define TESSERA_CODEGEN_KERNELS_NESTLOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "tessera/Codegen/Kernels/ElementEmitter.h"
#include "tessera/Codegen/Kernels/KernelPlan.h"
#include "tessera/Codegen/Kernels/PieceBounds.h"
#include <functional>

namespace tessera::codegen {

/// What the code of one loop nest is emitted with.
struct NestLowering {
  const KernelPlan &plan;
  const LoopNest &nest;
  unsigned number;
  spmd::KernelOp kernel;
  mlir::ModuleOp module;
  CodeBuilder &b;
  /// The iterations to run: [begin, end) of the loop nest's range.
  mlir::Value begin, end;
  /// Where each operand, result and temporary of the kernel lies.
  llvm::SmallVector<mlir::Value> operands, results, temporaries;
  /// Where the running thread's scratch memory begins, aligned to 64.
  std::function<mlir::Value()> scratchBase;
  /// Bytes of it that the code uses.
  int64_t scratchBytes = 0;

  /// Whether `value` is an argument or what an earlier loop nest has stored.
  bool isInMemory(mlir::Value value) const;
  /// Where such a value lies.
  mlir::Value memoryOf(mlir::Value value) const;
  /// Binds arguments and what earlier loop nests stored to their memory.
  void bindMemory(ElementEmitter &e) const;
  mlir::Value pointer(Slot slot) const;
  /// The runs of the last dimension along a row, in each of which `values`,
  /// which have the shape of the loop nest, are computed in one way.
  llvm::SmallVector<IndexRun> runsOf(llvm::ArrayRef<mlir::Value> values) const;
  /// Whether the loop nest (Elementwise) combines elements at equal indices
  /// only, so that it can be seen as one dimension whatever its shape.
  bool isPointwise() const;
  /// For such a loop nest, after `bindMemory`: elements in memory are found by
  /// their position alone, the only index.
  void bindPositions(ElementEmitter &e) const;
  /// Stores an element of `output` to all its buffers.
  void storeOutput(ElementEmitter &e, const NestOutput &output,
                   mlir::Value element, const LaneIndices &indices) const;
  /// Stores an element of `value`, an output, to all its buffers.
  void storeAt(ElementEmitter &e, mlir::Value value, mlir::Value element,
               const LaneIndex &position) const;
  /// The indices of `output` that the nest has at `loopIndices`.
  LaneIndices outputIndices(const NestOutput &output,
                            const LaneIndices &loopIndices) const;
  /// A buffer of `elements` on the stack.
  mlir::Value stackBuffer(mlir::Type element, int64_t elements);
  /// `bytes` of this thread's scratch memory, aligned to 64.
  mlir::Value scratch(int64_t bytes);
};

/// The iterations of a loop nest's code.
struct NestRange {
  /// Iterations, each independent of the others.
  int64_t extent;
  /// A rough number of scalar operations in one iteration.
  int64_t cost;
};

/// Emits the code of a loop nest of kind Structured: iterations [begin, end).
llvm::FailureOr<NestRange> lowerSingle(NestLowering &lowering);
/// Emits the updates of a scatter whose result already holds the operand: the
/// iterations are elements of the update's windows along dimensions that the
/// indices do not move, so that no two iterations write to one index. Each runs
/// over all updates in order.
llvm::FailureOr<NestRange> lowerScatterWindows(NestLowering &lowering);
/// A sort, which is Structured.
llvm::FailureOr<NestRange> lowerSort(NestLowering &lowering, SortOp sort);

/// Emits `body` for all indices of `dims` (of `shape`), the last of them by
/// vectors of the emitter's lanes: a loop over whole vectors, then once with
/// the remaining lanes active. `indices` has the other dimensions' indices. The
/// body returns the next carried values. Where the last dimension is cut into
/// `runs`, each has loops of its own, which know within which bounds their
/// indices are. Where `carried` is made of several equal `parts`, of which the
/// body gets one at a time, neighbouring vectors have different parts, so that
/// none waits for the one before.
CodeBuilder::Values
forEachVector(ElementEmitter &e, llvm::ArrayRef<int64_t> shape,
              llvm::ArrayRef<int64_t> dims, LaneIndices indices,
              mlir::ValueRange carried,
              llvm::function_ref<CodeBuilder::Values(const LaneIndices &,
                                                     mlir::ValueRange)>
                  body,
              llvm::ArrayRef<IndexRun> runs = {}, unsigned parts = 1);

/// The monoid of a reduction on elements of one type. Short floats are
/// accumulated in f32.
class Accumulator {
public:
  Accumulator(CodeBuilder &b, ReductionKind kind, mlir::Type element);
  Accumulator(CodeBuilder &b, ReduceOp reduce);

  mlir::Type elementType() const { return accumulated; }
  mlir::Value neutral(unsigned lanes);
  /// `value` converted to the accumulator's type.
  mlir::Value widen(mlir::Value value);
  mlir::Value combine(mlir::Value x, mlir::Value y);
  /// All lanes of `vector` combined.
  mlir::Value across(mlir::Value vector);
  /// `value` converted to the result's type.
  mlir::Value narrow(mlir::Value value);

private:
  CodeBuilder &b;
  ReductionKind kind;
  mlir::Type element, accumulated;
};

/// How many operations an element of `value` takes, for estimating costs.
int64_t estimateCost(mlir::Value value);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_KERNELS_NESTLOWERING_H
