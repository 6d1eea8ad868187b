//===- FaultTest.cpp - Faults that kernels must not get away with ---------===//

#include "TestKernel.h"

#include <algorithm>
#include <tuple>

using namespace tessera;
using namespace tessera::emulated;

namespace {

using u32 = uint32_t;

/// What is said about a kernel with one buffer of `words` words.
std::string messageOf(const std::string &body, uint32_t threads = 32,
                      const std::string &globals = "", uint32_t blocks = 1,
                      size_t words = 32) {
  TestKernel kernel(1, body, globals);
  kernel.set(0, std::vector<u32>(words));
  return kernel.run(blocks, threads);
}

/// All of `parts` must occur in the message.
void expectMessage(const std::string &message,
                   std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    EXPECT_NE(message.find(part), std::string::npos)
        << "expected '" << part << "' in: " << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

const char *const sharedWords = ".shared .align 4 .b32 tile[64];";
/// %r1: the shared address of the thread's word.
const std::string ownWord = "mov.u32 %r1, tile; shl.b32 %r2, %tid0, 2;"
                            "add.u32 %r1, %r1, %r2;";

TEST(PtxFault, NamesTheNearestAllocation) {
  expectMessage(messageOf(R"(
    mad.wide.u32 %d1, %tid1, 4, %a0;
    st.global.u32 [%d1+16], %tid1;)"),
                {"kernel 'kernel', block (0,0,0), thread (28,0,0): write of 4 "
                 "bytes at global address 0x",
                 "0 bytes after the end of 'p0' (128 bytes)", "PTX line"});
}

TEST(PtxFault, NamesTheSourceLine) {
  expectMessage(messageOf(R"(
    .loc 1 42 3
    ld.global.u32 %r1, [%a0+-4];)",
                          32, ".file 1 \"models/gpt.mlir\""),
                {"read of 4 bytes", "4 bytes before 'p0'", "gpt.mlir:42)"});
}

TEST(PtxFault, SeesPartsThatStickOut) {
  expectMessage(
      messageOf("ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%a0+16];", 32, "", 1, 6),
      {"read of 16 bytes", "at byte 16 of 'p0' (24 bytes)"});
}

TEST(PtxFault, SeesMisalignedAccesses) {
  expectMessage(messageOf("ld.global.u32 %r1, [%a0+2];"),
                {"misaligned read of 4 bytes", "expected a multiple of 4"});
  expectMessage(
      messageOf("ld.shared.v2.b32 {%r1,%r2}, [tile+4];", 32, sharedWords),
      {"misaligned read of 8 bytes", "expected a multiple of 8"});
}

TEST(PtxFault, KeepsSharedAndLocalMemoryApart) {
  expectMessage(
      messageOf(ownWord + "st.shared.u32 [%r1+252], %tid0;", 32, sharedWords),
      {"thread (1,0,0)", "write of 4 bytes at shared address 256",
       "outside of the 256 bytes of shared memory"});
  expectMessage(messageOf(".local .align 16 .b8 depot[16];\n"
                          "st.local.u32 [depot+16], 0;"),
                {"write of 4 bytes at local address 16", "16 bytes of local"});
}

TEST(PtxFault, SeesBarriersThatOnlySomeLanesReach) {
  expectMessage(messageOf(R"(
    setp.lt.u32 %p0, %tid0, 8; @%p0 bra FIRST;
    bar.sync 1; bra.uni END;
    FIRST: bar.sync 2;
    END:)"),
                {"divergence: warp 0 lanes 8-31 waits for the rest of the warp",
                 "warp 0 lanes 0-7 waits"});
}

TEST(PtxFault, SeesBarriersThatExitedThreadsMiss) {
  expectMessage(
      messageOf("setp.ge.u32 %p0, %tid0, 40; @%p0 ret; bar.sync 0;", 64),
      {"deadlock: ",
       "waits for barrier 0, where 40 threads have "
       "arrived",
       "24 threads have exited"});
}

TEST(PtxFault, SaysWhoWaitsWhereInADeadlock) {
  expectMessage(messageOf(R"(
    setp.lt.u32 %p0, %tid0, 32; @%p0 bra A;
    bar.sync 3, 64; bra.uni END;
    A: bar.sync 4, 64;
    END:)",
                          64),
                {"deadlock: warp 0 waits for barrier 4",
                 "; warp 1 waits for barrier 3", "PTX line"});
}

