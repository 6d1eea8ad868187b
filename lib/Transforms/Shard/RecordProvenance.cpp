//===- RecordProvenance.cpp - why each reshard is there -------------------===//
//
// Runs when all is decided, so that no other pass need care: the reason of a
// reshard is read off the program (who made the value, who takes it, in which
// shardings), and the stories of the axes concerned are told by `AxisStories`.
//
//===----------------------------------------------------------------------===//

#include "Provenance/AxisStories.h"
#include "Provenance/ProvenancePlaces.h"

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/LocalComputationInterface.h"
#include "tessera/Sharding/Reshard/ReshardPlanner.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

namespace tessera::shard {
#define GEN_PASS_DEF_RECORDPROVENANCE
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-record-provenance"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {

/// A few axes, each once.
using Axes = SmallVector<AxisName, 4>;

/// Writes the provenance of what one function moves.
class ProvenanceRecorder {
public:
  /// `origins` is null where propagation is not remembered.
  ProvenanceRecorder(func::FuncOp function, const FunctionProvenance *origins)
      : function(function), stories(function, origins, rules) {}

  void recordMovements();
  void recordValues();

private:
  void recordReshard(ReshardOp reshard);
  void emitRemarkOn(ReshardOp reshard, ProvenanceAttr why);
  bool mayCommunicate(Operation *op);
  void recordInside(Operation *op);
  void recordWritten(spmd::CollectiveOpInterface op);
  ProvenanceAttr valueProvenance(Value value);
  ProvenanceAttr resultProvenance(unsigned result);

  std::string conflictAt(OpOperand &use, ShardingAttr source, const Axes &lost);

  func::FuncOp function;
  RuleCache rules;
  /// Between two movements none are waiting to be taken.
  AxisStories stories;
  /// For remarks: what movements cost.
  std::optional<ReshardPlanner> planner;
};

} // namespace

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

static void addAxis(Axes &axes, AxisName axis) {
  if (!llvm::is_contained(axes, axis))
    axes.push_back(axis);
}

static Axes axesOf(ArrayRef<AxisRef> list) {
  Axes axes;
  for (const AxisRef &axis : list)
    addAxis(axes, axis.name);
  return axes;
}

/// The axes that split some dimension under `a`, but not the same under `b`.
static Axes dimAxesWithout(const TensorSharding &a, const TensorSharding &b) {
  Axes axes;
  for (auto [dimA, dimB] : llvm::zip(a.dims, b.dims)) {
    Axes kept = axesOf(dimB.axes);
    for (const AxisRef &axis : dimA.axes)
      if (!llvm::is_contained(kept, axis.name) ||
          (dimA.axes != dimB.axes && axis.sub))
        addAxis(axes, axis.name);
  }
  return axes;
}

//===----------------------------------------------------------------------===//
// Movements
//===----------------------------------------------------------------------===//

/// What keeps the taker of `use` from taking a tensor that is split over the
/// axes `lost`; empty where its rule does not say.
std::string ProvenanceRecorder::conflictAt(OpOperand &use, ShardingAttr source,
                                           const Axes &lost) {
  Operation *op = use.getOwner();
  const ShardingRule *rule = rules.lookup(op);
  if (!rule || lost.empty())
    return "";
  unsigned number = use.getOperandNumber();
  std::string text;
  llvm::raw_string_ostream os(text);
  auto describe = [&](size_t tensor) {
    if (tensor < op->getNumOperands())
      os << "operand " << tensor;
    else
      os << "result " << tensor - op->getNumOperands();
  };
  for (auto [dim, sharding] : llvm::enumerate(source.getValue().dims))
    for (const AxisRef &axis : sharding.axes) {
      if (!llvm::is_contained(lost, axis.name))
        continue;
      for (FactorId factor : rule->tensor(number).dims[dim])
        if (rule->factors[factor].kind == FactorKind::NeedReplication) {
          os << "operand " << number << " must be whole in dimension " << dim;
          return text;
        }
      for (size_t tensor = 0; tensor < rule->numTensors(); ++tensor) {
        Value value = tensor < op->getNumOperands()
                          ? op->getOperand(tensor)
                          : op->getResult(tensor - op->getNumOperands());
        ShardingAttr other =
            tensor == number ? ShardingAttr() : getSharding(value);
        if (!other)
          continue;
        for (auto [otherDim, otherSharding] :
             llvm::enumerate(other.getValue().dims))
          if (hasAxis(otherSharding.axes, axis.name)) {
            os << axis.name << " splits dimension " << otherDim << " of ";
            describe(tensor);
            os << " there, which operand " << number << " split in dimension "
               << dim << " does not fit";
            return text;
          }
      }
    }
  return text;
}

