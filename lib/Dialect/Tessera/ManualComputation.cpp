//===- ManualComputation.cpp - per-device code by hand --------------------===//

#include "tessera/Dialect/Tessera/Tessera.h"

using namespace mlir;
using namespace tessera;

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

OperandRange ManualComputationOp::getEntrySuccessorOperands(RegionSuccessor) {
  return getOperands();
}

void ManualComputationOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&getBody(), getBody().getArguments());
  else
    regions.emplace_back(getOperation(), getResults());
}

/// A tensor and a device's part of it.
bool ManualComputationOp::areTypesCompatible(Type source, Type target) {
  auto from = dyn_cast<RankedTensorType>(source),
       to = dyn_cast<RankedTensorType>(target);
  return from && to && from.getElementType() == to.getElementType() &&
         from.getRank() == to.getRank();
}

//===----------------------------------------------------------------------===//
// Shardings inside and outside
//===----------------------------------------------------------------------===//

ArrayRef<AxisRef> ManualComputationOp::getManualAxes() {
  return getAxes().getAxes();
}

const TensorSharding &ManualComputationOp::getOutsideSharding(Value target) {
  if (auto argument = dyn_cast<BlockArgument>(target))
    return getInSharding(argument.getArgNumber()).getValue();
  return getOutSharding(cast<OpResult>(target).getResultNumber()).getValue();
}

ManualSharding ManualComputationOp::getManualSharding(Value target) {
  const Mesh &mesh = lookupMesh(*this, getAxes().getMesh()).getMesh().getMesh();
  return ManualSharding(getOutsideSharding(target), getManualAxes(), mesh);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// `axes` are different whole axes of `mesh`, none of them manual further out.
static LogicalResult verifyManualAxes(ManualComputationOp op,
                                      ArrayRef<AxisRef> axes,
                                      const Mesh &mesh) {
  AxisList around = manualAxesAround(op);
  for (auto [number, axis] : llvm::enumerate(axes)) {
    if (std::string error = axis.verify(mesh); !error.empty())
      return op.emitOpError() << error;
    std::string name;
    llvm::raw_string_ostream(name) << axis;
    if (axis.sub)
      return op.emitOpError() << "expected whole manual axes, got " << name;
    if (llvm::is_contained(axes.take_front(number), axis))
      return op.emitOpError() << "manual axis " << name << " appears twice";
    if (llvm::is_contained(around, axis))
      return op.emitOpError()
             << "expected manual axes that are free outside, got " << name;
  }
  return success();
}

/// Checks the sharding that is asked outside of the `number`-th operand or
/// result, as `what` says, of type `type`.
static LogicalResult verifyOutside(ManualComputationOp op, StringRef what,
                                   unsigned number, ShardingAttr sharding,
                                   Type type, const Mesh &mesh) {
  if (sharding.getMesh() != op.getAxes().getMesh())
    return op.emitOpError()
           << "expected " << what << " " << number << " to be sharded on mesh "
           << op.getAxes().getMesh() << ", got " << sharding.getMesh();
  if (failed(verifySharding(op, sharding, type)))
    return failure();
  std::string error =
      ManualSharding::verify(sharding.getValue(), op.getAxes().getAxes(),
                             cast<RankedTensorType>(type).getShape(), mesh);
  if (!error.empty())
    return op.emitOpError() << what << " " << number << ": " << error;
  return success();
}

LogicalResult ManualComputationOp::verify() {
  MeshOp meshOp = lookupMesh(*this, getAxes().getMesh());
  if (!meshOp)
    return emitOpError() << "unknown mesh " << getAxes().getMesh();
  const Mesh &mesh = meshOp.getMesh().getMesh();
  if (failed(verifyManualAxes(*this, getAxes().getAxes(), mesh)))
    return failure();
  auto check = [&](StringRef what, ArrayAttr shardings, TypeRange types) {
    if (shardings.size() != types.size()) {
      emitOpError() << "expected " << types.size() << " shardings, one per "
                    << what << ", got " << shardings.size();
      return failure();
    }
    for (auto [number, sharding, type] : llvm::enumerate(shardings, types))
      if (failed(verifyOutside(*this, what, number,
                               cast<ShardingAttr>(sharding), type, mesh)))
        return failure();
    return success();
  };
  return failure(
      failed(check("operand", getInShardings(), getOperandTypes())) ||
      failed(check("result", getOutShardings(), getResultTypes())));
}

/// What crosses the boundary is, inside, the part that the shardings say.
LogicalResult ManualComputationOp::verifyRegions() {
  auto check = [&](StringRef what, unsigned number, Value target, Type outside,
                   Type inside) -> LogicalResult {
    auto whole = cast<RankedTensorType>(outside);
    Type expected =
        whole.clone(getManualSharding(target).insideShape(whole.getShape()));
    if (inside != expected)
      return emitOpError() << "expected type " << expected << " for " << what
                           << " " << number << ", the part of " << outside
                           << ", got " << inside;
    return success();
  };
  for (auto [argument, operand] :
       llvm::zip_equal(getBody().getArguments(), getOperands()))
    if (failed(check("region argument", argument.getArgNumber(), argument,
                     operand.getType(), argument.getType())))
      return failure();
  Operation *end = getBody().front().getTerminator();
  for (auto [result, yielded] :
       llvm::zip_equal(getResults(), end->getOperands())) {
    unsigned number = result.getResultNumber();
    if (failed(check("yielded value", number, result, result.getType(),
                     yielded.getType())))
      return failure();
    ShardingAttr sharding = tessera::getSharding(result);
    if (sharding && !getManualSharding(result).toInside(sharding.getValue()))
      return emitOpError()
             << "expected result " << number
             << " to be split over the manual axes as asked for, got "
             << sharding;
  }
  return success();
}
