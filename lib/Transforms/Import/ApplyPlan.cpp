//===- ApplyPlan.cpp - a plan's shardings become annotations --------------===//
//
// The plan file (docs/plans.md) is read, the module gets the mesh that it
// names, and Plans/PlannedModel.h does the rest.
//
//===----------------------------------------------------------------------===//

#include "Plans/PlanReader.h"
#include "Plans/PlannedModel.h"

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Support/NearestName.h"
#include "tessera/Transforms/Import/MeshOption.h"
#include "tessera/Transforms/Import/Passes.h"

#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tessera::importer {
#define GEN_PASS_DEF_APPLYPLAN
#include "tessera/Transforms/Import/Passes.h.inc"
} // namespace tessera::importer

#define DEBUG_TYPE "tessera-apply-plan"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// Reads the plan at `path`.
static FailureOr<ShardingPlan> readPlan(StringRef path, MLIRContext *context) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return emitError(FileLineColLoc::get(context, path, 1, 1))
               << "cannot open the plan: " << file.getError().message(),
           failure();
  TextError problem;
  std::optional<ShardingPlan> plan = parsePlan((*file)->getBuffer(), problem);
  if (!plan)
    return emitError(
               FileLineColLoc::get(context, path, problem.line, problem.column))
               << problem.message,
           failure();
  plan->path = path.str();
  return *std::move(plan);
}

/// Checks that `op`, the model's mesh, has the axes that the plan sizes, and
/// gives it their sizes.
static LogicalResult resizeMesh(MeshOp op, const ShardingPlan &plan) {
  std::vector<std::string> known;
  for (const MeshAxis &axis : op.getMesh().getMesh().axes)
    known.push_back(axis.name.str().str());
  std::string sizes;
  for (const PlanMeshAxis &axis : plan.mesh) {
    if (!llvm::is_contained(known, axis.name.text))
      return emitError(FileLineColLoc::get(op.getContext(), plan.path,
                                           axis.name.place.line,
                                           axis.name.place.column))
             << "the model's mesh has no axis '" << axis.name.text << "', but "
             << llvm::join(known, ", ") << didYouMean(axis.name.text, known);
    sizes += (sizes.empty() ? "" : ",") + axis.name.text + "=" +
             std::to_string(axis.size);
  }
  return applyMeshOption(op->getParentOfType<ModuleOp>(), sizes);
}

/// The mesh that the plan is about: the model's, the plan's, or that of the
/// command line, with the sizes of the command line if it says any.
static FailureOr<MeshOp> makeMesh(ModuleOp module, const ShardingPlan &plan,
                                  StringRef sizes) {
  auto placed = [&](PlanPlace place) {
    return FileLineColLoc::get(module.getContext(), plan.path, place.line,
                               place.column);
  };
  auto meshes = module.getOps<MeshOp>();
  if (!meshes.empty() && !plan.mesh.empty()) {
    if (failed(resizeMesh(*meshes.begin(), plan)))
      return failure();
  } else if (!plan.mesh.empty()) {
    SmallVector<MeshAxis> axes;
    for (const PlanMeshAxis &axis : plan.mesh)
      axes.push_back({AxisName(axis.name.text), axis.size});
    if (std::string problem = Mesh(axes).verify(); !problem.empty())
      return emitError(placed(plan.meshPlace)) << problem, failure();
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    MeshOp::create(builder, placed(plan.meshPlace), "mesh",
                   MeshAttr::get(module.getContext(), Mesh(axes)));
  }
  if (!sizes.empty() && failed(applyMeshOption(module, sizes)))
    return failure();
  meshes = module.getOps<MeshOp>();
  if (meshes.empty())
    return emitError(placed({1, 1}))
               << "expected a mesh, from the model, the plan or --mesh",
           failure();
  return *meshes.begin();
}

namespace {

struct ApplyPlan : public tessera::importer::impl::ApplyPlanBase<ApplyPlan> {
  using ApplyPlanBase::ApplyPlanBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (plan.empty())
      return;
    auto function = module.lookupSymbol<func::FuncOp>("main");
    FailureOr<ShardingPlan> read = readPlan(plan, &getContext());
    if (failed(read))
      return signalPassFailure();
    FailureOr<MeshOp> mesh = makeMesh(module, *read, this->mesh);
    if (failed(mesh))
      return signalPassFailure();
    // What is no model is refused by the pass behind this one.
    if (!function || function.isExternal())
      return;
    LDBG() << read->rules.size() << " rules on " << mesh->getMesh().getMesh();
    PlannedModel model(function, *read, mesh->getMesh().getMesh(),
                       FlatSymbolRefAttr::get(mesh->getSymNameAttr()));
    if (failed(model.apply()))
      signalPassFailure();
  }
};

} // namespace
