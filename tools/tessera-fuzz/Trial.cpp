//===- Trial.cpp - Does every phase keep a program's meaning? -------------===//

#include "Trial.h"

#include "CompiledRun.h"
#include "Random.h"

#include "tessera/Dialect/Rt/ProgramMemory.h"
#include "tessera/Dialect/Spmd/HostCopies.h"
#include "tessera/Dialect/Tessera/BatchAttribute.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Driver/Compiler.h"
#include "tessera/Driver/Registration.h"
#include "tessera/Interpreter/Boundary.h"
#include "tessera/Interpreter/Interpreter.h"
#include "tessera/Stages/Schedules/ScheduleGenerators.h"
#include "tessera/Support/TensorComparison.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

static constexpr StringLiteral kindNames[] = {
    "agrees", "is not supported", "is rejected", "differs", "crashes",
    "hangs",  "is invalid"};

std::string Verdict::describe() const {
  std::string text = kindNames[kind].str();
  if (!phase.empty())
    text += " in phase " + phase;
  return message.empty() ? text : text + ": " + message;
}

const DialectRegistry &fuzz::compilerDialects() {
  static const DialectRegistry registry = [] {
    DialectRegistry dialects;
    registerDialects(dialects);
    return dialects;
  }();
  return registry;
}

std::string fuzz::printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

//===----------------------------------------------------------------------===//
// One trial
//===----------------------------------------------------------------------===//

/// Integers from -3 to 3; or, if they need not be, real numbers between -1 and
/// 1 for floating-point arguments.
static std::vector<HostTensor> smallInputs(const Boundary &boundary,
                                           uint64_t seed, bool areIntegers) {
  Random random(seed);
  std::vector<HostTensor> inputs;
  for (const TensorSlot &slot : boundary.arguments) {
    HostTensor tensor(slot.type, slot.shape);
    bool isReal = !areIntegers && isFloatingPoint(slot.type);
    for (int64_t i = 0; i < tensor.elementCount(); ++i)
      tensor.setFromDouble(
          i, isReal ? double(random.between(-1000, 1000)) / 1000
             : slot.type == ElementType::I1 ? random.below(2)
                                            : random.between(-3, 3));
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

/// How results differ from those expected, or an empty string.
static std::string compare(const std::vector<HostTensor> &got,
                           const std::vector<HostTensor> &expected,
                           const Tolerance &tolerance) {
  for (auto [i, tensors] : llvm::enumerate(llvm::zip_equal(got, expected))) {
    auto &[left, right] = tensors;
    TensorDifference difference = compareTensors(left, right);
    if (!difference.within(tolerance.of(right.type())))
      return "result " + std::to_string(i) + ": " +
             difference.describe(tolerance, left.shape());
  }
  return "";
}

/// Whether a phase says that it cannot do something yet, as opposed to that
/// something is wrong.
static bool isUnsupported(StringRef diagnostics) {
  return diagnostics.contains("not supported") ||
         diagnostics.contains("is called on the target cpu only") ||
         diagnostics.contains("unsupported operation");
}

/// How many microbatches to split the program into: as few as may be if an
/// argument is marked as a batch and the program can be split, one otherwise.
static int64_t numMicrobatches(ModuleOp module) {
  for (auto main : module.getOps<func::FuncOp>())
    for (BlockArgument argument : main.getArguments()) {
      auto dim = main.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                    kBatchAttr);
      if (!dim)
        continue;
      int64_t size =
          cast<RankedTensorType>(argument.getType()).getDimSize(dim.getInt());
      ScopedDiagnosticHandler silence(module.getContext(),
                                      [](Diagnostic &) { return success(); });
      for (int64_t count = 2; count <= size; ++count) {
        OwningOpRef<ModuleOp> copy = module.clone();
        PassManager manager(module.getContext());
        manager.addPass(
            shard::createSplitMicrobatches({count, /*always=*/false}));
        if (size % count == 0 && succeeded(manager.run(*copy)))
          return count;
      }
    }
  return 1;
}

/// Whether `module`, imported, passes the phases `shard` and `stage` so.
static bool canBeCut(ModuleOp module, const CompileOptions &options) {
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(module.getContext());
  getPhaseInfo(Phase::Shard).addPasses(manager, options);
  getPhaseInfo(Phase::Stage).addPasses(manager, options);
  return succeeded(manager.run(*copy));
}

/// Asks for microbatches, and for stages under some schedule, if `module`,
/// imported, can be split and cut so.
static void drawStages(ModuleOp module, Random random,
                       CompileOptions &options) {
  options.microbatches = numMicrobatches(module);
  if (options.microbatches == 1 || random.chance(40))
    return;
  options.stages = random.pick({2, 2, 3, 4});
  options.schedule = random.pick(listSchedules()).name;
  if (!canBeCut(module, options))
    options.stages = 1;
}

/// The bytes that `module`, with kernels, takes on a device when the phase
/// `schedule` keeps to `options`; nothing where it fails.
static std::optional<int64_t> scheduledBytes(ModuleOp module,
                                             const CompileOptions &options) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(module.getContext());
  getPhaseInfo(Phase::Schedule).addPasses(manager, options);
  if (failed(manager.run(*copy)))
    return std::nullopt;
  FailureOr<LargestProgram> largest = findLargestProgram(*copy);
  if (failed(largest))
    return std::nullopt;
  return ProgramMemory::of(largest->function).peak();
}

