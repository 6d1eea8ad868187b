//===- PropagateShardings.cpp - from annotations to a sharding for all ----===//
//
// Elsewhere: GSPMD, sharding propagation.
//
//===----------------------------------------------------------------------===//

#include "Propagation/PropagationGraph.h"

#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Transforms/Shard/Passes.h"

#include "mlir/IR/Builders.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::shard {
#define GEN_PASS_DEF_PROPAGATESHARDINGS
#include "tessera/Transforms/Shard/Passes.h.inc"
} // namespace tessera::shard

#define DEBUG_TYPE "tessera-propagate-shardings"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

namespace {

/// Propagates within one function: reads the annotations into the graph's
/// slots, runs the graph, and writes every slot's sharding to its values.
class FunctionPropagation {
public:
  FunctionPropagation(func::FuncOp function, MeshOp meshOp)
      : function(function), meshName(FlatSymbolRefAttr::get(meshOp)),
        mesh(meshOp.getMesh().getMesh()),
        graph(function, mesh, contradictingMembers(function, mesh)) {}

  /// Adds how it came about to `provenance`.
  LogicalResult run(ShardingProvenance &provenance) {
    if (failed(readAnnotations()))
      return failure();
    graph.propagate();
    writeBoundary();
    writeOperations();
    provenance.set(function, std::move(graph).takeProvenance(function));
    return success();
  }

private:
  using Slot = PropagationGraph::Slot;

  LogicalResult readAnnotations();
  LogicalResult annotate(Slot slot, ShardingAttr sharding, StringRef what,
                         Location loc);
  LogicalResult annotateResults(Operation *op);
  LogicalResult annotateManualRegion(ManualRegionInterface op);
  LogicalResult checkGroup(ShardingGroupOp member);
  void writeBoundary();
  void writeOperations();
  void writeOnly(Operation *op, ShardingAttr sharding);
  void writeResults(Operation *op);
  void reshardAtEdges(Operation *op);
  /// What `slot` got, as an attribute.
  ShardingAttr result(Slot slot);

  func::FuncOp function;
  FlatSymbolRefAttr meshName;
  const Mesh &mesh;
  PropagationGraph graph;
  /// By the number of the sharding.
  DenseMap<unsigned, ShardingAttr> results;
  /// Each sharding as the only attribute of an operation.
  DenseMap<ShardingAttr, DictionaryAttr> dictionaries;
  /// The slots of which the user said something.
  DenseSet<Slot> given;
  /// By number: the first member of each sharding group.
  DenseMap<uint64_t, ShardingGroupOp> groups;
};

} // namespace

//===----------------------------------------------------------------------===//
// Annotations
//===----------------------------------------------------------------------===//

/// `what`, at `loc`, says `attribute` of `slot`.
LogicalResult FunctionPropagation::annotate(Slot slot, ShardingAttr attribute,
                                            StringRef what, Location loc) {
  assert(attribute.getMesh() == meshName && "the module has one mesh");
  TensorSharding sharding = annotatedSharding(attribute, mesh);
  graph.addAnnotation(slot, PlaceAttr::get(function.getContext(), what, loc),
                      attribute);
  if (saysNothing(sharding)) {
    if (!given.contains(slot))
      graph.setSharding(slot, sharding);
    return success();
  }
  if (!given.insert(slot).second && graph.sharding(slot) != sharding)
    return emitError(loc) << "expected one sharding for the values of a "
                             "sharding group, got "
                          << attribute << " and "
                          << ShardingAttr::get(function.getContext(), meshName,
                                               graph.sharding(slot));
  graph.setSharding(slot, sharding);
  return success();
}

LogicalResult FunctionPropagation::annotateResults(Operation *op) {
  // The wish of a `constrain` stands in its own attribute.
  auto constrain = [&](StringRef what, Value result, ShardingAttr sharding) {
    Slot slot = graph.ownSlotOf(result);
    if (failed(annotate(slot, sharding, what, op->getLoc())))
      return failure();
    graph.addConstraint(op->getOperand(0), slot);
    return success();
  };
  if (auto constraint = dyn_cast<ConstrainOp>(op))
    return constrain("constraint", constraint, constraint.getSharding());
  if (auto reshard = dyn_cast<ReshardOp>(op))
    return constrain("reshard", reshard, reshard.getSharding());
  for (Value value : op->getResults())
    if (ShardingAttr sharding = getSharding(value))
      if (failed(annotate(graph.ownSlotOf(value), sharding, "annotation",
                          op->getLoc())))
        return failure();
  return success();
}

