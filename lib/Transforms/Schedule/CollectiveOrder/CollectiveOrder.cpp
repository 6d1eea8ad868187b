//===- CollectiveOrder.cpp - that no order of collectives can deadlock ----===//

#include "tessera/Transforms/Schedule/CollectiveOrder.h"

#include "VaryingValues.h"
#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Spmd/CheckMessages.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

SharedDevices schedule::sharedDevices(ModuleOp module, AxesAttr first,
                                      AxesAttr second) {
  if (first.getMesh() != second.getMesh())
    return SharedDevices::Several;
  Mesh mesh = module.lookupSymbol<MeshOp>(first.getMesh().getAttr())
                  .getMesh()
                  .getMesh();
  if (canonicalSet(first.getAxes(), mesh) ==
      canonicalSet(second.getAxes(), mesh))
    return SharedDevices::All;
  for (const AxisRef &a : first.getAxes())
    for (const AxisRef &b : second.getAxes())
      if (a.overlaps(b, mesh) || !a.canCoexist(b, mesh))
        return SharedDevices::Several;
  return SharedDevices::One;
}

namespace {

/// Goes through the programs of a module as a device does.
class OrderProof {
public:
  explicit OrderProof(ModuleOp module) : module(module) {}

  FailureOr<CollectiveOrder> run();

private:
  LogicalResult prove(func::FuncOp function);
  LogicalResult prove(Block &block);
  LogicalResult prove(Operation *op);
  LogicalResult proveCall(spmd::CollectiveOpInterface collective);
  LogicalResult proveStart(spmd::StartOp start);
  LogicalResult proveUnder(Operation *control);
  LogicalResult proveMessages();
  InFlightDiagnostic refuse(Operation *call, const Twine &what);
  void countOverlap(AxesAttr first, AxesAttr second);
  const VaryingValues &varying() {
    if (!values)
      values.emplace(module);
    return *values;
  }

