//===- ProgramSeconds.cpp - what a device computes takes ------------------===//

#include "ProgramSeconds.h"

#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Tessera/ProductShapes.h"
#include "tessera/Interfaces/TripCount.h"
#include "tessera/Sharding/Costs/Roofline.h"
#include "tessera/Transforms/Communicate/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

bool communicate::hasDescribedMachine(ModuleOp module) {
  auto meshes = module.getOps<MeshOp>();
  return !meshes.empty() && (*meshes.begin()).getOnAttr();
}

FailureOr<MeshOp> communicate::findPricedMesh(ModuleOp module, bool always) {
  if (module.getOps<MeshOp>().empty() ||
      (!always && !hasDescribedMachine(module)))
    return MeshOp();
  return getOnlyMesh(module);
}

/// Whether `op` computes nothing but what kernels around it may do as well.
static bool isLight(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         !op->hasTrait<OpTrait::IsTerminator>() &&
         !getOperationCost(op).isHeavy;
}

bool communicate::isFusedIntoReaders(Operation *op) {
  return isLight(op) && llvm::all_of(op->getUsers(), [&](Operation *user) {
           return user->getBlock() == op->getBlock() && isLight(user);
         });
}

/// The bytes that `op` reads and writes of tensors that stand in memory.
double ProgramSeconds::traffic(Operation *op, const OperationCost &cost) {
  if (cost.part)
    return 2.0 * spmd::bytesOf(cost.part);
  auto isFused = [&](Operation *producer) {
    auto [known, isNew] = fused.try_emplace(producer, false);
    if (isNew)
      known->second = isFusedIntoReaders(producer);
    return known->second;
  };
  double sum = 0;
  auto add = [&](Value value) {
    Operation *producer = value.getDefiningOp();
    if (isa<RankedTensorType>(value.getType()) &&
        !(producer && isFused(producer)))
      sum += spmd::bytesOf(value);
  };
  llvm::for_each(op->getOperands(), add);
  llvm::for_each(op->getResults(), add);
  return sum;
}

/// All regions of a loop as often as they run, else the costliest.
double ProgramSeconds::ofRegions(Operation *op) {
  double most = 0, all = 0;
  for (Region &region : op->getRegions()) {
    double inner = 0;
    for (Operation &nested : region.getOps())
      inner += of(&nested);
    most = std::max(most, inner);
    all += inner;
  }
  if (!isa<LoopLikeOpInterface>(op))
    return most;
  return all * (double(tripCount(op)) / tripCount(op->getParentOp()));
}

double ProgramSeconds::ofFunction(Operation *function) {
  auto [known, isNew] = functions.try_emplace(function, 0);
  return isNew ? functions[function] = ofRegions(function) : known->second;
}

double ProgramSeconds::of(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto function = module.lookupSymbol<func::FuncOp>(call.getCallee());
    return function ? ofFunction(function) : 0;
  }
  if (isa<RegionBranchOpInterface>(op))
    return ofRegions(op);
  OperationCost cost = getOperationCost(op);
  if (cost.kind == WorkKind::None || cost.kind == WorkKind::Constant)
    return 0;
  std::optional<ProductShape> product = shapeOfProduct(op);
  return rooflineSeconds(
      countArithmetic(op), traffic(op, cost), machine,
      isFusedIntoReaders(op) ? kernels.fused() : kernels,
      std::span(product ? &*product : nullptr, product ? 1 : 0));
}
