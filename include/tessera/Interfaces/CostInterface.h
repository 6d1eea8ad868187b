//===- CostInterface.h - what an operation costs, and what kind it is -----===//
#ifndef TESSERA_INTERFACES_COSTINTERFACE_H
#define TESSERA_INTERFACES_COSTINTERFACE_H

#include "mlir/IR/OpDefinition.h"

#include <optional>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tessera {

/// What kind of work an operation is: arithmetic decides how long products
/// take, memory how long all others do but for some structured ones.
enum class WorkKind {
  None,          ///< hands values on, or ends a block
  Constant,      ///< makes values of nothing: constants, counters
  Movement,      ///< puts elements elsewhere, and computes nothing
  Elementwise,   ///< computes elements from those at the same place
  Reduction,     ///< combines elements by a named monoid
  Product,       ///< contracts two tensors
  Structured,    ///< has a loop of its own, and is alone in its kernel
  Library,       ///< calls a routine, which finds its operands in memory
  Communication, ///< moves data between devices
  ControlFlow,   ///< runs its regions
};

/// How hardware computes an element: by an instruction, by a slow one
/// (quotients and remainders; square roots), or by a polynomial or a call.
enum class ElementWork { Simple, Quotient, Root, Function };

/// How much of its first operand an operation touches: all of it, or as much as
/// `OperationCost::part`, which it reads, replaces in place, or combines with
/// what stands there.
enum class TouchedPart { All, Read, Replaced, Combined };

/// What an operation costs on its present types. Nothing here is measured.
struct OperationCost {
  WorkKind kind = WorkKind::Movement;
  /// Of `Elementwise`.
  ElementWork element = ElementWork::Simple;
  /// Floating-point operations per point.
  int64_t operations = 0;
  /// The points; without, the elements of `part`, and without that those of the
  /// iteration space (`iterationPoints`).
  std::optional<int64_t> points;
  /// Whether repeating it takes as long as what fusion cannot make disappear in
  /// other kernels: contractions, sorts, loops, and whatever communicates.
  bool isHeavy = false;
  TouchedPart touched = TouchedPart::All;
  /// The value as large as what is touched, unless that is all.
  mlir::Value part;

  /// Whether computing one element costs more than reading it from memory.
  bool isExpensive() const {
    return kind == WorkKind::Elementwise && element != ElementWork::Simple;
  }
};

/// The cost of an element-wise operation.
OperationCost getElementwiseCost(ElementWork work);

/// What `op` costs: what its interface says; else what its traits say.
OperationCost getOperationCost(mlir::Operation *op);

/// The floating-point operations of `op` on its present types, without those in
/// its regions.
double countArithmetic(mlir::Operation *op);

/// Gives the operations of `arith` and `math` that are not simple, or are, what
/// they cost.
void registerElementwiseCosts(mlir::DialectRegistry &registry);

} // namespace tessera

#include "tessera/Interfaces/CostInterface.h.inc"

#endif // TESSERA_INTERFACES_COSTINTERFACE_H
