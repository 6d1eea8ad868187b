//===- tessera-interpret.cpp - the reference interpreters -----------------===//

#include "Results.h"
#include "StepInputs.h"

#include "tessera/Dialect/Tessera/LibraryCalls.h"
#include "tessera/Driver/Compiler.h"
#include "tessera/Driver/Registration.h"
#include "tessera/Support/FileStream.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace tessera;
namespace cl = llvm::cl;

static cl::OptionCategory
    inputOptions("Inputs",
                 "  tessera-interpret mlp.mlir --inputs=batch.safetensors\n"
                 "  tessera-interpret mlp.mlir --random=7");
static cl::OptionCategory
    outputOptions("Results (printed where nothing else is asked)",
                  "  tessera-interpret 3-partition.mlir --random --count\n"
                  "  tessera-interpret mlp.mlir --inputs=a.safetensors "
                  "--expect=b.safetensors --tolerance=1e-5");

static cl::opt<std::string> program(cl::Positional, cl::init("-"),
                                    cl::desc("FILE.mlir"));
static cl::list<std::string>
    customCalls("custom-calls", cl::cat(inputOptions), cl::value_desc("lib.so"),
                cl::desc("the absolute path of a shared object with routines "
                         "that the program names"));
static cl::opt<std::string>
    inputFile("inputs", cl::cat(inputOptions), cl::value_desc("FILE"),
              cl::desc("global tensors: .safetensors, .npy or a folder"));
static cl::opt<std::string> randomSeed("random", cl::cat(inputOptions),
                                       cl::value_desc("SEED"),
                                       cl::ValueOptional,
                                       cl::desc("random inputs (seed 0)"));
static cl::opt<std::string>
    batchFile("batches", cl::cat(inputOptions), cl::value_desc("FILE"),
              cl::desc("tensors with one more leading dimension, of which each "
                       "step takes one slice (cyclic)"));
static cl::opt<int64_t>
    steps("steps", cl::cat(inputOptions), cl::init(1), cl::value_desc("N"),
          cl::desc("run N times; results feed the arguments donated to them"));
static cl::opt<std::string> outputFile("outputs", cl::cat(outputOptions),
                                       cl::value_desc("FILE"),
                                       cl::desc("write the global results"));
static cl::opt<std::string> expectFile("expect", cl::cat(outputOptions),
                                       cl::value_desc("FILE"),
                                       cl::desc("compare the results"));
static cl::opt<std::string>
    toleranceText("tolerance", cl::cat(outputOptions),
                  cl::value_desc("RTOL[,ATOL]"), cl::init("1e-5"),
                  cl::desc("error allowed by --expect, relative to each "
                           "result's largest magnitude, and absolute"));
static cl::opt<bool> count("count", cl::cat(outputOptions),
                           cl::desc("print what a device sends"));

/// The exit status after a diagnostic.
static constexpr int wrongRequest = 1, valuesDiffer = 3;

static int reject(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs()) << message << "\n";
  return wrongRequest;
}

/// The inputs that the command line asks for.
static Fallible<StepInputs> readInputs(const Boundary &boundary) {
  uint64_t seed = 0;
  if (!randomSeed.empty() && llvm::StringRef(randomSeed).getAsInteger(10, seed))
    return Failure{"--random: expected a number, got '" + randomSeed + "'"};
  if (!inputFile.empty() && randomSeed.getNumOccurrences())
    return Failure{"expected --inputs or --random, got both"};
  if (steps < 1)
    return Failure{"--steps: expected at least 1, got " +
                   std::to_string(steps)};
  return StepInputs::read(boundary, inputFile, seed, batchFile);
}

/// Runs all steps; what the last one gave.
static FailureOr<Interpretation>
runSteps(ModuleOp module, const Boundary &boundary, StepInputs &inputs) {
  for (int64_t step = 0;; ++step) {
    FailureOr<Interpretation> run =
        interpretModule(module, inputs.arguments(step));
    if (failed(run))
      return failure();
    if (steps > 1)
      printStep(boundary, run->results, step, steps);
    if (step + 1 == steps)
      return run;
    inputs.feed(boundary, run->results);
  }
}

/// Does what the command line asks for with the results; the exit status.
static int useResults(const Boundary &boundary, const Interpretation &run,
                      const Tolerance &tolerance) {
  if (count)
    printCommunication(run.collectives);
  if (!outputFile.empty())
    if (auto done = writeResults(boundary, run.results, outputFile); !done)
      return reject(done.message());
  if (!expectFile.empty()) {
    auto agree = compareResults(boundary, run.results, expectFile, tolerance);
    if (!agree)
      return reject(agree.message());
    return *agree ? 0 : valuesDiffer;
  }
  if (outputFile.empty() && !count && steps == 1)
    printResults(boundary, run.results);
  return 0;
}

/// Ends with 0, with 1 if the request is wrong or the program fails, or with 3
/// if results differ from those expected.
int main(int argc, char **argv) {
  llvm::InitLLVM initialise(argc, argv);
  watchStandardStreams("tessera-interpret");
  cl::HideUnrelatedOptions({&inputOptions, &outputOptions});
  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "tessera-interpret " << tessera::kVersion << '\n';
  });
  cl::ParseCommandLineOptions(argc, argv,
                              "Runs Tessera IR of any phase up to schedule\n");
  auto tolerance = parseTolerance(toleranceText);
  if (!tolerance)
    return reject("--tolerance: " + tolerance.message());

  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  for (const std::string &path : customCalls)
    allowRoutineLibrary(context, path);
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler handler(*sources, &context);
  auto module = parseSourceFile<ModuleOp>(program, sources, &context);
  if (!module)
    return wrongRequest;
  FailureOr<Boundary> boundary = Boundary::of(*module);
  if (failed(boundary))
    return wrongRequest;
  auto inputs = readInputs(*boundary);
  if (!inputs)
    return reject(inputs.message());
  FailureOr<Interpretation> run = runSteps(*module, *boundary, *inputs);
  if (failed(run))
    return wrongRequest;
  return useResults(*boundary, *run, *tolerance);
}
