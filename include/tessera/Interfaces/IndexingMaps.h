//===- IndexingMaps.h - what an operation does to indices -----------------===//
#ifndef TESSERA_INTERFACES_INDEXINGMAPS_H
#define TESSERA_INTERFACES_INDEXINGMAPS_H

#include "tessera/Sharding/Rules/ShardingRule.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/OpDefinition.h"

#include <optional>

namespace tessera {

/// One dimension of the iteration space of an operation.
struct IterationDim {
  int64_t size = 1;
  /// `PassThrough`; `Reduction` where results combine what the points along it
  /// give; `NeedReplication` where no point can be computed without the others.
  FactorKind kind = FactorKind::PassThrough;
  /// The monoid of a reduction.
  ReductionKind reduction = ReductionKind::Sum;
};

/// `scale * ((d floordiv divisor) mod size)`, where d is the index of iteration
/// dimension `dim`.
struct IndexTerm {
  unsigned dim;
  int64_t divisor = 1, size, scale = 1;
};

/// A sum of terms, from major to minor, and a number.
struct IndexSum {
  llvm::SmallVector<IndexTerm, 2> terms;
  int64_t offset = 0;

  /// Whether it is a term alone, or no more than 0.
  bool isPlain() const {
    return offset == 0 &&
           (terms.empty() || (terms.size() == 1 && terms.front().scale == 1));
  }
};

/// What an operation does to indices: an iteration space, and for every tensor
/// the place at which a point of the space reads or writes it. A matrix product
/// is (i, j, k) with (i, k), (k, j) and (i, j). Tensors are numbered, operands
/// first, then results. See docs/rationale/index-maps.md.
///
/// The index of a dimension of a tensor is an affine expression of the point,
///
///     i                     of a product, a transpose, a sum,
///     0                     where a broadcast repeats the only element,
///     stride * i + start    of a slice or a pad,
///     size - 1 - i          of a reversal,
///     i floordiv 4, i mod 4 where a reshape takes a dimension apart, and
///     4 * i + j             where it puts dimensions together,
///
/// or null (*open*) where the point does not say it: data do, or the point
/// takes the dimension as a whole. A point whose index lies outside of a tensor
/// has no element of that tensor: of a concatenation's operands every point has
/// one.
class IndexingMaps {
public:
  static constexpr int64_t kNone = ShardingRuleBuilder::kNone;

  /// Without iteration dimensions; all indices are open.
  explicit IndexingMaps(mlir::Operation *op);

  //===--------------------------------------------------------------------===//
  // Making
  //===--------------------------------------------------------------------===//

  /// Adds a dimension to the space and returns its index. It is the index of
  /// `operandDims[i]` of operand i and of `resultDims[i]` of result i (none for
  /// `kNone` and behind the ends of the lists), or the minor part of that where
  /// an earlier dimension is it already.
  mlir::AffineExpr addDim(int64_t size, llvm::ArrayRef<int64_t> operandDims,
                          llvm::ArrayRef<int64_t> resultDims,
                          FactorKind kind = FactorKind::PassThrough,
                          ReductionKind reduction = ReductionKind::Sum);
  /// Adds the dimensions of result 0, or those of operand 0.
  void addResultDims();
  void addOperandDims();
  /// Adds the dimensions of a reshape: the smallest groups of dimensions of
  /// operand 0 and of result 0 with equally many elements.
  void addReshapedDims();

  mlir::AffineExpr &operand(unsigned number, int64_t dim) {
    return tensors[number][dim];
  }
  mlir::AffineExpr &result(unsigned number, int64_t dim) {
    return tensors[numOperands + number][dim];
  }
  /// The index of dimension `dim` of the space.
  mlir::AffineExpr dim(unsigned dim) const;
  mlir::AffineExpr constant(int64_t value) const;
  /// Says that every element of the results is one of `operands`, at a place
  /// that does not depend on data.
  void setMoved(llvm::ArrayRef<unsigned> operands) {
    moved.assign(operands.begin(), operands.end());
  }

  //===--------------------------------------------------------------------===//
  // Asking
  //===--------------------------------------------------------------------===//

  llvm::ArrayRef<IterationDim> getDims() const { return dims; }
  unsigned getNumOperands() const { return numOperands; }
  unsigned getNumTensors() const { return tensors.size(); }
  llvm::ArrayRef<int64_t> getShape(unsigned tensor) const {
    return shapes[tensor];
  }
  /// Whether every element of the one result is one of the one operand.
  bool isView() const;

  /// An index of a tensor, taken apart; nothing if it is open.
  std::optional<IndexSum> getIndex(unsigned tensor, int64_t dim) const;
  /// The indices of tensor `to` at the point that has given indices of tensor
  /// `from`: with an operand as `to`, where the elements of a result come from,
  /// and the other way round, its inverse, where they go. Never mentions
  /// dimensions of size 1. Holds where the point exists: inside of both
  /// tensors, and at multiples of a stride that it divides by. Nothing if the
  /// point does not follow from the indices, or these not from the point.
  std::optional<mlir::AffineMap> getMap(unsigned from, unsigned to) const;
  /// The place of the point's element of `tensor` among all, in row-major
  /// order, as a coefficient per dimension of the space, 0 for those of size 1,
  /// and a number behind these. Nothing if it is not linear.
  std::optional<llvm::SmallVector<int64_t>> getPosition(unsigned tensor) const;

  /// Per dimension of `tensor` the dimension of the space that it is, or is one
  /// of the digits of, major first; `kNone` where its size is 1. Nothing if
  /// another index is anything else.
  std::optional<llvm::SmallVector<int64_t>> getWholeDims(unsigned tensor) const;

  /// Adds the factors that the dimensions of the space are, and that all
  /// pending reductions of elements that only move are carried over.
  void addFactors(ShardingRuleBuilder &builder) const;

private:
  void setDigits(unsigned tensor, size_t first, size_t end, unsigned number);

  mlir::MLIRContext *context;
  unsigned numOperands;
  llvm::SmallVector<IterationDim, 4> dims;
  llvm::SmallVector<llvm::ArrayRef<int64_t>, 4> shapes;
  llvm::SmallVector<llvm::SmallVector<mlir::AffineExpr, 4>, 4> tensors;
  llvm::SmallVector<unsigned, 2> moved;
};

/// The maps of an operation that only moves elements of its one operand
/// (reshape, broadcast, transpose, slice, reverse): tensors 0 and 1. Nothing
/// for others; `op` may be null.
std::optional<IndexingMaps> getViewMaps(mlir::Operation *op);

/// A builder with the factors of `op`, which implements `IndexingMapInterface`.
ShardingRuleBuilder makeIndexedRule(mlir::Operation *op);

/// Whether `op` only moves elements of its one operand, and all its elements
/// along dimension `dim` of the result are the same.
bool repeatsAlong(mlir::Operation *op, int64_t dim);

} // namespace tessera

#include "tessera/Interfaces/IndexingMapInterface.h.inc"

#endif // TESSERA_INTERFACES_INDEXINGMAPS_H
