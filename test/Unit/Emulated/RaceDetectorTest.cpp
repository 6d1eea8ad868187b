//===- RaceDetectorTest.cpp - Happens-before against all orders -----------===//

#include "checks/PtxRaces.h"

#include <gtest/gtest.h>

#include <random>

using namespace tessera::emulated;

namespace {

TEST(PtxRaceDetector, OrdersReadersThatReleaseAtDifferentTimes) {
  // Two consumers read a stage, each arrives at an mbarrier, the producer waits
  // for both before it fills the stage again.
  for (bool both : {true, false}) {
    RaceDetector races;
    races.begin(64, 4);
    Clock full, empty, unrelated;
    EXPECT_FALSE(races.access(0, Access::Write, 0, 16, 1));
    races.release(0, full);
    for (Agent consumer : {1u, 2u}) {
      races.acquire(consumer, full);
      // Their times differ from here on.
      races.release(consumer, unrelated);
      EXPECT_FALSE(races.access(consumer, Access::Read, 0, 16, 2));
    }
    races.release(1, empty);
    if (both)
      races.release(2, empty);
    races.acquire(0, empty);
    std::optional<Race> race = races.access(0, Access::Write, 0, 16, 3);
    EXPECT_EQ(race.has_value(), !both);
    if (race) {
      EXPECT_EQ(race->agent, 2u);
      EXPECT_EQ(race->access, Access::Read);
    }
  }
}

TEST(PtxRaceDetector, KeepsCopiesApartFromTheWarpThatStartsThem) {
  RaceDetector races;
  races.begin(64, 16);
  Agent copy = asynchronousAgent(0);
  races.order(0, copy);
  EXPECT_FALSE(races.access(copy, Access::Write, 0, 16, 1));
  std::optional<Race> race = races.access(0, Access::Read, 0, 16, 2);
  ASSERT_TRUE(race);
  EXPECT_EQ(race->agent, copy);
  races.order(copy, 0);
  EXPECT_FALSE(races.access(0, Access::Read, 0, 16, 2));
}

TEST(PtxRaceDetector, ForgetsEarlierBlocks) {
  RaceDetector races;
  races.begin(64, 4);
  EXPECT_FALSE(races.access(0, Access::Write, 0, 4, 1));
  races.begin(64, 4);
  std::optional<Race> race = races.access(1, Access::Read, 0, 4, 1);
  ASSERT_TRUE(race);
  EXPECT_TRUE(race->uninitialized);
  EXPECT_FALSE(races.access(1, Access::Write, 0, 4, 1));
}

TEST(PtxRaceDetector, LetsAtomicsMeet) {
  RaceDetector races;
  races.begin(64, 4);
  EXPECT_FALSE(races.access(0, Access::Atomic, 0, 4, 1));
  EXPECT_FALSE(races.access(1, Access::Atomic, 0, 4, 1));
  EXPECT_FALSE(races.access(2, Access::AtomicRead, 0, 4, 1));
  EXPECT_TRUE(races.access(2, Access::Read, 0, 4, 1));
}

/// All accesses so far and what each agent knows of the others, without any of
/// the detector's shortcuts.
struct Oracle {
  struct Event {
    Agent agent;
    unsigned time;
    bool write;
  };
  std::vector<Event> events;
  std::array<std::array<unsigned, 4>, 4> knows = {};
  std::array<unsigned, 4> now = {};

  bool races(Agent agent, bool write) {
    bool found = false, written = false;
    for (const Event &event : events) {
      written |= event.write;
      found |= event.agent != agent && (write || event.write) &&
               event.time > knows[agent][event.agent];
    }
    return found || (!write && !written);
  }
  void access(Agent agent, bool write) {
    events.push_back({agent, ++now[agent], write});
  }
};

TEST(PtxRaceDetector, AgreesWithTheDefinition) {
  // Random histories of four warps and one granule, up to the first race.
  std::mt19937 random(7);
  unsigned raced = 0;
  for (unsigned trial = 0; trial < 20000; ++trial) {
    RaceDetector races;
    races.begin(4, 4);
    Oracle oracle;
    for (unsigned step = 0; step < 40; ++step) {
      Agent agent = random() % 4, other = random() % 4;
      switch (random() % 8) {
      case 0: {
        // A barrier of all.
        Clock clock;
        for (Agent a = 0; a < 4; ++a)
          races.release(a, clock);
        races.barrier(0xf, clock);
        for (Agent a = 0; a < 4; ++a)
          oracle.knows[a] = oracle.now;
        continue;
      }
      case 1:
      case 2:
      case 3:
        if (agent == other)
          continue;
        races.order(agent, other);
        oracle.knows[agent][agent] = oracle.now[agent];
        for (Agent a = 0; a < 4; ++a)
          oracle.knows[other][a] =
              std::max(oracle.knows[other][a], oracle.knows[agent][a]);
        continue;
      default:
        break;
      }
      bool write = random() % 4 == 0;
      bool expected = oracle.races(agent, write);
      bool found =
          races.access(agent, write ? Access::Write : Access::Read, 0, 4, 0)
              .has_value();
      ASSERT_EQ(found, expected) << "trial " << trial << ", step " << step;
      if (expected) {
        ++raced;
        break;
      }
      oracle.access(agent, write);
    }
  }
  EXPECT_GT(raced, 1000u);
}

} // namespace
