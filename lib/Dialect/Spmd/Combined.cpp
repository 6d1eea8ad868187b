//===- Combined.cpp - several collectives in one call ---------------------===//

#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Spmd/HostCopies.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::spmd;

SmallVector<CollectiveOpInterface, 1> spmd::partsOf(Operation *op) {
  if (auto collective = dyn_cast<CollectiveOpInterface>(op))
    return {collective};
  SmallVector<CollectiveOpInterface, 1> parts;
  if (auto combined = dyn_cast<CombinedOp>(op))
    llvm::append_range(
        parts, combined.getBody().front().getOps<CollectiveOpInterface>());
  return parts;
}

Value spmd::sourceOf(CollectiveOpInterface collective) {
  Value operand = collective->getOperand(0);
  auto call = dyn_cast<CombinedOp>(collective->getParentOp());
  return call ? call->getOperand(cast<BlockArgument>(operand).getArgNumber())
              : operand;
}

LogicalResult CombinedOp::verifyRegions() {
  Block &body = getBody().front();
  SmallVector<CollectiveOpInterface, 1> parts = partsOf(*this);
  auto yield = dyn_cast<YieldOp>(body.back());
  if (parts.empty() || !yield ||
      parts.size() + 1 != body.getOperations().size())
    return emitOpError("expected collectives and nothing else");
  if (body.getArgumentTypes() != getOperandTypes())
    return emitOpError("expected region arguments of the operands' types");
  if (parts.size() != getNumOperands())
    return emitOpError() << "expected an operand for each of " << parts.size()
                         << " collectives, got " << getNumOperands();
  for (auto [part, argument] : llvm::zip_equal(parts, body.getArguments())) {
    if (part->getName() != parts.front()->getName() ||
        part.getAxes() != parts.front().getAxes())
      return part->emitOpError("expected the kind and the group of the call's "
                               "first collective");
    if (part->getOperand(0) != argument)
      return part->emitOpError("expected the region's argument number ")
             << argument.getArgNumber() << " as operand";
  }
  if (!llvm::equal(yield.getOperands(), parts,
                   [](Value given, Operation *part) {
                     return given == part->getResult(0);
                   }))
    return yield.emitOpError(
        "expected the collectives' results in their order");
  if (yield->getOperandTypes() != getResultTypes())
    return emitOpError() << "expected results of types "
                         << yield->getOperandTypes() << ", got "
                         << getResultTypes();
  return success();
}

//===----------------------------------------------------------------------===//
// After the phase schedule
//===----------------------------------------------------------------------===//

/// Whether `second` stands right behind `first` and is of the same call.
static bool continues(Operation *first, Operation *second) {
  auto number = second->getAttr(kCallAttr);
  return isa_and_nonnull<StartOp>(first) && first->getNextNode() == second &&
         number && first->getAttr(kCallAttr) == number;
}

SmallVector<StartOp, 1> spmd::startsOfCall(StartOp start) {
  if (continues(start->getPrevNode(), start))
    return {};
  SmallVector<StartOp, 1> starts = {start};
  for (auto next = dyn_cast_or_null<StartOp>(start->getNextNode());
       next && continues(starts.back(), next);
       next = dyn_cast_or_null<StartOp>(next->getNextNode()))
    starts.push_back(next);
  return starts;
}

LogicalResult spmd::verifyCallNumber(Operation *op, Attribute number) {
  auto start = dyn_cast<StartOp>(op);
  if (!start || !isa<IntegerAttr>(number))
    return op->emitError() << "expected an integer for " << kCallAttr
                           << ", on 'spmd.start'";
  // Its body is verified behind it.
  for (Block &body : start.getBody())
    if (!body.empty() && isHostCopy(&body.front()))
      return body.front().emitOpError("expected collectives alone in a call");
  Operation *before = op->getPrevNode();
  if (!continues(before, op))
    return success();
  auto waitOf = [](Operation *start) {
    Value future = start->getResult(0);
    return future.use_empty() ? nullptr : *future.getUsers().begin();
  };
  Operation *wait = waitOf(op);
  if (wait && wait->getPrevNode() != waitOf(before))
    return op->emitError("expected the waits of a call in the order of its "
                         "starts, with nothing between them");
  return success();
}

#define GET_OP_CLASSES
#include "tessera/Dialect/Spmd/CombinedOps.cpp.inc"
