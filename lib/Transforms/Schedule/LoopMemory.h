//===- LoopMemory.h - where loops and branches keep values ----------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_LOOPMEMORY_H
#define TESSERA_TRANSFORMS_SCHEDULE_LOOPMEMORY_H

#include "mlir/IR/Value.h"

namespace tessera::schedule {

/// The value in whose memory `argument`, of a region of a loop, lies: the
/// loop's result in its place. What `scf.while` carries need not have the types
/// of what it passes on; where there is no result of the argument's type in its
/// place, the argument has memory of its own, and is the value.
mlir::Value holderOf(mlir::BlockArgument argument);

/// The value in whose memory a loop takes over `handed`, one of its initial
/// values, or a loop or branch an operand of a terminator of its regions; null
/// for an operand that it does not carry (bounds, conditions), or of another
/// operation.
mlir::Value takerOf(mlir::OpOperand &handed);

/// The argument of `region`, of a loop, that lies where `taker` does; null if
/// there is none.
mlir::Value argumentAt(mlir::Region &region, mlir::Value taker);

/// The value that is made, at the end of the block, in the memory of
/// `argument`: what it is donated to, or what the loop hands to itself in its
/// place; null if there is none.
mlir::Value successorOf(mlir::BlockArgument argument);

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_LOOPMEMORY_H
