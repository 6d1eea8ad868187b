//===- PtxFixture.cpp -----------------------------------------------------===//

#include "PtxFixture.h"

using namespace tessera;
using namespace tessera::emulated;

std::optional<std::string>
emulated::runPtx(const std::string &body, unsigned threads,
                 const std::vector<Buffer *> &buffers, unsigned shared) {
  std::string parameters, loads;
  for (size_t i = 0; i < buffers.size(); ++i) {
    std::string number = std::to_string(i);
    parameters += (i ? ", " : "") + (".param .u64 p" + number);
    loads += "ld.param.u64 %b" + number + ", [p" + number + "];\n";
  }
  std::string text = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                     ".extern .shared .align 1024 .b8 smem[];\n"
                     ".visible .entry test(" +
                     parameters +
                     ") {\n"
                     ".reg .b32 %me, %r<400>;\n.reg .b64 %b<8>, %rd<64>;\n"
                     ".reg .f64 %fd<16>;\n.reg .pred %p<8>;\n"
                     "mov.u32 %me, %tid.x;\n" +
                     loads + body + "\nret;\n}\n";
  Fallible<std::unique_ptr<Module>> module = Module::parse(text);
  if (!module)
    return module.message();
  DeviceMemory memory;
  std::vector<uint64_t> addresses;
  for (Buffer *buffer : buffers) {
    memory.add(buffer->address(), buffer->bytes());
    addresses.push_back(buffer->address());
  }
  LaunchShape shape;
  shape.block = {threads, 1, 1};
  shape.sharedBytes = shared;
  return launch(*(*module)->kernel("test"), shape,
                std::as_bytes(std::span(addresses)), memory);
}

std::string emulated::registerList(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", %r" : "%r") + std::to_string(first + i);
  return text + "}";
}

std::string emulated::substitute(
    std::string text,
    const std::vector<std::pair<std::string, std::string>> &values) {
  for (auto &[name, value] : values) {
    std::string key = "@" + name + "@";
    for (size_t at = text.find(key); at != std::string::npos;
         at = text.find(key, at + value.size()))
      text.replace(at, key.size(), value);
  }
  return text;
}
