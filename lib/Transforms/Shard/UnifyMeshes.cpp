//===- UnifyMeshes.cpp - several meshes over the same devices -------------===//
//
// One mesh is chosen on which all shardings of the module can be expressed (see
// `MeshTranslation.h`): one of the module's, one of these with its axes cut
// where others end or, if none of them will do, a mesh of a single axis, whose
// parts can stand for any row-major grid.
//
// Where meshes list the devices in orders that no axes of one mesh express, the
// devices of some are taken in the order of the one that remains: what lies on
// position i of theirs lies on position i of that one, on another device.
// Within the program nobody can tell, and nothing moves between two orders. But
// an argument or result that a user shards on such a mesh stays where it was:
// `tessera.device_order` says so, and the devices exchange their parts at the
// boundary. Of all meshes that could remain, the one is taken with the least to
// exchange.
//
// A line stands for all grids, but what is by hand stays whole axes. So where
// regions are over some axes of grids without common cuts (2 x 3 beside 3 x 2),
// one mesh is cut into axes of prime sizes, and the others take their devices
// in an order in which their axes, and the parts in use, are made of these.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tessera/DeviceOrder.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Sharding/Algebra/AxisFit.h"
#include "tessera/Sharding/Algebra/MeshTranslation.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

namespace tessera::shard {
#define GEN_PASS_DEF_UNIFYMESHES
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-unify-meshes"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {

/// An argument or result of a function, with its sharding.
struct BoundaryTensor {
  func::FuncOp function;
  bool isResult;
  unsigned number;
  ShardingAttr sharding;

  DictionaryAttr attributes() const {
    func::FuncOp holder = function;
    return isResult ? holder.getResultAttrDict(number)
                    : holder.getArgAttrDict(number);
  }
  RankedTensorType type() const {
    FunctionType type = func::FuncOp(function).getFunctionType();
    return cast<RankedTensorType>(isResult ? type.getResult(number)
                                           : type.getInput(number));
  }
};

/// One mesh instead of all.
struct Unification {
  StringAttr name;
  Mesh mesh;
  /// The one that it is or that it was made of.
  MeshOp like;
  /// Whether its axes have prime sizes, so that any grid can be arranged on it.
  bool isPrime = false;
  /// The other meshes, some of them in the order of `mesh`.
  DenseMap<StringAttr, Mesh> others;
  unsigned numReordered = 0;
  /// What shardings and lists of axes are on `mesh`.
  DenseMap<Attribute, Attribute> translations;
  /// The boundary's tensors that devices hold otherwise than `others` says, and
  /// what one device has of them.
  SmallVector<const BoundaryTensor *> exchanged;
  int64_t bytes = 0;

  bool isPerfect() const { return bytes == 0 && numReordered == 0; }
};

/// Rewrites one module.
class MeshUnification {
public:
  explicit MeshUnification(ModuleOp module)
      : module(module), meshes(module.getOps<MeshOp>()) {
    for (MeshOp mesh : meshes)
      meshOf[mesh.getSymNameAttr()] = mesh.getMesh().getMesh();
  }

  LogicalResult run() {
    if (meshes.size() < 2)
      return success();
    if (failed(checkSizes()))
      return failure();
    collectUses();
    collectBoundary();
    chooseTarget();
    if (!best)
      return refuse();
    rewrite();
    return success();
  }

private:
  LogicalResult checkSizes();
  void collectUses();
  void collectBoundary();
  void chooseTarget();
  void consider(StringAttr name, const Mesh &mesh, MeshOp like,
                bool isPrime = false);
  bool translateMesh(StringAttr of, Unification &target);
  bool translateUses(StringAttr of, const Mesh &from, Unification &target);
  bool keepsManualAxesWhole(const Unification &target);
  void findExchanges(Unification &target);
  Mesh cutWhereOthersEnd(const Mesh &mesh);
  Mesh cutWhereUsed(StringAttr of);
  StringAttr unusedName(StringRef name);
  LogicalResult refuse();
  void rewrite();
  void writeOrders();
  std::optional<unsigned>
  resultOfDonation(const BoundaryTensor &argument) const;

  ModuleOp module;
  SmallVector<MeshOp> meshes;
  /// What the symbols stand for.
  DenseMap<StringAttr, Mesh> meshOf;
  /// All shardings and lists of axes by their mesh.
  DenseMap<StringAttr, llvm::SetVector<Attribute>> uses;
  SmallVector<ManualComputationOp> manualRegions;
  SmallVector<BoundaryTensor> boundary;
  std::optional<Unification> best;
};

} // namespace

