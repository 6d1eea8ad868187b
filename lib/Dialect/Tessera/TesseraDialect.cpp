//===- TesseraDialect.cpp - the dialect and where it keeps shardings ------===//

#include "IndexingModels.h"

#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Dialect/Tessera/LibraryCalls.h"
#include "tessera/Dialect/Tessera/Provenance.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "tessera/Dialect/Tessera/BatchAttribute.h"
#include "tessera/Dialect/Tessera/ChangedMathematics.h"
#include "tessera/Dialect/Tessera/ComplexBoundary.h"
#include "tessera/Dialect/Tessera/DeviceOrder.h"
#include "tessera/Dialect/Tessera/ShortTypeBoundary.h"
#include "tessera/Interfaces/DataFlow.h"

#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tessera;

#include "tessera/Dialect/Tessera/TesseraDialect.cpp.inc"

namespace {
/// Prints what many locations share once.
struct TesseraAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const final {
    StringRef name;
    if (isa<ProvenanceAttr>(attribute))
      name = "why";
    else if (isa<OriginAttr>(attribute))
      name = "origin";
    else if (isa<PlaceAttr>(attribute))
      name = "place";
    else
      return AliasResult::NoAlias;
    os << name;
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void TesseraDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/Tessera/TesseraOps.cpp.inc"
      >();
  addInterfaces<TesseraAliases>();
  attachIndexingMaps(*getContext());
}

//===----------------------------------------------------------------------===//
// Shardings of values
//===----------------------------------------------------------------------===//

MeshOp tessera::lookupMesh(Operation *op, FlatSymbolRefAttr symbol) {
  return SymbolTable::lookupNearestSymbolFrom<MeshOp>(op, symbol);
}

FailureOr<MeshOp> tessera::getOnlyMesh(ModuleOp module) {
  SmallVector<MeshOp> meshes(module.getOps<MeshOp>());
  if (meshes.size() == 1)
    return meshes.front();
  InFlightDiagnostic diagnostic =
      module.emitError() << "not supported yet: expected one mesh, got "
                         << meshes.size();
  for (MeshOp mesh : meshes)
    diagnostic.attachNote(mesh.getLoc()) << "a mesh is here";
  return diagnostic;
}

int64_t tessera::groupSize(Operation *op, AxesAttr axes) {
  return totalSize(axes.getAxes(),
                   lookupMesh(op, axes.getMesh()).getMesh().getMesh());
}

/// `verifySharding` of `op`, or of its argument or result called `of`.
static LogicalResult verifyShardingOf(const Twine &of, Operation *op,
                                      ShardingAttr sharding, Type type) {
  auto error = [&] {
    InFlightDiagnostic diagnostic = op->emitError();
    if (!of.isTriviallyEmpty())
      diagnostic << "sharding of " << of << ": ";
    return diagnostic;
  };
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return error() << "expected a tensor under a sharding, got " << type;
  MeshOp mesh = lookupMesh(op, sharding.getMesh());
  if (!mesh)
    return error() << "unknown mesh " << sharding.getMesh();
  std::string wrong =
      sharding.getValue().verify(tensor.getShape(), mesh.getMesh().getMesh());
  if (!wrong.empty())
    return error() << wrong;
  AxisList manual = manualAxesAround(op);
  for (const AxisRef &axis : sharding.getValue().usedAxes())
    if (llvm::any_of(manual, [&](const AxisRef &other) {
          return other.name == axis.name;
        }))
      return error() << "expected axes that are free here, got \""
                     << axis.name.str() << "\", which is manual";
  ReductionKind kind = sharding.getValue().unreducedKind;
  bool isBitwise = kind == ReductionKind::And || kind == ReductionKind::Or ||
                   kind == ReductionKind::Xor;
  if (isBitwise && !tensor.getElementType().isInteger())
    return error() << "expected integers for unreduced=" << stringify(kind)
                   << "{...}, got " << tensor.getElementType();
  return success();
}

LogicalResult tessera::verifySharding(Operation *op, ShardingAttr sharding,
                                      Type type) {
  return verifyShardingOf("", op, sharding, type);
}

/// The sharding of `target` where control flow hands it over in `source`.
static ShardingAttr behindEdge(Value target, ShardingAttr source) {
  if (!source)
    return {};
  std::optional<TensorSharding> sharding =
      shardingBehindEdge(target, source.getValue());
  return sharding ? ShardingAttr::get(target.getContext(), source.getMesh(),
                                      *sharding)
                  : ShardingAttr();
}

ShardingAttr tessera::getSharding(Value value) {
  if (auto result = dyn_cast<OpResult>(value)) {
    Attribute attribute =
        result.getOwner()->getDiscardableAttr(TesseraDialect::kShardingAttr);
    if (auto list = dyn_cast_or_null<ArrayAttr>(attribute))
      return dyn_cast<ShardingAttr>(list[result.getResultNumber()]);
    return dyn_cast_or_null<ShardingAttr>(attribute);
  }
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  if (!argument.getOwner()->isEntryBlock())
    return {};
  if (auto function = dyn_cast<FunctionOpInterface>(parent))
    return function.getArgAttrOfType<ShardingAttr>(
        argument.getArgNumber(), TesseraDialect::kShardingAttr);
  Value first;
  // What a loop carries comes from outside first; it may carry thousands.
  auto loop = dyn_cast<LoopLikeOpInterface>(parent);
  if (OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr)
    first = init->get();
  else if (auto branch = dyn_cast<RegionBranchOpInterface>(parent))
    forEachDataFlowEdge(branch, [&](OpOperand &source, Value target) {
      if (!first && target == argument)
        first = source.get();
    });
  return first && first != value ? behindEdge(value, getSharding(first))
                                 : ShardingAttr();
}

DenseMap<Value, ShardingAttr> tessera::getAllShardings(Operation *function) {
  DenseMap<Value, ShardingAttr> shardings;
  auto add = [&](Value value) {
    if (ShardingAttr sharding = getSharding(value))
      shardings.try_emplace(value, sharding);
  };
  SmallVector<std::pair<Value, Value>> edges;
  if (auto functionOp = dyn_cast<FunctionOpInterface>(function))
    for (Value argument : functionOp.getArguments())
      add(argument);
  walkProgram(function, [&](Operation *op) {
    for (Value result : op->getResults())
      add(result);
    if (hasDataFlow(op))
      forEachDataFlowEdge(op, [&](OpOperand &source, Value target) {
        if (isa<BlockArgument>(target))
          edges.push_back({source.get(), target});
      });
  });
  // A loop's condition may hand on what has only been handed in.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [source, target] : edges)
      if (!shardings.contains(target))
        if (ShardingAttr sharding =
                behindEdge(target, shardings.lookup(source)))
          changed |= shardings.try_emplace(target, sharding).second;
  }
  return shardings;
}

