//===- ControlFlowTest.cpp - Divergence, barriers, exchange of values -----===//

#include "TestKernel.h"

#include <bit>

using namespace tessera;
using namespace tessera::emulated;

namespace {

using u32 = uint32_t;

/// Stores %r0 of each thread to the first buffer.
const char *const storeResult = R"(
    mad.wide.u32 %a9, %tid1, 4, %a0;
    st.global.b32 [%a9], %r0;)";

std::vector<u32> results(const std::string &body, uint32_t blocks = 1,
                         uint32_t threads = 32,
                         const std::string &globals = "") {
  TestKernel kernel(1, body + storeResult, globals);
  kernel.set(0, std::vector<u32>(blocks * threads));
  EXPECT_EQ(kernel.run(blocks, threads), "");
  return kernel.get<u32>(0);
}

TEST(PtxControlFlow, LoopsAsOftenAsEachLaneWants) {
  std::vector<u32> got = results(R"(
    mov.u32 %r0, 0; mov.u32 %r1, 0;
    LOOP: setp.ge.u32 %p0, %r1, %tid1;
    @%p0 bra DONE;
    add.u32 %r1, %r1, 1; add.u32 %r0, %r0, %r1;
    bra.uni LOOP;
    DONE:)");
  for (u32 i = 0; i < 32; ++i)
    EXPECT_EQ(got[i], i * (i + 1) / 2);
}

TEST(PtxControlFlow, RejoinsBehindBranches) {
  // Lanes agree on who is here only if both sides have come together again.
  std::vector<u32> got = results(R"(
    and.b32 %r1, %tid1, 1; setp.eq.u32 %p0, %r1, 0;
    mov.u32 %r2, 100;
    @%p0 bra EVEN;
    mov.u32 %r2, 200; bra JOIN;
    EVEN: mov.u32 %r2, 300;
    JOIN: activemask.b32 %r3;
    setp.eq.u32 %p1, %r3, 0xffffffff;
    selp.b32 %r0, %r2, 0, %p1;)");
  for (u32 i = 0; i < 32; ++i)
    EXPECT_EQ(got[i], i % 2 ? 200u : 300u);
}

TEST(PtxControlFlow, BranchesThroughTables) {
  std::vector<u32> got = results(R"(
    and.b32 %r1, %tid1, 3;
    table: .branchtargets A, B, C, A;
    brx.idx %r1, table;
    A: mov.u32 %r0, 10; bra.uni E;
    B: mov.u32 %r0, 20; bra.uni E;
    C: mov.u32 %r0, 30;
    E:)");
  const u32 expected[] = {10, 20, 30, 10};
  for (u32 i = 0; i < 32; ++i)
    EXPECT_EQ(got[i], expected[i % 4]);
}

TEST(PtxControlFlow, ScopesLabelsAndRegisters) {
  // As inline assembly that is expanded twice.
  std::string wait = "{ .reg .pred P1; .reg .b32 n; mov.u32 n, 3;\n"
                     "W: add.u32 %r0, %r0, 1; sub.u32 n, n, 1;\n"
                     "setp.ne.u32 P1, n, 0; @P1 bra W; }\n";
  for (u32 value : results("mov.u32 %r0, 0;\n" + wait + wait))
    EXPECT_EQ(value, 6u);
}

TEST(PtxControlFlow, ExpandsCalls) {
  std::vector<u32> got = results(R"(
    { .param .b32 param0; .param .b32 param1; .param .b32 retval0;
    st.param.b32 [param0], %tid1; st.param.b32 [param1], 5;
    call.uni (retval0), clampedSub, (param0, param1);
    ld.param.b32 %r0, [retval0]; })",
                                 1, 32, R"(
    .func (.param .b32 result) clampedSub(.param .b32 x, .param .b32 y) {
    .reg .b32 %r<5>; .reg .pred %p<2>;
    ld.param.b32 %r1, [x]; ld.param.b32 %r2, [y];
    setp.lt.u32 %p1, %r1, %r2; st.param.b32 [result], 0;
    @%p1 ret;
    sub.u32 %r3, %r1, %r2; st.param.b32 [result], %r3; ret; })");
  for (u32 i = 0; i < 32; ++i)
    EXPECT_EQ(got[i], i < 5 ? 0 : i - 5);
}

