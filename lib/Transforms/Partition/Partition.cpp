//===- Partition.cpp - from whole tensors to one device's parts -----------===//

#include "Exchange/EmitReshard.h"
#include "Exchange/HaloExchange.h"
#include "Exchange/WindowExchange.h"

#include "tessera/Dialect/Tessera/DeviceOrder.h"
#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/LocalComputationInterface.h"
#include "tessera/Transforms/Partition/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::partition {
#define GEN_PASS_DEF_PARTITION
#include "tessera/Transforms/Partition/Passes.h.inc"
} // namespace tessera::partition

#define DEBUG_TYPE "tessera-partition"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

namespace {

/// Rebuilds one function for local types, operation by operation; the whole
/// tensors' types stay readable in the old function until it is done.
class FunctionPartitioner {
public:
  FunctionPartitioner(func::FuncOp function, MeshOp meshOp,
                      ReshardEmitter &emitter)
      : function(function), meshName(FlatSymbolRefAttr::get(meshOp)),
        mesh(meshOp.getMesh().getMesh()), emitter(emitter),
        shardings(getAllShardings(function)),
        halos(function, meshName, mesh, shardings),
        windows(meshName, mesh, shardings) {}

  /// Replaces the function.
  LogicalResult run();

private:
  LogicalResult convertBody(Region &from, Region &to);
  LogicalResult convert(OpBuilder &builder, Operation *op);
  LogicalResult convertStructured(OpBuilder &builder, Operation *op);
  LogicalResult inlineManualRegion(OpBuilder &builder,
                                   ManualRegionInterface op);
  Value convertPad(OpBuilder &builder, PadOp op, ArrayRef<Value> operands);
  LogicalResult convertComputation(OpBuilder &builder, Operation *op);
  LogicalResult checkSupported(Operation *op);
  void writeBoundary(func::FuncOp local);
  void dropUselessDonations(func::FuncOp local);
  /// The type of one device's part of `value`.
  Type localType(Value value) const {
    return localType(value.getType(), shardings.lookup(value));
  }
  Type localType(Type type, ShardingAttr sharding) const;
  SmallVector<Type> localTypes(ValueRange values) const {
    return llvm::map_to_vector(values,
                               [&](Value value) { return localType(value); });
  }
  TensorSharding shardingOf(Value value) const {
    ShardingAttr sharding = shardings.lookup(value);
    return sharding ? sharding.getValue() : TensorSharding::getReplicated(0);
  }

  func::FuncOp function;
  FlatSymbolRefAttr meshName;
  const Mesh &mesh;
  ReshardEmitter &emitter;
  DenseMap<Value, ShardingAttr> shardings;
  HaloExchange halos;
  WindowExchange windows;
  IRMapping mapping;
};

} // namespace

Type FunctionPartitioner::localType(Type type, ShardingAttr sharding) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !sharding)
    return type;
  return tensor.clone(sharding.getValue().localShape(tensor.getShape(), mesh));
}

/// Refuses what would need elements of other devices' parts.
LogicalResult FunctionPartitioner::checkSupported(Operation *op) {
  std::optional<ShardingRule> rule = getShardingRule(op);
  if (!rule)
    return success();
  auto localSize = [&](Value value, int64_t dim) {
    return cast<RankedTensorType>(localType(value)).getDimSize(dim);
  };
  for (size_t i = 0; i < rule->numTensors(); ++i) {
    TensorSharding sharding = shardingOf(
        i < op->getNumOperands() ? op->getOperand(i)
                                 : op->getResult(i - op->getNumOperands()));
    for (auto [number, dim] : llvm::enumerate(rule->tensor(i).dims)) {
      if (dim.size() != 1 || sharding.numShards(number, mesh) == 1)
        continue;
      FactorKind kind = rule->factors[dim[0]].kind;
      bool isShift = isa<PadOp>(op) && localSize(op->getOperand(0), number) ==
                                           localSize(op->getResult(0), number);
      bool isWindow =
          llvm::is_contained(windows.windowDims(op), int64_t(number));
      if (kind != FactorKind::PassThrough && kind != FactorKind::Reduction &&
          !isShift && !isWindow && !isa<ReverseOp>(op))
        return op->emitOpError()
               << "not supported yet: expected a whole dimension " << number
               << " of tensor " << i << " (operands first), got one in "
               << sharding.numShards(number, mesh) << " parts";
    }
  }
  return success();
}