LogicalResult
tessera::verifyAllSharded(Operation *function,
                          const DenseMap<Value, ShardingAttr> &shardings) {
  auto hasNone = [&](Value value) {
    return isa<RankedTensorType>(value.getType()) && !shardings.contains(value);
  };
  auto refuse = [](Operation *op, StringRef what, unsigned number) {
    op->emitOpError() << "expected a sharding for every tensor, got none for "
                      << what << " " << number;
    return failure();
  };
  if (auto functionOp = dyn_cast<FunctionOpInterface>(function))
    for (BlockArgument argument : functionOp.getArguments())
      if (hasNone(argument))
        return refuse(function, "argument", argument.getArgNumber());
  WalkResult walk = walkProgram(function, [&](Operation *op) -> WalkResult {
    for (OpResult result : op->getResults())
      if (hasNone(result))
        return refuse(op, "result", result.getResultNumber());
    if (isa<RegionBranchOpInterface>(op))
      for (Region &region : op->getRegions())
        for (BlockArgument argument : region.getArguments())
          if (hasNone(argument))
            return refuse(op, "region argument", argument.getArgNumber());
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

void tessera::setSharding(Value value, ShardingAttr sharding) {
  StringRef name = TesseraDialect::kShardingAttr;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function =
        cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    if (sharding)
      function.setArgAttr(argument.getArgNumber(), name, sharding);
    else
      function.removeArgAttr(argument.getArgNumber(),
                             StringAttr::get(value.getContext(), name));
    return;
  }
  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  if (op->getNumResults() == 1) {
    // Most are set to what they are.
    if (op->getDiscardableAttr(name) == sharding)
      return;
    sharding ? op->setDiscardableAttr(name, sharding)
             : (void)op->removeDiscardableAttr(name);
    return;
  }
  SmallVector<Attribute> list(op->getNumResults(),
                              UnitAttr::get(op->getContext()));
  if (auto old = dyn_cast_or_null<ArrayAttr>(op->getDiscardableAttr(name)))
    list.assign(old.begin(), old.end());
  list[result.getResultNumber()] =
      sharding ? Attribute(sharding) : UnitAttr::get(op->getContext());
  op->setDiscardableAttr(name, ArrayAttr::get(op->getContext(), list));
}

//===----------------------------------------------------------------------===//
// Verification of discardable attributes
//===----------------------------------------------------------------------===//

/// Checks the order of the devices that hold an argument or result with
/// `attributes`; whose sharding is still to be found, that it is an order.
static LogicalResult verifyDeviceOrder(Operation *op,
                                       DictionaryAttr attributes) {
  auto order = attributes.getAs<DenseI64ArrayAttr>(kDeviceOrderAttr);
  auto sharding = attributes.getAs<ShardingAttr>(TesseraDialect::kShardingAttr);
  if (!order)
    return op->emitError() << "expected an array of i64 for "
                           << kDeviceOrderAttr;
  if (!sharding)
    return success();
  MeshOp mesh = lookupMesh(op, sharding.getMesh());
  if (!mesh)
    return op->emitError() << "unknown mesh " << sharding.getMesh();
  Mesh ordered = mesh.getMesh().getMesh();
  ordered.deviceIds.assign(order.asArrayRef().begin(),
                           order.asArrayRef().end());
  std::string error = ordered.verify();
  if (error.empty() && order.empty())
    error = "expected a device for each position of the mesh, got none";
  if (!error.empty())
    return op->emitError() << kDeviceOrderAttr << ": " << error;
  return success();
}

/// Checks one of the `attributes` that arguments and results of functions
/// share.
static LogicalResult verifyBoundaryAttribute(Operation *op,
                                             NamedAttribute attribute,
                                             DictionaryAttr attributes) {
  StringRef name = attribute.getName();
  if (name == TesseraDialect::kShardingAttr) {
    auto sharding = dyn_cast<ShardingAttr>(attribute.getValue());
    return sharding
               ? success()
               : op->emitError() << "expected a #tessera.sharding for " << name;
  }
  if (name == TesseraDialect::kNameAttr || name == kShortTypeAttr)
    return isa<StringAttr>(attribute.getValue())
               ? success()
               : op->emitError() << "expected a string for " << name;
  if (name == TesseraDialect::kUnsignedAttr || name == kComplexAttr ||
      name == TesseraDialect::kPropagatedAttr || name == kInitiallyZeroAttr)
    return isa<UnitAttr>(attribute.getValue())
               ? success()
               : op->emitError() << "expected a unit attribute for " << name;
  if (name == TesseraDialect::kGlobalTypeAttr) {
    auto global = dyn_cast<TypeAttr>(attribute.getValue());
    return global && isa<RankedTensorType>(global.getValue())
               ? success()
               : op->emitError() << "expected a tensor type for " << name;
  }
  if (name == kDeviceOrderAttr)
    return verifyDeviceOrder(op, attributes);
  return op->emitError() << "unknown attribute '" << name
                         << "' of the dialect tessera";
}

/// The type that a sharding at a function's boundary speaks of: the whole
/// tensor's.
static Type globalTypeOf(DictionaryAttr attributes, Type type) {
  if (attributes)
    if (auto global =
            attributes.getAs<TypeAttr>(TesseraDialect::kGlobalTypeAttr))
      return global.getValue();
  return type;
}

std::optional<unsigned> tessera::getDonatedResult(FunctionOpInterface function,
                                                  unsigned argument) {
  auto result = function.getArgAttrOfType<IntegerAttr>(
      argument, TesseraDialect::kDonatedAttr);
  return result ? std::optional<unsigned>(result.getInt()) : std::nullopt;
}

std::optional<unsigned> tessera::getDonatedResult(BlockArgument argument) {
  return getDonatedResult(
      cast<FunctionOpInterface>(argument.getOwner()->getParentOp()),
      argument.getArgNumber());
}

/// Checks an attribute of a function's argument: a donated argument names a
/// result, a batch dimension is one of its tensor, and shardings fit it.
LogicalResult TesseraDialect::verifyRegionArgAttribute(
    Operation *op, unsigned, unsigned argument, NamedAttribute attribute) {
  // Nothing else asks for attributes of its arguments.
  auto function = cast<FunctionOpInterface>(op);
  if (attribute.getName() == kDonatedAttr) {
    auto result = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!result || result.getInt() < 0 ||
        result.getInt() >= int64_t(function.getNumResults()))
      return op->emitError()
             << "expected the number of a result for " << kDonatedAttr
             << " of argument " << argument << ", got " << attribute.getValue();
    return success();
  }
  Type type = function.getArgumentTypes()[argument];
  if (attribute.getName() == kBatchAttr) {
    auto dim = dyn_cast<IntegerAttr>(attribute.getValue());
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!dim || !tensor || dim.getInt() < 0 || dim.getInt() >= tensor.getRank())
      return op->emitError()
             << "expected a dimension of argument " << argument << " for "
             << kBatchAttr << ", got " << attribute.getValue();
    return success();
  }
  if (failed(verifyBoundaryAttribute(op, attribute,
                                     function.getArgAttrDict(argument))))
    return failure();
  if (auto sharding = dyn_cast<ShardingAttr>(attribute.getValue()))
    return verifyShardingOf(
        boundaryName("argument", argument, function.getArgAttrDict(argument)),
        op, sharding, globalTypeOf(function.getArgAttrDict(argument), type));
  return success();
}