TEST(PtxControlFlow, ReducesAcrossABlock) {
  // A butterfly in each warp, one partial sum of each through shared memory.
  std::string butterfly;
  for (int distance : {16, 8, 4, 2, 1})
    butterfly += "shfl.sync.bfly.b32 %r2, %r1, " + std::to_string(distance) +
                 ", 31, -1; add.u32 %r1, %r1, %r2;\n";
  std::vector<u32> got = results("mov.u32 %r1, %tid1;\n" + butterfly + R"(
    shr.u32 %r3, %tid0, 5; shl.b32 %r3, %r3, 2;
    mov.u32 %r4, partial; add.u32 %r4, %r4, %r3;
    and.b32 %r5, %tid0, 31; setp.eq.u32 %p0, %r5, 0;
    @%p0 st.shared.u32 [%r4], %r1;
    bar.sync 0;
    mov.u32 %r0, 0; mov.u32 %r6, 0; mov.u32 %r7, partial;
    L: ld.shared.u32 %r8, [%r7]; add.u32 %r0, %r0, %r8;
    add.u32 %r7, %r7, 4; add.u32 %r6, %r6, 1;
    setp.lt.u32 %p1, %r6, 4; @%p1 bra L;)",
                                 3, 128, ".shared .align 4 .b32 partial[4];");
  for (u32 i = 0; i < 3 * 128; ++i) {
    u32 block = i / 128;
    EXPECT_EQ(got[i], 128 * 128 * block + 127 * 64);
  }
}

TEST(PtxControlFlow, ShufflesInEveryMode) {
  auto shuffled = [](const std::string &mode, const std::string &amount,
                     const std::string &clamp) {
    return results("shfl.sync." + mode + ".b32 %r1|%p1, %tid1, " + amount +
                   ", " + clamp + ", -1;\n" +
                   "selp.b32 %r2, 100, 0, %p1; add.u32 %r0, %r1, %r2;");
  };
  std::vector<u32> up = shuffled("up", "3", "0");
  std::vector<u32> down = shuffled("down", "3", "31");
  std::vector<u32> index = shuffled("idx", "2", "0x181f");
  std::vector<u32> halves = shuffled("bfly", "1", "31");
  for (u32 i = 0; i < 32; ++i) {
    EXPECT_EQ(up[i], i < 3 ? i : i - 3 + 100);
    EXPECT_EQ(down[i], i + 3 > 31 ? i : i + 3 + 100);
    EXPECT_EQ(index[i], (i & 24) + 2 + 100);
    EXPECT_EQ(halves[i], (i ^ 1) + 100);
  }
}

TEST(PtxControlFlow, VotesMatchesAndElects) {
  std::vector<u32> got = results(R"(
    setp.lt.u32 %p0, %tid1, 5;
    vote.sync.ballot.b32 %r1, %p0, -1;
    vote.sync.any.pred %p1, %p0, -1; vote.sync.all.pred %p2, %p0, -1;
    vote.sync.uni.pred %p3, !%p2, -1;
    and.b32 %r2, %tid1, 1;
    match.any.sync.b32 %r3, %r2, -1;
    redux.sync.add.u32 %r4, %tid1, -1;
    redux.sync.max.s32 %r5, %tid1, -1;
    elect.sync %r6|%p4, -1;
    selp.b32 %r0, 1, 0, %p1;
    setp.eq.and.u32 %p1, %r1, 31, !%p2;
    setp.eq.and.u32 %p1, %r4, 496, %p1;
    setp.eq.and.u32 %p1, %r5, 31, %p1;
    @%p1 add.u32 %r0, %r0, 2;
    @%p3 add.u32 %r0, %r0, 4;
    @%p4 add.u32 %r0, %r0, 8;
    setp.eq.u32 %p5, %r3, 0x55555555;
    @%p5 add.u32 %r0, %r0, 16;)");
  // 1 any, 2 ballot and sums, 4 uniform, 8 elected, 16 matched with the even.
  for (u32 i = 0; i < 32; ++i)
    EXPECT_EQ(got[i], 1u + 2 + 4 + (i == 0 ? 8 : 0) + (i % 2 ? 0 : 16)) << i;
}

