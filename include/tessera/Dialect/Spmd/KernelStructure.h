//===- KernelStructure.h - what a kernel may hold -------------------------===//
#ifndef TESSERA_DIALECT_SPMD_KERNELSTRUCTURE_H
#define TESSERA_DIALECT_SPMD_KERNELSTRUCTURE_H

#include "tessera/Dialect/Spmd/Spmd.h"

#include <optional>

namespace tessera {

/// The kinds of kernels, as docs/rationale/kernels.md defines them.
enum class KernelKind { Elementwise, Row, Column, Matmul, Structured };

/// The name of a kind in diagnostics and reports: `elementwise`, `row`, ...
llvm::StringRef stringifyKernelKind(KernelKind kind);

/// The iteration space of a kernel, in elements in row-major order.
struct KernelStructure {
  KernelKind kind;
  /// Elements of the space. A value with this many elements has one per point.
  int64_t points;
  /// Row: the number of rows; Column: the number of columns; else 0. Values
  /// with this many elements have one per row (column).
  int64_t parts = 0;
};

/// The structure of a kernel; emits an error and fails if it is of no kind.
mlir::FailureOr<KernelStructure> analyzeKernel(spmd::KernelOp kernel);

/// How the elements of a value are reached from those of a value made from it,
/// both in row-major order.
struct ElementAccess {
  enum Kind {
    Identity, ///< element i from element i
    Row,      ///< element i from element i / length
    Mapped,   ///< any other way
  };
  Kind kind = Identity;
  int64_t length = 1;

  /// The access through `*this` (nearer to the user), then `inner`.
  ElementAccess through(ElementAccess inner) const;
};

/// Whether `op` computes every element of its results from the elements at the
/// same place of its operands. All are tensors.
bool isElementwise(mlir::Operation *op);

/// For an operation that only moves elements of its one operand (reshape,
/// broadcast, transpose, slice, reverse): how.
std::optional<ElementAccess> getViewAccess(mlir::Operation *op);

/// Whether `op` is alone in its kernel but for what its operands are computed
/// from: neither element-wise, a reduction nor a matmul, but with a loop
/// of its own.
bool isStructured(mlir::Operation *op);

/// Whether `op` belongs into a kernel: it is of the dialects tessera, arith or
/// math and works on tensors.
bool isKernelOperation(mlir::Operation *op);

/// The number of elements of a tensor.
int64_t elementsOf(mlir::Value value);

/// Whether a reduction keeps the leading dimensions (`Row`: one result per
/// row), the trailing ones (`Column`), or neither.
std::optional<KernelKind> getReductionKind(ReduceOp reduce);

} // namespace tessera

#endif // TESSERA_DIALECT_SPMD_KERNELSTRUCTURE_H
