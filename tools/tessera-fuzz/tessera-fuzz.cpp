//===- tessera-fuzz.cpp - random programs through every phase -------------===//
//
// Makes random annotated programs, runs them through the phases of the compiler
// and compares what the reference interpreter computes after each phase. A
// program that fails is made small and printed.
//
//===----------------------------------------------------------------------===//

#include "Annotate.h"
#include "ProgramGenerator.h"
#include "Reducer.h"
#include "tessera/Codegen/NVPTX/GpuTarget.h"
#include "tessera/Driver/Compiler.h"
#include "tessera/Driver/Phases.h"
#include "tessera/Support/FileStream.h"
#include "tessera/Transforms/Import/ReadModel.h"

#include "mlir/Pass/PassManager.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/WithColor.h"

#include <random>

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;
namespace cl = llvm::cl;

static cl::OptionCategory
    options("Fuzzing", "  tessera-fuzz --count=1000 --jobs=2 --dump=found\n"
                       "  tessera-fuzz --seed=7 --count=1\n"
                       "  tessera-fuzz found/7.mlir\n"
                       "  tessera-fuzz model.mlir --annotate --count=200 "
                       "--tolerance=1e-4");
static cl::opt<std::string>
    programFile(cl::Positional, cl::cat(options),
                cl::desc("[FILE.mlir: try this program or model only]"));
static cl::opt<int64_t> count("count", cl::cat(options), cl::init(100),
                              cl::desc("programs to try"));
static cl::opt<std::string>
    seedText("seed", cl::cat(options), cl::value_desc("N"),
             cl::desc("program i is made from seed N + i; random by default"));
static cl::opt<unsigned> jobs("jobs", cl::cat(options), cl::init(1),
                              cl::desc("processes at a time"));
static cl::opt<int64_t> operations("operations", cl::cat(options), cl::init(10),
                                   cl::desc("at most so many per program"));
static cl::opt<double> seconds("timeout", cl::cat(options), cl::init(20),
                               cl::desc("seconds for one program"));
static cl::opt<std::string>
    execute("execute", cl::cat(options), cl::ValueOptional,
            cl::value_desc("PERCENT|sm_80|sm_90a"),
            cl::desc("generate code, too, and run it on this machine with "
                     "guards: for all programs, so many in a hundred (10, "
                     "and 0 for a file, by default), or for all on this GPU, "
                     "which is emulated; of those for the processor some have "
                     "--cpu=x86-64-v3, and half random delays of messages"));
static cl::opt<int64_t> maximalFailures("failures", cl::cat(options),
                                        cl::init(1), cl::value_desc("N"),
                                        cl::desc("stop after so many"));
static cl::opt<bool> keepWhole("no-reduce", cl::cat(options),
                               cl::desc("print failing programs as they are"));
static cl::opt<bool> printOnly("print", cl::cat(options),
                               cl::desc("print the programs, try none"));
static cl::opt<std::string>
    dumpDirectory("dump", cl::cat(options), cl::value_desc("DIR"),
                  cl::desc("write failing programs to DIR/<seed>.mlir"));

static cl::opt<bool>
    annotated("annotate", cl::cat(options),
              cl::desc("try the model under random meshes and shardings"));
static cl::opt<std::string> toleranceText(
    "tolerance", cl::cat(options), cl::value_desc("RTOL[,ATOL]"),
    cl::desc("of results, on real numbers; without, inputs are small integers "
             "and results must be equal"));

/// How many in a hundred programs are executed by default.
static constexpr int64_t kExecutedPercent = 10;

/// What `main` has made of the options.
static TrialOptions trial;

/// What --execute says; false if it makes no sense.
static bool parseExecution(Execution &execution) {
  if (!execute.getNumOccurrences()) {
    execution.percent = programFile.empty() ? kExecutedPercent : 0;
    return true;
  }
  execution.percent = 100;
  if (execute.empty())
    return true;
  if (std::optional<int> gpu = nvptx::GpuTarget::parse(execute)) {
    execution.gpu = *gpu;
    return true;
  }
  return !llvm::StringRef(execute).getAsInteger(10, execution.percent) &&
         execution.percent >= 0 && execution.percent <= 100;
}

/// The program in the file, or the model, imported; null after an error.
static OwningOpRef<ModuleOp> readProgram(MLIRContext &context) {
  OwningOpRef<ModuleOp> module = importer::readModel(programFile, context);
  if (!module)
    return nullptr;
  // A model that only hands on its arguments has no operation.
  bool isForeign =
      module
          ->walk([](Operation *op) {
            return op->isRegistered() ? WalkResult::advance()
                                      : WalkResult::interrupt();
          })
          .wasInterrupted() ||
      llvm::any_of((*module)->getDiscardableAttrs(), [](NamedAttribute a) {
        return !a.getName().strref().starts_with("tessera.");
      });
  PassManager manager(&context);
  getPhaseInfo(Phase::Import).addPasses(manager, {});
  if (isForeign && failed(manager.run(*module)))
    return nullptr;
  return module;
}

/// The program made from `seed`, in a context of its own; null after an error,
/// which depends on the file only.
static OwningOpRef<ModuleOp> generate(MLIRContext &context, uint64_t seed) {
  context.loadAllAvailableDialects();
  if (!programFile.empty()) {
    OwningOpRef<ModuleOp> model = readProgram(context);
    Random random(seed);
    if (!model || (annotated && failed(annotate(*model, random))))
      return nullptr;
    return model;
  }
  int64_t size = 1 + Random(seed).below(operations);
  return ProgramGenerator(&context, seed + 1).generate(size);
}

