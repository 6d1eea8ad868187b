//===- TensorMapTest.cpp - Tensor maps, swizzles and mbarriers ------------===//

#include "../../runtime/emulated/asynchronous/TensorMap.h"
#include "../../runtime/emulated/asynchronous/Mbarrier.h"
#include "../../runtime/emulated/asynchronous/SharedLayout.h"

#include <gtest/gtest.h>

#include <set>

using namespace tessera;
using namespace tessera::emulated;

namespace {

/// Arguments of cuTensorMapEncodeTiled for a bf16 matrix, to be spoilt.
struct Arguments {
  int type = 9, swizzle = 3, interleave = 0, fill = 0;
  unsigned rank = 2;
  uint64_t address = 0x10000;
  uint64_t sizes[5] = {100, 70, 3, 2, 5};
  uint64_t strides[4] = {208, 208 * 70, 208 * 210, uint64_t(1) << 39};
  uint32_t box[5] = {64, 128, 1, 1, 1};
  uint32_t elementStrides[5] = {1, 1, 1, 1, 2};

  Fallible<TensorMap> make() const {
    return makeTensorMap(type, rank, address, sizes, strides, box,
                         elementStrides, interleave, swizzle, fill);
  }
  std::string message() const {
    Fallible<TensorMap> map = make();
    return map ? "" : map.message();
  }
};

TEST(TensorMap, SurvivesItsEncoding) {
  Arguments arguments;
  arguments.rank = 5;
  arguments.sizes[4] = uint64_t(1) << 32;
  Fallible<TensorMap> map = arguments.make();
  ASSERT_TRUE(map) << map.message();
  std::array<std::byte, TensorMap::byteSize> bytes;
  ASSERT_TRUE(map->encode(bytes));
  Fallible<TensorMap> read = TensorMap::decode(bytes);
  ASSERT_TRUE(read) << read.message();
  EXPECT_EQ(read->address, arguments.address);
  EXPECT_EQ(read->type, TensorMapType::BF16);
  EXPECT_EQ(read->swizzle, Swizzle::B128);
  for (unsigned i = 0; i < 5; ++i) {
    EXPECT_EQ(read->sizes[i], arguments.sizes[i]);
    EXPECT_EQ(read->box[i], arguments.box[i]);
    EXPECT_EQ(read->elementStrides[i], arguments.elementStrides[i]);
    if (i > 0)
      EXPECT_EQ(read->strides[i], arguments.strides[i - 1]);
  }
  EXPECT_EQ(read->boxBytes(), 64u * 128 * 2);
}

TEST(TensorMap, KnowsOtherBytes) {
  std::array<std::byte, TensorMap::byteSize> bytes = {};
  EXPECT_EQ(TensorMap::decode(bytes).message(),
            "expected a tensor map, got other bytes");
}

/// Each of CUDA's rules refuses a map that breaks it and nothing else.
TEST(TensorMap, RulesAreChecked) {
  EXPECT_EQ(Arguments().message(), "");
  Arguments a;
  a.address = 0x10008;
  EXPECT_EQ(a.message(),
            "expected a tensor map of an address that is a multiple of 16");
  a = {};
  a.strides[0] = 200;
  EXPECT_EQ(a.message(),
            "expected a stride of dimension 1 of a tensor map that is a "
            "multiple of 16 bytes and below 2^40, got 200");
  a = {};
  a.box[1] = 257;
  EXPECT_EQ(a.message(), "expected a box size from 1 to 256 of dimension 1 of "
                         "a tensor map, got 257");
  a = {};
  a.box[0] = 65;
  EXPECT_EQ(a.message(), "expected a tensor map whose box has rows of a "
                         "multiple of 16 bytes, got 130");
  a = {};
  a.box[0] = 128;
  EXPECT_EQ(a.message(), "expected a tensor map whose box has rows of at most "
                         "the 128 bytes of its swizzle, got 256");
  a = {};
  a.elementStrides[1] = 9;
  EXPECT_EQ(a.message(), "expected an element stride from 1 to 8 of dimension "
                         "1 of a tensor map, got 9");
  a = {};
  a.sizes[0] = 0;
  EXPECT_EQ(a.message(), "expected a size from 1 to 2^32 of dimension 0 of a "
                         "tensor map, got 0");
  a = {};
  a.rank = 6;
  EXPECT_EQ(a.message(), "expected a tensor map of rank 1 to 5, got 6");
  a = {};
  a.interleave = 1;
  EXPECT_EQ(a.message(), "interleaved tensor maps are not emulated");
}

/// Each rule once more, in another dimension or by another value.
TEST(TensorMap, RulesAreCheckedElsewhere) {
  auto messageOf = [](auto &&spoil) {
    Arguments arguments;
    spoil(arguments);
    return arguments.message();
  };
  EXPECT_EQ(messageOf([](auto &a) { a.address = 1; }),
            "expected a tensor map of an address that is a multiple of 16");
  EXPECT_EQ(messageOf([](auto &a) {
              a.rank = 3;
              a.strides[1] = uint64_t(1) << 40;
            }),
            "expected a stride of dimension 2 of a tensor map that is a "
            "multiple of 16 bytes and below 2^40, got 1099511627776");
  EXPECT_EQ(messageOf([](auto &a) { a.box[0] = 0; }),
            "expected a box size from 1 to 256 of dimension 0 of a tensor map, "
            "got 0");
  EXPECT_EQ(messageOf([](auto &a) { a.box[0] = 9; }),
            "expected a tensor map whose box has rows of a multiple of 16 "
            "bytes, got 18");
  EXPECT_EQ(messageOf([](auto &a) { a.swizzle = 1; }),
            "expected a tensor map whose box has rows of at most the 32 bytes "
            "of its swizzle, got 128");
  EXPECT_EQ(messageOf([](auto &a) { a.elementStrides[0] = 0; }),
            "expected an element stride from 1 to 8 of dimension 0 of a tensor "
            "map, got 0");
  EXPECT_EQ(messageOf([](auto &a) { a.sizes[1] = (uint64_t(1) << 32) + 1; }),
            "expected a size from 1 to 2^32 of dimension 1 of a tensor map, "
            "got 4294967297");
  EXPECT_EQ(messageOf([](auto &a) { a.rank = 0; }),
            "expected a tensor map of rank 1 to 5, got 0");
  EXPECT_EQ(messageOf([](auto &a) { a.interleave = 2; }),
            "interleaved tensor maps are not emulated");
  EXPECT_EQ(messageOf([](auto &a) { a.type = -1; }),
            "tensor maps of data type -1 are not emulated");
  EXPECT_EQ(messageOf([](auto &a) { a.type = 99; }),
            "tensor maps of data type 99 are not emulated");
  EXPECT_EQ(messageOf([](auto &a) { a.swizzle = 4; }),
            "tensor maps of swizzle 4 are not emulated");
  EXPECT_EQ(messageOf([](auto &a) { a.swizzle = -1; }),
            "tensor maps of swizzle -1 are not emulated");
  EXPECT_EQ(messageOf([](auto &a) { a.fill = 1; }),
            "tensor maps with NaN outside of the tensor are not emulated");
  EXPECT_EQ(messageOf([](auto &a) { a.fill = -1; }),
            "tensor maps with NaN outside of the tensor are not emulated");
}

TEST(MatrixDescriptor, HasNoBaseOffset) {
  for (uint64_t offset : {1, 7})
    EXPECT_EQ(MatrixDescriptor::decode(offset << 49).message(),
              "matrix descriptor with a base offset: the swizzle pattern must "
              "begin at a multiple of its period");
  EXPECT_EQ(MatrixDescriptor::decode(uint64_t(2) << 49 | 5).message(),
            "matrix descriptor with a base offset: the swizzle pattern must "
            "begin at a multiple of its period");
}

/// Eight rows of the pattern have any column of chunks in different banks, and
/// the pattern is a permutation that leaves the inside of chunks alone.
TEST(Swizzle, SpreadsColumnsOverBanks) {
  for (Swizzle swizzle : {Swizzle::B32, Swizzle::B64, Swizzle::B128}) {
    auto width = static_cast<uint32_t>(swizzle);
    std::set<uint32_t> all;
    for (uint32_t address = 0; address < 8 * width; ++address) {
      uint32_t to = swizzled(address, swizzle);
      all.insert(to);
      EXPECT_EQ(to % 16, address % 16);
      EXPECT_EQ(to / 128, address / 128);
    }
    EXPECT_EQ(all.size(), 8 * width);
    for (uint32_t chunk = 0; chunk < width / 16; ++chunk) {
      std::set<uint32_t> banks;
      for (uint32_t row = 0; row < 8; ++row)
        banks.insert(swizzled(row * width + chunk * 16, swizzle) % 128);
      EXPECT_EQ(banks.size(), 8u);
    }
  }
}

TEST(Mbarrier, CompletesWhenArrivalsAndBytesHave) {
  Mbarrier barrier = *Mbarrier::init(2);
  EXPECT_TRUE(barrier.hasPassedParity(1)) << "the phase before the first";
  ASSERT_TRUE(barrier.arrive(1));
  ASSERT_TRUE(barrier.expectBytes(64));
  ASSERT_TRUE(barrier.arrive(1));
  EXPECT_FALSE(barrier.hasPassedParity(0));
  ASSERT_TRUE(barrier.completeBytes(48));
  EXPECT_FALSE(barrier.hasPassedParity(0));
  ASSERT_TRUE(barrier.completeBytes(16));
  EXPECT_TRUE(barrier.hasPassedParity(0));
  EXPECT_FALSE(barrier.hasPassedParity(1));
  EXPECT_EQ(barrier.pendingArrivals(), 2u);
}

TEST(Mbarrier, RefusesMoreThanItCounts) {
  EXPECT_EQ(Mbarrier::init(0).message(),
            "expected an mbarrier of 1 to 1048575 arrivals, got 0");
  Mbarrier barrier = *Mbarrier::init(2);
  EXPECT_EQ(barrier.arrive(3).message(),
            "mbarrier expected at most 2 more arrivals in its phase, got 3");
  EXPECT_EQ(barrier.arriveWithoutCompleting(2).message(),
            "mbarrier arrival with .noComplete would complete the phase: 2 "
            "arrivals were pending");
  EXPECT_TRUE(barrier.expectBytes(Mbarrier::limit));
  EXPECT_EQ(barrier.expectBytes(1).message(),
            "mbarrier expects too many bytes: 1048576");
}

TEST(Mbarrier, RefusesMoreThanItCountsInOtherStates) {
  EXPECT_EQ(Mbarrier::init(Mbarrier::limit + 1).message(),
            "expected an mbarrier of 1 to 1048575 arrivals, got 1048576");
  Mbarrier barrier = *Mbarrier::init(3);
  EXPECT_EQ(barrier.arrive(0).message(),
            "mbarrier expected at most 3 more arrivals in its phase, got 0");
  ASSERT_TRUE(barrier.arriveWithoutCompleting(2));
  EXPECT_EQ(barrier.arriveWithoutCompleting(9).message(),
            "mbarrier arrival with .noComplete would complete the phase: 1 "
            "arrivals were pending");
  EXPECT_EQ(barrier.expectBytes(~0u).message(),
            "mbarrier expects too many bytes: 4294967295");
  EXPECT_EQ(barrier.completeBytes(~0u).message(),
            "mbarrier got too many bytes that nothing had expected: "
            "4294967295");
  ASSERT_TRUE(barrier.completeBytes(Mbarrier::limit));
  EXPECT_EQ(barrier.completeBytes(1).message(),
            "mbarrier got too many bytes that nothing had expected: 1048576");
  Mbarrier full = *Mbarrier::init(Mbarrier::limit);
  EXPECT_EQ(full.addPending().message(),
            "mbarrier counts too many pending arrivals");
  ASSERT_TRUE(full.arrive(1));
  ASSERT_TRUE(full.addPending());
  EXPECT_EQ(full.addPending().message(),
            "mbarrier counts too many pending arrivals");
}

/// An arrival that drops out is missing from the next phases.
TEST(Mbarrier, DropsThreads) {
  Mbarrier barrier = *Mbarrier::init(2);
  ASSERT_TRUE(barrier.arrive(1, /*drops=*/true));
  ASSERT_TRUE(barrier.arrive(1));
  EXPECT_EQ(barrier.phase(), 1u);
  EXPECT_EQ(barrier.pendingArrivals(), 1u);
}

} // namespace
