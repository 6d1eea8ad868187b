//===- PlanResolver.cpp - a rule becomes a sharding -----------------------===//

#include "PlanResolver.h"

#include "tessera/Support/NearestName.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

Location PlanResolver::locationOf(PlanPlace place) const {
  return FileLineColLoc::get(&context, plan.path, place.line, place.column);
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// Those of the mesh that are called `names`; axes of one device split nothing.
FailureOr<AxisList> PlanResolver::meshAxes(ArrayRef<PlanName> names) const {
  AxisList axes;
  for (const PlanName &name : names) {
    std::optional<unsigned> found = mesh.findAxis(AxisName(name.text));
    if (!found) {
      std::vector<std::string> known;
      for (const MeshAxis &axis : mesh.axes)
        known.push_back(axis.name.str().str());
      for (const LogicalAxis &axis : plan.axes)
        known.push_back(axis.name.text);
      return error(name.place)
                 << "unknown axis '" << name.text << "', expected one of "
                 << llvm::join(known, ", ") << didYouMean(name.text, known),
             failure();
    }
    if (mesh.axes[*found].size > 1)
      axes.push_back(AxisRef(mesh.axes[*found].name));
  }
  return axes;
}

/// Whether `axis` is in `list`.
static bool isTaken(const AxisList &list, const AxisRef &axis) {
  return llvm::is_contained(list, axis);
}

/// The mesh axes that `names` stand for where `used` are taken: a logical name
/// is its first candidate that is free and that the mesh has.
FailureOr<AxisList> PlanResolver::pickAxes(ArrayRef<PlanName> names,
                                           const AxisList &used) const {
  AxisList picked;
  for (const PlanName &name : names) {
    auto logical = llvm::find_if(plan.axes, [&](const LogicalAxis &axis) {
      return axis.name.text == name.text;
    });
    if (logical == plan.axes.end()) {
      FailureOr<AxisList> axes = meshAxes(name);
      if (failed(axes))
        return failure();
      llvm::append_range(picked, *axes);
      continue;
    }
    for (ArrayRef<PlanName> candidate : logical->candidates) {
      AxisList axes;
      bool isFree = llvm::all_of(candidate, [&](const PlanName &axis) {
        std::optional<unsigned> found = mesh.findAxis(AxisName(axis.text));
        if (!found)
          return false;
        AxisRef ref(mesh.axes[*found].name);
        if (mesh.axes[*found].size > 1)
          axes.push_back(ref);
        return !isTaken(used, ref) && !isTaken(picked, ref);
      });
      if (!isFree)
        continue;
      llvm::append_range(picked, axes);
      break;
    }
  }
  return picked;
}

/// Fails at `place` if `axis` is one of `used`.
LogicalResult PlanResolver::expectFree(const AxisRef &axis,
                                       const AxisList &used,
                                       PlanPlace place) const {
  if (!isTaken(used, axis))
    return success();
  return error(place) << "expected each axis once in a sharding, got '"
                      << axis.name.str() << "' twice";
}

/// Splits dimension `dim` over `axes`, too, inside of what it is split over.
LogicalResult PlanResolver::split(TensorSharding &sharding, int64_t dim,
                                  ArrayRef<AxisRef> axes,
                                  PlanPlace place) const {
  for (const AxisRef &axis : axes) {
    if (failed(expectFree(axis, sharding.usedAxes(), place)))
      return failure();
    sharding.dims[dim].axes.push_back(axis);
  }
  return success();
}

/// Warns of dimensions of `shape` that the parts of `sharding` do not divide.
void PlanResolver::warnOfUneven(const TensorSharding &sharding,
                                ArrayRef<int64_t> shape, StringRef name,
                                PlanPlace place) const {
  for (int64_t dim = 0; dim < sharding.rank(); ++dim)
    if (int64_t shards = sharding.numShards(dim, mesh); shape[dim] % shards)
      emitWarning(locationOf(place))
          << "dimension " << dim << " of " << name << ", of size " << shape[dim]
          << ", does not divide into " << shards << " parts, and is padded";
}

//===----------------------------------------------------------------------===//
// Specs and placements
//===----------------------------------------------------------------------===//

FailureOr<TensorSharding> PlanResolver::resolveSpec(ArrayRef<PlanDim> spec,
                                                    PlanPlace place,
                                                    ArrayRef<int64_t> shape,
                                                    StringRef name) const {
  auto rest = llvm::find_if(spec, [](const PlanDim &d) { return d.isRest; });
  size_t given = spec.size() - (rest != spec.end());
  if (given > shape.size())
    return error(place) << "expected a spec of at most " << shape.size()
                        << " dimensions for " << name << ", got " << given,
           failure();
  TensorSharding sharding = TensorSharding::getReplicated(shape.size());
  size_t first = rest - spec.begin(), skipped = shape.size() - given;
  for (auto [index, dim] : llvm::enumerate(spec)) {
    if (dim.isRest)
      continue;
    int64_t number = index < first ? index : index - 1 + skipped;
    FailureOr<AxisList> axes = pickAxes(dim.axes, sharding.usedAxes());
    if (failed(axes) || failed(split(sharding, number, *axes, place)))
      return failure();
    sharding.dims[number].open = dim.open;
    // What is closed and not split has no priority.
    if (dim.open || !axes->empty())
      sharding.dims[number].priority = dim.priority;
  }
  warnOfUneven(sharding, shape, name, place);
  return sharding;
}

/// Puts `axis` among `axes`, which later ones of the mesh have been put into:
/// in front, or behind `factor` parts of them.
static bool nest(AxisList &axes, AxisRef axis, int64_t factor,
                 const Mesh &mesh) {
  for (size_t i = 0; i <= axes.size(); ++i)
    if (totalSize(ArrayRef(axes).take_front(i), mesh) == factor) {
      axes.insert(axes.begin() + i, axis);
      return true;
    }
  return false;
}

/// A DTensor's placements, per mesh axis: axes that split one dimension nest in
/// the order of the mesh, but for strided ones.
FailureOr<TensorSharding>
PlanResolver::resolvePlacements(const PlanRule &rule,
                                const PlannedTensor &tensor) const {
  TensorSharding sharding =
      TensorSharding::getReplicated(tensor.type.getRank());
  std::vector<const PlanPlacement *> byAxis(mesh.axes.size(), nullptr);
  for (auto [index, placement] : llvm::enumerate(*rule.placements)) {
    unsigned number = index;
    if (!placement.axis.empty()) {
      if (failed(meshAxes(PlanName{placement.axis, placement.place})))
        return failure();
      number = *mesh.findAxis(AxisName(placement.axis));
    } else if (number >= byAxis.size()) {
      return error(placement.place)
                 << "expected at most " << byAxis.size()
                 << " placements, one for each axis of the mesh",
             failure();
    }
    byAxis[number] = &placement;
  }
  for (size_t i = byAxis.size(); i-- > 0;) {
    const PlanPlacement *placement = byAxis[i];
    if (!placement || !placement->dim || mesh.axes[i].size == 1)
      continue;
    int64_t rank = tensor.type.getRank();
    int64_t dim = *placement->dim + (*placement->dim < 0 ? rank : 0);
    if (dim < 0 || dim >= rank)
      return error(placement->place)
                 << "expected a dimension of " << tensor.name
                 << ", which has rank " << rank << ", got " << *placement->dim,
             failure();
    if (!nest(sharding.dims[dim].axes, AxisRef(mesh.axes[i].name),
              placement->splitFactor, mesh))
      return error(placement->place)
                 << "expected a split factor that is the size of later axes "
                    "of the mesh on this dimension, got "
                 << placement->splitFactor,
             failure();
  }
  warnOfUneven(sharding, tensor.type.getShape(), tensor.name, rule.action);
  return sharding;
}

//===----------------------------------------------------------------------===//
// Styles
//===----------------------------------------------------------------------===//

/// The dimensions that `style` may split, most wanted first.
static SmallVector<int64_t> candidateDims(const PlanStyle &style,
                                          const PlannedTensor &tensor,
                                          const ParameterUse &use) {
  auto dimsWith = [&](DimUse wanted) {
    SmallVector<int64_t> dims;
    for (auto [dim, is] : llvm::enumerate(use.dims))
      // Parts of equal meaning that are a dimension of their own stay whole.
      if (is == wanted &&
          (style.parts == 1 || tensor.type.getDimSize(dim) != style.parts))
        dims.push_back(dim);
    return dims;
  };
  switch (style.kind) {
  case StyleKind::Colwise:
    return dimsWith(DimUse::Free);
  case StyleKind::Experts:
    return dimsWith(DimUse::Batch);
  case StyleKind::Rowwise: {
    SmallVector<int64_t> dims = dimsWith(DimUse::Contracted);
    return dims.empty() ? dimsWith(DimUse::LookedUp) : dims;
  }
  case StyleKind::Vocab: {
    SmallVector<int64_t> dims = dimsWith(DimUse::LookedUp);
    return dims.empty() ? dimsWith(DimUse::Free) : dims;
  }
  case StyleKind::Sequence:
  case StyleKind::Replicate:
    return {};
  }
  llvm_unreachable("all styles are named");
}

static StringRef wantedBy(StyleKind kind) {
  switch (kind) {
  case StyleKind::Colwise:
    return "free";
  case StyleKind::Rowwise:
    return "contracted";
  case StyleKind::Experts:
    return "batch";
  default:
    return "looked up";
  }
}

/// The dimension of `tensor` that the style of `rule` splits, or -1 for none.
FailureOr<int64_t> PlanResolver::styledDim(const PlanRule &rule,
                                           const PlannedTensor &tensor,
                                           const ParameterUse *use,
                                           int64_t shards) const {
  const PlanStyle &style = *rule.style;
  if (style.kind == StyleKind::Replicate)
    return -1;
  if (style.kind == StyleKind::Sequence)
    return tensor.role == TensorRole::Batch && tensor.type.getRank() > 1 ? 1
                                                                         : -1;
  if (!use || !use->consumer)
    return error(rule.action)
               << "expected a product that takes " << tensor.name
               << ", which tells its rows from its columns; a spec says them "
                  "without",
           failure();
  SmallVector<int64_t> dims = candidateDims(style, tensor, *use);
  // A bias is added to whole rows of what is summed over all devices.
  if (dims.empty() && use->isBeside)
    return -1;
  if (dims.empty()) {
    InFlightDiagnostic diagnostic = error(rule.action)
                                    << "expected a " << wantedBy(style.kind)
                                    << " dimension of " << tensor.name
                                    << " in what takes it";
    diagnostic.attachNote(use->consumer->getLoc()) << "it is taken here";
    return failure();
  }
  // Parts that are no dimension of their own lie in the one that is split.
  if (!llvm::is_contained(tensor.type.getShape(), style.parts)) {
    int64_t first = tensor.type.getDimSize(dims.front());
    llvm::erase_if(dims, [&](int64_t dim) {
      return tensor.type.getDimSize(dim) % style.parts != 0;
    });
    if (dims.empty())
      return error(rule.action)
                 << "expected a dimension of " << tensor.name << " of "
                 << style.parts << " equal parts, got " << first,
             failure();
  }
  for (int64_t dim : dims)
    if (tensor.type.getDimSize(dim) % shards == 0)
      return dim;
  return dims.front();
}

FailureOr<TensorSharding>
PlanResolver::resolveStyle(const PlanRule &rule, const PlannedTensor &tensor,
                           const ParameterUse *use) const {
  const PlanStyle &style = *rule.style;
  TensorSharding sharding =
      TensorSharding::getReplicated(tensor.type.getRank());
  FailureOr<AxisList> axes = pickAxes(style.axes, {});
  if (failed(axes))
    return failure();
  int64_t shards = totalSize(*axes, mesh);
  FailureOr<int64_t> dim = styledDim(rule, tensor, use, shards);
  if (failed(dim))
    return failure();
  if (*dim < 0) {
    if (style.kind == StyleKind::Replicate && !style.axes.empty()) {
      for (DimSharding &open : sharding.dims)
        open.open = true;
      for (auto [index, axis] : llvm::enumerate(*axes))
        if (failed(expectFree(axis, AxisList(ArrayRef(*axes).take_front(index)),
                              rule.action)))
          return failure();
      sharding.replicated = canonicalSet(*axes, mesh);
    }
    return sharding;
  }
  if (failed(split(sharding, *dim, *axes, rule.action)))
    return failure();
  warnOfUneven(sharding, tensor.type.getShape(), tensor.name, rule.action);
  return sharding;
}

//===----------------------------------------------------------------------===//
// All of a rule
//===----------------------------------------------------------------------===//

LogicalResult PlanResolver::addFsdp(const PlanFsdp &fsdp,
                                    const PlannedTensor &tensor,
                                    const ParameterUse *use,
                                    TensorSharding &sharding) const {
  FailureOr<AxisList> axes = pickAxes(fsdp.axes, sharding.usedAxes());
  if (failed(axes))
    return failure();
  if (axes->empty() || tensor.bytes() < fsdp.minBytes ||
      tensor.type.getRank() == 0)
    return success();
  ArrayRef<int64_t> shape = tensor.type.getShape();
  int64_t shards = totalSize(*axes, mesh), best = -1;
  // Not over what a loop takes one after another, if there is anything else.
  auto worth = [&](int64_t dim) {
    bool isTaken = use && use->consumer && use->dims[dim] == DimUse::None;
    return std::tuple(!isTaken, sharding.dims[dim].axes.empty(), shape[dim]);
  };
  for (int64_t dim = 0; dim < tensor.type.getRank(); ++dim)
    if (shape[dim] > 0 &&
        shape[dim] % (sharding.numShards(dim, mesh) * shards) == 0 &&
        (best < 0 || worth(dim) > worth(best)))
      best = dim;
  if (best >= 0)
    return split(sharding, best, *axes, fsdp.axes.front().place);
  emitWarning(locationOf(fsdp.axes.front().place))
      << "no dimension of " << tensor.name << " divides into " << shards
      << " parts: it stays whole over these axes";
  return success();
}

FailureOr<TensorSharding> PlanResolver::resolve(const PlanRule &rule,
                                                const PlannedTensor &tensor,
                                                const ParameterUse *use) const {
  int64_t rank = tensor.type.getRank();
  FailureOr<TensorSharding> sharding = TensorSharding::getReplicated(rank);
  if (rank == 0)
    return sharding;
  if (rule.spec)
    sharding = resolveSpec(*rule.spec, rule.action, tensor.type.getShape(),
                           tensor.name);
  else if (rule.style)
    sharding = resolveStyle(rule, tensor, use);
  else if (rule.placements)
    sharding = resolvePlacements(rule, tensor);
  if (failed(sharding) ||
      (rule.fsdp && failed(addFsdp(*rule.fsdp, tensor, use, *sharding))))
    return failure();
  return sharding;
}
