//===- VaryingValues.cpp - which values differ between devices ------------===//

#include "VaryingValues.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Spmd/Combined.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

static Mesh meshOf(ModuleOp module, StringRef name) {
  return module.lookupSymbol<MeshOp>(name).getMesh().getMesh();
}

/// Parts of an axis that lie over each other, but none in the other, become the
/// whole axis.
static bool addAxis(AxisList &axes, AxisRef added, const Mesh &mesh) {
  if (llvm::any_of(axes, [&](const AxisRef &axis) {
        return axis.contains(added, mesh);
      }))
    return false;
  bool isCut = llvm::any_of(axes, [&](const AxisRef &axis) {
    return axis.overlaps(added, mesh) && !added.contains(axis, mesh);
  });
  if (isCut)
    added = AxisRef(added.name);
  llvm::erase_if(
      axes, [&](const AxisRef &axis) { return added.contains(axis, mesh); });
  axes.insert(llvm::lower_bound(axes, added), added);
  return true;
}

bool VaryingAxes::add(ModuleOp module, FlatSymbolRefAttr name,
                      ArrayRef<AxisRef> added) {
  if (added.empty())
    return false;
  Mesh mesh = meshOf(module, name.getValue());
  bool hasChanged = false;
  for (const AxisRef &axis : added)
    hasChanged |= addAxis(axes[name.getValue()], axis, mesh);
  return hasChanged;
}

bool VaryingAxes::add(ModuleOp module, const VaryingAxes &other) {
  bool hasChanged = false;
  for (auto &[name, added] : other.axes)
    hasChanged |=
        add(module, FlatSymbolRefAttr::get(module.getContext(), name), added);
  return hasChanged;
}

/// What `removed` leaves of `axis`: what is major to it, and what is minor.
static AxisList cut(const AxisRef &axis, const AxisRef &removed,
                    const Mesh &mesh) {
  if (!axis.overlaps(removed, mesh) || !axis.canCoexist(removed, mesh))
    return {axis};
  AxisList left;
  if (axis.preSize() < removed.preSize())
    left.push_back(AxisRef::get(axis.name, axis.preSize(),
                                removed.preSize() / axis.preSize(), mesh));
  if (removed.endSize(mesh) < axis.endSize(mesh))
    left.push_back(AxisRef::get(axis.name, removed.endSize(mesh),
                                axis.endSize(mesh) / removed.endSize(mesh),
                                mesh));
  return left;
}

void VaryingAxes::remove(ModuleOp module, AxesAttr group) {
  auto found = axes.find(group.getMesh().getValue());
  if (found == axes.end())
    return;
  Mesh mesh = meshOf(module, found->first);
  for (const AxisRef &removed : group.getAxes()) {
    AxisList left;
    for (const AxisRef &axis : found->second)
      llvm::append_range(left, cut(axis, removed, mesh));
    found->second = std::move(left);
  }
  if (found->second.empty())
    axes.erase(found);
}

AxisList VaryingAxes::within(ModuleOp module, AxesAttr group) const {
  AxisList common;
  for (auto &[name, varying] : axes) {
    if (name != group.getMesh().getValue()) {
      llvm::append_range(common, varying);
      continue;
    }
    Mesh mesh = meshOf(module, name);
    for (const AxisRef &axis : varying)
      if (llvm::any_of(group.getAxes(), [&](const AxisRef &of) {
            return of.overlaps(axis, mesh);
          }))
        common.push_back(axis);
  }
  return common;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

VaryingValues::VaryingValues(ModuleOp module) : module(module) {
  for (auto function : module.getOps<func::FuncOp>())
    enter(function);
  do {
    hasChanged = false;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal())
        visit(function.getBody().front());
  } while (hasChanged);
}

/// What a program is given differs as its sharding says, or is a part of a sum.
void VaryingValues::enter(Operation *op) {
  auto function = cast<func::FuncOp>(op);
  if (function.isExternal())
    return;
  for (BlockArgument argument : function.getArguments()) {
    auto sharding = function.getArgAttrOfType<ShardingAttr>(
        argument.getArgNumber(), TesseraDialect::kShardingAttr);
    if (!sharding)
      continue;
    VaryingAxes axes;
    for (const DimSharding &dim : sharding.getValue().dims)
      axes.add(module, sharding.getMesh(), dim.axes);
    axes.add(module, sharding.getMesh(), sharding.getValue().unreduced);
    join(argument, axes);
  }
}

void VaryingValues::join(Value value, const VaryingAxes &axes) {
  if (!axes.empty())
    hasChanged |= known[value].add(module, axes);
}

void VaryingValues::joinAll(ValueRange values, const VaryingAxes &axes) {
  for (Value value : values)
    join(value, axes);
}

/// Hands values on, one by one as far as both go.
void VaryingValues::carry(ValueRange from, ValueRange to) {
  for (auto [source, target] : llvm::zip(from, to))
    join(target, of(source));
}

VaryingAxes VaryingValues::unionOf(ValueRange values) const {
  VaryingAxes axes;
  for (Value value : values)
    axes.add(module, of(value));
  return axes;
}