/// Prints a failing program so that it can become a test.
static void report(uint64_t seed, std::string program, Verdict verdict) {
  llvm::outs() << "seed " << seed << " " << verdict.describe() << "\n";
  llvm::outs().flush(); // Children inherit what is buffered.
  if (!keepWhole && !program.empty())
    program = reduce(std::move(program), trial.seconds,
                     [&](const std::string &smaller) {
                       Verdict found = tryInChild(smaller, seed, trial);
                       if (!found.isLike(verdict))
                         return false;
                       verdict = std::move(found);
                       return true;
                     });
  std::string text =
      "// RUN: tessera-fuzz %s --seed=" + std::to_string(seed) + "\n" + program;
  llvm::outs() << "reduced: " << verdict.describe() << "\n" << text << "\n";
  llvm::outs().flush();
  if (dumpDirectory.empty())
    return;
  llvm::SmallString<128> path(dumpDirectory);
  llvm::sys::fs::create_directories(path);
  llvm::sys::path::append(path, std::to_string(seed) + ".mlir");
  if (Fallible<void> done = writeFile(path.str().str(), text); !done)
    llvm::WithColor::error() << done.message() << "\n";
}

/// Tries `count` programs from `first` on; the exit status.
static int fuzzPrograms(uint64_t first) {
  int64_t verdicts[Verdict::Invalid + 1] = {}, failures = 0, communicate = 0,
                                      offload = 0;
  // The program is printed before it is tried: a phase that dies takes its
  // memory with it, so it is made again from the seed.
  auto makeText = [&](uint64_t seed) {
    return runInChild(seconds,
                      [&] {
                        MLIRContext context(compilerDialects(),
                                            MLIRContext::Threading::DISABLED);
                        return printModule(*generate(context, seed));
                      })
        .output;
  };
  auto task = [&](int64_t i) {
    MLIRContext context(compilerDialects(), MLIRContext::Threading::DISABLED);
    OwningOpRef<ModuleOp> module = generate(context, first + i);
    return serialize(tryPhases(*module, first + i, trial), "");
  };
  auto done = [&](int64_t i, ChildOutcome outcome) {
    std::string none;
    Verdict verdict = deserialize(outcome, none);
    ++verdicts[verdict.kind];
    communicate += verdict.collectives > 0;
    offload += verdict.offloads > 0;
    if (verdict.kind == Verdict::Unsupported)
      llvm::outs() << "seed " << first + i << " "
                   << llvm::StringRef(verdict.describe()).rtrim() << "\n";
    if (!verdict.isFailure())
      return true;
    report(first + i, makeText(first + i), verdict);
    return ++failures < maximalFailures;
  };
  runInChildren(count, jobs, seconds, task, done);
  llvm::outs() << "seed " << first << ": " << verdicts[Verdict::Agrees]
               << " programs agree (" << communicate << " communicate, "
               << offload << " copy to the host), "
               << verdicts[Verdict::Unsupported] << " are not supported, "
               << failures << " fail\n";
  return failures ? 3 : 0;
}

/// Tries the program in a file, as often as is asked for; the exit status.
static int tryFile(uint64_t seed) {
  std::string program;
  {
    MLIRContext context(compilerDialects(), MLIRContext::Threading::DISABLED);
    OwningOpRef<ModuleOp> module = generate(context, seed);
    if (!module)
      return 1;
    program = printModule(*module);
  }
  if (count.getNumOccurrences())
    return fuzzPrograms(seed);
  Verdict verdict = tryInChild(program, seed, trial);
  llvm::outs() << programFile << " " << verdict.describe() << "\n";
  return verdict.kind == Verdict::Agrees    ? 0
         : verdict.kind == Verdict::Differs ? 3
                                            : 1;
}

/// Ends with 0 if no trial failed, 1 if one did or a flag is wrong.
int main(int argc, char **argv) {
  llvm::InitLLVM initialise(argc, argv);
  watchStandardStreams("tessera-fuzz");
  llvm::setBugReportMsg("");
  cl::HideUnrelatedOptions(options);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "tessera-fuzz " << tessera::kVersion << '\n';
  });
  cl::ParseCommandLineOptions(argc, argv,
                              "Random programs through every phase\n");
  uint64_t seed = programFile.empty() ? std::random_device()() : 0;
  if (!seedText.empty() && llvm::StringRef(seedText).getAsInteger(10, seed)) {
    llvm::WithColor::error()
        << "--seed: expected a number, got '" << seedText << "'\n";
    return 1;
  }
  if (!parseExecution(trial.execution)) {
    llvm::WithColor::error()
        << "--execute: expected a number from 0 to 100, sm_80 or sm_90a, got '"
        << execute << "'\n";
    return 1;
  }
  trial.seconds = seconds;
  if (!toleranceText.empty()) {
    Fallible<Tolerance> tolerance = parseTolerance(toleranceText);
    if (!tolerance) {
      llvm::WithColor::error()
          << "--tolerance: " << tolerance.message() << "\n";
      return 1;
    }
    trial.tolerance = *tolerance;
  }
  if (!programFile.empty())
    return tryFile(seed);
  if (!printOnly)
    return fuzzPrograms(seed);
  for (int64_t i = 0; i < count; ++i) {
    MLIRContext context(compilerDialects());
    llvm::outs() << "// seed " << seed + i << "\n"
                 << printModule(*generate(context, seed + i)) << "\n";
  }
  return 0;
}
