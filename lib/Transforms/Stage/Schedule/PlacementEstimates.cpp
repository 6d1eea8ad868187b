//===- PlacementEstimates.cpp - what a step would cost before it is cut ---===//

#include "Schedule/PlacementEstimates.h"

#include "Arguments/UnstackArguments.h"
#include "Cut/ForwardStages.h"
#include "Schedule/StageMeasures.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

/// Which part of the memory that is estimated a rank needs for certain: nothing
/// is to be left out for memory that it does not need.
static constexpr double kSurelyHeld = 0.75;

PlacementEstimates::PlacementEstimates(ModuleOp original, int64_t ranks,
                                       int64_t memoryLimit)
    : module(original.clone()), mesh(*getOnlyMesh(*module)), ranks(ranks),
      memoryLimit(memoryLimit), costs(mesh), links(mesh) {
  auto main = module->lookupSymbol<func::FuncOp>("main");
  pipe::Step step = *pipe::Step::find(main);
  DenseSet<Operation *> boundary = unstackArguments(main, step.getLoop());
  program.emplace(step, boundary);
  checkpoints.emplace(*program);
  whole.emplace(*program, *checkpoints, costs);
}

/// The chain that is cut for `schedule`; null where the step has no output
/// layer to spread.
const ForwardChain *
PlacementEstimates::chainFor(const PublishedSchedule &schedule) {
  if (!schedule.spreadsVocabulary)
    return &*whole;
  if (!isSearched) {
    isSearched = true;
    layer = VocabularyLayer::find(*program);
    if (layer && failed(layer->prepare(costs.getMesh(), ranks)))
      layer.reset();
    if (layer)
      spread.emplace(*program, *checkpoints, costs,
                     [&](Operation *op) { return layer->isPart(op); });
  }
  return layer ? &*spread : nullptr;
}

/// Adds what passes between the blocks of `problem`, which are the stages.
void PlacementEstimates::placeOnLinks(const StagePartitionProblem &problem,
                                      SearchPlacement &placement) const {
  std::vector<BoundaryCost> bytes = std::move(placement.costs.boundaries);
  placement.costs.boundaries.assign(bytes.size(), {});
  placeBoundaries(bytes, links,
                  routesOf(placement.placement, ranks, problem.blocks.size()),
                  placement.costs);
}

/// Adds a rank's part of the output layer. With one meeting the cotangent of
/// what goes into it comes before that, with two behind the first.
void PlacementEstimates::addVocabulary(SearchPlacement &placement) {
  StageCost part{0, 0, 0, std::nullopt, 0, 0, 0, 0, 0, {}};
  double meeting = 0;
  for (Operation *op : program->getOperations()) {
    if (!layer->isPart(op))
      continue;
    bool givesCotangent = isa<DotGeneralOp>(op) &&
                          program->is(op, Placement::Backward) &&
                          layer->partialKind(op->getResult(0));
    bool isEarly = program->is(op, Placement::Forward) ||
                   (givesCotangent && placement.vocabularyMeetings == 1);
    (isEarly ? part.vocabularyForward : part.vocabularyBackward) +=
        costs.seconds(op) / ranks;
    for (Value result : op->getResults())
      if (layer->partialKind(result))
        meeting = std::max(meeting, double(spread->sentBytes(result)));
      else if (isa<DotGeneralOp>(op) && program->is(op, Placement::Forward))
        part.vocabularyActivation += double(costs.bytes(result)) / ranks;
    for (Value read : program->readsOf(op))
      if (isa<DotGeneralOp>(op) && program->is(op, Placement::Forward))
        for (Value parameter : program->parametersOf(read))
          part.parameters += 2.0 * costs.bytes(parameter) / ranks;
  }
  LinkCosts slowest = links.among(ranks);
  placement.costs.vocabularyMeeting =
      slowest.latency + meeting / slowest.bandwidth;
  // Parts are numbered as ranks are.
  for (StageCost &stage :
       llvm::MutableArrayRef(placement.costs.stages).take_front(ranks)) {
    stage.vocabularyForward = part.vocabularyForward;
    stage.vocabularyBackward = part.vocabularyBackward;
    stage.vocabularyActivation = part.vocabularyActivation;
    stage.parameters += part.parameters;
  }
}