TEST(PtxControlFlow, SeparatesProducersFromConsumersByNamedBarriers) {
  // Warp 0 fills, warp 1 reads, twice over the same buffer.
  std::vector<u32> got = results(R"(
    mov.u32 %r1, buffer; and.b32 %r2, %tid0, 31; shl.b32 %r3, %r2, 2;
    add.u32 %r1, %r1, %r3; mov.u32 %r0, 0; mov.u32 %r5, 0;
    setp.ge.u32 %p0, %tid0, 32;
    @%p0 bra CONSUME;
    PRODUCE: add.u32 %r6, %r2, %r5; st.shared.u32 [%r1], %r6;
    bar.arrive 1, 64; bar.sync 2, 64;
    add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 2; @%p1 bra PRODUCE;
    bra.uni END;
    CONSUME: bar.sync 1, 64;
    xor.b32 %r7, %r3, 124; mov.u32 %r8, buffer; add.u32 %r8, %r8, %r7;
    ld.shared.u32 %r6, [%r8]; add.u32 %r0, %r0, %r6;
    bar.arrive 2, 64;
    add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 2; @%p1 bra CONSUME;
    END:)",
                                 1, 64, ".shared .b32 buffer[32];");
  for (u32 i = 0; i < 32; ++i) {
    EXPECT_EQ(got[i], 0u);
    EXPECT_EQ(got[32 + i], 2 * (31 - i) + 1);
  }
}

TEST(PtxControlFlow, LetsLanesWaitForOthersOfTheirWarp) {
  // Lane 31 sets what the others, at a lower program counter, spin on.
  std::vector<u32> got = results(R"(
    setp.eq.u32 %p0, %tid1, 31; @%p0 bra SET;
    SPIN: ld.volatile.shared.u32 %r0, [flag];
    setp.eq.u32 %p1, %r0, 0; @%p1 bra SPIN;
    bra.uni END;
    SET: st.volatile.shared.u32 [flag], 7; mov.u32 %r0, 7;
    END:)",
                                 1, 32, ".shared .b32 flag;");
  for (u32 value : got)
    EXPECT_EQ(value, 7u);
}

TEST(PtxControlFlow, CountsWithAtomicsOnManyThreads) {
  TestKernel kernel(1, R"(
    atom.global.add.u32 %r1, [%a0], 1;
    red.global.max.u32 [%a0+4], %tid1;
    atom.global.add.f32 %f1, [%a0+8], 0f3F800000;
    ATTEMPT: ld.relaxed.gpu.global.u32 %r2, [%a0+12];
    add.u32 %r3, %r2, 2;
    atom.global.cas.b32 %r4, [%a0+12], %r2, %r3;
    setp.ne.u32 %p1, %r4, %r2; @%p1 bra ATTEMPT;)");
  kernel.set(0, std::vector<u32>(4));
  kernel.hostThreads = 4;
  ASSERT_EQ(kernel.run(64, 64), "");
  std::vector<u32> got = kernel.get<u32>(0);
  EXPECT_EQ(got[0], 4096u);
  EXPECT_EQ(got[1], 4095u);
  EXPECT_EQ(got[2], std::bit_cast<u32>(4096.0f));
  EXPECT_EQ(got[3], 8192u);
}

TEST(PtxControlFlow, ReducesPredicatesAtBarriers) {
  std::vector<u32> got = results(R"(
    setp.lt.u32 %p0, %tid0, 40;
    bar.red.popc.u32 %r0, 0, %p0;
    bar.red.and.pred %p1, 0, %p0; bar.red.or.pred %p2, 0, %p0;
    @%p1 add.u32 %r0, %r0, 1000;
    @%p2 add.u32 %r0, %r0, 100;)",
                                 1, 64);
  for (u32 value : got)
    EXPECT_EQ(value, 140u);
}

} // namespace
