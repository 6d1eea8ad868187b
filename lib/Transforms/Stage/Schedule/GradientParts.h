//===- GradientParts.h - weight gradients by groups of parameters ---------===//
#ifndef TESSERA_TRANSFORMS_STAGE_SCHEDULE_GRADIENTPARTS_H
#define TESSERA_TRANSFORMS_STAGE_SCHEDULE_GRADIENTPARTS_H

#include "Costs/OperationCosts.h"
#include "Step/Fragments.h"

#include "tessera/Stages/StageCosts.h"

namespace tessera::stage {

/// What a fragment `weight_gradient` comes apart into: a weight gradient is
/// many computations that hardly know of each other, a product and a sum for
/// each parameter. One task of all is often longer than the gaps of a schedule;
/// some of several fit (WeightParts.h).
///
/// The operations are put in a row, those that depend on each other next to one
/// another: first the connected components of the dataflow (constants and what
/// follows from them connect nothing, every part makes its own), then the order
/// of the text within each. The row is cut into pieces. A piece takes the time
/// of its operations, and that in which what crosses its ends is written and
/// read; the cuts are those with the shortest longest piece, by dynamic
/// programming in O(n^2) for n operations. So layers and parameters come apart
/// where that costs nothing; the weight gradient of the first stage, which is
/// its whole backward pass and one component, comes apart where only the
/// cotangent of an activation crosses.
///
/// A later part may read what an earlier one gives, so parts run in their
/// order.
class GradientParts {
public:
  /// Cuts `fragment`, which is whole, into `wanted` parts, or as many as it has
  /// operations; if 0, into as many (up to four) as make the longest part
  /// clearly shorter than with one less, which may be one. Changes nothing.
  GradientParts(pipe::FragmentOp fragment, const pipe::Step &step,
                OperationCosts &costs, unsigned wanted = 0);

  /// How many; 1 where it stays whole.
  unsigned size() const { return ends.size(); }
  /// What each costs.
  std::vector<WeightPart> measure() const;
  /// Replaces the fragment by its parts.
  void takeApart();

private:
  /// What one part does and gives.
  struct Part {
    llvm::DenseSet<mlir::Operation *> operations;
    llvm::SmallVector<mlir::Value> yields;
    /// Which of the fragment's results the first of `yields` are.
    llvm::SmallVector<unsigned> results;
  };

  void putInRow();
  void addTimes();
  void chooseCuts(unsigned wanted);
  double secondsOfPiece(size_t begin, size_t end) const {
    return before[end] - before[begin] + crossing[begin] + crossing[end];
  }
  bool isInRow(mlir::Value value) const {
    return position.contains(body.producerOf(value));
  }
  unsigned partAt(size_t index) const;
  unsigned partOf(mlir::Value value) const;
  llvm::SmallVector<Part> makeParts() const;

  pipe::FragmentOp fragment;
  const pipe::Step &step;
  OperationCosts &costs;
  FragmentBody body;
  /// The operations that are not free, and where they stand.
  llvm::SmallVector<mlir::Operation *, 0> row;
  llvm::DenseMap<mlir::Operation *, size_t> position;
  /// By position, the seconds of all operations before it, and those in which
  /// what crosses to it from before is written or read.
  llvm::SmallVector<double, 0> before, crossing;
  /// Where each part ends in the row.
  llvm::SmallVector<size_t> ends;
};

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_SCHEDULE_GRADIENTPARTS_H