/// Puts memory of a host beside the devices of `module`, over a link that takes
/// less than kernels or more.
static void drawHost(ModuleOp module, Random random) {
  if (random.chance(20))
    return;
  HostMemory host = {random.pick({0., 0., 1e-6}),
                     random.pick({1e9, 1e12, 1e15}),
                     random.pick({1 << 10, 1 << 30})};
  for (MeshOp mesh : module.getOps<MeshOp>()) {
    Machine machine = mesh.getMachine();
    machine.host = host;
    mesh.setOnAttr(MachineAttr::get(module.getContext(), machine));
  }
}

/// Limits the memory of `module`, with kernels, to something between what it
/// takes at least and what it takes without a limit.
static void drawMemoryLimit(ModuleOp module, Random random,
                            CompileOptions &options) {
  if (random.chance(50))
    return;
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  drawHost(module, random);
  std::optional<int64_t> most = scheduledBytes(module, options);
  options.memoryLimit = 1;
  std::optional<int64_t> least = scheduledBytes(module, options);
  options.memoryLimit =
      least && most && *least < *most ? random.between(*least, *most) : 0;
}

Verdict fuzz::tryPhases(ModuleOp module, uint64_t seed,
                        const TrialOptions &trial) {
  std::string diagnostics;
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    llvm::raw_string_ostream os(diagnostics);
                                    os << diagnostic << "\n";
                                    return success();
                                  });
  FailureOr<Boundary> boundary = Boundary::of(module);
  if (failed(boundary))
    return {Verdict::Invalid, "", diagnostics};
  std::vector<HostTensor> inputs =
      smallInputs(*boundary, seed, trial.isExact());
  FailureOr<Interpretation> expected = interpretModule(module, inputs);
  if (failed(expected))
    return {Verdict::Invalid, "", diagnostics};

  Verdict verdict;
  CompileOptions options;
  // Programs as small as these would compute no update in shards otherwise.
  if (Random(seed).chance(50))
    options.collectiveSeconds = 0;
  // GPUs copy nothing to the host.
  if (trial.execution.gpu)
    options.hostMemory = 0;
  // So is no product worth computing by pieces, and no batch by parts.
  options.communication.split = Random(seed + 5).chance(50);
  options.ignorePrices = Random(seed + 4).chance(50);
  for (const PhaseInfo &phase : getPhases()) {
    if (!phase.interpretable)
      continue;
    if (phase.phase == Phase::Shard)
      drawStages(module, Random(seed), options);
    if (phase.phase == Phase::Schedule)
      drawMemoryLimit(module, Random(seed + 3), options);
    // Survives in standard error when the phase dies.
    std::fprintf(stderr, "phase %s\n", phase.name.data());
    PassManager manager(module.getContext());
    phase.addPasses(manager, options);
    if (failed(manager.run(module)))
      return {isUnsupported(diagnostics) ? Verdict::Unsupported
                                         : Verdict::Rejected,
              phase.name.str(), diagnostics};
    FailureOr<Interpretation> got = interpretModule(module, inputs);
    if (failed(got))
      return {Verdict::Differs, phase.name.str(), diagnostics};
    std::string difference =
        compare(got->results, expected->results, trial.tolerance);
    if (!difference.empty())
      return {Verdict::Differs, phase.name.str(), difference};
    verdict.collectives = 0;
    if (!got->collectives.empty())
      for (const CollectiveCount &collective : got->collectives.front())
        verdict.collectives += collective.times;
  }
  module.walk([&](spmd::OffloadOp) { ++verdict.offloads; });
  Random choice(seed + 2);
  if (!choice.chance(trial.execution.percent))
    return verdict;
  // The processor's own instructions, or those that most processors have.
  ExecutionTarget target{trial.execution.gpu,
                         choice.chance(30) ? "x86-64-v3" : "native",
                         std::nullopt};
  // Half of them wait for messages that are late at random.
  if (choice.chance(50))
    target.delaySeed = seed;
  auto results = runCompiled(module, *boundary, inputs, target, verdict.phase);
  std::string difference =
      failed(results) ? diagnostics
                      : compare(*results, expected->results, trial.tolerance);
  if (failed(results))
    verdict.kind =
        isUnsupported(diagnostics) ? Verdict::Unsupported : Verdict::Rejected;
  else if (!difference.empty())
    verdict.kind = Verdict::Differs;
  else
    verdict.phase.clear();
  verdict.message = difference;
  return verdict;
}

