//===- CombinedConformanceTest.cpp - Several collectives in one call ------===//
//
// What every back end must do with calls that have parts. Values are small
// integers, as in ConformanceTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "BackendTest.h"
#include "RankHarness.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::runtime;
using namespace tessera::runtime::test;

namespace {

class CombinedConformance : public BackendTest {};
class CombinedFailures : public BackendTest {};

} // namespace

static const TesseraSite here = {"here", "model.py:1:2"};

static TesseraCollective part(int32_t kind, const HostTensor &in,
                              HostTensor &out, int64_t count,
                              int32_t reduction = TESSERA_SUM) {
  TesseraCollective call = {};
  call.kind = kind;
  call.in = in.data();
  call.out = out.data();
  call.count = count;
  call.dtype = static_cast<int32_t>(in.type());
  bool reduces = kind == TESSERA_ALL_REDUCE || kind == TESSERA_REDUCE_SCATTER;
  call.reduction = reduces ? reduction : 0;
  return call;
}

/// Element k of operand i of a rank.
static int64_t valueOf(int32_t rank, size_t i, int64_t k) {
  return (rank * 5 + static_cast<int64_t>(i) * 3 + k) % 8;
}

static HostTensor operand(ElementType type, int64_t elements, int32_t rank,
                          size_t i) {
  HostTensor tensor(type, {elements});
  for (int64_t k = 0; k < elements; ++k)
    tensor.setFromDouble(k, static_cast<double>(valueOf(rank, i, k)));
  return tensor;
}

