//===- Explain.h - why the program communicates ---------------------------===//
#ifndef TESSERA_DRIVER_EXPLAIN_EXPLAIN_H
#define TESSERA_DRIVER_EXPLAIN_EXPLAIN_H

#include "tessera/Dialect/Spmd/WorkCosts.h"
#include "tessera/Dialect/Tessera/Provenance.h"
#include "tessera/Support/Collective.h"
#include "tessera/Transforms/Stage/Costs/RankLinks.h"

#include "mlir/Pass/PassManager.h"

namespace tessera {

/// A collective of a program between `partition` and `schedule`, or a message
/// to another pipeline rank.
struct Collective {
  /// The name of the operation without its dialect.
  std::string kind;
  /// None for a message.
  AxesAttr axes;
  /// The larger of operand and result.
  mlir::Type type;
  /// How often it runs in one step, on all pipeline ranks together.
  int64_t times = 1;
  /// What one device of each pipeline rank sends, and how long that takes by
  /// the description of the machine, in one step.
  int64_t bytes = 0;
  double seconds = 0;
  mlir::Location loc;

  /// Whether it is a message to another pipeline rank.
  bool isMessage() const { return kind == "send"; }
};

/// The seconds that a collective over `axes` of `mesh` keeps its links busy
/// that runs `times` times in one step, and in which a device sends `bytes` in
/// all, on the machine of `device`.
double collectiveSeconds(CollectiveKind kind, AxesAttr axes, MeshOp mesh,
                         spmd::DeviceSeconds &device, int64_t times,
                         int64_t bytes);

/// The same for messages from pipeline rank `source` to `target`.
double messageSeconds(const stage::RankLinks &ranks, int64_t source,
                      int64_t target, int64_t times, int64_t bytes);

/// The collectives and messages of `module` in the order of the text.
std::vector<Collective> findCollectives(mlir::ModuleOp module);

/// Collectives that differ only in the number of the layer they are in: alike
/// in kind, axes, type and reason.
struct CollectiveGroup {
  std::vector<Collective> members;
  /// `describeWhy` of the first member, with `*` for the numbers in the names
  /// of annotations if there are several members.
  llvm::SmallVector<std::string> why;
  /// The smallest change that makes them all disappear and the program send
  /// less by a tenth of what they send and a hundredth of all, and what it then
  /// sends; empty if none was found or looked for.
  std::string remedy;
  /// If there is none: the best change that makes them all disappear, but only
  /// puts others in their place.
  std::string exchange;
  /// Whether one was looked for.
  bool isSearched = false;
  /// Whether some changes were not tried, since too many had been tried before.
  bool isCut = false;

  const Collective &front() const { return members.front(); }
  int64_t bytes() const;
  /// How many there are in one step.
  int64_t count() const;
  double seconds() const;
};

/// Groups `collectives`, those that send most first.
std::vector<CollectiveGroup>
groupCollectives(llvm::ArrayRef<Collective> collectives);

/// Fills in the remedies of `groups` by trying them: `imported` is the program
/// before `shard`, of which copies with one annotation more, less or another go
/// again through the phases that `addPhases` adds, from `shard` to `partition`.
/// Only changes of annotations that the collectives were traced to, and of the
/// arguments and results they move, are tried: one by one or, where several say
/// the same, together; if none of these will do, the removal of a few of them
/// and of those that the collectives are traced to without them. `terminal`
/// is shown how far trials are; null for none.
void findRemedies(std::vector<CollectiveGroup> &groups, mlir::ModuleOp imported,
                  llvm::function_ref<void(mlir::OpPassManager &)> addPhases,
                  llvm::raw_ostream *terminal);

/// The remedies that were found, by the kind of a collective and its
/// provenance.
using RemedyTable =
    llvm::DenseMap<std::pair<mlir::StringAttr, ProvenanceAttr>, std::string>;
RemedyTable tabulateRemedies(llvm::ArrayRef<CollectiveGroup> groups);

/// Prints a table of the bytes by kind and axes, and each group.
void printExplanation(mlir::ModuleOp module,
                      llvm::ArrayRef<CollectiveGroup> groups,
                      llvm::raw_ostream &os);

/// Prints why the values that `what` names (`%3`, as `module` prints, the name
/// of an argument or result, or part of a location) are sharded as they are.
/// `module` is as `shard` leaves it, with the provenance of all values. A
/// diagnostic where `what` names nothing.
llvm::LogicalResult explainValue(mlir::ModuleOp module, llvm::StringRef what,
                                 llvm::raw_ostream &os);

} // namespace tessera

#endif // TESSERA_DRIVER_EXPLAIN_EXPLAIN_H
