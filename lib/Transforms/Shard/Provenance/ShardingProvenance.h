//===- ShardingProvenance.h - where shardings came from -------------------===//
//
// Elsewhere: disjoint sets.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_PROVENANCE_SHARDINGPROVENANCE_H
#define TESSERA_TRANSFORMS_SHARD_PROVENANCE_SHARDINGPROVENANCE_H

#include "tessera/Dialect/Tessera/Provenance.h"

#include "mlir/Pass/AnalysisManager.h"

#include "llvm/ADT/DenseMap.h"
#include <string>

namespace tessera::shard {

/// How the axes of one function's shardings got where they are.
///
/// Propagation only ever adds axes, so that each axis of each slot has arrived
/// once: at an annotation, or through one node from one other slot. These
/// back-pointers form trees whose roots are annotations. An arrival also knows
/// its root and its depth, so that the story of an axis is told (the
/// annotation, and the last few operations) without walking all the way, in a
/// program of any depth.
///
/// An axis may be said by several annotations that agree: each of them would do
/// alone. Arrivals that have met along a node, whichever came first, are
/// therefore kept as one set (of a union-find forest), and the annotations in a
/// set are all causes of what is split there.
///
/// Names and locations are kept instead of operations, for these may be gone
/// when somebody asks; what is left of them is found by numbers.
class FunctionProvenance {
public:
  using Slot = unsigned;

  /// An annotation: `place` says what it is and where, `sharding` what it says.
  /// All its axes have arrived at `slot`.
  void addAnnotation(Slot slot, PlaceAttr place, ShardingAttr sharding);
  /// The user has constrained `value` to what is annotated at `slot`.
  void addConstraint(mlir::Value value, Slot slot) {
    constraints[value].push_back(annotationOfSlot.lookup(slot));
  }
  /// Something that shardings travel along. Nodes are numbered in this order.
  void addNode(llvm::StringRef what, mlir::Location loc) {
    nodes.push_back({what, loc});
  }
  /// `axis` has arrived in dimension `dim` of `slot` from `source`, through
  /// node number `node`.
  void addArrival(Slot slot, AxisName axis, unsigned dim, Slot source,
                  unsigned node);
  /// `axis` is at both slots, which a node splits together.
  void addMeeting(Slot a, Slot b, AxisName axis);
  /// Which values of `function` the slots belong to. Until `findValues` what
  /// makes them bears a number in its location: a value that is made in between
  /// may have the address of one that is gone.
  void setValues(mlir::Operation *function,
                 llvm::DenseMap<mlir::Value, Slot> slotsOfValues,
                 llvm::ArrayRef<Slot> slotsOfResults);
  /// Finds the values in what passes have left of `function`, and gives back
  /// the locations. Of an operation and its copies it is the first.
  void findValues(mlir::Operation *function);

