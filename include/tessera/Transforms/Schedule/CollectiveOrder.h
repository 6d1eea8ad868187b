//===- CollectiveOrder.h - that no order of collectives can deadlock ------===//
//
// A device that waits in a collective, or for one, waits until all others of
// its group have come to it. All devices of a pipeline rank run one program. So
// if whatever decides whether, or how often, a call runs is the same on all
// devices of the call's group, then all of them come to it, behind the same
// calls: the order of the text, with the iterations of loops, is one order for
// everybody. Of all calls that somebody waits in, the first in this order is
// one that all others of its group have still to come to or wait in, too; they
// do not wait in an earlier one, so they come. Thus nobody waits for ever.
//
// Several calls may be started before one is awaited. Devices carry them out in
// the order of their starts, or by themselves where nothing is shared, and as
// that order is one for all members of all groups, two groups that share
// devices cannot each wait for what the other one holds.
//
// Pipeline ranks run programs of their own, and collectives never span them.
// They wait for messages of each other, and one run of them side by side shows
// that all arrive (CheckMessages.h).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_COLLECTIVEORDER_H
#define TESSERA_TRANSFORMS_SCHEDULE_COLLECTIVEORDER_H

#include "tessera/Dialect/Spmd/Combined.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera::schedule {

/// What two groups of devices have in common.
enum class SharedDevices {
  /// They are the same devices.
  All,
  /// A device of both is the only one.
  One,
  /// More than one, but not all, or it is not known.
  Several,
};

/// What the proof has met.
struct CollectiveOrder {
  /// Something that decides whether, or how often, calls run.
  struct Condition {
    mlir::Operation *op;
    /// The groups of the calls in its regions, each once.
    llvm::SmallVector<AxesAttr, 1> groups;
    /// Whether devices of a group may go different ways, where they meet calls
    /// that are alike.
    bool mayDiffer = false;
  };
  /// Two calls, of which the second is started before the first is awaited.
  struct Overlap {
    AxesAttr first, second;
    SharedDevices shared;
    /// How many such pairs there are in the text.
    int64_t pairs = 0;
  };

  /// The calls in the text: the first start of each.
  llvm::SmallVector<spmd::StartOp> calls;
  llvm::SmallVector<Condition> conditions;
  llvm::SmallVector<Overlap> overlaps;
  /// How many are under way at once at most.
  int64_t mostUnderWay = 0;
  /// The pipeline ranks, and the messages between them.
  int64_t ranks = 1, messages = 0;

  /// Proves that the collectives and messages of `module`, which the phase
  /// `schedule` leaves, cannot deadlock; a diagnostic where they may, or where
  /// that cannot be told. Linear in the operations, but that it looks for
  /// values that differ between devices where calls stand under conditions.
  static mlir::FailureOr<CollectiveOrder> prove(mlir::ModuleOp module);
};

/// What the groups along `first` and `second` share.
SharedDevices sharedDevices(mlir::ModuleOp module, AxesAttr first,
                            AxesAttr second);

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_COLLECTIVEORDER_H
