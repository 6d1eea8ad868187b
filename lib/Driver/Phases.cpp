//===- Phases.cpp - the order of events in the compiler -------------------===//
//
// The table of contents of the compiler. Each phase's passes stand in its own
// folder under lib/Transforms (or lib/Codegen, lib/Package); why a pass stands
// where it does is said where the phase is built.
//
//===----------------------------------------------------------------------===//

#include "tessera/Driver/Phases.h"

#include "tessera/Codegen/Passes.h"
#include "tessera/Driver/Compiler.h"
#include "tessera/Transforms/Communicate/Passes.h"
#include "tessera/Transforms/Fuse/Passes.h"
#include "tessera/Transforms/Import/Passes.h"
#include "tessera/Transforms/Partition/Passes.h"
#include "tessera/Transforms/Schedule/Passes.h"
#include "tessera/Transforms/Shard/Passes.h"
#include "tessera/Transforms/Stage/Passes.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;

static const PhaseInfo kPhases[] = {
    // First, so that everything behind it knows one set of operations.
    {Phase::Import, "import",
     "StableHLO or hand-written Tessera becomes canonical Tessera",
     "`tessera`, `arith` and `math` on whole tensors", true,
     [](OpPassManager &manager, const CompileOptions &options) {
       importer::buildImportPhase(manager, {.shapes = options.shapes,
                                            .plan = options.planPath,
                                            .mesh = options.mesh});
     }},
    // On whole tensors: where data must move is still one operation,
    // `tessera.reshard`, whatever it will cost.
    {Phase::Shard, "shard",
     "a sharding for every value, a reshard wherever producer and consumer "
     "disagree",
     "the same, fully annotated", true,
     [](OpPassManager &manager, const CompileOptions &options) {
       shard::buildShardPhase(manager,
                              {.microbatches = options.microbatches,
                               .isStaged = options.stages > 1,
                               .explainValues = !options.explainedValue.empty(),
                               .collectiveSeconds = options.collectiveSeconds});
     }},
    // While tensors are whole: a stage's tensors keep their shardings, and what
    // crosses stages is resharded like everything else.
    {Phase::Stage, "stage",
     "where stages end, what is one task, who runs it when",
     "the same, cut into `pipe.fragment`s", true,
     [](OpPassManager &manager, const CompileOptions &options) {
       stage::buildStagePhase(
           manager, {.stages = options.stages,
                     .schedule = options.schedule,
                     .memoryLimit = options.memoryLimit,
                     .attentionKernels = !options.gpuArchitectures.empty()});
     }},
    // The point of no return from global to local shapes. All shardings must be
    // decided.
    {Phase::Partition, "partition",
     "local shapes; every reshard becomes the cheapest sequence of collectives",
     "`spmd`: one program for every device, on local tensors", true,
     [](OpPassManager &manager, const CompileOptions &options) {
       partition::buildPartitionPhase(
           manager,
           {.isNew = options.stages > 1 || options.from >= Phase::Shard});
     }},
    // What is sent is decided, and by which device; kernels, which must not
    // span a call of collectives, are not formed yet.
    {Phase::Communicate, "communicate", "which collectives are one call",
     "the same, with several collectives in a `spmd.combined`", true,
     [](OpPassManager &manager, const CompileOptions &options) {
       communicate::buildCommunicatePhase(
           manager, {.collectiveSeconds = options.collectiveSeconds,
                     .memoryLimit = options.memoryLimit,
                     .ignorePrices = options.ignorePrices,
                     .quantizedCollectives = options.quantizedCollectives,
                     .isAmongOthers = !options.linkedAs.empty(),
                     .quantize = options.communication.quantize,
                     .iterate = options.communication.iterate,
                     .split = options.communication.split,
                     .decompose = options.communication.decompose,
                     .combine = options.communication.combine,
                     .levels = options.communication.levels});
     }},
    // After communicate, because kernels must not span collectives.
    {Phase::Fuse, "fuse", "which operations form one kernel",
     "`spmd` with all computation in `spmd.kernel`", true,
     [](OpPassManager &manager, const CompileOptions &options) {
       fuse::buildFusePhase(
           manager, {.attentionKernels = !options.gpuArchitectures.empty()});
     }},
    // After fuse: only what passes between kernels needs memory.
    {Phase::Schedule, "schedule",
     "the order of operations, and where every tensor lives",
     "`spmd`, ordered, with arena offsets", true,
     [](OpPassManager &manager, const CompileOptions &options) {
       schedule::buildSchedulePhase(
           manager,
           {.groupKernels = !options.gpuArchitectures.empty(),
            .memoryLimit = options.memoryLimit,
            .reserved = options.reservedMemory,
            .hostMemory =
                options.gpuArchitectures.empty() ? options.hostMemory : 0});
     }},
    {Phase::Codegen, "codegen", "loops, tiles and vectors; the host program",
     "`rt` and the LLVM dialect", false,
     [](OpPassManager &manager, const CompileOptions &options) {
       // A plan that somebody has edited.
       bool isEdited = options.from >= Phase::Schedule;
       codegen::buildCodegenPhase(manager,
                                  {.architectures = options.gpuArchitectures,
                                   .cpu = options.cpu,
                                   .tf32 = options.tf32,
                                   .tuning = options.tuningPath,
                                   .verifyMemoryPlan = isEdited});
     }},
    {Phase::Package, "package", "object code and manifest",
     "one file, `model.tsx`", false, nullptr},
};

