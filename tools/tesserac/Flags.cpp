//===- Flags.cpp - the compiler's flags -----------------------------------===//

#include "Flags.h"

#include "tessera/Cluster/Cluster.h"
#include "tessera/Codegen/NVPTX/GpuTarget.h"
#include "tessera/Codegen/NVPTX/Passes.h"
#include "tessera/Driver/Inspect.h"
#include "tessera/Driver/PassFlags.h"
#include "tessera/Driver/Registration.h"
#include "tessera/Support/MachineDescription.h"
#include "tessera/Support/NearestName.h"
#include "tessera/Support/Quantities.h"
#include "tessera/Support/ShippedMachines.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>
#include <mutex>

namespace cl = llvm::cl;
using namespace tessera;

static cl::OptionCategory
    programs("Programs", "tesserac gpt.mlir --mesh=data=2,model=4 -o gpt.tsx");
static cl::OptionCategory
    pipelining("Stages and microbatches",
               "tesserac gpt.mlir --stages=4 --microbatches=8 --schedule=auto\n"
               "  tesserac gpt.mlir --microbatches=8");
static cl::OptionCategory
    mathematics("What changes the mathematics",
                "tesserac gpt.mlir --mesh=data=8 "
                "--quantize-collectives=gather:int8,sum:int8@data");
static cl::OptionCategory
    phases("Phases",
           "tesserac gpt.mlir --compile-to=partition -o - | less\n"
           "  tesserac 3-partition.mlir --compile-from=partition -o gpt.tsx");
static cl::OptionCategory
    looking("Looking", "tesserac gpt.mlir --check-phases --timing -o gpt.tsx\n"
                       "  tesserac gpt.mlir --explain\n"
                       "  tesserac gpt.mlir --explain=order\n"
                       "  tesserac --inspect gpt.tsx");

static cl::OptionCategory passes(
    "Between passes",
    "tesserac gpt.mlir --mlir-print-ir-after-all --mlir-print-ir-tree-dir=ir\n"
    "  tesserac gpt.mlir --mlir-print-ir-after=tessera-insert-reshards\n"
    "  tesserac gpt.mlir --debug-only=tessera-insert-reshards");

/// Lives as long as the flag that it describes.
static const std::string clusterHelp = [] {
  std::string text =
      "The machine: links, memory, compute (docs/cluster.md), or "
      "the name of one that ships, h100x8x4 for four nodes:";
  for (const ShippedMachine &machine : shippedMachines())
    text += " " + machine.name;
  return text;
}();

static cl::list<std::string> inputs(cl::Positional, cl::desc("MODEL.mlir..."),
                                    cl::cat(programs));
static cl::opt<std::string>
    entry("entry",
          cl::desc("Of several models, or of a model with several functions, "
                   "compile this one alone, with the shardings that it has "
                   "among the others (docs/entries.md)"),
          cl::value_desc("name"), cl::cat(programs));
static cl::opt<std::string>
    output("o", cl::desc("Where to write (model.tsx by default, - is stdout)"),
           cl::value_desc("file"), cl::init("model.tsx"), cl::cat(programs));
static cl::opt<std::string>
    mesh("mesh",
         cl::desc("Mesh sizes; axes of the file not named here have size 1"),
         cl::value_desc("axis=size,..."), cl::cat(programs));
static cl::opt<std::string>
    plan("plan",
         cl::desc("How to split a model without annotations: rules by the "
                  "names of parameters (docs/plans.md)"),
         cl::value_desc("file.yaml"), cl::cat(programs));
static cl::list<std::string>
    shapes("shape",
           cl::desc("The shape of an argument whose sizes the model leaves "
                    "open; once for each"),
           cl::value_desc("NAME=8x128"), cl::cat(programs));
static cl::opt<std::string> cluster("cluster", cl::desc(clusterHelp),
                                    cl::value_desc("file.yaml|name"),
                                    cl::cat(programs));
static cl::list<std::string> customCalls(
    "custom-calls",
    cl::desc("A shared object that supplies routines for custom calls "
             "(docs/custom-calls.md)"),
    cl::value_desc("lib.so"), cl::cat(programs));