LogicalResult TesseraDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned result, NamedAttribute attribute) {
  auto function = cast<FunctionOpInterface>(op);
  Type type = function.getResultTypes()[result];
  if (failed(verifyBoundaryAttribute(op, attribute,
                                     function.getResultAttrDict(result))))
    return failure();
  if (auto sharding = dyn_cast<ShardingAttr>(attribute.getValue()))
    return verifyShardingOf(
        boundaryName("result", result, function.getResultAttrDict(result)), op,
        sharding, globalTypeOf(function.getResultAttrDict(result), type));
  return success();
}

LogicalResult
TesseraDialect::verifyOperationAttribute(Operation *op,
                                         NamedAttribute attribute) {
  if (attribute.getName() == kRoutineLibrariesAttr && isa<ModuleOp>(op))
    return verifyRoutineLibraries(op, attribute.getValue());
  if (attribute.getName() == kMathematicsAttr && isa<ModuleOp>(op))
    return success();
  if (attribute.getName() != kShardingAttr)
    return op->emitError() << "unknown attribute '"
                           << attribute.getName().getValue()
                           << "' of the dialect tessera";
  if (auto sharding = dyn_cast<ShardingAttr>(attribute.getValue())) {
    if (op->getNumResults() != 1)
      return op->emitError() << "expected " << op->getNumResults()
                             << " shardings, one per result, got 1";
    return verifySharding(op, sharding, op->getResult(0).getType());
  }
  auto list = dyn_cast<ArrayAttr>(attribute.getValue());
  if (!list || list.size() != op->getNumResults())
    return op->emitError() << "expected " << op->getNumResults()
                           << " shardings, one per result";
  for (auto [value, result] : llvm::zip_equal(list, op->getResults())) {
    if (auto sharding = dyn_cast<ShardingAttr>(value)) {
      if (failed(verifySharding(op, sharding, result.getType())))
        return failure();
    } else if (!isa<UnitAttr>(value)) {
      return op->emitError()
             << "expected a #tessera.sharding or 'unit' per result, got "
             << value;
    }
  }
  return success();
}