//===----------------------------------------------------------------------===//
// Between processes
//===----------------------------------------------------------------------===//

/// Fields end with a zero byte.
std::string fuzz::serialize(const Verdict &verdict,
                            const std::string &program) {
  std::string text;
  for (const std::string &field :
       {std::to_string(verdict.kind), verdict.phase, verdict.message,
        std::to_string(verdict.collectives), std::to_string(verdict.offloads),
        program})
    text.append(field).push_back('\0');
  return text;
}

Verdict fuzz::deserialize(const ChildOutcome &outcome, std::string &program) {
  if (outcome.end == ChildOutcome::Done) {
    SmallVector<StringRef> fields;
    StringRef(outcome.output).split(fields, '\0');
    if (fields.size() == 7) {
      program = fields[5].str();
      return {Verdict::Kind(fields[0].front() - '0'), fields[1].str(),
              fields[2].str(), std::atoll(fields[3].data()),
              std::atoll(fields[4].data())};
    }
  }
  auto kind =
      outcome.end == ChildOutcome::Hung ? Verdict::Hung : Verdict::Crashed;
  StringRef errors = outcome.errors;
  // The last phase that was begun.
  StringRef phase = errors.contains("phase ")
                        ? errors.rsplit("phase ").second.split('\n').first
                        : "";
  StringRef message = errors.split("Stack dump:").first.rtrim();
  return {kind, phase.str(), message.rsplit('\n').second.str()};
}

Verdict fuzz::tryInChild(const std::string &program, uint64_t seed,
                         const TrialOptions &options) {
  ChildOutcome outcome = runInChild(options.seconds, [&] {
    MLIRContext context(compilerDialects(), MLIRContext::Threading::DISABLED);
    auto module = parseSourceString<ModuleOp>(program, &context);
    Verdict verdict = module ? tryPhases(*module, seed, options)
                             : Verdict{Verdict::Invalid, "", "cannot be read"};
    return serialize(verdict, program);
  });
  std::string same;
  return deserialize(outcome, same);
}
