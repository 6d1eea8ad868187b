//===- ShardingProvenance.cpp - where shardings came from -----------------===//

#include "Provenance/ShardingProvenance.h"

#include "tessera/Dialect/Tessera/Why.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

void FunctionProvenance::add(Slot slot, Arrival arrival) {
  if (slot >= arrivals.size())
    arrivals.resize(slot + 1);
  if (find(slot, arrival.axis))
    return;
  causesOfSets.clear();
  arrival.number = sets.size();
  sets.push_back(arrival.number);
  if (arrival.depth == 0)
    causes.push_back({arrival.number, arrival.annotation});
  arrivals[slot].push_back(arrival);
}

unsigned FunctionProvenance::setOf(unsigned arrival) const {
  while (sets[arrival] != arrival)
    arrival = sets[arrival] = sets[sets[arrival]];
  return arrival;
}

void FunctionProvenance::addMeeting(Slot a, Slot b, AxisName axis) {
  const Arrival *first = find(a, axis), *second = find(b, axis);
  causesOfSets.clear();
  if (first && second)
    sets[setOf(first->number)] = setOf(second->number);
}

const SmallVector<FunctionProvenance::Alike, 0> &
FunctionProvenance::causesOf(Slot slot, AxisName axis) const {
  if (causesOfSets.empty()) {
    llvm::StringMap<unsigned> numbers;
    for (const Cause &cause : causes) {
      unsigned set = setOf(cause.arrival);
      PlaceAttr place = annotations[cause.annotation].place;
      std::string pattern = withoutLayerNumbers(place.getWhat());
      std::string where =
          place.getWhat() == "constraint" ? describeFile(place.getLoc()) : "";
      auto &alike = causesOfSets[set];
      auto [number, isNew] = numbers.try_emplace(
          (Twine(set) + "|" + pattern + "|" + where).str(), alike.size());
      if (isNew)
        alike.push_back({std::move(pattern), std::move(where), {}});
      alike[number->second].annotations.push_back(cause.annotation);
    }
  }
  static const SmallVector<Alike, 0> none;
  auto found = causesOfSets.find(setOf(find(slot, axis)->number));
  return found == causesOfSets.end() ? none : found->second;
}

void FunctionProvenance::addAnnotation(Slot slot, PlaceAttr place,
                                       ShardingAttr sharding) {
  unsigned number = annotations.size();
  annotations.push_back({place, sharding});
  annotationOfSlot.try_emplace(slot, number);
  for (auto [dim, split] : llvm::enumerate(sharding.getValue().dims))
    for (const AxisRef &axis : split.axes)
      add(slot, {axis.name, number, dim});
  for (const AxisRef &axis : sharding.getValue().unreduced)
    add(slot, {axis.name, number, std::nullopt});
}

void FunctionProvenance::addArrival(Slot slot, AxisName axis, unsigned dim,
                                    Slot source, unsigned node) {
  if (const Arrival *before = find(source, axis))
    add(slot, {axis, before->annotation, dim, before->depth + 1, node, source});
}

/// Calls `visit` for each operation with results in `function`, and for each
/// argument of a region alone, with its name, values and location, outside in;
/// what it returns is the location from then on.
static void
visitLocations(Operation *function,
               function_ref<Location(StringRef, ValueRange, Location)> visit) {
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != function && op->getNumResults() != 0)
      op->setLoc(
          visit(op->getName().getStringRef(), op->getResults(), op->getLoc()));
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        argument.setLoc(visit("", argument, argument.getLoc()));
  });
}

void FunctionProvenance::setValues(Operation *function,
                                   DenseMap<Value, Slot> slotsOfValues,
                                   ArrayRef<Slot> slotsOfResults) {
  values = std::move(slotsOfValues);
  results.assign(slotsOfResults.begin(), slotsOfResults.end());
  visitLocations(function, [&](StringRef name, ValueRange made, Location loc) {
    if (llvm::none_of(made, [&](Value value) {
          return values.contains(value) || constraints.contains(value);
        }))
      return loc;
    numbered.push_back({name, llvm::to_vector<1>(made)});
    return Location(OpaqueLoc::get(numbered.size() - 1,
                                   TypeID::get<FunctionProvenance>(), loc));
  });
}