void VaryingValues::visit(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

void VaryingValues::visitCollective(spmd::CollectiveOpInterface op) {
  VaryingAxes axes = of(op->getOperand(0));
  switch (op.getCollectiveKind()) {
  case CollectiveKind::AllReduce:
  case CollectiveKind::AllGather:
  case CollectiveKind::Broadcast:
    axes.remove(module, op.getAxes());
    break;
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::AllToAll:
  case CollectiveKind::Permute:
    axes.add(module, op.getAxes().getMesh(), op.getAxes().getAxes());
    break;
  }
  join(op->getResult(0), axes);
}

/// The region gets the operands, and what it yields are the results.
void VaryingValues::visitBody(Operation *op) {
  Block &body = op->getRegion(0).front();
  carry(op->getOperands(), body.getArguments());
  visit(body);
  carry(body.getTerminator()->getOperands(), op->getResults());
}

/// What decides how often, or which way, also decides about the results. False
/// of other operations.
bool VaryingValues::visitControlFlow(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    VaryingAxes bounds =
        unionOf({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    carry(loop.getInitArgs(), loop.getRegionIterArgs());
    carry(loop.getInitArgs(), loop.getResults());
    join(loop.getInductionVar(), bounds);
    visit(*loop.getBody());
    carry(loop.getYieldedValues(), loop.getRegionIterArgs());
    carry(loop.getYieldedValues(), loop.getResults());
    joinAll(loop.getResults(), bounds);
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    carry(loop.getInits(), loop.getBeforeArguments());
    visit(*loop.getBeforeBody());
    VaryingAxes condition = of(loop.getConditionOp().getCondition());
    carry(loop.getConditionOp().getArgs(), loop.getAfterArguments());
    carry(loop.getConditionOp().getArgs(), loop.getResults());
    joinAll(loop.getResults(), condition);
    visit(*loop.getAfterBody());
    carry(loop.getYieldOp().getOperands(), loop.getBeforeArguments());
    return true;
  }
  if (!isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return false;
  for (Region &region : op->getRegions())
    if (!region.empty()) {
      visit(region.front());
      carry(region.front().getTerminator()->getOperands(), op->getResults());
    }
  joinAll(op->getResults(), of(op->getOperand(0)));
  return true;
}

/// What a pipeline rank receives differs as what is sent to it. False of other
/// operations.
bool VaryingValues::visitMessage(Operation *op) {
  if (!isa<spmd::SendOp, spmd::RecvOp>(op))
    return false;
  auto rank = op->getParentOfType<func::FuncOp>()->getAttrOfType<IntegerAttr>(
      pipe::PipeDialect::kRankAttr);
  int64_t here = rank ? rank.getInt() : 0;
  if (auto send = dyn_cast<spmd::SendOp>(op))
    hasChanged |= sent[{here, send.getRank(), send.getTag()}].add(
        module, of(send.getOperand()));
  else if (auto receive = cast<spmd::RecvOp>(op))
    join(receive.getResult(),
         sent[{receive.getRank(), here, receive.getTag()}]);
  return true;
}

void VaryingValues::visitCall(Operation *op) {
  auto call = cast<func::CallOp>(op);
  auto function = module.lookupSymbol<func::FuncOp>(call.getCallee());
  if (!function || function.isExternal())
    return joinAll(call.getResults(), unionOf(call.getOperands()));
  Block &body = function.getBody().front();
  carry(call.getOperands(), body.getArguments());
  carry(body.getTerminator()->getOperands(), call.getResults());
}

void VaryingValues::visit(Operation *op) {
  if (auto index = dyn_cast<spmd::AxisIndexOp>(op)) {
    VaryingAxes axes;
    axes.add(module, index.getAxes().getMesh(), index.getAxes().getAxes());
    return join(index.getResult(), axes);
  }
  if (auto collective = dyn_cast<spmd::CollectiveOpInterface>(op))
    return visitCollective(collective);
  if (isa<spmd::KernelOp, spmd::CombinedOp, spmd::StartOp>(op))
    return visitBody(op);
  if (isa<func::CallOp>(op))
    return visitCall(op);
  if (visitControlFlow(op) || visitMessage(op))
    return;
  VaryingAxes axes = unionOf(op->getOperands());
  for (Region &region : op->getRegions())
    region.walk([&](Operation *nested) {
      axes.add(module, unionOf(nested->getOperands()));
    });
  joinAll(op->getResults(), axes);
}

Value VaryingValues::sourceOf(Value value, AxesAttr group) const {
  llvm::DenseSet<Value> seen;
  auto differs = [&](Value value) {
    return !of(value).within(module, group).empty();
  };
  while (Operation *op = value.getDefiningOp()) {
    seen.insert(value);
    auto before = llvm::find_if(op->getOperands(), [&](Value operand) {
      return !seen.contains(operand) && differs(operand);
    });
    if (before == op->getOperands().end())
      break;
    value = *before;
  }
  return value;
}
