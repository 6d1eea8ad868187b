//===- AlikeCalls.cpp - calls in which branches meet ----------------------===//

#include "AlikeCalls.h"

#include "tessera/Dialect/Rt/Combined.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

/// Whether `op` is a collective, a part of one, or its end.
static bool isCollective(Operation *op) {
  return isa<rt::EndCombinedOp>(op) ||
         (op->getInherentAttr("communicator") && !isa<rt::AxisIndexOp>(op));
}

/// The calls in `region`, in order.
static SmallVector<Operation *> callsIn(Region &region) {
  SmallVector<Operation *> calls;
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isCollective(op))
      calls.push_back(op);
  });
  return calls;
}

/// Whether the calls `a` may meet the calls `b`, none of which has met others.
static bool mayMeet(ArrayRef<Operation *> a, ArrayRef<Operation *> b) {
  return llvm::equal(a, b, [](Operation *left, Operation *right) {
    return left->getName() == right->getName() &&
           !left->hasAttr(kMeetingAttr) && !right->hasAttr(kMeetingAttr);
  });
}

void codegen::numberAlikeCalls(ModuleOp program) {
  Builder builder(program.getContext());
  int64_t meetings = 0;
  program.walk([&](Operation *branch) {
    if (!isa<scf::IfOp, scf::IndexSwitchOp>(branch))
      return;
    SmallVector<SmallVector<Operation *>> ways;
    for (Region &region : branch->getRegions())
      ways.push_back(callsIn(region));
    if (!llvm::all_of(ways, [&](ArrayRef<Operation *> way) {
          return mayMeet(way, ways.front());
        }))
      return;
    for (ArrayRef<Operation *> way : ways)
      for (auto [i, call] : llvm::enumerate(way))
        call->setAttr(kMeetingAttr, builder.getI64IntegerAttr(meetings + i));
    meetings += ways.front().size();
  });
}
