//===- HostCopies.cpp - copies to the host and back -----------------------===//

#include "tessera/Dialect/Spmd/HostCopies.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::spmd;

bool spmd::isHostCopy(Operation *op) { return isa<OffloadOp, ReloadOp>(op); }

bool spmd::isOnHost(Value value) {
  Operation *op = value.getDefiningOp();
  // A start is verified behind what may ask this.
  if (auto wait = dyn_cast_or_null<WaitOp>(op); wait && wait.getStart())
    for (Block &body : wait.getStart().getBody())
      op = body.empty() ? nullptr : &body.front();
  return isa_and_nonnull<OffloadOp>(op);
}

LogicalResult OffloadOp::verify() {
  // Of one that is started, the wait's result is what is read.
  Value copied = getResult();
  if (auto start = dyn_cast<StartOp>((*this)->getParentOp());
      start && start.getFuture().hasOneUse())
    if (auto wait = dyn_cast<WaitOp>(*start.getFuture().getUsers().begin()))
      copied = wait.getResult();
  for (Operation *user : copied.getUsers())
    if (!isa<ReloadOp>(user) &&
        !(isa<YieldOp>(user) && isa<StartOp>(user->getParentOp())))
      return emitOpError("expected only 'spmd.reload' to read what lies on the "
                         "host, got '")
             << user->getName() << "'";
  return success();
}

LogicalResult ReloadOp::verify() {
  if (!isOnHost(getOperand()))
    return emitOpError("expected what a 'spmd.offload' has copied");
  return success();
}

#define GET_OP_CLASSES
#include "tessera/Dialect/Spmd/HostOps.cpp.inc"
