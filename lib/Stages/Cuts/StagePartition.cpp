//===- StagePartition.cpp - Where a model is cut into stages --------------===//

#include "tessera/Stages/Cuts/StagePartition.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

using namespace tessera;

double PartitionCost::busiest() const {
  return busy.empty() ? 0 : *std::max_element(busy.begin(), busy.end());
}

int64_t PartitionCost::peakMemory() const {
  return memory.empty() ? 0 : *std::max_element(memory.begin(), memory.end());
}

double PartitionCost::balance() const {
  if (compute.empty())
    return 1;
  double most = *std::max_element(compute.begin(), compute.end());
  double sum = std::accumulate(compute.begin(), compute.end(), 0.0);
  return most > 0 ? sum / static_cast<double>(compute.size()) / most : 1;
}

//===----------------------------------------------------------------------===//
// Is the input sensible?
//===----------------------------------------------------------------------===//

namespace {

std::optional<std::string> checkBlocks(const StagePartitionProblem &problem) {
  if (problem.blocks.empty())
    return "expected at least one block";
  for (size_t i = 0; i < problem.blocks.size(); ++i) {
    const ChainBlock &block = problem.blocks[i];
    if (!(block.forward >= 0 && block.inputGradient >= 0 &&
          block.weightGradient >= 0) ||
        block.residentBytes < 0 || block.activationBytes < 0 ||
        block.weightGradientBytes < 0)
      return "block " + std::to_string(i) + " has a negative cost";
  }
  if (!(problem.secondsPerByte >= 0 && problem.latency >= 0))
    return "transfers have a negative cost";
  if (problem.microbatches < 1)
    return "expected at least one microbatch, got " +
           std::to_string(problem.microbatches);
  return std::nullopt;
}

/// Whether `blocks` ascend strictly and lie within [first, end).
bool ascend(const std::vector<int32_t> &blocks, int32_t first, int32_t end) {
  for (int32_t block : blocks) {
    if (block < first || block >= end)
      return false;
    first = block + 1;
  }
  return true;
}

std::optional<std::string> checkValues(const StagePartitionProblem &problem) {
  int32_t count = static_cast<int32_t>(problem.blocks.size());
  for (size_t i = 0; i < problem.values.size(); ++i) {
    const ChainValue &value = problem.values[i];
    if (value.from < 0 || !ascend(value.uses, value.from + 1, count))
      return "value " + std::to_string(i) +
             " is not used by blocks after its own, in ascending order";
    if (value.forwardBytes < 0 || value.backwardBytes < 0)
      return "value " + std::to_string(i) + " has negative bytes";
  }
  for (size_t i = 0; i < problem.tied.size(); ++i) {
    const TiedParameter &tied = problem.tied[i];
    if (tied.blocks.size() < 2 || !ascend(tied.blocks, 0, count))
      return "tied parameter " + std::to_string(i) +
             " is not of two blocks or more, in ascending order";
    if (tied.residentBytes < 0 || tied.gradientBytes < 0)
      return "tied parameter " + std::to_string(i) + " has negative bytes";
  }
  return std::nullopt;
}

/// Why `assignment` makes no sense; nothing if it does.
std::optional<std::string> checkAssignment(const StageAssignment &assignment) {
  if (assignment.stages < 1 || assignment.ranks < 1 ||
      assignment.routes.empty())
    return "expected at least one stage, rank and route";
  std::vector<bool> used(assignment.ranks);
  for (const StageRoute &route : assignment.routes) {
    if (static_cast<int32_t>(route.ranks.size()) != assignment.stages)
      return "expected a rank for each of " +
             std::to_string(assignment.stages) + " stages, got " +
             std::to_string(route.ranks.size());
    if (route.weight < 1)
      return "a route has no microbatches";
    for (int32_t rank : route.ranks) {
      if (rank < 0 || rank >= assignment.ranks)
        return "expected a rank below " + std::to_string(assignment.ranks) +
               ", got " + std::to_string(rank);
      used[rank] = true;
    }
  }
  for (int32_t rank = 0; rank < assignment.ranks; ++rank)
    if (!used[rank])
      return "rank " + std::to_string(rank) + " has no stage";
  if (!assignment.moments.empty() &&
      static_cast<int32_t>(assignment.moments.size()) != assignment.ranks)
    return "expected the moments of each of " +
           std::to_string(assignment.ranks) + " ranks, got " +
           std::to_string(assignment.moments.size());
  for (const auto &moments : assignment.moments)
    for (const std::vector<StageLoad> &moment : moments)
      for (const StageLoad &load : moment)
        if (load.stage < 0 || load.stage >= assignment.stages)
          return "expected a stage below " + std::to_string(assignment.stages) +
                 ", got " + std::to_string(load.stage);
  return std::nullopt;
}

} // namespace

