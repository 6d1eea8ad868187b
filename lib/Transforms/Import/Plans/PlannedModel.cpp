//===- PlannedModel.cpp - a plan laid over a model ------------------------===//

#include "PlannedModel.h"
#include "PlanActivations.h"
#include "PlanStages.h"

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Support/NearestName.h"

#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

#define DEBUG_TYPE "tessera-apply-plan"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

PlannedModel::PlannedModel(func::FuncOp function, const ShardingPlan &plan,
                           const Mesh &mesh, FlatSymbolRefAttr meshName)
    : function(function), plan(plan), mesh(mesh), meshName(meshName),
      resolver(plan, mesh, *function.getContext()),
      uses(findParameterUses(function)),
      tensors(findPlannedTensors(function, uses)), rows(tensors.size()),
      matched(plan.rules.size(), 0), applied(plan.rules.size(), 0) {
  for (auto [row, tensor] : llvm::zip_equal(rows, tensors))
    row.tensor = &tensor;
}

/// Whether `rule` is about `tensor`. Results are asked for by their role.
static bool matches(const PlanRule &rule, const PlannedTensor &tensor) {
  ArrayRef<int64_t> shape = tensor.type.getShape();
  if (rule.role ? *rule.role != tensor.role : tensor.isResult())
    return false;
  if ((rule.rank && *rule.rank != int64_t(shape.size())) ||
      tensor.bytes() < rule.minBytes)
    return false;
  if (rule.shape) {
    if (rule.shape->size() != shape.size())
      return false;
    for (auto [asked, size] : llvm::zip_equal(*rule.shape, shape))
      if (asked >= 0 && asked != size)
        return false;
  }
  return rule.match.matches(tensor.path);
}

/// What consumes `tensor`, or the parameter whose state it is; null for a
/// result.
const ParameterUse *PlannedModel::useOf(const PlannedTensor &tensor) const {
  if (tensor.isResult())
    return nullptr;
  return &uses[tensor.parameter.value_or(tensor.number)];
}

