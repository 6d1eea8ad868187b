//===- UnifyMeshes.cpp - several meshes over the same devices -------------===//
//
// One mesh is chosen on which all shardings of the module can be expressed (see
// `MeshTranslation.h`) or, if none of them will do, a mesh of a single axis,
// whose parts can stand for any row-major grid.
//
// Where meshes list the devices in orders that no axes of one mesh express, all
// of them are taken in the order of the first: a device's part of a tensor is
// then another one than the user wrote, but the parts and what is computed with
// them are the same, and nothing has to move between two orders.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Sharding/MeshTranslation.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/MapVector.h"

namespace tessera {
#define GEN_PASS_DEF_UNIFYMESHES
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

namespace {

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
    if (failed(chooseTarget()))
      return failure();
    rewrite();
    return success();
  }

private:
  LogicalResult checkSizes();
  void collectUses();
  LogicalResult chooseTarget();
  bool translateAllTo(StringAttr name, const Mesh &mesh);
  Attribute translated(Attribute attribute, FlatSymbolRefAttr name,
                       const Mesh &mesh);
  bool keepsManualAxesWhole(ManualComputationOp region);
  bool chooseTargetAmongMeshes();
  void takeFirstOrder();
  void rewrite();

  ModuleOp module;
  SmallVector<MeshOp> meshes;
  /// What the symbols stand for.
  DenseMap<StringAttr, Mesh> meshOf;
  /// The mesh that remains.
  MeshOp target;
  /// All shardings and lists of axes, each with its first user.
  llvm::MapVector<Attribute, Operation *> uses;
  SmallVector<ManualComputationOp> manualRegions;
  /// What they are on the mesh that remains.
  DenseMap<Attribute, Attribute> translations;
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
  Operation *user = nullptr;
  AttrTypeWalker walker;
  walker.addWalk([&](ShardingAttr sharding) { uses.insert({sharding, user}); });
  walker.addWalk([&](AxesAttr axes) { uses.insert({axes, user}); });
  module.walk([&](Operation *op) {
    user = op;
    if (auto region = dyn_cast<ManualComputationOp>(op))
      manualRegions.push_back(region);
    walker.walk(op->getAttrDictionary());
  });
}

/// `attribute`, a sharding or a list of axes, on `mesh`; null if that is not
/// possible.
Attribute MeshUnification::translated(Attribute attribute,
                                      FlatSymbolRefAttr name,
                                      const Mesh &mesh) {
  MLIRContext *context = attribute.getContext();
  if (auto list = dyn_cast<AxesAttr>(attribute)) {
    auto axes =
        translateAxes(list.getAxes(), meshOf[list.getMesh().getAttr()], mesh);
    return axes ? AxesAttr::get(context, name, *axes) : Attribute();
  }
  auto original = cast<ShardingAttr>(attribute);
  const Mesh &from = meshOf[original.getMesh().getAttr()];
  TensorSharding sharding = original.getValue();
  for (DimSharding &dim : sharding.dims) {
    std::optional<AxisList> axes = translateAxes(dim.axes, from, mesh);
    if (!axes)
      return {};
    dim.axes = std::move(*axes);
    // What is closed and not split has no priority.
    if (dim.axes.empty() && !dim.open)
      dim.priority.reset();
  }
  for (AxisList *axes : {&sharding.replicated, &sharding.unreduced}) {
    std::optional<AxisList> set = translateSet(*axes, from, mesh);
    if (!set)
      return {};
    *axes = canonicalSet(*set, mesh);
  }
  return ShardingAttr::get(context, name, sharding);
}

/// Fills `translations`; false if something cannot be translated, or the axes
/// of a manual region are whole no more.
bool MeshUnification::translateAllTo(StringAttr symbol, const Mesh &mesh) {
  translations.clear();
  auto name = FlatSymbolRefAttr::get(symbol);
  for (auto [attribute, user] : uses) {
    Attribute translation = translated(attribute, name, mesh);
    if (!translation)
      return false;
    translations[attribute] = translation;
  }
  return llvm::all_of(manualRegions, [&](ManualComputationOp region) {
    return keepsManualAxesWhole(region);
  });
}

/// Whether the translations name no parts of the manual axes of `region`.
bool MeshUnification::keepsManualAxesWhole(ManualComputationOp region) {
  auto manual = cast<AxesAttr>(translations.lookup(region.getAxes()));
  auto isWhole = [&](const AxisRef &axis) {
    return !axis.sub ||
           llvm::none_of(manual.getAxes(), [&](const AxisRef &other) {
             return other.name == axis.name;
           });
  };
  SmallVector<Attribute> boundary(region.getInShardings().getValue());
  llvm::append_range(boundary, region.getOutShardings().getValue());
  return llvm::all_of(manual.getAxes(), isWhole) &&
         llvm::all_of(boundary, [&](Attribute sharding) {
           auto translated = cast<ShardingAttr>(translations.lookup(sharding));
           return llvm::all_of(translated.getValue().usedAxes(), isWhole);
         });
}

bool MeshUnification::chooseTargetAmongMeshes() {
  for (MeshOp mesh : meshes)
    if (translateAllTo(mesh.getSymNameAttr(), meshOf[mesh.getSymNameAttr()])) {
      target = mesh;
      return true;
    }
  const Mesh &first = meshOf[meshes.front().getSymNameAttr()];
  Mesh line({{AxisName("devices"), first.numDevices()}}, first.deviceIds);
  OpBuilder builder(meshes.front());
  target = MeshOp::create(builder, meshes.front().getLoc(), "devices",
                          MeshAttr::get(module.getContext(), line));
  SymbolTable(module).insert(target);
  if (translateAllTo(target.getSymNameAttr(), line))
    return true;
  target.erase();
  return false;
}

/// Takes the devices of all meshes in the order of the first.
void MeshUnification::takeFirstOrder() {
  MeshOp first = meshes.front();
  const Mesh &order = meshOf[first.getSymNameAttr()];
  for (MeshOp op : meshes) {
    Mesh &mesh = meshOf[op.getSymNameAttr()];
    if (mesh.deviceIds == order.deviceIds)
      continue;
    InFlightDiagnostic warning =
        op.emitWarning("the devices of this mesh are taken in the order of @")
        << first.getSymName()
        << ": no axes of one mesh express both orders, so a device may hold "
           "another part of a tensor than written here";
    warning.attachNote(first.getLoc()) << "the first mesh is here";
    mesh.deviceIds = order.deviceIds;
    op.setMeshAttr(MeshAttr::get(module.getContext(), mesh));
  }
}

LogicalResult MeshUnification::chooseTarget() {
  if (chooseTargetAmongMeshes())
    return success();
  takeFirstOrder();
  if (chooseTargetAmongMeshes())
    return success();
  // A line expresses all grids in its own order, but manual axes stay whole.
  return (*manualRegions.begin())
      .emitError("not supported yet: per-device code beside a mesh of which no "
                 "axes express its axes");
}

void MeshUnification::rewrite() {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](Attribute attribute) -> std::optional<Attribute> {
    auto translation = translations.find(attribute);
    if (translation == translations.end())
      return std::nullopt;
    return translation->second;
  });
  module.walk([&](Operation *op) {
    if (!isa<MeshOp>(op))
      replacer.replaceElementsIn(op);
  });
  for (MeshOp mesh : meshes)
    if (mesh != target)
      mesh.erase();
}

namespace {
struct UnifyMeshes : tessera::impl::UnifyMeshesBase<UnifyMeshes> {
  void runOnOperation() override {
    if (failed(MeshUnification(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
