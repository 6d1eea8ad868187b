//===- MeshOption.cpp - the mesh given on the command line ----------------===//

#include "tessera/Driver/MeshOption.h"

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

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

/// The types in per-device code are for the sizes of its axes.
static LogicalResult checkManualAxes(ModuleOp module, const Mesh &mesh) {
  WalkResult walk = module.walk([&](ManualComputationOp op) {
    const Mesh &old =
        lookupMesh(op, op.getAxes().getMesh()).getMesh().getMesh();
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

LogicalResult tessera::applyMeshOption(ModuleOp module, StringRef text) {
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
  if (meshes.size() > 1)
    return meshes[1].emitError("--mesh needs a file with one mesh, got ")
           << meshes.size();
  Mesh mesh = meshes.front().getMesh().getMesh();
  for (MeshAxis &axis : mesh.axes)
    axis.size = 1;
  mesh.deviceIds.clear();
  for (const MeshAxis &axis : *axes) {
    std::optional<unsigned> position = mesh.findAxis(axis.name);
    if (!position) {
      std::string names =
          llvm::join(llvm::map_range(
                         mesh.axes, [](auto &a) { return a.name.str().str(); }),
                     ", ");
      return meshes.front().emitError("--mesh names the unknown axis '")
             << axis.name.str() << "', the file's mesh has " << names;
    }
    mesh.axes[*position].size = axis.size;
  }
  if (failed(checkManualAxes(module, mesh)))
    return failure();
  meshes.front().setMeshAttr(MeshAttr::get(module.getContext(), mesh));
  return verify(module);
}