LogicalResult FunctionPartitioner::convertBody(Region &from, Region &to) {
  if (from.empty())
    return success();
  if (!from.hasOneBlock())
    return function.emitError()
           << "not supported yet: expected regions of one block";
  Block &block = to.emplaceBlock();
  for (BlockArgument argument : from.getArguments())
    mapping.map(argument,
                block.addArgument(localType(argument), argument.getLoc()));
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToEnd(&block);
  for (Operation &op : from.front())
    if (failed(convert(builder, &op)))
      return failure();
  return success();
}

LogicalResult FunctionPartitioner::convert(OpBuilder &builder, Operation *op) {
  if (auto reshard = dyn_cast<ReshardOp>(op)) {
    FailureOr<Value> value =
        emitter.emit(builder, reshard, shardingOf(reshard.getOperand()),
                     mapping.lookup(reshard.getOperand()));
    if (failed(value))
      return failure();
    mapping.map(reshard.getResult(), *value);
    return success();
  }
  if (isa<ConstrainOp>(op))
    return op->emitOpError()
           << "expected no constraint; run the phase 'shard' first";
  if (failed(checkSupported(op)))
    return failure();
  if (auto manual = dyn_cast<ManualRegionInterface>(op))
    return inlineManualRegion(builder, manual);
  return hasDataFlow(op) ? convertStructured(builder, op)
                         : convertComputation(builder, op);
}

LogicalResult FunctionPartitioner::convertStructured(OpBuilder &builder,
                                                     Operation *op) {
  SmallVector<Value> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value value) { return mapping.lookup(value); });
  OperationState state(op->getLoc(), op->getName(), operands,
                       localTypes(op->getResults()), op->getAttrs());
  state.attributes.erase(TesseraDialect::kShardingAttr);
  for (Region &region : op->getRegions())
    if (failed(convertBody(region, *state.addRegion())))
      return failure();
  mapping.map(op->getResults(), builder.create(state)->getResults());
  return success();
}

/// What a device holds of a tensor outside is what it holds of its part inside,
/// so the region has nothing to do but to be run.
LogicalResult
FunctionPartitioner::inlineManualRegion(OpBuilder &builder,
                                        ManualRegionInterface op) {
  Block &body = op->getRegion(0).front();
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), op->getOperands()))
    mapping.map(argument, mapping.lookup(operand));
  for (Operation &inner : body.without_terminator())
    if (failed(convert(builder, &inner)))
      return failure();
  for (auto [result, yielded] :
       llvm::zip_equal(op->getResults(), body.getTerminator()->getOperands()))
    mapping.map(result, mapping.lookup(yielded));
  return success();
}

/// Along dimensions that are whole or shifted, then along those whose parts
/// become longer or shorter.
Value FunctionPartitioner::convertPad(OpBuilder &builder, PadOp op,
                                      ArrayRef<Value> operands) {
  SmallVector<int64_t> dims = windows.windowDims(op);
  auto from = cast<RankedTensorType>(operands[0].getType());
  auto type = cast<RankedTensorType>(localType(op.getResult()));
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t dim : dims)
    shape[dim] = from.getDimSize(dim);
  type = type.clone(shape);
  ImplicitLocOpBuilder b(op.getLoc(), builder);
  Value part =
      halos.isShift(op)
          ? halos.emit(builder, op, operands[0], operands[1], type)
          : padWholeDims(b, op, op.getLow(), op.getHigh(), operands[0],
                         operands[1], type, shardingOf(op.getOperand()));
  return dims.empty() ? part : windows.emit(builder, op, part, operands[1]);
}

