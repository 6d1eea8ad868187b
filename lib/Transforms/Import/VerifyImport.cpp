//===- VerifyImport.cpp - what the phase `import` promises ----------------===//

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Transforms/Import/Conversions/Unsupported.h"
#include "tessera/Transforms/Import/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::importer {
#define GEN_PASS_DEF_VERIFYIMPORT
#include "tessera/Transforms/Import/Passes.h.inc"
} // namespace tessera::importer

#define DEBUG_TYPE "tessera-verify-import"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// Returns the public `@main`, the only function; null after a diagnostic.
static func::FuncOp findMain(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || !main.isPublic() || main.isExternal())
    return emitError(module.getLoc()) << "expected a public function @main",
           nullptr;
  for (Operation &op : *module.getBody()) {
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      if (function == main)
        continue;
      emitError(op.getLoc()) << "expected @main to be the only function, got @"
                             << function.getSymName();
      return nullptr;
    }
    if (!isa<MeshOp>(op))
      return emitError(op.getLoc()) << "expected a mesh or a function, got '"
                                    << op.getName() << "'",
             nullptr;
  }
  return main;
}

/// Donated arguments have the type of their result, and every result at most
/// one.
static LogicalResult verifyDonations(func::FuncOp main) {
  SmallVector<std::optional<unsigned>> donors(main.getNumResults());
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    std::optional<unsigned> result = getDonatedResult(main, i);
    if (!result)
      continue;
    if (main.getArgumentTypes()[i] != main.getResultTypes()[*result])
      return emitError(main.getLoc())
             << "argument " << i << " is donated to result " << *result
             << ": expected type " << main.getArgumentTypes()[i] << ", got "
             << main.getResultTypes()[*result];
    if (donors[*result])
      return emitError(main.getLoc())
             << "arguments " << *donors[*result] << " and " << i
             << " are both donated to result " << *result;
    donors[*result] = i;
  }
  return success();
}

/// `names` of the arguments or of the results, which `what` says, may not
/// repeat.
static LogicalResult verifyNames(func::FuncOp main, StringRef what,
                                 ArrayAttr attributes) {
  llvm::StringMap<size_t> seen;
  if (!attributes)
    return success();
  for (auto [i, entry] :
       llvm::enumerate(attributes.getAsRange<DictionaryAttr>())) {
    auto name = entry.getAs<StringAttr>(TesseraDialect::kNameAttr);
    if (!name)
      continue;
    auto [first, isNew] = seen.insert({name, i});
    if (!isNew)
      return emitError(main.getLoc())
             << what << "s " << first->second << " and " << i
             << " have the same name '" << name.getValue() << "'";
  }
  return success();
}

/// The element types of tensors in files and programs (`ElementType.h`).
static bool isAllowedElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() &&
           llvm::is_contained({1, 8, 16, 32, 64}, integer.getWidth());
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

/// Checks the type of a value; `what` names it.
static LogicalResult verifyType(Type type, Location place, const Twine &what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape()) {
    InFlightDiagnostic error = emitError(place)
                               << "expected a tensor of static shape as "
                               << what << ", got " << type;
    noteAlternative(error, unsupportedKind(type));
    return error;
  }
  if (!isAllowedElement(tensor.getElementType())) {
    InFlightDiagnostic error = emitError(place)
                               << "unsupported element type "
                               << tensor.getElementType() << " of " << what;
    noteAlternative(error, unsupportedKind(type));
    return error;
  }
  return success();
}

/// Checks one operation of the body.
static LogicalResult verifyOp(Operation *op) {
  bool allowed =
      isa<tensor::ExtractOp, tensor::FromElementsOp, func::ReturnOp>(op) ||
      isa_and_nonnull<TesseraDialect, arith::ArithDialect, math::MathDialect,
                      scf::SCFDialect>(op->getDialect());
  if (isa_and_nonnull<spmd::SpmdDialect>(op->getDialect())) {
    if (!op->getParentOfType<ManualRegionInterface>())
      return emitError(op->getLoc())
             << "expected per-device code (tessera.manual_computation) around '"
             << op->getName() << "'";
    allowed = isa<spmd::CollectiveOpInterface, spmd::AxisIndexOp>(op);
  }
  if (!allowed)
    return emitError(op->getLoc())
           << "unsupported operation '" << op->getName() << "'";
  // Beside tensors there are the scalars that `scf` decides on.
  for (Type type : op->getResultTypes())
    if (!isa<IntegerType, IndexType>(type) &&
        failed(verifyType(type, op->getLoc(),
                          "result of '" + op->getName().getStringRef() + "'")))
      return failure();
  return success();
}

static LogicalResult verifyMain(func::FuncOp main) {
  if (!main.getBody().hasOneBlock())
    return emitError(main.getLoc()) << "expected one block in @main";
  auto checkTypes = [&](StringRef what, TypeRange types,
                        auto place) -> LogicalResult {
    for (auto [i, type] : llvm::enumerate(types))
      if (failed(
              verifyType(type, place(i), what + " " + Twine(i) + " of @main")))
        return failure();
    return success();
  };
  auto placeOfOperand = [&](unsigned i) {
    return locationOfArgument(main.getArgument(i));
  };
  auto placeOfResult = [&](unsigned i) {
    return main.getBody().front().getTerminator()->getOperand(i).getLoc();
  };
  if (failed(checkTypes("argument", main.getArgumentTypes(), placeOfOperand)) ||
      failed(checkTypes("result", main.getResultTypes(), placeOfResult)) ||
      failed(verifyDonations(main)) ||
      failed(verifyNames(main, "argument", main.getArgAttrsAttr())) ||
      failed(verifyNames(main, "result", main.getResAttrsAttr())))
    return failure();
  return failure(main.getBody()
                     .walk([](Operation *op) {
                       return failed(verifyOp(op)) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
                     })
                     .wasInterrupted());
}

namespace {

struct VerifyImport
    : public tessera::importer::impl::VerifyImportBase<VerifyImport> {
  void runOnOperation() override {
    func::FuncOp main = findMain(getOperation());
    if (!main || failed(verifyMain(main)))
      return signalPassFailure();
    LDBG() << "@main: " << main.getNumArguments() << " arguments, "
           << main.getNumResults() << " results, all of supported types";
    markAllAnalysesPreserved();
  }
};

} // namespace
