//===- VaryingValues.h - which values differ between devices --------------===//
//
// Elsewhere: divergence or uniformity analysis. A device's position, its parts
// of what is split, and what is computed of these differ along axes of the
// mesh; what a sum, a gather or a broadcast gives is the same along its group.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_COLLECTIVEORDER_VARYINGVALUES_H
#define TESSERA_TRANSFORMS_SCHEDULE_COLLECTIVEORDER_VARYINGVALUES_H

#include "tessera/Dialect/Spmd/Spmd.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace tessera::schedule {

/// Axes of meshes, and parts of axes, along which something may differ. Those
/// of one mesh do not overlap, and stand in the order of their names.
class VaryingAxes {
public:
  bool empty() const { return axes.empty(); }
  /// Counts `added` of the mesh `mesh` of `module` as well; whether anything
  /// changed.
  bool add(mlir::ModuleOp module, mlir::FlatSymbolRefAttr mesh,
           llvm::ArrayRef<AxisRef> added);
  bool add(mlir::ModuleOp module, const VaryingAxes &other);
  /// What is left of it along the group of `group`.
  void remove(mlir::ModuleOp module, AxesAttr group);
  /// Those along which devices of one group of `group` may differ. Of another
  /// mesh all do, as its axes may number the same devices.
  AxisList within(mlir::ModuleOp module, AxesAttr group) const;

private:
  std::map<llvm::StringRef, AxisList> axes;
};

/// The axes along which the values of a module may differ, which `partition`
/// has left or a later phase. Takes passes over the module until nothing
/// changes: one more than loops are nested, as a rule.
class VaryingValues {
public:
  /// `module` outlives this and stays what it is.
  explicit VaryingValues(mlir::ModuleOp module);

  VaryingAxes of(mlir::Value value) const { return known.lookup(value); }
  /// Of what `value` follows from, the first of which something differs within
  /// `group` while nothing before it does.
  mlir::Value sourceOf(mlir::Value value, AxesAttr group) const;

private:
  void join(mlir::Value value, const VaryingAxes &axes);
  void joinAll(mlir::ValueRange values, const VaryingAxes &axes);
  void carry(mlir::ValueRange from, mlir::ValueRange to);
  VaryingAxes unionOf(mlir::ValueRange values) const;
  void enter(mlir::Operation *function);
  void visit(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitCollective(spmd::CollectiveOpInterface op);
  void visitBody(mlir::Operation *op);
  bool visitControlFlow(mlir::Operation *op);
  bool visitMessage(mlir::Operation *op);
  void visitCall(mlir::Operation *op);

  mlir::ModuleOp module;
  llvm::DenseMap<mlir::Value, VaryingAxes> known;
  /// What is sent, by sender, receiver and tag.
  std::map<std::tuple<int64_t, int64_t, int64_t>, VaryingAxes> sent;
  bool hasChanged = false;
};

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_COLLECTIVEORDER_VARYINGVALUES_H