static cl::opt<std::string>
    target("target",
           cl::desc("What to compile for: cpu, cuda, or one architecture of "
                    "it: cuda:sm_80, cuda:sm_90a"),
           cl::init("cpu"), cl::cat(programs));
static cl::opt<std::string>
    cpu("cpu",
        cl::desc(
            "Instructions that may be used: native, x86-64-v3, x86-64-v4, ...; "
            "by default native, with --target=cuda x86-64"),
        cl::init("native"), cl::cat(programs));
static cl::opt<bool>
    tf32("tf32",
         cl::desc("With --target=cuda: products of f32 may round their "
                  "operands to tf32, 10 bits of mantissa"),
         cl::cat(programs));
static cl::opt<std::string>
    tuning("tuning",
           cl::desc("With --target=cuda: measured choices of kernels, asked "
                    "before those that ship (docs/rationale/gpu-tuning.md)"),
           cl::value_desc("file.json"), cl::cat(programs));
static cl::opt<int64_t>
    stages("stages",
           cl::desc("Cut the model into stages for this many copies of the "
                    "mesh (1 by default)"),
           cl::value_desc("n"), cl::init(1), cl::cat(pipelining));
static cl::opt<int64_t>
    microbatches("microbatches",
                 cl::desc("Cut the batch of a step into this many parts that "
                          "run one after another (1 by default)"),
                 cl::value_desc("m"), cl::init(1), cl::cat(pipelining));
static cl::opt<std::string>
    schedule("schedule",
             cl::desc("With --stages: who runs which stage and microbatch "
                      "when: auto, the name of a published schedule "
                      "(docs/schedules.md), or a CSV file"),
             cl::value_desc("name|file.csv"), cl::init("auto"),
             cl::cat(pipelining));
static cl::list<std::string> quantizedCollectives(
    "quantize-collectives", cl::CommaSeparated,
    cl::desc("Send gathers of parameters (gather:int8) or sums of gradients "
             "(sum:int8, with error feedback) as blocks of bytes where links "
             "are slow, or over these axes (sum:int8@data); changes the "
             "mathematics (docs/changed-mathematics.md)"),
    cl::value_desc("what,..."), cl::cat(mathematics));
static cl::opt<std::string>
    memoryLimit("memory-limit",
                cl::desc("What the program may take on a device, as 80GB or "
                         "512MiB (by default what the described machine has)"),
                cl::value_desc("size"), cl::cat(programs));
static cl::opt<std::string> hostMemory(
    "host-memory",
    cl::desc("What the program may take of the host for a device, to "
             "copy there what does not fit: a size, or 0 for "
             "nothing (by default what the described machine has)"),
    cl::value_desc("size"), cl::cat(programs));
static cl::opt<std::string>
    from("compile-from",
         cl::desc("The input is the IR after this phase: go on from there"),
         cl::value_desc("phase"), cl::cat(phases));
static cl::opt<std::string>
    to("compile-to",
       cl::desc("Stop after this phase and print its IR; read "
                "is what the model is as text, before all phases"),
       cl::value_desc("phase"), cl::init("package"), cl::cat(phases));
static cl::opt<std::string>
    emit("emit",
         cl::desc("With --target=cuda: write this instead of a program: ptx, a "
                  "file for each module (-o FILE.ptx or -o FOLDER/)"),
         cl::value_desc("what"), cl::cat(phases));
static cl::opt<std::string>
    dump("dump-phases",
         cl::desc("Write the IR after each phase into this directory"),
         cl::value_desc("dir"), cl::cat(phases));
static cl::opt<std::string>
    check("check-phases",
          cl::desc("Interpret after every phase on random inputs, compare with "
                   "the import"),
          cl::value_desc("seed"), cl::ValueOptional, cl::cat(looking));
static cl::opt<std::string>
    timing("timing", cl::desc("Time per phase and pass, and peak memory"),
           cl::value_desc("file.json"), cl::ValueOptional, cl::cat(looking));
static cl::opt<std::string> explain(
    "explain",
    cl::desc("Print why each collective is there and what would remove "
             "it; for a value, why it is sharded as it is; for 'order', why "
             "collectives are where they are, and that they cannot "
             "deadlock"),
    cl::value_desc("%value|order"), cl::ValueOptional, cl::cat(looking));