/// Builds what `op` is on one device's parts of its operands: the same on local
/// types, what its interface says, or an exchange where parts do not suffice.
LogicalResult FunctionPartitioner::convertComputation(OpBuilder &builder,
                                                      Operation *op) {
  SmallVector<Value> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value value) { return mapping.lookup(value); });
  SmallVector<Type> results = localTypes(op->getResults());
  if (auto pad = dyn_cast<PadOp>(op);
      pad && (halos.isShift(pad) || !windows.windowDims(pad).empty())) {
    LDBG() << describeOperation(op) << ": "
           << (halos.isShift(pad) ? "devices exchange halos"
                                  : "devices take windows of others' parts");
    mapping.map(pad.getResult(), convertPad(builder, pad, operands));
    return success();
  }
  if (auto join = dyn_cast<ConcatenateOp>(op);
      join && !windows.windowDims(join).empty()) {
    LDBG() << describeOperation(op)
           << ": devices take windows of others' parts";
    mapping.map(join.getResult(), windows.emit(builder, join, operands));
    return success();
  }
  auto interface = dyn_cast<LocalComputationInterface>(op);
  if (!interface) {
    Operation *local = createLocalOperation(builder, op, operands, results);
    mapping.map(op->getResults(), local->getResults());
    return success();
  }
  ShardedOperation sharded{meshName, mesh, {}, {}};
  for (Value operand : op->getOperands())
    sharded.operands.push_back(shardingOf(operand));
  for (Value result : op->getResults())
    sharded.results.push_back(shardingOf(result));
  mapping.map(op->getResults(),
              interface.buildLocal(builder, operands, results, sharded));
  return success();
}

/// Gives arguments and results their local types, and says what they are parts
/// of.
void FunctionPartitioner::writeBoundary(func::FuncOp local) {
  StringAttr globalName =
      StringAttr::get(function.getContext(), TesseraDialect::kGlobalTypeAttr);
  auto withGlobalType = [&](DictionaryAttr old, Type type) {
    if (!isa<RankedTensorType>(type))
      return old;
    NamedAttrList attributes(old);
    attributes.set(globalName, TypeAttr::get(type));
    return attributes.getDictionary(function.getContext());
  };
  SmallVector<DictionaryAttr> arguments, results;
  SmallVector<Type> resultTypes;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    arguments.push_back(withGlobalType(function.getArgAttrDict(i), type));
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    results.push_back(withGlobalType(function.getResultAttrDict(i), type));
    resultTypes.push_back(
        localType(type, function.getResultAttrOfType<ShardingAttr>(
                            i, TesseraDialect::kShardingAttr)));
  }
  local.setType(FunctionType::get(
      function.getContext(), localTypes(function.getArguments()), resultTypes));
  local.setAllArgAttrs(arguments);
  local.setAllResultAttrs(results);
}

/// The memory of an argument can hold only a result that is split in the same
/// way.
void FunctionPartitioner::dropUselessDonations(func::FuncOp local) {
  StringRef sharding = TesseraDialect::kShardingAttr;
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    std::optional<unsigned> donated = getDonatedResult(argument);
    if (!donated)
      continue;
    auto from = function.getArgAttrOfType<ShardingAttr>(number, sharding);
    auto to = function.getResultAttrOfType<ShardingAttr>(*donated, sharding);
    bool isSameOrder =
        meshAtBoundary(function.getArgAttrDict(number), mesh) ==
        meshAtBoundary(function.getResultAttrDict(*donated), mesh);
    if (!from || !to ||
        (isSameOrder && from.getValue().samePlacement(to.getValue(), mesh)))
      continue;
    emitWarning(argument.getLoc())
        << "argument " << number << " is donated to result " << *donated
        << ", which is sharded differently: its memory is not reused";
    local.removeArgAttr(number, StringAttr::get(function.getContext(),
                                                TesseraDialect::kDonatedAttr));
  }
}

LogicalResult FunctionPartitioner::run() {
  if (failed(verifyAllSharded(function, shardings)))
    return failure();
  OpBuilder builder(function);
  auto local =
      cast<func::FuncOp>(builder.cloneWithoutRegions(*function.getOperation()));
  writeBoundary(local);
  dropUselessDonations(local);
  if (failed(convertBody(function.getBody(), local.getBody()))) {
    local.erase();
    return failure();
  }
  function.erase();
  return success();
}

namespace {
struct Partition : tessera::partition::impl::PartitionBase<Partition> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    ReshardEmitter emitter(*mesh);
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal() &&
          failed(FunctionPartitioner(function, *mesh, emitter).run()))
        return signalPassFailure();
  }
};
} // namespace
