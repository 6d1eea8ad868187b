//===- RefusedInstructionsTest.cpp - Each form that PTX does not have -----===//
//
// What an instruction lacks or has too much of is said by the decoder of its
// family. Each diagnostic has two instructions that lead to it.
//
//===----------------------------------------------------------------------===//

#include "execution/PtxLaunch.h"
#include "ptx/PtxModule.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::emulated;

namespace {

/// Why the kernel whose body is `statements` is refused; empty if it is not.
std::string refusalOf(const std::string &statements) {
  Fallible<std::unique_ptr<Module>> module = Module::parse(
      ".version 8.0\n.target sm_90a\n.address_size 64\n"
      ".func f() { ret; }\n.func g(.param .b32 n) { ret; }\n"
      ".func recursive() { call recursive; ret; }\n"
      ".entry k(.param .u64 a)\n{\n.shared .b32 s;\n.reg .pred %p<4>;\n"
      ".reg .b16 %h<4>;\n.reg .b32 %r<8>;\n.reg .b64 %d<8>;\n"
      ".reg .f32 %f<4>;\n.reg .f64 %e<4>;\n.reg .b128 %x<4>;\n" +
      statements + "\nret;\n}\n");
  return module ? "" : module.message();
}

struct Refusal {
  const char *statement, *expected;
};

class PtxRefusals : public testing::TestWithParam<Refusal> {};

TEST_P(PtxRefusals, NamesWhatIsWrong) {
  std::string message = refusalOf(GetParam().statement);
  EXPECT_NE(message.find(GetParam().expected), std::string::npos)
      << GetParam().statement << "\n"
      << GetParam().expected << "\n"
      << message;
}

constexpr Refusal refusals[] = {
    {"slct.u32.u32 %r1, %r2, %r3, %r4;", "expected '.s32' or '.f32'"},
    {"slct.b64.u32 %d1, %d2, %d3, %r4;", "expected '.s32' or '.f32'"},
    {"testp.f32 %p1, %f1;", "expected a kind of number, and '.f32' or '.f64'"},
    {"testp.finite.b32 %p1, %r1;",
     "expected a kind of number, and '.f32' or '.f64'"},
    {"barrier.cluster.aligned;", "expected '.arrive' or '.wait'"},
    {"barrier.cluster.sync;", "expected '.arrive' or '.wait'"},
    {"bar.red.popc.pred %p1, 0, %p2;",
     "expected '.popc.u32', '.and.pred' or '.or.pred'"},
    {"barrier.red.and.u32 %r1, 0, %p2;",
     "expected '.popc.u32', '.and.pred' or '.or.pred'"},
    {"bar.wait 0;", "expected '.sync', '.arrive' or '.red'"},
    {"barrier 0;", "expected '.sync', '.arrive' or '.red'"},
    {"bar.arrive 1;", "expected a number of threads"},
    {"barrier.arrive 2;", "expected a number of threads"},
    {"membar;", "expected '.cta', '.gl' or '.sys'"},
    {"membar.gpu;", "expected '.cta', '.gl' or '.sys'"},
    {"griddepcontrol;", "expected '.wait' or '.launch_dependents'"},
    {"griddepcontrol.arrive;", "expected '.wait' or '.launch_dependents'"},
    {"cvt.rna.f32.f64 %f1, %e1;", "expected '.rna' with '.tf32' only"},
    {"cvt.rna.f16.f32 %h1, %f1;", "expected '.rna' with '.tf32' only"},
    {"cvt.rn.f16x2.f64 %r1, %f1, %f2;", "expected a conversion from '.f32'"},
    {"cvt.rn.bf16x2.s32 %r1, %f1, %f2;", "expected a conversion from '.f32'"},
    {"cvt.f32.f16x2 %f1, %r2;", "expected a conversion from a number"},
    {"cvt.f32.pred %f1, %p1;", "expected a conversion from a number"},
    {"cvt.u16x2.u32 %r1, %r2;", "expected a conversion to a number"},
    {"cvt.pred.f32 %p1, %f1;", "expected a conversion to a number"},
    {"fence.sc;", "expected a scope"},
    {"fence.proxy.tensormap::generic.release;", "expected a scope"},
    {"fence.proxy.tensormap::generic.acquire.gpu [%d1], 64;",
     "expected the 128 bytes of a tensor map, got"},
    {"fence.proxy.tensormap::generic.acquire.sys [%d1], 0;",
     "expected the 128 bytes of a tensor map, got"},
    {"add.rz.f16 %h1, %h2, %h3;", "expected rounding to nearest"},
    {"mul.rp.bf16 %h1, %h2, %h3;", "expected rounding to nearest"},
    {"add.ftz.f64 %e1, %e2, %e3;",
     "expected '.ftz' and '.sat' with '.f32' and '.f16' only"},
    {"mul.sat.bf16 %h1, %h2, %h3;",
     "expected '.ftz' and '.sat' with '.f32' and '.f16' only"},
    {"fma.rn.u32 %r1, %r2, %r3, %r4;", "expected a floating-point type"},
    {"sqrt.approx.s32 %r1, %r2;", "expected a floating-point type"},
    {"copysign.f16 %h1, %h2, %h3;", "expected '.f32' or '.f64'"},
    {"copysign.b32 %r1, %r2, %r3;", "expected '.f32' or '.f64'"},
    {"mul.u32 %r1, %r2, %r3;", "expected '.lo', '.hi' or '.wide'"},
    {"mul.s16 %h1, %h2, %h3;", "expected '.lo', '.hi' or '.wide'"},
    {"mul.wide.u64 %d1, %d2, %d3;", "expected '.wide' of 16 or 32 bits"},
    {"mul.wide.s64 %d1, %d2, %d3;", "expected '.wide' of 16 or 32 bits"},
    {"addc.u16 %h1, %h2, %h3;", "expected integers of 32 or 64 bits"},
    {"subc.f32 %f1, %f2, %f3;", "expected integers of 32 or 64 bits"},
    {"ld.global.v8.b64 {%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}, [%d1];",
     "expected at most 32 bytes"},
    {"ld.global.v4.b128 {%d0, %d1, %d2, %d3}, [%d1];",
     "expected at most 32 bytes"},
    {"mov.b32 %r1, {%h1, %h2, %h3};", "expected 2, 4 or 8 parts"},
    {"mov.b64 %d1, {%h1, %h2, %h3};", "expected 2, 4 or 8 parts"},
    {"cvta.u64 %d1, %d2;", "expected a state space"},
    {"isspacep %p1, %d2;", "expected a state space"},
    {"setmaxnreg.sync.aligned.u32 64;", "expected '.inc' or '.dec'"},
    {"setmaxnreg.add.sync.aligned.u32 64;", "expected '.inc' or '.dec'"},
    {"setmaxnreg.inc.sync.aligned.u32 100;",
     "expected a multiple of 8 from 24 to 256, got"},
    {"setmaxnreg.dec.sync.aligned.u32 16;",
     "expected a multiple of 8 from 24 to 256, got"},
    {"shfl.sync.b32 %r1, %r2, 1, 31, -1;",
     "expected '.up', '.down', '.bfly' or '.idx'"},
    {"shfl.sync.left.b32 %r1, %r2, 1, 31, -1;",
     "expected '.up', '.down', '.bfly' or '.idx'"},
    {"vote.sync.pred %p1, %p2, -1;",
     "expected '.all', '.any', '.uni' or '.ballot'"},
    {"vote.sync.none.pred %p1, %p2, -1;",
     "expected '.all', '.any', '.uni' or '.ballot'"},
    {"match.sync.b32 %r1, %r2, -1;", "expected '.any' or '.all'"},
    {"match.sync.some.b64 %r1, %d2, -1;", "expected '.any' or '.all'"},
    {"redux.sync.u32 %r1, %r2, -1;",
     "expected an operation on 32-bit integers"},
    {"redux.sync.add.f32 %f1, %f2, -1;",
     "expected an operation on 32-bit integers"},
    {"elect.sync %r1, -1;", "expected a lane and a predicate"},
    {"elect.sync %p1, -1;", "expected a lane and a predicate"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.s8.s8.f32 {%r0, %r1, %r2, %r3}, "
     "{%r0, %r1, %r2, %r3}, {%r0, %r1}, {%r0, %r1, %r2, %r3};",
     "this shape and types of mma are not emulated"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%r0, %r1, %r2, %r3}, "
     "{%r0, %r1, %r2, %r3}, {%r0, %r1}, {%r0, %r1, %r2, %r3};",
     "this shape and types of mma are not emulated"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {%r0, %r1, %r2, "
     "%r3}, {%r0, %r1, %r2, %r3}, {%r0, %r1}, {%r0, %r1, %r2, %r3};",
     "expected another shape for the types of this mma"},
    {"mma.sync.aligned.m16n8k4.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3}, "
     "{%r0, %r1}, {%r0}, {%r0, %r1, %r2, %r3};",
     "expected another shape for the types of this mma"},
    {"mma.sync.aligned.m16n8k16.row.col.f16.bf16.bf16.f16 {%r0, %r1}, {%r0, "
     "%r1, %r2, %r3}, {%r0, %r1}, {%r0, %r1};",
     "expected f32 accumulators"},
    {"mma.sync.aligned.m16n8k8.row.col.f16.tf32.tf32.f16 {%r0, %r1}, {%r0, "
     "%r1, %r2, %r3}, {%r0, %r1}, {%r0, %r1};",
     "expected f32 accumulators"},
    {"ldmatrix.sync.aligned.m8n8.shared.b16 %r1, [%d1];",
     "expected x1, x2 or x4 matrices"},
    {"ldmatrix.sync.aligned.m8n8.x3.shared.b16 %r1, [%d1];",
     "expected x1, x2 or x4 matrices"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2, %r3}, "
     "%d1, %d2, %p1, 2, 1, 0, 0;",
     "expected a scale of 1 or -1, got"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2, %r3}, "
     "%d1, %d2, %p1, 1, 0, 0, 0;",
     "expected a scale of 1 or -1, got"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2, %r3}, "
     "%d1, %d2, %p1, 1, 1, 2, 0;",
     "expected 0 or 1, got"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%r0, %r1, %r2, "
     "%r3}, %d1, %d2, %p1, 1, 1, 0, -1;",
     "expected 0 or 1, got"},
    {"wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3x2.e4m3x2 {%r0, %r1, %r2, "
     "%r3}, %d1, %d2, %p1, 1, 1;",
     "this wgmma.mma_async is not emulated"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.bf16 {%r0, %r1, %r2, %r3}, "
     "%d1, %d2, %p1, 1, 1, 0, 0;",
     "this wgmma.mma_async is not emulated"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16 {%r0, %r1}, %d1, "
     "%d2, %p1, 1, 1, 0, 0;",
     "expected accumulators of f32"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.u32.f16.f16 {%r0, %r1}, %d1, %d2, "
     "%p1, 1, 1, 0, 0;",
     "expected accumulators of f32"},
    {"wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%r0, %r1, %r2, %r3}, "
     "%d1, %d2, %p1, 1, 1, 0, 0;",
     "expected a shape of m64n8 to m64n256 and the k of the type"},
    {"wgmma.mma_async.sync.aligned.m64n8k8.f32.f16.f16 {%r0, %r1, %r2, %r3}, "
     "%d1, %d2, %p1, 1, 1, 0, 0;",
     "expected a shape of m64n8 to m64n256 and the k of the type"},
    {"wgmma.sync.aligned;", "expected a known form of wgmma"},
    {"wgmma.wait.sync.aligned;", "expected a known form of wgmma"},
    {"cp.async.cg.shared.global [%d1], [%d2], 8;", "expected a cp.async of"},
    {"cp.async.ca.shared.global [%d1], [%d2], 12;", "expected a cp.async of"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [%d2], "
     "%r1;",
     "cp.reduce is not emulated"},
    {"cp.reduce.async.bulk.tensor.1d.global.shared::cta.add [%d1, {%r1}], "
     "[%d2];",
     "cp.reduce is not emulated"},
    {"cp.async.bulk.tensor.shared::cluster.global.mbarrier::complete_tx::bytes "
     "[%d1], [%d2, {%r1}], [%d3];",
     "expected a rank from 1d to 5d"},
    {"cp.async.bulk.tensor.6d.shared::cluster.global.mbarrier::complete_tx::"
     "bytes [%d1], [%d2, {%r1}], [%d3];",
     "expected a rank from 1d to 5d"},
    {"mbarrier.arrive.noComplete.shared.b64 %d1, [%r1];", "expected a count"},
    {"mbarrier.arrive.expect_tx.shared.b64 %d1, [%r1];", "expected a count"},
    {"atom.global.and.b16 %h1, [%d1], %h2;", "expected 32 or 64 bits"},
    {"atom.global.exch.f32 %f1, [%d1], %f2;", "expected 32 or 64 bits"},
    {"atom.global.u32 %r1, [%d1], %r2;", "expected an atomic operation"},
    {"red.global.sub.u32 [%d1], %r2;", "expected an atomic operation"},
    {"atom.global.cas.pred %p1, [%d1], %p2, %p3;",
     "expected one value of 16 to 64 bits"},
    {"atom.global.cas.v2.b32 {%r1, %r2}, [%d1], {%r1, %r2}, %r3;",
     "expected one value of 16 to 64 bits"},
    {"shf.wrap.b32 %r1, %r2, %r3, %r4;",
     "expected '.l' or '.r', and '.wrap' or '.clamp'"},
    {"shf.l.b32 %r1, %r2, %r3, %r4;",
     "expected '.l' or '.r', and '.wrap' or '.clamp'"},
    {"setp.lt.ftz.f64 %p1, %e1, %e2;",
     "expected '.ftz' with '.f32' and '.f16' only"},
    {"set.lt.ftz.u32.s32 %r1, %r2, %r3;",
     "expected '.ftz' with '.f32' and '.f16' only"},
    {"setp.lt.f16x2 %p1, %r1, %r2;", "expected two predicates"},
    {"setp.eq.bf16x2 %p1, %r1, %r2;", "expected two predicates"},
    {"set.lt.u64.u32 %d1, %r1, %r2;",
     "expected a result of type u32, s32, f32, f16 or bf16"},
    {"set.lt.b32.f32 %r1, %f1, %f2;",
     "expected a result of type u32, s32, f32, f16 or bf16"},
    {"selp.b128 %x1, %x2, %x3, %p1;", "expected 16 to 64 bits"},
    {"selp.pred %p1, %p2, %p3, %p1;", "expected 16 to 64 bits"},
    {"@%r1 mov.u32 %r1, %r2;", "expected a predicate"},
    {"@%q mov.u32 %r1, %r2;", "expected a predicate"},
    {"setp.lt.u32 %r1, %r2, %r3;", "expected a predicate"},
    {"selp.b32 %r1, %r2, %r3, %r4;", "expected a predicate"},
    {"add.u32 %r1, !%r2, %r3;", "expected '!' before a predicate only"},
    {"mov.f64 %e1, !%e2;", "expected '!' before a predicate only"},
    {"add.f64 %e1, %e2, 3;", "expected a value of type"},
    {"ld.global.v2.b32 %r1, [%d1];", "expected a vector of"},
    {"st.global.v4.b32 [%d1], {%r1, %r2};", "expected a vector of"},
    {"ld.global.b32 %r1, %d1;", "expected an address, got '"},
    {"st.shared.b32 %d1, %r1;", "expected an address, got '"},
    {"ld.shared.b32 %r1, [a];",
     "expected an address in the instruction's state space"},
    {"st.global.b32 [s], %r1;",
     "expected an address in the instruction's state space"},
    {"ld.global.b32 %r1, [%h1];", "expected an address"},
    {"ld.global.b32 %r1, [%nothing];", "expected an address"},
    {"cp.async.bulk.wait_group %r1;", "expected an integer"},
    {"brx.idx %r1, nowhere;", "expected a list of branch targets, got '"},
    {"brx.idx %r1, %r2;", "expected a list of branch targets, got '"},
    {"add.rn.u32 %r1, %r2, %r3;", "unexpected modifier '."},
    {"add %r1, %r2, %r3;", "expected a type"},
    {"jump %r1;", "unknown instruction '"},
    {"@%p1 bra ELSEWHERE;", "unknown label '"},
    {".entry inner;", "expected a declaration or an instruction"},
    {".global .b32 x;", "' outside of functions"},
    {".const .b32 y;", "' outside of functions"},
    {"@%p1 call f;", "expected a call without a guard"},
    {"@!%p1 call f;", "expected a call without a guard"},
    {"call recursive;", "expected no recursion, got a call of '"},
    {"call.uni recursive;", "expected no recursion, got a call of '"},
    {"call f, (s);", "parameters, got"},
    {"call g;", "parameters, got"},
    {"call g, (%r1);", "expected a parameter in .param space, got '"},
    {"call g, (nothing);", "expected a parameter in .param space, got '"},
    {"call k;", "expected a call of a function of this module, got '"},
};
INSTANTIATE_TEST_SUITE_P(Forms, PtxRefusals, testing::ValuesIn(refusals));

