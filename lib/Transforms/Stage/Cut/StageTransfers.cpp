//===- StageTransfers.cpp - values from one stage to another --------------===//

#include "Cut/StageTransfers.h"

#include "tessera/Dialect/Tessera/Provenance.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Sharding/Algebra/AxisFit.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;
using pipe::FragmentOp;

FragmentOp tessera::stage::createFragment(OpBuilder &builder, Location loc,
                                          pipe::FragmentKind kind,
                                          int64_t stage) {
  auto fragment = FragmentOp::create(builder, loc, TypeRange(), kind, stage);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&fragment.getBody());
  pipe::YieldOp::create(builder, loc, ValueRange());
  return fragment;
}

ShardingAttr tessera::stage::slicedSharding(Value value, const Mesh &mesh) {
  RankedTensorType type = typeOf(value);
  ShardingAttr sharding = getSharding(value);
  if (!sharding || !sharding.getValue().unreduced.empty())
    return {};
  TensorSharding sliced = sharding.getValue();
  AxisList used;
  for (const DimSharding &dim : sliced.dims)
    llvm::append_range(used, dim.axes);
  sliced.replicated.clear();
  bool changed = false;
  for (const MeshAxis &meshAxis : mesh.axes) {
    AxisRef axis(meshAxis.name);
    if (meshAxis.size == 1 || !fitsBeside(axis, used, mesh))
      continue;
    for (auto [number, dim] : llvm::enumerate(sliced.dims)) {
      int64_t parts = sliced.numShards(number, mesh) * meshAxis.size;
      if (type.getDimSize(number) % parts != 0)
        continue;
      dim.axes.push_back(axis);
      changed = true;
      break;
    }
  }
  if (!changed)
    return {};
  return ShardingAttr::get(value.getContext(), sharding.getMesh(), sliced);
}

static Value reshardTo(OpBuilder &builder, Location loc, Value value,
                       ShardingAttr sharding) {
  auto reshard = ReshardOp::create(builder, loc, value, sharding);
  setSharding(reshard, sharding);
  return reshard;
}

/// The location of what brings `value` from the stage `source` to `target`,
/// with the reason why it is there: where the value is made, and, if its
/// sharding is known, in which one it is sent.
Location StageTransfers::whyTransfer(Value value, int64_t source,
                                     int64_t target, ShardingAttr sent) const {
  scf::ForOp loop = program.getLoop();
  ShardingAttr whole = getSharding(value);
  for (Operation *op = value.getDefiningOp(); op; op = value.getDefiningOp())
    if (op == loop)
      value = loop.getBody()->getTerminator()->getOperand(
          cast<OpResult>(value).getResultNumber());
    else if (auto reshard = dyn_cast<ReshardOp>(op))
      value = reshard.getOperand();
    else
      break;
  Location loc = withoutProvenance(value.getLoc());
  Operation *maker = value.getDefiningOp();
  if (!whole || !maker)
    return loc;
  MLIRContext *context = loc.getContext();
  std::string conflict = "stage " + std::to_string(source) +
                         " makes it and stage " + std::to_string(target) +
                         " uses it";
  return withProvenance(
      loc, ProvenanceAttr::get(
               context, "transfer", whole, sent ? sent : whole,
               PlaceAttr::get(context, maker->getName().getStringRef(), loc),
               PlaceAttr(), conflict, {}));
}

Value &StageTransfers::arrivalOf(FragmentOp fragment, Value value) {
  std::pair<Value, int64_t> key(value, fragment.getStage());
  bool isLate = fragment.getKind() == pipe::FragmentKind::VocabularyBackward;
  return isLate && !arrived.lookup(key) ? arrivedLate[key] : arrived[key];
}

/// What `maker` sends of `value`, which it makes.
Value StageTransfers::slice(FragmentOp maker, Value value, Location loc) {
  ShardingAttr sharding = slicedSharding(value, mesh);
  Value &known = sliced[value];
  if (known || !sharding)
    return known ? known : value;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(maker.getBody().front().getTerminator());
  return known = reshardTo(builder, loc, value, sharding);
}

/// The fragment of `source` that sends `value`: the one that makes it or, of
/// what the loop gives and is sent in parts, one behind the loop; null where it
/// is sent as the loop gives it.
FragmentOp StageTransfers::senderOf(Value value, int64_t source) {
  Operation *op = value.getDefiningOp();
  if (auto maker = dyn_cast<FragmentOp>(op->getParentOp()))
    return maker;
  if (op != program.getLoop() || !slicedSharding(value, mesh))
    return {};
  FragmentOp &sender = senders[source];
  if (!sender) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(program.getLoop());
    sender = createFragment(builder, program.getLoop().getLoc(),
                            pipe::FragmentKind::Once, source);
  }
  return sender;
}

Value StageTransfers::transfer(FragmentOp fragment, Value value,
                               int64_t source) {
  int64_t target = fragment.getStage();
  Value &known = arrivalOf(fragment, value);
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(builder);
  ShardingAttr whole = getSharding(value);
  FragmentOp maker = senderOf(value, source);
  Location loc =
      whyTransfer(value, source, target,
                  maker ? slicedSharding(value, mesh) : ShardingAttr());
  Value sent = maker ? slice(maker, value, loc) : value;
  if (maker)
    builder.setInsertionPointAfter(maker);
  else
    builder.setInsertionPointAfter(program.getLoop());
  Value received = pipe::TransferOp::create(builder, loc, sent.getType(), sent,
                                            source, target);
  setSharding(received, sent == value ? whole : getSharding(sent));
  if (sent != value) {
    builder.setInsertionPointToStart(&fragment.getBody().front());
    received = reshardTo(builder, loc, received, whole);
  }
  return known = received;
}
