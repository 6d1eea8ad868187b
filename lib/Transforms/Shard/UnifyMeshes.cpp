//===- UnifyMeshes.cpp - several meshes over the same devices -------------===//
//
// One mesh is chosen on which all shardings of the module can be expressed (see
// `MeshTranslation.h`) or, if none of them will do, a mesh of a single axis,
// whose parts can stand for any row-major grid.
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
      : module(module), meshes(module.getOps<MeshOp>()) {}

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
  std::optional<Attribute> translateAllTo(StringAttr name, const Mesh &mesh);
  Attribute translated(Attribute attribute, FlatSymbolRefAttr name,
                       const Mesh &mesh);
  const Mesh &meshOf(FlatSymbolRefAttr name) {
    return lookupMesh(module, name).getMesh().getMesh();
  }
  void rewrite();

  ModuleOp module;
  SmallVector<MeshOp> meshes;
  /// The mesh that remains.
  MeshOp target;
  /// All shardings and lists of axes, each with its first user.
  llvm::MapVector<Attribute, Operation *> uses;
  /// What they are on the mesh that remains.
  DenseMap<Attribute, Attribute> translations;
};

} // namespace

static const Mesh &meshOf(MeshOp op) { return op.getMesh().getMesh(); }

LogicalResult MeshUnification::checkSizes() {
  int64_t devices = ::meshOf(meshes.front()).numDevices();
  for (MeshOp mesh : meshes)
    if (int64_t number = ::meshOf(mesh).numDevices(); number != devices) {
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
    auto axes = translateAxes(list.getAxes(), meshOf(list.getMesh()), mesh);
    return axes ? AxesAttr::get(context, name, *axes) : Attribute();
  }
  auto original = cast<ShardingAttr>(attribute);
  const Mesh &from = meshOf(original.getMesh());
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

/// Fills `translations`; returns the first use that cannot be translated.
std::optional<Attribute> MeshUnification::translateAllTo(StringAttr symbol,
                                                         const Mesh &mesh) {
  translations.clear();
  auto name = FlatSymbolRefAttr::get(symbol);
  for (auto [attribute, user] : uses) {
    Attribute translation = translated(attribute, name, mesh);
    if (!translation)
      return attribute;
    translations[attribute] = translation;
  }
  return std::nullopt;
}

LogicalResult MeshUnification::chooseTarget() {
  std::optional<Attribute> obstacle;
  for (MeshOp mesh : meshes) {
    auto untranslated = translateAllTo(mesh.getSymNameAttr(), ::meshOf(mesh));
    if (!untranslated) {
      target = mesh;
      return success();
    }
    if (!obstacle)
      obstacle = untranslated;
  }
  const Mesh &first = ::meshOf(meshes.front());
  Mesh line({{AxisName("devices"), first.numDevices()}}, first.deviceIds);
  OpBuilder builder(meshes.front());
  target = MeshOp::create(builder, meshes.front().getLoc(), "devices",
                          MeshAttr::get(module.getContext(), line));
  SymbolTable(module).insert(target);
  if (!translateAllTo(target.getSymNameAttr(), line))
    return success();
  return uses[*obstacle]->emitError()
         << "not supported yet: expected axes that are made of those of "
         << FlatSymbolRefAttr::get(meshes.front()) << ", got " << *obstacle;
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