/// Tells those who listen (`--remarks`) which sharding gave way to which, what
/// that costs, and how producer and consumer came apart. What costs nothing is
/// no news.
void ProvenanceRecorder::emitRemarkOn(ReshardOp reshard, ProvenanceAttr why) {
  bool isPending = why.getReason() == "pending sum";
  if (!reshard.getContext()->getRemarkEngine())
    return;
  RankedTensorType type = reshard.getType();
  ReshardProblem problem{
      why.getSource().getValue(), why.getTarget().getValue(),
      SmallVector<int64_t>(type.getShape()),
      int64_t(llvm::divideCeil(type.getElementTypeBitWidth(), 8))};
  if (!planner) {
    MeshOp mesh = lookupMesh(reshard, reshard.getSharding().getMesh());
    ReshardOptions options;
    options.links = mesh.getMachine().links;
    planner.emplace(mesh.getMesh().getMesh(), std::move(options));
  }
  const ReshardResult &result = planner->plan(problem);
  if (!result.plan || result.plan->bytes == 0)
    return;
  auto remark = remark::analysis(
      reshard.getLoc(), remark::RemarkOpts::name(isPending ? "sum" : "conflict")
                            .category("tessera-shard"));
  remark << llvm::formatv("{0} {1} {2}; a device sends {3} bytes each time",
                          describeSharding(why.getSource()),
                          isPending ? "is reduced to" : "gives way to",
                          describeSharding(why.getTarget()), result.plan->bytes)
                .str();
  for (const std::string &line : describeWhy(why))
    remark << line;
}

static StringRef reasonOf(OpOperand *use, bool isPending) {
  if (isPending)
    return "pending sum";
  if (!use)
    return "operand";
  Operation *op = use->getOwner();
  if (isa<func::ReturnOp>(op))
    return "result";
  if (isa<RegionBranchOpInterface>(op) ||
      (op->hasTrait<OpTrait::IsTerminator>() &&
       isa_and_nonnull<RegionBranchOpInterface>(op->getParentOp())))
    return "control flow";
  return "operand";
}

/// Writes into the location of a reshard why it is there, and says so in a
/// remark: which axes its operand loses, gains or sums over, which annotation
/// brought each to the maker and to the use, and where the two disagree.
void ProvenanceRecorder::recordReshard(ReshardOp reshard) {
  Value value = reshard.getOperand();
  ShardingAttr source = getSharding(value), target = reshard.getSharding();
  if (!source)
    return;
  const TensorSharding &from = source.getValue(), &to = target.getValue();
  Axes pending = axesOf(from.unreduced);
  llvm::erase_if(pending,
                 [&](AxisName axis) { return hasAxis(to.unreduced, axis); });
  Axes lost = dimAxesWithout(from, to), gained = dimAxesWithout(to, from);
  Value root = rootOf(value), maker = root;
  OpOperand *use = firstUse(reshard);

  for (AxisName axis : pending)
    maker = stories.addPendingProducer(root, axis);
  for (AxisName axis : lost)
    stories.addProducer(root, axis);
  std::string conflict;
  if (use) {
    Axes concerned = lost;
    for (AxisName axis : gained)
      addAxis(concerned, axis);
    for (AxisName axis : concerned)
      stories.addConsumer(*use, root, axis);
    conflict = conflictAt(*use, source, lost);
  }
  auto why = ProvenanceAttr::get(
      function.getContext(), reasonOf(use, !pending.empty()), source, target,
      placeOf(maker), use ? placeOf(*use) : PlaceAttr(), conflict,
      stories.take());
  LDBG() << describeOperation(reshard) << ": " << why.getReason() << " of "
         << describePlace(why.getProducer()) << ", " << describeSharding(source)
         << " to " << describeSharding(target) << (conflict.empty() ? "" : ", ")
         << conflict;
  // What the compiler's own loop gives stands where its body makes it.
  Location loc = reshard.getLoc();
  if (describeFile(loc).empty())
    loc = why.getProducer().getLoc();
  reshard->setLoc(withProvenance(loc, why));
  emitRemarkOn(reshard, why);
}

