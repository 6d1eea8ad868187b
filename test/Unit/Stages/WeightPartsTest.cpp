//===- WeightPartsTest.cpp - Tests of WeightParts -------------------------===//
#include "tessera/Stages/WeightParts.h"

#include "tessera/Stages/ScheduleCsv.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

StageSchedule read(const char *csv) {
  return readScheduleCsv(csv, "s.csv")->schedule;
}

/// Stage 0 has two parts, stage 1 has none.
StageCosts twoParts() {
  StageCosts costs = StageCosts::uniform(2);
  costs.stages[0].weightParts = {{0.5, 0, 0.5}, {0.5, 0, 0.5}};
  return costs;
}

TEST(WeightParts, TakesApartWhatHasParts) {
  StageSchedule apart = takeWeightsApart(
      read("0F0,0I0,0W0,0F1,0B1\n1F0,1I0,1W0,1F1,1B1\n"), twoParts());
  EXPECT_EQ(writeScheduleCsv(apart),
            "0F0,0I0,0W0.0,0W0.1,0F1,0B1\n1F0,1I0,1W0,1F1,1B1\n");
  EXPECT_EQ(takeWeightsApart(apart, twoParts()).ranks, apart.ranks);
}

TEST(WeightParts, JoinsWhatFollowsEachOther) {
  EXPECT_EQ(writeScheduleCsv(joinWeights(
                read("0F0,0F1,0I0,0W0.0,0W0.1,0I1,0W1.0,0F2,0W1.1,0I2,0W2.0,"
                     "0W2.1\n"))),
            "0F0,0F1,0I0,0W0,0I1,0W1.0,0F2,0W1.1,0I2,0W2\n");
}

} // namespace
