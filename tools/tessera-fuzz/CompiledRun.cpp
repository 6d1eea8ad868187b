//===- CompiledRun.cpp - What the compiled program computes ---------------===//

#include "CompiledRun.h"

#include "tessera/Driver/Compiler.h"
#include "tessera/Package/Package.h"
#include "tessera/Support/File.h"
#include "tessera/Support/MachineDescription.h"
#include "tessera/runtime.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

namespace {

struct Destroy {
  void operator()(TesseraProgram *program) const {
    tessera_program_destroy(program);
  }
  void operator()(TesseraJob *job) const { tessera_job_destroy(job); }
};

} // namespace

/// Runs the program at `path` once.
static Fallible<std::vector<HostTensor>>
runProgram(const std::string &path, const Boundary &boundary,
           const std::vector<HostTensor> &inputs,
           const ExecutionTarget &target) {
  bool isEmulated = target.gpu != 0;
  TesseraProgram *program = nullptr;
  if (tessera_program_load(path.c_str(), &program) != TESSERA_OK)
    return Failure{tessera_error_message()};
  std::unique_ptr<TesseraProgram, Destroy> programOwner(program);
  TesseraJobOptions options = {};
  options.size = sizeof options;
  options.backend = isEmulated ? "emulated" : "local";
  options.threads = 1;
  options.guards = !isEmulated;
  const LinkDescription network =
      MachineDescription::slowNetwork().levels.front();
  TesseraLinks links = {nullptr, 0, network.latency, network.bandwidth};
  TesseraMachine machine = {};
  machine.levels = &links;
  machine.level_count = 1;
  machine.has_delays = true;
  machine.delay_seed = target.delaySeed.value_or(0);
  if (target.delaySeed && !isEmulated)
    options.machine = &machine;
  TesseraJob *job = nullptr;
  if (tessera_job_create(program, &options, &job) != TESSERA_OK)
    return Failure{tessera_error_message()};
  std::unique_ptr<TesseraJob, Destroy> jobOwner(job);
  for (auto [i, input] : llvm::enumerate(inputs))
    if (tessera_job_set_argument(job, i, input.data()) != TESSERA_OK)
      return Failure{tessera_error_message()};
  if (tessera_job_step(job) != TESSERA_OK)
    return Failure{tessera_error_message()};
  std::vector<HostTensor> results;
  for (auto [i, slot] : llvm::enumerate(boundary.results)) {
    results.emplace_back(slot.type, slot.shape);
    if (tessera_job_get_result(job, i, results.back().data()) != TESSERA_OK)
      return Failure{tessera_error_message()};
  }
  return results;
}

FailureOr<std::vector<HostTensor>>
fuzz::runCompiled(ModuleOp module, const Boundary &boundary,
                  const std::vector<HostTensor> &inputs,
                  const ExecutionTarget &target, std::string &phase) {
  auto enter = [&](const char *name) {
    phase = name;
    std::fprintf(stderr, "phase %s\n", name);
  };
  enter("codegen");
  PassManager manager(module.getContext());
  CompileOptions options;
  if (target.gpu)
    options.gpuArchitectures = {target.gpu};
  options.cpu = target.cpu;
  getPhaseInfo(Phase::Codegen).addPasses(manager, options);
  if (failed(manager.run(module)))
    return failure();
  enter("package");
  SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("tessera-fuzz", "tsx", path))
    return module.emitError("expected to be able to write temporary files");
  llvm::FileRemover remover(path);
  FailureOr<Package> package =
      buildPackage(module, PackageOptions{"fuzz.mlir", kVersion.str(), false});
  if (failed(package))
    return failure();
  if (Fallible<void> done = writeFile(path.str().str(), package->program);
      !done)
    return module.emitError() << done.message();
  enter("run");
  auto results = runProgram(path.str().str(), boundary, inputs, target);
  if (!results)
    return module.emitError() << results.message();
  return std::move(*results);
}