/// Whether `op` may need parts of other devices as it is: it works out where
/// its part lies, or moves what is split (a halo, a shift, a slice).
bool ProvenanceRecorder::mayCommunicate(Operation *op) {
  if (isa<LocalComputationInterface>(op))
    return true;
  const ShardingRule *rule = rules.lookup(op);
  if (!rule)
    return false;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    ShardingAttr sharding = tensorShardingOf(operand);
    if (!sharding)
      continue;
    for (auto [factors, dim] :
         llvm::zip(rule->tensor(number).dims, sharding.getValue().dims))
      if (!dim.axes.empty() && llvm::any_of(factors, [&](FactorId factor) {
            return rule->factors[factor].kind == FactorKind::Permutation;
          }))
        return true;
  }
  return false;
}

/// Operations that may communicate by themselves carry the stories of all axes
/// of their operands.
void ProvenanceRecorder::recordInside(Operation *op) {
  if (op->getNumResults() == 0)
    return;
  ShardingAttr operand, result = getSharding(op->getResult(0));
  if (!result)
    return;
  for (Value value : op->getOperands()) {
    ShardingAttr sharding = tensorShardingOf(value);
    if (!sharding || sharding.getValue().usedAxes().empty())
      continue;
    if (!operand)
      operand = sharding;
    for (AxisName axis : axesOf(sharding.getValue().usedAxes()))
      stories.addProducer(rootOf(value), axis);
  }
  if (!operand)
    return;
  op->setLoc(withProvenance(
      op->getLoc(),
      ProvenanceAttr::get(function.getContext(), "inside", operand, result,
                          placeOf(op), PlaceAttr(), "", stories.take())));
}

/// What `region` says of `axis`, one of those that it is over: the sharding of
/// the first that enters or leaves split over it.
static ShardingAttr shardingByHand(ManualComputationOp region, AxisName axis) {
  for (ArrayAttr list : {region.getInShardings(), region.getOutShardings()})
    for (auto sharding : list.getAsRange<ShardingAttr>())
      if (hasAxis(sharding.getValue().usedAxes(), axis))
        return sharding;
  return {};
}

/// The program's own collectives in per-device code lead to the region that
/// makes their axes manual.
void ProvenanceRecorder::recordWritten(spmd::CollectiveOpInterface op) {
  ShardingAttr source = getSharding(op->getOperand(0)),
               target = getSharding(op->getResult(0));
  auto innermost = op->getParentOfType<ManualComputationOp>();
  if (!source || !target || !innermost)
    return;
  for (AxisName axis : axesOf(op.getAxes().getAxes()))
    for (ManualComputationOp region = innermost; region;
         region = region->getParentOfType<ManualComputationOp>())
      if (hasAxis(region.getAxes().getAxes(), axis)) {
        if (ShardingAttr said = shardingByHand(region, axis))
          stories.add(OriginAttr::get(
              function.getContext(), axis.str(), "region",
              placeAt("manual computation", region.getLoc()), said, {}, 0));
        break;
      }
  op->setLoc(withProvenance(
      op->getLoc(),
      ProvenanceAttr::get(function.getContext(), "written", source, target,
                          placeOf(op),
                          placeAt("manual computation", innermost.getLoc()), "",
                          stories.take())));
}

