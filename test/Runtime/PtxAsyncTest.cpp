//===- PtxAsyncTest.cpp - cp.async, mbarrier, bulk copies -----------------===//

#include "PtxFixture.h"

#include "../../runtime/emulated/asynchronous/TensorMap.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::emulated;

namespace {

void expectFault(const std::optional<std::string> &result,
                 const std::string &message) {
  EXPECT_NE(result.value_or("nothing").find(message), std::string::npos)
      << result.value_or("nothing");
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// Addresses of thread t: %rd0 and %rd1 at 16 * t of the buffers, %r1 of shared
/// memory.
const std::string addresses = R"(
mul.lo.u32 %r0, %me, 16;
cvt.u64.u32 %rd2, %r0;
add.s64 %rd0, %rd2, %b0;
add.s64 %rd1, %rd2, %b1;
mov.u32 %r1, smem;
add.u32 %r1, %r1, %r0;
)";
const std::string storeOwn = "ld.shared.v4.b32 {%r2, %r3, %r4, %r5}, [%r1];\n"
                             "st.global.v4.b32 [%rd1], {%r2, %r3, %r4, %r5};\n";

struct CopyBuffers {
  Buffer in{1024}, out{1024};
  CopyBuffers() {
    for (unsigned i = 0; i < 256; ++i)
      in.as<uint32_t>()[i] = i + 1;
  }
  std::optional<std::string> run(const std::string &body,
                                 unsigned threads = 32) {
    return runPtx(addresses + body, threads, {&in, &out}, 2048);
  }
};

TEST(CpAsync, CopiesByTheWait) {
  CopyBuffers b;
  EXPECT_EQ(b.run("cp.async.cg.shared.global [%r1], [%rd0], 16;\n"
                  "cp.async.ca.shared.global [%r1+512], [%rd0+512], 8, 4;\n"
                  "cp.async.commit_group;\ncp.async.wait_group 0;\n" +
                  storeOwn +
                  "ld.shared.v2.b32 {%r2, %r3}, [%r1+512];\n"
                  "st.global.v2.b32 [%rd1+512], {%r2, %r3};\n")
                .value_or(""),
            "");
  for (unsigned i = 0; i < 128; ++i)
    EXPECT_EQ(b.out.as<uint32_t>()[i], i + 1);
  for (unsigned thread = 0; thread < 32; ++thread) {
    EXPECT_EQ(b.out.as<uint32_t>()[128 + 4 * thread], 129 + 4 * thread);
    EXPECT_EQ(b.out.as<uint32_t>()[128 + 4 * thread + 1], 0u);
  }
}

TEST(CpAsync, OlderGroupsCanBeReadWhileNewerArePending) {
  CopyBuffers b;
  EXPECT_EQ(b.run("cp.async.cg.shared.global [%r1], [%rd0], 16;\n"
                  "cp.async.commit_group;\n"
                  "cp.async.cg.shared.global [%r1+512], [%rd0+512], 16;\n"
                  "cp.async.commit_group;\ncp.async.wait_group 1;\n" +
                  storeOwn + "cp.async.wait_all;\n")
                .value_or(""),
            "");
  EXPECT_EQ(b.out.as<uint32_t>()[5], 6u);
}

TEST(CpAsync, MissingWaitIsARace) {
  CopyBuffers b;
  std::string two = "cp.async.cg.shared.global [%r1], [%rd0], 16;\n"
                    "cp.async.commit_group;\n"
                    "cp.async.cg.shared.global [%r1+512], [%rd0], 16;\n"
                    "cp.async.commit_group;\n";
  expectFault(b.run(two + storeOwn), "race");
  // The wait leaves the group pending that is needed.
  expectFault(b.run(two + "cp.async.wait_group 1;\nadd.u32 %r1, %r1, 512;\n" +
                    storeOwn),
              "race");
}

TEST(CpAsync, OtherWarpsNeedABarrierBesideTheWait) {
  CopyBuffers b;
  std::string copy = "cp.async.cg.shared.global [%r1], [%rd0], 16;\n"
                     "cp.async.wait_all;\n";
  std::string other = "xor.b32 %r0, %r0, 512;\nmov.u32 %r1, smem;\n"
                      "add.u32 %r1, %r1, %r0;\n";
  EXPECT_EQ(b.run(copy + "bar.sync 0;\n" + other + storeOwn, 64).value_or(""),
            "");
  EXPECT_EQ(b.out.as<uint32_t>()[0], 129u);
  // The first warp to run finds nothing of what the other is to copy.
  expectFault(b.run(copy + other + storeOwn, 64), "which nobody has written");
}

TEST(CpAsync, ArrivesAtAnMbarrier) {
  CopyBuffers b;
  std::string init = "mov.u32 %r9, smem;\nsetp.eq.u32 %p0, %me, 0;\n"
                     "@%p0 mbarrier.init.shared.b64 [%r9+1024], 32;\n"
                     "bar.sync 0;\n"
                     "cp.async.cg.shared.global [%r1], [%rd0], 16;\n";
  std::string wait = "wait: mbarrier.try_wait.parity.shared.b64 %p1, "
                     "[%r9+1024], 0;\n@!%p1 bra wait;\n";
  EXPECT_EQ(b.run(init +
                  "cp.async.mbarrier.arrive.noinc.shared.b64 [%r9+1024];\n" +
                  wait + storeOwn)
                .value_or(""),
            "");
  EXPECT_EQ(b.out.as<uint32_t>()[127], 128u);
  // Without .noinc the copies' arrivals are not among those expected.
  expectFault(
      b.run(init + "cp.async.mbarrier.arrive.shared.b64 [%r9+1024];\n" + wait),
      "mbarrier");
}

//===----------------------------------------------------------------------===//
// mbarrier
//===----------------------------------------------------------------------===//

TEST(MbarrierInstruction, TokensAndParitiesAgree) {
  Buffer out(128);
  std::string body = R"(
mov.u32 %r1, smem;
setp.eq.u32 %p0, %me, 0;
@%p0 mbarrier.init.shared::cta.b64 [%r1], 64;
bar.sync 0;
mbarrier.arrive.shared.b64 %rd1, [%r1];
waitToken: mbarrier.try_wait.shared.b64 %p1, [%r1], %rd1;
@!%p1 bra waitToken;
mbarrier.arrive.release.cta.shared::cta.b64 %rd1, [%r1];
waitParity: mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 1;
@!%p1 bra waitParity;
mbarrier.test_wait.parity.shared.b64 %p2, [%r1], 0;
selp.b32 %r2, 1, 2, %p2;
@%p0 st.global.b32 [%b0], %r2;
)";
  EXPECT_EQ(runPtx(body, 64, {&out}, 16).value_or(""), "");
  EXPECT_EQ(out.as<uint32_t>()[0], 2u) << "phase 2 has begun: parity 0 again";
}

