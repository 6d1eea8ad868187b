//===- ParameterRoles.h - what the arguments of a step are ------*- C++ -*-===//
#ifndef TESSERA_TRANSFORMS_IMPORT_PLANS_PARAMETERROLES_H
#define TESSERA_TRANSFORMS_IMPORT_PLANS_PARAMETERROLES_H

#include "ParameterUses.h"
#include "ShardingPlan.h"

#include <optional>

namespace tessera::importer {

/// An argument or result of `@main`, as rules see it.
struct PlannedTensor {
  std::string name;
  Path path;
  mlir::RankedTensorType type;
  TensorRole role = TensorRole::Weight;
  /// Its number among arguments or among results.
  unsigned number = 0;
  /// The argument whose state this is; of all others none.
  std::optional<unsigned> parameter;

  bool isResult() const { return role == TensorRole::Result; }
  /// Bytes of the whole tensor.
  int64_t bytes() const;
};

/// The arguments of `function`, then its results, less what is no tensor with
/// elements to split.
///
/// An argument is *state* of another one, its parameter, if the program takes
/// it to no product, and both have the same shape and the same name behind
/// `p` and `opt[0].mu`: what stands in front is common to parameters in the one
/// case and to no parameter in the other. The *batch* is what bears the mark of
/// a batch, or what a step that replaces some arguments does not replace; where
/// it replaces none, integers that stand by themselves. All else are weights.
std::vector<PlannedTensor>
findPlannedTensors(mlir::func::FuncOp function,
                   llvm::ArrayRef<ParameterUse> uses);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_PLANS_PARAMETERROLES_H
