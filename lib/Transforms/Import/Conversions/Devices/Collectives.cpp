//===- Collectives.cpp - collectives of per-device code -------------------===//
//
// StableHLO lists devices by number; here a collective names the axes along
// which the devices of a group differ, so that the other axes remain free.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Devices/Collectives.h"

#include "Conversions/Monoid.h"

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Sharding/Algebra/DeviceGroups.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// The rows of `attribute`, called `name`, of `op`.
static FailureOr<SmallVector<SmallVector<int64_t>>>
rowsOf(Operation *op, StringRef name, Attribute attribute) {
  auto matrix = dyn_cast_or_null<DenseIntElementsAttr>(attribute);
  if (!matrix || matrix.getType().getRank() != 2 ||
      !matrix.getElementType().isInteger(64))
    return emitError(op->getLoc())
               << "expected a matrix of integers as attribute '" << name
               << "' of '" << op->getName() << "'",
           failure();
  SmallVector<SmallVector<int64_t>> rows(matrix.getType().getDimSize(0));
  int64_t columns = matrix.getType().getDimSize(1);
  for (auto [i, value] : llvm::enumerate(matrix.getValues<int64_t>()))
    rows[i / columns].push_back(value);
  return rows;
}

/// The rows of integer matrix `name` of `op`.
static FailureOr<SmallVector<SmallVector<int64_t>>> rowsOf(Operation *op,
                                                           StringRef name) {
  return rowsOf(op, name, op->getAttr(name));
}

static FailureOr<MeshOp> meshOf(Operation *op, Conversion &c) {
  if (MeshOp mesh = c.getMesh())
    return mesh;
  return emitError(op->getLoc())
             << "expected a mesh around '" << op->getName() << "'",
         failure();
}

static AxesAttr axesAttr(MeshOp mesh, ArrayRef<AxisRef> axes) {
  return AxesAttr::get(mesh.getContext(), FlatSymbolRefAttr::get(mesh), axes);
}

/// The devices of the program: none but one where it has no mesh.
static Mesh devicesOf(Conversion &c) {
  MeshOp mesh = c.getMesh();
  return mesh ? mesh.getMesh().getMesh() : Mesh();
}

/// What `groups`, which `op` has as `replicaGroups`, are.
static FailureOr<DeviceGroup> groupOfRows(Operation *op,
                                          ArrayRef<SmallVector<int64_t>> groups,
                                          Attribute replicaGroups,
                                          Conversion &c) {
  Mesh devices = devicesOf(c);
  std::optional<AxisList> axes = axesOfGroups(groups, devices);
  if (axes && axes->empty())
    return DeviceGroup{};
  FailureOr<MeshOp> mesh = meshOf(op, c);
  if (failed(mesh))
    return failure();
  if (!axes)
    return emitError(op->getLoc())
               << "expected replica groups of '" << op->getName()
               << "' that differ along axes of mesh @" << (*mesh).getSymName()
               << ", got " << replicaGroups,
           failure();
  return DeviceGroup{axesAttr(*mesh, *axes), totalSize(*axes, devices)};
}

FailureOr<DeviceGroup> tessera::importer::readGroups(Operation *op,
                                                     Attribute replicaGroups,
                                                     Conversion &c) {
  auto groups = rowsOf(op, "replica_groups", replicaGroups);
  if (failed(groups))
    return failure();
  return groupOfRows(op, *groups, replicaGroups, c);
}

static FailureOr<DeviceGroup> readGroups(Operation *op, Conversion &c) {
  return tessera::importer::readGroups(op, op->getAttr("replica_groups"), c);
}

/// The same of a collective to which the order of a group's members is nothing.
static FailureOr<DeviceGroup> readUnorderedGroups(Operation *op,
                                                  Conversion &c) {
  auto groups = rowsOf(op, "replica_groups");
  if (failed(groups))
    return failure();
  for (SmallVector<int64_t> &group : *groups)
    llvm::sort(group);
  return groupOfRows(op, *groups, op->getAttr("replica_groups"), c);
}

/// Attribute `name` of `op`, a dimension of its operands.
static FailureOr<int64_t> dimension(Operation *op, StringRef name,
                                    Conversion &c) {
  FailureOr<int64_t> dim = c.integer(op, name);
  if (failed(dim))
    return failure();
  for (Type type : op->getOperandTypes())
    if (*dim < 0 || *dim >= cast<RankedTensorType>(type).getRank())
      return emitError(op->getLoc())
                 << "expected a dimension of " << type << " as attribute '"
                 << name << "' of '" << op->getName() << "', got " << *dim,
             failure();
  return *dim;
}

