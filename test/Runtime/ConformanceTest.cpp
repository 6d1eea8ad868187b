//===- ConformanceTest.cpp - What every back end must do ------------------===//
//
// Runs on each back end that is built; the others are skipped by name. Values
// are small integers, which every element type holds exactly, so that results
// are compared for equality.
//
//===----------------------------------------------------------------------===//

#include "BackendTest.h"
#include "RankHarness.h"

#include "tessera/Support/HostTensor.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::runtime;
using namespace tessera::runtime::test;

namespace {
class Conformance : public BackendTest {};

/// A mesh and the axes of one communicator on it.
struct GroupShape {
  const char *name;
  std::vector<int32_t> mesh;
  std::vector<SubAxis> along;
};
} // namespace

static const std::vector<GroupShape> groupShapes = {
    {"one rank", {1}, {{0, 1, 1}}},
    {"no axis", {3}, {}},
    {"whole mesh", {4}, {{0, 1, 4}}},
    {"not a power of two", {5}, {{0, 1, 5}}},
    {"minor axis", {2, 4}, {{1, 1, 4}}},
    {"major axis", {2, 4}, {{0, 1, 2}}},
    {"two axes", {2, 3}, {{0, 1, 2}, {1, 1, 3}}},
    {"two axes in the other order", {2, 3}, {{1, 1, 3}, {0, 1, 2}}},
    {"outer axes of three", {2, 2, 2}, {{0, 1, 2}, {2, 1, 2}}},
    {"major sub-axis", {8}, {{0, 1, 2}}},
    {"middle sub-axis", {8}, {{0, 2, 2}}},
    {"minor sub-axis", {8}, {{0, 4, 2}}},
    {"sub-axes in the other order", {8}, {{0, 4, 2}, {0, 1, 2}}},
};

/// Element `i` of what `rank` puts in: 0 to 3.
static double inputValue(int32_t rank, int64_t i) {
  return static_cast<double>((rank * 7 + i * 3 + i / 5) % 4);
}

static HostTensor inputOf(int32_t rank, ElementType type, int64_t count) {
  HostTensor tensor(type, {count});
  for (int64_t i = 0; i < count; ++i)
    tensor.setFromDouble(i, inputValue(rank, i));
  return tensor;
}

static TesseraCollective callOf(int32_t kind, const HostTensor &in,
                                HostTensor &out, int64_t count,
                                int32_t reduction = 0) {
  TesseraCollective call = {};
  call.kind = kind;
  call.in = in.data();
  call.out = out.data();
  call.count = count;
  call.dtype = static_cast<int32_t>(in.type());
  call.reduction = reduction;
  return call;
}

/// Runs one collective along every group shape. `expected(members, position,
/// i)` is element i of what the member at that position must get.
template <typename Expected>
static void checkMove(const TesseraBackend *backend, int32_t kind,
                      int64_t count, int64_t inChunks, int64_t outChunks,
                      Expected expected, int32_t root = 0) {
  for (const GroupShape &shape : groupShapes) {
    SCOPED_TRACE(shape.name);
    RankHarness harness(backend, meshOf(shape.mesh), {shape.along});
    int64_t size = harness.groups(0).size;
    int64_t inCount = count * (inChunks ? inChunks : size);
    int64_t outCount = count * (outChunks ? outChunks : size);
    // Everybody sends to the previous member, the first one to nobody.
    std::vector<int32_t> targets;
    for (int32_t i = 0; i < size; ++i)
      targets.push_back(i - 1);
    std::vector<HostTensor> outputs(harness.ranks(),
                                    inputOf(9, ElementType::U8, outCount));
    TesseraStatus status = harness.run([&](int32_t rank) {
      HostTensor in = inputOf(rank, ElementType::U8, inCount);
      TesseraCollective call = callOf(kind, in, outputs[rank], count);
      call.targets = kind == TESSERA_PERMUTE ? targets.data() : nullptr;
      call.root = std::min<int32_t>(root, size - 1);
      return harness.call(rank, 0, call);
    });
    ASSERT_EQ(status, TESSERA_OK) << harness.error();
    for (int32_t rank = 0; rank < harness.ranks(); ++rank) {
      const GroupTable &table = harness.groups(0);
      const auto &members = table.groups[table.groupOf[rank]];
      for (int64_t i = 0; i < outCount; ++i)
        ASSERT_EQ(outputs[rank].toDouble(i),
                  expected(members, table.positionOf[rank], i))
            << "rank " << rank << ", element " << i;
    }
  }
}