static cl::opt<bool>
    remarks("remarks",
            cl::desc("Remark on every conflict of shardings on stderr"),
            cl::cat(looking));
static cl::opt<std::string>
    report("report",
           cl::desc("Write what was decided: mesh, shardings, memory, "
                    "collectives and why, kernels, times; as a page to look at "
                    "if the file ends in .html"),
           cl::value_desc("file.json"), cl::cat(looking));
static cl::opt<bool>
    inspect("inspect", cl::desc("Print the manifest of a compiled program"),
            cl::cat(looking));
static cl::opt<bool> json("json", cl::desc("With --inspect: as JSON"),
                          cl::cat(looking));

static cl::opt<std::string>
    printedCluster("print-cluster",
                   cl::desc("Print the description of a machine that ships, or "
                            "of the one that holds without --cluster"),
                   cl::value_desc("name"), cl::ValueOptional, cl::cat(looking));
static cl::opt<bool>
    printPhases("print-phases", cl::Hidden,
                cl::desc("Print the table of phases (docs/phases.md)"));

/// Where a wrong command line is reported; null for stderr. Flags are read by
/// one thread at a time.
static llvm::raw_ostream *reports = nullptr;

/// Reports a wrong command line.
static int fail(const llvm::Twine &message) {
  (reports ? *reports : llvm::errs()) << "tesserac: error: " << message << '\n';
  return kWrongRequest;
}

/// Prints the description that `name` asks for, with its comments; without a
/// name, the built-in one. The exit status.
static int printDescription(const std::string &name) {
  if (name.empty())
    return printCluster(Cluster::builtin(), llvm::outs()), kDone;
  Fallible<std::string> text = findMachineText(name);
  if (!text)
    return fail("--print-cluster: " + text.message());
  llvm::outs() << *text;
  return kDone;
}

/// Reports that `name` is no target.
static int failTarget(const std::string &name) {
  std::vector<std::string> names = {"cpu", "cuda"};
  for (const nvptx::GpuTarget &gpu : nvptx::GpuTarget::all())
    names.push_back("cuda:" + std::string(gpu.chip));
  return fail("unknown target '" + name + "', expected one of " +
              llvm::join(names, " ") + didYouMean(name, names));
}

/// The architectures that a target `cuda` or `cuda:ARCHITECTURE` stands for;
/// none for others.
static std::vector<int> parseGpus(llvm::StringRef name) {
  std::vector<int> architectures;
  auto [kind, chip] = name.split(':');
  for (const nvptx::GpuTarget &gpu : nvptx::GpuTarget::all())
    if (name == "cuda" || (kind == "cuda" && chip == gpu.chip))
      architectures.push_back(gpu.arch);
  return architectures;
}

/// Reports that `name` is no phase.
static int failPhase(const std::string &name) {
  std::vector<std::string> names;
  for (const PhaseInfo &info : getPhases())
    names.push_back(info.name.str());
  return fail("unknown phase '" + name + "', expected one of " +
              llvm::join(names, " ") + didYouMean(name, names));
}

/// The names of all phases, each behind a space.
static std::string phaseNames() {
  std::string names;
  for (const PhaseInfo &info : getPhases())
    names += (" " + info.name).str();
  return names;
}

/// What to generate code for. Returns kDone or what `fail` returns, as the
/// functions below do.
static int readTarget(CompileOptions &options) {
  if (target != "cpu") {
    options.gpuArchitectures = parseGpus(target);
    if (options.gpuArchitectures.empty())
      return failTarget(target);
    if (!nvptx::hasGpuCodegen())
      return fail("this tesserac was built without code generation for GPUs: "
                  "expected --target=cpu, got --target=" +
                  target);
  }
  if (options.gpuArchitectures.empty() &&
      (tf32.getNumOccurrences() || tuning.getNumOccurrences()))
    return fail("--tf32 and --tuning are about code for GPUs: expected "
                "--target=cuda, got --target=" +
                target);
  options.cpu = cpu;
  // Machines with GPUs are others than this one, and the host only calls.
  if (!options.gpuArchitectures.empty() && !cpu.getNumOccurrences())
    options.cpu = "x86-64";
  options.tf32 = tf32;
  options.tuningPath = tuning;
  return kDone;
}