/// What ranks that have the same stages take to add up their gradients.
double
PlacementEstimates::exchangeSeconds(const SearchPlacement &placement) const {
  std::vector<double> seconds(ranks, 0);
  std::vector<StageRoute> routes =
      routesOf(placement.placement, ranks, placement.costs.stages.size());
  for (const StageRoute &route : ArrayRef(routes).drop_front())
    for (auto [stage, cost] : llvm::enumerate(placement.costs.stages)) {
      int32_t one = routes.front().ranks[stage], other = route.ranks[stage];
      double bytes = cost.parameters / factors.parameters / kSurelyHeld / 2;
      double taken = bytes / links.between(one, other).bandwidth;
      seconds[one] += taken;
      seconds[other] += taken;
    }
  return *llvm::max_element(seconds);
}

std::optional<SearchPlacement> PlacementEstimates::estimate(StringRef name) {
  const PublishedSchedule &published =
      *findSchedule({name.data(), name.size()});
  const ForwardChain *chain = chainFor(published);
  if (!chain || chain->getLinks().empty())
    return std::nullopt;
  FailureOr<StageSchedule> schedule =
      findScheduleToCutFor(*program, *chain, ranks, name);
  if (failed(schedule))
    return std::nullopt;
  FailureOr<SmallVector<int64_t>> cuts =
      chooseCuts(*program, *chain, *schedule, links, memoryLimit);
  if (failed(cuts) || int64_t(cuts->size()) + 1 != schedule->stages)
    return std::nullopt;

  // Each stage as one block; transfers in bytes for now.
  StagePartitionProblem problem = chain->makeProblem(*cuts);
  problem.secondsPerByte = 1;
  StagePartition stages;
  llvm::append_range(stages.begins,
                     llvm::seq_inclusive<int32_t>(0, schedule->stages));
  SearchPlacement placement;
  placement.placement = published.placement;
  placement.chunks = schedule->stages / ranks;
  placement.vocabularyMeetings = schedule->vocabularyMeetings;
  placement.costs = problem.stageCosts(stages);
  placeOnLinks(problem, placement);
  SmallVector<double> early = chain->inputGradientSeconds(*cuts);
  for (auto [cost, seconds] : llvm::zip_equal(placement.costs.stages, early)) {
    cost.weightGradient =
        std::max(0.0, cost.inputGradient - seconds) * factors.weightGradient;
    cost.inputGradient = seconds * factors.inputGradient;
    cost.forward *= factors.forward;
    cost.weightInput = cost.activation * factors.weightInput * kSurelyHeld;
    cost.activation *= factors.activation * kSurelyHeld;
  }
  if (placement.vocabularyMeetings)
    addVocabulary(placement);
  for (StageCost &cost : placement.costs.stages)
    cost.parameters *= factors.parameters * kSurelyHeld;
  placement.once = once + exchangeSeconds(placement);
  return placement;
}

void PlacementEstimates::calibrate(const SearchPlacement &estimated,
                                   const SearchPlacement &measured) {
  auto factor = [&](double StageCost::*cost) {
    double guess = 0, truth = 0;
    for (const StageCost &stage : estimated.costs.stages)
      guess += stage.*cost;
    for (const StageCost &stage : measured.costs.stages)
      truth += stage.*cost;
    return guess > 0 && truth > 0 ? truth / guess : 1.0;
  };
  factors.forward *= factor(&StageCost::forward);
  factors.inputGradient *= factor(&StageCost::inputGradient);
  factors.weightGradient *= factor(&StageCost::weightGradient);
  factors.activation *= factor(&StageCost::activation);
  factors.weightInput *= factor(&StageCost::weightInput);
  factors.parameters *= factor(&StageCost::parameters);
  once += measured.once - estimated.once;
}
