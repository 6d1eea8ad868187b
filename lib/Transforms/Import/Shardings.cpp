//===- Shardings.cpp - meshes and shardings of Shardy ---------------------===//
//
// Shardy's meshes and shardings are spelled as Tessera's, so that the dialect's
// own parser reads them.
//
//===----------------------------------------------------------------------===//

#include "Conversion.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace tessera;

/// Parses the attribute `#tessera.text`. On failure returns null and sets
/// `message`.
static Attribute parseAsTessera(StringRef text, MLIRContext *context,
                                std::string &message) {
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  return parseAttribute(("#tessera." + text).str(), context);
}

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

/// `"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2]>, sym_name = "mesh"}>`
LogicalResult Conversion::convertMesh(Operation &op) {
  auto name = op.getAttrOfType<StringAttr>("sym_name");
  auto opaque = op.getAttrOfType<OpaqueAttr>("mesh");
  if (!name || !opaque || !opaque.getAttrData().starts_with("mesh<"))
    return emitError(op.getLoc())
           << "expected attributes 'sym_name' and 'mesh' of 'sdy.mesh'";
  std::string message;
  auto attribute = dyn_cast_or_null<MeshAttr>(
      parseAsTessera(opaque.getAttrData(), op.getContext(), message));
  if (!attribute)
    return emitError(op.getLoc())
           << "malformed mesh '" << opaque.getAttrData() << "': " << message;
  if (attribute.getMesh().axes.empty()) {
    emptyMeshes.insert(name);
    return success();
  }
  if (mesh) {
    InFlightDiagnostic error = emitError(op.getLoc())
                               << "expected one mesh, got a second";
    error.attachNote(mesh.getLoc()) << "the first is here";
    return error;
  }
  builder.setLoc(op.getLoc());
  mesh = MeshOp::create(builder, name, attribute);
  return success();
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

/// `text` is `<@mesh, [{"data"}]>`.
FailureOr<ShardingAttr> Conversion::parseSharding(StringRef text,
                                                  Location place,
                                                  const Twine &subject) {
  if (text.starts_with("<mesh<"))
    return emitError(place) << subject << ": unsupported mesh inside of '"
                            << text << "', expected the name of one",
           failure();
  std::string message;
  auto attribute = dyn_cast_or_null<ShardingAttr>(
      parseAsTessera(("sharding" + text).str(), module.getContext(), message));
  if (!attribute)
    return emitError(place)
               << subject << ": malformed '" << text << "': " << message,
           failure();
  if (emptyMeshes.contains(attribute.getMesh().getValue()))
    return ShardingAttr();
  if (!mesh || attribute.getMesh().getAttr() != mesh.getSymNameAttr())
    return emitError(place)
               << subject << ": unknown mesh " << attribute.getMesh(),
           failure();
  return attribute;
}

FailureOr<ShardingAttr> Conversion::sharding(Attribute attribute,
                                             RankedTensorType type,
                                             Location place,
                                             const Twine &subject) {
  auto known = shardings.find(attribute);
  if (known == shardings.end()) {
    auto opaque = dyn_cast<OpaqueAttr>(attribute);
    StringRef text = opaque ? opaque.getAttrData() : "";
    if (!text.consume_front("sharding"))
      return emitError(place)
                 << subject << ": expected a #sdy.sharding, got " << attribute,
             failure();
    FailureOr<ShardingAttr> parsed = parseSharding(text, place, subject);
    if (failed(parsed))
      return failure();
    known = shardings.insert({attribute, *parsed}).first;
  }
  if (!known->second)
    return ShardingAttr();
  std::string error = known->second.getValue().verify(type.getShape(),
                                                      mesh.getMesh().getMesh());
  if (!error.empty())
    return emitError(place) << subject << ": " << error, failure();
  return known->second;
}

/// Whether propagation may choose everything, so that nothing is asked for.
static bool saysNothing(const TensorSharding &sharding) {
  return sharding.replicated.empty() && sharding.unreduced.empty() &&
         llvm::all_of(sharding.dims, [](const DimSharding &dim) {
           return dim.open && dim.axes.empty();
         });
}

Value Conversion::constrain(Value value, ShardingAttr sharding) {
  if (!sharding ||
      (sharding.getValue().rank() > 0 && saysNothing(sharding.getValue())))
    return value;
  return ConstrainOp::create(builder, value, sharding);
}

/// `sdy.sharding` on any operation: one sharding per result.
LogicalResult Conversion::constrainResults(Operation &op,
                                           SmallVectorImpl<Value> &results) {
  Attribute attribute = op.getDiscardableAttr("sdy.sharding");
  if (!attribute)
    return success();
  auto opaque = dyn_cast<OpaqueAttr>(attribute);
  Fallible<SmallVector<StringRef>> parts =
      splitShardingPerValue(opaque ? opaque.getAttrData() : "");
  if (!parts)
    return emitError(op.getLoc()) << "sharding: " << parts.message();
  if (parts->size() != results.size())
    return emitError(op.getLoc())
           << "expected " << results.size()
           << " shardings, one per result, got " << parts->size();
  for (auto [text, result] : llvm::zip_equal(*parts, results)) {
    auto single =
        OpaqueAttr::get(builder.getStringAttr("sdy"), ("sharding" + text).str(),
                        builder.getNoneType());
    FailureOr<ShardingAttr> value =
        sharding(single, cast<RankedTensorType>(result.getType()), op.getLoc(),
                 "sharding");
    if (failed(value))
      return failure();
    result = constrain(result, *value);
  }
  return success();
}

static LogicalResult convertConstraint(Operation *op, ValueRange operands,
                                       Conversion &c,
                                       SmallVectorImpl<Value> &results) {
  Attribute attribute = op->getAttr("sharding");
  if (!attribute)
    return emitError(op->getLoc())
           << "expected attribute 'sharding' of 'sdy.sharding_constraint'";
  FailureOr<ShardingAttr> sharding =
      c.sharding(attribute, cast<RankedTensorType>(operands[0].getType()),
                 op->getLoc(), "sharding");
  if (failed(sharding))
    return failure();
  results.push_back(c.constrain(operands[0], *sharding));
  return success();
}

/// `"sdy.sharding_group"(%0) <{group_id = 3 : i64}>`
static LogicalResult convertGroup(Operation *op, ValueRange operands,
                                  Conversion &c, SmallVectorImpl<Value> &) {
  auto group = op->getAttrOfType<IntegerAttr>("group_id");
  if (!group || group.getInt() < 0)
    return emitError(op->getLoc())
           << "expected a number 'group_id' of 'sdy.sharding_group'";
  ShardingGroupOp::create(c.builder, operands[0], uint64_t(group.getInt()));
  return success();
}

/// `"sdy.propagation_barrier"(%0) <{allowed_direction = 1 : i32}>`; 3 is both
/// ways.
static LogicalResult convertBarrier(Operation *op, ValueRange operands,
                                    Conversion &c,
                                    SmallVectorImpl<Value> &results) {
  auto direction = op->getAttrOfType<IntegerAttr>("allowed_direction");
  if (!direction || direction.getInt() < 0 || direction.getInt() > 3)
    return emitError(op->getLoc()) << "expected 'allowed_direction' of "
                                      "'sdy.propagation_barrier' from 0 to 3";
  results.push_back(direction.getInt() == 3
                        ? operands[0]
                        : PropagationBarrierOp::create(
                              c.builder, operands[0],
                              static_cast<BarrierDirection>(direction.getInt()))
                              .getResult());
  return success();
}

void tessera::addShardings(ConversionTable &table) {
  static constexpr StringLiteral constraint[] = {"sharding"},
                                 group[] = {"group_id"},
                                 barrier[] = {"allowed_direction"};
  static const OpConversion rows[] = {
      {"sdy.sharding_constraint", convertConstraint, 1, 1, 0, constraint},
      {"sdy.sharding_group", convertGroup, 1, 0, 0, group},
      {"sdy.propagation_barrier", convertBarrier, 1, 1, 0, barrier}};
  addRows(table, rows);
}
