//===- CollectiveTest.cpp - The collectives, in one table -----------------===//

#include "tessera/Support/Collective.h"

#include <gtest/gtest.h>

using namespace tessera;

TEST(Collective, NamesAndCodesAgreeBothWays) {
  for (int32_t code = 0; code < collectiveKindCount; ++code)
    EXPECT_EQ(collectiveFromName(collectiveInfo(code).name),
              static_cast<CollectiveKind>(code));
  EXPECT_FALSE(collectiveFromName("all_reduc"));
  EXPECT_FALSE(collectiveFromName("send"));
}

TEST(Collective, BytesAreThoseOfARing) {
  // Of an operand of 240 bytes on each of four devices.
  auto sent = [](CollectiveKind kind) { return bytesSent(kind, 4, 240); };
  EXPECT_EQ(sent(CollectiveKind::AllReduce), 2 * 3 * 240 / 4);
  EXPECT_EQ(sent(CollectiveKind::AllGather), 3 * 240);
  EXPECT_EQ(sent(CollectiveKind::ReduceScatter), 3 * 240 / 4);
  EXPECT_EQ(sent(CollectiveKind::AllToAll), 3 * 240 / 4);
  EXPECT_EQ(sent(CollectiveKind::Permute), 240);
  EXPECT_EQ(sent(CollectiveKind::Broadcast), 240);
}

TEST(Collective, MessagesGoThroughATree) {
  auto rounds = [](CollectiveKind kind) { return messageRounds(kind, 5); };
  EXPECT_EQ(rounds(CollectiveKind::AllReduce), 1 + 2 * 3);
  EXPECT_EQ(rounds(CollectiveKind::AllGather), 1 + 3);
  EXPECT_EQ(rounds(CollectiveKind::ReduceScatter), 1 + 3);
  EXPECT_EQ(rounds(CollectiveKind::AllToAll), 1 + 3);
  EXPECT_EQ(rounds(CollectiveKind::Permute), 2);
  EXPECT_EQ(rounds(CollectiveKind::Broadcast), 1 + 3);
  EXPECT_EQ(messageRounds(CollectiveKind::Broadcast, 1), 1);
}
