//===- MemoryTest.cpp - Loads, stores and address spaces ------------------===//

#include "TestKernel.h"

using namespace tessera;
using namespace tessera::emulated;

namespace {

using u32 = uint32_t;

TEST(PtxMemory, ExtendsNarrowLoads) {
  TestKernel kernel(2, R"(
    cvt.u64.u32 %d0, %tid1; add.u64 %d1, %a1, %d0;
    ld.global.s8 %r1, [%d1]; ld.global.u8 %r2, [%d1]; ld.global.b8 %h1, [%d1];
    cvt.u32.u16 %r3, %h1; add.u32 %r4, %r1, %r2; add.u32 %r4, %r4, %r3;
    shl.b64 %d0, %d0, 2; add.u64 %d1, %a0, %d0; st.global.b32 [%d1], %r4;)");
  std::vector<uint8_t> bytes(32);
  for (int i = 0; i < 32; ++i)
    bytes[i] = 13 * i;
  kernel.set(0, std::vector<u32>(32));
  kernel.set(1, bytes);
  ASSERT_EQ(kernel.run(), "");
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(kernel.get<int32_t>(0)[i], int8_t(bytes[i]) + 2 * bytes[i]);
}

TEST(PtxMemory, MovesVectorsAndParts) {
  TestKernel kernel(2, R"(
    mul.wide.u32 %d0, %tid1, 16; add.u64 %d1, %a1, %d0; add.u64 %d2, %a0, %d0;
    ld.global.nc.L1::no_allocate.v4.b32 {%r1, %r2, %r3, %r4}, [%d1];
    mov.b64 %d3, {%r1, %r2}; mov.b64 {%r5, %r6}, %d3;
    mov.b32 {%h1, %h2}, %r3; mov.b32 %r7, {%h2, %h1};
    mov.b64 {_, %r8}, %d3;
    st.global.v2.b64 [%d2], {%d3, %d3};
    st.global.v2.b32 [%d2+8], {%r7, %r8};)");
  std::vector<u32> words(128);
  for (u32 i = 0; i < 128; ++i)
    words[i] = i * 0x01010007;
  kernel.set(0, std::vector<u32>(128));
  kernel.set(1, words);
  ASSERT_EQ(kernel.run(), "");
  std::vector<u32> got = kernel.get<u32>(0);
  for (int i = 0; i < 128; i += 4) {
    EXPECT_EQ(got[i], words[i]);
    EXPECT_EQ(got[i + 1], words[i + 1]);
    EXPECT_EQ(got[i + 2], words[i + 2] >> 16 | words[i + 2] << 16);
    EXPECT_EQ(got[i + 3], words[i + 1]);
  }
}

TEST(PtxMemory, ReachesEverySpaceByGenericAddresses) {
  TestKernel kernel(1, R"(
    .local .align 8 .b8 depot[128];
    mov.u64 %d1, depot; cvta.local.u64 %d1, %d1;
    mul.wide.u32 %d2, %tid0, 4; and.b64 %d3, %d2, 124;
    add.u64 %d1, %d1, %d3; st.u32 [%d1], %tid0;
    mov.u64 %d4, tile; cvta.shared.u64 %d4, %d4; add.u64 %d4, %d4, %d2;
    ld.u32 %r1, [%d1]; add.u32 %r1, %r1, 1; st.u32 [%d4], %r1;
    isspacep.shared %p1, %d4; isspacep.global %p2, %d4; isspacep.local %p3, %d1;
    ld.u32 %r2, [%d4]; ld.shared.u32 %r3, [tile+4];
    @%p1 add.u32 %r2, %r2, 100; @%p2 add.u32 %r2, %r2, 1000;
    @%p3 add.u32 %r2, %r2, 10000;
    cvta.global.u64 %d5, %a0; add.u64 %d5, %d5, %d2; st.u32 [%d5], %r2;)",
                    ".shared .align 4 .b8 tile[128];");
  kernel.set(0, std::vector<u32>(32));
  ASSERT_EQ(kernel.run(), "");
  for (u32 i = 0; i < 32; ++i)
    EXPECT_EQ(kernel.get<u32>(0)[i], i + 1 + 10100);
}

TEST(PtxMemory, HasVariablesAndDynamicSharedMemory) {
  TestKernel kernel(1, R"(
    mov.u32 %r1, %dynamic_smem_size;
    mov.u32 %r2, dynamic; shl.b32 %r3, %tid0, 2; add.u32 %r2, %r2, %r3;
    st.shared.u32 [%r2], %tid0; st.shared.u32 [fixed], 3;
    ld.shared.u32 %r4, [%r2];
    mul.wide.u32 %d1, %tid0, 4; mov.u64 %d2, table; add.u64 %d2, %d2, %d1;
    and.b32 %r5, %tid0, 3; mul.wide.u32 %d3, %r5, 4; mov.u64 %d2, table;
    add.u64 %d2, %d2, %d3; ld.const.u32 %r6, [%d2]; ld.global.f32 %f1, [scale];
    cvt.rzi.u32.f32 %r7, %f1; mad.lo.u32 %r6, %r6, %r7, %r4;
    add.u32 %r6, %r6, %r1;
    add.u64 %d4, %a0, %d1; st.global.u32 [%d4], %r6;)",
                    ".extern .shared .align 16 .b8 dynamic[];\n"
                    ".shared .align 4 .u32 fixed;\n"
                    ".const .align 4 .u32 table[4] = {10, 0x14, 30, 40};\n"
                    ".global .align 4 .f32 scale = 0f40000000;");
  kernel.set(0, std::vector<u32>(32));
  ASSERT_EQ(kernel.run(1, 32, 128), "");
  for (u32 i = 0; i < 32; ++i)
    EXPECT_EQ(kernel.get<u32>(0)[i], 2 * 10 * (i % 4 + 1) + i + 128);
}

} // namespace
