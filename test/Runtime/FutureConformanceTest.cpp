//===- FutureConformanceTest.cpp - Collectives that are started -----------===//
//
// What every back end must do with collectives that are under way while ranks
// do something else. Values are small integers, as in ConformanceTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "BackendTest.h"
#include "RankHarness.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace tessera;
using namespace tessera::runtime;
using namespace tessera::runtime::test;

namespace {

class FutureConformance : public BackendTest {};

/// The sums that all ranks of a mesh of 2 x 2 form one after another: number i
/// along one axis, the other, or both, of few or many elements.
class Sums {
public:
  static constexpr int32_t count = 9;

  Sums() {
    for (int32_t rank = 0; rank < 4; ++rank)
      for (int32_t i = 0; i < count; ++i) {
        in[rank].emplace_back(ElementType::F32, Shape{elements(i)});
        out[rank].emplace_back(ElementType::F32, Shape{elements(i)});
        for (int64_t k = 0; k < elements(i); ++k)
          in[rank][i].elements<float>()[k] = valueOf(rank, i, k);
      }
  }

  static std::vector<std::vector<SubAxis>> communicators() {
    return {{{0, 1, 2}}, {{1, 1, 2}}, {{0, 1, 2}, {1, 1, 2}}};
  }
  static int32_t communicator(int32_t i) { return i % 3; }
  static int64_t elements(int32_t i) { return i % 2 ? 70'000 : 5; }

  TesseraCollective call(int32_t rank, int32_t i) {
    TesseraCollective call = {};
    call.kind = TESSERA_ALL_REDUCE;
    call.in = in[rank][i].data();
    call.out = out[rank][i].data();
    call.count = elements(i);
    call.dtype = TESSERA_F32;
    return call;
  }
  void clear() {
    for (std::vector<HostTensor> &tensors : out)
      for (HostTensor &tensor : tensors)
        std::fill_n(tensor.elements<float>().data(), tensor.elementCount(),
                    -1.0f);
  }
  /// Ranks 2d and 2d + 1 differ along the second axis, d and d + 2 along the
  /// first.
  void check() const {
    for (int32_t rank = 0; rank < 4; ++rank)
      for (int32_t i = 0; i < count; ++i)
        for (int64_t k = 0; k < elements(i); ++k) {
          float expected = 0;
          for (int32_t other = 0; other < 4; ++other)
            if ((communicator(i) == 2) ||
                (communicator(i) == 1 ? other / 2 == rank / 2
                                      : other % 2 == rank % 2))
              expected += valueOf(other, i, k);
          ASSERT_EQ(out[rank][i].elements<float>()[k], expected)
              << "rank " << rank << ", sum " << i << ", element " << k;
        }
  }

private:
  static float valueOf(int32_t rank, int32_t i, int64_t k) {
    return static_cast<float>((rank * 5 + i * 3 + k) % 8);
  }
  std::vector<HostTensor> in[4], out[4];
};

} // namespace

static const TesseraSite here = {"here", "model.py:1:2"};
static const TesseraSite there = {"there", "model.py:3:4"};

/// Every rank starts all sums, in the same order, and waits for them in an
/// order of its own; again and again.
static void checkAllUnderWay(const TesseraBackend *backend,
                             int32_t spareCores) {
  RankHarness harness(backend, meshOf({2, 2}), Sums::communicators(),
                      /*timeout=*/20, /*spin=*/false, spareCores);
  Sums sums;
  for (int32_t step = 0; step < 8; ++step) {
    sums.clear();
    ASSERT_EQ(harness.run([&](int32_t rank) {
      for (int32_t i = 0; i < Sums::count; ++i)
        if (int32_t status = harness.call(rank, Sums::communicator(i),
                                          sums.call(rank, i), here, i))
          return status;
      std::vector<int32_t> order(Sums::count);
      for (int32_t i = 0; i < Sums::count; ++i)
        order[i] = i;
      if (step % 2)
        std::reverse(order.begin(), order.end());
      else
        std::shuffle(order.begin(), order.end(), std::mt19937(step * 4 + rank));
      for (int32_t i : order)
        if (int32_t status = harness.wait(rank, i))
          return status;
      return 0;
    }),
              TESSERA_OK)
        << harness.error();
    sums.check();
  }
}

TEST_P(FutureConformance, SeveralUnderWayInAnyOrderOfWaits) {
  checkAllUnderWay(backend, /*spareCores=*/0);
}

TEST_P(FutureConformance, SeveralUnderWayWithSpareCores) {
  checkAllUnderWay(backend, /*spareCores=*/2);
}

// A group's collectives match in the order of their starts, whether a member
// waits for them at once or later.
TEST_P(FutureConformance, StartedAndCompleteOnesMatch) {
  RankHarness harness(backend, meshOf({2, 2}), Sums::communicators());
  Sums sums;
  sums.clear();
  ASSERT_EQ(harness.run([&](int32_t rank) {
    std::vector<int32_t> started;
    for (int32_t i = 0; i < Sums::count; ++i) {
      bool completes = (i + rank) % 2;
      int32_t status =
          harness.call(rank, Sums::communicator(i), sums.call(rank, i), here,
                       completes ? -1 : i);
      if (status)
        return status;
      if (!completes)
        started.push_back(i);
    }
    for (int32_t i : started)
      if (int32_t status = harness.wait(rank, i))
        return status;
    return 0;
  }),
            TESSERA_OK)
      << harness.error();
  sums.check();
}

// The operand may be the result, and a number be used again at once.
TEST_P(FutureConformance, InPlaceWithOneNumber) {
  RankHarness harness(backend, meshOf({3}), {{{0, 1, 3}}});
  std::vector<HostTensor> values(3, HostTensor(ElementType::I32, {70'000}));
  for (HostTensor &tensor : values)
    std::fill_n(tensor.elements<int32_t>().data(), 70'000, 1);
  ASSERT_EQ(harness.run([&](int32_t rank) {
    TesseraCollective call = {};
    call.kind = TESSERA_ALL_REDUCE;
    call.in = call.out = values[rank].data();
    call.count = 70'000;
    call.dtype = TESSERA_I32;
    for (int32_t i = 0; i < 6; ++i) {
      int32_t status = harness.call(rank, 0, call, here, 0);
      if (!status)
        status = harness.wait(rank, 0);
      if (status)
        return status;
    }
    return 0;
  }),
            TESSERA_OK)
      << harness.error();
  for (const HostTensor &tensor : values)
    for (int32_t value : tensor.elements<int32_t>())
      ASSERT_EQ(value, 729);
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

namespace {
class FutureFailures : public FutureConformance {
protected:
  /// A sum in place; the memory outlives the ranks.
  TesseraCollective sum(int32_t rank, int64_t count) {
    TesseraCollective call = {};
    call.kind = TESSERA_ALL_REDUCE;
    call.in = call.out = memory[rank];
    call.count = count;
    call.dtype = TESSERA_F32;
    return call;
  }
  float memory[2][64] = {};
};
} // namespace

TEST_P(FutureFailures, MismatchNamesBothSides) {
  RankHarness harness(backend, meshOf({2}), {{{0, 1, 2}}});
  EXPECT_EQ(harness.run([&](int32_t rank) {
    int32_t status =
        harness.call(rank, 0, sum(rank, rank ? 8 : 16), rank ? there : here, 0);
    return status ? status : harness.wait(rank, 0);
  }),
            TESSERA_FAILED);
  EXPECT_EQ(harness.error(),
            "mismatched collectives: rank 0 calls all_reduce 'here' at "
            "model.py:1:2 (16 x f32, sum), rank 1 calls all_reduce 'there' at "
            "model.py:3:4 (8 x f32, sum)");
}

// Rank 0 waits for its second sum, which rank 1 never starts.
TEST_P(FutureFailures, MissingMemberIsADeadlock) {
  RankHarness harness(backend, meshOf({2}), {{{0, 1, 2}}}, /*timeout=*/-1);
  EXPECT_EQ(harness.run([&](int32_t rank) {
    int32_t status = harness.call(rank, 0, sum(rank, 8), here, 3);
    if (!status && rank == 0)
      status = harness.call(rank, 0, sum(rank, 8), there, 1);
    if (!status && rank == 0)
      status = harness.wait(rank, 1);
    return status ? status : harness.wait(rank, 3);
  }),
            TESSERA_FAILED);
  EXPECT_EQ(harness.error(), "deadlock: rank 0 waits in all_reduce 'there' at "
                             "model.py:3:4 for rank 1, which does something");
}

TEST_P(FutureFailures, CrossedCommunicatorsAreADeadlockAtTheWait) {
  RankHarness harness(backend, meshOf({2}), {{{0, 1, 2}}, {{0, 1, 2}}},
                      /*timeout=*/-1);
  EXPECT_EQ(harness.run([&](int32_t rank) {
    int32_t status =
        harness.call(rank, rank, sum(rank, 8), rank ? there : here, 0);
    return status ? status : harness.wait(rank, 0);
  }),
            TESSERA_FAILED);
  EXPECT_EQ(harness.error(), "deadlock: rank 0 waits in all_reduce 'here' at "
                             "model.py:1:2 for rank 1, which does something");
}

TEST_P(FutureFailures, SlowMemberIsATimeoutOfTheWait) {
  RankHarness harness(backend, meshOf({2}), {{{0, 1, 2}}}, /*timeout=*/0.1);
  std::atomic<bool> failed = false;
  EXPECT_EQ(harness.run([&](int32_t rank) {
    if (rank == 1) {
      while (!failed)
        ;
      return harness.call(rank, 0, sum(rank, 8), here);
    }
    int32_t status = harness.call(rank, 0, sum(rank, 8), here, 0);
    EXPECT_EQ(status, 0); // Nobody waits yet.
    status = harness.wait(rank, 0);
    failed = true;
    return status;
  }),
            TESSERA_FAILED);
  EXPECT_EQ(harness.error(),
            "rank 0 waited 0.1 s in all_reduce 'here' at model.py:1:2 for rank "
            "1, which does something");
}

// A rank that gives up leaves what it has started.
TEST_P(FutureFailures, FailingRankReleasesWaiters) {
  RankHarness harness(backend, meshOf({2}), {{{0, 1, 2}}}, /*timeout=*/-1);
  EXPECT_EQ(harness.run([&](int32_t rank) {
    if (rank == 1)
      return 7;
    int32_t status = harness.call(rank, 0, sum(rank, 8), here, 0);
    return status ? status : harness.wait(rank, 0);
  }),
            TESSERA_FAILED);
  EXPECT_EQ(harness.error(), "rank 1 returned status 7");
}

static std::string
backendName(const testing::TestParamInfo<const char *> &info) {
  return info.param;
}
static const auto backends =
    testing::Values("local", "sockets", "mpi", "cuda", "emulated");
INSTANTIATE_TEST_SUITE_P(Backends, FutureConformance, backends, backendName);
INSTANTIATE_TEST_SUITE_P(Backends, FutureFailures, backends, backendName);