/// What enters and leaves a manual region is split as the region asks; of what
/// enters, the manual axes are not seen inside, and along those that say
/// nothing of what leaves it is the same.
LogicalResult
FunctionPropagation::annotateManualRegion(ManualRegionInterface op) {
  auto wish = [&](Value target) {
    TensorSharding sharding = op.getOutsideSharding(target);
    for (DimSharding &dim : sharding.dims)
      llvm::erase_if(dim.axes,
                     [&](AxisRef axis) { return axis.size(mesh) == 1; });
    ManualSharding manual = op.getManualSharding(target);
    if (isa<BlockArgument>(target)) {
      sharding = *manual.toInside(sharding);
    } else {
      llvm::append_range(sharding.replicated, manual.unusedAxes());
      sharding.replicated = canonicalSet(sharding.replicated, mesh);
    }
    return annotate(
        graph.slotOf(target),
        ShardingAttr::get(function.getContext(), meshName, sharding),
        "manual computation", op.getLoc());
  };
  for (BlockArgument argument : op->getRegion(0).getArguments())
    if (failed(wish(argument)))
      return failure();
  for (Value result : op->getResults())
    if (!getSharding(result) && failed(wish(result)))
      return failure();
  return success();
}

LogicalResult FunctionPropagation::checkGroup(ShardingGroupOp member) {
  auto [first, isNew] = groups.try_emplace(member.getGroup(), member);
  ArrayRef<int64_t> shape = member.getOperand().getType().getShape();
  if (first->second.getOperand().getType().getShape() == shape)
    return success();
  InFlightDiagnostic error = member.emitOpError()
                             << "expected values of one shape in group "
                             << member.getGroup() << ", got "
                             << member.getOperand().getType();
  error.attachNote(first->second.getLoc()) << "the first one is here";
  return error;
}

