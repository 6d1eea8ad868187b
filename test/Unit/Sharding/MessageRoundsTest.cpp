//===- MessageRoundsTest.cpp - Tests of MessageRounds ---------------------===//
#include "tessera/Sharding/Pieces/MessageRounds.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace tessera;

namespace {

TEST(MessageRounds, CountsWhatOneDeviceSendsOrReceives) {
  EXPECT_EQ(leastRounds({}, 4), 0);
  EXPECT_EQ(leastRounds({{0, 1}, {1, 2}, {2, 0}}, 3), 1);
  EXPECT_EQ(leastRounds({{0, 1}, {0, 2}, {3, 1}}, 4), 2);
}

// Any messages, also several between the same two devices, go in no more
// rounds than the busiest device needs.
TEST(MessageRounds, EveryDeviceSendsAndReceivesOnceInARound) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    int32_t devices = 2 + random() % 9;
    llvm::SmallVector<Message> messages;
    for (unsigned count = random() % 60; count > 0; --count)
      messages.push_back(
          {int32_t(random() % devices), int32_t(random() % devices)});
    int64_t number = leastRounds(messages, devices);
    llvm::SmallVector<int32_t, 0> rounds =
        roundsOfMessages(messages, devices, number);
    ASSERT_EQ(rounds.size(), messages.size());
    std::set<std::pair<int32_t, int32_t>> senders, receivers;
    for (size_t i = 0; i < messages.size(); ++i) {
      EXPECT_LT(rounds[i], number);
      EXPECT_TRUE(senders.insert({rounds[i], messages[i].sender}).second);
      EXPECT_TRUE(receivers.insert({rounds[i], messages[i].receiver}).second);
    }
  }
}

} // namespace