/// Where decisions come back: what a phase chose shows its cost later.
static const PhaseLoop kLoops[] = {
    // Within the phase, on copies of the program (ChoosePlacement): a placement
    // is another program, and which is faster is known when its tasks are.
    {Trials::Placements, "`--schedule=auto`",
     "the cut and its tasks, on copies of the program, for each kind of "
     "schedule that may be the fastest",
     "no estimate of what is left beats what there is", Phase::Stage,
     Phase::Stage, 0},
    // On copies of what was imported (findRemedies): an annotation more or less
    // is another program, and what it sends is known when it is partitioned.
    {Trials::Remedies, "`--explain`",
     "one or a few annotations changed, on copies of the imported program",
     "every collective has a remedy, or a bound on operations is reached",
     Phase::Shard, Phase::Partition, 0},
    // On copies of what was partitioned (CommunicationTrials.h): what hides a
    // collective is known when there are kernels in their order.
    {Trials::Communication, "a described machine, without stages",
     "without each part of the phase that changes something, and without any",
     "nothing can be gained, or a bound on operations is reached",
     Phase::Communicate, Phase::Schedule, 0},
    // From a copy of what was sharded (Compilation::fitMemory): stages keep to
    // a limit by what passes between tasks, and what tasks need while they run
    // is known when they are planned.
    {Trials::Memory, "a limit of memory, with stages",
     "less memory for what passes between tasks", "the program fits",
     Phase::Stage, Phase::Codegen, 6},
    // From a copy of what was fused (Compilation::fitSchedule): what is
    // computed
    // again is decided by what values take; gaps between them in the arena show
    // when they are packed, temporaries of kernels when there is code.
    {Trials::Rematerialization, "a limit of memory",
     "less memory for what passes between kernels", "the program fits",
     Phase::Schedule, Phase::Codegen, 10},
};

ArrayRef<PhaseInfo> tessera::getPhases() { return kPhases; }

const PhaseInfo &tessera::getPhaseInfo(Phase phase) {
  return *llvm::find_if(kPhases,
                        [&](auto &info) { return info.phase == phase; });
}

const PhaseLoop &tessera::getPhaseLoop(Trials trials) {
  return *llvm::find_if(kLoops,
                        [&](auto &loop) { return loop.trials == trials; });
}

std::optional<Phase> tessera::parsePhase(StringRef name) {
  for (const PhaseInfo &info : kPhases)
    if (info.name == name)
      return info.phase;
  return std::nullopt;
}

void tessera::printPhaseTable(llvm::raw_ostream &os) {
  os << "# Phases\n\n"
        "`--compile-to=PHASE` stops after a phase and prints its IR, "
        "`--compile-from=PHASE` goes on from such a file,\n"
        "`--dump-phases=DIR` writes all of them.\n\n"
        "| file | phase | what it decides | IR after it | interpreter |\n"
        "|---|---|---|---|---|\n";
  for (const PhaseInfo &info : kPhases) {
    os << "| ";
    if (info.addPasses)
      os << '`' << int(info.phase) << '-' << info.name << ".mlir`";
    os << " | `" << info.name << "` | " << info.decides << " | " << info.leaves
       << " | " << (info.interpretable ? "yes" : "no") << " |\n";
  }
  os << "\nWhat a decision leads to may show only later: then phases run "
        "several times.\n\n"
        "| phases | when | what is tried | until |\n"
        "|---|---|---|---|\n";
  for (const PhaseLoop &loop : kLoops) {
    os << "| `" << getPhaseInfo(loop.first).name << '`';
    if (loop.last != loop.first)
      os << " to `" << getPhaseInfo(loop.last).name << '`';
    os << " | " << loop.when << " | " << loop.tries << " | " << loop.until;
    if (loop.most > 0)
      os << ", or " << loop.most << " trials do not";
    os << " |\n";
  }
}
