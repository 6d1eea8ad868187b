//===- Phases.h - the order of events in the compiler ---------------------===//
//
// A model passes through named phases; each leaves valid IR that can be
// printed, edited by hand and resumed. This table drives `--compile-from`,
// `--compile-to`, `--dump-phases`, the timing table and docs/phases.md.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DRIVER_PHASES_H
#define TESSERA_DRIVER_PHASES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tessera {

struct CompileOptions;

/// The phases in the order in which they run. The numbers are those of the
/// dumps' file names.
enum class Phase {
  Import = 0,
  Shard = 1,
  Stage = 2,
  Partition = 3,
  Communicate = 4,
  Fuse = 5,
  Schedule = 6,
  Codegen = 7,
  Package = 8,
};

/// What the compiler knows about a phase.
struct PhaseInfo {
  Phase phase;
  /// The name on the command line and in reports.
  llvm::StringLiteral name;
  /// What the phase decides, in half a line.
  llvm::StringLiteral decides;
  /// The IR after it, in half a line.
  llvm::StringLiteral leaves;
  /// Whether the reference interpreter runs the IR after it.
  bool interpretable;
  /// Appends the phase's passes; null for `package`, which writes a file.
  void (*addPasses)(mlir::OpPassManager &manager,
                    const CompileOptions &options);
};

/// What is decided by trying: what follows from it shows only after later
/// passes, so phases run several times.
enum class Trials {
  /// How the stages lie on the ranks: where `--schedule=auto` searches.
  Placements,
  /// What would make a collective of `--explain` disappear.
  Remedies,
  /// Which products are computed by pieces, and which collectives are one call.
  Communication,
  /// What the phase `stage` keeps to, so that the finished program fits.
  Memory,
  /// What the phase `schedule` keeps to for the same reason.
  Rematerialization,
};

/// What the compiler knows about phases that run several times.
struct PhaseLoop {
  Trials trials;
  /// What asks for it.
  llvm::StringLiteral when;
  /// What each trial differs in, in half a line.
  llvm::StringLiteral tries;
  /// When it ends, in half a line.
  llvm::StringLiteral until;
  /// The phases of a trial; where they are one, it tries by itself.
  Phase first, last;
  /// The most trials; 0 where it is not their number that ends them.
  int most;
};

/// All phases in order.
llvm::ArrayRef<PhaseInfo> getPhases();

/// The entry of `phase`.
const PhaseInfo &getPhaseInfo(Phase phase);

/// The phases that are tried for `trials`.
const PhaseLoop &getPhaseLoop(Trials trials);

/// The phase called `name`.
std::optional<Phase> parsePhase(llvm::StringRef name);

/// Prints the tables as a page of the manual.
void printPhaseTable(llvm::raw_ostream &os);

} // namespace tessera

#endif // TESSERA_DRIVER_PHASES_H
