//===- PlacementEstimates.h - what a step would cost before it is cut -----===//
#ifndef TESSERA_TRANSFORMS_STAGE_SCHEDULE_PLACEMENTESTIMATES_H
#define TESSERA_TRANSFORMS_STAGE_SCHEDULE_PLACEMENTESTIMATES_H

#include "Cut/ForwardChain.h"
#include "Vocabulary/VocabularyLayer.h"

#include "tessera/Stages/Search/ScheduleSearch.h"
#include "tessera/Transforms/Stage/Costs/RankLinks.h"

#include "mlir/IR/OwningOpRef.h"

namespace tessera::stage {

/// Estimates what the tasks of a step would cost under one placement or
/// another, without cutting it.
///
/// The cuts are those that the passes would make (`chooseCuts`). What the tasks
/// between them take follows from the chain: a forward task its operations, an
/// input gradient what earlier stages wait for of the derivatives of these
/// operations, a weight gradient the others. Of an output layer that is spread
/// over the ranks each has an equal part. Not known are what is computed again
/// instead of kept, what moves between the two gradients, what the optimizer
/// holds: this depends on layers rather than on where they are, so one step
/// that has been cut gives the factors for all (`calibrate`).
class PlacementEstimates {
public:
  /// Of the step in `module` on `ranks` pipeline ranks of at most `memoryLimit`
  /// bytes (0 for no limit). Looks at a copy of it. A loop over microbatches is
  /// required, and that layers are unrolled.
  PlacementEstimates(mlir::ModuleOp module, int64_t ranks, int64_t memoryLimit);

  /// What the step would cost if it was cut for the published schedule `name`;
  /// nothing where it cannot be.
  std::optional<SearchPlacement> estimate(llvm::StringRef name);
  /// Multiplies what is estimated from now on, such that `estimated` would have
  /// been what a cut gave: `measured`, of as many stages.
  void calibrate(const SearchPlacement &estimated,
                 const SearchPlacement &measured);

private:
  /// What estimates are multiplied by.
  struct Factors {
    double forward = 1, inputGradient = 1, weightGradient = 1;
    double activation = 1, weightInput = 1, parameters = 1;
  };

  const ForwardChain *chainFor(const PublishedSchedule &schedule);
  void placeOnLinks(const StagePartitionProblem &problem,
                    SearchPlacement &placement) const;
  void addVocabulary(SearchPlacement &placement);
  double exchangeSeconds(const SearchPlacement &placement) const;

  mlir::OwningOpRef<mlir::ModuleOp> module;
  MeshOp mesh;
  int64_t ranks, memoryLimit;
  OperationCosts costs;
  RankLinks links;
  std::optional<StepProgram> program;
  std::optional<Checkpoints> checkpoints;
  /// With the whole step, and without the output layer.
  std::optional<ForwardChain> whole, spread;
  std::optional<VocabularyLayer> layer;
  bool isSearched = false;
  Factors factors;
  /// Seconds of what runs once per step.
  double once = 0;
};

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_SCHEDULE_PLACEMENTESTIMATES_H