std::optional<std::string> StagePartitionProblem::check() const {
  if (std::optional<std::string> error = checkBlocks(*this))
    return error;
  if (std::optional<std::string> error = checkValues(*this))
    return error;
  return checkAssignment(assignment);
}

//===----------------------------------------------------------------------===//
// What does a partition cost?
//===----------------------------------------------------------------------===//

namespace {

/// The costs of a partition, one term after the other and as they are defined;
/// what is fast stands in StagePartitioner.cpp.
class Evaluation {
public:
  Evaluation(const StagePartitionProblem &problem,
             const StagePartition &partition)
      : problem(problem), assignment(problem.assignment), partition(partition) {
    for (int32_t stage = 0; stage < partition.stages(); ++stage)
      stageOf.insert(stageOf.end(),
                     partition.begins[stage + 1] - partition.begins[stage],
                     stage);
    for (const StageRoute &route : assignment.routes)
      totalWeight += route.weight;
  }

  PartitionCost run() {
    cost.compute.assign(assignment.ranks, 0);
    received.assign(assignment.ranks, 0);
    sent.assign(assignment.ranks, 0);
    for (const StageRoute &route : assignment.routes)
      addRoute(route.ranks, static_cast<double>(route.weight) / totalWeight);
    for (int32_t rank = 0; rank < assignment.ranks; ++rank)
      cost.busy.push_back(
          std::max({cost.compute[rank], received[rank], sent[rank]}));
    addMemory();
    addTied();
    double chunks = assignment.chunks();
    double fill = cost.transfer;
    for (double seconds : cost.compute)
      fill += seconds;
    cost.step = (problem.microbatches - 1 / chunks) * cost.busiest() +
                fill / chunks + cost.once;
    return std::move(cost);
  }

private:
  void addRoute(const std::vector<int32_t> &rankOf, double share) {
    for (size_t block = 0; block < problem.blocks.size(); ++block)
      cost.compute[rankOf[stageOf[block]]] +=
          share * problem.blocks[block].seconds();
    for (const ChainValue &value : problem.values) {
      int32_t source = rankOf[stageOf[value.from]];
      int32_t last = stageOf[value.from];
      for (int32_t use : value.uses) {
        int32_t stage = stageOf[use];
        if (stage == last)
          continue;
        last = stage;
        if (rankOf[stage] != source)
          addTransfer(value, rankOf[stage], share);
      }
    }
  }

  void addTransfer(const ChainValue &value, int32_t user, double share) {
    double in = value.forwardBytes * problem.secondsPerByte;
    double out = value.backwardBytes * problem.secondsPerByte;
    received[user] += share * in;
    sent[user] += share * out;
    cost.transfer += share * (in + out);
    cost.transfer += share * problem.latency *
                     ((value.forwardBytes > 0) + (value.backwardBytes > 0));
  }

  void addMemory() {
    std::vector<std::vector<int32_t>> stagesOf = assignment.stagesOfRanks();
    for (int32_t rank = 0; rank < assignment.ranks; ++rank) {
      int64_t resident = 0, most = 0;
      for (int32_t stage : stagesOf[rank])
        resident += sum(stage, &ChainBlock::residentBytes);
      if (!assignment.moments.empty())
        for (const std::vector<StageLoad> &moment : assignment.moments[rank]) {
          int64_t bytes = 0;
          for (const StageLoad &load : moment)
            bytes += load.activations *
                         sum(load.stage, &ChainBlock::activationBytes) +
                     load.weightGradients *
                         sum(load.stage, &ChainBlock::weightGradientBytes);
          most = std::max(most, bytes);
        }
      cost.memory.push_back(resident + most);
    }
  }

