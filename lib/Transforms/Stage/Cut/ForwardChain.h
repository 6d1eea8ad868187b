//===- ForwardChain.h - the forward pass as a chain of blocks -------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_CUT_FORWARDCHAIN_H
#define TESSERA_TRANSFORMS_STAGE_CUT_FORWARDCHAIN_H

#include "Costs/OperationCosts.h"
#include "Cut/Checkpoints.h"
#include "Step/StepProgram.h"

#include "tessera/Stages/Cuts/StagePartition.h"

#include "llvm/ADT/BitVector.h"

namespace tessera::stage {

/// The forward pass as a chain. Cut i is before operation i.
class ForwardChain {
public:
  /// `isElsewhere` says which operations, of both passes, are in no stage:
  /// those of an output layer that is spread over the ranks.
  ForwardChain(
      const StepProgram &program, const Checkpoints &checkpoints,
      OperationCosts &costs,
      llvm::function_ref<bool(mlir::Operation *)> isElsewhere =
          [](mlir::Operation *) { return false; });

  /// The cuts behind marks; marks with no work in between count as the last
  /// of them.
  llvm::SmallVector<int64_t> marks() const;
  /// The cuts to choose from for `stages`, ascending, without both ends.
  llvm::SmallVector<int64_t> candidateCuts(int64_t stages) const;
  /// The blocks between `cuts` and what passes between them; the links
  /// between ranks, the assignment and the memory limit are left open.
  StagePartitionProblem makeProblem(llvm::ArrayRef<int64_t> cuts) const;
  /// What is known of an operation of the forward pass.
  struct Link {
    mlir::Operation *op;
    double forward;
    double backward = 0;
    /// Bytes of its results that the backward pass needs.
    int64_t kept = 0;
  };
  llvm::ArrayRef<Link> getLinks() const { return links; }
  /// The bytes that each device sends of `value` to the next stage.
  int64_t sentBytes(mlir::Value value) const;
  /// By stage, if the chain is cut at `cuts`, the seconds of the backward pass
  /// that earlier stages wait for.
  llvm::SmallVector<double>
  inputGradientSeconds(llvm::ArrayRef<int64_t> cuts) const;
  /// Of matmuls in the backward pass: the one that each is derived from.
  const llvm::DenseMap<mlir::Operation *, int64_t> &getDerivedFrom() const {
    return derivedFrom;
  }
  /// The index of `op`; nothing unless it is part of the forward pass.
  std::optional<int64_t> indexOf(mlir::Operation *op) const {
    auto known = indices.find(op);
    return known == indices.end() ? std::nullopt
                                  : std::optional<int64_t>(known->second);
  }

private:
  /// An operation of the backward pass: of which operation of the forward pass
  /// it seems to be the derivative, and the first one of which something that
  /// depends on it is.
  struct Derivative {
    int64_t primal;
    int64_t earliest;
    double seconds;
  };

  void findUsers();
  void findConstants();
  std::optional<int64_t> findPrimal(mlir::Operation *op, int64_t latest) const;
  int64_t primalOf(mlir::Operation *op,
                   const llvm::DenseMap<mlir::Operation *, size_t> &known);
  void
  addBackwardCosts(llvm::function_ref<bool(mlir::Operation *)> isElsewhere);
  void findEarliest(const llvm::DenseMap<mlir::Operation *, size_t> &known);
  void measureCrossings();
  bool isNarrow(int64_t cut) const;
  void addValues(StagePartitionProblem &problem,
                 llvm::ArrayRef<int64_t> cuts) const;
  void addParameters(StagePartitionProblem &problem,
                     llvm::ArrayRef<int64_t> cuts) const;

  const StepProgram &program;
  const Checkpoints &checkpoints;
  OperationCosts &costs;
  llvm::SmallVector<Link, 0> links;
  /// In the order of the text.
  llvm::SmallVector<Derivative, 0> derivatives;
  /// Operations that depend on nothing.
  llvm::DenseSet<mlir::Operation *> constants;
  llvm::DenseMap<mlir::Operation *, int64_t> indices, derivedFrom;
  /// Which of them contract.
  llvm::BitVector matmuls;
  /// Per value and parameter of the forward pass who makes and who uses it,
  /// ascending.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<int64_t, 2>> users;
  /// Per cut the bytes that cross it.
  llvm::SmallVector<int64_t, 0> crossing;
};

/// The block, between `cuts`, of the operation with this index.
int32_t blockOf(int64_t index, llvm::ArrayRef<int64_t> cuts);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_CUT_FORWARDCHAIN_H
