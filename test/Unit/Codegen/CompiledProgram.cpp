//===- CompiledProgram.cpp - Compiles and runs programs in tests ----------===//

#include "CompiledProgram.h"
#include "EmulatedGpu.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tessera/Codegen/NVPTX/GpuTarget.h"
#include "tessera/Codegen/Passes.h"
#include "tessera/Driver/Registration.h"
#include "tessera/Package/Package.h"
#include "tessera/Support/File.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace mlir;
using namespace tessera;
using namespace tessera::test;

/// Runs the ranges of a launch from the last to the first.
int32_t tessera_rt_launch(TesseraContext *, TesseraKernel kernel,
                          void *const *buffers, int64_t extent, int64_t grain,
                          const TesseraSite *) {
  int64_t ranges = (extent + grain - 1) / grain;
  for (int64_t range = ranges; range-- > 0;)
    kernel(buffers, range * grain, std::min(extent, (range + 1) * grain));
  return 0;
}

/// The GPU that the program runs on, which is the context that it is given.
namespace {
struct GpuContext {
  EmulatedGpu gpu;
  int arch;
};
} // namespace

int32_t tessera_rt_launch_grid(TesseraContext *context,
                               const TesseraGpuKernel *kernel,
                               void *const *buffers, const TesseraSite *) {
  auto *state = reinterpret_cast<GpuContext *>(context);
  return state->gpu.launch(*kernel, buffers, state->arch);
}

static std::vector<size_t> bytesOf(TypeRange types) {
  std::vector<size_t> bytes;
  for (Type type : types) {
    auto tensor = cast<RankedTensorType>(type);
    bytes.push_back(tensor.getNumElements() *
                    llvm::divideCeil(tensor.getElementTypeBitWidth(), 8));
  }
  return bytes;
}

std::unique_ptr<CompiledProgram>
CompiledProgram::compile(const std::string &text, const std::string &target) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return nullptr;
  PassManager manager(&context);
  std::optional<int> arch = nvptx::GpuTarget::parse(target);
  codegen::CodegenOptions options;
  if (arch)
    options.architectures = *arch;
  else
    options.cpu = target;
  codegen::buildCodegenPhase(manager, options);
  if (failed(manager.run(*module)))
    return nullptr;
  std::unique_ptr<CompiledProgram> program(new CompiledProgram);
  SmallString<128> path;
  llvm::sys::fs::createTemporaryFile("tessera-test", "tsx", path);
  program->path = std::string(path);
  FailureOr<Package> package =
      buildPackage(*module, {"test.mlir", "0.1.0", false});
  if (failed(package) || !writeFile(program->path, package->program))
    return nullptr;
  auto main = module->lookupSymbol<func::FuncOp>("main");
  program->arch = arch.value_or(0);
  program->argumentBytes = bytesOf(main.getArgumentTypes());
  program->resultBytes = bytesOf(main.getResultTypes());
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

/// Tensors and arena are copied to memory of the GPU, results back; equal
/// pointers (of donated arguments) stay equal.
int32_t CompiledProgram::runOnGpu(const std::vector<void *> &arguments,
                                  const std::vector<void *> &results) {
  GpuContext context;
  context.arch = arch;
  auto *images = static_cast<const TesseraGpuImage *>(
      dlsym(library, "tessera_gpu_images"));
  auto *count =
      static_cast<const int64_t *>(dlsym(library, "tessera_gpu_image_count"));
  if (!images || !count || !context.gpu.load({images, size_t(*count)}))
    return TESSERA_FAILED;
  std::map<void *, void *> onDevice;
  auto move = [&](const std::vector<void *> &tensors,
                  const std::vector<size_t> &bytes, const char *name) {
    std::vector<void *> moved;
    for (size_t i = 0; i < tensors.size(); ++i) {
      void *&address = onDevice[tensors[i]];
      if (!address)
        address = context.gpu.allocate(bytes[i], name + std::to_string(i));
      std::memcpy(address, tensors[i], bytes[i]);
      moved.push_back(address);
    }
    return moved;
  };
  std::vector<void *> in = move(arguments, argumentBytes, "argument");
  std::vector<void *> out = move(results, resultBytes, "result");
  void *space = context.gpu.allocate(arena.size(), "arena");
  int32_t status = entry(&context, in.data(), out.data(), space);
  for (size_t i = 0; i < results.size(); ++i)
    std::memcpy(results[i], out[i], resultBytes[i]);
  return status;
}

int32_t CompiledProgram::run(const std::vector<void *> &arguments,
                             const std::vector<void *> &results) {
  if (arch)
    return runOnGpu(arguments, results);
  auto address = reinterpret_cast<uintptr_t>(arena.data());
  void *aligned = reinterpret_cast<void *>((address + 63) / 64 * 64);
  return entry(nullptr, arguments.data(), results.data(), aligned);
}

bool test::isExecuted(const std::string &target) {
  return target != "x86-64-v4" || __builtin_cpu_supports("x86-64-v4");
}

void test::expectResults(CompiledProgram &program,
                         std::vector<HostTensor> &inputs,
                         const std::vector<HostTensor> &expected,
                         const Tolerance &limit) {
  std::vector<HostTensor> results;
  std::vector<void *> in, out;
  for (HostTensor &input : inputs)
    in.push_back(input.data());
  for (const HostTensor &result : expected)
    results.emplace_back(result.type(), result.shape());
  for (HostTensor &result : results)
    out.push_back(result.data());
  ASSERT_EQ(program.run(in, out), 0);
  for (size_t i = 0; i < results.size(); ++i) {
    auto difference = compareTensors(results[i], expected[i]);
    EXPECT_TRUE(difference.within(limit))
        << "result " << i << ": "
        << difference.describe(limit, results[i].shape());
  }
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
