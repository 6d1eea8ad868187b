//===- StagePartitionTerms.cpp - Integer costs of stages ------------------===//

#include "Cuts/StagePartitionTerms.h"

#include <algorithm>
#include <cmath>

using namespace tessera;

PartitionTerms::PartitionTerms(const StagePartitionProblem &problem)
    : problem(problem), usesOf(problem.blocks.size()),
      tiedOf(problem.blocks.size()), compute{0}, resident{0},
      rows(problem.blocks.size()) {
  chunks = problem.assignment.chunks();
  totalWeight = 0;
  for (const StageRoute &route : problem.assignment.routes)
    totalWeight += route.weight;
  bottleneckFactor = problem.microbatches * chunks - 1;
  if (problem.memoryLimit)
    memoryLimit = *problem.memoryLimit;
  chooseScale();

  for (const ChainBlock &block : problem.blocks) {
    compute.push_back(compute.back() + ticks(block.seconds()));
    resident.push_back(resident.back() + block.residentBytes);
  }
  for (const ChainValue &value : problem.values) {
    int32_t previous = value.from;
    transferOf.push_back(transferTerms(value));
    for (int32_t use : value.uses) {
      usesOf[use].push_back({value.from, previous, transferOf.back()});
      previous = use;
    }
  }
  for (size_t group = 0; group < problem.tied.size(); ++group) {
    int32_t previous = -1;
    onceOf.push_back(ticks(problem.latency + problem.tied[group].gradientBytes *
                                                 problem.secondsPerByte));
    for (int32_t block : problem.tied[group].blocks) {
      tiedOf[block].push_back({static_cast<int32_t>(group), previous});
      previous = block;
    }
  }
}

/// The finest tick with which no objective overflows.
void PartitionTerms::chooseScale() {
  double seconds = 0;
  for (const ChainBlock &block : problem.blocks)
    seconds += block.seconds();
  for (const ChainValue &value : problem.values)
    seconds += value.uses.size() *
               (2 * problem.latency + (static_cast<double>(value.forwardBytes) +
                                       value.backwardBytes) *
                                          problem.secondsPerByte);
  for (const TiedParameter &tied : problem.tied)
    seconds += problem.assignment.ranks *
               (problem.latency + tied.gradientBytes * problem.secondsPerByte);
  double factor = 4.0 * problem.microbatches * chunks * totalWeight;
  if (seconds > 0)
    ticksPerSecond =
        std::min(std::ldexp(1, 40), std::ldexp(1, 61) / factor) / seconds;
}

int64_t PartitionTerms::ticks(double seconds) const {
  return std::llround(seconds * ticksPerSecond);
}

TransferTerms PartitionTerms::transferTerms(const ChainValue &value) const {
  TransferTerms terms;
  terms.in = ticks(value.forwardBytes * problem.secondsPerByte);
  terms.out = ticks(value.backwardBytes * problem.secondsPerByte);
  terms.fill = terms.in + terms.out +
               ticks(problem.latency) *
                   ((value.forwardBytes > 0) + (value.backwardBytes > 0));
  return terms;
}

void PartitionTerms::append(StageTerms &terms, int32_t begin,
                            int32_t block) const {
  const ChainBlock &costs = problem.blocks[block];
  terms.compute += computeOf(block, block + 1);
  terms.residentBytes += costs.residentBytes;
  terms.activationBytes += costs.activationBytes;
  terms.weightGradientBytes += costs.weightGradientBytes;
  for (const ValueUse &use : usesOf[block])
    if (use.previous < begin)
      terms.transfer.add(use.terms, 1);
  for (const TiedUse &use : tiedOf[block])
    if (use.previous < begin) {
      terms.residentBytes += problem.tied[use.group].residentBytes;
      terms.once += onceOf[use.group];
    }
}

const StageTerms &PartitionTerms::stage(int32_t begin, int32_t end) {
  std::vector<StageTerms> &row = rows[begin];
  while (static_cast<int32_t>(row.size()) < end - begin) {
    StageTerms terms = row.empty() ? StageTerms() : row.back();
    append(terms, begin, begin + static_cast<int32_t>(row.size()));
    row.push_back(terms);
  }
  return row[end - begin - 1];
}
