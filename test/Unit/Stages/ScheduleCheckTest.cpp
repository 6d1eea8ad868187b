//===- ScheduleCheckTest.cpp - Tests of ScheduleCheck ---------------------===//
#include "tessera/Stages/ScheduleCheck.h"

#include "tessera/Stages/ScheduleCsv.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

/// What checkSchedule says of the schedule with these rows; empty if nothing.
std::string check(const std::string &rows, double memory = 0) {
  Fallible<ScheduleFromFile> read = readScheduleCsv(rows, "s.csv");
  if (!read)
    return "unreadable: " + read.message();
  StageCosts costs = StageCosts::uniform(read->schedule.stages);
  for (StageCost &cost : costs.stages)
    cost.parameters = 10;
  ScheduleLimits limits{memory ? &costs : nullptr, memory};
  Fallible<void> plain = checkSchedule(read->schedule, limits);
  Fallible<void> located = checkSchedule(read->schedule, limits, &read->origin);
  EXPECT_EQ(bool(plain), bool(located));
  if (!plain && !located) // The place comes before the same words.
    EXPECT_TRUE(std::string_view(located.message()).ends_with(plain.message()));
  return located ? "" : located.message();
}

TEST(ScheduleCheck, TakesWholeAndSplitBackwardTasks) {
  EXPECT_EQ(check("0F0,0B0\n"), "");
  EXPECT_EQ(check("0F0,0F1,0I0,0B1,0W0\n"), "");
  EXPECT_EQ(check("0F0,,0B0\n1F0,1I0,1W0\n"), "");
}

TEST(ScheduleCheck, TakesStagesOnTwoRanks) {
  EXPECT_EQ(check("0F0,1F1,1B1,0B0\n0F1,1F0,1B0,0B1\n"), "");
}

TEST(ScheduleCheck, NamesWhatIsMissing) {
  EXPECT_EQ(check("0F0,0B0\n1B0,2F0,2B0,0F1,0B1,1F1,1B1\n"),
            "s.csv:1:1: error: expected at least 12 tasks for 3 stages and 2 "
            "microbatches, got 9");
  EXPECT_EQ(check("0F0,0B0\n1I0,1W0\n"),
            "s.csv:1:1: error: expected 1F0, got none");
  EXPECT_EQ(check("0F0,0F1,0B0,0I1\n"), "s.csv:1:13: error: expected 0W1 after "
                                        "0I1 on rank 0, got none");
  EXPECT_EQ(check("0F0,0F1,0I0,0W1,0B1\n"),
            "s.csv:1:9: error: expected 0W0 after 0I0 on rank 0, got none");
  EXPECT_EQ(check("0F0,0W0\n"),
            "s.csv:1:1: error: expected 0I0 after 0F0 on rank 0, got none");
}

TEST(ScheduleCheck, NamesWhatComesTwice) {
  EXPECT_EQ(check("0F0,0B0\n0F0,1F0,1B0\n"),
            "s.csv:2:1: error: expected 0F0 once, got 0F0 on rank 0 and 0F0 on "
            "rank 1");
  EXPECT_EQ(check("0F0,0B0,0I0,0W0\n"),
            "s.csv:1:5: error: expected 0B0 or 0I0 and 0W0, got both");
}

TEST(ScheduleCheck, NamesWhatIsOutOfOrder) {
  EXPECT_EQ(
      check("0B0,0F0\n"),
      "s.csv:1:1: error: expected 0B0 after 0F0 on rank 0, got it before");
  EXPECT_EQ(
      check("0F0,0W0,0I0\n"),
      "s.csv:1:5: error: expected 0W0 after 0I0 on rank 0, got it before");
}

TEST(ScheduleCheck, NamesWhatIsOnAnotherRank) {
  EXPECT_EQ(
      check("0F0,1B0\n1F0,0B0\n"),
      "s.csv:2:5: error: expected 0B0 after 0F0 on rank 0, got it on rank "
      "1");
}

TEST(ScheduleCheck, NamesTheCircleOfADeadlock) {
  EXPECT_EQ(check("0F0,0B0,0F1,0B1\n1F1,1F0,1B0,1B1\n"),
            "s.csv:1:5: error: the ranks wait for each other: 0B0 on rank 0 "
            "waits for 1B0 on rank 1, 1F1 on rank 1 waits for 0F1 on rank 0");
}

