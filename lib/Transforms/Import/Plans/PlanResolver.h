//===- PlanResolver.h - a rule becomes a sharding ---------------*- C++ -*-===//
//
// What a rule asks for (a spec, a style, placements, fsdp) is, for one tensor
// on one mesh, a list of axes per dimension. Styles need to know what the model
// does with the tensor (ParameterUses.h); all else follows from the shape.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_PLANS_PLANRESOLVER_H
#define TESSERA_TRANSFORMS_IMPORT_PLANS_PLANRESOLVER_H

#include "ParameterRoles.h"

#include "tessera/Sharding/Algebra/TensorSharding.h"

#include "mlir/IR/Diagnostics.h"

namespace tessera::importer {

/// Makes shardings of what rules of one plan ask for.
class PlanResolver {
public:
  /// `mesh` is the model's.
  PlanResolver(const ShardingPlan &plan, const Mesh &mesh,
               mlir::MLIRContext &context)
      : plan(plan), mesh(mesh), context(context) {}

  /// The sharding that `rule` asks for `tensor`, whose first use (or whose
  /// parameter's) is `use`; null for a result. Wrong requests are reported at
  /// their places; what does not divide is warned of.
  mlir::FailureOr<TensorSharding> resolve(const PlanRule &rule,
                                          const PlannedTensor &tensor,
                                          const ParameterUse *use) const;
  /// The sharding of a spec that is not a rule's, for a tensor of `shape`
  /// called `name`.
  mlir::FailureOr<TensorSharding> resolveSpec(llvm::ArrayRef<PlanDim> spec,
                                              PlanPlace place,
                                              llvm::ArrayRef<int64_t> shape,
                                              llvm::StringRef name) const;
  /// Splits the largest dimension of `tensor` that divides over the axes of
  /// `fsdp`, too.
  mlir::LogicalResult addFsdp(const PlanFsdp &fsdp, const PlannedTensor &tensor,
                              const ParameterUse *use,
                              TensorSharding &sharding) const;

  /// The place in the plan file.
  mlir::Location locationOf(PlanPlace place) const;

private:
  mlir::InFlightDiagnostic error(PlanPlace place) const {
    return mlir::emitError(locationOf(place));
  }
  mlir::FailureOr<AxisList> meshAxes(llvm::ArrayRef<PlanName> names) const;
  mlir::FailureOr<AxisList> pickAxes(llvm::ArrayRef<PlanName> names,
                                     const AxisList &used) const;
  mlir::LogicalResult expectFree(const AxisRef &axis, const AxisList &used,
                                 PlanPlace place) const;
  mlir::LogicalResult split(TensorSharding &sharding, int64_t dim,
                            llvm::ArrayRef<AxisRef> axes,
                            PlanPlace place) const;
  void warnOfUneven(const TensorSharding &sharding,
                    llvm::ArrayRef<int64_t> shape, llvm::StringRef name,
                    PlanPlace place) const;
  mlir::FailureOr<TensorSharding> resolveStyle(const PlanRule &rule,
                                               const PlannedTensor &tensor,
                                               const ParameterUse *use) const;
  mlir::FailureOr<int64_t> styledDim(const PlanRule &rule,
                                     const PlannedTensor &tensor,
                                     const ParameterUse *use,
                                     int64_t shards) const;
  mlir::FailureOr<TensorSharding>
  resolvePlacements(const PlanRule &rule, const PlannedTensor &tensor) const;

  const ShardingPlan &plan;
  const Mesh &mesh;
  mlir::MLIRContext &context;
};

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_PLANS_PLANRESOLVER_H