/// Types, sizes that need helpers and that do not, and nothing at all.
static const std::vector<std::pair<ElementType, int64_t>> &shapes() {
  static const std::vector<std::pair<ElementType, int64_t>> list = {
      {ElementType::F32, 5}, {ElementType::I32, 70'000}, {ElementType::F32, 0},
      {ElementType::F64, 3}, {ElementType::F32, 70'000}, {ElementType::F32, 1}};
  return list;
}

/// Runs a call of parts of all shapes on three ranks and returns the results by
/// rank; operands and results of a part have as many chunks as given.
static std::vector<std::vector<HostTensor>>
runParts(const TesseraBackend *backend, int32_t kind, int64_t inChunks,
         int64_t outChunks, int32_t future,
         const std::vector<int32_t> &reductions, bool inPlace = false) {
  RankHarness harness(backend, meshOf({3}), {{{0, 1, 3}}});
  std::vector<std::vector<HostTensor>> in(3), out(3);
  for (int32_t rank = 0; rank < 3; ++rank)
    for (size_t i = 0; i < shapes().size(); ++i) {
      auto [type, count] = shapes()[i];
      in[rank].push_back(operand(type, count * inChunks, rank, i));
      out[rank].push_back(HostTensor(type, {count * outChunks}));
    }
  static const int32_t targets[] = {2, -1, 1};
  EXPECT_EQ(harness.run([&](int32_t rank) {
    std::vector<TesseraCollective> parts;
    for (size_t i = 0; i < shapes().size(); ++i) {
      parts.push_back(
          part(kind, in[rank][i], inPlace ? in[rank][i] : out[rank][i],
               shapes()[i].second, reductions[i % reductions.size()]));
      parts.back().targets = kind == TESSERA_PERMUTE ? targets : nullptr;
      parts.back().root =
          kind == TESSERA_BROADCAST ? static_cast<int32_t>(i % 3) : 0;
    }
    int32_t status = harness.combined(rank, 0, parts, here, future);
    return status || future < 0 ? status : harness.wait(rank, future);
  }),
            TESSERA_OK)
      << harness.error();
  return inPlace ? in : out;
}

template <typename Expected>
static void check(const std::vector<std::vector<HostTensor>> &results,
                  int64_t chunks, Expected expected) {
  for (int32_t rank = 0; rank < 3; ++rank)
    for (size_t i = 0; i < shapes().size(); ++i)
      for (int64_t k = 0; k < shapes()[i].second * chunks; ++k)
        ASSERT_EQ(results[rank][i].toDouble(k),
                  static_cast<double>(expected(rank, i, k)))
            << "rank " << rank << ", part " << i << ", element " << k;
}

static int64_t sumOf(size_t i, int64_t k) {
  return valueOf(0, i, k) + valueOf(1, i, k) + valueOf(2, i, k);
}

TEST_P(CombinedConformance, AllReduce) {
  for (int32_t future : {-1, 4})
    for (bool inPlace : {false, true})
      check(runParts(backend, TESSERA_ALL_REDUCE, 1, 1, future, {TESSERA_SUM},
                     inPlace),
            1, [](int32_t, size_t i, int64_t k) { return sumOf(i, k); });
}

// Also one that a library does not have for floats as it is to be.
TEST_P(CombinedConformance, SeveralReductions) {
  check(runParts(backend, TESSERA_ALL_REDUCE, 1, 1, 0,
                 {TESSERA_SUM, TESSERA_MAX, TESSERA_SUM, TESSERA_SUM,
                  TESSERA_MAX, TESSERA_SUM}),
        1, [](int32_t, size_t i, int64_t k) {
          return i == 1 || i == 4
                     ? std::max({valueOf(0, i, k), valueOf(1, i, k),
                                 valueOf(2, i, k)})
                     : sumOf(i, k);
        });
}

TEST_P(CombinedConformance, ReduceScatter) {
  for (int32_t future : {-1, 0})
    check(
        runParts(backend, TESSERA_REDUCE_SCATTER, 3, 1, future, {TESSERA_SUM}),
        1, [](int32_t rank, size_t i, int64_t k) {
          return sumOf(i, rank * shapes()[i].second + k);
        });
}

TEST_P(CombinedConformance, AllGather) {
  for (int32_t future : {-1, 0})
    check(runParts(backend, TESSERA_ALL_GATHER, 1, 3, future, {TESSERA_SUM}), 3,
          [](int32_t, size_t i, int64_t k) {
            int64_t count = shapes()[i].second;
            return valueOf(static_cast<int32_t>(k / count), i, k % count);
          });
}

TEST_P(CombinedConformance, AllToAll) {
  for (int32_t future : {-1, 0})
    check(runParts(backend, TESSERA_ALL_TO_ALL, 3, 3, future, {TESSERA_SUM}), 3,
          [](int32_t rank, size_t i, int64_t k) {
            int64_t count = shapes()[i].second;
            return valueOf(static_cast<int32_t>(k / count), i,
                           rank * count + k % count);
          });
}

TEST_P(CombinedConformance, Permute) {
  for (int32_t future : {-1, 0})
    check(runParts(backend, TESSERA_PERMUTE, 1, 1, future, {TESSERA_SUM}), 1,
          [](int32_t rank, size_t i, int64_t k) {
            return rank == 0 ? 0 : valueOf(rank == 1 ? 2 : 0, i, k);
          });
}

TEST_P(CombinedConformance, Broadcast) {
  for (int32_t future : {-1, 0})
    check(runParts(backend, TESSERA_BROADCAST, 1, 1, future, {TESSERA_SUM}), 1,
          [](int32_t, size_t i, int64_t k) {
            return valueOf(static_cast<int32_t>(i % 3), i, k);
          });
}

// Combined calls and others of a group match in their order.
TEST_P(CombinedConformance, AmongOthers) {
  RankHarness harness(backend, meshOf({2}), {{{0, 1, 2}}});
  std::vector<HostTensor> a, b, c;
  for (int32_t rank = 0; rank < 2; ++rank)
    for (std::vector<HostTensor> *list : {&a, &b, &c})
      list->push_back(operand(ElementType::F32, 40'000, rank, 0));
  ASSERT_EQ(harness.run([&](int32_t rank) {
    auto sum = [&](HostTensor &value) {
      return part(TESSERA_ALL_REDUCE, value, value, 40'000);
    };
    for (int step = 0; step < 4; ++step) {
      int32_t status = harness.call(rank, 0, sum(a[rank]), here, 0);
      if (!status)
        status =
            harness.combined(rank, 0, {sum(b[rank]), sum(c[rank])}, here, 1);
      if (!status)
        status = harness.wait(rank, 1);
      if (!status)
        status = harness.wait(rank, 0);
      if (!status)
        status = harness.combined(rank, 0, {sum(b[rank])});
      if (status)
        return status;
    }
    return 0;
  }),
            TESSERA_OK)
      << harness.error();
  for (int32_t rank = 0; rank < 2; ++rank)
    for (int64_t k = 0; k < 40'000; ++k) {
      double sum = static_cast<double>(valueOf(0, 0, k) + valueOf(1, 0, k));
      ASSERT_EQ(a[rank].toDouble(k), 8 * sum);
      ASSERT_EQ(b[rank].toDouble(k), 128 * sum);
      ASSERT_EQ(c[rank].toDouble(k), 8 * sum);
    }
}

/// What a call of sums of `counts` elements on rank 0 and `others` on rank 1
/// ends with.
static std::string errorOf(const TesseraBackend *backend,
                           const std::vector<int64_t> &counts,
                           const std::vector<int64_t> &others) {
  RankHarness harness(backend, meshOf({2}), {{{0, 1, 2}}});
  HostTensor memory[2] = {HostTensor(ElementType::F32, {64}),
                          HostTensor(ElementType::F32, {64})};
  EXPECT_EQ(harness.run([&](int32_t rank) {
    std::vector<TesseraCollective> parts;
    for (int64_t count : rank == 0 ? counts : others)
      parts.push_back(
          part(TESSERA_ALL_REDUCE, memory[rank], memory[rank], count));
    return harness.combined(rank, 0, parts, here);
  }),
            TESSERA_FAILED);
  return harness.error();
}

TEST_P(CombinedFailures, PartsDiffer) {
  EXPECT_EQ(errorOf(backend, {4, 8}, {4, 7}),
            "mismatched collectives: rank 0 calls all_reduce 'here' at "
            "model.py:1:2 (8 x f32, sum), rank 1 calls all_reduce 'here' at "
            "model.py:1:2 (7 x f32, sum)");
}

static std::string
backendName(const testing::TestParamInfo<const char *> &info) {
  return info.param;
}
INSTANTIATE_TEST_SUITE_P(Backends, CombinedConformance,
                         testing::Values("local", "sockets", "mpi", "cuda",
                                         "emulated"),
                         backendName);
// Devices compare calls in the first step of a program only.
INSTANTIATE_TEST_SUITE_P(Backends, CombinedFailures,
                         testing::Values("local", "sockets"), backendName);
