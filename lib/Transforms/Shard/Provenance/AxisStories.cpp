//===- AxisStories.cpp - how axes came to values --------------------------===//

#include "Provenance/AxisStories.h"

#include "Provenance/ProvenancePlaces.h"

#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/DataFlow.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// A pending sum, or an axis that propagation does not know of, is followed
/// through at most so many operations.
static constexpr unsigned kMaxProgramSteps = 64;
/// At most so many annotations are named beside those that stories tell of.
static constexpr unsigned kMaxOthers = 16;

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

bool tessera::shard::hasAxis(ArrayRef<AxisRef> axes, AxisName name) {
  return llvm::any_of(axes,
                      [&](const AxisRef &axis) { return axis.name == name; });
}

ShardingAttr tessera::shard::tensorShardingOf(Value value) {
  return isa<RankedTensorType>(value.getType()) ? getSharding(value)
                                                : ShardingAttr();
}

static bool usesAxis(Value value, AxisName axis) {
  ShardingAttr sharding = tensorShardingOf(value);
  return sharding && hasAxis(sharding.getValue().usedAxes(), axis);
}

/// The dimension of `value` that is split over `axis`.
static std::optional<unsigned> dimSplitOver(Value value, AxisName axis) {
  ShardingAttr sharding = tensorShardingOf(value);
  if (sharding)
    for (auto [number, dim] : llvm::enumerate(sharding.getValue().dims))
      if (hasAxis(dim.axes, axis))
        return number;
  return std::nullopt;
}

static bool isPendingOver(Value value, AxisName axis) {
  ShardingAttr sharding = tensorShardingOf(value);
  return sharding && hasAxis(sharding.getValue().unreduced, axis);
}

//===----------------------------------------------------------------------===//
// Pending sums
//===----------------------------------------------------------------------===//

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
static Value pendingOrigin(Value value, AxisName axis) {
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

//===----------------------------------------------------------------------===//
// Stories
//===----------------------------------------------------------------------===//

static int64_t lengthOf(OriginAttr origin) {
  return origin.getSteps().size() + origin.getSkipped();
}

AxisStories::AxisStories(func::FuncOp function,
                         const FunctionProvenance *origins, RuleCache &rules)
    : origins(origins), rules(rules) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (std::optional<unsigned> donated = getDonatedResult(function, i)) {
      std::string name =
          boundaryName("argument", i, function.getArgAttrDict(i));
      std::string pattern = withoutLayerNumbers(name);
      argumentOf[boundaryName("result", *donated,
                              function.getResultAttrDict(*donated))] = {
          std::move(name), std::move(pattern)};
    }
}

/// The story of `axis` at `slot`; what else would have brought it is noted.
OriginAttr AxisStories::originOf(Slot slot, AxisName axis, StringRef side) {
  Others noted{&origins->causesOf(slot, axis), axis, side};
  if (!llvm::is_contained(others, noted))
    others.push_back(noted);
  return origins->originOf(slot, axis, side);
}

static std::string storyKey(StringRef axis, StringRef side, const Twine &what) {
  return (axis + "|" + side + "|" + what).str();
}

/// What the arguments are called, but for the numbers of layers, that are
/// donated to the results `alike`; empty unless all are and have one name.
StringRef AxisStories::argumentsOf(const FunctionProvenance::Alike &alike) {
  auto [known, isNew] = argumentsOfAlike.try_emplace(&alike);
  if (isNew)
    for (unsigned number : alike.annotations) {
      auto argument =
          argumentOf.find(origins->annotation(number).place.getWhat());
      StringRef pattern = argument == argumentOf.end()
                              ? ""
                              : StringRef(argument->second.pattern);
      if (number == alike.annotations.front())
        known->second = pattern.str();
      else if (pattern != known->second)
        known->second.clear();
      if (known->second.empty())
        break;
    }
  return known->second;
}

/// Of `alike` the first annotation that no story tells of, nor names as one of
/// what is donated to it; null if there is none.
const FunctionProvenance::Annotation *
AxisStories::firstUntold(const FunctionProvenance::Alike &alike,
                         const Others &other, const llvm::StringSet<> &told,
                         const llvm::StringSet<> &named) {
  auto isIn = [&](const llvm::StringSet<> &set, StringRef what) {
    return set.contains(storyKey(other.axis.str(), other.side, what));
  };
  if (StringRef arguments = argumentsOf(alike);
      !arguments.empty() && isIn(named, arguments))
    return nullptr;
  for (unsigned number : alike.annotations) {
    const FunctionProvenance::Annotation &said = origins->annotation(number);
    StringRef what = said.place.getWhat();
    auto argument = argumentOf.find(what);
    if (!isIn(told, what) && (argument == argumentOf.end() ||
                              (!isIn(told, argument->second.name) &&
                               !isIn(named, argument->second.pattern))))
      return &said;
  }
  return nullptr;
}