/// Whole modules.
constexpr Refusal modules[] = {
    {".address_size 16", "expected 64-bit addresses"},
    {".address_size 0", "expected 64-bit addresses"},
    {".file 1", "expected a file name"},
    {".file 2 name", "expected a file name"},
    {".entry k() .cluster { ret; }", "expected a directive of a function"},
    {".func f() .maxreg 3 { ret; }", "expected a directive of a function"},
    {".func f() { {", "expected '}'"},
    {".managed .global .b32 x;", "expected a declaration or an instruction"},
    {".global .managed .b32 x;", "expected no attributes"},
    {".global .attribute(.managed) .b32 x;", "expected no attributes"},
    {".global .b32 x = y;", "expected a number as initial value"},
    {".const .f32 x[2] = {0f3f800000, y};",
     "expected a number as initial value"},
    {".extern .const .f32 x;", "', got a declaration: modules are not linked"},
    {".global .align 4 .b8 x[2] = {1, 2, 3};",
     "expected at most 2 bytes of initial values, got 3"},
    {".const .b32 x = {1, 2};",
     "expected at most 4 bytes of initial values, got 8"},
    {".reg .b32 r;", "expected a .global, .const or .shared variable"},
    {".local .b32 x;", "expected a .global, .const or .shared variable"},
    {".entry k(.param .b8 p[4353]) { ret; }",
     "expected parameters of at most 4352 bytes, got 4353"},
    {".entry k(.param .b64 p[512], .param .b64 q[512]) { ret; }",
     "expected parameters of at most 4352 bytes, got 8192"},
    {".entry k(.reg .b32 r;) { ret; }", "expected a parameter in .param space"},
    {".entry k(.shared .b64 s;) { ret; }",
     "expected a parameter in .param space"},
    {".entry k() { @p ret; }", "expected a predicate, got 'p'"},
    {".entry k() { .reg .b16 %h; @!%h ret; }",
     "expected a predicate, got '%h'"},
    {".entry k() { .reg .b64 %d<4>; add.f32x2 %d1, %d2, %d3; }",
     "unsupported instruction"},
    {".entry k() { .reg .b32 %r<4>; sub.tf32 %r1, %r2, %r3; }",
     "unsupported instruction"},
};

