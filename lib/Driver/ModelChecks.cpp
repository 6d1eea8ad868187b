//===- ModelChecks.cpp - is this what the user meant to compile? ----------===//

#include "ModelChecks.h"

#include "tessera/Dialect/Rt/Rt.h"
#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tessera;

/// The last phase from `partition` on whose marks are in `module`.
static std::optional<Phase> findPhase(ModuleOp module) {
  if (module->hasAttr(rt::RtDialect::kCpuAttr))
    return Phase::Codegen;
  std::optional<Phase> last;
  auto note = [&](Phase phase) { last = std::max(last, std::optional(phase)); };
  module.walk([&](Operation *op) {
    if (isa<spmd::CombinedOp>(op))
      note(Phase::Communicate);
    if (isa<spmd::KernelOp>(op))
      note(Phase::Fuse);
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      return;
    if (function->hasAttr(spmd::SpmdDialect::kArenaSizeAttr))
      note(Phase::Schedule);
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (function.getArgAttr(i, TesseraDialect::kGlobalTypeAttr))
        note(Phase::Partition);
  });
  return last;
}

/// Refuses operations that nobody knows, as `import` does.
static LogicalResult checkKnown(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) -> WalkResult {
    if (op->isRegistered())
      return WalkResult::advance();
    return op->emitError("unsupported operation '") << op->getName() << "'";
  });
  return failure(walk.wasInterrupted());
}

LogicalResult tessera::checkPhaseOf(ModuleOp module, StringRef path,
                                    std::optional<Phase> from) {
  if (from && failed(checkKnown(module)))
    return failure();
  std::optional<Phase> phase = findPhase(module);
  if (!phase || (from && *phase <= *from))
    return success();
  StringRef name = getPhaseInfo(*phase).name;
  InFlightDiagnostic error =
      emitError(FileLineColLoc::get(module.getContext(), path, 1, 1))
      << "expected "
      << (from ? "the program after '" + getPhaseInfo(*from).name.str() + "'"
               : std::string("a model"))
      << ", got the program after '" << name
      << "': go on from there with --compile-from=" << name;
  return error;
}

/// Whether an attribute of `op` splits a tensor over devices.
static bool splitsAnything(Operation *op) {
  bool found = false;
  op->getAttrDictionary().walk([&](ShardingAttr sharding) {
    found |= !sharding.getValue().isFullyReplicated();
  });
  return found;
}

void tessera::warnOfEqualWork(ModuleOp module) {
  MeshOp mesh;
  for (MeshOp op : module.getOps<MeshOp>())
    if (op.getMesh().getMesh().numDevices() > 1)
      mesh = op;
  WalkResult split = module.walk([](Operation *op) {
    return splitsAnything(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!mesh || split.wasInterrupted())
    return;
  mesh.emitWarning("no annotation splits anything: all ")
      << mesh.getMesh().getMesh().numDevices()
      << " devices do the same work; annotate arguments or values "
         "(tessera.sharding; in JAX in_shardings or with_sharding_constraint)";
}