TEST(ScheduleCheck, NamesTheTaskThatNeedsTooMuchMemory) {
  EXPECT_EQ(check("0F0,0F1,0B0,0B1\n", 12), "");
  EXPECT_EQ(check("0F0,0F1,0B0,0B1\n", 11.5),
            "s.csv:1:5: error: expected to hold at most 11.5 bytes, got 12 at "
            "0F1 on rank 0");
  // What a weight gradient waits for is held too.
  EXPECT_EQ(check("0F0,0I0,0F1,0I1,0W0,0W1\n", 11.5),
            "s.csv:1:9: error: expected to hold at most 11.5 bytes, got 12 at "
            "0F1 on rank 0");
}

TEST(ScheduleCheck, TakesPartsOfWeightGradientsInOrder) {
  EXPECT_EQ(check("0F0,0I0,0W0.0,0F1,0W0.1,0I1,0W1\n"), "");
  EXPECT_EQ(check("0F0,0I0,0W0.1,0W0.0\n"),
            "s.csv:1:9: error: expected 0W0.1 after 0W0.0 on rank 0, got it "
            "before");
  EXPECT_EQ(check("0F0,0W0.0,0I0,0W0.1\n"),
            "s.csv:1:5: error: expected 0W0.0 after 0I0 on rank 0, got it "
            "before");
  EXPECT_EQ(check("0F0,0I0,0W0.0,0W0.1,0W0\n"),
            "s.csv:1:9: error: expected 0W0 or its parts, got both");
  EXPECT_EQ(
      check("0F0,0I0,0W0.0,0W0.1,0F1,0I1,0W1.0\n"),
      "s.csv:1:29: error: expected 0W1.1 after 0W1.0 on rank 0, got none");
  EXPECT_EQ(check("0F0,0B0,0W0.0\n"),
            "s.csv:1:5: error: expected 0B0 or 0I0 and 0W0, got both");
  EXPECT_EQ(check("0F0,0I0,0W0.0,0W0.0\n"),
            "s.csv:1:15: error: expected 0W0.0 once, got 0W0.0 on rank 0 and "
            "0W0.0 on rank 0");
}

TEST(ScheduleCheck, HoldsVocabularyTasksAgainstTheirRanks) {
  EXPECT_EQ(check("0F0,0S0,0T0,0B0\n1F0,1S0,1T0,1B0\n"), "");
  EXPECT_EQ(check("0F0,0S0,0B0,0T0\n1F0,1S0,1B0,1T0\n"), "");
  EXPECT_EQ(check("0F0,1S0,0T0,0B0\n1F0,0S0,1T0,1B0\n"),
            "s.csv:1:5: error: expected a rank's S and T tasks to have its "
            "number, got 1S0 on rank 0");
  EXPECT_EQ(check("0F0,0S0,0B0\n1F0,1S0,1T0,1B0\n"),
            "s.csv:1:1: error: expected 0T0 on rank 0, got none");
}

TEST(ScheduleCheck, HoldsTasksAgainstTheSchedulesNumbers) {
  StageSchedule schedule{"s", 1, 1, 0, {}};
  schedule.ranks = {{{TaskKind::Forward, 0, 0}, {TaskKind::Backward, 1, 0}}};
  Fallible<void> checked = checkSchedule(schedule);
  ASSERT_FALSE(bool(checked));
  EXPECT_EQ(checked.message(), "expected stages below 1 and microbatches below "
                               "1, got 1B0 on rank 0");
  // Ranks that should meet and have nothing to do there, and the reverse.
  schedule.ranks = {{{TaskKind::Forward, 0, 0}, {TaskKind::Backward, 0, 0}}};
  schedule.vocabularyMeetings = 2;
  EXPECT_EQ(checkSchedule(schedule).message(),
            "expected S and T tasks exactly where the ranks meet over the "
            "output layer");
  schedule.ranks[0].insert(schedule.ranks[0].begin() + 1,
                           {{TaskKind::VocabularyForward, 0, 0},
                            {TaskKind::VocabularyBackward, 0, 0}});
  schedule.vocabularyMeetings = 0;
  EXPECT_EQ(checkSchedule(schedule).message(),
            "expected S and T tasks exactly where the ranks meet over the "
            "output layer");
}

} // namespace