/// `shape` with dimension `dim` `factor` times as large; null after a
/// diagnostic where the foreign result type, `expected`, is another.
static RankedTensorType resized(Operation *op, Value operand, int64_t dim,
                                int64_t numerator, int64_t denominator) {
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (shape[dim] * numerator % denominator != 0) {
    emitError(op->getLoc()) << "expected dimension " << dim << " of '"
                            << op->getName() << "' to divide into "
                            << denominator << " parts, got size " << shape[dim];
    return nullptr;
  }
  shape[dim] = shape[dim] * numerator / denominator;
  return type.clone(shape);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The named monoid that the region of `op` is.
static FailureOr<Monoid> monoidOf(Operation *op) {
  std::optional<Monoid> monoid = recogniseMonoid(op->getRegion(0).front());
  if (monoid)
    return *monoid;
  return emitError(op->getLoc())
             << "expected a sum, product, minimum, maximum, and, or, or xor of "
                "its two arguments as body of '"
             << op->getName() << "'",
         failure();
}

/// `build` of each operand. The order of unsigned integers is that of signed
/// ones with the first bit flipped.
static void reduceEach(ValueRange operands, Monoid monoid, Conversion &c,
                       SmallVectorImpl<Value> &results,
                       function_ref<Value(Value, ReductionAttr)> build) {
  auto kind = ReductionAttr::get(c.builder.getContext(), monoid.kind);
  auto flip = [&](Value value) {
    unsigned width =
        getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
    return monoid.isUnsigned
               ? arith::XOrIOp::create(
                     c.builder, value,
                     c.splat(value.getType(), APInt::getSignMask(width)))
                     .getResult()
               : value;
  };
  for (Value operand : operands)
    results.push_back(flip(build(flip(operand), kind)));
}

static LogicalResult convertAllReduce(Operation *op, ValueRange operands,
                                      Conversion &c,
                                      SmallVectorImpl<Value> &results) {
  FailureOr<Monoid> monoid = monoidOf(op);
  FailureOr<DeviceGroup> group = failure();
  if (failed(monoid) || failed(group = readUnorderedGroups(op, c)))
    return failure();
  if (!group->axes) {
    llvm::append_range(results, operands);
    return success();
  }
  reduceEach(
      operands, *monoid, c, results, [&](Value value, ReductionAttr kind) {
        return spmd::AllReduceOp::create(c.builder, kind, value, group->axes);
      });
  return success();
}

static LogicalResult convertReduceScatter(Operation *op, ValueRange operands,
                                          Conversion &c,
                                          SmallVectorImpl<Value> &results) {
  FailureOr<Monoid> monoid = monoidOf(op);
  FailureOr<DeviceGroup> group = failure();
  FailureOr<int64_t> dim = failure();
  if (failed(monoid) || failed(group = readGroups(op, c)) ||
      failed(dim = dimension(op, "scatter_dimension", c)))
    return failure();
  Type type = resized(op, operands[0], *dim, 1, group->size);
  if (!type)
    return failure();
  if (!group->axes) {
    results.push_back(operands[0]);
    return success();
  }
  reduceEach(operands, *monoid, c, results,
             [&](Value value, ReductionAttr kind) {
               return spmd::ReduceScatterOp::create(c.builder, type, kind,
                                                    value, *dim, group->axes);
             });
  return success();
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

static LogicalResult convertAllGather(Operation *op, ValueRange operands,
                                      Conversion &c,
                                      SmallVectorImpl<Value> &results) {
  FailureOr<DeviceGroup> group = readGroups(op, c);
  FailureOr<int64_t> dim = failure();
  if (failed(group) || failed(dim = dimension(op, "all_gather_dim", c)))
    return failure();
  for (Value operand : operands)
    results.push_back(
        group->axes ? spmd::AllGatherOp::create(
                          c.builder, resized(op, operand, *dim, group->size, 1),
                          operand, *dim, group->axes)
                          .getResult()
                    : operand);
  return success();
}

static LogicalResult convertAllToAll(Operation *op, ValueRange operands,
                                     Conversion &c,
                                     SmallVectorImpl<Value> &results) {
  FailureOr<DeviceGroup> group = readGroups(op, c);
  FailureOr<int64_t> split = failure(), concat = failure(), count = failure();
  if (failed(group) || failed(split = dimension(op, "split_dimension", c)) ||
      failed(concat = dimension(op, "concat_dimension", c)) ||
      failed(count = c.integer(op, "split_count")))
    return failure();
  int64_t n = group->size;
  if (*count != n)
    return emitError(op->getLoc())
           << "expected a split count of " << n
           << ", the size of the groups, got " << *count;
  if (!group->axes) {
    llvm::append_range(results, operands);
    return success();
  }
  for (Value operand : operands) {
    RankedTensorType type = resized(op, operand, *split, 1, n);
    if (!type)
      return failure();
    SmallVector<int64_t> shape(type.getShape());
    shape[*concat] *= n;
    results.push_back(spmd::AllToAllOp::create(
        c.builder, type.clone(shape), operand, *split, *concat, group->axes));
  }
  return success();
}

/// Makes of pairs of devices a permutation along mesh axes. Devices that
/// receive nothing get zeros, which the axes' permutation expresses too.
/// Refuses pairs in which a device sends or receives twice.
static LogicalResult convertPermute(Operation *op, ValueRange operands,
                                    Conversion &c,
                                    SmallVectorImpl<Value> &results) {
  auto rows = rowsOf(op, "source_target_pairs");
  if (failed(rows))
    return failure();
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  for (ArrayRef<int64_t> row : *rows)
    if (row.size() == 2)
      pairs.push_back({row[0], row[1]});
  std::optional<GroupPermutation> permutation;
  if (pairs.size() == rows->size())
    permutation = permutationOfPairs(pairs, devicesOf(c));
  // Who receives nothing has zeros.
  if (permutation && permutation->axes.empty()) {
    results.push_back(
        permutation->target[0] == 0
            ? operands[0]
            : c.zeros(c.convertType(op->getResultTypes()[0], op->getLoc())));
    return success();
  }
  FailureOr<MeshOp> mesh = meshOf(op, c);
  if (failed(mesh))
    return failure();
  if (!permutation)
    return emitError(op->getLoc())
           << "expected pairs of devices of mesh @" << (*mesh).getSymName()
           << " of which none sends or receives twice, got "
           << op->getAttr("source_target_pairs");
  results.push_back(spmd::PermuteOp::create(c.builder, operands[0],
                                            axesAttr(*mesh, permutation->axes),
                                            permutation->target));
  return success();
}

/// The first device of each group sends.
static LogicalResult
convertCollectiveBroadcast(Operation *op, ValueRange operands, Conversion &c,
                           SmallVectorImpl<Value> &results) {
  auto groups = rowsOf(op, "replica_groups");
  if (failed(groups))
    return failure();
  std::optional<int64_t> root;
  for (SmallVector<int64_t> &group : *groups) {
    int64_t first = group.empty() ? 0 : group.front();
    llvm::sort(group);
    int64_t position = llvm::find(group, first) - group.begin();
    if (position != root.value_or(position))
      return emitError(op->getLoc())
             << "expected the same position of the root in all groups of '"
             << op->getName() << "', got " << *root << " and " << position;
    root = position;
  }
  FailureOr<DeviceGroup> group =
      groupOfRows(op, *groups, op->getAttr("replica_groups"), c);
  if (failed(group))
    return failure();
  results.push_back(
      group->axes ? spmd::BroadcastOp::create(c.builder, operands[0],
                                              root.value_or(0), group->axes)
                        .getResult()
                  : operands[0]);
  return success();
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// The device's number: its position or, where the mesh has an order of its
/// own, what stands there. `positionAlongAxis` finds what is made of the
/// former.
static LogicalResult convertPartitionId(Operation *op, ValueRange,
                                        Conversion &c,
                                        SmallVectorImpl<Value> &results) {
  Mesh devices = devicesOf(c);
  AxisList axes;
  for (const MeshAxis &axis : devices.axes)
    axes.push_back(axis.name);
  Type type = c.builder.getI32Type();
  auto scalar = RankedTensorType::get({}, type);
  if (axes.empty()) {
    results.push_back(c.splat(scalar, APInt::getZero(32)));
    return success();
  }
  Value position =
      spmd::AxisIndexOp::create(c.builder, scalar, axesAttr(c.getMesh(), axes));
  if (devices.deviceIds.empty()) {
    results.push_back(position);
    return success();
  }
  SmallVector<int32_t> numbers(devices.deviceIds.begin(),
                               devices.deviceIds.end());
  auto list = RankedTensorType::get({devices.numDevices()}, type);
  Value table = arith::ConstantOp::create(
      c.builder, DenseElementsAttr::get(list, ArrayRef(numbers)));
  Value number = DynamicSliceOp::create(
      c.builder, RankedTensorType::get({1}, type), table, position);
  results.push_back(ReshapeOp::create(c.builder, scalar, number));
  return success();
}

Value tessera::importer::positionAlongAxis(Conversion &c, Value dividend,
                                           Value divisor) {
  auto quotient = dividend.getDefiningOp<arith::DivUIOp>();
  auto id = quotient ? quotient.getLhs().getDefiningOp<spmd::AxisIndexOp>()
                     : spmd::AxisIndexOp();
  if (!id)
    return nullptr;
  auto stride =
      dyn_cast_or_null<IntegerAttr>(constantElement(quotient.getRhs()));
  auto size = dyn_cast_or_null<IntegerAttr>(constantElement(divisor));
  const Mesh &mesh = c.getMesh().getMesh().getMesh();
  if (!stride || !size)
    return nullptr;
  for (auto [number, axis] : llvm::enumerate(mesh.axes))
    if (mesh.axisStride(number) == stride.getInt() &&
        axis.size == size.getInt())
      return spmd::AxisIndexOp::create(
          c.builder, dividend.getType(),
          axesAttr(c.getMesh(), AxisRef(axis.name)));
  return nullptr;
}

/// There is one replica.
static LogicalResult convertReplicaId(Operation *op, ValueRange, Conversion &c,
                                      SmallVectorImpl<Value> &results) {
  auto scalar = RankedTensorType::get({}, c.builder.getI32Type());
  results.push_back(c.splat(scalar, APInt::getZero(32)));
  return success();
}

/// A sum over the replicas, of which there is one.
static LogicalResult convertReplicaSum(Operation *op, ValueRange operands,
                                       Conversion &,
                                       SmallVectorImpl<Value> &results) {
  auto groups = op->getAttrOfType<DenseIntElementsAttr>("replica_groups");
  if (!groups || groups.getNumElements() > 1)
    return emitError(op->getLoc())
           << "expected one replica in 'replica_groups' of '" << op->getName()
           << "', got " << op->getAttr("replica_groups");
  results.push_back(operands[0]);
  return success();
}

/// Channels say what is one collective, which is the operation here.
void tessera::importer::addCollectives(ConversionTable &table) {
  static constexpr int kAny = OpConversion::kAny;
  static constexpr StringLiteral reduce[] = {"replica_groups", "channel_handle",
                                             "use_global_device_ids"};
  static constexpr StringLiteral scatter[] = {
      "replica_groups", "channel_handle", "use_global_device_ids",
      "scatter_dimension"};
  static constexpr StringLiteral gather[] = {"replica_groups", "channel_handle",
                                             "use_global_device_ids",
                                             "all_gather_dim"};
  static constexpr StringLiteral exchange[] = {
      "replica_groups", "channel_handle", "split_dimension", "concat_dimension",
      "split_count"};
  static constexpr StringLiteral permute[] = {"source_target_pairs",
                                              "channel_handle"};
  static constexpr StringLiteral broadcast[] = {"replica_groups",
                                                "channel_handle"};
  static constexpr StringLiteral replicaSum[] = {"replica_groups"};
  static const OpConversion rows[] = {
      {"stablehlo.cross-replica-sum", convertReplicaSum, 1, 1, 0, replicaSum},
      {"stablehlo.replica_id", convertReplicaId, 0, 1},
      {"stablehlo.all_reduce", convertAllReduce, kAny, kAny, 1, reduce},
      {"stablehlo.reduce_scatter", convertReduceScatter, 1, 1, 1, scatter},
      {"stablehlo.all_gather", convertAllGather, kAny, kAny, 0, gather},
      {"stablehlo.all_to_all", convertAllToAll, kAny, kAny, 0, exchange},
      {"stablehlo.collective_permute", convertPermute, 1, 1, 0, permute},
      {"stablehlo.collective_broadcast", convertCollectiveBroadcast, 1, 1, 0,
       broadcast},
      {"stablehlo.partition_id", convertPartitionId, 0, 1},
  };
  addRows(table, rows);
}
