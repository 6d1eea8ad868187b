//===- AxisStories.h - how axes came to values ----------------------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_PROVENANCE_AXISSTORIES_H
#define TESSERA_TRANSFORMS_SHARD_PROVENANCE_AXISSTORIES_H

#include "Provenance/ShardingProvenance.h"
#include "Support/RuleCache.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tessera::shard {

/// Tells how axes came to the values of one function: from which annotation,
/// and through which operations.
///
/// Most of it propagation remembers (`FunctionProvenance`): for every value
/// that it saw, how each axis arrived there. What happened later it does not
/// know: operations that were split in another way than it proposed, values
/// that are new, and sums that are left pending, to which no axis was
/// propagated. There an axis is followed upwards in the program:
///
/// - where it splits a dimension, along the factors of rules and the edges of
///   control flow, to the first value that is split as propagation says. The
///   story is then what propagation knows of that value, and the operations
///   passed on the way. This is remembered by value and axis, so that all
///   stories together go each way once;
/// - where it is pending, through what is linear to what left it pending, and
///   from there to the operands that are split over it;
/// - where neither leads to anything propagation knows, through all operands
///   that are split or pending over it. This and the last end after a bounded
///   number of operations, if need be without a story.
///
/// The taker of a value is asked the other way round: how the axis came to the
/// tensors that the value meets there; or, if nothing there has it, who said
/// that it must not.
///
/// Where several annotations agree, one story is told and the others are named:
/// the same of several layers as one, and the result that an argument is
/// donated to with the argument.
///
/// Of several ways from one annotation the shortest is told. Stories are
/// collected until they are taken: those of one movement belong together.
/// Never changes the program, which must not change between two calls but for
/// its locations.
class AxisStories {
public:
  /// `origins` is null where propagation is not remembered: then only stories
  /// that are given (`add`) are told.
  AxisStories(mlir::func::FuncOp function, const FunctionProvenance *origins,
              RuleCache &rules);

  /// Adds how `axis` came to `value`, which is split or pending over it.
  void addProducer(mlir::Value value, AxisName axis);
  /// Adds how `value` came to be a pending sum over `axis`. Returns the value
  /// that it got the sum from: the one first left pending.
  mlir::Value addPendingProducer(mlir::Value value, AxisName axis);
  /// Adds why the taker of `use`, a version of `root`, has its own idea of
  /// `axis`.
  void addConsumer(mlir::OpOperand &use, mlir::Value root, AxisName axis);
  /// Adds how `axis` came to result number `result` of the function.
  void addResult(unsigned result, AxisName axis);
  /// Adds a story, or nothing if it is null.
  void add(OriginAttr story);

  /// The stories added since this was last called, and behind them the other
  /// annotations that would have brought the same axes (`kAsWell`).
  llvm::SmallVector<OriginAttr, 4> take();

private:
  using Slot = FunctionProvenance::Slot;

  /// What `traceDim` knows of a value and axis: the slot whose story it ends
  /// with, if there is one, the next value on the way there, and how many
  /// operations are on that way.
  struct Trace {
    std::optional<Slot> slot;
    mlir::Value next;
    unsigned distance = 0;
  };

  /// What would have brought `axis` as well.
  struct Others {
    const llvm::SmallVector<FunctionProvenance::Alike, 0> *causes;
    AxisName axis;
    llvm::StringRef side;
    bool operator==(const Others &) const = default;
  };

  /// What an argument is called, and that without the numbers of layers.
  struct DonatedArgument {
    std::string name, pattern;
  };

  const FunctionProvenance::Annotation *
  firstUntold(const FunctionProvenance::Alike &alike, const Others &other,
              const llvm::StringSet<> &told, const llvm::StringSet<> &named);
  llvm::StringRef argumentsOf(const FunctionProvenance::Alike &alike);
  std::optional<std::pair<mlir::Value, unsigned>>
  sourceOf(mlir::Value value, unsigned dim, AxisName axis);
  OriginAttr traceDim(mlir::Value value, AxisName axis, llvm::StringRef side);
  OriginAttr describeTrace(mlir::Value value, Trace trace, AxisName axis,
                           llvm::StringRef side);

  // Each of these adds stories and returns whether there were any.
  bool addFromSlot(std::optional<Slot> slot, AxisName axis,
                   llvm::StringRef side);
  bool addFromValue(mlir::Value value, AxisName axis, llvm::StringRef side);
  bool addFromTensors(mlir::Operation *op, mlir::OpOperand *except,
                      AxisName axis, llvm::StringRef side);
  bool addFromProgram(mlir::Value value, AxisName axis, llvm::StringRef side);
  void addFromMaker(mlir::Value value, AxisName axis);
  OriginAttr originOf(Slot slot, AxisName axis, llvm::StringRef side);

  const FunctionProvenance *origins;
  RuleCache &rules;
  llvm::DenseMap<std::pair<mlir::Value, llvm::StringRef>, Trace> traces;
  llvm::SmallVector<OriginAttr, 4> stories;
  /// What else would have brought the axes that stories are told of.
  llvm::SmallVector<Others, 4> others;
  /// The results that arguments are donated to, by what both are called.
  llvm::StringMap<DonatedArgument> argumentOf;
  /// What `argumentsOf` has found.
  llvm::DenseMap<const FunctionProvenance::Alike *, std::string>
      argumentsOfAlike;
};

/// Whether `axes` has `name`, or a part of it.
bool hasAxis(llvm::ArrayRef<AxisRef> axes, AxisName name);

/// The sharding of `value`; null for what is no tensor, or has none.
ShardingAttr tensorShardingOf(mlir::Value value);

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_PROVENANCE_AXISSTORIES_H