void FunctionProvenance::findValues(Operation *function) {
  DenseMap<Value, Slot> found;
  DenseMap<Value, SmallVector<unsigned, 1>> foundConstraints;
  visitLocations(function, [&](StringRef name, ValueRange made, Location loc) {
    auto number = dyn_cast<OpaqueLoc>(loc);
    if (!number ||
        number.getUnderlyingTypeID() != TypeID::get<FunctionProvenance>())
      return loc;
    Numbered &before = numbered[number.getUnderlyingLocation()];
    if (before.name == name && before.values.size() == made.size()) {
      for (auto [old, value] : llvm::zip_equal(before.values, made)) {
        if (auto slot = values.find(old); slot != values.end())
          found[value] = slot->second;
        if (auto said = constraints.find(old); said != constraints.end())
          foundConstraints[value] = said->second;
      }
      // Others of this number are copies.
      before.values.clear();
    }
    return number.getFallbackLocation();
  });
  values = std::move(found);
  constraints = std::move(foundConstraints);
}

std::optional<unsigned> FunctionProvenance::dimOf(Slot slot,
                                                  AxisName axis) const {
  const Arrival *arrival = find(slot, axis);
  return arrival ? arrival->dim : std::nullopt;
}

const FunctionProvenance::Arrival *
FunctionProvenance::find(Slot slot, AxisName axis) const {
  if (slot >= arrivals.size())
    return nullptr;
  auto found = llvm::find_if(arrivals[slot], [&](const Arrival &arrival) {
    return arrival.axis == axis;
  });
  return found == arrivals[slot].end() ? nullptr : found;
}

std::optional<FunctionProvenance::Slot>
FunctionProvenance::slotOf(Value value) const {
  auto entry = values.find(value);
  return entry == values.end() ? std::nullopt : std::optional(entry->second);
}

std::optional<FunctionProvenance::Slot>
FunctionProvenance::slotOfResult(unsigned result) const {
  return result < results.size() ? std::optional(results[result])
                                 : std::nullopt;
}

OriginAttr FunctionProvenance::describe(const Annotation &annotation,
                                        AxisName axis, StringRef side) const {
  return OriginAttr::get(annotation.place.getContext(), axis.str(), side,
                         annotation.place, annotation.sharding, {}, 0);
}

OriginAttr FunctionProvenance::annotationOf(Slot slot, AxisName axis,
                                            StringRef side) const {
  auto entry = annotationOfSlot.find(slot);
  return entry == annotationOfSlot.end()
             ? OriginAttr()
             : describe(annotations[entry->second], axis, side);
}

OriginAttr FunctionProvenance::constraintOf(Value value, AxisName axis,
                                            StringRef side) const {
  auto entry = constraints.find(value);
  if (entry == constraints.end())
    return {};
  for (unsigned number : entry->second)
    if (llvm::none_of(annotations[number].sharding.getValue().usedAxes(),
                      [&](const AxisRef &used) { return used.name == axis; }))
      return describe(annotations[number], axis, side);
  return {};
}

OriginAttr FunctionProvenance::originOf(Slot slot, AxisName axis,
                                        StringRef side) const {
  const Arrival *arrival = find(slot, axis);
  const Annotation &annotation = annotations[arrival->annotation];
  MLIRContext *context = annotation.place.getContext();
  unsigned skipped = arrival->depth - std::min(arrival->depth, kMaxSteps);
  SmallVector<PlaceAttr> steps;
  while (arrival->depth > skipped) {
    const Node &node = nodes[arrival->node];
    steps.push_back(PlaceAttr::get(context, node.what, node.loc));
    arrival = find(arrival->source, axis);
  }
  std::reverse(steps.begin(), steps.end());
  return OriginAttr::get(context, axis.str(), side, annotation.place,
                         annotation.sharding, steps, skipped);
}

OriginAttr FunctionProvenance::behind(OriginAttr story,
                                      ArrayRef<PlaceAttr> steps,
                                      unsigned skipped) {
  if (steps.empty())
    return story;
  SmallVector<PlaceAttr> all(story.getSteps());
  all.append(steps.begin(), steps.end());
  // Those that are skipped stand between the two, so that none before them is
  // named.
  size_t dropped = skipped > 0
                       ? all.size() - steps.size()
                       : all.size() - std::min<size_t>(all.size(), kMaxSteps);
  all.erase(all.begin(), all.begin() + dropped);
  return OriginAttr::get(story.getContext(), story.getAxis(), story.getSide(),
                         story.getAnnotation(), story.getSharding(), all,
                         story.getSkipped() + dropped + skipped);
}
