//===- ReshardPlanner.h - The cheapest way to reshard a tensor ------------===//
#ifndef TESSERA_SHARDING_RESHARD_RESHARDPLANNER_H
#define TESSERA_SHARDING_RESHARD_RESHARDPLANNER_H

#include "tessera/Sharding/Reshard/ReshardPlan.h"

#include <unordered_map>

namespace tessera {

/// What the planner may assume and must respect.
struct ReshardOptions {
  /// One entry per mesh axis, or none for the defaults.
  llvm::SmallVector<LinkCosts, 4> links;
  /// The most bytes that the operand and the result of one step may have
  /// together. Without a limit, what `gatherThenSlice` needs.
  std::optional<int64_t> memoryLimit;
  /// Whether axes that neither source nor target uses may help: a tensor that
  /// is replicated over a fast axis can be reduced over a slow one in parts,
  /// which are then gathered over the fast one.
  bool useIdleAxes = false;
};

/// The mesh of the source and the mesh of the target, over the same devices,
/// and what their links cost.
struct ReshardMeshes {
  Mesh source, target;
  CollectiveCosts sourceCosts, targetCosts;
  bool differ;

  const Mesh &mesh(unsigned number) const { return number ? target : source; }
  const CollectiveCosts &costs(unsigned number) const {
    return number ? targetCosts : sourceCosts;
  }
};

/// A plan, or the reason why there is none.
struct ReshardResult {
  std::optional<ReshardPlan> plan;
  std::string error;
};

/// Finds the cheapest sequence of collectives between two shardings of a tensor
/// on one mesh, and remembers what it has found.
///
/// **Idea.** Shardings are states, collectives are edges, the alpha-beta cost
/// of a collective is the length of its edge: the plan is a shortest path.
/// Nothing is a special case: gathering everything and slicing is one path
/// among others and is taken only when it is the shortest.
///
/// **States.** All axes that source or target use are cut into *atoms*, at the
/// boundaries of the sub-axes that source and target name. A state gives every
/// dimension an ordered list of atoms and names the unreduced atoms; over all
/// other atoms the tensor is replicated.
///
/// **Grids.** Atoms that can be used side by side make a *grid*, and a state
/// is on one grid. There are several where source and target cut one axis at
/// boundaries that do not divide each other (2*3 and 3*2), and where they are
/// on two meshes over the same devices, with other axes or another order of the
/// devices. What places data alike on two grids is one thing: it costs nothing
/// to go from one to the other (see `translate`).
///
/// **Edges.** `slice` appends a replicated atom to a dimension (free);
/// `all_gather` removes the minor-most atoms of one; `all_to_all` moves them to
/// another; `reduce_scatter` moves unreduced atoms to a dimension; `all_reduce`
/// makes them replicated; `permute` goes to any state, on any grid, that splits
/// each dimension, and the pending reduction, into as many parts as before,
/// because such a state differs only in which device holds which part;
/// `reassemble` goes to the dimensions of the target at once, by sending every
/// piece that a device lacks once (see `PieceRouting`), where nothing but
/// slices and reductions came before; and two free edges make replicated or
/// minor-most atoms unreduced that are so in the target (and only those: moving
/// data by sums with zeros would be cheap at times, but not keep the sign of a
/// zero). Only one step in many is a permutation, but there are many to choose
/// from; with more than four atoms only those are tried that give every changed
/// dimension the beginning of its target, and only exchanges that bring atoms
/// to dimensions that want them. A path changes the mesh once, wherever that is
/// cheapest.
///
/// **Search.** A* with an admissible bound: a device must at least receive the
/// part of its target block that it does not hold, and what is summed up. How
/// much it holds on average follows from the atoms of source and target without
/// looking at devices (see `ReshardBound`). Costs are whole picoseconds, so
/// that sums do not depend on their order, plus one per step, so that of
/// equally long paths the one with fewer steps wins; remaining ties are broken
/// by the order of generation. The result is a function of the problem alone. A
/// first search with a bound that is not admissible (four times the other, and
/// a little for every atom that is not in its place) finds a short path in few
/// states; what cannot be shorter is not even listed in the second.
///
/// **Finer atoms.** An axis of size 4 can trade places with one of size 2 only
/// in two pieces. A third search therefore cuts the atoms into primes (or, if
/// that makes more than six, at common divisors), looking only for paths
/// shorter than the one already found, in at most 300 states. Where all links
/// are alike, only atoms that trade places with others of another size are cut:
/// parts of the rest send as much as the whole.
///
/// **Limits.** Dimensions that do not divide stay as they are or are refused.
/// With up to four atoms the second search finds the shortest path, unless it
/// takes 5,000 states. With more its bound has a factor of 1.3, and it ends
/// after 600 states with the shortest path it has reached, or leaves what the
/// first one found; if that one, in up to four attempts with larger factors,
/// has found nothing, gathering and slicing remains.
class ReshardPlanner {
public:
  explicit ReshardPlanner(Mesh mesh, ReshardOptions options = {});
  /// For tensors that are sharded on `source` and wanted on `target`, two
  /// meshes over the same devices. `options.links` are those of `source`.
  ReshardPlanner(Mesh source, Mesh target, ReshardOptions options = {},
                 llvm::ArrayRef<LinkCosts> targetLinks = {});

  /// The cheapest plan for `problem`. The reference stays valid as long as the
  /// planner. Not thread-safe.
  const ReshardResult &plan(const ReshardProblem &problem);

  /// The mesh that the source is on, and mostly the target as well.
  const Mesh &getMesh() const { return meshes.source; }
  const Mesh &getTargetMesh() const { return meshes.target; }
  const CollectiveCosts &getCosts() const { return meshes.sourceCosts; }

private:
  ReshardResult solve(const ReshardProblem &problem) const;
  /// `naive` is what `gatherThenSlice` says.
  ReshardResult search(const ReshardProblem &problem, const ReshardPlan &naive,
                       int64_t memoryLimit) const;

  struct Hash {
    size_t operator()(const ReshardProblem &problem) const {
      return hash_value(problem);
    }
  };

  ReshardMeshes meshes;
  ReshardOptions options;
  std::unordered_map<ReshardProblem, ReshardResult, Hash> cache;
};

} // namespace tessera

#endif // TESSERA_SHARDING_RESHARD_RESHARDPLANNER_H
