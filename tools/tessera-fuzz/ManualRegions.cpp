//===- ManualRegions.cpp - Random per-device code by hand -----------------===//

#include "ProgramGenerator.h"

#include "tessera/Dialect/Spmd/Spmd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

static constexpr unsigned maximalNesting = 2;
static constexpr int64_t maximalElements = 2048;

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Some of the axes that are not manual yet.
static AxisList drawManualAxes(Random &random, const Mesh &mesh,
                               ArrayRef<AxisRef> around) {
  AxisList axes;
  for (const MeshAxis &axis : mesh.axes)
    if (!llvm::is_contained(around, AxisRef(axis.name)) && random.chance(55))
      axes.push_back(AxisRef(axis.name));
  random.shuffle(axes);
  return axes;
}

/// How a tensor of this shape enters a region: some of the axes split it, along
/// the others it is the same.
static TensorSharding drawEntry(Random &random, ArrayRef<int64_t> shape,
                                ArrayRef<AxisRef> axes, const Mesh &mesh) {
  TensorSharding sharding = TensorSharding::getReplicated(shape.size());
  for (const AxisRef &axis : axes) {
    if (shape.empty() || random.chance(35))
      continue;
    int64_t dim = random.below(shape.size());
    AxisList &split = sharding.dims[dim].axes;
    if (shape[dim] % (totalSize(split, mesh) * axis.size(mesh)) == 0)
      split.push_back(axis);
  }
  for (DimSharding &dim : sharding.dims)
    dim.open = random.chance(30);
  return sharding;
}

AxesAttr ProgramGenerator::axesOfMesh(ArrayRef<AxisRef> axes) {
  return AxesAttr::get(
      builder.getContext(),
      FlatSymbolRefAttr::get(builder.getContext(), manualMesh->name), axes);
}

/// Decides how a value of the region leaves it, and makes it the same along the
/// axes that say nothing about it. Returns what to yield and its sharding
/// outside.
std::pair<ProgramGenerator::Known, TensorSharding>
ProgramGenerator::drawExit(Known value, ArrayRef<AxisRef> axes) {
  const Mesh &mesh = manualMesh->mesh;
  TensorSharding sharding = TensorSharding::getReplicated(value.rank());
  int64_t elements = value.type().getNumElements();
  AxisList same;
  bool maySum = !value.element().isInteger(1) &&
                value.type().getElementTypeBitWidth() >= 32;
  for (const AxisRef &axis : axes) {
    if (value.rank() > 0 && elements * axis.size(mesh) <= maximalElements &&
        random.chance(60)) {
      elements *= axis.size(mesh);
      sharding.dims[random.below(value.rank())].axes.push_back(axis);
    } else if (maySum && random.chance(25)) {
      sharding.unreduced.push_back(axis);
    } else {
      same.push_back(axis);
    }
  }
  for (DimSharding &dim : sharding.dims)
    dim.open = random.chance(30);
  value = bounded(value, 3);
  if (!same.empty()) {
    auto kind = ReductionAttr::get(
        builder.getContext(),
        value.element().isInteger(1) ? ReductionKind::And : ReductionKind::Max);
    value.value = create<spmd::AllReduceOp>(value.type(), kind, value.value,
                                            axesOfMesh(same));
  }
  value.bound *= totalSize(sharding.unreduced, mesh);
  return {value, sharding.canonical(mesh)};
}

