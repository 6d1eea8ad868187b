//===- TestKernel.cpp -----------------------------------------------------===//

#include "TestKernel.h"

using namespace tessera;
using namespace tessera::emulated;

TestKernel::TestKernel(unsigned pointers, const std::string &body,
                       const std::string &globals)
    : buffers(pointers) {
  std::string text = ".version 8.0\n.target sm_90a\n.address_size 64\n" +
                     globals + "\n.visible .entry kernel(";
  for (unsigned i = 0; i < pointers; ++i)
    text += (i ? ", " : "") + (".param .u64 p" + std::to_string(i));
  text += ")\n{\n.reg .pred %p<20>;\n.reg .b16 %h<40>;\n.reg .b32 %r<60>;\n"
          ".reg .b64 %d<60>;\n.reg .f32 %f<40>;\n.reg .f64 %e<40>;\n"
          ".reg .b64 %a<10>;\n.reg .b32 %tid<5>;\n";
  for (unsigned i = 0; i < pointers; ++i) {
    std::string n = std::to_string(i);
    text += "ld.param.u64 %a" + n + ", [p" + n + "];\ncvta.to.global.u64 %a" +
            n + ", %a" + n + ";\n";
  }
  text += "mov.u32 %tid2, %ctaid.x;\nmov.u32 %tid3, %ntid.x;\n"
          "mov.u32 %tid0, %tid.x;\n"
          "mad.lo.u32 %tid1, %tid2, %tid3, %tid0;\n" +
          body + "\nret;\n}\n";
  Fallible<std::unique_ptr<Module>> parsed = Module::parse(text);
  if (!parsed)
    ADD_FAILURE() << parsed.message();
  else
    module = std::move(*parsed);
}

std::string TestKernel::run(uint32_t blocks, uint32_t threads,
                            uint32_t sharedBytes) {
  if (!module)
    return "the kernel was not parsed";
  DeviceMemory memory;
  std::vector<uint64_t> parameters;
  for (size_t i = 0; i < buffers.size(); ++i) {
    parameters.push_back(reinterpret_cast<uint64_t>(buffers[i].data()));
    memory.add(parameters.back(), buffers[i].size(), "p" + std::to_string(i));
  }
  LaunchShape shape;
  shape.grid[0] = blocks;
  shape.block[0] = threads;
  shape.sharedBytes = sharedBytes;
  return launch(*module->kernel("kernel"), shape,
                std::as_bytes(std::span(parameters)), memory, hostThreads,
                checks, &statistics, &traffic)
      .value_or("");
}

static unsigned bytesOf(const std::string &type) {
  if (type.ends_with("x2"))
    return 4;
  return std::stoul(type.substr(type.find_first_of("0123456789"))) / 8;
}

/// The declared registers that hold `type`.
static std::string registerOf(const std::string &type) {
  switch (bytesOf(type)) {
  case 2:
    return "%h";
  case 4:
    return "%r";
  default:
    return "%d";
  }
}

std::vector<uint64_t> emulated::executeInstruction(
    const std::string &instruction, const std::string &resultType,
    const std::vector<std::string> &sourceTypes,
    const std::vector<std::vector<uint64_t>> &sources) {
  std::string body, operands;
  unsigned count = sourceTypes.size();
  for (unsigned i = 0; i < count; ++i) {
    std::string source = registerOf(sourceTypes[i]) + std::to_string(i + 1);
    std::string bits = std::to_string(8 * bytesOf(sourceTypes[i]));
    body += "mad.wide.u32 %a9, %tid1, 8, %a" + std::to_string(i + 1) +
            ";\nld.global.b" + bits + " " + source + ", [%a9];\n";
    operands += ", " + source;
  }
  std::string result = registerOf(resultType) + "0";
  body += instruction + " " + result + operands +
          ";\nmad.wide.u32 %a9, %tid1, 8, %a0;\nst.global.b" +
          std::to_string(8 * bytesOf(resultType)) + " [%a9], " + result + ";\n";
  TestKernel kernel(count + 1, body);
  size_t lanes = sources[0].size();
  kernel.set<uint64_t>(0, std::vector<uint64_t>(lanes));
  for (unsigned i = 0; i < count; ++i)
    kernel.set<uint64_t>(i + 1, sources[i]);
  EXPECT_EQ(kernel.run((lanes + 31) / 32, std::min<size_t>(lanes, 32)), "")
      << instruction;
  return kernel.get<uint64_t>(0);
}
