//===- NetworkTest.cpp - When messages arrive on a described machine ------===//

#include "../../runtime/local/Network.h"
#include "../../runtime/core/job/MachineLinks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <random>
#include <thread>

using namespace tessera::runtime;

namespace {

/// Ranks of one group on links of 100 ns and 1 byte per nanosecond, with
/// channels between all pairs over links of the same class; each rank is a
/// thread.
class Ranks {
public:
  explicit Ranks(int32_t count) : count(count), members(count) {
    TesseraLink link = {0, 100e-9, 1e9, 1e9, 1e9};
    std::vector<TesseraLink> groupLinks(count, link), channelLinks;
    std::vector<int32_t> channels;
    for (int32_t a = 0; a < count; ++a) {
      members[a] = a;
      for (int32_t b = 0; b < count; ++b)
        channels.insert(channels.end(), {a, b}), channelLinks.push_back(link);
    }
    TesseraWorldOptions world = {};
    world.communicators = 1;
    world.channel_count = static_cast<int32_t>(channelLinks.size());
    world.channels = channels.data();
    TesseraNetwork options = {groupLinks.data(), channelLinks.data(), 1};
    network = std::make_unique<Network>(options, count, world);
    passages.resize(64);
    for (auto &passage : passages)
      passage = std::make_unique<Passage>();
  }

  /// Runs `body` on each rank in a step, and gives the time when all are done.
  int64_t run(const std::function<void(int32_t rank)> &body) {
    network->beginStep();
    std::vector<std::thread> threads;
    for (int32_t rank = 0; rank < count; ++rank)
      threads.emplace_back([&, rank] {
        body(rank);
        judge(network->finish(rank));
      });
    for (std::thread &thread : threads)
      thread.join();
    return network->now(0);
  }

  /// Starts the broadcast number `number`, of so many bytes.
  void start(int32_t rank, uint64_t number, int64_t bytes) {
    TesseraGroup group = {0, 0, count, members.data(), rank};
    TesseraCollective call = {};
    call.kind = TESSERA_BROADCAST;
    call.group = &group;
    call.count = bytes;
    call.dtype = TESSERA_U8;
    call.site = &site;
    judge(network->issue(*passages[number], call, number));
  }
  void wait(int32_t rank, uint64_t number) { wait(rank, *passages[number]); }
  void wait(int32_t rank, Passage &passage) {
    judge(network->await(passage, rank));
    while (passage.end < 0 && problem().empty()) {
      uint32_t seen = network->signal(rank).read();
      if (passage.end < 0 && problem().empty())
        network->signal(rank).wait(seen, std::chrono::milliseconds(100));
    }
  }
  void send(int32_t source, int32_t target, int64_t bytes) {
    judge(network->send({source, target, 0, bytes, &site}));
  }
  void receive(int32_t source, int32_t target) {
    wait(target, *network->receive({source, target, 0, 0, &site}));
  }

  void judge(const Network::Problem &what) {
    std::lock_guard lock(mutex);
    if (what && found.empty())
      found = *what;
  }
  std::string problem() {
    std::lock_guard lock(mutex);
    return found;
  }

