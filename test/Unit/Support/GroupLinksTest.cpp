//===- GroupLinksTest.cpp - What a group of devices communicates over -----===//

#include "tessera/Support/GroupLinks.h"

#include <gtest/gtest.h>

#include <vector>

using namespace tessera;

namespace {

/// Nodes of 4 devices, racks of 8.
const std::vector<NetworkLevel> kLevels = {
    {4, 1, 100, {}}, {8, 2, 30, {}}, {0, 3, 10, {}}};

GroupLinks among(std::vector<int64_t> devices) {
  return linksAmong(kLevels, devices);
}

TEST(GroupLinks, AreThoseOfTheInnermostLevelThatHoldsAll) {
  EXPECT_EQ(among({0, 3}).level, 0);
  EXPECT_EQ(among({3, 4}).level, 1);
  EXPECT_EQ(among({7, 8}).level, 2);
  EXPECT_EQ(among({7, 8}).latency, 3);
  EXPECT_EQ(among({7, 8}).bandwidth, 10);
}

TEST(GroupLinks, AreFreeWhereNoLevelHoldsAll) {
  GroupLinks links =
      linksAmong({kLevels.data(), 1}, std::vector<int64_t>{0, 4});
  EXPECT_EQ(links.level, 1);
  EXPECT_EQ(links.seconds(CollectiveKind::AllReduce, 2, 1000000), 1e-24);
}

TEST(GroupLinks, LeaveANodeByTheLinksOfAllMembersInIt) {
  EXPECT_EQ(among({0, 1, 2, 3}).ringBandwidth, 100);
  // One member in each node: by its link alone.
  EXPECT_EQ(among({0, 4}).ringBandwidth, 30);
  EXPECT_EQ(among({0, 1, 4, 5}).ringBandwidth, 60);
  // No faster than inside.
  EXPECT_EQ(among({0, 1, 2, 3, 4, 5, 6, 7}).ringBandwidth, 100);
  // Where nodes have unequal numbers of members, the fewest.
  EXPECT_EQ(among({0, 1, 2, 4}).ringBandwidth, 30);
  // Three levels: four in each node, eight in each rack.
  EXPECT_EQ(among({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
                .ringBandwidth,
            80);
  // Nothing is sent inside of nodes.
  EXPECT_EQ(among({0, 4, 8, 12}).ringBandwidth, 20);
}

TEST(GroupLinks, TakeRingsWhereAllMembersSendAlike) {
  GroupLinks links = among({0, 1, 4, 5});
  EXPECT_EQ(links.transferSeconds(CollectiveKind::AllReduce, 4, 600), 10);
  EXPECT_EQ(links.transferSeconds(CollectiveKind::AllGather, 4, 600), 10);
  EXPECT_EQ(links.transferSeconds(CollectiveKind::ReduceScatter, 4, 600), 10);
  EXPECT_EQ(links.transferSeconds(CollectiveKind::Permute, 4, 600), 20);
  // Five rounds of latency, and 2 * 3/4 of the operand.
  EXPECT_EQ(links.seconds(CollectiveKind::AllReduce, 4, 400), 5 * 2 + 10);
}

TEST(GroupLinks, KeepWhatIsExchangedInsideOfNodesThere) {
  // Of three others two are in the other node.
  GroupLinks links = among({0, 1, 4, 5});
  EXPECT_EQ(links.exchangeBandwidth, 45);
  EXPECT_EQ(links.transferSeconds(CollectiveKind::AllToAll, 4, 450), 10);
  EXPECT_EQ(among({0, 4}).exchangeBandwidth, 30);
  EXPECT_EQ(among({0, 1, 2, 3}).exchangeBandwidth, 100);
  EXPECT_EQ(among({5}).exchangeBandwidth, 100);
  // Of the member with most others outside of its node.
  EXPECT_EQ(among({0, 1, 2, 4}).exchangeBandwidth, 30);
  // 4 of 8 others in the node of the rack beside, 1 in the other rack; of that
  // one all 8.
  EXPECT_EQ(among({0, 1, 2, 3, 4, 5, 6, 7, 8}).exchangeBandwidth, 10);
}

TEST(GroupLinks, AreAsSlowAsTheSlower) {
  GroupLinks links = GroupLinks::slower({0, 1, 30, 60, 40}, {1, 2, 20, 80, 30});
  EXPECT_EQ(links.level, 1);
  EXPECT_EQ(links.latency, 2);
  EXPECT_EQ(links.bandwidth, 20);
  EXPECT_EQ(links.ringBandwidth, 60);
  EXPECT_EQ(links.exchangeBandwidth, 30);
}

} // namespace
