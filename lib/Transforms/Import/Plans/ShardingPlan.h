//===- ShardingPlan.h - how a user wants a model to be split ----*- C++ -*-===//
//
// What a plan file says (docs/plans.md), as data: rules in their order, and
// where in the file each thing stands. Nothing here knows of a model.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_PLANS_SHARDINGPLAN_H
#define TESSERA_TRANSFORMS_IMPORT_PLANS_SHARDINGPLAN_H

#include "PathPattern.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::importer {

/// A line and a column of the file, both from 1.
struct PlanPlace {
  unsigned line = 1, column = 1;
};

/// A name in the file: of a mesh axis, or of a logical one.
struct PlanName {
  std::string text;
  PlanPlace place;
};

/// How one dimension is to be split.
struct PlanDim {
  /// Logical names or mesh axes, from major to minor.
  std::vector<PlanName> axes;
  /// Whether propagation may split it further.
  bool open = false;
  /// Stands for all dimensions that the others leave over, whole.
  bool isRest = false;
  /// Shardy's priority; none counts as 0.
  std::optional<int64_t> priority;
};

/// What consuming operations do with the dimension that is split.
enum class StyleKind {
  Colwise,   ///< A free dimension of the product.
  Rowwise,   ///< The contracted one.
  Vocab,     ///< The one that is looked up; of a product a free one.
  Experts,   ///< The one that the product has as a batch.
  Sequence,  ///< None of a parameter; of rows the second.
  Replicate, ///< None.
};

/// A style over axes; none for `replicate` over all.
struct PlanStyle {
  StyleKind kind = StyleKind::Replicate;
  std::vector<PlanName> axes;
  /// How many matrices of equal meaning lie side by side in one.
  int64_t parts = 1;
  /// As the file has it.
  std::string text;
};

/// What a DTensor is on the devices along one mesh axis.
struct PlanPlacement {
  /// The axis; empty for the one at this position of the mesh.
  std::string axis;
  /// The dimension that is split; none for a replicated tensor.
  std::optional<int64_t> dim;
  /// Of a strided shard: how many blocks of later axes this one lies within.
  int64_t splitFactor = 1;
  PlanPlace place;
};

/// The largest dimension that divides, of tensors of at least some bytes.
struct PlanFsdp {
  std::vector<PlanName> axes;
  int64_t minBytes = 0;
};

/// What an argument or result is for.
enum class TensorRole { Weight, State, Batch, Result };

/// One rule; what it asks for is one of `spec`, `style`, `placements`, with
/// `fsdp` beside it or alone.
struct PlanRule {
  PathPattern match;
  std::optional<int64_t> rank;
  /// A size per dimension, -1 for any.
  std::optional<std::vector<int64_t>> shape;
  std::optional<TensorRole> role;
  /// Smaller tensors are left to later rules.
  int64_t minBytes = 0;
  std::optional<std::vector<PlanDim>> spec;
  std::optional<PlanStyle> style;
  std::optional<std::vector<PlanPlacement>> placements;
  std::optional<PlanFsdp> fsdp;
  PlanPlace place, action;
  /// What is asked for, in short, for the table.
  std::string text;
};

/// A wish for what a part of the model hands on.
struct PlanActivation {
  PathPattern scope;
  /// Which of the values that leave the scope, from 0; the last by default.
  std::optional<int64_t> result;
  std::vector<PlanDim> spec;
  PlanPlace place;
};

/// Parameters of a stage of a pipeline.
struct PlanStage {
  PathPattern match;
  int64_t stage = 0;
  PlanPlace place;
};

/// What becomes of parameters that no rule matches.
enum class PlanDefault { Open, Replicate, Fsdp, Error };

/// A logical axis: what is tried in turn, each a list of mesh axes.
struct LogicalAxis {
  PlanName name;
  std::vector<std::vector<PlanName>> candidates;
};

/// A mesh axis with its size.
struct PlanMeshAxis {
  PlanName name;
  int64_t size = 1;
};

/// A plan file. Rules are tried in order; the first that matches holds.
struct ShardingPlan {
  std::string path;
  std::vector<PlanMeshAxis> mesh;
  std::vector<LogicalAxis> axes;
  std::vector<PlanRule> rules;
  std::vector<PlanActivation> activations;
  std::vector<PlanStage> stages;
  PlanDefault otherwise = PlanDefault::Open;
  PlanFsdp otherwiseFsdp;
  PlanPlace otherwisePlace, meshPlace;
  /// The share of the parameters' bytes that may stay whole without a warning.
  double tolerance = 0.02;
};

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_PLANS_SHARDINGPLAN_H
