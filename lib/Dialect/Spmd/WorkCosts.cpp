//===- WorkCosts.cpp - what kernels and collectives take on a device ------===//

#include "tessera/Dialect/Spmd/WorkCosts.h"

#include "tessera/Dialect/Pipe/NetworkLevels.h"
#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Spmd/HostCopies.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Tessera/ProductShapes.h"
#include "tessera/Interfaces/CostInterface.h"
#include "tessera/Sharding/Costs/Roofline.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::spmd;

/// The bytes of `argument` that a kernel reads: parts that it cuts out, or all.
static int64_t bytesRead(BlockArgument argument) {
  int64_t parts = 0;
  for (Operation *user : argument.getUsers()) {
    OperationCost cost = getOperationCost(user);
    bool isReplaced = cost.touched == TouchedPart::Replaced &&
                      user->getOperand(0) == argument;
    if (cost.touched != TouchedPart::Read && !isReplaced)
      return bytesOf(argument);
    // What an update leaves alone stays where it is.
    parts += isReplaced ? 0 : bytesOf(cost.part);
  }
  return std::min(parts, bytesOf(argument));
}

static int64_t bytesWritten(Value yielded) {
  Operation *op = yielded.getDefiningOp();
  OperationCost cost = op ? getOperationCost(op) : OperationCost();
  return bytesOf(cost.touched == TouchedPart::Replaced ? cost.part : yielded);
}

KernelWork spmd::workOf(KernelOp kernel) {
  KernelWork work;
  Block &body = kernel.getBody().front();
  for (Operation &op : body) {
    work.operations += int64_t(countArithmetic(&op));
    if (std::optional<ProductShape> product = shapeOfProduct(&op))
      work.products.push_back(*product);
  }
  for (BlockArgument argument : body.getArguments())
    work.bytes += bytesRead(argument);
  for (Value yielded : body.getTerminator()->getOperands())
    work.bytes += bytesWritten(yielded);
  return work;
}

DeviceSeconds::Network::Network(MeshOp mesh)
    : mesh(mesh.getMesh().getMesh()),
      cluster(Cluster::around(
          mesh.getMachine(),
          pipe::readLevels(mesh->getParentOfType<ModuleOp>()), this->mesh)),
      links(cluster, this->mesh) {}

DeviceSeconds::DeviceSeconds(ModuleOp module)
    : module(module), kernels(pipe::readKernelCosts(module)) {
  if (auto meshes = module.getOps<MeshOp>(); !meshes.empty())
    machine = (*meshes.begin()).getMachine();
}

const GroupLinks &DeviceSeconds::linksOf(AxesAttr axes) {
  MeshOp mesh = lookupMesh(module, axes.getMesh());
  std::unique_ptr<Network> &network = networks[mesh];
  if (!network)
    network = std::make_unique<Network>(mesh);
  return network->links.ofGroups(axes.getAxes(), 0);
}

double DeviceSeconds::of(Operation *op) {
  if (auto parts = partsOf(op); !parts.empty()) {
    CollectiveOpInterface collective = parts.front();
    int64_t bytes = 0;
    for (Value operand : op->getOperands())
      bytes += bytesOf(operand);
    return linksOf(collective.getAxes())
        .seconds(collective.getCollectiveKind(),
                 groupSize(collective, collective.getAxes()), bytes);
  }
  if (isHostCopy(op) && machine.host.isThere())
    return machine.host.seconds(bytesOf(op->getResult(0)));
  auto kernel = dyn_cast<KernelOp>(op);
  if (!kernel)
    return 0;
  KernelWork work = workOf(kernel);
  return rooflineSeconds(work.operations, work.bytes, machine, kernels,
                         work.products);
}
