//===- ReshardPlan.h - Collectives from one sharding to another -----------===//
#ifndef TESSERA_SHARDING_RESHARD_RESHARDPLAN_H
#define TESSERA_SHARDING_RESHARD_RESHARDPLAN_H

#include "tessera/Sharding/Pieces/PieceExchange.h"

namespace tessera {

/// One step between two shardings of a tensor.
struct ReshardStep {
  enum class Kind {
    /// Every device keeps its part of dimension `dim`, which is split further
    /// over `axes`. Local.
    Slice,
    /// Dimension `dim` is no longer split over its minor-most `axes`.
    AllGather,
    /// Dimension `targetDim` is split over `axes`, which were the minor-most of
    /// `dim`.
    AllToAll,
    /// Several dimensions give their minor-most axes to others at once, one
    /// exchange among all `axes`: see `moves`.
    Exchange,
    /// The pending reduction over `axes` is done; dimension `dim` is split
    /// further over them.
    ReduceScatter,
    /// The pending reduction over `axes` is done, on all devices.
    AllReduce,
    /// Devices exchange their whole parts: the device at index i along the axes
    /// `from` sends to the device at index i along `to`.
    Permute,
    /// Devices put their new parts together from pieces of the old ones, each
    /// of which is sent once to a device that lacks it: see `pieces`.
    Reassemble,
    /// The tensor, replicated over `axes`, becomes unreduced over them: all but
    /// the first device replace their part by the identity of the reduction.
    /// Local.
    ReplicatedToUnreduced,
    /// Dimension `dim`, whose minor-most axes are `axes`, becomes whole over
    /// them and the tensor unreduced: every device surrounds its part with the
    /// identity of the reduction. Local.
    ShardedToUnreduced,
    /// The tensor, sharded on one mesh, is from now on sharded on another one
    /// over the same devices: devices exchange their whole parts as `targets`
    /// says, or do nothing where every device already holds what it should.
    ChangeMesh,
  };

  Kind kind;
  /// The axes that the devices of a group differ along, major to minor; for a
  /// permutation in the order of the mesh.
  AxisList axes;
  /// See `Kind`; -1 where the kind has no dimension.
  int64_t dim = -1;
  int64_t targetDim = -1;
  /// Exchanges only: the axes that go from one dimension to another, by
  /// dimension. No dimension both gives and takes, and `axes` are those of all
  /// moves in this order, which is also that in which a dimension takes them.
  struct Move {
    int64_t dim, targetDim;
    AxisList axes;
  };
  llvm::SmallVector<Move, 0> moves;
  /// Permutations only: two orders of the same parts of axes.
  AxisList from, to;
  /// Reassemblies only: who sends what when. Its axes are `axes`.
  std::optional<PieceExchange> pieces;
  /// Changes of the mesh only: per position in the old mesh the position, in
  /// the old mesh too, of the device that gets its part; empty where none
  /// moves.
  llvm::SmallVector<int32_t, 0> targets;
  /// The sharding after the step; on the new mesh for a change of it.
  TensorSharding result;
  /// What one device sends, and how long that takes.
  int64_t bytes = 0;
  double seconds = 0;

  /// The collective of this step, or of each of its rounds; none for local
  /// steps.
  std::optional<CollectiveKind> collective() const;
  /// What one device sends that has `operandBytes` bytes.
  int64_t bytesSentOf(int64_t operandBytes, const Mesh &mesh) const;
  /// Permutations only: per index along `axes`, the index to send to.
  llvm::SmallVector<int32_t> permutationTargets(const Mesh &mesh) const;
  /// Prints `all_gather dim 0 over {"x"}`.
  void print(llvm::raw_ostream &os) const;
};

/// `slice`, `all_gather`, `all_to_all`, `exchange`, `reduce_scatter`,
/// `all_reduce`, `permute`, `reassemble`, `replicated_to_unreduced`,
/// `sharded_to_unreduced`, `change_mesh`.
llvm::StringRef stringify(ReshardStep::Kind kind);

/// A tensor and two of its shardings, on one mesh or, where functions take
/// `targetMesh`, each on its own: two meshes over the same devices, which may
/// have other axes and another order of the devices.
struct ReshardProblem {
  TensorSharding source, target;
  llvm::SmallVector<int64_t> shape;
  /// The size of one element in memory, at least 1.
  int64_t elementBytes = 1;

  /// Why this is no problem that can be solved, or an empty string. Dimensions
  /// that do not divide must be split alike on both sides.
  std::string check(const Mesh &mesh) const { return check(mesh, mesh); }
  std::string check(const Mesh &mesh, const Mesh &targetMesh) const;
  /// The bytes of the part that one device holds under `sharding`.
  int64_t localBytes(const TensorSharding &sharding, const Mesh &mesh) const;

  friend bool operator==(const ReshardProblem &a, const ReshardProblem &b) {
    return a.source == b.source && a.target == b.target && a.shape == b.shape &&
           a.elementBytes == b.elementBytes;
  }
  friend llvm::hash_code hash_value(const ReshardProblem &problem) {
    return llvm::hash_combine(
        problem.source, problem.target,
        llvm::hash_combine_range(problem.shape.begin(), problem.shape.end()),
        problem.elementBytes);
  }
};

/// Steps that lead from the source to the target of a problem; none where both
/// place the data alike.
struct ReshardPlan {
  llvm::SmallVector<ReshardStep, 0> steps;
  /// Sums over the steps.
  int64_t bytes = 0;
  double seconds = 0;
  /// See `peakBytesOf`.
  int64_t peakBytes = 0;

  /// Replays the steps on the sharding algebra: why they do not lead from the
  /// source to the target, or an empty string.
  std::string verify(const ReshardProblem &problem, const Mesh &mesh) const {
    return verify(problem, mesh, mesh);
  }
  std::string verify(const ReshardProblem &problem, const Mesh &mesh,
                     const Mesh &targetMesh) const;
  /// Prints the steps separated by `; `.
  void print(llvm::raw_ostream &os) const;
};

/// The most bytes that the operand and the result of one of `steps`, from the
/// source of `problem` on, and the pieces that arrive in between, have
/// together. A slice is a view of its operand and needs nothing.
int64_t peakBytesOf(llvm::ArrayRef<ReshardStep> steps,
                    const ReshardProblem &problem, const Mesh &mesh,
                    const Mesh &targetMesh);

/// Applies `step`, but for the sharding it claims to result in, permutations,
/// reassemblies and changes of the mesh (whose result is checked, not
/// computed), to `sharding`. Returns why it cannot be applied, or an empty
/// string.
std::string applyStep(const ReshardStep &step, const Mesh &mesh,
                      TensorSharding &sharding);

/// The plan that reduces and gathers everything and then slices: never better
/// than a searched one, and the measure of how much worse none is.
ReshardPlan gatherThenSlice(const ReshardProblem &problem, const Mesh &mesh,
                            const CollectiveCosts &costs);
ReshardPlan gatherThenSlice(const ReshardProblem &problem, const Mesh &mesh,
                            const CollectiveCosts &costs,
                            const Mesh &targetMesh);

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const ReshardStep &step);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const ReshardPlan &plan);

} // namespace tessera

#endif // TESSERA_SHARDING_RESHARD_RESHARDPLAN_H