/// What a device, and the host beside it, may be asked for.
static int readMemoryLimit(CompileOptions &options) {
  if (hostMemory.getNumOccurrences()) {
    Fallible<int64_t> bytes = hostMemory == "0"
                                  ? Fallible<int64_t>(0)
                                  : parseBytes(hostMemory.getValue());
    if (!bytes)
      return fail("--host-memory: " + bytes.message());
    if (*bytes > 0 && !options.gpuArchitectures.empty())
      return fail("--host-memory: expected a program for the CPU, as those for "
                  "GPUs copy nothing to the host");
    options.hostMemory = *bytes;
  }
  if (!memoryLimit.getNumOccurrences())
    return kDone;
  Fallible<int64_t> bytes = parseBytes(memoryLimit.getValue());
  if (!bytes)
    return fail("--memory-limit: " + bytes.message());
  options.memoryLimit = *bytes;
  return kDone;
}

static int readPipelining(CompileOptions &options) {
  for (const cl::opt<int64_t> *count : {&stages, &microbatches})
    if (count->getNumOccurrences() && *count < 1)
      return fail("expected at least 1 for --" + count->ArgStr + ", got " +
                  llvm::Twine(int64_t(*count)));
  options.stages = stages;
  options.microbatches = microbatches;
  options.schedule = schedule;
  return kDone;
}

/// Where to begin and to end.
static int readPhases(CompileOptions &options) {
  if (from.getNumOccurrences() && !(options.from = parsePhase(from)))
    return failPhase(from);
  options.onlyRead = to == "read";
  if (options.onlyRead && (options.from || !entry.empty() || inputs.size() > 1))
    return fail("--compile-to=read prints one model, without any phase: "
                "expected neither --compile-from nor --entry nor a second "
                "file");
  std::optional<Phase> last = options.onlyRead ? Phase::Import : parsePhase(to);
  if (!last)
    return failPhase(to);
  options.to = *last;
  if (emit.getNumOccurrences()) {
    if (emit != "ptx" || options.gpuArchitectures.empty())
      return fail("expected --emit=ptx with --target=cuda, got --emit=" + emit +
                  " with --target=" + target +
                  (emit == "ptx"
                       ? ""
                       : didYouMean(emit, std::array{std::string("ptx")})));
    if (to.getNumOccurrences() || !report.empty())
      return fail("--emit=ptx stops after the phase codegen: expected neither "
                  "--compile-to nor --report");
    options.to = Phase::Codegen;
    options.emitPtx = true;
  }
  if (options.from && *options.from >= options.to && !options.emitPtx)
    return fail("nothing to do between --compile-from=" + from +
                " and --compile-to=" + to);
  return kDone;
}

/// What to check and to tell on the way.
static int readLooking(CompileOptions &options) {
  options.dumpDirectory = dump;
  options.explain = explain.getNumOccurrences() > 0;
  options.explainOrder = explain == "order";
  if (!options.explainOrder)
    options.explainedValue = explain;
  // Who asks why wants no program, and where nothing else is asked no more
  // phases than know the answer.
  if (options.explain && !output.getNumOccurrences()) {
    options.outputPath.clear();
    bool wantsAll = to.getNumOccurrences() || check.getNumOccurrences() ||
                    !dump.empty() || !report.empty() || stages > 1 ||
                    timing.getNumOccurrences() || options.emitPtx ||
                    memoryLimit.getNumOccurrences();
    if (!wantsAll && (!options.from || *options.from < Phase::Partition))
      options.to = options.explainOrder ? Phase::Schedule : Phase::Partition;
  }
  options.remarks = remarks;
  options.timing = timing.getNumOccurrences() > 0;
  options.timingPath = timing;
  if (check.getNumOccurrences()) {
    uint64_t seed = 0;
    if (!check.empty() && llvm::StringRef(check).getAsInteger(10, seed))
      return fail("expected a number for --check-phases, got '" + check + "'");
    options.checkSeed = seed;
  }
  options.reportPath = report;
  llvm::StringRef reportPath = options.reportPath;
  if (!report.empty() && !reportPath.ends_with(".json") &&
      !reportPath.ends_with(".html"))
    return fail("expected a file that ends in .json or .html for --report, "
                "got '" +
                report + "'");
  if (!report.empty() && options.to != Phase::Package)
    return fail("--report tells of a whole compilation, which --compile-to=" +
                to + " stops");
  return kDone;
}