/// What the model says of `tensor` itself.
ShardingAttr PlannedModel::annotationOf(const PlannedTensor &tensor) {
  StringRef name = TesseraDialect::kShardingAttr;
  return tensor.isResult()
             ? function.getResultAttrOfType<ShardingAttr>(tensor.number, name)
             : function.getArgAttrOfType<ShardingAttr>(tensor.number, name);
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

LogicalResult PlannedModel::matchRule(PlannedRow &row) {
  bool isFirst = true;
  for (auto [index, rule] : llvm::enumerate(plan.rules)) {
    if (!matches(rule, *row.tensor))
      continue;
    ++matched[index];
    if (!std::exchange(isFirst, false))
      continue;
    ++applied[index];
    FailureOr<TensorSharding> sharding =
        resolver.resolve(rule, *row.tensor, useOf(*row.tensor));
    if (failed(sharding))
      return failure();
    row.sharding = *sharding;
    row.by = "line " + std::to_string(rule.place.line) + ": " + rule.text;
    LDBG() << row.tensor->name << " is " << *sharding << " by " << row.by;
  }
  return success();
}

LogicalResult PlannedModel::matchRules() {
  for (PlannedRow &row : rows) {
    if (ShardingAttr own = annotationOf(*row.tensor)) {
      row.sharding = own.getValue();
      row.by = "the model";
      for (auto [index, rule] : llvm::enumerate(plan.rules))
        matched[index] += matches(rule, *row.tensor);
    } else if (failed(matchRule(row))) {
      return failure();
    }
  }
  return success();
}

/// What becomes of a parameter that no rule matches.
LogicalResult PlannedModel::applyDefault(PlannedRow &row) {
  const PlannedTensor &tensor = *row.tensor;
  if (tensor.role == TensorRole::Batch || tensor.isResult() ||
      tensor.type.getRank() == 0)
    return success();
  switch (plan.otherwise) {
  case PlanDefault::Open:
    return success();
  case PlanDefault::Error:
    return emitError(resolver.locationOf(plan.otherwisePlace))
           << "no rule matches " << tensor.name;
  case PlanDefault::Fsdp:
  case PlanDefault::Replicate:
    break;
  }
  row.sharding = TensorSharding::getReplicated(tensor.type.getRank());
  row.by = plan.otherwise == PlanDefault::Fsdp ? "default: fsdp"
                                               : "default: replicate";
  if (plan.otherwise == PlanDefault::Fsdp)
    return resolver.addFsdp(plan.otherwiseFsdp, tensor, useOf(tensor),
                            *row.sharding);
  return success();
}

LogicalResult PlannedModel::followParameters() {
  for (PlannedRow &row : rows)
    if (!row.sharding && row.tensor->role != TensorRole::State &&
        failed(applyDefault(row)))
      return failure();
  for (PlannedRow &row : rows) {
    if (row.sharding || row.tensor->role != TensorRole::State)
      continue;
    // Arguments come first, each with its row.
    auto parameter = llvm::find_if(rows, [&](const PlannedRow &other) {
      return !other.tensor->isResult() &&
             other.tensor->number == *row.tensor->parameter;
    });
    if (parameter->sharding) {
      row.sharding = parameter->sharding;
      row.by = "as " + parameter->tensor->name;
      row.follows = true;
    } else if (failed(applyDefault(row))) {
      return failure();
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

void PlannedModel::warnOfUnusedRules() {
  for (auto [index, rule] : llvm::enumerate(plan.rules)) {
    if (applied[index])
      continue;
    InFlightDiagnostic warning = emitWarning(resolver.locationOf(rule.place));
    if (matched[index]) {
      warning << "all that '" << rule.match.str()
              << "' matches is decided before this rule";
      continue;
    }
    std::set<std::string> ends;
    size_t size = rule.match.components().size();
    for (const PlannedTensor &tensor : tensors)
      if (size > 0 && tensor.path.size() >= size)
        ends.insert(joinPath(ArrayRef(tensor.path).take_back(size)));
    std::vector<std::string> names(ends.begin(), ends.end());
    warning << "no argument matches '" << rule.match.str() << "'"
            << didYouMean(joinPath(rule.match.components()), names);
  }
}

static std::string percent(double share) {
  return llvm::formatv("{0:P0}", share).str();
}

/// Prints the table, and warns where much is left whole.
void PlannedModel::report() {
  PlannedBytes bytes = countBytes(rows, mesh);
  auto share = [&](int64_t part) {
    return bytes.all ? double(part) / double(bytes.all) : 0;
  };
  Location file = resolver.locationOf({1, 1});
  emitRemark(file) << "a device holds " << percent(share(bytes.onDevice))
                   << " of the bytes of weights and state"
                   << printPlanTable(rows);
  if (share(bytes.whole) <= plan.tolerance)
    return;
  const PlannedRow *largest = nullptr;
  for (const PlannedRow &row : rows)
    if (countBytes(row, mesh).whole > 0 &&
        (!largest || row.tensor->bytes() > largest->tensor->bytes()))
      largest = &row;
  emitWarning(file) << percent(share(bytes.whole))
                    << " of the bytes of weights and state are split by no "
                       "rule, more than the tolerance of "
                    << percent(plan.tolerance) << "; the largest is "
                    << largest->tensor->name;
}

void PlannedModel::annotate() {
  StringRef name = TesseraDialect::kShardingAttr;
  for (const PlannedRow &row : rows) {
    const PlannedTensor &tensor = *row.tensor;
    // A scalar has nothing to split.
    if (!row.sharding || annotationOf(tensor) || tensor.type.getRank() == 0)
      continue;
    auto sharding =
        ShardingAttr::get(function.getContext(), meshName, *row.sharding);
    if (tensor.isResult())
      function.setResultAttr(tensor.number, name, sharding);
    else
      function.setArgAttr(tensor.number, name, sharding);
  }
}

LogicalResult PlannedModel::apply() {
  if (failed(matchRules()) || failed(followParameters()))
    return failure();
  warnOfUnusedRules();
  annotate();
  report();
  // Before stages are marked: a mark is no part of a scope.
  if (failed(constrainActivations(function, plan, resolver, meshName)))
    return failure();
  return markStages(function, plan, resolver, tensors, uses);
}