TEST(PtxModuleRefusals, OfWholeModules) {
  for (auto [text, expected] : modules) {
    Fallible<std::unique_ptr<Module>> module = Module::parse(text);
    std::string message = module ? "" : module.message();
    EXPECT_NE(message.find(expected), std::string::npos) << text << "\n"
                                                         << expected << "\n"
                                                         << message;
  }
}

/// Launches of kernels that are right, which all have the parameter `n`.
struct RefusedLaunch {
  const char *directives;
  LaunchShape shape;
  uint32_t parameterBytes;
  const char *expected;
};

const RefusedLaunch launches[] = {
    {"",
     {{1, 1, 1}, {0, 1, 1}},
     4,
     "expected 1 to 1024 threads a block, got 0"},
    {"",
     {{1, 1, 1}, {32, 32, 2}},
     4,
     "expected 1 to 1024 threads a block, got 2048"},
    {"", {{0, 1, 1}, {1, 1, 1}}, 4, "expected a grid with blocks, got"},
    {"", {{1, 1, 0}, {1, 1, 1}}, 4, "expected a grid with blocks, got"},
    {"",
     {{1, 65536, 1}, {1, 1, 1}},
     4,
     "expected at most 65535 blocks along y and z, got"},
    {"",
     {{1, 1, 70000}, {1, 1, 1}},
     4,
     "expected at most 65535 blocks along y and z, got"},
    {".reqntid 32", {{1, 1, 1}, {16, 1, 1}}, 4, "threads (.reqntid), got"},
    {".reqntid 8, 4", {{1, 1, 1}, {32, 1, 1}}, 4, "threads (.reqntid), got"},
    {".maxntid 32",
     {{1, 1, 1}, {33, 1, 1}},
     4,
     "expected at most 32 threads a block (.maxntid), got 33"},
    {".maxntid 8, 4",
     {{1, 1, 1}, {8, 8, 1}},
     4,
     "expected at most 32 threads a block (.maxntid), got 64"},
    {"", {}, 0, "expected 4 bytes of parameters, got 0"},
    {"", {}, 8, "expected 4 bytes of parameters, got 8"},
    {"",
     {{1, 1, 1}, {1, 1, 1}, 232449},
     4,
     "expected at most 232448 bytes of shared memory, got 232449"},
    {"",
     {{1, 1, 1}, {1, 1, 1}, ~0u},
     4,
     "expected at most 232448 bytes of shared memory, got 4294967295"},
};

TEST(PtxModuleRefusals, OfLaunches) {
  for (const RefusedLaunch &refused : launches) {
    auto module = Module::parse(std::string(".entry k(.param .b32 n) ") +
                                refused.directives + " { ret; }");
    ASSERT_TRUE(module) << module.message();
    std::vector<std::byte> parameters(refused.parameterBytes);
    DeviceMemory memory;
    std::string message =
        launch(*(*module)->kernel("k"), refused.shape, parameters, memory)
            .value_or("");
    EXPECT_NE(message.find(refused.expected), std::string::npos)
        << refused.expected << "\n"
        << message;
  }
}

} // namespace