TEST(PtxFault, SeesShufflesWhoseMembersDoNotArrive) {
  expectMessage(messageOf(R"(
    setp.lt.u32 %p0, %tid0, 16; @%p0 bra A;
    shfl.sync.bfly.b32 %r1, %tid0, 1, 31, -1; bra.uni END;
    A: bar.sync 1;
    END:)"),
                {"divergence: ", "lanes 16-31 waits for other lanes of its "
                                 "member mask"});
  expectMessage(messageOf("shfl.sync.idx.b32 %r1, %tid0, 20, 31, 0xffff;", 16),
                {"shuffle from lane 20, which does not take part"});
  expectMessage(messageOf("shfl.sync.idx.b32 %r1, %tid0, 0, 31, 0xfffe;"),
                {"thread (0,0,0)", "not in its own member mask"});
}

TEST(PtxFault, SeesRacesBetweenWarps) {
  const std::string readOther = "xor.b32 %r3, %r2, 128; mov.u32 %r4, tile;"
                                "add.u32 %r4, %r4, %r3;"
                                "ld.shared.u32 %r5, [%r4];";
  const std::string write = ownWord + "st.shared.u32 [%r1], %tid0;\n";
  // Ordered.
  EXPECT_EQ(messageOf(write + "bar.sync 0;" + readOther, 64, sharedWords), "");
  // Written again without a barrier behind the reads.
  expectMessage(messageOf(write + "bar.sync 0;\n" + readOther +
                              "\nst.shared.u32 [%r1], 0;",
                          64, sharedWords),
                {"race on shared memory: ", " of 4 bytes at 'tile'+",
                 "is not ordered with a write by warp 1 (PTX line "});
  // Read without a barrier behind the writes, if those come first.
  expectMessage(messageOf(write +
                              "setp.lt.u32 %p0, %tid0, 32;"
                              "@%p0 bar.arrive 1, 64;"
                              "@%p0 bra END; bar.sync 1, 64; END:" +
                              readOther,
                          64, sharedWords),
                {"thread (0,0,0)", "'tile'+128, which nobody has written"});
  EXPECT_EQ(messageOf(write + "bar.sync 0;" + readOther +
                          "bar.sync 0; st.shared.u32 [%r1], 0;",
                      64, sharedWords),
            "");
}

TEST(PtxFault, SeesRacesBehindOneSidedBarriers) {
  // Warp 1 waits for warp 0, but warp 0 does not wait before it writes again.
  const std::string body = ownWord + R"(
    and.b32 %r2, %r2, 127; mov.u32 %r3, tile; add.u32 %r3, %r3, %r2;
    setp.ge.u32 %p0, %tid0, 32; @%p0 bra CONSUME;
    st.shared.u32 [%r3], 1; bar.arrive 1, 64;
    AGAIN st.shared.u32 [%r3], 2; bra.uni END;
    CONSUME: bar.sync 1, 64; ld.shared.u32 %r4, [%r3]; RELEASE
    END:)";
  auto with = [&](const std::string &again, const std::string &release) {
    std::string text = body;
    text.replace(text.find("AGAIN"), 5, again);
    text.replace(text.find("RELEASE"), 7, release);
    return messageOf(text, 64, sharedWords);
  };
  expectMessage(with("", ""), {"race on shared memory"});
  EXPECT_EQ(with("bar.sync 2, 64;", "bar.arrive 2, 64;"), "");
}

TEST(PtxFault, SeesLanesThatStoreDifferentValuesToOneAddress) {
  expectMessage(messageOf("st.shared.u32 [tile], %tid0;", 32, sharedWords),
                {"race within a warp: another lane stores a different value"});
  EXPECT_EQ(messageOf("st.shared.u32 [tile], 5;", 32, sharedWords), "");
}

TEST(PtxFault, SeesReadsOfWhatNobodyWrote) {
  expectMessage(messageOf("ld.shared.u32 %r1, [tile+8];", 32, sharedWords),
                {"read of 4 bytes at 'tile'+8, which nobody has written"});
}