TEST(MbarrierInstruction, MisuseIsAFault) {
  Buffer out(128);
  std::string init = "mov.u32 %r1, smem;\nmbarrier.init.shared.b64 [%r1], 1;\n";
  expectFault(runPtx("mov.u32 %r1, smem;\n"
                     "mbarrier.arrive.shared.b64 _, [%r1];\n",
                     1, {&out}, 16),
              "expected an mbarrier at shared address 0");
  expectFault(
      runPtx(init + "mbarrier.arrive.shared.b64 _, [%r1], 2;\n", 1, {&out}, 16),
      "mbarrier expected at most 1 more arrivals");
  expectFault(runPtx(init + "mbarrier.inval.shared.b64 [%r1];\n"
                            "mbarrier.arrive.shared.b64 _, [%r1];\n",
                     1, {&out}, 16),
              "expected an mbarrier");
  expectFault(
      runPtx(init + "mbarrier.init.shared.b64 [%r1], 1;\n", 1, {&out}, 16),
      "initialises an mbarrier that exists and was not invalidated");
  expectFault(runPtx(init + "mbarrier.arrive.shared.b64 _, [%r1];\n"
                            "mbarrier.init.shared.b64 [%r1], 3;\n",
                     1, {&out}, 16),
              "initialises an mbarrier that exists and was not invalidated");
}

TEST(MbarrierInstruction, EndlessWaitIsADeadlock) {
  Buffer out(128);
  expectFault(
      runPtx("mov.u32 %r1, smem;\n"
             "mbarrier.init.shared.b64 [%r1], 2;\n"
             "mbarrier.arrive.shared.b64 _, [%r1];\n"
             "wait: mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 0;\n"
             "@!%p1 bra wait;\n",
             1, {&out}, 16),
      "an mbarrier (1 arrivals and 0 bytes pending)");
}

//===----------------------------------------------------------------------===//
// Bulk copies of boxes
//===----------------------------------------------------------------------===//

/// Loads a box of a tensor with `rank` dimensions of 4-byte elements.
struct BoxCase {
  unsigned rank;
  std::vector<uint64_t> sizes;
  std::vector<uint32_t> box;
  std::vector<int32_t> corner;
  unsigned swizzle; ///< Bytes.
  std::vector<uint32_t> elementStrides = {1, 1, 1, 1, 1};
};

