//===- CollectiveTablesTest.cpp - Measured collectives, and predicted -----===//
//
// Published times of collectives against what the machines that ship predict.
// Each test prints its table: measured, predicted, error. Sizes are in units of
// 2^20 bytes, times in microseconds.
//
//===----------------------------------------------------------------------===//

#include "tessera/Support/GroupLinks.h"
#include "tessera/Support/MachineDescription.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace tessera;

namespace {

constexpr int64_t kMiB = 1 << 20;

/// The links of `members` devices of a machine that ships, every `stride`-th.
GroupLinks linksOf(const char *machine, int64_t members, int64_t stride = 1) {
  Fallible<MachineDescription> described = readMachineFile(machine);
  EXPECT_TRUE(described) << described.message();
  std::vector<NetworkLevel> levels;
  for (const LinkDescription &level : described->levels)
    levels.push_back(
        {level.devices, level.latency, level.bandwidth, level.details});
  std::vector<int64_t> devices;
  for (int64_t i = 0; i < members; ++i)
    devices.push_back(i * stride);
  return linksAmong(levels, devices);
}

/// Measured and predicted seconds, and how far they are apart.
class Errors {
public:
  void add(const char *what, int64_t members, double size, double measured,
           double predicted) {
    double error = predicted / measured - 1;
    std::printf("%-16s %4lld %8g MiB %10.1f us %10.1f us %+6.1f%%\n", what,
                static_cast<long long>(members), size, measured, predicted,
                100 * error);
    errors.push_back(std::abs(error));
  }
  double mean() const {
    double sum = 0;
    for (double error : errors)
      sum += error;
    return sum / double(errors.size());
  }
  double worst() const { return *std::ranges::max_element(errors); }

private:
  std::vector<double> errors;
};

/// All-reduces inside of a DGX A100, as published with vTrain.
TEST(CollectiveTables, OfAllReducesInANodeOfA100s) {
  struct Row {
    int64_t members;
    double times[11];
  } rows[] = {
      {2, {45.1, 51.1, 60.3, 87.4, 129, 229, 404, 766, 1454, 2833, 5453}},
      {4, {52.7, 55.9, 75.8, 114, 178, 282, 541, 1001, 1928, 3721, 7276}},
      {8, {92.2, 93.0, 94.0, 130, 231, 356, 580, 1166, 2158, 4188, 8196}}};
  Errors errors;
  for (const Row &row : rows)
    for (int i = 0; i < 11; ++i)
      errors.add("all_reduce", row.members, 1 << i, row.times[i],
                 1e6 * linksOf("a100x8", row.members)
                           .seconds(CollectiveKind::AllReduce, row.members,
                                    kMiB << i));
  std::printf("mean %.1f%%, worst %.1f%%\n", 100 * errors.mean(),
              100 * errors.worst());
  EXPECT_LE(errors.mean(), 0.05);
  EXPECT_LE(errors.worst(), 0.25);
}

/// The shares of the NICs' line rate that rings reach, as published with SimAI:
/// by size for 2, 4, ... nodes of eight.
TEST(CollectiveTables, OfTheRatesBetweenNodes) {
  struct Row {
    double size;
    std::vector<double> shares;
  } rows[] = {{16, {.32, .24, .13, .05, .044, .021, .0087}},
              {128, {.67, .67, .54, .38, .205, .107, .053}},
              {1024, {.92, .93, .90, .76, .74, .56, .31}},
              {8192, {.95, .96, .96, .96, .95, .91, .76}}};
  double sum = 0, worst = 0;
  for (const Row &row : rows)
    for (size_t i = 0; i < row.shares.size(); ++i) {
      int64_t members = 8 * (int64_t(2) << i);
      double sent = double(bytesSent(CollectiveKind::AllReduce, members,
                                     int64_t(row.size) * kMiB));
      double share = sent / 200e9 /
                     linksOf("a100x8", members)
                         .seconds(CollectiveKind::AllReduce, members,
                                  int64_t(row.size) * kMiB);
      std::printf(
          "%8g MiB %4lld nodes: %.3f of the line rate, predicted %.3f\n",
          row.size, static_cast<long long>(members / 8), row.shares[i], share);
      sum += std::abs(share - row.shares[i]);
      worst = std::max(worst, std::abs(share - row.shares[i]));
    }
  std::printf("mean difference %.3f, worst %.3f\n", sum / 28, worst);
  EXPECT_LE(sum / 28, 0.025);
  EXPECT_LE(worst, 0.15);
}

/// The tables of H100s that come with autoparallel's simulator. Sizes are those
/// of the shard for gathers, and of the operand for sums; those between nodes
/// fit 32 nodes with one member each.
TEST(CollectiveTables, OfH100s) {
  struct Row {
    const char *what;
    CollectiveKind kind;
    int64_t members, stride;
    double times[3]; // of 1, 16 and 128 MiB
  } rows[] = {
      {"all_reduce", CollectiveKind::AllReduce, 8, 1, {28, 129, 708}},
      {"all_gather", CollectiveKind::AllGather, 8, 1, {50, 358, 2640}},
      {"reduce_scatter",
       CollectiveKind::ReduceScatter,
       32,
       8,
       {211, 646, 3150}},
      {"all_gather", CollectiveKind::AllGather, 32, 8, {1010, 11300, 87000}}};
  Errors errors;
  for (const Row &row : rows)
    for (int i = 0; i < 3; ++i) {
      int64_t size = i == 0 ? 1 : i == 1 ? 16 : 128;
      errors.add(row.what, row.members, double(size), row.times[i],
                 1e6 * linksOf("h100x8", row.members, row.stride)
                           .seconds(row.kind, row.members, size * kMiB));
    }
  std::printf("mean %.1f%%, worst %.1f%%\n", 100 * errors.mean(),
              100 * errors.worst());
  EXPECT_LE(errors.mean(), 0.07);
  EXPECT_LE(errors.worst(), 0.25);
}

/// A node's only NIC is shared by all of its devices.
TEST(SharedLinks, AreSplitAmongTheDevicesOfANode) {
  std::vector<NetworkLevel> levels = {{4, 0, 100, {}}, {0, 0, 8, {}}};
  std::vector<int64_t> pair = {0, 4}, all = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(linksAmong(levels, pair).ringBandwidth, 8);
  EXPECT_EQ(linksAmong(levels, all).ringBandwidth, 32);
  levels[1].details.links = 1;
  EXPECT_EQ(linksAmong(levels, pair).ringBandwidth, 2);
  EXPECT_EQ(linksAmong(levels, pair).bandwidth, 2);
  EXPECT_EQ(linksAmong(levels, all).ringBandwidth, 8);
}

/// Twice the ring takes twice as long until its links are full.
TEST(HalfSaturation, CountsThePlacesOfARing) {
  std::vector<NetworkLevel> levels = {{0, 0, 100, {3, 200, 50, 0}}};
  std::vector<int64_t> four = {0, 1, 2, 3};
  GroupLinks links = linksAmong(levels, four);
  // A launch, and to each of three others twice a hop of 2 seconds.
  EXPECT_EQ(links.latencySeconds(CollectiveKind::AllReduce, 4), 3 + 2 * 3 * 2);
  EXPECT_EQ(links.latencySeconds(CollectiveKind::AllGather, 4), 3 + 3 * 2);
  EXPECT_EQ(links.messageLatency(), 3 + 2);
  // 600 bytes sent at 100, and a chunk of 100 moved at 50.
  EXPECT_EQ(links.transferSeconds(CollectiveKind::AllReduce, 4, 600), 6 + 2);
}

} // namespace