/// Writes what arguments, results and constraints say into the graph's slots,
/// in the order of the text; a diagnostic where two contradict each other.
LogicalResult FunctionPropagation::readAnnotations() {
  StringRef name = TesseraDialect::kShardingAttr;
  for (BlockArgument argument : function.getArguments())
    if (ShardingAttr sharding = getSharding(argument))
      if (failed(annotate(
              graph.slotOf(argument), sharding,
              boundaryName("argument", argument.getArgNumber(),
                           function.getArgAttrDict(argument.getArgNumber())),
              argument.getLoc())))
        return failure();
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (auto sharding = function.getResultAttrOfType<ShardingAttr>(i, name))
      if (failed(
              annotate(graph.slotOfResult(i), sharding,
                       boundaryName("result", i, function.getResultAttrDict(i)),
                       function.getLoc())))
        return failure();
  WalkResult walk = walkProgram(function, [&](Operation *op) {
    if (isa<CallOpInterface>(op)) {
      op->emitError() << "expected calls to be inlined before shardings "
                         "are propagated, got '"
                      << op->getName() << "'";
      return WalkResult::interrupt();
    }
    if (auto manual = dyn_cast<ManualRegionInterface>(op))
      if (failed(annotateManualRegion(manual)))
        return WalkResult::interrupt();
    if (auto member = dyn_cast<ShardingGroupOp>(op))
      return WalkResult(checkGroup(member));
    return WalkResult(annotateResults(op));
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

ShardingAttr FunctionPropagation::result(Slot slot) {
  ShardingAttr &attribute = results[graph.numberOf(slot)];
  if (!attribute)
    attribute = ShardingAttr::get(function.getContext(), meshName,
                                  graph.sharding(slot).placement(mesh));
  return attribute;
}

/// Writes the shardings of arguments and results all at once, for one change
/// costs as much as all.
void FunctionPropagation::writeBoundary() {
  StringAttr name =
      StringAttr::get(function.getContext(), TesseraDialect::kShardingAttr);
  auto with = [&](DictionaryAttr old, Slot slot) {
    NamedAttrList attributes(old);
    if (!given.contains(slot))
      attributes.set(TesseraDialect::kPropagatedAttr,
                     UnitAttr::get(function.getContext()));
    attributes.set(name, result(slot));
    return attributes.getDictionary(function.getContext());
  };
  auto log = [&](StringRef what, unsigned number, Slot slot) {
    LDBG() << "@" << function.getSymName() << " " << what << " " << number
           << ": " << describeSharding(result(slot))
           << (given.contains(slot) ? " by annotation" : " by propagation");
  };
  SmallVector<DictionaryAttr> arguments, functionResults;
  for (BlockArgument argument : function.getArguments()) {
    DictionaryAttr old = function.getArgAttrDict(argument.getArgNumber());
    bool isTensor = isa<RankedTensorType>(argument.getType());
    if (isTensor)
      log("argument", argument.getArgNumber(), graph.slotOf(argument));
    arguments.push_back(isTensor ? with(old, graph.slotOf(argument)) : old);
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    DictionaryAttr old = function.getResultAttrDict(i);
    bool isTensor = isa<RankedTensorType>(type);
    if (isTensor)
      log("result", i, graph.slotOfResult(i));
    functionResults.push_back(isTensor ? with(old, graph.slotOfResult(i))
                                       : old);
  }
  function.setAllArgAttrs(arguments);
  function.setAllResultAttrs(functionResults);
}

/// Makes `sharding` the only attribute of `op`, which has none.
void FunctionPropagation::writeOnly(Operation *op, ShardingAttr sharding) {
  DictionaryAttr &only = dictionaries[sharding];
  if (!only)
    only = DictionaryAttr::get(
        op->getContext(),
        NamedAttribute(
            StringAttr::get(op->getContext(), TesseraDialect::kShardingAttr),
            sharding));
  op->setDiscardableAttrs(only);
}

void FunctionPropagation::writeResults(Operation *op) {
  if (op->getNumResults() == 1 && op->getDiscardableAttrDictionary().empty() &&
      isa<RankedTensorType>(op->getResultTypes().front()))
    return writeOnly(op, result(graph.slotOf(op->getResult(0))));
  SmallVector<Attribute> shardings;
  bool any = false;
  for (Value value : op->getResults()) {
    bool isTensor = isa<RankedTensorType>(value.getType());
    any |= isTensor;
    shardings.push_back(isTensor ? Attribute(result(graph.slotOf(value)))
                                 : UnitAttr::get(op->getContext()));
  }
  if (any)
    op->setDiscardableAttr(TesseraDialect::kShardingAttr,
                           shardings.size() == 1
                               ? shardings.front()
                               : ArrayAttr::get(op->getContext(), shardings));
}

/// Reshards what control flow hands over where source and target disagree.
void FunctionPropagation::reshardAtEdges(Operation *op) {
  DenseMap<OpOperand *, ShardingAttr> wanted;
  SmallVector<OpOperand *> sources;
  forEachDataFlowEdge(op, [&](OpOperand &source, Value target) {
    if (!isa<RankedTensorType>(target.getType()))
      return;
    ShardingAttr taken = result(graph.slotOf(target));
    std::optional<TensorSharding> given =
        shardingBeforeEdge(target, taken.getValue());
    assert(given && "edges keep what a manual region asks for");
    if (wanted
            .try_emplace(&source, ShardingAttr::get(function.getContext(),
                                                    meshName, *given))
            .second)
      sources.push_back(&source);
  });
  for (OpOperand *source : sources) {
    ShardingAttr sharding = wanted.lookup(source);
    if (result(graph.slotOf(source->get())) == sharding)
      continue;
    OpBuilder builder(source->getOwner());
    auto reshard =
        ReshardOp::create(builder, op->getLoc(), source->get(), sharding);
    setSharding(reshard, sharding);
    source->set(reshard);
  }
}

void FunctionPropagation::writeOperations() {
  SmallVector<Operation *> withDataFlow;
  walkProgram(function, [&](Operation *op) {
    writeResults(op);
    if (hasDataFlow(op))
      withDataFlow.push_back(op);
  });
  for (Operation *op : withDataFlow)
    reshardAtEdges(op);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct PropagateShardings
    : tessera::shard::impl::PropagateShardingsBase<PropagateShardings> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOrAddMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() &&
          failed(FunctionPropagation(function, *mesh)
                     .run(getAnalysis<ShardingProvenance>())))
        return signalPassFailure();
  }

  /// The mesh of `module`; one of a single device where there is none.
  static FailureOr<MeshOp> getOrAddMesh(ModuleOp module) {
    if (!module.getOps<MeshOp>().empty())
      return getOnlyMesh(module);
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    return MeshOp::create(builder, module.getLoc(), "mesh",
                          MeshAttr::get(module.getContext(), Mesh()));
  }
};
} // namespace
