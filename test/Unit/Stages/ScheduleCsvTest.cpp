//===- ScheduleCsvTest.cpp - Tests of ScheduleCsv -------------------------===//
#include "tessera/Stages/ScheduleCsv.h"

#include "tessera/Stages/Schedules/ScheduleGenerators.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

std::string errorOf(const std::string &text) {
  Fallible<ScheduleFromFile> read = readScheduleCsv(text, "s.csv");
  return read ? "" : read.message();
}

TEST(ScheduleCsv, EverySchedulesReadsBackAsItself) {
  for (const PublishedSchedule &published : listSchedules()) {
    auto schedule = makeSchedule(published.name, {4, 8});
    ASSERT_TRUE(bool(schedule)) << schedule.message();
    auto read = readScheduleCsv(writeScheduleCsv(*schedule), "s.csv");
    ASSERT_TRUE(bool(read)) << read.message();
    EXPECT_EQ(read->schedule.ranks, schedule->ranks) << published.name;
    EXPECT_EQ(read->schedule.stages, schedule->stages);
    EXPECT_EQ(read->schedule.microbatches, schedule->microbatches);
    EXPECT_EQ(read->schedule.vocabularyMeetings, schedule->vocabularyMeetings)
        << published.name;
  }
}

TEST(ScheduleCsv, IdleSlotsAndBlanksAreNoTasks) {
  auto read = readScheduleCsv("0F0,,, 0B0 ,\r\n,1F0,1I0,1W0\n\n", "s.csv");
  ASSERT_TRUE(bool(read)) << read.message();
  EXPECT_EQ(writeScheduleCsv(read->schedule), "0F0,0B0\n1F0,1I0,1W0\n");
  EXPECT_EQ(read->origin.ranks[0][1].line, 1);
  EXPECT_EQ(read->origin.ranks[0][1].column, 8);
  EXPECT_EQ(read->origin.ranks[1][0].column, 2);
}

TEST(ScheduleCsv, PairsAreTasksSideBySide) {
  auto read = readScheduleCsv("0F0,(0F1;0B0)OVERLAP_F_B,0B1\n", "s.csv");
  ASSERT_TRUE(bool(read)) << read.message();
  EXPECT_EQ(writeScheduleCsv(read->schedule), "0F0,(0F1;0B0)OVERLAP_F_B,0B1\n");
  const std::vector<StageTask> &tasks = read->schedule.ranks[0];
  ASSERT_EQ(tasks.size(), 4u);
  EXPECT_FALSE(tasks[0].besideNext);
  EXPECT_TRUE(tasks[1].besideNext);
  EXPECT_FALSE(tasks[2].besideNext);
}

TEST(ScheduleCsv, NamesTheCellThatIsNoTask) {
  std::string expected = "error: expected a task such as 2F5 (stage, one of F, "
                         "I, W, B, S, T, microbatch), got '";
  EXPECT_EQ(errorOf("0F0,0B0\n1F0,1X0\n"), "s.csv:2:5: " + expected + "1X0'");
  EXPECT_EQ(errorOf("F0\n"), "s.csv:1:1: " + expected + "F0'");
  EXPECT_EQ(errorOf("0F0, -1B0\n"), "s.csv:1:6: " + expected + "-1B0'");
  EXPECT_EQ(errorOf("0F99999999\n"), "s.csv:1:1: " + expected + "0F99999999'");
  EXPECT_EQ(errorOf("0F0x\n"), "s.csv:1:1: " + expected + "0F0x'");
  EXPECT_EQ(errorOf("(0F0;)OVERLAP_F_B\n"),
            "s.csv:1:1: " + expected + "(0F0;)OVERLAP_F_B'");
  EXPECT_EQ(errorOf("(0F0;0B0)\n"), "s.csv:1:1: " + expected + "(0F0;0B0)'");
}

TEST(ScheduleCsv, ReadsPartsOfWeightGradients) {
  auto read = readScheduleCsv("0F0,0I0, 0W0.0 ,0W0.1\n1F0,1B0\n", "s.csv");
  ASSERT_TRUE(bool(read)) << read.message();
  EXPECT_EQ(writeScheduleCsv(read->schedule), "0F0,0I0,0W0.0,0W0.1\n1F0,1B0\n");
  EXPECT_EQ(read->schedule.weightParts(), (std::vector<int32_t>{2, 0}));
  for (const char *cell : {"0F0.1", "0W0.", "0W0.x", "0W0.64", "0W.1"}) {
    auto bad = readScheduleCsv(cell, "s.csv");
    ASSERT_FALSE(bool(bad)) << cell;
    EXPECT_EQ(bad.message(),
              "s.csv:1:1: error: expected a task such as 2F5 (stage, one of F, "
              "I, W, B, S, T, microbatch), got '" +
                  std::string(cell) + "'");
  }
}

TEST(ScheduleCsv, NamesRowsWithoutTasks) {
  EXPECT_EQ(errorOf(" \n\n"), "s.csv:1:1: error: expected one row of tasks per "
                              "rank, got none");
  EXPECT_EQ(errorOf(""),
            "s.csv:1:1: error: expected one row of tasks per rank, got none");
  EXPECT_EQ(errorOf("0F0,0B0\n,,\n1F0,1B0\n"),
            "s.csv:2:1: error: expected a rank's tasks, got an empty row");
  EXPECT_EQ(errorOf("\n0F0,0B0\n"),
            "s.csv:1:1: error: expected a rank's tasks, got an empty row");
}

} // namespace
