//===- MeshOption.cpp - the mesh given on the command line ----------------===//

#include "tessera/Transforms/Import/MeshOption.h"

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Support/NearestName.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tessera;

/// `data=2,model=4`
static FailureOr<SmallVector<MeshAxis>> parseAxes(Location loc,
                                                  StringRef text) {
  SmallVector<MeshAxis> axes;
  for (StringRef part : llvm::split(text, ',')) {
    auto [name, sizeText] = part.split('=');
    int64_t size;
    if (name.empty() || sizeText.getAsInteger(10, size) || size < 1) {
      emitError(loc) << "expected --mesh=AXIS=SIZE,... with sizes of at least "
                        "1, got '"
                     << part << "'";
      return failure();
    }
    axes.push_back({AxisName(name), size});
  }
  if (std::string error = Mesh(axes).verify(); !error.empty()) {
    emitError(loc) << "--mesh: " << error;
    return failure();
  }
  return axes;
}

/// The types in per-device code are for the sizes of its axes. Such code is
/// verified first, for it must be right for the sizes that the file says.
static LogicalResult checkManualAxes(ModuleOp module, MeshOp meshOp,
                                     const Mesh &mesh) {
  const Mesh &old = meshOp.getMesh().getMesh();
  WalkResult walk = module.walk([&](ManualComputationOp op) {
    if (op.getAxes().getMesh().getAttr() != meshOp.getSymNameAttr())
      return WalkResult::advance();
    if (failed(verify(op)))
      return WalkResult::interrupt();
    for (const AxisRef &axis : op.getManualAxes())
      if (axis.size(old) != axis.size(mesh)) {
        op.emitError("--mesh: expected ")
            << axis.size(old) << " devices along axis '" << axis.name.str()
            << "', for which this code is written by hand, got "
            << axis.size(mesh);
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// `mesh` with the sizes that `axes` say, 1 where they say nothing, and its
/// devices in order.
static Mesh resize(Mesh mesh, ArrayRef<MeshAxis> axes) {
  mesh.deviceIds.clear();
  for (MeshAxis &axis : mesh.axes) {
    auto named = llvm::find_if(
        axes, [&](const MeshAxis &other) { return other.name == axis.name; });
    axis.size = named == axes.end() ? 1 : named->size;
  }
  return mesh;
}

/// The names of all axes, each once.
static std::vector<std::string> namesOfAxes(ArrayRef<MeshOp> meshes) {
  llvm::SetVector<StringRef> names;
  for (MeshOp op : meshes)
    for (const MeshAxis &axis : op.getMesh().getMesh().axes)
      names.insert(axis.name.str());
  return {names.begin(), names.end()};
}

LogicalResult tessera::importer::applyMeshOption(ModuleOp module,
                                                 StringRef text) {
  Location loc = UnknownLoc::get(module.getContext());
  FailureOr<SmallVector<MeshAxis>> axes = parseAxes(loc, text);
  if (failed(axes))
    return failure();
  auto meshes = llvm::to_vector(module.getOps<MeshOp>());
  if (meshes.empty()) {
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    MeshOp::create(builder, loc, "mesh",
                   MeshAttr::get(module.getContext(), Mesh(*axes)));
    return success();
  }
  llvm::StringSet<> unknown;
  for (const MeshAxis &axis : *axes)
    unknown.insert(axis.name.str());
  for (MeshOp op : meshes)
    for (const MeshAxis &axis : op.getMesh().getMesh().axes)
      unknown.erase(axis.name.str());
  if (!unknown.empty()) {
    std::vector<std::string> known = namesOfAxes(meshes);
    std::string name = unknown.begin()->getKey().str();
    return meshes.front().emitError("--mesh names the unknown axis '")
           << name << "', the file's meshes have " << llvm::join(known, ", ")
           << didYouMean(name, known);
  }
  DenseMap<StringAttr, Mesh> resized;
  for (MeshOp op : meshes) {
    Mesh mesh = resize(op.getMesh().getMesh(), *axes);
    if (failed(checkManualAxes(module, op, mesh)))
      return failure();
    resized[op.getSymNameAttr()] = mesh;
  }
  for (MeshOp op : meshes)
    op.setMeshAttr(
        MeshAttr::get(module.getContext(), resized[op.getSymNameAttr()]));
  return success();
}