LogicalResult MeshUnification::checkSizes() {
  int64_t devices = meshOf[meshes.front().getSymNameAttr()].numDevices();
  for (MeshOp mesh : meshes)
    if (int64_t number = meshOf[mesh.getSymNameAttr()].numDevices();
        number != devices) {
      InFlightDiagnostic error = mesh.emitOpError()
                                 << "expected a mesh of " << devices
                                 << " devices like the first, got " << number;
      error.attachNote(meshes.front().getLoc()) << "the first mesh is here";
      return error;
    }
  return success();
}

void MeshUnification::collectUses() {
  AttrTypeWalker walker;
  walker.addWalk([&](ShardingAttr sharding) {
    uses[sharding.getMesh().getAttr()].insert(sharding);
  });
  walker.addWalk(
      [&](AxesAttr axes) { uses[axes.getMesh().getAttr()].insert(axes); });
  module.walk([&](Operation *op) {
    if (auto region = dyn_cast<ManualComputationOp>(op))
      manualRegions.push_back(region);
    walker.walk(op->getAttrDictionary());
  });
}

void MeshUnification::collectBoundary() {
  StringRef name = TesseraDialect::kShardingAttr;
  for (auto function : module.getOps<func::FuncOp>()) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto sharding = function.getArgAttrOfType<ShardingAttr>(i, name))
        boundary.push_back({function, false, i, sharding});
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      if (auto sharding = function.getResultAttrOfType<ShardingAttr>(i, name))
        boundary.push_back({function, true, i, sharding});
  }
}

//===----------------------------------------------------------------------===//
// Translation
//===----------------------------------------------------------------------===//

/// `attribute`, a sharding or a list of axes on mesh `from`, on the mesh `to`
/// called `name`; null if that is not possible.
static Attribute translated(Attribute attribute, const Mesh &from,
                            FlatSymbolRefAttr name, const Mesh &to) {
  MLIRContext *context = attribute.getContext();
  if (auto list = dyn_cast<AxesAttr>(attribute)) {
    auto axes = translateAxes(list.getAxes(), from, to);
    return axes ? AxesAttr::get(context, name, *axes) : Attribute();
  }
  TensorSharding sharding = cast<ShardingAttr>(attribute).getValue();
  for (DimSharding &dim : sharding.dims) {
    std::optional<AxisList> axes = translateAxes(dim.axes, from, to);
    if (!axes)
      return {};
    dim.axes = std::move(*axes);
    // What is closed and not split has no priority.
    if (dim.axes.empty() && !dim.open)
      dim.priority.reset();
  }
  for (AxisList *axes : {&sharding.replicated, &sharding.unreduced}) {
    std::optional<AxisList> set = translateSet(*axes, from, to);
    if (!set)
      return {};
    *axes = canonicalSet(*set, to);
  }
  // Axes that each have their place on a line may have none together.
  if (!fitTogether(sharding.usedAxes(), to))
    return {};
  return ShardingAttr::get(context, name, sharding);
}

/// `mesh` with its devices in the order of `other`.
static Mesh inOrderOf(const Mesh &other, const Mesh &mesh) {
  return Mesh(mesh.axes, other.deviceIds);
}

/// Translates all that is said on the mesh called `of`, taken for `from`; false
/// if something cannot be.
bool MeshUnification::translateUses(StringAttr of, const Mesh &from,
                                    Unification &target) {
  auto name = FlatSymbolRefAttr::get(target.name);
  for (Attribute attribute : uses[of]) {
    Attribute translation = translated(attribute, from, name, target.mesh);
    if (!translation)
      return false;
    target.translations[attribute] = translation;
  }
  target.others[of] = from;
  return true;
}

/// The axes that `region` is over on the mesh that remains.
static AxesAttr manualAxesOn(const Unification &target,
                             ManualComputationOp region) {
  auto axes = cast<AxesAttr>(target.translations.lookup(region.getAxes()));
  return AxesAttr::get(axes.getContext(), axes.getMesh(),
                       canonicalSet(axes.getAxes(), target.mesh));
}

/// Whether all regions are over whole axes, of which shardings and collectives
/// may name parts.
bool MeshUnification::keepsManualAxesWhole(const Unification &target) {
  return llvm::all_of(manualRegions, [&](ManualComputationOp region) {
    return llvm::none_of(manualAxesOn(target, region).getAxes(),
                         [](const AxisRef &axis) { return axis.sub; });
  });
}