void ProvenanceRecorder::recordMovements() {
  walkProgram(function, [&](Operation *op) {
    if (auto reshard = dyn_cast<ReshardOp>(op))
      recordReshard(reshard);
    else if (auto collective = dyn_cast<spmd::CollectiveOpInterface>(op))
      recordWritten(collective);
    else if (mayCommunicate(op))
      recordInside(op);
  });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Why `value` is sharded as it is; null for what is no tensor.
ProvenanceAttr ProvenanceRecorder::valueProvenance(Value value) {
  ShardingAttr sharding = tensorShardingOf(value);
  if (!sharding)
    return {};
  for (AxisName axis : axesOf(sharding.getValue().unreduced))
    stories.addPendingProducer(value, axis);
  for (const DimSharding &dim : sharding.getValue().dims)
    for (AxisName axis : axesOf(dim.axes))
      stories.addProducer(value, axis);
  return ProvenanceAttr::get(function.getContext(), "value", sharding, sharding,
                             placeOf(value), PlaceAttr(), "", stories.take());
}

ProvenanceAttr ProvenanceRecorder::resultProvenance(unsigned result) {
  auto sharding = function.getResultAttrOfType<ShardingAttr>(
      result, TesseraDialect::kShardingAttr);
  if (!sharding)
    return {};
  for (const DimSharding &dim : sharding.getValue().dims)
    for (AxisName axis : axesOf(dim.axes))
      stories.addResult(result, axis);
  return ProvenanceAttr::get(
      function.getContext(), "value", sharding, sharding,
      placeAt(
          boundaryName("result", result, function.getResultAttrDict(result)),
          function.getLoc()),
      PlaceAttr(), "", stories.take());
}

/// The location of something that gives several values. What it says of
/// movements stays.
static Location withValues(Location loc, ArrayRef<Attribute> provenance) {
  return FusedLoc::get(loc.getContext(), {loc},
                       ArrayAttr::get(loc.getContext(), provenance));
}

void ProvenanceRecorder::recordValues() {
  auto attributeOf = [&](ProvenanceAttr provenance) -> Attribute {
    return provenance ? Attribute(provenance)
                      : UnitAttr::get(function.getContext());
  };
  for (BlockArgument argument : function.getArguments())
    if (ProvenanceAttr provenance = valueProvenance(argument))
      argument.setLoc(withValues(argument.getLoc(), {provenance}));
  walkProgram(function, [&](Operation *op) {
    if (isa<RegionBranchOpInterface>(op))
      for (Region &region : op->getRegions())
        for (BlockArgument argument : region.getArguments())
          if (ProvenanceAttr provenance = valueProvenance(argument))
            argument.setLoc(withValues(argument.getLoc(), {provenance}));
    SmallVector<Attribute> all;
    if (isa<func::ReturnOp>(op))
      for (unsigned i = 0; i < op->getNumOperands(); ++i)
        all.push_back(attributeOf(resultProvenance(i)));
    else
      for (Value result : op->getResults())
        all.push_back(attributeOf(valueProvenance(result)));
    if (!all.empty())
      op->setLoc(withValues(op->getLoc(), all));
  });
}

namespace {
struct RecordProvenance
    : tessera::shard::impl::RecordProvenanceBase<RecordProvenance> {
  using RecordProvenanceBase::RecordProvenanceBase;

  void runOnOperation() override {
    auto origins = getCachedAnalysis<ShardingProvenance>();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      FunctionProvenance *known =
          origins ? origins->get().lookup(function) : nullptr;
      if (known)
        known->findValues(function);
      ProvenanceRecorder recorder(function, known);
      recorder.recordMovements();
      if (values)
        recorder.recordValues();
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