  int64_t sum(int32_t stage, int64_t ChainBlock::*bytes) const {
    int64_t total = 0;
    for (int32_t i = partition.begins[stage]; i < partition.begins[stage + 1];
         ++i)
      total += problem.blocks[i].*bytes;
    return total;
  }

  void addTied() {
    for (const TiedParameter &tied : problem.tied) {
      std::vector<bool> holds(assignment.ranks);
      for (int32_t block : tied.blocks)
        for (const StageRoute &route : assignment.routes)
          holds[route.ranks[stageOf[block]]] = true;
      auto copies = std::count(holds.begin(), holds.end(), true);
      cost.once +=
          static_cast<double>(copies - 1) *
          (problem.latency + tied.gradientBytes * problem.secondsPerByte);
      for (int32_t rank = 0; rank < assignment.ranks; ++rank)
        if (holds[rank])
          cost.memory[rank] += tied.residentBytes;
    }
  }

  const StagePartitionProblem &problem;
  const StageAssignment &assignment;
  const StagePartition &partition;
  std::vector<int32_t> stageOf;
  double totalWeight = 0;
  std::vector<double> received, sent;
  PartitionCost cost;
};

} // namespace

PartitionCost
StagePartitionProblem::evaluate(const StagePartition &partition) const {
  return Evaluation(*this, partition).run();
}

/// The part of stageCosts that follows from the blocks of `stage`.
static StageCost costOfBlocks(const StagePartitionProblem &problem,
                              int32_t begin, int32_t end) {
  StageCost cost{0, 0, 0, std::nullopt, 0, 0, 0, 0, 0, {}};
  for (int32_t i = begin; i < end; ++i) {
    const ChainBlock &block = problem.blocks[i];
    cost.forward += block.forward;
    cost.inputGradient += block.inputGradient;
    cost.weightGradient += block.weightGradient;
    cost.activation += static_cast<double>(block.activationBytes);
    cost.weightInput += static_cast<double>(block.weightGradientBytes);
    cost.parameters += static_cast<double>(block.residentBytes);
  }
  for (const TiedParameter &tied : problem.tied) {
    auto member = llvm::lower_bound(tied.blocks, begin);
    if (member != tied.blocks.end() && *member < end)
      cost.parameters += static_cast<double>(tied.residentBytes);
  }
  return cost;
}

StageCosts
StagePartitionProblem::stageCosts(const StagePartition &partition) const {
  StageCosts costs;
  const std::vector<int32_t> &begins = partition.begins;
  for (int32_t stage = 0; stage < partition.stages(); ++stage)
    costs.stages.push_back(
        costOfBlocks(*this, begins[stage], begins[stage + 1]));
  costs.boundaries.resize(partition.stages() - 1);
  for (int32_t stage = 1; stage < partition.stages(); ++stage) {
    BoundaryCost &boundary = costs.boundaries[stage - 1];
    for (const ChainValue &value : values) {
      auto use = llvm::lower_bound(value.uses, begins[stage]);
      if (value.from < begins[stage - 1] || value.from >= begins[stage] ||
          use == value.uses.end() || *use >= begins[stage + 1])
        continue;
      boundary.forward += value.forwardBytes * secondsPerByte;
      boundary.backward += value.backwardBytes * secondsPerByte;
    }
    boundary.forward += latency;
    boundary.backward += latency;
  }
  return costs;
}

std::optional<std::string>
StagePartitionProblem::verify(const StagePartition &partition) const {
  if (partition.stages() != assignment.stages)
    return "expected " + std::to_string(assignment.stages) + " stages, got " +
           std::to_string(partition.stages());
  if (partition.begins.front() != 0 ||
      partition.begins.back() != static_cast<int32_t>(blocks.size()))
    return "the stages do not cover all blocks";
  for (int32_t stage = 0; stage < partition.stages(); ++stage)
    if (partition.begins[stage] >= partition.begins[stage + 1])
      return "stage " + std::to_string(stage) + " has no block";
  if (!memoryLimit)
    return std::nullopt;
  PartitionCost cost = evaluate(partition);
  for (size_t rank = 0; rank < cost.memory.size(); ++rank)
    if (cost.memory[rank] > *memoryLimit)
      return "rank " + std::to_string(rank) + " needs " +
             std::to_string(cost.memory[rank]) + " bytes, limit " +
             std::to_string(*memoryLimit);
  return std::nullopt;
}
