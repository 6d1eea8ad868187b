//===- Shardings.cpp - meshes and shardings of Shardy ---------------------===//
//
// Shardy's meshes and shardings are spelled as Tessera's, so that the dialect's
// own parser reads them.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

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

/// The mesh that `text`, `mesh<["data"=2]>`, describes. One without axes is a
/// single device of all, `mesh<[], device_ids=[3]>`: there a value may as well
/// be split as anywhere else. Fails after a diagnostic at `place`.
static FailureOr<MeshAttr> parseMesh(StringRef text, Location place) {
  if (text.starts_with("mesh<[],"))
    text = "mesh<[]>";
  std::string message;
  auto attribute = dyn_cast_or_null<MeshAttr>(
      parseAsTessera(text, place.getContext(), message));
  if (attribute)
    return attribute;
  return emitError(place) << "malformed mesh '" << text << "': " << message,
         failure();
}

/// `"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2]>, sym_name = "mesh"}>`
LogicalResult Conversion::convertMesh(Operation &op) {
  auto name = op.getAttrOfType<StringAttr>("sym_name");
  auto opaque = op.getAttrOfType<OpaqueAttr>("mesh");
  if (!name || !opaque || !opaque.getAttrData().starts_with("mesh<"))
    return emitError(op.getLoc())
           << "expected attributes 'sym_name' and 'mesh' of 'sdy.mesh'";
  FailureOr<MeshAttr> attribute = parseMesh(opaque.getAttrData(), op.getLoc());
  if (failed(attribute))
    return failure();
  if (attribute->getMesh().axes.empty()) {
    emptyMeshes.insert(name);
    return success();
  }
  builder.setLoc(op.getLoc());
  MeshOp added = MeshOp::create(builder, name, *attribute);
  meshes[name] = added;
  meshesByValue.try_emplace(*attribute, added);
  if (!mesh)
    mesh = added;
  return success();
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

/// The mesh of the module that is `attribute`; it is added if there is none.
MeshOp Conversion::meshFor(MeshAttr attribute) {
  MeshOp &known = meshesByValue[attribute];
  if (known)
    return known;
  std::string name;
  for (size_t i = meshes.size(); name.empty() || meshes.contains(name); ++i)
    name = "mesh_" + std::to_string(i);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  known = MeshOp::create(builder, name, attribute);
  meshes[name] = known;
  if (!mesh)
    mesh = known;
  return known;
}

/// `text` is `<@mesh, [{"data"}]>`, or has the mesh itself for its name.
FailureOr<ShardingAttr> Conversion::parseSharding(StringRef text,
                                                  Location place,
                                                  const Twine &subject) {
  std::string named = text.str();
  if (text.starts_with("<mesh<")) {
    size_t end = std::min(text.find("]>"), text.size() - 2) + 2;
    FailureOr<MeshAttr> inside = parseMesh(text.slice(1, end), place);
    if (failed(inside))
      return failure();
    if (inside->getMesh().axes.empty())
      return ShardingAttr();
    named = ("<@" + meshFor(*inside).getSymName() + text.drop_front(end)).str();
  }
  std::string message;
  auto attribute = dyn_cast_or_null<ShardingAttr>(
      parseAsTessera("sharding" + named, module.getContext(), message));
  if (!attribute)
    return emitError(place)
               << subject << ": malformed '" << text << "': " << message,
           failure();
  if (emptyMeshes.contains(attribute.getMesh().getValue()))
    return ShardingAttr();
  if (!meshes.contains(attribute.getMesh().getValue()))
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
  MeshOp named = meshes.lookup(known->second.getMesh().getValue());
  std::string error = known->second.getValue().verify(
      type.getShape(), named.getMesh().getMesh());
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
  if (!sharding || isOnElements)
    return value;
  const TensorSharding &asked = sharding.getValue();
  bool isConstant = asked.unreduced.empty() && constantElement(value);
  if (asked.rank() == 0 ? isConstant : saysNothing(asked))
    return value;
  return ConstrainOp::create(builder, value, sharding);
}

bool tessera::importer::isConstraint(Operation *op) {
  return op && op->getName().getStringRef() == "sdy.sharding_constraint" &&
         op->getNumOperands() == 1;
}

Value tessera::importer::unconstrained(Value value) {
  while (isConstraint(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
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

/// `sdy.sharding_constraint`, `sdy.reshard` and Shardy's collectives, which
/// give the value that they take, split otherwise: how data move is chosen
/// here.
static LogicalResult convertConstraint(Operation *op, ValueRange operands,
                                       Conversion &c,
                                       SmallVectorImpl<Value> &results) {
  StringRef name = op->getAttr("out_sharding") ? "out_sharding" : "sharding";
  Attribute attribute = op->getAttr(name);
  if (!attribute)
    return emitError(op->getLoc()) << "expected attribute '" << name << "' of '"
                                   << op->getName() << "'";
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
static LogicalResult
convertPropagationBarrier(Operation *op, ValueRange operands, Conversion &c,
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

void tessera::importer::addShardings(ConversionTable &table) {
  static constexpr StringLiteral constraint[] = {"sharding"},
                                 group[] = {"group_id"},
                                 barrier[] = {"allowed_direction"},
                                 reduce[] = {"out_sharding", "reduction_axes"},
                                 gather[] = {"out_sharding", "gathering_axes"},
                                 slice[] = {"out_sharding", "slicing_axes"},
                                 scatter[] = {"out_sharding",
                                              "reduce_scatter_axes"},
                                 exchange[] = {"out_sharding", "params"},
                                 unreduce[] = {"out_sharding", "axes"},
                                 permute[] = {"out_sharding"};
  static const OpConversion rows[] = {
      {"sdy.sharding_constraint", convertConstraint, 1, 1, 0, constraint},
      {"sdy.reshard", convertConstraint, 1, 1, 0, constraint},
      {"sdy.all_reduce", convertConstraint, 1, 1, 0, reduce},
      {"sdy.all_gather", convertConstraint, 1, 1, 0, gather},
      {"sdy.all_slice", convertConstraint, 1, 1, 0, slice},
      {"sdy.reduce_scatter", convertConstraint, 1, 1, 0, scatter},
      {"sdy.all_to_all", convertConstraint, 1, 1, 0, exchange},
      {"sdy.collective_permute", convertConstraint, 1, 1, 0, permute},
      {"sdy.sharded_to_unreduced", convertConstraint, 1, 1, 0, unreduce},
      {"sdy.replicated_to_unreduced", convertConstraint, 1, 1, 0, unreduce},
      {"sdy.sharding_group", convertGroup, 1, 0, 0, group},
      {"sdy.propagation_barrier", convertPropagationBarrier, 1, 1, 0, barrier}};
  addRows(table, rows);
}
