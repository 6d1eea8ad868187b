//===- CollectiveCosts.cpp - What collectives cost ------------------------===//
#include "tessera/Sharding/Costs/CollectiveCosts.h"

#include <limits>

using namespace tessera;

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
