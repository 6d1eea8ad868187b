//===- RecordProvenance.cpp - why each reshard is there -------------------===//
//
// Runs when all is decided, so that no other pass need care: the reason of a
// reshard is read off the program (who made the value, who takes it, in which
// shardings), and the stories of the axes concerned off what propagation
// remembers. An axis is traced on both sides. On the producer's, how did it get
// to the value; where the value is a pending sum, to the operands of what left
// it pending. On the consumer's, how did it get to the tensors that the value
// meets there; or, if nothing there has it, who said that it must not.
//
//===----------------------------------------------------------------------===//

#include "RuleCache.h"
#include "ShardingProvenance.h"

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Interfaces/LocalComputationInterface.h"
#include "tessera/Sharding/ReshardPlanner.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

#include "llvm/Support/FormatVariadic.h"

namespace tessera {
#define GEN_PASS_DEF_RECORDPROVENANCE
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

/// A pending sum, or an axis that propagation does not know of, is followed
/// through at most so many operations.
static constexpr unsigned kMaxProgramSteps = 64;

namespace {

/// A few axes, each once.
using Axes = SmallVector<AxisName, 4>;

/// Writes the provenance of what one function moves.
class ProvenanceRecorder {
public:
  /// `origins` is null where propagation is not remembered.
  ProvenanceRecorder(func::FuncOp function, const FunctionProvenance *origins)
      : function(function), origins(origins) {}

  void recordMovements();
  void recordValues();

private:
  using Slot = FunctionProvenance::Slot;

  void recordReshard(ReshardOp reshard);
  void emitRemarkOn(ReshardOp reshard, ProvenanceAttr why);
  void recordInside(Operation *op);
  void recordWritten(spmd::CollectiveOpInterface op);
  ProvenanceAttr valueProvenance(Value value);
  ProvenanceAttr resultProvenance(unsigned result);

  PlaceAttr place(StringRef what, Location loc) const {
    return PlaceAttr::get(loc.getContext(), what, withoutProvenance(loc));
  }
  PlaceAttr placeOf(Value value);
  PlaceAttr placeOf(OpOperand &use);
  Value pendingOrigin(Value value, AxisName axis) const;
  std::string conflictAt(OpOperand &use, ShardingAttr source, const Axes &lost);

  std::optional<std::pair<Value, unsigned>> sourceOf(Value value, unsigned dim,
                                                     AxisName axis);
  OriginAttr traceDim(Value value, AxisName axis);
  struct Trace;
  OriginAttr describeTrace(Value value, Trace trace, AxisName axis);

  void addOrigin(OriginAttr origin);
  bool addFromSlot(std::optional<Slot> slot, AxisName axis, StringRef side);
  bool addFromValue(Value value, AxisName axis, StringRef side);
  bool addFromTensors(Operation *op, OpOperand *except, AxisName axis,
                      StringRef side);
  bool addFromProgram(Value value, AxisName axis, StringRef side);
  void addProducer(Value value, AxisName axis, bool isPending);
  void addConsumer(OpOperand &use, Value root, AxisName axis);

