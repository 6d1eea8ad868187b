//===- ManualComputations.cpp - per-device code of Shardy -----------------===//
//
// A `shard_map` is a region over manual axes. JAX computes a position along an
// axis in a region of its own, over all axes that are not manual already,
// for it computes it from the device's number; here a position names its axis,
// so such a region is not needed.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Dialect/Tessera/LibraryCalls.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

/// The shardings in attribute `name` of `op`, one for each of `types`; null
/// where they say nothing.
static FailureOr<SmallVector<ShardingAttr>>
shardingsOf(Operation *op, StringRef name, TypeRange types, Conversion &c) {
  auto opaque = op->getAttrOfType<OpaqueAttr>(name);
  Fallible<SmallVector<StringRef>> parts =
      splitShardingPerValue(opaque ? opaque.getAttrData() : "");
  if (!parts)
    return emitError(op->getLoc()) << name << ": " << parts.message(),
           failure();
  if (parts->size() != types.size())
    return emitError(op->getLoc()) << name << ": expected " << types.size()
                                   << " shardings, got " << parts->size(),
           failure();
  SmallVector<ShardingAttr> shardings;
  for (auto [text, type] : llvm::zip_equal(*parts, types)) {
    auto single =
        OpaqueAttr::get(c.builder.getStringAttr("sdy"),
                        ("sharding" + text).str(), c.builder.getNoneType());
    auto tensor = cast<RankedTensorType>(type);
    FailureOr<ShardingAttr> sharding =
        c.sharding(single, tensor, op->getLoc(), name);
    if (failed(sharding))
      return failure();
    shardings.push_back(*sharding);
  }
  return shardings;
}

/// `manual_axes{"seq", "model"}`
static FailureOr<AxisList> manualAxesOf(Operation *op, Conversion &c) {
  FailureOr<StringRef> text = c.text(op, "manual_axes");
  if (failed(text))
    return failure();
  StringRef rest = *text;
  auto malformed = [&]() -> FailureOr<AxisList> {
    return emitError(op->getLoc())
               << "expected manual_axes{\"...\", ...} as attribute "
                  "'manual_axes', got '"
               << *text << "'",
           failure();
  };
  if (!rest.consume_front("manual_axes{") || !rest.consume_back("}"))
    return malformed();
  AxisList axes;
  while (!rest.empty()) {
    auto [item, others] = rest.split(',');
    StringRef name = item.trim();
    if (!name.consume_front("\"") || !name.consume_back("\""))
      return malformed();
    axes.push_back(AxisName(name));
    rest = others;
  }
  return axes;
}

/// The mesh that the manual axes of `op` are axes of: the one that `shardings`
/// name or, if they name none, that of the code around.
static FailureOr<MeshOp>
meshOfRegion(Operation *op, ArrayRef<ShardingAttr> shardings, Conversion &c) {
  for (ShardingAttr sharding : shardings)
    if (sharding)
      return lookupMesh(c.getMesh(), sharding.getMesh());
  if (!c.getMesh())
    return emitError(op->getLoc())
               << "expected a mesh around '" << op->getName() << "'",
           failure();
  return c.getMesh();
}

/// Whether there is one device along `axes` of `mesh`, all of which are its.
static bool isOneDevice(ArrayRef<AxisRef> axes, const Mesh &mesh) {
  return llvm::all_of(axes, [&](const AxisRef &axis) {
    return mesh.findAxis(axis.name) && mesh.axisSize(axis.name) == 1;
  });
}

