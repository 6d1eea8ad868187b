//===- ShardingGenerator.cpp - Random meshes and annotations --------------===//

#include "ShardingGenerator.h"

using namespace tessera;
using namespace tessera::fuzz;

static constexpr int64_t maximalDevices = 16;

/// How many programs of 100 have meshes whose axes cannot be used together.
static constexpr int64_t clashingPercent = 10;

static constexpr llvm::StringLiteral firstNames[] = {"x", "y", "z"};
static constexpr llvm::StringLiteral otherNames[] = {"u", "v", "w"};

static Mesh randomMesh(Random &random) {
  llvm::SmallVector<MeshAxis> axes;
  int64_t devices = 1, count = random.between(1, 3);
  for (int64_t i = 0; i < count; ++i) {
    int64_t size = random.pick({1, 2, 2, 2, 3, 4, 4});
    if (devices * size > maximalDevices)
      size = 1;
    devices *= size;
    axes.push_back({AxisName(firstNames[i]), size});
  }
  if (random.chance(25))
    return Mesh(axes, random.permutation(devices));
  return Mesh(axes);
}

/// Another grid of the same devices, in the same or another order.
static Mesh randomRegrouping(Random &random, const Mesh &mesh) {
  llvm::SmallVector<int64_t> sizes;
  for (const MeshAxis &axis : mesh.axes) {
    if (axis.size == 4 && random.chance(50))
      sizes.append({2, 2});
    else
      sizes.push_back(axis.size);
  }
  random.shuffle(sizes);
  while (sizes.size() > 3 || (sizes.size() > 1 && random.chance(30))) {
    sizes[sizes.size() - 2] *= sizes.back();
    sizes.pop_back();
  }
  llvm::SmallVector<MeshAxis> axes;
  for (auto [name, size] : llvm::zip(otherNames, sizes))
    axes.push_back({AxisName(name), size});
  if (random.chance(40))
    return Mesh(axes, random.permutation(mesh.numDevices()));
  return Mesh(axes, mesh.deviceIds);
}

/// The numbers that divide `n`, from 1 to n.
static llvm::SmallVector<int64_t> divisors(int64_t n) {
  llvm::SmallVector<int64_t> found;
  for (int64_t i = 1; i <= n; ++i)
    if (n % i == 0)
      found.push_back(i);
  return found;
}

/// A grid of `devices`, with the axes that `names` names.
static Mesh randomGrid(Random &random, int64_t devices,
                       llvm::ArrayRef<llvm::StringLiteral> names) {
  llvm::SmallVector<MeshAxis> axes;
  for (llvm::StringLiteral name : names) {
    int64_t size = random.pick(divisors(devices));
    if (name == names.back() || random.chance(20))
      size = devices;
    axes.push_back({AxisName(name), size});
    devices /= size;
  }
  return Mesh(axes);
}

/// Two grids of 6 or 12 devices. Axes of the one often end where those of the
/// other do not, and neither boundary divides the other: 2 * 3 and 3 * 2.
static std::pair<Mesh, Mesh> clashingMeshes(Random &random) {
  int64_t devices = random.pick({6, 12});
  auto grid = [&](llvm::ArrayRef<llvm::StringLiteral> names) {
    return randomGrid(random, devices, names.take_front(random.between(1, 3)));
  };
  Mesh first = grid(firstNames), second = grid(otherNames);
  if (random.chance(20))
    return {first, Mesh(second.axes, random.permutation(devices))};
  return {first, second};
}

/// A machine on which it depends on the axis what a collective costs.
static Machine randomMachine(Random &random, const Mesh &mesh) {
  Machine machine(mesh);
  for (LinkCosts &link : machine.links)
    link = {random.pick({1e-7, 1e-6, 1e-4}), random.pick({1e8, 25e9, 300e9})};
  return machine;
}

