//===- KernelPlan.h - How a kernel is cut into loop nests -----------------===//
//
// A kernel's body is any graph of tensor operations. Its code is a list of loop
// nests, each parallel over one iteration space, which run one after another
// (elsewhere: loop distribution, or kernel fission). A nest has one of the
// kinds that kernels have:
//
//   Elementwise  whole rows, or blocks of what is seen as one dimension.
//   Row          for every row in parallel: reductions along the row (they end
//                in the last dimension), each in a loop of its own if it needs
//                the result of another, then a loop that stores whole rows.
//   Column       reductions that keep the last dimension, parallel over blocks
//                of columns, with the accumulators in a small buffer.
//   Matmul       one blocked matmul with its element-wise epilogue.
//   Structured   one operation with a loop of its own (scatter, update, ...).
//
// Everything between (element-wise operations, and those that only move
// elements) is recomputed where it is needed. Only reductions and products
// ("anchors") are computed once. An anchor's result that another loop nest
// needs is stored in a temporary. Planning is linear in the size of the body
// times the number of its anchors.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_CODEGEN_KERNELS_KERNELPLAN_H
#define TESSERA_CODEGEN_KERNELS_KERNELPLAN_H

#include "mlir/IR/AffineMap.h"
#include "tessera/Dialect/Spmd/KernelStructure.h"

namespace tessera::codegen {

/// A value that a loop nest stores.
struct NestOutput {
  mlir::Value value;
  /// Row and Column: whether there is one element per row (per kept index),
  /// not one per point of the space.
  bool kept = false;
  /// From the value's indices to those of the space (of its kept dimensions):
  /// a permutation, up to dimensions of size 1.
  mlir::AffineMap map;
};

/// One loop nest of a kernel's code.
struct LoopNest {
  KernelKind kind = KernelKind::Elementwise;
  /// The iteration space; Matmul: the result's shape.
  llvm::SmallVector<int64_t> shape;
  /// Row, Column: dimensions of `shape` that are reduced, ascending.
  /// Elementwise: those that form a row.
  llvm::SmallVector<int64_t> reducedDims;
  /// In an order in which they can be computed.
  llvm::SmallVector<ReduceOp> reductions;
  /// Matmul, Structured: the operation.
  mlir::Operation *op = nullptr;
  llvm::SmallVector<NestOutput> outputs;

  /// Whether its code goes row by row: Elementwise and Row.
  bool hasRows() const {
    return kind == KernelKind::Elementwise || kind == KernelKind::Row;
  }
  llvm::SmallVector<int64_t> keptDims() const;
  llvm::SmallVector<int64_t> keptShape() const;
  /// Row: the reductions by how many others must be known before. Those of one
  /// phase need only results of earlier phases and can share a loop.
  std::vector<llvm::SmallVector<ReduceOp>> phases() const;
};

/// Where a value is stored: a result of the kernel or a temporary.
struct Slot {
  bool temporary;
  unsigned number;
};

struct KernelPlan {
  std::vector<LoopNest> nests;
  /// The buffers of every stored value; the first serves later loop nests.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Slot, 1>> slots;
  /// The loop nest that computes a value: anchors and whatever is stored.
  llvm::DenseMap<mlir::Value, unsigned> nestOf;
  /// Bytes of each temporary.
  llvm::SmallVector<int64_t> temporaries;
  /// Results to copy in the end, because their memory is still read by other
  /// iterations when they are computed.
  llvm::SmallVector<std::pair<unsigned, unsigned>> copies;
};

/// Removes barriers, which have done their work, and what is unused from the
/// body of `kernel`; returns how many operations are left.
unsigned simplifyKernel(spmd::KernelOp kernel);

/// Plans the body of `kernel`. `aliases[j]` is the operand whose memory result
/// j overwrites, or -1. Fails with a diagnostic at an operation it does not
/// know.
llvm::FailureOr<KernelPlan> planKernel(spmd::KernelOp kernel,
                                       llvm::ArrayRef<int64_t> aliases);

/// How a value that is in memory is reached from another.
struct Access {
  mlir::Value leaf;
  /// From the indices of the other value to the leaf's; null if not affine.
  mlir::AffineMap map;
};

/// All accesses of an element of `value` to values for which `isLeaf` holds.
llvm::SmallVector<Access>
collectAccesses(mlir::Value value, mlir::AffineMap map,
                llvm::function_ref<bool(mlir::Value)> isLeaf);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_KERNELS_KERNELPLAN_H
