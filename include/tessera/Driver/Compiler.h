//===- Compiler.h - from a model file to a program ------------------------===//
#ifndef TESSERA_DRIVER_COMPILER_H
#define TESSERA_DRIVER_COMPILER_H

#include "tessera/Driver/Phases.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// The version of the compiler, as in reports and manifests.
inline constexpr llvm::StringLiteral kVersion = "0.1.0";

/// What the phase `communicate` may do: whether collectives are quantized that
/// the user wants so, may move to other iterations of loops, parts of a batch
/// run beside each other, products be computed by pieces, collectives become
/// one call, and calls be made for each level of the network.
struct CommunicationWay {
  bool quantize = true, iterate = true, split = true, decompose = true,
       combine = true, levels = true;

  friend bool operator==(const CommunicationWay &,
                         const CommunicationWay &) = default;
};

/// What a user asks of one compilation.
struct CompileOptions {
  /// The model: StableHLO in generic form or portable bytecode, a file of
  /// jax.export, or Tessera; with `from`, the IR after that phase.
  std::string inputPath;
  /// Models that are further entry points of the program.
  std::vector<std::string> furtherPaths;
  /// Of a program with several entry points, the one to compile alone; empty
  /// for all.
  std::string entryPoint;
  /// The function of the model that is @main; empty for that one.
  std::string function;
  /// The entry point as which the program is to be linked with others, so that
  /// its symbols begin with this name; empty for a program of its own.
  std::string linkedAs;
  /// The text of the model, where it is not read from `inputPath`, which only
  /// names it then; it must live as long as the compilation.
  std::optional<llvm::StringRef> inputText;
  /// The program, or the IR after `to`; `-` is standard output, empty writes
  /// none.
  std::string outputPath = "model.tsx";
  /// Where that is put in place of a file, if there is such a place.
  std::string *output = nullptr;
  /// Where diagnostics, times and answers are printed; null for stderr.
  llvm::raw_ostream *messages = nullptr;
  /// Asked before each phase; the compilation ends where it is true.
  std::function<bool()> interrupted;
  /// Mesh sizes that replace those of the file (`data=2,model=4`); empty keeps
  /// the file's.
  std::string mesh;
  /// The plan that says how to split the model (docs/plans.md); empty for the
  /// model's own annotations alone.
  std::string planPath;
  /// Shapes of arguments whose sizes the file leaves open (`x=8x128`).
  std::vector<std::string> shapes;
  /// The description of the machine; empty for the file's, or the built-in one.
  std::string clusterPath;
  /// Shared objects that supply routines, absolute.
  std::vector<std::string> routineLibraries;
  /// The number of pipeline ranks, each a copy of the mesh.
  int64_t stages = 1;
  /// The number of microbatches that a step's batch is cut into.
  int64_t microbatches = 1;
  /// The schedule of stages and microbatches: a name, `auto`, or a CSV file.
  std::string schedule = "auto";
  /// Bytes that the program may take on a device; 0 for what the described
  /// machine has, without limit where none is described.
  int64_t memoryLimit = 0;
  /// Of that, by pipeline rank, what its program leaves for what the phase
  /// `schedule` does not know of; nothing of those behind the last.
  std::vector<int64_t> reservedMemory;
  /// Bytes of the host that the program may copy to for a device, of those that
  /// the described machine has. Programs for GPUs copy nothing.
  int64_t hostMemory = std::numeric_limits<int64_t>::max();
  /// What one collective more costs, in seconds, beside what it sends: an
  /// update is computed in shards only where that saves more.
  double collectiveSeconds = 5e-6;
  /// Which collectives send fewer bits, and so other numbers, than the model
  /// computes (`gather:int8`, `sum:int8@data`).
  std::vector<std::string> quantizedCollectives;
  /// Whether the phase `communicate` moves and takes apart whatever it can, not
  /// only what pays by the described machine: what a test asks for.
  bool ignorePrices = false;
  /// What the phase `communicate` may do: what trials differ in
  /// (`Trials::Communication`).
  CommunicationWay communication = {};
  /// The CPU whose instructions may be used, as LLVM names it; `native` is this
  /// machine's.
  std::string cpu = "native";
  /// The GPUs that kernels are compiled for (80, 90: GpuTarget.h); none for
  /// kernels that run on the CPU.
  std::vector<int> gpuArchitectures;
  /// Whether GPUs may compute products of f32 in tf32.
  bool tf32 = false;
  /// A file of tuning records for GPUs (docs/rationale/gpu-tuning.md), asked
  /// before those that ship; empty for none.
  std::string tuningPath;
  /// The last phase whose result the input already is.
  std::optional<Phase> from;
  /// The last phase to run.
  Phase to = Phase::Package;
  /// Whether to write the model as it was read, as text in generic form, and
  /// run no phase.
  bool onlyRead = false;
  /// Whether to write the PTX of the kernels (PtxFiles.h) in place of the IR
  /// after `codegen`, the last phase.
  bool emitPtx = false;
  /// Where to write the IR after each phase; empty for nowhere.
  std::string dumpDirectory;
  /// Seed of the random inputs on which every phase is compared with the
  /// import; none for no comparison.
  std::optional<uint64_t> checkSeed;
  /// Whether to measure; where to write the times as JSON (empty: a table on
  /// stderr).
  bool timing = false;
  std::string timingPath;
  /// Whether to print why the program communicates; if a value is named, why
  /// that is sharded as it is.
  bool explain = false;
  std::string explainedValue;
  /// Whether that is rather about the finished order of collectives.
  bool explainOrder = false;
  /// Whether to print the remarks that passes make on their decisions.
  bool remarks = false;
  /// Where to write the report of what was decided; empty for nowhere.
  std::string reportPath;
};

/// Exit statuses that all tools share.
enum ExitStatus {
  kDone = 0,
  kWrongRequest = 1,
  kValuesDiffer = 3,
  kRunFailed = 4,
};

/// Compiles as asked. Every failure has been reported among the messages, with
/// a location, when this returns. Several threads may compile at the same time.
ExitStatus compile(const CompileOptions &options);

} // namespace tessera

#endif // TESSERA_DRIVER_COMPILER_H