/// A tensor whose elements are their numbers, with padded rows, and its map.
class Tensor {
public:
  explicit Tensor(const BoxCase &c) : c(c) {
    uint64_t stride = (c.sizes[0] * 4 + 31) / 16 * 16;
    for (unsigned i = 1; i < c.rank; ++i) {
      strides.push_back(stride);
      stride *= c.sizes[i];
    }
    if (c.rank == 1)
      stride = (c.sizes[0] * 4 + 15) / 16 * 16;
    memory = std::make_unique<Buffer>(stride);
    for (uint64_t i = 0; i < stride / 4; ++i)
      memory->as<uint32_t>()[i] = i + 1;
    int swizzle = c.swizzle == 0    ? 0
                  : c.swizzle == 32 ? 1
                  : c.swizzle == 64 ? 2
                                    : 3;
    Fallible<TensorMap> encoded = makeTensorMap(
        2, c.rank, memory->address(), c.sizes.data(), strides.data(),
        c.box.data(), c.elementStrides.data(), 0, swizzle, 0);
    EXPECT_TRUE(encoded) << encoded.message();
    EXPECT_TRUE(encoded->encode(std::span<std::byte, TensorMap::byteSize>(
        map.as<std::byte>(), TensorMap::byteSize)));
  }

  /// Calls `use(shared word, element or null)` for all elements of the box.
  template <typename Use> void forEachElement(Use use) {
    std::vector<uint32_t> index(c.rank);
    std::vector<uint32_t> counts;
    uint32_t all = 1;
    for (unsigned i = 0; i < c.rank; ++i) {
      counts.push_back(i == 0 ? c.box[0]
                              : (c.box[i] - 1) / c.elementStrides[i] + 1);
      all *= counts.back();
    }
    for (uint32_t number = 0; number < all; ++number) {
      uint32_t rest = number, row = number / c.box[0], offset = 0;
      bool inside = true;
      for (unsigned i = 0; i < c.rank; ++i) {
        int64_t at = c.corner[i] + int64_t(rest % counts[i]) *
                                       (i == 0 ? 1 : c.elementStrides[i]);
        rest /= counts[i];
        inside &= at >= 0 && at < int64_t(c.sizes[i]);
        offset += at * (i == 0 ? 4 : strides[i - 1]);
      }
      uint32_t inRow = number % c.box[0] * 4, chunk = inRow / 16;
      if (c.swizzle)
        chunk ^= row / (128 / c.swizzle) % 8 % (c.swizzle / 16);
      use(row * c.box[0] + chunk * 4 + inRow % 16 / 4,
          inside ? memory->as<uint32_t>() + offset / 4 : nullptr);
    }
  }

  uint32_t boxWords() {
    uint32_t words = 0;
    forEachElement([&](uint32_t, uint32_t *) { ++words; });
    return words;
  }

  /// `.Nd` and `{corner}`.
  std::string place(std::string text) const {
    std::string list;
    for (unsigned i = 0; i < c.rank; ++i)
      list += (i ? ", " : "") + std::to_string(c.corner[i]);
    return substitute(
        text, {{"rank", std::to_string(c.rank)}, {"corner", "{" + list + "}"}});
  }

  BoxCase c;
  std::vector<uint64_t> strides;
  std::unique_ptr<Buffer> memory;
  Buffer map{TensorMap::byteSize};
};

const std::string initBarrier = R"(
mov.u32 %r1, smem;
setp.eq.u32 %p0, %me, 0;
@%p0 mbarrier.init.shared.b64 [%r1], 1;
@%p0 fence.mbarrier_init.release.cluster;
bar.sync 0;
)";
const std::string expectBytes =
    "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r1], @bytes@;\n";
const std::string fenceMap =
    "@%p0 fence.proxy.tensormap::generic.acquire.sys [%b0], 128;\n";
const std::string loadBox =
    fenceMap +
    "@%p0 cp.async.bulk.tensor.@rank@d.shared::cluster.global.mbarrier::"
    "complete_tx::bytes [%r1+@to@], [%b0, @corner@], [%r1];\n";
const std::string waitBarrier =
    "wait: mbarrier.try_wait.parity.shared.b64 %p1, [%r1], @parity@;\n"
    "@!%p1 bra wait;\n";