  const int32_t count;
  std::unique_ptr<Network> network;

private:
  static constexpr TesseraSite site = {"x", "f.py:1:2"};
  std::vector<int32_t> members;
  std::vector<std::unique_ptr<Passage>> passages;
  std::mutex mutex;
  std::string found;
};

/// A broadcast over two waits for latency twice, in a tree of one level and a
/// launch.
constexpr int64_t launches = 200;

TEST(Network, CollectiveBeginsWithTheLastMember) {
  Ranks ranks(2);
  EXPECT_EQ(ranks.run([&](int32_t rank) {
    ranks.network->compute(rank, rank == 0 ? 50 : 70);
    ranks.start(rank, 0, 1000);
    ranks.wait(rank, 0);
    ranks.network->compute(rank, 5);
  }),
            70 + launches + 1000 + 5);
}

TEST(Network, StartedCollectivesRunBesideKernelsOneAfterAnother) {
  Ranks ranks(2);
  EXPECT_EQ(ranks.run([&](int32_t rank) {
    ranks.start(rank, 0, 1000);
    ranks.start(rank, 1, 1000);
    ranks.network->compute(rank, 1500);
    ranks.wait(rank, 0);
    ranks.wait(rank, 1);
  }),
            2 * (launches + 1000));
  EXPECT_EQ(ranks.run([&](int32_t rank) { ranks.network->compute(rank, 1); }),
            2 * (launches + 1000) + 1);
}

TEST(Network, MessagesQueueOnTheLinkOfTheirSender) {
  Ranks ranks(3);
  EXPECT_EQ(ranks.run([&](int32_t rank) {
    if (rank == 0) {
      ranks.send(0, 1, 1000);
      ranks.send(0, 2, 1000);
    } else {
      ranks.receive(0, rank);
      EXPECT_EQ(ranks.network->now(rank), 1000 * rank + 100);
    }
  }),
            2100);
}

TEST(Network, CollectiveWaitsForTheLinkThatAMessageTakes) {
  Ranks ranks(2);
  EXPECT_EQ(ranks.run([&](int32_t rank) {
    if (rank == 0)
      ranks.send(0, 1, 1000);
    ranks.start(rank, 0, 1000);
    ranks.wait(rank, 0);
    if (rank == 1)
      ranks.receive(0, 1);
  }),
            1000 + launches + 1000);
}

/// What is issued first in virtual time goes first, whenever its thread runs.
TEST(Network, TimesDoNotDependOnThreads) {
  auto runOnce = [](unsigned seed) {
    Ranks ranks(4);
    return ranks.run([&](int32_t rank) {
      std::mt19937 program(rank), delays(100 * seed + rank);
      for (int round = 0; round < 12; ++round) {
        std::this_thread::sleep_for(std::chrono::microseconds(delays() % 300));
        ranks.network->compute(rank, program() % 2000);
        ranks.send(rank, (rank + 1) % 4, program() % 3000);
        if (round % 3 == 0)
          ranks.start(rank, round / 3, 1000);
        ranks.network->compute(rank, program() % 500);
        ranks.send(rank, (rank + 2) % 4, program() % 3000);
        ranks.receive((rank + 3) % 4, rank);
        if (round % 3 == 2)
          ranks.wait(rank, round / 3);
        ranks.receive((rank + 2) % 4, rank);
      }
    });
  };
  int64_t first = runOnce(0);
  for (unsigned seed = 1; seed < 8; ++seed)
    EXPECT_EQ(runOnce(seed), first);
}

/// On a GPU both ranks would wait for ever, so that what starts first on one of
/// them is a deadlock here.
TEST(Network, CollectivesInDifferentOrdersAreADeadlock) {
  Ranks ranks(2);
  ranks.run([&](int32_t rank) {
    ranks.start(rank, rank, 8);
    ranks.start(rank, 1 - rank, 8);
    ranks.wait(rank, 0);
  });
  EXPECT_TRUE(ranks.problem().starts_with(
      "deadlock: broadcast 'x' at f.py:1:2 is behind broadcast 'x' at f.py:1:2 "
      "on rank "))
      << ranks.problem();
}

/// Nodes of two of four ranks in a mesh a=2, b=2; `b` lies in the nodes.
TEST(MachineLinks, AreThoseOfTheInnermostLevelThatHoldsAll) {
  TesseraLinks levels[] = {{nullptr, 2, 1, 10}, {nullptr, 0, 2, 5}};
  TesseraLinks axes[] = {{"a", 0, 3, 7}};
  TesseraMachine machine = {};
  machine.levels = levels;
  machine.level_count = 2;
  DeviceMesh mesh = *DeviceMesh::create({{"a", 2}, {"b", 2}}, {});
  SubAxis a = *mesh.wholeAxis("a"), b = *mesh.wholeAxis("b");
  auto latencies = [&](const std::vector<SubAxis> &along, int32_t copies = 1) {
    std::vector<double> list;
    for (const TesseraLink &link :
         MachineLinks(machine, mesh, copies).ofGroups(along))
      list.push_back(link.latency);
    return list;
  };
  using Latencies = std::vector<double>;
  EXPECT_EQ(latencies({a}), Latencies(4, 2));
  EXPECT_EQ(latencies({b}, 2), Latencies(8, 1));
  EXPECT_EQ(latencies({a, b}), Latencies(4, 2));
  MachineLinks links(machine, mesh, 2);
  EXPECT_EQ(links.between(0, 1).latency, 1);
  EXPECT_EQ(links.between(0, 4).latency, 2);
  machine.axes = axes;
  machine.axis_count = 1;
  EXPECT_EQ(latencies({a}), Latencies(4, 3));
  EXPECT_EQ(latencies({b}), Latencies(4, 1));
  EXPECT_EQ(latencies({a, b}), Latencies(4, 3));
  EXPECT_EQ(links.ofGroups({a, b}).front().bandwidth, 7);
  axes[0].name = "stage";
  EXPECT_EQ(links.between(0, 4).latency, 3);
}

} // namespace