ShardingGenerator::ShardingGenerator(Random &random) : random(random) {
  Random apart = random.apart();
  meshes.push_back({"mesh", randomMesh(random), {}});
  if (random.chance(20))
    meshes.push_back({"other", randomRegrouping(random, getMesh()), {}});
  if (apart.chance(clashingPercent)) {
    auto [first, other] = clashingMeshes(apart);
    meshes = {{"mesh", first, {}}, {"other", other, {}}};
  }
  for (NamedMesh &named : meshes)
    if (apart.chance(15))
      named.machine = randomMachine(apart, named.mesh);
}

void ShardingGenerator::declareMeshes(mlir::OpBuilder &builder) const {
  mlir::MLIRContext *context = builder.getContext();
  for (const auto &[name, mesh, machine] : meshes)
    MeshOp::create(
        builder, builder.getUnknownLoc(), name, MeshAttr::get(context, mesh),
        machine ? MachineAttr::get(context, *machine) : MachineAttr());
}

/// Whole axes that are not `manual`, some of them cut into two parts, in random
/// order.
static llvm::SmallVector<AxisRef> randomAxes(Random &random, const Mesh &mesh,
                                             llvm::ArrayRef<AxisRef> manual) {
  llvm::SmallVector<AxisRef> axes;
  for (const MeshAxis &axis : mesh.axes) {
    if (llvm::is_contained(manual, AxisRef(axis.name)))
      continue;
    llvm::SmallVector<int64_t> cuts = divisors(axis.size);
    if (cuts.size() > 2 && random.chance(25)) {
      int64_t major =
          random.apart().pick(llvm::ArrayRef(cuts).drop_front().drop_back());
      axes.push_back(AxisRef(axis.name, 1, major));
      axes.push_back(AxisRef(axis.name, major, axis.size / major));
    } else {
      axes.push_back(AxisRef(axis.name));
    }
  }
  random.shuffle(axes);
  return axes;
}

TensorSharding ShardingGenerator::sharding(llvm::ArrayRef<int64_t> shape,
                                           bool mayBeUnreduced,
                                           const Mesh &mesh,
                                           llvm::ArrayRef<AxisRef> manual) {
  TensorSharding sharding = TensorSharding::getReplicated(shape.size());
  bool mayBeOpen = random.chance(40), hasPriorities = random.chance(10),
       mayBeUneven = random.chance(40),
       isUnreduced = mayBeUnreduced && random.chance(15);
  for (const AxisRef &axis : randomAxes(random, mesh, manual)) {
    if (!shape.empty() && random.chance(60)) {
      int64_t dim = random.below(shape.size());
      AxisList &axes = sharding.dims[dim].axes;
      int64_t shards = totalSize(axes, mesh) * axis.size(mesh);
      if (shape[dim] != 0 && (mayBeUneven || shape[dim] % shards == 0)) {
        axes.push_back(axis);
        continue;
      }
    }
    if (isUnreduced && random.chance(70))
      sharding.unreduced.push_back(axis);
    else if (random.chance(10))
      sharding.replicated.push_back(axis);
  }
  if (!sharding.unreduced.empty())
    sharding.unreducedKind =
        random.pick({ReductionKind::Sum, ReductionKind::Sum, ReductionKind::Sum,
                     ReductionKind::Max, ReductionKind::Min});
  for (DimSharding &dim : sharding.dims) {
    dim.open = mayBeOpen && random.chance(60);
    if (hasPriorities && (dim.open || !dim.axes.empty()))
      dim.priority = random.below(3);
  }
  return sharding.canonical(mesh);
}

ShardingAttr ShardingGenerator::attribute(mlir::MLIRContext *context,
                                          llvm::ArrayRef<int64_t> shape,
                                          bool mayBeUnreduced,
                                          llvm::ArrayRef<AxisRef> manual,
                                          const NamedMesh *manualMesh) {
  const NamedMesh &in = manualMesh ? *manualMesh : random.pick(meshes);
  TensorSharding value = sharding(shape, mayBeUnreduced, in.mesh, manual);
  assert(value.verify(shape, in.mesh).empty() && "a sharding must be valid");
  return ShardingAttr::get(
      context, mlir::FlatSymbolRefAttr::get(context, in.name), value);
}