/// Each of 32 threads copies every 32nd word of the box to %b1.
const std::string readBox = R"(
mov.u32 %r2, %me;
next:
setp.ge.u32 %p2, %r2, @words@;
@%p2 bra end;
mad.lo.u32 %r3, %r2, 4, %r1;
ld.shared.b32 %r4, [%r3+1024];
mul.wide.u32 %rd3, %r2, 4;
add.s64 %rd3, %rd3, %b1;
st.global.b32 [%rd3], %r4;
add.u32 %r2, %r2, 32;
bra next;
end:
)";

/// Runs `body` on a tensor of the case with its box at 1024 of shared memory.
std::optional<std::string> runBox(Tensor &tensor, Buffer &out,
                                  const std::string &body,
                                  const std::string &parity = "0",
                                  const std::string &to = "1024") {
  uint32_t words = tensor.boxWords();
  std::string text =
      substitute(tensor.place(body), {{"bytes", std::to_string(words * 4)},
                                      {"words", std::to_string(words)},
                                      {"parity", parity},
                                      {"to", to}});
  // The map names the tensor, which so is a buffer too.
  return runPtx(text, 32, {&tensor.map, &out, tensor.memory.get()},
                2048 + words * 4);
}

class LoadBox : public testing::TestWithParam<BoxCase> {};

TEST_P(LoadBox, FillsSharedMemory) {
  Tensor tensor(GetParam());
  uint32_t words = tensor.boxWords();
  Buffer out(words * 4);
  EXPECT_EQ(runBox(tensor, out,
                   initBarrier + expectBytes + loadBox + waitBarrier + readBox)
                .value_or(""),
            "");
  tensor.forEachElement([&](uint32_t at, uint32_t *element) {
    EXPECT_EQ(out.as<uint32_t>()[at], element ? *element : 0u) << at;
  });
}

/// What was loaded and incremented is stored, and nothing else of the tensor
/// changes.
TEST_P(LoadBox, IsStoredAgain) {
  Tensor tensor(GetParam());
  uint32_t words = tensor.boxWords();
  Buffer out(words * 4);
  std::string change = R"(
mov.u32 %r2, %me;
next:
setp.ge.u32 %p2, %r2, @words@;
@%p2 bra end;
mad.lo.u32 %r3, %r2, 4, %r1;
ld.shared.b32 %r4, [%r3+1024];
add.u32 %r4, %r4, 100000;
st.shared.b32 [%r3+1024], %r4;
add.u32 %r2, %r2, 32;
bra next;
end:
fence.proxy.async.shared::cta;
bar.sync 0;
@%p0 cp.async.bulk.tensor.@rank@d.global.shared::cta.bulk_group [%b0, @corner@], [%r1+1024];
@%p0 cp.async.bulk.commit_group;
@%p0 cp.async.bulk.wait_group.read 0;
)";
  EXPECT_EQ(runBox(tensor, out,
                   initBarrier + expectBytes + loadBox + waitBarrier + change)
                .value_or(""),
            "");
  std::vector<uint32_t> expected(tensor.memory->bytes() / 4);
  for (size_t i = 0; i < expected.size(); ++i)
    expected[i] = i + 1;
  tensor.forEachElement([&](uint32_t, uint32_t *element) {
    if (element)
      expected[element - tensor.memory->as<uint32_t>()] += 100000;
  });
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(tensor.memory->as<uint32_t>()[i], expected[i]) << i;
}

INSTANTIATE_TEST_SUITE_P(
    All, LoadBox,
    testing::Values(
        BoxCase{1, {100}, {64}, {20}, 0}, BoxCase{1, {100}, {64}, {-8}, 0},
        BoxCase{2, {40, 30}, {32, 16}, {3, 5}, 128},
        BoxCase{2, {40, 30}, {32, 16}, {-5, 20}, 128},
        BoxCase{2, {40, 30}, {32, 16}, {30, -3}, 128},
        BoxCase{2, {40, 30}, {16, 24}, {10, 10}, 64},
        BoxCase{2, {40, 30}, {8, 40}, {35, 10}, 32},
        BoxCase{2, {41, 30}, {20, 9}, {33, 25}, 0},
        BoxCase{2, {41, 30}, {20, 9}, {100, 0}, 0},
        BoxCase{2, {41, 30}, {20, 9}, {1, 2}, 0, {1, 3, 1, 1, 1}},
        BoxCase{3, {33, 7, 5}, {32, 4, 3}, {2, 5, 3}, 128},
        BoxCase{4, {9, 7, 5, 3}, {8, 2, 2, 2}, {2, 5, 4, 2}, 32},
        BoxCase{5, {6, 4, 3, 3, 2}, {4, 2, 2, 2, 2}, {4, 3, 2, 1, 1}, 0}));