SmallVector<OriginAttr, 4> AxisStories::take() {
  // What is told, by axis, side, and what the annotation is called.
  llvm::StringSet<> told, named;
  for (OriginAttr story : stories)
    told.insert(storyKey(story.getAxis(), story.getSide(),
                         story.getAnnotation().getWhat()));
  for (const Others &other : std::exchange(others, {}))
    for (const FunctionProvenance::Alike &alike : *other.causes) {
      std::string key = storyKey(other.axis.str(), other.side,
                                 Twine(alike.pattern) + alike.place);
      if (named.size() > kMaxOthers || named.contains(key))
        continue;
      auto *said = firstUntold(alike, other, told, named);
      if (!said)
        continue;
      named.insert(key);
      MLIRContext *context = said->place.getContext();
      stories.push_back(OriginAttr::get(
          context, other.axis.str(), (other.side + kAsWell).str(),
          PlaceAttr::get(context, alike.pattern, said->place.getLoc()),
          said->sharding, {}, 0));
    }
  return std::exchange(stories, {});
}

void AxisStories::add(OriginAttr origin) {
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

bool AxisStories::addFromSlot(std::optional<Slot> slot, AxisName axis,
                              StringRef side) {
  if (!origins || !slot || !origins->has(*slot, axis))
    return false;
  add(originOf(*slot, axis, side));
  return true;
}

/// The operand, as it is used, and its dimension that `axis` came along to
/// dimension `dim` of `value`.
std::optional<std::pair<Value, unsigned>>
AxisStories::sourceOf(Value value, unsigned dim, AxisName axis) {
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
OriginAttr AxisStories::traceDim(Value value, AxisName axis, StringRef side) {
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
  return describeTrace(path.front(), end, axis, side);
}

/// The story of `axis` at `value`, whose trace is `trace`: that of propagation
/// at the trace's end, and the operations from there.
OriginAttr AxisStories::describeTrace(Value value, Trace trace, AxisName axis,
                                      StringRef side) {
  OriginAttr story = originOf(*trace.slot, axis, side);
  SmallVector<PlaceAttr> steps;
  unsigned skipped = trace.distance;
  for (unsigned i = 0; trace.next && i < FunctionProvenance::kMaxSteps; ++i) {
    Operation *op = value.getDefiningOp();
    if (!op)
      op = value.getParentBlock()->getParentOp();
    steps.push_back(placeOf(op));
    --skipped;
    value = trace.next;
    trace = traces.at({value, axis.str()});
  }
  return FunctionProvenance::behind(
      story, llvm::to_vector(llvm::reverse(steps)), skipped);
}

bool AxisStories::addFromValue(Value value, AxisName axis, StringRef side) {
  if (!origins)
    return false;
  OriginAttr story = traceDim(value, axis, side);
  if (!story)
    return addFromSlot(origins->slotOf(rootOf(value)), axis, side);
  add(story);
  return true;
}

/// How `axis` got to the tensors of `op`, but for the operand `except`: to
/// those that are split over it or, if none is, those that should have been.
bool AxisStories::addFromTensors(Operation *op, OpOperand *except,
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
bool AxisStories::addFromProgram(Value value, AxisName axis, StringRef side) {
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

/// How `axis` got to the tensors of what made `value`.
void AxisStories::addFromMaker(Value value, AxisName axis) {
  Operation *op = value.getDefiningOp();
  if (!op || !addFromTensors(op, nullptr, axis, "producer"))
    addFromProgram(value, axis, "producer");
}

void AxisStories::addProducer(Value value, AxisName axis) {
  if (!addFromValue(value, axis, "producer"))
    addFromMaker(value, axis);
}

Value AxisStories::addPendingProducer(Value value, AxisName axis) {
  Value maker = pendingOrigin(value, axis);
  addFromMaker(maker, axis);
  return maker;
}

void AxisStories::addResult(unsigned result, AxisName axis) {
  if (origins)
    addFromSlot(origins->slotOfResult(result), axis, "producer");
}

/// Adds the annotation from which the use of a value got `axis`: through the
/// slot it is passed on to, or the tensors of the operation that reads it.
/// Where nobody there has the axis, adds the annotations that may forbid it.
void AxisStories::addConsumer(OpOperand &use, Value root, AxisName axis) {
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
      return add(said);
  add(origins->constraintOf(root, axis, "consumer"));
  for (Value result : op->getResults())
    if (std::optional<Slot> slot = origins->slotOf(result))
      add(origins->annotationOf(*slot, axis, "consumer"));
}