  func::FuncOp function;
  const FunctionProvenance *origins;
  RuleCache rules;
  /// For remarks: what movements cost.
  std::optional<ReshardPlanner> planner;
  /// What `traceDim` knows, by value and axis: the slot whose story it ends
  /// with, if there is one, the next value on the way there, and how many
  /// operations are on that way.
  struct Trace {
    std::optional<Slot> slot;
    Value next;
    unsigned distance = 0;
  };
  DenseMap<std::pair<Value, StringRef>, Trace> traces;
  /// The stories of the movement at hand.
  SmallVector<OriginAttr, 4> stories;
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

static bool hasAxis(ArrayRef<AxisRef> axes, AxisName name) {
  return llvm::any_of(axes,
                      [&](const AxisRef &axis) { return axis.name == name; });
}

static bool usesAxis(Value value, AxisName axis) {
  ShardingAttr sharding = isa<RankedTensorType>(value.getType())
                              ? getSharding(value)
                              : ShardingAttr();
  return sharding && hasAxis(sharding.getValue().usedAxes(), axis);
}

/// The dimension of `value` that is split over `axis`.
static std::optional<unsigned> dimSplitOver(Value value, AxisName axis) {
  ShardingAttr sharding = isa<RankedTensorType>(value.getType())
                              ? getSharding(value)
                              : ShardingAttr();
  if (sharding)
    for (auto [number, dim] : llvm::enumerate(sharding.getValue().dims))
      if (hasAxis(dim.axes, axis))
        return number;
  return std::nullopt;
}

static bool isPendingOver(Value value, AxisName axis) {
  if (!isa<RankedTensorType>(value.getType()))
    return false;
  ShardingAttr sharding = getSharding(value);
  return sharding && hasAxis(sharding.getValue().unreduced, axis);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The value that `value` is a resharding of.
static Value rootOf(Value value) {
  while (auto reshard = value.getDefiningOp<ReshardOp>())
    value = reshard.getOperand();
  return value;
}

PlaceAttr ProvenanceRecorder::placeOf(Value value) {
  if (Operation *op = value.getDefiningOp())
    return place(op->getName().getStringRef(), op->getLoc());
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  if (parent != function)
    return place(parent->getName().getStringRef(), parent->getLoc());
  unsigned number = argument.getArgNumber();
  return place(
      boundaryName("argument", number, function.getArgAttrDict(number)),
      argument.getLoc());
}

PlaceAttr ProvenanceRecorder::placeOf(OpOperand &use) {
  Operation *op = use.getOwner();
  if (!isa<func::ReturnOp>(op))
    return place(op->getName().getStringRef(), op->getLoc());
  unsigned number = use.getOperandNumber();
  return place(
      boundaryName("result", number, function.getResultAttrDict(number)),
      op->getLoc());
}

/// The values through which `value` may have got its pending sum over `axis`.
static SmallVector<Value> pendingInputs(Value value, AxisName axis) {
  SmallVector<Value> inputs;
  auto add = [&](Value input) {
    if (isPendingOver(rootOf(input), axis))
      inputs.push_back(rootOf(input));
  };
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  if (isa<RegionBranchOpInterface>(op))
    forEachDataFlowEdge(op, [&](OpOperand &source, Value target) {
      if (target == value)
        add(source.get());
    });
  else if (!argument)
    llvm::for_each(op->getOperands(), add);
  return inputs;
}

/// The value that `value` got its pending sum over `axis` from: what is linear
/// in a pending sum only hands it on, and so do loops that accumulate one. An
/// accumulator starts from something that is pending, but splits nothing over
/// the axis; that is only named if there is nothing else.
Value ProvenanceRecorder::pendingOrigin(Value value, AxisName axis) const {
  SmallVector<Value> stack = {rootOf(value)};
  DenseSet<Value> reached(stack.begin(), stack.end());
  Value fallback = value;
  while (!stack.empty() && reached.size() <= kMaxProgramSteps) {
    Value next = stack.pop_back_val();
    SmallVector<Value> inputs = pendingInputs(next, axis);
    // What a reshard made pending is whole behind it.
    if (Operation *op = next.getDefiningOp(); op && inputs.empty()) {
      if (llvm::any_of(op->getOperands(),
                       [&](Value operand) { return usesAxis(operand, axis); }))
        return next;
      if (!op->hasTrait<OpTrait::ConstantLike>())
        fallback = next;
    }
    for (Value input : llvm::reverse(inputs))
      if (reached.insert(input).second)
        stack.push_back(input);
  }
  return fallback;
}

/// The use of `value` that comes first in the text.
static OpOperand *firstUse(Value value) {
  OpOperand *first = nullptr;
  for (OpOperand &use : value.getUses()) {
    if (!first) {
      first = &use;
      continue;
    }
    Operation *a = use.getOwner(), *b = first->getOwner();
    if (a == b ? use.getOperandNumber() < first->getOperandNumber()
               : a->getBlock() != b->getBlock() || a->isBeforeInBlock(b))
      first = &use;
  }
  return first;
}

//===----------------------------------------------------------------------===//
// Stories
//===----------------------------------------------------------------------===//

static int64_t lengthOf(OriginAttr origin) {
  return origin.getSteps().size() + origin.getSkipped();
}

/// Of several ways from one annotation the shortest is told.
void ProvenanceRecorder::addOrigin(OriginAttr origin) {
  if (!origin)
    return;
  for (OriginAttr &known : stories)
    if (known.getAxis() == origin.getAxis() &&
        known.getSide() == origin.getSide() &&
        known.getAnnotation() == origin.getAnnotation()) {
      if (lengthOf(origin) < lengthOf(known))
        known = origin;
      return;
    }
  stories.push_back(origin);
}

bool ProvenanceRecorder::addFromSlot(std::optional<Slot> slot, AxisName axis,
                                     StringRef side) {
  if (!origins || !slot || !origins->has(*slot, axis))
    return false;
  addOrigin(origins->originOf(*slot, axis, side));
  return true;
}

/// The operand, as it is used, and its dimension that `axis` came along to
/// dimension `dim` of `value`.
std::optional<std::pair<Value, unsigned>>
ProvenanceRecorder::sourceOf(Value value, unsigned dim, AxisName axis) {
  std::optional<std::pair<Value, unsigned>> first;
  Operation *op = value.getDefiningOp();
  if (!op)
    op = value.getParentBlock()->getParentOp();
  if (isa<RegionBranchOpInterface>(op)) {
    forEachDataFlowEdge(op, [&](OpOperand &source, Value target) {
      if (target == value && !first && dimSplitOver(source.get(), axis) == dim)
        first = {source.get(), dim};
    });
    return first;
  }
  const ShardingRule *rule = value.getDefiningOp() ? rules.lookup(op) : nullptr;
  if (!rule)
    return std::nullopt;
  unsigned result = cast<OpResult>(value).getResultNumber();
  const auto &factors = rule->tensor(op->getNumOperands() + result).dims[dim];
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<unsigned> split = dimSplitOver(operand.get(), axis);
    if (!split ||
        llvm::none_of(rule->tensor(operand.getOperandNumber()).dims[*split],
                      [&](FactorId factor) {
                        return llvm::is_contained(factors, factor);
                      }))
      continue;
    if (!first)
      first = {operand.get(), *split};
    // One that propagation knows how to trace comes before one that is split
    // in another way than it proposed.
    std::optional<Slot> slot = origins->slotOf(rootOf(operand.get()));
    if (slot && origins->dimOf(*slot, axis) == split)
      return std::pair(operand.get(), *split);
  }
  return first;
}

/// How `axis` came to the dimension of `value` that it splits; null where that
/// is not known. Operations may have been split in another way than propagation
/// proposed: then the axis is followed upwards in the program to where it is
/// split as propagation says. What has been followed once is known.
OriginAttr ProvenanceRecorder::traceDim(Value value, AxisName axis) {
  SmallVector<Value> path;
  std::optional<unsigned> dim = dimSplitOver(value, axis);
  Trace end;
  while (dim) {
    value = rootOf(value);
    if (dimSplitOver(value, axis) != dim)
      break;
    auto [known, isNew] = traces.try_emplace({value, axis.str()});
    if (!isNew) {
      end = known->second;
      path.push_back(value);
      break;
    }
    path.push_back(value);
    std::optional<Slot> slot = origins->slotOf(value);
    if (slot && origins->dimOf(*slot, axis) == dim) {
      end = known->second = {*slot, Value(), 0};
      break;
    }
    auto source = sourceOf(value, *dim, axis);
    if (!source)
      break;
    std::tie(value, dim) = *source;
  }
  if (!end.slot)
    return {};
  for (size_t i = path.size() - 1; i-- > 0;)
    end = traces[{path[i], axis.str()}] = {end.slot, path[i + 1],
                                           end.distance + 1};
  return describeTrace(path.front(), end, axis);
}

/// The story of `axis` at `value`, whose trace is `trace`: that of propagation
/// at the trace's end, and the operations from there.
OriginAttr ProvenanceRecorder::describeTrace(Value value, Trace trace,
                                             AxisName axis) {
  OriginAttr story = origins->originOf(*trace.slot, axis, "producer");
  SmallVector<PlaceAttr> steps;
  unsigned skipped = trace.distance;
  for (unsigned i = 0; trace.next && i < FunctionProvenance::kMaxSteps; ++i) {
    Operation *op = value.getDefiningOp();
    if (!op)
      op = value.getParentBlock()->getParentOp();
    steps.push_back(place(op->getName().getStringRef(), op->getLoc()));
    --skipped;
    value = trace.next;
    trace = traces.at({value, axis.str()});
  }
  return FunctionProvenance::behind(
      story, llvm::to_vector(llvm::reverse(steps)), skipped);
}

bool ProvenanceRecorder::addFromValue(Value value, AxisName axis,
                                      StringRef side) {
  if (!origins)
    return false;
  OriginAttr story = traceDim(value, axis);
  if (!story)
    return addFromSlot(origins->slotOf(rootOf(value)), axis, side);
  addOrigin(OriginAttr::get(story.getContext(), story.getAxis(), side,
                            story.getAnnotation(), story.getSharding(),
                            story.getSteps(), story.getSkipped()));
  return true;
}

/// How `axis` got to the tensors of `op`, but for the operand `except`: to
/// those that are split over it or, if none is, those that should have been.
bool ProvenanceRecorder::addFromTensors(Operation *op, OpOperand *except,
                                        AxisName axis, StringRef side) {
  bool any = false;
  for (OpOperand &operand : op->getOpOperands())
    if (&operand != except && dimSplitOver(operand.get(), axis))
      any |= addFromValue(operand.get(), axis, side);
  if (any)
    return true;
  for (OpOperand &operand : op->getOpOperands())
    if (&operand != except)
      any |= addFromValue(rootOf(operand.get()), axis, side);
  if (!any)
    for (Value result : op->getResults())
      any |= addFromValue(result, axis, side);
  return any;
}

/// How `axis` got to `value`, found by following what is split over the axis
/// upwards in the program to where propagation knows of it: operations may have
/// been split in another way than it proposed, and others be new.
bool ProvenanceRecorder::addFromProgram(Value value, AxisName axis,
                                        StringRef side) {
  SmallVector<Value> reached = {rootOf(value)};
  for (size_t i = 0; i < reached.size() && i < kMaxProgramSteps; ++i) {
    if (addFromValue(reached[i], axis, side))
      return true;
    if (Operation *op = reached[i].getDefiningOp())
      for (Value operand : op->getOperands())
        if (Value root = rootOf(operand);
            usesAxis(operand, axis) && !llvm::is_contained(reached, root))
          reached.push_back(root);
  }
  return false;
}

/// How `axis` got to `value`, which is split or pending over it.
void ProvenanceRecorder::addProducer(Value value, AxisName axis,
                                     bool isPending) {
  if (!isPending && addFromValue(value, axis, "producer"))
    return;
  Value maker = isPending ? pendingOrigin(value, axis) : value;
  Operation *op = maker.getDefiningOp();
  if (!op || !addFromTensors(op, nullptr, axis, "producer"))
    addFromProgram(maker, axis, "producer");
}

/// Why the taker of `use`, a version of `root`, has its own idea of `axis`.
void ProvenanceRecorder::addConsumer(OpOperand &use, Value root,
                                     AxisName axis) {
  if (!origins)
    return;
  Operation *op = use.getOwner();
  std::optional<Slot> taker;
  Value takes;
  if (isa<func::ReturnOp>(op)) {
    taker = origins->slotOfResult(use.getOperandNumber());
  } else {
    Operation *parent = op->getParentOp();
    auto branch = dyn_cast<RegionBranchOpInterface>(op);
    if (!branch && op->hasTrait<OpTrait::IsTerminator>())
      branch = dyn_cast_or_null<RegionBranchOpInterface>(parent);
    if (branch)
      forEachDataFlowEdge(branch, [&](OpOperand &source, Value target) {
        if (&source == &use) {
          taker = origins->slotOf(target);
          takes = target;
        }
      });
    else if (addFromTensors(op, &use, axis, "consumer"))
      return;
  }
  if ((takes && addFromValue(takes, axis, "consumer")) ||
      (taker && addFromSlot(taker, axis, "consumer")))
    return;
  // Nobody there has the axis: somebody may have forbidden it.
  if (taker)
    if (OriginAttr said = origins->annotationOf(*taker, axis, "consumer"))
      return addOrigin(said);
  addOrigin(origins->constraintOf(root, axis, "consumer"));
  for (Value result : op->getResults())
    if (std::optional<Slot> slot = origins->slotOf(result))
      addOrigin(origins->annotationOf(*slot, axis, "consumer"));
}

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

//===----------------------------------------------------------------------===//
// Movements
//===----------------------------------------------------------------------===//

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