//===----------------------------------------------------------------------===//
// Planted faults of bulk copies
//===----------------------------------------------------------------------===//

const BoxCase someBox = {2, {40, 30}, {32, 16}, {3, 5}, 128};

std::optional<std::string> runSome(const std::string &body,
                                   const std::string &parity = "0",
                                   const std::string &to = "1024") {
  Tensor tensor(someBox);
  Buffer out(tensor.boxWords() * 4);
  return runBox(tensor, out, body, parity, to);
}

TEST(BulkFault, MissingWait) {
  expectFault(runSome(initBarrier + expectBytes + loadBox + readBox), "race");
}

/// The parity of the phase before the first has passed at once.
TEST(BulkFault, WrongParity) {
  expectFault(
      runSome(initBarrier + expectBytes + loadBox + waitBarrier + readBox, "1"),
      "race");
}

/// The arrival alone completes the phase, before the bytes are there.
TEST(BulkFault, MissingExpectTx) {
  expectFault(runSome(initBarrier +
                      "@%p0 mbarrier.arrive.shared.b64 _, [%r1];\n" + loadBox +
                      waitBarrier + readBox),
              "race");
}

TEST(BulkFault, TooManyBytesExpected) {
  expectFault(runSome(initBarrier + expectBytes +
                      "@%p0 mbarrier.expect_tx.relaxed.cta.shared.b64 [%r1], "
                      "16;\n" +
                      loadBox + waitBarrier),
              "an mbarrier (0 arrivals and 16 bytes pending)");
}

TEST(BulkFault, MisalignedBox) {
  expectFault(
      runSome(initBarrier + expectBytes + loadBox + waitBarrier, "0", "1040"),
      "misaligned");
}

TEST(BulkFault, MissingBarrierFence) {
  std::string unfenced = initBarrier;
  size_t at = unfenced.find("@%p0 fence");
  unfenced.erase(at, unfenced.find('\n', at) - at);
  expectFault(runSome(unfenced + expectBytes + loadBox + waitBarrier),
              "whose initialisation no fence.mbarrier_init");
}

/// A tensor map in global memory, other than a parameter, is read by another
/// proxy.
TEST(BulkFault, MissingMapFence) {
  std::string plain = loadBox.substr(fenceMap.size());
  expectFault(
      runSome(initBarrier + expectBytes + plain + waitBarrier + readBox),
      "no fence.proxy.tensormap of its block has made visible");
}

TEST(BulkFault, NoTensorMap) {
  Buffer map(128), out(128);
  expectFault(
      runPtx(substitute(initBarrier + expectBytes + loadBox, {{"bytes", "16"},
                                                              {"rank", "1"},
                                                              {"corner", "{0}"},
                                                              {"to", "128"}}),
             32, {&map, &out}, 1024),
      "expected a tensor map, got other bytes");
}

TEST(BulkFault, NeverWaitedFor) {
  expectFault(runSome(initBarrier + expectBytes + loadBox),
              "1 bulk copies into shared memory were never waited for");
}

const std::string storeBox =
    "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%b0, "
    "@corner@], [%r1+1024];\n@%p0 cp.async.bulk.commit_group;\n";

TEST(BulkFault, StoreNeverWaitedFor) {
  expectFault(
      runSome(initBarrier + expectBytes + loadBox + waitBarrier + storeBox),
      "bulk copies out of shared memory were never waited for");
}

/// Shared memory must stay while it is stored.
TEST(BulkFault, SourceOfStoreOverwritten) {
  expectFault(runSome(initBarrier + expectBytes + loadBox + waitBarrier +
                      storeBox + "@%p0 st.shared.b32 [%r1+1024], 0;\n"),
              "race");
}

TEST(BulkCopy, MovesPlainBytes) {
  Buffer in(256), out(256);
  for (unsigned i = 0; i < 64; ++i)
    in.as<uint32_t>()[i] = i * 3;
  std::string body =
      initBarrier +
      "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 256;\n"
      "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%r1+64], [%b0], 256, [%r1];\n" +
      substitute(waitBarrier, {{"parity", "0"}}) +
      "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%b1], [%r1+64], 256;\n"
      "@%p0 cp.async.bulk.commit_group;\n@%p0 cp.async.bulk.wait_group 0;\n";
  EXPECT_EQ(runPtx(body, 32, {&in, &out}, 512).value_or(""), "");
  EXPECT_EQ(std::memcmp(in.as<std::byte>(), out.as<std::byte>(), 256), 0);
}

} // namespace