/// Whether `region` takes nothing, gives the same on all devices, and does the
/// same with or without its axes being manual: no collective goes over them.
static bool needsNone(ManualComputationOp region) {
  auto isOwn = [&](const AxisRef &axis) {
    return llvm::is_contained(region.getManualAxes(), AxisRef(axis.name));
  };
  auto splits = [&](Attribute sharding) {
    return llvm::any_of(cast<ShardingAttr>(sharding).getValue().usedAxes(),
                        isOwn);
  };
  if (region.getNumOperands() != 0 ||
      llvm::any_of(region.getOutShardings(), splits))
    return false;
  auto needs = [&](Operation *op) {
    if (auto collective = dyn_cast<spmd::CollectiveOpInterface>(op))
      return llvm::any_of(collective.getAxes().getAxes(), isOwn);
    if (auto index = dyn_cast<spmd::AxisIndexOp>(op))
      return llvm::any_of(index.getAxes().getAxes(), isOwn);
    return isa<CallOpInterface, ManualRegionInterface>(op);
  };
  return !region.getBody()
              .walk([&](Operation *op) {
                return needs(op) ? WalkResult::interrupt()
                                 : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Puts the operations of `region` in its place.
static void inlineRegion(ManualComputationOp region,
                         SmallVectorImpl<Value> &results) {
  Operation *end = region.getBody().front().getTerminator();
  results.assign(end->operand_begin(), end->operand_end());
  end->erase();
  Block &body = region.getBody().front();
  region->getBlock()->getOperations().splice(Block::iterator(region),
                                             body.getOperations());
  region.erase();
}

/// `sharding`s on `mesh`; open where they say nothing.
static ArrayAttr onMesh(MeshOp mesh, ArrayRef<ShardingAttr> shardings,
                        TypeRange types) {
  MLIRContext *context = mesh.getContext();
  SmallVector<Attribute> all;
  for (auto [sharding, type] : llvm::zip_equal(shardings, types))
    all.push_back(sharding ? sharding
                           : ShardingAttr::get(
                                 context, FlatSymbolRefAttr::get(mesh),
                                 TensorSharding::getOpen(
                                     cast<RankedTensorType>(type).getRank())));
  return ArrayAttr::get(context, all);
}

/// The body of `op` in its place, with constraints at its boundary.
static LogicalResult convertInPlace(Operation *op, ValueRange operands,
                                    ArrayRef<ShardingAttr> in,
                                    ArrayRef<ShardingAttr> out, Conversion &c,
                                    SmallVectorImpl<Value> &results) {
  Block &body = op->getRegion(0).front();
  auto check = [&](StringRef what, TypeRange inside,
                   TypeRange outside) -> LogicalResult {
    if (inside == outside)
      return success();
    return emitError(op->getLoc())
           << "expected " << what << " " << outside << " in the region of '"
           << op->getName() << "', got " << inside;
  };
  if (failed(
          check("arguments", body.getArgumentTypes(), op->getOperandTypes())) ||
      failed(check("results", body.back().getOperandTypes(),
                   op->getResultTypes())))
    return failure();
  for (auto [argument, operand, sharding] :
       llvm::zip_equal(body.getArguments(), operands, in))
    c.map(argument, c.constrain(operand, sharding));
  SmallVector<Value> yielded;
  if (failed(c.convertBody(body, yielded)))
    return failure();
  for (auto [value, sharding] : llvm::zip_equal(yielded, out))
    results.push_back(c.constrain(value, sharding));
  return success();
}

/// Makes of code per device a `tessera.manual_computation` over the axes that
/// are manual; in place, without a region, where no axis is, where the axes
/// hold one device, or where the code needs none.
static LogicalResult convertManual(Operation *op, ValueRange operands,
                                   Conversion &c,
                                   SmallVectorImpl<Value> &results) {
  FailureOr<AxisList> axes = manualAxesOf(op, c);
  FailureOr<SmallVector<Type>> types = failure();
  FailureOr<SmallVector<ShardingAttr>> in = failure(), out = failure();
  if (failed(axes) ||
      failed(types = c.convertTypes(op->getResultTypes(), op->getLoc())) ||
      failed(in = shardingsOf(op, "in_shardings", operands.getTypes(), c)) ||
      failed(out = shardingsOf(op, "out_shardings", *types, c)))
    return failure();
  SmallVector<ShardingAttr> all(*in);
  llvm::append_range(all, *out);
  if (axes->empty())
    return convertInPlace(op, operands, *in, *out, c, results);
  FailureOr<MeshOp> mesh = meshOfRegion(op, all, c);
  if (failed(mesh))
    return failure();
  Conversion::MeshScope scope(c, *mesh);
  // One device's code is the whole program's.
  if (isOneDevice(*axes, (*mesh).getMesh().getMesh()))
    return convertInPlace(op, operands, *in, *out, c, results);
  auto region = ManualComputationOp::create(
      c.builder, *types, operands,
      AxesAttr::get(op->getContext(), FlatSymbolRefAttr::get(*mesh), *axes),
      onMesh(*mesh, *in, operands.getTypes()), onMesh(*mesh, *out, *types));
  Block &source = op->getRegion(0).front();
  {
    OpBuilder::InsertionGuard guard(c.builder);
    Block *body = c.builder.createBlock(&region.getBody());
    SmallVector<Value> yielded;
    if (failed(c.convertArguments(source, *body)) ||
        failed(c.convertBody(source, yielded)))
      return failure();
    YieldOp::create(c.builder, yielded);
  }
  for (Operation &inner :
       llvm::make_early_inc_range(llvm::reverse(region.getBody().front())))
    if (isOpTriviallyDead(&inner) && !hasEffect(&inner))
      inner.erase();
  if (needsNone(region))
    inlineRegion(region, results);
  else
    llvm::append_range(results, region.getResults());
  return success();
}

/// The inlined body of a call: constraints at its boundary, then the body.
static LogicalResult convertNamed(Operation *op, ValueRange operands,
                                  Conversion &c,
                                  SmallVectorImpl<Value> &results) {
  auto shardings =
      [&](StringRef name,
          TypeRange types) -> FailureOr<SmallVector<ShardingAttr>> {
    if (op->getAttr(name))
      return shardingsOf(op, name, types, c);
    return SmallVector<ShardingAttr>(types.size());
  };
  FailureOr<SmallVector<Type>> types =
      c.convertTypes(op->getResultTypes(), op->getLoc());
  FailureOr<SmallVector<ShardingAttr>> in = failure(), out = failure();
  if (failed(types) ||
      failed(in = shardings("in_shardings", operands.getTypes())) ||
      failed(out = shardings("out_shardings", *types)))
    return failure();
  return convertInPlace(op, operands, *in, *out, c, results);
}

void tessera::importer::addManualComputations(ConversionTable &table) {
  static constexpr int kAny = OpConversion::kAny;
  static constexpr StringLiteral manual[] = {"in_shardings", "out_shardings",
                                             "manual_axes"};
  static constexpr StringLiteral named[] = {"in_shardings", "out_shardings",
                                            "name"};
  static const OpConversion rows[] = {
      {"sdy.manual_computation", convertManual, kAny, kAny, 1, manual,
       "sdy.return"},
      {"sdy.named_computation", convertNamed, kAny, kAny, 1, named,
       "sdy.return"},
  };
  addRows(table, rows);
}
