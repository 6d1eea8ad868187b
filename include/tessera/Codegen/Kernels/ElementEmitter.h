//===- ElementEmitter.h - Code for single elements of a kernel ------------===//
#ifndef TESSERA_CODEGEN_KERNELS_ELEMENTEMITTER_H
#define TESSERA_CODEGEN_KERNELS_ELEMENTEMITTER_H

#include "tessera/Codegen/Kernels/LaneIndex.h"
#include <functional>

namespace tessera::codegen {

/// Emits the code that computes elements of a kernel's values on demand.
///
/// The body of a kernel is a function from indices to elements: an element of
/// `a + b` is the sum of the elements of `a` and `b` at the same indices, one
/// of a transposed tensor lies at permuted indices, and so on. `emit` follows
/// the definitions up to values that are bound to memory (or registers) and
/// clones each operation for scalars, or for vectors where the lanes have
/// different indices. What all lanes share stays scalar and, thanks to
/// CodeBuilder, moves out of the loops that do not change it. A value needed
/// twice at the same indices is computed once.
class ElementEmitter {
public:
  /// Returns the element(s) at some indices; null after a diagnostic.
  using Source = std::function<mlir::Value(const LaneIndices &)>;

  ElementEmitter(CodeBuilder &b, unsigned lanes)
      : b(b), arithmetic(b, lanes), laneCount(lanes) {}

  /// Elements of `tensor` come from `source` from now on.
  void bind(mlir::Value tensor, Source source);
  /// Elements of `tensor` lie at `pointer` in row-major order.
  void bindMemory(mlir::Value tensor, mlir::Value pointer);
  /// Whether elements of `tensor` come from somewhere else than its definition.
  bool isBound(mlir::Value tensor) const { return sources.contains(tensor); }
  /// Only the first `count` lanes exist from now on; `lanes` means all.
  void setActiveLanes(unsigned count) {
    activeLanes = count;
    arithmetic.setActiveLanes(count);
  }
  /// What `emit` returns while of the active lanes only those exist that are
  /// set in `condition`, a vector of booleans.
  mlir::Value emitWhere(mlir::Value condition,
                        llvm::function_ref<mlir::Value()> emit);

  /// The element of `tensor` at `indices`: a scalar where all lanes agree.
  mlir::Value emit(mlir::Value tensor, const LaneIndices &indices);
  /// The same, as a vector if there is more than one lane.
  mlir::Value emitLanes(mlir::Value tensor, const LaneIndices &indices);

  /// Loads `element`s (tensor element type) at `position` of `pointer`; at the
  /// current place if the memory is `written` by the same code, else as far out
  /// of the loops as `position` allows.
  mlir::Value load(mlir::Type element, mlir::Value pointer,
                   const LaneIndex &position, bool written = false);
  /// Stores the active lanes of `value` (scalar or vector).
  void store(mlir::Value value, mlir::Value pointer, const LaneIndex &position);
  /// A copy of elementwise `op` on scalars or vectors.
  mlir::Value clone(mlir::Operation *op, mlir::ValueRange operands);
  /// `value` where the lane is active, else `neutral`.
  mlir::Value maskInactive(mlir::Value value, mlir::Value neutral);

  CodeBuilder &builder() { return b; }
  LaneArithmetic &index() { return arithmetic; }
  unsigned lanes() const { return laneCount; }

private:
  mlir::Value compute(mlir::Value tensor, const LaneIndices &indices);
  mlir::Value constant(mlir::Operation *op, const LaneIndices &indices);
  /// A vector of booleans with the lanes set that exist; null if all do.
  mlir::Value mask();

  CodeBuilder &b;
  LaneArithmetic arithmetic;
  unsigned laneCount;
  unsigned activeLanes = ~0u;
  /// Of the active lanes, those that exist: a vector of booleans; null if all
  /// do.
  mlir::Value existing;
  llvm::DenseMap<mlir::Value, Source> sources;
  struct Computed {
    LaneIndices indices;
    unsigned activeLanes;
    mlir::Value existing, value;
  };
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Computed, 1>> computed;
};

/// How elements of a structured operation's result are computed; null if
/// no rule is known.
using ElementRule = mlir::Value (*)(ElementEmitter &, mlir::Operation *,
                                    const LaneIndices &);
ElementRule getElementRule(mlir::Operation *op);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_KERNELS_ELEMENTEMITTER_H