TEST(PtxFault, SeesBlocksThatShareGlobalMemory) {
  expectMessage(messageOf("st.global.u32 [%a0], 7;", 32, "", 2),
                {"block (1,0,0)", "race on global memory: write of 4 bytes",
                 "is not ordered with an access by block number 0"});
  expectMessage(messageOf(R"(
    setp.eq.u32 %p0, %tid2, 0; @%p0 bra W;
    ld.global.u32 %r1, [%a0]; bra.uni END;
    W: st.global.u32 [%a0], 7;
    END:)",
                          1, "", 2),
                {"race on global memory: read"});
  // The last block, by an atomic counter, may read what the others wrote.
  EXPECT_EQ(messageOf(R"(
    mad.wide.u32 %d1, %tid2, 4, %a0; st.global.u32 [%d1+16], 7;
    membar.gl; atom.global.add.u32 %r1, [%a0], 1;
    setp.ne.u32 %p0, %r1, 1; @%p0 ret;
    ld.global.u32 %r2, [%a0+16]; ld.global.u32 %r3, [%a0+20];)",
                      1, "", 2),
            "");
}

//===----------------------------------------------------------------------===//
// Other streams
//===----------------------------------------------------------------------===//

/// A kernel that copies 32 words from p0 to p1 while another stream accesses
/// the bytes [begin, end) of parameter `index`.
std::string besides(unsigned index, uint64_t begin, uint64_t end,
                    bool isWrite) {
  TestKernel kernel(2, R"(
    .loc 1 7 3
    mad.wide.u32 %d1, %tid1, 4, %a0; mad.wide.u32 %d2, %tid1, 4, %a1;
    ld.global.u32 %r1, [%d1]; st.global.u32 [%d2], %r1;)",
                    ".file 1 \"model.py\"");
  kernel.set(0, std::vector<u32>(64));
  kernel.set(1, std::vector<u32>(64));
  uint64_t base = kernel.address(index);
  kernel.traffic.hazards = {
      {{base + begin, base + end, isWrite}, "all_reduce 'g' at model.py:3"}};
  return kernel.run();
}

TEST(PtxFault, SeesMemoryThatOtherStreamsWrite) {
  expectMessage(besides(0, 124, 256, true),
                {"thread (31,0,0): race between streams: read of 4 bytes",
                 "of memory that all_reduce 'g' at model.py:3 writes, and no "
                 "event orders them",
                 "model.py:7)"});
  expectMessage(besides(1, 0, 4, true),
                {"thread (0,0,0): race between streams: write of 4 bytes"});
}

TEST(PtxFault, SeesWritesToMemoryThatOtherStreamsRead) {
  expectMessage(besides(1, 64, 68, false),
                {"thread (16,0,0): race between streams: write of 4 bytes",
                 "model.py:3 reads"});
}

TEST(PtxFault, LetsStreamsReadTogetherAndElsewhere) {
  EXPECT_EQ(besides(0, 0, 256, false), "");
  EXPECT_EQ(besides(0, 128, 256, true), "");
  EXPECT_EQ(besides(1, 128, 256, true), "");
}

TEST(PtxFootprint, IsWhatWasAccessed) {
  // Every second word is read, half of the lanes write, twice, and one atomic.
  TestKernel kernel(2, R"(
    shl.b32 %r2, %tid1, 1;
    mad.wide.u32 %d1, %r2, 4, %a0; ld.global.u32 %r1, [%d1];
    mad.wide.u32 %d2, %tid1, 4, %a1;
    setp.lt.u32 %p0, %tid1, 16;
    @%p0 ld.global.u32 %r3, [%d2];
    @%p0 st.global.u32 [%d2], %r1;
    setp.eq.u32 %p0, %tid1, 0;
    @%p0 atom.global.add.u32 %r4, [%a1+8192], 1;)");
  kernel.set(0, std::vector<u32>(64));
  kernel.set(1, std::vector<u32>(4096));
  ASSERT_EQ(kernel.run(), "");
  std::vector<std::tuple<uint64_t, uint64_t, bool>> expected, got;
  for (uint64_t i = 0; i < 32; ++i)
    expected.push_back(
        {kernel.address(0) + 8 * i, kernel.address(0) + 8 * i + 4, false});
  uint64_t second = kernel.address(1);
  expected.push_back({second, second + 64, true});
  expected.push_back({second + 8192, second + 8196, true});
  std::ranges::sort(expected);
  for (const MemoryRange &range : kernel.traffic.accesses)
    got.push_back({range.begin, range.end, range.isWrite});
  EXPECT_EQ(got, expected);
}