  /// The slot of `value`; none for what was created after propagation. As of
  /// all that takes values, after `findValues`.
  std::optional<Slot> slotOf(mlir::Value value) const;
  std::optional<Slot> slotOfResult(unsigned result) const;
  /// Whether `axis` has arrived at `slot`.
  bool has(Slot slot, AxisName axis) const { return find(slot, axis); }
  /// The dimension in which it has; none where no dimension is split over it.
  std::optional<unsigned> dimOf(Slot slot, AxisName axis) const;
  /// What the user said about `slot`, if anything.
  OriginAttr annotationOf(Slot slot, AxisName axis, llvm::StringRef side) const;
  /// A constraint of `value` that does not have `axis`, if there is one.
  OriginAttr constraintOf(mlir::Value value, AxisName axis,
                          llvm::StringRef side) const;
  /// An annotation: what it is and where, and what it says.
  struct Annotation {
    PlaceAttr place;
    ShardingAttr sharding;
  };
  /// Annotations that are called the same but for the numbers of layers, in the
  /// order of propagation. Constraints are told apart by their places.
  struct Alike {
    std::string pattern, place;
    llvm::SmallVector<unsigned, 1> annotations;
  };
  /// The annotations each of which would have brought `axis` to `slot`, where
  /// it must have arrived; the one that `originOf` tells of is among them.
  /// Valid, and the same for all slots of one set, until more is added.
  const llvm::SmallVector<Alike, 0> &causesOf(Slot slot, AxisName axis) const;
  const Annotation &annotation(unsigned number) const {
    return annotations[number];
  }
  /// The story of `axis` at `slot`, where it must have arrived.
  OriginAttr originOf(Slot slot, AxisName axis, llvm::StringRef side) const;
  /// How many of the operations behind an annotation a story names.
  static constexpr unsigned kMaxSteps = 4;
  /// `story` some operations later: behind `skipped` ones and `steps`, which
  /// are as many as a story names or are all.
  static OriginAttr behind(OriginAttr story, llvm::ArrayRef<PlaceAttr> steps,
                           unsigned skipped);

private:
  struct Node {
    llvm::StringRef what;
    mlir::Location loc;
  };
  struct Arrival {
    AxisName axis;
    unsigned annotation;
    std::optional<unsigned> dim;
    /// The number of nodes between the annotation and here; the last of them
    /// and the slot before it, if there is any.
    unsigned depth = 0, node = 0, source = 0;
    /// Its number among all arrivals.
    unsigned number = 0;
  };

  OriginAttr describe(const Annotation &annotation, AxisName axis,
                      llvm::StringRef side) const;
  const Arrival *find(Slot slot, AxisName axis) const;
  void add(Slot slot, Arrival arrival);
  unsigned setOf(unsigned arrival) const;

  llvm::SmallVector<Annotation, 0> annotations;
  llvm::DenseMap<Slot, unsigned> annotationOfSlot;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 1>> constraints;
  llvm::SmallVector<Node, 0> nodes;
  llvm::SmallVector<llvm::SmallVector<Arrival, 2>, 0> arrivals;
  /// By number of the arrival: another one of its set, in the end the one that
  /// stands for it. Looking up makes the ways shorter.
  mutable llvm::SmallVector<unsigned, 0> sets;
  /// The arrivals at annotations, with what they are at.
  struct Cause {
    unsigned arrival, annotation;
  };
  llvm::SmallVector<Cause, 0> causes;
  /// By the arrival that stands for the set: its causes, of which a deep
  /// program has thousands and movements ask as often. Made when one asks.
  mutable llvm::DenseMap<unsigned, llvm::SmallVector<Alike, 0>> causesOfSets;
  llvm::DenseMap<mlir::Value, Slot> values;
  llvm::SmallVector<Slot> results;
  /// By number: an operation that had slots, and its results; or, without a
  /// name, an argument of a region.
  struct Numbered {
    llvm::StringRef name;
    llvm::SmallVector<mlir::Value, 1> values;
  };
  llvm::SmallVector<Numbered, 0> numbered;
};

/// The provenance of all functions of a module. Propagation fills this
/// analysis, and `tessera-record-provenance` writes it into the program; it
/// stays valid in between because it only speaks of what propagation saw.
class ShardingProvenance {
public:
  explicit ShardingProvenance(mlir::Operation *) {}
  bool isInvalidated(const mlir::AnalysisManager::PreservedAnalyses &) {
    return false;
  }

  void set(mlir::Operation *function, FunctionProvenance provenance) {
    functions[function] = std::move(provenance);
  }
  /// What is known of `function`; null where propagation has not seen it.
  FunctionProvenance *lookup(mlir::Operation *function) {
    auto entry = functions.find(function);
    return entry == functions.end() ? nullptr : &entry->second;
  }

private:
  llvm::DenseMap<mlir::Operation *, FunctionProvenance> functions;
};

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_PROVENANCE_SHARDINGPROVENANCE_H
