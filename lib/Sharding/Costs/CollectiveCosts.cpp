//===- CollectiveCosts.cpp - What collectives cost ------------------------===//
#include "tessera/Sharding/Costs/CollectiveCosts.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace tessera;

int64_t tessera::bytesSent(CollectiveKind kind, int64_t devices,
                           int64_t operandBytes) {
  switch (kind) {
  case CollectiveKind::AllGather:
    return (devices - 1) * operandBytes;
  case CollectiveKind::AllReduce:
    return 2 * (devices - 1) * operandBytes / devices;
  case CollectiveKind::AllToAll:
  case CollectiveKind::ReduceScatter:
    return (devices - 1) * operandBytes / devices;
  case CollectiveKind::Permute:
    return operandBytes;
  }
  llvm_unreachable("unknown collective");
}

int64_t tessera::messageRounds(CollectiveKind kind, int64_t devices) {
  if (kind == CollectiveKind::Permute)
    return 2;
  int64_t rounds = llvm::Log2_64_Ceil(devices);
  return 1 + (kind == CollectiveKind::AllReduce ? 2 * rounds : rounds);
}

double tessera::collectiveSeconds(CollectiveKind kind, int64_t devices,
                                  int64_t operandBytes,
                                  const LinkCosts &links) {
  return links.latency * messageRounds(kind, devices) +
         bytesSent(kind, devices, operandBytes) / links.bandwidth;
}

CollectiveCosts::CollectiveCosts(const Mesh &mesh,
                                 llvm::ArrayRef<LinkCosts> links)
    : mesh(mesh), links(links) {
  assert((links.empty() || links.size() == mesh.axes.size()) &&
         "one entry per axis");
  this->links.resize(mesh.axes.size());
}

LinkCosts CollectiveCosts::linksOf(llvm::ArrayRef<AxisRef> axes) const {
  LinkCosts worst{0, std::numeric_limits<double>::infinity()};
  for (const AxisRef &axis : axes) {
    const LinkCosts &link = links[*mesh.findAxis(axis.name)];
    worst.latency = std::max(worst.latency, link.latency);
    worst.bandwidth = std::min(worst.bandwidth, link.bandwidth);
  }
  return worst;
}

double CollectiveCosts::seconds(CollectiveKind kind,
                                llvm::ArrayRef<AxisRef> axes,
                                int64_t operandBytes) const {
  return collectiveSeconds(kind, totalSize(axes, mesh), operandBytes,
                           linksOf(axes));
}
