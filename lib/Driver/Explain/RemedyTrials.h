//===- RemedyTrials.h - a program with other annotations ------------------===//
#ifndef TESSERA_DRIVER_EXPLAIN_REMEDYTRIALS_H
#define TESSERA_DRIVER_EXPLAIN_REMEDYTRIALS_H

#include "Explain.h"
#include "tessera/Transforms/Shard/SharedReshardCosts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringMap.h"

namespace tessera {

/// What a `Change` of a constraint begins with; its place follows.
inline constexpr llvm::StringLiteral kConstraint = "constraint at ";

/// One annotation to be changed: to `sharding`, or to nothing.
struct Change {
  /// `result 'y'`, `argument 'p[*]['w1']'` for those of all layers, or
  /// `constraint at model.py:12:3`.
  std::string what;
  ShardingAttr sharding;
  /// Whether the result that the argument is donated to loses its annotation
  /// with it: they are one piece of state.
  bool withResult = false;

  /// Whether both are about the same annotation.
  bool operator==(const Change &other) const {
    return what == other.what && sharding == other.sharding;
  }
};

/// What a user may do.
struct Remedy {
  llvm::SmallVector<Change> changes;

  /// `remove the annotation of argument 'w1'`.
  std::string text() const;
};

/// What makes two collectives the same in two versions of a program: kind, axes
/// and place.
std::string identify(const Collective &collective);

/// The collectives of a program, by `identify`.
struct Outcome {
  explicit Outcome(llvm::ArrayRef<Collective> found);

  /// In all.
  int64_t bytes = 0;
  llvm::StringMap<llvm::SmallVector<Collective>> collectives;
};

/// Tries remedies on copies of the imported program, each only once. What moves
/// cost, which most of a trial's time would go to, is found once for all.
class RemedyTrials {
public:
  RemedyTrials(mlir::ModuleOp imported,
               llvm::function_ref<void(mlir::OpPassManager &)> addPhases,
               llvm::raw_ostream *terminal);

  /// The outcome of `remedy`; null where the program cannot be compiled with
  /// it, or too much has been tried.
  const Outcome *outcomeOf(const Remedy &remedy);

  /// How many remedies were not tried since there had been too many before.
  int64_t getNumRefused() const { return refused; }

  /// The removal of what is said of `what`, an argument or result, and of what
  /// is one with it.
  Change removalOf(llvm::StringRef what) const;

private:
  std::optional<Outcome> attempt(const Remedy &remedy);
  void collectState(mlir::func::FuncOp function);

  mlir::ModuleOp imported;
  llvm::function_ref<void(mlir::OpPassManager &)> addPhases;
  int64_t left, refused = 0;
  /// Is shown how far trials are; may be null.
  llvm::raw_ostream *const terminal;
  std::shared_ptr<shard::KnownReshardCosts> knownCosts =
      std::make_shared<shard::KnownReshardCosts>();
  llvm::StringMap<std::optional<Outcome>> outcomes;
  /// The arguments that are annotated as the results are that they are donated
  /// to, by the names of both, with and without the numbers of layers.
  llvm::StringMap<std::string> stateOf;
};

} // namespace tessera

#endif // TESSERA_DRIVER_EXPLAIN_REMEDYTRIALS_H