/// Finds the boundary's tensors that are not where the program expects them.
void MeshUnification::findExchanges(Unification &target) {
  for (const BoundaryTensor &tensor : boundary) {
    StringAttr name = tensor.sharding.getMesh().getAttr();
    const TensorSharding &sharding = tensor.sharding.getValue();
    const Mesh &inside = target.others.at(name);
    Mesh outside = meshAtBoundary(tensor.attributes(), meshOf.at(name));
    if (inside == outside ||
        exchangeTargets(sharding, outside, sharding, inside).empty())
      continue;
    target.exchanged.push_back(&tensor);
    RankedTensorType type = tensor.type();
    int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    for (int64_t size : sharding.localShape(type.getShape(), inside))
      bytes *= size;
    target.bytes += bytes;
  }
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Translates all that is said on the mesh called `of`, with its devices in
/// another order where they must be.
bool MeshUnification::translateMesh(StringAttr of, Unification &target) {
  const Mesh &own = meshOf.at(of), &mesh = target.mesh;
  if (translateUses(of, own, target))
    return true;
  ++target.numReordered;
  if (own.deviceIds != mesh.deviceIds &&
      translateUses(of, inOrderOf(mesh, own), target))
    return true;
  if (!target.isPrime)
    return false;
  Mesh arranged = arrangedOn(mesh, cutWhereUsed(of));
  return translateUses(of, Mesh(own.axes, arranged.deviceIds), target);
}

/// Keeps `mesh`, called `name` and made of `like`, in mind if it is the best so
/// far.
void MeshUnification::consider(StringAttr name, const Mesh &mesh, MeshOp like,
                               bool isPrime) {
  if (best && best->isPerfect())
    return;
  Unification target;
  target.name = name;
  target.mesh = mesh;
  target.like = like;
  target.isPrime = isPrime;
  for (MeshOp op : meshes)
    if (!translateMesh(op.getSymNameAttr(), target))
      return;
  if (!keepsManualAxesWhole(target))
    return;
  findExchanges(target);
  auto costs = [](const Unification &candidate) {
    return std::pair(candidate.bytes, candidate.numReordered);
  };
  LDBG() << "@" << name.getValue() << ", made of @" << like.getSymName()
         << ", exchanges " << target.bytes
         << " bytes at the boundary and reorders " << target.numReordered
         << " meshes";
  if (!best || costs(target) < costs(*best))
    best = std::move(target);
}

/// `mesh` with its axes cut where those of the others end, or as it is.
Mesh MeshUnification::cutWhereOthersEnd(const Mesh &mesh) {
  SmallVector<Mesh> others;
  for (MeshOp op : meshes) {
    const Mesh &other = meshOf.at(op.getSymNameAttr());
    bool isExpressed = llvm::all_of(other.axes, [&](const MeshAxis &axis) {
      return translateAxes(AxisRef(axis.name), other, mesh).has_value();
    });
    others.push_back(isExpressed ? other : inOrderOf(mesh, other));
  }
  return refinedMesh(mesh, others).value_or(mesh);
}

/// The mesh called `of` with its axes cut where parts in use end, or as it is.
Mesh MeshUnification::cutWhereUsed(StringAttr of) {
  AxisList parts;
  for (Attribute use : uses[of])
    if (auto axes = dyn_cast<AxesAttr>(use))
      llvm::append_range(parts, axes.getAxes());
    else
      llvm::append_range(parts, cast<ShardingAttr>(use).getValue().usedAxes());
  const Mesh &mesh = meshOf.at(of);
  return cutMesh(mesh, parts).value_or(mesh);
}

StringAttr MeshUnification::unusedName(StringRef name) {
  std::string unused = name.str();
  for (unsigned i = 0; SymbolTable::lookupSymbolIn(module, unused); ++i)
    unused = (name + "_" + Twine(i)).str();
  return StringAttr::get(module.getContext(), unused);
}

void MeshUnification::chooseTarget() {
  StringAttr newName = unusedName("devices");
  for (MeshOp op : meshes)
    consider(op.getSymNameAttr(), meshOf.at(op.getSymNameAttr()), op);
  for (MeshOp op : meshes)
    consider(newName, cutWhereOthersEnd(meshOf.at(op.getSymNameAttr())), op);
  for (MeshOp op : meshes) {
    const Mesh &mesh = meshOf.at(op.getSymNameAttr());
    MeshAxis line{AxisName("devices"), mesh.numDevices()};
    consider(newName, Mesh(line, mesh.deviceIds), op);
  }
  if (best)
    return;
  for (MeshOp op : meshes)
    consider(newName, primeMesh(cutWhereUsed(op.getSymNameAttr())), op, true);
}

/// Only parts of axes that no grid holds together are on none of these.
LogicalResult MeshUnification::refuse() {
  InFlightDiagnostic error =
      manualRegions.front().emitError()
      << "not supported yet: per-device code over some axes of a mesh beside "
         "parts of other meshes' axes that no axes of one mesh express with it";
  for (MeshOp mesh : meshes)
    error.attachNote(mesh.getLoc()) << "a mesh is here";
  return failure();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The result that an argument is donated to, if nobody says where it lies: it
/// is where the argument was.
std::optional<unsigned>
MeshUnification::resultOfDonation(const BoundaryTensor &argument) const {
  auto donated =
      argument.attributes().getAs<IntegerAttr>(TesseraDialect::kDonatedAttr);
  if (!donated)
    return std::nullopt;
  unsigned result = donated.getInt();
  bool isAnnotated = llvm::any_of(boundary, [&](const BoundaryTensor &other) {
    return other.isResult && other.number == result &&
           other.function == argument.function &&
           !other.sharding.getValue().usedAxes().empty();
  });
  return isAnnotated ? std::nullopt : std::optional(result);
}

/// Says where the exchanged tensors of the boundary are: at each position of
/// the mesh that remains is the device of the old mesh's same position.
void MeshUnification::writeOrders() {
  for (const BoundaryTensor *tensor : best->exchanged) {
    StringAttr name = tensor->sharding.getMesh().getAttr();
    const Mesh &inside = best->others.at(name);
    Mesh outside = meshAtBoundary(tensor->attributes(), meshOf.at(name));
    SmallVector<int64_t> order;
    for (int64_t i = 0; i < inside.numDevices(); ++i)
      order.push_back(outside.deviceAtPosition(
          inside.positionOfDevice(best->mesh.deviceAtPosition(i))));
    auto attribute = DenseI64ArrayAttr::get(module.getContext(), order);
    func::FuncOp function = tensor->function;
    if (tensor->isResult) {
      function.setResultAttr(tensor->number, kDeviceOrderAttr, attribute);
      continue;
    }
    function.setArgAttr(tensor->number, kDeviceOrderAttr, attribute);
    if (std::optional<unsigned> result = resultOfDonation(*tensor))
      function.setResultAttr(*result, kDeviceOrderAttr, attribute);
  }
}

/// The machine of `like` under the axes of `mesh`, made of its axes; null if it
/// says nothing.
static MachineAttr machineOn(const Mesh &mesh, MeshOp like) {
  if (!like.getOnAttr())
    return {};
  const Mesh &old = like.getMesh().getMesh();
  Machine machine = like.getMachine();
  CollectiveCosts costs(old, machine.links);
  machine.links.clear();
  for (const MeshAxis &axis : mesh.axes) {
    auto made = translateAxes(AxisRef(axis.name), mesh, old);
    // Nothing is sent along an axis of one device.
    bool hasLinks = made && !made->empty();
    machine.links.push_back(hasLinks ? costs.linksOf(*made) : LinkCosts());
  }
  return MachineAttr::get(like.getContext(), machine);
}

void MeshUnification::rewrite() {
  LDBG() << "chose @" << best->name.getValue() << ", " << best->mesh;
  writeOrders();
  DenseMap<Operation *, AxesAttr> manualAxes;
  for (ManualComputationOp region : manualRegions)
    manualAxes[region] = manualAxesOn(*best, region);
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](Attribute attribute) -> std::optional<Attribute> {
    auto translation = best->translations.find(attribute);
    if (translation == best->translations.end())
      return std::nullopt;
    return translation->second;
  });
  module.walk([&](Operation *op) {
    if (!isa<MeshOp>(op))
      replacer.replaceElementsIn(op);
  });
  for (ManualComputationOp region : manualRegions)
    region.setAxesAttr(manualAxes.at(region));
  if (!meshOf.contains(best->name)) {
    OpBuilder builder(meshes.front());
    MeshOp::create(builder, meshes.front().getLoc(), best->name,
                   MeshAttr::get(module.getContext(), best->mesh),
                   machineOn(best->mesh, best->like));
  }
  for (MeshOp mesh : meshes)
    if (mesh.getSymNameAttr() != best->name)
      mesh.erase();
}

namespace {
struct UnifyMeshes : tessera::shard::impl::UnifyMeshesBase<UnifyMeshes> {
  void runOnOperation() override {
    if (failed(MeshUnification(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