using Members = std::vector<int32_t>;

TEST_P(Conformance, AllGatherConcatenatesInGroupOrder) {
  for (int64_t count : {0, 1, 5, 300'000})
    checkMove(backend, TESSERA_ALL_GATHER, count, 1, 0,
              [&](const Members &members, int32_t, int64_t i) {
                return inputValue(members[i / count], i % count);
              });
}

TEST_P(Conformance, AllToAllTransposesChunks) {
  for (int64_t count : {0, 1, 5, 300'000})
    checkMove(backend, TESSERA_ALL_TO_ALL, count, 0, 0,
              [&](const Members &members, int32_t position, int64_t i) {
                return inputValue(members[i / count],
                                  position * count + i % count);
              });
}

TEST_P(Conformance, PermuteMovesAndFillsWithZeros) {
  for (int64_t count : {0, 1, 5, 300'000})
    checkMove(backend, TESSERA_PERMUTE, count, 1, 1,
              [&](const Members &members, int32_t position, int64_t i) {
                bool isLast =
                    position + 1 == static_cast<int32_t>(members.size());
                return isLast ? 0 : inputValue(members[position + 1], i);
              });
}

TEST_P(Conformance, BroadcastCopiesTheRoot) {
  for (int32_t root : {0, 1, 7})
    checkMove(
        backend, TESSERA_BROADCAST, 1000, 1, 1,
        [&](const Members &members, int32_t, int64_t i) {
          size_t from = std::min<size_t>(root, members.size() - 1);
          return inputValue(members[from], i);
        },
        root);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static double combine(int32_t reduction, double a, double b) {
  auto x = static_cast<int>(a), y = static_cast<int>(b);
  switch (reduction) {
  case TESSERA_SUM:
    return a + b;
  case TESSERA_PRODUCT:
    return a * b;
  case TESSERA_MIN:
    return std::min(a, b);
  case TESSERA_MAX:
    return std::max(a, b);
  case TESSERA_AND:
    return x & y;
  case TESSERA_OR:
    return x | y;
  }
  return x ^ y;
}

/// What the reduction of element `i` over the members must give.
static double reduced(const Members &members, int32_t reduction,
                      ElementType type, int64_t i) {
  auto value = [&](int32_t rank) {
    double element = inputValue(rank, i);
    return type == ElementType::I1 ? element != 0 : element;
  };
  double result = value(members.front());
  for (size_t m = 1; m < members.size(); ++m)
    result = combine(reduction, result, value(members[m]));
  return type == ElementType::I1 ? std::fmod(result, 2) : result;
}

static bool isDefined(ElementType type, int32_t reduction) {
  return reduction < TESSERA_AND || !isFloatingPoint(type);
}

TEST_P(Conformance, AllReduceOfEveryTypeAndReduction) {
  for (int32_t code = 0; code < elementTypeCount; ++code)
    for (int32_t reduction = TESSERA_SUM; reduction <= TESSERA_XOR;
         ++reduction) {
      auto type = static_cast<ElementType>(code);
      if (!isDefined(type, reduction))
        continue;
      SCOPED_TRACE(std::string(elementTypeName(type)) + ", reduction " +
                   std::to_string(reduction));
      RankHarness harness(backend, meshOf({2, 2}), {{{1, 1, 2}, {0, 1, 2}}});
      std::vector<HostTensor> buffers;
      for (int32_t rank = 0; rank < 4; ++rank)
        buffers.push_back(inputOf(rank, type, 1100));
      ASSERT_EQ(harness.run([&](int32_t rank) {
        return harness.call(rank, 0,
                            callOf(TESSERA_ALL_REDUCE, buffers[rank],
                                   buffers[rank], 1100, reduction));
      }),
                TESSERA_OK)
          << harness.error();
      for (int32_t rank = 0; rank < 4; ++rank)
        for (int64_t i = 0; i < 1100; ++i)
          ASSERT_EQ(buffers[rank].toDouble(i),
                    reduced({0, 1, 2, 3}, reduction, type, i))
              << "rank " << rank << ", element " << i;
    }
}

TEST_P(Conformance, ReductionsAlongEveryGroupShape) {
  for (const GroupShape &shape : groupShapes)
    for (int64_t count : {0, 1, 33, 100'000}) {
      SCOPED_TRACE(std::string(shape.name) + ", count " +
                   std::to_string(count));
      RankHarness harness(backend, meshOf(shape.mesh), {shape.along});
      const GroupTable &table = harness.groups(0);
      std::vector<HostTensor> whole, part;
      for (int32_t rank = 0; rank < harness.ranks(); ++rank) {
        whole.emplace_back(ElementType::F32, Shape{count * table.size});
        part.emplace_back(ElementType::F32, Shape{count});
      }
      ASSERT_EQ(harness.run([&](int32_t rank) {
        HostTensor in = inputOf(rank, ElementType::F32, count * table.size);
        int32_t status = harness.call(
            rank, 0,
            callOf(TESSERA_ALL_REDUCE, in, whole[rank], count * table.size));
        return status ? status
                      : harness.call(rank, 0,
                                     callOf(TESSERA_REDUCE_SCATTER, in,
                                            part[rank], count));
      }),
                TESSERA_OK)
          << harness.error();
      for (int32_t rank = 0; rank < harness.ranks(); ++rank) {
        const Members &members = table.groups[table.groupOf[rank]];
        int64_t offset = table.positionOf[rank] * count;
        for (int64_t i = 0; i < count * table.size; ++i)
          ASSERT_EQ(whole[rank].toDouble(i),
                    reduced(members, TESSERA_SUM, ElementType::F32, i));
        for (int64_t i = 0; i < count; ++i)
          ASSERT_EQ(
              part[rank].toDouble(i),
              reduced(members, TESSERA_SUM, ElementType::F32, offset + i));
      }
    }
}

// 1 + 2^-11 four times: rounding each partial sum to f16 would lose the small
// part.
TEST_P(Conformance, HalvesAreAccumulatedInSinglePrecision) {
  RankHarness harness(backend, meshOf({4}), {{{0, 1, 4}}});
  std::vector<HostTensor> buffers(4, HostTensor(ElementType::F16, {1}));
  for (int32_t rank = 0; rank < 4; ++rank)
    buffers[rank].setFromDouble(0, rank == 0 ? 1.0 : 0x1p-11);
  ASSERT_EQ(harness.run([&](int32_t rank) {
    return harness.call(
        rank, 0, callOf(TESSERA_ALL_REDUCE, buffers[rank], buffers[rank], 1));
  }),
            TESSERA_OK);
  EXPECT_EQ(buffers[3].toDouble(0), 1 + 0x1p-9);
}

TEST_P(Conformance, MinimumAndMaximumKeepNaN) {
  for (int32_t reduction : {TESSERA_MIN, TESSERA_MAX})
    for (int32_t nanRank = 0; nanRank < 3; ++nanRank) {
      RankHarness harness(backend, meshOf({3}), {{{0, 1, 3}}});
      std::vector<HostTensor> buffers(3, HostTensor(ElementType::F32, {1}));
      buffers[nanRank].setFromDouble(0, NAN);
      ASSERT_EQ(harness.run([&](int32_t rank) {
        return harness.call(rank, 0,
                            callOf(TESSERA_ALL_REDUCE, buffers[rank],
                                   buffers[rank], 1, reduction));
      }),
                TESSERA_OK);
      EXPECT_TRUE(std::isnan(buffers[0].toDouble(0)));
    }
}

// Everybody sends to everybody, itself included, and receives the tags in
// another order.
TEST_P(Conformance, MessagesWithOneTagStayInOrder) {
  constexpr int messages = 500;
  for (bool spin : {false, true})
    for (int64_t count : {0, 1, 20'000}) {
      RankHarness harness(backend, meshOf({3}), {}, 20, spin);
      std::atomic<int> differences = 0;
      ASSERT_EQ(harness.run([&](int32_t rank) {
        for (int i = 0; i < messages; ++i)
          for (int32_t other = 0; other < 3; ++other) {
            HostTensor sent = inputOf(rank + i, ElementType::U8, count);
            if (int32_t status = harness.send(rank, other, i % 2, sent))
              return status;
          }
        for (int tag : {1, 0})
          for (int i = tag; i < messages; i += 2)
            for (int32_t other = 0; other < 3; ++other) {
              HostTensor received(ElementType::U8, {count});
              if (int32_t status = harness.recv(rank, other, tag, received))
                return status;
              HostTensor sent = inputOf(other + i, ElementType::U8, count);
              differences += !std::equal(
                  sent.data(), sent.data() + sent.byteSize(), received.data());
            }
        return 0;
      }),
                TESSERA_OK)
          << harness.error();
      EXPECT_EQ(differences, 0);
    }
}

// Pairs reduce, then the first pair sends its sum to the second.
TEST_P(Conformance, MessagesAndCollectivesMix) {
  RankHarness harness(backend, meshOf({2, 2}), {{{1, 1, 2}}});
  std::vector<HostTensor> received(4, HostTensor(ElementType::I32, {1}));
  for (int step = 0; step < 200; ++step)
    ASSERT_EQ(harness.run([&](int32_t rank) {
      HostTensor in(ElementType::I32, {1}), sum(ElementType::I32, {1});
      in.setFromDouble(0, rank + step);
      if (rank >= 2)
        if (int32_t status = harness.recv(rank, rank - 2, 7, received[rank]))
          return status;
      if (int32_t status = harness.call(
              rank, 0, callOf(TESSERA_ALL_REDUCE, in, sum, 1, TESSERA_SUM)))
        return status;
      return rank < 2 ? harness.send(rank, rank + 2, 7, sum) : 0;
    }),
              TESSERA_OK)
        << harness.error();
  EXPECT_EQ(received[2].toDouble(0), 199 + 200);
  EXPECT_EQ(received[3].toDouble(0), 199 + 200);
}

// Many small collectives on two communicators that cross, over several runs of
// one world: what comes before must not leak into what comes after.
TEST_P(Conformance, ThousandsOfCollectivesStaySeparate) {
  // Two threads of each rank, on few cores: fewer are enough.
  int64_t rounds = backend->processes && !backend->devices ? 200 : 2000;
  for (bool spin : {false, true}) {
    RankHarness harness(backend, meshOf({2, 4}), {{{0, 1, 2}}, {{1, 1, 4}}},
                        /*timeout=*/20, spin);
    for (int run = 0; run < 3; ++run) {
      std::atomic<int> wrong = 0;
      ASSERT_EQ(harness.run([&](int32_t rank) {
        HostTensor value(ElementType::I64, {1});
        for (int64_t i = 0; i < rounds; ++i) {
          int64_t &element = value.elements<int64_t>()[0];
          element = i + rank;
          for (int32_t communicator : {1, 0})
            if (int32_t status =
                    harness.call(rank, communicator,
                                 callOf(TESSERA_ALL_REDUCE, value, value, 1)))
              return status;
          wrong += element != 8 * i + 28;
        }
        return 0;
      }),
                TESSERA_OK)
          << harness.error();
      EXPECT_EQ(wrong, 0);
    }
  }
}

//===----------------------------------------------------------------------===//
// Failures: one message that names both sides, and never a hang
//===----------------------------------------------------------------------===//

namespace {
class ConformanceOfFailures : public Conformance {
protected:
  HostTensor buffer = HostTensor(ElementType::F32, {64});

  /// What a world of two ranks says when each makes its call.
  std::string errorOf(TesseraCollective first, TesseraSite firstSite,
                      TesseraCollective second, TesseraSite secondSite) {
    RankHarness harness(backend, meshOf({2}), {{{0, 1, 2}}});
    EXPECT_EQ(harness.run([&](int32_t rank) {
      HostTensor in(ElementType::F32, {64}), out(ElementType::F32, {128});
      TesseraCollective call = rank == 0 ? first : second;
      call.in = in.data();
      call.out = out.data();
      return harness.call(rank, 0, call, rank == 0 ? firstSite : secondSite);
    }),
              TESSERA_FAILED);
    return harness.error();
  }

  TesseraCollective allReduce(int64_t count, int32_t reduction = TESSERA_SUM,
                              ElementType type = ElementType::F32) {
    TesseraCollective call =
        callOf(TESSERA_ALL_REDUCE, buffer, buffer, count, reduction);
    call.dtype = static_cast<int32_t>(type);
    return call;
  }
};
} // namespace

static const TesseraSite here = {"here", "model.py:1:2"};
static const TesseraSite there = {"there", "model.py:3:4"};

TEST_P(ConformanceOfFailures, MismatchesNameBothSides) {
  TesseraCollective gather = callOf(TESSERA_ALL_GATHER, buffer, buffer, 64);
  std::string mine = "mismatched collectives: rank 0 calls all_reduce 'here' "
                     "at model.py:1:2 (8 x f32, sum), rank 1 calls ";
  // The emulated NCCL compares what it is asked for: see FloatExtremes.h.
  std::string ofExtremes = backend->devices ? "i32" : "f32";
  EXPECT_EQ(errorOf(allReduce(8), here, gather, there),
            mine + "all_gather 'there' at model.py:3:4 (64 x f32)");
  EXPECT_EQ(errorOf(allReduce(8), here, allReduce(9), there),
            mine + "all_reduce 'there' at model.py:3:4 (9 x f32, sum)");
  EXPECT_EQ(errorOf(allReduce(8), here, allReduce(8, TESSERA_MAX), here),
            mine + "all_reduce 'here' at model.py:1:2 (8 x " + ofExtremes +
                ", max)");
  EXPECT_EQ(errorOf(allReduce(8), here,
                    allReduce(8, TESSERA_SUM, ElementType::I32), here),
            mine + "all_reduce 'here' at model.py:1:2 (8 x i32, sum)");
  EXPECT_EQ(errorOf(allReduce(8), here, allReduce(8), there),
            mine + "all_reduce 'there' at model.py:3:4 (8 x f32, sum)");
}

TEST_P(ConformanceOfFailures, SharedMistakesAreFoundToo) {
  TesseraCollective call = allReduce(8, TESSERA_AND);
  EXPECT_EQ(errorOf(call, here, call, here),
            "all_reduce 'here' at model.py:1:2: and of f32 is not defined");
  call = callOf(TESSERA_BROADCAST, buffer, buffer, 8);
  call.root = 2;
  EXPECT_EQ(errorOf(call, here, call, here),
            "broadcast 'here' at model.py:1:2: expected a root below 2, got 2");
  int32_t twice[] = {1, 1}, far[] = {0, 2};
  call = callOf(TESSERA_PERMUTE, buffer, buffer, 8);
  call.targets = twice;
  EXPECT_EQ(errorOf(call, here, call, here),
            "permute 'here' at model.py:1:2: two members send to member 1");
  call.targets = far;
  EXPECT_EQ(errorOf(call, here, call, here),
            "permute 'here' at model.py:1:2: expected targets of -1 to 1, got "
            "2");
}

TEST_P(ConformanceOfFailures, FailingRankEndsTheWaitOfOthers) {
  RankHarness harness(backend, meshOf({4}), {{{0, 1, 4}}});
  EXPECT_EQ(harness.run([&](int32_t rank) {
    return rank == 2 ? 7 : harness.call(rank, 0, allReduce(8));
  }),
            TESSERA_FAILED);
  EXPECT_EQ(harness.error(), "rank 2 returned status 7");
  EXPECT_EQ(harness.run([](int32_t) { return 0; }), TESSERA_FAILED);
}

TEST_P(ConformanceOfFailures, FinishedRankIsADeadlock) {
  RankHarness harness(backend, meshOf({2}), {{{0, 1, 2}}}, /*timeout=*/-1);
  EXPECT_EQ(harness.run([&](int32_t rank) {
    return rank == 1 ? 0 : harness.call(rank, 0, allReduce(8), here);
  }),
            TESSERA_FAILED);
  EXPECT_EQ(harness.error(), "deadlock: rank 0 waits in all_reduce 'here' at "
                             "model.py:1:2 for rank 1, which does something");
}

TEST_P(ConformanceOfFailures, CrossedCommunicatorsAreADeadlock) {
  RankHarness harness(backend, meshOf({2}), {{{0, 1, 2}}, {{0, 1, 2}}},
                      /*timeout=*/-1);
  EXPECT_EQ(harness.run([&](int32_t rank) {
    HostTensor mine(ElementType::F32, {8});
    return harness.call(rank, rank, callOf(TESSERA_ALL_REDUCE, mine, mine, 8),
                        rank == 0 ? here : there);
  }),
            TESSERA_FAILED);
  EXPECT_EQ(harness.error(), "deadlock: rank 0 waits in all_reduce 'here' at "
                             "model.py:1:2 for rank 1, which does something");
}

TEST_P(ConformanceOfFailures, SlowRankIsATimeout) {
  RankHarness harness(backend, meshOf({2}), {{{0, 1, 2}}}, /*timeout=*/0.1);
  std::atomic<bool> failed = false;
  EXPECT_EQ(harness.run([&](int32_t rank) {
    HostTensor mine(ElementType::F32, {8});
    TesseraCollective call = callOf(TESSERA_ALL_REDUCE, mine, mine, 8);
    if (rank == 0) {
      int32_t status = harness.call(rank, 0, call, here);
      failed = true;
      return status;
    }
    while (!failed)
      ;
    return harness.call(rank, 0, call, here);
  }),
            TESSERA_FAILED);
  EXPECT_EQ(harness.error(),
            "rank 0 waited 0.1 s in all_reduce 'here' at model.py:1:2 for rank "
            "1, which does something");
}

TEST_P(ConformanceOfFailures, MessagesOfAnotherSizeNameBothSides) {
  RankHarness harness(backend, meshOf({2}), {});
  HostTensor small(ElementType::U8, {3}), large(ElementType::U8, {5});
  EXPECT_EQ(harness.run([&](int32_t rank) {
    return rank == 0 ? harness.send(0, 1, 0, small, here)
                     : harness.recv(1, 0, 0, large, there);
  }),
            TESSERA_FAILED);
  EXPECT_EQ(harness.error(),
            "mismatched messages: rank 1 expects 5 bytes in recv 'there' at "
            "model.py:3:4, rank 0 sends 3 in send 'here' at model.py:1:2");
}

TEST_P(ConformanceOfFailures, MessagesThatNobodyReceivesAreNamed) {
  RankHarness harness(backend, meshOf({2}), {});
  HostTensor sent(ElementType::U8, {3}), received(ElementType::U8, {3});
  EXPECT_EQ(harness.run([&](int32_t rank) {
    if (rank == 1)
      return harness.recv(1, 0, 4, received, there);
    int32_t status = harness.send(0, 1, 4, sent, there);
    return status ? status : harness.send(0, 1, 4, sent, here);
  }),
            TESSERA_FAILED);
  EXPECT_EQ(harness.error(), "rank 1 has not received what rank 0 sent in send "
                             "'here' at model.py:1:2");
}

// The tag that comes is not the one that rank 1 waits for.
TEST_P(ConformanceOfFailures, MessageThatNobodySendsIsADeadlock) {
  RankHarness harness(backend, meshOf({3}), {}, /*timeout=*/-1);
  HostTensor sent(ElementType::U8, {3}), received(ElementType::U8, {3});
  EXPECT_EQ(harness.run([&](int32_t rank) {
    return rank == 0   ? harness.send(0, 1, 4, sent, here)
           : rank == 1 ? harness.recv(1, 0, 5, received, there)
                       : 0;
  }),
            TESSERA_FAILED);
  EXPECT_EQ(harness.error(), "deadlock: rank 1 waits in recv 'there' at "
                             "model.py:3:4 for rank 0, which does something");
}

TEST_P(ConformanceOfFailures, FailingRankReleasesReceivers) {
  RankHarness harness(backend, meshOf({3}), {}, /*timeout=*/-1);
  EXPECT_EQ(harness.run([&](int32_t rank) {
    HostTensor received(ElementType::U8, {3});
    return rank == 2 ? 7 : harness.recv(rank, 2, 0, received, here);
  }),
            TESSERA_FAILED);
  EXPECT_EQ(harness.error(), "rank 2 returned status 7");
}

TEST_P(ConformanceOfFailures, SlowSenderIsATimeout) {
  RankHarness harness(backend, meshOf({2}), {}, /*timeout=*/0.1);
  std::atomic<bool> failed = false;
  EXPECT_EQ(harness.run([&](int32_t rank) {
    HostTensor tensor(ElementType::U8, {3});
    if (rank == 1) {
      int32_t status = harness.recv(1, 0, 0, tensor, there);
      failed = true;
      return status;
    }
    while (!failed)
      ;
    return harness.send(0, 1, 0, tensor, here);
  }),
            TESSERA_FAILED);
  EXPECT_EQ(harness.error(), "rank 1 waited 0.1 s in recv 'there' at "
                             "model.py:3:4 for rank 0, which does something");
}

static std::string
backendName(const testing::TestParamInfo<const char *> &info) {
  return info.param;
}
static const auto backends =
    testing::Values("local", "sockets", "mpi", "cuda", "emulated");
INSTANTIATE_TEST_SUITE_P(Backends, Conformance, backends, backendName);
INSTANTIATE_TEST_SUITE_P(Backends, ConformanceOfFailures, backends,
                         backendName);
