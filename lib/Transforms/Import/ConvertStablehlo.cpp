//===- ConvertStablehlo.cpp - StableHLO becomes Tessera -------------------===//
//
// `Conversion.h` explains how.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Calls/ForeignCall.h"
#include "Conversions/Conversion.h"
#include "ForeignModule.h"

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Transforms/Import/Conversions/Unsupported.h"
#include "tessera/Transforms/Import/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::importer {
#define GEN_PASS_DEF_CONVERTSTABLEHLO
#include "tessera/Transforms/Import/Passes.h.inc"
} // namespace tessera::importer

#define DEBUG_TYPE "tessera-convert-stablehlo"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

Conversion::Conversion(ModuleOp module)
    : builder(module.getLoc(), module.getContext()), module(module) {
  addElementwise(table);
  addConverts(table);
  addStructured(table);
  addReductions(table);
  addReduceWindow(table);
  addSelectAndScatter(table);
  addConvolution(table);
  addSorting(table);
  addIndexed(table);
  addRandomBits(table);
  addControlFlow(table);
  addShardings(table);
  addCalls(table);
  addCollectives(table);
  addRaggedAllToAll(table);
  addManualComputations(table);
  addBroadcasting(table);
  addEinsums(table);
  addBatchNormalization(table);
  addDynamicShapes(table);
  addCustomCalls(table);
  addLibraryCalls(table);
  addScans(table);
  addRaggedDot(table);
}

/// Attributes of the module that say how it was made, or for how many devices,
/// which the mesh says better.
static LogicalResult checkModuleAttributes(ModuleOp module) {
  for (NamedAttribute attribute : module->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    if (name == "mhlo.num_replicas") {
      auto count = dyn_cast<IntegerAttr>(attribute.getValue());
      if (count && count.getInt() == 1)
        continue;
      return emitError(module.getLoc())
             << "expected one replica, got " << attribute.getValue();
    }
    if (name != "mhlo.num_partitions" && !name.starts_with("jax.") &&
        !name.starts_with("tessera."))
      return emitError(module.getLoc())
             << "unsupported attribute '" << name << "' of the module";
  }
  return success();
}

static InFlightDiagnostic refuse(Operation &op) {
  InFlightDiagnostic error = emitError(op.getLoc());
  error << "unsupported operation '" << op.getName() << "'";
  if (auto target = op.getAttrOfType<StringAttr>("call_target_name"))
    error << " of '" << target.getValue() << "'";
  noteAlternative(error, &unsupportedKind(&op));
  return error;
}

/// The row of `op`; null if there is none. Calls of functions that are not part
/// of the model have rows of their own.
static const OpConversion *findRow(const ConversionTable &table,
                                   Operation &op) {
  StringRef name = op.getName().getStringRef();
  if (name != "stablehlo.custom_call")
    return table.lookup(name);
  auto target = op.getAttrOfType<StringAttr>("call_target_name");
  if (!target)
    return nullptr;
  const OpConversion *row =
      table.lookup((name + "@" + target.getValue()).str());
  return row || !isRoutineCall(&op) ? row : table.lookup(kRoutineCall);
}

/// Refuses operations that are not known, in the order in which they run,
/// before types that they alone make (a transform's complex numbers): the
/// former say more.
LogicalResult Conversion::checkOperations(func::FuncOp function,
                                          DenseSet<Operation *> &checked) {
  if (!checked.insert(function).second)
    return success();
  LocationsOfCalls places(function);
  for (Block &block : function.getBody())
    for (Operation &op : llvm::drop_end(block)) {
      auto call = dyn_cast<func::CallOp>(op);
      auto callee =
          call ? module.lookupSymbol<func::FuncOp>(call.getCallee()) : nullptr;
      if (callee && failed(checkOperations(callee, checked)))
        return failure();
      if (!findRow(table, op))
        return refuse(op);
    }
  return success();
}

