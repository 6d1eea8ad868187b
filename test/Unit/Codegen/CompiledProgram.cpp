//===- CompiledProgram.cpp - Compiles and runs programs in tests ----------===//

#include "CompiledProgram.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tessera/Codegen/CPU/Passes.h"
#include "tessera/Driver/Registration.h"
#include "tessera/Package/Package.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace mlir;
using namespace tessera;
using namespace tessera::test;

/// Runs the ranges of a launch from the last to the first.
extern "C" __attribute__((visibility("default"))) int32_t
tessera_rt_launch(void *, void (*kernel)(void *const *, int64_t, int64_t),
                  void *const *buffers, int64_t extent, int64_t grain,
                  const void *) {
  int64_t ranges = (extent + grain - 1) / grain;
  for (int64_t range = ranges; range-- > 0;)
    kernel(buffers, range * grain, std::min(extent, (range + 1) * grain));
  return 0;
}

std::unique_ptr<CompiledProgram>
CompiledProgram::compile(const std::string &text, const std::string &cpu) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return nullptr;
  PassManager manager(&context);
  buildCpuCodegenPhase(manager, cpu);
  if (failed(manager.run(*module)))
    return nullptr;
  std::unique_ptr<CompiledProgram> program(new CompiledProgram);
  SmallString<128> path;
  llvm::sys::fs::createTemporaryFile("tessera-test", "tsx", path);
  program->path = std::string(path);
  if (failed(writePackage(*module, path, {"test.mlir", "0.1.0"})))
    return nullptr;
  auto main = module->lookupSymbol<func::FuncOp>("main");
  program->arena.resize(
      main->getAttrOfType<IntegerAttr>("spmd.arena_size").getInt() + 64);
  program->library = dlopen(program->path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!program->library) {
    llvm::errs() << dlerror() << '\n';
    return nullptr;
  }
  program->entry = reinterpret_cast<decltype(program->entry)>(
      dlsym(program->library, "tessera_main"));
  auto *text_ =
      static_cast<const char *>(dlsym(program->library, "tessera_manifest"));
  auto *size = static_cast<const int64_t *>(
      dlsym(program->library, "tessera_manifest_size"));
  if (!program->entry || !text_ || !size)
    return nullptr;
  program->manifestText.assign(text_, *size);
  return program;
}

CompiledProgram::~CompiledProgram() {
  if (library)
    dlclose(library);
  llvm::sys::fs::remove(path);
}

int32_t CompiledProgram::run(const std::vector<void *> &arguments,
                             const std::vector<void *> &results) {
  auto address = reinterpret_cast<uintptr_t>(arena.data());
  void *aligned = reinterpret_cast<void *>((address + 63) / 64 * 64);
  return entry(nullptr, arguments.data(), results.data(), aligned);
}

std::string test::programOf(const std::string &operandTypes,
                            const std::string &resultTypes,
                            const std::string &body) {
  // Types are separated by semicolons here, as they contain commas.
  auto split = [](const std::string &list) {
    SmallVector<StringRef> parts;
    StringRef(list).split(parts, ';', -1, /*KeepEmpty=*/false);
    return SmallVector<std::string>(llvm::map_range(
        parts, [](StringRef part) { return part.trim().str(); }));
  };
  SmallVector<std::string> operands = split(operandTypes),
                           results = split(resultTypes);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "module {\n  func.func @main(";
  llvm::interleaveComma(
      llvm::seq<size_t>(0, operands.size()), os,
      [&](size_t i) { os << "%arg" << i << ": " << operands[i]; });
  os << ") -> (";
  llvm::interleaveComma(results, os);
  os << ") attributes {spmd.arena_size = 0 : i64} {\n";
  os << "    %r:" << results.size() << " = spmd.kernel(";
  llvm::interleaveComma(llvm::seq<size_t>(0, operands.size()), os,
                        [&](size_t i) { os << "%arg" << i; });
  os << ") {spmd.buffers = [";
  llvm::interleaveComma(
      llvm::seq<size_t>(0, results.size()), os,
      [&](size_t i) { os << "#spmd.buffer<result, " << i << ">"; });
  os << "]} : (";
  llvm::interleaveComma(operands, os);
  os << ") -> (";
  llvm::interleaveComma(results, os);
  os << ") {\n    ^bb0(";
  llvm::interleaveComma(
      llvm::seq<size_t>(0, operands.size()), os,
      [&](size_t i) { os << "%" << i << ": " << operands[i]; });
  os << "):\n" << body << "\n    }\n    return ";
  llvm::interleaveComma(llvm::seq<size_t>(0, results.size()), os,
                        [&](size_t i) { os << "%r#" << i; });
  os << " : ";
  llvm::interleaveComma(results, os);
  os << "\n  }\n}\n";
  return text;
}
