//===- StreamsTest.cpp - Streams that run as late as they may -------------===//

#include "../../runtime/emulated/device/Streams.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::emulated;

namespace {
class Streams : public testing::Test {
protected:
  /// Work that notes its name, and reads or writes [begin, end).
  std::shared_ptr<Work> work(const std::string &name, uint64_t begin = 0,
                             uint64_t end = 0, bool writes = true) {
    auto made = std::make_shared<Work>();
    made->execute = [this, name]() -> WorkResult {
      done += name;
      return {};
    };
    if (end > begin)
      made->accesses = {{begin, end, writes}};
    return made;
  }
  std::string reach(Stream *stream) {
    WorkResult outcome = set.reach(set.mark(*stream));
    return outcome.fault.value_or(outcome.isPending ? "pending" : "");
  }

  StreamSet set;
  Stream *a = set.create(), *b = set.create();
  std::string done;
};
} // namespace

TEST_F(Streams, DoWhatSomebodyWaitsForAndNothingElse) {
  set.add(*a, work("a"));
  set.add(*b, work("b"));
  EXPECT_EQ(done, "");
  EXPECT_EQ(reach(b), "");
  EXPECT_EQ(done, "b");
  EXPECT_EQ(reach(a), "");
  EXPECT_EQ(done, "ba");
}

TEST_F(Streams, EventsOrderStreams) {
  set.add(*a, work("1", 0, 8));
  MarkerPtr event = set.mark(*a);
  set.add(*a, work("late"));
  EXPECT_TRUE(set.wait(*b, event));
  set.add(*b, work("2", 0, 8));
  EXPECT_EQ(reach(b), "");
  EXPECT_EQ(done, "12");
}

TEST_F(Streams, UnorderedWritesAreARaceInEitherOrder) {
  for (bool swapped : {false, true}) {
    StreamSet fresh;
    Stream *first = fresh.create(), *second = fresh.create();
    if (swapped)
      std::swap(first, second);
    fresh.add(*first, work("1", 0, 8));
    fresh.add(*second, work("2", 4, 12));
    EXPECT_FALSE(fresh.reach(fresh.mark(*first)).fault);
    EXPECT_EQ(fresh.reach(fresh.mark(*second)).fault,
              "race: a copy accesses memory that a copy accesses on another "
              "stream, and no event orders them");
  }
}

TEST_F(Streams, WorkKnowsWhatItIsNotOrderedBehind) {
  auto asks = std::make_shared<Work>();
  std::vector<Hazard> hazards;
  asks->execute = [&]() -> WorkResult {
    hazards = set.hazards();
    return {set.access({{20, 24, true}, {0, 4, false}}), false};
  };
  set.add(*a, work("1", 0, 8));
  EXPECT_TRUE(set.wait(*b, set.mark(*a)));
  set.add(*a, work("2", 8, 16, false));
  MarkerPtr end = set.mark(*a);
  set.add(*b, asks);
  EXPECT_FALSE(set.executeAll().fault);
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards[0].range.begin, 8u);
  EXPECT_FALSE(hazards[0].range.isWrite);
  // What was found while it ran counts for those that come later.
  set.add(*a, work("3", 20, 24, false));
  EXPECT_NE(reach(a).find("race"), std::string::npos);
}

TEST_F(Streams, OverlappingRangesOfOneWorkAreCut) {
  auto partly = work("1", 0, 16, false);
  partly->accesses.push_back({8, 24, true});
  set.add(*a, partly);
  set.add(*b, work("2", 0, 8, false));
  EXPECT_FALSE(set.executeAll().fault);
  set.add(*b, work("3", 12, 16, false));
  EXPECT_NE(reach(b).find("race"), std::string::npos);
}

TEST_F(Streams, ReadsAndOtherMemoryAreNoRace) {
  set.add(*a, work("1", 0, 8, false));
  set.add(*b, work("2", 0, 8, false));
  set.add(*b, work("3", 8, 16));
  EXPECT_EQ(reach(a), "");
  EXPECT_EQ(reach(b), "");
}

TEST_F(Streams, WordsMayBeWatched) {
  auto write = work("1", 0, 4), watch = work("2", 0, 4, false);
  write->accesses[0].isWord = watch->accesses[0].isWord = true;
  set.add(*a, write);
  set.add(*b, watch);
  EXPECT_EQ(reach(a), "");
  EXPECT_EQ(reach(b), "");
}

TEST_F(Streams, TheHostOrdersWhatItWaitedFor) {
  set.add(*a, work("1", 0, 8));
  EXPECT_EQ(reach(a), "");
  set.add(*b, work("2", 0, 8));
  EXPECT_EQ(reach(b), "");
}

TEST_F(Streams, GraphsAreReplayedWithTheirOrder) {
  ASSERT_TRUE(set.beginRecording(*a));
  set.add(*a, work("1", 0, 8));
  EXPECT_TRUE(set.wait(*b, set.mark(*a)));
  set.add(*b, work("2", 0, 8));
  EXPECT_TRUE(set.wait(*a, set.mark(*b)));
  std::unique_ptr<Graph> graph = set.endRecording(*a);
  ASSERT_TRUE(graph);
  EXPECT_EQ(done, "");
  std::vector<Stream *> streams;
  set.replay(*a, *graph, streams);
  set.replay(*a, *graph, streams);
  EXPECT_EQ(reach(a), "");
  EXPECT_EQ(done, "1212");
}

TEST_F(Streams, GraphsMustJoinTheirStreams) {
  ASSERT_TRUE(set.beginRecording(*a));
  EXPECT_TRUE(set.wait(*b, set.mark(*a)));
  set.add(*b, work("lost"));
  EXPECT_EQ(set.endRecording(*a), nullptr);
}

TEST_F(Streams, RecordedStreamsDoNotWaitForOthers) {
  MarkerPtr outside = set.mark(*b);
  ASSERT_TRUE(set.beginRecording(*a));
  EXPECT_FALSE(set.wait(*a, outside));
}

TEST_F(Streams, MessagesGoBeforeTheHostWaitsForOthers) {
  auto send = work("send");
  send->sends = true;
  set.add(*a, work("first"));
  set.add(*a, send);
  set.add(*a, work("later"));
  auto receive = work("receive");
  receive->waits = true;
  set.add(*b, receive);
  // What comes behind something that waits is not to be had yet.
  auto behind = work("behind");
  behind->sends = true;
  set.add(*b, behind);
  EXPECT_EQ(reach(b), "");
  EXPECT_EQ(done, "firstsendreceivebehind");
}