/// Meshes first, then functions, in the order of the text; the old ones go when
/// all have been converted.
LogicalResult Conversion::run() {
  if (failed(checkModuleAttributes(module)))
    return failure();
  Block *old = module.getBody();
  SmallVector<Operation *> sources;
  for (Operation &op : *old)
    sources.push_back(&op);
  builder.setInsertionPointToStart(old);
  // Functions refer to the mesh, wherever it stands.
  for (Operation *op : sources)
    if (op->getName().getStringRef() == "sdy.mesh" && failed(convertMesh(*op)))
      return failure();
  SmallVector<func::FuncOp> functions;
  for (Operation *op : sources) {
    if (op->getName().getStringRef() == "sdy.mesh")
      continue;
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      return refuse(*op);
    functions.push_back(function);
  }
  DenseSet<Operation *> checked;
  for (func::FuncOp function : functions)
    if (failed(checkOperations(function, checked)))
      return failure();
  for (func::FuncOp function : functions)
    if (failed(convertFunction(function)))
      return failure();
  for (Operation *op : sources)
    op->dropAllReferences();
  for (Operation *op : sources)
    op->erase();
  SmallVector<StringAttr> names;
  for (NamedAttribute attribute : module->getDiscardableAttrs())
    if (!attribute.getName().strref().starts_with("tessera."))
      names.push_back(attribute.getName());
  for (StringAttr name : names)
    module->removeDiscardableAttr(name);
  return success();
}

/// Whether attribute `name` is known on every operation: shardings are applied
/// by `constrainResults`, and how operations are split is known without rules.
static bool isKnownEverywhere(StringRef name) {
  return name == "sdy.sharding" || name == "sdy.sharding_rule";
}

static LogicalResult checkAttributes(Operation &op, const OpConversion &row,
                                     DictionaryAttr attributes) {
  if (!attributes)
    return success();
  for (NamedAttribute attribute : attributes)
    if (!llvm::is_contained(row.attributes, attribute.getName()) &&
        !isKnownEverywhere(attribute.getName()))
      return emitError(op.getLoc())
             << "unsupported attribute '" << attribute.getName().getValue()
             << "' of '" << op.getName() << "'";
  return success();
}

/// Checks `op` against what its row in the table promises to its function.
LogicalResult Conversion::checkForm(Operation &op, const OpConversion &row) {
  auto check = [&](StringRef what, int expected, int got) -> LogicalResult {
    if (expected == OpConversion::kAny || expected == got)
      return success();
    return emitError(op.getLoc()) << "expected " << expected << " " << what
                                  << (expected == 1 ? "" : "s") << " of '"
                                  << op.getName() << "', got " << got;
  };
  if (failed(check("operand", row.numOperands, op.getNumOperands())) ||
      failed(check("result", row.numResults, op.getNumResults())) ||
      failed(check("region", row.numRegions, op.getNumRegions())))
    return failure();
  if (!op.getName().isRegistered())
    if (failed(checkAttributes(
            op, row,
            dyn_cast_or_null<DictionaryAttr>(op.getPropertiesAsAttribute()))))
      return failure();
  for (Region &region : op.getRegions())
    if (!region.hasOneBlock() || region.front().empty() ||
        region.front().back().getName().getStringRef() != row.terminator)
      return emitError(op.getLoc())
             << "expected one block that ends with '" << row.terminator
             << "' in every region of '" << op.getName() << "'";
  return checkAttributes(op, row, op.getDiscardableAttrDictionary());
}

/// Appends what replaces the operands of `op`. In regions of foreign operations
/// MLIR does not check that values precede their uses.
LogicalResult Conversion::lookupOperands(Operation &op,
                                         SmallVectorImpl<Value> &operands) {
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    operands.push_back(lookup(operand));
    if (!operands.back())
      return emitError(op.getLoc()) << "expected operand " << i << " of '"
                                    << op.getName() << "' to precede it";
  }
  return success();
}

