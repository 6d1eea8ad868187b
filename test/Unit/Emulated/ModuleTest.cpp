//===- ModuleTest.cpp - PTX that is read or refused -----------------------===//

#include "TestKernel.h"

#include <cmath>
#include <fstream>
#include <sstream>

using namespace tessera;
using namespace tessera::emulated;

namespace {

std::string refusalOf(const std::string &body) {
  Fallible<std::unique_ptr<Module>> module = Module::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".entry k(.param .u64 a)\n{\n.reg .b32 %r<4>;\n.reg .b64 %d<4>;\n"
      ".reg .pred %p<2>;\n" +
      body + "\nret;\n}\n");
  return module ? "" : module.message();
}

TEST(PtxModule, RefusesWhatItDoesNotUnderstand) {
  EXPECT_EQ(refusalOf("frobnicate.b32 %r1, %r2;"),
            "line 9: unknown instruction 'frobnicate' in 'frobnicate.b32 %r1, "
            "%r2'");
  EXPECT_EQ(refusalOf("add.u32.sideways %r1, %r2, %r3;"),
            "line 9: unexpected modifier '.sideways' in 'add.u32.sideways %r1, "
            "%r2, %r3'");
  EXPECT_EQ(refusalOf("add.u32 %r1, %r2;"),
            "line 9: expected a source in 'add.u32 %r1, %r2'");
  EXPECT_EQ(refusalOf("mov.u32 %r1, %r2, %r3;"),
            "line 9: expected 2 operands, got 3 in 'mov.u32 %r1, %r2, %r3'");
  EXPECT_EQ(refusalOf("add.u32 %r1, %r2, %d1;"),
            "line 9: expected a register of 4 bytes, got '%d1' of 8 bytes in "
            "'add.u32 %r1, %r2, %d1'");
  EXPECT_EQ(refusalOf("mov.u32 %r1, %r4;"),
            "line 9: expected a register of 4 bytes, got '%r4', which is not "
            "declared in 'mov.u32 %r1, %r4'");
  EXPECT_EQ(refusalOf("bra NOWHERE;"), "line 9: unknown label 'NOWHERE'");
  EXPECT_EQ(refusalOf("add.f32 %r1, %r2, 3;"),
            "line 9: expected a value of type f32, got '3' in 'add.f32 %r1, "
            "%r2, 3'");
  EXPECT_EQ(refusalOf("call.uni somewhere, (%r1);").substr(0, 60),
            "line 9: expected a call of a function of this module, got 'c");
  EXPECT_EQ(refusalOf("add.u32 %r1, %r2, %r3"),
            "line 10: expected ';', got 'ret'");
  EXPECT_EQ(refusalOf(".reg .q32 %x;"), "line 9: expected a type, got '.q32'");
}

TEST(PtxModule, RefusesBrokenModules) {
  auto message = [](const char *text) {
    Fallible<std::unique_ptr<Module>> module = Module::parse(text);
    return module ? std::string() : module.message();
  };
  EXPECT_EQ(message(".address_size 32"),
            "line 1: expected 64-bit addresses, got the end of the text");
  EXPECT_EQ(message("hello"),
            "line 1: expected a declaration or an instruction, got 'hello'");
  EXPECT_EQ(message(".entry k()\n{\n"),
            "line 3: expected '}', got the end of the text");
  EXPECT_EQ(message(".extern .global .b32 x;"),
            "line 1: expected a definition of 'x', got a declaration: modules "
            "are not linked");
  EXPECT_EQ(message(""), "");
}

TEST(PtxModule, DescribesKernels) {
  auto module = Module::parse(
      ".version 8.0 .target sm_90a .address_size 64\n"
      ".visible .entry one(.param .u32 n, .param .u64 .ptr .global .align 1 p,"
      " .param .align 64 .b8 map[128]) .maxntid 128, 1, 1 .minnctapersm 2\n"
      "{ .shared .align 16 .b8 s[48]; ret; }\n"
      ".global .align 4 .b8 bytes[3] = {1, 2, 3};");
  ASSERT_TRUE(module) << module.message();
  EXPECT_EQ((*module)->target(), "sm_90a");
  EXPECT_EQ((*module)->kernel("two"), nullptr);
  const Kernel *kernel = (*module)->kernel("one");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->parameters()[1].offset, 8u);
  EXPECT_EQ(kernel->parameters()[2].offset, 64u);
  EXPECT_EQ(kernel->parameterBytes(), 192u);
  EXPECT_EQ(kernel->staticSharedBytes(), 48u);
  EXPECT_EQ(kernel->maxThreads()[0], 128u);
  EXPECT_EQ((*module)->variable("bytes")[2], std::byte(3));
}

/// A file that LLVM's NVPTX back end wrote; see Inputs/README.
std::unique_ptr<Module> parseInput(const std::string &name) {
  std::ifstream file(std::string(TESSERA_TEST_INPUTS) + "/" + name);
  EXPECT_TRUE(file) << name;
  std::stringstream text;
  text << file.rdbuf();
  auto module = Module::parse(text.str());
  if (!module) {
    ADD_FAILURE() << name << ": " << module.message();
    return nullptr;
  }
  return std::move(*module);
}

TEST(PtxModule, ExecutesASoftmaxFromLlvm) {
  auto module = parseInput("softmax.ptx");
  ASSERT_TRUE(module);
  const unsigned rows = 3, columns = 200;
  std::vector<float> in(rows * columns), out(rows * columns);
  for (unsigned i = 0; i < in.size(); ++i)
    in[i] = std::sin(i * 0.7f) * 5;
  uint64_t parameters[] = {reinterpret_cast<uint64_t>(in.data()),
                           reinterpret_cast<uint64_t>(out.data()), columns};
  DeviceMemory memory;
  memory.add(parameters[0], in.size() * 4, "in");
  memory.add(parameters[1], out.size() * 4, "out");
  LaunchShape shape;
  shape.grid[0] = rows;
  shape.block[0] = 128;
  ASSERT_TRUE(module->kernel("softmax"));
  const Kernel &kernel = *module->kernel("softmax");
  EXPECT_EQ(
      launch(
          kernel, shape,
          std::as_bytes(std::span(parameters)).first(kernel.parameterBytes()),
          memory)
          .value_or(""),
      "");
  for (unsigned row = 0; row < rows; ++row) {
    double sum = 0;
    for (unsigned i = 0; i < columns; ++i)
      sum += std::exp(double(in[row * columns + i]));
    for (unsigned i = 0; i < columns; ++i)
      EXPECT_NEAR(out[row * columns + i],
                  std::exp(double(in[row * columns + i])) / sum, 1e-6);
  }
}

} // namespace