  ModuleOp module;
  CollectiveOrder order;
  /// Made where a call stands under a condition first.
  std::optional<VaryingValues> values;
  /// The numbers of the conditions around, the innermost last.
  SmallVector<unsigned> around;
  /// What is under way, in the order of the starts.
  SmallVector<spmd::StartOp> underWay;
  /// Functions and calls.
  llvm::DenseSet<Operation *> proven, known;
};

} // namespace

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// The values that decide which regions of `op` run, and how often; none where
/// that is known.
static SmallVector<Value> decidersOf(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (loop.getStaticTripCount())
      return {};
    return {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return {loop.getConditionOp().getCondition()};
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return {op->getOperand(0)};
  return {};
}

/// Whether each of two calls may be the other one's on another device.
static bool areAlike(Operation *a, Operation *b) {
  return a->getName() == b->getName() &&
         a->getOperandTypes() == b->getOperandTypes() &&
         a->getResultTypes() == b->getResultTypes() &&
         a->getPropertiesAsAttribute() == b->getPropertiesAsAttribute();
}

/// Whether all regions of `op` make the same calls, one after another and under
/// no further conditions, so that it does not matter to calls which one runs.
static bool meetsEveryWay(Operation *op) {
  if (!isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return false;
  std::optional<SmallVector<Operation *>> first;
  for (Region &region : op->getRegions()) {
    SmallVector<Operation *> calls;
    WalkResult walk = region.walk([&](Operation *nested) -> WalkResult {
      if (isa<func::CallOp, spmd::SendOp, spmd::RecvOp>(nested))
        return failure();
      if (!isa<spmd::CollectiveOpInterface>(nested))
        return success();
      Operation *parent = nested->getParentOp();
      if (isa<spmd::StartOp>(parent))
        parent = parent->getParentOp();
      calls.push_back(nested);
      return success(parent == op);
    });
    if (walk.wasInterrupted())
      return false;
    if (first && !llvm::equal(*first, calls, areAlike))
      return false;
    first = std::move(calls);
  }
  return true;
}

InFlightDiagnostic OrderProof::refuse(Operation *call, const Twine &what) {
  return call->emitOpError() << "may be waited for without end: " << what;
}

/// Every condition around `collective` is the same on all devices of its group.
LogicalResult OrderProof::proveCall(spmd::CollectiveOpInterface collective) {
  AxesAttr group = collective.getAxes();
  for (unsigned number : around) {
    CollectiveOrder::Condition &condition = order.conditions[number];
    if (llvm::is_contained(condition.groups, group))
      continue;
    for (Value decider : decidersOf(condition.op)) {
      AxisList differs = varying().of(decider).within(module, group);
      if (differs.empty())
        continue;
      condition.mayDiffer = meetsEveryWay(condition.op);
      if (condition.mayDiffer)
        break;
      std::string axes;
      llvm::raw_string_ostream os(axes);
      llvm::interleaveComma(differs, os);
      InFlightDiagnostic diagnostic =
          refuse(collective, "expected a condition around it that is the same "
                             "on all devices of its group, got one that may "
                             "differ along " +
                                 axes);
      diagnostic.attachNote(condition.op->getLoc())
          << "'" << condition.op->getName() << "' runs it";
      diagnostic.attachNote(varying().sourceOf(decider, group).getLoc())
          << "what decides follows from what differs here; a sum, a maximum "
             "or a gather of it over the group is the same on all devices";
      return diagnostic;
    }
    condition.groups.push_back(group);
  }
  return success();
}

/// What stands in the regions of `control` runs if, and as often as, that says.
LogicalResult OrderProof::proveUnder(Operation *control) {
  bool isCondition = !decidersOf(control).empty();
  if (isCondition) {
    auto known = llvm::find_if(order.conditions, [&](const auto &condition) {
      return condition.op == control;
    });
    around.push_back(known - order.conditions.begin());
    if (known == order.conditions.end())
      order.conditions.push_back({control, {}});
  }
  for (Region &region : control->getRegions())
    for (Block &block : region)
      if (failed(prove(block)))
        return failure();
  if (isCondition)
    around.pop_back();
  return success();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void OrderProof::countOverlap(AxesAttr first, AxesAttr second) {
  auto isPair = [&](const CollectiveOrder::Overlap &overlap) {
    return overlap.first == first && overlap.second == second;
  };
  auto found = llvm::find_if(order.overlaps, isPair);
  if (found == order.overlaps.end()) {
    order.overlaps.push_back(
        {first, second, sharedDevices(module, first, second)});
    found = std::prev(order.overlaps.end());
  }
  ++found->pairs;
}

LogicalResult OrderProof::proveStart(spmd::StartOp start) {
  spmd::CollectiveOpInterface collective = start.getCollective();
  if (!collective)
    return success();
  SmallVector<spmd::StartOp, 1> parts = spmd::startsOfCall(start);
  for (spmd::StartOp part : parts)
    if (part.getCollective().getAxes() != collective.getAxes())
      return refuse(
          part.getCollective(),
          "expected the group of the first collective of call " +
              Twine(
                  cast<IntegerAttr>(part->getAttr(spmd::kCallAttr)).getInt()));
  if (failed(proveCall(collective)))
    return failure();
  // Parts begin with the first one.
  if (parts.empty())
    return success();
  for (spmd::StartOp other : underWay)
    countOverlap(other.getCollective().getAxes(), collective.getAxes());
  if (known.insert(start).second)
    order.calls.push_back(start);
  underWay.push_back(start);
  order.mostUnderWay = std::max<int64_t>(order.mostUnderWay, underWay.size());
  return success();
}

LogicalResult OrderProof::prove(Operation *op) {
  if (auto start = dyn_cast<spmd::StartOp>(op))
    return proveStart(start);
  if (auto wait = dyn_cast<spmd::WaitOp>(op)) {
    llvm::erase(underWay, wait.getStart());
    return success();
  }
  if (isa<spmd::KernelOp>(op))
    return success();
  for (spmd::CollectiveOpInterface part : spmd::partsOf(op))
    if (failed(proveCall(part)))
      return failure();
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto function = module.lookupSymbol<func::FuncOp>(call.getCallee());
    return function ? prove(function) : success();
  }
  return isa<spmd::CombinedOp>(op) ? success() : proveUnder(op);
}

LogicalResult OrderProof::prove(Block &block) {
  for (Operation &op : block)
    if (failed(prove(&op)))
      return failure();
  return success();
}

/// What has been proven with nothing around it is not looked at again where
/// that is so again.
LogicalResult OrderProof::prove(func::FuncOp function) {
  bool isAlone = around.empty() && underWay.empty();
  if (function.isExternal() || (isAlone && !proven.insert(function).second))
    return success();
  return prove(function.getBody().front());
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

LogicalResult OrderProof::proveMessages() {
  FailureOr<SmallVector<RankProgram>> programs = getRankPrograms(module);
  if (failed(programs))
    return failure();
  order.ranks = std::max<int64_t>(programs->size(), 1);
  for (const RankProgram &program : *programs) {
    WalkResult walk =
        func::FuncOp(program.function).walk([&](Operation *op) -> WalkResult {
          if (!isa<spmd::SendOp, spmd::RecvOp>(op))
            return success();
          order.messages += isa<spmd::SendOp>(op);
          if (op->getParentOp() == program.function)
            return success();
          return refuse(op, "expected messages outside of regions");
        });
    if (walk.wasInterrupted())
      return failure();
  }
  return spmd::checkMessages(*programs);
}

FailureOr<CollectiveOrder> OrderProof::run() {
  if (failed(proveMessages()))
    return failure();
  // Those that are called are proven where they are, but for those that nobody
  // calls.
  SmallVector<func::FuncOp> called;
  auto isProgram = [](func::FuncOp function) {
    return function.isPublic() ||
           function->hasAttr(pipe::PipeDialect::kRankAttr);
  };
  for (auto function : module.getOps<func::FuncOp>())
    if (!isProgram(function))
      called.push_back(function);
    else if (failed(prove(function)))
      return failure();
  for (func::FuncOp function : called)
    if (!proven.contains(function) && failed(prove(function)))
      return failure();
  llvm::erase_if(order.conditions, [](const CollectiveOrder::Condition &each) {
    return each.groups.empty();
  });
  return std::move(order);
}

FailureOr<CollectiveOrder> CollectiveOrder::prove(ModuleOp module) {
  return OrderProof(module).run();
}