Value Conversion::expand(Operation *op, StringRef name, ValueRange operands,
                         Type result, ArrayRef<NamedAttribute> attributes) {
  SmallVector<NamedAttribute> all(attributes);
  auto isGiven = [&](StringRef attribute) {
    return llvm::any_of(attributes, [&](NamedAttribute given) {
      return given.getName() == attribute;
    });
  };
  if (const OpConversion *row = table.lookup(name))
    for (StringRef attribute : row->attributes)
      if (Attribute own = op->getAttr(attribute); own && !isGiven(attribute))
        all.push_back(builder.getNamedAttr(attribute, own));
  OperationState state(op->getLoc(), name, operands, {result}, all);
  OpBuilder before(op);
  Operation *part = before.create(state);
  return succeeded(convertOp(*part)) ? part->getResult(0) : nullptr;
}

LogicalResult Conversion::convertOp(Operation &op) {
  const OpConversion *row = findRow(table, op);
  if (!row)
    return refuse(op);
  if (failed(checkForm(op, *row)))
    return failure();
  SmallVector<Value> operands, results;
  if (failed(lookupOperands(op, operands)))
    return failure();
  builder.setLoc(op.getLoc());
  if (failed(row->convert(&op, operands, *this, results)) ||
      failed(constrainResults(op, results)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op.getResults(), results)) {
    Type expected = convertType(result.getType(), op.getLoc());
    if (!expected)
      return failure();
    if (value.getType() != expected)
      return emitError(op.getLoc())
             << "expected result type " << value.getType() << " of '"
             << op.getName() << "', got " << result.getType();
    map(result, value);
  }
  return success();
}

/// Whether `body` uses values of the region around its operation.
static bool usesOutsideValues(Block &body) {
  return body
      .walk([&](Operation *op) {
        bool outside = llvm::any_of(op->getOperands(), [&](Value operand) {
          return !body.getParent()->isAncestor(operand.getParentRegion());
        });
        return outside ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Repeats the constants that `body` uses of the region around its operation,
/// which simplifications of others move there.
static void sinkConstants(Block &body) {
  DenseMap<Operation *, Operation *> copies;
  OpBuilder atStart(&body, body.begin());
  body.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *constant = operand.get().getDefiningOp();
      if (!constant ||
          constant->getName().getStringRef() != "stablehlo.constant" ||
          body.getParent()->isAncestor(constant->getParentRegion()))
        continue;
      Operation *&copy = copies[constant];
      if (!copy)
        copy = atStart.clone(*constant);
      operand.set(copy->getResult(0));
    }
  });
}

LogicalResult Conversion::convertRegion(Operation *op, unsigned number,
                                        Region &target) {
  Block &source = op->getRegion(number).front();
  sinkConstants(source);
  if (usesOutsideValues(source))
    return emitError(op->getLoc()) << "expected a region of '" << op->getName()
                                   << "' that uses no values from outside";
  OpBuilder::InsertionGuard guard(builder);
  ElementScope scope(*this);
  Block *body = builder.createBlock(&target);
  SmallVector<Value> yielded;
  if (failed(convertArguments(source, *body)) ||
      failed(convertBody(source, yielded)))
    return failure();
  YieldOp::create(builder, yielded);
  return success();
}

LogicalResult Conversion::convertBody(Block &block,
                                      SmallVectorImpl<Value> &yielded) {
  // `without_terminator` would not recognise a foreign one.
  Operation &terminator = block.back();
  for (Operation &op : block)
    if (&op != &terminator && failed(convertOp(op)))
      return failure();
  builder.setLoc(terminator.getLoc());
  return lookupOperands(terminator, yielded);
}

namespace {

struct ConvertStablehlo
    : public tessera::importer::impl::ConvertStablehloBase<ConvertStablehlo> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!isForeign(module)) {
      LDBG() << "the model is Tessera already";
      return;
    }
    if (failed(Conversion(module).run()))
      return signalPassFailure();
    LDBG() << "converted a model of "
           << llvm::range_size(module.getOps<func::FuncOp>()) << " functions";
  }
};

} // namespace