/// Adds code per device over a few axes of a mesh, with a small program inside
/// and results that leave in drawn shardings. Not inside control flow that
/// devices may leave differently, nor too deep. False where nothing was added.
bool ProgramGenerator::addManual() {
  if (isDivergent || nesting == maximalNesting || !random.chance(50))
    return false;
  if (nesting == 0)
    manualMesh = &shardings->getMeshes()[random.below(
        int64_t(shardings->getMeshes().size()))];
  const Mesh &mesh = manualMesh->mesh;
  AxisList axes = drawManualAxes(random, mesh, manualAxes);
  if (axes.empty())
    return false;
  SmallVector<Value> operands;
  SmallVector<Attribute> in, out;
  SmallVector<Known> inside;
  auto shardingAttr = [&](const TensorSharding &sharding) {
    return ShardingAttr::get(
        builder.getContext(),
        FlatSymbolRefAttr::get(builder.getContext(), manualMesh->name),
        sharding);
  };
  auto body = std::make_unique<Region>();
  Block &block = body->emplaceBlock();
  for (int64_t i = random.between(1, 2); i > 0; --i) {
    Known operand = bounded(*findNumber(), 3);
    TensorSharding entry = drawEntry(random, operand.shape(), axes, mesh);
    operands.push_back(operand.value);
    in.push_back(shardingAttr(entry));
    RankedTensorType local =
        operand.type().clone(entry.localShape(operand.shape(), mesh));
    inside.push_back(
        {block.addArgument(local, builder.getUnknownLoc()), operand.bound});
  }

  std::swap(pool, inside);
  size_t around = manualAxes.size();
  manualAxes.append(axes.begin(), axes.end());
  ++nesting;
  llvm::SaveAndRestore isolation(isIsolated, true);
  SmallVector<Value> yielded;
  SmallVector<Type> types;
  SmallVector<double> bounds;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&block);
    for (int64_t added = 0, count = random.between(1, 6); added < count;)
      added += random.chance(35) ? addCollective() : addOperation();
    for (int64_t i = random.between(1, 2); i > 0; --i) {
      auto [value, exit] = drawExit(*findInside(), axes);
      SmallVector<int64_t> shape(value.shape());
      for (auto [dim, split] : llvm::enumerate(exit.dims))
        shape[dim] *= totalSize(split.axes, mesh);
      yielded.push_back(value.value);
      out.push_back(shardingAttr(exit));
      types.push_back(value.type().clone(shape));
      bounds.push_back(value.bound);
    }
    create<YieldOp>(yielded);
  }
  --nesting;
  manualAxes.truncate(around);
  std::swap(pool, inside);

  auto region = create<ManualComputationOp>(types, operands, axesOfMesh(axes),
                                            builder.getArrayAttr(in),
                                            builder.getArrayAttr(out));
  region.getBody().takeBody(*body);
  for (auto [result, bound] : llvm::zip_equal(region.getResults(), bounds))
    pool.push_back({result, bound});
  return true;
}

//===----------------------------------------------------------------------===//
// Collectives in them
//===----------------------------------------------------------------------===//

/// A collective over some manual axes, of this region or of those around it.
bool ProgramGenerator::addCollective() {
  // All devices must reach it.
  if (isDivergent)
    return false;
  const Mesh &mesh = manualMesh->mesh;
  AxisList over;
  for (const AxisRef &axis : manualAxes)
    if (random.chance(60))
      over.push_back(axis);
  random.shuffle(over);
  if (over.empty())
    return false;
  AxesAttr axes = axesOfMesh(over);
  int64_t n = totalSize(over, mesh);
  if (random.chance(15))
    return add(
        create<spmd::AxisIndexOp>(tensorType({}, builder.getI32Type()), axes),
        n);
  Known a = *findNumber();
  auto reduction = [&](ReductionKind kind) {
    return ReductionAttr::get(builder.getContext(), kind);
  };
  if (random.chance(30)) {
    bool isSum = random.chance(60);
    a = bounded(a, 3);
    return add(create<spmd::AllReduceOp>(
                   a.type(),
                   reduction(isSum ? ReductionKind::Sum : ReductionKind::Max),
                   a.value, axes),
               isSum ? a.bound * n : a.bound);
  }
  if (random.chance(15))
    return add(
        create<spmd::BroadcastOp>(a.type(), a.value, random.below(n), axes),
        a.bound);
  if (random.chance(25)) {
    auto target = llvm::to_vector_of<int32_t>(random.permutation(n));
    for (int32_t &receiver : target)
      if (random.chance(15))
        receiver = -1;
    return add(create<spmd::PermuteOp>(a.type(), a.value, axes, target),
               a.bound);
  }
  if (a.rank() == 0)
    return false;
  int64_t dim = random.below(a.rank()), other = random.below(a.rank());
  SmallVector<int64_t> shape(a.shape());
  if (random.chance(40)) {
    shape[dim] *= n;
    auto type = a.type().clone(shape);
    return type.getNumElements() <= maximalElements &&
           add(create<spmd::AllGatherOp>(type, a.value, dim, axes), a.bound);
  }
  if (shape[dim] % n != 0)
    return false;
  shape[dim] /= n;
  if (random.chance(50)) {
    a = bounded(a, 3);
    return add(create<spmd::ReduceScatterOp>(a.type().clone(shape),
                                             reduction(ReductionKind::Sum),
                                             a.value, dim, axes),
               a.bound * n);
  }
  shape[other] *= n;
  return add(create<spmd::AllToAllOp>(a.type().clone(shape), a.value, dim,
                                      other, axes),
             a.bound);
}