/// What the flags that have been parsed ask for.
static int readOptions(CompileOptions &options) {
  if (!inputs.empty()) {
    options.inputPath = inputs.front();
    options.furtherPaths.assign(std::next(inputs.begin()), inputs.end());
  }
  options.entryPoint = entry;
  options.outputPath = output;
  options.mesh = mesh;
  options.planPath = plan;
  options.shapes.assign(shapes.begin(), shapes.end());
  options.clusterPath = cluster;
  options.quantizedCollectives.assign(quantizedCollectives.begin(),
                                      quantizedCollectives.end());
  for (const std::string &path : customCalls) {
    std::error_code error;
    options.routineLibraries.push_back(std::filesystem::absolute(path, error));
    if (error)
      return fail("expected --custom-calls=FILE, got '" + path + "'");
  }
  for (auto read :
       {readTarget, readMemoryLimit, readPipelining, readPhases, readLooking})
    if (int status = read(options))
      return status;
  return kDone;
}

std::optional<int> tessera::readCommandLine(int argc, char **argv,
                                            CompileOptions &options) {
  registerPasses(); // Flags name them.
  registerPassFlags(passes);
  cl::HideUnrelatedOptions(
      {&programs, &pipelining, &mathematics, &phases, &looking, &passes});
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << "tesserac " << kVersion << '\n'; });
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles an annotated model for a cluster. Phases:" + phaseNames() +
          "\n");
  if (printPhases)
    return printPhaseTable(llvm::outs()), kDone;
  if (printedCluster.getNumOccurrences())
    return printDescription(printedCluster);
  if (inputs.empty())
    return fail("expected a model file; try tesserac --help");
  if (inspect && inputs.size() > 1)
    return fail("expected one program for --inspect, got '" + inputs[0] +
                "' and '" + inputs[1] + "'");
  if (inspect)
    return inspectProgram(inputs.front(), json);
  if (int status = readOptions(options))
    return status;
  return std::nullopt;
}

/// The flags that say what to compile and how, by name. Others print something
/// and end the process, or hold for all of it.
static llvm::StringMap<cl::Option *> findRequestFlags() {
  llvm::StringMap<cl::Option *> found;
  // NOLINTNEXTLINE(custom-iteration-order): into another map.
  for (auto &[name, flag] : cl::getRegisteredOptions())
    for (cl::OptionCategory *category : flag->Categories)
      if (llvm::is_contained(
              {&programs, &pipelining, &mathematics, &phases, &looking},
              category))
        found[name] = flag;
  for (const cl::Option *flag :
       {static_cast<cl::Option *>(&inspect), static_cast<cl::Option *>(&json),
        static_cast<cl::Option *>(&printedCluster)})
    found.erase(flag->ArgStr);
  found.erase("");
  return found;
}

bool tessera::readFlags(llvm::ArrayRef<const char *> flags,
                        CompileOptions &options, llvm::raw_ostream &os) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  static const llvm::StringMap<cl::Option *> known = findRequestFlags();
  reports = &os;
  for (llvm::StringRef flag : flags) {
    llvm::StringRef name = flag.ltrim('-').split('=').first;
    // A file of flags, which LLVM would read, may hold any.
    if (flag.starts_with("@") ||
        (flag.starts_with("-") && flag != "-" && !known.contains(name)))
      return fail("expected a flag of a compilation, got '" + flag + "'"),
             false;
  }
  inputs.reset(); // They have no name.
  // NOLINTNEXTLINE(custom-iteration-order): each by itself.
  for (auto &entry : known)
    entry.second->reset();
  llvm::SmallVector<const char *> arguments = {"tesserac"};
  llvm::append_range(arguments, flags);
  if (!cl::ParseCommandLineOptions(arguments.size(), arguments.data(), "", &os))
    return false;
  if (readOptions(options) != kDone)
    return false;
  if (!output.getNumOccurrences())
    options.outputPath.clear();
  return true;
}