  stories.clear();
  for (AxisName axis : pending) {
    maker = pendingOrigin(root, axis);
    addProducer(root, axis, /*isPending=*/true);
  }
  for (AxisName axis : lost)
    addProducer(root, axis, /*isPending=*/false);
  std::string conflict;
  if (use) {
    Axes concerned = lost;
    for (AxisName axis : gained)
      addAxis(concerned, axis);
    for (AxisName axis : concerned)
      addConsumer(*use, root, axis);
    conflict = conflictAt(*use, source, lost);
  }
  auto why = ProvenanceAttr::get(
      function.getContext(), reasonOf(use, !pending.empty()), source, target,
      placeOf(maker), use ? placeOf(*use) : PlaceAttr(), conflict, stories);
  // What the compiler's own loop gives stands where its body makes it.
  Location loc = reshard.getLoc();
  if (describeFile(loc).empty())
    loc = why.getProducer().getLoc();
  reshard->setLoc(withProvenance(loc, why));
  emitRemarkOn(reshard, why);
}

/// Operations that may communicate by themselves carry the stories of all axes
/// of their operands.
void ProvenanceRecorder::recordInside(Operation *op) {
  stories.clear();
  ShardingAttr operand;
  for (Value value : op->getOperands()) {
    ShardingAttr sharding = isa<RankedTensorType>(value.getType())
                                ? getSharding(value)
                                : ShardingAttr();
    if (!sharding || sharding.getValue().usedAxes().empty())
      continue;
    if (!operand)
      operand = sharding;
    for (AxisName axis : axesOf(sharding.getValue().usedAxes()))
      addProducer(rootOf(value), axis, /*isPending=*/false);
  }
  if (!operand || op->getNumResults() == 0)
    return;
  ShardingAttr result = getSharding(op->getResult(0));
  if (!result)
    return;
  PlaceAttr self = place(op->getName().getStringRef(), op->getLoc());
  op->setLoc(withProvenance(op->getLoc(),
                            ProvenanceAttr::get(function.getContext(), "inside",
                                                operand, result, self,
                                                PlaceAttr(), "", stories)));
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
  stories.clear();
  for (AxisName axis : axesOf(op.getAxes().getAxes()))
    for (ManualComputationOp region = innermost; region;
         region = region->getParentOfType<ManualComputationOp>())
      if (hasAxis(region.getAxes().getAxes(), axis)) {
        if (ShardingAttr said = shardingByHand(region, axis))
          addOrigin(OriginAttr::get(
              function.getContext(), axis.str(), "region",
              place("manual computation", region.getLoc()), said, {}, 0));
        break;
      }
  op->setLoc(withProvenance(
      op->getLoc(),
      ProvenanceAttr::get(function.getContext(), "written", source, target,
                          place(op->getName().getStringRef(), op->getLoc()),
                          place("manual computation", innermost.getLoc()), "",
                          stories)));
}

void ProvenanceRecorder::recordMovements() {
  walkProgram(function, [&](Operation *op) {
    if (auto reshard = dyn_cast<ReshardOp>(op))
      recordReshard(reshard);
    else if (auto collective = dyn_cast<spmd::CollectiveOpInterface>(op))
      recordWritten(collective);
    else if (isa<LocalComputationInterface>(op))
      recordInside(op);
  });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Why `value` is sharded as it is; null for what is no tensor.
ProvenanceAttr ProvenanceRecorder::valueProvenance(Value value) {
  ShardingAttr sharding = isa<RankedTensorType>(value.getType())
                              ? getSharding(value)
                              : ShardingAttr();
  if (!sharding)
    return {};
  stories.clear();
  for (AxisName axis : axesOf(sharding.getValue().unreduced))
    addProducer(value, axis, /*isPending=*/true);
  for (const DimSharding &dim : sharding.getValue().dims)
    for (AxisName axis : axesOf(dim.axes))
      addProducer(value, axis, /*isPending=*/false);
  return ProvenanceAttr::get(function.getContext(), "value", sharding, sharding,
                             placeOf(value), PlaceAttr(), "", stories);
}

ProvenanceAttr ProvenanceRecorder::resultProvenance(unsigned result) {
  auto sharding = function.getResultAttrOfType<ShardingAttr>(
      result, TesseraDialect::kShardingAttr);
  if (!sharding)
    return {};
  stories.clear();
  if (origins)
    for (const DimSharding &dim : sharding.getValue().dims)
      for (AxisName axis : axesOf(dim.axes))
        addFromSlot(origins->slotOfResult(result), axis, "producer");
  return ProvenanceAttr::get(
      function.getContext(), "value", sharding, sharding,
      place(boundaryName("result", result, function.getResultAttrDict(result)),
            function.getLoc()),
      PlaceAttr(), "", stories);
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
    : tessera::impl::RecordProvenanceBase<RecordProvenance> {
  using RecordProvenanceBase::RecordProvenanceBase;

  void runOnOperation() override {
    auto origins = getCachedAnalysis<ShardingProvenance>();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      ProvenanceRecorder recorder(
          function, origins ? origins->get().lookup(function) : nullptr);
      recorder.recordMovements();
      if (values)
        recorder.recordValues();
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