TEST(PtxFault, StopsKernelsThatRunAway) {
  TestKernel kernel(1, "LOOP: bra.uni LOOP;");
  kernel.set(0, std::vector<u32>(1));
  kernel.checks.instructionsPerWarp = 100000;
  expectMessage(kernel.run(), {"runaway kernel", "more than 100000"});
}

TEST(PtxFault, ReportsTraps) {
  expectMessage(messageOf("setp.eq.u32 %p0, %tid0, 9; @%p0 trap;"),
                {"thread (9,0,0): trap"});
}

/// The cache that such loads go through does not see stores.
TEST(PtxFault, SeesCachedReadsOfWhatTheLaunchWrites) {
  auto messageOfLoad = [](const char *load) {
    TestKernel kernel(1, std::string("shl.b32 %r1, %tid0, 2; cvt.u64.u32 %d1, "
                                     "%r1; add.s64 %d1, %a0, %d1;") +
                             load + " %r2, [%d1];\nst.global.u32 [%d1], %r2;");
    kernel.set(0, std::vector<u32>(32));
    return kernel.run();
  };
  EXPECT_EQ(messageOfLoad("ld.global.u32"), "");
  expectMessage(messageOfLoad("ld.global.nc.u32"),
                {"ld.global.nc reads ", "which the launch writes"});
}

/// Warp group 0 gives registers back, warp group 1 takes them.
std::string moveRegisters(const std::string &directives,
                          const std::string &given, const std::string &taken) {
  std::string text =
      ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k() " +
      directives +
      "{ .reg .pred %p; .reg .b32 %r;\nmov.u32 %r, %tid.x;\n"
      "setp.ge.u32 %p, %r, 128;\n@%p bra take;\n" +
      given + "\nbra end;\ntake:\n" + taken + "\nend:\nret;\n}\n";
  auto module = Module::parse(text);
  if (!module)
    return module.message();
  LaunchShape shape;
  shape.block = {256, 1, 1};
  return launch(*(*module)->kernel("k"), shape, {}, DeviceMemory())
      .value_or("");
}

/// A block of 256 threads has 255 registers for each, 248 in whole units.
TEST(PtxFault, SeesRegistersThatNobodyGivesBack) {
  const std::string known = ".reqntid 256, 1, 1 .minnctapersm 2 ";
  const std::string give = "setmaxnreg.dec.sync.aligned.u32 40;",
                    take = "setmaxnreg.inc.sync.aligned.u32 ";
  EXPECT_EQ(moveRegisters(known, give, take + "216;"), "");
  expectMessage(moveRegisters(known, give, take + "224;"),
                {"deadlock", "registers, where others have given back"});
  expectMessage(moveRegisters("", give, ""),
                {"setmaxnreg has no effect in a kernel without"});
  expectMessage(moveRegisters(".reqntid 256, 1, 1 ", give, ""),
                {"setmaxnreg has no effect in a kernel without"});
  EXPECT_EQ(moveRegisters(".maxnreg 128 ", give, take + "216;"), "");
  expectMessage(
      moveRegisters(known, "setmaxnreg.dec.sync.aligned.u32 200;", ""),
      {"setmaxnreg.dec to 200 registers in a warp with 128"});
  expectMessage(moveRegisters(known,
                              "setp.ge.u32 %p, %r, 64;\n@%p bra end;\n" + give,
                              ""),
                {"has executed other setmaxnreg than its warp group"});
}

TEST(PtxFault, SeesTooManyParameters) {
  std::string parameters;
  for (unsigned i = 0; i < 545; ++i)
    parameters += (i ? ", " : "") + (".param .u64 p" + std::to_string(i));
  auto module = Module::parse(".version 8.0\n.target sm_80\n.address_size 64\n"
                              ".visible .entry k(" +
                              parameters + ") { ret; }\n");
  ASSERT_FALSE(module);
  expectMessage(module.message(),
                {"expected parameters of at most 4352 bytes, got 4360"});
}

TEST(PtxFault, ChecksLaunches) {
  TestKernel kernel(1, "");
  kernel.set(0, std::vector<u32>(1));
  expectMessage(kernel.run(1, 1025), {"expected 1 to 1024 threads a block"});
  expectMessage(kernel.run(1, 32, 300000), {"bytes of shared memory"});
}

} // namespace
